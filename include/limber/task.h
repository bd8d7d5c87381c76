/*
 * task.h - what inverse kinematics must achieve.
 *
 * A task says which frame is to be moved (tip and tool), against what it is
 * measured (base) and which part of it counts (kind, free axis, free position).
 * The target itself, T_base_target, is given with each solve.
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

/* Axes of a target along which the tool may be anywhere; several are joined by |. */
typedef enum lb_free { LB_FREE_X = 1, LB_FREE_Y = 2, LB_FREE_Z = 4 } lb_free;

/*
 * Start from lb_task_make(), which leaves tool = identity, free_axis = zero,
 * free_position = 0, weight = 1.
 */
typedef struct lb_task {
    int tip;  /* link that carries the tool */
    int base; /* link the target is given in, LB_WORLD allowed */
    lb_task_kind kind;
    lb_transform tool; /* T_tip_tool */
    /*
     * An axis of the tool about which it may turn freely: the tool's axis must
     * point along the target's, the roll about it does not count. Zero: none.
     * Any length; not read for LB_TASK_POSITION.
     */
    lb_vec3 free_axis;
    /*
     * LB_FREE_X, LB_FREE_Y and LB_FREE_Z, 0: none. With one of them the tool's origin
     * must lie on that axis of the target (LB_FREE_Z: a nozzle whose distance does
     * not matter), with two in the plane of both (LB_FREE_X | LB_FREE_Y: a hand
     * anywhere on a table). All three are refused: that is LB_TASK_ROTATION, for which
     * this is not read.
     */
    unsigned free_position;
    double weight; /* > 0, relative to the other tasks of the same solver */
} lb_task;

lb_task lb_task_make(int tip, int base, lb_task_kind kind);

/* Rows of a task's error and Jacobian: 3 or 6. */
int lb_task_rows(lb_task_kind kind);

/*
 * How far the state's configuration is from the target T_base_target: the distance
 * of the origins in metres (where position is free: from the target's line or plane),
 * and the angle in radians (of the axes alone where one is free); 0 where the kind
 * does not count it. Independent of any solver. It compares places in the world, so far
 * from the world's origin it is rounded as they are: by some 1e-16 of that distance.
 */
void lb_task_error(const lb_state *state, const lb_task *task, const lb_transform *target,
                   double *position_error, double *rotation_error);

/*
 * The constraints of a task, and the velocities that can satisfy them. With more velocities than
 * constraints it is underconstrained and has infinitely many solutions (the arm is redundant for
 * it), with as many exactly constrained, with fewer overconstrained: then only few targets have
 * one.
 */
typedef struct lb_mobility {
    int joints;      /* between base and tip that are not locked; those that mimic one once */
    int velocities;  /* of these: a ball has three */
    int constraints; /* directions that count for the task and that the tool can have at all */
} lb_mobility;

/*
 * Of a planar arm two directions of a position count, not three: the third is no
 * constraint that its joints could meet. `target` (T_base_goal) is read only where the
 * position has free axes; NULL: the tool where the state has it. Of links that are none
 * all counts are zero.
 */
lb_mobility lb_task_mobility(const lb_state *state, const lb_task *task,
                             const lb_transform *target);

#ifdef __cplusplus
}
#endif

#endif
