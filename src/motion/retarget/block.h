/*
 * block.h - many frames that are solved side by side.
 */
#ifndef MOTION_RETARGET_BLOCK_H
#define MOTION_RETARGET_BLOCK_H

#include "motion/retarget/solver.h"

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
const retarget_goal *retarget_block_goals(const retarget_block *block, int row);
/* From where they are to the goals. */
void retarget_block_descend(retarget_block *block, retarget_stage stage);
/* Stores the rows and empties the block. */
void retarget_block_finish(retarget_block *block);
/*
 * Puts held points where they are to be, as exactly as that is possible, and stores the rows. Some
 * may wait in the block, which then has room for others, until a call that is the last.
 */
void retarget_block_hold(retarget_block *block, bool last);

#endif
