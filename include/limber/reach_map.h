/*
 * reach_map.h - maps of what a tool reaches: how many orientations at each place of a lattice, and
 * by what configurations.
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
 *         cells[i] = lb_reach_map_solve(map, i, NULL);
 *
 * A cell is a pure function of its index: threads, processes and machines may share the cells as
 * they like, each with a map of its own made by the same call, and what is found is the same bits
 * for any split, order and width. lb_workspace (workspace.h) is for figures: it lays its grid over
 * samples, and tries harder for what is missing from a dexterous cell.
 *
 * A map belongs to one thread and never allocates after its creation.
 */
#ifndef LIMBER_REACH_MAP_H
#define LIMBER_REACH_MAP_H

#include <limber/solutions.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is computed of a cell besides the number of orientations: bits of `contents`. */
enum {
    LB_REACH_SOLUTIONS = 1,      /* of arms of six joints: all solutions are counted */
    LB_REACH_MANIPULABILITY = 2, /* the largest */
    LB_REACH_LIMIT_MARGIN = 4    /* the largest */
};

/* Start from lb_reach_map_options_default(). */
typedef struct lb_reach_map_options {
    double cell; /* metres between the centres of neighbours, > 0, up to LB_LENGTH_MAX; 0.05 */
    /*
     * How many orientations: 72, 576 or 4608, about 60, 30 or 15 degrees apart; 576. They are the
     * grid of Yershova et al. 2010 on the Hopf fibration: equal areas of the sphere (HEALPix,
     * Gorski et al. 2005) times equal angles about its points.
     */
    int orientations;
    int iterations; /* of a first attempt at an orientation, up to LB_REACH_MAP_ITERATIONS_MAX; 0:
                       40 */
    int width;      /* lanes, as in lb_ik_options; results do not depend on it */
    /*
     * The inverse map, of places for the base: seen from the tool, in which orientations the base
     * can be so that the tool is reached. A cell is then a place of the first joint that moves the
     * tool, and an orientation that of the base; false.
     */
    bool inverse;
    unsigned contents; /* LB_REACH_SOLUTIONS and its like, or'ed; 0 */
    /*
     * Accepts a configuration (lb_collision_filter: when nothing collides); NULL: every one. An
     * orientation counts where some configuration that reaches it is accepted. Of arms of six
     * joints all are tried, of those with one more the first found and then all with that joint
     * held at 72 values; other arms are refused. It must depend on q alone.
     */
    lb_solution_filter *filter;
    void *user; /* handed to it */
} lb_reach_map_options;

/* far more than any attempt uses */
#define LB_REACH_MAP_ITERATIONS_MAX 1000000

lb_reach_map_options lb_reach_map_options_default(void);

/*
 * Where the cells are: a cube of the same odd count along each axis of the base, of an inverse map
 * of the tool. The corners of the cube are beyond reach, and count as cells that are not reached
 * like all others: of a robot that reached every orientation within `radius` about half the poses
 * of the cube, pi / 6, would be.
 */
typedef struct lb_reach_grid {
    lb_vec3 center;   /* of the middle cell, metres: the first joint's place seen from the base; of
                         an inverse map 0, the tool itself */
    double radius;    /* metres: the tool is never farther from that joint, by lengths of links */
    double cell;      /* metres between neighbouring centres */
    int count;        /* of cells along each of x, y and z */
    int orientations; /* of each cell */
} lb_reach_grid;

typedef struct lb_reach_map lb_reach_map;

/*
 * A map of what the tool of `task` reaches: tip, base and tool; the rest of the task is not read.
 * Options NULL means the default. The model must outlive it. Refused: options out of range, more
 * than 2^31 - 1 cells, LB_UNSUPPORTED: joints that slide without limits or float, arms with too
 * few joints for a pose, which reach hardly any orientation anywhere, and contents or a filter that
 * need solutions where an arm's cannot be listed.
 */
lb_status lb_reach_map_create(const lb_model *model, const lb_task *task,
                              const lb_reach_map_options *options, const lb_allocator *allocator,
                              lb_reach_map **map, lb_error *error);
/* NULL is accepted. */
void lb_reach_map_release(lb_reach_map *map);

const lb_reach_grid *lb_reach_map_grid(const lb_reach_map *map);
/* The number of cells. Cell (i, j, k) has index i + count * (j + count * k). */
size_t lb_reach_map_count(const lb_reach_map *map);
/* The centre of a cell, and an orientation 0 <= k < orientations, both seen from the base, of an
   inverse map from the tool. An index of no orientation is a mistake of the program: it stops at
   an assertion, and without assertions the orientation is the identity. */
lb_vec3 lb_reach_map_center(const lb_reach_map *map, size_t cell);
lb_quat lb_reach_map_orientation(const lb_reach_map *map, int k);

/* The target T_base_tool that cell and orientation stand for. */
lb_transform lb_reach_map_target(const lb_reach_map *map, size_t cell, int k);

/* What was found in one cell. */
typedef struct lb_reach_cell {
    int reached; /* orientations; as a share of all: the reachability index of Zacharias et al. 2007
                  */
    /* what the options want, else 0: over all orientations and all their solutions inside the
       limits, each on one turn; of arms whose solutions are not listed, over the one that was found
       for each */
    int solutions;         /* how many that are accepted */
    double manipulability; /* the largest: as in lb_workspace_cell, of the tool's position */
    /* the largest distance of the joint that is nearest to a limit: as a share of half its range, 0
       at a limit, 1 in the middle or where no joint has limits */
    double limit_margin;
} lb_reach_cell;

/*
 * In how many orientations the tool can be at a cell's centre, and how. `bits` is NULL or takes
 * (orientations + 7) / 8 bytes: bit k % 8 of byte k / 8 is set where orientation k is reached.
 *
 * What is counted was reached, confirmed by forward kinematics and the limits. Of arms with a
 * closed form the count is exact. Of others a search may overlook what is hard to reach: each
 * orientation gets a short search, and those that are missing are tried again from the
 * configurations of up to twelve neighbours that were reached. Of a Panda's 34 million questions at
 * 5 cm, 1 in 1000 is overlooked so.
 */
lb_reach_cell lb_reach_map_solve(lb_reach_map *map, size_t cell,
                                 unsigned char bits[/* (orientations + 7) / 8, or NULL */]);

#ifdef __cplusplus
}
#endif

#endif
