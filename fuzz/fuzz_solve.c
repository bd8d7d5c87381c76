/*
 * fuzz_solve.c - inverse kinematics of extreme models: what is said to be reached is, limits
 * are kept, no number is lost, a batch says the same.
 */
#include "chain.h"

#include <limber/batch.h>
#include <limber/ik.h>

#include <string.h>

enum { MOST_NQ = 64, ITERATIONS = 40 };

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

/* of what was reached: the task's own error and the limits agree */
static void check_reached(const lb_model *model, const lb_task *task, const lb_ik_options *options,
                          const lb_transform *target, const double *q)
{
    lb_state *state = NULL;
    double position, rotation;
    FUZZ_CHECK(lb_configuration_validate(model, q, 1e-9, NULL) == LB_OK);
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return;
    lb_state_update(state, q);
    lb_task_error(state, task, target, &position, &rotation);
    // lb_task_error subtracts places in the world, which are rounded
    double farthest = lb_vec3_length(target->p);
    for (int i = 0; i < lb_model_link_count(model); i++)
        farthest = fmax(farthest, lb_vec3_length(lb_state_transforms(state)[i].p));
    double slack = 1e-12 + 1e-14 * farthest;
    FUZZ_CHECK(position <= options->position_tolerance * (1 + 1e-6) + slack);
    FUZZ_CHECK(rotation <= options->rotation_tolerance * (1 + 1e-6) + 1e-10);
    lb_state_release(state);
}

static void solve(const lb_model *model, fuzz_bytes *bytes)
{
    double start[MOST_NQ] = {0}, q[MOST_NQ] = {0}, other[MOST_NQ] = {0};
    int nq = lb_model_nq(model), links = lb_model_link_count(model);
    if (nq < 1 || nq > MOST_NQ)
        return;
    int base = fuzz_choice(bytes, links) - 1;
    lb_task task = lb_task_make(links - 1, base, (lb_task_kind)fuzz_choice(bytes, 3));
    lb_ik_options options = options_of(bytes);
    lb_random random = lb_random_seed(fuzz_byte(bytes));
    lb_configuration_random(model, &random, start);
    for (int i = 0; i < nq && fuzz_choice(bytes, 4) == 0; i++)
        start[i] = fuzz_choice(bytes, 8) ? fuzz_number(bytes) : fuzz_bits(bytes);
    lb_transform target = LB_TRANSFORM_IDENTITY;
    target.p = fuzz_vector(bytes);

    lb_ik *ik = NULL;
    lb_error error;
    if (lb_ik_create(model, &task, 1, &options, NULL, &ik, &error) != LB_OK)
        return;
    lb_ik_result result, of_batch;
    lb_outcome outcome = lb_ik_solve(ik, &target, start, q, &result);
    FUZZ_CHECK(outcome == result.outcome && result.iterations <= ITERATIONS);
    if (outcome == LB_INVALID) {
        FUZZ_CHECK(memcmp(q, start, sizeof(double) * (size_t)nq) == 0);
    } else {
        FUZZ_CHECK(all_finite(q, nq));
    }
    if (outcome == LB_REACHED)
        check_reached(model, &task, &options, &target, q);

    const lb_batch batch = {.targets = &target, .starts = start, .q = other, .results = &of_batch};
    lb_batch_solve(ik, &batch, 0, 1);
    FUZZ_CHECK(of_batch.outcome == outcome);
    FUZZ_CHECK(memcmp(q, other, sizeof(double) * (size_t)nq) == 0);

    char words[512];
    lb_ik_explain(ik, &target, q, &result, words, sizeof words);
    for (int i = 0; i < 4; i++) {
        lb_progress progress = lb_ik_step(ik, &target, other, &result);
        FUZZ_CHECK(outcome == LB_INVALID || all_finite(other, nq));
        if (progress == LB_SUCCESS)
            check_reached(model, &task, &options, &target, other);
    }
    lb_ik_release(ik);
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
