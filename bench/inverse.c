/*
 * inverse.c - how often and how fast inverse kinematics arrives.
 *
 * A solver gets the same problems in every repetition. Each solve is timed by
 * itself, less the cost of reading the clock, and of each question the least time over
 * the repetitions counts; then mean and percentiles are over questions. Rates are
 * those of parts of 250 questions without a clock in between, the least time of each.
 */
#include "bench.h"
#include "clock.h"
#include "golden.h"
#include "oracle.h"
#include "questions.h"

#include <limber/batch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 250, RESTARTS = 100, PEER_REPETITIONS = 2, MOST_SOLVERS = 8, CREATIONS = 5 };

/* what a clamp through a quaternion may leave beyond a limit */
#define LIMIT_TOLERANCE 1e-9
/* two sums of the same numbers differ by so much */
#define ROUNDING 1e-11

/* What is measured: our options, and how many tries a peer has. */
typedef struct protocol {
    const char *name;
    question_kind kind;
    lb_protocol ours;
    bool no_nudge;
    int restarts; /* of peers; -1: the peers are not run */
} protocol;

static const protocol protocols[] = {
    {"random start, nearest", QUESTION_RANDOM, LB_PROTOCOL_NEAREST, false, RESTARTS},
    {"random start, any solution", QUESTION_RANDOM, LB_PROTOCOL_ANY, false, -1},
    {"random start, that alone", QUESTION_RANDOM, LB_PROTOCOL_GIVEN, false, -1},
    {"random start, one descent", QUESTION_RANDOM, LB_PROTOCOL_GIVEN, true, 0},
    {"start 0.1 rad off", QUESTION_WARM, LB_PROTOCOL_NEAREST, false, RESTARTS},
    {"start 0.02 rad off", QUESTION_NEAR, LB_PROTOCOL_NEAREST, false, RESTARTS},
    {"target out of reach", QUESTION_BEYOND, LB_PROTOCOL_NEAREST, false, -1},
    {"rotation out of reach", QUESTION_TURNED, LB_PROTOCOL_NEAREST, false, -1},
};

enum { PROTOCOLS = sizeof protocols / sizeof *protocols };

/* Someone who solves. */
typedef struct solver {
    bench_solving *row;
    /* returns whether it reports success; q is the whole model's */
    bool (*solve)(struct solver *self, int question, double *q);
    const questions *problems;
    int count; /* of the questions */
    int repetitions;
    lb_ik *ik; /* ours */
    bool wants_unreachable;
    const peer *other; /* or a peer's */
    void *self;
    int which, restarts;
    const chain *path;
    /* for each problem: the least time, and the first result */
    double *times, *solutions;
    bool *successes;
    double *q;                /* room for one result */
    double *totals, *batches; /* for each part: the least time, one by one and by one call */
} solver;

/* ---- ours ----------------------------------------------------------------- */

static bool solve_ours(solver *self, int question, double *q)
{
    lb_outcome outcome = lb_ik_solve(self->ik, &self->problems->targets[question],
                                     questions_start(self->problems, question), q, NULL);
    return outcome == (self->wants_unreachable ? LB_UNREACHABLE : LB_REACHED);
}

/* ---- peers ---------------------------------------------------------------- */

/* a try from the start, then from random ones, until a result is within the limits */
static bool solve_peer(solver *self, int question, double *q)
{
    const chain *path = self->path;
    const lb_transform *target = &self->problems->targets[question];
    const double *start = questions_start(self->problems, question);
    double from[CHAIN_MOST_JOINTS], to[CHAIN_MOST_JOINTS];
    lb_random random = lb_random_seed((uint64_t)question);
    memcpy(q, start, sizeof *q * (size_t)self->problems->nq);
    chain_gather(path, start, from);
    for (int attempt = 0; attempt <= self->restarts; attempt++) {
        if (self->other->solve(self->self, self->which, target, from, to) &&
            chain_unwind(path, to)) {
            chain_scatter(path, to, q);
            return true;
        }
        for (int i = 0; i < path->count; i++)
            from[i] = lb_random_between(&random, fmax(path->joints[i].lower, -LB_PI),
                                        fmin(path->joints[i].upper, LB_PI));
    }
    return false;
}

/* ---- measuring ------------------------------------------------------------ */

/* the questions once, each timed; keeps the least times, and of the first run the results */
static void run_timed(solver *s, int repetition, double cost)
{
    size_t nq = (size_t)s->problems->nq, size = sizeof(double) * nq;
    double *q = s->q;
    uint64_t hash = golden_start();
    for (int i = 0; i < s->count; i++) {
        double begin = clock_now();
        bool success = s->solve(s, i, q);
        double time = fmax(clock_now() - begin - cost, 0);
        golden_add(&hash, q, nq);
        if (repetition == 0) {
            s->successes[i] = success;
            s->times[i] = time;
            memcpy(s->solutions + (size_t)i * nq, q, size);
        }
        s->times[i] = fmin(s->times[i], time);
    }
    if (repetition == 0)
        s->row->hash = hash;
    s->row->repeatable = (repetition == 0 || s->row->repeatable) && s->row->hash == hash;
}

static int count_parts(const solver *s)
{
    return (s->count + PART - 1) / PART;
}

static int part_end(const solver *s, int part)
{
    return (part + 1) * PART < s->count ? (part + 1) * PART : s->count;
}

static void keep_least(double *least, int repetition, double time)
{
    *least = repetition == 0 ? time : fmin(*least, time);
}

/* the questions one by one */
static void run_single(solver *s, int repetition)
{
    for (int part = 0; part < count_parts(s); part++) {
        double begin = clock_now();
        for (int i = part * PART; i < part_end(s, part); i++)
            s->solve(s, i, s->q);
        keep_least(&s->totals[part], repetition, clock_now() - begin);
    }
}

/* many problems by one call; the results must be those of single solves */
static void run_batch(solver *s, int repetition, double *solutions)
{
    size_t numbers = (size_t)s->count * (size_t)s->problems->nq;
    lb_batch batch = {
        .targets = s->problems->targets, .starts = s->problems->starts, .q = solutions};
    for (int part = 0; part < count_parts(s); part++) {
        double begin = clock_now();
        lb_batch_solve(s->ik, &batch, (size_t)part * PART, (size_t)part_end(s, part));
        keep_least(&s->batches[part], repetition, clock_now() - begin);
    }
    bool same = memcmp(solutions, s->solutions, sizeof *solutions * numbers) == 0;
    s->row->repeatable = s->row->repeatable && same;
}

/* verifies the results by the oracle */
static void verify(const solver *s, const bench_report *report, const bench_options *options,
                   lb_transform *links)
{
    lb_task task = lb_task_make(report->tip, report->base, report->kind);
    bench_solving *row = s->row;
    for (int i = 0; i < s->count; i++) {
        const double *q = s->solutions + (size_t)i * (size_t)s->problems->nq;
        double position, rotation;
        oracle_errors(report->model, &task, 1, q, &s->problems->targets[i], links, &position,
                      &rotation);
        bool reached = position <= options->position_tolerance + ROUNDING &&
                       rotation <= options->rotation_tolerance + ROUNDING &&
                       oracle_limit_excess(report->model, q) <= LIMIT_TOLERANCE;
        row->reached += reached;
        row->reported += s->successes[i];
        // a limit is a promise, kept by results of every kind
        bool broken = s->ik && oracle_limit_excess(report->model, q) > LIMIT_TOLERANCE;
        row->false_successes += broken || (s->successes[i] && reached == s->wants_unreachable);
    }
}

/* the times of what was not reached, first of all; returns how many */
static int keep_failed(solver *s)
{
    int kept = 0;
    for (int i = 0; i < s->count; i++)
        if (s->wants_unreachable || !s->successes[i])
            s->times[kept++] = s->times[i];
    return kept;
}

static void sum_up(solver *s)
{
    bench_solving *row = s->row;
    row->targets = s->count;
    int counted = s->row->reachable ? s->count : keep_failed(s);
    if (counted > 0) {
        clock_sort(s->times, counted);
        row->mean = 1e-3 * clock_mean(s->times, counted);
        row->median = 1e-3 * clock_percentile(s->times, counted, 0.5);
        row->p99 = 1e-3 * clock_percentile(s->times, counted, 0.99);
        row->worst = 1e-3 * s->times[counted - 1];
    }
    int parts = count_parts(s);
    double share = (double)s->count / parts;
    row->rate = 1e9 * share / clock_mean(s->totals, parts);
    if (s->ik)
        row->batch_rate = 1e9 * share / clock_mean(s->batches, parts);
}

/* ---- one protocol --------------------------------------------------------- */

/* Everyone who takes part. */
typedef struct match {
    bench_report *report;
    const bench_options *options;
    const protocol *rules;
    questions problems;
    solver solvers[MOST_SOLVERS];
    int count;
} match;

static solver *add_solver(match *m, const char *who)
{
    bench_report *report = m->report;
    if (m->count == MOST_SOLVERS || report->solving_count == BENCH_MOST_ROWS)
        return NULL;
    bench_solving *row = &report->solvings[report->solving_count++];
    *row =
        (bench_solving){.protocol = m->rules->name, .reachable = m->rules->kind < QUESTION_BEYOND};
    snprintf(row->who, sizeof row->who, "%s", who);
    solver *added = &m->solvers[m->count++];
    *added = (solver){.row = row, .problems = &m->problems};
    return added;
}

static bool add_ours(match *m)
{
    const bench_options *o = m->options;
    lb_task task = lb_task_make(m->report->tip, m->report->base, m->report->kind);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = m->rules->ours;
    options.no_nudge = m->rules->no_nudge;
    options.position_tolerance = o->position_tolerance;
    options.rotation_tolerance = o->rotation_tolerance;
    options.width = o->width;
    solver *added = add_solver(m, "limber");
    if (!added)
        return true;
    for (int i = 0; i < CREATIONS; i++) {
        lb_ik_release(added->ik);
        double begin = clock_now();
        if (lb_ik_create(m->report->model, &task, 1, &options, NULL, &added->ik, NULL) != LB_OK)
            return false;
        keep_least(&m->report->creation, i, 1e-3 * (clock_now() - begin));
    }
    added->solve = solve_ours;
    added->wants_unreachable = m->rules->kind == QUESTION_BEYOND;
    added->count = o->targets;
    added->repetitions = o->repetitions;
    return true;
}

/* every solver of every peer; the chain is what they were given in bench_forward too */
static void add_peers(match *m, const chain *path)
{
    const bench_options *o = m->options;
    for (int i = 0; o->others && i < o->others->count; i++) {
        const peer *other = o->others->found[i];
        for (int k = 0; k < other->solver_count; k++) {
            char who[BENCH_NAME_SIZE];
            snprintf(who, sizeof who, "%s %s", other->name, other->solvers[k].name);
            solver *added = add_solver(m, who);
            if (!added)
                return;
            added->self = other->create(path, o->position_tolerance, o->rotation_tolerance);
            if (!added->self) {
                m->count--;
                m->report->solving_count--;
                continue;
            }
            added->solve = solve_peer;
            added->other = other;
            added->which = k;
            added->restarts = m->rules->restarts;
            added->path = path;
            added->count = o->peer_targets < o->targets ? o->peer_targets : o->targets;
            added->repetitions =
                o->repetitions < PEER_REPETITIONS ? o->repetitions : PEER_REPETITIONS;
        }
    }
}

static bool give_room(solver *s)
{
    size_t count = (size_t)s->count;
    s->times = malloc(sizeof *s->times * count);
    s->solutions = malloc(sizeof *s->solutions * count * (size_t)s->problems->nq);
    s->successes = malloc(sizeof *s->successes * count);
    s->q = malloc(sizeof *s->q * (size_t)s->problems->nq);
    s->totals = malloc(sizeof *s->totals * (size_t)count_parts(s));
    s->batches = malloc(sizeof *s->batches * (size_t)count_parts(s));
    return s->times && s->solutions && s->successes && s->q && s->totals && s->batches;
}

static void release_solver(solver *s)
{
    free(s->times);
    free(s->solutions);
    free(s->successes);
    free(s->q);
    free(s->totals);
    free(s->batches);
    lb_ik_release(s->ik);
    if (s->self)
        s->other->release(s->self);
}

/* everyone in turns, so that a slow moment of the machine falls on all */
static bool play(match *m)
{
    const lb_model *model = m->report->model;
    lb_transform *links = malloc(sizeof *links * (size_t)lb_model_link_count(model));
    double *solutions = malloc(sizeof *solutions * (size_t)(m->problems.count * m->problems.nq));
    bool done = links && solutions;
    for (int i = 0; i < m->count; i++)
        done = done && give_room(&m->solvers[i]);
    double cost = clock_cost();
    for (int k = 0; done && k < m->options->repetitions; k++)
        for (int i = 0; i < m->count; i++) {
            solver *s = &m->solvers[i];
            if (k >= s->repetitions)
                continue;
            run_timed(s, k, cost);
            run_single(s, k);
            if (s->ik)
                run_batch(s, k, solutions);
        }
    for (int i = 0; done && i < m->count; i++) {
        verify(&m->solvers[i], m->report, m->options, links);
        sum_up(&m->solvers[i]);
    }
    free(solutions);
    free(links);
    return done;
}

static bool play_protocol(bench_report *report, const bench_options *options, const chain *path,
                          const protocol *rules)
{
    match m = {.report = report, .options = options, .rules = rules};
    lb_task task = lb_task_make(report->tip, report->base, report->kind);
    bool done = questions_make(&m.problems, report->model, &task, rules->kind, options->targets,
                               options->seed) &&
                add_ours(&m);
    if (done && path && rules->restarts >= 0)
        add_peers(&m, path);
    done = done && play(&m);
    for (int i = 0; i < m.count; i++)
        release_solver(&m.solvers[i]);
    questions_release(&m.problems);
    return done;
}

bool bench_inverse(bench_report *report, const bench_options *options)
{
    chain path;
    // peers take poses of a tip in the root's frame
    bool others = chain_find(report->model, report->tip, &path, &report->alone);
    if (others && (report->base != 0 || report->kind != LB_TASK_POSE)) {
        report->alone = "the task is not a pose in the root's frame";
        others = false;
    }
    for (int i = 0; i < PROTOCOLS; i++) {
        // a place alone can be had with any rotation
        if (protocols[i].kind == QUESTION_TURNED && report->kind == LB_TASK_POSITION)
            continue;
        if (options->progress)
            options->progress(protocols[i].name, (double)i / PROTOCOLS);
        if (!play_protocol(report, options, others ? &path : NULL, &protocols[i]))
            return false;
    }
    return true;
}

bench_options bench_options_default(void)
{
    return (bench_options){.targets = 10000,
                           .peer_targets = 500,
                           .repetitions = 7,
                           .position_tolerance = 1e-6,
                           .rotation_tolerance = 1e-6,
                           .seed = 1};
}
