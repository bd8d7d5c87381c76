/*
 * reach_map.h - maps of what a tool reaches: how many orientations at each place of a lattice.
 *
 * A map helps to place a robot, or things before it. It is a lattice of cells around
 * the first joint that moves the tool, and for each cell's centre a list of orientations that
 * cover all rotations evenly. Every pair of them is one question: is there a configuration
 * inside the limits that has the tool there?
 *
 *     lb_reach_map *map;
 *     lb_reach_map_create(model, &task, NULL, NULL, &map, &error);
 *     const lb_reach_grid *grid = lb_reach_map_grid(map);
 *     for (size_t i = 0; i < lb_reach_map_count(map); i++)
 *         counts[i] = (uint16_t)lb_reach_map_solve(map, i, NULL);
 *
 * A cell is a pure function of its index: threads, processes and machines may share the cells as
 * they like, each with a map of its own made by the same call, and the counts are the same bits for
 * any split, order and width. lb_workspace (workspace.h) is for figures: it lays its grid over
 * samples, and tries harder for what is missing from a dexterous cell.
 *
 * A map belongs to one thread and never allocates after its creation.
 */
#ifndef LIMBER_REACH_MAP_H
#define LIMBER_REACH_MAP_H

#include <limber/task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start from lb_reach_map_options_default(). */
typedef struct lb_reach_map_options {
    double cell; /* metres between the centres of neighbours, > 0; 0.05 */
    /*
     * How many orientations: 72, 576 or 4608, about 60, 30 or 15 degrees apart; 576. They are the
     * grid of Yershova et al. 2010 on the Hopf fibration: equal areas of the sphere (HEALPix,
     * Gorski et al. 2005) times equal angles about its points.
     */
    int orientations;
    int iterations; /* of a first attempt at an orientation; 0: 40 */
    int width;      /* lanes, as in lb_ik_options; results do not depend on it */
} lb_reach_map_options;

lb_reach_map_options lb_reach_map_options_default(void);

/* Where the cells are: a cube of the same odd count along each axis of the base. */
typedef struct lb_reach_grid {
    lb_vec3 center;   /* of the middle cell, seen from the base, metres: the first joint's place */
    double radius;    /* metres: the tool is never farther from it, by the lengths of links */
    double cell;      /* metres between neighbouring centres */
    int count;        /* of cells along each of x, y and z */
    int orientations; /* of each cell */
} lb_reach_grid;

typedef struct lb_reach_map lb_reach_map;

/*
 * A map of what the tool of `task` reaches: tip, base and tool; the rest of the task is not read.
 * Options NULL means the default. The model must outlive it. Refused: options out of range, more
 * than 2^31 - 1 cells, LB_UNSUPPORTED: joints that slide without limits or float, and arms with too
 * few joints for a pose, which reach hardly any orientation anywhere.
 */
lb_status lb_reach_map_create(const lb_model *model, const lb_task *task,
                              const lb_reach_map_options *options, const lb_allocator *allocator,
                              lb_reach_map **map, lb_error *error);
/* NULL is accepted. */
void lb_reach_map_release(lb_reach_map *map);

const lb_reach_grid *lb_reach_map_grid(const lb_reach_map *map);
/* The number of cells. Cell (i, j, k) has index i + count * (j + count * k). */
size_t lb_reach_map_count(const lb_reach_map *map);
/* The centre of a cell, and an orientation 0 <= k < orientations, both seen from the base. */
lb_vec3 lb_reach_map_center(const lb_reach_map *map, size_t cell);
lb_quat lb_reach_map_orientation(const lb_reach_map *map, int k);

/*
 * In how many orientations the tool can be at a cell's centre. `bits` is NULL or takes
 * (orientations + 7) / 8 bytes: bit k % 8 of byte k / 8 is set where orientation k is reached.
 *
 * What is counted was reached, confirmed by forward kinematics and the limits. Of arms with a
 * closed form the count is exact. Of others a search may overlook what is hard to reach: each
 * orientation gets a short search, and those that are missing are tried again from the
 * configurations of up to twelve neighbours that were reached. Of a Panda's 34 million questions at
 * 5 cm, 1 in 1000 is overlooked so.
 */
int lb_reach_map_solve(lb_reach_map *map, size_t cell, unsigned char *bits);

#ifdef __cplusplus
}
#endif

#endif
