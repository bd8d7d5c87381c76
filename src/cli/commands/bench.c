/*
 * bench.c - limber bench: how fast and how sure, beside others.
 */
#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/select.h"
#include "cli/output/bench_report.h"
#include "cli/report/console.h"
#include "cli/report/report.h"

#include "bench/bench.h"
#include "bench/golden.h"
#include "formats/file.h"

#include <limber/formats/load.h>

#include <stdlib.h>
#include <string.h>

/* those of a quick run: enough to see that all is well, not to quote */
enum { QUICK_TARGETS = 200, QUICK_PEER_TARGETS = 20, QUICK_REPETITIONS = 2 };

static int quick_wanted, single_wanted;
static text_option base_given, tip_given, targets_given, peer_targets_given, repetitions_given,
    width_given, peers_folder, json_path;

/* ---- options -------------------------------------------------------- */

static void tell_progress(const char *what, double share)
{
    progress_start(what, 100);
    progress_at((long)(100 * share));
}

static bool read_options(bench_options *options)
{
    *options = bench_options_default();
    if (quick_wanted) {
        options->targets = QUICK_TARGETS;
        options->peer_targets = QUICK_PEER_TARGETS;
        options->repetitions = QUICK_REPETITIONS;
    }
    options->progress = tell_progress;
    return argument_count("--targets", option_text(targets_given), 1, 10000000,
                          &options->targets) &&
           argument_count("--peer-targets", option_text(peer_targets_given), 1, 10000000,
                          &options->peer_targets) &&
           argument_count("--repetitions", option_text(repetitions_given), 1, 1000,
                          &options->repetitions) &&
           argument_count("--width", option_text(width_given), 0, 8, &options->width);
}

/* ---- one model ------------------------------------------------------------ */

/* base, tip and kind: the options', else those of the golden robot of that name */
static bool choose_task(bench_report *report, const golden_robot *golden)
{
    const char *base = option_text(base_given), *tip = option_text(tip_given);
    report->kind = LB_TASK_POSE;
    if (golden && !base && !tip) {
        base = *golden->base ? golden->base : NULL;
        tip = golden->tip;
        report->kind = golden->kind;
    }
    lb_task task;
    if (!select_task(report->model, base, tip, report->kind, &task))
        return false;
    /* the root's place in the world is a constant that no solver works on */
    report->base = task.base == LB_WORLD ? 0 : task.base;
    report->tip = task.tip;
    select_remark();
    return true;
}

/* a solver can be made of it; complains otherwise */
static bool check_task(const bench_report *report, int width)
{
    lb_ik *ik;
    lb_error error = {0};
    lb_task task = lb_task_make(report->tip, report->base, report->kind);
    lb_ik_options options = lb_ik_options_default();
    options.width = width;
    bool fine = lb_ik_create(report->model, &task, 1, &options, NULL, &ik, &error) == LB_OK;
    if (!fine)
        complain_error(&error);
    lb_ik_release(ik);
    return fine;
}

/* joints that move, on the path from base to tip */
static int count_joints(const bench_report *report)
{
    const lb_model *model = report->model;
    int count = 0, a = report->base, b = report->tip;
    while (a != b) {
        int *deeper = a > b ? &a : &b;
        count += lb_model_joint(model, *deeper - 1)->kind != LB_JOINT_FIXED;
        *deeper = lb_model_parent(model, *deeper);
    }
    return count;
}

/* the results have their golden bits; a model that is not embedded has none */
static bool check_golden(const golden_robot *golden, const lb_model *model, int width)
{
    uint64_t hash = 0;
    if (golden == NULL)
        return true;
    if (golden_hash(golden, model, width, &hash) && hash == golden->hash)
        return true;
    complain("%s: the results have hash %016llx, not %016llx: the measurements would be of "
             "wrong results",
             golden->model, (unsigned long long)hash, (unsigned long long)golden->hash);
    return false;
}

/* no false success, and the same bits every time */
static bool check_promises(const bench_report *report)
{
    bool kept = true;
    for (int i = 0; i < report->solving_count; i++) {
        const bench_solving *row = &report->solvings[i];
        if (strcmp(row->who, "limber") != 0)
            continue;
        if (row->false_successes > 0)
            complain("%s: %d of %d results of '%s' fail verification", lb_model_name(report->model),
                     row->false_successes, row->targets, row->protocol);
        if (!row->repeatable)
            complain("%s: the results of '%s' differ between runs", lb_model_name(report->model),
                     row->protocol);
        kept = kept && row->false_successes == 0 && row->repeatable;
    }
    return kept;
}

/* measures a model and reports; returns the exit status */
static int measure(lb_model *model, const golden_robot *golden, const bench_options *options,
                   bench_record *record)
{
    bench_report report = {.model = model};
    if (!choose_task(&report, golden) || !check_task(&report, options->width))
        return EXIT_BAD_INPUT;
    if (json_array_size(record->models) == 0)
        bench_record_print(record, stdout);
    if (!check_golden(golden, model, options->width))
        return EXIT_UNREACHED;
    report.joints = count_joints(&report);
    bool done = bench_forward(&report, options) && bench_inverse(&report, options);
    progress_clear();
    if (!done) {
        complain("%s: out of memory", lb_model_name(model));
        return EXIT_BAD_INPUT;
    }
    bench_report_print(&report, stdout);
    bench_record_add(record, &report, golden);
    return check_promises(&report) ? EXIT_DONE : EXIT_UNREACHED;
}

static int run_model(const char *name, const bench_options *options, bench_record *record)
{
    lb_model *model = select_model(name);
    const golden_robot *golden = lb_embedded_find(name) ? golden_find(name) : NULL;
    int status = model ? measure(model, golden, options, record) : EXIT_BAD_INPUT;
    lb_model_release(model);
    return status;
}

/* the model given, or all robots with golden hashes and a figure */
static int run_models(const char *name, const bench_options *options, bench_record *record)
{
    if (name != NULL)
        return run_model(name, options, record);
    int status = EXIT_DONE;
    for (const golden_robot *robot = golden_robots; robot->model; robot++) {
        int one = run_model(robot->model, options, record);
        status = one > status ? one : status;
    }
    bench_report figure = {.model = NULL};
    if (bench_skeleton(&figure, options))
        bench_report_print(&figure, stdout);
    bench_record_add(record, &figure, NULL);
    return status;
}

/* ---- the command ---------------------------------------------------------- */

static void say(const char *message)
{
    remark("%s", message);
}

/* the file is begun first, so that nothing is measured in vain */
static bool begin_file(file_writer *writer)
{
    lb_error error = {0};
    const char *path = option_text(json_path);
    if (path == NULL || file_begin(writer, path, &error) == LB_OK)
        return true;
    complain_error(&error);
    return false;
}

static bool commit_file(file_writer *writer, const bench_record *record)
{
    lb_error error = {0};
    if (writer->stream == NULL)
        return true;
    bench_record_write(record, writer->stream);
    if (file_commit(writer, &error) == LB_OK)
        return true;
    complain_error(&error);
    return false;
}

static int run(const char *const *operands)
{
    bench_options options;
    peers others = {.count = 0};
    bench_record record;
    file_writer writer = {0};
    if (!read_options(&options))
        return EXIT_BAD_INPUT;
    if (operands[0] == NULL && (option_text(base_given) || option_text(tip_given))) {
        complain("--base and --tip are of one model: limber bench MODEL --tip ...");
        return EXIT_BAD_INPUT;
    }
    if (!begin_file(&writer))
        return EXIT_BAD_INPUT;
    if (!single_wanted)
        peers_open(&others, option_text(peers_folder), say);
    options.others = &others;
    bench_record_start(&record, &options);
    int status = run_models(operands[0], &options, &record);
    if (status == EXIT_BAD_INPUT)
        file_discard(&writer);
    else if (!commit_file(&writer, &record))
        status = EXIT_BAD_INPUT;
    bench_record_release(&record);
    peers_close(&others);
    return status;
}

static const struct poptOption options_table[] = {
    OPTION_TEXT("base", base_given, "LINK",
                "the link whose frame targets are in; default: the root"),
    OPTION_TEXT(
        "tip", tip_given, "LINK",
        "the link that is to be brought there; default: the tool, hand or tip, as in limber ik"),
    OPTION_TEXT("targets", targets_given, "N", "targets of each protocol; default: 10000"),
    OPTION_TEXT("peer-targets", peer_targets_given, "N",
                "how many of them the others get; default: 500"),
    OPTION_TEXT("repetitions", repetitions_given, "N",
                "how often all is done, of which the least time counts; default: 7"),
    OPTION_TEXT("width", width_given, "N",
                "problems side by side in our kernel, 1, 2, 4 or 8; default: what the machine has"),
    OPTION_TEXT("peers", peers_folder, "FOLDER",
                "where the modules of the others are; default: bench beside the program"),
    OPTION_FLAG("alone", single_wanted, "measure limber alone"),
    OPTION_FLAG("quick", quick_wanted, "few targets and repetitions: to see that all is well"),
    OPTION_TEXT("json", json_path, "FILE", "everything that was measured, for a program to read"),
    OPTION_END,
};

static const example examples[] = {
    {"one robot, quickly, beside KDL and MuJoCo where they are present",
     "limber bench panda --quick"},
    {"for a program to read", "limber bench ur5 --alone --quick --json ur5.json"},
    {NULL, NULL},
};

const command command_bench = {
    .name = "bench",
    .synopsis = "[MODEL] [--base LINK] [--tip LINK] [--targets N]\n"
                "[--repetitions N] [--width N] [--peers FOLDER | --alone]\n"
                "[--quick] [--json FILE]",
    .summary = "measure forward and inverse kinematics, beside other libraries",
    .details = "Without MODEL, all robots that have golden hashes. Results are verified by a\n"
               "forward kinematics of its own, 4x4 matrices with the C library's sine: they are\n"
               "reached when position and rotation are within 1e-6 and all limits are kept.\n"
               "\n"
               "  random start, nearest       a random start; of several solutions the nearest\n"
               "  random start, any solution  the same; the first that is found\n"
               "  random start, that alone    the start alone, freed when it is stuck\n"
               "  random start, one descent   one descent from the start and no other\n"
               "  start 0.1 rad off           every joint up to 0.1 from a solution; and 0.02\n"
               "  target out of reach         how soon that is known; reached is then what was\n"
               "                              proved to be unreachable\n"
               "  in a batch                  128 configurations or all targets at once\n"
               "  batch of floats             the same as 4x4 matrices of floats\n"
               "\n"
               "The others solve the same chain; after a failure, or a result beyond the\n"
               "limits, they get up to 100 random starts. Of each target the least time of\n"
               "all repetitions counts, for every library.\n"
               "\n"
               "The exit status is 1 when a result fails verification, or its bits\n"
               "are not those of the golden table or of the repetition before.",
    .examples = examples,
    .options = options_table,
    .operands = 0,
    .spare = 1,
    .run = run,
};
