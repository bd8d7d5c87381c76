/*
 * elbows.c - the elbow of arms of seven joints, for many targets: the arcs that it can be on, or
 * where it is best.
 */
#include "cli/work/solve.h"

#include "base/text.h"
#include "cli/report/describe.h"
#include "cli/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One arc of a target, or its best elbow. */
typedef struct elbow_row {
    int branch;
    double begin, end;      /* of an arc */
    lb_elbow_choice choice; /* the best; the branch of one that is not reached is 0 */
} elbow_row;

/* Arcs or best elbows of a block of targets, target after target. */
typedef struct elbows {
    const lb_model *model;
    lb_task task;
    lb_elbow *elbow;
    bool best; /* else arcs */
    lb_elbow_goal goal;

    /* the block */
    const target_list *targets;
    const pose_list *starts;
    elbow_row *rows;
    double *q; /* nq numbers of each row: in the middle of the arc, or at the best elbow */
    int count, room;
    int *first;           /* of each target: its first row; one more for the end */
    lb_outcome *outcomes; /* of each target */
    int before;           /* targets of earlier blocks */

    /* all blocks up to this one */
    int target_count, reached;
    size_t total;   /* arcs */
    double seconds; /* of solving alone */
    missing_targets missing;
} elbows;

const char *const elbow_goals[ELBOW_GOALS + 1] = {"nearest", "margin", "manipulability", NULL};

/* what is best of each goal */
static const char *const value_names[ELBOW_GOALS] = {"distance", "margin", "manipulability"};

/* ---- finding -------------------------------------------------------------- */

/* for the first block, which is the largest */
static bool create(elbows *all, const lb_model *model, const lb_task *task, int goal,
                   const target_list *targets, const pose_list *starts)
{
    *all = (elbows){.model = model, .task = *task, .targets = targets, .starts = starts};
    all->best = goal >= 0;
    all->goal = goal >= 0 ? (lb_elbow_goal)goal : LB_ELBOW_NEAREST;
    if (!succeeds(lb_elbow_create(model, task, NULL, &all->elbow, why())))
        return false;
    all->first = allocate_or_exit((size_t)targets->count + 1, sizeof *all->first);
    all->outcomes = allocate_or_exit((size_t)targets->count, sizeof *all->outcomes);
    return true;
}

/* the room for one more target's rows */
static void make_room(elbows *all)
{
    size_t nq = (size_t)lb_model_nq(all->model), count = (size_t)all->count;
    if (all->room - all->count >= LB_ELBOW_ARCS_MAX)
        return;
    all->room = 2 * all->room + LB_ELBOW_ARCS_MAX;
    elbow_row *rows = allocate_or_exit((size_t)all->room, sizeof *rows);
    double *q = allocate_or_exit((size_t)all->room * nq, sizeof *q);
    if (count > 0) {
        memcpy(rows, all->rows, count * sizeof *rows);
        memcpy(q, all->q, count * nq * sizeof *q);
    }
    free(all->rows);
    free(all->q);
    all->rows = rows;
    all->q = q;
}

static double *row_values(const elbows *all, int r)
{
    return all->q + (size_t)r * (size_t)lb_model_nq(all->model);
}

/* the arcs of a target, each with the configuration in its middle; arcs whose middle is not
   confirmed are left out, and then the outcome is that of such a middle */
static lb_outcome find_arcs(elbows *all, const lb_transform *target, const double *start)
{
    lb_elbow_arc arcs[LB_ELBOW_ARCS_MAX];
    double begun = clock_seconds();
    int count = lb_elbow_arcs(all->elbow, target, start, LB_ELBOW_ARCS_MAX, arcs);
    all->seconds += clock_seconds() - begun;
    lb_outcome outcome = LB_REACHED;
    for (int i = 0; i < count; i++) {
        const lb_elbow_arc *arc = &arcs[i];
        lb_outcome middle =
            lb_elbow_at(all->elbow, target, arc->branch, 0.5 * (arc->begin + arc->end), start,
                        row_values(all, all->count));
        if (middle == LB_REACHED)
            all->rows[all->count++] = (elbow_row){arc->branch, arc->begin, arc->end, {0}};
        else
            outcome = middle;
    }
    if (count != 0)
        return count > 0 ? outcome : LB_INVALID;
    // single configurations are no arcs
    lb_elbow_choice near;
    lb_outcome best = lb_elbow_best(all->elbow, target, LB_ELBOW_NEAREST, start,
                                    row_values(all, all->count), &near);
    return best == LB_REACHED ? LB_STALLED : best;
}

/* the best elbow of a target */
static lb_outcome find_best(elbows *all, const lb_transform *target, const double *start)
{
    elbow_row *one = &all->rows[all->count];
    double begun = clock_seconds();
    lb_elbow_best(all->elbow, target, all->goal, start, row_values(all, all->count), &one->choice);
    all->seconds += clock_seconds() - begun;
    all->count++;
    one->branch = one->choice.branch;
    // the start is no elbow of this target: it has no angle and no errors
    if (one->choice.outcome != LB_REACHED)
        one->choice.angle = one->choice.value = one->choice.position_error =
            one->choice.rotation_error = NAN;
    return one->choice.outcome;
}

static void find(void *results)
{
    elbows *all = results;
    size_t nq = (size_t)lb_model_nq(all->model);
    all->count = 0;
    all->before = all->target_count;
    for (int i = 0; i < all->targets->count; i++) {
        const lb_transform *target = &all->targets->targets[i];
        const double *start = all->starts->q + (all->starts->count == 1 ? 0 : (size_t)i * nq);
        make_room(all);
        all->outcomes[i] =
            all->best ? find_best(all, target, start) : find_arcs(all, target, start);
        all->first[i + 1] = all->count;
        all->target_count++;
        if (all->outcomes[i] == LB_REACHED)
            all->reached++;
        else
            missing_add(&all->missing, all->before + i + 1, lb_outcome_text(all->outcomes[i]));
    }
    all->total += (size_t)all->count;
}

static void release(elbows *all)
{
    lb_elbow_release(all->elbow);
    free(all->rows);
    free(all->q);
    free(all->first);
    free(all->outcomes);
    *all = (elbows){.model = NULL};
}

/* ---- for programs ----------------------------------------------------------- */

static void remark_missing(const void *results)
{
    const elbows *all = results;
    missing_remark(&all->missing, all->best ? "no elbow is inside the limits"
                                            : "no arc, or not every one, is listed");
}

static void name_row(const void *results, int r, row *to)
{
    const elbows *all = results;
    const elbow_row *one = &all->rows[r];
    const lb_elbow_choice *choice = &one->choice;
    double unit = angle_unit();
    int target = row_group(all->first, all->targets->count, r);
    column_whole(to, "target", all->before + target + 1);
    if (all->best)
        column_choice(to, "status", lb_outcome_text(choice->outcome), (int)choice->outcome);
    column_whole(to, "branch", one->branch);
    if (all->best) {
        column_number(to, "elbow_angle", choice->angle / unit);
        column_number(to, value_names[all->goal], choice->value);
        column_number(to, "position_error", choice->position_error);
        column_number(to, "rotation_error", choice->rotation_error);
    } else {
        column_number(to, "begin", one->begin / unit);
        column_number(to, "end", one->end / unit);
    }
    column_joints(to, all->model, row_values(all, r));
}

static const result_table elbows_rows = ROWS_OF(elbows, count, name_row);

/* for each target its best elbow, or what came of it and its arcs */
static void write_elements(void *results, row *to, json_list *list)
{
    const elbows *all = results;
    for (int i = 0; i < all->targets->count; i++) {
        if (all->best) {
            json_list_add(list, table_json(&elbows_rows, all, all->first[i], to));
            continue;
        }
        json_t *arcs = json_array();
        for (int r = all->first[i]; r < all->first[i + 1]; r++)
            append_json(arcs, table_json(&elbows_rows, all, r, to));
        json_list_add(list, json_pack("{s:s, s:o}", "status", lb_outcome_text(all->outcomes[i]),
                                      "arcs", arcs));
    }
}

static json_t *json_members(void *results)
{
    const elbows *all = results;
    int targets = all->target_count;
    json_t *object =
        json_pack("{s:i, s:i, s:f, s:f}", "targets", targets, "reached", all->reached, "seconds",
                  all->seconds, "mean_us", targets > 0 ? 1e6 * all->seconds / targets : 0);
    if (!all->best)
        set_json(object, "arcs", json_integer((json_int_t)all->total));
    return object;
}

/* ---- for people -------------------------------------------------------------- */

/* the columns behind the first: a joint's name over each, cut where it is longer */
static void print_names(const elbows *all, const value_slot *slots, FILE *stream)
{
    char name[VALUE_NAME_SIZE];
    for (int k = 0; k < lb_model_nq(all->model); k++)
        fprintf(stream, " %9.9s", value_name(&slots[k], name));
    fprintf(stream, "   (%s, metres)\n", angle_unit_name());
}

static void print_values(const elbows *all, const value_slot *slots, int r, FILE *stream)
{
    for (int k = 0; k < lb_model_nq(all->model); k++)
        fprintf(stream, " %9.4f", row_values(all, r)[k] / value_unit(&slots[k]));
    fputc('\n', stream);
}

static void print_arcs(const elbows *all, const value_slot *slots, FILE *stream)
{
    fprintf(stream, "%s: %d arc%s of the elbow inside the limits, each with its middle\n",
            lb_outcome_text(all->outcomes[0]), all->count, all->count == 1 ? "" : "s");
    if (all->count > 0) {
        fprintf(stream, "  branch     begin       end");
        print_names(all, slots, stream);
    }
    for (int r = 0; r < all->count; r++) {
        const elbow_row *one = &all->rows[r];
        fprintf(stream, "  %6d %9.4f %9.4f", one->branch, one->begin / angle_unit(),
                one->end / angle_unit());
        print_values(all, slots, r, stream);
    }
}

static void print_best(const elbows *all, const value_slot *slots, FILE *stream)
{
    const lb_elbow_choice *choice = &all->rows[0].choice;
    if (choice->outcome != LB_REACHED) {
        fprintf(stream, "%s: no elbow angle keeps the limits\n", lb_outcome_text(choice->outcome));
        return;
    }
    fprintf(stream, "reached on branch %d at elbow angle %.4f %s; ", choice->branch,
            choice->angle / angle_unit(), angle_unit_name());
    if (all->goal == LB_ELBOW_NEAREST)
        fprintf(stream, "%.4g rad from the start, the nearest\n", choice->value);
    else if (all->goal == LB_ELBOW_MARGIN)
        fprintf(stream, "every joint at least %.3g %% of half its range from a limit\n",
                100 * choice->value);
    else
        fprintf(stream, "manipulability %.4g, the greatest\n", choice->value);
    print_names(all, slots, stream);
    print_values(all, slots, 0, stream);
}

static void write_words(void *results, FILE *stream)
{
    const elbows *all = results;
    char text[MISSING_TEXT_SIZE];
    describe_task(all->model, &all->task, stream);
    fputc('\n', stream);
    if (all->target_count > 1) {
        fprintf(stream, "%d of %d targets reached, %.3g us a target\n", all->reached,
                all->target_count, 1e6 * all->seconds / all->target_count);
        if (all->missing.count > 0) {
            missing_describe(&all->missing, "no elbow inside the limits", text);
            fprintf(stream, "%s\n", text);
        }
        return;
    }
    value_slot *slots = values_slots(all->model);
    if (all->best)
        print_best(all, slots, stream);
    else
        print_arcs(all, slots, stream);
    free(slots);
}

static void write_label(const void *user, int i, char label[FIGURE_LABEL_SIZE])
{
    text_format(label, FIGURE_LABEL_SIZE, "branch %d", ((const elbows *)user)->rows[i].branch);
}

static bool draw(void *results)
{
    const elbows *all = results;
    lb_drawing drawing;
    const char *path = blocks_figure(&drawing);
    return path == NULL || figure_draw_ghosts(all->model, &drawing, path, all->q, all->count,
                                              all->targets->count == 1 ? write_label : NULL, all);
}

/* ---- all targets ------------------------------------------------------------ */

static const destination_forms forms = {.rows = &elbows_rows,
                                        .list = "results",
                                        .elements = write_elements,
                                        .members = json_members,
                                        .words = write_words,
                                        .figure = draw,
                                        .words_aside = true};

/* block by block: reads, finds and writes */
static bool find_blocks(elbows *all, const lb_model *model, int goal, problem_source *problems)
{
    const block_work work = {&forms, find, remark_missing};
    lb_task task;
    if (!tool_task(model, problems->targets.kind, &task) || !blocks_check_figure() ||
        !blocks_read_starts(model, problems))
        return false;
    int most = blocks_size_of_many(), count = problems_next(problems, most);
    return count > 0 &&
           create(all, model, &task, goal, &problems->block, &problems->block_starts) &&
           blocks_write(&work, all, problems, count, most);
}

int elbows_solve(const lb_model *model, problem_source *problems, int goal)
{
    elbows all = {0};
    int status = EXIT_BAD_INPUT;
    if (find_blocks(&all, model, goal, problems)) {
        select_remark();
        status = all.reached == all.target_count ? EXIT_DONE : EXIT_UNREACHED;
    }
    release(&all);
    return status;
}
