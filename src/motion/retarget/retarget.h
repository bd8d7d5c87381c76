/*
 * retarget.h - from a clip of one figure to a clip of another, step by step.
 *
 *     figure.h   both figures at rest: the map's pairs are aligned
 *     plan.h     where each pair is to be at any time, contacts held
 *     solver.h   a configuration of the target for that; block.h: many side by side
 *     grid.h     configurations at 30 times a second; contacts that are out of reach give way
 *     this file  the frames in between: jumps are spread, speeds limited
 */
#ifndef MOTION_RETARGET_RETARGET_H
#define MOTION_RETARGET_RETARGET_H

#include "motion/retarget/grid.h"

/* ---- retarget.c ----------------------------------------------------------- */

/* what a radian of the posture weighs, against 1 of a limb's direction: it decides only what tasks
   leave open, as the twist of a straight arm */
#define RETARGET_POSTURE 3e-3

/* LB_BAD_VALUE where a number of the options is out of range. */
lb_status retarget_check_options(const lb_retarget_options *options, lb_error *error);
/* The map of some options, checked and aligned. */
lb_status retarget_take_map(const lb_retarget_options *options, const lb_model *source,
                            const lb_model *target, const lb_allocator *memory,
                            lb_retarget_map *map, lb_error *error);

/* What comes before any frame: the map, which is in plan->map then, the plan and a solver. */
lb_status retarget_prepare(retarget_plan *plan, retarget_solver *solver, lb_error *error);

/* ---- spread.c ------------------------------------------------------------- */

/* Spreads jumps over the frames around them: count keys at `times`; adds to the report. */
lb_status retarget_spread_jumps(retarget_grid *grid, const double *times, double *keys, int count,
                                lb_retarget_report *report, lb_error *error);

/* ---- speed.c -------------------------------------------------------------- */

/* A value whose speed may be limited: one number of a joint. */
typedef struct retarget_value {
    int q, joint,
        value; /* its place in a configuration, its joint, and which of that one's it is */
    double speed;
    bool carries;   /* it moves a held point */
    double fastest; /* how fast it changes between two keys at most, over its speed */
} retarget_value;

/* Lists at most nq values, and returns how many. Those of balls and floating joints are none: only
   a limit of 0 is kept there, for which the solver locks these. */
int retarget_list_values(const retarget_plan *plan, retarget_value *values);

/* Brings keys (count rows of nq at `times`) within the speed limits, in place, and marks those that
   it changes; adds to the report. `slowed` NULL: only measures. */
lb_status retarget_limit_speeds(retarget_plan *plan, const double *times, double *keys, int count,
                                unsigned char *slowed, lb_retarget_report *report, lb_error *error);

#endif
