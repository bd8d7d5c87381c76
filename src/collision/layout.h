/*
 * layout.h - the inside of an lb_collision: one block of memory.
 *
 * Bodies are links, then obstacles. The shapes of a body are consecutive, and so are the pairs of
 * shapes of a pair of bodies.
 */
#ifndef COLLISION_LAYOUT_H
#define COLLISION_LAYOUT_H

#include "collision/convex.h"

#include <limber/collision.h>

/* ---- pair --------------------------------------------------------------- */

/* The distance of two shapes that have their places. */

/*
 * In parts of the shapes' size, how much farther or deeper a distance may be said than it is: cores
 * within 1e-14 of each other touch, depths end with a gap of 1e-11, those of curved shapes
 * within 1e-5 (epa.c). Bounds that exclude a pair leave so much room.
 */
#define BOUND_ROOM 1e-5

/* A shape where it is. */
typedef struct placed {
    const convex *shape;
    lb_transform frame; /* from the frame that results are returned in */
    lb_vec3 half_axis;  /* of a segment, in that frame: from its middle to an end; else zero */
} placed;

placed place_shape(const convex *shape, const lb_transform *frame);

/*
 * Fills distance, points and normal of *nearest; false: the distance is above `bound`, or is not a
 * number, and they may be unset.
 */
bool pair_measure(const placed *a, const placed *b, double bound, lb_proximity *nearest);

/* Whether the distance is more than `margin` >= 0; false where it is not a number. */
bool pair_is_apart(const placed *a, const placed *b, double margin);

/* A shape in its body; its placed frame is T_world_shape. */
typedef struct body_shape {
    convex shape;
    lb_transform origin; /* T_link_shape, of an obstacle T_world_shape */
    int link;            /* LB_WORLD: of an obstacle */
    int body, index;     /* as lb_proximity has them */
    double reach;        /* radius of a ball about the frame's origin that has all of it in it */
} body_shape;

typedef struct body_pair {
    int a, b;
    lb_pair_state state;
} body_pair;

/* Two shapes of links that are checked, and the sum of their reaches. */
typedef struct shape_pair {
    int a, b;
    double reach;
} shape_pair;

/* A box that has some shapes in it, consecutive ones of the tree's list. */
typedef struct standing_node {
    lb_vec3 low, high;
    int begin, count;
} standing_node;

/* The shapes that stand still, see standing.c. */
typedef struct standing_tree {
    int count;
    int *shapes;
    standing_node *nodes; /* 2 count - 1 */
    uint64_t *marks;      /* a bit of each shape, working memory */
    int *found;           /* what standing_find() finds */
} standing_tree;

/* The nearest pairs of shapes in a configuration, see nearest_shapes(). */
typedef int find_nearest(lb_collision *collision, const double *q, double distance, int capacity,
                         lb_proximity *nearest);
/* The least distance, see lb_collision_distance(). */
typedef double measure_least(lb_collision *collision, const double *q, lb_proximity *nearest);

struct lb_collision {
    /* by which tasks of bodies measure: what makes no collisions does not link how they are
       measured, which is 10 kB of a WebAssembly module */
    find_nearest *find_nearest;
    measure_least *measure_least;
    lb_allocator allocator;
    const lb_model *model;
    lb_state *state; /* of the configuration that was measured last */
    double margin;
    int link_count, body_count, shape_count, pair_count, shape_pair_count, missing;
    standing_tree standing;
    const char **names; /* of the obstacles */
    int *first_shape;   /* of each body; one more for the end */
    body_shape *shapes;
    placed *places; /* of each shape, in the configuration that was measured last */
    body_pair *pairs;
    shape_pair *shape_pairs; /* in the order of their bodies, then of their shapes */
    int *first_shape_pair;   /* of each link as the first of two; one more for the end */
    bool *meets;             /* whether a link is checked against what stands still */
    lb_mesh *meshes;         /* as the options have them */
    lb_vec3 *points;         /* of all meshes */
    double *jacobian;        /* 6 x nv, working memory */
};

/*
 * Decides for each pair of bodies whether it is checked (pairs.c): fills states, not the pairs of
 * shapes. Fails only without memory.
 */
lb_status pairs_decide(lb_collision *collision, const lb_collision_options *options,
                       lb_error *error);

/* Places all shapes in a configuration; false: it is not a number somewhere (measure.c). */
bool measure_place(lb_collision *collision, const double *q);

/* Whether the balls about two shapes are farther apart than a distance (measure.c). */
bool balls_apart(const lb_collision *collision, const shape_pair *pair, double distance);

/* Measures two shapes and names them; beyond `bound` false, and nothing is set (measure.c). */
bool measure_pair(const lb_collision *collision, int a, int b, double bound, lb_proximity *nearest);

/* Whether a pair comes first by its bodies and shapes (measure.c). */
bool pair_precedes(const lb_proximity *a, const lb_proximity *b);

/* ---- what stands still --------------------------------------------------- */

/* A node to be looked at, and the square of its distance from the walk's box. */
typedef struct standing_branch {
    double gap;
    int node;
} standing_branch;

/* A search round a shape. One branch of each level waits, and a tree has 31 at most. */
typedef struct standing_walk {
    lb_vec3 low, high; /* a box, and how far the shape reaches from it */
    double reach, size;
    int depth;
    standing_branch branches[40];
} standing_walk;

/* Makes the tree of the shapes that stand still, where these have their places. */
void standing_build(lb_collision *collision);

/*
 * The shapes that stand still and may be at most `distance` from one, which may fall from call to
 * call; those of nearer boxes first; -1: no more.
 */
void standing_begin(const lb_collision *collision, int shape, standing_walk *walk);
int standing_next(const standing_tree *tree, standing_walk *walk, double distance);

/*
 * All that may be at most `distance` from a link, none where it is not checked against them, into
 * standing.found in their order; returns how many.
 */
int standing_find(lb_collision *collision, int link, double distance);

/*
 * Of the checked pairs of shapes at most `distance` apart the nearest `capacity` ones, in the order
 * of their bodies and shapes; returns how many there are (nearest.c).
 */
int nearest_shapes(lb_collision *collision, const double *q, double distance, int capacity,
                   lb_proximity *nearest);

/* ---- capsule --------------------------------------------------------------- */

/* The capsule that stands for a mesh. */

/* The numbers that a fit to `count` points works with. */
static inline size_t capsule_work(int count)
{
    return 6 * (size_t)count;
}

/*
 * The smallest capsule found around the points of a mesh as `given` scales and places it: a
 * geometry of that place. Every point is in it, to the last bit of its radius.
 */
lb_geometry capsule_around(const lb_geometry *given, const lb_mesh *mesh, double *work);

#endif
