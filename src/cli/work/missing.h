/*
 * missing.h - the targets that nothing was found for, named up to some number.
 */
#ifndef CLI_WORK_MISSING_H
#define CLI_WORK_MISSING_H

#include <limber/collision.h>
#include <stddef.h>

enum { MISSING_SIZE = 1536, MISSING_TEXT_SIZE = MISSING_SIZE + 64 };

/* All zeros at first. */
typedef struct missing_targets {
    int count;
    char names[MISSING_SIZE]; /* " 2 (unreachable), 4 (stalled)" */
} missing_targets;

/* Adds the target of a number, counted from 1, and why it is missing: "unreachable". */
void missing_add(missing_targets *missing, int number, const char *why);

/* "no solution for target 2 (unreachable), 4 (stalled) and 5 more" with `what` as its beginning. */
void missing_describe(const missing_targets *missing, const char *what,
                      char text[MISSING_TEXT_SIZE]);

/* The same as a remark, unless none is missing. */
void missing_remark(const missing_targets *missing, const char *what);

/* ---- solutions that collide ------------------------------------------- */

/* What came of one target: how many solutions were refused, and why the first of them was. */
typedef struct refusal {
    int count;
    lb_proximity nearest; /* of the first one, which is the nearest to the start */
} refusal;

/* A filter of all solutions, and what it has refused since `refused` was cleared. */
typedef struct avoidance {
    lb_collision *collision;
    refusal refused;
} avoidance;

/* For lb_solutions_options, `user` is the avoidance. */
bool avoidance_filter(void *user, const double *q);

/* "panda_hand and table overlap by 1.2 cm", or that they are nearer than the margin. */
void avoidance_describe(const avoidance *avoid, const refusal *refused, char *text, size_t size);

#endif
