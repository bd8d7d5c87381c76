/*
 * locus.inl - positions that are lines or planes, one problem per lane.
 *
 * What lies within the locus does not count. So the rows of a position are not those along the
 * base's axes but those across the locus, of errors and velocities alike, and zeros up to three.
 */
#ifndef KERNEL_LOCUS_INL
#define KERNEL_LOCUS_INL

#include "kernel/kernel.h"
#include "simd/vec.inl"

/* The directions across a goal's locus. */
typedef struct locus_axes {
    v3 first, second;
} locus_axes;

LANE_INLINE locus_axes locus_across(const kernel_locus *locus, const frame *goal)
{
    return (locus_axes){v3_combine(goal->x, goal->y, goal->z, locus->across[0]),
                        v3_combine(goal->x, goal->y, goal->z, locus->across[1])};
}

/* the rows of a way or velocity */
LANE_INLINE v3 locus_rows(const locus_axes *a, v3 way)
{
    return (v3){v3_dot(way, a->first), v3_dot(way, a->second), lane_set(0)};
}

/* the rows of a way, and the directions that they are along */
LANE_RARE v3 locus_measure(const kernel_locus *locus, const frame *goal, v3 way, locus_axes *across)
{
    *across = locus_across(locus, goal);
    return locus_rows(across, way);
}

#endif
