/* test_given.c - a single try from the start uses the budget that it is given. */
#include <limber/formats/load.h>

#include "support_load.h"

static lb_ik_result solve(const char *name, lb_task_kind kind, lb_transform target,
                          const double *start, const char *method, int iterations)
{
    owned_model *model = test_load(name);
    double q[8];
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, 0, kind);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_GIVEN;
    options.iterations = iterations;
    options.method = lb_method_find(method);
    lb_configuration_neutral(model, q);
    owned_ik *ik = test_solver(model, &task, 1, &options);
    lb_ik_result result;
    lb_ik_solve(ik, &target, start ? start : q, q, &result);
    return result;
}

/* a slow stretch on the way ended it, with "more iterations may help" where none were used; 0
   iterations: the budget of its own */
TEST(slow_descents_go_on)
{
    lb_transform target = lb_transform_translation(-6.311161069601771, -0.4261764510206032, 0);
    for (int budget = 0; budget <= 2000; budget += 2000) {
        lb_ik_result result = solve("planar3", LB_TASK_POSITION, target, NULL, "lm", budget);
        assert_int_equal(result.outcome, LB_REACHED);
    }
}

/* near a singularity lm ended after three iterations where others arrived in five */
TEST(singular_starts_are_left)
{
    static const char *const methods[] = {"lm", "damped", "pseudoinverse"};
    static const double start[] = {-2.48645, -0.746522, -2.62061, 2.53377, 1.84019, -1.22563};
    lb_quat turn = {-0.389343493, 0.0700813302, 0.834811229, 0.38287134};
    lb_transform target = lb_transform_from_quat(
        lb_quat_normalize(turn), lb_vec3_make(0.00853021916, -0.10255966, 0.286556505));
    for (int i = 0; i < 6; i++) {
        lb_ik_result result =
            solve("ur5", LB_TASK_POSE, target, start, methods[i % 3], i < 3 ? 0 : 2000);
        assert_int_equal(result.outcome, LB_REACHED);
    }
}

/* gains of any size lead to the desired value and not beyond it: the target is reached */
TEST(any_gain_is_stable)
{
    static const double sizes[] = {0.1, 0.6, 1.2, 2, 50, 1e6};
    static const char *const methods[] = {"pseudoinverse", "damped", "transpose"};
    for (int i = 0; i < 18; i++) {
        owned_model *model = test_load("planar3");
        double gains[] = {0, sizes[i / 3], 0}, q[3];
        lb_task task = lb_task_make(lb_model_link_count(model) - 1, 0, LB_TASK_POSITION);
        lb_ik_options options = lb_ik_options_default();
        options.protocol = LB_PROTOCOL_GIVEN;
        options.method = lb_method_find(methods[i % 3]);
        options.iterations = 2000;
        options.gains = gains;
        lb_configuration_neutral(model, q);
        owned_ik *ik = test_solver(model, &task, 1, &options);
        lb_ik_result result;
        lb_transform target = lb_transform_translation(-20, 5, 0);
        assert_int_equal(lb_ik_solve(ik, &target, q, q, &result), LB_REACHED);
    }
}

/* (q - c)^2 of the joint that has a gain */
static double away(const double *q, double desired)
{
    return (q[1] - desired) * (q[1] - desired);
}

/* a start that solves the position is moved along the null space as near to the desired value of
   one joint as the task allows, and the task holds */
TEST(a_solved_start_moves_to_its_posture)
{
    static const char *const methods[] = {"pseudoinverse", "damped", "transpose", "lm"};
    owned_model *model = test_load("planar3");
    for (int i = 0; i < 8; i++) {
        const double gains[] = {0, i < 4 ? 0.5 : 0.05, 0}, c = 1.1, desired[] = {0, c, 0};
        int tip = lb_model_link_count(model) - 1;
        lb_task task = lb_task_make(tip, 0, LB_TASK_POSITION);
        lb_ik_options options = lb_ik_options_default();
        options.method = lb_method_find(methods[i % 4]);
        options.gains = gains;
        options.desired = desired;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        double start[3], q[3];
        lb_ik_result result;
        lb_configuration_neutral(model, start);
        owned_state *arm = test_state(model);
        lb_state_update(arm, start);
        lb_transform target = lb_state_transform(arm, 0, tip);

        assert_int_equal(lb_ik_solve(ik, &target, start, q, &result), LB_REACHED);
        assert_true(away(q, c) < 1e-6);
        assert_true(result.position_error <= options.position_tolerance);
        assert_true(away(start, c) > 0.05);
    }
}
