/*
 * branches.h - the branches of an arm with a closed form, as configurations of the model.
 */
#ifndef LIMBER_IK_SEARCH_BRANCHES_H
#define LIMBER_IK_SEARCH_BRANCHES_H

#include "ik/solver.h"

/* The branches of one pose; bits. */
typedef struct ik_branches {
    kernel_solutions found;
    unsigned solve, tried;
} ik_branches;

/* All branches for a target, on the turns nearest to a start (model's q) */
void ik_branches_find(lb_ik *ik, const lb_transform *target, const double *start, ik_branches *b);

/* The branch that is next: inside the limits, and the nearest or the first; -1: none is left */
int ik_branches_next(const lb_ik *ik, const ik_branches *b, bool nearest);

/* The value of joint i of the arm in a branch, brought inside the limits */
double ik_branches_value(const lb_ik *ik, const ik_branches *b, int i, int branch);

/* The model's configuration of a branch, in ik->trial */
void ik_branches_place(lb_ik *ik, const ik_search *s, const ik_branches *b, int branch);

/* The errors of ik->trial, by the model's own frames. */
void ik_measure(lb_ik *ik, const ik_search *s, lb_ik_result *result);

/* Whether both errors of a result keep the tolerances. */
bool ik_is_reached(const lb_ik *ik, const lb_ik_result *result);

#endif
