/*
 * fuzz_solutions.c - every solution of extreme and of degenerate arms: each that is listed reaches
 * the target, what is said to keep the limits does, and what is proved out of reach was not the
 * arm's own pose.
 */
#include "chain.h"

#include <limber/elbow.h>
#include <limber/solutions.h>

enum { MOST_NQ = 64, MOST_ROWS = 24 };

/* whether poses are rounded by far less than the 1e-9 metres that solutions are confirmed to */
static bool is_resolved(const lb_state *state)
{
    double farthest = 0;
    for (int i = 0; i < lb_model_link_count(lb_state_model(state)); i++)
        farthest = fmax(farthest, lb_vec3_length(lb_state_transforms(state)[i].p));
    return farthest < 1e4;
}

/* the pose of a configuration within the limits, or any */
static lb_transform target_of(fuzz_bytes *bytes, lb_state *state, const lb_task *task,
                              const double *q, bool *own)
{
    lb_transform target = LB_TRANSFORM_IDENTITY;
    *own = fuzz_choice(bytes, 4) != 0;
    if (*own) {
        lb_state_update(state, q);
        *own = is_resolved(state);
        return lb_state_transform(state, task->base, task->tip);
    }
    target.p = fuzz_vector(bytes);
    return target;
}

static void check_rows(const lb_model *model, const lb_solution *rows, const double *q, int n)
{
    int nq = lb_model_nq(model);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < nq; k++)
            FUZZ_CHECK(isfinite(q[i * nq + k]));
        FUZZ_CHECK(rows[i].beyond >= 0 && (rows[i].joint < 0) == rows[i].in_limits);
        FUZZ_CHECK(!rows[i].in_limits ||
                   lb_configuration_validate(model, q + (size_t)i * (size_t)nq, 1e-9, NULL) ==
                       LB_OK);
        FUZZ_CHECK(i == 0 || rows[i].distance >= rows[i - 1].distance);
    }
}

static void list(const lb_model *model, lb_state *state, fuzz_bytes *bytes)
{
    double q[MOST_NQ], start[MOST_NQ], rows_q[MOST_ROWS * MOST_NQ];
    lb_solution rows[MOST_ROWS];
    lb_solutions_summary summary;
    int links = lb_model_link_count(model);
    lb_task task = lb_task_make(links - 1, LB_WORLD, (lb_task_kind)fuzz_choice(bytes, 3));
    lb_solutions_options options = lb_solutions_options_default();
    options.copies = fuzz_choice(bytes, 4) == 0;
    options.out_of_limits = fuzz_choice(bytes, 2) == 0;
    options.condition = fuzz_choice(bytes, 4) == 0;
    options.redundancy = 1 + fuzz_choice(bytes, 4);
    options.width = 1 << fuzz_choice(bytes, 4);
    lb_random random = lb_random_seed(fuzz_byte(bytes));
    lb_configuration_random(model, &random, q);
    bool own;
    lb_transform target = target_of(bytes, state, &task, q, &own);
    // locked joints stay where they made the pose, the others begin elsewhere within their limits
    lb_configuration_neutral(model, start);
    lb_configuration_clamp(model, start, start);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        if (lb_model_joint(model, j)->locked && lb_model_joint_q(model, j) >= 0)
            for (int k = 0; k < lb_joint_kind_nq(lb_model_joint(model, j)->kind); k++)
                start[lb_model_joint_q(model, j) + k] = q[lb_model_joint_q(model, j) + k];

    lb_solutions_solver *solver = NULL;
    lb_error error;
    if (lb_solutions_create(model, &task, &options, NULL, &solver, &error) == LB_OK) {
        int n = lb_solutions(solver, &target, start, MOST_ROWS, rows_q, rows, &summary);
        FUZZ_CHECK(n == summary.listed && n <= MOST_ROWS);
        check_rows(model, rows, rows_q, n);
        // a configuration within the limits has made this pose: a proof that there is none would be
        // wrong
        FUZZ_CHECK(!own || summary.outcome != LB_UNREACHABLE);
    }
    lb_solutions_release(solver);

    lb_elbow *elbow = NULL;
    lb_elbow_choice choice;
    if (lb_elbow_create(model, &task, NULL, &elbow, &error) == LB_OK &&
        lb_elbow_best(elbow, &target, (lb_elbow_goal)fuzz_choice(bytes, 3), start, rows_q,
                      &choice) != LB_INVALID) {
        FUZZ_CHECK(choice.outcome != LB_REACHED ||
                   lb_configuration_validate(model, rows_q, 1e-9, NULL) == LB_OK);
        FUZZ_CHECK(!own || choice.outcome != LB_UNREACHABLE);
    }
    lb_elbow_release(elbow);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    // half of them are degenerate arms
    bool arm = size > 0 && data[0] >= 128;
    lb_model *model = arm ? fuzz_arm(&bytes) : fuzz_chain(&bytes);
    lb_state *state = NULL;
    if (model && lb_model_nq(model) <= MOST_NQ && lb_state_create(model, NULL, &state) == LB_OK)
        list(model, state, &bytes);
    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
