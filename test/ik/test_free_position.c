/*
 * test_free_position.c - positions that are lines or planes: what can be reached is, wherever on
 * its line or plane the target stands; what cannot is only called so where that is proved.
 *
 * Verified by the oracle's 4x4 matrices, which see the tool from the target. Random linkages
 * are test_random_chains's.
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <math.h>

#include "support_arm.h"
#include "support_load.h"

enum { TARGETS = 100, MOST_NQ = 80, SETS = 7 };

/* two sums of the same numbers, of places up to a kilometre away */
#define ROUNDING 1e-11

static lb_task tip_task(const lb_model *model, lb_task_kind kind, unsigned axes)
{
    int tips[MOST_NQ];
    assert_true(lb_model_tips(model, tips) <= MOST_NQ);
    lb_task task = lb_task_make(tips[0], LB_WORLD, kind);
    task.free_position = axes;
    return task;
}

/* a target that some configuration reaches, and then anywhere along its free axes */
static lb_transform next_target(const lb_model *model, const lb_task *task, double most,
                                lb_random *random)
{
    double goal[MOST_NQ];
    lb_configuration_random(model, random, goal);
    lb_transform target = test_task_tool(model, task, goal);
    // where axes do not count they are any
    if (task->kind == LB_TASK_POSITION)
        target = lb_transform_from_quat(test_random_quat(random), target.p);
    test_move_freely(task, most, random, &target);
    return target;
}

/* solves it, and checks what is reported */
static bool reach(lb_ik *ik, const lb_model *model, const lb_task *task, const lb_transform *target,
                  lb_random *random)
{
    double start[MOST_NQ], q[MOST_NQ], position, rotation;
    lb_ik_result result;
    lb_configuration_random(model, random, start);
    lb_ik_solve(ik, target, start, q, &result);
    test_task_errors(model, task, 1, q, target, &position, &rotation);
    assert_near(result.position_error, position, ROUNDING);
    assert_true(test_limit_excess(model, q) <= 1e-9);
    if (result.outcome == LB_UNREACHABLE)
        fail_msg("what can be reached is called unreachable by %g m", result.beyond_reach);
    if (result.outcome != LB_REACHED)
        return false;
    assert_true(position <= 1e-6 + ROUNDING && rotation <= 1e-6 + ROUNDING);
    return true;
}

/* ---- reaching ------------------------------------------------------------- */

static void check_robot(const lb_model *model, lb_random *random)
{
    const lb_protocol protocols[] = {LB_PROTOCOL_NEAREST, LB_PROTOCOL_ANY};
    // targets are where the tree can be: test_linkage.c has linkages that close
    if (lb_model_loop_count(model) > 0)
        return;
    for (int variant = 0; variant < 4 * (SETS - 1); variant++) {
        lb_task_kind kind = variant & 1 ? LB_TASK_POSE : LB_TASK_POSITION;
        lb_task task = tip_task(model, kind, 1 + (unsigned)variant / 4);
        lb_ik_options options = lb_ik_options_default();
        options.protocol = protocols[variant >> 1 & 1];
        owned_ik *ik = test_solver(model, &task, 1, &options);
        int missed = 0;
        for (int n = 0; n < TARGETS; n++) {
            lb_transform target = next_target(model, &task, 1, random);
            missed += !reach(ik, model, &task, &target, random);
        }
        assert_int_equal(missed, 0);
    }
}

TEST(every_robot_reaches_lines_and_planes)
{
    test_built_in_models(check_robot);
}

/* a target's own place on its line or plane is nothing to the tool: a kilometre off it is as good
 */
TEST(far_targets_are_reached)
{
    owned_model *model = test_load("panda");
    for (unsigned axes = 1; axes < SETS; axes++) {
        lb_random random = test_seed(axes);
        lb_task task = tip_task(model, LB_TASK_POSE, axes);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        for (int n = 0; n < TARGETS; n++) {
            lb_transform target = next_target(model, &task, 1000, &random);
            assert_true(reach(ik, model, &task, &target, &random));
        }
    }
}

/* lines that touch the rim of what an arm can reach, askew: there is one point, or nearly */
TEST(the_rim_is_reached)
{
    owned_model *model = test_load("planar3");
    for (int k = 1; k < 8; k++) {
        lb_random random = test_seed((uint64_t)k);
        lb_task task = tip_task(model, LB_TASK_POSITION, LB_FREE_Y);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        for (int n = 0; n < TARGETS; n++) {
            // nearly stretched: the tool's own y is along the rim
            double goal[3] = {lb_random_between(&random, -LB_PI, LB_PI), pow(10, -k), 0};
            lb_transform target = test_task_tool(model, &task, goal);
            test_move_freely(&task, 5, &random, &target);
            assert_true(reach(ik, model, &task, &target, &random));
        }
    }
}

/* ---- out of reach --------------------------------------------------------- */

/* a line or plane at a distance from the shoulder, its origin anywhere on it */
static lb_transform at_distance(const lb_task *task, double distance, lb_random *random)
{
    lb_transform target = lb_transform_from_quat(test_random_quat(random), lb_vec3_make(0, 0, 0));
    const lb_vec3 axes[] = {target.x, target.y, target.z};
    lb_vec3 away = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        if ((task->free_position >> k & 1) == 0)
            away = lb_vec3_add(away, lb_vec3_scale(axes[k], lb_random_between(random, -1, 1)));
    target.p = lb_vec3_scale(lb_vec3_normalize(away, target.x), distance);
    test_move_freely(task, 50, random, &target);
    return target;
}

/* links of 15, 10 and 5 from the origin: no line or plane that is farther off can be touched */
TEST(what_is_beyond_reach_is_proved)
{
    owned_model *model = test_load("planar3");
    const double reach = 30;
    for (unsigned axes = 1; axes < SETS; axes++) {
        lb_random random = test_seed(axes);
        lb_task task = tip_task(model, LB_TASK_POSITION, axes);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        for (int n = 0; n < TARGETS; n++) {
            double q[MOST_NQ], beyond = lb_random_between(&random, 1e-5, 1);
            lb_ik_result result;
            lb_configuration_neutral(model, q);
            lb_transform target = at_distance(&task, reach + beyond, &random);
            assert_int_equal(lb_ik_solve(ik, &target, q, q, &result), LB_UNREACHABLE);
            assert_near(result.beyond_reach, beyond, 1e-9);
            target = at_distance(&task, reach - beyond, &random);
            assert_true(lb_ik_solve(ik, &target, q, q, &result) != LB_UNREACHABLE);
        }
    }
}

/* ---- in words ------------------------------------------------------------- */

static void explain(const lb_model *model, const lb_task *task, const lb_transform *target,
                    char *text, size_t size)
{
    double q[MOST_NQ];
    lb_ik_result result;
    owned_ik *ik = test_solver(model, task, 1, NULL);
    lb_configuration_neutral(model, q);
    lb_ik_solve(ik, target, q, q, &result);
    lb_ik_explain(ik, target, q, &result, text, size);
}

/* an arm in the plane has what a line or plane leaves open to come to it */
TEST(planes_are_crossed_or_missed)
{
    owned_model *model = test_load("planar3");
    const struct {
        unsigned axes;
        double pitch;
        const char *says;
    } cases[] = {
        {LB_FREE_X, 0, "the target is 3 m off it along z of the world"},
        {LB_FREE_X | LB_FREE_Y, 0, "the target is 3 m off it along z of the world"},
        {LB_FREE_X, 0.5, "Reached"},
        {LB_FREE_Z, 0, "Reached"},
        {LB_FREE_X | LB_FREE_Z, 0.2, "Reached"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        lb_task task = tip_task(model, LB_TASK_POSITION, cases[i].axes);
        lb_transform target =
            lb_transform_from_quat(lb_quat_from_rpy(0, cases[i].pitch, 0), lb_vec3_make(10, 5, 3));
        explain(model, &task, &target, text, sizeof text);
        if (strstr(text, cases[i].says) == NULL)
            fail_msg("case %d: %s", (int)i, text);
    }
}

/* what is missing is in the base's axes, however the target is turned */
TEST(what_is_missing_is_named)
{
    test_arm arm;
    test_arm_make(&arm);
    arm.joints[0].kind = LB_JOINT_PRISMATIC;
    arm.joints[0].axis = lb_vec3_make(1, 0, 0);
    arm.joints[1].kind = arm.joints[2].kind = LB_JOINT_FIXED;
    owned_model *model = test_build(&arm.source);
    for (int k = 0; k < 5; k++) {
        char text[1000];
        lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
        task.free_position = LB_FREE_Z;
        lb_transform target =
            lb_transform_from_quat(lb_quat_from_rpy(0, 0, 0.7 * k), lb_vec3_make(0.5, 1, 9));
        explain(model, &task, &target, text, sizeof text);
        assert_non_null(strstr(text, "1 m remains"));
        assert_non_null(strstr(text, "no joint can move 'hand' along y of the world"));
    }
}

/* ---- methods -------------------------------------------------------------- */

/* whether a method does such tasks; else it says so, by name and with a remedy */
static bool create(const lb_model *model, const lb_task *task, const lb_method *method, lb_ik **ik)
{
    lb_ik_options options = lb_ik_options_default();
    options.method = method;
    lb_error error = {0};
    lb_status status = lb_ik_create(model, task, 1, &options, NULL, ik, &error);
    if (status == LB_OK)
        return true;
    assert_int_equal(status, LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, lb_method_name(method)));
    assert_non_null(strstr(error.message, "; use '"));
    return false;
}

TEST(every_method_reaches_or_refuses)
{
    owned_model *model = test_load("ur5");
    for (int m = 0; m < lb_method_count(); m++) {
        const lb_method *method = lb_method_at(m);
        lb_random random = test_seed(7);
        int reached = 0, all = 0;
        for (unsigned variant = 2; variant < 2 * SETS; variant++) {
            owned_ik *ik = NULL;
            lb_task task =
                tip_task(model, variant & 1 ? LB_TASK_POSE : LB_TASK_POSITION, variant / 2);
            if (!create(model, &task, method, &ik))
                continue;
            for (int n = 0; n < 20; n++, all++) {
                lb_transform target = next_target(model, &task, 1, &random);
                reached += reach(ik, model, &task, &target, &random);
            }
        }
        print_message("%s: %d of %d\n", lb_method_name(method), reached, all);
        // a square Jacobian or two bones are not to be had here; the rest know how
        const char *name = lb_method_name(method);
        bool refuses = strcmp(name, "inverse") == 0 || strcmp(name, "analytic") == 0;
        assert_int_equal(all, refuses ? 0 : 20 * 2 * (SETS - 1));
        assert_true(reached >= 0.85 * all);
        if (m == 0)
            assert_int_equal(reached, all);
    }
}

/* two joints that a pose with one free axis makes square; a closed form that knows points alone */
TEST(what_two_bones_can_do)
{
    owned_model *model = test_load("planar2");
    lb_task task = tip_task(model, LB_TASK_POSITION, LB_FREE_Z);
    lb_ik *ik = NULL;
    assert_false(create(model, &task, lb_method_find("analytic"), &ik));
    assert_true(create(model, &task, lb_method_find("inverse"), &ik));
    lb_random random = test_seed(8);
    for (int n = 0; n < TARGETS; n++) {
        double goal[MOST_NQ];
        lb_configuration_random(model, &random, goal);
        lb_transform target = test_task_tool(model, &task, goal);
        target.p.z = lb_random_between(&random, -5, 5);
        assert_true(reach(ik, model, &task, &target, &random));
    }
    lb_ik_release(ik);
    task.free_position = 0;
    assert_true(create(model, &task, lb_method_find("analytic"), &ik));
    lb_ik_release(ik);
}

/* ---- measuring ------------------------------------------------------------ */

/* lb_task_error by the oracle; none of the position for a rotation */
TEST(errors_are_those_of_the_definition)
{
    owned_model *model = test_load("human");
    owned_state *at = test_state(model);
    lb_random random = test_seed(9);
    for (int n = 0; n < 1000; n++) {
        double q[MOST_NQ], position, rotation, expected_position, expected_rotation;
        lb_task task = tip_task(model, (lb_task_kind)(n % 3), (unsigned)(n / 3 % SETS));
        task.base = n % 2 ? LB_WORLD : 3;
        task.tool = test_random_transform(&random);
        lb_transform target = test_random_transform(&random);
        lb_configuration_random(model, &random, q);
        lb_state_update(at, q);
        lb_task_error(at, &task, &target, &position, &rotation);
        test_task_errors(model, &task, 1, q, &target, &expected_position, &expected_rotation);
        assert_near(position, expected_position, 1e-13);
        assert_near(rotation, expected_rotation, 1e-6);
    }
}
