/*
 * family.h - the nearest of infinitely many solutions, where a singular target leaves joints free.
 */
#ifndef IK_SEARCH_FAMILY_H
#define IK_SEARCH_FAMILY_H

#include "ik/solver.h"

/*
 * Moves ik->trial, a solution, along the family that it belongs to, towards the search's start and
 * into the limits, until nothing near by in the family is nearer. Does nothing where the solution
 * is no member of a family. Returns the square of its distance from the start, INFINITY where it
 * breaks limits. For arms that ik_family_applies to.
 */
double ik_family_nearest(lb_ik *ik, const ik_search *search);

/* The square of the distance of ik->trial from the start, INFINITY where it breaks limits. */
double ik_family_square(const lb_ik *ik, const ik_search *search);

/*
 * Descends from the search's start as the method does, into ik->trial. False where that does not
 * end at a solution within the tolerances.
 */
bool ik_family_descend(lb_ik *ik, ik_search *search);

enum { IK_FAMILY_SEEDS = 2 * KERNEL_CLOSED_BRANCHES };

/* Members of families, in the order of the chain's joints. */
typedef struct ik_family_seeds {
    double q[IK_FAMILY_SEEDS][CLOSED_ARM_JOINTS];
    int count;
} ik_family_seeds;

/*
 * Samples the families of a search's target all along; of each branch keeps the member that is
 * nearest to the start inside the limits, and the nearest on any turn, from which there may be a
 * way inside. Branches that are no family give their one solution.
 */
void ik_family_find_seeds(const lb_ik *ik, const ik_search *search, ik_family_seeds *seeds);

/* Whether the arm has six joints of the model and no others, so that families are looked at. */
bool ik_family_applies(const lb_ik *ik);

#endif
