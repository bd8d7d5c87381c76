/*
 * text.c - the distance of two names in typing errors.
 *
 * Damerau-Levenshtein in the restricted form (no letter is edited twice), by
 * the usual three rows of dynamic programming; no allocation.
 */
#include "math/text.h"

#include <string.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int compared_length(const char *text)
{
    int length = 0;
    while (length < TEXT_COMPARED && text[length])
        length++;
    return length;
}

int text_distance(const char *a, const char *b)
{
    int rows[3][TEXT_COMPARED + 1];
    int *before = rows[0], *above = rows[1], *row = rows[2];
    int m = compared_length(a), n = compared_length(b);
    for (int j = 0; j <= n; j++)
        above[j] = j;

    for (int i = 1; i <= m; i++) {
        row[0] = i;
        for (int j = 1; j <= n; j++) {
            // change or keep, leave out, insert
            int change = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(change, least(above[j], row[j - 1]) + 1);

            // swap with the neighbour
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        int *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[n];
}

void text_nearest_offer(text_nearest *search, const char *candidate)
{
    // more than a third of the letters wrong is another name, not a typing error
    int bound = 1 + compared_length(search->wanted) / 3;
    int distance = text_distance(search->wanted, candidate);
    if (distance > bound || (search->best && distance >= search->distance))
        return;
    search->best = candidate;
    search->distance = distance;
}

/* Puts text behind the `used` bytes of the buffer, cut where it ends; answers the new length. */
static size_t append(char *buffer, size_t size, size_t used, const char *text)
{
    size_t length = strlen(text);
    size_t room = size - used - 1;
    if (length > room)
        length = room;
    memcpy(buffer + used, text, length);
    buffer[used + length] = '\0';
    return used + length;
}

const char *text_nearest_hint(const text_nearest *search, char *buffer, size_t size)
{
    size_t used = append(buffer, size, 0, "");
    if (search->best) {
        used = append(buffer, size, used, "; did you mean '");
        used = append(buffer, size, used, search->best);
        append(buffer, size, used, "'?");
    }
    return buffer;
}
