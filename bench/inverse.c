/*
 * inverse.c - how often and how fast inverse kinematics arrives.
 *
 * A contestant answers the same questions in every repetition. Each solve is timed by
 * itself, less the cost of reading the clock, and of each question the least time over
 * the repetitions counts; then mean and percentiles are over questions. A second run
 * without a clock in between gives the rate.
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

enum { RESTARTS = 100, PEER_REPETITIONS = 2, MOST_SOLVERS = 8 };

/* what a clamp through a quaternion may leave beyond a limit */
#define LIMIT_TOLERANCE 1e-9
/* two sums of the same numbers differ by so much */
#define ROUNDING 1e-11

/* What is measured: our options, and how many tries a peer has. */
typedef struct protocol {
    const char *name;
    question_kind kind;
    lb_protocol ours;
    int restarts; /* of peers; -1: the peers are not asked */
} protocol;

static const protocol protocols[] = {
    {"random start, nearest", QUESTION_RANDOM, LB_PROTOCOL_NEAREST, RESTARTS},
    {"random start, any solution", QUESTION_RANDOM, LB_PROTOCOL_ANY, -1},
    {"random start, that alone", QUESTION_RANDOM, LB_PROTOCOL_GIVEN, 0},
    {"start 0.1 rad off", QUESTION_WARM, LB_PROTOCOL_NEAREST, RESTARTS},
    {"start 0.02 rad off", QUESTION_NEAR, LB_PROTOCOL_NEAREST, RESTARTS},
    {"target out of reach", QUESTION_BEYOND, LB_PROTOCOL_NEAREST, -1},
};

enum { PROTOCOLS = sizeof protocols / sizeof *protocols };

/* Someone who solves. */
typedef struct solver {
    bench_solving *row;
    /* answers whether it claims success; q is the whole model's */
    bool (*solve)(struct solver *self, int question, double *q);
    const questions *asked;
    int count; /* of the questions */
    int repetitions;
    lb_ik *ik; /* ours */
    bool wants_unreachable;
    const peer *other; /* or a peer's */
    void *self;
    int which, restarts;
    const chain *way;
    /* for each question: the least time, and the first answer */
    double *times, *answers;
    bool *claims;
    double *q;                /* room for one answer */
    double *totals, *batches; /* of each repetition without a clock in between */
} solver;

/* ---- ours ----------------------------------------------------------------- */

static bool solve_ours(solver *self, int question, double *q)
{
    lb_outcome outcome = lb_ik_solve(self->ik, &self->asked->targets[question],
                                     questions_start(self->asked, question), q, NULL);
    return outcome == (self->wants_unreachable ? LB_UNREACHABLE : LB_REACHED);
}

/* ---- peers ---------------------------------------------------------------- */

/* a try from the start, then from random ones, until an answer is within the limits */
static bool solve_peer(solver *self, int question, double *q)
{
    const chain *way = self->way;
    const lb_transform *target = &self->asked->targets[question];
    const double *start = questions_start(self->asked, question);
    double from[CHAIN_MOST_JOINTS], to[CHAIN_MOST_JOINTS];
    lb_random random = lb_random_seed((uint64_t)question);
    memcpy(q, start, sizeof *q * (size_t)self->asked->nq);
    chain_gather(way, start, from);
    for (int attempt = 0; attempt <= self->restarts; attempt++) {
        if (self->other->solve(self->self, self->which, target, from, to) &&
            chain_unwind(way, to)) {
            chain_scatter(way, to, q);
            return true;
        }
        for (int i = 0; i < way->count; i++)
            from[i] = lb_random_between(&random, fmax(way->joints[i].lower, -LB_PI),
                                        fmin(way->joints[i].upper, LB_PI));
    }
    return false;
}

/* ---- measuring ------------------------------------------------------------ */

/* the questions once, each timed; keeps the least times, and of the first run the answers */
static void run_timed(solver *s, int repetition, double cost)
{
    size_t nq = (size_t)s->asked->nq, size = sizeof(double) * nq;
    double *q = s->q;
    uint64_t hash = golden_start();
    for (int i = 0; i < s->count; i++) {
        double begin = clock_now();
        bool claims = s->solve(s, i, q);
        double time = fmax(clock_now() - begin - cost, 0);
        golden_add(&hash, q, nq);
        if (repetition == 0) {
            s->claims[i] = claims;
            s->times[i] = time;
            memcpy(s->answers + (size_t)i * nq, q, size);
        }
        s->times[i] = fmin(s->times[i], time);
    }
    if (repetition == 0)
        s->row->hash = hash;
    s->row->repeatable = (repetition == 0 || s->row->repeatable) && s->row->hash == hash;
}

/* the questions in one go */
static void run_whole(solver *s, int repetition)
{
    double begin = clock_now();
    for (int i = 0; i < s->count; i++)
        s->solve(s, i, s->q);
    s->totals[repetition] = clock_now() - begin;
}

/* the questions by one call; the answers must be those of single solves */
static void run_batch(solver *s, int repetition, double *answers)
{
    size_t count = (size_t)s->count, nq = (size_t)s->asked->nq;
    lb_batch batch = {.targets = s->asked->targets, .starts = s->asked->starts, .q = answers};
    double begin = clock_now();
    lb_batch_solve(s->ik, &batch, 0, count);
    s->batches[repetition] = clock_now() - begin;
    bool same = memcmp(answers, s->answers, sizeof *answers * count * nq) == 0;
    s->row->repeatable = s->row->repeatable && same;
}

/* what the oracle says of the answers */
static void judge(const solver *s, const bench_report *report, const bench_options *options,
                  lb_transform *links)
{
    lb_task task = lb_task_make(report->tip, report->base, report->kind);
    bench_solving *row = s->row;
    for (int i = 0; i < s->count; i++) {
        const double *q = s->answers + (size_t)i * (size_t)s->asked->nq;
        double position, rotation;
        oracle_errors(report->model, &task, 1, q, &s->asked->targets[i], links, &position,
                      &rotation);
        bool reached = position <= options->position_tolerance + ROUNDING &&
                       rotation <= options->rotation_tolerance + ROUNDING &&
                       oracle_limit_excess(report->model, q) <= LIMIT_TOLERANCE;
        row->reached += reached;
        row->claimed += s->claims[i];
        // a limit is a promise, kept by answers of every kind
        bool broken = s->ik && oracle_limit_excess(report->model, q) > LIMIT_TOLERANCE;
        row->false_claims += broken || (s->claims[i] && reached != row->reachable);
    }
}

static void sum_up(solver *s)
{
    bench_solving *row = s->row;
    clock_sort(s->times, s->count);
    clock_sort(s->totals, s->repetitions);
    row->targets = s->count;
    row->mean = 1e-3 * clock_mean(s->times, s->count);
    row->median = 1e-3 * clock_percentile(s->times, s->count, 0.5);
    row->p99 = 1e-3 * clock_percentile(s->times, s->count, 0.99);
    row->worst = 1e-3 * s->times[s->count - 1];
    row->rate = 1e9 * s->count / s->totals[0];
    if (s->ik) {
        clock_sort(s->batches, s->repetitions);
        row->batch_rate = 1e9 * s->count / s->batches[0];
    }
}

/* ---- one protocol --------------------------------------------------------- */

/* Everyone who takes part. */
typedef struct match {
    bench_report *report;
    const bench_options *options;
    const protocol *rules;
    questions asked;
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
        (bench_solving){.protocol = m->rules->name, .reachable = m->rules->kind != QUESTION_BEYOND};
    snprintf(row->who, sizeof row->who, "%s", who);
    solver *added = &m->solvers[m->count++];
    *added = (solver){.row = row, .asked = &m->asked};
    return added;
}

static bool add_ours(match *m)
{
    const bench_options *o = m->options;
    lb_task task = lb_task_make(m->report->tip, m->report->base, m->report->kind);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = m->rules->ours;
    options.position_tolerance = o->position_tolerance;
    options.rotation_tolerance = o->rotation_tolerance;
    options.width = o->width;
    solver *added = add_solver(m, "limber");
    if (!added)
        return true;
    double begin = clock_now();
    if (lb_ik_create(m->report->model, &task, 1, &options, NULL, &added->ik, NULL) != LB_OK)
        return false;
    m->report->creation = 1e-3 * (clock_now() - begin);
    added->solve = solve_ours;
    added->wants_unreachable = m->rules->kind == QUESTION_BEYOND;
    added->count = o->targets;
    added->repetitions = o->repetitions;
    return true;
}

/* every solver of every peer; the chain is what they were given in bench_forward too */
static void add_peers(match *m, const chain *way)
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
            added->self = other->create(way, o->position_tolerance, o->rotation_tolerance);
            if (!added->self) {
                m->count--;
                m->report->solving_count--;
                continue;
            }
            added->solve = solve_peer;
            added->other = other;
            added->which = k;
            added->restarts = m->rules->restarts;
            added->way = way;
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
    s->answers = malloc(sizeof *s->answers * count * (size_t)s->asked->nq);
    s->claims = malloc(sizeof *s->claims * count);
    s->q = malloc(sizeof *s->q * (size_t)s->asked->nq);
    s->totals = malloc(sizeof *s->totals * (size_t)s->repetitions);
    s->batches = malloc(sizeof *s->batches * (size_t)s->repetitions);
    return s->times && s->answers && s->claims && s->q && s->totals && s->batches;
}

static void release_solver(solver *s)
{
    free(s->times);
    free(s->answers);
    free(s->claims);
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
    double *answers = malloc(sizeof *answers * (size_t)(m->asked.count * m->asked.nq));
    bool done = links && answers;
    for (int i = 0; i < m->count; i++)
        done = done && give_room(&m->solvers[i]);
    double cost = clock_cost();
    for (int k = 0; done && k < m->options->repetitions; k++)
        for (int i = 0; i < m->count; i++) {
            solver *s = &m->solvers[i];
            if (k >= s->repetitions)
                continue;
            run_timed(s, k, cost);
            run_whole(s, k);
            if (s->ik)
                run_batch(s, k, answers);
        }
    for (int i = 0; done && i < m->count; i++) {
        judge(&m->solvers[i], m->report, m->options, links);
        sum_up(&m->solvers[i]);
    }
    free(answers);
    free(links);
    return done;
}

static bool play_protocol(bench_report *report, const bench_options *options, const chain *way,
                          const protocol *rules)
{
    match m = {.report = report, .options = options, .rules = rules};
    lb_task task = lb_task_make(report->tip, report->base, report->kind);
    bool done = questions_make(&m.asked, report->model, &task, rules->kind, options->targets,
                               options->seed) &&
                add_ours(&m);
    if (done && way && rules->restarts >= 0)
        add_peers(&m, way);
    done = done && play(&m);
    for (int i = 0; i < m.count; i++)
        release_solver(&m.solvers[i]);
    questions_release(&m.asked);
    return done;
}

bool bench_inverse(bench_report *report, const bench_options *options)
{
    chain way;
    // peers know poses of a tip in the root's frame
    bool others = chain_find(report->model, report->tip, &way, &report->alone);
    if (others && (report->base != 0 || report->kind != LB_TASK_POSE)) {
        report->alone = "the task is not a pose in the root's frame";
        others = false;
    }
    for (int i = 0; i < PROTOCOLS; i++) {
        if (options->progress)
            options->progress(protocols[i].name, (double)i / PROTOCOLS);
        if (!play_protocol(report, options, others ? &way : NULL, &protocols[i]))
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
