/*
 * workspace.h - where a tool can be, and in how many orientations.
 *
 * The reachable workspace is the set of positions that the tool reaches, the
 * dexterous workspace those that it reaches in every orientation. Both are found cell by
 * cell of a grid, by solving for the cells' centres in all orientations:
 *
 *     lb_workspace *reach;
 *     lb_workspace_create(model, &task, NULL, NULL, &reach, &error);
 *     lb_workspace_solve(reach, 0, lb_workspace_count(reach));
 *     lb_workspace_size size = lb_workspace_measure(reach);
 *
 * or, faster and less surely, by random configurations (lb_workspace_sample). The map is a
 * lower bound: what it holds was reached. The same calls give the
 * same map on every machine. Of an arm of two links in a plane the
 * reachable workspace is known exactly: see lb_planar_reach.
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
    int cells;     /* along the longest side, 1..256; 0: 100 in a plane, 40 in space */
    double angle;  /* radians, approximate width of an orientation cell;
                      0: pi / 18 in a plane, pi / 3 in space; at least pi / 180 */
    uint64_t seed; /* of the random configurations; every value is valid */
    /*
     * Budget of solving for one orientation, up to LB_WORKSPACE_ITERATIONS_MAX; 0: 100. Positions
     * get 8 times as many, and what is missing from a cell that is nearly dexterous 64 times as
     * many.
     */
    int iterations;
    bool manipulability; /* find each cell's largest, which takes half as long again; false */
} lb_workspace_options;

/* far more than any attempt uses */
#define LB_WORKSPACE_ITERATIONS_MAX 1000000

lb_workspace_options lb_workspace_options_default(void);

/* The cells: cubes, or squares where the tool only moves in one plane. */
typedef struct lb_workspace_grid {
    bool planar;        /* the tool moves in the plane z = 0 of the grid and turns about z alone */
    lb_transform frame; /* T_base_grid */
    lb_vec3 corner;     /* in grid axes: the corner of cell (0, 0, 0) with the least coordinates */
    double cell;        /* metres: their edge */
    int count[3];       /* how many along x, y, z; of a plane count[2] is 1 */
    int orientations;   /* number of orientation cells */
    int reached;        /* cells with at least one sample */
    uint64_t samples;   /* configurations tried */
    uint64_t found;     /* pairs of a cell and an orientation that samples have found */
} lb_workspace_grid;

/* What was found in one cell. */
typedef struct lb_workspace_cell {
    lb_vec3 center;   /* base axes */
    uint32_t samples; /* how often the tool was here, at most UINT32_MAX */
    int orientations; /* in how many of the grid's orientations */
    bool solved;      /* its centre was solved for: the rest is about the centre alone */
    bool reached;     /* the tool can be at its centre; of a cell not solved: was in it */
    /* in all of the grid's orientations and, of a solved cell, in 15 times as many between them:
       more may still refute it, see lb_workspace_size */
    bool dexterous;
    /*
     * The largest manipulability of the tool's position among the configurations that were
     * found here: the product of its Jacobian's singular values in the directions that the
     * tool can move in (see lb_singularity, kinematics.h), m^2 per rad^2 for revolute joints
     * in a plane. A lower bound for arms with more joints than that. 0: not reached, or not
     * wanted by the options.
     */
    double manipulability;
} lb_workspace_cell;

typedef struct lb_workspace lb_workspace;

/*
 * Lays a grid over what the tool of `task` (tip, base and tool; its kind is not
 * read) can reach, from a few thousand samples; the map is empty at first. Joints that do not
 * move the tool and locked ones keep their values. The model must outlive it. Refused: indices
 * out of range, a tool that no joint moves, options out of range.
 */
lb_status lb_workspace_create(const lb_model *model, const lb_task *task,
                              const lb_workspace_options *options, const lb_allocator *allocator,
                              lb_workspace **workspace, lb_error *error);
/* NULL is accepted. */
void lb_workspace_release(lb_workspace *workspace);

/* How many cells there are. */
int lb_workspace_count(const lb_workspace *workspace);

/*
 * Decides cells begin <= i < end by inverse kinematics at their centres: whether the
 * position is reached, and in which orientations. Each cell's result depends on its index
 * alone, so any split of the range gives the same map. An arm with too few joints for
 * a pose reaches no place in all orientations, and none are counted. Allocates nothing. A cell
 * of a robot in space takes about half a millisecond, a dexterous one up to 16 times as long.
 */
void lb_workspace_solve(lb_workspace *workspace, int begin, int end);
/*
 * Takes over the cells that `from` has solved, made by the same call as `into`: so threads
 * with a workspace each can share the work. LB_INVALID_ARGUMENT when the grids differ.
 */
lb_status lb_workspace_merge(lb_workspace *into, const lb_workspace *from);

/*
 * Areas of a plane, square metres, or volumes, cubic metres, and how far they may be off for
 * the width of the cells: of a solved map twice the standard deviation of counting centres, of a
 * sampled one, which counts a cell that the rim only touches whole, half a cell along the rim.
 * No number of orientations proves a place dexterous: the dexterous size is that of the places
 * which none of `orientations` has refuted, and its error includes what the last doubling of these
 * took away. Where that is more than counting explains, the size has not settled: it is at most
 * this, and may be nothing. Arms without a closed form may lose a place to an orientation that the
 * search overlooks.
 */
typedef struct lb_workspace_size {
    double reachable, reachable_error;
    double dexterous, dexterous_error;
    int reachable_cells, dexterous_cells;
    bool settled;     /* the dexterous size, as far as twice as many orientations would show */
    int orientations; /* tried in each dexterous cell */
} lb_workspace_size;

lb_workspace_size lb_workspace_measure(const lb_workspace *workspace);

/*
 * Samples `count` more configurations. Every other one is drawn uniformly from the
 * limits; the rest grow from cells already reached, all equally often, by random
 * moves of all sizes, since uniform joint values seldom reach the rim (Peidro et al.,
 * "An improved Monte Carlo method based on Gaussian growth", 2017). Allocates nothing. While
 * the grid's `found` still grows by more than a few per cent from half of the samples to all, the
 * shares have not settled.
 */
void lb_workspace_sample(lb_workspace *workspace, int count);

/* Valid as long as the workspace; changes with sampling. */
const lb_workspace_grid *lb_workspace_get_grid(const lb_workspace *workspace);
/* Cell (i, j, k), each within the grid's count. */
lb_workspace_cell lb_workspace_at(const lb_workspace *workspace, int i, int j, int k);

/* ---- exactly ------------------------------------------------------------ */

/*
 * What a planar arm of two links reaches: the ring between two circles, or what the
 * limits leave of it. Angles are the first link's against the plane's x axis and
 * the second's against the first.
 */
typedef struct lb_planar_reach {
    lb_transform plane;        /* T_base_plane: origin on the first axis, z along it */
    double first, second;      /* metres: the links' lengths, > 0 */
    double lower[2], upper[2]; /* limits of the two angles, +-INFINITY for none */
    double inner, outer;       /* metres: the nearest and the farthest that limits allow */
} lb_planar_reach;

/*
 * Whether the tool of `task` is moved by exactly two revolute joints with parallel
 * axes at a distance from each other and from the tool, each more than 1e-6 of both;
 * fills *ring if so. The base must be LB_WORLD or lie between the root and the tip. It
 * is measured in the state's configuration, whichever that is.
 */
bool lb_planar_reach_find(const lb_state *state, const lb_task *task, lb_planar_reach *ring);

/* Whether the arm reaches (x, y) of the plane, to rounding. */
bool lb_planar_reach_reaches(const lb_planar_reach *ring, double x, double y);
/* Where the tool is in the plane, z = 0. */
lb_vec3 lb_planar_reach_point(const lb_planar_reach *ring, double first_angle, double second_angle);

/*
 * The region in pieces that the arm covers one-to-one, for drawing: angles
 * from[0]..to[0] and from[1]..to[1], the elbow bent to one side. Pieces of the two sides
 * overlap. Fills patches[LB_PLANAR_REACH_PATCHES], returns how many.
 */
enum { LB_PLANAR_REACH_PATCHES = 3 };
typedef struct lb_planar_reach_patch {
    double from[2], to[2];
} lb_planar_reach_patch;
int lb_planar_reach_get_patches(const lb_planar_reach *ring,
                                lb_planar_reach_patch patches[/* LB_PLANAR_REACH_PATCHES */]);

#ifdef __cplusplus
}
#endif

#endif
