/*
 * workspace.h - where a tool can be, and in how many orientations.
 *
 * The reachable workspace is the set of positions that the tool reaches, the dexterous workspace
 * the set that it reaches in every orientation. Both are found cell by cell of a grid, by solving
 * for the cells' centres in all orientations:
 *
 *     lb_workspace *reach;
 *     lb_workspace_create(model, &task, NULL, NULL, &reach, &error);
 *     lb_workspace_solve(reach, 0, lb_workspace_count(reach));
 *     lb_workspace_size size = lb_workspace_measure(reach);
 *
 * or, faster and less surely, by random configurations (lb_workspace_sample). A cell that is solved
 * says whether its centre is reached, a cell of samples that the tool was somewhere in it. Equal
 * calls give equal maps on every machine. The reachable
 * workspace of an arm of two links in a plane is known exactly: see lb_planar_reach.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_WORKSPACE_H
#define LIMBER_WORKSPACE_H

#include <limber/task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- by samples --------------------------------------------------------- */

/* Start from lb_workspace_options_default(). */
typedef struct lb_workspace_options {
    /* Cells along the longest side, 1 to 256. 0: 100 in a plane, 40 in space (the default). */
    int cells;
    /* Approximate width of an orientation cell, radians, at least pi / 180. 0: pi / 18 in a
       plane, pi / 3 in space (the default). */
    double angle;
    uint64_t seed; /* Seed of the random configurations; every value is valid. Default: 0. */
    /* Iterations of one orientation, at most 1,000,000. Positions get 8 times as many;
       orientations that a nearly dexterous cell lacks, 64 times as many. 0: 100 (the default). */
    int iterations;
    /* Find each cell's largest manipulability, which takes half as long again. Default: false. */
    bool manipulability;
} lb_workspace_options;

/* Far more than any attempt uses. */
#define LB_WORKSPACE_ITERATIONS_MAX 1000000

lb_workspace_options lb_workspace_options_default(void);

/* The cells: cubes, or squares if the tool only moves in one plane. */
typedef struct lb_workspace_grid {
    /* Whether the tool moves in the plane z = 0 of the grid and turns about z alone. */
    bool planar;
    /* Whether too few joints move the tool to fill a cell: it moves on a point, a curve or, not in
       a plane, on a surface. Cells are not solved for then, as hardly any centre is reached;
       samples show the cells that it passes. */
    bool thin;
    lb_transform frame; /* T_base_grid */
    /* Corner of cell (0, 0, 0) with the least coordinates, in grid axes, metres. */
    lb_vec3 corner;
    double cell;      /* Edge of a cell, metres. */
    int count[3];     /* How many cells along x, y and z; in a plane count[2] is 1. */
    int orientations; /* How many orientation cells. */
    int reached;      /* Cells with at least one sample. */
    uint64_t samples; /* Configurations tried. */
    uint64_t found;   /* Pairs of a cell and an orientation that samples have found. */
} lb_workspace_grid;

/* The results in one cell. */
typedef struct lb_workspace_cell {
    lb_vec3 center;   /* Centre of the cell in base axes, metres. */
    uint32_t samples; /* How often the tool was in the cell, at most 2^32 - 1. */
    int orientations; /* In how many of the grid's orientations the tool was here. */
    bool solved;      /* Its centre was solved for: all other fields are about the centre alone. */
    bool reached;     /* The tool can be at its centre; in a cell that is not solved, was in it. */
    /* Reached in all of the grid's orientations and, in a solved cell, in 15 times as many
       between them. More orientations may still refute it, see lb_workspace_size. */
    bool dexterous;
    /*
     * Largest manipulability of the tool's position among the configurations that were found here:
     * the product of its Jacobian's singular values in the directions in which the tool can move
     * (see lb_singularity, kinematics.h), m^2 per rad^2 for revolute joints in a plane; of a
     * linkage that closes, by its independent joints. A lower bound for arms with more joints than
     * directions. 0: not reached, or not asked for.
     */
    double manipulability;
} lb_workspace_cell;

typedef struct lb_workspace lb_workspace;

/*
 * Lays a grid over the reach of the tool of `task` (tip, base and tool; its kind is not read),
 * estimated from a few thousand samples. The map begins empty. Joints that do not move the tool and
 * locked joints keep their values. Loops of the model are closed in every configuration, on any
 * assembly within the limits. The model must outlive the workspace.
 * Refused: indices out of range, a tool that no joint moves, options out of range; LB_UNSUPPORTED:
 * loops that do not close.
 */
lb_status lb_workspace_create(const lb_model *model, const lb_task *task,
                              const lb_workspace_options *options, const lb_allocator *allocator,
                              lb_workspace **workspace, lb_error *error);
/* NULL is accepted. */
void lb_workspace_release(lb_workspace *workspace);

/* The number of cells. */
int lb_workspace_count(const lb_workspace *workspace);

/*
 * Decides cells begin <= i < end by inverse kinematics at their centres: whether the position is
 * reached, and in which orientations. A cell's result depends on its index alone, so any split of
 * the range gives one map. An arm with too few joints for a pose reaches no place in all
 * orientations, and none are counted. Of a linkage that closes, the first call finds the reached
 * centres of all cells, each from the configurations of its neighbours. Allocates nothing. A cell
 * of a robot in space takes about half a millisecond, a dexterous one up to 16 times as long.
 */
void lb_workspace_solve(lb_workspace *workspace, int begin, int end);
/*
 * Copies the cells that `from` has solved, made by the call that made `into`, so threads with a
 * workspace each can share the work. Returns LB_INVALID_ARGUMENT if the grids differ.
 */
lb_status lb_workspace_merge(lb_workspace *into, const lb_workspace *from);

/*
 * Areas of a plane in square metres, or volumes in cubic metres, with their errors for the width of
 * the cells. Cells that are solved count by their centres, with an error of half a cell along the
 * rim, or, if that is more, half of all cells in which the tool was seen though their centres are
 * not reached. Cells of samples count whole, on the rim by half, with an error of the other half:
 * the truth is within it once the samples have settled, except for holes and gaps that are narrower
 * than a cell. More samples can only add cells. No number of orientations proves a place dexterous.
 * The dexterous size is that of the places that none of `orientations` has refuted, and its error
 * includes the loss by their last doubling. If that loss is more than the scatter of counting
 * centres explains, the size has not settled: it is at most this, and may be nothing. Arms without
 * a closed form may lose a place to an orientation that the search overlooks. Of samples it is that
 * of the cells where they had every orientation so far, which bounds nothing: it has never
 * settled, and its error is not known.
 */
typedef struct lb_workspace_size {
    /* Size of the reachable workspace, m^2 or m^3, and its error. */
    double reachable, reachable_error;
    /* Size of the dexterous workspace, m^2 or m^3, and its error. Infinite: not known. */
    double dexterous, dexterous_error;
    /* How many cells are reached, and how many in every orientation. */
    int reachable_cells, dexterous_cells;
    bool settled;     /* Whether twice as many orientations would leave the dexterous size. Not of
                         samples. */
    int orientations; /* How many orientations were tried in each dexterous cell. */
} lb_workspace_size;

/* Measures the map. */
lb_workspace_size lb_workspace_measure(const lb_workspace *workspace);

/*
 * Samples `count` more configurations. Every other one is drawn uniformly from the limits; the rest
 * grow from cells already reached, all equally often, by random moves of all sizes, since uniform
 * joint values seldom reach the rim (Peidro et al., "An improved Monte Carlo method based on
 * Gaussian growth", 2017). Allocates nothing. The shares have not settled as long as the second
 * half of the samples raises the grid's `found` by more than a few per cent.
 */
void lb_workspace_sample(lb_workspace *workspace, int count);

/* The grid. Valid as long as the workspace; sampling changes it. */
const lb_workspace_grid *lb_workspace_get_grid(const lb_workspace *workspace);
/* Cell (i, j, k), each index within the grid's count. */
lb_workspace_cell lb_workspace_at(const lb_workspace *workspace, int i, int j, int k);

/* ---- exactly ------------------------------------------------------------ */

/*
 * Reach of a planar arm of two links: the ring between two circles, or the part of it that the
 * limits leave. The first angle is that of the first link against the plane's x axis, the second
 * that of the second link against the first.
 */
typedef struct lb_planar_reach {
    lb_transform plane;        /* T_base_plane: origin on the first axis, z along it. */
    double first, second;      /* Lengths of the links, metres, > 0. */
    double lower[2], upper[2]; /* Limits of the two angles, radians. Infinite: none. */
    double inner, outer;       /* Least and greatest distance that the limits allow, metres. */
} lb_planar_reach;

/*
 * Whether exactly two revolute joints move the tool of `task`, with parallel axes at a distance
 * from each other and from the tool, each more than 1e-6 of both, and no loop; fills *ring if so.
 * The base must be LB_WORLD or lie between the root and the tip. It is measured in the state's
 * configuration, any one.
 */
bool lb_planar_reach_find(const lb_state *state, const lb_task *task, lb_planar_reach *ring);

/* Whether the arm reaches (x, y) of the plane, to rounding. */
bool lb_planar_reach_reaches(const lb_planar_reach *ring, double x, double y);
/* Where the tool is in the plane, z = 0, metres. */
lb_vec3 lb_planar_reach_point(const lb_planar_reach *ring, double first_angle, double second_angle);

/*
 * Pieces of the region that the arm covers one-to-one, for drawing, each with the elbow bent to one
 * side. Pieces of the two sides overlap. lb_planar_reach_get_patches fills
 * patches[LB_PLANAR_REACH_PATCHES] and returns how many there are.
 */
enum { LB_PLANAR_REACH_PATCHES = 3 };
typedef struct lb_planar_reach_patch {
    double from[2], to[2]; /* Ranges of the first and the second angle, radians. */
} lb_planar_reach_patch;
int lb_planar_reach_get_patches(const lb_planar_reach *ring,
                                lb_planar_reach_patch patches[/* LB_PLANAR_REACH_PATCHES */]);

#ifdef __cplusplus
}
#endif

#endif
