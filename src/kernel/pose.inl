/*
 * pose.inl - frames in registers, and what joints do to them.
 *
 * A pose is a frame whose vectors are triples (lane_triple.h): at width 1 each of them is in one
 * register. Rotations and translations are about or along the pose's own axes.
 */
#ifndef KERNEL_POSE_INL
#define KERNEL_POSE_INL

#include "kernel/problem.h"
#include "simd/lane_triple.h"
#include "simd/vec.inl"

typedef struct pose {
    triple x, y, z, p;
} pose;

LANE_INLINE pose pose_load(const frame *f)
{
    return (pose){triple_load(&f->x), triple_load(&f->y), triple_load(&f->z), triple_load(&f->p)};
}
LANE_INLINE void pose_store(frame *to, const pose *f)
{
    triple_spill(&to->x, f->x);
    triple_spill(&to->y, f->y);
    triple_spill(&to->z, f->z);
    triple_store(&to->p, f->p);
}

/* a + b * s and a - b * s */
LANE_INLINE triple triple_add_scaled(triple a, triple b, lane s)
{
    return triple_add(a, triple_scale(b, s));
}
LANE_INLINE triple triple_sub_scaled(triple a, triple b, lane s)
{
    return triple_sub(a, triple_scale(b, s));
}

/* x a + y b + z c */
LANE_INLINE triple pose_combine(const pose *f, lane a, lane b, lane c)
{
    return triple_add_scaled(triple_add_scaled(triple_scale(f->x, a), f->y, b), f->z, c);
}

/* a constant direction given in a pose's axes */
LANE_INLINE triple pose_direction(const pose *f, lb_vec3 a)
{
    return pose_combine(f, lane_set(a.x), lane_set(a.y), lane_set(a.z));
}

/* a constant point given in a pose; zero coordinates cost nothing */
LANE_INLINE triple pose_point(const pose *f, lb_vec3 a)
{
    triple p = f->p;
    if (a.x != 0)
        p = triple_add_scaled(p, f->x, lane_set(a.x));
    if (a.y != 0)
        p = triple_add_scaled(p, f->y, lane_set(a.y));
    if (a.z != 0)
        p = triple_add_scaled(p, f->z, lane_set(a.z));
    return p;
}

/* rotation about the pose's own x axis (first: y, second: z) or z axis (x, y) */
LANE_INLINE void rotate(triple *first, triple *second, lane sine, lane cosine)
{
    triple a = *first, b = *second;
    *first = triple_add_scaled(triple_scale(a, cosine), b, sine);
    *second = triple_sub_scaled(triple_scale(b, cosine), a, sine);
}

/* 2 / |q|^2: with this factor any quaternion but zero acts as a unit one */
LANE_INLINE lane quat_share(quat q)
{
    return lane_set(2) / quat_norm2(q);
}

/* f rotated by a quaternion given in f's axes, s its quat_share */
LANE_INLINE pose pose_rotate(const pose *f, quat q, lane s)
{
    lane one = lane_set(1);
    lane xs = q.x * s, ys = q.y * s, zs = q.z * s;
    lane wx = q.w * xs, wy = q.w * ys, wz = q.w * zs;
    lane xx = q.x * xs, xy = q.x * ys, xz = q.x * zs;
    lane yy = q.y * ys, yz = q.y * zs, zz = q.z * zs;
    return (pose){pose_combine(f, one - (yy + zz), xy + wz, xz - wy),
                  pose_combine(f, xy - wz, one - (xx + zz), yz + wx),
                  pose_combine(f, xz + wy, yz - wx, one - (xx + yy)), f->p};
}

/* ---- locus ----------------------------------------------------------------- */

/*
 * Positions that are lines or planes. Displacements within the locus do not count. The rows of a
 * position, of errors and velocities alike, are then its components along the normals of the locus,
 * and zeros up to three.
 */

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
