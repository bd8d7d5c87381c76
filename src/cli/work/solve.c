/*
 * solve.c - many targets solved and timed, block by block.
 */
#include "cli/work/solve.h"

#include "cli/report/report.h"

#include <limber/batch.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- durations -------------------------------------------------------- */

static int bin_of(double seconds)
{
    int order;
    double part = frexp(seconds, &order); // 0.5 <= part < 1
    if (!(seconds > 0) || order <= DURATION_FROM)
        return 0;
    if (order > DURATION_FROM + DURATION_ORDERS)
        return DURATION_ORDERS * DURATION_BINS - 1;
    return (order - 1 - DURATION_FROM) * DURATION_BINS + (int)((part - 0.5) * 2 * DURATION_BINS);
}

static double middle_of(int bin)
{
    double part = 0.5 + (bin % DURATION_BINS + 0.5) / (2 * DURATION_BINS);
    return ldexp(part, bin / DURATION_BINS + 1 + DURATION_FROM);
}

static void add_duration(durations *all, double seconds)
{
    all->least = all->count == 0 || seconds < all->least ? seconds : all->least;
    all->most = all->count == 0 || seconds > all->most ? seconds : all->most;
    all->count++;
    all->bins[bin_of(seconds)]++;
}

/* the smallest of the durations, one at least, that a share of them does not exceed (nearest rank),
   within 0.1 %; exact when all are equal */
static double percentile_of(const durations *all, double share)
{
    int64_t rank = (int64_t)ceil(share * (double)all->count), below = 0;
    int bin = 0;
    while (bin < DURATION_ORDERS * DURATION_BINS - 1 &&
           (below += all->bins[bin]) < (rank < 1 ? 1 : rank))
        bin++;
    return fmin(fmax(middle_of(bin), all->least), all->most);
}

/* ---- one after the other ------------------------------------------------ */

static void solve_each(solve *all)
{
    const target_list *targets = all->rows.targets;
    for (int i = 0; i < targets->count; i++) {
        double begun = clock_seconds();
        lb_ik_solve(all->iks[0], &targets->targets[i], rows_start_of(&all->rows, i),
                    rows_values(&all->rows, i), &all->results[i]);
        all->seconds[i] = clock_seconds() - begun;
        all->rows.seconds += all->seconds[i];
        progress_at(all->rows.before + i + 1);
    }
}

/* ---- side by side ------------------------------------------------------- */

/*
 * Targets go to the threads in ranges: enough of them that none waits long for the
 * others at the end, but each long enough to keep the lanes of a thread full.
 */
enum { RANGES_PER_THREAD = 16, LEAST_RANGE = 64, LARGEST_RANGE = 4096 };

static int range_length(int targets, int threads)
{
    int length = targets / (RANGES_PER_THREAD * threads);
    return length < LEAST_RANGE ? LEAST_RANGE : length > LARGEST_RANGE ? LARGEST_RANGE : length;
}

/* What all threads share, read only but for the rows that each writes of its own. */
typedef struct side_by_side {
    solve *all;
    lb_batch batch;
    int length; /* of a range; the last one may be shorter */
} side_by_side;

static void solve_range(void *user, int thread, int range)
{
    const side_by_side *work = user;
    solve *all = work->all;
    int begin = range * work->length, rest = all->rows.targets->count - begin;
    int end = begin + (rest < work->length ? rest : work->length);
    double begun = clock_seconds();
    lb_batch_solve(all->iks[thread], &work->batch, (size_t)begin, (size_t)end);
    double share = (clock_seconds() - begun) / (end - begin);
    for (int i = begin; i < end; i++)
        all->seconds[i] = share;
    // the first thread speaks for all, of its own ranges
    if (thread == 0)
        progress_at(work->all->rows.before + end);
}

static void solve_together(solve *all)
{
    // each solution begins as its start
    const target_list *targets = all->rows.targets;
    size_t size = (size_t)lb_model_nq(all->rows.model) * sizeof *all->rows.q;
    for (int i = 0; i < targets->count; i++)
        memcpy(rows_values(&all->rows, i), rows_start_of(&all->rows, i), size);
    side_by_side work = {.all = all, .length = range_length(targets->count, all->threads)};
    work.batch = (lb_batch){.targets = targets->targets,
                            .starts = all->rows.q,
                            .q = all->rows.q,
                            .results = all->results};
    int ranges = (targets->count + work.length - 1) / work.length;
    double begun = clock_seconds();
    threads_run(all->ik_count, ranges, solve_range, &work);
    all->rows.seconds += clock_seconds() - begun;
}

int solve_block_size(int threads)
{
    enum { PER_THREAD = RANGES_PER_THREAD * LEAST_RANGE };
    return threads * PER_THREAD > CSV_BLOCK ? threads * PER_THREAD : CSV_BLOCK;
}

/* ---- either ------------------------------------------------------------- */

/* one solver for each thread that there is a range for */
static void create_solvers(solve *all, const lb_ik_options *options)
{
    int targets = all->rows.targets->count, wanted = all->threads > 0 ? all->threads : 1;
    int ranges = (targets - 1) / range_length(targets, wanted) + 1;
    int count = wanted < ranges ? wanted : ranges;
    all->iks = allocate_or_exit((size_t)count, sizeof *all->iks);
    for (; all->ik_count < count; all->ik_count++)
        require(lb_ik_create(all->rows.model, &all->rows.task, 1, options, &program_memory,
                             &all->iks[all->ik_count], why()));
}

void solve_create(solve *all, const lb_ik_options *options, int threads, int total)
{
    size_t count = (size_t)all->rows.targets->count, nq = (size_t)lb_model_nq(all->rows.model);
    all->threads = threads;
    create_solvers(all, options);
    all->rows.q = allocate_or_exit(count * nq, sizeof *all->rows.q);
    all->results = allocate_or_exit(count, sizeof *all->results);
    all->seconds = allocate_or_exit(count, sizeof *all->seconds);
    progress_start("solved", total);
}

/* keeps target i of the block if it is one of the first that were not reached */
static void keep_unreached(solve *all, int i)
{
    size_t size = (size_t)lb_model_nq(all->rows.model) * sizeof(double);
    if (all->results[i].outcome == LB_REACHED || all->unreached_count == SOLVE_UNREACHED)
        return;
    solve_unreached *kept = &all->unreached[all->unreached_count++];
    *kept = (solve_unreached){.index = all->rows.before + i,
                              .target = all->rows.targets->targets[i],
                              .result = all->results[i],
                              .q = allocate_or_exit(1, size)};
    memcpy(kept->q, rows_values(&all->rows, i), size);
}

void solve_block(solve *all)
{
    rows_begin(&all->rows);
    all->rows.count = all->rows.targets->count;
    all->rows.target_count += all->rows.count;
    if (all->threads > 0)
        solve_together(all);
    else
        solve_each(all);
    progress_clear();
    for (int i = 0; i < all->rows.targets->count; i++) {
        all->rows.first[i + 1] = i + 1;
        all->outcomes[all->results[i].outcome]++;
        add_duration(&all->times, all->seconds[i]);
        keep_unreached(all, i);
    }
}

/* ---- summary ------------------------------------------------------------ */

solve_summary solve_summarize(const solve *all)
{
    int n = all->rows.target_count;
    solve_summary summary = {.targets = n, .seconds = all->rows.seconds};

    /* a clock too coarse for the solves gives no rate; an earlier run's solves are not timed */
    double timed = (double)all->times.count;
    summary.solves_per_second = summary.seconds > 0 ? timed / summary.seconds : 0;
    summary.mean_us = timed > 0 ? 1e6 * summary.seconds / timed : 0;
    summary.p50_us = 1e6 * percentile_of(&all->times, 0.50);
    summary.p99_us = 1e6 * percentile_of(&all->times, 0.99);
    return summary;
}

/* ---- results ---------------------------------------------------------- */

static void name_target(const void *results, int i, row *to)
{
    const solve *all = results;
    const lb_ik_result *result = &all->results[i];
    column_choice(to, "status", lb_outcome_text(result->outcome), (int)result->outcome);
    column_whole(to, "iterations", result->iterations);
    column_number(to, "position_error", result->position_error);
    column_number(to, "rotation_error", result->rotation_error);
    column_joints(to, all->rows.model, rows_values(&all->rows, i));
}

const result_table ik_results = ROWS_OF(solve, rows.count, name_target);

json_t *ik_results_members(void *results)
{
    const solve *all = results;
    solve_summary summary = solve_summarize(all);
    return json_pack("{s:i, s:i, s:f, s:f, s:f, s:f, s:f}", "targets", summary.targets, "reached",
                     all->outcomes[LB_REACHED], "seconds", summary.seconds, "solves_per_second",
                     summary.solves_per_second, "mean_us", summary.mean_us, "p50_us",
                     summary.p50_us, "p99_us", summary.p99_us);
}
