/*
 * reduce.h - the part of a model that tasks depend on, as a kernel problem.
 */
#ifndef IK_REDUCE_H
#define IK_REDUCE_H

#include "kernel/ops.h"
#include "model/layout.h"

#include <limber/task.h>

/* No chain reaches farther than its links laid end to end. */
typedef struct ik_reach {
    lb_vec3 shoulder; /* where the first joint on the way is, as the problem sees it */
    double radius;    /* the farthest from there that the tool can be; INFINITY: no bound */
} ik_reach;

/*
 * A kernel problem with the ways back to the model. All tasks share one base,
 * which is the frame the reduced tree grows from; values and velocities are
 * numbered anew, in the model's order.
 */
typedef struct ik_reduction {
    kernel_problem problem;
    int *model_q;       /* problem.tree.nq: index in the model's q */
    int *model_v;       /* problem.tree.nv: index in the model's v */
    bool *is_length;    /* variables: measured in metres, not radians */
    ik_reach *reaches;  /* of each task */
    lb_transform *axes; /* of each task: T_tool_frame, the turn alone */
    double unit;        /* metres: the problem's unit of length */
    lb_transform base;  /* T_problem_base (for the world T_problem_world), metres */
    void *memory;       /* one block */
} ik_reduction;

/*
 * Reduces a model to what `tasks` need. `length` is metres per radian, 0: a fifth
 * of the reach. Refuses tasks of different bases, and those no free joint can
 * influence.
 */
lb_status ik_reduce(const lb_model *model, const lb_task *tasks, int n, double length,
                    const lb_allocator *allocator, ik_reduction *reduction, lb_error *error);

/* How the problem sees a task's targets. */
kernel_target_map ik_reduction_target_map(const ik_reduction *reduction, int task);

/* A task's target T_base_goal (for the world T_world_goal) as the problem sees it. */
lb_transform ik_reduction_goal(const ik_reduction *reduction, int task, const lb_transform *target);

/* Copies the problem's numbers out of a model's q, and back into it. */
void ik_gather(const ik_reduction *reduction, const double *q, double *local);
void ik_scatter(const ik_reduction *reduction, const double *local, double *q);

#endif
