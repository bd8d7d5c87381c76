/*
 * timing.h - what lb_timing_make works with: a path that has been followed, smooth curves between
 * its corners, and how fast they are run through.
 */
#ifndef MOTION_TIMING_H
#define MOTION_TIMING_H

#include "motion/branch.h"
#include "motion/spline.h"

#include <limber/loops.h>
#include <limber/timing.h>

/* ---- profiles: profile.c ---------------------------------------------------- */

/*
 * How fast a curve is run through: the least time within limits on derivatives.
 *
 * A curve p(tau), 0 <= tau <= 1, is known by its first three derivatives at three places of each of
 * n cells. With g = (d tau / dt)^2 the derivatives in time are
 *
 *     p . = p' sqrt(g)
 *     p ..  = p'' g + p' g' / 2
 *     p ... = (p''' g + 3/2 p'' g' + p' g'' / 2) sqrt(g)
 *
 * and each channel bounds the length of some columns of them. g is a quadratic B-spline over the
 * cells. The time, the integral of 1 / sqrt(g), is convex in g; limits of speed and acceleration
 * are convex, that of jerk, |...| <= limit / sqrt(g), is concave on one side (Debrouwere et al.
 * 2013), which Newton's method steps over by leaving its negative curvature out.
 */

/* places in a cell: its beginning, middle and end */
enum { PROFILE_PLACES = 3, PROFILE_DERIVATIVES = 3 };

/* Columns whose derivatives have a length that is bounded. */
typedef struct profile_channel {
    int first, count;
    double limits[PROFILE_DERIVATIVES]; /* of speed, acceleration and jerk; INFINITY: none */
} profile_channel;

typedef struct profile {
    int cells, columns, channels;
    const profile_channel *channel;
    /* PROFILE_DERIVATIVES x columns x cells x PROFILE_PLACES, by tau; read by profile_solve alone
     */
    double *derivatives;
    double *g;     /* cells + 2 coefficients: the result */
    double *times; /* cells + 1: when each cell begins, and the end */
    double *work;  /* of profile_work(cells) numbers, for profile_solve */
} profile;

size_t profile_work(int cells);

/*
 * Finds the coefficients and times of the fastest profile; false where nothing moves that has a
 * limit, and all times are 0. `coarse` are the coefficients of half as many cells, NULL: not known.
 */
bool profile_solve(profile *p, const double *coarse);
/* tau at a time, in [0, 1]. */
double profile_at(const profile *p, double time);

/* ---- curves: timing_parts.c ------------------------------------------------- */

/*
 * The joints' motion along a part of a path as a smooth curve. The configurations that were
 * followed are a first guess; at places that are close where joints move fast or turn another way
 * the task is solved beside it, and a cubic spline goes through what is found. So the curve has
 * derivatives, and is off the path by far less than a micrometre; its knots are doubled until it
 * is.
 */

/* Metres and radians off the path that are promised. */
#define TIMING_OFF 1e-6

/* Columns of the tool: its place, and the sum of its turns since the curve's begin, as vectors
   along their axes, whose derivative is the angular velocity. */
enum { TIMING_TOOL = 6 };

/* What a curve is made from: a path that has been followed. */
typedef struct timing_source {
    lb_allocator memory;   /* a pool's */
    const lb_model *model; /* as the options want it */
    const lb_model *inner; /* with a margin inside its limits: what is followed */
    lb_task task;
    const lb_path *path;
    int nq, frames;
    size_t room;         /* frames */
    double *q;           /* frames x nq, */
    double *at;          /* at these shares of the path */
    int *moving;         /* indices in q of the values that change */
    int columns;         /* how many, and behind them TIMING_TOOL for the tool's place and turn */
    lb_ik *ik;           /* one descent, */
    lb_ik *damped;       /* and steps that leave singular directions alone: the follower's */
    branches *solutions; /* of arms whose solutions are known, else NULL */
    lb_state *state;
    lb_assembly *assembly; /* of a model with loops, else NULL */
    double *row;           /* nq: values that do not change are those of the first frame */
    double *value;         /* columns */
} timing_source;

/* A part of the path without corners. */
typedef struct timing_curve {
    double begin, end; /* shares of the path */
    bool paced;        /* it has a pace of its own, else that of the path */
    bool still;        /* joints turn, and the tool stays */
    spline spline;     /* over [0, 1]: the moving values, and the tool's columns in the base */
} timing_curve;

/* How the tool's axes in source->row differ from `before`, which becomes them: a turn in the base.
 */
lb_vec3 timing_turn(timing_source *source, lb_transform *before);
/* Fills source->row with the configuration at x in [0, 1]. */
void timing_curve_at(const timing_curve *c, timing_source *source, double x);

/* ---- timing.c --------------------------------------------------------------- */

/* a part of the path may have so many times the cells that one span has */
enum { TIMING_SPANS_MOST = 24 };

/* One part, from rest to rest. */
typedef struct timing_part {
    timing_curve curve;
    profile profile;
    int first, steps; /* samples: the first one's index, and how many follow */
} timing_part;

typedef struct timing_run {
    timing_source source;
    const lb_timing *how;
    const lb_model *model;         /* of the clip */
    lb_model *view;                /* with the joints as the options want them, NULL: as they are */
    const lb_allocator *allocator; /* of the clip */
    lb_timing_result *result;
    lb_error *error;
    double *limits;            /* three numbers for each value of q */
    profile_channel *channels; /* of the moving values, and of the tool */
    int channel_count;
    timing_part *parts;
    int part_count, samples;
    double *history; /* the last four samples' values that are bounded */
} timing_run;

/* ---- timing_follow.c -------------------------------------------------------- */

/* Places that each span of a path is followed by, at least. */
enum { TIMING_FRAMES = 96 };

/* Follows the path as far as it can be; the result says where that is not to its end. */
lb_status timing_follow(timing_run *r, const lb_follow *follow, const double *start);

/* ---- timing_parts.c --------------------------------------------------------- */

/* Cuts the path into parts where it has corners. */
lb_status timing_cut(timing_run *r);
/* How many spans of the path a part has, TIMING_SPANS_MOST at most. */
int timing_count_spans(const timing_run *r, const timing_part *part);
/* Each part's curve, and the result's errors; source.row has the values that do not move. */
lb_status timing_make_curves(timing_run *r, bool paced);
/* Each part's profile, in so many cells for each span of the path. */
lb_status timing_make_profiles(timing_run *r, int cells);
/*
 * The share of a part at tau, and its derivatives: a polynomial that leaves both ends with neither
 * speed nor acceleration.
 */
double timing_ease(double tau, double *first, double *second, double *third);

#endif
