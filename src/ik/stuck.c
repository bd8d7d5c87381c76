/*
 * stuck.c - configurations where a descent stops although they are not the target.
 *
 * A descent stops where the error e is perpendicular to every velocity of the tools: J^T e = 0,
 * with the Jacobian J inside the limits. That holds at local minima, but also in the two-bone lock
 * of Juckett 2009, in a straight chain that points at its target and in the extended arm of
 * Fig. 5.19: there, moves exist that do nothing to first order and help to second. Such moves lie
 * in the null space of J, of which some directions are tried: one that brings the tools nearer is
 * an escape; if there is none, it is a local minimum.
 */
#include "ik/stuck.h"
#include "math/scalar.h"

#include <string.h>

/* directions of the null space that are tried; one suffices where it has one dimension */
#define DIRECTIONS 6
/*
 * radians or units by which the joint that moves most is moved: well beyond rounding, and where
 * second-order terms dominate
 */
#define NUDGE 0.15
/* the squared error must fall by this share: more than the remaining first order could give */
#define GAIN 1e-4
/* J^T e is zero when it is this small a share of |J| |e| */
#define STATIONARY 0.02
/* singular values below this share of the greatest belong to the null space */
#define WEAK 1e-5

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* ---- being stuck ---------------------------------------------------------- */

/* |J^T e| as a share of |J| |e| */
static double slope(const ik_iteration *it, const double *jacobian)
{
    int rows = it->problem.rows;
    double gradient2 = 0, size2 = 0;
    for (int v = 0; v < it->problem.tree.nv; v++) {
        const double *column = &jacobian[v * rows];
        double g = dot(column, it->error, rows);
        gradient2 += g * g;
        size2 += dot(column, column, rows);
    }
    return size2 > 0 && it->error2 > 0 ? sqrt(gradient2 / (size2 * it->error2)) : 0;
}

bool ik_stuck_is(ik_iteration *it)
{
    ik_iteration_evaluate(it);
    memcpy(it->linear.restrained, it->jacobian,
           sizeof(double) * (size_t)(it->problem.rows * it->problem.tree.nv));
    kernel_restrain(&it->problem, it->q, it->error, it->linear.restrained);
    return slope(it, it->linear.restrained) <= STATIONARY;
}

/* ---- escapes ------------------------------------------------------------- */

/* a pseudorandom direction without what moves the tools to first order; linear is decomposed */
static void find_direction(ik_iteration *it, int index, int values)
{
    ik_linear *linear = &it->linear;
    int columns = linear->columns;
    lb_random random = lb_random_seed((uint64_t)index);
    double *x = linear->solution;
    for (int c = 0; c < columns; c++)
        x[c] = lb_random_between(&random, -1, 1);
    for (int i = 0; i < values && linear->values[i] > WEAK * linear->values[0]; i++) {
        const double *v = &linear->right[i * columns];
        double part = dot(v, x, columns);
        for (int c = 0; c < columns; c++)
            x[c] -= part * v[c];
    }
}

/* it->next = it->q moved along the direction until the fastest joint has moved by `distance` */
static void move(ik_iteration *it, double distance)
{
    const ik_linear *linear = &it->linear;
    double fastest = 0;
    memset(it->step, 0, sizeof(double) * (size_t)it->problem.tree.nv);
    for (int c = 0; c < linear->columns; c++) {
        it->step[linear->column_of[c]] = linear->solution[c];
        fastest = scalar_max(fastest, fabs(linear->solution[c]));
    }
    double scale = fastest > 0 ? distance / fastest : 0;
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        for (int k = 0; k < (x->ball ? 3 : 1); k++)
            it->step[x->v + k] *= scale * (it->is_length[i] ? it->unit : 1);
    }
    memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    kernel_advance(&it->problem, it->q, it->step, it->next);
}

/* the squared error at it->next; frames, error and Jacobian are then those there */
static double probe(ik_iteration *it)
{
    double *q = it->q;
    it->q = it->next;
    ik_iteration_evaluate(it);
    it->q = q;
    return it->error2;
}

bool ik_stuck_escape(ik_iteration *it)
{
    if (!ik_stuck_is(it))
        return false;
    double enough = it->error2 * (1 - GAIN);
    ik_linear_assemble(it);
    int values = ik_linear_decompose(&it->linear);
    bool found = false;
    for (int k = 0; k < 2 * DIRECTIONS && !found; k++) {
        if (k % 2 == 0)
            find_direction(it, k / 2, values);
        move(it, k % 2 ? -NUDGE : NUDGE);
        found = probe(it) < enough;
    }
    ik_iteration_evaluate(it);
    return found;
}

/* ---- reasons ------------------------------------------------------------- */

lb_reason ik_stuck_reason(ik_iteration *it)
{
    if (!ik_stuck_is(it))
        return LB_REASON_BUDGET;
    if (slope(it, it->jacobian) > STATIONARY)
        return LB_REASON_LIMITS;
    return ik_stuck_escape(it) ? LB_REASON_SINGULAR : LB_REASON_MINIMUM;
}
