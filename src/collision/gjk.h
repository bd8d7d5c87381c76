/*
 * gjk.h - the distance of two cores by their support mappings alone.
 */
#ifndef COLLISION_GJK_H
#define COLLISION_GJK_H

#include "collision/minkowski.h"

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
