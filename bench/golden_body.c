/*
 * golden_body.c - fingerprints of whole bodies: single solves, near and from anywhere, frames with
 * speeds, and batches of one width.
 */
#include "golden.h"

#include <limber/body.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 48, MOST_TASKS = 6, MOST_LINKS = 4, RESTARTS = 3 };

const golden_body golden_bodies[] = {
#define GOLDEN_BODY(model, hash) {model, UINT64_C(hash)},
#include "golden_body_table.h"
#undef GOLDEN_BODY
    {NULL, 0},
};

/* A model's links with poses, and a joint with a value of its own; or links with positions,
   orientations and directions, all of one level. */
typedef struct body_setup {
    const char *model, *links[MOST_LINKS], *joint;
} body_setup;

static const body_setup setups[] = {
    {"panda", {"panda_link4", "panda_hand", NULL}, "panda_joint1"},
    {"human", {"left_foot", "right_hand", "head", NULL}, "left_knee"},
    {"biped", {"right_foot", "chest", "left_forearm", NULL}, NULL},
};

const golden_body *golden_find_body(const char *model)
{
    for (const golden_body *body = golden_bodies; body->model; body++)
        if (strcmp(body->model, model) == 0)
            return body;
    return NULL;
}

/* ---- bodies ----------------------------------------------------------------- */

/* What solving needs, all of one model. */
typedef struct work {
    lb_model *model;
    lb_body *body;
    int tasks;
    double *goals, *starts, *q, *v; /* PROBLEMS rows of nq numbers; of v one row of nv */
    lb_transform *targets;
} work;

static int make_alike(const lb_model *model, const body_setup *setup, lb_body_task *tasks)
{
    static const lb_body_kind kinds[] = {LB_BODY_POSITION, LB_BODY_ORIENTATION, LB_BODY_DIRECTION};
    int n = 0;
    for (; setup->links[n]; n++) {
        tasks[n] = lb_body_task_make(kinds[n], lb_model_find_link(model, setup->links[n]));
        tasks[n].axis = lb_vec3_make(0.3, -0.5, 0.8);
    }
    return n;
}

static int make_tasks(const lb_model *model, const body_setup *setup, lb_body_task *tasks)
{
    int n = 0;
    if (setup->joint == NULL)
        return make_alike(model, setup, tasks);
    while (setup->links[n]) {
        tasks[n] = lb_body_task_make(n % 2 ? LB_BODY_POSITION : LB_BODY_POSE,
                                     lb_model_find_link(model, setup->links[n]));
        tasks[n].level = n > 1;
        n++;
    }
    tasks[n] = lb_body_task_make(LB_BODY_JOINT, 0);
    tasks[n].joint = lb_model_find_joint(model, setup->joint);
    tasks[n].level = 1;
    tasks[n++].weight = 0.1;
    double mass = 0;
    for (int i = 0; i < lb_model_link_count(model); i++)
        mass += lb_model_link(model, i)->mass;
    if (mass > 0) {
        tasks[n] = lb_body_task_make(LB_BODY_CENTER_OF_MASS, 0);
        tasks[n].box = lb_vec3_make(0.05, 0.05, 1);
        tasks[n++].level = 1;
    }
    return n;
}

static bool work_create(work *w, const lb_model *model, const body_setup *setup, int width)
{
    lb_body_task tasks[MOST_TASKS];
    lb_body_options options = lb_body_options_default();
    options.restarts = RESTARTS;
    options.width = width;
    if (lb_model_with_root(model, LB_JOINT_FLOATING, NULL, &w->model, NULL) != LB_OK)
        return false;
    size_t nq = (size_t)lb_model_nq(w->model), nv = (size_t)lb_model_nv(w->model);
    w->tasks = make_tasks(w->model, setup, tasks);
    w->goals = malloc((3 * nq * PROBLEMS + nv) * sizeof(double));
    w->targets = malloc((size_t)w->tasks * PROBLEMS * sizeof *w->targets);
    if (!w->goals || !w->targets)
        return false;
    w->starts = w->goals + nq * PROBLEMS;
    w->q = w->starts + nq * PROBLEMS;
    w->v = w->q + nq * PROBLEMS;
    return lb_body_create(w->model, tasks, w->tasks, &options, NULL, &w->body, NULL) == LB_OK;
}

static void work_release(work *w)
{
    lb_body_release(w->body);
    lb_model_release(w->model);
    free(w->goals);
    free(w->targets);
}

/* ---- hashing ---------------------------------------------------------------- */

static void add_result(const work *w, const double *q, const lb_body_result *result, uint64_t *hash)
{
    golden_add(hash, q, (size_t)lb_model_nq(w->model));
    const double numbers[] = {result->outcome, result->iterations, result->tries, result->reached};
    golden_add(hash, numbers, 4);
}

/* two of three problems are near, every twelfth cannot be had */
static void make_problem(work *w, int number, lb_random *random)
{
    size_t row = (size_t)number * (size_t)lb_model_nq(w->model);
    double *goal = w->goals + row, *start = w->starts + row, off = number % 3 == 2 ? 0 : 0.2;
    lb_transform *targets = w->targets + number * w->tasks;
    lb_configuration_random(w->model, random, goal);
    for (int i = 0; i < lb_model_nv(w->model); i++)
        w->v[i] = lb_random_between(random, -off, off);
    lb_configuration_integrate(w->model, goal, w->v, start);
    lb_configuration_clamp(w->model, start, start);
    if (off == 0)
        lb_configuration_random(w->model, random, start);
    for (int t = 0; t < w->tasks; t++) {
        lb_body_hold(w->body, t, goal);
        targets[t] = lb_body_target(w->body, t);
    }
    if (number % 12 == 11)
        targets[1].p.z += 3;
}

static void add_single(work *w, int number, uint64_t *hash)
{
    size_t row = (size_t)number * (size_t)lb_model_nq(w->model);
    lb_body_result result;
    for (int t = 0; t < w->tasks; t++)
        lb_body_set_target(w->body, t, &w->targets[number * w->tasks + t]);
    lb_body_solve(w->body, w->starts + row, w->q + row, &result);
    add_result(w, w->q + row, &result, hash);
    for (int t = 0; t < w->tasks; t++)
        golden_add(hash, &lb_body_outcomes(w->body)[t].position_error, 2);
    lb_body_advance(w->body, w->starts + row, NULL, 0.02, w->q + row, &result);
    add_result(w, w->q + row, &result, hash);
}

static void add_batch(work *w, uint64_t *hash)
{
    size_t nq = (size_t)lb_model_nq(w->model);
    lb_body_result results[PROBLEMS];
    lb_body_batch batch = {.targets = w->targets, .starts = w->starts, .q = w->q};
    batch.results = results;
    lb_body_batch_solve(w->body, &batch, 0, PROBLEMS);
    for (size_t i = 0; i < PROBLEMS; i++)
        add_result(w, w->q + i * nq, &results[i], hash);
}

bool golden_body_hash(const golden_body *row, const lb_model *model, int width, uint64_t *hash)
{
    work w = {.model = NULL};
    bool done = false;
    *hash = golden_start();
    for (size_t i = 0; i < sizeof setups / sizeof *setups; i++)
        if (strcmp(setups[i].model, row->model) == 0)
            done = work_create(&w, model, &setups[i], width);
    lb_random random = lb_random_seed(2026);
    for (int i = 0; i < PROBLEMS && done; i++)
        make_problem(&w, i, &random);
    for (int i = 0; i < PROBLEMS && done; i++)
        add_single(&w, i, hash);
    if (done)
        add_batch(&w, hash);
    work_release(&w);
    return done;
}
