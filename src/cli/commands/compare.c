/*
 * compare.c - limber compare: every method on the same targets.
 *
 * Each method is run twice on every target: solving, as a user would call it, for what it reaches
 * and costs; and step by step, for the path of the tip.
 */
#include "cli/options/figure.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/work/curves.h"
#include "kinematics/assembly.h"
#include "math/scalar.h"

#include <stdlib.h>
#include <string.h>

/* What one method made of all targets. */
typedef struct comparison_row {
    const lb_method *method;
    int reached;
    double iterations;              /* mean of a solve, over all its tries */
    double microseconds;            /* mean of a solve */
    double mean_error, worst_error; /* metres, at the solutions */
    double worst_rotation;          /* radians */
    double travel; /* mean travel of all joints from start to solution, radians and metres added */
    double deviation; /* mean over the targets, step by step: how far the tip's path, between steps
                         as their joints move, strays from the segment to the target, by the length
                         of that */
    int violations;   /* solutions outside the limits */
    double *curve;    /* steps + 1: the median of the position error after each step */
    double *turns;    /* the same of the rotation error, radians; NULL for positions */
    int steps;        /* after which no target moved any more */
} comparison_row;

typedef struct comparison {
    const lb_model *model;
    lb_task task;
    const target_list *targets;
    const double *start;   /* nq */
    const own_curves *own; /* also drawn, with positions */
    int steps;             /* of each curve */
    double position_tolerance, rotation_tolerance;
    double out_of_reach; /* metres that the first target is proved to be; 0: it may be reached */
    comparison_row *rows;
    int count;
} comparison;

/* rounding in the clamping of balls must not count as leaving the limits */
static const double limit_slack = 1e-9;

/* one method at work */
typedef struct trial {
    const comparison *all;
    lb_ik *ik;
    lb_state *state;
    double *q, *before, *between, *v; /* one block */
    double *errors, *turns; /* targets x (steps + 1): of position, rotation after each step */
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
    return scalar_select(seconds, REPETITIONS, REPETITIONS / 2);
}

/* returns how far the first target is out of reach */
static double solve_targets(const trial *t, comparison_row *r)
{
    double beyond = 0;
    int count = t->all->targets->count;
    for (int i = 0; i < count; i++) {
        lb_ik_result result;
        r->microseconds += 1e6 * time_solve(t, &t->all->targets->targets[i], &result) / count;
        r->reached += result.outcome == LB_REACHED;
        r->iterations += (double)result.iterations / count;
        r->mean_error += result.position_error / count;
        r->worst_error = fmax(r->worst_error, result.position_error);
        r->worst_rotation = fmax(r->worst_rotation, result.rotation_error);
        r->travel += path_of_joints(t) / count;
        r->violations += lb_configuration_validate(t->all->model, t->q, limit_slack, NULL) != LB_OK;
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
        double low = scalar_select(column, count, (count - 1) / 2);
        curve[k] = 0.5 * (low + scalar_select(column, count, count / 2));
    }
    return curve;
}

static void step_targets(const trial *t, comparison_row *r)
{
    int count = t->all->targets->count;
    for (int i = 0; i < count; i++)
        r->deviation += step_target(t, i, &r->steps) / count;
    r->curve = take_medians(t, t->errors);
    if (t->all->task.kind != LB_TASK_POSITION)
        r->turns = take_medians(t, t->turns);
}

/* ---- all methods -------------------------------------------------------- */

/* false when the method cannot do this task */
static bool try_method(trial *t, const lb_ik_options *options, const lb_method *method,
                       comparison_row *r, double *out_of_reach)
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
    *r = (comparison_row){.method = method};
    *out_of_reach = fmax(*out_of_reach, solve_targets(t, r));
    step_targets(t, r);
    lb_ik_release(t->ik);
    return true;
}

/*
 * Measures every method that can do the task, with these options but for the method; remarks on
 * those that cannot, and why.
 */
static void compare_methods(comparison *all, const lb_ik_options *options)
{
    int methods = lb_method_count();
    size_t nq = (size_t)lb_model_nq(all->model), nv = (size_t)lb_model_nv(all->model);
    size_t places = (size_t)all->targets->count * ((size_t)all->steps + 1);
    trial t = {.all = all, .state = state_or_exit(all->model)};
    t.q = allocate_or_exit(3 * nq + nv, sizeof *t.q);
    t.before = t.q + nq;
    t.between = t.before + nq;
    t.v = t.between + nq;
    t.errors = allocate_or_exit(2 * places, sizeof *t.errors);
    t.turns = t.errors + places;
    all->rows = allocate_or_exit((size_t)methods, sizeof *all->rows);
    progress_start("compared methods", methods);
    for (int i = 0; i < methods; i++) {
        all->count +=
            try_method(&t, options, lb_method_at(i), &all->rows[all->count], &all->out_of_reach);
        progress_at(i + 1);
    }
    progress_clear();
    if (all->count == 0)
        refuse("no method can do this");
}

/* ---- options ------------------------------------------------------------ */

static text_option random_given, start_given, steps_given, curves_given;
static int pose_wanted;

#define NEARER 0.9
enum { USUAL_TARGETS = 100, MOST_TARGETS = 1000000, USUAL_STEPS = 40, MOST_STEPS = 10000 };

/* ---- what is given ------------------------------------------------------ */

/* a configuration that closes within the limits: random ones, of those that do not close nearer and
   nearer to the neutral one, which is closed */
static void draw_closed(const lb_model *model, lb_assembly *assembly, lb_random *random, double *q)
{
    double *neutral = allocate_or_exit((size_t)lb_model_nq(model), sizeof *neutral), share = 1;
    lb_configuration_neutral(model, neutral);
    do {
        lb_configuration_random(model, random, q);
        lb_configuration_interpolate(model, neutral, q, share, q);
        share *= NEARER;
    } while (!assembly_settle(assembly, q) && share > 1e-6);
    dispose(neutral);
}

/* where the tip is in configurations drawn from the limits, of a linkage in those that close within
   them: all of them can be reached */
static target_list draw_targets(const lb_model *model, const lb_task *task, uint64_t seed,
                                int count)
{
    lb_state *state = state_or_exit(model);
    lb_assembly *assembly = loops_or_exit(model);
    lb_random random = lb_random_seed(seed);
    double *q = allocate_or_exit((size_t)lb_model_nq(model), sizeof *q);
    target_list targets = {.targets = allocate_or_exit((size_t)count, sizeof *targets.targets),
                           .count = count,
                           .kind = pose_wanted ? LB_TASK_POSE : LB_TASK_POSITION};
    for (int i = 0; i < count; i++) {
        if (assembly != NULL)
            draw_closed(model, assembly, &random, q);
        else
            lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        targets.targets[i] = lb_state_transform(state, task->base, task->tip);
    }
    return targets;
}

/* those that are given, or random ones */
static target_list read_targets(const lb_model *model, const lb_task *task, uint64_t seed)
{
    int count =
        argument_count("--random", option_text(random_given), 1, MOST_TARGETS, USUAL_TARGETS);
    if (!targets_are_given())
        return draw_targets(model, task, seed, count);
    if (random_given != NULL || pose_wanted)
        refuse("%s has no effect where targets are given", pose_wanted ? "--pose" : "--random");
    return targets_given();
}

/* ---- what is returned --------------------------------------------------- */

/* one target: its error, and where single steps lead; several: the mean and the worst */
static void write_table(void *results, FILE *stream)
{
    const comparison *all = results;
    bool several = all->targets->count > 1;
    char after[40];
    snprintf(after, sizeof after, "after %d step%s", all->steps, all->steps == 1 ? "" : "s");
    const char *heads[] = {"method",       "reached",     "iterations", microseconds(),
                           "mean error",   "worst error", "worst turn", "joint travel",
                           "off the line", "violations"};
    heads[4] = several ? heads[4] : "error";
    heads[5] = several ? heads[5] : after;
    grid_table table = grid_start("lrrrrrrrrr");
    for (int i = 0; i < table.columns; i++)
        grid_cell(&table, "%s", heads[i]);
    for (int i = 0; i < all->count; i++) {
        const comparison_row *r = &all->rows[i];
        grid_cell(&table, "%s", lb_method_name(r->method));
        grid_cell(&table, "%.1f %%", 100.0 * r->reached / all->targets->count);
        grid_cell(&table, "%.1f", r->iterations);
        grid_cell(&table, "%.2f", r->microseconds);
        grid_cell(&table, "%.3g m", r->mean_error);
        grid_cell(&table, "%.3g m", several ? r->worst_error : r->curve[all->steps]);
        if (all->task.kind == LB_TASK_POSITION)
            grid_cell(&table, "%s", "");
        else
            grid_cell(&table, "%.3g rad", r->worst_rotation);
        grid_cell(&table, "%.3f", r->travel);
        grid_cell(&table, "%.1f %%", 100 * r->deviation);
        grid_cell(&table, "%d", r->violations);
    }
    grid_print(&table, stream);
}

static void name_method(const void *results, int i, row *to)
{
    const comparison *all = results;
    const comparison_row *r = &all->rows[i];
    column_word(to, "method", lb_method_name(r->method));
    column_whole(to, "targets", all->targets->count);
    column_whole(to, "reached", r->reached);
    column_number(to, "iterations", r->iterations);
    column_number(to, "microseconds", r->microseconds);
    column_number(to, "mean_position_error", r->mean_error);
    column_number(to, "worst_position_error", r->worst_error);
    column_number(to, "worst_rotation_error", r->worst_rotation);
    column_number(to, "joint_travel", r->travel);
    column_number(to, "path_deviation", r->deviation);
    column_whole(to, "limit_violations", r->violations);
    column_number(to, "error_after_steps", r->curve[all->steps]);
}

static json_t *json_members(void *results)
{
    const comparison *all = results;
    return json_pack("{s:s, s:i}", "model", lb_model_name(all->model), "targets",
                     all->targets->count);
}

/* the errors of all methods over the steps `x`, of positions or rotations */
static plot_curve *make_curves(const comparison *all, const double *x, bool turns)
{
    size_t count = (size_t)(all->count + all->own->table.columns);
    plot_curve *curves = allocate_or_exit(count, sizeof *curves);
    for (int i = 0; i < all->count; i++) {
        const comparison_row *r = &all->rows[i];
        curves[i] = (plot_curve){lb_method_name(r->method), x, turns ? r->turns : r->curve,
                                 r->steps + 1, curves_look(r->method)};
    }
    own_curves_list(all->own, x, curves + all->count);
    return curves;
}

/* whether any curve comes near the tolerance: else its line would squeeze them all to the top */
static bool comes_near(const plot_curve *curves, int count, double tolerance)
{
    const double near = 1e3;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < curves[i].n; k++)
            if (curves[i].y[k] <= near * tolerance)
                return true;
    return false;
}

/* the line to arrive at: the tolerance, or how far away a single target stays for all */
static void set_line(const comparison *all, double tolerance, plot_panel *panel, char *text,
                     size_t size)
{
    panel->line = tolerance;
    panel->name = comes_near(panel->curves, all->count, tolerance) ? "tolerance" : NULL;
    if (all->targets->count > 1 || all->out_of_reach == 0 || all->task.kind == LB_TASK_ROTATION)
        return;
    snprintf(text, size, "out of reach by %.3g m", all->out_of_reach);
    panel->line = all->out_of_reach;
    panel->name = text;
}

/* the error after each step, one curve for each method */
static void draw_curves(void *results)
{
    const comparison *all = results;
    const char *path = option_text(figure_file);
    bool several = all->targets->count > 1, turns = all->task.kind != LB_TASK_POSITION;
    char text[64];
    if (path == NULL)
        return;
    int steps = all->steps > all->own->steps ? all->steps : all->own->steps;
    double *x = allocate_or_exit((size_t)steps + 1, sizeof *x);
    for (int k = 0; k <= steps; k++)
        x[k] = k;
    plot_curve *places = make_curves(all, x, false), *rotations = NULL;
    if (turns)
        rotations = make_curves(all, x, true);
    plot_panel panels[] = {
        {.curves = places, .y = several ? "median position error in m" : "position error in m"},
        {.curves = rotations,
         .y = several ? "median rotation error in rad" : "rotation error in rad"}};
    set_line(all, all->position_tolerance, &panels[0], text, sizeof text);
    if (turns && comes_near(rotations, all->count, all->rotation_tolerance)) {
        panels[1].line = all->rotation_tolerance;
        panels[1].name = "tolerance";
    }
    plot what = {.panels = all->task.kind == LB_TASK_ROTATION ? panels + 1 : panels,
                 .panel_count = all->task.kind == LB_TASK_POSE ? 2 : 1,
                 .count = all->count + all->own->table.columns,
                 .title = figure_title(),
                 .x = "iteration",
                 .log_y = true};
    require(plot_draw(&what, path, why()));
}

static const destination_forms forms = {.rows =
                                            &(result_table)ROWS_OF(comparison, count, name_method),
                                        .list = "methods",
                                        .members = json_members,
                                        .words = write_table,
                                        .figure = draw_curves,
                                        .words_aside = true};

/* ---- the command -------------------------------------------------------- */

/* curves of others are errors of positions, in the figure */
static own_curves read_curves(const target_list *targets)
{
    if (curves_given != NULL && figure_file == NULL)
        refuse("--curves has no effect without --figure");
    if (curves_given != NULL && targets->kind != LB_TASK_POSITION)
        refuse("--curves: the errors are those of positions, but targets have rotations");
    return own_curves_read(option_text(curves_given));
}

static int run(const char *const *operands)
{
    destination_check();
    lb_ik_options options = lb_ik_options_default();
    // a method is measured by what it does from the start, unless the user wants more
    options.protocol = LB_PROTOCOL_GIVEN;
    comparison all = {.model = select_model(operands[0])};
    all.task = select_given_task(all.model, LB_TASK_POSITION);
    figure_prepare(title_options);
    tuning_given(all.model, &options);
    all.position_tolerance = options.position_tolerance;
    all.rotation_tolerance = options.rotation_tolerance;
    all.steps = argument_count("--steps", option_text(steps_given), 1, MOST_STEPS, USUAL_STEPS);
    target_list targets = read_targets(all.model, &all.task, options.seed);
    all.targets = &targets;
    all.task.kind = targets.kind;
    all.start = poses_from_text(all.model, "--start", option_text(start_given)).q;
    own_curves own = read_curves(&targets);
    all.own = &own;
    compare_methods(&all, &options);
    destination_write(&forms, &all, 1);
    select_remark();
    return EXIT_DONE;
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(target_options),
    OPTION_TEXT(
        "random", random_given, "N",
        "without targets: how many random ones to take, all of them reachable; default: 100"),
    OPTION_FLAG("pose", pose_wanted, "random targets have a rotation, too"),
    OPTION_TEXT("start", start_given, "\"JOINT=VALUE ...\"",
                "start of each search; joints that are not named are at their default"),
    OPTION_TEXT("steps", steps_given, "N",
                "single steps for the distance from the line and for the figure; default: 40"),
    OPTION_TABLE(tuning_options),
    OPTION_TABLE(destination_options),
    OPTION_TEXT("figure", figure_file, "FILE",
                "draw error against iteration, a curve for each method: .svg, .png or .pdf"),
    OPTION_TEXT("curves", curves_given, "FILE.csv",
                "in the figure also methods of others: a column of errors for each, a row before "
                "the first step and one after every step; at most 15"),
    OPTION_TABLE(title_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"all methods on one goal of planar3, with their convergence",
     "limber compare planar3 --position \"-20 5 0\" --figure convergence.svg"},
    {"a hundred random poses of the Panda's hand, with restarts allowed",
     "limber compare panda --tip panda_hand --pose --protocol any --output methods.csv"},
    {NULL, NULL},
};

const command command_compare = {
    COMMAND(compare),
    .synopsis = "MODEL [--position \"X Y Z\" | --targets T.csv | --random N]\n"
                "[OPTION ...]",
    .summary = "compare all methods of inverse kinematics on one set of targets",
    .details = "Prints a row for each method that can do the task: the share of targets reached,\n"
               "the mean number of iterations, the time of a solve (median of nine), the mean\n"
               "and the worst position error, the worst rotation error, how far all joints went\n"
               "from start to solution, how far the tip strayed from the segment to the target\n"
               "(step by step and between steps, by the segment's length), and how many\n"
               "solutions are outside the limits.\n\n"
               "Unless --protocol says otherwise, methods search from the start alone, so that\n"
               "each shows its own ability. The figure shows the median error over the targets\n"
               "after each single step, and the tolerance as a dashed line; for targets with\n"
               "rotations the rotation error beside it. A method has one colour, line and mark\n"
               "in every figure and on the page.\n\n"
               "An error is the least of a descent. Out of reach, a method without damping\n"
               "oscillates and leaves it again: for a single target the table has the error\n"
               "after the last single step, too, and the figure every step.",
    .operands = 1,
};
