/*
 * seed_table.h - samples of configurations, found by where they bring the tool.
 *
 * ik/search/seed_table.c builds the table. Two rotations cost nothing to correct afterwards and
 * are left out of the comparison: that of a first joint about the base's z axis, and that of a
 * last joint about the tool's.
 */
#ifndef KERNEL_SEED_TABLE_H
#define KERNEL_SEED_TABLE_H

#include "kernel/problem.h"

enum {
    KERNEL_TABLE_CLASSES = 8, /* a look-up returns the nearest sample of each class */
    KERNEL_TABLE_SIDE = 32,   /* rows that are compared together */
    KERNEL_MAX_FEATURES = 9
};

typedef struct kernel_table {
    const kernel_task *task;
    const kernel_joint *joints;
    int nq;
    int features;                        /* numbers that are compared */
    bool omit_turn, omit_roll;           /* the first joint's rotation, the last joint's */
    const kernel_variable *first, *last; /* the variables that make those */
    const double *q;                     /* rows of nq numbers, limits not yet enforced */
    const lb_vec3 *axes; /* pairs: the tool's x and y without the first joint's rotation */
    const int *fixed;    /* indices of values that belong to no variable: locked joints */
    int fixed_count;
} kernel_table;

/* What a table compares of a tool's pose. */
typedef struct kernel_key {
    double angle; /* the first joint's rotation, removed from the rest */
    lb_vec3 x, y;
    float features[KERNEL_MAX_FEATURES];
} kernel_key;

#endif
