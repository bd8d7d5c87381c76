/*
 * class.h - which arms have a closed form, decided by the positions of their axes.
 */
#ifndef LIMBER_IK_CLOSED_CLASS_H
#define LIMBER_IK_CLOSED_CLASS_H

#include "ik/closed/arm.h"
#include "kernel/closed.h"

#include <limber/solutions.h>

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

/* The same arm from its tip: axes in the tip's frame, in opposite order, T_tip_base. */
closed_arm closed_arm_reversed(const closed_arm *arm);

/*
 * Fills `form` with the closed form of an arm of six joints whose axes are parallel or meet
 * as they should to within `tolerance`; false: it has none.
 */
bool closed_recognise(const closed_arm *arm, double tolerance, kernel_closed *form);

/*
 * Three axes of an arm, from `first` on, that turn and meet in a point within `tolerance`, as one
 * wrist, and *center; false where they do not, or two that follow each other are nearly parallel.
 */
bool closed_wrist(const closed_arm *arm, int first, double tolerance, kernel_wrist *wrist,
                  lb_vec3 *center);

/* The class of the arms that a form solves. */
lb_arm_class closed_form_class(const kernel_closed *form);

#endif
