/*
 * read.c - mesh files by their endings, and their convex hulls by qhull (Barber, Dobkin, Huhdanpaa
 * 1996).
 */
#include "formats/mesh/mesh.h"

#include <limber/formats/mesh.h>

#if defined LIMBER_HAVE_MESHES

#include "base/error.h"
#include "base/memory.h"
#include "formats/file.h"

#include <libqhull_r/libqhull_r.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool lb_mesh_supported(void)
{
    return true;
}

/* ---- hulls ---------------------------------------------------------------- */

/* moves the hull's corners to the front; 0: there is none, as of flat meshes */
static int keep_corners(lb_vec3 *points, int count)
{
    static char command[] = "qhull Qt Pp";
    qhT *hull = malloc(sizeof *hull);
    FILE *silent = fopen("/dev/null", "w");
    lb_vec3 *corners = malloc((size_t)count * sizeof *corners);
    int kept = 0, rest, blocks;
    if (hull != NULL && silent != NULL && corners != NULL) {
        qh_zero(hull, silent);
        bool fine = qh_new_qhull(hull, 3, count, &points->x, False, command, NULL, silent) == 0;
        for (vertexT *v = fine ? hull->vertex_list : NULL; v != NULL && v->next; v = v->next) {
            int index = qh_pointid(hull, v->point);
            if (index >= 0 && index < count && kept < count)
                corners[kept++] = points[index];
        }
        qh_freeqhull(hull, !qh_ALL);
        qh_memfreeshort(hull, &rest, &blocks);
    }
    for (int i = 0; i < kept; i++)
        points[i] = corners[i];
    free(corners);
    free(hull);
    if (silent != NULL)
        fclose(silent);
    return kept;
}

/* by coordinates, then by place in the file, where equal points follow each other */
static int compare_points(const void *a, const void *b)
{
    const lb_vec3 *p = *(const lb_vec3 *const *)a, *q = *(const lb_vec3 *const *)b;
    int x = (p->x > q->x) - (p->x < q->x), y = (p->y > q->y) - (p->y < q->y);
    int z = (p->z > q->z) - (p->z < q->z);
    return x != 0 ? x : y != 0 ? y : z != 0 ? z : (p > q) - (p < q);
}

static bool is_equal(const lb_vec3 *p, const lb_vec3 *q)
{
    return p->x == q->x && p->y == q->y && p->z == q->z;
}

/* keeps the first of equal points, in the file's order; false without memory */
static bool keep_different(mesh_points *points)
{
    size_t kept = 0;
    MEMORY_POOL(memory, points->allocator);
    const lb_vec3 **order = memory_take(&memory, points->count, sizeof *order);
    bool *again = memory_take(&memory, points->count, sizeof *again);
    if (order == NULL || again == NULL)
        return false;
    for (size_t i = 0; i < points->count; i++)
        order[i] = &points->at[i];
    qsort(order, points->count, sizeof *order, compare_points);
    for (size_t i = 0; i < points->count; i++)
        again[order[i] - points->at] = i > 0 && is_equal(order[i - 1], order[i]);
    for (size_t i = 0; i < points->count; i++)
        if (!again[i])
            points->at[kept++] = points->at[i];
    points->count = kept;
    return true;
}

/* ---- files ---------------------------------------------------------------- */

static mesh_parse *parser_of(const char *file)
{
    static const struct {
        const char *ending;
        mesh_parse *parse;
    } formats[] = {{".stl", stl_parse}, {".obj", obj_parse}, {".dae", collada_parse}};
    const char *ending = strrchr(file, '.');
    for (size_t i = 0; ending != NULL && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(ending, formats[i].ending) == 0)
            return formats[i].parse;
    return NULL;
}

lb_status mesh_read_memory(const char *file, const char *text, size_t size,
                           const lb_allocator *allocator, lb_vec3 **corners, int *count,
                           lb_error *error)
{
    mesh_points points = {.allocator = allocator};
    mesh_parse *parse = parser_of(file);
    if (parse == NULL)
        return REFUSE_UNSUPPORTED(
            error, "its ending is not .stl, .obj or .dae; convert it to one of these");
    lb_status status = parse(text, size, &points, error);
    if (status == LB_OK && (points.count == 0 || points.count > INT_MAX))
        status = REFUSE_MODEL(error, "it has %s vertices", points.count == 0 ? "no" : "too many");
    if (status == LB_OK && !keep_different(&points))
        status = error_out_of_memory(error);
    if (status != LB_OK) {
        memory_release(allocator, points.at);
        return status;
    }
    *corners = points.at;
    *count = keep_corners(points.at, (int)points.count);
    // a flat mesh is the hull of all its points
    if (*count == 0)
        *count = (int)points.count;
    return LB_OK;
}

lb_status mesh_read(const char *file, const lb_allocator *allocator, lb_vec3 **corners, int *count,
                    lb_error *error)
{
    char *text;
    size_t size;
    MEMORY_POOL(memory, allocator);
    TRY(file_read_named(file, &memory, &text, &size, error));
    return mesh_read_memory(file, text, size, allocator, corners, count, error);
}

#else

bool lb_mesh_supported(void)
{
    return false;
}

lb_status mesh_read(const char *file, const lb_allocator *allocator, lb_vec3 **corners, int *count,
                    lb_error *error)
{
    return mesh_read_memory(file, NULL, 0, allocator, corners, count, error);
}

lb_status mesh_read_memory(const char *file, const char *text, size_t size,
                           const lb_allocator *allocator, lb_vec3 **corners, int *count,
                           lb_error *error)
{
    (void)file, (void)text, (void)size, (void)allocator, (void)corners, (void)count;
    return REFUSE_UNSUPPORTED(
        error, "the library was built without qhull, which makes the hulls of meshes");
}

#endif
