/*
 * grid.h - configurations at the times of a plan's grid, in order, which all other frames are
 * between; what is found out about them and done with them.
 */
#ifndef MOTION_RETARGET_GRID_H
#define MOTION_RETARGET_GRID_H

#include "motion/retarget/block.h"

/* ---- grid.c --------------------------------------------------------------- */

typedef struct retarget_grid {
    retarget_solver *solver;
    retarget_block *block;
    int steps; /* the last row */
    int parts; /* that are followed from their first steps */
    size_t nq, nv;
    double *q;              /* rows of nq */
    double *arrivals;       /* rows of nq: where each part leads to */
    double *changes;        /* rows of nv: from each row to the next */
    double *guess, *change; /* nq, nv */
    unsigned char *drawn;   /* of each row: whether held feet draw its root away, */
    bool drawn_known;       /* which was found after the rows were solved last */
    unsigned char *slow;    /* of each row: whether a speed limit holds a joint back behind it */
    lb_fk_batch *root;      /* of the first pair's link of the target */
} retarget_grid;

lb_status retarget_grid_create(retarget_solver *solver, retarget_block *block, retarget_grid *grid,
                               lb_error *error);
/* All rows, in order from the first one. */
lb_status retarget_grid_solve(retarget_grid *grid, lb_error *error);
/* A fraction of the interval between two rows, along a smooth curve through all rows. */
void retarget_grid_between(retarget_grid *grid, int step, double share, double *q);

/* Where two configurations lead that follow each other a step apart. */
void retarget_grid_extrapolate(retarget_grid *grid, const double *before, const double *now,
                               double *q);
/* The most that a value differs between two configurations; the change is left in grid->change. */
double retarget_grid_distance(const retarget_grid *grid, const double *a, const double *b);
/* Changes from each row to the next, with quaternions of the same sign: of rows first to last. */
void retarget_grid_measure(retarget_grid *grid, int first, int last);
/* The step that a part begins with, or the last one. */
int retarget_grid_part(const retarget_grid *grid, int part);

/* ---- reach_hands.c -------------------------------------------------------- */

/* Moves palms that do not reach their places; whether there were any. */
bool retarget_move_hands(retarget_grid *grid, lb_retarget_report *report);
/* Releases palms while they are not at their places; *any: there were some. */
lb_status retarget_release_hands(retarget_grid *grid, lb_retarget_report *report, bool *any,
                                 lb_error *error);

/* ---- reach.c -------------------------------------------------------------- */

/* Shortens contacts at whose begin or end the root is drawn away from its goal. */
lb_status retarget_shorten_contacts(retarget_grid *grid, lb_retarget_report *report,
                                    lb_error *error);
/* Plants feet elsewhere where they draw the root away from its goal; whether there were any. */
bool retarget_move_feet(retarget_grid *grid, lb_retarget_report *report);

/* Puts a chain of a foot to where it comes to be by itself; returns how far it was moved. */
double retarget_free_chain(retarget_grid *grid, int foot, int chain);

/* ---- shortest.c ----------------------------------------------------------- */

/* Layers of nodes, one of each to be passed. */
typedef struct retarget_layers {
    int count, width;
    const double *nodes; /* count x width: the cost of each, INFINITY: there is none */
    /* from a node of a layer to one of the next; both are there */
    double (*edge)(void *user, int layer, int from, int to);
    void *user;
    double *sums; /* count x width, for the search */
    int *from;    /* likewise */
} retarget_layers;

/* The cheapest path: the node of each layer; returns its cost. */
double retarget_shortest_path(const retarget_layers *layers, int *path);

/* ---- jump.c --------------------------------------------------------------- */

/* radians per second: a limb goes over from one solution to another as fast as an arm moves without
   haste */
#define RETARGET_CALM 8.0

/* The most that a joint may change from a step to the next without jumping, by how fast those of
   the source are then; `room`: nq + nv numbers of the source. */
double retarget_calm_change(const retarget_plan *plan, int step, double *room);
/* Whether some joint but the root's jumps, by the numbers of the source one by one. */
bool retarget_is_jump(const retarget_grid *grid, int step, double *room);
/* Marks all values (nq) of the limbs whose joints jump. */
void retarget_find_limbs(const retarget_grid *grid, int step, unsigned char *limbs);

/* ---- branches.c ----------------------------------------------------------- */

/* Where a limb changes over to another solution between two rows: the smoothest path through
   several candidates around it. */
lb_status retarget_smooth_branches(retarget_grid *grid, lb_error *error);

#endif
