/*
 * linear.c - the step of every method that solves J x = V.
 */
#include "ik/linear.h"

#include "ik/iteration.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

/* entries below this share of the largest are rounding errors of zero */
#define NOISE 1e-14
/*
 * J J^T has the square of J's condition: a pivot below this share has no correct digits left, and
 * singular values below its root's share of the first are taken as zero
 */
#define SINGULAR_PIVOT 1e-13
#define SINGULAR_VALUE 3e-7

void ik_linear_lay_out(ik_linear *linear, memory_arena *arena, const kernel_problem *problem)
{
    size_t rows = (size_t)problem->rows, columns = (size_t)problem->tree.nv;
    size_t k = rows < columns ? rows : columns;
    linear->matrix = memory_arena_take(arena, rows * columns, sizeof(double));
    linear->velocity = memory_arena_take(arena, rows, sizeof(double));
    linear->secondary = memory_arena_take(arena, columns, sizeof(double));
    linear->solution = memory_arena_take(arena, columns, sizeof(double));
    linear->row_of = memory_arena_take(arena, rows, sizeof(int));
    linear->column_of = memory_arena_take(arena, columns, sizeof(int));
    linear->held = memory_arena_take(arena, columns, sizeof(bool));
    linear->restrained = memory_arena_take(arena, rows * columns, sizeof(double));
    linear->square = memory_arena_take(arena, k * k, sizeof(double));
    linear->pivots = memory_arena_take(arena, k, sizeof(int));
    linear->left = memory_arena_take(arena, k * rows, sizeof(double));
    linear->values = memory_arena_take(arena, k, sizeof(double));
    linear->right = memory_arena_take(arena, k * columns, sizeof(double));
    linear->across = memory_arena_take(arena, rows, sizeof(double));
    linear->along = memory_arena_take(arena, columns, sizeof(double));
}

double ik_linear_largest(const double *a, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = scalar_max(most, fabs(a[i]));
    return most;
}

/* ---- products and solutions ------------------------------------------------ */

void ik_linear_multiply(const ik_linear *linear, const double *x, double *y)
{
    for (int r = 0; r < linear->rows; r++) {
        const double *row = &linear->matrix[r * linear->columns];
        y[r] = 0;
        for (int c = 0; c < linear->columns; c++)
            y[r] += row[c] * x[c];
    }
}

void ik_linear_transpose(const ik_linear *linear, const double *y, double *x)
{
    for (int c = 0; c < linear->columns; c++)
        x[c] = 0;
    for (int r = 0; r < linear->rows; r++) {
        const double *row = &linear->matrix[r * linear->columns];
        for (int c = 0; c < linear->columns; c++)
            x[c] += row[c] * y[r];
    }
}

/* J J^T, or J^T J if that is smaller, plus a diagonal */
static void square(ik_linear *linear, double diagonal)
{
    int rows = linear->rows, columns = linear->columns;
    bool wide = rows <= columns;
    int n = wide ? rows : columns, length = wide ? columns : rows;
    int next = wide ? 1 : columns, first = wide ? columns : 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const double *a = &linear->matrix[i * first], *b = &linear->matrix[j * first];
            double sum = i == j ? diagonal : 0;
            for (int k = 0; k < length; k++)
                sum += a[k * next] * b[k * next];
            linear->square[i * n + j] = linear->square[j * n + i] = sum;
        }
    }
}

/* Eq. 5.20 by singular values, where a factor has no inverse */
static void invert_by_values(ik_linear *linear, const double *b, double *x)
{
    int rows = linear->rows, columns = linear->columns;
    ik_linear_decompose(linear);
    int rank = ik_linear_rank(linear);
    for (int c = 0; c < columns; c++)
        x[c] = 0;
    for (int i = 0; i < rank; i++) {
        const double *u = &linear->left[i * rows], *v = &linear->right[i * columns];
        double part = 0;
        for (int r = 0; r < rows; r++)
            part += u[r] * b[r];
        for (int c = 0; c < columns; c++)
            x[c] += v[c] * part / linear->values[i];
    }
}

/* factors the square matrix; false where it is singular */
static bool factor(ik_linear *linear, int n, bool damped)
{
    double pivot = damped ? dense_ldl_factor(n, linear->square)
                          : dense_lu_factor(n, linear->square, linear->pivots);
    return pivot >= SINGULAR_PIVOT;
}

static void solve_factored(const ik_linear *linear, int n, bool damped, double *x)
{
    if (damped)
        dense_ldl_solve(n, linear->square, x);
    else
        dense_lu_solve(n, linear->square, linear->pivots, x);
}

/* J^T (J J^T + d)^-1 b or (J^T J + d)^-1 J^T b, whichever has the smaller matrix */
static void solve_normal(ik_linear *linear, double diagonal, bool damped, const double *b,
                         double *x)
{
    bool wide = linear->rows <= linear->columns;
    int n = wide ? linear->rows : linear->columns;
    square(linear, diagonal);
    if (!factor(linear, n, damped)) {
        invert_by_values(linear, b, x);
    } else if (wide) {
        memcpy(linear->across, b, sizeof(double) * (size_t)n);
        solve_factored(linear, n, damped, linear->across);
        ik_linear_transpose(linear, linear->across, x);
    } else {
        ik_linear_transpose(linear, b, x);
        solve_factored(linear, n, damped, x);
    }
}

void ik_linear_pseudoinverse(ik_linear *linear, const double *b, double *x)
{
    solve_normal(linear, 0, false, b, x);
}

void ik_linear_damped(ik_linear *linear, double lambda, const double *b, double *x)
{
    solve_normal(linear, lambda * lambda, true, b, x);
}

lb_reason ik_linear_shortest(const ik_iteration *it, ik_linear *linear)
{
    (void)it;
    ik_linear_pseudoinverse(linear, linear->velocity, linear->solution);
    return LB_REASON_NONE;
}

int ik_linear_decompose(ik_linear *linear)
{
    int k = linear->rows < linear->columns ? linear->rows : linear->columns;
    dense_svd(linear->rows, linear->columns, linear->matrix, linear->left, linear->values,
              linear->right);
    return k;
}

void ik_linear_project(const ik_linear *linear, int count, double *x)
{
    int n = linear->columns;
    for (int i = 0; i < count; i++) {
        const double *v = &linear->right[i * n];
        double part = 0;
        for (int c = 0; c < n; c++)
            part += v[c] * x[c];
        for (int c = 0; c < n; c++)
            x[c] -= part * v[c];
    }
}

int ik_linear_rank(const ik_linear *linear)
{
    int k = linear->rows < linear->columns ? linear->rows : linear->columns, rank = 0;
    while (rank < k && linear->values[rank] > SINGULAR_VALUE * linear->values[0])
        rank++;
    return rank;
}

/* ---- assembling ------------------------------------------------------------ */

lb_vec3 ik_linear_difference(const kernel_variable *x, const double *from, const double *to)
{
    const double *a = from + x->q, *b = to + x->q;
    if (!x->ball)
        return (lb_vec3){b[0] - a[0], 0, 0};
    lb_quat before = {a[0], a[1], a[2], a[3]}, after = {b[0], b[1], b[2], b[3]};
    return lb_quat_log(lb_quat_multiply(lb_quat_conjugate(before), after));
}

/* z in scaled columns: the gradient of the gains' sum, or Parent's square */
static void assemble_secondary(const ik_iteration *it, ik_linear *linear)
{
    const kernel_problem *p = &it->problem;
    for (int i = 0; i < p->variable_count; i++) {
        const kernel_variable *x = &p->variables[i];
        lb_vec3 difference = ik_linear_difference(x, it->desired, it->q);
        const double differences[3] = {difference.x, difference.y, difference.z};
        for (int k = 0; k < (x->ball ? 3 : 1); k++) {
            double a = it->gains[x->v + k], d = differences[k];
            bool square = it->options->control == LB_CONTROL_SQUARE;
            // a step towards the desired value, never beyond it: any gain is stable
            double z = square ? scalar_min(a * d * d, fabs(d)) : scalar_min(2 * a, 1) * d;
            // along[] holds z of every velocity until the columns are known
            linear->along[x->v + k] = x->mobility * z;
        }
    }
    for (int c = 0; c < linear->columns; c++)
        linear->secondary[c] = linear->along[linear->column_of[c]];
}

/* the system of the columns that are not held */
static void select_columns(const ik_iteration *it, ik_linear *linear)
{
    int rows = it->problem.rows;
    linear->columns = 0;
    for (int v = 0; v < it->problem.tree.nv; v++)
        if (!linear->held[v])
            linear->column_of[linear->columns++] = v;
    // rows that some column moves
    linear->rows = 0;
    double noise = NOISE * ik_linear_largest(linear->restrained, rows * it->problem.tree.nv);
    for (int r = 0; r < rows; r++) {
        double *row = &linear->matrix[linear->rows * linear->columns];
        for (int c = 0; c < linear->columns; c++)
            row[c] = linear->restrained[linear->column_of[c] * rows + r];
        if (ik_linear_largest(row, linear->columns) > noise) {
            linear->row_of[linear->rows] = r;
            linear->velocity[linear->rows++] = it->error[r];
        }
    }
}

void ik_linear_assemble(ik_iteration *it)
{
    ik_linear *linear = &it->linear;
    int rows = it->problem.rows, nv = it->problem.tree.nv;
    memcpy(linear->restrained, it->jacobian, sizeof(double) * (size_t)(rows * nv));
    kernel_restrain(&it->problem, it->q, it->error, linear->restrained);
    // held is a column that moved a tool and inside the limits does not
    for (int v = 0; v < nv; v++)
        linear->held[v] = ik_linear_largest(&it->jacobian[v * rows], rows) > 0 &&
                          ik_linear_largest(&linear->restrained[v * rows], rows) == 0;
    select_columns(it, linear);
}

/* ---- the step -------------------------------------------------------------- */

/* holds variables that the step pushes out of their limits; true when there are any */
static bool hold(ik_iteration *it)
{
    bool any = false;
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        if (x->ball || it->linear.held[x->v])
            continue;
        double step = it->step[x->v], q = it->q[x->q];
        bool out = (q <= x->lower + it->limit_slack && step < 0) ||
                   (q >= x->upper - it->limit_slack && step > 0);
        it->linear.held[x->v] = out;
        any |= out;
    }
    return any;
}

/* solution plus control term: x + (J^+ J - 1) z, Eq. 5.28 */
static void add_control(ik_linear *linear)
{
    ik_linear_multiply(linear, linear->secondary, linear->velocity);
    ik_linear_pseudoinverse(linear, linear->velocity, linear->along);
    for (int c = 0; c < linear->columns; c++)
        linear->solution[c] += linear->along[c] - linear->secondary[c];
}

/* solves for what is not held and distributes the solution over it->step */
static lb_reason solve_free(ik_iteration *it, ik_linear_solver *solve)
{
    ik_linear *linear = &it->linear;
    if (it->control_term)
        assemble_secondary(it, linear);
    lb_reason reason = solve(it, linear);
    if (reason != LB_REASON_NONE)
        return reason;
    if (it->control_term)
        add_control(linear);
    for (int v = 0; v < it->problem.tree.nv; v++)
        it->step[v] = 0;
    for (int c = 0; c < linear->columns; c++)
        it->step[linear->column_of[c]] = linear->solution[c];
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        for (int k = 0; k < (x->ball ? 3 : 1); k++)
            it->step[x->v + k] *= x->mobility;
    }
    return LB_REASON_NONE;
}

void ik_linear_shorten(ik_iteration *it, double angle_limit, double length_limit)
{
    double longest = 1;
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        double limit = it->is_length[i] ? length_limit : angle_limit;
        longest = scalar_max(longest, ik_linear_largest(it->step + x->v, x->ball ? 3 : 1) / limit);
    }
    for (int v = 0; v < it->problem.tree.nv && longest > 1; v++)
        it->step[v] /= longest;
}

/* solves, and again without the joints that the step pushes out of their limits */
static lb_reason solve_within(ik_iteration *it, ik_linear_solver *solve)
{
    for (;;) {
        lb_reason reason = solve_free(it, solve);
        if (reason != LB_REASON_NONE)
            return reason;
        if (!hold(it))
            break;
        select_columns(it, &it->linear);
    }
    ik_linear_shorten(it, it->angle_limit, it->length_limit);
    ik_iteration_advance(it, it->step);
    return LB_REASON_NONE;
}

lb_reason ik_linear_step(ik_iteration *it, ik_linear_solver *solve)
{
    ik_linear_assemble(it);
    return solve_within(it, solve);
}

lb_reason ik_linear_resume(ik_iteration *it, ik_linear_solver *solve)
{
    select_columns(it, &it->linear);
    return solve_within(it, solve);
}
