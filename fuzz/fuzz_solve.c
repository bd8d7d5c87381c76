/*
 * fuzz_solve.c - inverse kinematics of extreme models: what is said to be reached is, limits
 * are kept, no number is lost, a batch says the same.
 */
#include "chain.h"

#include <limber/batch.h>
#include <limber/ik.h>

#include <string.h>

enum { MOST_NQ = 64, MOST_TASKS = 3, MOST_SETTINGS = 2, ITERATIONS = 40 };

static bool all_finite(const double *q, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(q[i]))
            return false;
    return true;
}

static lb_ik_options options_of(fuzz_bytes *bytes)
{
    lb_ik_options o = lb_ik_options_default();
    o.method = lb_method_at(fuzz_choice(bytes, lb_method_count()));
    o.protocol = (lb_protocol)fuzz_choice(bytes, 3);
    o.iterations = ITERATIONS;
    o.seeds = fuzz_choice(bytes, 3) * 16;
    o.width = 1 << fuzz_choice(bytes, 4);
    if (fuzz_choice(bytes, 4) == 0)
        o.damping = fabs(fuzz_number(bytes));
    if (fuzz_choice(bytes, 4) == 0)
        o.step_limit = fabs(fuzz_number(bytes));
    if (fuzz_choice(bytes, 8) == 0)
        o.length = fabs(fuzz_number(bytes));
    return o;
}

static lb_task task_of(fuzz_bytes *bytes, int links, int tip)
{
    lb_task task =
        lb_task_make(tip, fuzz_choice(bytes, links) - 1, (lb_task_kind)fuzz_choice(bytes, 3));
    if (fuzz_choice(bytes, 4) == 0) {
        task.tool = fuzz_place(bytes);
        task.free_axis = fuzz_vector(bytes);
        task.free_position = (unsigned)fuzz_choice(bytes, 8);
        task.weight = fuzz_number(bytes);
    }
    return task;
}

static lb_joint_setting setting_of(fuzz_bytes *bytes, const lb_model *model)
{
    lb_joint_setting s = lb_joint_setting_make(fuzz_choice(bytes, lb_model_joint_count(model)));
    s.locked = fuzz_choice(bytes, 2) == 1;
    if (fuzz_choice(bytes, 2))
        s.value = fuzz_number(bytes);
    for (int k = 0; k < 3 && fuzz_choice(bytes, 4) == 0; k++) {
        s.lower[k] = fuzz_number(bytes);
        s.upper[k] = fuzz_number(bytes);
    }
    if (fuzz_choice(bytes, 4) == 0)
        s.weight = fuzz_number(bytes);
    return s;
}

/* ---- what is checked ---------------------------------------------------------- */

/* several tasks of one solver, and what it was made with */
typedef struct problem {
    const lb_model *model; /* with the settings of joints */
    lb_task tasks[MOST_TASKS];
    lb_transform targets[MOST_TASKS];
    int count;
    lb_ik_options options;
} problem;

/* of what was reached: each task's own error and the limits agree */
static void check_reached(const problem *p, const double *q)
{
    lb_state *state = NULL;
    double position, rotation;
    FUZZ_CHECK(lb_configuration_validate(p->model, q, 1e-9, NULL) == LB_OK);
    if (lb_state_create(p->model, NULL, &state) != LB_OK)
        return;
    lb_state_update(state, q);
    for (int k = 0; k < p->count; k++) {
        lb_task_error(state, &p->tasks[k], &p->targets[k], &position, &rotation);
        // lb_task_error subtracts places in the world, which are rounded
        double farthest = lb_vec3_length(p->targets[k].p) + lb_vec3_length(p->tasks[k].tool.p);
        for (int i = 0; i < lb_model_link_count(p->model); i++)
            farthest = fmax(farthest, lb_vec3_length(lb_state_transforms(state)[i].p));
        double slack = 1e-12 + 1e-14 * farthest;
        FUZZ_CHECK(position <= p->options.position_tolerance * (1 + 1e-6) + slack);
        FUZZ_CHECK(rotation <= p->options.rotation_tolerance * (1 + 1e-6) + 1e-10);
    }
    lb_state_release(state);
}

static void step(const problem *p, lb_ik *ik, lb_outcome outcome, double *q)
{
    lb_ik_result result;
    for (int i = 0; i < 4; i++) {
        lb_progress progress = lb_ik_step(ik, p->targets, q, &result);
        FUZZ_CHECK(outcome == LB_INVALID || all_finite(q, lb_model_nq(p->model)));
        if (progress == LB_SUCCESS)
            check_reached(p, q);
    }
}

static void solve(const problem *p, lb_ik *ik, fuzz_bytes *bytes)
{
    double start[MOST_NQ] = {0}, q[MOST_NQ] = {0}, other[MOST_NQ] = {0};
    int nq = lb_model_nq(p->model);
    fuzz_configuration(bytes, p->model, start);
    lb_ik_result result, of_batch;
    lb_outcome outcome = lb_ik_solve(ik, p->targets, start, q, &result);
    FUZZ_CHECK(outcome == result.outcome && result.iterations <= ITERATIONS);
    if (outcome == LB_INVALID)
        FUZZ_CHECK(memcmp(q, start, sizeof(double) * (size_t)nq) == 0);
    else
        FUZZ_CHECK(all_finite(q, nq));
    if (outcome == LB_REACHED)
        check_reached(p, q);

    const lb_batch batch = {
        .targets = p->targets, .starts = start, .q = other, .results = &of_batch};
    lb_batch_solve(ik, &batch, 0, 1);
    FUZZ_CHECK(of_batch.outcome == outcome);
    FUZZ_CHECK(memcmp(q, other, sizeof(double) * (size_t)nq) == 0);

    char words[512];
    lb_ik_explain(ik, p->targets, q, &result, words, sizeof words);
    step(p, ik, outcome, other);
}

/* ---- problems ------------------------------------------------------------------ */

static void attack(const lb_model *model, fuzz_bytes *bytes)
{
    problem p = {.count = fuzz_choice(bytes, 4) ? 1 : 1 + fuzz_choice(bytes, MOST_TASKS)};
    lb_joint_setting settings[MOST_SETTINGS];
    double gains[MOST_NQ];
    int nq = lb_model_nq(model), links = lb_model_link_count(model);
    if (nq < 1 || nq > MOST_NQ)
        return;
    p.options = options_of(bytes);
    p.options.joint_count = fuzz_choice(bytes, 4) ? 0 : 1 + fuzz_choice(bytes, MOST_SETTINGS);
    p.options.joints = settings;
    for (int i = 0; i < p.options.joint_count; i++)
        settings[i] = setting_of(bytes, model);
    for (int i = 0; i < nq; i++)
        gains[i] = fabs(fuzz_number(bytes));
    if (fuzz_choice(bytes, 4) == 0)
        p.options.gains = gains;
    for (int i = 0; i < p.count; i++) {
        p.tasks[i] = task_of(bytes, links, i == 0 ? links - 1 : fuzz_choice(bytes, links));
        p.targets[i] = fuzz_choice(bytes, 2) ? fuzz_place(bytes) : LB_TRANSFORM_IDENTITY;
        p.targets[i].p = fuzz_vector(bytes);
    }
    lb_ik *ik = NULL;
    lb_model *view = NULL;
    lb_error error = {0};
    lb_status status = lb_ik_create(model, p.tasks, p.count, &p.options, NULL, &ik, &error);
    FUZZ_CHECK((status == LB_OK) == (ik != NULL));
    FUZZ_CHECK(status == LB_OK || strlen(error.message) > 0);
    if (ik != NULL &&
        lb_model_view(model, settings, p.options.joint_count, NULL, &view, &error) == LB_OK) {
        p.model = view;
        solve(&p, ik, bytes);
    }
    lb_ik_release(ik);
    lb_model_release(view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    lb_model *model = fuzz_model(&bytes);
    if (model)
        attack(model, &bytes);
    lb_model_release(model);
    return 0;
}
