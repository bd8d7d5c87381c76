/*
 * class.h - serial arms, and which of them have a closed form, by the positions of their axes.
 *
 * The solvers that find every solution of an arm share its description by joint axes in space
 * (Brockett 1984, "Robotic manipulators and the product of exponentials formula"). It has no
 * Denavit-Hartenberg form: parallel and intersecting axes need no special case, and fixed and
 * locked joints, offsets and tools are folded into the numbers.
 */
#ifndef LIMBER_IK_CLOSED_CLASS_H
#define LIMBER_IK_CLOSED_CLASS_H

#include "kernel/closed.h"

#include <limber/math.h>
#include <limber/solutions.h>
#include <stdbool.h>

enum { CLOSED_ARM_JOINTS = 7 };

/*
 * An arm of `joints` <= CLOSED_ARM_JOINTS joints, joint 0 next to the base:
 *     T_base_tip(q) = A_0(q[0]) A_1(q[1]) ... A_(joints - 1)(q[joints - 1]) home,
 * where A_i(q) turns space by q about the line through point[i] along axis[i] or,
 * where is_length[i], moves it by q along axis[i].
 */
typedef struct closed_arm {
    int joints;
    lb_vec3 axis[CLOSED_ARM_JOINTS];   /* unit, in the base frame at q = 0 */
    lb_vec3 point[CLOSED_ARM_JOINTS];  /* any point on the axis, likewise; metres */
    bool is_length[CLOSED_ARM_JOINTS]; /* prismatic: q is a length in metres */
    lb_transform home;                 /* T_base_tip at q = 0 */
} closed_arm;

/*
 * Axes count as parallel within this many radians, and as meeting within this share of the
 * arm's size. Far above the rounding of a file's own sines and cosines (1e-16), and so small
 * that what it neglects is taken back by one step of Newton's method, to below 1e-15.
 */
#define CLOSED_EXACT 1e-9
/* Axes that miss by more are farther off than any calibration takes them. */
#define CLOSED_NEARLY 5e-3

/* The length of an arm's links laid end to end, its tool included; metres. */
double closed_arm_size(const closed_arm *arm);

/* How far a point is from the axis of joint i. */
static inline double closed_off_axis(const closed_arm *arm, int i, lb_vec3 p)
{
    return lb_vec3_length(lb_vec3_cross(lb_vec3_sub(p, arm->point[i]), arm->axis[i]));
}

/* A direction turned about a unit axis. */
static inline lb_vec3 closed_turned(lb_vec3 axis, double angle, lb_vec3 v)
{
    return lb_quat_rotate(lb_quat_from_axis_angle(axis, angle), v);
}

/* The same arm from its tip: axes in the tip's frame, in opposite order, T_tip_base. */
closed_arm closed_arm_reversed(const closed_arm *arm);

/*
 * Fills `form` with the closed form of an arm of six joints whose axes are parallel or meet
 * as they should to within `tolerance`; false: it has none.
 */
bool closed_recognise(const closed_arm *arm, double tolerance, kernel_closed *form);

/* The same, of several forms the one whose roots depend on the target in the simplest way. */
bool closed_recognise_turning(const closed_arm *arm, double tolerance, kernel_closed *form);

/*
 * Three axes of an arm, from `first` on, that turn and meet in a point within `tolerance`, as one
 * wrist, and *center; false where they do not, or two that follow each other are nearly parallel.
 */
bool closed_wrist(const closed_arm *arm, int first, double tolerance, kernel_wrist *wrist,
                  lb_vec3 *center);

/* The class of the arms that a form solves. */
lb_arm_class closed_form_class(const kernel_closed *form);

#endif
