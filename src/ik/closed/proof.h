/*
 * proof.h - what the solutions of a target prove where none keeps the limits.
 *
 * Solutions are those of the numbers that the target has; a proof must hold for every pose within
 * some tolerance of it, and for the arm itself, not for the one that its class makes of it: the
 * radii of radius.h decide. Of general arms nothing is proved but what lengths alone do.
 */
#ifndef LIMBER_IK_CLOSED_PROOF_H
#define LIMBER_IK_CLOSED_PROOF_H

#include "ik/closed/finder.h"

/* Every solution is as near as this to one that is listed, in every joint: radians and, of slides,
   shares of the arm. */
#define CLOSED_BOX 1e-3

/* Joints that break their limits by more than this, in radians, are excluded without their radii
   where discriminants are clear. */
#define CLOSED_PROOF_BOX 0.1

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

#endif
