/*
 * curve.h - the self-motion of any arm of seven turning joints, followed.
 *
 * The configurations that reach a pose are closed curves on the torus of the joints' angles. A
 * slice, all solutions of the other six joints where one is held at a value, meets every curve that
 * passes this value. From each solution that is on no known curve a new one is followed all round
 * by Newton's method; the arcs are the parts of curves inside the limits. A curve that no slice
 * meets is missed: nothing is proved to be complete.
 *
 * The null vector t of the Jacobian J is signed so that det [J; t] > 0: one direction along every
 * curve, which tells those apart that pass each other closely.
 *
 * Sources: Burdick 1989, "On the inverse kinematics of redundant manipulators: characterization of
 * the self-motion manifolds"; Allgower and Georg 1990, "Numerical Continuation Methods" (the
 * orientation).
 */
#ifndef LIMBER_IK_CLOSED_CURVE_H
#define LIMBER_IK_CLOSED_CURVE_H

#include "ik/closed/chain.h"
#include "ik/closed/general.h"

enum {
    CURVE_JOINTS = 7,
    CURVE_DENSE = 10, /* slices of each of two joints */
    CURVE_SLICES = 2 * CURVE_DENSE + CURVE_JOINTS - 2,
    CURVE_NODES = 4096,
    CURVE_PARTS = 64 /* curves, and arcs */
};

/* A configuration on a curve. */
typedef struct curve_node {
    double q[CURVE_JOINTS], t[CURVE_JOINTS]; /* t: unit tangent */
    double at;                               /* length from the arc's beginning, radians */
} curve_node;

/* Nodes in order; between neighbours the curve is nearly the cubic through both tangents. */
typedef struct curve_part {
    int first, count;
    bool closed; /* the last node is followed by the first; of arcs, it is the first again */
} curve_part;

typedef struct curve_parts {
    curve_node nodes[CURVE_NODES];
    curve_part part[CURVE_PARTS];
    int node_count, count;
} curve_parts;

typedef struct curve {
    const closed_chain *chain;
    const kernel_general_ops *ops;
    general_arm slices[CURVE_SLICES];
    int held[CURVE_SLICES]; /* the joint, */
    double value[CURVE_SLICES];
    int slice_count;
    bool found; /* the curves of this target */
    lb_transform target;
    curve_parts whole, arcs;
} curve;

/* Prepares the slices of an arm, which must outlive the curve; false: it has not seven turning
   joints, or the others have no general solution where one is held. */
bool curve_prepare(curve *c, const closed_chain *chain, const kernel_general_ops *ops);

/* Follows the curves for T_base_tip; false: that was the last target, and they are known. */
bool curve_find(curve *c, const lb_transform *target);

/* Finds the arcs inside the chain's limits of the curves, in c->arcs. */
void curve_find_arcs(curve *c);

/* The length of an arc, radians. */
static inline double curve_length(const curve *c, int arc)
{
    const curve_part *part = &c->arcs.part[arc];
    return c->arcs.nodes[part->first + part->count - 1].at;
}

/* The chain's joints on an arc, `at` radians from its beginning, round one that is a whole curve;
   false: beyond its ends, q is an end. */
bool curve_at(const curve *c, int arc, double at, double q[CURVE_JOINTS]);

/* ---- points: curve_points.c ----------------------------------------------- */

/* Newton's last step of results, which leaves rounding */
#define CURVE_CLOSE 1e-6

static inline double curve_dot(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < CURVE_JOINTS; k++)
        sum += a[k] * b[k];
    return sum;
}

/* Newton's method onto the curve where row . q stays, until a step is less than `close`; returns
   how far it moved, INFINITY if it does not converge. */
double curve_correct(const curve *c, const double *row, double close, curve_node *node);

/* A cubic from one node to another. */
typedef struct curve_cubic {
    const curve_node *from;
    double way[CURVE_JOINTS], begin[CURVE_JOINTS], end[CURVE_JOINTS]; /* slopes at both ends */
    double length; /* at which the way is the length times the mean tangent, but for */
    double defect; /* this share */
} curve_cubic;

curve_cubic curve_between(const curve_node *from, const curve_node *to);
/* Joint k at u, from 0 to 1. */
double curve_value(const curve_cubic *s, int k, double u);
/* Where joint k turns back, with both ends; returns how many places these are. */
int curve_turns(const curve_cubic *s, int k, double u[4]);
/* Corrects the cubic's place at u, across its way; returns as curve_correct. */
double curve_take(const curve *c, const curve_cubic *s, double u, double close, curve_node *node);

/* Whether a joint turns back so near to a limit that the cubic does not tell whether it passes. */
bool curve_touches(const curve *c, const curve_cubic *s);

#endif
