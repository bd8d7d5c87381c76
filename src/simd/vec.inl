/*
 * vec.inl - vectors, quaternions and frames of lanes.
 *
 * The same arithmetic, in the same order, as the inline functions of math.h. The
 * types v3 and frame are lane.h's: at width 1 they are lb_vec3 and lb_transform.
 */
#ifndef KERNEL_VEC_INL
#define KERNEL_VEC_INL

#include "simd/lane.h"

typedef struct quat {
    lane w, x, y, z;
} quat;

LANE_INLINE v3 v3_set(lb_vec3 a)
{
    return (v3){lane_set(a.x), lane_set(a.y), lane_set(a.z)};
}
LANE_INLINE v3 v3_add(v3 a, v3 b)
{
    return (v3){a.x + b.x, a.y + b.y, a.z + b.z};
}
LANE_INLINE v3 v3_sub(v3 a, v3 b)
{
    return (v3){a.x - b.x, a.y - b.y, a.z - b.z};
}
LANE_INLINE v3 v3_scale(v3 a, lane s)
{
    return (v3){a.x * s, a.y * s, a.z * s};
}
LANE_INLINE lane v3_dot(v3 a, v3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
LANE_INLINE lane v3_length(v3 a)
{
    return lane_sqrt(v3_dot(a, a));
}
LANE_INLINE v3 v3_cross(v3 a, v3 b)
{
    return (v3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANE_INLINE v3 v3_select(lane_mask m, v3 a, v3 b)
{
    return (v3){lane_select(m, a.x, b.x), lane_select(m, a.y, b.y), lane_select(m, a.z, b.z)};
}
/* a unit vector perpendicular to the unit vector `a` */
LANE_INLINE v3 v3_perpendicular(v3 a)
{
    lane zero = lane_set(0), one = lane_set(1);
    lane_mask small_x = lane_lt(lane_abs(a.x), lane_set(0.6));
    v3 e = {lane_select(small_x, one, zero), lane_select(small_x, zero, one), zero};
    v3 c = v3_cross(a, e);
    return v3_scale(c, one / lane_sqrt(v3_dot(c, c)));
}
/* a + b * s */
LANE_INLINE v3 v3_add_scaled(v3 a, v3 b, lane s)
{
    return (v3){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
}

/* three rows in memory */
LANE_INLINE v3 rows_get(const lane *rows)
{
    return (v3){rows[0], rows[1], rows[2]};
}
LANE_INLINE void rows_set(lane *rows, v3 a)
{
    rows[0] = a.x;
    rows[1] = a.y;
    rows[2] = a.z;
}

/* x a.x + y a.y + z a.z: a direction given in the axes x, y, z */
LANE_INLINE v3 v3_combine(v3 x, v3 y, v3 z, lb_vec3 a)
{
    lane ax = lane_set(a.x), ay = lane_set(a.y), az = lane_set(a.z);
    return (v3){x.x * ax + y.x * ay + z.x * az, x.y * ax + y.y * ay + z.y * az,
                x.z * ax + y.z * ay + z.z * az};
}

LANE_INLINE frame frame_set(const lb_transform *t)
{
    return (frame){v3_set(t->x), v3_set(t->y), v3_set(t->z), v3_set(t->p)};
}

/* a direction that differs from lane to lane */
LANE_INLINE v3 frame_direction(const frame *f, v3 d)
{
    return (v3){f->x.x * d.x + f->y.x * d.y + f->z.x * d.z,
                f->x.y * d.x + f->y.y * d.y + f->z.y * d.z,
                f->x.z * d.x + f->y.z * d.y + f->z.z * d.z};
}

LANE_INLINE frame frame_multiply(const frame *a, const frame *b)
{
    return (frame){frame_direction(a, b->x), frame_direction(a, b->y), frame_direction(a, b->z),
                   v3_add(frame_direction(a, b->p), a->p)};
}

LANE_INLINE quat quat_multiply(quat a, quat b)
{
    return (quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
                  a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
LANE_INLINE quat quat_load(const lane *q)
{
    return (quat){q[0], q[1], q[2], q[3]};
}
LANE_INLINE void quat_store(lane *q, quat a)
{
    q[0] = a.w;
    q[1] = a.x;
    q[2] = a.y;
    q[3] = a.z;
}
LANE_INLINE quat quat_select(lane_mask m, quat a, quat b)
{
    return (quat){lane_select(m, a.w, b.w), lane_select(m, a.x, b.x), lane_select(m, a.y, b.y),
                  lane_select(m, a.z, b.z)};
}
LANE_INLINE lane quat_norm2(quat q)
{
    return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}
LANE_INLINE quat quat_normalize(quat q)
{
    lane s = lane_set(1) / lane_sqrt(quat_norm2(q));
    return (quat){q.w * s, q.x * s, q.y * s, q.z * s};
}
/* a v a* for the constant vector v and a unit quaternion */
LANE_INLINE v3 quat_rotate(quat q, v3 v)
{
    v3 u = {q.x, q.y, q.z};
    v3 t = v3_cross(u, v);
    t = v3_add(t, t);
    return v3_add(v3_add_scaled(v, t, q.w), v3_cross(u, t));
}

#endif
