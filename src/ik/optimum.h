/*
 * optimum.h - the best value of one joint while all others stay where they are.
 *
 * Rotating a joint by R about its origin moves points a to R a, whose targets are b. The sum of
 * weights m |R a - b|^2 is a constant minus 2 sum m b . R a, and so are the squared errors of axes:
 * one 3x3 matrix, the sum of m b a^T, describes any number of tools with positions and axes. About
 * a single axis the sum is A cos + B sin of the angle, whose maximum needs no search.
 */
#ifndef IK_OPTIMUM_H
#define IK_OPTIMUM_H

#include "ik/iteration.h"

/* The squared error as a function of a joint's value. */
typedef struct ik_pull {
    lb_vec3 x, y, z;      /* columns of the sum of m b a^T */
    lb_vec3 displacement; /* sum of m (b - a) over positions */
    double mass;          /* sum of m over positions */
    int pairs;            /* number of pairs a, b */
} ik_pull;

/* Adds a point at `a` with target `b`, both relative to the joint's origin. */
void ik_pull_add_point(ik_pull *pull, double weight, lb_vec3 a, lb_vec3 b);
/* Adds a direction with another one as its target. */
void ik_pull_add_axis(ik_pull *pull, double weight, lb_vec3 a, lb_vec3 b);
/* Adds what a task requires of a joint at `origin` that carries its tool, now at `tool`. */
void ik_pull_add_task(ik_pull *pull, const kernel_task *task, lb_vec3 origin,
                      const lb_transform *tool, const lb_transform *target);

/*
 * The best angle about a unit axis in [lower, upper], which contains 0; 0 when none is better.
 * *gain: by how much the squared error falls.
 */
double ik_pull_turn(const ik_pull *pull, lb_vec3 axis, double lower, double upper, double *gain);
/* The best translation along a unit axis, likewise. */
double ik_pull_slide(const ik_pull *pull, lb_vec3 axis, double lower, double upper, double *gain);
/*
 * The best rotation by at most `most` radians. For a single point the shortest of the best: the
 * swing from a to b.
 */
lb_quat ik_pull_swing(const ik_pull *pull, double most, double *gain);

/* ---- joints ---------------------------------------------------------------- */

/* A change of one variable. */
typedef struct ik_move {
    double step;  /* of its number */
    lb_quat turn; /* of a ball: q * turn */
    double gain;  /* by how much the squared error falls */
} ik_move;

/*
 * The best move of the variable of a joint for `pull`, inside limits and step limit, as if it moved
 * no other joint. `frame` is the joint's frame with the value in q, `parent` the frame it is placed
 * in.
 */
ik_move ik_optimum(const ik_iteration *it, int joint, const ik_pull *pull,
                   const lb_transform *frame, const lb_transform *parent, const double *q);

/* Applies a move to q. */
void ik_move_apply(const ik_iteration *it, int variable, const ik_move *move, double *q);

/* A rotation given in a frame's own axes, in the outer ones. */
lb_quat ik_quat_outward(const lb_transform *axes, lb_quat r);
/* Rotates a ball or a revolute joint, at it->frames, by what it can of a rotation in base axes. */
void ik_rotate_joint(const ik_iteration *it, int joint, lb_quat rotation, double *q);

/*
 * The best move of any variable for the tools that it carries, which are at it->tools. Frames
 * farther out than its joint may be out of date; they are not read.
 */
ik_move ik_best_move(ik_iteration *it, int variable, double *q);
/* The same, applied: changes q and it->tools. */
ik_move ik_optimize(ik_iteration *it, int variable, double *q);

/* Computes frames and tools at q. */
void ik_refresh(ik_iteration *it, const double *q);

#endif
