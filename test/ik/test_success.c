/*
 * test_success.c - robots reach what they can reach: ten thousand poses each, and the hard ones.
 *
 * Full poses to 1e-6 m and 1e-6 rad, inside the limits, from random starts; verified by
 * 4x4 matrices and libm. The hard ones were found among a hundred thousand of each
 * robot: they take more than 45 tries, mostly near singularities where limits meet.
 */
#include "bench/golden.h"

#include <limber/formats/load.h>

#include "support.h"

enum { MOST_NQ = 16, SEED = 77 };

TEST_ARGUMENT(target_count, 1, 10000)

/* two sums of the same numbers differ by so much */
#define ROUNDING 1e-11

/* of whose ten thousand poses none may be missed */
static const char *const robots[] = {"ur5",     "panda",   "iiwa14",  "kr6",
                                     "crx10ia", "puma560", "stanford"};
enum { ROBOTS = sizeof robots / sizeof *robots };

/* A robot, a solver and the sequence of its problems. */
typedef struct fixture {
    lb_model *model;
    lb_task task;
    lb_ik *ik;
    lb_state *state;
    lb_random random;
    double start[MOST_NQ];
    lb_transform target;
} fixture;

static fixture setup_fixture(const char *name, lb_protocol protocol)
{
    fixture f = {.random = test_seed(SEED)};
    lb_ik_options options = lb_ik_options_default();
    options.protocol = protocol;
    assert_int_equal(lb_load(name, NULL, &f.model, NULL), LB_OK);
    assert_in_range(lb_model_nq(f.model), 1, MOST_NQ);
    f.task = golden_task(golden_find(name), f.model);
    assert_int_equal(lb_ik_create(f.model, &f.task, 1, &options, NULL, &f.ik, NULL), LB_OK);
    assert_int_equal(lb_state_create(f.model, NULL, &f.state), LB_OK);
    return f;
}

static void teardown_fixture(fixture *f)
{
    lb_ik_release(f->ik);
    lb_state_release(f->state);
    lb_model_release(f->model);
}

/* a target that some configuration reaches, and a start */
static void next_problem(fixture *f)
{
    double goal[MOST_NQ];
    lb_configuration_random(f->model, &f->random, goal);
    lb_configuration_random(f->model, &f->random, f->start);
    lb_state_update(f->state, goal);
    f->target = lb_state_transform(f->state, f->task.base, f->task.tip);
}

/* solves it and verifies the result; what is reported must be so */
static bool reach(const fixture *f, const char *name, int index)
{
    double q[MOST_NQ], position, rotation;
    lb_ik_result result;
    if (lb_ik_solve(f->ik, &f->target, f->start, q, &result) != LB_REACHED) {
        print_error("%s, problem %d: %s after %d tries, %g m and %g rad off\n", name, index,
                    lb_outcome_text(result.outcome), result.tries, result.position_error,
                    result.rotation_error);
        return false;
    }
    test_task_errors(f->model, &f->task, 1, q, &f->target, &position, &rotation);
    assert_true(position <= 1e-6 + ROUNDING);
    assert_true(rotation <= 1e-6 + ROUNDING);
    assert_true(test_limit_excess(f->model, q) == 0);
    return true;
}

static void check_robots(lb_protocol protocol)
{
    for (int i = 0; i < ROBOTS; i++) {
        fixture f = setup_fixture(robots[i], protocol);
        int missed = 0;
        for (int n = 0; n < target_count; n++) {
            next_problem(&f);
            missed += !reach(&f, robots[i], n);
        }
        assert_int_equal(missed, 0);
        teardown_fixture(&f);
    }
}

TEST(every_pose_is_reached_nearest_to_the_start)
{
    check_robots(LB_PROTOCOL_NEAREST);
}

TEST(every_pose_is_reached_somehow)
{
    check_robots(LB_PROTOCOL_ANY);
}

/* ---- the hard ones -------------------------------------------------------- */

/* indices in the sequence of SEED, rising, ended by -1 */
static const struct {
    const char *name;
    int indices[40];
} hard[] = {
    {"ur5", {6545, 13958, 15354, 22071, 25893, 27332, 52050, 57370, 60335, 95654, -1}},
    {"panda", {1296,  4231,  6531,  12609, 13403, 13744, 15133, 16109, 21319, 27998, 38691, 39991,
               41056, 47371, 50151, 61361, 63969, 64006, 68604, 69106, 73104, 74022, 76230, 76716,
               76735, 76915, 80471, 81685, 84743, 90564, 94530, 98312, 98316, 98843, -1}},
    {"kr6", {1030, 38314, 39479, 46760, 54757, 55204, 60457, 74168, 76277, 97216, -1}},
    {"crx10ia", {1202,  16471, 16636, 17550, 17835, 19261, 27267, 34267, 36847, 37757,
                 40731, 43350, 45272, 45973, 49971, 53632, 54695, 55922, 57401, 57458,
                 59468, 67372, 71998, 79801, 85251, 90149, 90554, 96767, -1}},
    {"puma560", {4722,  11989, 13849, 17376, 24237, 24289, 24944, 27346, 29974, 31871,
                 32638, 43669, 43933, 46717, 47737, 50525, 50912, 53559, 54946, 58524,
                 64306, 69360, 69821, 71019, 74562, 90169, 92426, -1}},
    {"stanford",
     {4051, 12256, 24509, 28340, 29311, 37087, 63680, 72549, 77965, 79163, 80038, 98701, 98782,
      -1}},
};

TEST(what_is_hard_is_reached)
{
    int missed = 0;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        fixture f = setup_fixture(hard[i].name, LB_PROTOCOL_NEAREST);
        const int *index = hard[i].indices;
        for (int n = 0; *index >= 0; n++) {
            next_problem(&f);
            if (n != *index)
                continue;
            missed += !reach(&f, hard[i].name, n);
            index++;
        }
        teardown_fixture(&f);
    }
    assert_int_equal(missed, 0);
}

/* where six levels of tries end at the same spot next to the goal: two of a million */
static const struct {
    const char *name;
    double goal[6], start[6];
} nearly[] = {
    {"kr6",
     {2.9094901302054565, 0.63101568791403961, 2.2572536435863388, -1.8577422713727323,
      -0.2370922186140183, -1.2100032212756568},
     {1.8112409164071042, -2.2010078593412761, 2.5018901203295534, -2.6234844108843705,
      -1.5190329091496682, 1.5917641259992408}},
    {"crx10ia",
     {-1.1616262961597181, -3.0488251529196901, 4.3613407363517442, 1.5925892046349781,
      -1.9572806617122582, -1.8562736121265719},
     {1.8280889562172891, 0.66364097895313234, 4.1684072410603141, 1.7476778170940563,
      0.18255418311052685, -0.60122317385992474}},
};

TEST(a_near_miss_is_no_result)
{
    for (size_t i = 0; i < sizeof nearly / sizeof *nearly; i++)
        for (int any = 0; any < 2; any++) {
            fixture f = setup_fixture(nearly[i].name, any ? LB_PROTOCOL_ANY : LB_PROTOCOL_NEAREST);
            memcpy(f.start, nearly[i].start, sizeof nearly[i].start);
            lb_state_update(f.state, nearly[i].goal);
            f.target = lb_state_transform(f.state, f.task.base, f.task.tip);
            assert_true(reach(&f, nearly[i].name, (int)i));
            teardown_fixture(&f);
        }
}
