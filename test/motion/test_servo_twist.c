/*
 * test_servo_twist.c - twists: the tool keeps their direction, stops before singular
 * configurations and limits, and leaves them.
 */
#include "servo_watch.h"

/* arms and twists of each property */
TEST_ARGUMENT(steps, 1, 2)

/* ---- direction ------------------------------------------------------------------ */

/* a frame; what the tool does beside share * twist, as a part of the twist, angles in lengths; 0
   where the servo says that it does a part of the twist */
static double step_off(watch *w, const lb_task *task, const double twist[6])
{
    const double length = 0.3, h = w->options.period;
    const lb_transform from = test_task_tool(w->model, task, w->q[0]);
    watch_step(w);
    const lb_transform to = test_task_tool(w->model, task, w->q[0]);
    const lb_quat a = lb_transform_quat(&from), b = lb_transform_quat(&to);
    const lb_vec3 d = lb_vec3_sub(to.p, from.p);
    const lb_vec3 r = lb_quat_log(lb_quat_multiply(b, lb_quat_conjugate(a)));
    const double moved[6] = {d.x, d.y, d.z, r.x, r.y, r.z};
    double off = 0, whole = 0;
    for (int i = 0; i < (task->kind == LB_TASK_POSE ? 6 : 3); i++) {
        double unit = i < 3 ? 1 : length, miss = moved[i] / h - w->frame.share * twist[i];
        off += unit * miss * unit * miss;
        whole += unit * twist[i] * unit * twist[i];
    }
    return w->frame.state == LB_SERVO_PARTLY ? 0 : sqrt(off / whole);
}

static void any_twist(double twist[6], double size, lb_random *random)
{
    const lb_vec3 way = test_random_direction(random), turn = test_random_direction(random);
    const double v = lb_random_between(random, 0, size), w = lb_random_between(random, 0, size);
    memcpy(twist, (double[]){v * way.x, v * way.y, v * way.z, w * turn.x, w * turn.y, w * turn.z},
           6 * sizeof *twist);
}

TEST(a_twist_keeps_its_direction_and_its_share_is_what_the_tool_does)
{
    lb_random random = test_seed(11);
    double worst[2] = {0};
    int frames = 0, over = 0;
    for (int r = 0; r < 8 * (ROBOTS + 1) * steps; r++) {
        lb_task task;
        double start[MOST_Q], twist[6];
        const int robot = r % (ROBOTS + 1);
        owned_model *model =
            robot < ROBOTS ? load(robots[robot], &task) : random_arm(6, &random, &task);
        owned_watch w = {.model = model};
        if (robot < ROBOTS)
            bend(robots[robot], start);
        else
            lb_configuration_random(model, &random, start);
        for (int i = 0; robot < ROBOTS && i < 6; i++)
            start[i] += lb_random_between(&random, -0.3, 0.3);
        if (r % 5 == 4)
            task.kind = LB_TASK_POSITION;
        watch_limit(&w, 1, 5, r % 3 == 0 ? 200 : INFINITY);
        w.options.period = r % 2 ? 1e-3 : 4e-3;
        watch_begin(&w, &task, start);
        any_twist(twist, r % 4 == 0 ? 0.6 : 0.2, &random);
        lb_servo_twist(w.servo, twist);
        for (int i = 0; i < 3 / w.options.period; i++) {
            double off = step_off(&w, &task, twist), *most = &worst[lb_model_nq(model) > 6];
            frames += w.frame.state == LB_SERVO_MOVING;
            over += off > 2e-3;
            *most = fmax(*most, off);
        }
    }
    assert_true(frames > 40000 * steps && worst[0] < 0.01 && worst[1] < 0.02);
    assert_true(over < 2e-3 * frames);
}

TEST(a_twist_leaves_where_it_came_to)
{
    lb_random random = test_seed(12);
    int slowed = 0;
    for (int r = 0; r < 12 * steps; r++) {
        lb_task task;
        double start[MOST_Q], twist[6], most = 0;
        owned_model *model = load(robots[r % 3], &task);
        owned_watch w = {.model = model};
        bend(robots[r % 3], start);
        watch_limit(&w, 1, 5, INFINITY);
        watch_begin(&w, &task, start);
        any_twist(twist, 0.6, &random);
        lb_servo_twist(w.servo, twist);
        for (int i = 0; i < 15000 && (i < 100 || w.frame.share > 0.01); i++)
            watch_step(&w);
        slowed += w.frame.share <= 0.01;
        for (int i = 0; i < 6; i++)
            twist[i] = -twist[i];
        lb_servo_twist(w.servo, twist);
        for (int i = 0; i < 1500; i++) {
            watch_step(&w);
            most = fmax(most, w.frame.share);
        }
        // the Panda goes on along a limit of its elbow
        assert_true(most > 0.07);
    }
    assert_true(slowed > 6 * steps);
}

TEST(a_twist_that_a_singular_configuration_has_is_done)
{
    lb_task task;
    double start[MOST_Q] = {0, -1.3, 1.5, -1.7, 0, 0.2};
    owned_model *model = load("ur5", &task);
    owned_watch w = {.model = model};
    // three joints of parallel axes move the tool in their plane, and the wrist stays singular
    double twist[6] = {0.1, 0, 0.05, 0, 0, 0};
    watch_limit(&w, 1, 5, INFINITY);
    watch_begin(&w, &task, start);
    lb_servo_twist(w.servo, twist);
    for (int i = 0; i < 1000; i++)
        assert_true(step_off(&w, &task, twist) < 1e-3);
    assert_near(w.frame.share, 1, 1e-6);
    assert_near(w.q[0][4], 0, 1e-6);
}

/* half a milliradian before a limit a stick whose twist differs in every frame moves the tool with
   all of it, and from the limit on with what the other joints can do */
TEST(twists_that_change_every_frame_are_done_up_to_a_limit)
{
    lb_task task;
    double start[MOST_Q] = {0, -1.3, 1.5, -1.7, 0.6, 0.2};
    owned_model *model = load("ur5", &task);
    start[0] = lb_model_joint(model, 0)->upper[0] - 5e-4;
    owned_watch w = {.model = model};
    watch_limit(&w, 1, 0.5, INFINITY);
    watch_begin(&w, &task, start);
    lb_state *state = NULL;
    assert_ok(lb_state_create(model, NULL, &state));
    for (int i = 0; i < 400; i++) {
        lb_state_update(state, w.q[0]);
        const lb_vec3 tool = lb_state_transform(state, LB_WORLD, task.tip).p;
        // the tool on a circle about the first axis
        const double turn = 0.3 + 1e-3 * (i % 2);
        lb_servo_twist(w.servo, (double[6]){-turn * tool.y, turn * tool.x, 0, 0, 0, turn});
        watch_step(&w);
        if (i < 2)
            assert_int_equal(w.frame.state, LB_SERVO_MOVING);
    }
    lb_state_release(state);
    assert_near(w.q[0][0], start[0] + 5e-4, 1e-6);
    assert_int_equal(w.frame.state, LB_SERVO_PARTLY);
}

/* two links of a metre in line: along them and out of their plane nothing moves the tool, across
   them both joints do */
TEST(of_a_twist_the_possible_part_is_done)
{
    lb_joint joints[2];
    const lb_transform root = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < 2; i++)
        joints[i] = test_joint(LB_JOINT_REVOLUTE, lb_vec3_make(i, 0, 0), lb_vec3_make(0, 0, 1));
    owned_model *model = test_chain(&root, joints, 2);
    lb_task task = lb_task_make(2, LB_WORLD, LB_TASK_POSITION);
    task.tool = lb_transform_translation(1, 0, 0);
    const struct {
        double twist[6], share;
    } cases[] = {{{0.1, 0, 0}, 0},
                 {{0, 0, -0.1}, 0},
                 {{0.1, 0, 0.1}, 0},
                 {{0.1, 0.1, 0}, 0.5},
                 {{0.2, 0.1, 0.1}, 1 / 6.0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        owned_watch w = {.model = model};
        watch_limit(&w, 1, 5, INFINITY);
        watch_begin(&w, &task, (double[MOST_Q]){0});
        lb_servo_twist(w.servo, cases[c].twist);
        for (int i = 0; i < 50; i++)
            watch_step(&w);
        const double share = cases[c].share;
        assert_int_equal(w.frame.state, share == 0 ? LB_SERVO_BLOCKED : LB_SERVO_PARTLY);
        // the tool has moved on its circle by a few millimetres
        assert_near(w.frame.share, share, 5e-3);
        const double y = w.q[0][0] * 2 + w.q[0][1];
        assert_true(share == 0 ? y == 0 : y > 0.1 * 0.04);
        // nothing is blocked if nothing is wanted
        lb_servo_twist(w.servo, (double[6]){0});
        for (int i = 0; i < 50; i++)
            watch_step(&w);
        assert_true(w.frame.resting && w.frame.state == LB_SERVO_MOVING);
    }
}

TEST(a_new_twist_takes_effect_on_a_straight_way_between_the_velocities)
{
    lb_random random = test_seed(13);
    for (int r = 0; r < 10 * steps; r++) {
        lb_task task;
        double start[MOST_Q], twists[2][6], worst = 0;
        owned_model *model = load(robots[r % 3], &task);
        owned_watch w = {.model = model};
        bend(robots[r % 3], start);
        watch_limit(&w, 1, 5, INFINITY);
        watch_begin(&w, &task, start);
        for (int i = 0; i < 2; i++)
            any_twist(twists[i], 0.3, &random);
        for (int i = 0; i < 3200; i++) {
            if (i % 800 == 0)
                lb_servo_twist(w.servo, twists[i / 800 % 2]);
            double off = step_off(&w, &task, twists[i / 800 % 2]);
            worst = i % 800 > 500 ? fmax(worst, off) : worst;
        }
        assert_true(worst < 5e-3);
    }
}

TEST(a_twist_given_in_every_frame_moves_as_one_given_once)
{
    lb_task task;
    double start[MOST_Q];
    const double twist[6] = {0.05, 0.1, -0.1, 0.2, 0, 0.1};
    owned_model *model = load("panda", &task);
    watch w[2] = {{.model = model}, {.model = model}};
    for (int k = 0; k < 2; k++) {
        bend("panda", start);
        watch_limit(&w[k], 1, 5, INFINITY);
        watch_begin(&w[k], &task, start);
    }
    for (int i = 0; i < 8000; i++) {
        lb_servo_twist(w[0].servo, twist);
        if (i == 0)
            lb_servo_twist(w[1].servo, twist);
        for (int k = 0; k < 2; k++)
            watch_step(&w[k]);
        assert_memory_equal(w[0].q[0], w[1].q[0], sizeof(double) * 7);
    }
    for (int k = 0; k < 2; k++)
        watch_end(&w[k]);
}

/* ---- singular configurations and limits ------------------------------------------ */

TEST(a_twist_moves_the_tool_straight_and_at_its_speed)
{
    lb_random random = test_seed(5);
    for (int r = 0; r < ROBOTS * steps; r++) {
        lb_task task;
        double start[MOST_Q];
        owned_model *model = load(robots[r % 3], &task);
        owned_watch w = {.model = model};
        bend(robots[r % 3], start);
        watch_limit(&w, 1, 5, INFINITY);
        watch_begin(&w, &task, start);
        const lb_transform from = test_task_tool(model, &task, start);
        const lb_vec3 way = test_random_direction(&random);
        const double twist[6] = {0.1 * way.x, 0.1 * way.y, 0.1 * way.z};
        lb_transform before = from;
        lb_servo_twist(w.servo, twist);
        for (int i = 0; i < 500; i++) {
            watch_step(&w);
            lb_transform at = test_task_tool(model, &task, w.q[0]);
            lb_vec3 d = lb_vec3_sub(at.p, from.p), step = lb_vec3_sub(at.p, before.p);
            assert_true(w.frame.state == LB_SERVO_MOVING);
            assert_true(lb_vec3_length(lb_vec3_cross(d, way)) < 1e-4);
            assert_true(lb_transform_angle(&from, &at) < 1e-3);
            double speed = lb_vec3_dot(step, way) / w.options.period;
            assert_near(speed, 0.1 * w.frame.share, 1e-5);
            if (i > 100)
                assert_near(speed, 0.1, 1e-4);
            before = at;
        }
        // without it the tool stops straight, too
        lb_servo_twist(w.servo, (double[6]){0});
        for (int i = 0; i < 300; i++)
            watch_step(&w);
        assert_true(w.frame.resting);
    }
}

TEST(a_twist_slows_down_before_limits_and_singular_poses)
{
    lb_random random = test_seed(6);
    for (int r = 0; r < ROBOTS * steps; r++) {
        lb_task task;
        double start[MOST_Q];
        int shaken = 0;
        owned_model *model = load(robots[r % 3], &task);
        owned_watch w = {.model = model};
        bend(robots[r % 3], start);
        watch_limit(&w, 1, 5, INFINITY);
        watch_begin(&w, &task, start);
        const lb_vec3 way = lb_vec3_scale(test_random_direction(&random), r % 2 ? 0.1 : 0.5);
        const double twist[6] = {way.x, way.y, way.z};
        double least = 1;
        lb_servo_twist(w.servo, twist);
        for (int i = 0; i < (r % 2 ? 20000 : 6000); i++) {
            watch_step(&w);
            least = fmin(least, w.frame.share);
            shaken += shakes(&w);
        }
        // two or three metres on the way the arm is at its limits or stretched
        assert_true(least < 0.5);
        assert_true(shaken < 6);
    }
}

TEST(a_slow_twist_beside_a_singular_pose_does_not_shake)
{
    lb_random random = test_seed(8);
    for (int r = 0; r < 4 * steps; r++) {
        lb_task task;
        double start[MOST_Q] = {0.3, -1.3, 1.5, -1.7, 0, 0.2};
        owned_model *model = load("ur5", &task);
        owned_watch w = {.model = model};
        int shaken = 0;
        // wrist_2 at 0 is singular
        start[4] = lb_random_between(&random, -0.01, 0.01);
        watch_limit(&w, 3, 5, INFINITY);
        watch_begin(&w, &task, start);
        const lb_vec3 way = lb_vec3_scale(test_random_direction(&random), 0.01);
        const lb_vec3 turn = lb_vec3_scale(test_random_direction(&random), 0.02);
        lb_servo_twist(w.servo, (double[6]){way.x, way.y, way.z, turn.x, turn.y, turn.z});
        for (int i = 0; i < 2000; i++) {
            watch_step(&w);
            shaken += shakes(&w);
        }
        assert_true(shaken < 4);
    }
}

TEST(a_joint_at_its_limit_leaves_a_twist_to_others)
{
    lb_joint joints[3];
    const lb_transform root = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < 3; i++) {
        joints[i] = test_joint(LB_JOINT_REVOLUTE, lb_vec3_make(i > 0, 0, 0), lb_vec3_make(0, 0, 1));
        joints[i].lower[0] = -2;
        joints[i].upper[0] = 2;
    }
    joints[0].upper[0] = 0.5;
    owned_model *model = test_chain(&root, joints, 3);
    lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
    task.tool = lb_transform_translation(1, 0, 0);
    owned_watch w = {.model = model};
    double start[MOST_Q] = {0.5, 0.7, 0.7};
    watch_limit(&w, 2, 10, INFINITY);
    watch_begin(&w, &task, start);
    const lb_transform from = test_task_tool(model, &task, start);
    // the first joint would turn on
    lb_servo_twist(w.servo, (double[6]){-0.3, 0, 0, 0, 0, 0});
    for (int i = 0; i < 1000; i++)
        watch_step(&w);
    const lb_transform at = test_task_tool(model, &task, w.q[0]);
    assert_near(at.p.x - from.p.x, -0.3, 0.01);
    assert_near(at.p.y, from.p.y, 0.01);
}
