/*
 * complete.h - the complete set of solutions of an arm that has no closed form.
 */
#ifndef IK_SEARCH_COMPLETE_H
#define IK_SEARCH_COMPLETE_H

#include "ik/solver.h"

/* What the complete set says of a search. */
typedef struct ik_complete_result {
    bool found;      /* the nearest solution inside the limits is in ik->trial, confirmed */
    bool all;        /* all solutions are expected to be known */
    lb_reason proof; /* else, as ik_search.proof: to what the tolerances leave open */
    double position_error, rotation_error;
} ik_complete_result;

/*
 * Finds all solutions for a search of a general arm (ik->complete) and chooses the nearest to the
 * start: microseconds. Neither found nor proved: the set may lack some, or is infinite.
 */
ik_complete_result ik_complete_find(lb_ik *ik, const ik_search *search);

/*
 * The same from a start so near to a solution that no other one can be nearer: in a tenth of the
 * time. Not found: that is not known; never a proof.
 */
ik_complete_result ik_complete_near(lb_ik *ik, ik_search *search);

/*
 * All solutions for a target, on the turns nearest to q (the model's); false: not all of them are
 * known, or the arm's locked joints are elsewhere.
 */
bool ik_complete_list(const lb_ik *ik, const lb_transform *target, const double *q,
                      closed_set *set);

#endif
