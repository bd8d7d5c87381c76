/*
 * test_ik.c - the contract of inverse kinematics: what is promised.
 *
 * Whether and how fast robots reach their targets is for test_golden and bench/robots_bench;
 * the promises on random linkages are test_random_chains'. Refusals are test_solver's.
 */
#include <limber/formats/load.h>
#include <limber/ik.h>
#include <limits.h>

#include "support_arm.h"
#include "support_load.h"

enum { MOST_NQ = 64, TARGETS = 200 };

/* A result is verified by another sum of the same numbers: they differ by rounding. */
#define ROUNDING 1e-12

/* ---- memory --------------------------------------------------------------- */

/* each allocation fails in turn; solving, stepping and explaining make none */
TEST(only_creating_needs_memory)
{
    owned_model *model = test_load("human");
    int hand = lb_model_find_link(model, "left_hand"),
        foot = lb_model_find_link(model, "left_foot");
    lb_task tasks[2] = {lb_task_make(hand, 0, LB_TASK_POSITION),
                        lb_task_make(foot, 0, LB_TASK_POSE)};
    ALLOCATIONS_FAIL (failing, 1000) {
        lb_error error = {0};
        owned_ik *ik = TEST_UNSET;
        failing.status = lb_ik_create(model, tasks, 2, NULL, &failing.allocator, &ik, &error);
        assert_int_equal(ik != NULL, failing.status == LB_OK);
        assert_int_equal(error.status, failing.status);
        if (ik) {
            long before = failing.memory.allocations;
            double q[MOST_NQ];
            char text[200];
            lb_ik_result result;
            lb_configuration_neutral(model, q);
            lb_transform targets[2];
            for (int i = 0; i < 2; i++)
                targets[i] = test_task_tool(model, &tasks[i], q);
            targets[0].p.x += 0.3;
            lb_ik_solve(ik, targets, q, q, &result);
            lb_ik_step(ik, targets, q, &result);
            lb_ik_explain(ik, targets, q, &result, text, sizeof text);
            assert_int_equal(failing.memory.allocations, before);
        }
    }
    lb_ik_release(NULL);
}

/* ---- what is no question -------------------------------------------------- */

/* every number of targets and starts, spoilt in turn */
TEST(what_is_not_finite_is_invalid)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    owned_model *model = test_load("ur5");
    int nq = lb_model_nq(model);
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    double neutral[MOST_NQ], start[MOST_NQ], q[MOST_NQ];
    lb_configuration_neutral(model, neutral);
    lb_transform good = test_task_tool(model, &task, neutral);
    for (int i = 0; i < 12 + nq; i++) {
        for (int k = 0; k < 3; k++) {
            lb_transform target = good;
            memcpy(start, neutral, sizeof start);
            if (i < 12)
                (&target.x.x)[i] = bad[k];
            else
                start[i - 12] = bad[k];
            lb_ik_result result;
            memset(q, 0, sizeof q);
            assert_int_equal(lb_ik_solve(ik, &target, start, q, &result), LB_INVALID);
            assert_int_equal(result.outcome, LB_INVALID);
            // q is the start, bit for bit, NaN included
            assert_memory_equal(q, start, sizeof(double) * (size_t)nq);
            assert_true(result.tries == 0 && result.iterations == 0);

            assert_int_equal(lb_ik_step(ik, &target, q, &result), LB_FAILURE);
            assert_int_equal(result.outcome, LB_INVALID);
            assert_memory_equal(q, start, sizeof(double) * (size_t)nq);
        }
    }

    // axes that are none
    lb_transform target = good;
    target.x = lb_vec3_scale(good.x, 2);
    assert_int_equal(lb_ik_solve(ik, &target, neutral, q, NULL), LB_INVALID);
    target = good;
    target.x = lb_vec3_scale(good.x, -1);
    assert_int_equal(lb_ik_solve(ik, &target, neutral, q, NULL), LB_INVALID);
}

/* ---- what is promised ----------------------------------------------------- */

/* one solve of a built-in model: what is true of any result */
static lb_outcome check_solve(lb_ik *ik, const lb_model *model, const lb_task *task,
                              const lb_transform *target, const double *start, double *q)
{
    lb_ik_result result;
    double position, rotation;
    lb_outcome outcome = lb_ik_solve(ik, target, start, q, &result);
    test_task_errors(model, task, 1, q, target, &position, &rotation);
    assert_int_equal(outcome, result.outcome);
    assert_near(result.position_error, position, ROUNDING);
    assert_near(result.rotation_error, rotation, 1e-11);
    assert_true(result.tries >= 1);
    assert_true(test_limit_excess(model, q) <= ROUNDING);
    if (outcome == LB_REACHED) {
        const lb_ik_options *options = lb_ik_get_options(ik);
        assert_true(position <= options->position_tolerance + ROUNDING);
        assert_true(rotation <= options->rotation_tolerance + 1e-11);
    }
    return outcome;
}

/* every kind of task, with a tool and against a base in the middle of the arm */
TEST(every_kind_of_task_is_reached)
{
    owned_model *model = test_load("iiwa14");
    int tip = lb_model_link_count(model) - 1;
    for (int variant = 0; variant < 24; variant++) {
        lb_random random = test_seed((uint64_t)variant);
        lb_task task =
            lb_task_make(tip, variant / 3 % 2 ? 1 : LB_WORLD, (lb_task_kind)(variant % 3));
        task.tool = test_random_transform(&random);
        if (variant >= 6)
            task.free_axis = lb_vec3_scale(test_random_direction(&random), 3);
        if (variant >= 12)
            task.free_position = test_random_axes(&random);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        int reached = 0;
        for (int n = 0; n < TARGETS; n++) {
            double start[MOST_NQ], goal[MOST_NQ], q[MOST_NQ];
            lb_configuration_random(model, &random, start);
            lb_configuration_random(model, &random, goal);
            lb_transform target = test_task_tool(model, &task, goal);
            test_move_freely(&task, 1, &random, &target);
            reached += check_solve(ik, model, &task, &target, start, q) == LB_REACHED;
        }
        assert_int_equal(reached, TARGETS);
    }
}

/* of several links the same target, from the tip inwards: a task and its mirror image */
TEST(the_base_may_hang_from_the_tip)
{
    owned_model *model = test_load("panda");
    lb_random random = test_seed(51);
    int base = lb_model_find_link(model, "panda_hand"), tip = 0;
    lb_task task = lb_task_make(tip, base, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    for (int n = 0; n < TARGETS; n++) {
        double start[MOST_NQ], goal[MOST_NQ], q[MOST_NQ];
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        lb_transform target = test_task_tool(model, &task, goal);
        assert_int_equal(check_solve(ik, model, &task, &target, start, q), LB_REACHED);
    }
}

/* joints off the way keep the start's values, brought inside their limits */
TEST(joints_off_the_way_keep_their_values)
{
    owned_model *model = test_load("panda");
    lb_random random = test_seed(52);
    lb_task task =
        lb_task_make(lb_model_find_link(model, "panda_link5"), LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    int finger = lb_model_joint_q(model, lb_model_find_joint(model, "panda_finger_joint1"));
    int wrist = lb_model_joint_q(model, lb_model_find_joint(model, "panda_joint7"));
    for (int n = 0; n < 50; n++) {
        double start[MOST_NQ], goal[MOST_NQ], q[MOST_NQ];
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        lb_transform target = test_task_tool(model, &task, goal);
        start[finger] = n % 2 ? 7 : 0.013;
        assert_int_equal(check_solve(ik, model, &task, &target, start, q), LB_REACHED);
        assert_true(q[finger] == (n % 2 ? 0.04 : 0.013));
        assert_true(q[wrist] == start[wrist]);
    }
}

/* a result depends on its problem alone: not on what was solved before, nor on the solver */
TEST(results_have_no_memory)
{
    owned_model *model = test_load("panda");
    lb_random random = test_seed(53);
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    owned_ik *used = test_solver(model, &task, 1, NULL);
    int nq = lb_model_nq(model);
    for (int n = 0; n < TARGETS; n++) {
        double start[MOST_NQ], goal[MOST_NQ], first[MOST_NQ], second[MOST_NQ];
        lb_ik_result one, two;
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        lb_transform target = test_task_tool(model, &task, goal);
        owned_ik *fresh = test_solver(model, &task, 1, NULL);
        lb_ik_solve(fresh, &target, start, first, &one);
        lb_ik_solve(used, &target, start, second, &two);
        assert_memory_equal(first, second, sizeof(double) * (size_t)nq);
        assert_int_equal(one.iterations, two.iterations);
        assert_int_equal(one.tries, two.tries);

        // q may be the start
        lb_ik_solve(used, &target, start, start, NULL);
        assert_memory_equal(first, start, sizeof(double) * (size_t)nq);
    }
}

/* from a start that is there already nothing moves */
TEST(a_start_that_is_there_is_the_result)
{
    owned_model *model = test_load("ur5");
    lb_random random = test_seed(54);
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    for (int n = 0; n < TARGETS; n++) {
        double start[MOST_NQ], q[MOST_NQ];
        lb_configuration_random(model, &random, start);
        lb_transform target = test_task_tool(model, &task, start);
        assert_int_equal(check_solve(ik, model, &task, &target, start, q), LB_REACHED);
        assert_memory_equal(q, start, sizeof(double) * (size_t)lb_model_nq(model));
    }
}

/* of the given start alone there is one try; it is reached or it is not, but never worse */
TEST(the_given_start_is_one_try)
{
    owned_model *model = test_load("panda");
    lb_random random = test_seed(55);
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_GIVEN;
    options.length = 1;
    owned_ik *ik = test_solver(model, &task, 1, &options);
    int reached = 0;
    for (int n = 0; n < TARGETS; n++) {
        double start[MOST_NQ], goal[MOST_NQ], q[MOST_NQ], before[2], after[2];
        lb_ik_result result;
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        lb_transform target = test_task_tool(model, &task, goal);
        reached += lb_ik_solve(ik, &target, start, q, &result) == LB_REACHED;
        assert_int_equal(result.tries, 1);
        test_task_errors(model, &task, 1, start, &target, &before[0], &before[1]);
        test_task_errors(model, &task, 1, q, &target, &after[0], &after[1]);
        assert_true(result.outcome == LB_REACHED ||
                    after[0] + after[1] <= before[0] + before[1] + 1e-11);
    }
    // some are reached, some are not: both branches were seen
    assert_in_range(reached, 1, TARGETS - 1);
}

/* beyond the sum of the links it is proved, and the result points there at full stretch */
TEST(what_is_out_of_reach_is_said_to_be)
{
    owned_model *model = test_load("planar3");
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    double start[MOST_NQ], q[MOST_NQ];
    lb_configuration_neutral(model, start);
    for (int n = 0; n < 8; n++) {
        lb_transform target = lb_transform_translation(35 * cos(0.4 * n), 35 * sin(0.4 * n), 0);
        lb_ik_result result;
        assert_int_equal(lb_ik_solve(ik, &target, start, q, &result), LB_UNREACHABLE);
        assert_near(result.beyond_reach, 5, 1e-9);
        assert_near(result.position_error, 5, 0.01);
        char text[300];
        lb_ik_explain(ik, &target, q, &result, text, sizeof text);
        assert_non_null(strstr(text, "each"));
        assert_non_null(strstr(text, "5"));
    }

    // off the plane nothing is proved by the lengths alone, but by the axes, which are parallel
    lb_transform above = lb_transform_translation(10, 0, 1);
    lb_ik_result result;
    assert_int_equal(lb_ik_solve(ik, &above, start, q, &result), LB_UNREACHABLE);
    assert_near(result.position_error, 1, 1e-3);
    assert_true(result.beyond_reach == 0);
}

/* the nearest of the solutions is no farther than the first that is found */
TEST(the_nearest_is_nearer_than_any)
{
    owned_model *model = test_load("ur5");
    lb_random random = test_seed(56);
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    owned_ik *nearest = test_solver(model, &task, 1, &options);
    options.protocol = LB_PROTOCOL_ANY;
    owned_ik *any = test_solver(model, &task, 1, &options);
    int nq = lb_model_nq(model), nearer = 0;
    for (int n = 0; n < TARGETS; n++) {
        double start[MOST_NQ], goal[MOST_NQ], q[2][MOST_NQ], way[2] = {0, 0};
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        lb_transform target = test_task_tool(model, &task, goal);
        assert_int_equal(lb_ik_solve(nearest, &target, start, q[0], NULL), LB_REACHED);
        assert_int_equal(lb_ik_solve(any, &target, start, q[1], NULL), LB_REACHED);
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < nq; i++)
                way[k] += (q[k][i] - start[i]) * (q[k][i] - start[i]);
        nearer += way[0] < way[1];
    }
    // not always: a first try that arrives nearby ends the search
    assert_true(nearer > TARGETS / 4);
}

/* every width of this machine gives the result of width 1 */
TEST(the_width_makes_no_difference)
{
    owned_model *model = test_load("panda");
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    lb_ik *ik[5];
    for (int w = 0; w < 5; w++) {
        options.width = w == 0 ? 0 : 1 << (w - 1);
        ik[w] = test_solver(model, &task, 1, &options);
    }
    lb_random random = test_seed(57);
    for (int n = 0; n < TARGETS; n++) {
        double start[MOST_NQ], goal[MOST_NQ], q[5][MOST_NQ];
        lb_ik_result result[5];
        memset(result, 0, sizeof result);
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        lb_transform target = test_task_tool(model, &task, goal);
        for (int w = 0; w < 5; w++) {
            lb_ik_solve(ik[w], &target, start, q[w], &result[w]);
            assert_memory_equal(q[w], q[0], sizeof(double) * (size_t)lb_model_nq(model));
            assert_int_equal(result[w].tries, result[0].tries);
            assert_int_equal(result[w].iterations, result[0].iterations);
        }
    }
    for (int w = 0; w < 5; w++)
        lb_ik_release(ik[w]);
}

/* ---- single steps --------------------------------------------------------- */

/* processing until success; q stays within the limits and the way ends at the target */
TEST(steps_lead_to_the_target)
{
    owned_model *model = test_load("planar3");
    lb_random random = test_seed(58);
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    for (int n = 0; n < 50; n++) {
        double q[MOST_NQ], goal[MOST_NQ], position, rotation;
        lb_configuration_random(model, &random, q);
        lb_configuration_random(model, &random, goal);
        lb_transform target = test_task_tool(model, &task, goal);
        lb_progress progress = LB_PROCESSING;
        lb_ik_result result;
        for (int i = 0; i < 200 && progress == LB_PROCESSING; i++) {
            progress = lb_ik_step(ik, &target, q, &result);
            test_task_errors(model, &task, 1, q, &target, &position, &rotation);
            assert_near(result.position_error, position, 1e-11);
            assert_true(test_limit_excess(model, q) <= ROUNDING);
        }
        assert_int_equal(progress, LB_SUCCESS);
        assert_int_equal(result.outcome, LB_REACHED);
        assert_true(position <= 1e-6);

        // there, a further step does nothing
        double before[MOST_NQ];
        memcpy(before, q, sizeof before);
        assert_int_equal(lb_ik_step(ik, &target, q, NULL), LB_SUCCESS);
        assert_memory_equal(before, q, sizeof(double) * (size_t)lb_model_nq(model));
    }
}

/* stretched towards a target out of reach no joint moves the tip any more */
TEST(a_step_that_gets_nowhere_is_a_failure)
{
    owned_model *model = test_load("planar2");
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    double q[MOST_NQ];
    lb_configuration_neutral(model, q);
    lb_transform target = lb_transform_translation(1000, 0, 0);
    q[0] = q[1] = 0;
    lb_ik_result result;
    assert_int_equal(lb_ik_step(ik, &target, q, &result), LB_FAILURE);
    assert_int_equal(result.outcome, LB_STALLED);
}

/* ---- balls ---------------------------------------------------------------- */

/* three balls of which the middle one has this much swing, about a slanted axis */
static lb_model *build_balls(double swing)
{
    test_arm arm;
    test_arm_make(&arm);
    for (int j = 0; j < 3; j++) {
        arm.joints[j].kind = LB_JOINT_BALL;
        arm.joints[j].axis = lb_vec3_make(1, 2, 3);
        arm.joints[j].lower[0] = -INFINITY;
        arm.joints[j].upper[0] = arm.joints[j].upper[1] = INFINITY;
        arm.joints[j].placement = lb_transform_translation(0.3, 0.2, 1);
    }
    arm.joints[1].upper[1] = swing;
    return test_build(&arm.source);
}

/* a cone of no width at all is kept to like any other: what its quaternion rounds is no swing */
TEST(narrow_cones_are_kept)
{
    static const double swings[] = {0, 1e-12, 1e-9, 1e-7, 1e-3};
    for (size_t s = 0; s < sizeof swings / sizeof *swings; s++) {
        owned_model *model = build_balls(swings[s]);
        lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSE);
        for (int m = 0; m < lb_method_count(); m++) {
            lb_ik_options options = lb_ik_options_default();
            owned_ik *ik = NULL;
            options.method = lb_method_at(m);
            if (lb_ik_create(model, &task, 1, &options, NULL, &ik, NULL) != LB_OK)
                continue;
            lb_random random = test_seed(5);
            for (int i = 0; i < 20; i++) {
                double goal[MOST_NQ], q[MOST_NQ];
                lb_configuration_random(model, &random, goal);
                lb_transform target = test_task_tool(model, &task, goal);
                lb_configuration_random(model, &random, q);
                lb_ik_result result;
                lb_ik_solve(ik, &target, q, q, &result);
                double excess = test_limit_excess(model, q);
                if (!(excess <= ROUNDING))
                    fail_msg("%s, swing %g: off by %g", lb_method_name(options.method), swings[s],
                             excess);
            }
        }
    }
}

/* ---- words ---------------------------------------------------------------- */

/* the text is cut to its room, terminated, and its whole length returned */
TEST(explanations_fit_their_room)
{
    owned_model *model = test_load("panda");
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    double q[MOST_NQ];
    lb_configuration_neutral(model, q);
    lb_transform target = lb_transform_translation(5, 0, 0);
    lb_ik_result result;
    lb_ik_solve(ik, &target, q, q, &result);
    char whole[1000], part[1000];
    size_t length = lb_ik_explain(ik, &target, q, &result, whole, sizeof whole);
    assert_int_equal(length, strlen(whole));
    assert_true(length > 20);
    for (size_t size = 0; size <= length + 1; size++) {
        memset(part, 'x', sizeof part);
        assert_int_equal(lb_ik_explain(ik, &target, q, &result, part, size), length);
        assert_true(part[size] == 'x');
        if (size > 0) {
            assert_int_equal(strlen(part), size - 1);
            assert_memory_equal(part, whole, size - 1);
        }
    }
}

/* what is missing is named in base axes, however the arm's first joint stands */
TEST(explanations_speak_of_base_axes)
{
    test_arm arm;
    test_arm_make(&arm);
    // z becomes x, so the arm moves in the y z plane
    lb_quat thirds = {0.5, 0.5, 0.5, 0.5};
    arm.joints[0].placement = lb_transform_from_quat(thirds, lb_vec3_make(0, 0, 0));
    arm.joints[1].placement = arm.joints[2].placement = lb_transform_translation(1, 0, 0);
    owned_model *model = test_build(&arm.source);
    lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    double q[3] = {0.3, 0.6, -0.5};
    lb_transform target = test_task_tool(model, &task, q);
    target.p.x += 0.2;
    lb_ik_result result;
    lb_ik_solve(ik, &target, q, q, &result);
    char text[500];
    lb_ik_explain(ik, &target, q, &result, text, sizeof text);
    if (strstr(text, "along x") == NULL)
        fail_msg("%s", text);
}
