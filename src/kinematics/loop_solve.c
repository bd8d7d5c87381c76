/*
 * loop_solve.c - least squares on the constraints of loops, and closing them.
 *
 * All rows are kept: a fixed choice of independent ones has dead points where the linkage has none.
 * Closing is Levenberg-Marquardt with damping by the squared error, as in kernel/: plain Newton
 * stalls far from closure.
 */
#include "kinematics/assembly.h"
#include "math/dense.h"

#include <string.h>

/* ---- dependent joints --------------------------------------------------- */

/* the share of a column that must be its own: a thousand times rounding */
static const double own_share = 1e-13;

/* column k of the basis: that of a dependent joint, less its parts along those before it, which go
   to the triangle above row k of `r`; false if nothing remains */
static bool orthogonalize(lb_assembly *a, int k, double *r)
{
    int n = a->dependent_count, m = a->rows;
    double *column = a->basis + k * m, norm = 0, rest = 0;
    for (int i = 0; i < m; i++) {
        column[i] = a->jacobian[i * a->nv + a->dependent[k]];
        norm += column[i] * column[i];
    }
    for (int e = 0; e < k; e++) {
        const double *earlier = a->basis + e * m;
        double along = 0;
        for (int i = 0; i < m; i++)
            along += earlier[i] * column[i];
        for (int i = 0; i < m; i++)
            column[i] -= along * earlier[i];
        r[e * n + k] = along;
    }
    for (int i = 0; i < m; i++)
        rest += column[i] * column[i];
    rest = sqrt(rest);
    if (!(rest > own_share * sqrt(norm)))
        return false;
    for (int i = 0; i < m; i++)
        column[i] /= rest;
    r[k * n + k] = rest;
    return true;
}

double loop_factor(lb_assembly *a)
{
    int n = a->dependent_count;
    double *r = a->inverse, sum = 0;
    for (int k = 0; k < n; k++)
        if (!orthogonalize(a, k, r))
            return INFINITY;

    // the triangle's inverse in its place, column after column from the left
    for (int k = 0; k < n; k++) {
        double over = 1 / r[k * n + k];
        for (int i = 0; i < k; i++) {
            double entry = 0;
            for (int e = i; e < k; e++)
                entry += r[i * n + e] * r[e * n + k];
            a->part[i] = -entry * over;
        }
        for (int i = 0; i < k; i++)
            r[i * n + k] = a->part[i];
        r[k * n + k] = over;
        for (int i = 0; i <= k; i++)
            sum += r[i * n + k] * r[i * n + k];
    }
    return sqrt(sum);
}

void loop_solve(lb_assembly *a, const double *b, double *x)
{
    int n = a->dependent_count, m = a->rows;
    for (int k = 0; k < n; k++) {
        a->part[k] = 0;
        for (int i = 0; i < m; i++)
            a->part[k] += a->basis[k * m + i] * b[i];
    }
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        for (int k = i; k < n; k++)
            x[i] -= a->inverse[i * n + k] * a->part[k];
    }
}

/* ---- picking ------------------------------------------------------------ */

static double square_norm(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

bool loop_pick_vector(loop_pick *pick, int i, double share)
{
    if (pick->taken[i] || pick->picked == pick->wanted)
        return false;
    double *own = pick->basis + pick->picked * pick->length;
    for (int k = 0; k < pick->length; k++)
        own[k] = pick->first[i * pick->step + k * pick->stride];
    double norm = sqrt(square_norm(own, pick->length));
    // twice is enough
    for (int e = 0; e < 2 * pick->picked; e++) {
        const double *earlier = pick->basis + e % pick->picked * pick->length;
        double along = 0;
        for (int k = 0; k < pick->length; k++)
            along += earlier[k] * own[k];
        for (int k = 0; k < pick->length; k++)
            own[k] -= along * earlier[k];
    }
    double rest = sqrt(square_norm(own, pick->length));
    if (!(norm > share) || !(rest > share * norm))
        return false;
    for (int k = 0; k < pick->length; k++)
        own[k] /= rest;
    pick->taken[i] = true;
    pick->picked++;
    return true;
}

/* ---- Newton's steps ------------------------------------------------------ */

void loop_move_dependent(lb_assembly *a, const double *x, double by, double *q)
{
    memset(a->sum, 0, sizeof(double) * (size_t)a->nv);
    for (int i = 0; i < a->dependent_count; i++)
        a->sum[a->dependent[i]] = x[i] * by;
    loop_move(a, q, a->sum, q);
}

bool loop_correct(lb_assembly *a, double *q, double *corrected)
{
    enum { MOST = 10 };
    double *x = a->right, *total = a->left, last = INFINITY;
    memset(total, 0, sizeof(double) * (size_t)a->dependent_count);
    loop_measure(a, q);
    for (int i = 0; i < MOST; i++) {
        // rounding: it gets no better
        if (a->error <= 1e-15 || (a->error <= LOOP_CLOSED && a->error > last / 2))
            break;
        last = a->error;
        if (!isfinite(loop_factor(a)))
            return false;
        loop_solve(a, a->f, x);
        loop_move_dependent(a, x, 1, q);
        loop_measure(a, q);
        for (int k = 0; k < a->dependent_count; k++)
            total[k] += x[k];
    }
    *corrected = sqrt(square_norm(total, a->dependent_count));
    return a->error <= LOOP_CLOSED;
}

/* ---- closing ------------------------------------------------------------ */

/* move = - J^T (J J^T + damping)^-1 f; false if that has no solution */
static bool damped_step(lb_assembly *a, double factor)
{
    int m = a->rows, nv = a->nv;
    double *g = a->matrix, *y = a->values, trace = 0, square = square_norm(a->f, m);
    for (int i = 0; i < m; i++)
        for (int k = 0; k <= i; k++) {
            const double *p = a->jacobian + i * nv, *q = a->jacobian + k * nv;
            double dot = 0;
            for (int c = 0; c < a->column_count; c++)
                dot += p[a->columns[c]] * q[a->columns[c]];
            g[i * m + k] = dot;
            trace += i == k ? dot : 0;
        }
    // rows that follow from others leave pivots of rounding: 1e-14 of the trace is above it
    for (int i = 0; i < m; i++)
        g[i * m + i] += factor * fmin(square, 1) + 1e-14 * trace + 1e-300;
    memcpy(y, a->f, sizeof(double) * (size_t)m);
    if (dense_ldl_factor(m, g) == 0)
        return false;
    dense_ldl_solve(m, g, y);
    memset(a->move, 0, sizeof(double) * (size_t)nv);
    for (int c = 0; c < a->column_count; c++)
        for (int i = 0; i < m; i++)
            a->move[a->columns[c]] -= a->jacobian[i * nv + a->columns[c]] * y[i];
    return true;
}

bool loop_close(lb_assembly *a, double *q)
{
    // a descent that needs more has stalled
    enum { MOST_STEPS = 300, MOST_REFUSED = 40 };
    double factor = 1;
    loop_measure(a, q);
    double best = square_norm(a->f, a->rows);
    for (int step = 0, refused = 0; step < MOST_STEPS && refused < MOST_REFUSED; step++) {
        // below this rounding decides
        if (a->error <= 1e-16 || !damped_step(a, factor))
            break;
        loop_move(a, q, a->move, a->trial);
        loop_measure(a, a->trial);
        double square = square_norm(a->f, a->rows);
        if (square < best) {
            memcpy(q, a->trial, sizeof(double) * (size_t)a->nq);
            bool settled = best < 1e-30 && square > best / 4;
            best = square;
            factor *= 0.3;
            refused = 0;
            if (settled)
                break;
        } else {
            factor *= 10;
            refused++;
            loop_measure(a, q);
            if (a->error <= LOOP_CLOSED / 100)
                break;
        }
    }
    loop_measure(a, q);
    return a->error <= LOOP_CLOSED;
}
