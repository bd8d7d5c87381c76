/*
 * forward.c - how long forward kinematics and Jacobians take.
 *
 * A repetition is 1024 configurations in a row, of each contestant in turn.
 */
#include "bench.h"
#include "clock.h"

#include <limber/fk_batch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* a peer whose tip is elsewhere than ours by more (metres, or in an axis) has another chain */
#define SAME_CHAIN 1e-9

enum { CONFIGURATIONS = 1024, BATCH = 128, ROUNDS = 5, MOST_RUNNERS = 32 };

/* Someone who computes something. */
typedef struct runner {
    bench_speed *row;
    void (*run)(const struct runner *self, const double *q);
    lb_state *state; /* ours */
    int tip;
    const struct fk_batch_runner
        *fk_batch_runner; /* or all configurations at once: by `run` with q NULL */
    const peer *other;    /* or a peer's */
    void *self;
    double *jacobian; /* room for one */
    double scale;     /* what a call's time is divided by */
    double *times;    /* of each repetition */
} runner;

typedef struct race {
    bench_report *report;
    const bench_options *options;
    runner runners[MOST_RUNNERS];
    int count;
    const double *q; /* rows of configurations */
    int nq;
} race;

/* All configurations at once, and what becomes of them. */
typedef struct fk_batch_runner {
    lb_fk_batch *self;
    size_t nq;
    lb_fk_batch_rows rows;     /* Jacobians NULL */
    lb_fk_batch_rows with;     /* the same with Jacobians */
    lb_fk_batch_floats floats; /* NULL matrices: not wanted */
} fk_batch_runner;

/* ---- what is run ---------------------------------------------------------- */

static void run_update(const runner *self, const double *q)
{
    lb_state_update(self->state, q);
}

static void run_jacobian(const runner *self, const double *q)
{
    (void)q;
    lb_state_jacobian(self->state, self->tip, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, self->jacobian);
}

static void run_both(const runner *self, const double *q)
{
    run_update(self, q);
    run_jacobian(self, q);
}

static void run_peer_forward(const runner *self, const double *q)
{
    lb_transform tip;
    self->other->forward(self->self, q, &tip);
}

static void run_peer_both(const runner *self, const double *q)
{
    lb_transform tip;
    self->other->jacobian(self->self, q, &tip, self->jacobian);
}

/* a batch after the other, into the same place, which stays in the cache */
static void run_rows(const fk_batch_runner *c, lb_fk_batch_rows rows)
{
    for (int i = 0; i < CONFIGURATIONS; i += BATCH, rows.q += (size_t)BATCH * c->nq)
        lb_fk_batch_forward(c->self, &rows, 0, BATCH);
}

static void run_fk_batch(const runner *self, const double *q)
{
    (void)q;
    run_rows(self->fk_batch_runner, self->fk_batch_runner->rows);
}

static void run_fk_batch_both(const runner *self, const double *q)
{
    (void)q;
    run_rows(self->fk_batch_runner, self->fk_batch_runner->with);
}

static void run_fk_batch_floats(const runner *self, const double *q)
{
    (void)q;
    const fk_batch_runner *c = self->fk_batch_runner;
    lb_fk_batch_floats rows = c->floats;
    for (int i = 0; i < CONFIGURATIONS; i += BATCH, rows.q += (size_t)BATCH * c->nq)
        lb_fk_batch_forward_float(c->self, &rows, 0, BATCH);
}

/* ---- racing --------------------------------------------------------------- */

static runner *add_runner(race *r, const char *who, const char *what,
                          void (*run)(const runner *self, const double *q))
{
    bench_report *report = r->report;
    if (report->speed_count == BENCH_MOST_ROWS || r->count == MOST_RUNNERS)
        return NULL;
    bench_speed *row = &report->speeds[report->speed_count++];
    snprintf(row->who, sizeof row->who, "%s", who);
    row->what = what;
    runner *added = &r->runners[r->count++];
    *added = (runner){.row = row, .run = run, .scale = 1};
    return added;
}

static void time_runner(const race *r, const runner *one, int repetition)
{
    double begin = clock_now();
    if (one->fk_batch_runner)
        one->run(one, NULL);
    for (int i = 0; !one->fk_batch_runner && i < CONFIGURATIONS; i++)
        one->run(one, r->q + (size_t)i * (size_t)r->nq);
    one->times[repetition] = (clock_now() - begin) / CONFIGURATIONS / one->scale;
}

/* all runners in turns; false without memory */
static bool run_race(race *r)
{
    int repetitions = ROUNDS * r->options->repetitions;
    double *times = malloc(sizeof *times * (size_t)(repetitions * (r->count + 1)));
    if (!times)
        return false;
    for (int i = 0; i < r->count; i++)
        r->runners[i].times = times + i * repetitions;
    for (int k = 0; k < repetitions; k++)
        for (int i = 0; i < r->count; i++)
            time_runner(r, &r->runners[i], k);
    for (int i = 0; i < r->count; i++) {
        runner *one = &r->runners[i];
        clock_sort(one->times, repetitions);
        one->row->least = one->times[0];
        one->row->median = clock_percentile(one->times, repetitions, 0.5);
    }
    free(times);
    return true;
}

/* random configurations of a model, in rows; NULL without memory */
static double *random_rows(const lb_model *model, uint64_t seed)
{
    size_t nq = (size_t)lb_model_nq(model);
    double *q = malloc(sizeof *q * nq * CONFIGURATIONS);
    lb_random random = lb_random_seed(seed);
    for (size_t i = 0; q && i < CONFIGURATIONS; i++)
        lb_configuration_random(model, &random, q + i * nq);
    return q;
}

/* ---- crowds --------------------------------------------------------------- */

static void fk_batch_release(fk_batch_runner *c)
{
    lb_fk_batch_release(c->self);
    free(c->rows.transforms);
    free(c->with.jacobians);
    free((float *)(uintptr_t)c->floats.q);
    free(c->floats.matrices);
}

/* zeros on a cache line, so that times do not depend on where the heap has room */
static void *take(size_t size)
{
    void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
    return memory ? memset(memory, 0, size) : NULL;
}

/* rows for the link `tip` and its Jacobian, or for all links (tip LB_WORLD) and also in float */
static bool fk_batch_create(fk_batch_runner *c, const lb_model *model, int tip, const double *q,
                            int width)
{
    size_t nq = (size_t)lb_model_nq(model), nv = (size_t)lb_model_nv(model);
    size_t links = tip < 0 ? (size_t)lb_model_link_count(model) : 1;
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.width = width;
    options.tip = tip;
    options.links = tip < 0 ? NULL : &tip;
    options.link_count = 1;
    float *floats = take(sizeof *floats * nq * CONFIGURATIONS);
    for (size_t i = 0; floats && i < nq * CONFIGURATIONS; i++)
        floats[i] = (float)q[i];
    *c = (fk_batch_runner){
        .nq = nq,
        .rows = {.q = q, .transforms = take(sizeof(lb_transform) * links * BATCH)},
        .floats = {.q = floats,
                   .matrices = take(sizeof(float) * 16 * links * BATCH),
                   .matrix = LB_MATRIX_4X4},
    };
    c->with = c->rows;
    c->with.jacobians = take(sizeof(double) * 6 * nv * BATCH);
    return floats && c->rows.transforms && c->floats.matrices && c->with.jacobians &&
           lb_fk_batch_create(model, &options, NULL, &c->self) == LB_OK;
}

static void add_fk_batch(race *r, const fk_batch_runner *c, const char *what,
                         void (*run)(const runner *self, const double *q), double scale)
{
    runner *added = add_runner(r, "limber", what, run);
    if (!added)
        return;
    added->fk_batch_runner = c;
    added->scale = scale;
}

/* ---- one model ------------------------------------------------------------ */

/* the same tip, and so the same chain */
static bool agrees(const peer *other, void *self, const chain *path, const race *r)
{
    for (int i = 0; i < 100; i++) {
        const double *q = r->q + i * r->nq;
        lb_transform ours = chain_forward(path, q), theirs;
        other->forward(self, q, &theirs);
        const double *a = &ours.x.x, *b = &theirs.x.x;
        for (int k = 0; k < 12; k++)
            if (!(fabs(a[k] - b[k]) <= SAME_CHAIN))
                return false;
    }
    return true;
}

static void add_peers(race *r, const chain *path, double *jacobian, void **selves)
{
    const peers *others = r->options->others;
    for (int i = 0; others && i < others->count; i++) {
        const peer *other = others->found[i];
        selves[i] =
            other->create(path, r->options->position_tolerance, r->options->rotation_tolerance);
        if (!selves[i] || !agrees(other, selves[i], path, r)) {
            r->report->alone = "a peer's chain has its tip elsewhere";
            continue;
        }
        char who[BENCH_NAME_SIZE];
        snprintf(who, sizeof who, "%s %s", other->name, other->version);
        runner *one = add_runner(r, who, "forward", run_peer_forward);
        runner *both = add_runner(r, who, "forward and Jacobian", run_peer_both);
        runner *added[2] = {one, both};
        for (int k = 0; k < 2 && added[k]; k++) {
            added[k]->other = other;
            added[k]->self = selves[i];
            added[k]->jacobian = jacobian;
        }
    }
}

static void release_peers(const peers *others, void **selves)
{
    for (int i = 0; others && i < others->count; i++)
        if (selves[i])
            others->found[i]->release(selves[i]);
}

static void add_ours(race *r, lb_state *state, int tip, double *jacobian)
{
    static const struct {
        const char *what;
        void (*run)(const runner *self, const double *q);
    } runs[] = {
        {"forward", run_update}, {"forward and Jacobian", run_both}, {"Jacobian", run_jacobian}};
    for (int i = 0; i < 3; i++) {
        runner *added = add_runner(r, "limber", runs[i].what, runs[i].run);
        if (!added)
            return;
        added->state = state;
        added->tip = tip;
        added->jacobian = jacobian;
    }
}

/* the chain from the root to the tip: every library */
static bool race_chain(bench_report *report, const bench_options *options, const chain *path)
{
    lb_model *model = chain_model(path);
    lb_state *state = NULL;
    race r = {.report = report, .options = options, .nq = path->count};
    void *selves[PEERS_MOST] = {NULL};
    double *q = model ? random_rows(model, options->seed) : NULL;
    double *jacobian = malloc(sizeof *jacobian * 6 * (size_t)path->count);
    fk_batch_runner many = {.self = NULL};
    bool done = q && jacobian && lb_state_create(model, NULL, &state) == LB_OK &&
                fk_batch_create(&many, model, path->count + 1, q, options->width);
    if (done) {
        r.q = q;
        add_ours(&r, state, path->count + 1, jacobian);
        add_fk_batch(&r, &many, "forward, in a batch", run_fk_batch, 1);
        add_fk_batch(&r, &many, "with Jacobian, in a batch", run_fk_batch_both, 1);
        add_peers(&r, path, jacobian, selves);
        done = run_race(&r);
        release_peers(options->others, selves);
    }
    fk_batch_release(&many);
    free(jacobian);
    free(q);
    lb_state_release(state);
    lb_model_release(model);
    return done;
}

/* What all of a model's links are measured as: alone, in a batch, in one of floats. */
typedef struct wording {
    const char *alone, *batch, *floats;
} wording;

/* the model as it is, all its links, a call's time divided by `scale` */
static bool race_whole(bench_report *report, const bench_options *options, const lb_model *model,
                       const wording *what, double scale)
{
    lb_state *state = NULL;
    race r = {.report = report, .options = options, .nq = lb_model_nq(model)};
    double *q = random_rows(model, options->seed);
    fk_batch_runner many = {.self = NULL};
    bool done = q && lb_state_create(model, NULL, &state) == LB_OK &&
                fk_batch_create(&many, model, LB_WORLD, q, options->width);
    runner *added = done ? add_runner(&r, "limber", what->alone, run_update) : NULL;
    if (added) {
        r.q = q;
        added->state = state;
        added->scale = scale;
        add_fk_batch(&r, &many, what->batch, run_fk_batch, scale);
        add_fk_batch(&r, &many, what->floats, run_fk_batch_floats, scale);
        done = run_race(&r);
    }
    fk_batch_release(&many);
    free(q);
    lb_state_release(state);
    return done;
}

bool bench_forward(bench_report *report, const bench_options *options)
{
    chain path;
    if (options->progress)
        options->progress("forward kinematics", 0);
    bool is_chain = chain_find(report->model, report->tip, &path, &report->alone);
    if (is_chain && !race_chain(report, options, &path))
        return false;
    const wording what = {"forward, all links", "all links, in a batch",
                          "all links, batch of floats"};
    return race_whole(report, options, report->model, &what, 1);
}

/* ---- a figure ------------------------------------------------------------- */

enum { BONES = 60, LIMB = 6 };

/* limbs of six bones, each from the first bone's end or from another limb's */
static lb_model *build_skeleton(void)
{
    lb_link links[BONES + 1];
    lb_joint joints[BONES];
    char names[BONES + 1][8];
    for (int i = 0; i <= BONES; i++) {
        snprintf(names[i], sizeof names[i], "b%d", i);
        links[i] = lb_link_default();
        links[i].name = names[i];
        if (i == 0)
            continue;
        bool root = (i - 1) % LIMB == 0;
        joints[i - 1] = lb_joint_default();
        joints[i - 1].name = names[i];
        joints[i - 1].parent = names[root ? i / 2 / LIMB * LIMB : i - 1];
        joints[i - 1].child = names[i];
        joints[i - 1].kind = LB_JOINT_BALL;
        joints[i - 1].placement = lb_transform_translation(0.1, 0.02 * i, 0.3);
    }
    lb_model_source source = {.name = "skeleton",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = BONES + 1,
                              .joints = joints,
                              .joint_count = BONES};
    lb_model *model = NULL;
    return lb_model_build(&source, NULL, &model, NULL) == LB_OK ? model : NULL;
}

bool bench_skeleton(bench_report *report, const bench_options *options)
{
    lb_model *model = build_skeleton();
    const wording what = {"60 balls, each", "60 balls, in a batch, each",
                          "60 balls, batch of floats, each"};
    bool done = model && race_whole(report, options, model, &what, BONES);
    lb_model_release(model);
    return done;
}
