/*
 * fuzz_body.c - whole bodies of extreme models and tasks: limits and speeds are kept, no number
 * is lost, what is said to be reached is, a batch says the same.
 */
#include "chain.h"

#include <limber/body.h>

#include <string.h>

enum { MOST_NQ = 64, MOST_TASKS = 4, ITERATIONS = 30 };

static lb_body_task task_of(fuzz_bytes *bytes, const lb_model *model)
{
    static const double square[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    int links = lb_model_link_count(model);
    lb_body_kind kind = (lb_body_kind)fuzz_choice(bytes, LB_BODY_KIND_COUNT);
    lb_body_task task = lb_body_task_make(kind, fuzz_choice(bytes, links));
    task.base = fuzz_choice(bytes, 4) ? LB_WORLD : fuzz_choice(bytes, links + 1) - 1;
    task.first = fuzz_choice(bytes, links);
    task.last = fuzz_choice(bytes, links);
    task.joint = fuzz_choice(bytes, lb_model_joint_count(model) + 1) - 1;
    task.level = fuzz_choice(bytes, LB_BODY_LEVELS);
    task.vertices = square;
    task.vertex_count = 4;
    if (fuzz_choice(bytes, 4) == 0) {
        task.tool.p = fuzz_vector(bytes);
        task.axis = fuzz_vector(bytes);
        task.weight = fuzz_number(bytes);
    }
    if (fuzz_choice(bytes, 4) == 0) {
        task.box = fuzz_vector(bytes);
        task.cone = fuzz_number(bytes);
    }
    return task;
}

static lb_body *body_of(fuzz_bytes *bytes, const lb_model *model, int *count)
{
    lb_body_task tasks[MOST_TASKS];
    lb_body_options options = lb_body_options_default();
    options.iterations = ITERATIONS;
    options.restarts = fuzz_choice(bytes, 8) == 0 ? 2 : 0;
    options.width = 1 << fuzz_choice(bytes, 4);
    if (fuzz_choice(bytes, 4) == 0)
        options.posture = fabs(fuzz_number(bytes));
    if (fuzz_choice(bytes, 8) == 0)
        options.length = fabs(fuzz_number(bytes));
    *count = 1 + fuzz_choice(bytes, MOST_TASKS);
    for (int i = 0; i < *count; i++)
        tasks[i] = task_of(bytes, model);
    lb_body *body = NULL;
    lb_error error;
    lb_status status = lb_body_create(model, tasks, *count, &options, NULL, &body, &error);
    FUZZ_CHECK((status == LB_OK) == (body != NULL));
    for (int i = 0; body != NULL && i < *count; i++)
        lb_body_set_point(body, i, fuzz_vector(bytes));
    return body;
}

/* what every configuration that was returned must be */
static void check_configuration(const lb_model *model, const double *q)
{
    for (int i = 0; i < lb_model_nq(model); i++)
        FUZZ_CHECK(isfinite(q[i]));
    FUZZ_CHECK(lb_configuration_validate(model, q, 1e-9, NULL) == LB_OK);
}

/* no value moved farther than its speed allows, where the start was inside the limits */
static void check_speeds(const lb_model *model, const double *start, const double *q, double speed,
                         double time)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        bool hinge = joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_PRISMATIC;
        int i = lb_model_joint_q(model, j);
        if (!hinge || i < 0 || joint->locked || joint->mimic != NULL)
            continue;
        double rounding = 1e-15 * (fabs(start[i]) + fabs(q[i]));
        FUZZ_CHECK(fabs(q[i] - start[i]) <= speed * time + rounding);
    }
}

static void advance(lb_body *body, const lb_model *model, fuzz_bytes *bytes, const double *inside)
{
    double speed = fabs(fuzz_number(bytes)), time = fabs(fuzz_number(bytes)) + 1e-9;
    double q[MOST_NQ];
    bool set = true;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        set = lb_body_set_speed(body, j, speed, INFINITY) == LB_OK && set;
    if (lb_body_advance(body, inside, NULL, time, q, NULL) == LB_INVALID)
        return;
    check_configuration(model, q);
    if (set)
        check_speeds(model, inside, q, speed, time);
}

static void solve(const lb_model *model, fuzz_bytes *bytes)
{
    double start[MOST_NQ] = {0}, q[MOST_NQ] = {0}, other[MOST_NQ] = {0};
    int nq = lb_model_nq(model), count;
    if (nq < 1 || nq > MOST_NQ)
        return;
    lb_body *body = body_of(bytes, model, &count);
    if (body == NULL)
        return;
    fuzz_configuration(bytes, model, start);

    lb_body_result result, of_batch;
    lb_outcome outcome = lb_body_solve(body, start, q, &result);
    FUZZ_CHECK(outcome == result.outcome && result.reached <= count);
    int reached = 0;
    for (int i = 0; i < count; i++)
        reached += lb_body_outcomes(body)[i].reached;
    if (outcome != LB_INVALID) {
        check_configuration(model, q);
        FUZZ_CHECK((outcome == LB_REACHED) == (reached == count));
        char words[512];
        for (int i = 0; i < count; i++)
            lb_body_explain(body, i, words, sizeof words);
    }
    const lb_body_batch batch = {.starts = start, .q = other, .results = &of_batch};
    lb_body_batch_solve(body, &batch, 0, 1);
    FUZZ_CHECK(of_batch.outcome == outcome);
    FUZZ_CHECK(outcome == LB_INVALID || memcmp(q, other, sizeof(double) * (size_t)nq) == 0);
    if (outcome != LB_INVALID)
        advance(body, model, bytes, q);
    lb_body_release(body);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    lb_model *model = fuzz_chain(&bytes);
    if (model)
        solve(model, &bytes);
    lb_model_release(model);
    return 0;
}
