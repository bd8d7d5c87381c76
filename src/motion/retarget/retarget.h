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

/* The map of some options, checked and aligned. */
lb_status retarget_take_map(const lb_retarget_options *options, const lb_model *source,
                            const lb_model *target, const lb_allocator *memory,
                            lb_retarget_map *map, lb_error *error);

/* ---- spread.c ------------------------------------------------------------- */

/* Spreads jumps over the frames around them: count keys at `times`; adds to the report. */
lb_status retarget_spread_jumps(retarget_grid *grid, const double *times, double *keys, int count,
                                lb_retarget_report *report, lb_error *error);

/* ---- speed.c -------------------------------------------------------------- */

/* Brings keys (count rows of nq at `times`) within the speed limits, in place, and marks those that
   it changes; adds to the report. `slowed` NULL: only measures. */
lb_status retarget_limit_speeds(retarget_plan *plan, const double *times, double *keys, int count,
                                unsigned char *slowed, lb_retarget_report *report, lb_error *error);

#endif
