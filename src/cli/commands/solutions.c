/*
 * solutions.c - limber solutions: every configuration that brings the tip to its target: found,
 * timed and written.
 */
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/work/solve.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* What came of one target: how many solutions were refused, and why the first of them was. */
typedef struct refusal {
    int count;
    lb_proximity nearest; /* of the first one, which is the nearest to the start */
} refusal;

/* All solutions of targets, target after target. */
typedef struct solutions {
    target_rows rows;
    lb_solutions_solver *solver;
    lb_collision *collision; /* by which solutions are refused; NULL: none is */
    refusal refused;         /* of the target that is solved */
    int most;                /* rows for one target */
    lb_solution *infos;      /* of each row */
    lb_solutions_summary *summaries;
    refusal *refusals;        /* of each target */
    bool complete, certified; /* of every target of all blocks */
} solutions;

/* ---- solutions that collide ----------------------------------------------- */

/* a filter of all solutions */
static bool is_free(void *user, const double *q)
{
    solutions *all = user;
    if (lb_collision_free(all->collision, q))
        return true;
    if (all->refused.count++ == 0)
        lb_collision_distance(all->collision, q, &all->refused.nearest);
    return false;
}

/* "panda_hand and table overlap by 1.2 cm", or that they are nearer than the margin */
static void describe_refusal(const solutions *all, int i, char *text, size_t size)
{
    const lb_proximity *p = &all->refusals[i].nearest;
    const char *a = lb_collision_body_name(all->collision, p->body_a);
    const char *b = lb_collision_body_name(all->collision, p->body_b);
    if (p->distance <= 0)
        text_format(text, size, "%.60s and %.60s overlap by %.2g m", a, b, -p->distance);
    else
        text_format(text, size, "%.60s and %.60s are %.2g m apart", a, b, p->distance);
}

/* whether target i of the block has solutions, all of which were refused */
static bool all_refused(const solutions *all, int i)
{
    return all->refusals[i].count > 0 && all->rows.first[i + 1] == all->rows.first[i];
}

/* ---- finding -------------------------------------------------------------- */

/* rows that one target can have: more are seldom requested, and truncation is reported */
enum { ROWS_PER_TARGET = 1024 };

/* for rows that are begun, with the first block, which is the largest; false after a complaint */
static bool create(solutions *all, lb_solutions_options options, const struct poptOption *table)
{
    size_t targets = (size_t)all->rows.targets->count;
    if (all->collision != NULL) {
        options.filter = is_free;
        options.user = all;
    }
    all->complete = all->certified = true;
    all->summaries = allocate_or_exit(targets, sizeof *all->summaries);
    all->refusals = allocate_or_exit(targets, sizeof *all->refusals);
    return succeeds(lb_solutions_create(all->rows.model, &all->rows.task, &options, &program_memory,
                                        &all->solver, why())) &&
           // of arms without a joint to spare nothing is held
           (lb_solutions_class(all->solver) == LB_ARM_REDUNDANT ||
            !option_given(table, "redundancy") ||
            complain("--redundancy has no effect: the arm has no more joints than the target "
                     "needs"));
}

/* whether all solutions of target i are listed, or as many as are wanted */
static bool is_complete(const solutions *all, int i)
{
    const lb_solutions_summary *summary = &all->summaries[i];
    return summary->complete && (!summary->truncated || all->most < ROWS_PER_TARGET);
}

/* those of target i of the block are there */
static void end_target(solutions *all, int i, int found)
{
    const lb_solutions_summary *summary = &all->summaries[i];
    bool refused = found == 0 && all->refused.count > 0;
    char why[256];
    all->refusals[i] = all->refused;
    if (refused)
        describe_refusal(all, i, why, sizeof why);
    else
        text_format(why, sizeof why, "%s", lb_outcome_text(summary->outcome));
    all->rows.count += found;
    rows_end(&all->rows, i, summary->outcome == LB_REACHED && !refused, found == 0 ? why : NULL);
    all->complete &= is_complete(all, i);
    all->certified &= summary->certified;
}

static void find(void *results)
{
    solutions *all = results;
    target_rows *rows = &all->rows;
    rows_begin(rows);
    for (int i = 0; i < rows->targets->count; i++) {
        rows_reserve(rows, ROWS_PER_TARGET, (void **)&all->infos, sizeof *all->infos);
        all->refused = (refusal){.count = 0};
        double begun = clock_seconds();
        int found = lb_solutions(all->solver, &rows->targets->targets[i], rows_start_of(rows, i),
                                 all->most, rows_values(rows, rows->count),
                                 all->infos + rows->count, &all->summaries[i]);
        rows->seconds += clock_seconds() - begun;
        end_target(all, i, found);
    }
}

/* ---- for programs ----------------------------------------------------------- */

static void remark_missing(const void *results)
{
    rows_remark(&((const solutions *)results)->rows, "no solution is listed");
}

static void name_solution(const void *results, int r, row *to)
{
    const solutions *all = results;
    const lb_solution *info = &all->infos[r];
    int target = rows_name_target(&all->rows, r, to);
    column_whole(to, "solution", r - all->rows.first[target] + 1);
    column_whole(to, "branch", info->branch);
    column_flag(to, "in_limits", info->in_limits);
    column_number(to, "distance", info->distance);
    column_number(to, "position_error", info->position_error);
    column_number(to, "rotation_error", info->rotation_error);
    column_number(to, "condition", info->condition);
    column_whole(to, "multiplicity", info->multiplicity);
    column_joints(to, all->rows.model, rows_values(&all->rows, r));
}

static const result_table solutions_rows = ROWS_OF(solutions, rows.count, name_solution);

/* how far a joint is beyond its limits, in the user's unit, "degrees" or the like */
static double beyond_of(const solutions *all, const lb_solution *info, const char **unit)
{
    const bool slides = info->joint >= 0 &&
                        lb_model_joint(all->rows.model, info->joint)->kind == LB_JOINT_PRISMATIC;
    *unit = slides ? "m" : angle_unit_name();
    return info->beyond / (slides ? 1 : angle_unit());
}

/* a row, and besides what is no number */
static json_t *json_solution(const solutions *all, int r, row *to)
{
    const lb_solution *info = &all->infos[r];
    json_t *object = table_json(&solutions_rows, all, r, to);
    const char *out = info->joint < 0 ? NULL : lb_model_joint(all->rows.model, info->joint)->name;
    const char *unit;
    set_json(object, "joint", out != NULL ? json_string(out) : json_null());
    set_json(object, "beyond", json_finite(beyond_of(all, info, &unit)));
    set_json(object, "family", json_boolean(info->family));
    return object;
}

/* the joints that are free to move in an infinite family */
static json_t *json_family(const solutions *all, const lb_solutions_summary *summary)
{
    json_t *names = json_array();
    for (int i = 0; i < summary->family_count; i++)
        append_json(names, json_string(lb_model_joint(all->rows.model, summary->family[i])->name));
    return names;
}

/* what came of a target: its outcome, or that all its solutions collide and which pair does */
static json_t *json_target(const solutions *all, int i, json_t *list)
{
    const lb_solutions_summary *summary = &all->summaries[i];
    bool refused = all_refused(all, i);
    json_t *object = json_pack("{s:s, s:b, s:b, s:b, s:o, s:o}", "status",
                               refused ? "collides" : lb_outcome_text(summary->outcome), "complete",
                               is_complete(all, i), "certified", summary->certified, "infinite",
                               summary->family_count > 0, "family", json_family(all, summary),
                               "solutions", list);
    if (all->collision != NULL)
        set_json(object, "refused", json_integer(all->refusals[i].count));
    if (refused)
        set_json(object, "collides", json_pair(all->collision, &all->refusals[i].nearest));
    return object;
}

/* for each target what came of it, and its solutions */
static void write_elements(void *results, row *to, json_list *list)
{
    const solutions *all = results;
    for (int i = 0; i < all->rows.targets->count; i++) {
        json_t *own = json_array();
        for (int r = all->rows.first[i]; r < all->rows.first[i + 1]; r++)
            append_json(own, json_solution(all, r, to));
        json_list_add(list, json_target(all, i, own));
    }
}

static json_t *json_members(void *results)
{
    const solutions *all = results;
    int targets = all->rows.target_count;
    return json_pack("{s:i, s:i, s:I, s:s, s:b, s:b, s:f, s:f}", "targets", targets, "reached",
                     all->rows.reached, "solutions", (json_int_t)all->rows.total, "class",
                     lb_arm_class_text(lb_solutions_class(all->solver)), "complete", all->complete,
                     "certified", all->certified, "seconds", all->rows.seconds, "mean_us",
                     targets > 0 ? 1e6 * all->rows.seconds / targets : 0);
}

/* ---- for people -------------------------------------------------------------- */

static void print_solution(const solutions *all, const value_slot *slots, int r, FILE *stream)
{
    const lb_solution *info = &all->infos[r];
    fprintf(stream, "  %2d  branch %d ", r + 1, info->branch);
    rows_print_values(&all->rows, slots, r, stream);
    if (info->multiplicity > 1)
        fprintf(stream, "  %d branches meet", info->multiplicity);
    if (info->joint >= 0) {
        const char *unit;
        const double beyond = beyond_of(all, info, &unit);
        fprintf(stream, "  %s'%s' beyond its limits by %.3g %s%s",
                console_style_text(stream, STYLE_BAD),
                lb_model_joint(all->rows.model, info->joint)->name, beyond, unit,
                console_style_text(stream, STYLE_PLAIN));
    }
    fputc('\n', stream);
}

/* what a filter has refused of the only target */
static void print_refused(const solutions *all, FILE *stream)
{
    char text[256];
    if (all->refusals[0].count == 0)
        return;
    describe_refusal(all, 0, text, sizeof text);
    fprintf(stream, "  %s%d %s left out for collisions or the margin%s: of the nearest %s\n",
            console_style_text(stream, STYLE_BAD), all->refusals[0].count,
            all_refused(all, 0) ? "of them, which is all, are" : "nearer to the start are",
            console_style_text(stream, STYLE_PLAIN), text);
}

static void print_summary(const lb_model *model, const lb_solutions_summary *summary, FILE *stream)
{
    if (summary->outcome == LB_UNREACHABLE && summary->count == 0)
        fputs("unreachable: proved, no configuration reaches the target to 1e-9\n", stream);
    else if (summary->count == 0 && !summary->complete)
        fprintf(stream,
                "%s: no solution was found, which proves nothing; limber ik searches for one\n",
                lb_outcome_text(summary->outcome));
    else
        fprintf(stream, "%s: %d solution%s, %d inside the limits%s, nearest to the start first\n",
                lb_outcome_text(summary->outcome), summary->count, summary->count == 1 ? "" : "s",
                summary->in_limits, summary->certified ? "" : " (not certified)");
    if (summary->truncated)
        fputs("  not all are listed: there are too many turns\n", stream);
    if (summary->family_count == 0)
        return;
    fputs("  infinitely many: free to move together:", stream);
    for (int i = 0; i < summary->family_count; i++)
        fprintf(stream, " '%s'", lb_model_joint(model, summary->family[i])->name);
    fputc('\n', stream);
}

static void write_words(void *results, FILE *stream)
{
    const solutions *all = results;
    const lb_model *model = all->rows.model;
    char text[1024], listed[64];
    describe_task(model, &all->rows.task, stream);
    fputc('\n', stream);
    lb_solutions_describe(all->solver, text, sizeof text);
    print_wrapped(stream, text, 0);
    snprintf(listed, sizeof listed, ", %zu solutions", all->rows.total);
    if (rows_words(&all->rows, listed, "no solution", stream))
        return;
    value_slot *slots = values_slots(model);
    lb_solutions_summary summary = all->summaries[0];
    summary.truncated = summary.truncated && all->most == ROWS_PER_TARGET;
    print_summary(model, &summary, stream);
    print_refused(all, stream);
    if (all->rows.count > 0) {
        fprintf(stream, "      %-9s", "branch");
        rows_print_head(&all->rows, slots, stream);
    }
    for (int r = 0; r < all->rows.count; r++)
        print_solution(all, slots, r, stream);
    if (all->rows.count > 0 && lb_solutions_class(all->solver) == LB_ARM_GENERAL)
        fputs("  numbers of branches distinguish these solutions; along a path they change\n",
              stream);
}

/* ---- figures ---------------------------------------------------------- */

/* of one target alone: the legend of several would say whose each is */
static void write_label(const void *user, int i, char label[FIGURE_LABEL_SIZE])
{
    const solutions *all = user;
    const lb_solution *info = &all->infos[i];
    if (all->rows.targets->count == 1)
        text_format(label, FIGURE_LABEL_SIZE, "%sbranch %d%s", i == 0 ? "nearest: " : "",
                    info->branch, info->in_limits ? "" : ", outside limits");
}

static void draw(void *results)
{
    rows_draw(&((const solutions *)results)->rows, write_label, results);
}

void solutions_draw(const lb_model *model, const lb_task *task, const target_list *target,
                    const pose_list *start, const struct poptOption *table,
                    const lb_solutions_options *options, lb_drawing *drawing, const char *path)
{
    solutions all = {.most = ROWS_PER_TARGET};
    rows_start(&all.rows, model, task, target, start);
    if (!create(&all, *options, table))
        give_up();
    find(&all);
    if (all.rows.count == 0)
        refuse("--all: no solution is inside the limits, nor is the pose; --out-of-limits draws "
               "those outside");
    rows_draw_to(&all.rows, false, drawing, path, write_label, &all);
}

/* ---- all targets ------------------------------------------------------------ */

static const destination_forms forms = {.rows = &solutions_rows,
                                        .list = "results",
                                        .elements = write_elements,
                                        .members = json_members,
                                        .words = write_words,
                                        .figure = draw,
                                        .words_aside = true};

static const struct poptOption list_options[] = {
    OPTION_SET("copies", lb_solutions_options, copies,
               "list each solution with all the whole turns that limits leave room for"),
    OPTION_SET("out-of-limits", lb_solutions_options, out_of_limits,
               "list solutions that break limits, too"),
    OPTION_COUNT("redundancy", lb_solutions_options, redundancy, 1, LB_SOLUTIONS_REDUNDANCY_MAX,
                 "N", "of arms with a joint more than the target needs, values of it to list; 16"),
    OPTION_END,
};

int solutions_solve(const char *name, const lb_model *model, problem_source *problems,
                    const lb_solutions_options *options, bool avoid, bool every)
{
    static const block_work work = {&forms, find, remark_missing};
    solutions all = {.most = every ? ROWS_PER_TARGET : 1};
    lb_solutions_options wanted = *options;
    wanted.condition = true;
    if (avoid)
        all.collision = collisions_create(name, model);
    rows_open(&all.rows, model, problems);
    if (!create(&all, wanted, list_options)) {
        if (!every)
            remark("--avoid-collision chooses among all solutions, so they must have a list: give "
                   "a rotation, too, or lock joints");
        give_up();
    }
    blocks_write(&work, &all, problems);
    return rows_status(&all.rows);
}

/* ---- the command -------------------------------------------------------- */

static int avoid_wanted;

static int run(const char *const *operands)
{
    problem_source problems = {.shared = false};
    if (avoid_wanted)
        joints_use_srdf();
    else
        option_none_given(collision_options, "without --avoid-collision");
    const lb_model *model = blocks_start_command(operands[0], &problems);
    lb_solutions_options options = lb_solutions_options_default();
    options_read(list_options, &options);
    return solutions_solve(operands[0], model, &problems, &options, avoid_wanted, true);
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(target_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(start_options),
    OPTION_TABLE(starts_options),
    OPTION_TABLE(list_options),
    OPTION_FLAG("avoid-collision", avoid_wanted,
                "list those in which no link touches another or the scene"),
    OPTION_TABLE(collision_options),
    OPTION_TABLE(drawing_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"every configuration that reaches a pose, and which limits exclude it",
     "limber solutions ur5 --position \"0.4 0.2 0.3\" --rpy \"180 0 0\" --degrees \\\n"
     "        --out-of-limits"},
    {"in one figure, the nearest in full",
     "limber solutions kr6 --position \"0.5 0.1 0.4\" --rpy \"0 90 0\" --degrees \\\n"
     "        --figure all.svg"},
    {NULL, NULL},
};

const command command_solutions = {
    COMMAND(solutions),
    .synopsis = "MODEL (--position \"X Y Z\" [--rpy \"R P Y\"]\n"
                " | --targets T.csv)\n"
                "[--avoid-collision] [--output OUT.csv] [OPTION ...]",
    .summary = "list every solution of a target, nearest to the start first",
    .details =
        "Prints a row for each solution under the header\n"
        "target,solution,branch,in_limits,distance,\n"
        "position_error,rotation_error,condition,multiplicity, and then the joints. The\n"
        "distance is that from the start, the root of the sum of squares, times the\n"
        "joints' weights, of radians and of lengths over a fifth of the arm's links laid\n"
        "end to end. Targets without a solution have no row and are named on standard\n"
        "error.\n"
        "--json adds \"class\", \"complete\" and \"certified\" and, unless --output has the\n"
        "rows, \"results\" by target. limber ik --all is a short spelling.\n\n"
        "It is for arms of six joints: up to 16 solutions if all turn, 8 in closed form\n"
        "if axes meet or are parallel; for arms of fewer joints that are such arms with\n"
        "joints left out; and for arms of seven joints, one held at each of --redundancy\n"
        "values. The number of a branch stays along a path up to a singularity; of arms\n"
        "whose class is general it only distinguishes the solutions of one target.\n\n"
        "With --avoid-collision solutions in which a link comes within --margin of\n"
        "another or of --scene are left out, as limber collide measures it. If all\n"
        "collide, the pair of links by which the nearest of them fails is named.\n\n"
        "The exit status is 0 if for every target one inside the limits was found, 1 if\n"
        "for some none was, 2 for bad input. Of seven joints, and of fewer than six,\n"
        "others may exist: limber elbow lists the arcs of seven, limber ik searches.",
    .operands = 1,
};
