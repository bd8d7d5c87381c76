/*
 * proof.h - what the solutions of a target prove where none keeps the limits.
 *
 * Solutions are those of the numbers that the target has; a proof must hold for every pose within
 * some tolerance of it, and for the arm itself, not for the one that its class makes of it. Of
 * closed forms the radii of radius.h decide; of general arms, how clear the determinant is.
 */
#ifndef LIMBER_IK_CLOSED_PROOF_H
#define LIMBER_IK_CLOSED_PROOF_H

#include "ik/closed/finder.h"

/*
 * Of general arms: a target that is missed by this many times the tolerances, as a share of the
 * arm, or by as many radians or shares beyond a limit, is missed by every configuration near it.
 */
#define CLOSED_CLEAR_MISS 1e3

/* Angles of a general arm's solutions are open to 1e-12, to which it confirms them, over the least
   share of a pivot that counts as regular, 3e-7, and some room. */
#define CLOSED_GENERAL_ANGLE 1e-5

/* Every solution is as near as this to one that is listed, in every joint: radians and, of slides,
   shares of the arm. */
#define CLOSED_BOX 1e-3

/* To be complete a set must hold for the target and what is as near to it, radians and shares of
   the arm: far above rounding, and so little that only singular places lose their proof. */
#define CLOSED_COMPLETE 1e-12

/* Tolerances, and what joints that are taken for idle move the tool by. */
closed_slack closed_slack_of(const closed_finder *finder, double position, double rotation);

/*
 * Whether every solution for a target is as near as CLOSED_BOX to one of the branches that solve
 * it.
 */
bool closed_form_is_clear(const closed_finder *finder, const kernel_solutions *found,
                          const lb_transform *target);

/*
 * What the branches of a closed form prove: LB_REASON_REACH where none has a solution for any pose
 * within the slack of the target, LB_REASON_LIMITS where those that may have one surely break
 * limits, else LB_REASON_NONE.
 */
lb_reason closed_form_proof(const closed_finder *finder, const kernel_solutions *found,
                            const kernel_closed *form, const closed_snap *snap,
                            const lb_transform *target, closed_slack slack);

/*
 * Whether the solutions of an arm that is nearly of a class are all: every branch either has none,
 * or one so near to the solution that no other one can be as near.
 */
bool closed_nominal_is_clear(const closed_finder *finder, const lb_transform *target,
                             const kernel_solutions *places, const nominal_set *found);

/* The same of a general arm's set, `tolerance` in radians and as a share of the arm. */
lb_reason closed_set_proof(const closed_chain *chain, const closed_set *set, double tolerance);

#endif
