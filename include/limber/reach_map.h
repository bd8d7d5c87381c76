/*
 * reach_map.h - maps of a tool's reach: how many orientations at each place of a lattice, and by
 * which configurations.
 *
 * A map helps to place a robot, or objects before it. It is a lattice of cells around the first
 * joint that moves the tool, and for each cell's centre a list of orientations that cover all
 * rotations evenly. Each pair is one question: does a configuration inside the limits have the tool
 * there?
 *
 *     lb_reach_map *map;
 *     lb_reach_map_create(model, &task, NULL, NULL, &map, &error);
 *     const lb_reach_grid *grid = lb_reach_map_grid(map);
 *     for (size_t i = 0; i < lb_reach_map_count(map); i++)
 *         cells[i] = lb_reach_map_solve(map, i, NULL);
 *
 * A cell is a pure function of its index. Threads, processes and machines may share the cells as
 * they like, each with a map of its own made by one call, and results have the same bits for any
 * split, order and width. lb_workspace (workspace.h) is for figures: it lays its grid over samples,
 * and tries harder for orientations that a dexterous cell lacks.
 *
 * A map belongs to one thread and never allocates after its creation.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_REACH_MAP_H
#define LIMBER_REACH_MAP_H

#include <limber/solutions.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Measures of a cell besides the number of orientations: bits of `contents`. */
enum {
    LB_REACH_SOLUTIONS = 1,      /* How many solutions; all are counted for arms of six joints. */
    LB_REACH_MANIPULABILITY = 2, /* The largest manipulability. */
    LB_REACH_LIMIT_MARGIN = 4,   /* The largest margin to a limit. */
    LB_REACH_BITS = 8            /* Which orientations are reached: kept in files (reach_file.h). */
};

/* Start from lb_reach_map_options_default(). */
typedef struct lb_reach_map_options {
    double cell; /* Metres between the centres of neighbours, > 0, at most 1e15. Default: 0.05. */
    /* How many orientations: 72, 576 or 4608, about 60, 30 or 15 degrees apart. They are the
       grid of Yershova et al. 2010 on the Hopf fibration: equal areas of the sphere (HEALPix,
       Gorski et al. 2005) times equal angles about its points. Default: 576. */
    int orientations;
    /* Iterations of a first attempt at an orientation, at most 1,000,000. 0: 40 (the default). */
    int iterations;
    /* Lanes: 1, 2, 4 or 8; results do not depend on it. 0: as many as the machine has (the
       default). */
    int width;
    /* The inverse map, of places for the base: a cell is a place of the first joint that moves
       the tool, seen from the tool, and an orientation one of the base. Default: false. */
    bool inverse;
    /* Measures to compute, added up: 1 for solutions, 2 for manipulability, 4 for the margin to
       limits; 8 keeps in files which orientations are reached. Default: 0. */
    unsigned contents;
    /*
     * Accepts a configuration or refuses it, for example because something collides. Absent: every
     * one is accepted (the default). An orientation counts if some configuration that reaches it is
     * accepted. Of arms of six joints all are tried; of arms with one more, the first found and
     * then all with that joint held at 72 values; other arms are refused. The answer must depend on
     * q alone.
     */
    lb_solution_filter *filter;
    void *user; /* Passed to the filter. */
} lb_reach_map_options;

/* Far more than any attempt uses. */
#define LB_REACH_MAP_ITERATIONS_MAX 1000000

lb_reach_map_options lb_reach_map_options_default(void);

/*
 * The places of the cells: a cube of one odd count along each axis of the base, for an inverse map
 * of the tool. The corners of the cube are beyond reach and count as cells that are not reached: a
 * robot that reached every orientation within `radius` would reach about half the poses of the
 * cube, pi / 6.
 */
typedef struct lb_reach_grid {
    /* Centre of the middle cell, metres: the first joint's place seen from the base; of an
       inverse map 0, the tool itself. */
    lb_vec3 center;
    /* The most that the tool can be away from that joint by lengths of links, metres. */
    double radius;
    double cell;      /* Metres between neighbouring centres. */
    int count;        /* How many cells along each of x, y and z. */
    int orientations; /* How many orientations each cell has. */
} lb_reach_grid;

typedef struct lb_reach_map lb_reach_map;

/*
 * Creates a map of the reach of the tool of `task`: tip, base and tool are read, the rest of the
 * task is not. Options NULL means the default. The model must outlive the map. Refused: options out
 * of range, more than 2^31 - 1 cells; LB_UNSUPPORTED: joints that slide without limits or float,
 * arms with too few joints for a pose, which reach hardly any orientation anywhere, and contents or
 * a filter that need solutions if an arm's cannot be listed.
 */
lb_status lb_reach_map_create(const lb_model *model, const lb_task *task,
                              const lb_reach_map_options *options, const lb_allocator *allocator,
                              lb_reach_map **map, lb_error *error);
/* NULL is accepted. */
void lb_reach_map_release(lb_reach_map *map);

/* The lattice of the map. */
const lb_reach_grid *lb_reach_map_grid(const lb_reach_map *map);
/* The number of cells. Cell (i, j, k) has index i + count * (j + count * k). */
size_t lb_reach_map_count(const lb_reach_map *map);
/*
 * The centre of a cell, and an orientation 0 <= k < orientations, both seen from the base, of an
 * inverse map from the tool. Any other k stops at an assertion in debug builds; in release builds
 * the orientation is the identity.
 */
lb_vec3 lb_reach_map_center(const lb_reach_map *map, size_t cell);
lb_quat lb_reach_map_orientation(const lb_reach_map *map, int k);

/* The target T_base_tool of a cell and an orientation. */
lb_transform lb_reach_map_target(const lb_reach_map *map, size_t cell, int k);

/*
 * The results in one cell. Measures other than `reached` are 0 unless the options ask for them.
 * They cover all orientations and all their solutions inside the limits, each on one turn; of arms
 * whose solutions are not listed, the one that was found for each.
 */
typedef struct lb_reach_cell {
    /* Orientations that are reached; as a share of all, the reachability index of Zacharias et
       al. 2007. */
    int reached;
    int solutions; /* How many solutions are accepted. */
    /* Largest manipulability of the tool's position, as in lb_workspace_cell. */
    double manipulability;
    /* Largest distance of the joint that is nearest to a limit, as a share of half its range: 0
       at a limit, 1 in the middle or if no joint has limits. */
    double limit_margin;
} lb_reach_cell;

/*
 * Counts the orientations in which the tool can be at a cell's centre, and measures how. `bits` is
 * NULL or takes (orientations + 7) / 8 bytes: bit k % 8 of byte k / 8 is set if orientation k is
 * reached.
 *
 * Every counted orientation was reached, confirmed by forward kinematics and the limits. Of arms
 * with a closed form the count is exact. Of others a search may overlook orientations that are hard
 * to reach: each gets a short search, and missing ones are tried again from the configurations of
 * up to twelve neighbours that were reached. Of a Panda's 34 million questions at 5 cm, 1 in 1000
 * is overlooked so.
 */
lb_reach_cell lb_reach_map_solve(lb_reach_map *map, size_t cell,
                                 unsigned char bits[/* (orientations + 7) / 8, or NULL */]);

#ifdef __cplusplus
}
#endif

#endif
