/*
 * bench_report.c - measurements as tables for people and as JSON for programs.
 */
#include "cli/output/bench_report.h"

#include "cli/report/console.h"
#include "cli/report/grid.h"
#include "cli/report/print_json.h"

#include <time.h>

/* ---- tables --------------------------------------------------------------- */

static void print_heading(const bench_report *report, FILE *stream)
{
    static const char *const kinds[] = {"position", "rotation", "pose"};
    const char *strong = console_style_text(stream, STYLE_STRONG);
    const char *plain = console_style_text(stream, STYLE_PLAIN);
    const lb_model *model = report->model;
    fprintf(stream, "\n%s%s%s", strong, model ? lb_model_name(model) : "skeleton", plain);
    if (model)
        fprintf(stream, ": %s of %s seen from %s, %d joints", kinds[report->kind],
                lb_model_link(model, report->tip)->name, lb_model_link(model, report->base)->name,
                report->joints);
    fputc('\n', stream);
}

static void print_speeds(const bench_report *report, FILE *stream)
{
    grid table = grid_start("llrr");
    grid_cell(&table, "kinematics");
    grid_cell(&table, "who");
    grid_cell(&table, "least ns");
    grid_cell(&table, "median");
    for (int i = 0; i < report->speed_count; i++) {
        const bench_speed *row = &report->speeds[i];
        grid_cell(&table, "%s", row->what);
        grid_cell(&table, "%s", row->who);
        grid_cell(&table, "%.1f", row->least);
        grid_cell(&table, "%.1f", row->median);
    }
    grid_print(&table, stream);
    grid_release(&table);
}

/* solves a second as 1.23 M or 45.6 k */
static void cell_rate(grid *table, double rate)
{
    if (!(rate > 0))
        grid_cell(table, "%s", "");
    else if (rate >= 1e6)
        grid_cell(table, "%.2f M", 1e-6 * rate);
    else
        grid_cell(table, "%.1f k", 1e-3 * rate);
}

/* reached, or proved to be unreachable */
static double share_done(const bench_solving *row)
{
    int done = row->reached > 0 ? row->reached : row->reported;
    return 100.0 * done / row->targets;
}

static void print_solvings(const bench_report *report, FILE *stream)
{
    static const char *const titles[] = {
        "inverse kinematics", "who",       "reached", "mean us", "median", "p99", "worst",
        "a second",           "in a batch"};
    grid table = grid_start("llrrrrrrr");
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        grid_cell(&table, "%s", titles[i]);
    for (int i = 0; i < report->solving_count; i++) {
        const bench_solving *row = &report->solvings[i];
        grid_cell(&table, "%s", row->protocol);
        grid_cell(&table, "%s", row->who);
        grid_cell(&table, "%.2f %%", share_done(row));
        grid_cell(&table, "%.2f", row->mean);
        grid_cell(&table, "%.2f", row->median);
        grid_cell(&table, "%.2f", row->p99);
        grid_cell(&table, "%.2f", row->worst);
        cell_rate(&table, row->rate);
        cell_rate(&table, row->batch_rate);
    }
    grid_print(&table, stream);
    grid_release(&table);
}

void bench_report_print(const bench_report *report, FILE *stream)
{
    print_heading(report, stream);
    print_speeds(report, stream);
    if (report->solving_count > 0) {
        fputc('\n', stream);
        print_solvings(report, stream);
        if (report->alone)
            fprintf(stream, "  no other library to compare with: %s\n", report->alone);
        fprintf(stream, "  to create a solver: %.0f us\n", report->creation);
    }
    fflush(stream);
}

/* ---- JSON ----------------------------------------------------------------- */

static json_t *machine_json(const bench_options *options)
{
    char cpu[200], date[32], version[32];
    time_t now = time(NULL);
    bench_cpu(cpu, sizeof cpu);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    snprintf(version, sizeof version, "%d.%d.%d", LB_VERSION_MAJOR, LB_VERSION_MINOR,
             LB_VERSION_PATCH);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:[]}", "limber",
                     version, "date", date, "cpu", cpu, "compiler", bench_compiler(), "flags",
                     bench_flags(), "width", options->width, "targets", options->targets,
                     "peer_targets", options->peer_targets, "repetitions", options->repetitions,
                     "position_tolerance", options->position_tolerance, "rotation_tolerance",
                     options->rotation_tolerance, "models");
}

void bench_record_start(bench_record *record, const bench_options *options)
{
    record->root = machine_json(options);
    record->models = json_object_get(record->root, "models");
}

void bench_record_print(const bench_record *record, FILE *stream)
{
    static const char *const shown[] = {"cpu", "compiler", "flags"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        fprintf(stream, "%-10s%s\n", shown[i],
                json_string_value(json_object_get(record->root, shown[i])));
}

static json_t *speeds_json(const bench_report *report)
{
    json_t *rows = json_array();
    for (int i = 0; i < report->speed_count; i++) {
        const bench_speed *row = &report->speeds[i];
        append_json(rows, json_pack("{s:s, s:s, s:f, s:f}", "what", row->what, "who", row->who,
                                    "least_ns", row->least, "median_ns", row->median));
    }
    return rows;
}

static json_t *solvings_json(const bench_report *report)
{
    json_t *rows = json_array();
    for (int i = 0; i < report->solving_count; i++) {
        const bench_solving *row = &report->solvings[i];
        char hash[20];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)row->hash);
        append_json(
            rows,
            json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:s, s:b}",
                      "protocol", row->protocol, "who", row->who, "targets", row->targets,
                      "reached", row->reached, "reported", row->reported, "false_successes",
                      row->false_successes, "mean_us", row->mean, "p50_us", row->median, "p99_us",
                      row->p99, "worst_us", row->worst, "solves_per_second", row->rate,
                      "batch_solves_per_second", row->batch_rate, "hash", hash, "repeatable",
                      row->repeatable));
    }
    return rows;
}

void bench_record_add(bench_record *record, const bench_report *report, const golden_robot *golden)
{
    const lb_model *model = report->model;
    json_t *object = json_object();
    set_json(object, "model", json_string(model ? lb_model_name(model) : "skeleton"));
    if (model) {
        const char *base = lb_model_link(model, report->base)->name;
        const char *tip = lb_model_link(model, report->tip)->name;
        set_json(object, "base", json_string(base));
        set_json(object, "tip", json_string(tip));
        set_json(object, "joints", json_integer(report->joints));
        set_json(object, "creation_us", json_real(report->creation));
    }
    if (golden) {
        char hash[20];
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)golden->hash);
        set_json(object, "golden_hash", json_string(hash));
    }
    set_json(object, "kinematics", speeds_json(report));
    if (model)
        set_json(object, "inverse", solvings_json(report));
    append_json(record->models, object);
}

void bench_record_write(const bench_record *record, FILE *stream)
{
    print_json(record->root, JSON_INDENT(2) | JSON_REAL_PRECISION(6), stream);
}

void bench_record_release(bench_record *record)
{
    json_decref(record->root);
}
