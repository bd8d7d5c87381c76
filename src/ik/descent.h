/*
 * descent.h - descends by a method's own steps: the scalar counterpart of the kernel's engine.
 */
#ifndef IK_DESCENT_H
#define IK_DESCENT_H

#include "ik/iteration.h"
#include "kernel/descent.h"

/*
 * One step from it->q, where it was prepared, to it->next; from a singular configuration the
 * escape, if the options allow. False, and *reason, when no joint has moved a tool by more than a
 * negligible distance. Changes Jacobian and frames.
 */
bool ik_descent_step(ik_iteration *it, lb_reason *reason);

/* Runs jobs until the feed has no more: what kernel_ops.descend does, on one lane. */
void ik_descent_run(ik_iteration *it, const kernel_feed *feed);

#endif
