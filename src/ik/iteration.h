/*
 * iteration.h - one problem, one step at a time: what methods work on.
 *
 * The kernel's descent runs many problems side by side. Every other method is a `step` on an
 * ik_iteration: frames, errors and Jacobian at `q` are computed, and the step sets `next`, inside
 * the limits. Tries, budgets and solutions are the same for both: jobs come from one feed
 * (search.c).
 *
 * All numbers are the reduced problem's (reduce.h), lengths in its unit.
 */
#ifndef IK_ITERATION_H
#define IK_ITERATION_H

#include "ik/linear.h"
#include "ik/reduce.h"

#include <string.h>

struct ik_iteration {
    /* constant */
    kernel_problem problem; /* the reduction's, but all frames complete */
    kernel_joint *joints;   /* of that problem */
    const kernel_control *control;
    const lb_method *method;
    const lb_ik_options *options;
    const bool *is_length; /* variables: q is in metres */
    double unit;           /* metres: the problem's unit of length */
    double angle_limit;    /* radians that a joint rotates at most in a step, INFINITY: no limit */
    double length_limit;   /* metres that a joint slides at most */
    double *gains;         /* nv: of the control term, NULL: there is none */
    double *desired;       /* nq */
    bool control_term;     /* steps add it: single steps, where gains are set */
    double *metric;        /* nv: gains that make the sum the distance; NULL: not wanted */
    bool nearing;          /* the gains are these for now, and `desired` is the start */
    double limit_slack;    /* steps hold joints that are so near to a limit; 0 */
    kernel_variable *near; /* the problem's variables, kept within a turn of a start: posture.c */
    double *posture;       /* working memory of posture.c: nv, with gains nv * nv more */
    lb_vec3 pole;          /* of the options, in the problem's axes */
    int *first_child;      /* joints: the first joint placed in this one, -1: none */
    int *next_sibling;     /* joints: the next joint placed in the same one */
    int *variable_of;      /* joints: the variable that moves it, -1: none */
    int *joint_of;         /* variables: the one joint that it moves, -1: several (mimic) */
    bool *carries;         /* joints x tasks: it moves that task's tool */
    void *scratch;         /* of the kernel */

    /* set with each job */
    const lb_transform *targets;
    bool proved_unreachable; /* the targets are proved out of reach: there is no escape to look for
                              */
    int count;               /* steps made since the start */

    /* at q, set by ik_iteration_prepare */
    double *q;
    lb_transform *frames;
    double *error;
    double *jacobian; /* nv columns of `rows` */
    double error2;    /* squared norm of the error */

    /* where the step leads */
    double *next;

    /* working memory */
    double *best;                /* nq */
    double *other;               /* nq */
    double *step;                /* nv */
    lb_transform *tools;         /* of each task */
    lb_transform *desired_poses; /* of each joint */
    int *ticks;                  /* a clock, and for each variable when it was last moved */
    ik_linear linear;
};

/*
 * Takes the memory of an iteration from the arena; once to measure and once to carve.
 * `gains`: there is a control term. `nearest`: without one solutions are brought nearer to the
 * start.
 */
void ik_iteration_lay_out(ik_iteration *it, memory_arena *arena, const kernel_problem *problem,
                          bool gains, bool nearest);
/* Sets what follows from the reduction, which must outlive it, and from method and options. */
void ik_iteration_start(ik_iteration *it, const ik_reduction *reduction);

/* Whether the kernel's own descent implements the method with these options. */
bool ik_iteration_by_kernel(const ik_iteration *it);

/*
 * Computes frames and errors at it->q; those and the Jacobian; or what the method's step reads of
 * them. True when every task is within tolerance.
 */
bool ik_iteration_measure(ik_iteration *it);
bool ik_iteration_evaluate(ik_iteration *it);
bool ik_iteration_prepare(ik_iteration *it);
/* it->next = it->q moved by a step, of nv numbers, inside the limits. */
static inline void ik_iteration_advance(ik_iteration *it, const double *step)
{
    memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    kernel_advance(&it->problem, it->q, step, it->next);
}
/* Sets it->tools from it->frames. */
void ik_place_tools(ik_iteration *it);

#endif
