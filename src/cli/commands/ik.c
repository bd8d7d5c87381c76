/*
 * ik.c - limber ik: joint values that bring the tip to its target.
 */
#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/collisions.h"
#include "cli/options/figure.h"
#include "cli/options/joints.h"
#include "cli/options/select.h"
#include "cli/options/solver.h"
#include "cli/options/targets.h"
#include "cli/options/values.h"
#include "cli/output/destination.h"
#include "cli/output/elbows.h"
#include "cli/output/report.h"
#include "cli/output/solutions.h"
#include "cli/output/solve.h"
#include "cli/output/threads.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static text_option start_given, starts_file, figure_path;
static name_option elbow_given = {.names = elbow_goals};
static int all_wanted, arcs_wanted, trace_wanted, avoid_wanted;

static const struct poptOption all_options[] = {
    OPTION_SET("copies", lb_solutions_options, copies,
               "list each solution with all the whole turns that limits leave room for"),
    OPTION_SET("out-of-limits", lb_solutions_options, out_of_limits,
               "list solutions that break limits, too"),
    OPTION_COUNT("redundancy", lb_solutions_options, redundancy, 1, LB_SOLUTIONS_REDUNDANCY_MAX,
                 "N", "of arms with a joint more than the target needs, values of it to list; 16"),
    OPTION_END,
};

/* ---- options ------------------------------------------------------ */

static bool read_starts(const lb_model *model, problem_source *problems)
{
    return problems_open(problems, model, option_text(start_given), option_text(starts_file));
}

/* ---- figures ------------------------------------------------------ */

/* what --figure and its options are */
static lb_drawing figure;

/* whether the requested figure, if any, can be drawn */
static bool read_figure(void)
{
    if (option_text(figure_path) == NULL)
        return option_none_given(figure_options, "without --figure");
    return figure_given(option_text(figure_path), &figure);
}

static const char *result_label(const solve *all, int i)
{
    return all->results[i].outcome == LB_REACHED ? "solution" : "closest";
}

/* the starts, the solutions over them, and the targets as crosses */
static bool draw_results(void *results)
{
    const solve *all = results;
    const char *path = option_text(figure_path);
    lb_drawing drawing = figure;
    if (path == NULL)
        return true;
    lb_state *state = state_or_exit(all->model);
    int shown = figure_shown(all->targets->count), starts = all->starts->count == 1 ? 1 : shown;
    lb_drawing_pose *poses = allocate_or_exit((size_t)(starts + shown), sizeof *poses);
    lb_vec3 *crosses = allocate_or_exit((size_t)shown, sizeof *crosses);
    for (int i = 0; i < starts; i++) {
        poses[i].q = solve_start(all, figure_pick(all->targets->count, i));
        poses[i].strength = 0.35;
        poses[i].label = i == 0 ? "start" : NULL;
    }
    for (int i = 0; i < shown; i++) {
        int which = figure_pick(all->targets->count, i);
        poses[starts + i].q = solve_solution(all, which);
        poses[starts + i].strength = 1;
        poses[starts + i].label = i == 0 ? result_label(all, which) : NULL;
        lb_state_update(state, solve_solution(all, which));
        crosses[i] =
            lb_state_point(state, all->task.base, LB_WORLD, all->targets->targets[which].p);
    }
    drawing.poses = poses;
    drawing.pose_count = starts + shown;
    drawing.targets = crosses;
    drawing.target_count = all->task.kind == LB_TASK_ROTATION ? 0 : shown;
    bool fine = figure_draw(all->model, &drawing, path);
    free(crosses);
    free(poses);
    lb_state_release(state);
    return fine;
}

static bool draw_solutions(void *results)
{
    const char *path = option_text(figure_path);
    lb_drawing drawing = figure;
    return path == NULL || solutions_draw(results, &drawing, path);
}

static bool draw_elbows(void *results)
{
    const char *path = option_text(figure_path);
    lb_drawing drawing = figure;
    return path == NULL || elbows_draw(results, &drawing, path);
}

/* ---- forms ---------------------------------------------------------- */

enum { RESULTS, SOLUTIONS, ELBOWS };

static const destination_forms forms[] = {
    [RESULTS] = {.rows = &ik_results,
                 .list = "results",
                 .members = ik_results_members,
                 .words = ik_summary_words,
                 .figure = draw_results,
                 .words_aside = true},
    [SOLUTIONS] = {.rows = &solutions_rows,
                   .list = "results",
                   .elements = solutions_elements,
                   .members = solutions_members,
                   .words = solutions_write_words,
                   .figure = draw_solutions,
                   .words_aside = true},
    [ELBOWS] = {.rows = &elbows_rows,
                .list = "results",
                .elements = elbows_elements,
                .members = elbows_members,
                .words = elbows_write_words,
                .figure = draw_elbows,
                .words_aside = true},
};

/* ---- blocks ------------------------------------------------------------------ */

/* how many targets are worked on at once: all of them when they are drawn as one */
static int block_size(int usual)
{
    return option_text(figure_path) != NULL ? INT_MAX : usual;
}

/* What is computed of a block of targets, and remarked on when rows of all are written. */
typedef struct block_work {
    const destination_forms *form;
    void (*find)(void *results);
    void (*remark)(const void *results); /* NULL: nothing */
} block_work;

/* finds and writes block by block, from the first of `count` targets on */
static bool write_blocks(const block_work *work, void *results, problem_source *problems, int count,
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

/* a target may have a thousand solutions, or two hundred arcs */
static int many_rows_block(void)
{
    return block_size(CSV_BLOCK / 16);
}

/* ---- every solution --------------------------------------------------------- */

/*
 * Values of the held joint of arms with one joint more that are tried for a free configuration,
 * where none are to be listed: every five degrees of a whole turn.
 */
enum { HELD_VALUES = 72 };

/* what --all and --avoid-collision change; prints an error and returns false when an option has no
   effect */
static bool read_all_options(avoidance *avoid, lb_solutions_options *options)
{
    const char *where = all_wanted ? "with --all" : "with --avoid-collision";
    *options = lb_solutions_options_default();
    options->condition = true;
    if (!all_wanted)
        options->redundancy = HELD_VALUES;
    if (avoid->collision != NULL) {
        options->filter = avoidance_filter;
        options->user = avoid;
    }
    return option_none_given(solver_options, where) && option_none_given(thread_options, where) &&
           options_read(all_options, options);
}

/* block by block: reads, finds and writes */
static bool find_solutions(solutions *all, const lb_model *model, const lb_task *task,
                           const lb_solutions_options *options, avoidance *avoid,
                           problem_source *problems)
{
    const block_work work = {&forms[SOLUTIONS], solutions_find, solutions_remark};
    int most = many_rows_block(), count = problems_next(problems, most);
    if (count <= 0 ||
        !solutions_create(all, model, task, options, &problems->block, &problems->block_starts))
        return false;
    all->avoid = avoid->collision != NULL ? avoid : NULL;
    all->most = all_wanted ? all->most : 1;
    return write_blocks(&work, all, problems, count, most);
}

/* every solution, or those that do not collide, or of these the nearest */
static int run_all(const char *name, const lb_model *model, problem_source *problems)
{
    solutions all = {0};
    avoidance avoid = {.collision = NULL};
    lb_task task;
    lb_solutions_options wanted;
    int status = EXIT_BAD_INPUT;
    if ((!avoid_wanted || (avoid.collision = collisions_create(name, model)) != NULL) &&
        read_all_options(&avoid, &wanted) && tool_task(model, problems->targets.kind, &task) &&
        read_figure() && read_starts(model, problems) &&
        find_solutions(&all, model, &task, &wanted, &avoid, problems)) {
        select_remark();
        status = all.reached == all.target_count ? EXIT_DONE : EXIT_UNREACHED;
    }
    solutions_release(&all);
    lb_collision_release(avoid.collision);
    return status;
}

/* ---- the elbow ---------------------------------------------------------------- */

/* --arcs or --elbow GOAL: the goal's index, -1 for arcs */
static bool read_elbow_goal(int *goal)
{
    const char *where = elbow_given.given != NULL ? "with --elbow" : "with --arcs";
    *goal = -1;
    return argument_name("--elbow", &elbow_given, goal) &&
           option_none_given(solver_options, where) && option_none_given(thread_options, where);
}

/* block by block: reads, finds and writes */
static bool find_elbows(elbows *all, const lb_model *model, const lb_task *task, int goal,
                        problem_source *problems)
{
    const block_work work = {&forms[ELBOWS], elbows_find, elbows_remark};
    int most = many_rows_block(), count = problems_next(problems, most);
    return count > 0 &&
           elbows_create(all, model, task, goal, &problems->block, &problems->block_starts) &&
           write_blocks(&work, all, problems, count, most);
}

static int run_elbow(const lb_model *model, problem_source *problems)
{
    elbows all = {0};
    lb_task task;
    int status = EXIT_BAD_INPUT, goal;
    if (read_elbow_goal(&goal) && tool_task(model, problems->targets.kind, &task) &&
        read_figure() && read_starts(model, problems) &&
        find_elbows(&all, model, &task, goal, problems)) {
        select_remark();
        status = all.reached == all.target_count ? EXIT_DONE : EXIT_UNREACHED;
    }
    elbows_release(&all);
    return status;
}

/* ---- iteration by iteration ------------------------------------------------ */

enum { USUAL_TRACE = 40 };

/* what a trace can be of: one target, given in a frame that does not move */
static bool check_trace(const target_list *targets, const pose_list *starts, const lb_task *task)
{
    if (targets->count != 1 || starts->count != 1)
        complain("--trace: one target and one start are wanted, there are %d and %d",
                 targets->count, starts->count);
    else if (task->base > 0)
        complain("--trace: the base must be the root or the world");
    else if (lb_vec3_length(task->free_axis) > 0 || task->free_position != 0)
        complain("--trace: free axes have no effect on the matrices that are printed");
    else
        return option_none_given(thread_options, "with --trace") &&
               option_none_given(figure_options, "with --trace");
    return false;
}

static int run_trace(const lb_model *model, problem_source *problems)
{
    lb_task task;
    solver_choice chosen = {.gains = NULL};
    bool fine = false, reached = false;
    if (tool_task(model, problems->targets.kind, &task) && solver_given(model, &chosen) &&
        read_starts(model, problems) && problems_read_all(problems) &&
        check_trace(&problems->block, &problems->block_starts, &task)) {
        int steps = chosen.options.iterations;
        trace what = {.model = model,
                      .task = &task,
                      .options = &chosen.options,
                      .target = problems->block.targets,
                      .start = problems->block_starts.q,
                      .steps = steps > 0 ? steps : USUAL_TRACE};
        fine = trace_write(&what);
        reached = what.reached;
    }
    if (fine)
        select_remark();
    solver_release(&chosen);
    return !fine ? EXIT_BAD_INPUT : reached ? EXIT_DONE : EXIT_UNREACHED;
}

/* ---- the command -------------------------------------------------------- */

static void solve_block_of(void *results)
{
    solve_block(results);
}

/* block by block: reads, solves and writes */
static bool solve_problems(solve *all, const lb_model *model, const lb_task *task,
                           const lb_ik_options *options, problem_source *problems, int threads,
                           solve_sharing *share)
{
    const block_work work = {&forms[RESULTS], solve_block_of, NULL};
    int most = block_size(solve_block_size(threads)), count = problems_next(problems, most);
    if (count <= 0 || !solve_create(all, model, task, options, &problems->block,
                                    &problems->block_starts, threads, count < most ? count : 0))
        return false;
    return share != NULL ? share(all, problems, count, most)
                         : write_blocks(&work, all, problems, count, most);
}

static int run_targets(const lb_model *model, problem_source *problems, solve_sharing *share)
{
    solve *all = allocate_or_exit(1, sizeof *all);
    lb_task task;
    solver_choice chosen = {.gains = NULL};
    int status = EXIT_BAD_INPUT, threads;
    if (tool_task(model, problems->targets.kind, &task) && solver_given(model, &chosen) &&
        threads_given(&threads) && read_figure() && read_starts(model, problems) &&
        solve_problems(all, model, &task, &chosen.options, problems, threads, share)) {
        select_remark();
        status = all->outcomes[LB_REACHED] == all->count ? EXIT_DONE : EXIT_UNREACHED;
    }
    solve_release(all);
    free(all);
    solver_release(&chosen);
    return status;
}

/* what several tips have no use for */
static const struct poptOption single_options[] = {
    OPTION_TABLE(tool_options),
    OPTION_TEXT("starts", starts_file, "S.csv",
                "starts, a row for each target or one for all, as the poses of limber fk"),
    OPTION_FLAG("trace", trace_wanted,
                "print every iteration from the start: V, J, J J^T, z, beta, J^T beta, the step "
                "and the error"),
    OPTION_FLAG("all", all_wanted, "list every solution, nearest to the start first"),
    OPTION_TABLE(all_options),
    OPTION_FLAG("avoid-collision", avoid_wanted,
                "find the solution nearest to the start in which no link touches another or the "
                "scene; with --all list those"),
    OPTION_TABLE(collision_options),
    OPTION_FLAG("arcs", arcs_wanted,
                "of arms of seven joints with a spherical shoulder and wrist, list the ranges of "
                "the elbow angle that keep the limits"),
    OPTION_NAME("elbow", elbow_given, "GOAL",
                "of such arms, the best elbow: nearest to the start, margin (farthest from the "
                "limits) or manipulability"),
    OPTION_TABLE(solver_options),
    OPTION_TABLE(thread_options),
    OPTION_TEXT("figure", figure_path, "FILE",
                "draw start, solution and target into one figure: .svg, .png or .pdf"),
    OPTION_TABLE(figure_options),
    OPTION_END,
};

/* the processes of a job share rows of results, and nothing else */
static bool check_shared(int others)
{
    bool fine = others == 0 && option_text(figure_path) == NULL && tips_count(tool_tips()) < 2;
    if (!fine)
        complain("a job of processes solves targets of one tip, without --all, --avoid-collision, "
                 "--arcs, --elbow, --trace or --figure");
    return fine;
}

int ik_run(const char *const *operands, solve_sharing *share)
{
    problem_source problems = {.shared = false};
    int status = EXIT_BAD_INPUT;
    int others = trace_wanted + arcs_wanted + (elbow_given.given != NULL);
    bool fine = destination_check(option_text(figure_path)) &&
                (share == NULL || check_shared(others + all_wanted + avoid_wanted)) &&
                (all_wanted || option_none_given(all_options, "without --all")) &&
                (avoid_wanted || option_none_given(collision_options, "without --avoid-collision"));
    if (all_wanted + others > 1) {
        complain("of --all, --arcs, --elbow and --trace only one can be given");
        fine = false;
    }
    if (avoid_wanted && others > 0) {
        complain("--avoid-collision has no effect on --arcs, --elbow and --trace");
        fine = false;
    }
    if (avoid_wanted)
        joints_use_srdf();
    lb_model *model = fine ? select_model(operands[0]) : NULL;
    int tips = model != NULL ? tips_count(tool_tips()) : 1;
    if (tips > 1)
        status = option_none_given(single_options, "with several tips")
                     ? solve_tips(model, tips, tool_tips(), tool_base(), option_text(start_given))
                     : EXIT_BAD_INPUT;
    else if (model != NULL && targets_open(&problems.targets))
        status = all_wanted || avoid_wanted                 ? run_all(operands[0], model, &problems)
                 : arcs_wanted || elbow_given.given != NULL ? run_elbow(model, &problems)
                 : trace_wanted                             ? run_trace(model, &problems)
                                                            : run_targets(model, &problems, share);
    problems_close(&problems);
    lb_model_release(model);
    return status;
}

static int run(const char *const *operands)
{
    return ik_run(operands, NULL);
}

static const struct poptOption options[] = {
    OPTION_TABLE(tip_options),
    OPTION_TABLE(target_options),
    OPTION_TEXT("start", start_given, "\"JOINT=VALUE ...\"",
                "where the search begins, as --at of limber fk; joints that are not named are at "
                "their default"),
    OPTION_TABLE(single_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(angle_options),
    OPTION_TABLE(joint_options),
    OPTION_TABLE(model_options),
    OPTION_END,
};

static const example examples[] = {
    {"a tool pose for the Panda, explained and drawn",
     "limber ik panda --tip panda_hand --position \"0.4 0.1 0.5\" --rpy \"180 0 45\" \\\n"
     "        --degrees --report --figure panda.svg"},
    {"both hands of a figure, and a joint that is locked",
     "limber ik human --tip left_hand --position \"0.3 0.3 0.2\" \\\n"
     "        --tip right_hand --position \"0.3 -0.3 0.2\" --lock right_elbow=0.5 --report"},
    {"a point for the tip of a planar arm, the start given",
     "limber ik planar3 --position \"-20 5 0\" \\\n"
     "        --start \"joint_1=0.39 joint_2=0.79 joint_3=0.79\""},
    {"a nozzle at any distance: anywhere on the target's z axis",
     "limber ik ur5 --position \"0.4 0.2 0.3\" --rpy \"180 0 0\" --degrees \\\n"
     "        --free-position z"},
    {"targets made by forward kinematics, solved and summed up",
     "printf 'panda_joint2,panda_joint4\\n0.1,-1.5\\n0.4,-2\\n' |\n"
     "        limber fk panda --frame panda_hand --poses - --output targets.csv &&\n"
     "        limber ik panda --tip panda_hand --targets targets.csv \\\n"
     "        --output solutions.csv --json"},
    {"every configuration that reaches a pose, and which limits exclude it",
     "limber ik ur5 --position \"0.4 0.2 0.3\" --rpy \"180 0 0\" --degrees --all \\\n"
     "        --out-of-limits"},
    {"the nearest configuration in which the arm does not touch itself or a table",
     "echo '{\"obstacles\": [{\"name\": \"table\", \"shapes\": [\n"
     "          {\"shape\": \"box\", \"size\": [0.6, 1, 0.1],\n"
     "           \"placement\": {\"xyz\": [0.6, 0, 0]}}]}]}' >table.json &&\n"
     "        limber ik panda --position \"0.5 0.2 0.3\" --rpy \"180 0 0\" --degrees \\\n"
     "        --avoid-collision --scene table.json --report"},
    {"where the elbow of seven joints can be, and where it is farthest from limits",
     "limber ik iiwa14 --position \"0.4 0.2 0.6\" --rpy \"180 0 0\" --degrees --arcs &&\n"
     "        limber ik iiwa14 --position \"0.4 0.2 0.6\" --rpy \"180 0 0\" --degrees \\\n"
     "        --elbow margin"},
    {"the pseudoinverse step by step, with its matrices",
     "limber ik planar3 --position \"-20 5 0\" --method pseudoinverse --trace --report"},
    {"targets from another run, solved on all processors",
     "printf 'elbow_joint\\n0.5\\n1\\n' | limber fk ur5 --poses - |\n"
     "        limber ik ur5 --targets - --threads 0 --json"},
    {NULL, NULL},
};

const command command_ik = {
    .name = "ik",
    .synopsis = "MODEL [--base LINK] [--tip LINK ...] [--tool \"X Y Z [R P Y]\"]\n"
                "(--position \"X Y Z\" [--rpy \"R P Y\" | --quaternion \"W X Y Z\"]\n"
                " | --targets T.(csv|npy))\n"
                "[--start \"JOINT=VALUE ...\" | --starts S.(csv|npy)] [--method METHOD]\n"
                "[--position-tolerance 1e-6] [--rotation-tolerance 1e-6]\n"
                "[--iterations N] [--seed N] [--threads N] [--output OUT.(csv|npy)]\n"
                "[--trace | --all [--copies] [--out-of-limits] [--redundancy N]\n"
                " | --arcs | --elbow GOAL]\n"
                "[--avoid-collision [--scene FILE] [--margin METRES]]\n"
                "[--json] [--report] [--figure FILE] [--degrees] ...",
    .summary = "find joint values that bring the tip to its target (inverse kinematics)",
    .details =
        "Prints a row for each target, in order, under the header\n"
        "status,iterations,position_error,rotation_error, and then every joint that\n"
        "moves by itself; errors in metres and radians. A target that is not reached\n"
        "is the best that was found. The file can be given to limber fk and limber draw\n"
        "as --poses. Targets, starts and results may be arrays of NumPy (.npy) with the\n"
        "same columns; the status is then 0 where the target is reached.\n"
        "\n"
        "--json prints {\"targets\":..,\"reached\":..,\"seconds\":..,\"solves_per_second\":..,\n"
        "\"mean_us\":..,\"p50_us\":..,\"p99_us\":..}, where time is that of solving alone, and,\n"
        "unless --output has the rows, first \"results\": for each target an object of what\n"
        "a row has, with \"joints\" by name.\n"
        "With --threads it is that of all threads together, and a solve's own (p50, p99)\n"
        "is its share of the range of targets that one thread solved side by side.\n"
        "\n"
        "Targets of a file are read, solved and written block by block, in memory that\n"
        "does not grow with their number, unless --figure needs all of them. After an\n"
        "error a file given as --output is as it was; standard output has the rows, or\n"
        "the beginning of the JSON, of the blocks before.\n"
        "\n"
        "--trace makes single steps of the method from the start, at most --iterations\n"
        "(40), and prints for each the joint values, the desired change V (of a rotation\n"
        "by t 2 sin(t/2) about its axis), the Jacobian J of the directions the tip can\n"
        "move in, J J^T, z of the control term, beta with (J J^T + lambda^2) beta = V,\n"
        "with --gains V + J z (Eq. 5.31), J^T beta, and the step: J^T beta - z, plus\n"
        "\"clamped\", what limits and the step limit changed. Other methods than lm,\n"
        "damped, pseudoinverse and inverse have no beta. As rows, as --json or as\n"
        "matrices with --report.\n"
        "\n"
        "--all lists every solution under the header target,solution,branch,in_limits,\n"
        "distance,position_error,rotation_error,condition,multiplicity, and then the\n"
        "joints; distance is that from the start, the root of the sum of squares of\n"
        "radians and lengths. Targets without a solution have no row and are named on\n"
        "standard error. --json adds \"class\", \"complete\" and \"certified\" and, unless\n"
        "--output has the rows, \"results\" by target. It is for arms of six\n"
        "joints: up to 16 solutions if all turn, 8 in closed form where axes meet or are\n"
        "parallel; for those of fewer that are such arms with joints left out; and for\n"
        "arms of seven joints, one held at each of --redundancy values. The number of a\n"
        "branch is the same along a path up to a singularity; of arms whose class is\n"
        "general it only distinguishes the solutions of one target.\n"
        "\n"
        "--avoid-collision writes one such row for each target, of the solution nearest\n"
        "to the start in which no link comes within --margin of another or of --scene, as\n"
        "limber collide measures it; an arm of one joint more is held at 72 values of\n"
        "that, which moves its elbow. Where all solutions collide the pair of links is\n"
        "named that the nearest of them fails by. With --all every free one is listed.\n"
        "\n"
        "Arms of seven joints whose first three axes meet in a point, and whose last\n"
        "three do, can turn their elbow about the line from shoulder to wrist while the\n"
        "tool stays. --arcs lists the ranges of the elbow angle that keep the limits,\n"
        "whose ends are exact, under the header target,branch,begin,end, and then the\n"
        "joints in the middle of the range; an end beyond pi goes on past the half turn.\n"
        "--elbow nearest, margin or manipulability finds the best elbow of all branches:\n"
        "a row for each target under target,status,branch,elbow_angle, what is best\n"
        "(distance from the start in radians; margin: the least share of half a joint's\n"
        "range that is left to a limit; manipulability: sqrt(det J J^T)),\n"
        "position_error,rotation_error, and then the joints. A target out of reach has\n"
        "the start.\n"
        "\n"
        "Several --tip share one configuration, as whole bodies do: each takes the next\n"
        "--position, --rpy or --quaternion, or --targets has columns of all of them,\n"
        "LINK.x, LINK.y and so on. --json and --report say of each tip whether it is\n"
        "reached, and what holds it back; of a file how many rows are.\n"
        "\n"
        "The exit status is 0 when all targets are reached, 1 when some are not, 2 for\n"
        "bad input.",
    .examples = examples,
    .options = options,
    .choices = &method_choices,
    .operands = 1,
    .run = run,
};
