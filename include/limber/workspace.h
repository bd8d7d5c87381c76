/*
 * workspace.h - where a tool can be, and in how many ways.
 *
 * The reachable workspace are the places that the tool reaches at all, the
 * dexterous workspace those that it reaches in any orientation. Both come from
 * trying configurations inside the limits and noting, cell by cell of a grid, how
 * often and in which orientations the tool was there:
 *
 *     lb_workspace *reach;
 *     lb_workspace_create(model, &task, NULL, NULL, &reach, &error);
 *     lb_workspace_sample(reach, 1000000);
 *
 * What was found is there: it is never too much, and more samples only add. The
 * same calls find the same, everywhere. Of an arm of two links in a plane the
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
    double angle;  /* radians, about how wide the orientations are that count as one;
                      0: pi / 18 in a plane, pi / 3 in space; at least pi / 180 */
    uint64_t seed; /* of the random configurations; 0 is a seed like any other */
} lb_workspace_options;

lb_workspace_options lb_workspace_options_default(void);

/* The cells: cubes, or squares where the tool only moves in one plane. */
typedef struct lb_workspace_grid {
    bool planar;        /* the tool moves in the plane z = 0 of the grid and turns about z alone */
    lb_transform frame; /* T_base_grid */
    lb_vec3 corner;     /* in grid axes: the corner of cell (0, 0, 0) with the least coordinates */
    double cell;        /* metres: their edge */
    int count[3];       /* how many along x, y, z; of a plane count[2] is 1 */
    int orientations;   /* how many are told apart */
    int reached;        /* cells with at least one sample */
    uint64_t samples;   /* configurations tried */
} lb_workspace_grid;

/* What was found in one cell. */
typedef struct lb_workspace_cell {
    lb_vec3 center;   /* base axes */
    uint32_t samples; /* how often the tool was here, at most UINT32_MAX */
    int orientations; /* in how many of the grid's orientations: all of them is dexterous */
} lb_workspace_cell;

typedef struct lb_workspace lb_workspace;

/*
 * Lays a grid over what the tool of `task` (tip, base and tool; its kind is not
 * read) can reach, by some thousand trials; nothing is in it yet. Joints off the way
 * and locked ones keep their values. The model must outlive it. Refused: indices
 * out of range, a tool that no joint moves, options out of range.
 */
lb_status lb_workspace_create(const lb_model *model, const lb_task *task,
                              const lb_workspace_options *options, const lb_allocator *allocator,
                              lb_workspace **workspace, lb_error *error);
/* NULL is accepted. */
void lb_workspace_release(lb_workspace *workspace);

/*
 * Tries `count` more configurations. Every other one is drawn uniformly from the
 * limits; the rest grow from cells already reached, all equally often, by random
 * moves of all sizes, since uniform joint values seldom reach the rim (Peidro et al.,
 * "An improved Monte Carlo method based on Gaussian growth", 2017). Allocates nothing.
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
 * Whether the tool of `task` is carried by just two turning joints, about parallel
 * axes with a distance to each other and to the tool; fills *ring if so. The base
 * must be LB_WORLD or lie between the root and the tip. It is measured in the
 * state's configuration, whichever that is.
 */
bool lb_planar_reach_find(const lb_state *state, const lb_task *task, lb_planar_reach *ring);

/* Whether the arm reaches (x, y) of the plane, to rounding. */
bool lb_planar_reach_reaches(const lb_planar_reach *ring, double x, double y);
/* Where the tool is in the plane, z = 0. */
lb_vec3 lb_planar_reach_point(const lb_planar_reach *ring, double first_angle, double second_angle);

/*
 * The ring in pieces that the arm covers one-to-one, all that a drawing needs: angles
 * from[0]..to[0] and from[1]..to[1], the elbow bent to one side. Pieces of the two sides
 * overlap. Fills patches[LB_PLANAR_REACH_PATCHES], answers how many.
 */
enum { LB_PLANAR_REACH_PATCHES = 3 };
typedef struct lb_planar_reach_patch {
    double from[2], to[2];
} lb_planar_reach_patch;
int lb_planar_reach_get_patches(const lb_planar_reach *ring, lb_planar_reach_patch *patches);

#ifdef __cplusplus
}
#endif

#endif
