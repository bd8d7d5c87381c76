/*
 * test_sets.c - sets made several at a time, one at a time, and the longer way say the same.
 *
 *     test_ik test_sets [ARMS]     of each class
 *
 * Arms, and poses at their limits and at singular places, are those of bench/own_poses.h; others
 * are pushed outwards. A filter that accepts all of them makes lb_solutions take the longer way.
 */
#include "bench/own_poses.h"
#include "support_load.h"

#include <limber/batch.h>
#include <string.h>

TEST_ARGUMENT(wanted_arms, 1, 24)

enum { TARGETS = 19, ROWS = LB_SOLUTIONS_MAX };

/* What a solver says of TARGETS targets. */
typedef struct answers {
    double q[TARGETS * ROWS * OWN_JOINTS];
    lb_solution rows[TARGETS * ROWS];
    lb_solutions_summary summaries[TARGETS];
} answers;

/* targets of an arm: its own poses, and some that are farther out */
static void draw_targets(lb_random *random, const own_arm *arm, lb_transform *targets)
{
    for (int i = 0; i < TARGETS; i++) {
        double q[OWN_JOINTS];
        own_arm_draw(random, arm, q);
        if (i % 3 == 0)
            lb_configuration_random(arm->model, random, q);
        targets[i] = test_task_tool(arm->model, &arm->task, q);
        if (i % 4 == 3)
            targets[i].p = lb_vec3_scale(targets[i].p, lb_random_between(random, 0.5, 2));
    }
    targets[TARGETS - 1].p.x = NAN;
}

static void check_row(const lb_solution *a, const lb_solution *b)
{
    assert_int_equal(a->branch, b->branch);
    assert_int_equal(a->in_limits, b->in_limits);
    assert_int_equal(a->joint, b->joint);
    assert_true(a->beyond == b->beyond && a->distance == b->distance);
    assert_true(a->position_error == b->position_error && a->rotation_error == b->rotation_error);
    assert_true(a->condition == b->condition);
    assert_int_equal(a->multiplicity, b->multiplicity);
    assert_int_equal(a->family, b->family);
}

static void check_summary(const lb_solutions_summary *a, const lb_solutions_summary *b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->reason, b->reason);
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->in_limits, b->in_limits);
    assert_int_equal(a->listed, b->listed);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->certified, b->certified);
    assert_int_equal(a->truncated, b->truncated);
    assert_int_equal(a->family_count, b->family_count);
    for (int i = 0; i < a->family_count; i++)
        assert_int_equal(a->family[i], b->family[i]);
    assert_true(a->noise == b->noise);
}

static void check_equal(const answers *a, const answers *b, int nq, int capacity)
{
    for (int i = 0; i < TARGETS; i++) {
        check_summary(&a->summaries[i], &b->summaries[i]);
        for (int k = 0; k < a->summaries[i].listed; k++) {
            const size_t row = (size_t)(i * capacity + k);
            check_row(&a->rows[row], &b->rows[row]);
            assert_memory_equal(a->q + row * (size_t)nq, b->q + row * (size_t)nq,
                                sizeof(double) * (size_t)nq);
        }
    }
}

static bool accept_all(void *user, const double *q)
{
    (void)user;
    (void)q;
    return true;
}

/* answers one by one, of a solver with the options */
static void ask_singly(const own_arm *arm, const lb_solutions_options *options,
                       const lb_transform *targets, const double *start, int capacity, answers *all)
{
    owned_solutions *solver = NULL;
    assert_int_equal(lb_solutions_create(arm->model, &arm->task, options, NULL, &solver, NULL),
                     LB_OK);
    for (int i = 0; i < TARGETS; i++) {
        const size_t at = (size_t)(i * capacity);
        lb_solutions(solver, &targets[i], start, capacity, all->q + at * (size_t)arm->nq,
                     all->rows + at, &all->summaries[i]);
    }
}

static void compare_sets(lb_random *random, const own_arm *arm, const lb_transform *targets)
{
    static answers longer, single, batch;
    const int capacity = 1 + (int)(lb_random_next(random) % ROWS);
    double start[OWN_JOINTS];
    lb_solutions_options options = lb_solutions_options_default();
    lb_configuration_random(arm->model, random, start);
    // from where distances are often equal
    if (lb_random_next(random) & 1)
        lb_configuration_neutral(arm->model, start);
    options.out_of_limits = (lb_random_next(random) & 1) != 0;
    ask_singly(arm, &options, targets, start, capacity, &single);
    options.filter = accept_all;
    ask_singly(arm, &options, targets, start, capacity, &longer);
    check_equal(&longer, &single, arm->nq, capacity);
    options.filter = NULL;
    for (options.width = 1; options.width <= 8; options.width *= 2) {
        const size_t cut = (size_t)(lb_random_next(random) % TARGETS);
        owned_solutions *solver = NULL;
        assert_int_equal(lb_solutions_create(arm->model, &arm->task, &options, NULL, &solver, NULL),
                         LB_OK);
        lb_solutions_batch(solver, targets, cut, TARGETS, start, capacity, batch.q, batch.rows,
                           batch.summaries);
        lb_solutions_batch(solver, targets, 0, cut, start, capacity, batch.q, batch.rows,
                           batch.summaries);
        check_equal(&single, &batch, arm->nq, capacity);
    }
}

/* searches of a batch against those of one problem */
static void compare_searches(lb_random *random, const own_arm *arm, const lb_transform *targets)
{
    static double starts[TARGETS * OWN_JOINTS], rows[TARGETS * OWN_JOINTS];
    lb_ik_result results[TARGETS];
    lb_ik_options options = lb_ik_options_default();
    options.seeds = 0;
    options.protocol = lb_random_next(random) & 1 ? LB_PROTOCOL_ANY : LB_PROTOCOL_NEAREST;
    const size_t nq = (size_t)arm->nq;
    for (size_t i = 0; i < TARGETS; i++)
        lb_configuration_random(arm->model, random, starts + i * nq);
    for (options.width = 1; options.width <= 8; options.width *= 8) {
        owned_ik *ik = test_solver(arm->model, &arm->task, 1, &options);
        lb_batch_solve(
            ik, &(lb_batch){.targets = targets, .starts = starts, .q = rows, .results = results}, 0,
            TARGETS);
        for (size_t i = 0; i < TARGETS; i++) {
            double q[OWN_JOINTS];
            lb_ik_result result;
            lb_ik_solve(ik, &targets[i], starts + i * nq, q, &result);
            assert_memory_equal(q, rows + i * nq, sizeof(double) * nq);
            assert_int_equal(result.outcome, results[i].outcome);
            assert_int_equal(result.reason, results[i].reason);
            assert_int_equal(result.tries, results[i].tries);
            assert_true(result.position_error == results[i].position_error &&
                        result.rotation_error == results[i].rotation_error);
        }
    }
}

TEST(sets_are_the_same_in_any_number)
{
    for (int kind = OWN_PARALLEL; kind <= OWN_SQUARE; kind++) {
        int asked = 0;
        for (uint64_t seed = 1; asked < wanted_arms; seed++) {
            lb_random random = lb_random_seed(4 * seed + (uint64_t)kind);
            lb_transform targets[TARGETS];
            own_arm arm;
            if (own_arm_make(&random, (own_kind)kind, &arm) && arm.solver &&
                lb_solutions_class(arm.solver) < LB_ARM_GENERAL) {
                draw_targets(&random, &arm, targets);
                compare_sets(&random, &arm, targets);
                compare_searches(&random, &arm, targets);
                asked++;
            }
            own_arm_release(&arm);
        }
    }
}
