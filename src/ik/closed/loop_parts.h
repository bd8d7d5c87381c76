/*
 * loop_parts.h - what the files of loop.h share.
 */
#ifndef LIMBER_IK_CLOSED_LOOP_PARTS_H
#define LIMBER_IK_CLOSED_LOOP_PARTS_H

#include "ik/closed/loop.h"
#include "math/scalar.h"

#define LOOP_TURN (2 * LB_PI)

enum { LOOP_LANES = KERNEL_CLOSED_BRANCHES };

/* Where a member is on a loop, and how good it is. */
typedef struct loop_place {
    double phi, beyond, square;
    double vertex; /* of the curve through samples, in spacings from phi; NAN: they have none */
    double low;    /* the squared distance hardly is less beside it */
    bool alone;    /* not known to be better than what is beside it */
} loop_place;

/* Where a joint passes a limit: in a cell from 0 to 1. */
typedef struct loop_passage {
    int joint;
    double limit, at;
} loop_passage;

static inline bool loop_is_better(double beyond, double square, double than_beyond,
                                  double than_square)
{
    return beyond < than_beyond || (beyond == than_beyond && square < than_square);
}

/* a difference of joint k's values, but for whole turns */
static inline double loop_difference(const family_problem *p, int k, double d)
{
    return d - LOOP_TURN * scalar_round(d * (p->ranges.is_length[k] ? 0 : 1 / LOOP_TURN));
}

/* the least squared distance that is of use */
static inline double loop_enough(const family_problem *p, const family_member *best)
{
    return scalar_min(p->bound, best->beyond > 0 ? INFINITY : best->square);
}

/* Looks at the members from `phi` on, each `step` after the one before, and keeps the best; those
   that are none have infinite distances. */
void loop_look(const family_problem *p, const family_loop *loop, double phi, double step,
               kernel_members *at, family_member *best);

/* The vertex of the curve of the fourth degree through five equidistant values or, if `wide` is 1,
   of the parabola through the three in the middle: where it is, in spacings from the middle, and
   its value. False: it has none there. */
bool loop_vertex(const double f[5], int wide, double *off, double *value);

/* The vertex of the parabola through three values, wherever it is. */
double loop_parabola(double low, double middle, double high);

/* Narrows the interval round a local minimum. */
void loop_narrow(const family_problem *p, const family_loop *loop, double spacing, loop_place from,
                 family_member *best);

/* Looks at where a joint passes a limit near a place and another one does, too, or where it touches
   one: on both sides joints are on other turns, or outside. */
void loop_look_at_limit(const family_problem *p, const family_loop *loop, loop_passage limit,
                        double where, double step, family_member *best);

#endif
