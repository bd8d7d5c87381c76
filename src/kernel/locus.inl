/*
 * locus.inl - positions that are lines or planes, one problem per lane.
 *
 * Displacements within the locus do not count. The rows of a position, of errors and velocities
 * alike, are then its components along the normals of the locus, and zeros up to three.
 */
#ifndef KERNEL_LOCUS_INL
#define KERNEL_LOCUS_INL

#include "kernel/problem.h"
#include "simd/vec.inl"

/* The normals of a target's locus, in base axes. */
typedef struct locus_axes {
    v3 first, second;
} locus_axes;

LANE_INLINE locus_axes locus_normals(const kernel_locus *locus, const frame *target)
{
    return (locus_axes){v3_combine(target->x, target->y, target->z, locus->normals[0]),
                        v3_combine(target->x, target->y, target->z, locus->normals[1])};
}

/* the rows of a displacement or velocity */
LANE_INLINE v3 locus_rows(const locus_axes *a, v3 displacement)
{
    return (v3){v3_dot(displacement, a->first), v3_dot(displacement, a->second), lane_set(0)};
}

/* the rows of a displacement, and the normals that they are along */
LANE_RARE v3 locus_measure(const kernel_locus *locus, const frame *target, v3 displacement,
                           locus_axes *normals)
{
    *normals = locus_normals(locus, target);
    return locus_rows(normals, displacement);
}

#endif
