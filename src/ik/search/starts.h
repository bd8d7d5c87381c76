/*
 * starts.h - where tries start: at the user's start, at seeds of the table, at random.
 */
#ifndef IK_SEARCH_STARTS_H
#define IK_SEARCH_STARTS_H

#include "ik/search/search.h"

/* Builds the solver's table of seeds; false when there is no memory. */
bool ik_starts_create(lb_ik *ik);

/*
 * The index of the try from the user's start: the first, but where any solution will do those from
 * the table precede it.
 */
int ik_starts_own_try(const lb_ik *ik);

/* The start of a try, valid until the same lane's next. Tries from the table come in order. */
const double *ik_starts_of(const lb_ik *ik, ik_search *search, int attempt, int lane);

/* Looks up the first starts of up to ops->width searches that have begun. */
void ik_starts_look_up(lb_ik *ik, ik_search *const *searches, int count);

/* The squared distance from the user's start, radians and lengths; *farthest: of one variable. */
double ik_starts_distance(const lb_ik *ik, const ik_search *search, const double *local,
                          double *farthest);

/* Changes periodic values by whole turns to be nearest to the user's start. */
void ik_starts_unwind(const lb_ik *ik, const ik_search *search, double *local);

#endif
