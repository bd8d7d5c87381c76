/* golden.c - fingerprints of answers; the hash is FNV-1a, 64 bits (Fowler, Noll, Vo). */
#include "golden.h"

#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 1000 };

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
    return done;
}
