/*
 * canonical.h - the same linkage with cheaper placements.
 */
#ifndef IK_SEARCH_CANONICAL_H
#define IK_SEARCH_CANONICAL_H

#include "kernel/problem.h"

/*
 * Moves the frames of `joints` along and about their own axes, so that placements become rotations
 * about x with two coordinates wherever that is possible, as in Denavit-Hartenberg tables; the
 * tools of the tasks (T_frame_tool) are moved along. `base` is multiplied by what is taken from the
 * first joint's placement: T_base_new. Needs memory for `count` transforms and as many counts.
 */
void ik_canonicalize(kernel_joint *joints, int count, const kernel_task *tasks, lb_transform *tools,
                     int task_count, lb_transform *base, lb_transform *carried, int *consumers);

#endif
