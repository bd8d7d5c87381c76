/*
 * task.h - tasks as solvers see them: what is refused of them, what counts, and their errors on the
 * model's own tree.
 */
#ifndef IK_TASK_H
#define IK_TASK_H

#include "kernel/ops.h"
#include "model/layout.h"

#include <limber/task.h>

/* Whether tip and base are links of the model, or the base LB_WORLD. */
static inline bool task_has_links(const lb_model *model, const lb_task *task)
{
    int links = lb_model_link_count(model);
    return task->tip >= 0 && task->tip < links && task->base >= LB_WORLD && task->base < links;
}

/* LB_INVALID_ARGUMENT for no tasks, links that are not there, and numbers that mean nothing. */
lb_status ik_check_tasks(const lb_model *model, const lb_task *tasks, int n, lb_error *error);

/* What counts of the tool's pose; the axis in the tool's axes, the locus in the target's. */
kernel_goal ik_goal(const lb_task *task);

/* ---- verifier ----------------------------------------------------------- */

/*
 * Confirms solutions by forward kinematics of the model itself. A solver works on a tree of its own
 * (reduce.h). Its solutions are verified on the model's tree, of which only the joints from the
 * root to bases and tips are computed.
 */
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
