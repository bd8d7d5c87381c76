/*
 * stream.h - what a stream is made of: see stream.c.
 */
#ifndef MOTION_RETARGET_STREAM_H
#define MOTION_RETARGET_STREAM_H

#include "ik/body/solver.h"
#include "motion/retarget/retarget.h"

/* metres a second: what goes on faster has jumped; people do not */
#define STREAM_JUMP 12.0

/* A point of a foot: in the source it rests, in the target it is held. */
typedef struct stream_point {
    bool seen;        /* there was a frame before */
    bool rests;       /* the source's */
    lb_vec3 lately;   /* where the source's was, */
    lb_vec3 began;    /* and where when it came to rest */
    double low;       /* how high it has been at least since then */
    double idle;      /* seconds until it may rest again */
    double share;     /* of the way to where it is held, in time */
    bool planted;     /* the target's is in its place */
    bool unreachable; /* it is let go, until it is free */
} stream_point;

typedef struct stream_foot {
    stream_point points[LB_RETARGET_HELD];
    lb_quat turn, off_turn; /* axes of the goal before; what the free ones are turned by */
    lb_vec3 place, off;     /* its place; what the free one is moved by, along the ground */
} stream_foot;

/* Where a stream is. */
typedef enum stream_phase { STREAM_NEW, STREAM_PLACED, STREAM_RUNNING } stream_phase;

struct lb_retarget_stream {
    memory_pool pool; /* of all else */
    retarget_plan plan;
    retarget_solver solver;
    lb_retarget_options options;
    lb_retarget_map map;
    stream_foot feet[LB_RETARGET_PAIRS]; /* of the plan's feet that stand */
    lb_contact_point points[LB_RETARGET_PAIRS * LB_RETARGET_HELD]; /* of the target, in order */
    int point_count;
    retarget_value *values;
    body_speed *speeds; /* of the values */
    double *velocities; /* of the values */
    int value_count;
    double *start, *q, *before, *try; /* nq */
    stream_phase phase;
    double time;          /* of the frame before */
    lb_vec3 root, jumped; /* where the root's free goal was; what all goals are moved by */
    lb_retarget_frame frame;
};

/* ---- stream_feet.c -------------------------------------------------------- */

/* What is left after `time` of what fades to a third within `fade`, about. */
static inline double stream_decay(double time, double fade)
{
    return fade / (fade + time);
}
/* Where feet are to be in a frame, from their free goals and the source's state. */
void stream_hold_feet(lb_retarget_stream *s, double time);
/* What became of them in the frame's configuration; adds to s->frame. */
void stream_settle_feet(lb_retarget_stream *s);

#endif
