/*
 * cli/targets.h - the targets of inverse kinematics that a user gives.
 */
#ifndef CLI_TARGETS_H
#define CLI_TARGETS_H

#include <limber/task.h>

#include "cli/command.h"

/* Targets T_base_goal and what of them counts; release with targets_release. */
typedef struct target_list {
    lb_transform *targets;
    int count;
    lb_task_kind kind;
} target_list;

/* --position, --rpy, --quaternion and --targets */
extern const struct poptOption target_options[];

/* What those options say; complains and answers false when that is no target. */
bool targets_given(target_list *targets);
void targets_release(target_list *targets);

#endif
