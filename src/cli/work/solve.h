/*
 * solve.h - the computations of limber ik: many targets solved, block by block, one after the
 * other, each timed by itself, or side by side on several threads; the iterations of one; and
 * several tips at once.
 */
#ifndef CLI_WORK_SOLVE_H
#define CLI_WORK_SOLVE_H

#include <limber/ik.h>
#include <limber/model.h>
#include <stdint.h>

#include "cli/options/arguments.h"
#include "cli/options/poses.h"
#include "cli/options/targets.h"
#include "cli/report/print_json.h"
#include "cli/report/rows.h"

/* ---- durations -------------------------------------------------------- */

/* Binary orders of magnitude from 2^DURATION_FROM seconds (0.5 ns) on, and bins in each. */
enum { DURATION_FROM = -31, DURATION_ORDERS = 56, DURATION_BINS = 512 };

/* Durations counted in bins; all zeros at first. */
typedef struct durations {
    int64_t count;
    double least, most;
    uint32_t bins[DURATION_ORDERS * DURATION_BINS];
} durations;

/* One more, in seconds. */
void durations_add(durations *all, double seconds);
/*
 * The smallest of the durations that a share of them does not exceed (nearest rank), within
 * 0.1 %; exact when all are equal. There is at least one.
 */
double durations_percentile(const durations *all, double share);

/* ---- targets ---------------------------------------------------------- */

/* Targets that were not reached are kept, up to this many. */
enum { SOLVE_UNREACHED = 8 };

/* One of them. */
typedef struct solve_unreached {
    int index; /* of all targets, from 0 */
    lb_transform target;
    lb_ik_result result;
    double *q; /* the best that was found */
} solve_unreached;

/* The task, and for every target of a block what came of it. Release with solve_release. */
typedef struct solve {
    const lb_model *model;
    lb_task task;
    int threads;  /* 0: one after the other */
    lb_ik **iks;  /* one for each thread, at least one */
    int ik_count; /* no more than there is work for */

    /* the block */
    const target_list *targets;
    const pose_list *starts; /* one for each target, or one for all */
    double *solutions;       /* nq numbers for each target */
    lb_ik_result *results;
    double *seconds; /* that each solve took on its thread; side by side, its share of them */
    int room;        /* targets that there is memory for */
    int before;      /* targets of earlier blocks */

    /* all blocks up to this one */
    int count;
    int outcomes[LB_OUTCOME_COUNT];             /* how many of each */
    double elapsed;                             /* that all of the solving took, and nothing else */
    durations times;                            /* of one solve */
    solve_unreached unreached[SOLVE_UNREACHED]; /* the first */
    int unreached_count;
} solve;

/* Where target i of the block started from, and what was found. */
const double *solve_start(const solve *all, int i);
const double *solve_solution(const solve *all, int i);

/*
 * Prepares for blocks of targets for `task` on `threads` threads, or one after the other when that
 * is 0. The lists have the first block, which is the largest, and are filled anew for each; `total`
 * is the number of all targets, 0 while it is not known. Everything pointed to must outlive `all`.
 * Prints an error and returns false when no solver can be created.
 */
bool solve_create(solve *all, const lb_model *model, const lb_task *task,
                  const lb_ik_options *options, const target_list *targets, const pose_list *starts,
                  int threads, int total);
/* Solves the block; solutions and results are the same bits for any blocks and threads. */
void solve_block(solve *all);
/* Targets that keep so many threads busy: a block for solve_block. */
int solve_block_size(int threads);
void solve_release(solve *all);

/* How it went, over all targets so far. */
typedef struct solve_summary {
    int targets;
    double seconds; /* solving time alone */
    double solves_per_second;
    double mean_us;        /* `seconds` over the targets, microseconds */
    double p50_us, p99_us; /* of one solve's seconds, microseconds; within 0.1 % */
} solve_summary;

solve_summary solve_summarize(const solve *all);

/*
 * Solves the blocks of limber ik and writes their rows in the place of this process alone: the
 * first block, of `count` targets, is there, and at most `most` are read at a time. In the end
 * all->count and the number of those that were reached are those of all targets.
 */
typedef bool solve_sharing(solve *all, problem_source *problems, int count, int most);
/* limber ik with its operands, its targets shared by a job of processes; NULL: by none. */
int ik_run(const char *const *operands, solve_sharing *share);

/* ---- results ---------------------------------------------------------- */

/* A row for each target of a block of a `solve`; and the sums of all as members of an object. */
extern const result_table ik_results;
json_t *ik_results_members(void *all);

/* ---- in words --------------------------------------------------------- */

/*
 * Writes a `solve`, as destination_writer says. One target: the target, the outcome, the joints
 * from base to tip with their limits, and why when it was not reached. Several: how many of each
 * outcome, the time, and the first that were not reached.
 */
bool ik_summary_words(void *all, FILE *stream);

/* ---- iteration by iteration ------------------------------------------- */

/* What is traced: one target from one start, one step after the other. */
typedef struct trace {
    const lb_model *model;
    const lb_task *task; /* its base is the world or the root */
    const lb_ik_options *options;
    const lb_transform *target; /* T_base_goal */
    const double *start;        /* nq */
    int steps;                  /* at most */
    bool reached;               /* result: whether the last step arrived */
} trace;

/*
 * Writes a trace where the destination's options say: for each step the error V, the Jacobian J of
 * the rows that the tip can move in, J J^T, z of the control term, beta with
 * (J J^T + lambda^2) beta = V + J z, J^T beta, what limits took from J^T beta - z, and the joints'
 * change, which is the sum of these. Methods whose step is none of it, and rows where J J^T is
 * singular, have no beta; the last row has no step. False after an error is printed.
 */
bool trace_write(trace *what);

/* ---- several tips ----------------------------------------------------- */

/* How many tips are meant: as often as --tip was given, else those of --group where several targets
   are, else 1. */
int tips_count(text_option given);

/*
 * Solves for several tips at once, by lb_body, from the pose that `start` says and from others: one
 * target each, or the rows of a file with columns for each. Writes the results where the
 * destination's options say. `base` is what --base says. Returns the program's exit status.
 */
int solve_tips(const lb_model *model, int count, text_option given, const char *base,
               const char *start);

#endif
