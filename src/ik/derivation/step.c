/*
 * step.c - one step of a method, and the numbers of its equations.
 *
 * The step is that of lb_ik_step. What surrounds it is computed beside it from forward kinematics
 * alone: V (Eq. 5.16) as the steps use it, whose rotation is 2 sin(t/2) about the axis;
 * J (5.17), J J^T, z of the control term (5.25-5.27), beta (5.22, with gains 5.31) and J^T beta.
 * The step is J^T beta - z plus what limits and the step limit took from it, "clamped". beta has
 * numbers for the methods whose step this is, and where J J^T is not singular.
 *
 * The solver weighs rows and joints: lengths count in its own unit, joints by their mobility m,
 * 1 / sqrt(weight), of slides times the unit. beta belongs to the rows as printed; "JTbeta" and z
 * are those of the step, m^2 times the plain ones.
 */
#include "ik/derivation/step.h"
#include "base/error.h"

#include "math/dense.h"

#include <math.h>
#include <string.h>

enum { PROBES = 4 };

/* a share of the greatest entry: a row below it in all probes is one that nothing moves */
static const double nothing = 1e-9;
/* of the greatest entry: pivots below it leave no correct digits */
static const double singular = 1e-13;

/* the damping of "damped" where none is given, in the solver's unit, and lambda^2 of "lm" as a
   share of the squared error: those of the library */
static const double USUAL_DAMPING = 0.1, LM_SHARE = 0.1;

const char *derivation_row_name(int row)
{
    static const char *const names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};
    return names[row];
}

/* ---- matrices ------------------------------------------------------------- */

/* all six rows of the tool's Jacobian, in the base's axes */
static void full_jacobian(derivation_step *t, const double *q)
{
    const lb_task *task = t->task;
    lb_state_update(t->state, q);
    lb_state_jacobian(t->state, task->tip, task->tool.p, LB_AXES_WORLD, t->all);
    for (int c = 0; c < t->nv; c++)
        for (int half = 0; half < 2; half++) {
            double *x = &t->all[3 * half * t->nv + c], *y = x + t->nv, *z = y + t->nv;
            lb_vec3 d = lb_vec3_make(*x, *y, *z);
            d = lb_state_direction(t->state, LB_WORLD, task->base, d);
            *x = d.x;
            *y = d.y;
            *z = d.z;
        }
}

static bool counts(const lb_task *task, int index)
{
    return index < 3 ? task->kind != LB_TASK_ROTATION : task->kind != LB_TASK_POSITION;
}

/* the rows of the task that joints move in some configuration */
static void find_rows(derivation_step *t)
{
    lb_random random = lb_random_seed(1);
    double most[DERIVATION_ROWS] = {0}, greatest = 0;
    for (int i = 0; i < PROBES; i++) {
        lb_configuration_random(t->model, &random, t->q);
        full_jacobian(t, t->q);
        for (int k = 0; k < DERIVATION_ROWS * t->nv; k++) {
            most[k / t->nv] = fmax(most[k / t->nv], fabs(t->all[k]));
            greatest = fmax(greatest, fabs(t->all[k]));
        }
    }
    for (int r = 0; r < DERIVATION_ROWS; r++)
        if (counts(t->task, r) && most[r] > nothing * greatest)
            t->row_of[t->rows++] = r;
}

/* V: from the tool to the target, linear and along the axis of rotation, in the base's axes */
static void find_error(derivation_step *t)
{
    const lb_task *task = t->task;
    const lb_transform *goal = t->target;
    lb_transform tip = lb_state_transform(t->state, task->base, task->tip);
    lb_transform tool = lb_transform_multiply(&tip, &task->tool);
    lb_vec3 displacement = lb_vec3_sub(goal->p, tool.p);
    lb_quat back = lb_quat_conjugate(lb_transform_quat(&tool));
    lb_vec3 turn = lb_quat_log(lb_quat_multiply(lb_transform_quat(goal), back));
    // a rotation by t counts as 2 sin(t/2)
    double angle = lb_vec3_length(turn);
    turn = lb_vec3_scale(turn, angle > 0 ? 2 * lb_sin(0.5 * angle) / angle : 1);
    const double six[DERIVATION_ROWS] = {displacement.x, displacement.y, displacement.z,
                                         turn.x,         turn.y,         turn.z};
    for (int r = 0; r < t->rows; r++)
        t->v[r] = six[t->row_of[r]];
}

/* J J^T of the rows as printed */
static void find_square(derivation_step *t)
{
    int n = t->rows, nv = t->nv;
    for (int i = 0; i < n * n; i++) {
        t->square[i] = 0;
        for (int c = 0; c < nv; c++)
            t->square[i] += t->jacobian[i / n * nv + c] * t->jacobian[i % n * nv + c];
    }
}

double derivation_weight(const derivation_step *t, int r)
{
    return t->row_of[r] < 3 ? 1 / t->unit : 1;
}

/* x = (A + damping^2)^-1 b with A = S J M^2 J^T S in the solver's units; false where singular */
static bool solve_weighed(const derivation_step *t, double damping2, const double *b, double *x)
{
    double factors[DERIVATION_ROWS * DERIVATION_ROWS];
    int pivots[DERIVATION_ROWS], n = t->rows;
    for (int i = 0; i < n * n; i++) {
        double sum = 0;
        for (int c = 0; c < t->nv; c++)
            sum += t->jacobian[i / n * t->nv + c] * t->jacobian[i % n * t->nv + c] *
                   t->mobility[c] * t->mobility[c];
        factors[i] = sum * derivation_weight(t, i / n) * derivation_weight(t, i % n) +
                     (i / n == i % n ? damping2 : 0);
    }
    memcpy(x, b, sizeof *b * (size_t)n);
    if (n == 0 || dense_lu_factor(n, factors, pivots) <= singular)
        return false;
    dense_lu_solve(n, factors, pivots, x);
    return true;
}

bool derivation_is_of(const derivation_step *t, const char *method)
{
    return t->options->method == lb_method_find(method);
}

double derivation_damping(const derivation_step *t)
{
    const lb_ik_options *o = t->options;
    double error2 = 0, given = o->damping / t->unit;
    for (int r = 0; r < t->rows; r++)
        error2 += t->v[r] * t->v[r] * derivation_weight(t, r) * derivation_weight(t, r);
    if (derivation_is_of(t, "pseudoinverse") || derivation_is_of(t, "inverse"))
        return 0;
    if (o->damped.adaptive)
        return -1;
    if (derivation_is_of(t, "damped"))
        return given > 0 ? given * given : USUAL_DAMPING * USUAL_DAMPING;
    bool lm = o->method == NULL || derivation_is_of(t, "lm");
    return !lm ? -1 : given > 0 ? given * given : LM_SHARE * error2;
}

/* z of one velocity: towards the desired value, never beyond it */
static double z_of(const lb_ik_options *o, double gain, double difference)
{
    bool square = o->control == LB_CONTROL_SQUARE;
    return square ? fmin(gain * difference * difference, fabs(difference))
                  : fmin(2 * gain, 1) * difference;
}

/* m^2 z of the control term (Eq. 5.25-5.27), zeros without gains */
static void find_z(derivation_step *t)
{
    const lb_ik_options *o = t->options;
    for (int v = 0; v < t->nv; v++)
        t->z[v] = 0;
    if (!o->gains)
        return;
    lb_configuration_difference(t->model, t->desired, t->q, t->z);
    for (int j = 0; j < lb_model_joint_count(t->model); j++) {
        int q = lb_model_joint_q(t->model, j), v = lb_model_joint_v(t->model, j);
        if (q >= 0 && v >= 0 && lb_joint_kind_nq(lb_model_joint(t->model, j)->kind) == 1)
            t->z[v] = t->q[q] - t->desired[q];
    }
    for (int v = 0; v < t->nv; v++)
        t->z[v] = t->mobility[v] * t->mobility[v] * z_of(o, o->gains[v], t->z[v]);
}

/* beta of Eq. 5.22, with gains of Eq. 5.31, and J^T beta; NaN where the step is none or singular */
static void find_beta(derivation_step *t)
{
    double v[DERIVATION_ROWS], moved[DERIVATION_ROWS], beta[DERIVATION_ROWS], back[DERIVATION_ROWS];
    double damping2 = derivation_damping(t);
    for (int r = 0; r < t->rows; r++) {
        moved[r] = 0;
        for (int c = 0; c < t->nv; c++)
            moved[r] += t->jacobian[r * t->nv + c] * t->z[c];
        v[r] = derivation_weight(t, r) * t->v[r];
        moved[r] *= derivation_weight(t, r);
    }
    bool sound = damping2 >= 0 && solve_weighed(t, damping2, v, beta) &&
                 solve_weighed(t, t->options->gains ? 0 : damping2, moved, back);
    for (int r = 0; r < t->rows; r++)
        t->beta[r] = sound ? derivation_weight(t, r) * (beta[r] + back[r]) : NAN;
    for (int c = 0; c < t->nv; c++) {
        t->product[c] = 0;
        for (int r = 0; r < t->rows; r++)
            t->product[c] +=
                t->mobility[c] * t->mobility[c] * t->jacobian[r * t->nv + c] * t->beta[r];
        t->clamped[c] = t->change[c] - (t->product[c] - t->z[c]);
        // of numbers this large it is rounding
        if (fabs(t->clamped[c]) <= nothing * (fabs(t->product[c]) + fabs(t->z[c])))
            t->clamped[c] = 0;
    }
}

static void evaluate(derivation_step *t)
{
    full_jacobian(t, t->q);
    for (int r = 0; r < t->rows; r++)
        memcpy(&t->jacobian[r * t->nv], &t->all[t->row_of[r] * t->nv],
               sizeof(double) * (size_t)t->nv);
    find_error(t);
    find_square(t);
    find_z(t);
    find_beta(t);
    lb_task_error(t->state, t->task, t->target, &t->result.position_error,
                  &t->result.rotation_error);
}

/* ---- a step ---------------------------------------------------------------- */

/* 1 / sqrt(weight), of slides times the solver's unit, 0 of locked joints; options may replace
   weights and lock */
static void find_mobilities(derivation_step *t)
{
    const lb_model *model = t->model;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        int v = lb_model_joint_v(model, j), nv = lb_joint_kind_nv(joint->kind);
        double weight = joint->weight;
        bool locked = joint->locked;
        for (int i = 0; i < t->options->joint_count; i++) {
            const lb_joint_setting *setting = &t->options->joints[i];
            if (setting->joint == j && setting->weight > 0)
                weight = setting->weight;
            locked = locked || (setting->joint == j && setting->locked);
        }
        bool slides = joint->kind == LB_JOINT_PRISMATIC;
        for (int k = 0; v >= 0 && k < nv; k++)
            t->mobility[v + k] = locked ? 0 : (slides ? t->unit : 1) / sqrt(weight);
    }
}

/* what the matrices do not show */
static lb_status check_step(const lb_model *model, const lb_task *task, lb_error *error)
{
    const char *text = NULL;
    if (lb_model_loop_count(model) > 0)
        text = "the matrices are a tree's, and %s has loops";
    else if (task->base > 0)
        text = "the base must be the root or the world";
    else if (lb_vec3_length(task->free_axis) > 0 || task->free_position != 0)
        text = "free axes have no effect on the matrices";
    return text == NULL ? LB_OK : REFUSE_UNSUPPORTED(error, text, lb_model_name(model));
}

/* false: there is no memory */
static bool take_numbers(derivation_step *t)
{
    const lb_allocator memory = memory_pool_begin(&t->pool, NULL);
    const size_t nq = (size_t)t->nq, nv = (size_t)t->nv;
    double **const values[] = {&t->q, &t->next, &t->desired};
    double **const velocities[] = {&t->change, &t->mobility, &t->z, &t->product, &t->clamped};
    for (int i = 0; i < 3; i++)
        *values[i] = memory_take(&memory, nq, sizeof(double));
    for (int i = 0; i < 5; i++)
        *velocities[i] = memory_take(&memory, nv, sizeof(double));
    t->all = memory_take(&memory, DERIVATION_ROWS * nv, sizeof(double));
    t->jacobian = memory_take(&memory, DERIVATION_ROWS * nv, sizeof(double));
    return !memory_pool_failed(&memory);
}

lb_status derivation_step_begin(derivation_step *t, const lb_model *model, const lb_task *task,
                                const lb_ik_options *options, const lb_transform *target,
                                const double *q, lb_error *error)
{
    *t = (derivation_step){.model = model, .task = task, .options = options, .target = target};
    TRY(check_step(model, task, error));
    TRY(lb_ik_create(model, task, 1, options, NULL, &t->ik, error));
    t->nq = lb_model_nq(model);
    t->nv = lb_model_nv(model);
    if (!take_numbers(t) || lb_state_create(model, NULL, &t->state) != LB_OK)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
    t->unit = lb_ik_get_options(t->ik)->length;
    find_mobilities(t);
    if (options->desired)
        lb_configuration_clamp(model, options->desired, t->desired);
    else
        lb_configuration_neutral(model, t->desired);
    find_rows(t);
    memcpy(t->q, q, sizeof *q * (size_t)t->nq);
    return LB_OK;
}

void derivation_step_end(derivation_step *t)
{
    memory_pool_end(&t->pool);
    lb_state_release(t->state);
    lb_ik_release(t->ik);
}

/* the change of every joint; of angles as it was made, whole turns and all */
static void find_change(derivation_step *t)
{
    const lb_model *model = t->model;
    lb_configuration_difference(model, t->q, t->next, t->change);
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        int q = lb_model_joint_q(model, j), v = lb_model_joint_v(model, j);
        if (q >= 0 && lb_joint_kind_nq(lb_model_joint(model, j)->kind) == 1)
            t->change[v] = t->next[q] - t->q[q];
    }
}

lb_progress derivation_step_take(derivation_step *t, bool last)
{
    memcpy(t->next, t->q, sizeof(double) * (size_t)t->nq);
    lb_progress progress = last ? LB_PROCESSING : lb_ik_step(t->ik, t->target, t->next, NULL);
    find_change(t);
    for (int c = 0; c < t->nv && last; c++)
        t->change[c] = NAN;
    evaluate(t);
    return progress;
}
