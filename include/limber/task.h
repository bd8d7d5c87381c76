/*
 * task.h - tasks of inverse kinematics.
 *
 * A task says which frame moves (tip and tool), the frame in which its target is given (base) and
 * which part of the target counts (kind, free axis, free position). The target itself,
 * T_base_target, is given with each solve.
 *
 * Stable.
 */
#ifndef LIMBER_TASK_H
#define LIMBER_TASK_H

#include <limber/kinematics.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lb_task_kind {
    LB_TASK_POSITION, /* Three rows: the tool's origin. */
    LB_TASK_ROTATION, /* Three rows: the tool's axes. */
    LB_TASK_POSE      /* Six rows: origin and axes. */
} lb_task_kind;

/* Axes of a target along which the tool may be anywhere; join several with |. */
typedef enum lb_free { LB_FREE_X = 1, LB_FREE_Y = 2, LB_FREE_Z = 4 } lb_free;

/* Start from lb_task_make(): tool = identity, free_axis = zero, free_position = 0, weight = 1. */
typedef struct lb_task {
    int tip;           /* The link that carries the tool. */
    int base;          /* The link, or the world, in whose frame the target is given. */
    lb_task_kind kind; /* Which part of the target counts. */
    lb_transform tool; /* T_tip_tool. Default: identity. */
    /* An axis of the tool, of any length, about which the tool may turn freely: it must point
       along the target's, and the roll about it does not count. Zero: none (the default). Not
       read of a position task. */
    lb_vec3 free_axis;
    /*
     * Axes of the target along which the tool's origin may be anywhere: 1 for x, 2 for y, 4 for z,
     * added up. 0: none (the default). With one, the origin must lie on that axis (4: a nozzle at
     * any distance); with two, in their plane (3: a hand anywhere on a table). Three are refused:
     * use a rotation task, which does not read this.
     */
    unsigned free_position;
    double weight; /* Weight against other tasks of one solver, > 0. Default: 1. */
} lb_task;

lb_task lb_task_make(int tip, int base, lb_task_kind kind);

/* Rows of a task's error and Jacobian: 3 or 6. */
int lb_task_rows(lb_task_kind kind);

/*
 * Measures how far the state's configuration is from the target T_base_target: the distance of the
 * origins in metres (from the target's line or plane if position is free) and the angle in radians
 * (of the axes alone if one is free). An error that the kind does not count is 0. No solver is
 * involved. Places are compared in the world, so rounding is some 1e-16 of their distance from the
 * world's origin.
 */
void lb_task_error(const lb_state *state, const lb_task *task, const lb_transform *target,
                   double *position_error, double *rotation_error);

/*
 * Constraints of a task, and velocities to satisfy them. With more velocities than constraints the
 * task is underconstrained and has infinitely many solutions (the arm is redundant for it); with as
 * many it is exactly constrained, unless joints move the tool alike; with fewer it is
 * overconstrained, and few targets have a solution.
 */
typedef struct lb_mobility {
    int joints;      /* Joints between base and tip that are not locked; mimic joints count once. */
    int velocities;  /* Velocities of these joints; a ball has three. */
    int constraints; /* Directions that count for the task and that axes of this kind can give. */
} lb_mobility;

/*
 * Counts joints, velocities and constraints of a task, loops not counted. A position of a planar
 * arm counts two directions, because its joints could never meet the third. Only directions of axes
 * are looked at, not where they lie, so the count is an upper bound of the Jacobian's rank: a tool
 * on a hinge's axis counts as one beside it. `target` (T_base_goal)
 * is read only if the position has free axes; NULL: the tool's place in the state. All counts are
 * zero if an index is no link.
 */
lb_mobility lb_task_mobility(const lb_state *state, const lb_task *task,
                             const lb_transform *target);

#ifdef __cplusplus
}
#endif

#endif
