/* golden.c - fingerprints of results; the hash is FNV-1a, 64 bits (Fowler, Noll, Vo). */
#include "golden.h"

#include <limber/fk_batch.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 1000, FK_BATCH = 101 };

const golden_robot golden_robots[] = {
#define GOLDEN(model, base, tip, kind, hash) {model, base, tip, kind, UINT64_C(hash)},
#include "golden_table.h"
#undef GOLDEN
    {NULL, NULL, NULL, LB_TASK_POSE, 0},
};

const golden_robot *golden_find(const char *model)
{
    for (const golden_robot *robot = golden_robots; robot->model; robot++)
        if (strcmp(robot->model, model) == 0)
            return robot;
    return NULL;
}

lb_task golden_task(const golden_robot *robot, const lb_model *model)
{
    int base = *robot->base ? lb_model_find_link(model, robot->base) : LB_WORLD;
    return lb_task_make(lb_model_find_link(model, robot->tip), base, robot->kind);
}

/* ---- hashing -------------------------------------------------------------- */

uint64_t golden_start(void)
{
    return UINT64_C(0xcbf29ce484222325);
}

void golden_add(uint64_t *hash, const double *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        for (int byte = 0; byte < 64; byte += 8)
            *hash = (*hash ^ (bits >> byte & 0xff)) * UINT64_C(0x100000001b3);
    }
}

static void add_result(uint64_t *hash, const lb_ik_result *result)
{
    const double numbers[] = {result->outcome,        result->tries,          result->iterations,
                              result->position_error, result->rotation_error, result->beyond_reach};
    golden_add(hash, numbers, sizeof numbers / sizeof *numbers);
}

/* where all links are, and how the tip moves */
static void add_state(uint64_t *hash, const lb_state *state, int tip, double *jacobian)
{
    const lb_model *model = lb_state_model(state);
    const lb_transform *links = lb_state_transforms(state);
    for (int i = 0; i < lb_model_link_count(model); i++)
        golden_add(hash, &links[i].x.x, 12);
    lb_state_jacobian(state, tip, lb_vec3_make(0.1, -0.2, 0.3), LB_AXES_WORLD, jacobian);
    golden_add(hash, jacobian, 6 * (size_t)lb_model_nv(model));
}

/* ---- problems ------------------------------------------------------------- */

/* What solving needs, all of one model. */
typedef struct work {
    const lb_model *model;
    lb_task task;
    lb_state *state;
    lb_ik *ik;
    double *start, *goal, *jacobian;
} work;

static bool work_create(work *w, const lb_ik_options *options)
{
    size_t nq = (size_t)lb_model_nq(w->model), nv = (size_t)lb_model_nv(w->model);
    w->start = malloc((2 * nq + 6 * nv) * sizeof(double));
    if (!w->start)
        return false;
    w->goal = w->start + nq;
    w->jacobian = w->goal + nq;
    return lb_state_create(w->model, NULL, &w->state) == LB_OK &&
           lb_ik_create(w->model, &w->task, 1, options, NULL, &w->ik, NULL) == LB_OK;
}

static void work_release(work *w)
{
    lb_ik_release(w->ik);
    lb_state_release(w->state);
    free(w->start);
}

/* most problems can be reached; every hundredth is somewhere beyond */
static void solve_one(work *w, int number, lb_random *random, uint64_t *hash)
{
    lb_configuration_random(w->model, random, w->goal);
    lb_configuration_random(w->model, random, w->start);
    lb_state_update(w->state, w->goal);
    lb_transform target = lb_state_transform(w->state, w->task.base, w->task.tip);
    if (number % 100 == 99)
        target.p = lb_vec3_scale(target.p, 3);
    lb_ik_result result;
    lb_ik_solve(w->ik, &target, w->start, w->goal, &result);
    lb_state_update(w->state, w->goal);
    golden_add(hash, w->goal, (size_t)lb_model_nq(w->model));
    add_result(hash, &result);
    add_state(hash, w->state, w->task.tip, w->jacobian);
}

/* ---- crowds --------------------------------------------------------------- */

/* the same configurations in double and in float, and what follows from them */
typedef struct fk_batch_arrays {
    double *q, *jacobians;
    lb_transform *transforms;
    float *floats, *matrices;
} fk_batch_arrays;

static bool fk_batch_take(fk_batch_arrays *a, size_t nq, size_t nv, size_t links)
{
    a->q = malloc(sizeof(double) * nq * FK_BATCH);
    a->jacobians = malloc(sizeof(double) * 6 * nv * FK_BATCH);
    a->transforms = malloc(sizeof(lb_transform) * links * FK_BATCH);
    a->floats = malloc(sizeof(float) * nq * FK_BATCH);
    a->matrices = malloc(sizeof(float) * 16 * links * FK_BATCH);
    return a->q && a->jacobians && a->transforms && a->floats && a->matrices;
}

static void fk_batch_free(fk_batch_arrays *a)
{
    free(a->q);
    free(a->jacobians);
    free(a->transforms);
    free(a->floats);
    free(a->matrices);
}

static void add_fk_batch(uint64_t *hash, lb_fk_batch *batch, fk_batch_arrays *a,
                         const lb_model *model)
{
    size_t nq = (size_t)lb_model_nq(model), nv = (size_t)lb_model_nv(model);
    size_t links = (size_t)lb_model_link_count(model);
    lb_random random = lb_random_seed(2025);
    for (size_t i = 0; i < FK_BATCH; i++)
        lb_configuration_random(model, &random, a->q + i * nq);
    for (size_t i = 0; i < nq * FK_BATCH; i++)
        a->floats[i] = (float)a->q[i];
    lb_fk_batch_rows rows = {.q = a->q, .transforms = a->transforms, .jacobians = a->jacobians};
    lb_fk_batch_forward(batch, &rows, 0, FK_BATCH);
    golden_add(hash, &a->transforms[0].x.x, 12 * links * FK_BATCH);
    golden_add(hash, a->jacobians, 6 * nv * FK_BATCH);
    lb_fk_batch_floats floats = {.q = a->floats, .matrices = a->matrices, .matrix = LB_MATRIX_4X4};
    lb_fk_batch_forward_float(batch, &floats, 0, FK_BATCH);
    for (size_t i = 0; i < 16 * links * FK_BATCH; i++)
        golden_add(hash, &(double){a->matrices[i]}, 1);
}

/* a batch of this width; the hash goes on */
static bool hash_fk_batch(const lb_model *model, int tip, int width, uint64_t *hash)
{
    lb_fk_batch_options options = lb_fk_batch_options_default();
    options.tip = tip;
    options.point = lb_vec3_make(0.1, -0.2, 0.3);
    options.width = width;
    lb_fk_batch *batch = NULL;
    fk_batch_arrays arrays = {.q = NULL};
    bool done = fk_batch_take(&arrays, (size_t)lb_model_nq(model), (size_t)lb_model_nv(model),
                              (size_t)lb_model_link_count(model)) &&
                lb_fk_batch_create(model, &options, NULL, &batch) == LB_OK;
    if (done)
        add_fk_batch(hash, batch, &arrays, model);
    lb_fk_batch_release(batch);
    fk_batch_free(&arrays);
    return done;
}

/* ---- everything ----------------------------------------------------------- */

bool golden_hash(const golden_robot *robot, const lb_model *model, int width, uint64_t *hash)
{
    static const lb_protocol protocols[] = {LB_PROTOCOL_NEAREST, LB_PROTOCOL_ANY};
    bool done = true;
    *hash = golden_start();
    for (int p = 0; p < 2 && done; p++) {
        lb_ik_options options = lb_ik_options_default();
        options.protocol = protocols[p];
        options.width = width;
        work w = {.model = model, .task = golden_task(robot, model)};
        lb_random random = lb_random_seed(2024);
        done = work_create(&w, &options);
        for (int i = 0; i < PROBLEMS && done; i++)
            solve_one(&w, i, &random, hash);
        work_release(&w);
    }
    return done && hash_fk_batch(model, golden_task(robot, model).tip, width, hash);
}
