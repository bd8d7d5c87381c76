/*
 * motion.h - the place nearest to a start on the motion that a pose leaves an arm of slice.h.
 *
 * Branches are looked at in spans that they exist on, each as a function of u from 0 to 1 that is
 * smooth where two branches meet in its end. Between two samples a joint leaves the straight line by
 * no more than its second derivative allows; so cells between samples are left out that are outside
 * the limits or farther than what is known, and the others are divided.
 */
#ifndef LIMBER_IK_CLOSED_MOTION_H
#define LIMBER_IK_CLOSED_MOTION_H

#include "ik/closed/slice.h"

enum { MOTION_JOINTS = SLICE_JOINTS, MOTION_CELLS = 512 };

/* The joints of branches at some values, a column each. */
typedef struct motion_rows {
    double q[MOTION_JOINTS][KERNEL_CLOSED_BRANCHES];
    double margin[KERNEL_CLOSED_BRANCHES]; /* below 0: the branch does not exist there */
} motion_rows;

/* Part of a branch between two samples. */
typedef struct motion_cell {
    int span;
    double u[2], q[2][MOTION_JOINTS], margin[2];
    double bound;               /* of the distance from the start */
    double nearest;             /* where the line is nearest, from 0 to 1 */
} motion_cell;

/* One pose, and working memory. */
typedef struct motion {
    const slice_arm *arm;
    const kernel_ops *ops;
    kernel_turning turning;
    slice_span spans[SLICE_SPANS];
    int span_count;
    motion_cell cells[MOTION_CELLS];
    int cell_count;
    kernel_way way;
    double start[MOTION_JOINTS];
    double least, q[MOTION_JOINTS]; /* the nearest so far, INFINITY: none */
    bool cut;                       /* room or rounds ran out before all cells were decided */
} motion;

/*
 * The configuration for T_base_tip inside the limits that is nearest to a start (chain's joints), to a millionth
 * of its distance, in m->q, if it is nearer than `bound`; its distance in m->least.
 */
bool motion_nearest(motion *m, const slice_arm *arm, const kernel_ops *ops,
                    const lb_transform *target, const double *start, double bound);

#endif
