/*
 * retarget.h - from a clip of one figure to a clip of another, step by step.
 *
 *     figure.h   both figures at rest: the map's pairs are aligned
 *     plan.h     where each pair is to be at any time, contacts held
 *     solver.h   a configuration of the target for that
 *     this file  many side by side; configurations at 30 times a second; contacts that are out of
 *                reach give way; the frames in between: speeds limited
 */
#ifndef MOTION_RETARGET_RETARGET_H
#define MOTION_RETARGET_RETARGET_H

#include "motion/retarget/solver.h"

/* ---- block.c -------------------------------------------------------------- */

/* Frames that are solved side by side; what comes of one does not depend on the others. */
typedef struct retarget_block {
    retarget_solver *solver;
    int count, capacity, waiting; /* rows; the first ones wait for others like them */
    retarget_goal *goals;         /* rows of one for each pair and touch */
    lb_transform *targets;        /* rows of one for each task of the solver */
    double *weights;              /* likewise */
    double *q;                    /* rows of nq */
    double **to;                  /* where each row goes in the end */
    int *iterations;
    lb_fk_batch *feet;     /* of the links that have held points */
    lb_transform *feet_at; /* rows of these, in the order of the pairs */
    int feet_count;
    retarget_feet worst; /* of all rows that retarget_block_hold has stored */
} retarget_block;

lb_status retarget_block_create(retarget_solver *solver, retarget_block *block, lb_error *error);
/* Adds a frame that is to be solved into `to`; returns its row, which the start goes to. */
double *retarget_block_add(retarget_block *block, double time, double *to);
/* The goals of a row. */
retarget_goal *retarget_block_goals(const retarget_block *block, int row);
/* From where they are to the goals. */
void retarget_block_descend(retarget_block *block, retarget_stage stage);
/* Stores the rows and empties the block. */
void retarget_block_finish(retarget_block *block);
/*
 * Puts held points where they are to be, as exactly as that is possible, and stores the rows. Some
 * may wait in the block, which then has room for others, until a call that is the last.
 */
void retarget_block_hold(retarget_block *block, bool last);

/* ---- grid.c --------------------------------------------------------------- */

typedef struct retarget_grid {
    retarget_solver *solver;
    retarget_block *block;
    int steps; /* the last row */
    int parts; /* that are followed from their first steps */
    size_t nq, nv;
    double *q;              /* rows of nq */
    double *arrivals;       /* rows of nq: where each part leads to */
    double *joints;         /* rows of nq: motions that are tried between parts */
    double *changes;        /* rows of nv: from each row to the next */
    double *guess, *change; /* nq, nv */
    double *source;         /* nq + nv of the source */
    unsigned char *drawn;   /* of each row: whether held feet draw its root away, */
    bool drawn_known;       /* which was found after the rows were solved last */
    unsigned char *slow;    /* of each row: whether a speed limit holds a joint back behind it */
    lb_fk_batch *root;      /* of the first pair's link of the target */
} retarget_grid;

static inline double *retarget_grid_row(const retarget_grid *grid, int step)
{
    return grid->q + (size_t)step * grid->nq;
}
lb_status retarget_grid_create(retarget_solver *solver, retarget_block *block, retarget_grid *grid,
                               lb_error *error);
/* All rows, in order from the first one. */
lb_status retarget_grid_solve(retarget_grid *grid, lb_error *error);
/* A fraction of the interval between two rows, along a smooth curve through all rows. */
void retarget_grid_between(retarget_grid *grid, int step, double share, double *q);

/* Changes from each row to the next, with quaternions of the same sign: of rows first to last. */
void retarget_grid_measure(retarget_grid *grid, int first, int last);
/* radians per second: a limb goes over from one solution to another as fast as an arm moves without
   haste */
#define RETARGET_CALM 8.0
/* What a joint but the root's changes by at most from a row to the next, 0: none jumps. And all
   jumps moved to where they cost least. */
double retarget_grid_jump(const retarget_grid *grid, int step);
void retarget_grid_move_jumps(retarget_grid *grid);

/* ---- reach.c -------------------------------------------------------------- */

/* Contacts that limbs do not reach are shortened, moved or released, and rows solved again. */
lb_status retarget_give_way(retarget_grid *grid, lb_retarget_report *report, lb_error *error);

/* Moves places that held points miss in the rows as they are to where these come to be; whether
   there were any. */
bool retarget_move_missed(retarget_grid *grid, lb_retarget_report *report);

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

/* ---- speed.c -------------------------------------------------------------- */

/* A value whose speed may be limited: one number of a joint. */
typedef struct retarget_value {
    int q, joint,
        value; /* its place in a configuration, its joint, and which of that one's it is */
    double speed;
    bool carries;   /* it moves a held point or a loop */
    double fastest; /* how fast it changes between two keys at most, over its speed */
} retarget_value;

/* Lists at most nq values, and returns how many. Those of balls and floating joints are none: only
   a limit of 0 is kept there, for which the solver locks these. */
int retarget_list_values(const retarget_plan *plan, retarget_value *values);

/* The largest acceleration that the options allow a joint, INFINITY: any. */
double retarget_largest_bend(const retarget_plan *plan, int joint);
/* How far keys (count rows of nq at `times`) are beyond that: into the report. */
lb_status retarget_measure_bends(const retarget_plan *plan, const double *times, const double *keys,
                                 int count, lb_retarget_report *report, lb_error *error);

/* Brings keys (count rows of nq at `times`) within the speed limits, in place, and marks those that
   it changes; adds to the report. `slowed` NULL: only measures. */
lb_status retarget_limit_speeds(retarget_plan *plan, const double *times, double *keys, int count,
                                unsigned char *slowed, lb_retarget_report *report, lb_error *error);

#endif
