/*
 * robots_main.c - how fast and how sure robots are solved, beside KDL and MuJoCo.
 *
 *     build/bench/robots_bench [MODEL] [--alone] [--quick] [--targets N] [--peer-targets N]
 *                              [--repetitions N] [--width N] [--peers FOLDER] [--json FILE]
 *
 * Without MODEL, all robots that have golden hashes, and a skeleton. Results are verified by a
 * forward kinematics of the benchmark's own: they count as reached when position and rotation are
 * within 1e-6 and all limits are kept. Protocols: a random start and the nearest solution, any
 * solution, restarts from that start alone, one descent; starts 0.1 and 0.02 off a solution;
 * targets out of reach, where those count that are proved to be unreachable. Of each target the
 * least time of all repetitions counts, for every library; peers get up to 100 random starts.
 *
 * The exit status is 1 if a result fails verification, or if its bits are not those of the golden
 * table or of the repetition before; 2 for bad arguments.
 */
#include "bench/bench.h"
#include "bench/golden.h"

#include <limber/formats/load.h>

#include <jansson.h>
#include <popt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int alone, quick;
static char *peers_folder, *json_path;
static bench_options options;

static int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* returns the exit status of bad arguments */
static int complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("robots_bench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return 2;
}

/* ---- tables --------------------------------------------------------------- */

static const char *model_name(const bench_report *report)
{
    return report->model ? lb_model_name(report->model) : "skeleton";
}

static const char *link_name(const bench_report *report, int link)
{
    return lb_model_link(report->model, link)->name;
}

/* the share that was reached, or proved to be unreachable */
static double share_done(const bench_solving *row)
{
    return 100.0 * (row->reached > 0 ? row->reached : row->reported) / row->targets;
}

static void print_report(const bench_report *report)
{
    printf("\n%s", model_name(report));
    if (report->model)
        printf(": %s seen from %s, %d joints", link_name(report, report->tip),
               link_name(report, report->base), report->joints);
    printf("\n  %-28s%-10s%12s%12s\n", "kinematics", "who", "least ns", "median");
    for (int i = 0; i < report->speed_count; i++) {
        const bench_speed *row = &report->speeds[i];
        printf("  %-28s%-10s%12.1f%12.1f\n", row->what, row->who, row->least, row->median);
    }
    if (report->solving_count > 0)
        printf("\n  %-28s%-10s%10s%10s%10s%10s%10s%12s%12s\n", "inverse kinematics", "who",
               "reached %", "mean us", "median", "p99", "worst", "a second", "in a batch");
    for (int i = 0; i < report->solving_count; i++) {
        const bench_solving *row = &report->solvings[i];
        printf("  %-28s%-10s%10.2f%10.2f%10.2f%10.2f%10.2f%12.0f%12.0f\n", row->protocol, row->who,
               share_done(row), row->mean, row->median, row->p99, row->worst, row->rate,
               row->batch_rate);
    }
    if (report->alone)
        printf("  no other library to compare with: %s\n", report->alone);
    if (report->model)
        printf("  to create a solver: %.0f us\n", report->creation);
    fflush(stdout);
}

/* ---- JSON ----------------------------------------------------------------- */

static json_t *run_json(void)
{
    char cpu[200], date[32], version[32];
    time_t now = time(NULL);
    bench_cpu(cpu, sizeof cpu);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    snprintf(version, sizeof version, "%d.%d.%d", LB_VERSION_MAJOR, LB_VERSION_MINOR,
             LB_VERSION_PATCH);
    printf("cpu       %s\ncompiler  %s\nflags     %s\n", cpu, bench_compiler(), bench_flags());
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:[]}", "limber",
                     version, "date", date, "cpu", cpu, "compiler", bench_compiler(), "flags",
                     bench_flags(), "width", options.width, "targets", options.targets,
                     "peer_targets", options.peer_targets, "repetitions", options.repetitions,
                     "position_tolerance", options.position_tolerance, "rotation_tolerance",
                     options.rotation_tolerance, "models");
}

static json_t *hash_json(uint64_t hash)
{
    char text[20];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return json_string(text);
}

static json_t *solving_json(const bench_solving *row)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:b}",
                     "protocol", row->protocol, "who", row->who, "targets", row->targets, "reached",
                     row->reached, "reported", row->reported, "false_successes",
                     row->false_successes, "mean_us", row->mean, "p50_us", row->median, "p99_us",
                     row->p99, "worst_us", row->worst, "solves_per_second", row->rate,
                     "batch_solves_per_second", row->batch_rate, "hash", hash_json(row->hash),
                     "repeatable", row->repeatable);
}

static json_t *report_json(const bench_report *report, const golden_robot *golden)
{
    json_t *object =
        json_pack("{s:s, s:[], s:[]}", "model", model_name(report), "kinematics", "inverse");
    if (report->model)
        json_object_update_new(object, json_pack("{s:s, s:s, s:i, s:f}", "base",
                                                 link_name(report, report->base), "tip",
                                                 link_name(report, report->tip), "joints",
                                                 report->joints, "creation_us", report->creation));
    if (golden)
        json_object_set_new(object, "golden_hash", hash_json(golden->hash));
    for (int i = 0; i < report->speed_count; i++) {
        const bench_speed *row = &report->speeds[i];
        json_array_append_new(json_object_get(object, "kinematics"),
                              json_pack("{s:s, s:s, s:f, s:f}", "what", row->what, "who", row->who,
                                        "least_ns", row->least, "median_ns", row->median));
    }
    for (int i = 0; i < report->solving_count; i++)
        json_array_append_new(json_object_get(object, "inverse"),
                              solving_json(&report->solvings[i]));
    return object;
}

/* ---- one model ------------------------------------------------------------ */

/* base, tip and kind of the golden robot of that name, else the pose of the first default tip */
static bool choose_task(bench_report *report, const golden_robot *golden)
{
    int tips[LB_DEFAULT_TIPS], count = 0;
    lb_task task = {.base = 0};
    if (golden)
        task = golden_task(golden, report->model);
    else if (lb_model_default_tips(report->model, NULL, tips, &count) == LB_OK && count > 0)
        task = lb_task_make(tips[0], 0, LB_TASK_POSE);
    report->base = task.base == LB_WORLD ? 0 : task.base;
    report->tip = task.tip;
    report->kind = task.kind;
    return golden || count > 0;
}

/* joints that move, on the path from base to tip */
static int count_joints(const bench_report *report)
{
    int count = 0, a = report->base, b = report->tip;
    while (a != b) {
        int *deeper = a > b ? &a : &b;
        count += lb_model_joint(report->model, *deeper - 1)->kind != LB_JOINT_FIXED;
        *deeper = lb_model_parent(report->model, *deeper);
    }
    return count;
}

/* the results have their golden bits; a model that is not embedded has none */
static bool check_golden(const golden_robot *golden, const lb_model *model)
{
    uint64_t hash = 0;
    if (!golden || (golden_hash(golden, model, options.width, &hash) && hash == golden->hash))
        return true;
    complain("%s: the results have hash %016llx, not %016llx: the measurements would be of wrong "
             "results",
             golden->model, (unsigned long long)hash, (unsigned long long)golden->hash);
    return false;
}

/* no false success, and the same bits every time */
static bool check_promises(const bench_report *report)
{
    bool kept = true;
    for (int i = 0; i < report->solving_count; i++) {
        const bench_solving *row = &report->solvings[i];
        if (strcmp(row->who, "limber") != 0 || (row->false_successes == 0 && row->repeatable))
            continue;
        complain("%s: '%s': %d of %d results fail verification%s", model_name(report),
                 row->protocol, row->false_successes, row->targets,
                 row->repeatable ? "" : "; results differ between repetitions");
        kept = false;
    }
    return kept;
}

/* the exit status */
static int measure(lb_model *model, const golden_robot *golden, json_t *models)
{
    bench_report report = {.model = model};
    if (!choose_task(&report, golden))
        return complain("%s has no tip", lb_model_name(model));
    if (!check_golden(golden, model))
        return 1;
    report.joints = count_joints(&report);
    if (!bench_forward(&report, &options) || !bench_inverse(&report, &options))
        return complain("%s: out of memory", lb_model_name(model));
    print_report(&report);
    json_array_append_new(models, report_json(&report, golden));
    return check_promises(&report) ? 0 : 1;
}

static int run_model(const char *name, json_t *models)
{
    lb_model *model;
    lb_error error = {0};
    if (lb_load(name, NULL, &model, &error) != LB_OK)
        return complain("%s: %s", name, error.message);
    int status = measure(model, lb_embedded_find(name) ? golden_find(name) : NULL, models);
    lb_model_release(model);
    return status;
}

/* the model given, or all robots with golden hashes and a skeleton */
static int run_models(const char *name, json_t *models)
{
    if (name)
        return run_model(name, models);
    int status = 0;
    for (const golden_robot *robot = golden_robots; robot->model; robot++) {
        int one = run_model(robot->model, models);
        status = one > status ? one : status;
    }
    bench_report figure = {.model = NULL};
    if (bench_skeleton(&figure, &options))
        print_report(&figure);
    json_array_append_new(models, report_json(&figure, NULL));
    return status;
}

/* ---- arguments ------------------------------------------------------------ */

static void print_note(const char *message)
{
    fprintf(stderr, "robots_bench: %s\n", message);
}

static int check_numbers(void)
{
    if (quick)
        options.targets = 200, options.peer_targets = 20, options.repetitions = 2;
    if (options.targets < 1 || options.peer_targets < 1 || options.repetitions < 1)
        return complain("--targets, --peer-targets and --repetitions are at least 1");
    if (options.width != 0 && options.width != 1 && options.width != 2 && options.width != 4 &&
        options.width != 8)
        return complain("--width is 1, 2, 4 or 8, or 0 for what the machine has");
    return 0;
}

static int run(const char *name)
{
    peers others = {.count = 0};
    int status = check_numbers();
    if (status != 0)
        return status;
    if (!alone)
        peers_open(&others, peers_folder, print_note);
    options.others = &others;
    json_t *record = run_json();
    status = run_models(name, json_object_get(record, "models"));
    if (json_path && status != 2 &&
        json_dump_file(record, json_path, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0)
        status = complain("%s: cannot be written", json_path);
    json_decref(record);
    peers_close(&others);
    return status;
}

int main(int count, const char **words)
{
    options = bench_options_default();
    const struct poptOption table[] = {
        {"targets", 0, POPT_ARG_INT, &options.targets, 0, "targets of each protocol, 10000", "N"},
        {"peer-targets", 0, POPT_ARG_INT, &options.peer_targets, 0, "of them for peers, 500", "N"},
        {"repetitions", 0, POPT_ARG_INT, &options.repetitions, 0, "of which the least counts, 7",
         "N"},
        {"width", 0, POPT_ARG_INT, &options.width, 0, "lanes of our kernel: 1, 2, 4 or 8", "N"},
        {"peers", 0, POPT_ARG_STRING, &peers_folder, 0, "where the modules of peers are", "FOLDER"},
        {"json", 0, POPT_ARG_STRING, &json_path, 0, "write all numbers as JSON", "FILE"},
        {"alone", 0, POPT_ARG_NONE, &alone, 0, "measure limber alone", NULL},
        {"quick", 0, POPT_ARG_NONE, &quick, 0, "few targets: to see that all is well", NULL},
        POPT_AUTOHELP POPT_TABLEEND,
    };
    poptContext context = poptGetContext(NULL, count, words, table, 0);
    poptSetOtherOptionHelp(context, "[MODEL]");
    int code = poptGetNextOpt(context);
    const char *name = poptGetArg(context), *more = poptPeekArg(context);
    int status = code < -1 ? complain("%s: %s", poptBadOption(context, 0), poptStrerror(code))
                 : more    ? complain("one model at a time, not also '%s'", more)
                           : run(name);
    poptFreeContext(context);
    free(peers_folder);
    free(json_path);
    return status;
}
