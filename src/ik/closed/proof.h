/*
 * proof.h - what the solutions of a target prove where none keeps the limits.
 *
 * Solutions are those of the numbers that the target has; a proof must hold for every pose within
 * some tolerance of it. So it is given only where all that the solver has left out is clearly none,
 * and all that it has found clearly breaks limits.
 */
#ifndef LIMBER_IK_CLOSED_PROOF_H
#define LIMBER_IK_CLOSED_PROOF_H

#include "ik/closed/finder.h"

/*
 * A target that a branch misses by this many times the tolerances, as a share of the arm, or by
 * as many radians or shares beyond a limit, is missed by every configuration near it too: a
 * discriminant changes by a few times what the target does, divided by the shortest link, and that
 * is rarely under a hundredth of the arm.
 */
#define CLOSED_CLEAR_MISS 1e3

/* Angles of a general arm's solutions are open to 1e-12, to which it confirms them, over the least
   share of a pivot that counts as regular, 3e-7, and some room. */
#define CLOSED_GENERAL_ANGLE 1e-5

/* Whether every branch of a closed form either has a solution or clearly has none. */
bool closed_form_is_clear(const closed_finder *finder, const kernel_solutions *found,
                          double tolerance);

/*
 * What the branches of a closed form prove where no configuration was confirmed, `tolerance` in
 * radians and as a share of the arm: LB_REASON_REACH where every branch clearly has no solution,
 * LB_REASON_LIMITS where those that have one clearly break limits, else LB_REASON_NONE.
 */
lb_reason closed_form_proof(const closed_finder *finder, const kernel_solutions *found,
                            double tolerance);

/* The same of a general arm's set. */
lb_reason closed_set_proof(const closed_chain *chain, const closed_set *set, double tolerance);

#endif
