/*
 * radius.h - by how much the solutions of a closed form may be off, and where it surely has none.
 *
 * The form solves an ideal arm, whose axes are exactly parallel or meet exactly. The real arm's
 * tool is nowhere farther from the ideal one's than a turn and a shift that follow from what
 * recognising the class has neglected (the snap). So if the real arm reaches a target, the ideal
 * one reaches a pose near it, with the same joints; and each step of the closed form says by how
 * much its angle changes at most between these two targets, or that there is no root for any.
 * Rounding and tolerances widen the target in the same way.
 */
#ifndef LIMBER_IK_CLOSED_RADIUS_H
#define LIMBER_IK_CLOSED_RADIUS_H

#include "ik/closed/class.h"

/* By how much a pose may be off: metres and radians. */
typedef struct closed_slack {
    double position, rotation;
} closed_slack;

/* What recognising a class neglects, as the form sees it. */
typedef struct closed_snap {
    double rotation;  /* of the last link, radians */
    double position;  /* of the place where the wrist's axes meet, metres */
    double per_metre; /* and more for each metre that this place is away from the first axis */
    lb_vec3 shoulder; /* a point of that axis */
    double reach;     /* the arm's places: how far they are from the origin, metres */
} closed_snap;

/* The snap of an arm's form. */
closed_snap closed_snap_of(const closed_arm *arm, const kernel_closed *form);

/* What the pair has to do: to carry the anchor to a place. */
typedef struct closed_carry {
    lb_vec3 anchor;
    double anchor_off, x_off; /* by how much these are off */
    bool missed;
    double radius; /* of the single joint */
} closed_carry;

/* A target as a form sees it, widened. */
typedef struct closed_wide {
    const kernel_closed *form;
    lb_vec3 center;     /* where the wrist must be */
    double off, turned; /* by how much it is off at most, and its last axis: metres, radians */
    double rounding;    /* of differences of places, metres */
    double stretch;     /* of the lengths of directions, which should be one */
    closed_carry carry; /* after a single joint that turns, which is the same for all branches */
} closed_wide;

/* `slack` is the tolerance; rounding and the snap come on top. */
closed_wide closed_widen(const kernel_closed *form, const closed_snap *snap,
                         const lb_transform *target, closed_slack slack);

/* How far every solution near a branch is from it at most. */
typedef struct closed_radii {
    bool missed; /* the branch has no solution for any of the poses */
    /* of the arm's joints, unless it is missed: radians or metres; INFINITY: any */
    double at[KERNEL_CLOSED_JOINTS];
} closed_radii;

/* radians, more than half a turn */
#define CLOSED_OPEN 9.0

/* Those of a target's branches, as far as they were asked for; zero at first. */
typedef struct closed_radii_set {
    closed_wide wide;
    unsigned known;
    closed_radii of[KERNEL_CLOSED_BRANCHES];
} closed_radii_set;

/* Of one branch; set->wide is made. */
const closed_radii *closed_branch_radii(closed_radii_set *set, const kernel_solutions *found,
                                        int branch);

/*
 * A discriminant above which, in absolute value, every branch of a target within `far` metres of
 * the origin surely has no solution, or has radii of at most `box` radians; INFINITY where none is
 * known to be. It saves the radii themselves.
 */
double closed_clear_above(const kernel_closed *form, const closed_snap *snap, closed_slack slack,
                          double far, double box);

/* a target's axes that are off by no more are as rounding leaves them */
#define CLOSED_USUAL_DEFECT 1e-13

/* What a target's axes lack of being orthonormal, and a little, in radians. */
double closed_defect(const lb_transform *target);

#endif
