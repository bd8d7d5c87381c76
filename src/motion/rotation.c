/*
 * rotation.c - smooth rotations through given ones.
 *
 * At a key the velocity is, for even times, that of Shoemake's squad ("Quaternion calculus and fast
 * animation", 1987): the mean of the two sides. Between keys it is the cubic of Kim, Kim and Shin
 * ("A general construction scheme for unit quaternion curves with simple high order derivatives",
 * SIGGRAPH 1995),
 *
 *     a exp(w1 (1 - (1 - u)^3)) exp(w2 (3 u^2 - 2 u^3)) exp(w3 u^3),
 *
 * whose velocity is 3 w1 at u = 0 and 3 w3 at u = 1. Squad itself has the same velocities for even
 * times, but it is discontinuous where its two arcs differ by half a turn, as they do for large
 * rotations in uneven times; this product never is.
 */
#include "motion/rotation.h"

lb_quat rotation_smallest(lb_vec3 a, lb_vec3 b)
{
    lb_vec3 axis = lb_vec3_cross(a, b);
    double w = 1 + lb_vec3_dot(a, b);
    // opposite: any axis across
    if (w < 1e-9) {
        lb_vec3 across = lb_vec3_perpendicular(a);
        return (lb_quat){0, across.x, across.y, across.z};
    }
    return lb_quat_normalize((lb_quat){w, axis.x, axis.y, axis.z});
}

lb_vec3 rotation_displacement(lb_quat a, lb_quat b)
{
    return lb_quat_log(lb_quat_multiply(lb_quat_conjugate(a), b));
}

lb_vec3 rotation_rate(lb_vec3 before, double h_before, lb_vec3 after, double h_after)
{
    lb_vec3 s0 = lb_vec3_scale(before, 1 / h_before), s1 = lb_vec3_scale(after, 1 / h_after);
    double sum = h_before + h_after;

    // each side's velocity, weighted with the other side's time
    lb_vec3 rate = lb_vec3_add(lb_vec3_scale(s0, h_after / sum), lb_vec3_scale(s1, h_before / sum));
    double size = lb_vec3_length(rate);
    double most = 2 * fmin(lb_vec3_length(s0), lb_vec3_length(s1));
    return size > most ? lb_vec3_scale(rate, most / size) : rate;
}

lb_quat rotation_between(lb_quat a, lb_quat b, lb_vec3 leave, lb_vec3 arrive, double u)
{
    // the middle factor closes the gap between the outer two
    lb_vec3 w1 = lb_vec3_scale(leave, 1.0 / 3), w3 = lb_vec3_scale(arrive, 1.0 / 3);
    lb_quat from = lb_quat_multiply(a, lb_quat_exp(w1));
    lb_quat to = lb_quat_multiply(b, lb_quat_exp(lb_vec3_scale(w3, -1)));
    lb_vec3 w2 = rotation_displacement(from, to);

    double w = 1 - u;
    lb_quat q = lb_quat_multiply(a, lb_quat_exp(lb_vec3_scale(w1, 1 - w * w * w)));
    q = lb_quat_multiply(q, lb_quat_exp(lb_vec3_scale(w2, u * u * (3 - 2 * u))));
    q = lb_quat_multiply(q, lb_quat_exp(lb_vec3_scale(w3, u * u * u)));
    return lb_quat_normalize(q);
}
