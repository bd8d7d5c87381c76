/*
 * linear.h - the step of every method that solves J x = V.
 *
 * V is the error and x the change of the joints (Eq. 5.18). The methods differ in how they solve;
 * limits, mobilities, the control term and the longest step are here.
 */
#ifndef IK_LINEAR_H
#define IK_LINEAR_H

#include "base/memory.h"
#include "ik/method.h"
#include "kernel/problem.h"

/*
 * One system, without the rows that no joint moves and without the columns that limits hold.
 * Columns are scaled with the square roots of the mobilities, so that the shortest solution favours
 * joints of high mobility.
 */
struct ik_linear {
    int rows, columns;
    double *matrix;    /* rows x columns, row major */
    double *velocity;  /* rows: V */
    double *secondary; /* columns: z of the control term, zeros without one */
    double *solution;  /* columns: x */

    /* working memory; k is the smaller of rows and columns */
    int *row_of, *column_of;       /* their indices in the problem's rows and in v */
    bool *held;                    /* nv: held at a limit */
    double *restrained;            /* the Jacobian inside the limits, as it->jacobian */
    double *square;                /* k x k */
    int *pivots;                   /* k */
    double *left, *values, *right; /* k vectors of rows, k, k vectors of columns */
    double *across, *along;        /* rows, columns */
};

void ik_linear_lay_out(ik_linear *linear, memory_arena *arena, const kernel_problem *problem);

/* Builds the system at it->q, where it was evaluated, in it->linear. */
void ik_linear_assemble(ik_iteration *it);

/*
 * The whole step, from it->jacobian to it->next: builds and solves the system and adds the control
 * term; holds variables that the step pushes out of their limits, and solves again.
 */
lb_reason ik_linear_step(ik_iteration *it, ik_linear_solver *solve);
/* The same from what is built, where it->linear.held has been changed. */
lb_reason ik_linear_resume(ik_iteration *it, ik_linear_solver *solve);

/* ---- parts shared by methods --------------------------------------------- */

/* y = J x and x = J^T y */
void ik_linear_multiply(const ik_linear *linear, const double *x, double *y);
void ik_linear_transpose(const ik_linear *linear, const double *y, double *x);

/*
 * x = J^+ b (Eq. 5.20-5.23) by LU of J J^T, or of J^T J when there are more rows than columns;
 * where that is singular, by the singular values that are not zero.
 */
void ik_linear_pseudoinverse(ik_linear *linear, const double *b, double *x);

/* x = J^T (J J^T + lambda^2 1)^-1 b (Eq. 5.24), in the form with the smaller matrix. */
void ik_linear_damped(ik_linear *linear, double lambda, const double *b, double *x);

/* From a variable's value in one configuration to that in another: one number, or a ball's rotation
   vector. */
lb_vec3 ik_linear_difference(const kernel_variable *x, const double *from, const double *to);

/*
 * An ik_linear_solver: the shortest solution, x = J^+ V, the method 'pseudoinverse'. Near a
 * singularity the steps get long; the step limit shortens them.
 */
ik_linear_solver ik_linear_shortest;

/* The largest magnitude of `count` numbers. */
double ik_linear_largest(const double *a, int count);

/* Fills left, values and right; returns how many there are. Then, how many values are not zero. */
int ik_linear_decompose(ik_linear *linear);
int ik_linear_rank(const ik_linear *linear);

/* Removes from x, of columns, its parts along the first `count` right singular vectors. */
void ik_linear_project(const ik_linear *linear, int count, double *x);

/* Shortens it->step so that no variable moves by more than these, radians and lengths. */
void ik_linear_shorten(ik_iteration *it, double angle_limit, double length_limit);

#endif
