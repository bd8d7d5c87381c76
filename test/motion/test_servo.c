/*
 * test_servo.c - the servo on generated arms: limits in every sample, targets at rest, least times.
 */
#include "servo_watch.h"

/* generated arms of each property */
TEST_ARGUMENT(arms, 1, 40)

static watch limited(const lb_model *model, lb_random *random)
{
    watch w = {.model = model};
    bool jerky = test_random_chance(random, 0.5);
    watch_limit(&w, lb_random_between(random, 0.5, 3), 1, INFINITY);
    for (int i = 0; i < w.options.joint_count; i++) {
        lb_joint_setting *s = &w.settings[i];
        s->acceleration = lb_random_between(random, 1, 30);
        s->jerk = jerky ? s->acceleration * lb_random_between(random, 10, 200) : INFINITY;
    }
    w.options.period = lb_random_between(random, 5e-4, 8e-3);
    w.options.landing = test_random_chance(random, 0.5) ? 0.05 : 0;
    w.options.line = test_random_chance(random, 0.5) ? 2 : 0;
    return w;
}

static lb_transform place_of(const watch *w, const lb_task *task, lb_random *random)
{
    double q[MOST_Q];
    lb_configuration_random(w->model, random, q);
    return test_task_tool(w->model, task, q);
}

/* ---- limits ------------------------------------------------------------------- */

/* one of all the things that may be said to a servo, sensible or not */
static void say_anything(watch *w, const lb_task *task, lb_random *random)
{
    double numbers[MOST_Q];
    lb_transform target = place_of(w, task, random);
    for (int i = 0; i < 6; i++)
        numbers[i] = lb_random_between(random, -1, 1);
    switch (test_random_index(random, 8)) {
    case 0: // out of reach
        target.p = lb_vec3_scale(target.p, 3);
        break;
    case 1:
        target.p.y = NAN;
        break;
    case 2:
        lb_servo_aim(w->servo, &target, numbers);
        return;
    case 3:
        lb_servo_twist(w->servo, numbers);
        return;
    case 4:
        lb_servo_stop(w->servo);
        return;
    case 5:
        lb_configuration_random(w->model, random, numbers);
        lb_servo_move(w->servo, numbers);
        return;
    case 6: // every joint at a limit
        for (int i = 0; i < lb_model_nq(w->model); i++)
            numbers[i] = test_random_chance(random, 0.5) ? 10 : -10;
        lb_servo_move(w->servo, numbers);
        return;
    default:
        break;
    }
    lb_servo_aim(w->servo, &target, NULL);
}

TEST(every_sample_is_within_every_limit)
{
    lb_random random = test_seed(1);
    for (int arm = 0; arm < arms; arm++) {
        lb_task task;
        double start[MOST_Q];
        owned_model *model = random_arm(1 + arm % 8, &random, &task);
        owned_watch w = limited(model, &random);
        lb_configuration_random(model, &random, start);
        watch_begin(&w, &task, start);
        for (int i = 0; i < 1500; i++) {
            if (test_random_chance(&random, 0.01))
                say_anything(&w, &task, &random);
            watch_step(&w);
        }
    }
}

TEST(targets_that_stream_keep_every_limit)
{
    lb_random random = test_seed(2);
    for (int arm = 0; arm < arms; arm++) {
        lb_task task;
        double start[MOST_Q], q[MOST_Q];
        owned_model *model = random_arm(1 + arm % 8, &random, &task);
        owned_watch w = limited(model, &random);
        lb_configuration_random(model, &random, start);
        watch_begin(&w, &task, start);
        memcpy(q, start, sizeof q);
        for (int i = 0; i < 800; i++) {
            // a configuration that wanders, through limits too, and jumps now and then
            for (int k = 0; k < lb_model_nq(model); k++)
                q[k] += 0.02 * sin(0.01 * i + k) + lb_random_between(&random, -0.002, 0.002);
            if (i % 200 == 150)
                lb_configuration_random(model, &random, q);
            lb_transform target = test_task_tool(model, &task, q);
            if (arm % 2)
                lb_servo_aim(w.servo, &target, NULL);
            else
                lb_servo_move(w.servo, q);
            watch_step(&w);
        }
    }
}

TEST(a_jump_of_a_target_that_streams_is_not_passed)
{
    lb_random random = test_seed(7);
    lb_task task;
    double start[MOST_Q] = {0}, goal[MOST_Q];
    owned_model *model = random_arm(4, &random, &task);
    owned_watch w = {.model = model};
    watch_limit(&w, 1, 10, INFINITY);
    watch_begin(&w, &task, start);
    for (int i = 0; i < 2000; i++) {
        // what comes is never twice the same
        for (int k = 0; k < 4; k++)
            goal[k] = (i < 500 ? 0 : 0.05) + lb_random_between(&random, -1e-7, 1e-7);
        lb_servo_move(w.servo, goal);
        watch_step(&w);
        for (int k = 0; k < 4; k++)
            assert_true(w.q[0][k] < (i < 500 ? 1e-5 : 0.05 + 1e-5));
    }
    assert_near(w.q[0][0], 0.05, 1e-5);
}

/* ---- targets at rest ---------------------------------------------------------- */

/* the slowest joint's least time, and how far each joint must go beyond the goal at least */
static double least_of_all(const watch *w, const double *goal, double *beyond)
{
    double time = 0;
    for (int i = 0; i < w->options.joint_count; i++) {
        const lb_joint_setting *s = &w->settings[i];
        int k = lb_model_joint_q(w->model, s->joint);
        double speed = fmin(s->velocity, lb_model_joint(w->model, s->joint)->velocity);
        double d = goal[k] - w->q[0][k], v = w->v[0][k];
        double stop = v * fabs(v) / (2 * s->acceleration);
        time = fmax(time, least_time(d, v, speed, s->acceleration));
        beyond[k] = fmax(0, d > 0 ? stop - d : d < 0 ? d - stop : fabs(stop));
    }
    return time;
}

TEST(a_target_at_rest_is_reached_in_the_least_time_and_not_passed)
{
    lb_random random = test_seed(3);
    for (int arm = 0; arm < arms; arm++) {
        lb_task task;
        double start[MOST_Q], goal[MOST_Q], beyond[MOST_Q];
        owned_model *model = random_arm(1 + arm % 8, &random, &task);
        watch w = limited(model, &random);
        // jerk has a test of its own
        for (int i = 0; i < w.options.joint_count; i++)
            w.settings[i].jerk = INFINITY;
        lb_configuration_random(model, &random, start);
        watch_begin(&w, &task, start);
        for (int target = 0; target < 6; target++) {
            lb_configuration_random(model, &random, goal);
            double least = least_of_all(&w, goal, beyond), before[MOST_Q];
            memcpy(before, w.q[0], sizeof before);
            lb_servo_move(w.servo, goal);
            // every other target is replaced on the way
            int most = target % 2 ? 100000 : (int)(0.6 * least / w.options.period) + 1, frames = 0;
            do {
                watch_step(&w);
                for (int k = 0; k < lb_model_nq(model); k++) {
                    double side = goal[k] > before[k] ? 1 : -1;
                    assert_true(side * (w.q[0][k] - goal[k]) <= beyond[k] + 1e-9);
                }
            } while (++frames < most && w.frame.state != LB_SERVO_ARRIVED);
            if (target % 2 == 0)
                continue;
            for (int k = 0; k < lb_model_nq(model); k++)
                assert_true(w.q[0][k] == goal[k]);
            // the frame in which it lands, and the one that says that it rests
            assert_true(frames * w.options.period >= least - 1e-9);
            assert_true((frames - 2) * w.options.period <= least + 1e-9);
        }
        watch_end(&w);
    }
}

TEST(a_limit_of_jerk_takes_no_longer_than_its_mean)
{
    lb_random random = test_seed(4);
    for (int arm = 0; arm < arms; arm++) {
        lb_task task;
        double goal[MOST_Q], start[MOST_Q], beyond[MOST_Q], window = 1;
        owned_model *model = random_arm(1 + arm % 8, &random, &task);
        owned_watch w = limited(model, &random);
        for (int i = 0; i < w.options.joint_count; i++) {
            w.settings[i].jerk = w.settings[i].acceleration * lb_random_between(&random, 5, 100);
            double frames = 2 * w.settings[i].acceleration / w.settings[i].jerk / w.options.period;
            window = fmax(window, ceil(frames));
        }
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        watch_begin(&w, &task, start);
        lb_servo_move(w.servo, goal);
        double least = least_of_all(&w, goal, beyond);
        int frames = 0;
        do {
            watch_step(&w);
            for (int k = 0; k < lb_model_nq(model); k++)
                assert_true((w.q[0][k] - goal[k]) * (w.q[0][k] - start[k]) <= 1e-12);
        } while (++frames < 100000 && w.frame.state != LB_SERVO_ARRIVED);
        assert_true((frames - 1 - window) * w.options.period <= least + 1e-9);
        for (int k = 0; k < lb_model_nq(model); k++)
            assert_true(w.q[0][k] == goal[k]);
    }
}

/* goals so near that a frame is enough to go there and rest: the mean goes on after it */
TEST(a_goal_within_a_frame_keeps_the_limit_of_jerk)
{
    lb_random random = test_seed(12);
    for (int arm = 0; arm < arms; arm++) {
        lb_task task;
        double q[MOST_Q];
        owned_model *model = random_arm(1 + arm % 8, &random, &task);
        owned_watch w = limited(model, &random);
        for (int i = 0; i < w.options.joint_count; i++)
            w.settings[i].jerk = w.settings[i].acceleration * lb_random_between(&random, 4, 50);
        lb_configuration_random(model, &random, q);
        watch_begin(&w, &task, q);
        for (int i = 0; i < 600; i++) {
            double step = pow(10, lb_random_between(&random, -9, -3));
            if (test_random_chance(&random, 0.05)) {
                for (int k = 0; k < lb_model_nq(model); k++)
                    q[k] += step * lb_random_between(&random, -1, 1);
                lb_servo_move(w.servo, q);
            }
            watch_step(&w);
        }
    }
}

TEST(the_remaining_time_is_the_time_that_remains)
{
    lb_random random = test_seed(5);
    for (int arm = 0; arm < 10; arm++) {
        lb_task task;
        double start[MOST_Q], goal[MOST_Q];
        owned_model *model = random_arm(1 + arm % 8, &random, &task);
        owned_watch w = limited(model, &random);
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        watch_begin(&w, &task, start);
        lb_servo_move(w.servo, goal);
        watch_step(&w);
        double remaining = w.frame.remaining, period = w.options.period;
        assert_near(watch_arrive(&w, 100000) * period, remaining, 2.01 * period);
        assert_true(w.frame.remaining == 0);
    }
}

/* ---- what cannot be followed ---------------------------------------------------- */

TEST(a_servo_stops_in_the_least_time)
{
    lb_random random = test_seed(6);
    static const lb_servo_state states[] = {LB_SERVO_STOPPED, LB_SERVO_INVALID, LB_SERVO_STALE};
    for (int arm = 0; arm < arms; arm++) {
        lb_task task;
        double start[MOST_Q], goal[MOST_Q], longest = 0;
        owned_model *model = random_arm(1 + arm % 8, &random, &task);
        owned_watch w = limited(model, &random);
        const double period = w.options.period;
        for (int i = 0; i < w.options.joint_count; i++)
            w.settings[i].jerk = INFINITY;
        w.options.stale = arm % 3 == 2 ? 30 * period : INFINITY;
        lb_configuration_random(model, &random, start);
        lb_configuration_random(model, &random, goal);
        watch_begin(&w, &task, start);
        lb_servo_move(w.servo, goal);
        for (int i = 0; i < 30; i++)
            watch_step(&w);
        for (int i = 0; i < w.options.joint_count; i++)
            longest = fmax(longest, fabs(w.v[0][i]) / w.settings[i].acceleration);
        lb_transform nowhere = LB_TRANSFORM_IDENTITY;
        nowhere.x.x = NAN;
        if (arm % 3 == 0)
            lb_servo_stop(w.servo);
        if (arm % 3 == 1)
            lb_servo_aim(w.servo, &nowhere, NULL);
        int frames = 0;
        do {
            watch_step(&w);
            assert_int_equal(w.frame.state, states[arm % 3]);
        } while (++frames < 100000 && !w.frame.resting);
        assert_true((frames - 2) * period <= longest + 1e-9);
        // and goes on with the next target
        frames = 0;
        do {
            lb_servo_move(w.servo, goal);
            watch_step(&w);
        } while (++frames < 100000 && w.frame.state != LB_SERVO_ARRIVED);
        assert_int_equal(w.frame.state, LB_SERVO_ARRIVED);
    }
}

TEST(a_target_that_is_given_again_is_not_stale)
{
    owned_model *model = test_load("panda");
    owned_watch w = {.model = model};
    double goal[MOST_Q], start[MOST_Q];
    watch_limit(&w, 1, 5, INFINITY);
    w.options.stale = 0.05;
    lb_configuration_neutral(model, start);
    lb_configuration_clamp(model, start, start);
    memcpy(goal, start, sizeof goal);
    goal[0] += 1;
    watch_begin(&w, NULL, start);
    for (int i = 0; i < 500; i++) {
        lb_servo_move(w.servo, goal);
        watch_step(&w);
        assert_true(w.frame.state == LB_SERVO_MOVING);
    }
    for (int i = 0; i < 49; i++)
        watch_step(&w);
    assert_true(w.frame.state == LB_SERVO_MOVING);
    watch_step(&w);
    assert_true(w.frame.state == LB_SERVO_STALE);
    // a pose needs a task
    lb_servo_aim(w.servo, &(lb_transform){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.5, 0, 0.5}}, NULL);
    watch_step(&w);
    assert_true(w.frame.state == LB_SERVO_INVALID);
}

/* ---- refusals, memory, bits ----------------------------------------------------- */

static void refuses(const lb_model *model, const lb_servo_options *o, const char *why)
{
    lb_servo *servo;
    lb_error error;
    assert_true(lb_servo_create(model, NULL, o, NULL, &servo, &error) != LB_OK);
    assert_null(servo);
    if (!strstr(error.message, why))
        fail_msg("'%s' does not say '%s'", error.message, why);
}

TEST(what_a_servo_cannot_do_is_refused_by_name)
{
    owned_model *model = test_load("ur5");
    owned_model *ball = test_single(LB_JOINT_BALL);
    lb_joint_setting s = lb_joint_setting_make(lb_model_find_joint(model, "elbow_joint"));
    lb_servo_options o = lb_servo_options_default();
    o.period = 0;
    refuses(model, &o, "period is 0");
    o.period = NAN;
    refuses(model, &o, "period is nan");
    o = lb_servo_options_default();
    o.stale = -1;
    refuses(model, &o, "stale is -1");
    o = lb_servo_options_default();
    o.landing = INFINITY;
    refuses(model, &o, "landing is inf");
    o = lb_servo_options_default();
    o.line = -1;
    refuses(model, &o, "line is -1");
    o = lb_servo_options_default();
    refuses(ball, &o, "lock it");
    o.joints = &s;
    o.joint_count = 1;
    s.velocity = 0;
    refuses(model, &o, "'elbow_joint': its speed is limited to 0");
    s = lb_joint_setting_make(s.joint);
    s.acceleration = 1;
    s.jerk = 1e-3;
    refuses(model, &o, "'elbow_joint': with a jerk of 0.001");
    // a start outside its limits
    owned_servo *servo = NULL;
    double q[MOST_Q] = {0, 0, 9};
    assert_ok(lb_servo_create(model, NULL, NULL, NULL, &servo, NULL));
    assert_refused(lb_servo_reset(servo, q, &cause), LB_BAD_VALUE, &cause, "elbow_joint");
}

TEST(memory_that_runs_out_is_given_back)
{
    owned_model *model = test_load("panda");
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    lb_joint_setting s = lb_joint_setting_make(0);
    lb_servo_options o = lb_servo_options_default();
    o.joints = &s;
    o.joint_count = 1;
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_servo *servo = TEST_UNSET;
        failing.status = lb_servo_create(model, &task, &o, &failing.allocator, &servo, NULL);
        assert_true((servo != NULL) == (failing.status == LB_OK));
    }
}

/* joint values outside the limits are approached as far as that goes, and that is said */
TEST(a_goal_outside_the_limits_is_not_reached)
{
    double start[MOST_Q], goal[MOST_Q];
    lb_task task;
    owned_model *model = load("ur5", &task);
    owned_watch w = {.model = model};
    const double upper =
        lb_model_joint(model, lb_model_find_joint(model, "shoulder_pan_joint"))->upper[0];
    bend("ur5", start);
    watch_limit(&w, 1, 5, INFINITY);
    watch_begin(&w, &task, start);
    for (int beyond = 1; beyond >= 0; beyond--) {
        memcpy(goal, start, sizeof goal);
        goal[0] = beyond ? 9 : upper;
        lb_servo_move(w.servo, goal);
        watch_arrive(&w, 20000);
        assert_int_equal(w.frame.state, beyond ? LB_SERVO_UNREACHED : LB_SERVO_ARRIVED);
        assert_int_equal(w.frame.goal.outcome, beyond ? LB_UNREACHABLE : LB_REACHED);
        assert_int_equal(w.frame.goal.reason, beyond ? LB_REASON_LIMITS : LB_REASON_NONE);
        assert_true(w.q[0][0] == upper);
    }
}

TEST(a_locked_joint_keeps_its_value)
{
    owned_model *model = test_load("panda");
    owned_watch w = {.model = model};
    double goal[MOST_Q], start[MOST_Q];
    watch_limit(&w, 1, 5, INFINITY);
    lb_configuration_neutral(model, start);
    lb_configuration_clamp(model, start, start);
    memcpy(goal, start, sizeof goal);
    goal[0] += 0.5;
    goal[1] += 0.5;
    w.settings[0].locked = true;
    watch_begin(&w, NULL, start);
    lb_servo_move(w.servo, goal);
    watch_arrive(&w, 5000);
    assert_true(w.frame.state == LB_SERVO_ARRIVED);
    assert_true(w.q[0][0] == start[0] && w.q[0][1] == goal[1]);
}
