/*
 * posture.c - where a pose is solved, motion along the null space towards the desired values.
 *
 * The control term of Eq. 5.28 is the velocity -(1 - J^+ J) z with z the gradient of the sum of
 * a (q - c)^2 over gains a. A step s integrates it implicitly, so that no gain is too large: it
 * minimises sum a (q + s - c)^2 + |s|^2 / 2 over the s with J s = 0. For small gains that is the
 * control term itself; without |s|^2 it leads to the minimum at once where J is constant.
 *
 * Where a joint with a gain can hardly move, the others would turn without bound for it: no step
 * moves a joint by more than MOST, and joints end on the turn nearest to their desired value, or
 * without a gain to their start, and never more than a turn from that.
 *
 * The tools stay in place to first order; steps of the pseudoinverse without control term return
 * them to their targets. What then has not lowered the sum is tried again at half the length.
 */
#include "ik/descent.h"

#include "ik/method.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

enum {
    CORRECTIONS = 6, /* Newton's steps, each of which squares the error */
    HALVINGS = 10,
};
/* radians or metres: a step that moves no joint by this is the last */
#define LEAST_STEP 1e-6
/* radians, or units of length: a step moves no joint by more; the linear model is good that far */
#define MOST (LB_PI / 4)
/* of what a step promises to lower the sum by, the share that it must; Armijo's condition */
#define LEAST_DECREASE 0.01
/* of the largest gain: makes the minimum unique where joints of the null space have none */
#define REGULAR 1e-9
/* of the distance: a shorter step does not make a solution worth calling nearer */
#define LEAST_NEARER 1e-3

bool ik_posture_wanted(const ik_iteration *it)
{
    return it->gains && (it->method->capabilities & LB_METHOD_JACOBIAN) != 0;
}

/* ---- the sum of a (q - c)^2 ----------------------------------------------- */

/*
 * How a ball's difference d changes with its velocity w: d' = w + d x w / 2 + k d x (d x w) with
 * k = (1 - (|d|/2) cot(|d|/2)) / |d|^2; with sign -1 the transpose of that. Else w itself.
 */
static lb_vec3 difference_rate(const kernel_variable *x, lb_vec3 d, lb_vec3 w, double sign)
{
    if (!x->ball)
        return w;
    double angle = lb_vec3_length(d);
    // the series of k, whose first neglected term is 1e-12 there
    double k = 1.0 / 12 + angle * angle / 720;
    if (angle > 1e-2)
        k = (1 - 0.5 * angle * lb_cos(0.5 * angle) / lb_sin(0.5 * angle)) / (angle * angle);
    lb_vec3 once = lb_vec3_cross(d, w), twice = lb_vec3_cross(d, once);
    return lb_vec3_add(lb_vec3_add(w, lb_vec3_scale(once, 0.5 * sign)), lb_vec3_scale(twice, k));
}

/* a w, by the gains of a variable */
static lb_vec3 weigh(const ik_iteration *it, const kernel_variable *x, lb_vec3 w)
{
    const double *a = it->gains + x->v;
    return x->ball ? lb_vec3_make(a[0] * w.x, a[1] * w.y, a[2] * w.z)
                   : lb_vec3_make(a[0] * w.x, 0, 0);
}

/* half the gradient of a variable's part of the sum */
static lb_vec3 gradient(const ik_iteration *it, const kernel_variable *x, lb_vec3 d)
{
    return difference_rate(x, d, weigh(it, x, d), -1);
}

static double sum_at(const ik_iteration *it, const double *q)
{
    double sum = 0;
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        lb_vec3 d = ik_linear_difference(x, it->desired, q);
        sum += lb_vec3_dot(d, weigh(it, x, d));
    }
    return sum;
}

/* What a step to it->next promises, to first and second order. */
typedef struct promise {
    double decrease; /* of the sum */
    double largest;  /* radians or metres: the displacement of any joint */
} promise;

static promise look_ahead(const ik_iteration *it)
{
    promise p = {0};
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        lb_vec3 d = ik_linear_difference(x, it->desired, it->q),
                s = ik_linear_difference(x, it->q, it->next);
        lb_vec3 rate = difference_rate(x, d, s, 1);
        p.decrease -= lb_vec3_dot(weigh(it, x, rate), lb_vec3_add(lb_vec3_scale(d, 2), rate));
        p.largest = scalar_max(p.largest, lb_vec3_length(s));
    }
    return p;
}

/* ---- the direction -------------------------------------------------------- */

/* writes the parts of a vector over the velocities, of one variable */
static void put(const kernel_variable *x, lb_vec3 w, double *out)
{
    const double parts[3] = {w.x, w.y, w.z};
    for (int k = 0; k < (x->ball ? 3 : 1); k++)
        out[x->v + k] = x->mobility * parts[k];
}

/* sets linear->solution to minus half the gradient; returns the largest gain, in scaled columns */
static double assemble(const ik_iteration *it, ik_linear *linear)
{
    double largest = 0;
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        lb_vec3 d = ik_linear_difference(x, it->desired, it->q);
        put(x, lb_vec3_scale(gradient(it, x, d), -1), linear->secondary);
        double gain = ik_linear_largest(it->gains + x->v, x->ball ? 3 : 1);
        largest = scalar_max(largest, x->mobility * x->mobility * gain);
    }
    for (int c = 0; c < linear->columns; c++)
        linear->solution[c] = linear->secondary[linear->column_of[c]];
    return largest;
}

/* y = (H + diagonal) y for columns y, with H the sum's second derivatives by Gauss and Newton */
static void multiply(const ik_iteration *it, ik_linear *linear, double diagonal, double *y)
{
    double *all = linear->secondary;
    for (int v = 0; v < it->problem.tree.nv; v++)
        all[v] = 0;
    for (int c = 0; c < linear->columns; c++)
        all[linear->column_of[c]] = y[c];
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        double m = x->mobility;
        const double *part = all + x->v;
        lb_vec3 d = ik_linear_difference(x, it->desired, it->q);
        lb_vec3 w = lb_vec3_make(m * part[0], x->ball ? m * part[1] : 0, x->ball ? m * part[2] : 0);
        w = weigh(it, x, difference_rate(x, d, w, 1));
        put(x, difference_rate(x, d, w, -1), all);
    }
    for (int c = 0; c < linear->columns; c++)
        y[c] = all[linear->column_of[c]] + diagonal * y[c];
}

/* row i of P (H + diagonal) P + 1 - P, with P = 1 - J^+ J */
static void make_row(const ik_iteration *it, ik_linear *linear, int rank, double diagonal, int i,
                     double *row)
{
    int n = linear->columns;
    double *y = linear->along;
    for (int c = 0; c < n; c++)
        y[c] = c == i;
    ik_linear_project(linear, rank, y);
    for (int c = 0; c < n; c++)
        row[c] = (c == i) - y[c];
    multiply(it, linear, diagonal, y);
    ik_linear_project(linear, rank, y);
    for (int c = 0; c < n; c++)
        row[c] += y[c];
}

/* the minimum over the null space */
static lb_reason minimise(const ik_iteration *it, ik_linear *linear, bool whole)
{
    int n = linear->columns;
    double largest = assemble(it, linear), diagonal = whole ? REGULAR * largest : 0.5;
    double *matrix = it->posture + it->problem.tree.nv;
    if (it->nearing) {
        // in scaled columns the distance weighs all alike
        ik_linear_multiply(linear, linear->solution, linear->velocity);
        ik_linear_pseudoinverse(linear, linear->velocity, linear->along);
        for (int c = 0; c < n; c++)
            linear->solution[c] -= linear->along[c];
        return LB_REASON_NONE;
    }
    ik_linear_decompose(linear);
    int rank = ik_linear_rank(linear);
    for (int i = 0; i < n; i++)
        make_row(it, linear, rank, diagonal, i, &matrix[i * n]);
    if (largest == 0 || dense_ldl_factor(n, matrix) == 0)
        return LB_REASON_SINGULAR;
    ik_linear_project(linear, rank, linear->solution);
    dense_ldl_solve(n, matrix, linear->solution);
    ik_linear_project(linear, rank, linear->solution);
    return LB_REASON_NONE;
}

static lb_reason minimise_by_gains(const ik_iteration *it, ik_linear *linear)
{
    return minimise(it, linear, false);
}

static lb_reason minimise_wholly(const ik_iteration *it, ik_linear *linear)
{
    return minimise(it, linear, true);
}

/*
 * Frees the joint held at a limit that the sum pulls back inside most, against what the tools hold
 * it with: several were held at once where one was enough. False when there is none.
 */
static bool free_held(ik_iteration *it)
{
    ik_linear *linear = &it->linear;
    int rows = it->problem.rows, chosen = -1;
    double *pull = linear->across, most = REGULAR * assemble(it, linear);
    ik_linear_decompose(linear);
    for (int r = 0; r < linear->rows; r++)
        pull[r] = 0;
    for (int i = ik_linear_rank(linear) - 1; i >= 0; i--) {
        double part = 0;
        for (int c = 0; c < linear->columns; c++)
            part += linear->right[i * linear->columns + c] * linear->solution[c];
        for (int r = 0; r < linear->rows; r++)
            pull[r] += linear->left[i * linear->rows + r] * part / linear->values[i];
    }
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        if (x->ball || !linear->held[x->v])
            continue;
        double along = linear->secondary[x->v];
        for (int r = 0; r < linear->rows; r++)
            along -= linear->restrained[x->v * rows + linear->row_of[r]] * pull[r];
        double inwards = it->q[x->q] <= x->lower + it->limit_slack ? along : -along;
        if (inwards > most) {
            most = inwards;
            chosen = x->v;
        }
    }
    if (chosen >= 0)
        linear->held[chosen] = false;
    return chosen >= 0;
}

/* whether it->step is too short to be made */
static bool is_short(const ik_iteration *it)
{
    int nv = it->problem.tree.nv;
    double square = 0;
    for (int v = 0; v < nv && it->nearing; v++)
        square += it->gains[v] * it->step[v] * it->step[v];
    return ik_linear_largest(it->step, nv) < LEAST_STEP ||
           (it->nearing && square < LEAST_NEARER * LEAST_NEARER * sum_at(it, it->q));
}

/* to the minimum within the limits, by the gains or wholly */
static lb_reason step_to_minimum(ik_iteration *it, bool whole)
{
    ik_linear_solver *solve = whole ? minimise_wholly : minimise_by_gains;
    int nv = it->problem.tree.nv;
    lb_reason reason = ik_linear_step(it, solve);
    for (int i = 0; i < nv && reason == LB_REASON_NONE; i++) {
        if (!is_short(it) || !free_held(it))
            break;
        reason = ik_linear_resume(it, solve);
    }
    return reason;
}

/* shortens it->step to the first limit that it meets; joints at limits do not move into them */
static void stop_at_limits(ik_iteration *it)
{
    double share = 1;
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        double step = it->step[x->v], q = it->q[x->q];
        double room = x->ball    ? INFINITY
                      : step > 0 ? x->upper - q
                      : step < 0 ? q - x->lower
                                 : INFINITY;
        if (room < fabs(step) * share)
            share = room / fabs(step);
    }
    // beyond it by rounding, so that the limit itself is met
    for (int v = 0; v < it->problem.tree.nv && share < 1; v++)
        it->step[v] *= share * (1 + 1e-15);
}

/* the step to try first, in it->posture and it->next; false when there is none */
static bool find_step(ik_iteration *it, bool whole)
{
    ik_iteration_evaluate(it);
    // the errors are within tolerance: they must not hold joints at limits that the posture leaves
    for (int r = 0; r < it->problem.rows; r++)
        it->error[r] = 0;
    bool square = it->options->control == LB_CONTROL_SQUARE && !it->nearing;
    it->control_term = square;
    it->limit_slack = LEAST_STEP;
    lb_reason reason = square ? ik_linear_step(it, ik_linear_shortest) : step_to_minimum(it, whole);
    it->control_term = false;
    it->limit_slack = 0;
    if (reason != LB_REASON_NONE || is_short(it))
        return false;
    ik_linear_shorten(it, MOST, MOST);
    stop_at_limits(it);
    memcpy(it->posture, it->step, sizeof(double) * (size_t)it->problem.tree.nv);
    ik_iteration_advance(it, it->posture);
    return true;
}

/* ---- turns ---------------------------------------------------------------- */

const kernel_variable *ik_posture_narrow(ik_iteration *it, const double *start)
{
    const kernel_variable *wide = it->problem.variables;
    for (int i = 0; i < it->problem.variable_count; i++) {
        kernel_variable *x = &it->near[i];
        *x = wide[i];
        if (x->periodic) {
            x->lower = scalar_max(x->lower, start[x->q] - 2 * LB_PI);
            x->upper = scalar_min(x->upper, start[x->q] + 2 * LB_PI);
        }
    }
    it->problem.variables = it->near;
    return wide;
}

/* an angle changed by whole turns to be nearest to `wanted`, inside the limits */
static double nearest_turn(const kernel_variable *x, double angle, double wanted)
{
    const double turn = 2 * LB_PI;
    double near = scalar_min(scalar_max(wanted, x->lower), x->upper);
    double best = angle - turn * floor((angle - near) / turn + 0.5);
    if (best < x->lower)
        best += turn;
    if (best > x->upper)
        best -= turn;
    return best >= x->lower && best <= x->upper ? best : angle;
}

void ik_posture_unwind(const ik_iteration *it, const double *start, double *q)
{
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        double wanted = it->gains[x->v] > 0 ? it->desired[x->q] : start[x->q];
        if (x->periodic)
            q[x->q] = nearest_turn(x, q[x->q], wanted);
    }
}

/* ---- steps ---------------------------------------------------------------- */

/* moves it->next until it solves the tasks; false when a few steps do not */
static bool correct(ik_iteration *it)
{
    double *q = it->q, *next = it->next;
    bool reached = false;
    it->q = next;
    it->next = it->other;
    for (int i = 0; i <= CORRECTIONS && !reached; i++) {
        reached = ik_iteration_evaluate(it);
        if (reached || ik_linear_step(it, ik_linear_shortest) != LB_REASON_NONE)
            break;
        memcpy(it->q, it->next, sizeof(double) * (size_t)it->problem.tree.nq);
    }
    it->q = q;
    it->next = next;
    return reached;
}

bool ik_posture_step(ik_iteration *it, bool whole)
{
    if (!find_step(it, whole))
        return false;
    double before = sum_at(it, it->q);
    for (int k = 0; k < HALVINGS; k++) {
        promise p = look_ahead(it);
        if (!(p.decrease > 0) || p.largest < LEAST_STEP)
            break;
        if (correct(it) && sum_at(it, it->next) <= before - LEAST_DECREASE * p.decrease)
            return true;
        for (int v = 0; v < it->problem.tree.nv; v++)
            it->posture[v] *= 0.5;
        ik_iteration_advance(it, it->posture);
    }
    return false;
}
