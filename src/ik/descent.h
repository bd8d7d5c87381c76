/*
 * descent.h - descends by a method's own steps: the scalar counterpart of the kernel's engine.
 */
#ifndef IK_DESCENT_H
#define IK_DESCENT_H

#include "ik/iteration.h"
#include "kernel/descent.h"

#include <limber/ik.h>

/*
 * One step from it->q, where it was prepared, to it->next; from a singular configuration the
 * escape, if the options allow. False, and *reason, when no joint has moved a tool by more than a
 * negligible distance. Changes Jacobian and frames.
 */
bool ik_descent_step(ik_iteration *it, lb_reason *reason);

/* Runs jobs until the feed has no more: what kernel_ops.descend does, on one lane. */
void ik_descent_run(ik_iteration *it, const kernel_feed *feed);

/* ---- stuck -------------------------------------------------------------- */

/* Configurations where a descent stops although they are not the target. */

/*
 * Whether no joint lowers the error at it->q to first order inside its limits. How short the steps
 * of a method are there does not matter. Evaluates there.
 */
bool ik_stuck_is(ik_iteration *it);

/*
 * Looks for an escape from a stuck configuration: a small move along which the tools do not move to
 * first order, but approach their targets to second. True, and it->next, when there is one; false
 * also where it->q is not stuck. Evaluates elsewhere, and at it->q again.
 */
bool ik_stuck_escape(ik_iteration *it);

/* Why a descent ended at it->q, which is not the target. Evaluates there. */
lb_reason ik_stuck_reason(ik_iteration *it);

/* ---- progress ----------------------------------------------------------- */

/* Whether a configuration solves its tasks as it is. */

/*
 * True when q, brought inside its limits, solves the tasks: no iteration is made, no posture is
 * looked for. Else q stays as it is. `result` has the errors.
 */
bool ik_progress_solves(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result);

/* ---- posture --------------------------------------------------------------- */

/* Where a pose is solved, motion along the null space towards the desired values. */

/* Whether the method has a control term, and gains set it. */
bool ik_posture_wanted(const ik_iteration *it);

/*
 * One step from it->q, which solves its tasks, to it->next, which solves them too and is nearer to
 * the desired values by the gains. False when there is none. `whole`: to the least sum of
 * a (q - c)^2 of the linear model; otherwise as far as the gains say. Evaluates elsewhere.
 */
bool ik_posture_step(ik_iteration *it, bool whole);

/*
 * Keeps joints that turn within a turn of `start`, besides their limits, until the problem has its
 * variables again, which are returned.
 */
const kernel_variable *ik_posture_narrow(ik_iteration *it, const double *start);
/*
 * Changes joints that turn by whole turns: with a gain to be nearest to the desired value, without
 * to `start`; inside the limits.
 */
void ik_posture_unwind(const ik_iteration *it, const double *start, double *q);

/* From now on gains move a solution by one step, not to the least sum: for one frame of a motion.
 */
void ik_posture_make_gradual(lb_ik *ik);

/* Results of descents that end have no reason unless there is a proof: finding one takes as long as
   many iterations. */
void ik_result_leave_reasons(lb_ik *ik);

#endif
