/*
 * ik.c - limber ik: joint values that bring the tip to its target.
 */
#include "base/text.h"
#include "cli/report/describe.h"
#include "cli/report/report.h"
#include "cli/work/rows_job.h"
#include "cli/work/solve.h"
#include "cli/work/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int all_wanted, trace_wanted, avoid_wanted;

/* ---- words ---------------------------------------------------------------- */

static void print_outcome(const lb_ik_result *result, FILE *stream)
{
    fprintf(stream, "%s%s%s",
            console_style_text(stream, result->outcome == LB_REACHED ? STYLE_GOOD : STYLE_BAD),
            lb_outcome_text(result->outcome), console_style_text(stream, STYLE_PLAIN));
}

/* the target: position and orientation */
static void print_target(const solve *all, int i, FILE *stream)
{
    const lb_transform *target = &all->rows.targets->targets[i];
    lb_vec3 rpy = lb_quat_to_rpy(lb_transform_quat(target));
    double unit = angle_unit();
    if (all->rows.task.kind != LB_TASK_ROTATION)
        fprintf(stream, "  target    %.6g %.6g %.6g m\n", tidy(target->p.x, 9),
                tidy(target->p.y, 9), tidy(target->p.z, 9));
    if (all->rows.task.kind != LB_TASK_POSITION)
        fprintf(stream, "  %-10sroll %.6g, pitch %.6g, yaw %.6g %s\n",
                all->rows.task.kind == LB_TASK_ROTATION ? "target" : "", tidy(rpy.x / unit, 9),
                tidy(rpy.y / unit, 9), tidy(rpy.z / unit, 9), angle_unit_name());
}

static void print_errors(const solve *all, const lb_ik_result *result, FILE *stream)
{
    if (all->rows.task.kind != LB_TASK_ROTATION)
        fprintf(stream, "%.3g m", result->position_error);
    if (all->rows.task.kind == LB_TASK_POSE)
        fputs(", ", stream);
    if (all->rows.task.kind != LB_TASK_POSITION)
        fprintf(stream, "%.3g rad", result->rotation_error);
}

/* why it was not reached, as the library says it */
static void print_reason(const solve *all, const solve_unreached *one, int indent, FILE *stream)
{
    char text[512];
    lb_ik_explain(all->iks[0], &one->target, one->q, &one->result, text, sizeof text);
    print_wrapped(stream, text, indent);
}

/* how many joints there are for how many numbers that are wanted; of a linkage that closes what its
   loops leave */
static void print_mobility(const solve *all, int i, FILE *stream)
{
    char text[128];
    if (lb_model_loop_count(all->rows.model) > 0) {
        lb_assembly *assembly = loops_or_exit(all->rows.model);
        const lb_loop_mobility mobility = lb_assembly_mobility(assembly);
        if (mobility.closed)
            fprintf(stream, "  freedom   mobility %d with the loops closed\n", mobility.found);
        else
            fputs("  freedom   not known: the loops do not close from the default values\n",
                  stream);
        return;
    }
    lb_state *state = state_or_exit(all->rows.model);
    lb_state_update(state, rows_values(&all->rows, i));
    describe_mobility(lb_task_mobility(state, &all->rows.task, &all->rows.targets->targets[i]),
                      text, sizeof text);
    fprintf(stream, "  freedom   %s\n", text);
}

/* whether the linkage gets there by the simplest motion, or may have to be taken apart */
static void print_motion(const solve *all, int i, FILE *stream)
{
    const lb_model *model = all->rows.model;
    lb_assembly *assembly = loops_or_exit(model);
    double *q = allocate_or_exit((size_t)lb_model_nq(model), sizeof *q);
    double *v = allocate_or_exit((size_t)lb_model_nv(model), sizeof *v), most = 0;
    lb_assembly_result result;
    lb_assembly_outcome outcome = lb_assembly_follow(assembly, rows_start_of(&all->rows, i),
                                                     rows_values(&all->rows, i), q, &result);
    lb_configuration_difference(model, q, rows_values(&all->rows, i), v);
    for (int k = 0; k < lb_model_nv(model); k++)
        most = fmax(most, fabs(v[k]));
    if (outcome == LB_ASSEMBLY_OPEN)
        fputs("  motion    the start is open\n", stream);
    else if (outcome == LB_ASSEMBLED && most < 1e-6)
        fputs("  motion    the independent joints lead there on a straight line\n", stream);
    else
        fprintf(stream, "  motion    not on a straight line of the independent joints%s%s\n",
                outcome == LB_ASSEMBLED ? ": another assembly" : ": ",
                outcome == LB_ASSEMBLED ? "" : lb_assembly_outcome_text(outcome));
}

/* marks the joints between a link and the root once more: those marked twice lie above both ends */
static void mark_upwards(const lb_model *model, int link, unsigned char *marks)
{
    for (; link > 0; link = lb_model_parent(model, link))
        marks[link - 1]++;
}

/* where between its limits a value is, "--o-----"; "" without two limits */
static void draw_gauge(double value, double lower, double upper, char *text, size_t size)
{
    enum { CELLS = 21 };
    bool utf8 = console_is_utf8();
    const char *line = utf8 ? "\xE2\x94\x80" : "-", *dot = utf8 ? "\xE2\x97\x8F" : "o";
    *text = '\0';
    if (!isfinite(lower) || !isfinite(upper) || !(upper > lower))
        return;
    double place = (value - lower) / (upper - lower) * (CELLS - 1);
    int cell = place < 0 ? 0 : place > CELLS - 1 ? CELLS - 1 : (int)(place + 0.5);
    size_t used = (size_t)snprintf(text, size, "[");
    for (int k = 0; k < CELLS; k++)
        used += (size_t)snprintf(text + used, size - used, "%s", k == cell ? dot : line);
    snprintf(text + used, size - used, "]");
}

/* one row of the table: a value before and after */
static void add_value(grid_table *table, const value_slot *slot, int part, double before,
                      double after)
{
    char name[VALUE_NAME_SIZE], limits[320] = "", gauge[128] = "";
    const lb_joint *joint = slot->joint;
    bool plain = joint->kind != LB_JOINT_BALL && joint->kind != LB_JOINT_FLOATING;
    double unit = value_unit(slot);
    if (part == 0)
        describe_limits(joint, limits, sizeof limits);
    if (plain && joint->kind != LB_JOINT_CONTINUOUS)
        draw_gauge(after, joint->lower[part], joint->upper[part], gauge, sizeof gauge);
    grid_cell(table, "%s", value_name(slot, name));
    grid_cell(table, "%.4f", tidy(before / unit, 4));
    grid_cell(table, "%.4f", tidy(after / unit, 4));
    grid_cell(table, "%s", gauge);
    grid_cell(table, "%s", limits);
}

/* the values on the path from base to tip; those of a joint that mimics there count too; with loops
   all values */
static void print_joints(const solve *all, int i, FILE *stream)
{
    const lb_model *model = all->rows.model;
    int joints = lb_model_joint_count(model), nq = lb_model_nq(model);
    unsigned char *marks = allocate_or_exit((size_t)joints, 1),
                  *wanted = allocate_or_exit((size_t)nq, 1);
    value_slot *slots = values_slots(model);
    mark_upwards(model, all->rows.task.tip, marks);
    mark_upwards(model, all->rows.task.base, marks);
    for (int j = 0; j < joints; j++) {
        int start = lb_model_joint_q(model, j);
        int count = start < 0 ? 0 : lb_joint_kind_nq(lb_model_joint(model, j)->kind);
        bool shown = marks[j] == 1 || lb_model_loop_count(model) > 0;
        for (int k = 0; shown && k < count; k++)
            wanted[start + k] = 1;
    }

    grid_table table = grid_start("lrrll");
    grid_cell(&table, "joint");
    grid_cell(&table, "start");
    grid_cell(&table, "%s", all->results[i].outcome == LB_REACHED ? "solution" : "closest");
    grid_cell(&table, "%s", "");
    grid_cell(&table, "limits");
    for (int k = 0, part = 0; k < nq; k++) {
        part = k > 0 && slots[k].joint == slots[k - 1].joint ? part + 1 : 0;
        if (wanted[k])
            add_value(&table, &slots[k], part, rows_start_of(&all->rows, i)[k],
                      rows_values(&all->rows, i)[k]);
    }
    grid_print(&table, stream);
}

static void summarize_one(const solve *all, FILE *stream)
{
    const lb_ik_result *result = &all->results[0];
    bool reached = result->outcome == LB_REACHED;
    describe_task(all->rows.model, &all->rows.task, stream);
    fprintf(stream, ", method %s\n", lb_method_name(lb_ik_get_options(all->iks[0])->method));
    print_target(all, 0, stream);
    print_mobility(all, 0, stream);
    fputs("  outcome   ", stream);
    print_outcome(result, stream);
    fprintf(stream, " in %d iteration%s, %d tr%s, %.1f %s\n", result->iterations,
            result->iterations == 1 ? "" : "s", result->tries, result->tries == 1 ? "y" : "ies",
            1e6 * all->seconds[0], microseconds());
    fputs("  error     ", stream);
    print_errors(all, result, stream);
    fputs(reached ? "\n" : " at the closest configuration found\n", stream);
    if (lb_model_loop_count(all->rows.model) > 0)
        print_motion(all, 0, stream);
    if (!reached) {
        int indent = fprintf(stream, "  because   ");
        print_reason(all, &all->unreached[0], indent, stream);
    }
    fputc('\n', stream);
    print_joints(all, 0, stream);
    fprintf(stream, "  (metres, %s)\n", angle_unit() == 1 ? "radians" : "degrees");
}

static void print_unreached(const solve *all, int unreached, FILE *stream)
{
    for (int k = 0; k < all->unreached_count; k++) {
        fprintf(stream, "  target %d: ", all->unreached[k].index + 1);
        print_outcome(&all->unreached[k].result, stream);
        int indent = fprintf(stream, "\n    ") - 1;
        print_reason(all, &all->unreached[k], indent, stream);
    }
    if (unreached > all->unreached_count)
        fprintf(stream, "  ... and %d more\n", unreached - all->unreached_count);
}

static void summarize_many(const solve *all, FILE *stream)
{
    solve_summary summary = solve_summarize(all);
    int reached = all->outcomes[LB_REACHED];
    fprintf(stream, "%s%d of %d targets reached%s", console_style_text(stream, STYLE_STRONG),
            reached, summary.targets, console_style_text(stream, STYLE_PLAIN));
    for (int k = 0; k < LB_OUTCOME_COUNT; k++)
        if (k != LB_REACHED && all->outcomes[k] > 0)
            fprintf(stream, ", %d %s", all->outcomes[k], lb_outcome_text((lb_outcome)k));
    fprintf(stream, "\n  %.4g s of solving, %.0f solves per second\n", summary.seconds,
            summary.solves_per_second);
    if (all->threads > 0)
        fprintf(stream, "  side by side on %d thread%s: %.2f %s each\n", all->ik_count,
                all->ik_count == 1 ? "" : "s", summary.mean_us, microseconds());
    else
        fprintf(stream, "  one solve: mean %.2f %s, half within %.2f, 99 %% within %.2f\n",
                summary.mean_us, microseconds(), summary.p50_us, summary.p99_us);
    print_unreached(all, summary.targets - reached, stream);
}

/* one target: the target, the outcome, the joints from base to tip with their limits, and why when
   it was not reached; several: how many of each outcome, the time, and the first that were not
   reached */
static void write_words(void *results, FILE *stream)
{
    const solve *all = results;
    if (all->rows.target_count == 1)
        summarize_one(all, stream);
    else
        summarize_many(all, stream);
}

/* ---- figures ------------------------------------------------------------- */

static void write_label(const void *results, int i, char label[FIGURE_LABEL_SIZE])
{
    bool reached = ((const solve *)results)->results[i].outcome == LB_REACHED;
    text_format(label, FIGURE_LABEL_SIZE, "%s", reached ? "solution" : "closest");
}

static void draw(void *results)
{
    rows_draw(&((const solve *)results)->rows, write_label, results);
}

static const destination_forms forms = {.rows = &ik_results,
                                        .list = "results",
                                        .members = ik_results_members,
                                        .words = write_words,
                                        .figure = draw,
                                        .words_aside = true};

/* ---- iteration by iteration ------------------------------------------------ */

static int run_trace(const lb_model *model, problem_source *problems)
{
    option_none_given(thread_options, "with --trace");
    option_none_given(rows_job_options, "with --trace");
    option_none_given(drawing_options, "with --trace");
    trace what = trace_given(model, problems, "--trace");
    trace_write(&what);
    select_remark();
    return what.reached ? EXIT_DONE : EXIT_UNREACHED;
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
    option_none_given(solver_options, where);
    option_none_given(thread_options, where);
    option_none_given(rows_job_options, where);
    return solutions_solve(name, model, problems, &options, avoid_wanted, all_wanted);
}

/* ---- the command -------------------------------------------------------- */

static void solve_block_of(void *results)
{
    solve_block(results);
}

/* block by block: reads, solves and writes; false after a complaint of a long run */
static bool solve_problems(solve *all, problem_source *problems, solve_sharing *share, bool job)
{
    const block_work work = {&forms, solve_block_of, NULL};
    if (share != NULL)
        return share(all, problems);
    bool shown = !job || problems->block.count < problems->most;
    if (shown)
        blocks_write(&work, all, problems);
    else if (rows_job_solve(all, problems, NULL))
        destination_summarize(&forms, all);
    else
        return false;
    return true;
}

static int run_targets(const lb_model *model, problem_source *problems, solve_sharing *share)
{
    solve *all = allocate_or_exit(1, sizeof *all);
    lb_task task = tool_task(model, problems->targets.kind);
    lb_ik_options options = solver_given(model);
    int threads = threads_given();
    figure_prepare(figure_options);
    blocks_read_starts(model, problems);
    bool job = share != NULL || rows_job_is_possible(problems);
    problems->most = blocks_size(job ? ROWS_TILE : solve_block_size(threads));
    int count = problems_next(problems);
    rows_start(&all->rows, model, &task, &problems->block, &problems->block_starts);
    solve_create(all, &options, threads, count < problems->most ? count : 0);
    if (!solve_problems(all, problems, share, job))
        return EXIT_BAD_INPUT;
    select_remark();
    return all->outcomes[LB_REACHED] == all->rows.target_count ? EXIT_DONE : EXIT_UNREACHED;
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
    OPTION_TABLE(rows_job_options),
    OPTION_TABLE(drawing_options),
    OPTION_END,
};

/* the processes of a job share rows of results, and nothing else */
static void check_shared(void)
{
    if (all_wanted + avoid_wanted + trace_wanted > 0 || figure_file != NULL || tips_count() > 1)
        refuse("limber-mpi solves targets of one tip, without --all, --avoid-collision, --trace or "
               "--figure");
}

/* of what says how targets are solved one at most is given */
static void check_ways(void)
{
    if (trace_wanted && all_wanted + avoid_wanted > 0)
        refuse("--trace cannot be given with %s", all_wanted ? "--all" : "--avoid-collision");
    if (!avoid_wanted)
        option_none_given(collision_options, "without --avoid-collision");
}

int ik_run(const char *const *operands, solve_sharing *share)
{
    problem_source problems = {.shared = false};
    destination_check();
    if (share != NULL)
        check_shared();
    check_ways();
    if (avoid_wanted)
        joints_use_srdf();
    const lb_model *model = select_model(operands[0]);
    if (tips_count() > 1) {
        option_none_given(single_options, "with several tips");
        return solve_tips(model, tips_count());
    }
    targets_open(&problems.targets);
    return all_wanted || avoid_wanted ? run_all(operands[0], model, &problems)
           : trace_wanted             ? run_trace(model, &problems)
                                      : run_targets(model, &problems, share);
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
        "closest configuration found, with the search that C and Python make with their\n"
        "option `closest`. limber fk and limber draw take the file as --poses.\n"
        "Targets, starts and results may be arrays of NumPy (.npy) with these columns;\n"
        "the status is then 0 for a target that is reached.\n\n"
        "If the model has loops, they are closed in every result, unless no closed\n"
        "configuration was found, which --report says; it also says whether a straight\n"
        "move of the independent joints leads there. A solution may be of another\n"
        "assembly than the start. Only the method lm keeps loops, and --trace has none.\n\n"
        "--json prints {\"targets\":..,\"reached\":..,\"seconds\":..,\"solves_per_second\":..,\n"
        "\"mean_us\":..,\"p50_us\":..,\"p99_us\":..}, where time is that of solving alone, and,\n"
        "unless --output has the rows, first \"results\": for each target an object with\n"
        "the values of its row, and \"joints\" by name. With --threads it is that of all\n"
        "threads together, and a solve's own (p50, p99) is its share of the range of\n"
        "targets that one thread solved side by side.\n\n"
        "Targets of a file are read, solved and written block by block, in memory that\n"
        "does not grow with their number, unless --figure needs all of them. After an\n"
        "error a file given as --output is unchanged; standard output has the rows, or\n"
        "the beginning of the JSON, of the blocks before. Of more than 16384 targets the\n"
        "rows are in OUT.csv.part until all are there: after an end of any kind the same\n"
        "line goes on with them, and sums up the time of the rest alone. Another command,\n"
        "or changed files, must have another --output, or --anew.\n\n"
        "--trace makes single steps of the method from the start, at most --iterations\n"
        "(40), and prints for each the joint values, the desired change V (of a rotation\n"
        "by t 2 sin(t/2) about its axis), the Jacobian J of the directions in which the\n"
        "tip can move, J J^T, z of the control term, beta with (J J^T + lambda^2) beta =\n"
        "V, with --gains plus that of J z with lambda 0 (Eq. 5.31), J^T beta, and the\n"
        "step: J^T beta - z, plus \"clamped\", the change by limits and the step limit.\n"
        "Lambda is in metres; rows of rotation have it divided by the length that counts\n"
        "as a radian. For J^T in beta and in J^T beta stands m^2 J^T, where m of a joint\n"
        "is 1 / sqrt(weight), of slides times that length. Methods other than lm, damped,\n"
        "pseudoinverse and inverse have no beta. As rows, as --json or as matrices with\n"
        "--report; all but the joint values in metres and radians, even with --degrees.\n\n"
        "--all lists every solution, as limber solutions does. --avoid-collision writes\n"
        "such a row for each target that has one: of the solution nearest to the start in\n"
        "which no link comes within --margin of another or of --scene. An arm of one\n"
        "joint more is held at 72 values of it, which moves its elbow.\n\n"
        "Several --tip share one configuration, as whole bodies do: each takes the next\n"
        "--position, --rpy or --quaternion, or --targets has columns of all of them,\n"
        "LINK.x, LINK.y and so on. --json and --report say of each tip whether it is\n"
        "reached, and the reason if not; of a file how many rows are. That --json has\n"
        "no times and no \"results\": of one target \"targets\", \"reached\", \"status\",\n"
        "\"iterations\", \"tips\" and \"joints\", of a file the first two.\n\n"
        "The exit status is 0 if all targets are reached, 1 if some are not, 2 for bad\n"
        "input.",
    .choices = &method_choices,
    .operands = 1,
};
