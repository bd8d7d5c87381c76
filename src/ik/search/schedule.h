/*
 * schedule.h - how many tries a search has, in which levels, and how many iterations each may take.
 */
#ifndef IK_SEARCH_SCHEDULE_H
#define IK_SEARCH_SCHEDULE_H

#include "ik/search/search.h"

/* Plans the tries of a search as far as its budget of iterations allows, the last perhaps in part.
 */
void ik_schedule_plan(const lb_ik *ik, ik_search *search);

/* Whether a try is the last of its level. */
bool ik_schedule_ends_level(const ik_search *search, int attempt);

/*
 * Whether a try goes on from the user's start for as long as the error falls, as a single descent
 * would: where the nearest is wanted, so that the result is never farther than where that ends. Not
 * with a budget, which one descent could use up, nor where nothing reaches the target.
 */
bool ik_schedule_exhausts(const lb_ik *ik, const ik_search *search, int attempt);

/* The iterations that a try may take; the last of all has what is left of the whole budget. */
int ik_schedule_budget(const lb_ik *ik, const ik_search *search, int attempt);

#endif
