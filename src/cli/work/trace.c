/*
 * trace.c - a method's iterations, one by one.
 *
 * Steps are those of lb_ik_step. What surrounds them is computed beside it from forward
 * kinematics alone: V (Eq. 5.16) as the steps use it, whose rotation is 2 sin(t/2) about the axis;
 * J (5.17), J J^T, z of the control term (5.25-5.27), beta (5.22, with gains 5.31) and J^T beta.
 * The step is J^T beta - z plus what limits and the step limit took from it, "clamped". beta has
 * numbers for the methods whose step this is, and where J J^T is not singular.
 *
 * The solver weighs rows and joints: lengths count in its own unit, joints by their mobility m,
 * 1 / sqrt(weight), of slides times the unit. beta belongs to the rows as printed; "JTbeta" and z
 * are those of the step, m^2 times the plain ones.
 */
#include "cli/work/trace.h"

#include "cli/report/report.h"
#include "cli/work/solve.h"
#include "math/dense.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = TRACE_ROWS, PROBES = 4 };

/* a share of the greatest entry: a row below it in all probes is one that nothing moves */
static const double nothing = 1e-9;
/* of the greatest entry: pivots below it leave no correct digits */
static const double singular = 1e-13;

/* the damping of "damped" where none is given, in the solver's unit, and lambda^2 of "lm" as a
   share of the squared error: those of the library */
static const double USUAL_DAMPING = 0.1, LM_SHARE = 0.1;

/* ---- matrices ------------------------------------------------------------- */

/* all six rows of the tool's Jacobian, in the base's axes */
static void full_jacobian(tracing *t, const double *q)
{
    const lb_task *task = t->what->task;
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
static void find_rows(tracing *t)
{
    lb_random random = lb_random_seed(1);
    double most[MOST_ROWS] = {0}, greatest = 0;
    for (int i = 0; i < PROBES; i++) {
        lb_configuration_random(t->what->model, &random, t->q);
        full_jacobian(t, t->q);
        for (int k = 0; k < MOST_ROWS * t->nv; k++) {
            most[k / t->nv] = fmax(most[k / t->nv], fabs(t->all[k]));
            greatest = fmax(greatest, fabs(t->all[k]));
        }
    }
    for (int r = 0; r < MOST_ROWS; r++)
        if (counts(t->what->task, r) && most[r] > nothing * greatest)
            t->row_of[t->rows++] = r;
}

/* V: from the tool to the target, linear and along the axis of rotation, in the base's axes */
static void find_error(tracing *t)
{
    const lb_task *task = t->what->task;
    const lb_transform *goal = t->what->target;
    lb_transform tip = lb_state_transform(t->state, task->base, task->tip);
    lb_transform tool = lb_transform_multiply(&tip, &task->tool);
    lb_vec3 displacement = lb_vec3_sub(goal->p, tool.p);
    lb_quat back = lb_quat_conjugate(lb_transform_quat(&tool));
    lb_vec3 turn = lb_quat_log(lb_quat_multiply(lb_transform_quat(goal), back));
    // a rotation by t counts as 2 sin(t/2)
    double angle = lb_vec3_length(turn);
    turn = lb_vec3_scale(turn, angle > 0 ? 2 * lb_sin(0.5 * angle) / angle : 1);
    const double six[MOST_ROWS] = {displacement.x, displacement.y, displacement.z,
                                   turn.x,         turn.y,         turn.z};
    for (int r = 0; r < t->rows; r++)
        t->v[r] = six[t->row_of[r]];
}

/* J J^T of the rows as printed */
static void find_square(tracing *t)
{
    int n = t->rows, nv = t->nv;
    for (int i = 0; i < n * n; i++) {
        t->square[i] = 0;
        for (int c = 0; c < nv; c++)
            t->square[i] += t->jacobian[i / n * nv + c] * t->jacobian[i % n * nv + c];
    }
}

double trace_weight(const tracing *t, int r)
{
    return t->row_of[r] < 3 ? 1 / t->unit : 1;
}

/* x = (A + damping^2)^-1 b with A = S J M^2 J^T S in the solver's units; false where singular */
static bool solve_weighed(const tracing *t, double damping2, const double *b, double *x)
{
    double factors[MOST_ROWS * MOST_ROWS];
    int pivots[MOST_ROWS], n = t->rows;
    for (int i = 0; i < n * n; i++) {
        double sum = 0;
        for (int c = 0; c < t->nv; c++)
            sum += t->jacobian[i / n * t->nv + c] * t->jacobian[i % n * t->nv + c] *
                   t->mobility[c] * t->mobility[c];
        factors[i] =
            sum * trace_weight(t, i / n) * trace_weight(t, i % n) + (i / n == i % n ? damping2 : 0);
    }
    memcpy(x, b, sizeof *b * (size_t)n);
    if (n == 0 || dense_lu_factor(n, factors, pivots) <= singular)
        return false;
    dense_lu_solve(n, factors, pivots, x);
    return true;
}

bool trace_is_of(const tracing *t, const char *method)
{
    return t->what->options->method == lb_method_find(method);
}

double trace_damping(const tracing *t)
{
    const lb_ik_options *o = t->what->options;
    double error2 = 0, given = o->damping / t->unit;
    for (int r = 0; r < t->rows; r++)
        error2 += t->v[r] * t->v[r] * trace_weight(t, r) * trace_weight(t, r);
    if (trace_is_of(t, "pseudoinverse") || trace_is_of(t, "inverse"))
        return 0;
    if (o->damped.adaptive)
        return -1;
    if (trace_is_of(t, "damped"))
        return given > 0 ? given * given : USUAL_DAMPING * USUAL_DAMPING;
    bool lm = o->method == NULL || trace_is_of(t, "lm");
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
static void find_z(tracing *t)
{
    const lb_ik_options *o = t->what->options;
    for (int v = 0; v < t->nv; v++)
        t->z[v] = 0;
    if (!o->gains)
        return;
    lb_configuration_difference(t->what->model, t->desired, t->q, t->z);
    for (int j = 0; j < lb_model_joint_count(t->what->model); j++) {
        int q = lb_model_joint_q(t->what->model, j), v = lb_model_joint_v(t->what->model, j);
        if (q >= 0 && v >= 0 && lb_joint_kind_nq(lb_model_joint(t->what->model, j)->kind) == 1)
            t->z[v] = t->q[q] - t->desired[q];
    }
    for (int v = 0; v < t->nv; v++)
        t->z[v] = t->mobility[v] * t->mobility[v] * z_of(o, o->gains[v], t->z[v]);
}

/* beta of Eq. 5.22, with gains of Eq. 5.31, and J^T beta; NaN where the step is none or singular */
static void find_beta(tracing *t)
{
    double v[MOST_ROWS], moved[MOST_ROWS], beta[MOST_ROWS], back[MOST_ROWS];
    double damping2 = trace_damping(t);
    for (int r = 0; r < t->rows; r++) {
        moved[r] = 0;
        for (int c = 0; c < t->nv; c++)
            moved[r] += t->jacobian[r * t->nv + c] * t->z[c];
        v[r] = trace_weight(t, r) * t->v[r];
        moved[r] *= trace_weight(t, r);
    }
    bool sound = damping2 >= 0 && solve_weighed(t, damping2, v, beta) &&
                 solve_weighed(t, t->what->options->gains ? 0 : damping2, moved, back);
    for (int r = 0; r < t->rows; r++)
        t->beta[r] = sound ? trace_weight(t, r) * (beta[r] + back[r]) : NAN;
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

static void evaluate(tracing *t)
{
    full_jacobian(t, t->q);
    for (int r = 0; r < t->rows; r++)
        memcpy(&t->jacobian[r * t->nv], &t->all[t->row_of[r] * t->nv],
               sizeof(double) * (size_t)t->nv);
    find_error(t);
    find_square(t);
    find_z(t);
    find_beta(t);
    lb_task_error(t->state, t->what->task, t->what->target, &t->result.position_error,
                  &t->result.rotation_error);
}

/* ---- forms ---------------------------------------------------------------- */

const char *const trace_row_names[MOST_ROWS] = {"vx", "vy", "vz", "wx", "wy", "wz"};

/* what the numbers of a part of a step are named by */
typedef enum trace_shape { BY_VALUE, BY_ROW, BY_ROW_AND_JOINT, BY_TWO_ROWS, BY_JOINT } trace_shape;

/* Some of the numbers of a step. */
typedef struct trace_part {
    const tracing *of;
    const char *name, *sign; /* in tables; in words */
    trace_shape shape;
    const double *numbers;
    int count, width; /* width: numbers of a row of a matrix; 0: no matrix */
    bool shown;       /* in words */
} trace_part;

enum { PARTS = 9 };

static void list_parts(const tracing *t, trace_part parts[PARTS])
{
    const int r = t->rows, nv = t->nv;
    const bool utf8 = console_is_utf8(), solved = trace_damping(t) >= 0 && r > 0;
    const bool stepped = nv > 0 && isfinite(t->change[0]);
    const bool split = stepped && isfinite(t->product[0]), drawn = t->what->options->gains != NULL;
    const trace_part all[PARTS] = {
        {t, "q", "q", BY_VALUE, t->q, t->nq, 0, true},
        {t, "V", "V", BY_ROW, t->v, r, 0, true},
        {t, "J", "J", BY_ROW_AND_JOINT, t->jacobian, r * nv, nv, true},
        {t, "JJT", utf8 ? "J J\xE1\xB5\x80" : "J J^T", BY_TWO_ROWS, t->square, r * r, r, true},
        {t, "beta", utf8 ? "\xCE\xB2" : "beta", BY_ROW, t->beta, r, 0, solved},
        {t, "z", "z", BY_JOINT, t->z, nv, 0, drawn},
        {t, "JTbeta", utf8 ? "J\xE1\xB5\x80\xCE\xB2" : "J^T beta", BY_JOINT, t->product, nv, 0,
         split},
        {t, "clamped", "clamped", BY_JOINT, t->clamped, nv, 0, split},
        {t, "step", "step", BY_JOINT, t->change, nv, 0, stepped}};
    memcpy(parts, all, sizeof all);
}

/* "elbow", "V_vx", "J_vx_1", "JJT_vx_vy", "z_1" */
static void name_part(const void *user, int i, char name[COLUMN_NAME_SIZE])
{
    const trace_part *part = user;
    const tracing *t = part->of;
    const int width = part->shape == BY_ROW_AND_JOINT ? t->nv : t->rows;
    if (part->shape == BY_VALUE)
        value_name(&t->slots[i], name);
    if (part->shape == BY_ROW)
        snprintf(name, COLUMN_NAME_SIZE, "%s_%s", part->name, trace_row_names[t->row_of[i]]);
    if (part->shape == BY_ROW_AND_JOINT)
        snprintf(name, COLUMN_NAME_SIZE, "%s_%s_%d", part->name,
                 trace_row_names[t->row_of[i / width]], i % width + 1);
    if (part->shape == BY_TWO_ROWS)
        snprintf(name, COLUMN_NAME_SIZE, "%s_%s_%s", part->name,
                 trace_row_names[t->row_of[i / width]], trace_row_names[t->row_of[i % width]]);
    if (part->shape == BY_JOINT)
        snprintf(name, COLUMN_NAME_SIZE, "%s_%d", part->name, i + 1);
}

static void name_step(const void *results, int i, row *to)
{
    const tracing *t = results;
    trace_part parts[PARTS];
    list_parts(t, parts);
    (void)i;
    column_whole(to, "iteration", t->iteration);
    column_number(to, "position_error", t->result.position_error);
    column_number(to, "rotation_error", t->result.rotation_error);
    for (const trace_part *p = parts; p < parts + PARTS; p++)
        column_numbers(to, p->name, p->numbers, p->count, p->width, name_part, p);
}

static void print_numbers(const double *numbers, int count, FILE *stream)
{
    for (int i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            fprintf(stream, " %11.6f", tidy(numbers[i], 6));
        else
            fprintf(stream, " %11s", "singular");
    fputc('\n', stream);
}

/* a line, of a matrix one for each row, behind what it is of */
static void print_part(const trace_part *part, FILE *stream)
{
    enum { LABEL = 8 };
    const int width = part->width > 0 ? part->width : part->count;
    for (int i = 0; i < part->count; i += width) {
        char label[32];
        const char *sign = i == 0 ? part->sign : "";
        const tracing *t = part->of;
        bool named = part->shape == BY_ROW_AND_JOINT;
        snprintf(label, sizeof label, "%s%s%s", named && i > 0 ? " " : sign, named ? " " : "",
                 named ? trace_row_names[t->row_of[i / width]] : "");
        fprintf(stream, "  %s%*s", label, LABEL - text_width(label), "");
        print_numbers(part->numbers + i, width, stream);
    }
}

static void print_step(void *results, FILE *stream)
{
    const tracing *t = results;
    trace_part parts[PARTS];
    fprintf(stream, "%siteration %d%s, error %.6g m", console_style_text(stream, STYLE_STRONG),
            t->iteration, console_style_text(stream, STYLE_PLAIN), t->result.position_error);
    if (t->what->task->kind != LB_TASK_POSITION)
        fprintf(stream, ", %.6g rad", t->result.rotation_error);
    fputc('\n', stream);
    list_parts(t, parts);
    for (int i = 0; i < PARTS; i++)
        if (parts[i].shown)
            print_part(&parts[i], stream);
}

/* ---- tracing -------------------------------------------------------------- */

/* 1 / sqrt(weight), of slides times the solver's unit, 0 of locked joints; options may replace
   weights and lock */
static void find_mobilities(tracing *t)
{
    const lb_model *model = t->what->model;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        int v = lb_model_joint_v(model, j), nv = lb_joint_kind_nv(joint->kind);
        double weight = joint->weight;
        bool locked = joint->locked;
        for (int i = 0; i < t->what->options->joint_count; i++) {
            const lb_joint_setting *setting = &t->what->options->joints[i];
            if (setting->joint == j && setting->weight > 0)
                weight = setting->weight;
            locked = locked || (setting->joint == j && setting->locked);
        }
        bool slides = joint->kind == LB_JOINT_PRISMATIC;
        for (int k = 0; v >= 0 && k < nv; k++)
            t->mobility[v + k] = locked ? 0 : (slides ? t->unit : 1) / sqrt(weight);
    }
}

bool trace_start(tracing *t)
{
    const trace *what = t->what;
    t->nq = lb_model_nq(what->model);
    t->nv = lb_model_nv(what->model);
    if (!succeeds(lb_ik_create(what->model, what->task, 1, what->options, NULL, &t->ik, why())))
        return false;
    t->state = state_or_exit(what->model);
    size_t nq = (size_t)t->nq, nv = (size_t)t->nv;
    double **const values[] = {&t->q, &t->next, &t->desired};
    double **const velocities[] = {&t->change, &t->mobility, &t->z, &t->product, &t->clamped};
    double *next = t->all = allocate_or_exit((2 * MOST_ROWS + 5) * nv + 3 * nq, sizeof(double));
    t->jacobian = next + MOST_ROWS * nv;
    next = t->jacobian + MOST_ROWS * nv;
    for (int i = 0; i < 3; i++, next += nq)
        *values[i] = next;
    for (int i = 0; i < 5; i++, next += nv)
        *velocities[i] = next;
    t->slots = values_slots(what->model);
    t->unit = lb_ik_get_options(t->ik)->length;
    find_mobilities(t);
    if (what->options->desired)
        lb_configuration_clamp(what->model, what->options->desired, t->desired);
    else
        lb_configuration_neutral(what->model, t->desired);
    find_rows(t);
    memcpy(t->q, what->start, nq * sizeof(double));
    return true;
}

void trace_stop(tracing *t)
{
    free(t->all);
    free(t->slots);
    lb_state_release(t->state);
    lb_ik_release(t->ik);
}

/* the change of every joint; of angles as it was made, whole turns and all */
static void find_change(tracing *t)
{
    const lb_model *model = t->what->model;
    lb_configuration_difference(model, t->q, t->next, t->change);
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        int q = lb_model_joint_q(model, j), v = lb_model_joint_v(model, j);
        if (q >= 0 && lb_joint_kind_nq(lb_model_joint(model, j)->kind) == 1)
            t->change[v] = t->next[q] - t->q[q];
    }
}

lb_progress trace_step(tracing *t, bool last)
{
    memcpy(t->next, t->q, sizeof(double) * (size_t)t->nq);
    lb_progress progress = last ? LB_PROCESSING : lb_ik_step(t->ik, t->what->target, t->next, NULL);
    find_change(t);
    for (int c = 0; c < t->nv && last; c++)
        t->change[c] = NAN;
    evaluate(t);
    return progress;
}

static const destination_forms forms = {.rows = &(result_table)ROWS(1, name_step),
                                        .list = "steps",
                                        .words = print_step,
                                        .words_by_block = true};

/* takes all steps and writes each; after the last one only where it led is written */
static bool write_steps(tracing *t, destination *to)
{
    lb_progress progress = LB_PROCESSING;
    for (bool last = false; !last; t->iteration++) {
        last = t->iteration == t->what->steps || progress != LB_PROCESSING;
        lb_progress now = trace_step(t, last);
        if (!destination_add(to, t))
            return false;
        progress = last ? progress : now;
        memcpy(t->q, t->next, sizeof(double) * (size_t)t->nq);
    }
    t->what->reached = progress == LB_SUCCESS;
    return true;
}

bool trace_write(trace *what)
{
    tracing t = {.what = what};
    destination to = {.rows = false};
    bool fine = trace_start(&t) && destination_open(&to, &forms, true) && write_steps(&t, &to) &&
                destination_close(&to, &t);
    destination_discard(&to);
    trace_stop(&t);
    return fine;
}

/* ---- what options say ------------------------------------------------------ */

enum { USUAL_TRACE = 40 };

/* what a trace can be of: one target, given in a frame that does not move */
static bool check_choice(const problem_source *problems, const char *of, const lb_task *task)
{
    int targets = problems->block.count, starts = problems->block_starts.count;
    if (targets != 1 || starts != 1)
        return complain("%s: one target and one start are wanted, there are %d and %d", of, targets,
                        starts);
    if (task->base > 0)
        return complain("%s: the base must be the root or the world", of);
    if (lb_vec3_length(task->free_axis) > 0 || task->free_position != 0)
        return complain("%s: free axes have no effect on the matrices that are printed", of);
    return true;
}

bool trace_given(const lb_model *model, problem_source *problems, const char *of,
                 trace_choice *choice)
{
    if (lb_model_loop_count(model) > 0)
        return complain("%s: the matrices that are printed are a tree's, and %s has loops", of,
                        lb_model_name(model));
    if (!tool_task(model, problems->targets.kind, &choice->task) ||
        !solver_given(model, &choice->solver) || !blocks_read_starts(model, problems) ||
        !problems_read_all(problems) || !check_choice(problems, of, &choice->task))
        return false;
    int steps = choice->solver.options.iterations;
    choice->what = (trace){.model = model,
                           .task = &choice->task,
                           .options = &choice->solver.options,
                           .target = problems->block.targets,
                           .start = problems->block_starts.q,
                           .steps = steps > 0 ? steps : USUAL_TRACE};
    return true;
}

void trace_release(trace_choice *choice)
{
    solver_release(&choice->solver);
}
