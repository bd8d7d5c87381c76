/*
 * test_redundant.c - arms of seven joints with one of them held at the start's own value: the
 * configuration that made a pose is always among the solutions, straight elbows included.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "support_load.h"

#include <limber/formats/load.h>
#include <limber/solutions.h>

enum { NQ = 16, ROWS = 16 };

/* whether the configuration that made a pose is listed */
static bool is_listed(const lb_model *model, const double *rows, int count, const double *q)
{
    for (int i = 0; i < count; i++) {
        double most = 0;
        for (int k = 0; k < lb_model_nq(model); k++)
            most = fmax(most, fabs(rows[i * lb_model_nq(model) + k] - q[k]));
        if (most < 1e-5)
            return true;
    }
    return false;
}

/* poses of random configurations, of which one joint may be within `bend` of straight */
static void check_held(const lb_model *model, int tip, int straight, double bend, int poses)
{
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    lb_solutions_options options = lb_solutions_options_default();
    options.redundancy = 1;
    lb_solutions_solver *solver;
    lb_error error;
    if (lb_solutions_create(model, &task, &options, NULL, &solver, &error) != LB_OK)
        fail_msg("%s: %s", lb_model_name(model), error.message);
    assert_int_equal(lb_solutions_class(solver), LB_ARM_REDUNDANT);
    lb_ik *ik = test_solver(model, &task, 1, NULL);
    lb_random random = test_seed(11);
    for (int n = 0; n < poses; n++) {
        double q[NQ], start[NQ], rows[ROWS * NQ];
        lb_solution infos[ROWS];
        lb_solutions_summary summary;
        lb_configuration_random(model, &random, q);
        if (straight >= 0)
            q[straight] = lb_random_between(&random, -bend, bend);
        lb_transform target = test_task_tool(model, &task, q);
        int count = lb_solutions(solver, &target, q, ROWS, rows, infos, &summary);
        if (!is_listed(model, rows, count, q))
            fail_msg("%s: pose %d: missed by %d solutions", lb_model_name(model), n, count);
        lb_configuration_random(model, &random, start);
        assert_int_equal(lb_ik_solve(ik, &target, start, start, NULL), LB_REACHED);
    }
    lb_ik_release(ik);
    lb_solutions_release(solver);
}

static void built_in_arms_miss_nothing(void **state)
{
    (void)state;
    const char *const arms[][2] = {{"panda", "panda_hand"}, {"iiwa14", "flange"}};
    for (int i = 0; i < 2; i++) {
        lb_model *model = test_load(arms[i][0]);
        check_held(model, lb_model_find_link(model, arms[i][1]), -1, 0, 2000);
        lb_model_release(model);
    }
}

/* the last link of a file of the shared data; NULL, said aloud, where it is not there */
static lb_model *load_data(const char *name, int *tip)
{
    char path[512];
    lb_model *model;
    snprintf(path, sizeof path, "%s/urdf/%s", LIMBER_DATA_DIR, name);
    if (lb_load(path, NULL, &model, NULL) != LB_OK) {
        print_message("skipped: %s is not there\n", path);
        return NULL;
    }
    int tips[LB_DEFAULT_TIPS], count;
    assert_int_equal(lb_model_default_tips(model, NULL, tips, &count), LB_OK);
    *tip = tips[0];
    return model;
}

/* a Gen3 is no closed form anywhere, and nearly singular where its third joint is straight */
static void a_straight_gen3_misses_nothing(void **state)
{
    (void)state;
    int tip;
    lb_model *model = load_data("ssik_gen3.urdf", &tip);
    if (!model)
        skip();
    check_held(model, tip, 2, 0.05, 500);
    check_held(model, tip, 2, 1e-6, 100);
    lb_model_release(model);
}

/* the held joint's start may be on another turn than the first */
static void held_joints_may_have_more_than_a_turn(void **state)
{
    (void)state;
    int tip;
    lb_model *model = load_data("ssik_xarm7.urdf", &tip);
    if (!model)
        skip();
    check_held(model, tip, -1, 0, 300);
    lb_model_release(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_arms_miss_nothing),
        cmocka_unit_test(a_straight_gen3_misses_nothing),
        cmocka_unit_test(held_joints_may_have_more_than_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
