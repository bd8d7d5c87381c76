/*
 * motion.h - the place nearest to a start on the motion that a pose leaves an arm of slice.h.
 *
 * Branches are looked at in spans that they exist on, each as a function of u from 0 to 1 that is
 * smooth where two branches meet in its end. Between two samples a joint leaves the straight line
 * by no more than its second derivative allows; so cells between samples are left out that are
 * outside the limits or farther than the nearest so far, and the others are divided.
 */
#ifndef LIMBER_IK_CLOSED_MOTION_H
#define LIMBER_IK_CLOSED_MOTION_H

#include "ik/closed/slice.h"

#include <limber/elbow.h>

enum { MOTION_JOINTS = SLICE_JOINTS, MOTION_CELLS = 512, MOTION_SINGLE = 32 };

/* The joints of branches at some values, a column each. */
typedef struct motion_rows {
    double q[MOTION_JOINTS][KERNEL_SLICES];
    double margin[KERNEL_SLICES]; /* below 0: the branch does not exist there */
    double wrist[KERNEL_SLICES];  /* 0: its wrist is in line */
} motion_rows;

/* Part of a branch between two samples. */
typedef struct motion_cell {
    int span;
    double u[2], q[2][MOTION_JOINTS], margin[2];
    double bound;   /* of the distance from the start */
    double nearest; /* where the line is nearest, from 0 to 1 */
} motion_cell;

/* Where cells end beside a singular configuration: other joints are free at one value there. */
typedef struct motion_single {
    int branch;
    double value, half; /* it is within so much of this */
    double spacing;     /* not 0: of values on a span that is singular all along */
    double bound;       /* of the distance from the start */
} motion_single;

/* One pose, and working memory. */
typedef struct motion {
    const slice_arm *arm;
    const kernel_ops *ops;
    kernel_turning turning;
    slice_span spans[SLICE_SPANS];
    int span_count;
    motion_cell cells[MOTION_CELLS];
    int cell_count;
    motion_single singles[MOTION_SINGLE];
    int single_count;
    kernel_way way;
    double start[MOTION_JOINTS];
    double least, q[MOTION_JOINTS]; /* the nearest so far, INFINITY: none */
    double beside;  /* the least bound of cells that are beside the limits, but not inside */
    bool wants_all; /* cells that are inside the limits, near or far */
    bool cut;       /* room or rounds ran out before all cells were decided */
} motion;

/* Where a span is at u: near its ends as the square, so that roots that vanish there are smooth. */
static inline double motion_value(const slice_span *span, double u)
{
    return span->begin + (span->end - span->begin) * (u * u * (3 - 2 * u));
}

/* What is to be found: branches at values of the held joint, KERNEL_SLICES at most. */
typedef struct motion_samples {
    int count, branches[KERNEL_SLICES];
    double values[KERNEL_SLICES];
} motion_samples;

static inline void motion_add(motion_samples *samples, int branch, double value)
{
    samples->branches[samples->count] = branch;
    samples->values[samples->count++] = value;
}

void motion_find(const motion *m, const motion_samples *samples, motion_rows *rows);

/* Begins a pose, T_base_tip: the spans, and cells between their first samples that may have what is
   nearer to a start (chain's joints) than a bound. */
void motion_begin(motion *m, const slice_arm *arm, const kernel_ops *ops,
                  const lb_transform *target, const double *start, double bound);

/*
 * The configuration for T_base_tip inside the limits that is nearest to a start (chain's joints),
 * to 1e-5 of its distance, in m->q, if it is nearer than `bound`; its distance in m->least. What
 * m->singles has remains to be looked at.
 */
bool motion_nearest(motion *m, const slice_arm *arm, const kernel_ops *ops,
                    const lb_transform *target, const double *start, double bound);

/* The value of the held joint at which a branch is singular. */
double motion_singular_value(const motion *m, const motion_single *single);

/* ---- arcs --------------------------------------------------------------- */

/*
 * The arcs for T_base_tip, by branch and then by value: up to `room`; returns how many there are.
 * Their ends are exact. An arc that is shorter than 1e-6 of its span may be missed.
 */
int motion_find_arcs(motion *m, const slice_arm *arm, const kernel_ops *ops,
                     const lb_transform *target, lb_elbow_arc *arcs, int room);

#endif
