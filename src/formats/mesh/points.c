/*
 * points.c - a list of points that grows, and the numbers of mesh files.
 */
#include "formats/mesh/mesh.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/range.h"

#include <string.h>

/* meshes are floats in binary files, renderers and the page: a text means the same ones. Volatile,
   as gcc 12 leaves out two such roundings where it makes a vector of them */
static double round_to_float(double x)
{
    volatile float rounded = (float)x;
    return (double)rounded;
}

lb_status mesh_points_add(mesh_points *points, lb_vec3 point, int line, lb_error *error)
{
    if (!range_has_point(point))
        return lb_error_set(error, LB_BAD_VALUE, line,
                            "vertex %zu is not finite, or farther than %g from the origin",
                            points->count + 1, LB_LENGTH_MAX);
    lb_vec3 *at = memory_grow(points->allocator, points->at, points->count, &points->room,
                              points->count + 1, sizeof *at);
    TRY(require_memory(error, at));
    points->at = at;
    points->at[points->count++] =
        lb_vec3_make(round_to_float(point.x), round_to_float(point.y), round_to_float(point.z));
    return LB_OK;
}

/* ---- numbers -------------------------------------------------------------- */

static lb_status refuse_word(text_word word, const char *wrong, lb_error *error)
{
    char shown[TEXT_SHOWN];
    if (word.size == 0)
        return lb_error_set(error, LB_BAD_VALUE, word.line, "a number is missing");
    return lb_error_set(error, LB_BAD_VALUE, word.line, "'%s' %s", text_word_show(word, shown),
                        wrong);
}

lb_status mesh_word_number(text_word word, double *number, lb_error *error)
{
    const char *wrong = text_word_number(word, number);
    return wrong == NULL ? LB_OK : refuse_word(word, wrong, error);
}

lb_status mesh_word_integer(text_word word, int *number, lb_error *error)
{
    size_t sign = word.size > 0 && (*word.text == '-' || *word.text == '+'), i = sign;
    int value = 0;
    for (; i < word.size && word.text[i] >= '0' && word.text[i] <= '9' && i - sign < 9; i++)
        value = 10 * value + (word.text[i] - '0');
    *number = sign && *word.text == '-' ? -value : value;
    bool whole = i == word.size && i > sign;
    return whole ? LB_OK : refuse_word(word, "is no index of at most nine digits", error);
}

lb_status mesh_scan_numbers(text_scan *scan, int count, double *numbers, lb_error *error)
{
    for (int i = 0; i < count; i++)
        if (!text_scan_number(scan, &numbers[i]))
            TRY(mesh_word_number(text_scan_word(scan), &numbers[i], error));
    return LB_OK;
}
