/*
 * task.h - what inverse kinematics must achieve.
 *
 * A task says which frame is to be moved (tip and tool), against what it is
 * measured (base) and which part of it counts (kind, free axis). The target
 * itself, T_base_goal, is given with each solve.
 */
#ifndef LIMBER_TASK_H
#define LIMBER_TASK_H

#include <limber/kinematics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lb_task_kind {
    LB_TASK_POSITION, /* three rows: the tool's origin */
    LB_TASK_ROTATION, /* three rows: the tool's axes */
    LB_TASK_POSE      /* six rows: both */
} lb_task_kind;

/*
 * Start from lb_task_make(), which leaves tool = identity, free_axis = zero,
 * weight = 1.
 */
typedef struct lb_task {
    int tip;  /* link that carries the tool */
    int base; /* link the target is given in, LB_WORLD allowed */
    lb_task_kind kind;
    lb_transform tool; /* T_tip_tool */
    /*
     * An axis of the tool about which it may turn freely: the tool's axis must
     * point along the goal's, the roll about it does not count. Zero: none.
     * Any length; not read for LB_TASK_POSITION.
     */
    lb_vec3 free_axis;
    double weight; /* > 0, relative to the other tasks of the same solver */
} lb_task;

lb_task lb_task_make(int tip, int base, lb_task_kind kind);

/* Rows of a task's error and Jacobian: 3 or 6. */
int lb_task_rows(lb_task_kind kind);

/*
 * How far the state's configuration is from the target T_base_goal: the distance
 * of the origins in metres, and the angle in radians (0 where the kind does not
 * count it; of the axes alone where one is free). Independent of any solver.
 */
void lb_task_error(const lb_state *state, const lb_task *task, const lb_transform *target,
                   double *position_error, double *rotation_error);

#ifdef __cplusplus
}
#endif

#endif
