/*
 * iteration.h - one problem, one step at a time: what methods work on.
 *
 * The kernel's descent runs many problems side by side. Every other method is a
 * `step` on an ik_iteration: it finds frames, errors and Jacobian at `q` ready and
 * leaves in `next` where it wants to go, inside the limits. Everything else is the
 * driver's, for both kinds: jobs come from the same feed (search.c), which knows of
 * tries, budgets, solutions and their confirmation.
 *
 * All numbers are the reduced problem's (reduce.h), lengths in its unit.
 */
#ifndef IK_ITERATION_H
#define IK_ITERATION_H

#include "ik/linear.h"
#include "ik/reduce.h"

struct ik_iteration {
    /* what stays */
    kernel_problem problem; /* the reduction's, but every frame with all its axes */
    kernel_joint *joints;   /* of that problem */
    const kernel_control *control;
    const lb_method *method;
    const lb_ik_options *options;
    const bool *is_length; /* variables: q is in metres */
    double unit;           /* metres: the problem's unit of length */
    double turn_limit;     /* radians that a joint turns at most in a step, INFINITY: any */
    double length_limit;   /* metres that one slides at most */
    double *gains;         /* nv: of the control term, NULL: there is none */
    double *desired;       /* nq */
    lb_vec3 pole;          /* of the options, in the problem's axes */
    int *first_child;      /* joints: of those placed in it, -1: none; */
    int *next_sibling;     /* and the next one that is */
    int *variable_of;      /* joints: the variable that moves it, -1: none */
    int *joint_of;         /* variables: the one joint that it moves, -1: several (mimic) */
    bool *carries;         /* joints x tasks: it moves that task's tool */
    void *scratch;         /* of the kernel */

    /* given with each job */
    const lb_transform *targets;
    bool proved_unreachable; /* they are proved out of reach: what is stuck there is where it should
                                be */
    int count;               /* steps made since the start */

    /* at q, see ik_iteration_prepare */
    double *q;
    lb_transform *frames;
    double *error;
    double *jacobian; /* nv columns of `rows` */
    double error2;    /* squared norm of the error */

    /* where the step leads */
    double *next;

    /* working memory */
    double *best;         /* nq */
    double *other;        /* nq */
    double *step;         /* nv */
    lb_transform *tools;  /* of each task */
    lb_transform *wanted; /* of each joint */
    int *ticks;           /* a clock, and for each variable when it was last moved */
    ik_linear linear;
};

/*
 * Takes from the arena what an iteration on a reduced problem needs; once to
 * measure and once to carve. `wishes`: there is a control term.
 */
void ik_iteration_lay_out(ik_iteration *it, memory_arena *arena, const kernel_problem *problem,
                          bool wishes);
/* Fills what follows from the reduction, which must outlive it, and from method and options. */
void ik_iteration_start(ik_iteration *it, const ik_reduction *reduction);

/* The kernel's own descent can do it: nothing was asked for that only steps can. */
bool ik_iteration_by_kernel(const ik_iteration *it);

/*
 * Frames and errors at it->q; those and the Jacobian; or what the method's step reads
 * of them. True when every task is within tolerance.
 */
bool ik_iteration_measure(ik_iteration *it);
bool ik_iteration_evaluate(ik_iteration *it);
bool ik_iteration_prepare(ik_iteration *it);
/* Puts it->tools where it->frames carry them. */
void ik_place_tools(ik_iteration *it);

#endif
