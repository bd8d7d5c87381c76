/* conditioning.h - the condition number of a task in each configuration. */
#ifndef MOTION_CONDITIONING_H
#define MOTION_CONDITIONING_H

#include <limber/task.h>

/*
 * A task's Jacobian, of which only those directions count that the tool can move in in some
 * configuration: a planar arm is not singular for lack of a third dimension. Where the position has
 * free axes these are the target's, which is not read for other tasks.
 */
typedef struct conditioning {
    const lb_model *model;
    lb_task task;
    double length;    /* metres that a radian counts as */
    int rank;         /* of the Jacobian almost everywhere */
    double *jacobian; /* 6 x nv of the tip, then of the base */
    double *right;    /* singular vectors: 6 x nv, then 6 x 6 left ones */
} conditioning;

/* How many numbers of working memory it needs. */
size_t conditioning_work(const lb_model *model);

/* `work` must outlive it; the state's configuration is changed. */
void conditioning_start(conditioning *made, const lb_task *task, double length,
                        const lb_transform *target, lb_state *state, double *work);

/* The largest singular value divided by the smallest that counts; INFINITY where that is zero. */
double conditioning_at(const conditioning *c, const lb_state *state, const lb_transform *target);

#endif
