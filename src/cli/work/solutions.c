/*
 * solutions.c - every solution of many targets: found, timed and written.
 */
#include "cli/work/solve.h"

#include "base/text.h"
#include "cli/report/describe.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding -------------------------------------------------------------- */

/* rows that one target can have: more are seldom requested, and truncation is reported */
enum { ROWS_PER_TARGET = 1024 };

/* the room for one more target's rows */
static void make_room(solutions *all)
{
    size_t nq = (size_t)lb_model_nq(all->model), count = (size_t)all->count;
    if (all->room - all->count >= ROWS_PER_TARGET)
        return;
    all->room = 2 * all->room + ROWS_PER_TARGET;
    double *q = allocate_or_exit((size_t)all->room * nq, sizeof *q);
    lb_solution *infos = allocate_or_exit((size_t)all->room, sizeof *infos);
    if (count > 0) {
        memcpy(q, all->q, count * nq * sizeof *q);
        memcpy(infos, all->infos, count * sizeof *infos);
    }
    free(all->q);
    free(all->infos);
    all->q = q;
    all->infos = infos;
}

bool solutions_create(solutions *all, const lb_model *model, const lb_task *task,
                      const lb_solutions_options *options, const target_list *targets,
                      const pose_list *starts)
{
    *all = (solutions){.model = model, .task = *task, .complete = true, .certified = true};
    all->most = ROWS_PER_TARGET;
    all->targets = targets;
    all->starts = starts;
    if (!succeeds(lb_solutions_create(model, task, options, NULL, &all->solver, why())))
        return false;
    all->first = allocate_or_exit((size_t)targets->count + 1, sizeof *all->first);
    all->summaries = allocate_or_exit((size_t)targets->count, sizeof *all->summaries);
    all->refusals = allocate_or_exit((size_t)targets->count, sizeof *all->refusals);
    return true;
}

/* whether target i of the block has solutions, all of which were refused */
static bool all_refused(const solutions *all, int i)
{
    return all->refusals[i].count > 0 && all->first[i + 1] == all->first[i];
}

/* why target i of the block has no row */
static void describe_missing(const solutions *all, int i, char *text, size_t size)
{
    if (all_refused(all, i))
        avoidance_describe(all->avoid, &all->refusals[i], text, size);
    else
        text_format(text, size, "%s", lb_outcome_text(all->summaries[i].outcome));
}

/* whether all solutions of target i are listed, or as many as are wanted */
static bool is_complete(const solutions *all, int i)
{
    const lb_solutions_summary *summary = &all->summaries[i];
    return summary->complete && (!summary->truncated || all->most < ROWS_PER_TARGET);
}

/* adds target i of the block to the sums */
static void add_target(solutions *all, int i, int found)
{
    const lb_solutions_summary *summary = &all->summaries[i];
    char why[256];
    all->target_count++;
    all->reached += summary->outcome == LB_REACHED && !all_refused(all, i);
    all->total += (size_t)found;
    all->complete &= is_complete(all, i);
    all->certified &= summary->certified;
    describe_missing(all, i, why, sizeof why);
    if (found == 0)
        missing_add(&all->missing, all->before + i + 1, why);
}

void solutions_find(void *results)
{
    solutions *all = results;
    size_t nq = (size_t)lb_model_nq(all->model);
    all->count = 0;
    all->before = all->target_count;
    for (int i = 0; i < all->targets->count; i++) {
        const double *start = all->starts->q + (all->starts->count == 1 ? 0 : (size_t)i * nq);
        make_room(all);
        if (all->avoid != NULL)
            all->avoid->refused = (refusal){.count = 0};
        double begun = clock_seconds();
        int found = lb_solutions(all->solver, &all->targets->targets[i], start, all->most,
                                 all->q + (size_t)all->count * nq, all->infos + all->count,
                                 &all->summaries[i]);
        all->seconds += clock_seconds() - begun;
        if (all->avoid != NULL)
            all->refusals[i] = all->avoid->refused;
        all->count += found;
        all->first[i + 1] = all->count;
        add_target(all, i, found);
    }
}

void solutions_release(solutions *all)
{
    lb_solutions_release(all->solver);
    free(all->q);
    free(all->infos);
    free(all->first);
    free(all->summaries);
    free(all->refusals);
    *all = (solutions){.model = NULL};
}

/* ---- for programs ----------------------------------------------------------- */

static void remark_missing(const void *results)
{
    missing_remark(&((const solutions *)results)->missing, "no solution is listed");
}

static void name_solution(const void *results, int r, row *to)
{
    const solutions *all = results;
    const lb_solution *info = &all->infos[r];
    int target = row_group(all->first, all->targets->count, r);
    column_whole(to, "target", all->before + target + 1);
    column_whole(to, "solution", r - all->first[target] + 1);
    column_whole(to, "branch", info->branch);
    column_flag(to, "in_limits", info->in_limits);
    column_number(to, "distance", info->distance);
    column_number(to, "position_error", info->position_error);
    column_number(to, "rotation_error", info->rotation_error);
    column_number(to, "condition", info->condition);
    column_whole(to, "multiplicity", info->multiplicity);
    column_joints(to, all->model, all->q + (size_t)r * (size_t)lb_model_nq(all->model));
}

static const result_table solutions_rows = ROWS_OF(solutions, count, name_solution);

/* a row, and besides what is no number */
static json_t *json_solution(const solutions *all, int r, row *to)
{
    const lb_solution *info = &all->infos[r];
    json_t *object = table_json(&solutions_rows, all, r, to);
    const char *out = info->joint < 0 ? NULL : lb_model_joint(all->model, info->joint)->name;
    set_json(object, "joint", out != NULL ? json_string(out) : json_null());
    set_json(object, "beyond", json_finite(info->beyond));
    set_json(object, "family", json_boolean(info->family));
    return object;
}

/* the joints that are free to move in an infinite family */
static json_t *json_family(const solutions *all, const lb_solutions_summary *summary)
{
    json_t *names = json_array();
    for (int i = 0; i < summary->family_count; i++)
        append_json(names, json_string(lb_model_joint(all->model, summary->family[i])->name));
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
    if (all->avoid == NULL)
        return object;
    set_json(object, "refused", json_integer(all->refusals[i].count));
    if (!refused)
        return object;
    const lb_proximity *p = &all->refusals[i].nearest;
    const lb_collision *c = all->avoid->collision;
    set_json(object, "collides",
             json_pack("{s:s, s:s, s:f}", "a", lb_collision_body_name(c, p->body_a), "b",
                       lb_collision_body_name(c, p->body_b), "distance", p->distance));
    return object;
}

/* for each target what came of it, and its solutions */
static void write_elements(void *results, row *to, json_list *list)
{
    const solutions *all = results;
    for (int i = 0; i < all->targets->count; i++) {
        json_t *own = json_array();
        for (int r = all->first[i]; r < all->first[i + 1]; r++)
            append_json(own, json_solution(all, r, to));
        json_list_add(list, json_target(all, i, own));
    }
}

static json_t *json_members(void *results)
{
    const solutions *all = results;
    int targets = all->target_count;
    return json_pack("{s:i, s:i, s:I, s:s, s:b, s:b, s:f, s:f}", "targets", targets, "reached",
                     all->reached, "solutions", (json_int_t)all->total, "class",
                     lb_arm_class_text(lb_solutions_class(all->solver)), "complete", all->complete,
                     "certified", all->certified, "seconds", all->seconds, "mean_us",
                     targets > 0 ? 1e6 * all->seconds / targets : 0);
}

/* ---- for people -------------------------------------------------------------- */

/* whether a link is another one or is carried by it */
static bool is_behind(const lb_model *model, int link, int ancestor)
{
    while (link >= 0 && link != ancestor)
        link = lb_model_parent(model, link);
    return link == ancestor;
}

/* whether a value's joint is between the task's base and its tip: others keep the start's values */
static bool is_solved(const solutions *all, const value_slot *slot)
{
    const int child = lb_model_find_link(all->model, slot->joint->child);
    const bool carries_base = all->task.base >= 0 && is_behind(all->model, all->task.base, child);
    return is_behind(all->model, all->task.tip, child) != carries_base;
}

/* room for a name and for a number of degrees */
static int column_width(const char *name)
{
    const size_t length = strlen(name);
    return length < 9 ? 9 : length < VALUE_NAME_SIZE ? (int)length : VALUE_NAME_SIZE;
}

static void print_solution(const solutions *all, const value_slot *slots, int r, FILE *stream)
{
    const lb_solution *info = &all->infos[r];
    int nq = lb_model_nq(all->model);
    fprintf(stream, "  %2d  branch %d ", r + 1, info->branch);
    char name[VALUE_NAME_SIZE];
    for (int k = 0; k < nq; k++)
        if (is_solved(all, &slots[k]))
            fprintf(stream, " %*.4f", column_width(value_name(&slots[k], name)),
                    all->q[(size_t)r * (size_t)nq + (size_t)k] / value_unit(&slots[k]));
    if (info->multiplicity > 1)
        fprintf(stream, "  %d branches meet", info->multiplicity);
    if (info->joint >= 0) {
        const lb_joint *joint = lb_model_joint(all->model, info->joint);
        bool slides = joint->kind == LB_JOINT_PRISMATIC;
        fprintf(stream, "  %s'%s' beyond its limits by %.3g %s%s",
                console_style_text(stream, STYLE_BAD), joint->name,
                info->beyond / (slides ? 1 : angle_unit()), slides ? "m" : angle_unit_name(),
                console_style_text(stream, STYLE_PLAIN));
    }
    fputc('\n', stream);
}

/* the columns: a joint's name over each */
static void print_head(const solutions *all, const value_slot *slots, FILE *stream)
{
    char name[VALUE_NAME_SIZE];
    fprintf(stream, "      %-9s", "branch");
    for (int k = 0; k < lb_model_nq(all->model); k++)
        if (is_solved(all, &slots[k])) {
            const char *head = value_name(&slots[k], name);
            fprintf(stream, " %*s", column_width(head), head);
        }
    fprintf(stream, "   (%s, metres)\n", angle_unit_name());
}

/* what a filter has refused of the only target */
static void print_refused(const solutions *all, FILE *stream)
{
    char text[256];
    if (all->avoid == NULL || all->refusals[0].count == 0)
        return;
    avoidance_describe(all->avoid, &all->refusals[0], text, sizeof text);
    fprintf(stream, "  %s%d nearer to the start would collide%s: of the nearest %s\n",
            console_style_text(stream, STYLE_BAD), all->refusals[0].count,
            console_style_text(stream, STYLE_PLAIN), text);
}

static void print_summary(const lb_model *model, const lb_solutions_summary *summary, FILE *stream)
{
    if (summary->outcome == LB_UNREACHABLE && summary->count == 0)
        fputs("unreachable: proved, no configuration reaches the target\n", stream);
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
    char text[MISSING_TEXT_SIZE];
    describe_task(all->model, &all->task, stream);
    fputc('\n', stream);
    lb_solutions_describe(all->solver, text, sizeof text);
    print_wrapped(stream, text, 0);
    if (all->target_count > 1) {
        fprintf(stream, "%d of %d targets reached, %zu solutions, %.3g us a target\n", all->reached,
                all->target_count, all->total, 1e6 * all->seconds / all->target_count);
        if (all->missing.count > 0) {
            missing_describe(&all->missing, "no solution", text);
            fprintf(stream, "%s\n", text);
        }
        return;
    }
    value_slot *slots = values_slots(all->model);
    lb_solutions_summary summary = all->summaries[0];
    summary.truncated = summary.truncated && all->most == ROWS_PER_TARGET;
    print_summary(all->model, &summary, stream);
    print_refused(all, stream);
    if (all->count > 0)
        print_head(all, slots, stream);
    for (int r = 0; r < all->count; r++)
        print_solution(all, slots, r, stream);
    if (all->count > 0 && lb_solutions_class(all->solver) == LB_ARM_GENERAL)
        fputs("  numbers of branches distinguish these solutions; along a path they change\n",
              stream);
    free(slots);
}

/* ---- figures ---------------------------------------------------------- */

static void write_label(const void *user, int i, char label[FIGURE_LABEL_SIZE])
{
    const lb_solution *info = &((const solutions *)user)->infos[i];
    text_format(label, FIGURE_LABEL_SIZE, "%sbranch %d%s", i == 0 ? "nearest: " : "", info->branch,
                info->in_limits ? "" : ", outside limits");
}

bool solutions_draw(const solutions *all, lb_drawing *drawing, const char *path)
{
    return figure_draw_ghosts(all->model, drawing, path, all->q, all->count,
                              all->targets->count == 1 ? write_label : NULL, all);
}

/* ---- all targets ------------------------------------------------------------ */

static bool draw(void *results)
{
    lb_drawing drawing;
    const char *path = blocks_figure(&drawing);
    return path == NULL || solutions_draw(results, &drawing, path);
}

static const destination_forms forms = {.rows = &solutions_rows,
                                        .list = "results",
                                        .elements = write_elements,
                                        .members = json_members,
                                        .words = write_words,
                                        .figure = draw,
                                        .words_aside = true};

/* block by block: reads, finds and writes */
static bool find_blocks(solutions *all, const lb_model *model, lb_solutions_options options,
                        avoidance *avoid, bool every, problem_source *problems)
{
    const block_work work = {&forms, solutions_find, remark_missing};
    lb_task task;
    if (!tool_task(model, problems->targets.kind, &task) || !blocks_check_figure() ||
        !blocks_read_starts(model, problems))
        return false;
    options.condition = true;
    if (avoid != NULL) {
        options.filter = avoidance_filter;
        options.user = avoid;
    }
    int most = blocks_size_of_many(), count = problems_next(problems, most);
    if (count <= 0 ||
        !solutions_create(all, model, &task, &options, &problems->block, &problems->block_starts))
        return false;
    all->avoid = avoid;
    all->most = every ? all->most : 1;
    return blocks_write(&work, all, problems, count, most);
}

int solutions_solve(const char *name, const lb_model *model, problem_source *problems,
                    const lb_solutions_options *options, bool avoid, bool every)
{
    solutions all = {0};
    avoidance avoided = {.collision = NULL};
    int status = EXIT_BAD_INPUT;
    if ((!avoid || (avoided.collision = collisions_create(name, model)) != NULL) &&
        find_blocks(&all, model, *options, avoid ? &avoided : NULL, every, problems)) {
        select_remark();
        status = all.reached == all.target_count ? EXIT_DONE : EXIT_UNREACHED;
    }
    solutions_release(&all);
    lb_collision_release(avoided.collision);
    return status;
}
