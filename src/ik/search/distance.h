/*
 * distance.h - how far configurations are from the user's start, and the turns nearest to it.
 */
#ifndef IK_SEARCH_DISTANCE_H
#define IK_SEARCH_DISTANCE_H

#include "ik/search/search.h"

/*
 * The squared distance from the user's start, radians and lengths by the weights of their joints;
 * *farthest: the largest of one variable, without a weight.
 */
double ik_distance(const lb_ik *ik, const ik_search *search, const double *local, double *farthest);

/* Changes periodic values by whole turns to be nearest to the user's start. */
void ik_distance_unwind(const lb_ik *ik, const ik_search *search, double *local);

#endif
