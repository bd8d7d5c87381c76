/*
 * obj.c - Wavefront OBJ (Alias|Wavefront, Advanced Visualizer, appendix B1): the vertices that
 * faces, lines and points name; all vertices of a file without these, which is a cloud of points.
 *
 * The text is read twice, vertices first, because an element may come before its vertices. Files of
 * materials are not opened, and statements that neither make vertices nor name them are passed
 * over.
 */
#include "formats/mesh/points.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* A text that is read for the second time. */
typedef struct obj_elements {
    unsigned char *used; /* of each vertex of the file */
    size_t count;        /* of these */
    size_t before;       /* vertices before this line, from which negative indices count back */
    bool any;            /* there is an element */
    lb_error *error;
} obj_elements;

/* the next word of a statement, which a backslash continues on the next line; size 0 at its end */
static bvh_word next_word(bvh_scan *scan)
{
    for (;;) {
        bvh_word word = bvh_scan_word_here(scan);
        if (word.size > 0 && word.text[0] == '#') {
            // a comment ends with its line, and the statement before it
            while (bvh_scan_word_here(scan).size > 0)
                continue;
            word.size = 0;
        }
        bvh_scan ahead = *scan;
        if (word.size == 0)
            return word;
        if (word.text[word.size - 1] != '\\' || bvh_scan_word_here(&ahead).size > 0)
            return word;
        bvh_scan_next_line(scan);
        if (--word.size > 0)
            return word;
    }
}

/* x y z; x y z w, of which w divides; or x y z and the numbers of a colour */
static lb_status read_vertex(bvh_scan *scan, mesh_points *points, lb_error *error)
{
    double numbers[4] = {0, 0, 0, 1};
    int count = 0, line = scan->line;
    for (bvh_word word; (word = next_word(scan)).size > 0; count++) {
        double number;
        lb_status status = mesh_word_number(word, &number, error);
        if (status != LB_OK)
            return status;
        if (count < 4)
            numbers[count] = number;
    }
    if (count < 3)
        return lb_error_set(error, LB_SYNTAX_ERROR, line,
                            "the vertex has %d numbers; it needs three", count);
    double w = count == 4 ? numbers[3] : 1;
    return mesh_points_add(points, lb_vec3_make(numbers[0] / w, numbers[1] / w, numbers[2] / w),
                           line, error);
}

/* the vertices of an element, of "7", "7/1", "7/1/2" and "7//2" the first number */
static lb_status read_element(bvh_scan *scan, obj_elements *elements)
{
    elements->any = true;
    for (bvh_word word; (word = next_word(scan)).size > 0;) {
        const char *slash = memchr(word.text, '/', word.size);
        int index;
        if (slash != NULL)
            word.size = (size_t)(slash - word.text);
        lb_status status = mesh_word_integer(word, &index, elements->error);
        if (status != LB_OK)
            return status;
        // what is before the first vertex becomes larger than any
        size_t vertex = index < 0 ? elements->before - (size_t)-index : (size_t)index - 1;
        if (vertex >= elements->count)
            return lb_error_set(elements->error, LB_BAD_VALUE, word.line,
                                "there is no vertex %d; the file has %zu", index, elements->count);
        elements->used[vertex] = 1;
    }
    return LB_OK;
}

/* the vertices to `points`, or where that is NULL the elements to `elements` */
static lb_status read_statements(bvh_scan scan, mesh_points *points, obj_elements *elements,
                                 lb_error *error)
{
    lb_status status = LB_OK;
    while (scan.at < scan.end && status == LB_OK) {
        bvh_word word = next_word(&scan);
        bool element = bvh_word_is(word, "f") || bvh_word_is(word, "l") || bvh_word_is(word, "p");
        if (bvh_word_is(word, "v") && points != NULL)
            status = read_vertex(&scan, points, error);
        else if (bvh_word_is(word, "v"))
            elements->before++;
        else if (word.size > 0 && element && points == NULL)
            status = read_element(&scan, elements);
        // a statement that is passed over may go on in further lines
        while (status == LB_OK && next_word(&scan).size > 0)
            continue;
        bvh_scan_next_line(&scan);
    }
    return status;
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
    bvh_scan scan = bvh_scan_start(text, size);
    lb_status status = read_statements(scan, points, NULL, error);
    if (status != LB_OK)
        return status;
    obj_elements elements = {.used = memory_take(points->allocator, points->count, 1),
                             .count = points->count,
                             .error = error};
    if (elements.used == NULL)
        return error_out_of_memory(error);
    status = read_statements(scan, NULL, &elements, error);
    if (status == LB_OK && elements.any)
        keep_used(points, elements.used);
    memory_release(points->allocator, elements.used);
    return status;
}
