/*
 * blocks.c - commands that solve targets block by block.
 */
#include "cli/work/blocks.h"

#include "cli/options/select.h"

#include <limits.h>

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
