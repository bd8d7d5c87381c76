/*
 * math.h - vectors, quaternions, transforms, and trigonometry with fixed bits.
 *
 * Conventions, stated here once and kept everywhere:
 *   metres, radians, right-handed axes; a rotation by a positive angle is counterclockwise;
 *   quaternions are w x y z, unit length, and rotate a vector by q v q*; q and -q are one rotation;
 *   T_a_b is frame b seen from frame a, so T_a_c = T_a_b * T_b_c and a point that b sees at p_b
 *   is at p_a = T_a_b * p_b for a;
 *   rows of a Jacobian are linear then angular.
 * Everything is passed and returned by value, or through pointers that are never NULL. NaN and
 * infinity propagate unless a function says otherwise. Everything here gives the same bits on every
 * machine, whatever flags it is compiled with, except those that break IEEE arithmetic
 * (-ffast-math, clang's -ffp-contract=fast).
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
 * Sine and cosine, inverse tangent and cosine: our own, because no two libm
 * agree on the last bit. Absolute errors: sin, cos <= 2^-52 for any finite x;
 * atan2, acos <= 2^-51. Infinity and NaN give NaN. test_trig.c holds them to it.
 */
void lb_sincos(double x, double *sine, double *cosine);
double lb_sin(double x);
double lb_cos(double x);
/* Angle of (x, y) in [-pi, pi]; signs of zero as in C; atan2(0, 0) is 0. */
double lb_atan2(double y, double x);
/* Angle in [0, pi]; x beyond [-1, 1] by rounding is clamped. */
double lb_acos(double x);
/* The angle equal to `angle` up to whole turns, in [-pi, pi]. */
double lb_wrap_angle(double angle);

/* ---- vectors ------------------------------------------------------------ */

typedef struct lb_vec3 {
    double x, y, z; /* a point or displacement, metres; or a direction, of any length */
} lb_vec3;

/*
 * a * b, rounded before anything is added to it: compilers may otherwise fuse a
 * product and a sum into one operation that rounds once, where the machine has it.
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
/* a scaled to length 1; `fallback` when a is zero or not finite. */
lb_vec3 lb_vec3_normalize(lb_vec3 a, lb_vec3 fallback);
/* Some unit vector at right angles to the unit vector `a`. */
lb_vec3 lb_vec3_perpendicular(lb_vec3 a);

/* ---- quaternions -------------------------------------------------------- */

typedef struct lb_quat {
    double w, x, y, z; /* by an angle about a unit axis u: cos(angle / 2), u sin(angle / 2) */
} lb_quat;

#ifdef __cplusplus
#define LB_QUAT_IDENTITY (lb_quat{1, 0, 0, 0})
#else
#define LB_QUAT_IDENTITY ((lb_quat){1, 0, 0, 0})
#endif

/* The rotation b, then a: rotates v as a rotates what b makes of v. */
static inline lb_quat lb_quat_multiply(lb_quat a, lb_quat b)
{
    lb_quat q = {
        lb_product(a.w, b.w) - lb_product(a.x, b.x) - lb_product(a.y, b.y) - lb_product(a.z, b.z),
        lb_product(a.w, b.x) + lb_product(a.x, b.w) + lb_product(a.y, b.z) - lb_product(a.z, b.y),
        lb_product(a.w, b.y) - lb_product(a.x, b.z) + lb_product(a.y, b.w) + lb_product(a.z, b.x),
        lb_product(a.w, b.z) + lb_product(a.x, b.y) - lb_product(a.y, b.x) + lb_product(a.z, b.w)};
    return q;
}
/* The opposite rotation, for a unit quaternion. */
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
/* q scaled to length 1; identity when q is zero or not finite. */
lb_quat lb_quat_normalize(lb_quat q);
/* Rotation by `angle` about the unit vector `axis`. */
lb_quat lb_quat_from_axis_angle(lb_vec3 axis, double angle);
/* exp: the rotation by |v| about v; and its inverse log, with |v| <= pi. */
lb_quat lb_quat_exp(lb_vec3 v);
lb_vec3 lb_quat_log(lb_quat q);
/* Roll, pitch, yaw: rotations about the fixed axes x, then y, then z (URDF). */
lb_quat lb_quat_from_rpy(double roll, double pitch, double yaw);
/* The inverse; pitch in [-pi/2, pi/2], roll and yaw in (-pi, pi], roll 0 in gimbal lock. */
lb_vec3 lb_quat_to_rpy(lb_quat q);
/* The shorter great arc from a (t = 0) to b (t = 1) at constant speed. */
lb_quat lb_quat_slerp(lb_quat a, lb_quat b, double t);
/* Swing-twist about the unit vector `axis`: q = swing * twist; swing has no part about axis. */
void lb_quat_swing_twist(lb_quat q, lb_vec3 axis, lb_quat *swing, lb_quat *twist);

/* ---- transforms --------------------------------------------------------- */

/*
 * A rigid transform T_a_b by its columns: x, y, z are the axes of b, orthonormal, and p its origin,
 * all seen from a. In memory these are twelve numbers: a column-major 3x4 matrix.
 */
typedef struct lb_transform {
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
/* T_a_c from T_b_a and T_b_c, i.e. inverse(b_a) * b_c. */
lb_transform lb_transform_between(const lb_transform *b_a, const lb_transform *b_c);
lb_transform lb_transform_from_quat(lb_quat rotation, lb_vec3 translation);
/* The rotation part; w >= 0. */
lb_quat lb_transform_quat(const lb_transform *t);
lb_transform lb_transform_translation(double x, double y, double z);
/* Distance of origins, and angle in [0, pi] of the rotation between the axes. */
double lb_transform_distance(const lb_transform *a, const lb_transform *b);
double lb_transform_angle(const lb_transform *a, const lb_transform *b);
/* True when every number is finite and the axes are orthonormal and right-handed to `tolerance`. */
bool lb_transform_is_rigid(const lb_transform *t, double tolerance);

#ifdef __cplusplus
}
#endif

#endif
