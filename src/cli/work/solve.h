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

#include <limber/collision.h>
#include <limber/elbow.h>
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

/*
 * The value of --threads: 0 when it is not given, else at least 1. Prints an error and returns
 * false when that is no number of threads; warns when there cannot be so many.
 */
bool threads_given(int *threads);

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
/* Opens the starts of targets that are open; false after a complaint. */
bool blocks_read_starts(const lb_model *model, problem_source *problems);

/* The file of --figure, and what its options say of it; NULL: none is wanted. */
const char *blocks_figure(lb_drawing *drawing);
/* Whether the requested figure, if any, can be drawn; call before anything is computed. */
bool blocks_check_figure(void);

/* How many targets are worked on at once: all of them when they are drawn as one. */
int blocks_size(int usual);
/* The same where a target may have a thousand solutions, or two hundred arcs. */
int blocks_size_of_many(void);

/* What is computed of a block of targets, and remarked on when rows of all are written. */
typedef struct block_work {
    const destination_forms *form;
    void (*find)(void *results);
    void (*remark)(const void *results); /* NULL: nothing */
} block_work;

/* Finds and writes block by block, from the first of `count` targets on; false after a complaint.
 */
bool blocks_write(const block_work *work, void *results, problem_source *problems, int count,
                  int most);

/*
 * Runs a command on the targets of one tip: loads the model `name` and opens the targets. Returns
 * the exit status.
 */
typedef int blocks_command(const char *name, const lb_model *model, problem_source *problems);
int blocks_run(const char *name, blocks_command *run);

/* ---- targets that nothing was found for -------------------------------- */

enum { MISSING_SIZE = 1536, MISSING_TEXT_SIZE = MISSING_SIZE + 64 };

/* All zeros at first. */
typedef struct missing_targets {
    int count;
    char names[MISSING_SIZE]; /* " 2 (unreachable), 4 (stalled)" */
} missing_targets;

/* Adds the target of a number, counted from 1, and why it is missing: "unreachable". */
void missing_add(missing_targets *missing, int number, const char *why);

/* "no solution for target 2 (unreachable), 4 (stalled) and 5 more" with `what` as its beginning. */
void missing_describe(const missing_targets *missing, const char *what,
                      char text[MISSING_TEXT_SIZE]);

/* The same as a remark, unless none is missing. */
void missing_remark(const missing_targets *missing, const char *what);

/* ---- solutions that collide ------------------------------------------- */

/* What came of one target: how many solutions were refused, and why the first of them was. */
typedef struct refusal {
    int count;
    lb_proximity nearest; /* of the first one, which is the nearest to the start */
} refusal;

/* A filter of all solutions, and what it has refused since `refused` was cleared. */
typedef struct avoidance {
    lb_collision *collision;
    refusal refused;
} avoidance;

/* For lb_solutions_options, `user` is the avoidance. */
bool avoidance_filter(void *user, const double *q);

/* "panda_hand and table overlap by 1.2 cm", or that they are nearer than the margin. */
void avoidance_describe(const avoidance *avoid, const refusal *refused, char *text, size_t size);

/* ---- inverse kinematics ------------------------------------------------ */

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
    int rows;        /* one for each target */
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
void ik_summary_words(void *all, FILE *stream);

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

/* ---- every solution ---------------------------------------------------- */

/* All solutions of a block of targets, target after target. Release with solutions_release. */
typedef struct solutions {
    const lb_model *model;
    lb_task task;
    lb_solutions_solver *solver;
    avoidance *avoid; /* what its filter refuses by; NULL: no filter */
    int most;         /* rows for one target */

    /* the block */
    const target_list *targets;
    const pose_list *starts;
    double *q; /* rows of nq numbers, as many as `infos` */
    lb_solution *infos;
    int count, room;
    int *first; /* of each target: its first row; one more for the end */
    lb_solutions_summary *summaries;
    refusal *refusals; /* of each target, where something is avoided */
    int before;        /* targets of earlier blocks */

    /* all blocks up to this one */
    int target_count, reached; /* targets, and those with a solution that is inside the limits and
                                  not refused */
    size_t total;              /* solutions */
    bool complete, certified;  /* of every target */
    double seconds;            /* of solving alone */
    missing_targets missing;   /* those without a solution */
} solutions;

/*
 * Prepares for blocks of targets and their starts, one for each or one for all. The lists have the
 * first block, which is the largest, and are filled anew for each. Prints an error and returns
 * false when there is no solver for the task. Everything pointed to must outlive `all`. `avoid` and
 * `most` may be set after that; the options' filter is then avoidance_filter.
 */
bool solutions_create(solutions *all, const lb_model *model, const lb_task *task,
                      const lb_solutions_options *options, const target_list *targets,
                      const pose_list *starts);
/* Finds those of the block of a `solutions`, nearest to each start first. */
void solutions_find(void *all);
/* Accepts one of all zeros. */
void solutions_release(solutions *all);

/*
 * Draws them into one figure, what `drawing` says of it besides poses: the nearest of the first
 * target in full, the others as ghosts; those of one target are labelled by branch.
 */
bool solutions_draw(const solutions *all, lb_drawing *drawing, const char *path);

/*
 * Solves all targets as a command: writes every solution, or the nearest of each target alone;
 * `avoid`: of those that do not collide. `name` is what the model was loaded by. Returns the exit
 * status.
 */
int solutions_solve(const char *name, const lb_model *model, problem_source *problems,
                    const lb_solutions_options *options, bool avoid, bool every);

/* ---- the elbow of seven joints ----------------------------------------- */

/* The names of lb_elbow_goal, in its order: what --best takes. */
enum { ELBOW_GOALS = 3 };
extern const char *const elbow_goals[ELBOW_GOALS + 1];

/*
 * Finds the elbow of every target as a command: the arcs that it can be on, or the best by an
 * lb_elbow_goal; `goal` -1: arcs. Returns the exit status.
 */
int elbows_solve(const lb_model *model, problem_source *problems, int goal);

#endif
