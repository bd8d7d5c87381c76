/* relative.h - the Jacobian of one link against another. */
#ifndef KINEMATICS_RELATIVE_H
#define KINEMATICS_RELATIVE_H

#include <limber/kinematics.h>

/*
 * The 6 x nv Jacobian of `point` (in tip axes) against `base` (a link or LB_WORLD), row major, in
 * world axes, without the columns of locked joints. `work` has room for as many numbers.
 */
void relative_jacobian(const lb_state *state, int base, int tip, lb_vec3 point, double *work,
                       double *jacobian);

#endif
