/*
 * exact.h - solutions in closed form in place of a search, where the arm has one.
 */
#ifndef IK_SEARCH_EXACT_H
#define IK_SEARCH_EXACT_H

#include "ik/solver.h"

/*
 * Sets ik->exact where a solver's task, method and options leave the choice of the solution to us
 * and its arm has a closed form, ik->complete where it has none and is a general arm of six joints;
 * then makes ik->finder. Its locked joints are where `ik->neutral` has them.
 */
void ik_exact_create(lb_ik *ik);

/*
 * Tries to end a search that has begun: the solution nearest to the start or, where any will do,
 * the first one inside the limits, confirmed; or the proof that there is none, with the closest
 * configuration that the proof knows. Of general arms only where the nearest is wanted: others are
 * sooner found by a search. True: q and *result are filled. False: nothing is known, or
 * the closest of all is wanted; then search->proof says whether there is a solution at all.
 */
bool ik_exact_run(lb_ik *ik, ik_search *search, double *q, lb_ik_result *result);

/* The same for up to ops->width searches, into rows of q; returns a bit for each that has ended. */
unsigned ik_exact_run_some(lb_ik *ik, ik_search *const *searches, int count, double *const *q,
                           lb_ik_result *const *results);

/* What keeps the solutions of a target from being inside the limits. */
typedef struct ik_exact_limits {
    int count;     /* solutions, none of them inside the limits */
    int joint;     /* of the solution that breaks them least, the model's joint that does most */
    double beyond; /* by how much, radians or metres */
    bool is_length;
} ik_exact_limits;

/* False where there is no solution, one inside the limits, or no closed form. */
bool ik_exact_limit(lb_ik *ik, const lb_transform *target, const double *q,
                    ik_exact_limits *limits);

#endif
