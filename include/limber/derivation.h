/*
 * derivation.h - a step of inverse kinematics, equation by equation, with an arm's own numbers.
 *
 *     static void show(void *user, const lb_derivation_line *line) { ... }
 *     lb_derive(model, &task, &options, &target, q, show, NULL, &error);
 *
 * The equations are those of Parent 2012, "Computer Animation: Algorithms and Techniques", 5.16 to
 * 5.31, as far as a method's step is made of them; cyclic coordinate descent has its sweep, joint
 * by joint (Juckett 2009).
 *
 * Signs are written in ASCII: "J^T beta", "theta'", "P_1". ' is the dot of a velocity, _ leads to
 * an index, ^ to T, + or a power; alpha, beta, lambda and theta are Greek letters.
 *
 * Experimental: may change in 0.2.
 */
#ifndef LIMBER_DERIVATION_H
#define LIMBER_DERIVATION_H

#include <limber/ik.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Signs of a formula, or a matrix in brackets. */
typedef struct lb_formula_part {
    const char *sign;      /* The signs, as "V = G - E =". Absent: a matrix. */
    const char *name;      /* What the matrix is, as "V", "J", "r_1". Absent: signs. */
    const double *numbers; /* Of the matrix, row by row. NaN: there is none. */
    int rows, columns;     /* Of the matrix. */
} lb_formula_part;

/* A heading, a sentence, or a formula. */
typedef struct lb_derivation_line {
    const char *number; /* Of a heading: its equation, as "5.17", or "". Absent: no heading. */
    const char *text;   /* Of a heading or a sentence. Absent: a formula. */
    const lb_formula_part *parts; /* Of a formula, at most LB_FORMULA_PARTS. */
    int part_count;               /* How many parts. */
} lb_derivation_line;

#define LB_FORMULA_PARTS 8

/* Receives the next line of a derivation, which lasts as long as the call. */
typedef void lb_derivation_visit(void *user, const lb_derivation_line *line);

/*
 * Derives the first step of lb_ik_step from q (nq numbers), with the options of lb_ik_create (NULL:
 * its defaults): calls `visit` for each line. The target is T_base_target. The lines have the
 * step's own numbers: the error V, the Jacobian J of the rows that the tip can move in, its inverse
 * and pseudoinverse, beta, damping, the control term z, and the step with what limits took from it.
 *
 * Fails as lb_ik_create does; LB_UNSUPPORTED for a model with loops, a base that moves and free
 * axes of the task, which these matrices do not show.
 */
lb_status lb_derive(const lb_model *model, const lb_task *task, const lb_ik_options *options,
                    const lb_transform *target, const double *q, lb_derivation_visit *visit,
                    void *user, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
