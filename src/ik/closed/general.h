/*
 * general.h - every solution of any arm of six revolute joints, up to sixteen.
 *
 * No special geometry is needed and none is refused: spherical wrists, parallel axes
 * and arms that only nearly have them go the same way. Nothing is allocated; a prepared
 * arm is a plain struct that threads may share.
 */
#ifndef LIMBER_IK_CLOSED_GENERAL_H
#define LIMBER_IK_CLOSED_GENERAL_H

#include "ik/closed/class.h"
#include "kernel/general.h"

enum { GENERAL_SOLUTIONS = 16, GENERAL_ORDERINGS = 2, GENERAL_MAX_SAMPLES = 48 };

/*
 * What is known of an arm before any target is: of one order in which its joints are
 * eliminated. The loop has joint 0 as its z axis; lengths are in units of the arm's size.
 */
typedef struct general_ordering {
    bool reversed; /* from the tip to the base: joint i of the loop is joint 5 - i, turned back */
    lb_transform base_loop;               /* T_base_loop, metres */
    kernel_loop loop;                     /* without a target */
    lb_vec3 line_point[3], line_along[3]; /* joint 4's axis turned back by joint 5: 0, pi, pi/2 */
    lb_vec3 across;                       /* unit, at right angles to joint 4's axis */
    double features[GENERAL_FEATURES][GENERAL_STRIDE]; /* of joint 4's axis moved by 1, 2, 3 */
    double noise; /* of a determinant, over some poses of the arm; near 1: always zero */
} general_ordering;

/* What a set is worth. */
typedef enum general_effort {
    GENERAL_THOROUGH, /* eliminations until it is certain, 24 at most */
    GENERAL_USUAL,    /* 2 at most; zeros without a solution are not looked at again if others have
                         one */
    GENERAL_QUICK /* as usual; but of targets at which the outer axes are parallel or meet one, and
                     few zeros are looked at again: descents find sooner what that misses */
} general_effort;

/* An arm of six revolute joints, prepared. */
typedef struct general_arm {
    closed_arm arm;
    general_ordering orderings[GENERAL_ORDERINGS]; /* the better one first */
    lb_transform tip_home;                         /* inverse of the arm's home */
    double size;                                   /* metres in a unit of length */
    general_effort effort;
    double cosines[3][GENERAL_MAX_SAMPLES], sines[3][GENERAL_MAX_SAMPLES]; /* of sampled angles */
} general_arm;

typedef struct general_solution {
    double q[GENERAL_JOINTS]; /* in (-pi, pi] */
    double error;             /* norm of position error / size and rotation error (rad), <= 1e-12 */
    double conditioning;      /* smallest pivot of the Jacobian as a part of its greatest entry */
    bool mirrored;            /* the Jacobian's determinant is negative */
    int multiplicity;         /* 2: two solutions meet here (singular) */
} general_solution;

typedef enum general_certificate {
    GENERAL_UNCERTAIN, /* solutions may be missing, or there are infinitely many */
    GENERAL_COMPLETE,  /* independent eliminations found the same ones, and know at each place how
                          many there are at most */
    GENERAL_CERTIFIED  /* every zero of one determinant is isolated and accounted for */
} general_certificate;

typedef struct general_summary {
    int count;       /* distinct solutions */
    int total;       /* counted as often as they are multiple; even but for singular targets */
    bool truncated;  /* there were more than GENERAL_SOLUTIONS */
    bool infinite;   /* a solution is one of a continuous family; it is then a sample */
    unsigned moving; /* the joints that move in such a family, bit i is joint i */
    double noise;    /* the determinant's error as a part of its greatest harmonic */
    /* the least error, in units of the arm's size and radians, of singular configurations that
       are no solutions: rounding decides whether those at 1e-5 or less are; INFINITY: there is
       none; 0 where noise hides what is there */
    double nearest_miss;
    kernel_series series; /* the determinant that was certified */
    int determinants;     /* how many eliminations were made */
    general_certificate certificate;
} general_summary;

/*
 * Prepares an arm. Returns false where it has not six revolute joints, a number is not
 * finite, all axes meet in one point (no length to measure by), or the arm is singular wherever it
 * is, so that its solutions are none or infinitely many. `ops` may be any width.
 */
bool general_prepare(const closed_arm *arm, const kernel_general_ops *ops, general_arm *general);

/*
 * Finds every solution of T_base_tip(q) = *tip_in_base, which must be rigid, and returns
 * how many of out[0 .. GENERAL_SOLUTIONS) were filled. Each has been confirmed by forward
 * kinematics; their order is the same for any width.
 */
int general_solve(const general_arm *arm, const kernel_general_ops *ops,
                  const lb_transform *tip_in_base, general_solution *out, general_summary *summary);

/* The least absolute value of a series where its slope vanishes: zeros meet or appear there. 0
   where that is not known, INFINITY of a constant. */
double general_clearance(const kernel_general_ops *ops, const kernel_series *series);

#endif
