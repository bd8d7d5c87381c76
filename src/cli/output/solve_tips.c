/*
 * solve_tips.c - one configuration that brings several tips to their targets, by whole bodies.
 */
#include "cli/output/solve_tips.h"

#include "cli/options/joints.h"
#include "cli/options/poses.h"
#include "cli/options/select.h"
#include "cli/options/targets.h"
#include "cli/output/destination.h"
#include "cli/output/joint_values.h"
#include "cli/output/print_json.h"
#include "cli/output/report.h"

#include <limber/body.h>

#include <stdlib.h>

/* other starts that are tried, and room for a sentence */
enum { RESTARTS = 32, SENTENCE = 512 };

/* What is printed. */
typedef struct tips_result {
    const lb_model *model;
    lb_body *body;
    lb_body_task *tasks;
    int count;
    double *q;
    lb_body_result result;
} tips_result;

static bool write_rows(void *results, row *fields)
{
    static const char *const first[] = {"status", "iterations", "position_error", "rotation_error"};
    const tips_result *t = results;
    joint_values values = joint_values_of(t->model);
    double position = 0, rotation = 0;
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        row_text(fields, first[k]);
    joint_values_names(&values, fields);
    row_end(fields);
    for (int i = 0; i < t->count; i++) {
        position = fmax(position, lb_body_outcomes(t->body)[i].position_error);
        rotation = fmax(rotation, lb_body_outcomes(t->body)[i].rotation_error);
    }
    row_choice(fields, lb_outcome_text(t->result.outcome), (int)t->result.outcome);
    row_whole(fields, t->result.iterations);
    row_number(fields, position);
    row_number(fields, rotation);
    joint_values_row(&values, t->q, fields);
    row_end(fields);
    joint_values_release(&values);
    return true;
}

static json_t *tip_json(const tips_result *t, int i)
{
    char text[SENTENCE];
    // the explanation tries things out, and leaves what was found as it is
    lb_body_outcome found = lb_body_outcomes(t->body)[i];
    lb_body_reason reason = lb_body_explain(t->body, i, text, sizeof text);
    return json_pack("{s:s, s:b, s:f, s:f, s:s, s:s}", "tip",
                     lb_model_link(t->model, t->tasks[i].link)->name, "reached", found.reached,
                     "position_error", found.position_error, "rotation_error", found.rotation_error,
                     "reason", lb_body_reason_text(reason), "explanation", text);
}

static bool write_json(void *results, FILE *stream)
{
    const tips_result *t = results;
    joint_values values = joint_values_of(t->model);
    json_t *tips = json_array();
    for (int i = 0; i < t->count; i++)
        append_json(tips, tip_json(t, i));
    json_t *all = json_pack("{s:s, s:i, s:o, s:o}", "status", lb_outcome_text(t->result.outcome),
                            "iterations", t->result.iterations, "tips", tips, "joints",
                            joint_values_json(&values, t->q));
    print_json(all, JSON_COMPACT, stream);
    json_decref(all);
    joint_values_release(&values);
    return true;
}

static bool write_words(void *results, FILE *stream)
{
    const tips_result *t = results;
    fprintf(stream, "%s: %s, %d of %d tips after %d iterations\n", lb_model_name(t->model),
            lb_outcome_text(t->result.outcome), t->result.reached, t->count, t->result.iterations);
    for (int i = 0; i < t->count; i++) {
        char text[SENTENCE];
        lb_body_explain(t->body, i, text, sizeof text);
        fprintf(stream, "  %s\n", text);
    }
    return true;
}

static const destination_forms forms = {
    .rows = write_rows, .json = write_json, .words = write_words, .has_words = true};

static lb_body_kind kind_of_task(lb_task_kind kind)
{
    return kind == LB_TASK_POSITION   ? LB_BODY_POSITION
           : kind == LB_TASK_ROTATION ? LB_BODY_ORIENTATION
                                      : LB_BODY_POSE;
}

static int solve(const lb_model *model, const int *tips, int base, const target_list *targets,
                 const double *start)
{
    lb_error error = {0};
    lb_body_options options = lb_body_options_default();
    tips_result t = {.model = model, .count = targets->count};
    int status = EXIT_BAD_INPUT;
    options.restarts = RESTARTS;
    t.tasks = allocate_or_exit((size_t)t.count, sizeof *t.tasks);
    t.q = allocate_or_exit((size_t)lb_model_nq(model) + 1, sizeof *t.q);
    for (int i = 0; i < t.count; i++) {
        t.tasks[i] = lb_body_task_make(kind_of_task(targets->kind), tips[i]);
        t.tasks[i].base = base;
    }
    if (lb_body_create(model, t.tasks, t.count, &options, NULL, &t.body, &error) != LB_OK) {
        complain_error(&error);
    } else {
        for (int i = 0; i < t.count; i++)
            lb_body_set_target(t.body, i, &targets->targets[i]);
        lb_outcome outcome = lb_body_solve(t.body, start, t.q, &t.result);
        if (destination_write(&forms, &t, 1))
            status = outcome == LB_REACHED ? EXIT_DONE : EXIT_UNREACHED;
    }
    lb_body_release(t.body);
    free(t.q);
    free(t.tasks);
    return status;
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
            if (links[k] == links[i] && links[i] >= 0) {
                complain("--tip: '%s' is given twice", lb_model_link(model, links[i])->name);
                return false;
            }
        if (links[i] < 0)
            return false;
    }
    return true;
}

int solve_tips(const lb_model *model, int count, text_option given, const char *base_name,
               const char *start_text)
{
    target_list targets = {0};
    pose_list start = {0};
    int base, status = EXIT_BAD_INPUT, *links = allocate_or_exit((size_t)count, sizeof *links);
    if (read_tips(model, count, given, links) && select_base(model, base_name, &base) &&
        targets_of_tips(count, &targets) && poses_from_text(model, "--start", start_text, &start))
        status = solve(model, links, base, &targets, start.q);
    targets_release(&targets);
    poses_release(&start);
    free(links);
    return status;
}
