/*
 * motion.h - the motion that a pose leaves an arm of seven turning joints: its arcs and the place
 * on them that is nearest to a start.
 *
 * Every configuration is on one of eight branches at a value of one parameter: the angle of the
 * elbow where shoulder and wrist are spherical (swivel.h), else the first or last joint's value
 * (slice.h). Branches are looked at in spans of the parameter that they exist on, each as a
 * function of u from 0 to 1 that is smooth where two branches meet in its end. Between two samples
 * a joint leaves the straight line by no more than the square of their distance; so cells between
 * samples are left out that are surely outside the limits or farther than what is known, and the
 * others are divided.
 */
#ifndef LIMBER_IK_CLOSED_MOTION_H
#define LIMBER_IK_CLOSED_MOTION_H

#include "ik/closed/slice.h"
#include "ik/closed/swivel.h"

enum { MOTION_JOINTS = 7, MOTION_SPANS = 256, MOTION_CELLS = 768 };

typedef struct motion_arm {
    const closed_chain *chain;
    bool swivels;
    swivel_arm swivel;
    slice_arm slice;
} motion_arm;

/* False where the chain is no such arm; it must outlive the result. */
bool motion_recognise(const closed_chain *chain, motion_arm *arm);

/* Part of a branch between two samples. */
typedef struct motion_cell {
    int span;
    double u[2], q[2][MOTION_JOINTS], margin[2];
    double bound;               /* of the distance from the start */
    double nearest;             /* where the line is nearest, from 0 to 1 */
} motion_cell;

/* One pose, and working memory. */
typedef struct motion {
    const motion_arm *arm;
    const kernel_ops *ops;
    swivel_pose pose;
    kernel_turning turning;
    slice_span spans[MOTION_SPANS];
    int span_count;
    motion_cell cells[MOTION_CELLS];
    int cell_count;
    kernel_way way;
    double start[MOTION_JOINTS];
    double least, q[MOTION_JOINTS]; /* the nearest so far, INFINITY: none */
    bool cut;                       /* room or rounds ran out before all cells were decided */
} motion;

/* Begins a pose: T_base_tip. False where it has no parameter. */
bool motion_begin(motion *m, const motion_arm *arm, const kernel_ops *ops,
                  const lb_transform *target);

/* The joints of branches at values of the parameter, a column each; KERNEL_CLOSED_BRANCHES of them
 */
typedef struct motion_rows {
    double q[MOTION_JOINTS][KERNEL_CLOSED_BRANCHES];
    double margin[KERNEL_CLOSED_BRANCHES]; /* below 0: the branch does not exist there */
} motion_rows;
void motion_find(const motion *m, const int *branches, const double *values, motion_rows *rows);

/*
 * The configuration inside the limits that is nearest to a start (chain's joints), to a millionth
 * of its distance, in m->q, if it is nearer than `bound`; its distance in m->least.
 */
bool motion_nearest(motion *m, const double *start, double bound);

#endif
