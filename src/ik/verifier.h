/*
 * verifier.h - confirms answers by forward kinematics of the model itself.
 *
 * A solver works on a tree of its own (reduce.h); what it claims is checked here on
 * the model's, along nothing but the ways from the root to bases and tips.
 */
#ifndef IK_VERIFIER_H
#define IK_VERIFIER_H

#include "model/layout.h"

#include <limber/task.h>

typedef struct ik_verifier {
    kernel_verifier kernel;
    const kernel_ops *alone; /* of width 1 */
    void *scratch;           /* for one answer */
    void *memory;
} ik_verifier;

/* Answers false when there is no memory. */
bool ik_verifier_create(ik_verifier *judge, const kernel_ops *alone, const lb_model *model,
                        const lb_task *tasks, int n, const lb_allocator *allocator);

/* The largest errors over all tasks at the model's configuration q, as in lb_task_error. */
void ik_verifier_errors(const ik_verifier *judge, const double *q, const lb_transform *targets,
                        double *position_error, double *rotation_error);

/* Where a task's position may be, in its target's axes. */
kernel_locus ik_locus(const lb_task *task);

/* What a task claims, but for the frame that carries it. */
kernel_goal ik_goal(const lb_task *task);

#endif
