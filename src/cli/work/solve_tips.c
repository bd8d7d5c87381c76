/*
 * solve_tips.c - configurations that bring several tips to their targets, by whole bodies.
 */
#include "cli/work/solve.h"

#include "cli/options/models.h"
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

/* room for a sentence, and rows of a file that are solved at once */
enum { SENTENCE = 512, BLOCK = 256 };

/* What became of one row. */
typedef struct tips_row {
    lb_body_result result;
    double position_error, rotation_error; /* the largest of its tips */
} tips_row;

/* What is printed: a block of rows, and sums of all. */
typedef struct tips_result {
    const lb_model *model;
    lb_body *body;
    const int *links;
    int tips, base;
    const double *start;
    int rows, before; /* in the block, before it */
    double *q;        /* BLOCK x nq */
    tips_row row[BLOCK];
    int reached;
} tips_result;

/* ---- writing ---------------------------------------------------------------- */

static void name_row(const void *results, int i, row *to)
{
    const tips_result *t = results;
    const lb_body_result *result = &t->row[i].result;
    column_choice(to, "status", lb_outcome_text(result->outcome), (int)result->outcome);
    column_whole(to, "iterations", result->iterations);
    column_number(to, "position_error", t->row[i].position_error);
    column_number(to, "rotation_error", t->row[i].rotation_error);
    column_joints(to, t->model, t->q + (size_t)i * (size_t)lb_model_nq(t->model));
}

static json_t *tip_json(const tips_result *t, int i)
{
    char text[SENTENCE];
    // the explanation tries things out, and leaves what was found as it is
    lb_body_outcome found = lb_body_outcomes(t->body)[i];
    lb_body_reason reason = lb_body_explain(t->body, i, text, sizeof text);
    return json_pack("{s:s, s:b, s:f, s:f, s:s, s:s}", "tip",
                     lb_model_link(t->model, t->links[i])->name, "reached", found.reached,
                     "position_error", found.position_error, "rotation_error", found.rotation_error,
                     "reason", lb_body_reason_text(reason), "explanation", text);
}

/* the one row in full, of a file how many were reached */
static json_t *json_members(void *results)
{
    const tips_result *t = results;
    json_t *all = json_pack("{s:i, s:i}", "targets", t->before + t->rows, "reached", t->reached);
    if (t->before + t->rows == 1) {
        json_t *tips = json_array();
        for (int i = 0; i < t->tips; i++)
            append_json(tips, tip_json(t, i));
        set_json(all, "status", json_string(lb_outcome_text(t->row[0].result.outcome)));
        set_json(all, "iterations", json_integer(t->row[0].result.iterations));
        set_json(all, "tips", tips);
        set_json(all, "joints", joints_json(t->model, t->q));
    }
    return all;
}

static void write_words(void *results, FILE *stream)
{
    const tips_result *t = results;
    int count = t->before + t->rows;
    fprintf(stream, "%s: %d of %d reached with %d tips\n", lb_model_name(t->model), t->reached,
            count, t->tips);
    for (int i = 0; count == 1 && i < t->tips; i++) {
        char text[SENTENCE];
        lb_body_explain(t->body, i, text, sizeof text);
        fprintf(stream, "  %s\n", text);
    }
}

static const destination_forms forms = {.rows = &(result_table)ROWS_OF(tips_result, rows, name_row),
                                        .members = json_members,
                                        .words = write_words};

/* ---- solving ---------------------------------------------------------------- */

static bool make_body(tips_result *t, const lb_task_kind *kinds)
{
    static const lb_body_kind body_kinds[] = {[LB_TASK_POSITION] = LB_BODY_POSITION,
                                              [LB_TASK_ROTATION] = LB_BODY_ORIENTATION,
                                              [LB_TASK_POSE] = LB_BODY_POSE};
    lb_error error = {0};
    lb_body_options options = lb_body_options_default();
    lb_body_task *tasks = allocate_or_exit((size_t)t->tips, sizeof *tasks);
    for (int i = 0; i < t->tips; i++) {
        tasks[i] = lb_body_task_make(body_kinds[kinds[i]], t->links[i]);
        tasks[i].base = t->base;
    }
    lb_status status = lb_body_create(t->model, tasks, t->tips, &options, NULL, &t->body, &error);
    if (status != LB_OK)
        complain_error(&error);
    free(tasks);
    return status == LB_OK;
}

/* the next row of the block; `targets` has one for each tip */
static void solve_row(tips_result *t, const lb_transform *targets)
{
    tips_row *r = &t->row[t->rows];
    double *q = t->q + (size_t)t->rows++ * (size_t)lb_model_nq(t->model);
    *r = (tips_row){.position_error = 0};
    for (int i = 0; i < t->tips; i++)
        lb_body_set_target(t->body, i, &targets[i]);
    t->reached += lb_body_solve(t->body, t->start, q, &r->result) == LB_REACHED;
    for (int i = 0; i < t->tips; i++) {
        const lb_body_outcome *found = &lb_body_outcomes(t->body)[i];
        r->position_error = fmax(r->position_error, found->position_error);
        r->rotation_error = fmax(r->rotation_error, found->rotation_error);
    }
}

/* what the options give, as one row */
static bool solve_given(tips_result *t)
{
    target_list targets = {0};
    if (!targets_of_tips(t->tips, &targets))
        return false;
    lb_task_kind *kinds = allocate_or_exit((size_t)t->tips, sizeof *kinds);
    for (int i = 0; i < t->tips; i++)
        kinds[i] = targets.kind;
    bool fine = make_body(t, kinds);
    if (fine) {
        solve_row(t, targets.targets);
        fine = destination_write(&forms, t, 1);
    }
    free(kinds);
    targets_release(&targets);
    return fine;
}

/* each tip has its own reader of the same rows; how many there are, -1 after a complaint */
static int next_block(int tips, target_source *sources, target_list *lists)
{
    int count = targets_next(&sources[0], BLOCK, &lists[0]);
    for (int i = 1; i < tips && count >= 0; i++) {
        int found = targets_next(&sources[i], BLOCK, &lists[i]);
        if (found >= 0 && found != count)
            complain("--targets: the rows differ between tips; give a regular file, not a pipe");
        count = found == count ? count : -1;
    }
    return count;
}

/* block by block of a file: reads, solves and writes */
static bool solve_blocks(tips_result *t, target_source *sources, target_list *lists)
{
    destination to = {.rows = false};
    lb_transform *targets = allocate_or_exit((size_t)t->tips, sizeof *targets);
    bool fine = destination_open(&to, &forms, false);
    for (int count = 1; fine && count > 0;) {
        count = next_block(t->tips, sources, lists);
        fine = count >= 0;
        t->before += t->rows;
        t->rows = 0;
        for (int k = 0; fine && k < count; k++) {
            for (int i = 0; i < t->tips; i++)
                targets[i] = lists[i].targets[k];
            solve_row(t, targets);
        }
        fine = fine && (count == 0 || destination_add(&to, t));
    }
    fine = fine && destination_close(&to, t);
    destination_discard(&to);
    free(targets);
    return fine;
}

static bool solve_file(tips_result *t)
{
    const char **names = allocate_or_exit((size_t)t->tips, sizeof *names);
    target_source *sources = allocate_or_exit((size_t)t->tips, sizeof *sources);
    target_list *lists = allocate_or_exit((size_t)t->tips, sizeof *lists);
    lb_task_kind *kinds = allocate_or_exit((size_t)t->tips, sizeof *kinds);
    bool fine = true;
    for (int i = 0; i < t->tips; i++)
        names[i] = lb_model_link(t->model, t->links[i])->name;
    for (int i = 0; i < t->tips && fine; i++) {
        fine = targets_open_tip(&sources[i], i, names, t->tips);
        kinds[i] = sources[i].kind;
    }
    fine = fine && make_body(t, kinds) && solve_blocks(t, sources, lists);
    for (int i = 0; i < t->tips; i++) {
        targets_close(&sources[i]);
        targets_release(&lists[i]);
    }
    free(kinds);
    free(lists);
    free(sources);
    free(names);
    return fine;
}

/* ---- what is given ---------------------------------------------------------- */

int tips_count(text_option given)
{
    int tips[LB_DEFAULT_TIPS], count = option_count(given), of_group = joints_tips(tips);
    return count > 0 ? count : targets_are_several() && of_group > 1 ? of_group : 1;
}

/* the links of the tips, which differ */
static bool read_tips(const lb_model *model, int count, text_option given, int *links)
{
    int group[LB_DEFAULT_TIPS];
    joints_tips(group);
    for (int i = 0; i < count; i++) {
        links[i] = given != NULL ? select_tip(model, "--tip", given[i]) : group[i];
        for (int k = 0; k < i; k++)
            if (links[k] == links[i] && links[i] >= 0)
                return complain("--tip: '%s' is given twice", lb_model_link(model, links[i])->name);
        if (links[i] < 0)
            return false;
    }
    return true;
}

int solve_tips(const lb_model *model, int count, text_option given, const char *base_name,
               const char *start_text)
{
    pose_list start = {0};
    int status = EXIT_BAD_INPUT, *links = allocate_or_exit((size_t)count, sizeof *links);
    tips_result *t = allocate_or_exit(1, sizeof *t);
    *t = (tips_result){.model = model, .links = links, .tips = count};
    t->q = allocate_or_exit((size_t)lb_model_nq(model) * BLOCK + 1, sizeof *t->q);
    if (read_tips(model, count, given, links) && select_base(model, base_name, &t->base) &&
        poses_from_text(model, "--start", start_text, &start)) {
        t->start = start.q;
        if (targets_are_in_file() ? solve_file(t) : solve_given(t))
            status = t->reached == t->before + t->rows ? EXIT_DONE : EXIT_UNREACHED;
    }
    lb_body_release(t->body);
    poses_release(&start);
    free(t->q);
    free(t);
    free(links);
    return status;
}
