/*
 * derivation.c - a step of inverse kinematics, equation by equation (Parent 2012, chapter 5).
 *
 * q, V, J, J J^T, beta, z, J^T beta, what was clamped and the step are those of the trace; what
 * stands between them, r, J^-1, J^+ and the projections, is computed from these. In space rows and
 * joints have weights: A = J M^2 J^T in place of J J^T, with the joints' mobilities m, and rows
 * count in the solver's unit, so that the damping is lambda in metres for positions.
 */
#include "ik/derivation/lines.h"
#include "ik/derivation/step.h"

#include "base/error.h"
#include "base/text.h"
#include "math/dense.h"

#include <limber/math.h>
#include <limber/model.h>
#include <math.h>
#include <string.h>

/* pivots below it leave no correct digits, as in the trace */
static const double singular = 1e-13;
/* of the distances: what is below it across an axis is on the axis */
static const double nothing = 1e-9;

typedef struct derivation {
    const derivation_step *t;
    derivation_lines to;
    int n, nv;     /* rows, columns of J */
    bool has_plus; /* J^+ is there */
    double a[DERIVATION_ROWS * DERIVATION_ROWS], beta[DERIVATION_ROWS];
    double *scaled, *plus, *idle; /* M^2 J^T and J^+, nv x n; J^+ J - I, nv x nv */
    double *rate;                 /* nv: theta', NaN: this step is none of the equations */
    double *spare;                /* of one function at a time, more than any needs */
    int *path;                    /* as many as there are links */
} derivation;

/* ---- matrices ---------------------------------------------------------------- */

/* c = a b, of l x m and m x n */
static void multiply(int l, int m, int n, const double *a, const double *b, double *c)
{
    for (int i = 0; i < l * n; i++) {
        c[i] = 0;
        for (int k = 0; k < m; k++)
            c[i] += a[i / n * m + k] * b[k * n + i % n];
    }
}

/*
 * J^+ = M^2 J^T A^-1, or of more rows than joints (J^T W^2 J)^-1 J^T W^2, and beta = A^-1 V: both
 * by the singular values of W J M.
 */
static void find_plus(derivation *d)
{
    const derivation_step *t = d->t;
    const int n = d->n, nv = d->nv, k = n < nv ? n : nv;
    double *scaled = d->spare;
    double *left = scaled + n * nv, *right = left + k * n, *values = right + k * nv;
    for (int i = 0; i < n * nv; i++)
        scaled[i] = derivation_weight(t, i / nv) * t->jacobian[i] * t->mobility[i % nv];
    d->has_plus = dense_svd(n, nv, scaled, left, values, right) && k > 0 &&
                  values[k - 1] * values[k - 1] > singular * values[0] * values[0];
    for (int i = 0; i < k && d->has_plus; i++) {
        double along = 0;
        for (int r = 0; r < n; r++)
            along += left[i * n + r] * derivation_weight(t, r) * t->v[r];
        for (int r = 0; r < n; r++) {
            double share = derivation_weight(t, r) * left[i * n + r] / values[i];
            d->beta[r] += share * along / values[i];
            for (int c = 0; c < nv; c++)
                d->plus[c * n + r] += t->mobility[c] * right[i * nv + c] * share;
        }
    }
}

/* false: there is no memory */
static bool take_room(derivation *d, const lb_allocator *memory)
{
    const size_t n = (size_t)d->n, nv = (size_t)d->nv, nq = (size_t)d->t->nq;
    const size_t most = n * nv + DERIVATION_ROWS * (n + nv + 1) + nq + nv;
    d->scaled = memory_take(memory, nv * n, sizeof(double));
    d->plus = memory_take(memory, nv * n, sizeof(double));
    d->idle = memory_take(memory, nv * nv, sizeof(double));
    d->rate = memory_take(memory, nv, sizeof(double));
    d->spare = memory_take(memory, most, sizeof(double));
    d->path = memory_take(memory, (size_t)lb_model_link_count(d->t->model), sizeof *d->path);
    return !memory_pool_failed(memory);
}

static void prepare(derivation *d)
{
    const derivation_step *t = d->t;
    const int n = d->n, nv = d->nv;
    for (int i = 0; i < nv * n; i++)
        d->scaled[i] = t->mobility[i / n] * t->mobility[i / n] * t->jacobian[i % n * nv + i / n];
    multiply(n, nv, n, t->jacobian, d->scaled, d->a);
    find_plus(d);
    multiply(nv, n, nv, d->plus, t->jacobian, d->idle);
    for (int c = 0; c < nv; c++) {
        d->idle[c * nv + c] -= 1;
        d->rate[c] = t->product[c] - t->z[c];
    }
    if (n > nv && d->has_plus && derivation_damping(t) == 0 && t->options->gains == NULL)
        multiply(nv, n, 1, d->plus, t->v, d->rate);
}

/* the sign before a matrix */
static void show(const derivation *d, const char *sign, const char *name, const double *numbers,
                 int rows, int columns)
{
    FORMULA(&d->to, SIGN(sign), MATRIX(name, numbers, rows, columns));
}

/* ---- 5.16 to 5.18: what is asked for ------------------------------------------- */

static void list_names(const derivation *d)
{
    char text[64] = "";
    text_writer names = {text, sizeof text, 0};
    for (int r = 0; r < d->n; r++)
        text_write(&names, " %s", derivation_row_name(d->t->row_of[r]));
    derivation_words(&d->to, "Rows:%s, the directions in which the tip can move.", text);
    show(d, "theta =", "theta", d->t->q, 1, d->t->nq);
}

/* whether any joint weighs other than 1; *turns: whether a row is a rotation */
static bool is_weighed(const derivation_step *t, bool *turns)
{
    bool weighed = false;
    *turns = t->rows > 0 && t->row_of[t->rows - 1] >= 3;
    for (int c = 0; c < t->nv; c++)
        weighed = weighed || t->mobility[c] != 1;
    return weighed;
}

static void write_weights(const derivation *d)
{
    bool turns, weighed = is_weighed(d->t, &turns);
    if (turns)
        derivation_words(&d->to, "Angles of V are 2 sin(t/2) of a rotation by t about its axis.");
    if (turns || weighed || derivation_damping(d->t) > 0) {
        derivation_words(&d->to, "In the solver L metres count as one radian.");
        show(d, "L =", "L", &d->t->unit, 1, 1);
    }
    if (!weighed)
        return;
    double *squares = d->spare;
    for (int c = 0; c < d->nv; c++)
        squares[c] = d->t->mobility[c] * d->t->mobility[c];
    derivation_words(&d->to,
                     "Joints do not count alike: M^2 has 1/weight on its diagonal, of slides "
                     "times L^2, and 0 of locked joints.");
    show(d, "diag M^2 =", "M2", squares, 1, d->nv);
}

/* 5.16 */
static void write_error(const derivation *d)
{
    const derivation_step *t = d->t;
    const lb_task *task = t->task;
    derivation_heading(&d->to, "5.16", "V leads from the end effector E to the goal G");
    lb_vec3 e = lb_state_point(t->state, task->tip, task->base, task->tool.p), g = t->target->p;
    const double all_e[] = {e.x, e.y, e.z}, all_g[] = {g.x, g.y, g.z};
    double from[3], to[3];
    int places = 0;
    for (; places < d->n && t->row_of[places] < 3; places++) {
        from[places] = all_e[t->row_of[places]];
        to[places] = all_g[t->row_of[places]];
    }
    if (places > 0 && places == d->n)
        FORMULA(&d->to, SIGN("V = G - E ="), MATRIX("G", to, places, 1), SIGN("-"),
                MATRIX("E", from, places, 1), SIGN("="), MATRIX("V", t->v, d->n, 1));
    else if (places > 0)
        FORMULA(&d->to, SIGN("G ="), MATRIX("G", to, places, 1), SIGN(", E ="),
                MATRIX("E", from, places, 1), SIGN(", V ="), MATRIX("V", t->v, d->n, 1));
    else
        show(d, "V =", "V", t->v, d->n, 1);
}

/* one hinge or slide between the tip and the root */
static void write_joint(const derivation *d, int j)
{
    const lb_model *model = d->t->model;
    const lb_task *task = d->t->task;
    const lb_joint *joint = lb_model_joint(model, j);
    lb_vec3 zero = {0, 0, 0};
    lb_vec3 a = lb_state_direction(d->t->state, j + 1, task->base, joint->axis),
            p = lb_state_point(d->t->state, j + 1, task->base, zero),
            r = lb_vec3_sub(lb_state_point(d->t->state, task->tip, task->base, task->tool.p), p),
            g = lb_vec3_cross(a, r);
    char radius[32], column[48], axis[16];
    const int v = lb_model_joint_v(model, j) + 1;
    text_format(axis, sizeof axis, "a_%d =", v);
    text_format(radius, sizeof radius, ", r_%d = E - P_%d =", v, v);
    text_format(column, sizeof column, ", a_%d x r_%d =", v, v);
    if (joint->kind == LB_JOINT_PRISMATIC)
        show(d, axis, "a", &a.x, 3, 1);
    else
        FORMULA(&d->to, SIGN(axis), MATRIX("a", &a.x, 3, 1), SIGN(radius), MATRIX("r", &r.x, 3, 1),
                SIGN(column), MATRIX("axr", &g.x, 3, 1));
}

/* 5.17 */
static void write_jacobian(const derivation *d)
{
    const lb_model *model = d->t->model;
    int left_out = 0;
    derivation_heading(&d->to, "5.17", "Each joint moves the end effector: the columns of J");
    derivation_words(&d->to,
                     "A hinge at P with the axis a moves E by a x r, and turns it about a; a "
                     "slide moves E along a.");
    int *path = d->path, count = 0;
    for (int link = d->t->task->tip; link > 0; link = lb_model_parent(model, link))
        path[count++] = link - 1;
    for (int i = count - 1; i >= 0; i--) {
        const lb_joint *joint = lb_model_joint(model, path[i]);
        bool single = lb_joint_kind_nv(joint->kind) == 1 && !joint->mimic;
        if (single)
            write_joint(d, path[i]);
        left_out += !single && joint->kind != LB_JOINT_FIXED;
    }
    if (left_out > 0)
        derivation_words(&d->to,
                         "Joints of several velocities, and those that follow others, are in "
                         "J alone.");
    show(d, "J =", "J", d->t->jacobian, d->n, d->nv);
}

/* ---- 5.19 to 5.24: inverses ---------------------------------------------------- */

/* 5.19 */
static void write_inverse(const derivation *d)
{
    derivation_heading(&d->to, "5.19", "A square J is inverted");
    if (d->n != d->nv)
        derivation_words(&d->to, "J has %d rows and %d columns: there is no inverse.", d->n, d->nv);
    else if (!d->has_plus)
        derivation_words(&d->to, "J is singular here: there is no inverse.");
    if (d->n != d->nv || !d->has_plus)
        return;
    double rate[DERIVATION_ROWS];
    multiply(d->n, d->n, 1, d->plus, d->t->v, rate);
    show(d, "J^-1 =", "inverse", d->plus, d->n, d->n);
    show(d, "theta' = J^-1 V =", "inverseV", rate, d->n, 1);
}

/* 5.20, and of independent rows 5.21 to 5.23 */
static void write_pseudoinverse(const derivation *d)
{
    const int n = d->n, nv = d->nv;
    double *rate = d->spare;
    multiply(nv, n, 1, d->plus, d->t->v, rate);
    derivation_heading(
        &d->to, "5.20",
        n <= nv ? "Of all joint velocities that make V, the pseudoinverse gives the least"
                : "The pseudoinverse gives joint velocities that come nearest to V");
    if (d->has_plus)
        show(d, "theta' = J^+ V =", "plusV", rate, nv, 1);
    else
        FORMULA(&d->to, SIGN("theta' = J^+ V"));
    if (n <= nv) {
        derivation_heading(&d->to, "5.21", "The pseudoinverse of a J with independent rows");
        show(d, "J ~J^T =", "A", d->a, n, n);
    }
    if (!d->has_plus)
        derivation_words(&d->to, "%s is singular here: there is no pseudoinverse of this form.",
                         n <= nv ? "It" : "J^T J");
    else if (n > nv)
        show(d, "J^+ = (J^T W^2 J)^-1 J^T W^2 =", "plus", d->plus, nv, n);
    else {
        show(d, "J^+ = ~J^T (J ~J^T)^-1 =", "plus", d->plus, nv, n);
        derivation_heading(&d->to, "5.22", "The same without an inverse: a linear system");
        show(d, "(J ~J^T) beta = V, beta =", "beta0", d->beta, n, 1);
        derivation_heading(&d->to, "5.23", "and multiply");
        show(d, "theta' = ~J^T beta =", "plusV", rate, nv, 1);
    }
}

/* 5.24 */
static void write_damping(const derivation *d)
{
    const int n = d->n;
    double damping2 = derivation_damping(d->t), damped[DERIVATION_ROWS * DERIVATION_ROWS],
           square[DERIVATION_ROWS];
    if (!(damping2 > 0))
        return;
    derivation_heading(&d->to, "5.24", "Damping keeps the step small near singular configurations");
    memcpy(damped, d->a, sizeof damped);
    for (int r = 0; r < n; r++) {
        double w = derivation_weight(d->t, r);
        square[r] = damping2 / (w * w);
        damped[r * n + r] += square[r];
    }
    derivation_words(
        &d->to,
        derivation_is_of(d->t, "damped")
            ? "The damping is --damping, by default L / 10 for positions and 1 / 10 for rotations."
            : "The damping is --damping, by default sqrt(0.1) of the error.");
    show(d, "diag lambda^2 I =", "lambda2", square, 1, n);
    show(d, "J ~J^T + lambda^2 I =", "damped", damped, n, n);
    if (d->t->options->gains == NULL) {
        show(d, "(J ~J^T + lambda^2 I) beta = V, beta =", "beta", d->t->beta, n, 1);
        show(d, "theta' = ~J^T beta =", "JTbeta", d->t->product, d->nv, 1);
    }
}

/* ---- 5.25 to 5.31: the control term --------------------------------------------- */

/* 5.25, 5.26 */
static void write_idle(const derivation *d)
{
    const int nv = d->nv;
    double *moved = d->spare, *none = moved + nv;
    derivation_heading(&d->to, "5.25", "What z does within the null space");
    show(d, "J^+ J - I =", "idle", d->idle, nv, nv);
    multiply(nv, nv, 1, d->idle, d->t->z, moved);
    show(d, "(J^+ J - I) z =", "idlez", moved, nv, 1);
    derivation_heading(&d->to, "5.26", "It does not move the end effector");
    multiply(d->n, nv, 1, d->t->jacobian, moved, none);
    show(d, "J (J^+ J - I) z =", "Jidlez", none, d->n, 1);
}

/* 5.28 to 5.31 */
static void write_sum(const derivation *d)
{
    const derivation_step *t = d->t;
    const bool damped = derivation_damping(t) > 0;
    double moved[DERIVATION_ROWS];
    derivation_heading(&d->to, "5.28", "Both together");
    show(d,
         damped ? "theta' = ~J^T (J ~J^T + lambda^2 I)^-1 V + (J^+ J - I) z ="
                : "theta' = J^+ V + (J^+ J - I) z =",
         "rate", d->rate, d->nv, 1);
    derivation_heading(&d->to, "5.29", "Rearranged, J z joins V");
    multiply(d->n, d->nv, 1, t->jacobian, t->z, moved);
    show(d, "J z =", "Jz", moved, d->n, 1);
    if (damped)
        derivation_words(&d->to, "V is solved for with damping, J z without.");
    else
        FORMULA(&d->to, SIGN("theta' = ~J^T (J ~J^T)^-1 (V + J z) - z"));
    derivation_heading(&d->to, "5.30", "One product is left");
    show(d, "theta' = ~J^T beta - z =", "rate", d->rate, d->nv, 1);
    derivation_heading(&d->to, "5.31", "with the solution of");
    show(d,
         damped ? "beta = (J ~J^T + lambda^2 I)^-1 V + (J ~J^T)^-1 J z ="
                : "V + J z = (J ~J^T) beta, beta =",
         "beta", t->beta, d->n, 1);
}

/* 5.25 to 5.31 */
static void write_control(const derivation *d)
{
    const derivation_step *t = d->t;
    const bool square = t->options->control == LB_CONTROL_SQUARE;
    if (t->options->gains == NULL)
        return;
    if (d->has_plus)
        write_idle(d);
    derivation_heading(&d->to, "5.27", "z leads the joints to desired values c with gains a");
    FORMULA(&d->to,
            SIGN(square ? "z = min(a (theta - c)^2, |theta - c|)" : "z = min(2 a, 1) (theta - c)"));
    derivation_words(&d->to, square
                                 ? "As the textbook has it, but at most the distance from c."
                                 : "The gradient of a (theta - c)^2 up to a = 0.5. A greater gain "
                                   "leads to c, not beyond it.");
    show(d, "a =", "gains", t->options->gains, 1, d->nv);
    show(d, "c =", "desired", t->desired, 1, t->nq);
    if (*d->to.middle != '\0')
        derivation_words(&d->to, "It is multiplied by M^2.");
    show(d, "z =", "z", t->z, 1, d->nv);
    if (isfinite(t->product[0]))
        write_sum(d);
}

/* the transpose of Parent 2012: theta' = alpha J^T V; the best alpha where none is given */
static void write_transpose(derivation *d)
{
    const int n = d->n, nv = d->nv;
    double weighed[DERIVATION_ROWS], forward[DERIVATION_ROWS], along = 0, across = 0;
    double unit2 = d->t->unit * d->t->unit, alpha = d->t->options->transpose.alpha;
    for (int r = 0; r < n; r++)
        weighed[r] = d->t->v[r] * derivation_weight(d->t, r) * derivation_weight(d->t, r) * unit2;
    multiply(nv, n, 1, d->scaled, weighed, d->rate);
    multiply(n, n, 1, d->a, weighed, forward);
    for (int r = 0; r < n; r++) {
        double w2 = derivation_weight(d->t, r) * derivation_weight(d->t, r);
        along += w2 * d->t->v[r] * forward[r];
        across += w2 * forward[r] * forward[r];
    }
    if (alpha == 0)
        alpha = across > 0 ? along / across : 0;
    derivation_heading(&d->to, "", "The transpose: the dot products of V and the columns of J");
    show(d, "~J^T V =", "JTV", d->rate, nv, 1);
    for (int c = 0; c < nv; c++)
        d->rate[c] *= alpha;
    show(d, "alpha =", "alpha", &alpha, 1, 1);
    show(d, "theta' = alpha ~J^T V =", "rate", d->rate, nv, 1);
}

/* ---- Juckett 2009 ----------------------------------------------------------------- */

/* the turn or the displacement of a joint that brings e as near to t as it alone can */
static double find_turn(const derivation *d, const lb_state *state, int j)
{
    const lb_task *task = d->t->task;
    const lb_joint *joint = lb_model_joint(d->t->model, j);
    lb_vec3 zero = {0, 0, 0}, axis = lb_state_direction(state, j + 1, task->base, joint->axis),
            e = lb_vec3_sub(lb_state_point(state, task->tip, task->base, task->tool.p),
                            lb_state_point(state, j + 1, task->base, zero)),
            t = lb_vec3_sub(d->t->target->p, lb_state_point(state, j + 1, task->base, zero));
    const int v = lb_model_joint_v(d->t->model, j) + 1;
    char from[16], to[24];
    double turn = lb_vec3_dot(axis, lb_vec3_sub(t, e));
    if (joint->kind != LB_JOINT_PRISMATIC) {
        // what is along the axis does not change; of rounding there is no direction
        const double most = nothing * (lb_vec3_length(e) + lb_vec3_length(t));
        e = lb_vec3_sub(e, lb_vec3_scale(axis, lb_vec3_dot(axis, e)));
        t = lb_vec3_sub(t, lb_vec3_scale(axis, lb_vec3_dot(axis, t)));
        turn = fmin(lb_vec3_length(e), lb_vec3_length(t)) <= most
                   ? 0
                   : lb_atan2(lb_vec3_dot(axis, lb_vec3_cross(e, t)), lb_vec3_dot(e, t));
    }
    text_format(from, sizeof from, "e - j_%d =", v);
    text_format(to, sizeof to, ", t - j_%d =", v);
    FORMULA(&d->to, SIGN(from), MATRIX("ej", &e.x, 3, 1), SIGN(to), MATRIX("tj", &t.x, 3, 1),
            SIGN(joint->kind == LB_JOINT_PRISMATIC ? ", along the axis" : ", alpha ="),
            MATRIX("turn", &turn, 1, 1));
    return turn;
}

/* whether the method is cyclic descent, of a place by hinges and slides */
static bool is_sweep(const derivation_step *t)
{
    const lb_model *model = t->model;
    bool sweeps = derivation_is_of(t, "ccd") && t->task->kind == LB_TASK_POSITION;
    for (int link = t->task->tip; link > 0; link = lb_model_parent(model, link)) {
        const lb_joint *joint = lb_model_joint(model, link - 1);
        sweeps = sweeps && !joint->mimic && lb_joint_kind_nv(joint->kind) <= 1;
    }
    return sweeps;
}

/* one sweep from the tip to the base, without limits; the turns are the rates */
static void write_sweep(derivation *d)
{
    const lb_model *model = d->t->model;
    const lb_task *task = d->t->task;
    double *q = d->spare;
    lb_state *state = d->t->state;
    memcpy(q, d->t->q, sizeof *q * (size_t)d->t->nq);
    for (int v = 0; v < d->nv; v++)
        d->rate[v] = 0;
    derivation_heading(&d->to, "",
                       "A sweep of cyclic descent: each joint by itself, from the tip on");
    derivation_words(
        &d->to, "alpha is the angle from e - j to t - j, across the axis of joint j. The joint "
                "stays if one of them is 0.");
    for (int link = task->tip; link > 0; link = lb_model_parent(model, link)) {
        int v = lb_model_joint_v(model, link - 1);
        if (v < 0)
            continue;
        lb_state_update(state, q);
        d->rate[v] = find_turn(d, state, link - 1);
        q[lb_model_joint_q(model, link - 1)] += d->rate[v];
    }
    lb_state_update(state, q);
    lb_vec3 e = lb_state_point(state, task->tip, task->base, task->tool.p);
    derivation_words(&d->to, "After the sweep the end effector is at");
    show(d, "e =", "e", &e.x, 3, 1);
}

/* ---- the step ------------------------------------------------------------------- */

static void write_step(derivation *d)
{
    const derivation_step *t = d->t;
    const lb_method *method = t->options->method;
    const char *name = lb_method_name(method != NULL ? method : lb_method_find("lm"));
    if (derivation_is_of(t, "transpose") && t->options->gains == NULL)
        write_transpose(d);
    if (is_sweep(t))
        write_sweep(d);
    char title[80];
    text_format(title, sizeof title, "The step of %s", name);
    derivation_heading(&d->to, "", title);
    if (isfinite(d->rate[0])) {
        double *off = d->spare;
        for (int c = 0; c < d->nv; c++)
            off[c] = isfinite(t->clamped[c]) ? t->clamped[c] : t->change[c] - d->rate[c];
        derivation_words(&d->to,
                         "The step is these changes plus what joint limits and the step limit "
                         "took from them, or a bend out of a stuck configuration added.");
        show(d, "clamped =", "clamped", off, d->nv, 1);
    } else if (derivation_is_of(t, "pseudoinverse")) {
        derivation_words(&d->to,
                         "The solver leaves out singular values of 0. If no step is left, it "
                         "bends the joints a little, unless --no-nudge is given.");
    } else {
        derivation_words(&d->to,
                         "Equations 5.18 to 5.31, as they stand here, do not make this step.");
    }
    show(d, "step =", "step", t->change, d->nv, 1);
}

/* whether the step needs an inverse of J: its own or, with gains, that of the control term */
static bool needs_inverse(const derivation_step *t)
{
    static const char *const without[] = {"alternative", "transpose", "ccd",
                                          "ccd-ranked",  "fabrik",    "analytic"};
    bool needs = true;
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        needs = needs && !derivation_is_of(t, without[i]);
    return needs || t->options->gains != NULL;
}

/* 5.16 to 5.31, as far as the step is made of them */
static void write_equations(const derivation *d)
{
    bool inverts = needs_inverse(d->t);
    if (!inverts && is_sweep(d->t))
        return;
    write_weights(d);
    write_error(d);
    write_jacobian(d);
    if (!inverts)
        return;
    derivation_heading(&d->to, "5.18", "The joint velocities are the unknowns");
    FORMULA(&d->to, SIGN("V = J theta'"));
    write_inverse(d);
    write_pseudoinverse(d);
    write_damping(d);
    write_control(d);
}

lb_status derivation_visit(const derivation_step *t, lb_derivation_visit *visit, void *user,
                           lb_error *error)
{
    bool turns;
    memory_pool pool;
    const lb_allocator memory = memory_pool_begin(&pool, NULL);
    derivation d = {.t = t, .n = t->rows, .nv = t->nv};
    d.to = (derivation_lines){
        .visit = visit, .user = user, .middle = is_weighed(t, &turns) ? "M^2 " : ""};
    bool fine = take_room(&d, &memory);
    if (fine) {
        prepare(&d);
        list_names(&d);
        write_equations(&d);
        write_step(&d);
    }
    memory_pool_end(&pool);
    return fine ? LB_OK : lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
}

lb_status lb_derive(const lb_model *model, const lb_task *task, const lb_ik_options *options,
                    const lb_transform *target, const double *q, lb_derivation_visit *visit,
                    void *user, lb_error *error)
{
    derivation_step t;
    const lb_ik_options usual = lb_ik_options_default();
    TRY(REQUIRE(error, {model, "model"}, {task, "task"}, {target, "target"}, {q, "q"},
                {visit == NULL ? NULL : "", "visit"}));
    lb_status status = derivation_step_begin(&t, model, task, options != NULL ? options : &usual,
                                             target, q, error);
    if (status == LB_OK) {
        derivation_step_take(&t, false);
        status = derivation_visit(&t, visit, user, error);
    }
    derivation_step_end(&t);
    return status;
}
