/*
 * timing_curve.h - the joints' motion along a part of a path as a smooth curve.
 *
 * A follower's frames are a first guess; at even shares of the part the task is solved beside it,
 * and a cubic spline goes through what is found. So the curve has derivatives, and is off the
 * path by far less than a micrometre; its knots are doubled until it is.
 */
#ifndef MOTION_TIMING_CURVE_H
#define MOTION_TIMING_CURVE_H

#include "motion/spline.h"

#include <limber/motion.h>

/* Columns of the tool: its place, and the sum of its turns since the curve's begin, as vectors
   along their axes, whose derivative is the angular velocity. */
enum { TIMING_TOOL = 6 };

/* What a curve is made from: a path that has been followed. */
typedef struct timing_source {
    lb_allocator memory; /* a pool's */
    const lb_model *model;
    lb_task task;
    const lb_path *path;
    int nq, frames;
    double *q;   /* frames x nq, at even shares of the path */
    int *moving; /* indices in q of the values that change */
    int columns; /* how many, and behind them TIMING_TOOL for the tool's place and turn */
    lb_ik *ik;   /* one descent */
    lb_state *state;
    double *row;   /* nq: values that do not change are those of the first frame */
    double *value; /* columns */
} timing_source;

/* A part of the path without corners. */
typedef struct timing_curve {
    double begin, end; /* shares of the path */
    spline spline;     /* over [0, 1]: the moving values, and the tool's columns in the base */
} timing_curve;

/* Makes the curve from `begin` to `end`; *position and *rotation (metres, radians) take the largest
   errors between knots. LB_OUT_OF_MEMORY is the one failure. */
lb_status timing_curve_make(timing_curve *c, timing_source *source, double *position,
                            double *rotation);
/* How the tool's axes in source->row differ from `before`, which becomes them: a turn in the base.
 */
lb_vec3 timing_turn(timing_source *source, lb_transform *before);
/* Fills source->row with the configuration at x in [0, 1]. */
void timing_curve_at(const timing_curve *c, timing_source *source, double x);

#endif
