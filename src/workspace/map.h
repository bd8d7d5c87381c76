/*
 * map.h - what an lb_workspace holds.
 */
#ifndef WORKSPACE_MAP_H
#define WORKSPACE_MAP_H

#include "base/memory.h"
#include "workspace/orientation.h"
#include "workspace/probe.h"

#include <limber/batch.h>
#include <limber/workspace.h>

typedef struct map_cell {
    uint32_t samples;
    int orientations;
    bool solved, reached; /* by its centre */
    bool passed;          /* the tool was in it when the grid's box was found */
    int tries;            /* of a linkage, at its centre, from configurations beside it */
    int levels;           /* solved, with all orientations: the doublings of these that it passed */
} map_cell;

/* how often the number of orientations is doubled where none is missing: to 16 times as many */
enum { MAP_LEVELS = 4 };

struct lb_workspace {
    memory_pool pool; /* of all else */
    lb_allocator memory;
    probe probe;
    lb_workspace_grid grid;
    orientation_cells orientations;
    size_t cells, mark_bytes;
    map_cell *cell;         /* one each */
    double *manipulability; /* one each, NULL: not wanted */
    double *measuring;      /* working memory of manipulability.c */
    unsigned char *marks;   /* mark_bytes each: a bit for each orientation */
    double *seeds;          /* nq each: the configuration that others grow from; solved: there */
    bool flooded;           /* of a linkage: which centres are reached is known */
    int *reached;           /* indices of the cells that have samples */
    int *queue;             /* of a linkage: of those whose centres are reached */

    /* solving; NULL: too few joints for any volume, both pose solvers: for all orientations
       anywhere */
    lb_ik *position, *pose, *patient;
    lb_transform *targets;  /* of every orientation */
    lb_ik_result *results;  /* of these */
    double *configurations; /* nq each */
};

/* Keeps a cell's largest manipulability, that of the probe's state among them. */
void map_keep_manipulability(lb_workspace *w, size_t index);

/* The index of the cell of a position in grid axes, -1: outside. */
static inline int map_cell_of(const lb_workspace_grid *grid, lb_vec3 place)
{
    lb_vec3 p = lb_vec3_scale(lb_vec3_sub(place, grid->corner), 1 / grid->cell);
    const double at[3] = {p.x, p.y, grid->planar ? 0.5 : p.z};
    int index = 0;
    for (int i = 2; i >= 0; i--) {
        if (!(at[i] >= 0) || !(at[i] < grid->count[i]))
            return -1;
        index = index * grid->count[i] + (int)at[i];
    }
    return index;
}

/* A cell's centre in grid axes. */
static inline lb_vec3 map_center(const lb_workspace *w, size_t index)
{
    const lb_workspace_grid *grid = &w->grid;
    size_t x = (size_t)grid->count[0], y = (size_t)grid->count[1];
    lb_vec3 at = lb_vec3_make((double)(index % x) + 0.5, (double)(index / x % y) + 0.5,
                              (double)(index / x / y) + 0.5);
    lb_vec3 center = lb_vec3_add(grid->corner, lb_vec3_scale(at, grid->cell));
    if (grid->planar)
        center.z = 0;
    return center;
}

/* Solvers for tasks of `task`. */
lb_status map_create_solvers(lb_workspace *w, const lb_task *task, int iterations, lb_error *error);

#endif
