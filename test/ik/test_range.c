/*
 * test_range.c - numbers at the ends of what is supported, and beyond: refused, or right.
 */
#include <float.h>
#include <limber/batch.h>
#include <limber/formats/load.h>
#include <limber/ik.h>

#include "support_load.h"

enum { MOST = 16 };

static const double beyond[] = {1.1e15, -1e16, 1e18, 1e160, -DBL_MAX, INFINITY, NAN};
enum { BEYOND = sizeof beyond / sizeof *beyond };

static bool is_invalid(lb_ik *ik, const lb_transform *target, const double *start, int nq)
{
    double q[MOST];
    lb_ik_result result;
    memset(q, 0, sizeof q);
    bool invalid = lb_ik_solve(ik, target, start, q, &result) == LB_INVALID &&
                   result.outcome == LB_INVALID &&
                   memcmp(q, start, sizeof(double) * (size_t)nq) == 0;
    const lb_batch batch = {.targets = target, .starts = start, .q = q, .results = &result};
    lb_batch_solve(ik, &batch, 0, 1);
    memcpy(q, start, sizeof(double) * (size_t)nq);
    return invalid && result.outcome == LB_INVALID &&
           lb_ik_step(ik, target, q, NULL) == LB_FAILURE &&
           memcmp(q, start, sizeof(double) * (size_t)nq) == 0;
}

TEST(numbers_beyond_the_range_are_invalid)
{
    owned_model *model = test_load("stanford");
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    int nq = lb_model_nq(model);
    for (int i = 0; i < BEYOND; i++) {
        double start[MOST];
        lb_configuration_neutral(model, start);
        lb_transform target = lb_transform_translation(0.3, beyond[i], 0);
        assert_true(is_invalid(ik, &target, start, nq));
    }
}

/* three slides without limits, and three turns */
static lb_model *build_gantry(void)
{
    static const double twists[] = {0.5 * LB_PI, 0.5 * LB_PI, 0.3, 1.1, -0.7, 0};
    lb_dh_row rows[6];
    for (int i = 0; i < 6; i++) {
        rows[i] = lb_dh_row_default();
        rows[i].kind = i < 3 ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE;
        rows[i].alpha = twists[i];
        // the slides are along z, y and x
        rows[i].theta = i == 1 ? 0.5 * LB_PI : 0;
        rows[i].a = 0.1;
        rows[i].lower = -INFINITY;
        rows[i].upper = INFINITY;
    }
    lb_model *model = NULL;
    assert_int_equal(lb_model_from_dh("gantry", rows, 6, false, NULL, &model, NULL), LB_OK);
    return model;
}

static void check_starts_beyond(lb_model *model)
{
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    lb_transform target = lb_transform_translation(1, 2, 3);
    for (int i = 0; i < BEYOND; i++)
        for (int k = 0; k < 6; k++) {
            double start[MOST] = {0};
            start[k] = beyond[i];
            assert_true(is_invalid(ik, &target, start, 6));
        }
    lb_model_release(model);
}

/* whatever limits would make of them */
TEST(starts_beyond_the_range_are_invalid)
{
    check_starts_beyond(build_gantry());
    check_starts_beyond(test_load("stanford"));
}

/* what is said to be reached is so, at every distance */
TEST(reached_means_reached_at_any_distance)
{
    owned_model *model = build_gantry();
    owned_state *at = test_state(model);
    lb_random random = test_seed(91);
    int reached = 0;
    for (int m = 0; m < lb_method_count(); m++) {
        lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
        lb_ik_options options = lb_ik_options_default();
        owned_ik *ik = NULL;
        options.method = lb_method_at(m);
        options.iterations = 300;
        if (lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) != LB_OK)
            continue;
        for (int i = 0; i < 60; i++) {
            double q[MOST] = {0}, position, rotation, scale = pow(10, i / 4.0);
            lb_vec3 p = lb_vec3_scale(test_random_direction(&random), scale);
            lb_transform target = lb_transform_translation(p.x, p.y, p.z);
            q[test_random_index(&random, 6)] = scale * lb_random_between(&random, -1, 1);
            lb_ik_result result;
            lb_ik_solve(ik, &target, q, q, &result);
            for (int k = 0; k < 6; k++)
                assert_true(isfinite(q[k]));
            if (result.outcome != LB_REACHED)
                continue;
            reached++;
            lb_state_update(at, q);
            lb_task_error(at, &task, &target, &position, &rotation);
            assert_true(position <= 1e-6 + 1e-12 * scale);
        }
    }
    assert_true(reached > 100);
}

/* single steps with gains that drive joints away: what they leave is a configuration, always */
TEST(gains_do_not_lead_out_of_the_range)
{
    static const double strengths[] = {0.1, 1, 1e3, 1e100, 1e300};
    owned_model *model = build_gantry();
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    int kept = 0;
    for (int m = 0; m < lb_method_count(); m++)
        for (size_t s = 0; s < 2 * sizeof strengths / sizeof *strengths; s++) {
            double gains[6], desired[6] = {1, -2, 3, 1, 2, 3}, q[MOST] = {0};
            for (int v = 0; v < 6; v++)
                gains[v] = strengths[s / 2] * (v + 1);
            lb_ik_options options = lb_ik_options_default();
            options.method = lb_method_at(m);
            options.gains = gains;
            options.desired = desired;
            options.control = s % 2 ? LB_CONTROL_SQUARE : LB_CONTROL_GRADIENT;
            owned_ik *ik = NULL;
            if (lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) != LB_OK)
                continue;
            lb_transform target = lb_transform_translation(0.5, 0.4, 0.3);
            lb_progress progress = LB_PROCESSING;
            lb_ik_result result = {0};
            for (int i = 0; i < 500 && progress == LB_PROCESSING; i++) {
                progress = lb_ik_step(ik, &target, q, &result);
                for (int k = 0; k < 6; k++)
                    assert_true(fabs(q[k]) <= LB_LENGTH_MAX);
            }
            kept++;
            if (progress == LB_SUCCESS)
                assert_true(result.position_error <= options.position_tolerance);
        }
    assert_true(kept > 10);
}

/* a free axis has any length, a square that no double holds too */
TEST(free_axes_have_any_length)
{
    static const double lengths[] = {1, 1e-150, 1e-200, 1e-310, 1e150, 1e300};
    static const double q[6] = {0, -1, 1, 0, 1, 0};
    owned_model *model = test_load("ur5");
    for (int i = 0; i < 6; i++) {
        double found[6], position, rotation;
        lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
        // rolled about the axis by a quarter turn
        lb_transform target = test_task_tool(model, &task, q);
        lb_vec3 x = target.x;
        target.x = target.y;
        target.y = lb_vec3_scale(x, -1);
        task.free_axis = lb_vec3_make(0, 0, lengths[i]);
        owned_state *s = test_state(model);
        lb_state_update(s, q);
        lb_task_error(s, &task, &target, &position, &rotation);
        assert_near(rotation, 0, 1e-12);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        assert_int_equal(lb_ik_solve(ik, &target, q, found, NULL), LB_REACHED);
        assert_memory_equal(q, found, sizeof q);
    }
}
