/*
 * nominal.h - calibrated arms: general ones that are nearly of a class with a closed form.
 *
 * The closed form of the class gives a place near each solution, and Newton's method on the arm
 * itself the solution. Where every discriminant is far from zero, compared with what the arm
 * deviates from its class, each branch has its solution and there are no others: solutions appear
 * and vanish in pairs, at double roots alone.
 */
#ifndef LIMBER_IK_CLOSED_NOMINAL_H
#define LIMBER_IK_CLOSED_NOMINAL_H

#include "ik/closed/radius.h"
#include "kernel/general.h"
#include "kernel/ops.h"

typedef struct closed_nominal {
    bool known;
    kernel_closed form; /* of the class */
    closed_snap snap;   /* what it neglects of the arm */
    double deviation; /* of the arm from it, over some poses: as a share of its size, or radians */
} closed_nominal;

/* The solutions of one pose, in the arm's joints, unwrapped. */
typedef struct nominal_set {
    double q[KERNEL_CLOSED_BRANCHES][KERNEL_CLOSED_JOINTS];
    int branch[KERNEL_CLOSED_BRANCHES]; /* of the closed form */
    int count;
} nominal_set;

/* Looks for a class that an arm of six turning joints is nearly of. */
void closed_nominal_make(const closed_arm *arm, closed_nominal *nominal);

/*
 * All solutions for T_base_tip; false where a branch is too near to another, or Newton's method
 * disagrees: then the set is not known to be complete. `places` receives the closed form's own
 * branches in either case.
 */
bool closed_nominal_solve(const closed_nominal *nominal, const closed_arm *arm,
                          const kernel_ops *ops, const kernel_general_ops *general,
                          const kernel_ranges *ranges, const lb_transform *target,
                          const double *start, kernel_solutions *places, nominal_set *set);

#endif
