/*
 * bench_report.h - measurements as tables for people and as JSON for programs.
 */
#ifndef CLI_OUTPUT_BENCH_REPORT_H
#define CLI_OUTPUT_BENCH_REPORT_H

#include "bench/bench.h"
#include "bench/golden.h"

#include <jansson.h>
#include <stdio.h>

/* The tables of one model; where report->model is NULL its speeds alone. */
void bench_report_print(const bench_report *report, FILE *stream);

/* Everything of one run: the machine, the options, and a report for each model. */
typedef struct bench_record {
    json_t *root, *models; /* models is part of root */
} bench_record;

void bench_record_start(bench_record *record, const bench_options *options);
/* What the run is made on and with, in a few lines. */
void bench_record_print(const bench_record *record, FILE *stream);
/* `golden` NULL: the model has no golden hash. */
void bench_record_add(bench_record *record, const bench_report *report, const golden_robot *golden);
void bench_record_write(const bench_record *record, FILE *stream);
void bench_record_release(bench_record *record);

#endif
