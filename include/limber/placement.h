/*
 * placement.h - the places from which a robot reaches its targets.
 *
 *     lb_placement *placement;
 *     lb_placement_create(model, &task, targets, count, NULL, NULL, &placement, &error);
 *     for (size_t i = 0; i < lb_placement_count(placement); i++) {
 *         lb_place place = lb_placement_solve(placement, i);
 *         ...
 *     }
 *
 * Targets are given in the world, and places are those of the robot in it: on a lattice in a
 * horizontal plane, in several turns about the vertical. All places of the lattice from which a
 * target could be reached are there. A place is a pure function of its index, so threads may share
 * them, each with a placement of its own made by one call.
 *
 * A placement belongs to one thread and never allocates after its creation.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_PLACEMENT_H
#define LIMBER_PLACEMENT_H

#include <limber/task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start from lb_placement_options_default(). */
typedef struct lb_placement_options {
    double cell;   /* Metres between neighbouring places, > 0, at most 1e15. Default: 0.1. */
    int turns;     /* How many turns about the vertical, evenly spread, 1 to 360. Default: 8. */
    double height; /* Height of the plane on which the robot stands, metres. Default: 0. */
} lb_placement_options;

lb_placement_options lb_placement_options_default(void);

/* One place of the robot. */
typedef struct lb_place {
    lb_transform robot; /* T_world_robot: where the model's own world is put. */
    int reached;        /* How many of the targets are reached from there. */
    /*
     * The least distance of a joint from its nearer limit, over the targets that are reached, as a
     * share of half its range: 0 at a limit, 1 in the middle or if no joint has limits. Of each
     * target the best solution counts if the tip's joints are just enough for it, so that
     * lb_solutions lists all; else the solution that was found, so better ones may exist.
     */
    double margin;
} lb_place;

typedef struct lb_placement lb_placement;

/*
 * Prepares places for `count` >= 1 targets, T_world_target, of a task whose base is LB_WORLD: tip,
 * base, tool, kind and free axis are read. Options NULL means the default. Task and targets are
 * copied; the model must outlive the placement. Refused: options out of range, another base,
 * targets that are not rigid, more than 2^31 - 1 places; LB_UNSUPPORTED: targets without a position
 * or free along an axis of it, joints that slide without limits or float.
 */
lb_status lb_placement_create(const lb_model *model, const lb_task *task,
                              const lb_transform *targets, int count,
                              const lb_placement_options *options, const lb_allocator *allocator,
                              lb_placement **placement, lb_error *error);
/* NULL is accepted. */
void lb_placement_release(lb_placement *placement);

/* The number of places. */
size_t lb_placement_count(const lb_placement *placement);
/* Solves place `index`. Every counted target was reached; a search may overlook some. */
lb_place lb_placement_solve(lb_placement *placement, size_t index);

#ifdef __cplusplus
}
#endif

#endif
