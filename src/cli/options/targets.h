/*
 * targets.h - the targets of inverse kinematics that a user gives.
 */
#ifndef CLI_OPTIONS_TARGETS_H
#define CLI_OPTIONS_TARGETS_H

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

/* --rpy and --quaternion alone */
extern const struct poptOption rotation_options[];

/* Whether any of those options is given. */
bool targets_are_given(void);
/* The target of those options; prints an error and returns false when that is no target. */
bool targets_given(target_list *targets);
/* Targets from a CSV file, as --targets takes it. */
bool targets_from_csv(const char *path, target_list *targets);
/* The rotation that the options say, if any: then *given. False after a complaint. */
bool rotation_given(bool *given, lb_quat *rotation);
void targets_release(target_list *targets);

#endif
