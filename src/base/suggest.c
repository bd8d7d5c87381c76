/*
 * suggest.c - the nearest of many names.
 *
 * Distance is the optimal string alignment distance (Damerau 1964): insertions,
 * deletions, substitutions and swaps of neighbours, each costing one.
 */
#include "base/suggest.h"

#include "base/text.h"

#include <limber/base.h>

#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* names longer than this are compared by their beginnings */
enum { LONGEST = 64 };

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int clipped_length(const char *text)
{
    int length = 0;
    while (length < LONGEST && text[length] != '\0')
        length++;
    return length;
}

/* the typing errors that lead from a to b, row by row of the alignment table */
static int distance_between(const char *a, const char *b)
{
    int rows[3][LONGEST + 1];
    int n = clipped_length(a), m = clipped_length(b);
    for (int j = 0; j <= m; j++)
        rows[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            char x = letter_lowered(a[i - 1]), y = letter_lowered(b[j - 1]);
            int best = smaller(above[j], row[j - 1]) + 1;
            best = smaller(best, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == letter_lowered(b[j - 2]) && y == letter_lowered(a[i - 2]))
                best = smaller(best, second[j - 2] + 1);
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

/* how many letters two names begin with alike */
static int common_beginning(const char *a, const char *b)
{
    int length = 0;
    while (a[length] != '\0' && letter_lowered(a[length]) == letter_lowered(b[length]))
        length++;
    return length;
}

static bool contains(const char *text, const char *part)
{
    size_t n = strlen(text), m = (size_t)clipped_length(part);
    for (size_t start = 0; start + m <= n; start++) {
        size_t k = 0;
        while (k < m && letter_lowered(text[start + k]) == letter_lowered(part[k]))
            k++;
        if (k == m)
            return true;
    }
    return false;
}

/* a third of the letters may be wrong, never all: beyond that two names have little in common */
static int edits_allowed(const char *name)
{
    int length = clipped_length(name);
    return length < 2 ? 0 : length < 3 ? 1 : length / 3 + 1;
}

suggest suggest_start(const char *name)
{
    suggest nearest = {.name = name, .best = NULL, .distance = INT_MAX};
    return nearest;
}

void suggest_consider(suggest *nearest, const char *candidate)
{
    int distance = distance_between(nearest->name, candidate);
    bool near = distance <= edits_allowed(nearest->name);

    /* a part of three letters or more is enough, but ranks behind every typing error */
    if (!near && strlen(nearest->name) >= 3 && contains(candidate, nearest->name)) {
        distance += LONGEST;
        near = true;
    }
    int alike = common_beginning(nearest->name, candidate);
    bool nearer =
        distance < nearest->distance || (distance == nearest->distance && alike > nearest->alike);
    if (near && nearer) {
        nearest->best = candidate;
        nearest->distance = distance;
        nearest->alike = alike;
    }
}

const char *suggest_phrase(suggest *nearest)
{
    nearest->phrase[0] = '\0';
    if (nearest->best != NULL)
        text_format(nearest->phrase, sizeof nearest->phrase, "; did you mean '%.120s'?",
                    nearest->best);
    return nearest->phrase;
}

/* "; there are x, y and z" */
static void list_all(suggest *nearest, const char *const *names, int count)
{
    size_t used = 0;
    for (int i = 0; i < count && used < sizeof nearest->phrase; i++) {
        const char *before = i == 0 ? "; there are " : i == count - 1 ? " and " : ", ";
        text_format(nearest->phrase + used, sizeof nearest->phrase - used, "%s%s", before,
                    names[i]);
        used = strlen(nearest->phrase);
    }
}

int suggest_choice(suggest *nearest, const char *name, const char *const *names, int count)
{
    *nearest = suggest_start(name);
    for (int i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0)
            return i;
        suggest_consider(nearest, names[i]);
    }
    suggest_phrase(nearest);
    if (nearest->best == NULL)
        list_all(nearest, names, count);
    return -1;
}

int lb_nearest_name(const char *name, const char *const *names, int count)
{
    suggest nearest = suggest_start(name);
    int found = -1;
    for (int i = 0; i < count; i++) {
        const char *before = nearest.best;
        suggest_consider(&nearest, names[i]);
        if (nearest.best != before)
            found = i;
    }
    return found;
}
