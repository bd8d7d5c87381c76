/*
 * solver.h - what an lb_ik holds.
 *
 * "Local" numbers are the reduced problem's (reduce.h); `q` of a model and of the
 * reduction are never mixed: the one is called q, the other local.
 */
#ifndef IK_SOLVER_H
#define IK_SOLVER_H

#include "ik/judge.h"
#include "ik/method.h"
#include "ik/reduce.h"

enum {
    IK_MAX_TRIES = 512, /* of one solve */
    IK_WINDOW = 8       /* tries whose solutions compete when the nearest is asked for */
};

/* by how much rounding may put a value beyond its limit: balls are clamped through quaternions */
#define IK_LIMIT_TOLERANCE 1e-9

/* A solution on its way to be the answer. */
typedef struct ik_candidate {
    int attempt;     /* the index of its try, -1: empty */
    double distance; /* from the start, radians and lengths */
    double *local;
} ik_candidate;

struct lb_ik {
    lb_allocator allocator;
    const lb_model *model;
    lb_ik_options options;
    const lb_method *method;
    lb_task *tasks;
    int task_count;
    ik_reduction reduction;
    ik_judge judge;
    kernel_control control;
    const kernel_ops *ops;
    void *scratch; /* of the kernel, on a cache line */
    void *memory;  /* one block for all that follows */

    /* working memory of one solve */
    lb_transform *targets;      /* as the problem sees them */
    lb_transform *base_targets; /* T_base_goal in metres; T_root_goal where the base is the world */
    double *start;              /* local: inside the limits */
    double *model_start;        /* the same, whole model */
    double *closest;            /* local: the best that did not arrive */
    double *trial;              /* whole model: what the judge sees */
    double *lane_starts;        /* local, for each lane */
    double *zeros;              /* nv */
    ik_candidate candidates[IK_WINDOW];
    unsigned short iterations[IK_MAX_TRIES]; /* of each try */
};

/* copies between the model's numbers and the reduction's */
void ik_gather(const lb_ik *ik, const double *q, double *local);
void ik_scatter(const lb_ik *ik, const double *local, double *q);

/* the driver: search.c */
lb_outcome ik_search(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result);
/* one iteration from ik->start: progress.c */
lb_progress ik_progress(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result);

#endif
