/*
 * minkowski.h - the set of differences of two cores, and simplices in it.
 *
 * D = A - B = { a - b } is convex. Its point that is nearest to the origin is the difference of the
 * nearest points of A and B, and the origin is in D where they overlap (Gilbert, Johnson, Keerthi
 * 1988). All is seen from the frame of A's core.
 */
#ifndef COLLISION_MINKOWSKI_H
#define COLLISION_MINKOWSKI_H

#include "collision/convex.h"

typedef struct minkowski {
    const convex *a, *b;
    lb_transform a_b; /* T_a_b */
} minkowski;

/* A point of D and the point of A that it is made of; that of B is a - w. */
typedef struct vertex {
    lb_vec3 w, a;
} vertex;

/* The farthest point of D in a direction. */
vertex minkowski_support(const minkowski *set, lb_vec3 direction);

/* One to four points; the weights of a point in their hull add up to 1. */
typedef struct simplex {
    vertex points[4];
    double weights[4];
    int count;
} simplex;

/* The point that the weights say: of D, and of A. */
lb_vec3 simplex_point(const simplex *s);
lb_vec3 simplex_point_of_a(const simplex *s);

/*
 * Reduces a simplex to those of its points whose hull has the point nearest to the origin inside,
 * and sets their weights. All four are left where the origin is in a tetrahedron.
 */
void simplex_reduce(simplex *s);

/* The result for two cores: their nearest points, seen from A's frame. */
typedef struct core_distance {
    double distance; /* negative where they overlap */
    lb_vec3 point_a, point_b;
    lb_vec3 normal; /* unit, from a to b: the outward normal of D at its point */
} core_distance;

/* ---- epa ---------------------------------------------------------------- */

/* How deep two cores overlap. */

/*
 * The depth of cores that overlap or touch, from a simplex of D that has the origin. A D that is
 * flat, a segment or a point has depth zero and a normal at right angles to it.
 */
void epa_measure(const minkowski *set, const simplex *touching, core_distance *result);

/* ---- gjk ---------------------------------------------------------------- */

/* The distance of two cores by their support mappings alone. */

typedef enum gjk_outcome {
    GJK_FAR,   /* farther apart than the bound: the distance is a lower bound, the rest is unset */
    GJK_APART, /* the distance and where it is */
    GJK_TOUCHES, /* they overlap, or touch to rounding: only `touching` is set */
    GJK_UNSURE   /* rounding ended the search before either was proved: all of both is set */
} gjk_outcome;

/*
 * Measures until the distance is known, or known to be more than `bound` (INFINITY: it must be
 * known). Where the cores touch, *touching is a simplex of D that has the origin.
 */
gjk_outcome gjk_measure(const minkowski *set, double bound, core_distance *result,
                        simplex *touching);

#endif
