/*
 * solutions.c - limber solutions: every configuration that brings the tip to its target.
 */
#include "cli/command.h"
#include "cli/options/models.h"
#include "cli/work/solve.h"

static int avoid_wanted;

static const struct poptOption list_options[] = {
    OPTION_SET("copies", lb_solutions_options, copies,
               "list each solution with all the whole turns that limits leave room for"),
    OPTION_SET("out-of-limits", lb_solutions_options, out_of_limits,
               "list solutions that break limits, too"),
    OPTION_COUNT("redundancy", lb_solutions_options, redundancy, 1, LB_SOLUTIONS_REDUNDANCY_MAX,
                 "N", "of arms with a joint more than the target needs, values of it to list; 16"),
    OPTION_END,
};

static int list_solutions(const char *name, const lb_model *model, problem_source *problems)
{
    lb_solutions_options options = lb_solutions_options_default();
    bool fine = options_read(list_options, &options);
    return fine ? solutions_solve(name, model, problems, &options, avoid_wanted, true)
                : EXIT_BAD_INPUT;
}

static int run(const char *const *operands)
{
    if (!avoid_wanted && !option_none_given(collision_options, "without --avoid-collision"))
        return EXIT_BAD_INPUT;
    if (avoid_wanted)
        joints_use_srdf();
    return blocks_run(operands[0], list_solutions);
}

static const struct poptOption options[] = {
    OPTION_TABLE(link_options),
    OPTION_TABLE(target_options),
    OPTION_TABLE(tool_options),
    OPTION_TABLE(start_options),
    OPTION_TABLE(starts_options),
    OPTION_TABLE(list_options),
    OPTION_FLAG("avoid-collision", avoid_wanted,
                "list those in which no link touches another or the scene"),
    OPTION_TABLE(collision_options),
    OPTION_TABLE(drawing_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
    OPTION_END,
};

static const example examples[] = {
    {"every configuration that reaches a pose, and which limits exclude it",
     "limber solutions ur5 --position \"0.4 0.2 0.3\" --rpy \"180 0 0\" --degrees \\\n"
     "        --out-of-limits"},
    {"in one figure, the nearest in full",
     "limber solutions kr6 --position \"0.5 0.1 0.4\" --rpy \"0 90 0\" --degrees \\\n"
     "        --figure all.svg"},
    {NULL, NULL},
};

const command command_solutions = {
    COMMAND(solutions),
    .synopsis = "MODEL (--position \"X Y Z\" [--rpy \"R P Y\"]\n"
                " | --targets T.csv)\n"
                "[--avoid-collision] [--output OUT.csv] [OPTION ...]",
    .summary = "list every solution of a target, nearest to the start first",
    .details =
        "Prints a row for each solution under the header\n"
        "target,solution,branch,in_limits,distance,\n"
        "position_error,rotation_error,condition,multiplicity, and then the joints. The\n"
        "distance is that from the start, the root of the sum of squares of radians and\n"
        "lengths. Targets without a solution have no row and are named on standard error.\n"
        "--json adds \"class\", \"complete\" and \"certified\" and, unless --output has the\n"
        "rows, \"results\" by target. limber ik --all is a short spelling.\n\n"
        "It is for arms of six joints: up to 16 solutions if all turn, 8 in closed form\n"
        "if axes meet or are parallel; for arms of fewer joints that are such arms with\n"
        "joints left out; and for arms of seven joints, one held at each of --redundancy\n"
        "values. The number of a branch stays along a path up to a singularity; of arms\n"
        "whose class is general it only distinguishes the solutions of one target.\n\n"
        "With --avoid-collision solutions in which a link comes within --margin of\n"
        "another or of --scene are left out, as limber collide measures it. If all\n"
        "collide, the pair of links by which the nearest of them fails is named.\n\n"
        "The exit status is 0 if every target has a solution inside the limits, 1 if some\n"
        "have none, 2 for bad input.",
    .operands = 1,
};
