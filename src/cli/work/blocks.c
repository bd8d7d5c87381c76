/*
 * blocks.c - commands that solve targets block by block.
 */
#include "cli/work/solve.h"

#include "base/text.h"
#include "cli/options/models.h"
#include "cli/report/report.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static text_option start_given, starts_file;

const struct poptOption start_options[] = {
    OPTION_TEXT("start", start_given, "\"JOINT=VALUE ...\"",
                "where the search begins, as --at of limber fk; joints that are not named are at "
                "their default"),
    OPTION_END,
};

const struct poptOption starts_options[] = {
    OPTION_TEXT("starts", starts_file, "S.csv",
                "starts, a row for each target or one for all, as the poses of limber fk"),
    OPTION_END,
};

const struct poptOption drawing_options[] = {
    OPTION_TEXT("figure", figure_file, "FILE",
                "draw start, solutions and targets into one figure: .svg, .png or .pdf"),
    OPTION_TABLE(figure_options),
    OPTION_END,
};

/* ---- what is given -------------------------------------------------------- */

const char *blocks_start(void)
{
    return option_text(start_given);
}

void blocks_read_starts(const lb_model *model, problem_source *problems)
{
    problems_open(problems, model, option_text(start_given), option_text(starts_file));
}

/* ---- blocks --------------------------------------------------------------- */

int blocks_size(int usual)
{
    return figure_file != NULL ? INT_MAX : usual;
}

void blocks_write(const block_work *work, void *results, problem_source *problems)
{
    destination to;
    destination_open(&to, work->form, problems->block.count == 1);
    do {
        work->find(results);
        destination_add(&to, results);
    } while (problems_next(problems) > 0);
    if (to.rows && work->remark != NULL)
        work->remark(results);
    destination_close(&to, results);
}

bool blocks_write_poses(const pose_work *work, void *results, pose_source *source)
{
    pose_list poses = {0};
    destination to;
    int most = destination_has_words() && work->form->block_words == NULL ? INT_MAX : CSV_BLOCK;
    int count = poses_next(source, most, &poses);
    destination_open(&to, work->form, count == 1);
    do {
        if (!work->measure(results, &poses)) {
            destination_discard(&to);
            return false;
        }
        destination_add(&to, results);
    } while (poses_next(source, most, &poses) > 0);
    destination_close(&to, results);
    return true;
}

const lb_model *blocks_start_command(const char *name, problem_source *problems)
{
    destination_check();
    const lb_model *model = select_model(name);
    targets_open(&problems->targets);
    return model;
}

/* ---- rows of targets ------------------------------------------------------ */

/* targets of a block, each of which may have a thousand solutions, or two hundred arcs */
enum { TARGETS_OF_MANY = CSV_BLOCK / 16, TARGETS_NAMED = 8, MISSING_TEXT_SIZE = MISSING_SIZE + 64 };

void rows_start(target_rows *rows, const lb_model *model, const lb_task *task,
                const target_list *targets, const pose_list *starts)
{
    *rows = (target_rows){.model = model, .task = *task, .targets = targets, .starts = starts};
    rows->first = allocate_or_exit((size_t)targets->count + 1, sizeof *rows->first);
}

void rows_open(target_rows *rows, const lb_model *model, problem_source *problems)
{
    problems->most = blocks_size(TARGETS_OF_MANY);
    lb_task task = tool_task(model, problems->targets.kind);
    figure_prepare(figure_options);
    blocks_read_starts(model, problems);
    problems_next(problems);
    rows_start(rows, model, &task, &problems->block, &problems->block_starts);
}

void rows_begin(target_rows *rows)
{
    rows->count = 0;
    rows->before = rows->target_count;
}

void rows_reserve(target_rows *rows, int most, void **infos, size_t size)
{
    if (rows->room - rows->count >= most)
        return;
    rows->room = 2 * rows->room + most;
    size_t room = (size_t)rows->room, nq = (size_t)lb_model_nq(rows->model);
    rows->q = resize_or_exit(rows->q, room, nq * sizeof *rows->q);
    *infos = resize_or_exit(*infos, room, size);
    // a heading is made from a row even if there is none
    const size_t from = (size_t)rows->count;
    memset(rows->q + from * nq, 0, (room - from) * nq * sizeof *rows->q);
    memset((char *)*infos + from * size, 0, (room - from) * size);
}

const double *rows_start_of(const target_rows *rows, int i)
{
    size_t nq = (size_t)lb_model_nq(rows->model);
    return rows->starts->q + (rows->starts->count == 1 ? 0 : (size_t)i * nq);
}

double *rows_values(const target_rows *rows, int r)
{
    return rows->q + (size_t)r * (size_t)lb_model_nq(rows->model);
}

void rows_end(target_rows *rows, int i, bool reached, const char *why)
{
    missing_targets *missing = &rows->missing;
    size_t used = strlen(missing->names);
    rows->first[i + 1] = rows->count;
    rows->total += (size_t)(rows->count - rows->first[i]);
    rows->target_count++;
    rows->reached += reached;
    if (why != NULL && missing->count++ < TARGETS_NAMED)
        text_format(missing->names + used, sizeof missing->names - used, "%s %d (%s)",
                    used == 0 ? "" : ",", rows->target_count, why);
}

/* which of some groups of rows has row r: the first row of each group is in `first` */
static int row_group(const int *first, int groups, int r)
{
    // the last one that begins at r or before: those in front of it that do may be empty
    int low = 0, high = groups;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (first[middle] <= r)
            low = middle;
        else
            high = middle;
    }
    return low;
}

int rows_name_target(const target_rows *rows, int r, row *to)
{
    int target = row_group(rows->first, rows->targets->count, r);
    column_whole(to, "target", rows->before + target + 1);
    return target;
}

/* "no solution for target 2 (unreachable), 4 (stalled) and 5 more"; false: none is missing */
static bool describe_missing(const missing_targets *missing, const char *what,
                             char text[MISSING_TEXT_SIZE])
{
    size_t used = text_format(text, MISSING_TEXT_SIZE, "%s for target%s", what, missing->names);
    if (missing->count > TARGETS_NAMED)
        text_format(text + used, MISSING_TEXT_SIZE - used, " and %d more",
                    missing->count - TARGETS_NAMED);
    return missing->count > 0;
}

void rows_remark(const target_rows *rows, const char *what)
{
    char text[MISSING_TEXT_SIZE];
    if (describe_missing(&rows->missing, what, text))
        remark("%s", text);
}

bool rows_words(const target_rows *rows, const char *of, const char *what, FILE *stream)
{
    char text[MISSING_TEXT_SIZE];
    if (rows->target_count == 1)
        return false;
    fprintf(stream, "%d of %d targets reached%s, %.3g us a target\n", rows->reached,
            rows->target_count, of, 1e6 * rows->seconds / rows->target_count);
    if (describe_missing(&rows->missing, what, text))
        fprintf(stream, "%s\n", text);
    return true;
}

/* whether a link is another one or is carried by it */
static bool is_behind(const lb_model *model, int link, int ancestor)
{
    while (link >= 0 && link != ancestor)
        link = lb_model_parent(model, link);
    return link == ancestor;
}

/* whether a value's joint is between the task's base and its tip: others keep the start's values */
static bool is_solved(const target_rows *rows, const value_slot *slot)
{
    const int child = lb_model_find_link(rows->model, slot->joint->child);
    const bool carries_base =
        rows->task.base >= 0 && is_behind(rows->model, rows->task.base, child);
    return is_behind(rows->model, rows->task.tip, child) != carries_base;
}

/* room for a name and for a number of degrees */
static int column_width(const char *name)
{
    const size_t length = strlen(name);
    return length < 9 ? 9 : length < VALUE_NAME_SIZE ? (int)length : VALUE_NAME_SIZE;
}

void rows_print_head(const target_rows *rows, const value_slot *slots, FILE *stream)
{
    char name[VALUE_NAME_SIZE];
    for (int k = 0; k < lb_model_nq(rows->model); k++)
        if (is_solved(rows, &slots[k])) {
            const char *head = value_name(&slots[k], name);
            fprintf(stream, " %*s", column_width(head), head);
        }
    fprintf(stream, "   (%s, metres)\n", angle_unit_name());
}

void rows_print_values(const target_rows *rows, const value_slot *slots, int r, FILE *stream)
{
    char name[VALUE_NAME_SIZE];
    for (int k = 0; k < lb_model_nq(rows->model); k++)
        if (is_solved(rows, &slots[k]))
            fprintf(stream, " %*.4f", column_width(value_name(&slots[k], name)),
                    tidy(rows_values(rows, r)[k] / value_unit(&slots[k]), 4));
}

/* how strongly starts are drawn, and solutions other than a target's first */
static const double start_ghost = 0.35, ghost = 0.3;

/* the starts of some targets, and where these are in the world; returns how many starts */
static int add_problems(const target_rows *rows, lb_drawing_pose *poses, lb_vec3 *crosses)
{
    const int count = rows->targets->count, shown = figure_shown(count);
    lb_state *state = state_or_exit(rows->model);
    for (int i = 0; i < shown; i++) {
        const int which = figure_pick(count, i);
        const int first = rows->first[which];
        const double *start = rows_start_of(rows, which);
        poses[i] = (lb_drawing_pose){start, "start", start_ghost};
        // a base that the solution moves carries the target
        lb_state_update(state, first < rows->first[which + 1] ? rows_values(rows, first) : start);
        crosses[i] =
            lb_state_point(state, rows->task.base, LB_WORLD, rows->targets->targets[which].p);
    }
    return rows->starts->count == 1 ? 1 : shown;
}

void rows_draw_to(const target_rows *rows, bool problems, lb_drawing *drawing, const char *path,
                  figure_label *label, const void *user)
{
    const int shown = figure_shown(rows->count), targets = figure_shown(rows->targets->count);
    lb_drawing_pose *poses = allocate_or_exit((size_t)(targets + shown), sizeof *poses);
    lb_vec3 *crosses = allocate_or_exit((size_t)targets, sizeof *crosses);
    char(*labels)[FIGURE_LABEL_SIZE] = allocate_or_exit((size_t)shown, sizeof *labels);
    int count = problems ? add_problems(rows, poses, crosses) : 0;
    for (int i = 0; i < shown; i++) {
        const int which = figure_pick(rows->count, i);
        const int target = row_group(rows->first, rows->targets->count, which);
        label(user, which, labels[i]);
        poses[count++] =
            (lb_drawing_pose){rows_values(rows, which), *labels[i] != '\0' ? labels[i] : NULL,
                              which == rows->first[target] ? 1 : ghost};
    }
    if (shown < rows->count)
        remark("%d of %d poses are drawn, evenly spaced", shown, rows->count);
    drawing->poses = poses;
    drawing->pose_count = count;
    drawing->targets = crosses;
    drawing->target_count = problems && rows->task.kind != LB_TASK_ROTATION ? targets : 0;
    figure_draw(rows->model, drawing, path);
}

void rows_draw(const target_rows *rows, figure_label *label, const void *user)
{
    lb_drawing drawing;
    const char *path = figure_wanted(&drawing);
    if (path != NULL)
        rows_draw_to(rows, true, &drawing, path, label, user);
}

int rows_status(const target_rows *rows)
{
    select_remark();
    return rows->reached == rows->target_count ? EXIT_DONE : EXIT_UNREACHED;
}
