/*
 * comparison.c - methods measured side by side.
 *
 * Each method is run twice on every target: solving, as a user would call it, for
 * what it reaches and costs; and step by step, for the path of the tip.
 */
#include "cli/textbook/comparison.h"

#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

/* rounding in the clamping of balls must not count as leaving the limits */
static const double limit_slack = 1e-9;

/* one method at work */
typedef struct trial {
    const comparison *all;
    lb_ik *ik;
    lb_state *state;
    double *q, *v, *before, *between;
    double *errors; /* targets x (steps + 1): position errors after each step */
    double *turns;  /* the same of rotation errors */
} trial;

/* ---- solving ------------------------------------------------------------ */

static double path_of_joints(const trial *t)
{
    const lb_model *model = t->all->model;
    double sum = 0;
    lb_configuration_difference(model, t->all->start, t->q, t->v);
    for (int k = 0; k < lb_model_nv(model); k++)
        sum += fabs(t->v[k]);
    return sum;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* seconds of one solve: the median of several, as the first ones find nothing in the caches */
static double time_solve(const trial *t, const lb_transform *target, lb_ik_result *result)
{
    enum { REPETITIONS = 9 };
    double seconds[REPETITIONS];
    for (int k = 0; k < REPETITIONS; k++) {
        double begun = clock_seconds();
        lb_ik_solve(t->ik, target, t->all->start, t->q, result);
        seconds[k] = clock_seconds() - begun;
    }
    qsort(seconds, REPETITIONS, sizeof *seconds, compare_numbers);
    return seconds[REPETITIONS / 2];
}

/* returns how far the first target is out of reach */
static double solve_targets(const trial *t, comparison_row *row)
{
    double beyond = 0;
    int count = t->all->targets->count;
    for (int i = 0; i < count; i++) {
        lb_ik_result result;
        row->microseconds += 1e6 * time_solve(t, &t->all->targets->targets[i], &result) / count;
        row->reached += result.outcome == LB_REACHED;
        row->iterations += (double)result.iterations / count;
        row->mean_error += result.position_error / count;
        row->worst_error = fmax(row->worst_error, result.position_error);
        row->worst_rotation = fmax(row->worst_rotation, result.rotation_error);
        row->travel += path_of_joints(t) / count;
        row->violations +=
            lb_configuration_validate(t->all->model, t->q, limit_slack, NULL) != LB_OK;
        beyond = i == 0 ? result.beyond_reach : beyond;
    }
    return beyond;
}

/* ---- stepping ----------------------------------------------------------- */

static lb_vec3 tool_place_at(const trial *t, const double *q)
{
    const lb_task *task = &t->all->task;
    lb_state_update(t->state, q);
    return lb_state_point(t->state, task->tip, task->base, task->tool.p);
}

/* places of the tip between two steps, at which its path is measured */
enum { BETWEEN = 16 };

/* how far a place is from the segment between two points */
static double off_segment(lb_vec3 place, lb_vec3 from, lb_vec3 to)
{
    lb_vec3 line = lb_vec3_sub(to, from), offset = lb_vec3_sub(place, from);
    double length2 = lb_vec3_dot(line, line);
    double share = length2 > 0 ? lb_vec3_dot(offset, line) / length2 : 0;
    share = fmin(fmax(share, 0), 1);
    return lb_vec3_length(lb_vec3_sub(offset, lb_vec3_scale(line, share)));
}

/* how far the tip is from the segment at most while its joints move from t->before to t->q */
static double stray_on_the_way(const trial *t, lb_vec3 from, lb_vec3 to)
{
    double stray = 0;
    for (int i = 1; i <= BETWEEN; i++) {
        lb_configuration_interpolate(t->all->model, t->before, t->q, (double)i / BETWEEN,
                                     t->between);
        stray = fmax(stray, off_segment(tool_place_at(t, t->between), from, to));
    }
    return stray;
}

/* of the state's configuration, which is that of the last tool_place_at */
static double rotation_error(const trial *t, const lb_transform *target)
{
    double position, rotation;
    lb_task_error(t->state, &t->all->task, target, &position, &rotation);
    return rotation;
}

/*
 * Steps towards target i; returns how far the tip strayed, by the line's length. *taken takes the
 * number of steps if it is the greatest so far.
 */
static double step_target(const trial *t, int i, int *taken)
{
    const lb_transform *target = &t->all->targets->targets[i];
    int steps = t->all->steps;
    size_t first = (size_t)i * ((size_t)steps + 1);
    double *errors = t->errors + first, *turns = t->turns + first, stray = 0;
    memcpy(t->q, t->all->start, sizeof *t->q * (size_t)lb_model_nq(t->all->model));
    lb_vec3 from = tool_place_at(t, t->q), line = lb_vec3_sub(target->p, from);
    lb_progress progress = LB_PROCESSING;
    for (int k = 0; k <= steps; k++) {
        if (k > 0 && progress == LB_PROCESSING) {
            memcpy(t->before, t->q, sizeof *t->q * (size_t)lb_model_nq(t->all->model));
            progress = lb_ik_step(t->ik, target, t->q, NULL);
            *taken = k > *taken ? k : *taken;
            stray = fmax(stray, stray_on_the_way(t, from, target->p));
        }
        lb_vec3 place = tool_place_at(t, t->q);
        errors[k] = lb_vec3_length(lb_vec3_sub(target->p, place));
        turns[k] = rotation_error(t, target);
    }
    double length = lb_vec3_length(line);
    return length > 0 ? stray / length : 0;
}

/* the medians over the targets, step by step */
static double *take_medians(const trial *t, const double *errors)
{
    int count = t->all->targets->count, steps = t->all->steps;
    double *curve = allocate_or_exit((size_t)steps + 1, sizeof *curve);
    double *column = allocate_or_exit((size_t)count, sizeof *column);
    for (int k = 0; k <= steps; k++) {
        for (int i = 0; i < count; i++)
            column[i] = errors[(size_t)i * ((size_t)steps + 1) + (size_t)k];
        qsort(column, (size_t)count, sizeof *column, compare_numbers);
        curve[k] = 0.5 * (column[(count - 1) / 2] + column[count / 2]);
    }
    free(column);
    return curve;
}

static void step_targets(const trial *t, comparison_row *row)
{
    int count = t->all->targets->count;
    for (int i = 0; i < count; i++)
        row->deviation += step_target(t, i, &row->steps) / count;
    row->curve = take_medians(t, t->errors);
    if (t->all->task.kind != LB_TASK_POSITION)
        row->turns = take_medians(t, t->turns);
}

/* ---- all methods -------------------------------------------------------- */

/* false when the method cannot do this task */
static bool try_method(trial *t, const lb_ik_options *options, const lb_method *method,
                       comparison_row *row, double *out_of_reach)
{
    lb_ik_options own = *options;
    lb_error error = {0};
    own.method = method;
    lb_status status = lb_ik_create(t->all->model, &t->all->task, 1, &own, NULL, &t->ik, &error);
    exit_if_out_of_memory(status);
    if (status != LB_OK) {
        remark("left out: %s", error.message);
        return false;
    }
    *row = (comparison_row){.method = method};
    *out_of_reach = fmax(*out_of_reach, solve_targets(t, row));
    step_targets(t, row);
    lb_ik_release(t->ik);
    return true;
}

bool comparison_make(comparison *all, const lb_model *model, const lb_task *task,
                     const lb_ik_options *options, const target_list *targets, const double *start,
                     int steps)
{
    int methods = lb_method_count();
    *all = (comparison){.model = model,
                        .task = *task,
                        .targets = targets,
                        .start = start,
                        .steps = steps,
                        .position_tolerance = options->position_tolerance,
                        .rotation_tolerance = options->rotation_tolerance};
    trial t = {.all = all};
    t.state = state_or_exit(model);
    t.q = allocate_or_exit((size_t)lb_model_nq(model), sizeof *t.q);
    t.before = allocate_or_exit((size_t)lb_model_nq(model), sizeof *t.before);
    t.between = allocate_or_exit((size_t)lb_model_nq(model), sizeof *t.between);
    t.v = allocate_or_exit((size_t)lb_model_nv(model), sizeof *t.v);
    t.errors = allocate_or_exit((size_t)targets->count, ((size_t)steps + 1) * sizeof *t.errors);
    t.turns = allocate_or_exit((size_t)targets->count, ((size_t)steps + 1) * sizeof *t.turns);
    all->rows = allocate_or_exit((size_t)methods, sizeof *all->rows);
    progress_start("compared methods", methods);
    for (int i = 0; i < methods; i++) {
        all->count +=
            try_method(&t, options, lb_method_at(i), &all->rows[all->count], &all->out_of_reach);
        progress_at(i + 1);
    }
    progress_clear();
    free(t.turns);
    free(t.errors);
    free(t.v);
    free(t.q);
    free(t.before);
    free(t.between);
    lb_state_release(t.state);
    if (all->count == 0)
        complain("no method can do this");
    return all->count > 0;
}

void comparison_release(comparison *all)
{
    for (int i = 0; i < all->count; i++) {
        free(all->rows[i].curve);
        free(all->rows[i].turns);
    }
    free(all->rows);
    memset(all, 0, sizeof *all);
}

/* ---- looks ---------------------------------------------------------------- */

/*
 * The colour, line and mark of each method. Eleven colours cannot all be distinguished by
 * colour-blind readers; with five marks and lines that are full, dashed or dotted no two methods
 * look alike without colour, either. The page has the same in web/page/src/board/looks.ts and
 * style/base.css, which a test compares.
 */
static const struct {
    const char *method;
    unsigned rgb;
    double dashes[4];
    figure_mark mark;
} looks[] = {
    {"damped", 0xb3470b, {0}, FIGURE_MARK_DOT},
    {"ccd", 0x1d62c9, {9, 5}, FIGURE_MARK_SQUARE},
    {"fabrik", 0x0d7f5c, {2, 4}, FIGURE_MARK_TRIANGLE},
    {"transpose", 0x8540b4, {12, 4, 2, 4}, FIGURE_MARK_DIAMOND},
    {"lm", 0x00718a, {0}, FIGURE_MARK_STAR},
    {"pseudoinverse", 0xab2b76, {0}, FIGURE_MARK_SQUARE},
    {"inverse", 0x6b5900, {0}, FIGURE_MARK_TRIANGLE},
    {"selective", 0x4b6b12, {6, 3}, FIGURE_MARK_DIAMOND},
    {"alternative", 0x8a4526, {9, 5}, FIGURE_MARK_STAR},
    {"ccd-ranked", 0x4453c4, {9, 5}, FIGURE_MARK_DOT},
    {"analytic", 0x565f70, {0}, FIGURE_MARK_DIAMOND},
};

static figure_color color_of(unsigned rgb)
{
    return (figure_color){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0,
                          1};
}

plot_look look_of(const lb_method *method)
{
    plot_look look = {.color = FIGURE_MUTED, .mark = FIGURE_MARK_CROSS};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        if (strcmp(looks[i].method, lb_method_name(method)) != 0)
            continue;
        look = (plot_look){.color = color_of(looks[i].rgb), .mark = looks[i].mark};
        memcpy(look.dashes, looks[i].dashes, sizeof look.dashes);
    }
    return look;
}
