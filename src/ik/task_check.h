/* task_check.h - what a solver refuses of its tasks before it reads the model's joints. */
#ifndef IK_TASK_CHECK_H
#define IK_TASK_CHECK_H

#include "kernel/problem.h"

#include <limber/task.h>

/* Whether tip and base are links of the model, or the base LB_WORLD. */
static inline bool task_has_links(const lb_model *model, const lb_task *task)
{
    int links = lb_model_link_count(model);
    return task->tip >= 0 && task->tip < links && task->base >= LB_WORLD && task->base < links;
}

/* LB_INVALID_ARGUMENT for no tasks, links that are not there, and numbers that mean nothing. */
lb_status ik_check_tasks(const lb_model *model, const lb_task *tasks, int n, lb_error *error);

/* ---- goal --------------------------------------------------------------- */

/* A public task's goal, as the kernel's. */

/* What counts of the tool's pose; the axis in the tool's axes, the locus in the target's. */
kernel_goal ik_goal(const lb_task *task);

#endif
