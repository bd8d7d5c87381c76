/* goal.h - a public task's goal, as the kernel's. */
#ifndef IK_GOAL_H
#define IK_GOAL_H

#include "kernel/goal.h"

#include <limber/task.h>

/* What counts of the tool's pose; the axis in the tool's axes, the locus in the target's. */
kernel_goal ik_goal(const lb_task *task);

#endif
