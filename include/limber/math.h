/*
 * math.h - vectors, quaternions, transforms, and trigonometry with fixed bits.
 *
 * Conventions of the whole library:
 * - Units are metres and radians. Axes are right-handed. A rotation by a positive
 *   angle is counterclockwise.
 * - Quaternions are w x y z, of unit length, and rotate a vector by q v q*.
 *   q and -q are one rotation.
 * - T_a_b is frame b seen from frame a. So T_a_c = T_a_b * T_b_c, and a point at
 *   p_b in frame b is at p_a = T_a_b * p_b in frame a.
 * - Rows of a Jacobian are linear, then angular.
 *
 * Values are passed and returned by value, or through pointers that are never NULL. NaN and
 * infinity propagate unless a function says otherwise. Results have the same bits on every machine
 * and with all compiler flags but those that break IEEE arithmetic (-ffast-math, clang's
 * -ffp-contract=fast).
 *
 * Stable.
 */
#ifndef LIMBER_MATH_H
#define LIMBER_MATH_H

#include <limber/base.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LB_PI 3.14159265358979323846

/* ---- trigonometry ------------------------------------------------------- */

/*
 * Sine and cosine, inverse tangent and cosine. They are our own, because no two libm agree on the
 * last bit. Absolute errors: sin, cos <= 2^-52 for any finite x; atan2, acos <= 2^-51. Infinity and
 * NaN give NaN. test_trig.c checks these bounds.
 */
void lb_sincos(double x, double *sine, double *cosine);
double lb_sin(double x);
double lb_cos(double x);
/* The angle of (x, y), in [-pi, pi]. Signs of zero are as in C; atan2(0, 0) is 0. */
double lb_atan2(double y, double x);
/* The angle, in [0, pi]. An x beyond [-1, 1] by rounding is clamped. */
double lb_acos(double x);
/* The angle in [-pi, pi] that differs from `angle` by whole turns. */
double lb_wrap_angle(double angle);

/* ---- vectors ------------------------------------------------------------ */

typedef struct lb_vec3 {
    double x, y, z; /* A point or displacement in metres, or a direction of any length. */
} lb_vec3;

/*
 * a * b, rounded before anything is added to it. Without this, compilers may fuse a product and a
 * sum into one operation that rounds once.
 */
static inline double lb_product(double a, double b)
{
#if defined(__clang__) || !defined(__GNUC__)
    // fused within one expression at most, and this is the whole of it
    return a * b;
#elif __GNUC__ >= 12
    return __builtin_assoc_barrier(a * b);
#else
    double product = a * b;
#if defined(__SSE2__)
    __asm__("" : "+x"(product));
#elif defined(__aarch64__)
    __asm__("" : "+w"(product));
#else
    __asm__("" : "+m"(product));
#endif
    return product;
#endif
}

static inline lb_vec3 lb_vec3_make(double x, double y, double z)
{
    lb_vec3 v = {x, y, z};
    return v;
}
static inline lb_vec3 lb_vec3_add(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
static inline lb_vec3 lb_vec3_sub(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
static inline lb_vec3 lb_vec3_scale(lb_vec3 a, double s)
{
    return lb_vec3_make(lb_product(a.x, s), lb_product(a.y, s), lb_product(a.z, s));
}
static inline double lb_vec3_dot(lb_vec3 a, lb_vec3 b)
{
    return lb_product(a.x, b.x) + lb_product(a.y, b.y) + lb_product(a.z, b.z);
}
static inline lb_vec3 lb_vec3_cross(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(lb_product(a.y, b.z) - lb_product(a.z, b.y),
                        lb_product(a.z, b.x) - lb_product(a.x, b.z),
                        lb_product(a.x, b.y) - lb_product(a.y, b.x));
}
static inline double lb_vec3_length(lb_vec3 a)
{
    return sqrt(lb_vec3_dot(a, a));
}
static inline bool lb_vec3_is_finite(lb_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}
/* Scales a to length 1. Returns `fallback` if a is zero or not finite. */
lb_vec3 lb_vec3_normalize(lb_vec3 a, lb_vec3 fallback);
/* Returns a unit vector at right angles to the unit vector `a`. */
lb_vec3 lb_vec3_perpendicular(lb_vec3 a);

/* ---- quaternions -------------------------------------------------------- */

typedef struct lb_quat {
    /* The rotation by an angle about a unit axis u: cos(angle / 2), u sin(angle / 2). */
    double w, x, y, z;
} lb_quat;

#ifdef __cplusplus
#define LB_QUAT_IDENTITY (lb_quat{1, 0, 0, 0})
#else
#define LB_QUAT_IDENTITY ((lb_quat){1, 0, 0, 0})
#endif

/* The rotation b, then a. */
static inline lb_quat lb_quat_multiply(lb_quat a, lb_quat b)
{
    lb_quat q = {
        lb_product(a.w, b.w) - lb_product(a.x, b.x) - lb_product(a.y, b.y) - lb_product(a.z, b.z),
        lb_product(a.w, b.x) + lb_product(a.x, b.w) + lb_product(a.y, b.z) - lb_product(a.z, b.y),
        lb_product(a.w, b.y) - lb_product(a.x, b.z) + lb_product(a.y, b.w) + lb_product(a.z, b.x),
        lb_product(a.w, b.z) + lb_product(a.x, b.y) - lb_product(a.y, b.x) + lb_product(a.z, b.w)};
    return q;
}
/* The opposite rotation of a unit quaternion. */
static inline lb_quat lb_quat_conjugate(lb_quat q)
{
    lb_quat c = {q.w, -q.x, -q.y, -q.z};
    return c;
}
static inline lb_vec3 lb_quat_rotate(lb_quat q, lb_vec3 v)
{
    // v + 2 w (u x v) + 2 u x (u x v), with u the vector part
    lb_vec3 u = lb_vec3_make(q.x, q.y, q.z);
    lb_vec3 t = lb_vec3_scale(lb_vec3_cross(u, v), 2);
    return lb_vec3_add(lb_vec3_add(v, lb_vec3_scale(t, q.w)), lb_vec3_cross(u, t));
}
/* Scales q to length 1. Returns the identity if q is zero or not finite. */
lb_quat lb_quat_normalize(lb_quat q);
/* The rotation by `angle` about the unit vector `axis`. */
lb_quat lb_quat_from_axis_angle(lb_vec3 axis, double angle);
/* exp is the rotation by |v| about v. log is its inverse, with |v| <= pi. */
lb_quat lb_quat_exp(lb_vec3 v);
lb_vec3 lb_quat_log(lb_quat q);
/* Rotations by roll, pitch and yaw about the fixed axes x, then y, then z (as in URDF). */
lb_quat lb_quat_from_rpy(double roll, double pitch, double yaw);
/*
 * Roll, pitch and yaw of q: pitch in [-pi/2, pi/2], roll and yaw in (-pi, pi], roll 0 in gimbal
 * lock.
 */
lb_vec3 lb_quat_to_rpy(lb_quat q);
/* Goes from a (t = 0) to b (t = 1) along the shorter great arc at constant speed. */
lb_quat lb_quat_slerp(lb_quat a, lb_quat b, double t);
/*
 * Splits q into swing * twist. The twist is about the unit vector `axis`; the swing has no part
 * about it.
 */
void lb_quat_swing_twist(lb_quat q, lb_vec3 axis, lb_quat *swing, lb_quat *twist);

/* ---- transforms --------------------------------------------------------- */

/*
 * A rigid transform T_a_b. Its fields are columns; in memory they are twelve numbers, a
 * column-major 3x4 matrix.
 */
typedef struct lb_transform {
    /* Axes x, y, z of frame b and its origin p in metres, all seen from frame a. The axes are
       orthonormal. */
    lb_vec3 x, y, z, p;
} lb_transform;

#ifdef __cplusplus
#define LB_TRANSFORM_IDENTITY (lb_transform{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}})
#else
#define LB_TRANSFORM_IDENTITY ((lb_transform){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}})
#endif

static inline lb_vec3 lb_transform_direction(const lb_transform *t, lb_vec3 d)
{
    return lb_vec3_make(lb_product(t->x.x, d.x) + lb_product(t->y.x, d.y) + lb_product(t->z.x, d.z),
                        lb_product(t->x.y, d.x) + lb_product(t->y.y, d.y) + lb_product(t->z.y, d.z),
                        lb_product(t->x.z, d.x) + lb_product(t->y.z, d.y) +
                            lb_product(t->z.z, d.z));
}
static inline lb_vec3 lb_transform_point(const lb_transform *t, lb_vec3 p)
{
    return lb_vec3_add(lb_transform_direction(t, p), t->p);
}
/* T_a_c = T_a_b * T_b_c */
lb_transform lb_transform_multiply(const lb_transform *a_b, const lb_transform *b_c);
/* T_b_a, exact for orthonormal axes. */
lb_transform lb_transform_inverse(const lb_transform *a_b);
/* T_a_c from T_b_a and T_b_c: inverse(b_a) * b_c. */
lb_transform lb_transform_between(const lb_transform *b_a, const lb_transform *b_c);
lb_transform lb_transform_from_quat(lb_quat rotation, lb_vec3 translation);
/* The rotation of a transform, with w >= 0. */
lb_quat lb_transform_quat(const lb_transform *t);
lb_transform lb_transform_translation(double x, double y, double z);
/* Distance of the origins in metres; angle of the rotation between the axes, in [0, pi]. */
double lb_transform_distance(const lb_transform *a, const lb_transform *b);
double lb_transform_angle(const lb_transform *a, const lb_transform *b);
/*
 * True if every number is finite and the axes are orthonormal and right-handed within `tolerance`.
 */
bool lb_transform_is_rigid(const lb_transform *t, double tolerance);
/*
 * Replaces right-handed axes that are orthonormal to four decimals by the nearest rotation: their
 * lengths may be off by 1e-4, and the cosines between them by 2e-4. Orthonormal axes keep their
 * bits. Returns false if the axes are farther off or a number is not finite; *t is not changed
 * then.
 */
bool lb_transform_orthonormalize(lb_transform *t);

#ifdef __cplusplus
}
#endif

#endif
