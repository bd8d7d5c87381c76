/*
 * solve.h - many targets solved: one after the other, each timed by itself, or
 * side by side on several threads.
 */
#ifndef CLI_OUTPUT_SOLVE_H
#define CLI_OUTPUT_SOLVE_H

#include <limber/ik.h>

#include "cli/options/poses.h"
#include "cli/options/targets.h"

/* The task, and for every target what came of it. Release with solve_release. */
typedef struct solve {
    const lb_model *model;
    lb_task task;
    int threads;  /* 0: one after the other */
    lb_ik **iks;  /* one for each thread, at least one */
    int ik_count; /* no more than there is work for */
    const target_list *targets;
    const pose_list *starts; /* one for each target, or one for all */
    double *solutions;       /* nq numbers for each target */
    lb_ik_result *results;
    double *seconds; /* that each solve took on its thread; side by side, its share of them */
    double elapsed;  /* that all of the solving took, and nothing else */
} solve;

/* Where target i started from, and what was found. */
const double *solve_start(const solve *all, int i);
const double *solve_solution(const solve *all, int i);

/*
 * Solves all targets for `task` on `threads` threads, or one after the other when that
 * is 0; solutions and results are the same bits. Everything pointed to must outlive
 * `all`. Prints an error and returns false when no solver can be created.
 */
bool solve_all(solve *all, const lb_model *model, const lb_task *task, const lb_ik_options *options,
               const target_list *targets, const pose_list *starts, int threads);
void solve_release(solve *all);

/* How it went, over all targets. */
typedef struct solve_summary {
    int targets;
    int outcomes[LB_OUTCOME_COUNT]; /* how many of each */
    double seconds;                 /* solving time alone */
    double solves_per_second;
    double mean_us;        /* `seconds` over the targets, microseconds */
    double p50_us, p99_us; /* of one solve's seconds, microseconds; percentiles by nearest rank */
} solve_summary;

solve_summary solve_summarize(const solve *all);

#endif
