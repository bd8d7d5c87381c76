/*
 * sample.h - a random configuration of a problem, for the samples of the table of seeds and for
 * tries that start at random.
 */
#ifndef IK_SEARCH_SAMPLE_H
#define IK_SEARCH_SAMPLE_H

#include "kernel/problem.h"

#include <limber/base.h>

/* Uniform in the limits; half a turn or three lengths about `near` where there are none. */
void ik_sample(const kernel_problem *problem, lb_random *random, const double *near, double *q);

#endif
