/*
 * avoidance.h - solutions that are refused because something would collide.
 */
#ifndef CLI_OUTPUT_AVOIDANCE_H
#define CLI_OUTPUT_AVOIDANCE_H

#include <limber/collision.h>

#include <stddef.h>

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
