/*
 * compare.c - limber compare: every method on the same targets.
 */
#include "cli/command.h"
#include "cli/options/figure.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/report/results.h"
#include "cli/textbook/comparison.h"

#include <stdlib.h>
#include <string.h>

static text_option random_given, start_given, steps_given;
static int pose_wanted;

enum { USUAL_TARGETS = 100, MOST_TARGETS = 1000000, USUAL_STEPS = 40, MOST_STEPS = 10000 };

/* ---- what is given ------------------------------------------------------ */

/* where the tip is in configurations drawn from the limits: all of them can be reached */
static void draw_targets(const lb_model *model, const lb_task *task, uint64_t seed, int count,
                         target_list *targets)
{
    lb_state *state = state_or_exit(model);
    lb_random random = lb_random_seed(seed);
    double *q = allocate_or_exit((size_t)lb_model_nq(model), sizeof *q);
    targets->targets = allocate_or_exit((size_t)count, sizeof *targets->targets);
    targets->count = count;
    targets->kind = pose_wanted ? LB_TASK_POSE : LB_TASK_POSITION;
    for (int i = 0; i < count; i++) {
        lb_configuration_random(model, &random, q);
        lb_state_update(state, q);
        targets->targets[i] = lb_state_transform(state, task->base, task->tip);
    }
    free(q);
    lb_state_release(state);
}

/* those that are given, or random ones */
static bool read_targets(const lb_model *model, const lb_task *task, uint64_t seed,
                         target_list *targets)
{
    int count = USUAL_TARGETS;
    if (!argument_count("--random", option_text(random_given), 1, MOST_TARGETS, &count))
        return false;
    if (!targets_are_given()) {
        draw_targets(model, task, seed, count, targets);
        return true;
    }
    if (random_given != NULL || pose_wanted)
        return complain("%s has no effect where targets are given",
                        pose_wanted ? "--pose" : "--random");
    return targets_given(targets);
}

/* ---- what is returned --------------------------------------------------- */

static double percent(const comparison *all, const comparison_row *r)
{
    return 100.0 * r->reached / all->targets->count;
}

/* one target: its error, and where single steps lead; several: the mean and the worst */
static void write_heads(const comparison *all, grid_table *table)
{
    bool several = all->targets->count > 1;
    static const char *const first[] = {"method", "reached", "iterations", "us"};
    static const char *const last[] = {"worst turn", "joint travel", "off the line", "violations"};
    for (int i = 0; i < 4; i++)
        grid_cell(table, "%s", first[i]);
    grid_cell(table, "%s", several ? "mean error" : "error");
    if (several)
        grid_cell(table, "%s", "worst error");
    else
        grid_cell(table, "after %d step%s", all->steps, all->steps == 1 ? "" : "s");
    for (int i = 0; i < 4; i++)
        grid_cell(table, "%s", last[i]);
}

static void write_table(void *results, FILE *stream)
{
    const comparison *all = results;
    grid_table table = grid_start("lrrrrrrrrr");
    write_heads(all, &table);
    for (int i = 0; i < all->count; i++) {
        const comparison_row *r = &all->rows[i];
        grid_cell(&table, "%s", lb_method_name(r->method));
        grid_cell(&table, "%.1f %%", percent(all, r));
        grid_cell(&table, "%.1f", r->iterations);
        grid_cell(&table, "%.2f", r->microseconds);
        grid_cell(&table, "%.3g m", r->mean_error);
        grid_cell(&table, "%.3g m",
                  all->targets->count > 1 ? r->worst_error : r->curve[all->steps]);
        if (all->task.kind == LB_TASK_POSITION)
            grid_cell(&table, "%s", "");
        else
            grid_cell(&table, "%.3g rad", r->worst_rotation);
        grid_cell(&table, "%.3f", r->travel);
        grid_cell(&table, "%.1f %%", 100 * r->deviation);
        grid_cell(&table, "%d", r->violations);
    }
    grid_print(&table, stream);
    grid_release(&table);
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
    plot_curve *curves = allocate_or_exit((size_t)all->count, sizeof *curves);
    for (int i = 0; i < all->count; i++) {
        const comparison_row *r = &all->rows[i];
        curves[i] = (plot_curve){lb_method_name(r->method), x, turns ? r->turns : r->curve,
                                 r->steps + 1, look_of(r->method)};
    }
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

static lb_status draw_panels(const comparison *all, const double *x, const char *path,
                             lb_error *error)
{
    bool several = all->targets->count > 1, turns = all->task.kind != LB_TASK_POSITION;
    plot_curve *places = make_curves(all, x, false), *rotations = NULL;
    char text[64];
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
                 .count = all->count,
                 .title = figure_title(),
                 .x = "iteration",
                 .log_y = true};
    lb_status status = plot_draw(&what, path, error);
    free(rotations);
    free(places);
    return status;
}

/* the error after each step, one curve for each method */
static bool draw_curves(void *results)
{
    const comparison *all = results;
    const char *path = option_text(figure_file);
    if (path == NULL)
        return true;
    int n = all->steps + 1;
    double *x = allocate_or_exit((size_t)n, sizeof *x);
    for (int k = 0; k < n; k++)
        x[k] = k;
    bool fine = succeeds(draw_panels(all, x, path, why()));
    free(x);
    return fine;
}

static const destination_forms forms = {.rows =
                                            &(result_table)ROWS_OF(comparison, count, name_method),
                                        .list = "methods",
                                        .members = json_members,
                                        .words = write_table,
                                        .figure = draw_curves,
                                        .words_aside = true};

/* ---- the command -------------------------------------------------------- */

static int run_on(const lb_model *model)
{
    int steps = USUAL_STEPS, status = EXIT_BAD_INPUT;
    solver_choice solver = {.options = lb_ik_options_default()};
    target_list targets = {0};
    pose_list start = {0};
    comparison all = {0};
    lb_task task;
    // a method is measured by what it does from the start, unless the user wants more
    solver.options.protocol = LB_PROTOCOL_GIVEN;
    if (select_given_task(model, LB_TASK_POSITION, &task) && figure_is_fine(title_options) &&
        tuning_given(model, &solver) &&
        argument_count("--steps", option_text(steps_given), 1, MOST_STEPS, &steps) &&
        read_targets(model, &task, solver.options.seed, &targets) &&
        poses_from_text(model, "--start", option_text(start_given), &start)) {
        task.kind = targets.kind;
        if (comparison_make(&all, model, &task, &solver.options, &targets, start.q, steps) &&
            destination_write(&forms, &all, 1)) {
            select_remark();
            status = EXIT_DONE;
        }
    }
    comparison_release(&all);
    solver_release(&solver);
    poses_release(&start);
    targets_release(&targets);
    return status;
}

static int run(const char *const *operands)
{
    bool fine = destination_check();
    lb_model *model = fine ? select_model(operands[0]) : NULL;
    int status = model != NULL ? run_on(model) : EXIT_BAD_INPUT;
    lb_model_release(model);
    return status;
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
