/*
 * cli/solve.c - many targets solved and timed.
 */
#include "cli/solve.h"

#include "cli/console.h"
#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

const double *solve_start(const solve *all, int i)
{
    size_t which = all->starts->count == 1 ? 0 : (size_t)i;
    return all->starts->q + which * (size_t)lb_model_nq(all->model);
}

const double *solve_answer(const solve *all, int i)
{
    return all->answers + (size_t)i * (size_t)lb_model_nq(all->model);
}

bool solve_all(solve *all, const lb_model *model, const lb_task *task, const lb_ik_options *options,
               const target_list *targets, const pose_list *starts)
{
    size_t count = (size_t)targets->count, nq = (size_t)lb_model_nq(model);
    lb_error error = {0};
    memset(all, 0, sizeof *all);
    if (lb_ik_create(model, task, 1, options, NULL, &all->ik, &error) != LB_OK) {
        complain_error(&error);
        return false;
    }
    all->model = model;
    all->task = *task;
    all->targets = targets;
    all->starts = starts;
    all->answers = obtain(count * nq, sizeof *all->answers);
    all->results = obtain(count, sizeof *all->results);
    all->seconds = obtain(count, sizeof *all->seconds);

    progress_start("solved", targets->count);
    for (int i = 0; i < targets->count; i++) {
        double *answer = all->answers + (size_t)i * nq;
        double begun = clock_seconds();
        lb_ik_solve(all->ik, &targets->targets[i], solve_start(all, i), answer, &all->results[i]);
        all->seconds[i] = clock_seconds() - begun;
        progress_at(i + 1);
    }
    progress_clear();
    return true;
}

void solve_release(solve *all)
{
    lb_ik_release(all->ik);
    free(all->answers);
    free(all->results);
    free(all->seconds);
    memset(all, 0, sizeof *all);
}

/* ---- summary ------------------------------------------------------------ */

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* the smallest of n >= 1 sorted numbers that a share of them does not exceed */
static double percentile(const double *sorted, int n, double share)
{
    int rank = (int)ceil(share * n);
    return sorted[rank < 1 ? 0 : rank - 1];
}

solve_summary solve_summarize(const solve *all)
{
    int n = all->targets->count;
    solve_summary summary = {.targets = n};
    double *sorted = obtain((size_t)n, sizeof *sorted);
    memcpy(sorted, all->seconds, (size_t)n * sizeof *sorted);
    qsort(sorted, (size_t)n, sizeof *sorted, compare_numbers);
    for (int i = 0; i < n; i++) {
        summary.outcomes[all->results[i].outcome]++;
        summary.seconds += all->seconds[i];
    }

    /* a clock too coarse to see the solves tells no rate */
    summary.solves_per_second = summary.seconds > 0 ? n / summary.seconds : 0;
    summary.mean_us = 1e6 * summary.seconds / n;
    summary.p50_us = 1e6 * percentile(sorted, n, 0.50);
    summary.p99_us = 1e6 * percentile(sorted, n, 0.99);
    free(sorted);
    return summary;
}
