/*
 * assembly_follow.c - a path of closed configurations in certified steps, and its dead points.
 *
 * With A the pseudoinverse of the dependent columns, L the bound of second derivatives, a = |A| L
 * and D the length of the tangent step, the simplified Newton map contracts on a ball of radius
 * (1 - a D) / (2 a) around every point of the step as soon as a D <= sqrt(2) - 1 (Kantorovich;
 * compare Beltran and Leykin 2012). One branch passes through these balls. So a step is accepted if
 * Newton's limit lies in the last of them.
 */
#include "kinematics/assembly.h"
#include "math/dense.h"
#include "model/kinds.h"

#include <string.h>

/* sqrt(2) - 1, less its rounding */
static const double certified_share = 0.41421356;
/* Beside a dead point steps of the independent joints shrink to nothing: from here on, steps are
   counted along the curve instead. */
static const double shortest_step = 1e-5;

/* The move of the independent joints. */
typedef struct path {
    const double *to;
    double *move; /* without a unit; of dependent and locked joints 0 */
    double length, at;
    int joint;      /* at its limit */
    double a, rate; /* |A| L, and the length of the tangent for the whole way */
} path;

/* ---- the independent joints --------------------------------------------- */

/* a ball counts as dependent if loops determine any of it */
static bool is_part_dependent(const lb_assembly *a, const model_part *part)
{
    bool any = a->is_dependent[part->v];
    for (int k = 1; k < 3 && part->kind == MODEL_BALL; k++)
        any = any || a->is_dependent[part->v + k];
    return any;
}

static bool is_moved(const lb_assembly *a, const model_part *part)
{
    return !is_part_dependent(a, part) && !a->model->joints[part->joint].locked;
}

/* the path's move from `from`, of which turns count */
static void set_move(lb_assembly *a, const double *from, path *p)
{
    lb_configuration_difference(a->model, from, p->to, a->v);
    memset(p->move, 0, sizeof(double) * (size_t)a->nv);
    for (int i = 0; i < a->model->part_count; i++) {
        const model_part *part = &a->model->parts[i];
        bool ball = part->kind == MODEL_BALL;
        for (int k = 0; k < (ball ? 3 : 1); k++)
            if (is_moved(a, part))
                p->move[part->v + k] = (ball ? a->v[part->v + k] : p->to[part->q] - from[part->q]) /
                                       a->scale[part->v + k];
    }
    for (int c = 0; c < a->column_count; c++)
        p->length += p->move[a->columns[c]] * p->move[a->columns[c]];
    p->length = sqrt(p->length);
}

/* ---- the loops of a path -------------------------------------------------- */

/* which of the velocities that a loop reads is marked; or marks those that depend on loops */
static bool touch_loop(lb_assembly *a, int i, bool mark)
{
    const model_loop *ends = &a->model->loop_layouts[i];
    bool coupling = a->model->loops[i].kind == LB_LOOP_COUPLING, any = false;
    for (int s = 0; s < (coupling ? 2 : a->chains[i].count); s++) {
        const loop_step *step = &a->steps[a->chains[i].first + s];
        int v =
            coupling ? lb_model_joint_v(a->model, s == 0 ? ends->first : ends->second) : step->v;
        for (int k = 0; k < (!coupling && step->turns == 3 ? 3 : 1); k++) {
            a->marked[v + k] = a->marked[v + k] || (mark && a->is_dependent[v + k]);
            any = any || a->marked[v + k];
        }
    }
    return any;
}

/* Leaves out the loops that a path does not move, by the joints that it moves nor by those that
   follow: they and their joints stay as they are, and bound no step. */
static void narrow_path(lb_assembly *a, const path *p)
{
    int loops = a->model->loop_count, count = a->dependent_count;
    for (int v = 0; v < a->nv; v++)
        a->marked[v] = p->move[v] != 0;
    for (int i = 0; i < loops; i++)
        a->idle[i] = true;
    for (int i = 0; i < loops; i++)
        if (a->idle[i] && touch_loop(a, i, false)) {
            a->idle[i] = false;
            touch_loop(a, i, true);
            i = -1;
        }
    memcpy(a->all_dependent, a->dependent, sizeof(int) * (size_t)count);
    a->dependent_count = 0;
    for (int d = 0; d < count; d++)
        if (a->marked[a->all_dependent[d]])
            a->dependent[a->dependent_count++] = a->all_dependent[d];
}

static void widen_path(lb_assembly *a, int count)
{
    memset(a->idle, 0, sizeof(bool) * (size_t)a->model->loop_count);
    memcpy(a->dependent, a->all_dependent, sizeof(int) * (size_t)count);
    a->dependent_count = count;
}

/* q with the independent joints at a fraction of their way, counted from a->base */
static void place_independent(lb_assembly *a, const path *p, double fraction, double *q)
{
    for (int i = 0; i < a->nv; i++)
        a->sum[i] = p->move[i] * fraction;
    loop_move(a, a->base, a->sum, a->trial);
    for (int i = 0; i < a->model->part_count; i++) {
        const model_part *part = &a->model->parts[i];
        bool ball = part->kind == MODEL_BALL;
        if (!is_moved(a, part))
            continue;
        memcpy(q + part->q, a->trial + part->q, sizeof(double) * (ball ? 4 : 1));
        if (!ball && fraction == 1)
            q[part->q] = p->to[part->q];
    }
}

/* ---- limits ------------------------------------------------------------- */

static bool is_beyond(const lb_assembly *a, const model_part *part, const double *q)
{
    // rounding of an angle that stands at its limit
    const double rounding = 1e-12;
    if (part->kind != MODEL_BALL)
        return q[part->q] < part->lower - rounding || q[part->q] > part->upper + rounding;
    if (ball_is_free(part))
        return false;
    lb_quat w = {q[part->q], q[part->q + 1], q[part->q + 2], q[part->q + 3]};
    ball_angles angles = ball_measure(part, a->model->joints[part->joint].axis, w);
    return angles.swing > part->swing + rounding || angles.twist < part->lower - rounding ||
           angles.twist > part->upper + rounding;
}

/* the joint that has left its limits, which it kept before; -1: none */
static int find_beyond(const lb_assembly *a, const double *q)
{
    for (int i = 0; i < a->model->part_count; i++)
        if (!a->outside[i] && is_part_dependent(a, &a->model->parts[i]) &&
            is_beyond(a, &a->model->parts[i], q))
            return a->model->parts[i].joint;
    return -1;
}

/* ---- certified steps ---------------------------------------------------- */

/* b = J u by velocities without a unit */
static void multiply(const lb_assembly *a, const double *u, double *b)
{
    for (int i = 0; i < a->rows; i++) {
        b[i] = 0;
        for (int c = 0; c < a->column_count; c++)
            b[i] += a->jacobian[i * a->nv + a->columns[c]] * u[a->columns[c]];
    }
}

/* the tangent of the dependent joints at a->q, whose rows were measured last, and what certifies a
   step along it */
static bool prepare(lb_assembly *a, path *p, double *tangent)
{
    double square = p->length * p->length;
    double norm = loop_factor(a);
    if (!isfinite(norm))
        return false;
    multiply(a, p->move, a->values);
    loop_solve(a, a->values, tangent);
    for (int i = 0; i < a->dependent_count; i++)
        square += tangent[i] * tangent[i];
    p->rate = sqrt(square);
    // at least 1: the bound holds as far as velocities of 1
    p->a = fmax(norm * loop_curvature(a, a->q), 1);
    return isfinite(p->rate);
}

/* a->q from a->before by h along the tangent; false if the step is not certified */
static bool step_by(lb_assembly *a, const path *p, double h, const double *tangent)
{
    double corrected, left = 1 - p->at > h ? p->at + h : 1;
    memcpy(a->q, a->before, sizeof(double) * (size_t)a->nq);
    loop_move_dependent(a, tangent, h, a->q);
    place_independent(a, p, left, a->q);
    double share = fmin(p->a * p->rate * h, certified_share);
    return loop_correct(a, a->q, &corrected) && corrected <= (1 - share) / (2 * p->a);
}

/* shortens the step until the dependent joint keeps its limits; a->q ends there */
static double shorten(lb_assembly *a, const path *p, double h, const double *tangent)
{
    double inside = 0, beyond = h;
    // to the last bit of the step
    for (int i = 0; i < 60 && beyond - inside > 1e-16; i++) {
        double middle = (inside + beyond) / 2;
        if (step_by(a, p, middle, tangent) && find_beyond(a, a->q) < 0)
            inside = middle;
        else
            beyond = middle;
    }
    if (inside == 0 || !step_by(a, p, inside, tangent))
        memcpy(a->q, a->before, sizeof(double) * (size_t)a->nq), inside = 0;
    return inside;
}

/* ---- dead points -------------------------------------------------------- */

/* The curve is that of the dependent joints and of the way of the independent ones, by arc length.
 */

/* singular values of the dependent columns and of the way's, and the correction by them */
static bool factor_curve(lb_assembly *a, const path *p)
{
    int n = a->dependent_count + 1, m = a->rows > n ? a->rows : n;
    memset(a->matrix, 0, sizeof(double) * (size_t)m * (size_t)n);
    multiply(a, p->move, a->part);
    for (int i = 0; i < a->rows; i++) {
        for (int k = 0; k < n - 1; k++)
            a->matrix[i * n + k] = a->jacobian[i * a->nv + a->dependent[k]];
        a->matrix[i * n + n - 1] = a->part[i] / p->length;
    }
    if (!dense_svd(m, n, a->matrix, a->left, a->values, a->right))
        return false;
    memset(a->correction, 0, sizeof(double) * (size_t)n);
    for (int e = 0; e < n - 1 && a->values[e] > 0; e++) {
        double along = 0;
        for (int i = 0; i < a->rows; i++)
            along += a->left[e * m + i] * a->f[i];
        for (int k = 0; k < n; k++)
            a->correction[k] -= a->right[e * n + k] * along / a->values[e];
    }
    return true;
}

/* the null direction next to the last tangent, after factor_curve; returns the share of the
   smallest singular value across it */
static double turn_tangent(lb_assembly *a)
{
    int n = a->dependent_count + 1;
    const double *null = a->right + (n - 1) * n;
    double dot = 0;
    for (int k = 0; k < n; k++)
        dot += null[k] * a->tangent[k];
    for (int k = 0; k < n; k++)
        a->tangent[k] = dot < 0 ? -null[k] : null[k];
    return n > 1 ? a->values[n - 2] / a->values[0] : 1;
}

/* a->q by `arc` along a->start from a->before, corrected across it; *at is its fraction. False if
   it ends farther from the predicted point than `most`, or is not closed. */
static bool walk_curve(lb_assembly *a, const path *p, double arc, double most, double *at)
{
    enum { MOST = 12 };
    int n = a->dependent_count;
    memset(a->left_over, 0, sizeof(double) * ((size_t)n + 1));
    memcpy(a->q, a->before, sizeof(double) * (size_t)a->nq);
    loop_move_dependent(a, a->start, arc, a->q);
    *at = p->at + a->start[n] * arc / p->length;
    for (int i = 0; i < MOST; i++) {
        place_independent(a, p, *at, a->q);
        loop_measure(a, a->q);
        if (!factor_curve(a, p))
            return false;
        if (a->error <= 1e-15)
            break;
        // along the null direction until it is across the tangent
        const double *null = a->right + n * (n + 1);
        double along = dense_dot(n + 1, a->correction, a->start);
        along /= dense_dot(n + 1, null, a->start);
        for (int k = 0; k <= n; k++) {
            a->correction[k] -= null[k] * along;
            a->left_over[k] += a->correction[k];
        }
        loop_move_dependent(a, a->correction, 1, a->q);
        *at += a->correction[n] / p->length;
    }
    return a->error <= LOOP_CLOSED && dense_dot(n + 1, a->left_over, a->left_over) <= most * most;
}

/* whether the independent joints turn back at a->q, after walk_curve; a->start is the tangent */
static bool is_turned(lb_assembly *a)
{
    memcpy(a->tangent, a->start, sizeof(double) * ((size_t)a->dependent_count + 1));
    turn_tangent(a);
    return a->tangent[a->dependent_count] <= 0;
}

/* How the curve goes on where steps of the independent joints have become short. */
typedef enum turn {
    TURN_PASSED,   /* a->q is beyond */
    TURN_DEAD,     /* the branch turns back at a->q */
    TURN_LIMIT,    /* a dependent joint is at its limit there */
    TURN_SINGULAR, /* no certified step leads on */
    TURN_END       /* the independent joints have come all their way */
} turn;

/* what ends the path at a->q or before, after walk_curve */
static turn find_end(lb_assembly *a, double found)
{
    if (find_beyond(a, a->q) >= 0)
        return TURN_LIMIT;
    return is_turned(a) ? TURN_DEAD : found >= 1 ? TURN_END : TURN_PASSED;
}

/* brings a->q to the last point of the step from a->before at which nothing has ended the path;
   returns what does */
static turn bisect_curve(lb_assembly *a, path *p, double high, turn end)
{
    double low = 0, found;
    for (;;) {
        double middle = (low + high) / 2;
        if (middle == low || middle == high || high - low < 1e-16)
            break;
        turn here = walk_curve(a, p, middle, INFINITY, &found) ? find_end(a, found) : end;
        if (here == TURN_PASSED) {
            low = middle;
        } else {
            high = middle;
            end = here;
        }
    }
    walk_curve(a, p, high, INFINITY, &found);
    p->joint = find_beyond(a, a->q);
    if (low > 0 && walk_curve(a, p, low, INFINITY, &found))
        p->at = found;
    else
        memcpy(a->q, a->before, sizeof(double) * (size_t)a->nq);
    return end;
}

/* one certified step along the curve from a->before; false: none is long enough */
static bool step_curve(lb_assembly *a, const path *p, double *arc, double *found)
{
    // beyond this, the curve's own certificate has shrunk to nothing: branches cross
    const double shortest_arc = 1e-7;
    int n = a->dependent_count;
    loop_measure(a, a->before);
    if (n == 0 || !factor_curve(a, p))
        return false;
    turn_tangent(a);
    memcpy(a->start, a->tangent, sizeof(double) * ((size_t)n + 1));
    double bound = fmax(loop_curvature(a, a->before) / a->values[n - 1], 1);
    *arc = certified_share / bound;
    for (; *arc > shortest_arc; *arc /= 2)
        if (walk_curve(a, p, *arc, (1 - certified_share) / (2 * bound), found))
            return true;
    return false;
}

/* follows the curve by arc length, certified as the steps before */
static turn follow_curve(lb_assembly *a, path *p)
{
    // steps shrink by some thousandths toward a crossing
    enum { MOST = 5000 };
    int n = a->dependent_count;
    double arc, found, slope = 0;
    memset(a->tangent, 0, sizeof(double) * ((size_t)n + 1));
    a->tangent[n] = 1;
    for (int i = 0; i < MOST; i++) {
        if (!step_curve(a, p, &arc, &found))
            return TURN_SINGULAR;
        slope = i == 0 ? a->start[n] : slope;
        turn end = find_end(a, found);
        if (end != TURN_PASSED)
            return bisect_curve(a, p, arc, end);
        p->at = found;
        is_turned(a);
        if (a->tangent[n] > 2 * slope)
            return TURN_PASSED;
        memcpy(a->before, a->q, sizeof(double) * (size_t)a->nq);
    }
    return TURN_SINGULAR;
}

/* ---- paths -------------------------------------------------------------- */

/* a->q by a certified step of at most *h, which is then its length; false if there is none */
static bool advance(lb_assembly *a, const path *p, double *h)
{
    while (*h * p->length > shortest_step || *h >= 1 - p->at) {
        if (step_by(a, p, *h, a->tangent))
            return true;
        *h /= 2;
    }
    return false;
}

/* one step of the independent joints from a->before, as far as limits allow */
static turn step_path(lb_assembly *a, path *p, double h)
{
    p->joint = find_beyond(a, a->q);
    h = p->joint < 0 ? h : shorten(a, p, h, a->tangent);
    p->at = h < 1 - p->at ? p->at + h : 1;
    return p->joint < 0 ? TURN_PASSED : TURN_LIMIT;
}

/* one step from a->before */
static turn go_on(lb_assembly *a, path *p)
{
    double h = prepare(a, p, a->tangent) ? certified_share / (p->a * p->rate) : 0;
    h = fmin(h, 1 - p->at);
    if (h > 0 && advance(a, p, &h))
        return step_path(a, p, h);
    turn end = follow_curve(a, p);
    if (end == TURN_SINGULAR)
        memcpy(a->q, a->before, sizeof(double) * (size_t)a->nq);
    p->at = end == TURN_END ? 1 : p->at;
    return end;
}

static void run_path(lb_assembly *a, path *p, lb_assembly_result *result)
{
    static const lb_assembly_outcome outcomes[] = {[TURN_PASSED] = LB_ASSEMBLED,
                                                   [TURN_DEAD] = LB_ASSEMBLY_DEAD_POINT,
                                                   [TURN_LIMIT] = LB_ASSEMBLY_LIMIT,
                                                   [TURN_SINGULAR] = LB_ASSEMBLY_SINGULAR,
                                                   [TURN_END] = LB_ASSEMBLED};
    turn end = p->length > 0 ? TURN_PASSED : TURN_END;
    int count = a->dependent_count;
    narrow_path(a, p);
    while (end == TURN_PASSED && p->at < 1) {
        memcpy(a->before, a->q, sizeof(double) * (size_t)a->nq);
        end = go_on(a, p);
        result->steps++;
    }
    widen_path(a, count);
    // what moves no loop goes the whole way
    if (end == TURN_END) {
        double corrected;
        place_independent(a, p, 1, a->q);
        loop_correct(a, a->q, &corrected);
        p->at = 1;
    } else {
        loop_measure(a, a->q);
    }
    result->fraction = p->at;
    result->error = a->error;
    result->joint = end == TURN_LIMIT ? p->joint : -1;
    result->outcome = a->error <= LOOP_CLOSED ? outcomes[end] : LB_ASSEMBLY_OPEN;
}

static bool all_finite(const double *q, int n)
{
    bool finite = true;
    for (int i = 0; i < n; i++)
        finite = finite && isfinite(q[i]);
    return finite;
}

static lb_assembly_outcome refuse_path(lb_assembly_outcome outcome, lb_assembly_result *result)
{
    if (result)
        *result = (lb_assembly_result){.outcome = outcome, .joint = -1, .error = INFINITY};
    return outcome;
}

lb_assembly_outcome lb_assembly_follow(lb_assembly *a, const double *from, const double *to,
                                       double *q, lb_assembly_result *result)
{
    lb_assembly_result made = {.joint = -1};
    if (!a || !from || !to || !q)
        return refuse_path(LB_ASSEMBLY_INVALID, result);
    memcpy(a->base, from, sizeof(double) * (size_t)a->nq);
    memcpy(a->goal, to, sizeof(double) * (size_t)a->nq);
    memcpy(q, a->base, sizeof(double) * (size_t)a->nq);
    if (!all_finite(a->base, a->nq) || !all_finite(a->goal, a->nq))
        return refuse_path(LB_ASSEMBLY_INVALID, result);
    path p = {.to = a->goal, .move = a->way};
    set_move(a, a->base, &p);
    memcpy(a->q, a->base, sizeof(double) * (size_t)a->nq);
    loop_measure(a, a->q);
    // closed as well as decimals of nine places say, then by Newton
    double corrected;
    if (a->error > 1e-9 || (a->error > LOOP_CLOSED && !loop_correct(a, a->q, &corrected))) {
        made.error = a->error;
        made.outcome = LB_ASSEMBLY_OPEN;
    } else {
        for (int i = 0; i < a->model->part_count; i++)
            a->outside[i] = is_beyond(a, &a->model->parts[i], a->q);
        run_path(a, &p, &made);
        memcpy(q, a->q, sizeof(double) * (size_t)a->nq);
    }
    if (result)
        *result = made;
    return made.outcome;
}

/* how fast the dependent joints are per unit of an independent velocity, into a->move */
static void respond(lb_assembly *a, int v)
{
    for (int r = 0; r < a->rows; r++)
        a->values[r] = a->jacobian[r * a->nv + v] / a->scale[v];
    loop_solve(a, a->values, a->right);
    for (int d = 0; d < a->dependent_count; d++)
        a->move[d] = a->right[d] * a->scale[a->dependent[d]];
}

static bool factor_closed(lb_assembly *a, const double *q)
{
    loop_measure(a, q);
    return a->error <= LOOP_CLOSED && isfinite(loop_factor(a));
}

bool lb_assembly_velocities(lb_assembly *a, const double *q, double *e)
{
    if (!a || !q || !e || !factor_closed(a, q))
        return false;
    int count = 0, n = a->mobility.velocities - a->dependent_count;
    memset(e, 0, sizeof(double) * (size_t)a->nv * (size_t)n);
    for (int i = 0; i < a->model->part_count; i++) {
        const model_part *part = &a->model->parts[i];
        for (int v = part->v; v < part->v + (part->kind == MODEL_BALL ? 3 : 1); v++) {
            if (a->is_dependent[v] || a->model->joints[part->joint].locked)
                continue;
            respond(a, v);
            e[v * n + count] = 1;
            for (int d = 0; d < a->dependent_count; d++)
                e[a->dependent[d] * n + count] = a->move[d];
            count++;
        }
    }
    return true;
}

bool assembly_eliminate(lb_assembly *a, const double *q, int rows, double *jacobian)
{
    if (!factor_closed(a, q))
        return false;
    for (int c = 0; c < a->column_count; c++) {
        int v = a->columns[c];
        if (a->is_dependent[v])
            continue;
        respond(a, v);
        for (int r = 0; r < rows; r++)
            for (int d = 0; d < a->dependent_count; d++)
                jacobian[r * a->nv + v] += jacobian[r * a->nv + a->dependent[d]] * a->move[d];
    }
    for (int r = 0; r < rows; r++)
        for (int d = 0; d < a->dependent_count; d++)
            jacobian[r * a->nv + a->dependent[d]] = 0;
    return true;
}
