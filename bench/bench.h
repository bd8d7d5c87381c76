/*
 * bench.h - measures a model's kinematics, ours and others', side by side.
 *
 * All contestants get the same chain, the same configurations and the same targets,
 * and are measured in turns, many times over; of each single problem the least time
 * counts, so that what else the machine does is left out for all alike. Whether a
 * target was reached is for oracle.h to say, never for the contestant.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "peers.h"

#include <limber/ik.h>

/* Start from bench_options_default(). */
typedef struct bench_options {
    int targets;               /* of each protocol, 10000 */
    int peer_targets;          /* how many of these the peers get, 500 */
    int repetitions;           /* 7; of the peers' solvers 2 at most */
    int width;                 /* of our kernel, 0: the machine's own */
    double position_tolerance; /* metres, 1e-6 */
    double rotation_tolerance; /* radians, 1e-6 */
    uint64_t seed;             /* of configurations, starts and targets, 1 */
    const peers *others;       /* NULL: none to compare with */
    /* receives what is measured next, and the share done so far; NULL: none */
    void (*progress)(const char *what, double share);
} bench_options;

bench_options bench_options_default(void);

enum { BENCH_NAME_SIZE = 64, BENCH_MOST_ROWS = 64 };

/* One contestant's time for one operation: nanoseconds each, over the repetitions. */
typedef struct bench_speed {
    char who[BENCH_NAME_SIZE];
    const char *what;
    double least, median;
} bench_speed;

/* One solver's results under one protocol. */
typedef struct bench_solving {
    char who[BENCH_NAME_SIZE];
    const char *protocol;
    bool reachable; /* the targets can be reached; if not, times are of what was not reached */
    int targets;
    int reached;         /* within tolerance and limits, by the oracle */
    int reported;        /* as the solver says; of targets out of reach: that it proved so */
    int false_successes; /* reported, but not so */
    /* microseconds of one solve over all targets, each the least of its repetitions */
    double mean, median, p99, worst;
    double rate;       /* solves a second, without a clock between them */
    double batch_rate; /* the same by lb_batch_solve; 0 for peers */
    uint64_t hash;     /* of all results, golden_add; 0 for peers */
    bool repeatable;   /* every repetition, and the batch, gave the same bits */
} bench_solving;

/* Everything about one model. */
typedef struct bench_report {
    const lb_model *model;
    int base, tip;
    lb_task_kind kind;
    int joints;        /* that move, between base and tip */
    const char *alone; /* why there is no other library to compare with, NULL: no reason */
    double creation;   /* microseconds to create a solver, its tables included */
    bench_speed speeds[BENCH_MOST_ROWS];
    int speed_count;
    bench_solving solvings[BENCH_MOST_ROWS];
    int solving_count;
} bench_report;

/* Forward kinematics and Jacobians: fills speeds. False without memory. */
bool bench_forward(bench_report *report, const bench_options *options);

/* Inverse kinematics under every protocol: fills solvings. False without memory. */
bool bench_inverse(bench_report *report, const bench_options *options);

/* Forward kinematics of a figure of 60 ball joints, nanoseconds a joint. False without memory. */
bool bench_skeleton(bench_report *report, const bench_options *options);

/* ---- the machine ---------------------------------------------------------- */

/* What the processor calls itself; "" when it does not. */
void bench_cpu(char *name, size_t size);
/* The compiler and the flags that the library was built with. */
const char *bench_compiler(void);
const char *bench_flags(void);

#endif
