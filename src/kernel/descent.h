/*
 * descent.h - jobs of the descent: one start each, run side by side in the lanes of the kernel.
 */
#ifndef KERNEL_DESCENT_H
#define KERNEL_DESCENT_H

#include "kernel/problem.h"

/* Why a job ended. */
typedef enum kernel_end {
    KERNEL_CONVERGED, /* every task within tolerance */
    KERNEL_STALLED,   /* two iterations reduced the error by less than min_decrease */
    KERNEL_SPENT      /* iteration budget used up */
} kernel_end;

/* One descent from one start. */
typedef struct kernel_job {
    const double *start;         /* tree.nq numbers inside the limits, valid until the job ends */
    const lb_transform *targets; /* of each task, as the problem sees them; likewise */
    int iterations;              /* budget */
    double min_decrease; /* stalled when two iterations reduce the error by less; 0: never */
    bool monotone;       /* a step that increases the error is undone and shortened */
    int tag;             /* for the feed's own use */
} kernel_job;

/* The result of a job. */
typedef struct kernel_result {
    const double *q; /* tree.nq numbers, valid during the call */
    kernel_end end;
    int iterations;
    double error; /* norm over all weighted rows: what the descent reduces */
} kernel_result;

/*
 * Supplies jobs and receives their results. `next` fills *job for an idle lane, or returns false
 * when that lane has nothing more to do; idle lanes are filled in the order 0, 1, ... `finish`
 * returns a bit mask of lanes whose jobs no longer matter; they become idle.
 */
typedef struct kernel_feed {
    bool (*next)(void *user, int lane, kernel_job *job);
    unsigned (*finish)(void *user, int lane, const kernel_result *result);
    void *user;
} kernel_feed;

/*
 * The stall rule of all descents: stalled unless the squared error falls below this share of what
 * it was some iterations ago; INFINITY where a descent never stalls. NaN has stalled.
 */
static inline double kernel_stall_share(double min_decrease)
{
    return min_decrease > 0 ? (1 - min_decrease) * (1 - min_decrease) : INFINITY;
}

/*
 * lambda^2 as a share of the squared error, unless lambda is given. Monotone descents start with
 * this share and adapt it (Marquardt 1963).
 */
#define KERNEL_DAMPING_SHARE 0.1

/*
 * One step of the descent from q (tree.nq numbers), in place; scratch as for the width-1 instance.
 * The step is halved until it reduces the error by enough, unless control->accept_all. `share` is
 * lambda's, replaced by that of the next step; NULL: KERNEL_DAMPING_SHARE. Returns by which share
 * the squared error fell, 0 where no step reduces it: q is a local minimum.
 */
double kernel_iterate(const kernel_problem *problem, const kernel_control *control,
                      const lb_transform *targets, double *q, double *share, void *scratch);

#endif
