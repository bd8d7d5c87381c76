/*
 * pace.h - joint speeds: how far an arm comes in one frame.
 *
 * A path keeps its time. Where a joint would have to turn faster than it can, beside a singularity
 * or from one branch to another, the tool leaves the path instead.
 */
#ifndef MOTION_PACE_H
#define MOTION_PACE_H

#include <limber/ik.h>

typedef struct pace {
    const lb_model *model;
    double rate;    /* frames a second; 0: speeds are not limited */
    double *change; /* nv: working memory */
} pace;

/* How far a joint may move in a frame: radians or metres, INFINITY where it has no speed. */
static inline double pace_step(const pace *p, const lb_joint *joint)
{
    return p->rate > 0 ? joint->velocity / p->rate : INFINITY;
}

/* ---- rest --------------------------------------------------------------- */

/* What counts as no movement of a joint, where a speed limit may be 0. */

/* radians or metres: a change below this is rounding, as that between equal quaternions is */
#define REST_ROUNDING 1e-9

/* A change of a joint, 0 where the joint rests. */
static inline double rest_or_change(double change)
{
    return change > REST_ROUNDING ? change : 0;
}

#endif
