/*
 * newton.h - forward kinematics of an arm given by its axes, and Newton's method on it.
 */
#ifndef LIMBER_IK_CLOSED_NEWTON_H
#define LIMBER_IK_CLOSED_NEWTON_H

#include "ik/closed/class.h"

/* T_base_tip at q. */
lb_transform closed_forward(const closed_arm *arm, const double *q);

/* The axes at q, in the base frame; returns what the last joint moves the tool by. */
lb_transform closed_axes(const closed_arm *arm, const double *q, lb_vec3 *axis, lb_vec3 *point);

/*
 * What is missing from T_base_tip to the target: a displacement in metres and a rotation vector in
 * radians, both in base axes; six numbers. Returns the longer of the two.
 */
double closed_error(const lb_transform *tip, const lb_transform *target, double error[6]);

/*
 * The 6 x joints Jacobian of the tip's origin at q, row major, linear rows first, in base
 * axes; `tip` (not NULL) is set to T_base_tip.
 */
void closed_jacobian(const closed_arm *arm, const double *q, lb_transform *tip, double *jacobian);

/*
 * Newton's method from q towards the target, at most `steps` steps: each is the shortest
 * that a damping just above rounding allows, so that singular arms stay where they are. A
 * step that does not make the error less is taken back, and is the last. Joints beyond the
 * arm's `joints` are not read. Returns the error that is left, as closed_error.
 */
double closed_newton(const closed_arm *arm, const lb_transform *target, int steps, double *q);
/* The same where some joints, as bits, keep their values: then two solutions may meet, and a step
   that leads past them is halved up to nine times. */
double closed_newton_held(const closed_arm *arm, const lb_transform *target, int steps,
                          unsigned held, double *q);

/*
 * Whether joints `among`, as bits, can move without the tool to first order while those of `given`
 * move along; lengths in `length`s.
 */
bool closed_is_idle(const closed_arm *arm, const double *q, double length, unsigned among,
                    unsigned given);

/*
 * The joints, as bits, of an infinite family: one of `among` goes on by a twentieth of a radian (a
 * slide: of `size`), others of these and of `given` follow, and the tool is where it was to 5e-11
 * radians and shares of the size. 0: none can.
 */
unsigned closed_moving(const closed_arm *arm, const double *q, double size, unsigned among,
                       unsigned given);

/* sigma_1 / sigma_k of the Jacobian of the first `real` joints in the directions that the others,
   which represent what a task leaves free, do not move the tool in; lengths in `length`s. INFINITY
   where singular. */
double closed_condition(const closed_arm *arm, const double *q, double length, int real);

/*
 * How far every other solution of the same pose is from q at least, radians in the sum of squares:
 * of an arm of six turning joints that is `size` long at most; 0 where it is singular.
 */
double closed_apart(const closed_arm *arm, const double *q, double size);

#endif
