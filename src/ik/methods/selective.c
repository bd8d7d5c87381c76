/*
 * selective.c - selectively damped least squares: each singular direction as far as
 * it can be trusted.
 *
 * Buss & Kim, "Selectively damped least squares for inverse kinematics", Journal of
 * Graphics Tools 10 (2005). The step is the sum over singular values s with vectors
 * u, v of (u . V / s) v, each shortened until no joint moves by more than
 *
 *     most * min(1, N / M),   N = |u|,   M = (1 / s) sum_j |v_j| |column j|,
 *
 * N and M summed over the tools: a direction in which the joints move tools far more than they
 * bring them nearer is distrusted.
 */
#include "ik/iteration.h"
#include "math/scalar.h"

/* the longest change of a joint in one step, of one direction and of all */
#define MOST (LB_PI / 4)
/* directions below this share of the largest singular value move nothing */
#define LEAST_VALUE 1e-10

/* lengths of the three rows of each position or rotation, added up; entries `next` apart */
static double by_tools(const ik_linear *linear, const double *a, int next)
{
    double sum = 0, square = 0;
    for (int r = 0; r < linear->rows; r++) {
        bool first = r == 0 || linear->row_of[r] / 3 != linear->row_of[r - 1] / 3;
        sum += first ? sqrt(square) : 0;
        square = (first ? 0 : square) + a[r * next] * a[r * next];
    }
    return sum + sqrt(square);
}

/* adds one singular direction to the step */
static void add_direction(ik_linear *linear, int i)
{
    int rows = linear->rows, columns = linear->columns;
    const double *u = &linear->left[i * rows], *v = &linear->right[i * columns];
    double s = linear->values[i], wanted = 0, moved = 0;
    for (int r = 0; r < rows; r++)
        wanted += u[r] * linear->velocity[r];
    for (int c = 0; c < columns; c++)
        moved += fabs(v[c]) * by_tools(linear, &linear->matrix[c], columns);
    double trust = scalar_min(1, by_tools(linear, u, 1) * s / moved);
    double scale = wanted / s, longest = fabs(scale) * ik_linear_largest(v, columns);
    if (longest > trust * MOST)
        scale *= trust * MOST / longest;
    for (int c = 0; c < columns; c++)
        linear->solution[c] += scale * v[c];
}

lb_reason ik_selective_solve(const ik_iteration *it, ik_linear *linear)
{
    (void)it;
    int k = ik_linear_decompose(linear);
    for (int c = 0; c < linear->columns; c++)
        linear->solution[c] = 0;
    for (int i = 0; i < k && linear->values[i] > LEAST_VALUE * linear->values[0]; i++)
        add_direction(linear, i);
    double longest = ik_linear_largest(linear->solution, linear->columns);
    if (longest > MOST)
        for (int c = 0; c < linear->columns; c++)
            linear->solution[c] *= MOST / longest;
    return LB_REASON_NONE;
}
