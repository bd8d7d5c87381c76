/*
 * blocks.c - commands that solve targets block by block.
 */
#include "cli/work/solve.h"

#include "base/text.h"
#include "cli/options/models.h"
#include "cli/report/report.h"

#include <limits.h>
#include <string.h>

static text_option start_given, starts_file, figure_path;

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
    OPTION_TEXT("figure", figure_path, "FILE",
                "draw start, solutions and targets into one figure: .svg, .png or .pdf"),
    OPTION_TABLE(figure_options),
    OPTION_END,
};

/* ---- what is given -------------------------------------------------------- */

const char *blocks_start(void)
{
    return option_text(start_given);
}

bool blocks_read_starts(const lb_model *model, problem_source *problems)
{
    return problems_open(problems, model, option_text(start_given), option_text(starts_file));
}

/* what --figure and its options are */
static lb_drawing figure;

const char *blocks_figure(lb_drawing *drawing)
{
    *drawing = figure;
    return option_text(figure_path);
}

bool blocks_check_figure(void)
{
    if (option_text(figure_path) == NULL)
        return option_none_given(figure_options, "without --figure");
    return figure_given(option_text(figure_path), &figure);
}

/* ---- blocks --------------------------------------------------------------- */

int blocks_size(int usual)
{
    return option_text(figure_path) != NULL ? INT_MAX : usual;
}

int blocks_size_of_many(void)
{
    return blocks_size(CSV_BLOCK / 16);
}

bool blocks_write(const block_work *work, void *results, problem_source *problems, int count,
                  int most)
{
    destination to = {.rows = false};
    bool fine = destination_open(&to, work->form, count == 1);
    while (fine && count > 0) {
        work->find(results);
        fine = destination_add(&to, results) && (count = problems_next(problems, most)) >= 0;
    }
    if (fine && to.rows && work->remark != NULL)
        work->remark(results);
    fine = fine && destination_close(&to, results);
    destination_discard(&to);
    return fine;
}

int blocks_run(const char *name, blocks_command *run)
{
    problem_source problems = {.shared = false};
    int status = EXIT_BAD_INPUT;
    bool fine = destination_check(option_text(figure_path));
    lb_model *model = fine ? select_model(name) : NULL;
    if (model != NULL && targets_open(&problems.targets))
        status = run(name, model, &problems);
    problems_close(&problems);
    lb_model_release(model);
    return status;
}

/* ---- targets that nothing was found for ---------------------------------- */

enum { TARGETS_NAMED = 8 };

void missing_add(missing_targets *missing, int number, const char *why)
{
    size_t used = strlen(missing->names);
    if (missing->count++ < TARGETS_NAMED)
        text_format(missing->names + used, sizeof missing->names - used, "%s %d (%s)",
                    used == 0 ? "" : ",", number, why);
}

void missing_describe(const missing_targets *missing, const char *what,
                      char text[MISSING_TEXT_SIZE])
{
    size_t used = text_format(text, MISSING_TEXT_SIZE, "%s for target%s", what, missing->names);
    if (missing->count > TARGETS_NAMED)
        text_format(text + used, MISSING_TEXT_SIZE - used, " and %d more",
                    missing->count - TARGETS_NAMED);
}

void missing_remark(const missing_targets *missing, const char *what)
{
    char text[MISSING_TEXT_SIZE];
    if (missing->count == 0)
        return;
    missing_describe(missing, what, text);
    remark("%s", text);
}

/* ---- solutions that collide ------------------------------------------- */

bool avoidance_filter(void *user, const double *q)
{
    avoidance *avoid = user;
    if (lb_collision_free(avoid->collision, q))
        return true;
    if (avoid->refused.count++ == 0)
        lb_collision_distance(avoid->collision, q, &avoid->refused.nearest);
    return false;
}

void avoidance_describe(const avoidance *avoid, const refusal *refused, char *text, size_t size)
{
    const lb_proximity *p = &refused->nearest;
    const char *a = lb_collision_body_name(avoid->collision, p->body_a);
    const char *b = lb_collision_body_name(avoid->collision, p->body_b);
    if (p->distance <= 0)
        text_format(text, size, "%.60s and %.60s overlap by %.2g m", a, b, -p->distance);
    else
        text_format(text, size, "%.60s and %.60s are %.2g m apart", a, b, p->distance);
}
