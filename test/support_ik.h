/*
 * support_ik.h - what tests of inverse kinematics judge answers with.
 *
 * All of it is computed from the public model by test_forward and libm: nothing is
 * shared with the solver, its judge or its limits.
 */
#ifndef TEST_SUPPORT_IK_H
#define TEST_SUPPORT_IK_H

#include "support.h"

#include <limber/ik.h>

/* Where a task's tool is at q: T_base_tool. A target made by this can be reached. */
lb_transform test_task_tool(const lb_model *model, const lb_task *task, const double *q);

/* How far the tasks' tools are from their targets at q: the largest of each. */
void test_task_errors(const lb_model *model, const lb_task *tasks, int n, const double *q,
                      const lb_transform *targets, double *position_error, double *rotation_error);

/*
 * By how much q breaks the worst of all limits, radians or metres; followers' limits
 * are looked at as their own joints'. Not finite is INFINITY.
 */
double test_limit_excess(const lb_model *model, const double *q);

#endif
