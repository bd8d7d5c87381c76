/*
 * verifier.h - confirms solutions by forward kinematics of the model itself.
 *
 * A solver works on a tree of its own (reduce.h). Its solutions are verified on the model's tree,
 * of which only the joints from the root to bases and tips are computed.
 */
#ifndef IK_VERIFIER_H
#define IK_VERIFIER_H

#include "kernel/ops.h"
#include "model/layout.h"

#include <limber/task.h>

typedef struct ik_verifier {
    kernel_verifier kernel;
    const kernel_ops *single; /* of width 1 */
    void *scratch;            /* for one configuration */
    void *memory;
} ik_verifier;

/* False when there is no memory. */
bool ik_verifier_create(ik_verifier *verifier, const kernel_ops *single, const lb_model *model,
                        const lb_task *tasks, int n, const lb_allocator *allocator);

/* The largest errors over all tasks at the model's configuration q, as in lb_task_error. */
void ik_verifier_errors(const ik_verifier *verifier, const double *q, const lb_transform *targets,
                        double *position_error, double *rotation_error);

#endif
