/*
 * ik.c - limber ik: joint values that bring the tip to its target.
 */
#include "cli/command.h"
#include "cli/options/models.h"
#include "cli/report/report.h"
#include "cli/work/solve.h"

#include <stdlib.h>
#include <string.h>

static int all_wanted, trace_wanted, avoid_wanted;

/* ---- figures ------------------------------------------------------------- */

static const char *result_label(const solve *all, int i)
{
    return all->results[i].outcome == LB_REACHED ? "solution" : "closest";
}

/* the starts, the solutions over them, and the targets as crosses */
static bool draw_results(void *results)
{
    const solve *all = results;
    lb_drawing drawing;
    const char *path = figure_wanted(&drawing);
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

static const destination_forms forms = {.rows = &ik_results,
                                        .list = "results",
                                        .members = ik_results_members,
                                        .words = ik_summary_words,
                                        .figure = draw_results,
                                        .words_aside = true};

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
               option_none_given(drawing_options, "with --trace");
    return false;
}

static int run_trace(const lb_model *model, problem_source *problems)
{
    lb_task task;
    solver_choice chosen = {.gains = NULL};
    bool fine = false, reached = false;
    if (tool_task(model, problems->targets.kind, &task) && solver_given(model, &chosen) &&
        blocks_read_starts(model, problems) && problems_read_all(problems) &&
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

/* ---- every solution --------------------------------------------------------- */

/*
 * Values of the held joint of arms with one joint more that are tried for a free configuration:
 * every five degrees of a whole turn.
 */
enum { HELD_VALUES = 72 };

/* every solution, or the nearest that does not collide, or all of these */
static int run_all(const char *name, const lb_model *model, problem_source *problems)
{
    const char *where = all_wanted ? "with --all" : "with --avoid-collision";
    lb_solutions_options options = lb_solutions_options_default();
    if (!all_wanted)
        options.redundancy = HELD_VALUES;
    if (!option_none_given(solver_options, where) || !option_none_given(thread_options, where))
        return EXIT_BAD_INPUT;
    return solutions_solve(name, model, problems, &options, avoid_wanted, all_wanted);
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
    const block_work work = {&forms, solve_block_of, NULL};
    problems->most = blocks_size(solve_block_size(threads));
    int count = problems_next(problems);
    if (count <= 0 ||
        !solve_create(all, model, task, options, &problems->block, &problems->block_starts, threads,
                      count < problems->most ? count : 0))
        return false;
    return share != NULL ? share(all, problems) : blocks_write(&work, all, problems);
}

static int run_targets(const lb_model *model, problem_source *problems, solve_sharing *share)
{
    solve *all = allocate_or_exit(1, sizeof *all);
    lb_task task;
    solver_choice chosen = {.gains = NULL};
    int status = EXIT_BAD_INPUT, threads;
    if (tool_task(model, problems->targets.kind, &task) && solver_given(model, &chosen) &&
        threads_given(&threads) && figure_is_fine(figure_options) &&
        blocks_read_starts(model, problems) &&
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
    OPTION_TABLE(starts_options),
    OPTION_FLAG("trace", trace_wanted,
                "print every iteration from the start: V, J, J J^T, z, beta, J^T beta, the step "
                "and the error"),
    OPTION_FLAG("all", all_wanted,
                "list every solution, nearest to the start first, as limber solutions does"),
    OPTION_FLAG("avoid-collision", avoid_wanted,
                "find the solution nearest to the start in which no link touches another or the "
                "scene; with --all list those"),
    OPTION_TABLE(collision_options),
    OPTION_TABLE(solver_options),
    OPTION_TABLE(thread_options),
    OPTION_TABLE(drawing_options),
    OPTION_END,
};

/* the processes of a job share rows of results, and nothing else */
static bool check_shared(void)
{
    bool fine = all_wanted + avoid_wanted + trace_wanted == 0 && figure_file == NULL &&
                tips_count(select_tips_given()) < 2;
    return fine ||
           complain(
               "limber-mpi solves targets of one tip, without --all, --avoid-collision, --trace "
               "or --figure");
}

/* of what says how targets are solved one at most is given */
static bool check_ways(void)
{
    if (trace_wanted && all_wanted + avoid_wanted > 0)
        return complain("--trace cannot be given with %s",
                        all_wanted ? "--all" : "--avoid-collision");
    return avoid_wanted || option_none_given(collision_options, "without --avoid-collision");
}

int ik_run(const char *const *operands, solve_sharing *share)
{
    problem_source problems = {.shared = false};
    int status = EXIT_BAD_INPUT;
    bool fine = destination_check() && (share == NULL || check_shared()) && check_ways();
    if (avoid_wanted)
        joints_use_srdf();
    lb_model *model = fine ? select_model(operands[0]) : NULL;
    int tips = model != NULL ? tips_count(select_tips_given()) : 1;
    if (tips > 1)
        status =
            option_none_given(single_options, "with several tips")
                ? solve_tips(model, tips, select_tips_given(), select_base_given(), blocks_start())
                : EXIT_BAD_INPUT;
    else if (model != NULL && targets_open(&problems.targets))
        status = all_wanted || avoid_wanted ? run_all(operands[0], model, &problems)
                 : trace_wanted             ? run_trace(model, &problems)
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
    OPTION_TABLE(start_options),
    OPTION_TABLE(single_options),
    OPTION_TABLE(destination_options),
    OPTION_TABLE(arm_options),
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
    {"the nearest configuration in which the arm does not touch itself or a table",
     "echo '{\"obstacles\": [{\"name\": \"table\", \"shapes\": [\n"
     "          {\"shape\": \"box\", \"size\": [0.6, 1, 0.1],\n"
     "           \"placement\": {\"xyz\": [0.6, 0, 0]}}]}]}' >table.json &&\n"
     "        limber ik panda --position \"0.5 0.2 0.3\" --rpy \"180 0 0\" --degrees \\\n"
     "        --avoid-collision --scene table.json --report"},
    {"the pseudoinverse step by step, with its matrices",
     "limber ik planar3 --position \"-20 5 0\" --method pseudoinverse --trace --report"},
    {"targets from another run, solved on all processors",
     "printf 'elbow_joint\\n0.5\\n1\\n' | limber fk ur5 --poses - |\n"
     "        limber ik ur5 --targets - --threads 0 --json"},
    {NULL, NULL},
};

const command command_ik = {
    COMMAND(ik),
    .synopsis = "MODEL (--position \"X Y Z\" [--rpy \"R P Y\"]\n"
                " | --targets T.csv)\n"
                "[--all | --avoid-collision | --trace] [OPTION ...]",
    .summary = "find joint values that bring the tip to its target (inverse kinematics)",
    .details =
        "Prints a row for each target, in order, under the header\n"
        "status,iterations,position_error,rotation_error, and then every joint that moves\n"
        "by itself; errors in metres and radians. A target that is not reached has the\n"
        "best configuration found. limber fk and limber draw take the file as --poses.\n"
        "Targets, starts and results may be arrays of NumPy (.npy) with these columns;\n"
        "the status is then 0 for a target that is reached.\n\n"
        "--json prints {\"targets\":..,\"reached\":..,\"seconds\":..,\"solves_per_second\":..,\n"
        "\"mean_us\":..,\"p50_us\":..,\"p99_us\":..}, where time is that of solving alone, and,\n"
        "unless --output has the rows, first \"results\": for each target an object with\n"
        "the values of its row, and \"joints\" by name. With --threads it is that of all\n"
        "threads together, and a solve's own (p50, p99) is its share of the range of\n"
        "targets that one thread solved side by side.\n\n"
        "Targets of a file are read, solved and written block by block, in memory that\n"
        "does not grow with their number, unless --figure needs all of them. After an\n"
        "error a file given as --output is unchanged; standard output has the rows, or\n"
        "the beginning of the JSON, of the blocks before.\n\n"
        "--trace makes single steps of the method from the start, at most --iterations\n"
        "(40), and prints for each the joint values, the desired change V (of a rotation\n"
        "by t 2 sin(t/2) about its axis), the Jacobian J of the directions in which the\n"
        "tip can move, J J^T, z of the control term, beta with (J J^T + lambda^2) beta =\n"
        "V, with --gains V + J z (Eq. 5.31), J^T beta, and the step: J^T beta - z, plus\n"
        "\"clamped\", the change by limits and the step limit. Methods other than lm,\n"
        "damped, pseudoinverse and inverse have no beta. As rows, as --json or as\n"
        "matrices with --report.\n\n"
        "--all lists every solution, as limber solutions does. --avoid-collision writes\n"
        "such a row for each target: of the solution nearest to the start in which no\n"
        "link comes within --margin of another or of --scene. An arm of one joint more is\n"
        "held at 72 values of it, which moves its elbow.\n\n"
        "Several --tip share one configuration, as whole bodies do: each takes the next\n"
        "--position, --rpy or --quaternion, or --targets has columns of all of them,\n"
        "LINK.x, LINK.y and so on. --json and --report say of each tip whether it is\n"
        "reached, and the reason if not; of a file how many rows are.\n\n"
        "The exit status is 0 if all targets are reached, 1 if some are not, 2 for bad\n"
        "input.",
    .choices = &method_choices,
    .operands = 1,
};
