/*
 * test_follower.c - following a path: each frame from the one before, verified and distinguished.
 */
#include <limber/timing.h>

#include "support.h"
#include "support_load.h"

enum { FRAMES = 21, MOST_NQ = 8 };

/* the arm of Parent 2012, chapter 5: links of 15, 10 and 5 in the plane */
static lb_model *planar_arm(void)
{
    const double lengths[] = {15, 10, 5};
    lb_dh_row rows[3];
    for (int i = 0; i < 3; i++)
        rows[i] = (lb_dh_row){
            .kind = LB_JOINT_CONTINUOUS, .a = lengths[i], .lower = -INFINITY, .upper = INFINITY};
    lb_model *model = NULL;
    assert_ok(lb_model_from_dh("arm", rows, 3, false, NULL, &model, NULL));
    return model;
}

/* six turning joints, as many robots have them */
static lb_model *spatial_arm(void)
{
    const double lengths[6] = {0, 0.4, 0.35, 0, 0, 0}, offsets[6] = {0.3, 0, 0, 0.1, 0.1, 0.08};
    const double twists[6] = {LB_PI / 2, 0, 0, LB_PI / 2, -LB_PI / 2, 0};
    lb_dh_row rows[6];
    for (int i = 0; i < 6; i++)
        rows[i] = (lb_dh_row){.kind = LB_JOINT_REVOLUTE,
                              .d = offsets[i],
                              .a = lengths[i],
                              .alpha = twists[i],
                              .lower = -3,
                              .upper = 3};
    lb_model *model = NULL;
    assert_ok(lb_model_from_dh("robot", rows, 6, false, NULL, &model, NULL));
    return model;
}

static int tip_of(const lb_model *model)
{
    return lb_model_link_count(model) - 1;
}

static lb_transform tip_at(const lb_model *model, const double *q)
{
    owned_state *state = test_state(model);
    lb_state_update(state, q);
    lb_transform tip = lb_state_transform(state, LB_WORLD, tip_of(model));
    return tip;
}

/* straight from where q has the tip to another place */
static lb_path *line_from(const lb_model *model, const double *q, lb_transform goal)
{
    lb_transform points[2] = {tip_at(model, q), goal};
    lb_path *path = NULL;
    assert_ok(lb_path_create(&(lb_path_source){.points = points, .count = 2}, NULL, &path, NULL));
    return path;
}

static lb_follower *follow(const lb_model *model, lb_follow how)
{
    lb_follower *follower = NULL;
    assert_made(lb_follower_create(model, &how, NULL, &follower, &cause), cause);
    return follower;
}

static const double chapter_start[3] = {LB_PI / 8, LB_PI / 4, LB_PI / 4};

/* ---- frames ------------------------------------------------------------- */

TEST(frames_are_solved_from_the_ones_before)
{
    owned_model *model = planar_arm();
    owned_path *path = line_from(model, chapter_start, lb_transform_translation(-20, 5, 0));
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    owned_follower *follower = follow(model, lb_follow_default(task, path, FRAMES));
    owned_ik *ik = test_solver(model, &task, 1, NULL);

    double q[3], expected[3];
    memcpy(q, chapter_start, sizeof q);
    memcpy(expected, chapter_start, sizeof q);
    lb_frame frame;
    for (int i = 0; i < FRAMES; i++) {
        assert_true(lb_follower_next(follower, q, &frame));
        lb_transform goal = lb_path_at(path, i / (FRAMES - 1.0));
        lb_ik_result result;
        lb_ik_solve(ik, &goal, expected, expected, &result);
        assert_memory_equal(q, expected, sizeof q);
        assert_int_equal(frame.index, i);
        assert_memory_equal(&frame.goal, &goal, sizeof goal);
        assert_int_equal(frame.result.outcome, LB_REACHED);
        assert_int_equal(frame.result.iterations, result.iterations);
        assert_true(frame.result.position_error <= 1e-6);
    }

    // after the last one nothing changes any more
    assert_false(lb_follower_next(follower, q, &frame));
    assert_memory_equal(q, expected, sizeof q);
}

TEST(steps_are_those_of_the_method)
{
    owned_model *model = planar_arm();
    owned_path *path = line_from(model, chapter_start, lb_transform_translation(-20, 5, 0));
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    for (int steps = 1; steps <= 3; steps++) {
        lb_follow how = lb_follow_default(task, path, FRAMES);
        how.steps = steps;
        how.options.method = lb_method_find("damped");
        owned_follower *follower = follow(model, how);
        owned_ik *ik = test_solver(model, &task, 1, &how.options);
        double q[3], expected[3];
        memcpy(q, chapter_start, sizeof q);
        memcpy(expected, chapter_start, sizeof q);
        lb_frame frame;
        while (lb_follower_next(follower, q, &frame)) {
            int taken = 0;
            lb_progress progress = LB_PROCESSING;
            for (int k = 0; k < steps && progress == LB_PROCESSING; k++) {
                lb_ik_result result;
                progress = lb_ik_step(ik, &frame.goal, expected, &result);
                taken += result.iterations;
            }
            assert_memory_equal(q, expected, sizeof q);
            assert_int_equal(frame.result.iterations, taken);
            assert_true(taken <= steps);
        }
    }
}

TEST(rewinding_gives_the_same_bits)
{
    owned_model *model = spatial_arm();
    const double start[6] = {0.2, -0.9, 1.1, 0.3, 0.8, -0.4}, end[6] = {0.5, -0.6, 0.8, 0, 1, 0};
    owned_path *path = line_from(model, start, tip_at(model, end));
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSE);
    owned_follower *follower = follow(model, lb_follow_default(task, path, FRAMES));
    double first[FRAMES][6], q[6];
    for (int pass = 0; pass < 2; pass++) {
        memcpy(q, start, sizeof q);
        lb_frame frame;
        for (int i = 0; lb_follower_next(follower, q, &frame); i++) {
            assert_int_equal(frame.result.outcome, LB_REACHED);
            if (pass == 0)
                memcpy(first[i], q, sizeof q);
            else
                assert_memory_equal(first[i], q, sizeof q);
        }
        lb_follower_rewind(follower);
    }
}

/* a path that leads out of reach and back: the frames say so, and it comes back in */
TEST(frames_out_of_reach_are_reported_and_left_again)
{
    owned_model *model = planar_arm();
    lb_transform points[3] = {lb_transform_translation(20, 0, 0),
                              lb_transform_translation(40, 0, 0),
                              lb_transform_translation(20, 5, 0)};
    owned_path *path = NULL;
    assert_ok(lb_path_create(&(lb_path_source){.points = points, .count = 3}, NULL, &path, NULL));
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    owned_follower *follower = follow(model, lb_follow_default(task, path, FRAMES));
    double q[3] = {0.5, -0.7, -0.5};
    lb_frame frame;
    while (lb_follower_next(follower, q, &frame)) {
        double far = lb_vec3_length(frame.goal.p);
        if (far > 30.001) {
            assert_int_equal(frame.result.outcome, LB_UNREACHABLE);
            assert_near(frame.result.beyond_reach, far - 30, 1e-9);
        } else if (far < 29.999) {
            assert_int_equal(frame.result.outcome, LB_REACHED);
        }
    }
}

TEST(a_single_frame_is_the_end)
{
    owned_model *model = planar_arm();
    owned_path *path = line_from(model, chapter_start, lb_transform_translation(-20, 5, 0));
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    owned_follower *follower = follow(model, lb_follow_default(task, path, 1));
    double q[3];
    memcpy(q, chapter_start, sizeof q);
    assert_true(lb_follower_next(follower, q, NULL));
    lb_transform tip = tip_at(model, q);
    assert_near(lb_vec3_length(lb_vec3_sub(tip.p, lb_vec3_make(-20, 5, 0))), 0, 1e-6);
    assert_false(lb_follower_next(follower, q, NULL));
}

/* ---- from limit to limit -------------------------------------------------- */

/* half of the joints at their limits */
static void random_corner(const lb_model *model, lb_random *random, double *q)
{
    lb_configuration_random(model, random, q);
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        const double chance = lb_random_unit(random);
        const int at = lb_model_joint_q(model, i);
        if (at >= 0 && chance < 0.5)
            q[at] = chance < 0.25 ? joint->lower[0] : joint->upper[0];
    }
}

/* every frame keeps the limits to the last bit, and what moves farther than `jump` has jumped */
static void check_frames(const char *name, double rate, int paths)
{
    enum { MOST = 8 };
    owned_model *model = test_load(name);
    lb_random random = test_seed(11);
    for (int k = 0; k < paths; k++) {
        double q[MOST], end[MOST], inside[MOST];
        random_corner(model, &random, q);
        random_corner(model, &random, end);
        owned_path *line = line_from(model, q, tip_at(model, end));
        lb_follow how =
            lb_follow_default(lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSE), line, 30);
        how.jump = 0.05;
        how.rate = rate;
        how.any_start = k % 2;
        owned_follower *f = follow(model, how);
        lb_frame frame;
        while (lb_follower_next(f, q, &frame)) {
            lb_configuration_clamp(model, q, inside);
            assert_memory_equal(q, inside, sizeof *q * (size_t)lb_model_nq(model));
            if (rate == 0 && frame.index > 0)
                assert_true(frame.jumped || frame.step <= how.jump);
        }
    }
}

TEST(frames_keep_the_limits_and_say_that_they_jump)
{
    static const char *const arms[] = {"ur5", "kr6", "crx10ia", "stanford"};
    for (int i = 0; i < 4; i++) {
        check_frames(arms[i], 0, FEWER(25, 3));
        check_frames(arms[i], 30, FEWER(25, 3));
    }
}

/* no descent leads out of a straight elbow, but a continuous motion does, which is fast at first */
TEST(a_straight_elbow_bends_without_a_jump)
{
    owned_model *model = test_load("iiwa14");
    double q[7] = {0.4, 0, 0, 0, 1.1, -0.8, 0};
    lb_transform goal = tip_at(model, q);
    goal.p = lb_vec3_make(0.4, 0.03, 0.8);
    owned_path *line = line_from(model, q, goal);
    lb_follow how =
        lb_follow_default(lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSE), line, 97);
    owned_follower *f = follow(model, how);
    lb_frame frame;
    while (lb_follower_next(f, q, &frame)) {
        assert_int_equal(frame.result.outcome, LB_REACHED);
        assert_false(frame.jumped);
    }
}

/* ---- condition numbers -------------------------------------------------- */

static double condition_at(const lb_model *model, lb_task task, double length, const double *at)
{
    // one step towards where it is: q does not change
    owned_path *path = line_from(model, at, tip_at(model, at));
    lb_follow how = lb_follow_default(task, path, 1);
    how.options.length = length;
    how.steps = 1;
    owned_follower *follower = follow(model, how);
    double q[MOST_NQ];
    memcpy(q, at, sizeof *q * (size_t)lb_model_nq(model));
    lb_frame frame;
    assert_true(lb_follower_next(follower, q, &frame));
    assert_memory_equal(q, at, sizeof *q * (size_t)lb_model_nq(model));
    return frame.condition;
}

/* the eigenvalues of J J^T of a planar arm by hand: its third dimension does not count */
TEST(a_planar_arm_has_a_planar_condition)
{
    owned_model *model = planar_arm();
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    lb_random random = test_seed(1);
    for (int round = 0; round < 100; round++) {
        double q[3], xx = 0, xy = 0, yy = 0;
        lb_configuration_random(model, &random, q);
        double angle = q[0] + q[1] + q[2], x = 0, y = 0;
        const double lengths[] = {5, 10, 15};
        for (int i = 0; i < 3; i++) {
            x += lengths[i] * cos(angle);
            y += lengths[i] * sin(angle);
            angle -= q[2 - i];
            xx += y * y;
            xy -= x * y;
            yy += x * x;
        }
        double mean = 0.5 * (xx + yy), spread = sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy);
        double expected = sqrt((mean + spread) / (mean - spread));
        assert_near(condition_at(model, task, 0, q) / expected, 1, 1e-6);
    }
    const double stretched[] = {0.4, 0, 0};
    assert_true(condition_at(model, task, 0, stretched) == INFINITY);
}

/* six rows and six joints: what lb_state_singularity says */
TEST(a_full_pose_has_the_condition_of_the_jacobian)
{
    owned_model *model = spatial_arm();
    owned_state *at = test_state(model);
    lb_random random = test_seed(2);
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSE);
    for (int round = 0; round < 50; round++) {
        double q[6];
        lb_singularity found;
        task.tool = test_random_transform(&random);
        lb_configuration_random(model, &random, q);
        lb_state_update(at, q);
        assert_ok(lb_state_singularity(at, task.tip, task.tool.p, 0.3, 1e-9, &found));
        // a tool in the path's frame, so that nothing moves
        lb_transform tip = lb_state_transform(at, LB_WORLD, task.tip);
        lb_transform goal = lb_transform_multiply(&tip, &task.tool);
        owned_path *path = NULL;
        assert_ok(
            lb_path_create(&(lb_path_source){.points = &goal, .count = 1}, NULL, &path, NULL));
        lb_follow how = lb_follow_default(task, path, 1);
        how.options.length = 0.3;
        owned_follower *follower = follow(model, how);
        lb_frame frame;
        assert_true(lb_follower_next(follower, q, &frame));
        assert_near(frame.condition / found.condition, 1, 1e-6);
    }
}

/* measured from a link on the way, only the joints beyond it count */
TEST(the_base_carries_the_joints_before_it)
{
    owned_model *model = planar_arm();
    lb_task task = lb_task_make(tip_of(model), 1, LB_TASK_POSITION);
    owned_state *at = test_state(model);
    double q[3] = {0.3, 0.9, -0.7}, expected = 0;
    lb_state_update(at, q);
    for (int turn = 0; turn < 4; turn++) {
        lb_transform goal = lb_state_transform(at, 1, task.tip);
        owned_path *path = NULL;
        assert_ok(
            lb_path_create(&(lb_path_source){.points = &goal, .count = 1}, NULL, &path, NULL));
        owned_follower *follower = follow(model, lb_follow_default(task, path, 1));
        lb_frame frame;
        q[0] = turn;
        assert_true(lb_follower_next(follower, q, &frame));
        if (turn == 0)
            expected = frame.condition;
        assert_true(isfinite(expected));
        assert_near(frame.condition / expected, 1, 1e-9);
    }
}

/* a free roll takes one of six directions: five joints are enough for it */
TEST(what_does_not_count_does_not_condition)
{
    owned_model *model = spatial_arm();
    const double bent[6] = {0.2, -0.9, 1.1, 0.3, 0.8, -0.4};
    // the wrist's last joint turns about the tool's own axis z
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSE);
    task.free_axis = lb_vec3_make(0, 0, 2);
    double free_roll = condition_at(model, task, 0.3, bent);
    task.free_axis = lb_vec3_make(0, 0, 0);
    assert_true(isfinite(free_roll));
    assert_true(free_roll <= condition_at(model, task, 0.3, bent));

    // neither does a way along the target's axes: what is left is no worse
    for (unsigned axes = 1; axes < 7; axes++) {
        task.free_position = axes;
        assert_true(condition_at(model, task, 0.3, bent) <=
                    condition_at(model, lb_task_make(task.tip, LB_WORLD, LB_TASK_POSE), 0.3, bent));
    }
    // of a plane's one row there is nothing to compare
    task.kind = LB_TASK_POSITION;
    task.free_position = LB_FREE_X | LB_FREE_Z;
    assert_near(condition_at(model, task, 0.3, bent), 1, 1e-12);
    task.free_position = 0;

    // stretched out, a position cannot be approached along the arm; a rotation can be had
    const double stretched[6] = {0, 0, 0, 0, 0.8, 0};
    task.kind = LB_TASK_ROTATION;
    assert_true(isfinite(condition_at(model, task, 0.3, stretched)));
}

/* ---- speeds ------------------------------------------------------------- */

/* a finger that goes three times as far as the joint it follows is the slower one of both */
TEST(mimic_joints_keep_their_speeds)
{
    static const char *const names[] = {"base", "arm", "finger"};
    lb_joint joints[2];
    for (int i = 0; i < 2; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = names[i + 1];
        joints[i].parent = "base";
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].lower[0] = -10;
        joints[i].upper[0] = 10;
        joints[i].velocity = i == 0 ? 10 : 1;
    }
    joints[1].mimic = "arm";
    joints[1].multiplier = -3;
    owned_model *model = test_make("gripper", NULL, 0, joints, 2);
    // a radian in a second, which the finger takes three for
    lb_quat turn = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), 1);
    const lb_transform points[2] = {LB_TRANSFORM_IDENTITY,
                                    lb_transform_from_quat(turn, lb_vec3_make(0, 0, 0))};
    lb_path_source line = {.points = points, .count = 2};
    owned_path *path = NULL;
    owned_follower *follower = NULL;
    assert_ok(lb_path_create(&line, NULL, &path, NULL));
    lb_follow how = lb_follow_default(lb_task_make(1, LB_WORLD, LB_TASK_ROTATION), path, 11);
    how.rate = 10;
    how.deviation = 10;
    assert_ok(lb_follower_create(model, &how, NULL, &follower, NULL));
    double q = 0, before = 0;
    lb_frame frame;
    while (lb_follower_next(follower, &q, &frame)) {
        assert_true(3 * fabs(q - before) * how.rate <= 1 + 1e-6);
        before = q;
    }
    assert_near(q, 1.0 / 3, 1e-6);
    assert_int_equal(frame.limited, 0);
}

/* two hinges on a ball that is locked at `turn` and may not move */
static lb_model *arm_on_locked_ball(lb_quat turn)
{
    static const char *const names[] = {"base", "shoulder", "upper", "lower", "tip"};
    static const lb_joint_kind kinds[] = {LB_JOINT_BALL, LB_JOINT_REVOLUTE, LB_JOINT_REVOLUTE,
                                          LB_JOINT_FIXED};
    lb_joint joints[4];
    for (int i = 0; i < 4; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = names[i + 1];
        joints[i].parent = names[i];
        joints[i].axis = lb_vec3_make(0, 0, 1);
        joints[i].kind = kinds[i];
        joints[i].lower[0] = -3, joints[i].upper[0] = 3;
        joints[i].placement.p.x = i > 1 ? 1 : 0;
    }
    joints[0].lower[0] = -INFINITY, joints[0].upper[0] = INFINITY;
    joints[0].velocity = 0;
    joints[0].locked = true;
    const double value[4] = {turn.w, turn.x, turn.y, turn.z};
    memcpy(joints[0].value, value, sizeof value);
    return test_make("arm", NULL, 0, joints, 4);
}

/* the difference of equal quaternions is rounding, which a speed of 0 does not forbid */
TEST(a_locked_ball_without_speed_stops_no_arm)
{
    lb_random random = test_seed(3);
    for (int i = 0; i < 100; i++) {
        lb_quat turn = test_random_quat(&random);
        owned_model *model = arm_on_locked_ball(turn);
        double q[6] = {turn.w, turn.x, turn.y, turn.z, 0.3, 0.5};
        double end[6] = {turn.w, turn.x, turn.y, turn.z, 0.5, 0.8};
        owned_path *path = line_from(model, q, tip_at(model, end));
        lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
        lb_follow how = lb_follow_default(task, path, FRAMES);
        how.rate = 30;
        owned_follower *follower = follow(model, how);
        lb_frame frame;
        while (lb_follower_next(follower, q, &frame))
            if (frame.result.outcome != LB_REACHED)
                fail_msg("arm %d, frame %d: %g m off the path", i, frame.index,
                         frame.result.position_error);
    }
}

/* ---- singular starts ---------------------------------------------------- */

/* lines from starts with wrists in line: what lb_timing_make follows, the follower does without a
   jump */
TEST(no_jump_is_reported_where_a_motion_without_one_is_found)
{
    static const char *const names[] = {"ur5", "kr6", "puma560", "stanford"};
    lb_random random = test_seed(23);
    int followed = 0;
    for (int r = 0; r < 32; r++) {
        owned_model *model = test_load(names[r % 4]);
        const lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSE);
        double start[MOST_NQ], q[MOST_NQ];
        lb_configuration_random(model, &random, start);
        // eighths of a turn, with joints of the wrist at 0
        for (int i = 0; i < lb_model_nq(model); i++)
            start[i] = i == 4 ? 0 : LB_PI / 4 * floor(start[i] / (LB_PI / 4) + 0.5);
        lb_configuration_clamp(model, start, start);
        lb_transform to = test_task_tool(model, &task, start);
        to.p = lb_vec3_add(to.p, lb_vec3_scale(test_random_direction(&random), 0.15));
        owned_path *path = line_from(model, start, to);
        lb_timing timing = lb_timing_default(task, path);
        lb_timing_result result;
        owned_clip *clip = NULL;
        lb_error error = {0};
        assert_ok(lb_timing_make(model, &timing, start, NULL, &clip, &result, &error));
        if (!clip)
            continue;
        followed++;
        const lb_follow how = lb_follow_default(task, path, FRAMES);
        owned_follower *follower = NULL;
        assert_made(lb_follower_create(model, &how, NULL, &follower, &error), error);
        lb_frame frame;
        memcpy(q, start, sizeof q);
        while (lb_follower_next(follower, q, &frame))
            assert_true(!frame.jumped && frame.result.outcome == LB_REACHED);
    }
    assert_true(followed > 10);
}

/* ---- refusals and memory ------------------------------------------------ */

TEST(bad_requests_are_refused)
{
    owned_model *model = planar_arm();
    owned_path *path = line_from(model, chapter_start, lb_transform_translation(-20, 5, 0));
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    lb_follow good = lb_follow_default(task, path, 3), bad[6];
    for (int i = 0; i < 6; i++)
        bad[i] = good;
    bad[0].path = NULL;
    bad[1].frames = 0;
    bad[2].steps = -1;
    bad[3].task.tip = 99;
    bad[4].frames = LB_FOLLOW_FRAMES_MAX + 1;
    bad[5].steps = LB_FOLLOW_STEPS_MAX + 1;
    for (int i = 0; i < 6; i++) {
        lb_follower *follower = (lb_follower *)(uintptr_t)1;
        lb_error error = {0};
        assert_int_equal(lb_follower_create(model, &bad[i], NULL, &follower, &error),
                         LB_INVALID_ARGUMENT);
        assert_null(follower);
        assert_true(strlen(error.message) > 10);
    }
}

TEST(playing_takes_no_memory_and_failing_leaves_none)
{
    owned_model *model = planar_arm();
    owned_path *path = line_from(model, chapter_start, lb_transform_translation(-20, 5, 0));
    lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
    lb_follow how = lb_follow_default(task, path, FRAMES);
    for (long fail_at = 0;; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_follower *follower;
        lb_status status = lb_follower_create(model, &how, &allocator, &follower, NULL);
        if (status != LB_OK) {
            assert_int_equal(status, LB_OUT_OF_MEMORY);
            assert_null(follower);
            assert_int_equal(memory.live, 0);
            continue;
        }
        long before = memory.allocations;
        double q[3];
        memcpy(q, chapter_start, sizeof q);
        while (lb_follower_next(follower, q, NULL)) {
        }
        assert_int_equal(memory.allocations, before);
        lb_follower_release(follower);
        assert_int_equal(memory.live, 0);
        break;
    }
    lb_follower_release(NULL);
}
