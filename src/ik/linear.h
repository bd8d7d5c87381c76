/*
 * linear.h - the step of every method that solves J x = V.
 *
 * V is the error and x the change of the joints (Eq. 5.18). The methods differ in
 * how they solve; what they share stands here: limits, mobilities, the control
 * term, the longest step.
 */
#ifndef IK_LINEAR_H
#define IK_LINEAR_H

#include "base/memory.h"
#include "ik/method.h"
#include "kernel/problem.h"

/*
 * One system, without the rows that no joint moves and without the columns that
 * limits hold. Columns are scaled with the roots of the mobilities: the shortest
 * solution then favours what moves readily.
 */
typedef struct ik_linear {
    int rows, columns;
    double *matrix;   /* rows x columns, row major */
    double *velocity; /* rows: V */
    double *wishes;   /* columns: z of the control term, zeros without one */
    double *solution; /* columns: x */

    /* working memory; k is the smaller of rows and columns */
    int *row_of, *column_of;       /* their places in the problem's rows and in v */
    bool *held;                    /* nv: limits forbid where it would go */
    double *restrained;            /* the Jacobian inside the limits, as it->jacobian */
    double *square;                /* k x k */
    int *pivots;                   /* k */
    double *left, *values, *right; /* k vectors of rows, k, k vectors of columns */
    double *across, *along;        /* rows, columns */
} ik_linear;

void ik_linear_lay_out(ik_linear *linear, memory_arena *arena, const kernel_problem *problem);

/*
 * How a method solves: from matrix and velocity to solution. Answers
 * LB_REASON_NONE, or why it refuses.
 */
typedef lb_reason ik_linear_solver(const ik_iteration *it, ik_linear *linear);

/* The system at it->q, where it was evaluated; it->linear. */
void ik_linear_assemble(ik_iteration *it);

/*
 * The whole step, from it->jacobian to it->next: assembles, solves, adds the control term;
 * what stands at a limit and is pushed out is held, and the rest solved again.
 */
lb_reason ik_linear_step(ik_iteration *it, ik_linear_solver *solve);

/* ---- parts that methods share --------------------------------------------- */

/* y = J x and x = J^T y */
void ik_linear_multiply(const ik_linear *linear, const double *x, double *y);
void ik_linear_transpose(const ik_linear *linear, const double *y, double *x);

/*
 * x = J^+ b (Eq. 5.20-5.23) by LU of J J^T, or of J^T J when there are more rows
 * than columns; where that is singular, by the singular values that are not zero.
 */
void ik_linear_pseudoinverse(ik_linear *linear, const double *b, double *x);

/* x = J^T (J J^T + lambda^2 1)^-1 b (Eq. 5.24), in the form that has the smaller matrix. */
void ik_linear_damped(ik_linear *linear, double lambda, const double *b, double *x);

/* Fills left, values and right; answers how many there are. */
int ik_linear_decompose(ik_linear *linear);

#endif
