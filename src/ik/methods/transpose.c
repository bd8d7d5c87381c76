/*
 * transpose.c - along the gradient: x = alpha J^T V, without an inverse.
 *
 * "Using the transpose of the Jacobian", Parent 2012, chapter 5. Without a given alpha the optimum
 * for a constant J: alpha = (V . J J^T V) / |J J^T V|^2 (Buss, "Introduction to inverse kinematics
 * with Jacobian transpose, pseudoinverse and damped least squares methods", 2004).
 */
#include "ik/iteration.h"

static double best_alpha(ik_linear *linear)
{
    double *y = linear->across, along = 0, square = 0;
    ik_linear_multiply(linear, linear->solution, y);
    for (int r = 0; r < linear->rows; r++) {
        along += linear->velocity[r] * y[r];
        square += y[r] * y[r];
    }
    return square > 0 ? along / square : 0;
}

lb_reason ik_transpose_solve(const ik_iteration *it, ik_linear *linear)
{
    ik_linear_transpose(linear, linear->velocity, linear->solution);
    // a given alpha is per square metre, where the columns are in the problem's unit of length
    double alpha = it->options->transpose.alpha * it->unit * it->unit;
    if (alpha == 0)
        alpha = best_alpha(linear);
    for (int c = 0; c < linear->columns; c++)
        linear->solution[c] *= alpha;
    return LB_REASON_NONE;
}
