/*
 * trace.c - a method's iterations, one by one.
 *
 * Steps are those of lb_ik_step. What surrounds them is computed beside it from forward
 * kinematics alone: V (Eq. 5.16), J (5.17), J J^T and beta (5.22), so that J^T beta
 * (5.23) can be compared with the step that was made.
 */
#include "cli/output/trace.h"

#include "cli/output/console.h"
#include "cli/output/grid.h"
#include "cli/output/joint_values.h"
#include "cli/output/print_json.h"
#include "cli/output/report.h"
#include "cli/output/rows.h"
#include "math/dense.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 6, PROBES = 4 };

/* a share of the greatest entry: a row below it in all probes is one that nothing moves */
static const double nothing = 1e-9;
/* of the greatest entry: pivots below it leave no correct digits */
static const double singular = 1e-13;

/* a trace being written */
typedef struct tracing {
    const trace *what;
    lb_ik *ik;
    lb_state *state;
    double lambda;
    int rows, nq, nv;
    int row_of[MOST_ROWS];                      /* of the six: vx vy vz wx wy wz */
    double v[MOST_ROWS];                        /* V */
    double square[MOST_ROWS * MOST_ROWS];       /* J J^T */
    double beta[MOST_ROWS];                     /* NaN: singular */
    double *all, *jacobian, *q, *next, *change; /* 6 x nv, rows x nv, nq, nq, nv */
    lb_ik_result result;                        /* before the step */
} tracing;

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

/* V: from the tool to the target, linear and as a rotation vector, in the base's axes */
static void find_error(tracing *t)
{
    const lb_task *task = t->what->task;
    const lb_transform *goal = t->what->target;
    lb_transform tip = lb_state_transform(t->state, task->base, task->tip);
    lb_transform tool = lb_transform_multiply(&tip, &task->tool);
    lb_vec3 displacement = lb_vec3_sub(goal->p, tool.p);
    lb_quat back = lb_quat_conjugate(lb_transform_quat(&tool));
    lb_vec3 turn = lb_quat_log(lb_quat_multiply(lb_transform_quat(goal), back));
    const double six[MOST_ROWS] = {displacement.x, displacement.y, displacement.z,
                                   turn.x,         turn.y,         turn.z};
    for (int r = 0; r < t->rows; r++)
        t->v[r] = six[t->row_of[r]];
}

/* J J^T, and beta unless that is singular */
static void find_beta(tracing *t)
{
    double factors[MOST_ROWS * MOST_ROWS];
    int pivots[MOST_ROWS], n = t->rows;
    for (int i = 0; i < n * n; i++) {
        t->square[i] = 0;
        for (int c = 0; c < t->nv; c++)
            t->square[i] += t->jacobian[i / n * t->nv + c] * t->jacobian[i % n * t->nv + c];
        factors[i] = t->square[i] + (i / n == i % n ? t->lambda * t->lambda : 0);
    }
    bool sound = dense_lu_factor(n, factors, pivots) > singular;
    memcpy(t->beta, t->v, sizeof t->v);
    if (sound)
        dense_lu_solve(n, factors, pivots, t->beta);
    for (int r = 0; r < n && !sound; r++)
        t->beta[r] = NAN;
}

static void evaluate(tracing *t)
{
    full_jacobian(t, t->q);
    for (int r = 0; r < t->rows; r++)
        memcpy(&t->jacobian[r * t->nv], &t->all[t->row_of[r] * t->nv],
               sizeof(double) * (size_t)t->nv);
    find_error(t);
    find_beta(t);
    lb_task_error(t->state, t->what->task, t->what->target, &t->result.position_error,
                  &t->result.rotation_error);
}

/* ---- forms ---------------------------------------------------------------- */

static const char *const row_names[] = {"vx", "vy", "vz", "wx", "wy", "wz"};

static void write_names(const tracing *t, row *fields)
{
    char name[VALUE_NAME_SIZE + 16];
    joint_values values = joint_values_of(t->what->model);
    static const char *const first[] = {"iteration", "position_error", "rotation_error"};
    for (int i = 0; i < 3; i++)
        row_text(fields, first[i]);
    joint_values_names(&values, fields);
    for (int r = 0; r < t->rows; r++) {
        snprintf(name, sizeof name, "V_%s", row_names[t->row_of[r]]);
        row_text(fields, name);
    }
    for (int i = 0; i < t->rows * t->nv; i++) {
        snprintf(name, sizeof name, "J_%s_%d", row_names[t->row_of[i / t->nv]], i % t->nv + 1);
        row_text(fields, name);
    }
    for (int i = 0; i < t->rows * t->rows; i++) {
        snprintf(name, sizeof name, "JJT_%s_%s", row_names[t->row_of[i / t->rows]],
                 row_names[t->row_of[i % t->rows]]);
        row_text(fields, name);
    }
    for (int r = 0; r < t->rows; r++) {
        snprintf(name, sizeof name, "beta_%s", row_names[t->row_of[r]]);
        row_text(fields, name);
    }
    for (int c = 0; c < t->nv; c++) {
        snprintf(name, sizeof name, "step_%d", c + 1);
        row_text(fields, name);
    }
    row_end(fields);
    joint_values_release(&values);
}

static void write_numbers(row *fields, const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (isfinite(numbers[i]))
            row_number(fields, numbers[i]);
        else
            row_text(fields, "");
}

static void write_row(const tracing *t, row *fields, int iteration)
{
    row_whole(fields, iteration);
    row_number(fields, t->result.position_error);
    row_number(fields, t->result.rotation_error);
    write_numbers(fields, t->q, t->nq);
    write_numbers(fields, t->v, t->rows);
    write_numbers(fields, t->jacobian, t->rows * t->nv);
    write_numbers(fields, t->square, t->rows * t->rows);
    write_numbers(fields, t->beta, t->rows);
    write_numbers(fields, t->change, t->nv);
    row_end(fields);
}

static json_t *json_matrix(const double *numbers, int rows, int columns)
{
    json_t *array = json_array();
    for (int r = 0; r < rows; r++)
        append_json(array, json_numbers(numbers + r * columns, columns));
    return array;
}

static json_t *json_step(const tracing *t, int iteration)
{
    return json_pack("{s:i, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "iteration", iteration,
                     "position_error", t->result.position_error, "rotation_error",
                     t->result.rotation_error, "q", json_numbers(t->q, t->nq), "V",
                     json_numbers(t->v, t->rows), "J", json_matrix(t->jacobian, t->rows, t->nv),
                     "JJT", json_matrix(t->square, t->rows, t->rows), "beta",
                     json_numbers(t->beta, t->rows), "step", json_numbers(t->change, t->nv));
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

static void print_step(const tracing *t, int iteration, FILE *stream)
{
    bool utf8 = console_is_utf8();
    fprintf(stream, "%siteration %d%s, error %.6g m", console_style_text(stream, STYLE_STRONG),
            iteration, console_style_text(stream, STYLE_PLAIN), t->result.position_error);
    if (t->what->task->kind != LB_TASK_POSITION)
        fprintf(stream, ", %.6g rad", t->result.rotation_error);
    fprintf(stream, "\n  q      ");
    print_numbers(t->q, t->nq, stream);
    fputs("  V      ", stream);
    print_numbers(t->v, t->rows, stream);
    for (int r = 0; r < t->rows; r++) {
        fprintf(stream, "  %s %s   ", r == 0 ? "J" : " ", row_names[t->row_of[r]]);
        print_numbers(t->jacobian + r * t->nv, t->nv, stream);
    }
    for (int r = 0; r < t->rows; r++) {
        fprintf(stream, "  %s", r == 0 ? utf8 ? "J J\xE1\xB5\x80   " : "J J^T  " : "       ");
        if (r == 0 && utf8)
            fputc(' ', stream);
        print_numbers(t->square + r * t->rows, t->rows, stream);
    }
    fprintf(stream, "  %s   ", utf8 ? "\xCE\xB2   " : "beta");
    print_numbers(t->beta, t->rows, stream);
    fputs("  step   ", stream);
    print_numbers(t->change, t->nv, stream);
}

/* ---- tracing -------------------------------------------------------------- */

static bool start(tracing *t)
{
    const trace *what = t->what;
    lb_error error = {0};
    t->nq = lb_model_nq(what->model);
    t->nv = lb_model_nv(what->model);
    if (lb_ik_create(what->model, what->task, 1, what->options, NULL, &t->ik, &error) != LB_OK) {
        complain_error(&error);
        return false;
    }
    t->state = state_or_exit(what->model);
    size_t nq = (size_t)t->nq, nv = (size_t)t->nv;
    t->all = allocate_or_exit(MOST_ROWS * nv, sizeof(double));
    t->jacobian = allocate_or_exit(MOST_ROWS * nv, sizeof(double));
    t->q = allocate_or_exit(nq, sizeof(double));
    t->next = allocate_or_exit(nq, sizeof(double));
    t->change = allocate_or_exit(nv, sizeof(double));
    bool damped = what->options->method == lb_method_find("damped");
    t->lambda = damped ? what->options->damping : 0;
    find_rows(t);
    memcpy(t->q, what->start, nq * sizeof(double));
    return true;
}

static void stop(tracing *t)
{
    free(t->all);
    free(t->jacobian);
    free(t->q);
    free(t->next);
    free(t->change);
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

/* one step, written before it is taken; the last row has a step of zeros */
static lb_progress take_step(tracing *t, bool last)
{
    memcpy(t->next, t->q, sizeof(double) * (size_t)t->nq);
    lb_progress progress = last ? LB_PROCESSING : lb_ik_step(t->ik, t->what->target, t->next, NULL);
    find_change(t);
    evaluate(t);
    return progress;
}

typedef enum trace_form { ROWS, JSON, WORDS } trace_form;

/* takes all steps and writes each: rows, elements of a list or words */
static bool write_steps(trace *what, trace_form form, row *fields, FILE *stream)
{
    tracing t = {.what = what};
    bool fine = start(&t);
    lb_progress progress = LB_PROCESSING;
    json_list list = {.stream = NULL};
    if (fine && form == ROWS)
        write_names(&t, fields);
    if (fine && form == JSON)
        list = json_list_begin(NULL, stream);
    for (int i = 0; fine && i <= what->steps; i++) {
        // after the last step only where it led is written
        bool last = i == what->steps || progress != LB_PROCESSING;
        lb_progress now = take_step(&t, last);
        if (form == ROWS)
            write_row(&t, fields, i);
        else if (form == JSON)
            json_list_add(&list, json_step(&t, i));
        else
            print_step(&t, i, stream);
        if (last)
            break;
        progress = now;
        memcpy(t.q, t.next, sizeof(double) * (size_t)t.nq);
    }
    if (fine && form == JSON)
        json_list_end(&list, NULL);
    what->reached = progress == LB_SUCCESS;
    stop(&t);
    return fine;
}

bool trace_write_rows(void *what, row *fields)
{
    return write_steps(what, ROWS, fields, NULL);
}

bool trace_write_json(void *what, FILE *stream)
{
    return write_steps(what, JSON, NULL, stream);
}

bool trace_write_words(void *what, FILE *stream)
{
    return write_steps(what, WORDS, NULL, stream);
}
