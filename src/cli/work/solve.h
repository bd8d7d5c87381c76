/*
 * solve.h - the computations of limber ik: many targets solved, block by block, one after the
 * other, each timed by itself, or side by side on several threads; the iterations of one; and
 * several tips at once.
 */
#ifndef CLI_WORK_SOLVE_H
#define CLI_WORK_SOLVE_H

#include "cli/command.h"
#include "cli/options/arguments.h"
#include "cli/options/figure.h"
#include "cli/options/targets.h"
#include "cli/report/results.h"

#include <limber/ik.h>
#include <limber/model.h>
#include <limber/solutions.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- threads ----------------------------------------------------------- */

/*
 * The library starts no threads; the program does, by OpenMP where it was built
 * with that. This is the only place that does.
 */

/* --threads */
extern const struct poptOption thread_options[];

/* The value of --threads: 0 when it is not given, else at least 1. Warns if there cannot be so
   many. */
int threads_given(void);

/*
 * Calls `work` once for each part 0 <= part < parts, on at most `threads` threads: on
 * each of them with its own number, 0 <= thread < threads, never with one number on
 * two threads at once.
 */
typedef void threads_work(void *user, int thread, int part);
void threads_run(int threads, int parts, threads_work *work, void *user);

/* ---- blocks of targets ------------------------------------------------- */

/* --start, alone and with --starts; --figure and what it looks like */
extern const struct poptOption start_options[], starts_options[], drawing_options[];

/* What --start says; NULL: nothing. */
const char *blocks_start(void);
/* Opens the starts of targets that are open. */
void blocks_read_starts(const lb_model *model, problem_source *problems);

/* How many targets are worked on at once: all of them when they are drawn as one. */
int blocks_size(int usual);

/* What is computed of a block of targets, and remarked on when rows of all are written. */
typedef struct block_work {
    const destination_forms *form;
    void (*find)(void *results);
    void (*remark)(const void *results); /* NULL: nothing */
} block_work;

/* Finds and writes block by block, from the first on, which is there. */
void blocks_write(const block_work *work, void *results, problem_source *problems);

/* What is computed of a block of poses. */
typedef struct pose_work {
    const destination_forms *form;
    bool (*measure)(void *results, pose_list *poses); /* false: no pose from here on counts */
} pose_work;

/* Reads, measures and writes block by block, or all poses at once where words are printed of them;
   false if `measure` said so. */
bool blocks_write_poses(const pose_work *work, void *results, pose_source *source);

/* Begins a command on the targets of one tip: loads the model `name` and opens the targets. */
const lb_model *blocks_start_command(const char *name, problem_source *problems);

/* ---- rows of targets ----------------------------------------------------- */

/* Targets that nothing was found for, and why: " 2 (unreachable), 4 (stalled)". */
enum { MISSING_SIZE = 1536 };
typedef struct missing_targets {
    int count;
    char names[MISSING_SIZE];
} missing_targets;

/* What is found for the targets of one tip: none, one or many rows for each, target after target.
 */
typedef struct target_rows {
    const lb_model *model;
    lb_task task;

    /* the block */
    const target_list *targets;
    const pose_list *starts; /* one for each target, or one for all */
    double *q;               /* nq numbers of each row */
    int count, room;
    int *first; /* of each target: its first row; one more for the end */
    int before; /* targets of earlier blocks */

    /* all blocks up to this one */
    int target_count, reached;
    size_t total;   /* rows */
    double seconds; /* of solving alone */
    missing_targets missing;
} target_rows;

/* Reads the first block of the problems, for which `rows` is then there. */
void rows_open(target_rows *rows, const lb_model *model, problem_source *problems);
/* The same for lists that are there. Everything pointed to must outlive the rows. */
void rows_start(target_rows *rows, const lb_model *model, const lb_task *task,
                const target_list *targets, const pose_list *starts);

/* Begins with the block; makes room for `most` more rows, and for what is known of each, `size`
   bytes in *infos. */
void rows_begin(target_rows *rows);
void rows_reserve(target_rows *rows, int most, void **infos, size_t size);
/* The start of target i of the block; the values of row r. */
const double *rows_start_of(const target_rows *rows, int i);
double *rows_values(const target_rows *rows, int r);
/* The rows of target i are there, and whether it is reached; `why` it is missing, NULL: it is not.
 */
void rows_end(target_rows *rows, int i, bool reached, const char *why);

/* The column "target" of row r, and which of the block it is. */
int rows_name_target(const target_rows *rows, int r, row *to);
/* The targets that are missing as a remark: "no solution for target 2 (unreachable) and 5 more". */
void rows_remark(const target_rows *rows, const char *what);
/* The account of several targets in words; `of` are their rows: ", 12 solutions". False: there is
   one target, and nothing was written. */
bool rows_words(const target_rows *rows, const char *of, const char *what, FILE *stream);
/* Prints the values of row r that are solved for; and, over them, their names and their units. */
void rows_print_values(const target_rows *rows, const value_slot *slots, int r, FILE *stream);
void rows_print_head(const target_rows *rows, const value_slot *slots, FILE *stream);
/* Draws --figure, if it is given: starts, targets, and the rows, the first of each target in full,
   the others as ghosts. An empty label is none. */
void rows_draw(const target_rows *rows, figure_label *label, const void *user);
/* Draws the rows to a file; problems: with their starts and targets. */
void rows_draw_to(const target_rows *rows, bool problems, lb_drawing *drawing, const char *path,
                  figure_label *label, const void *user);
/* The exit status of what was written. */
int rows_status(const target_rows *rows);

/* ---- durations -------------------------------------------------------- */

/* Binary orders of magnitude from 2^DURATION_FROM seconds (0.5 ns) on, and bins in each. */
enum { DURATION_FROM = -31, DURATION_ORDERS = 56, DURATION_BINS = 512 };

/* Durations counted in bins; all zeros at first. */
typedef struct durations {
    int64_t count;
    double least, most;
    uint32_t bins[DURATION_ORDERS * DURATION_BINS];
} durations;

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

/* One row for each target: its solution, and what came of it. */
typedef struct solve {
    target_rows rows;
    int threads;  /* 0: one after the other */
    lb_ik **iks;  /* one for each thread, at least one */
    int ik_count; /* no more than there is work for */

    /* the block */
    lb_ik_result *results;
    double *seconds; /* that each solve took on its thread; side by side, its share of them */

    /* all blocks up to this one */
    int outcomes[LB_OUTCOME_COUNT];             /* how many of each */
    durations times;                            /* of one solve */
    solve_unreached unreached[SOLVE_UNREACHED]; /* the first */
    int unreached_count;
} solve;

/*
 * Prepares for blocks of targets on `threads` threads, or one after the other when that is 0; the
 * rows are begun with the first block, which is the largest. `total` is the number of all targets,
 * 0 while it is not known.
 */
void solve_create(solve *all, const lb_ik_options *options, int threads, int total);
/* Solves the block; solutions and results are the same bits for any blocks and threads. */
void solve_block(solve *all);
/* Targets that keep so many threads busy: a block for solve_block. */
int solve_block_size(int threads);

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
 * Solves the blocks of limber ik, of which the first is there, and writes their rows in the place
 * of this process alone. In the end the counts of targets and of outcomes are those of all. False
 * after a complaint, which may be that of another process.
 */
typedef bool solve_sharing(solve *all, problem_source *problems);
/* limber ik with its operands, its targets shared by a job of processes; NULL: by none. */
int ik_run(const char *const *operands, solve_sharing *share);

/* ---- results ---------------------------------------------------------- */

/* A row for each target of a block of a `solve`; and the sums of all as members of an object. */
extern const result_table ik_results;
json_t *ik_results_members(void *all);

/* ---- several tips ----------------------------------------------------- */

/* How many tips are meant: as often as --tip was given, else those of --group where several targets
   are, else 1. */
int tips_count(void);

/*
 * Solves for several tips at once, by lb_body, from the pose that --start says and from others: one
 * target each, or the rows of a file with columns for each. Writes the results where the
 * destination's options say. Returns the program's exit status.
 */
int solve_tips(const lb_model *model, int count);

/* ---- every solution ---------------------------------------------------- */

/*
 * The solutions of limber draw --all: of one target, into one figure, the nearest in full; `table`
 * has its options.
 */
void solutions_draw(const lb_model *model, const lb_task *task, const target_list *target,
                    const pose_list *start, const struct poptOption *table,
                    const lb_solutions_options *options, lb_drawing *drawing, const char *path);

/*
 * Solves all targets as a command: writes every solution, or the nearest of each target alone;
 * `avoid`: of those that do not collide. `name` is what the model was loaded by. Returns the exit
 * status.
 */
int solutions_solve(const char *name, const lb_model *model, problem_source *problems,
                    const lb_solutions_options *options, bool avoid, bool every);

#endif
