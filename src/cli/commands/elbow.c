/*
 * elbow.c - limber elbow: where the elbow of an arm of seven joints can be, or is best.
 */
#include "cli/command.h"
#include "cli/options/models.h"
#include "cli/work/solve.h"

static name_option best_given = {.names = elbow_goals};

static bool draw(void *results)
{
    lb_drawing drawing;
    const char *path = blocks_figure(&drawing);
    return path == NULL || elbows_draw(results, &drawing, path);
}

static const destination_forms forms = {.rows = &elbows_rows,
                                        .list = "results",
                                        .elements = elbows_elements,
                                        .members = elbows_members,
                                        .words = elbows_write_words,
                                        .figure = draw,
                                        .words_aside = true};

/* block by block: reads, finds and writes; `goal` -1: arcs */
static bool find_elbows(elbows *all, const lb_model *model, const lb_task *task, int goal,
                        problem_source *problems)
{
    const block_work work = {&forms, elbows_find, elbows_remark};
    int most = blocks_size_of_many(), count = problems_next(problems, most);
    return count > 0 &&
           elbows_create(all, model, task, goal, &problems->block, &problems->block_starts) &&
           blocks_write(&work, all, problems, count, most);
}

static int find(const char *name, const lb_model *model, problem_source *problems)
{
    elbows all = {0};
    lb_task task;
    int status = EXIT_BAD_INPUT, goal = -1;
    (void)name;
    if (argument_name("--best", &best_given, &goal) &&
        tool_task(model, problems->targets.kind, &task) && blocks_check_figure() &&
        blocks_read_starts(model, problems) && find_elbows(&all, model, &task, goal, problems)) {
        select_remark();
        status = all.reached == all.target_count ? EXIT_DONE : EXIT_UNREACHED;
    }
    elbows_release(&all);
    return status;
}

static int run(const char *const *operands)
{
    return blocks_run(operands[0], find);
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(target_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(start_options),
    OPTION_TABLE(starts_options),
    OPTION_NAME("best", best_given, "GOAL",
                "find the best elbow instead: nearest to the start, margin (farthest from the "
                "limits) or manipulability"),
    OPTION_TABLE(drawing_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"where the elbow of seven joints can be, and where it is farthest from limits",
     "limber elbow iiwa14 --position \"0.4 0.2 0.6\" --rpy \"180 0 0\" --degrees &&\n"
     "        limber elbow iiwa14 --position \"0.4 0.2 0.6\" --rpy \"180 0 0\" --degrees \\\n"
     "        --best margin"},
    {NULL, NULL},
};

const command command_elbow = {
    .name = "elbow",
    .synopsis = "MODEL (--position \"X Y Z\" [--rpy \"R P Y\"]\n"
                " | --targets T.csv)\n"
                "[--best GOAL] [--output OUT.csv] [OPTION ...]",
    .summary = "find where the elbow of an arm of seven joints can be, or is best",
    .details = "Arms of seven joints whose first three axes meet in a point, and whose last\n"
               "three do, can turn their elbow about the line from shoulder to wrist while the\n"
               "tool stays. Prints the ranges of the elbow angle that keep the limits, whose\n"
               "ends are exact, under the header target,branch,begin,end, and then the joints in\n"
               "the middle of the range; an end beyond pi goes on past the half turn.\n\n"
               "--best nearest, margin or manipulability finds the best elbow of all branches: a\n"
               "row for each target under target,status,branch,elbow_angle, the best value\n"
               "(distance from the start in radians; margin: the least share of half a joint's\n"
               "range that is left to a limit; manipulability: sqrt(det J J^T)),\n"
               "position_error,rotation_error, and then the joints. A target out of reach has\n"
               "the start.\n\n"
               "The exit status is 0 if every target has an elbow inside the limits, 1 if some\n"
               "have none, 2 for bad input.",
    .examples = examples,
    .options = options,
    .operands = 1,
    .run = run,
};
