/*
 * reduce.h - the part of a model that tasks depend on, as a kernel problem.
 */
#ifndef IK_REDUCE_H
#define IK_REDUCE_H

#include "kernel/ops.h"
#include "kernel/problem.h"
#include "model/layout.h"

#include <limber/task.h>

/* An upper bound of a tool's reach: the links laid end to end. */
typedef struct ik_reach {
    lb_vec3 shoulder; /* the first joint of the path, as the problem sees it */
    double radius;    /* the largest distance of the tool from there; INFINITY: no bound */
} ik_reach;

/*
 * A kernel problem and the maps back to the model. All tasks share one base, where the reduced tree
 * is rooted; values and velocities are numbered anew, in the model's order.
 */
typedef struct ik_reduction {
    kernel_problem problem;
    int *model_q;       /* problem.tree.nq: index in the model's q */
    int *model_v;       /* problem.tree.nv: index in the model's v */
    bool *is_length;    /* variables: measured in metres, not radians */
    ik_reach *reaches;  /* of each task */
    lb_transform *axes; /* of each task: T_tool_frame, rotation only */
    double unit;        /* metres: the problem's unit of length */
    lb_transform base;  /* T_problem_base (for the world T_problem_world), metres */
    void *memory;       /* one block */
} ik_reduction;

/*
 * Reduces a model to what `tasks` need. `length` is metres per radian, 0: a fifth of the reach.
 * Refuses tasks with different bases, and those that no free joint can influence.
 */
lb_status ik_reduce(const lb_model *model, const lb_task *tasks, int n, double length,
                    const lb_allocator *allocator, ik_reduction *reduction, lb_error *error);

/* Whether a number can be `length`: 0, or metres in the supported range and their inverse, too. */
static inline bool ik_is_length(double length)
{
    return length == 0 || (length >= 1 / LB_LENGTH_MAX && length <= LB_LENGTH_MAX);
}

/* How the problem sees a task's targets. */
kernel_target_map ik_reduction_target_map(const ik_reduction *reduction, int task);

/* Copies the problem's numbers from a model's q, and back. */
void ik_gather(const ik_reduction *reduction, const double *q, double *local);
void ik_scatter(const ik_reduction *reduction, const double *local, double *q);

/* ---- canonical ------------------------------------------------------------- */

/* The same linkage with cheaper placements. */

/*
 * Moves the frames of `joints` along and about their own axes, so that placements become rotations
 * about x with two coordinates wherever that is possible, as in Denavit-Hartenberg tables; the
 * tools of the tasks (T_frame_tool) are moved along. `base` is multiplied by what is taken from the
 * first joint's placement: T_base_new. Needs memory for `count` transforms and as many counts.
 */
void ik_canonicalize(kernel_joint *joints, int count, const kernel_task *tasks, lb_transform *tools,
                     int task_count, lb_transform *base, lb_transform *carried, int *consumers);

#endif
