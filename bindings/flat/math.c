/* math.c - rotations, transforms and random numbers, with the library's own bits. */
#include "binding.h"

#include <string.h>

static lb_quat quat_from(const double *n)
{
    return (lb_quat){n[0], n[1], n[2], n[3]};
}

lb_transform transform_from(const double *n)
{
    return (lb_transform){
        {n[0], n[1], n[2]}, {n[3], n[4], n[5]}, {n[6], n[7], n[8]}, {n[9], n[10], n[11]}};
}

static void put_transform(double *out, lb_transform t)
{
    memcpy(out, &t, sizeof t);
}

/* rotation about the fixed axes x, y, z, then the translation */
void EXPORT(transform_rpy)(const double *rpy, const double *xyz, double *out)
{
    put_transform(out, lb_transform_from_quat(lb_quat_from_rpy(rpy[0], rpy[1], rpy[2]),
                                              lb_vec3_make(xyz[0], xyz[1], xyz[2])));
}

void EXPORT(transform_quaternion)(const double *wxyz, const double *xyz, double *out)
{
    put_transform(out, lb_transform_from_quat(lb_quat_normalize(quat_from(wxyz)),
                                              lb_vec3_make(xyz[0], xyz[1], xyz[2])));
}

void EXPORT(transform_to_quaternion)(const double *transform, double *wxyz)
{
    lb_transform t = transform_from(transform);
    lb_quat q = lb_transform_quat(&t);
    memcpy(wxyz, &q, sizeof q);
}

void EXPORT(transform_to_rpy)(const double *transform, double *rpy)
{
    lb_transform t = transform_from(transform);
    lb_vec3 angles = lb_quat_to_rpy(lb_transform_quat(&t));
    memcpy(rpy, &angles, sizeof angles);
}

void EXPORT(transform_multiply)(const double *a, const double *b, double *out)
{
    lb_transform ta = transform_from(a), tb = transform_from(b);
    put_transform(out, lb_transform_multiply(&ta, &tb));
}

void EXPORT(transform_inverse)(const double *a, double *out)
{
    lb_transform t = transform_from(a);
    put_transform(out, lb_transform_inverse(&t));
}

/* between two transforms: the great arc, and the straight line */
void EXPORT(transform_interpolate)(const double *a, const double *b, double t, double *out)
{
    lb_transform ta = transform_from(a), tb = transform_from(b);
    lb_quat turn = lb_quat_slerp(lb_transform_quat(&ta), lb_transform_quat(&tb), t);
    lb_vec3 translation = lb_vec3_add(ta.p, lb_vec3_scale(lb_vec3_sub(tb.p, ta.p), t));
    put_transform(out, lb_transform_from_quat(turn, translation));
}

/* a generator is eight bytes of the caller's memory */
void EXPORT(random_seed)(lb_random *random, double seed)
{
    *random = lb_random_seed((uint64_t)seed);
}

double EXPORT(random_between)(lb_random *random, double lower, double upper)
{
    return lb_random_between(random, lower, upper);
}
