/*
 * solve.h - many targets solved, block by block: one after the other, each timed by itself,
 * or side by side on several threads.
 */
#ifndef CLI_OUTPUT_SOLVE_H
#define CLI_OUTPUT_SOLVE_H

#include <limber/ik.h>

#include "cli/options/poses.h"
#include "cli/options/targets.h"
#include "cli/output/durations.h"

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
 * Who solves the blocks of limber ik and writes their rows, instead of this process alone: the
 * first block, of `count` targets, is there, and at most `most` are read at a time. In the end
 * all->count and the number of those that were reached are those of all targets. NULL: this
 * process.
 */
struct problem_source;
typedef bool solve_sharing(solve *all, struct problem_source *problems, int count, int most);
void solve_share(solve_sharing *sharing);
solve_sharing *solve_shared(void);

#endif
