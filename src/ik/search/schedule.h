/*
 * schedule.h - how many tries a search has, in which levels, and how many iterations each may take.
 */
#ifndef IK_SEARCH_SCHEDULE_H
#define IK_SEARCH_SCHEDULE_H

#include "ik/search/search.h"

/* Plans the tries of a search as far as its budget of iterations allows, the last perhaps in part.
 */
void ik_schedule_plan(const lb_ik *ik, ik_search *search);

/* The level of a try. Most are of the first, which costs no division. */
static inline int ik_schedule_level(const ik_search *search, int attempt)
{
    return attempt < search->level_tries ? 0 : attempt / search->level_tries;
}

/* Whether a try is the last of its level. */
static inline bool ik_schedule_ends_level(const ik_search *search, int attempt)
{
    int end = (ik_schedule_level(search, attempt) + 1) * search->level_tries;
    return search->level_tries > 1 && attempt + 1 == end;
}

/*
 * Whether a try goes on from the user's start for as long as the error falls, as a single descent
 * would: where the nearest is wanted, so that the result is never farther than where that ends. Not
 * with a budget, which one descent could use up, nor where nothing reaches the target.
 */
bool ik_schedule_exhausts(const lb_ik *ik, const ik_search *search, int attempt);

/* The iterations that a try may take; the last of all has what is left of the whole budget. */
int ik_schedule_budget(const lb_ik *ik, const ik_search *search, int attempt);

#endif
