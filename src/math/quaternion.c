/*
 * quaternion.c - rotations as unit quaternions, and directions.
 *
 * Formulas: K. Shoemake, "Animating Rotation with Quaternion Curves", 1985;
 * F. S. Grassia, "Practical Parameterization of Rotations Using the Exponential
 * Map", 1998, whose advice on small angles exp and log follow.
 */
#include <limber/math.h>

#include <float.h>

/* below this square of an angle the series of three terms is exact to the last bit: t^6 < eps */
static const double small_square = 1e-6;

static lb_vec3 vector_part(lb_quat q)
{
    return lb_vec3_make(q.x, q.y, q.z);
}

static lb_quat quat_make(double w, lb_vec3 v)
{
    return (lb_quat){w, v.x, v.y, v.z};
}

/* the quaternion with w >= 0 of the two that are the same rotation */
static lb_quat upper_half(lb_quat q)
{
    return q.w < 0 ? (lb_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

lb_quat lb_quat_normalize(lb_quat q)
{
    // most have unit length already, to the rounding of these sums, and are returned unchanged
    double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (fabs(square - 1) <= 4 * DBL_EPSILON)
        return q;
    if (square > 0.5 && square < 2) {
        double s = 1 / sqrt(square);
        return (lb_quat){q.w * s, q.x * s, q.y * s, q.z * s};
    }
    // otherwise scaled by the largest part first, so that no square over- or underflows
    double largest = fmax(fmax(fabs(q.w), fabs(q.x)), fmax(fabs(q.y), fabs(q.z)));
    if (!(largest > 0) || !isfinite(q.w) || !lb_vec3_is_finite(vector_part(q)))
        return LB_QUAT_IDENTITY;
    lb_quat s = {q.w / largest, q.x / largest, q.y / largest, q.z / largest};

    double length = sqrt(s.w * s.w + s.x * s.x + s.y * s.y + s.z * s.z);
    return (lb_quat){s.w / length, s.x / length, s.y / length, s.z / length};
}

lb_quat lb_quat_from_axis_angle(lb_vec3 axis, double angle)
{
    double sine, cosine;
    lb_sincos(0.5 * angle, &sine, &cosine);
    return quat_make(cosine, lb_vec3_scale(axis, sine));
}

lb_quat lb_quat_exp(lb_vec3 v)
{
    // half the angle h; the vector part is v sin(h) / 2h
    double square = 0.25 * lb_vec3_dot(v, v);
    double sine, cosine;
    double h = sqrt(square);
    lb_sincos(h, &sine, &cosine);
    double ratio = square < small_square ? 1 - square * (1.0 / 6 - square / 120) : sine / h;
    return quat_make(cosine, lb_vec3_scale(v, 0.5 * ratio));
}

lb_vec3 lb_quat_log(lb_quat q)
{
    // the angle is 2 atan(t) with t = |u| / w; v = u angle / |u|
    q = upper_half(q);
    lb_vec3 u = vector_part(q);
    double square = lb_vec3_dot(u, u);
    if (square < small_square * q.w * q.w) {
        double t2 = square / (q.w * q.w);
        return lb_vec3_scale(u, 2 / q.w * (1 - t2 * (1.0 / 3 - t2 / 5)));
    }
    double length = sqrt(square);
    return length > 0 ? lb_vec3_scale(u, 2 * lb_atan2(length, q.w) / length) : u;
}

lb_quat lb_quat_slerp(lb_quat a, lb_quat b, double t)
{
    // a times the t-th part of the rotation from a to b; log takes the shorter rotation
    lb_vec3 turn = lb_quat_log(lb_quat_multiply(lb_quat_conjugate(a), b));
    return lb_quat_normalize(lb_quat_multiply(a, lb_quat_exp(lb_vec3_scale(turn, t))));
}

void lb_quat_swing_twist(lb_quat q, lb_vec3 axis, lb_quat *swing, lb_quat *twist)
{
    // the twist is the part along the axis; a swing by half a turn has none
    q = upper_half(q);
    double along = lb_vec3_dot(vector_part(q), axis);
    *twist = lb_quat_normalize(quat_make(q.w, lb_vec3_scale(axis, along)));
    *swing = lb_quat_multiply(q, lb_quat_conjugate(*twist));
}

/* ---- directions ----------------------------------------------------------- */

lb_vec3 lb_vec3_normalize(lb_vec3 a, lb_vec3 fallback)
{
    // scaled by its largest part first, so that no square over- or underflows
    double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (!(largest > 0) || !lb_vec3_is_finite(a))
        return fallback;
    lb_vec3 scaled = lb_vec3_make(a.x / largest, a.y / largest, a.z / largest);

    double length = lb_vec3_length(scaled);
    return lb_vec3_make(scaled.x / length, scaled.y / length, scaled.z / length);
}

/*
 * T. Duff et al., "Building an Orthonormal Basis, Revisited", Journal of
 * Computer Graphics Techniques 6(1), 2017: the first of their two vectors.
 */
lb_vec3 lb_vec3_perpendicular(lb_vec3 a)
{
    double sign = copysign(1, a.z);
    double factor = -1 / (sign + a.z);
    return lb_vec3_make(1 + sign * a.x * a.x * factor, sign * a.x * a.y * factor, -sign * a.x);
}
