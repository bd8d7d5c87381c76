/*
 * test_body_kinds.c - each kind of task, levels, speeds and words, on linkages that can be seen
 * through; and what is refused.
 */
#include <limber/body.h>

#include "ik/body/solver.h"
#include "support.h"

/* a serial arm in the xy plane: `count` hinges about z, a metre apart, and a tip */
static lb_model *planar_arm(int count, double limit)
{
    static const char *const links[] = {"base", "a", "b", "c", "d", "e"};
    static const char *const joints[] = {"j1", "j2", "j3", "j4", "j5"};
    lb_link all_links[6];
    lb_joint all_joints[5];
    for (int i = 0; i <= count; i++) {
        all_links[i] = lb_link_default();
        all_links[i].name = links[i];
        all_links[i].mass = 1;
    }
    for (int i = 0; i < count; i++) {
        all_joints[i] = lb_joint_default();
        all_joints[i].name = joints[i];
        all_joints[i].kind = LB_JOINT_REVOLUTE;
        all_joints[i].parent = links[i];
        all_joints[i].child = links[i + 1];
        all_joints[i].lower[0] = -limit;
        all_joints[i].upper[0] = limit;
        if (i > 0)
            all_joints[i].placement = lb_transform_translation(1, 0, 0);
    }
    return test_make("arm", all_links, count + 1, all_joints, count);
}

static lb_body_task tip_task(lb_body_kind kind, int link)
{
    lb_body_task task = lb_body_task_make(kind, link);
    task.tool = lb_transform_translation(1, 0, 0);
    return task;
}

/* ---- speeds -------------------------------------------------------------------- */

TEST(accelerations_are_kept_and_limits_can_be_stopped_at)
{
    owned_model *model = planar_arm(2, 1);
    lb_body_task task = tip_task(LB_BODY_POSITION, 2);
    owned_body *body = test_body(model, &task, 1, NULL);
    double q[2] = {0, 0}, before[2], v[2] = {0, 0}, time = 0.01, most = 20;
    for (int j = 0; j < 2; j++)
        lb_body_set_speed(body, j, 3, most);
    // beyond its limits, so that it runs into them
    lb_body_set_point(body, 0, lb_vec3_make(-1.5, 0.4, 0));
    for (int frame = 0; frame < 300; frame++) {
        memcpy(before, q, sizeof q);
        lb_body_advance(body, q, v, time, q, NULL);
        for (int i = 0; i < 2; i++) {
            double now = (q[i] - before[i]) / time;
            assert_true(fabs(now) <= 3 + 1e-9);
            assert_true(fabs(now - v[i]) <= most * time + 1e-9);
            assert_true(fabs(q[i]) <= 1);
            v[i] = now;
        }
    }
    assert_near(fabs(q[0]), 1, 1e-3);
}

/* ---- loops ----------------------------------------------------------------- */

/* crank 1, coupler 3, rocker 2.5, ground 3: the crank goes round (Grashof) */
TEST(a_four_bar_stays_closed_through_a_full_turn)
{
    const char *names[] = {"ground", "crank", "coupler", "rocker"};
    lb_joint joints[3];
    const char *parents[] = {"ground", "crank", "ground"}, *joint_names[] = {"j1", "j2", "j3"};
    for (int i = 0; i < 3; i++) {
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_CONTINUOUS;
        joints[i].name = joint_names[i];
        joints[i].parent = parents[i];
        joints[i].child = names[i + 1];
    }
    joints[1].placement = lb_transform_translation(1, 0, 0);
    joints[2].placement = lb_transform_translation(3, 0, 0);
    joints[1].value[0] = 1;
    joints[2].value[0] = 1.8;
    owned_model *model = test_make("four-bar", NULL, 0, joints, 3);
    lb_body_task tasks[2] = {lb_body_task_make(LB_BODY_POSITION, 2),
                             lb_body_task_make(LB_BODY_JOINT, 0)};
    tasks[0].base = 3;
    tasks[0].tool = lb_transform_translation(3, 0, 0);
    tasks[0].position_tolerance = 1e-9;
    tasks[1].joint = 0;
    tasks[1].level = 1;
    owned_body *body = test_body(model, tasks, 2, NULL);
    double q[3], turn = 0;
    lb_configuration_neutral(model, q);
    lb_body_set_point(body, 0, lb_vec3_make(2.5, 0, 0));
    for (int i = 0; i <= 360; i++) {
        turn = 2 * LB_PI * i / 360;
        lb_body_set_value(body, 1, &turn);
        lb_body_result result;
        lb_outcome outcome = lb_body_solve(body, q, q, &result);
        if (outcome != LB_REACHED)
            print_message("degree %d: %s\n", i, lb_outcome_text(outcome));
        assert_int_equal(outcome, LB_REACHED);
        assert_true(lb_body_outcomes(body)[0].position_error <= 1e-9);
    }
}

/* ---- levels ---------------------------------------------------------------- */

/* five hinges in a plane: a position above leaves a position and a direction below what it can */
TEST(a_level_never_gives_way_to_one_below)
{
    owned_model *model = planar_arm(5, 10);
    lb_random random = test_seed(13);
    for (int i = 0; i < 200; i++) {
        lb_body_task tasks[2] = {tip_task(LB_BODY_POSITION, 5), tip_task(LB_BODY_POSITION, 3)};
        tasks[1].level = 1;
        owned_body *body = test_body(model, tasks, 2, NULL);
        double q[5], start[5];
        for (int j = 0; j < 5; j++)
            start[j] = lb_random_between(&random, -1, 1);
        // the upper one within reach, the lower one anywhere
        double angle = lb_random_between(&random, -3, 3), far = lb_random_between(&random, 1, 4);
        lb_body_set_point(body, 0, lb_vec3_make(far * lb_cos(angle), far * lb_sin(angle), 0));
        lb_body_set_point(
            body, 1,
            lb_vec3_make(lb_random_between(&random, -4, 4), lb_random_between(&random, -4, 4), 0));
        lb_body_result result;
        lb_body_solve(body, start, q, &result);
        const lb_body_outcome *outcomes = lb_body_outcomes(body);
        assert_near(outcomes[0].position_error, 0, 1e-6);
        if (!outcomes[1].reached) {
            char text[300];
            lb_body_reason reason = lb_body_explain(body, 1, text, sizeof text);
            assert_true(reason != LB_BODY_REASON_NONE && reason != LB_BODY_REASON_CONFLICT);
        }
    }
}

/* ---- words ----------------------------------------------------------------- */

static void check_reason(lb_body *body, const double *start, int task, lb_body_reason reason,
                         const char *words)
{
    double q[8];
    char text[300];
    lb_body_result result;
    lb_body_solve(body, start, q, &result);
    assert_int_not_equal(result.outcome, LB_REACHED);
    assert_true(result.iterations <= lb_body_options_default().iterations);
    lb_body_reason found = lb_body_explain(body, task, text, sizeof text);
    if (found != reason || !strstr(text, words))
        fail_msg("%s instead of %s: %s", lb_body_reason_text(found), lb_body_reason_text(reason),
                 text);
}

TEST(what_holds_a_task_back_is_named)
{
    const double start[3] = {0.3, 0.3, 0.3};
    owned_model *model = planar_arm(3, 1);
    lb_body_task tasks[2] = {tip_task(LB_BODY_POSITION, 3), tip_task(LB_BODY_POSITION, 3)};
    lb_body *body = test_body(model, tasks, 1, NULL);
    // beyond the links' lengths, and behind the limits
    lb_body_set_point(body, 0, lb_vec3_make(5, 1, 0));
    check_reason(body, start, 0, LB_BODY_REASON_REACH, "no joint brings it nearer");
    lb_body_set_point(body, 0, lb_vec3_make(-2.9, 0.1, 0));
    check_reason(body, start, 0, LB_BODY_REASON_LIMITS, "'j1'");
    lb_body_release(body);

    // the same tip in two places
    body = test_body(model, tasks, 2, NULL);
    lb_body_set_point(body, 0, lb_vec3_make(2.2, 1, 0));
    lb_body_set_point(body, 1, lb_vec3_make(2.2, 1.5, 0));
    check_reason(body, start, 0, LB_BODY_REASON_CONFLICT, "position of 'c'");
    // one out of reach, which pulls the other with it, however slowly that goes on
    lb_body_set_point(body, 0, lb_vec3_make(9, 1, 0));
    lb_body_set_point(body, 1, lb_vec3_make(0.4, 0.6, 0));
    check_reason(body, start, 1, LB_BODY_REASON_CONFLICT, "position of 'c'");
    lb_body_release(body);
    tasks[1].level = 1;
    body = test_body(model, tasks, 2, NULL);
    lb_body_set_point(body, 0, lb_vec3_make(2.2, 1, 0));
    lb_body_set_point(body, 1, lb_vec3_make(2.2, 1.5, 0));
    check_reason(body, start, 1, LB_BODY_REASON_LEVEL, "levels above");
    assert_true(lb_body_outcomes(body)[0].reached);
    lb_body_release(body);
}

/* the same task twice has no effect */
TEST(redundant_tasks_are_reached)
{
    const double start[3] = {0.3, 0.3, 0.3};
    owned_model *model = planar_arm(3, 2);
    for (int level = 0; level < 2; level++) {
        lb_body_task tasks[3] = {tip_task(LB_BODY_POSITION, 3), tip_task(LB_BODY_POSITION, 3),
                                 tip_task(LB_BODY_POSITION, 2)};
        tasks[2].level = level;
        owned_body *body = test_body(model, tasks, 3, NULL);
        double goal[3] = {0.5, 0.4, -0.6}, q[3];
        for (int t = 0; t < 3; t++)
            lb_body_hold(body, t, goal);
        assert_int_equal(lb_body_solve(body, start, q, NULL), LB_REACHED);
    }
}

/* ---- kinds ----------------------------------------------------------------- */

TEST(a_pole_turns_the_elbow_to_its_side)
{
    // a ball shoulder, a hinge elbow
    lb_joint joints[2];
    const char *names[] = {"trunk", "upper", "lower"};
    for (int i = 0; i < 2; i++) {
        joints[i] = lb_joint_default();
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
    }
    joints[0].name = "shoulder";
    joints[0].kind = LB_JOINT_BALL;
    joints[0].value[0] = 1;
    joints[1].name = "elbow";
    joints[1].kind = LB_JOINT_REVOLUTE;
    joints[1].placement = lb_transform_translation(1, 0, 0);
    joints[1].value[0] = 1;
    owned_model *model = test_make("arm", NULL, 0, joints, 2);
    lb_body_task tasks[2] = {tip_task(LB_BODY_POSITION, 2), lb_body_task_make(LB_BODY_POLE, 2)};
    tasks[1].first = 0;
    tasks[1].last = 2;
    tasks[1].last_point = lb_vec3_make(1, 0, 0);
    owned_body *body = test_body(model, tasks, 2, NULL);
    lb_body_set_point(body, 0, lb_vec3_make(1.2, 0.3, 0.2));
    lb_random random = test_seed(14);
    int reached = 0;
    for (int i = 0; i < 100; i++) {
        double q[5];
        lb_configuration_neutral(model, q);
        lb_body_set_point(body, 1, lb_vec3_scale(test_random_direction(&random), 5));
        reached += lb_body_solve(body, q, q, NULL) == LB_REACHED;
    }
    // a pole that is nearly on the line from shoulder to hand has no side
    assert_true(reached >= 95);
}

TEST(the_centre_of_mass_stays_above_its_support)
{
    static const double square[4][2] = {{0, 0}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
    owned_model *model = planar_arm(5, 10);
    lb_body_task tasks[2] = {lb_body_task_make(LB_BODY_SUPPORT, 0), tip_task(LB_BODY_POSITION, 5)};
    tasks[0].vertices = square;
    tasks[0].vertex_count = 4;
    owned_body *body = test_body(model, tasks, 2, NULL);
    lb_body_set_target(body, 0, &(lb_transform){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.1, 0}});
    lb_body_set_point(body, 1, lb_vec3_make(0.5, 1.5, 0));
    double q[5] = {0.5, 0.5, 0.5, 0.5, 0.5};
    assert_int_equal(lb_body_solve(body, q, q, NULL), LB_REACHED);
}

/* what a box and a cone allow is as good as the target itself */
TEST(boxes_and_cones_allow_what_they_hold)
{
    owned_model *model = planar_arm(3, 2);
    lb_body_task task = tip_task(LB_BODY_POSE, 3);
    task.box = lb_vec3_make(0.1, 0.2, 0);
    task.cone = 0.3;
    owned_body *body = test_body(model, &task, 1, NULL);
    const double goal[3] = {0.5, 0.4, -0.6};
    double q[3], start[3] = {0.9, 0.9, -0.2};
    lb_body_hold(body, 0, goal);
    lb_transform moved = body->targets[0];
    moved.p = lb_vec3_add(moved.p, lb_vec3_scale(moved.x, 0.09));
    moved.p = lb_vec3_sub(moved.p, lb_vec3_scale(moved.y, 0.19));
    lb_body_set_target(body, 0, &moved);
    lb_body_result result;
    assert_int_equal(lb_body_solve(body, start, q, &result), LB_REACHED);
    assert_true(result.iterations > 0);
    // within the box already: nothing moves
    assert_int_equal(lb_body_solve(body, goal, q, &result), LB_REACHED);
    assert_int_equal(result.iterations, 0);
    assert_memory_equal(q, goal, sizeof q);
}

/* a gaze that a cone allows turns no farther than to its edge */
TEST(a_cone_is_reached_at_its_edge)
{
    owned_model *model = planar_arm(1, 3);
    lb_body_task task = lb_body_task_make(LB_BODY_LOOK_AT, 1);
    task.axis = lb_vec3_make(1, 0, 0);
    task.cone = 0.5;
    owned_body *body = test_body(model, &task, 1, NULL);
    const double start = 0;
    double q;
    lb_body_set_point(body, 0, lb_vec3_make(0, 5, 0));
    assert_int_equal(lb_body_solve(body, &start, &q, NULL), LB_REACHED);
    assert_near(q, LB_PI / 2 - 0.5, 1e-6);
}

/* ---- refusing -------------------------------------------------------------- */

static void check_refused(const lb_model *model, lb_body_task task, const char *words)
{
    lb_body *body;
    lb_error error = {0};
    assert_int_not_equal(lb_body_create(model, &task, 1, NULL, NULL, &body, &error), LB_OK);
    assert_null(body);
    if (!strstr(error.message, words))
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

TEST(what_is_no_task_is_refused_by_name)
{
    owned_model *model = planar_arm(2, 1);
    lb_body_task task = tip_task(LB_BODY_POSITION, 7);
    check_refused(model, task, "link must be one");
    task = tip_task(LB_BODY_POSITION, 0);
    check_refused(model, task, "no unlocked joint");
    // what is fixed to its base
    task = tip_task(LB_BODY_POSE, 2);
    task.base = 2;
    check_refused(model, task, "no unlocked joint");
    task = tip_task(LB_BODY_LOOK_AT, 2);
    task.axis = lb_vec3_make(0, 0, 0);
    check_refused(model, task, "axis");
    task = tip_task(LB_BODY_POSE, 2);
    task.weight = NAN;
    check_refused(model, task, "weight");
    task.weight = 1e16;
    check_refused(model, task, "weight");
    task = tip_task(LB_BODY_POSE, 2);
    task.tool.p.x = -2e15;
    check_refused(model, task, "beyond 1e15 m");
    task = tip_task(LB_BODY_POSE, 2);
    task.level = 4;
    check_refused(model, task, "level");
    task = tip_task(LB_BODY_POLE, 1);
    task.first = 0, task.last = 2, task.base = 1;
    check_refused(model, task, "in the world");
    task = lb_body_task_make(LB_BODY_SUPPORT, 0);
    check_refused(model, task, "vertices");
    static const double clockwise[3][2] = {{0, 0}, {0, 1}, {1, 0}};
    task.vertices = clockwise;
    task.vertex_count = 3;
    check_refused(model, task, "counter-clockwise");
    // a point, a segment there and back, and a star
    static const double point[3][2] = {{0, 0}, {0, 0}, {0, 0}},
                        back[3][2] = {{0, 0}, {1, 0}, {2, 0}};
    static const double star[5][2] = {{0, 1}, {-0.6, -0.8}, {0.95, 0.3}, {-0.95, 0.3}, {0.6, -0.8}};
    const double(*const bad[])[2] = {point, back, star};
    for (int i = 0; i < 3; i++) {
        task.vertices = bad[i];
        task.vertex_count = i < 2 ? 3 : 5;
        check_refused(model, task, "counter-clockwise");
    }
    task = lb_body_task_make(LB_BODY_JOINT, 0);
    check_refused(model, task, "joint must be one");
}

TEST(settings_out_of_range_change_nothing)
{
    owned_model *model = planar_arm(2, 1);
    lb_body_task task = tip_task(LB_BODY_POSITION, 2);
    owned_body *body = test_body(model, &task, 1, NULL);
    double number = 0, start[2] = {NAN, 0}, q[2];
    lb_body_result result;
    assert_int_equal(lb_body_set_point(body, 1, lb_vec3_make(0, 0, 0)), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_body_set_point(body, 0, lb_vec3_make(NAN, 0, 0)), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_point(body, 0, lb_vec3_make(0, 1e130, 0)), LB_BAD_VALUE);
    char words[8] = "words";
    assert_int_equal(lb_body_explain(body, 1, words, sizeof words), LB_BODY_REASON_NONE);
    assert_int_equal(lb_body_explain(body, -1, NULL, 0), LB_BODY_REASON_NONE);
    char why[128];
    assert_int_equal(lb_body_explain(body, 0, why, sizeof why), LB_BODY_REASON_NONE);
    assert_non_null(strstr(why, "not tried: no solve yet"));
    assert_string_equal(words, "");
    assert_int_equal(lb_body_set_value(body, 0, &number), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_body_set_weight(body, 0, -1), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 0, 0, 2, 3), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 0, 0, NAN, 0.1), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 0, 0, -0.1, NAN), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 5, 0, 0, 1), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_body_set_speed(body, 0, -1, 1), LB_BAD_VALUE);
    assert_int_equal(lb_body_solve(body, start, q, &result), LB_INVALID);
    assert_int_equal(result.outcome, LB_INVALID);
    start[0] = 1e16;
    assert_int_equal(lb_body_solve(body, start, q, &result), LB_INVALID);
    // narrower limits hold
    start[0] = 0;
    assert_int_equal(lb_body_set_limits(body, 0, 0, -0.1, 0.1), LB_OK);
    lb_body_set_point(body, 0, lb_vec3_make(0, 2, 0));
    lb_body_solve(body, start, q, &result);
    assert_true(q[0] <= 0.1);
    // a weight of zero switches it off
    assert_int_equal(lb_body_set_weight(body, 0, 0), LB_OK);
    assert_int_equal(lb_body_solve(body, start, q, &result), LB_REACHED);
}

/* of a ball w, x, y, z: its turn about z, and how far z is from where it is at rest */
static void ball_angles_of(const double *q, double *twist, double *swing)
{
    *twist = lb_wrap_angle(2 * lb_atan2(q[3], q[0]));
    *swing = 2 * lb_atan2(sqrt(q[1] * q[1] + q[2] * q[2]), sqrt(q[0] * q[0] + q[3] * q[3]));
}

static lb_model *ball_model(void)
{
    lb_joint ball = lb_joint_default();
    ball.kind = LB_JOINT_BALL;
    ball.value[0] = 1;
    ball.axis = lb_vec3_make(0, 0, 1);
    return test_single_joint(&ball);
}

static void aim_ball(lb_body *body, const double *at)
{
    const lb_quat turn = {at[0], at[1], at[2], at[3]};
    const lb_transform target = lb_transform_from_quat(turn, lb_vec3_make(0, 0, 0));
    assert_int_equal(lb_body_set_target(body, 0, &target), LB_OK);
}

/* the angles of a random configuration's solution for another one */
static void solve_random_ball(lb_body *body, const lb_model *model, lb_random *random,
                              double *twist, double *swing)
{
    double start[4], goal[4], q[4];
    lb_configuration_random(model, random, start);
    lb_configuration_random(model, random, goal);
    aim_ball(body, goal);
    lb_body_solve(body, start, q, NULL);
    ball_angles_of(q, twist, swing);
}

/* narrower limits of a ball hold in every solve until they are widened again */
TEST(balls_have_narrower_limits)
{
    owned_model *model = ball_model();
    lb_body_task task = lb_body_task_make(LB_BODY_ORIENTATION, 1);
    owned_body *body = test_body(model, &task, 1, NULL);
    assert_int_equal(lb_body_set_limits(body, 0, 2, 0, 1), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_body_set_limits(body, 0, 0, 1, -1), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 0, 1, 0, -1), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 0, 0, NAN, 0.2), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 0, 0, -0.3, NAN), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 0, 1, 0, NAN), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_limits(body, 0, 0, -0.3, 0.2), LB_OK);
    assert_int_equal(lb_body_set_limits(body, 0, 1, 0, 0.5), LB_OK);
    lb_random random = test_seed(31);
    for (int i = 0; i < 300; i++) {
        double twist, swing;
        solve_random_ball(body, model, &random, &twist, &swing);
        if (!(twist >= -0.3 - 1e-9 && twist <= 0.2 + 1e-9 && swing <= 0.5 + 1e-9))
            fail_msg("ball %d: twist %g, swing %g", i, twist, swing);
    }
    // limited on one side, it goes to half a turn on the other
    assert_int_equal(lb_body_set_limits(body, 0, 0, 0.3, INFINITY), LB_OK);
    for (int i = 0; i < 100; i++) {
        double twist, swing;
        solve_random_ball(body, model, &random, &twist, &swing);
        if (!(twist >= 0.3 - 1e-9))
            fail_msg("ball %d: twist %g", i, twist);
    }
    // wide again, it reaches what it could not
    assert_int_equal(lb_body_set_limits(body, 0, 0, -INFINITY, INFINITY), LB_OK);
    assert_int_equal(lb_body_set_limits(body, 0, 1, 0, INFINITY), LB_OK);
    const double far[4] = {0.5, 0.5, 0.5, 0.5};
    double q[4] = {1, 0, 0, 0};
    aim_ball(body, far);
    assert_int_equal(lb_body_solve(body, q, q, NULL), LB_REACHED);
}

TEST(creating_fails_cleanly_and_solving_takes_no_memory)
{
    owned_model *model = planar_arm(3, 2);
    lb_body_task tasks[2] = {tip_task(LB_BODY_POSE, 3),
                             lb_body_task_make(LB_BODY_CENTER_OF_MASS, 0)};
    ALLOCATIONS_FAIL (failing, 1000) {
        lb_body_options options = lb_body_options_default();
        options.restarts = 4;
        lb_body *body;
        failing.status = lb_body_create(model, tasks, 2, &options, &failing.allocator, &body, NULL);
        if (failing.status == LB_OK) {
            long before = failing.memory.allocations;
            double q[3] = {0.1, 0.2, 0.3};
            // out of reach: all starts are tried
            lb_body_set_point(body, 0, lb_vec3_make(9, 9, 0));
            assert_int_not_equal(lb_body_solve(body, q, q, NULL), LB_REACHED);
            lb_body_explain(body, 0, NULL, 0);
            assert_int_equal(failing.memory.allocations, before);
            lb_body_release(body);
        }
    }
}
