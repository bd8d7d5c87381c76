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
    int *links;
    const char **names; /* of the links */
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

/* the one row in full, of a file how many were reached */
static json_t *json_members(void *results)
{
    const tips_result *t = results;
    json_t *all = json_pack("{s:i, s:i}", "targets", t->before + t->rows, "reached", t->reached);
    if (t->before + t->rows == 1) {
        json_t *tips = json_array();
        for (int i = 0; i < t->tips; i++)
            append_json(tips, json_outcome(t->body, i, "tip", t->names[i]));
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

static void make_body(tips_result *t, const target_columns *targets)
{
    static const lb_body_kind body_kinds[] = {[LB_TASK_POSITION] = LB_BODY_POSITION,
                                              [LB_TASK_ROTATION] = LB_BODY_ORIENTATION,
                                              [LB_TASK_POSE] = LB_BODY_POSE};
    lb_body_options options = lb_body_options_default();
    lb_body_task *tasks = allocate_or_exit((size_t)t->tips, sizeof *tasks);
    for (int i = 0; i < t->tips; i++) {
        tasks[i] = lb_body_task_make(body_kinds[targets[i].kind], t->links[i]);
        tasks[i].base = t->base;
    }
    require(lb_body_create(t->model, tasks, t->tips, &options, &program_memory, &t->body, why()));
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

/* block by block: reads, solves and writes */
static void solve_blocks(tips_result *t, target_source *source, bool single)
{
    destination to;
    target_list block = {0};
    destination_open(&to, &forms, single);
    for (int count; (count = targets_next(source, BLOCK, &block)) > 0;) {
        t->before += t->rows;
        t->rows = 0;
        for (int k = 0; k < count; k++)
            solve_row(t, block.targets + (size_t)k * (size_t)t->tips);
        destination_add(&to, t);
    }
    destination_close(&to, t);
}

/* ---- what is given ---------------------------------------------------------- */

int tips_count(void)
{
    int tips[LB_DEFAULT_TIPS], count = option_count(select_tips_given()),
                               of_group = joints_tips(tips);
    return count > 0 ? count : targets_are_several() && of_group > 1 ? of_group : 1;
}

/* the links of the tips, which differ, and their names */
static void read_tips(tips_result *t)
{
    text_option given = select_tips_given();
    int group[LB_DEFAULT_TIPS];
    joints_tips(group);
    for (int i = 0; i < t->tips; i++) {
        t->links[i] = given != NULL ? select_tip(t->model, "--tip", given[i]) : group[i];
        t->names[i] = lb_model_link(t->model, t->links[i])->name;
        for (int k = 0; k < i; k++)
            if (t->links[k] == t->links[i])
                refuse("--tip: '%s' is given twice", t->names[i]);
    }
}

int solve_tips(const lb_model *model, int count)
{
    target_source source;
    tips_result *t = allocate_or_exit(1, sizeof *t);
    *t = (tips_result){.model = model,
                       .tips = count,
                       .links = allocate_or_exit((size_t)count, sizeof *t->links),
                       .names = allocate_or_exit((size_t)count, sizeof *t->names)};
    t->q = allocate_or_exit((size_t)lb_model_nq(model) * BLOCK + 1, sizeof *t->q);
    read_tips(t);
    t->base = select_base(model);
    t->start = start_from_text(model, blocks_start()).q;
    targets_open_tips(&source, t->names, count);
    make_body(t, source.tips);
    solve_blocks(t, &source, !source.in_file);
    return t->reached == t->before + t->rows ? EXIT_DONE : EXIT_UNREACHED;
}
