/*
 * aligned.h - joints that turn about one line, of which only the sum matters.
 *
 * The axes of a wrist in line, of an upright arm, of equal links folded onto each other: such
 * joints are free to move as long as the sum of their turns stays. The nearest values to a start
 * are its projection, cut to the limits.
 */
#ifndef LIMBER_IK_CLOSED_ALIGNED_H
#define LIMBER_IK_CLOSED_ALIGNED_H

#include "ik/closed/arm.h"
#include "kernel/closed.h"

/* Joints that turn about one line; sum of sign * q over those that are free to move. */
typedef struct aligned_group {
    int count;
    int joint[KERNEL_CLOSED_JOINTS];
    double sign[KERNEL_CLOSED_JOINTS];
    double sum;
    unsigned bits;
} aligned_group;

/*
 * The joints of an arm of six that turn about the line of joint `about` at q, to within so many
 * metres and radians. Joints that must be zero are set to it and are not of the group.
 */
void aligned_find(const closed_arm *arm, const kernel_ranges *ranges, const double *q, int about,
                  double position, double rotation, aligned_group *group);

/* The sum plus the whole turns at which the start is nearest. */
double aligned_total(const aligned_group *group, const double *start);

/* The values inside the limits that are nearest to `start` and have a sum, in place of those of q;
   where none have it they come near it. */
void aligned_project(const aligned_group *group, const kernel_ranges *ranges, const double *start,
                     double total, double *q);

#endif
