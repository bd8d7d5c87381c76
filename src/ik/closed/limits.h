/* limits.h - solutions at the limits of joints, and the values that a held joint is tried at. */
#ifndef LIMBER_IK_CLOSED_LIMITS_H
#define LIMBER_IK_CLOSED_LIMITS_H

#include "ik/closed/finder.h"

/*
 * Takes a solution that breaks limits by CLOSED_BESIDE at most to them, and what is free after it.
 * False where it breaks none, or more; it is not confirmed.
 */
bool closed_bring_inside(const closed_finder *finder, const lb_transform *target,
                         const double *start, closed_solution *s);

/* radians or metres beyond a limit that may be inside of it: beside a double root an angle is open
   to the root of what rounding makes of the pose */
#define CLOSED_BESIDE 1e-3

/*
 * Value k of `count` of the held joint: evenly spaced over its range, the start's own first; of a
 * slide over as much of it as the arm's length may make up for.
 */
double closed_held_value(const closed_finder *finder, const lb_transform *target,
                         const double *start, int k, int count);

#endif
