/*
 * figure_svg.c - SVG that depends on the drawing alone.
 *
 * cairo names pictures and sheets by numbers that count on through the life of
 * the process. The text is kept until the page is closed and written with new
 * numbers, in the order in which they first appear.
 */
#include "figures/figure_page.h"

#include <stdlib.h>
#include <string.h>

/* ---- keeping the text --------------------------------------------------- */

cairo_status_t figure_svg_keep(void *user, const unsigned char *bytes, unsigned int n)
{
    figure_svg *svg = user;
    if (svg->room - svg->size < n) {
        size_t room = 2 * svg->room + n + 4096;
        char *text = realloc(svg->text, room);
        if (!text)
            return CAIRO_STATUS_NO_MEMORY;
        svg->text = text;
        svg->room = room;
    }
    memcpy(svg->text + svg->size, bytes, n);
    svg->size += n;
    return CAIRO_STATUS_SUCCESS;
}

/* ---- new numbers -------------------------------------------------------- */

/* the length of a name that carries such a number, 0 when there is none at `text` */
static size_t numbered_name(const char *text, size_t rest)
{
    static const char *const names[] = {"image", "surface"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (rest > n && memcmp(text, names[i], n) == 0 && text[n] >= '0' && text[n] <= '9')
            return n;
    }
    return 0;
}

/* reads the number at *at, which is moved behind it */
static unsigned long read_number(const char *text, size_t size, size_t *at)
{
    unsigned long number = 0;
    for (; *at < size && text[*at] >= '0' && text[*at] <= '9'; ++*at)
        number = 10 * number + (unsigned long)(text[*at] - '0');
    return number;
}

/* numbers seen so far: the new one is the place in the list */
typedef struct renumbering {
    unsigned long *seen;
    int count, room;
} renumbering;

/* -1 when there is no memory */
static int new_number(renumbering *map, unsigned long number)
{
    for (int i = map->count - 1; i >= 0; i--)
        if (map->seen[i] == number)
            return i;
    if (map->count == map->room) {
        int room = 2 * map->room + 16;
        unsigned long *seen = realloc(map->seen, (size_t)room * sizeof *seen);
        if (!seen)
            return -1;
        map->seen = seen;
        map->room = room;
    }
    map->seen[map->count] = number;
    return map->count++;
}

static cairo_status_t write_renumbered(const figure_svg *svg, FILE *stream, renumbering *map)
{
    const char *text = svg->text;
    size_t written = 0;
    for (size_t i = 0; i + 1 < svg->size; i++) {
        // names begin an attribute's value or a reference
        size_t name =
            text[i] == '"' || text[i] == '#' ? numbered_name(text + i + 1, svg->size - i - 1) : 0;
        if (name == 0)
            continue;
        size_t at = i + 1 + name;
        fwrite(text + written, 1, at - written, stream);
        int number = new_number(map, read_number(text, svg->size, &at));
        if (number < 0)
            return CAIRO_STATUS_NO_MEMORY;
        fprintf(stream, "%d", number);
        written = at;
        i = at - 1;
    }
    fwrite(text + written, 1, svg->size - written, stream);
    return ferror(stream) ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

cairo_status_t figure_svg_write(const figure_svg *svg, FILE *stream)
{
    renumbering map = {NULL, 0, 0};
    cairo_status_t status = write_renumbered(svg, stream, &map);
    free(map.seen);
    return status;
}
