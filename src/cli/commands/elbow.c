/*
 * elbow.c - limber elbow: where the elbow of an arm of seven joints can be, or is best.
 */
#include "cli/command.h"
#include "cli/options/models.h"
#include "cli/work/solve.h"

static name_option best_given = {.names = elbow_goals};

static int find(const char *name, const lb_model *model, problem_source *problems)
{
    int goal = -1;
    (void)name;
    return argument_name("--best", &best_given, &goal) ? elbows_solve(model, problems, goal)
                                                       : EXIT_BAD_INPUT;
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
    COMMAND(elbow),
    .synopsis = "MODEL (--position \"X Y Z\" [--rpy \"R P Y\"]\n"
                " | --targets T.csv)\n"
                "[--best GOAL] [--output OUT.csv] [OPTION ...]",
    .summary = "find where the elbow of an arm of seven joints can be, or is best",
    .details = "Arms of seven joints whose first three axes meet in a point, and whose last\n"
               "three do, can turn their elbow about the line from shoulder to wrist while the\n"
               "tool stays. Prints the ranges of the elbow angle that keep the limits, whose\n"
               "ends are exact, under the header target,branch,begin,end, and then the joints in\n"
               "the middle of the range; an end beyond pi goes on past the half turn. For other\n"
               "arms that have a closed form when the last or the first joint is held, as the\n"
               "Panda's, the angle is the value of that joint.\n\n"
               "--best nearest, margin or manipulability finds the best elbow of all branches: a\n"
               "row for each target under target,status,branch,elbow_angle, the best value\n"
               "(distance from the start in radians; margin: the least share of half a joint's\n"
               "range that is left to a limit; manipulability: sqrt(det J J^T)),\n"
               "position_error,rotation_error, and then the joints. A target out of reach has\n"
               "the start.\n\n"
               "The exit status is 0 if every target has an elbow inside the limits, 1 if some\n"
               "have none, 2 for bad input.",
    .operands = 1,
};
