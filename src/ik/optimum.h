/*
 * optimum.h - the best value of one joint while all others stand still.
 *
 * Turning a joint by R about its origin brings points a to R a, which are to be at
 * b. The sum of weights m |R a - b|^2 is a constant minus 2 sum m b . R a, and so
 * are the squared errors of axes: all that counts is in one 3x3 matrix, the sum of
 * m b a^T, for any number of tools with positions and axes. About a single axis
 * the sum is A cos + B sin of the angle, whose maximum needs no search.
 */
#ifndef IK_OPTIMUM_H
#define IK_OPTIMUM_H

#include "ik/iteration.h"

/* What a joint's place makes of the squared error. */
typedef struct ik_pull {
    lb_vec3 x, y, z; /* columns of the sum of m b a^T */
    lb_vec3 away;    /* sum of m (b - a) over positions */
    double mass;     /* sum of m over positions */
    int pairs;       /* how many a and b there are */
} ik_pull;

/* A point at `a` that is to be at `b`, both seen from the joint's origin. */
void ik_pull_add_point(ik_pull *pull, double weight, lb_vec3 a, lb_vec3 b);
/* A direction that is to be another one. */
void ik_pull_add_axis(ik_pull *pull, double weight, lb_vec3 a, lb_vec3 b);
/* What a task asks of a joint at `origin` that carries its tool, now at `tool`. */
void ik_pull_add_task(ik_pull *pull, const kernel_task *task, lb_vec3 origin,
                      const lb_transform *tool, const lb_transform *goal);

/*
 * The best angle about a unit axis in [lower, upper], which contains 0; 0 when none is
 * better. *won: by how much the squared error falls.
 */
double ik_pull_turn(const ik_pull *pull, lb_vec3 axis, double lower, double upper, double *won);
/* The same for the way along a unit axis. */
double ik_pull_slide(const ik_pull *pull, lb_vec3 axis, double lower, double upper, double *won);
/*
 * The best rotation by at most `most` radians. For a single point the shortest of the
 * best: the swing from a to b.
 */
lb_quat ik_pull_swing(const ik_pull *pull, double most, double *won);
/* By how much the squared error falls with a rotation. */
double ik_pull_won(const ik_pull *pull, lb_quat rotation);

/* ---- joints ---------------------------------------------------------------- */

/* A change of one variable. */
typedef struct ik_move {
    double step;  /* of its number */
    lb_quat turn; /* of a ball: q * turn */
    double won;   /* by how much the squared error falls */
} ik_move;

/*
 * The best move of the variable of a joint against `pull`, inside limits and step
 * limit, as if it moved no other joint. `frame` is where the joint is with the
 * value in q, `parent` the frame that it is placed in.
 */
ik_move ik_optimum(const ik_iteration *it, int joint, const ik_pull *pull,
                   const lb_transform *frame, const lb_transform *parent, const double *q);

/* Applies a move to q. */
void ik_move_apply(const ik_iteration *it, int variable, const ik_move *move, double *q);

/* A rotation given in outer axes, seen in a frame's own; and back. */
lb_quat ik_quat_inward(const lb_transform *axes, lb_quat r);
lb_quat ik_quat_outward(const lb_transform *axes, lb_quat r);
/* Rotates a ball or a hinge, at it->frames, by what it can of a rotation in base axes. */
void ik_rotate_joint(const ik_iteration *it, int joint, lb_quat rotation, double *q);

/*
 * The best move of any variable for the tools that it carries, which are at it->tools.
 * Frames farther out than its joint may be out of date; they are not read.
 */
ik_move ik_best_move(ik_iteration *it, int variable, double *q);
/* The same, done: changes q and it->tools. */
ik_move ik_optimize(ik_iteration *it, int variable, double *q);

/* Frames and tools at q. */
void ik_refresh(ik_iteration *it, const double *q);

#endif
