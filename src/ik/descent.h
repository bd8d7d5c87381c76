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

#endif
