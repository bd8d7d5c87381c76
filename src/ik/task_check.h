/* task_check.h - what a solver refuses of its tasks before it reads the model's joints. */
#ifndef IK_TASK_CHECK_H
#define IK_TASK_CHECK_H

#include <limber/task.h>

/* LB_INVALID_ARGUMENT for no tasks, links that are not there, and numbers that mean nothing. */
lb_status ik_check_tasks(const lb_model *model, const lb_task *tasks, int n, lb_error *error);

#endif
