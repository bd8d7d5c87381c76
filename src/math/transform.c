/* transform.c - rigid transforms as columns: three axes and the origin. */
#include <limber/math.h>

#include <float.h>

lb_transform lb_transform_multiply(const lb_transform *a_b, const lb_transform *b_c)
{
    lb_transform a_c = {
        lb_transform_direction(a_b, b_c->x),
        lb_transform_direction(a_b, b_c->y),
        lb_transform_direction(a_b, b_c->z),
        lb_transform_point(a_b, b_c->p),
    };
    return a_c;
}

/* a direction of the outer frame, in the axes of `t` */
static lb_vec3 direction_within(const lb_transform *t, lb_vec3 d)
{
    return lb_vec3_make(lb_vec3_dot(t->x, d), lb_vec3_dot(t->y, d), lb_vec3_dot(t->z, d));
}

lb_transform lb_transform_inverse(const lb_transform *a_b)
{
    lb_transform b_a = {
        {a_b->x.x, a_b->y.x, a_b->z.x},
        {a_b->x.y, a_b->y.y, a_b->z.y},
        {a_b->x.z, a_b->y.z, a_b->z.z},
        lb_vec3_scale(direction_within(a_b, a_b->p), -1),
    };
    return b_a;
}

lb_transform lb_transform_between(const lb_transform *b_a, const lb_transform *b_c)
{
    lb_transform a_c = {
        direction_within(b_a, b_c->x),
        direction_within(b_a, b_c->y),
        direction_within(b_a, b_c->z),
        direction_within(b_a, lb_vec3_sub(b_c->p, b_a->p)),
    };
    return a_c;
}

lb_transform lb_transform_from_quat(lb_quat q, lb_vec3 translation)
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
    double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    lb_transform t = {
        {1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)},
        {2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)},
        {2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy)},
        translation,
    };
    return t;
}

/*
 * S. W. Shepperd, "Quaternion from Rotation Matrix", 1978: the largest of 4w^2, 4x^2, 4y^2 and 4z^2
 * is computed from the diagonal, which loses no digits; the other parts follow from sums and
 * differences.
 */
lb_quat lb_transform_quat(const lb_transform *t)
{
    double trace = t->x.x + t->y.y + t->z.z;
    lb_quat q;
    if (trace >= t->x.x && trace >= t->y.y && trace >= t->z.z)
        q = (lb_quat){1 + trace, t->y.z - t->z.y, t->z.x - t->x.z, t->x.y - t->y.x};
    else if (t->x.x >= t->y.y && t->x.x >= t->z.z)
        q = (lb_quat){t->y.z - t->z.y, 1 + 2 * t->x.x - trace, t->y.x + t->x.y, t->z.x + t->x.z};
    else if (t->y.y >= t->z.z)
        q = (lb_quat){t->z.x - t->x.z, t->y.x + t->x.y, 1 + 2 * t->y.y - trace, t->z.y + t->y.z};
    else
        q = (lb_quat){t->x.y - t->y.x, t->z.x + t->x.z, t->z.y + t->y.z, 1 + 2 * t->z.z - trace};

    // each is four times the largest part too large
    if (q.w < 0)
        q = (lb_quat){-q.w, -q.x, -q.y, -q.z};
    return lb_quat_normalize(q);
}

lb_transform lb_transform_translation(double x, double y, double z)
{
    lb_transform t = LB_TRANSFORM_IDENTITY;
    t.p = lb_vec3_make(x, y, z);
    return t;
}

double lb_transform_distance(const lb_transform *a, const lb_transform *b)
{
    return lb_vec3_length(lb_vec3_sub(a->p, b->p));
}

double lb_transform_angle(const lb_transform *a, const lb_transform *b)
{
    // sine and cosine of the angle, from the antisymmetric part and the trace of b a^T
    lb_vec3 twice = lb_vec3_add(lb_vec3_add(lb_vec3_cross(a->x, b->x), lb_vec3_cross(a->y, b->y)),
                                lb_vec3_cross(a->z, b->z));
    double trace = lb_vec3_dot(a->x, b->x) + lb_vec3_dot(a->y, b->y) + lb_vec3_dot(a->z, b->z);
    return lb_atan2(lb_vec3_length(twice), trace - 1);
}

bool lb_transform_is_rigid(const lb_transform *t, double tolerance)
{
    const double lengths[] = {
        lb_vec3_dot(t->x, t->x) - 1, lb_vec3_dot(t->y, t->y) - 1, lb_vec3_dot(t->z, t->z) - 1,
        lb_vec3_dot(t->x, t->y),     lb_vec3_dot(t->y, t->z),     lb_vec3_dot(t->z, t->x),
    };
    // false for NaN
    for (int i = 0; i < 6; i++)
        if (!(fabs(lengths[i]) <= tolerance))
            return false;

    bool right_handed = lb_vec3_dot(lb_vec3_cross(t->x, t->y), t->z) > 0;
    return right_handed && lb_vec3_is_finite(t->p);
}

/* what rounding to four decimals leaves of R^T R - 1, 2 sqrt(3) times 5e-5; and what is left as it
   is, so that the bits of exact rotations pass */
static const double four_decimals = 2e-4, orthonormal = 1e-12;

/* a column of one step of Newton's iteration to the nearest rotation, R (3 - R^T R) / 2 */
static lb_vec3 nearer_axis(const lb_transform *t, lb_vec3 axis)
{
    lb_vec3 sum = lb_vec3_scale(t->x, lb_vec3_dot(t->x, axis));
    sum = lb_vec3_add(sum, lb_vec3_scale(t->y, lb_vec3_dot(t->y, axis)));
    sum = lb_vec3_add(sum, lb_vec3_scale(t->z, lb_vec3_dot(t->z, axis)));
    return lb_vec3_scale(lb_vec3_sub(lb_vec3_scale(axis, 3), sum), 0.5);
}

bool lb_transform_orthonormalize(lb_transform *t)
{
    if (!lb_transform_is_rigid(t, four_decimals))
        return false;
    // the error is squared each time
    for (int i = 0; i < 3 && !lb_transform_is_rigid(t, orthonormal); i++)
        *t = (lb_transform){nearer_axis(t, t->x), nearer_axis(t, t->y), nearer_axis(t, t->z), t->p};
    return true;
}

/* ---- roll, pitch and yaw -------------------------------------------------- */

/* About the fixed axes x, then y, then z, as in URDF. */
lb_quat lb_quat_from_rpy(double roll, double pitch, double yaw)
{
    lb_quat x = lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), roll);
    lb_quat y = lb_quat_from_axis_angle(lb_vec3_make(0, 1, 0), pitch);
    lb_quat z = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), yaw);
    return lb_quat_multiply(z, lb_quat_multiply(y, x));
}

/* half a turn is the same either way: the positive one is returned */
static double half_turn_positive(double angle)
{
    return angle == -LB_PI ? LB_PI : angle;
}

lb_vec3 lb_quat_to_rpy(lb_quat q)
{
    lb_transform t = lb_transform_from_quat(q, lb_vec3_make(0, 0, 0));
    double cosine = sqrt(t.x.x * t.x.x + t.x.y * t.x.y);
    double pitch = lb_atan2(-t.x.z, cosine);

    // in gimbal lock the entries that give roll are nothing but their rounding
    double roll = cosine > 16 * DBL_EPSILON ? lb_atan2(t.y.z, t.z.z) : 0;

    // yaw is what remains when roll is taken away, so that it fits even a rough roll
    double sine;
    lb_sincos(roll, &sine, &cosine);
    double yaw = lb_atan2(sine * t.z.x - cosine * t.y.x, cosine * t.y.y - sine * t.z.y);
    return lb_vec3_make(half_turn_positive(roll), pitch, half_turn_positive(yaw));
}
