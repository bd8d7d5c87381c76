/*
 * narrow.h - limits of a solver that move along: no farther from a configuration than speeds allow.
 */
#ifndef IK_NARROW_H
#define IK_NARROW_H

#include <limber/ik.h>

/*
 * Until the next call each joint that turns about or slides along one axis stays within
 * velocity / rate of its value in `from` (nq numbers) and inside its limits. Balls are not
 * narrowed. For solvers that descend from `from`, without seeds, samples and closed forms.
 */
void ik_narrow(lb_ik *ik, const double *from, double rate);

#endif
