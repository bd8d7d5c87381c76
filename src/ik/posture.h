/*
 * posture.h - where a pose is solved, motion along the null space towards the desired values.
 */
#ifndef IK_POSTURE_H
#define IK_POSTURE_H

#include "ik/iteration.h"

/* Whether the method has a control term, and gains set it. */
bool ik_posture_wanted(const ik_iteration *it);

/*
 * One step from it->q, which solves its tasks, to it->next, which solves them too and is nearer to
 * the desired values by the gains. False when there is none. `whole`: to the least sum of
 * a (q - c)^2 of the linear model; otherwise as far as the gains say. Evaluates elsewhere.
 */
bool ik_posture_step(ik_iteration *it, bool whole);

/*
 * Changes joints that turn by whole turns: with a gain to be nearest to the desired value, without
 * to `start`; inside the limits, and never more than a turn from the start.
 */
void ik_posture_unwind(const ik_iteration *it, const double *start, double *q);

/* From now on gains move a solution by one step, not to the least sum: for one frame of a motion.
 */
void ik_posture_make_gradual(lb_ik *ik);

#endif
