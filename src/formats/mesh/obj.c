/*
 * obj.c - Wavefront OBJ (Alias|Wavefront, Advanced Visualizer, appendix B1): the vertices that
 * faces, lines and points name; all vertices of a file without these, which is a cloud of points.
 *
 * The text is read twice, vertices first, because an element may come before its vertices. Files of
 * materials are not opened, and statements that neither make vertices nor name them are passed
 * over.
 */
#include "formats/mesh/mesh.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* A text that is read. */
typedef struct obj_reading {
    mesh_points *points;
    unsigned char *used; /* of each vertex, whether an element names it; NULL: the first time */
    size_t before;       /* vertices before this line, from which negative indices count back */
    bool any;            /* there is an element */
    lb_error *error;
} obj_reading;

/* the next word of a statement, which a backslash continues on the next line; size 0 at its end */
static text_word next_word(text_scan *scan)
{
    for (;;) {
        text_word word = text_scan_word_here(scan);
        if (word.size > 0 && word.text[0] == '#') {
            // a comment ends with its line, and the statement before it
            while (text_scan_word_here(scan).size > 0)
                continue;
            word.size = 0;
        }
        text_scan ahead = *scan;
        if (word.size == 0)
            return word;
        if (word.text[word.size - 1] != '\\' || text_scan_word_here(&ahead).size > 0)
            return word;
        text_scan_next_line(scan);
        if (--word.size > 0)
            return word;
    }
}

/* x y z; x y z w, of which w divides; or x y z and the numbers of a colour */
static lb_status read_vertex(text_scan *scan, obj_reading *r)
{
    double numbers[4] = {0, 0, 0, 1};
    int count = 0, line = scan->line;
    for (text_word word; (word = next_word(scan)).size > 0; count++) {
        double number;
        TRY(mesh_word_number(word, &number, r->error));
        if (count < 4)
            numbers[count] = number;
    }
    if (count < 3)
        return lb_error_set(r->error, LB_SYNTAX_ERROR, line,
                            "the vertex has %d numbers; it needs three", count);
    double w = count == 4 ? numbers[3] : 1;
    lb_vec3 point = lb_vec3_make(numbers[0] / w, numbers[1] / w, numbers[2] / w);
    return mesh_points_add(r->points, point, line, r->error);
}

/* the vertices of an element, of "7", "7/1", "7/1/2" and "7//2" the first number */
static lb_status read_element(text_scan *scan, obj_reading *r)
{
    r->any = true;
    for (text_word word; (word = next_word(scan)).size > 0;) {
        const char *slash = memchr(word.text, '/', word.size);
        int index;
        if (slash != NULL)
            word.size = (size_t)(slash - word.text);
        TRY(mesh_word_integer(word, &index, r->error));
        // what is before the first vertex becomes larger than any
        size_t vertex = index < 0 ? r->before - (size_t)-index : (size_t)index - 1;
        if (vertex >= r->points->count)
            return lb_error_set(r->error, LB_BAD_VALUE, word.line,
                                "there is no vertex %d; the file has %zu", index, r->points->count);
        r->used[vertex] = 1;
    }
    return LB_OK;
}

/* the vertices the first time, the elements the second */
static lb_status read_statements(text_scan scan, obj_reading *r)
{
    while (scan.at < scan.end) {
        text_word word = next_word(&scan);
        bool element =
            text_word_is(word, "f") || text_word_is(word, "l") || text_word_is(word, "p");
        if (text_word_is(word, "v") && r->used == NULL)
            TRY(read_vertex(&scan, r));
        else if (text_word_is(word, "v"))
            r->before++;
        else if (element && r->used != NULL)
            TRY(read_element(&scan, r));
        // a statement that is passed over may go on in further lines
        while (next_word(&scan).size > 0)
            continue;
        text_scan_next_line(&scan);
    }
    return LB_OK;
}

static void keep_used(mesh_points *points, const unsigned char *used)
{
    size_t kept = 0;
    for (size_t i = 0; i < points->count; i++)
        if (used[i])
            points->at[kept++] = points->at[i];
    points->count = kept;
}

lb_status obj_parse(const char *text, size_t size, mesh_points *points, lb_error *error)
{
    text_scan scan = text_scan_start(text, size);
    obj_reading r = {.points = points, .error = error};
    TRY(read_statements(scan, &r));
    MEMORY_POOL(memory, points->allocator);
    r.used = memory_take(&memory, points->count, 1);
    TRY(require_memory(error, r.used));
    TRY(read_statements(scan, &r));
    if (r.any)
        keep_used(points, r.used);
    return LB_OK;
}
