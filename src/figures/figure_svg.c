/*
 * figure_svg.c - SVG that depends on the drawing alone.
 *
 * cairo names pictures and sheets by numbers that count on through the life of
 * the process. The text is kept until the page is closed and written with new
 * numbers, in the order in which they first appear. Every name begins with a hash
 * of that text, so that figures in one page do not take each other's parts.
 */
#include "figures/figure_page.h"

#include <inttypes.h>
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

/* ---- writing ------------------------------------------------------------ */

/* Where the text goes: into a hash, or into a file with that hash before its names. */
typedef struct output {
    uint64_t hash; /* FNV-1a by Fowler, Noll and Vo */
    FILE *stream;  /* NULL: nothing is written */
} output;

static void put(output *to, const char *text, size_t n)
{
    if (to->stream != NULL)
        fwrite(text, 1, n, to->stream);
    else
        for (size_t i = 0; i < n; i++)
            to->hash = (to->hash ^ (unsigned char)text[i]) * 0x100000001b3u;
}

/* whether a name begins behind text[i]: in an attribute `id`, or in what refers to one */
static bool begins_name(const char *text, size_t i)
{
    static const char id[] = " id=";
    if (text[i] == '#')
        return i > 0 && (text[i - 1] == '"' || text[i - 1] == '(');
    return text[i] == '"' && i >= strlen(id) && memcmp(text + i - strlen(id), id, strlen(id)) == 0;
}

static cairo_status_t write_renamed(const figure_svg *svg, output *to, renumbering *map)
{
    const char *text = svg->text;
    char name[32];
    size_t written = 0;
    for (size_t i = 0; i + 1 < svg->size; i++) {
        if (!begins_name(text, i))
            continue;
        put(to, text + written, i + 1 - written);
        written = i + 1;
        if (to->stream != NULL)
            put(to, name, (size_t)snprintf(name, sizeof name, "f%012" PRIx64 "-", to->hash >> 16));
        size_t length = numbered_name(text + i + 1, svg->size - i - 1);
        if (length == 0)
            continue;
        put(to, text + written, length);
        written += length;
        int number = new_number(map, read_number(text, svg->size, &written));
        if (number < 0)
            return CAIRO_STATUS_NO_MEMORY;
        put(to, name, (size_t)snprintf(name, sizeof name, "%d", number));
    }
    put(to, text + written, svg->size - written);
    return CAIRO_STATUS_SUCCESS;
}

cairo_status_t figure_svg_write(const figure_svg *svg, FILE *stream)
{
    renumbering map = {NULL, 0, 0};
    output to = {.hash = 0xcbf29ce484222325u};
    // the same numbers are found in both passes
    cairo_status_t status = write_renamed(svg, &to, &map);
    to.stream = stream;
    if (status == CAIRO_STATUS_SUCCESS)
        status = write_renamed(svg, &to, &map);
    free(map.seen);
    return status == CAIRO_STATUS_SUCCESS && ferror(stream) ? CAIRO_STATUS_WRITE_ERROR : status;
}
