/*
 * timing_run.h - what lb_timing_make works with, and the parts of a path between its corners.
 */
#ifndef MOTION_TIMING_RUN_H
#define MOTION_TIMING_RUN_H

#include "motion/profile.h"
#include "motion/timing_curve.h"

#include <limber/timing.h>

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
    lb_model *inner;               /* with a margin inside its limits: what is followed */
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

/* LB_OUT_OF_MEMORY, and the run's error says so. */
lb_status timing_no_memory(const timing_run *r);

/* ---- timing_parts.c --------------------------------------------------------- */

/* Cuts the path into parts where it has corners. */
lb_status timing_cut(timing_run *r);
/* Each part's curve, and the result's errors; source.row has the values that do not move. */
lb_status timing_make_curves(timing_run *r);
/* Each part's profile, in so many cells for each span of the path. */
lb_status timing_make_profiles(timing_run *r, int cells);
/*
 * The share of a part at tau, and its derivatives: a polynomial that leaves both ends with neither
 * speed nor acceleration.
 */
double timing_ease(double tau, double *first, double *second, double *third);

#endif
