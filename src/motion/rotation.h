/*
 * rotation.h - smooth rotations through given ones, evenly spaced in time or not.
 */
#ifndef MOTION_ROTATION_H
#define MOTION_ROTATION_H

#include <limber/math.h>

/* The smallest rotation from the unit vector a to b. */
lb_quat rotation_smallest(lb_vec3 a, lb_vec3 b);

/* The rotation vector from a to b, in a's axes, the shorter one. */
lb_vec3 rotation_displacement(lb_quat a, lb_quat b);

/*
 * The angular velocity at a rotation that is reached by the rotation vector `before` in the time
 * `h_before` and left by `after` in `h_after` (own axes; times > 0): that of the parabola through
 * the three, but at most twice that of the slower side, so that what rests before or after a key
 * does not overshoot.
 */
lb_vec3 rotation_rate(lb_vec3 before, double h_before, lb_vec3 after, double h_after);

/*
 * The rotation at u in [0, 1] between a (u = 0) and b (u = 1), where `leave` and `arrive` are the
 * rotation vectors that the velocities at the two give in the whole time.
 */
lb_quat rotation_between(lb_quat a, lb_quat b, lb_vec3 leave, lb_vec3 arrive, double u);

#endif
