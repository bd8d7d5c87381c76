/*
 * test_servo_tool.c - the servo on robots: steps, lines, moving targets, singular poses.
 */
#include "servo_watch.h"

#include "bench/golden.h"

/* steps of each robot */
TEST_ARGUMENT(steps, 1, 10)

static lb_transform moved(lb_transform pose, double length, lb_random *random)
{
    pose.p = lb_vec3_add(pose.p, lb_vec3_scale(test_random_direction(random), length));
    return pose;
}

/* the slowest joint from rest to rest */
static double bang_bang(const watch *w, const double *from, const double *to)
{
    double time = 0;
    for (int i = 0; i < w->options.joint_count; i++) {
        const lb_joint_setting *s = &w->settings[i];
        int k = lb_model_joint_q(w->model, s->joint);
        double speed = fmin(s->velocity, lb_model_joint(w->model, s->joint)->velocity);
        time = fmax(time, least_time(to[k] - from[k], 0, speed, s->acceleration));
    }
    return time;
}

/* ---- steps -------------------------------------------------------------------- */

TEST(a_step_of_5_cm_settles_in_the_bang_bang_time_without_overshoot)
{
    lb_random random = test_seed(1);
    const double accelerations[] = {2, 5, 20};
    for (int r = 0; r < ROBOTS * 3 * steps; r++) {
        lb_task task;
        double start[MOST_Q], nearest[MOST_Q];
        owned_model *model = load(robots[r % 3], &task);
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        owned_watch w = {.model = model};
        bend(robots[r % 3], start);
        watch_limit(&w, 1, accelerations[r / 3 % 3], INFINITY);
        watch_begin(&w, &task, start);
        lb_transform from = test_task_tool(model, &task, start);
        lb_transform target = moved(from, 0.05, &random);
        assert_int_equal(lb_ik_solve(ik, &target, start, nearest, NULL), LB_REACHED);
        double bound = bang_bang(&w, start, nearest), over = 0;
        lb_servo_aim(w.servo, &target, NULL);
        int frames = 0, settled = 0;
        do {
            watch_step(&w);
            lb_transform at = test_task_tool(model, &task, w.q[0]);
            lb_vec3 way = lb_vec3_scale(lb_vec3_sub(target.p, from.p), 20);
            over = fmax(over, lb_vec3_dot(lb_vec3_sub(at.p, target.p), way));
            if (lb_transform_distance(&at, &target) > 1e-5)
                settled = frames + 1;
        } while (++frames < 10000 && w.frame.state != LB_SERVO_ARRIVED);
        assert_true(w.frame.goal.outcome == LB_REACHED);
        assert_true((settled + 1) * 1e-3 <= 1.2 * bound);
        assert_true(over < 1e-4);
    }
}

TEST(a_line_is_straight_and_within_its_time)
{
    lb_random random = test_seed(2);
    int lines = 0;
    for (int r = 0; r < ROBOTS * 2 * steps; r++) {
        lb_task task;
        double start[MOST_Q];
        owned_model *model = load(robots[r % 3], &task);
        watch w = {.model = model};
        bend(robots[r % 3], start);
        watch_limit(&w, 1, 5, INFINITY);
        w.options.line = 1.5;
        watch_begin(&w, &task, start);
        lb_transform from = test_task_tool(model, &task, start);
        lb_transform target = moved(from, r % 2 ? 0.05 : 0.2, &random);
        lb_quat turn = lb_quat_exp(lb_vec3_scale(test_random_direction(&random), 0.2));
        target = lb_transform_from_quat(lb_quat_multiply(turn, lb_transform_quat(&from)), target.p);
        lb_servo_aim(w.servo, &target, NULL);
        watch_step(&w);
        // not all are within reach
        if (w.frame.goal.outcome != LB_REACHED) {
            watch_end(&w);
            continue;
        }
        bool line = w.frame.state == LB_SERVO_LINE;
        lines += line;
        lb_vec3 way =
            lb_vec3_scale(lb_vec3_sub(target.p, from.p), 1 / lb_transform_distance(&from, &target));
        double length = lb_transform_distance(&from, &target), angle = 0.2;
        int frames = 1;
        for (; frames < 10000 && w.frame.state != LB_SERVO_ARRIVED; frames++) {
            lb_transform at = test_task_tool(model, &task, w.q[0]);
            lb_vec3 d = lb_vec3_sub(at.p, from.p);
            double share = lb_vec3_dot(d, way) / length;
            if (line) {
                assert_true(lb_vec3_length(lb_vec3_cross(d, way)) < 5e-5);
                assert_true(share > -1e-4 && share < 1 + 1e-5);
                // the rotation keeps pace with the place
                assert_near(lb_transform_angle(&from, &at), share * angle, 1e-3);
                assert_near(lb_transform_angle(&at, &target), (1 - share) * angle, 1e-3);
            }
            watch_step(&w);
        }
        assert_true(w.frame.state == LB_SERVO_ARRIVED);
        lb_transform at = test_task_tool(model, &task, w.q[0]);
        assert_transform_near(&at, &target, 2e-6);
        double bound = bang_bang(&w, start, w.q[0]);
        assert_true((frames - 2) * 1e-3 <= 1.5 * bound + 0.01);
        watch_end(&w);
    }
    assert_true(lines > ROBOTS * steps);
}

/* sends joints elsewhere and, while they move, the tool to a target */
static void turn_to(watch *w, const lb_task *task, const double *start, const double *elsewhere,
                    int frames, const lb_transform *target)
{
    watch_begin(w, task, start);
    lb_servo_move(w->servo, elsewhere);
    for (int i = 0; i < frames; i++)
        watch_step(w);
    lb_servo_aim(w->servo, target, NULL);
    watch_step(w);
}

TEST(a_line_of_moving_joints_begins_where_they_come_to_rest)
{
    lb_random random = test_seed(4);
    int lines = 0;
    for (int r = 0; r < ROBOTS * 5 * steps; r++) {
        lb_task task;
        double start[MOST_Q], elsewhere[MOST_Q];
        owned_model *model = load(robots[r % 3], &task);
        owned_watch w = {.model = model}, plain = {.model = model};
        bend(robots[r % 3], start);
        for (int i = 0; i < lb_model_nq(model); i++)
            elsewhere[i] = start[i] + lb_random_between(&random, -0.3, 0.3);
        const lb_transform target = moved(test_task_tool(model, &task, elsewhere), 0.05, &random);
        const int frames = 20 + (int)(300 * lb_random_unit(&random));
        watch_limit(&w, 1, 5, INFINITY);
        watch_limit(&plain, 1, 5, INFINITY);
        w.options.line = 2;
        turn_to(&w, &task, start, elsewhere, frames, &target);
        turn_to(&plain, &task, start, elsewhere, frames, &target);
        const double promised = w.frame.remaining, free = plain.frame.remaining;
        int left = 0;
        for (; left < 5000 && w.frame.state == LB_SERVO_MOVING; left++)
            watch_step(&w);
        if (w.frame.state != LB_SERVO_LINE)
            continue;
        lines++;
        const lb_transform from = test_task_tool(model, &task, w.q[1]);
        const double length = lb_transform_distance(&from, &target);
        const lb_vec3 way = lb_vec3_scale(lb_vec3_sub(target.p, from.p), 1 / length);
        for (int i = 0; i < lb_model_nv(model); i++)
            assert_true(w.v[1][i] == 0);
        for (; left < 5000 && w.frame.state == LB_SERVO_LINE; left++) {
            const lb_transform at = test_task_tool(model, &task, w.q[0]);
            const lb_vec3 d = lb_vec3_sub(at.p, from.p);
            assert_true(lb_vec3_length(lb_vec3_cross(d, way)) < 1e-4);
            assert_true(lb_vec3_dot(d, way) < length + 1e-6);
            watch_step(&w);
        }
        const lb_transform at = test_task_tool(model, &task, w.q[0]);
        assert_transform_near(&at, &target, 2e-6);
        assert_near(left * w.options.period, promised, 1.5 * w.options.period);
        assert_true(promised <= w.options.line * free + 3 * w.options.period);
    }
    assert_true(lines > ROBOTS * 2 * steps);
}

TEST(a_line_is_given_up_for_a_new_target)
{
    lb_task task;
    double start[MOST_Q];
    owned_model *model = load("ur5", &task);
    owned_watch w = {.model = model};
    lb_random random = test_seed(3);
    bend("ur5", start);
    watch_limit(&w, 1, 5, INFINITY);
    w.options.line = 2;
    watch_begin(&w, &task, start);
    for (int i = 0; i < 20; i++) {
        lb_transform target = moved(test_task_tool(model, &task, start), 0.1, &random);
        lb_servo_aim(w.servo, &target, NULL);
        for (int k = 0; k < 10 + 5 * i; k++) {
            // saying it again changes nothing
            lb_servo_aim(w.servo, &target, NULL);
            watch_step(&w);
        }
        if (i == 0)
            assert_true(w.frame.state == LB_SERVO_LINE);
    }
    watch_arrive(&w, 5000);
    assert_true(w.frame.state == LB_SERVO_ARRIVED);
}

/* ---- targets that move ---------------------------------------------------------- */

/* the largest distance from a target on a circle, once it has been caught up with */
static double track_circle(watch *w, const lb_task *task, const double *start, bool told)
{
    const double h = w->options.period, rate = 1.5, radius = 0.05;
    const lb_transform from = test_task_tool(w->model, task, start);
    double most = 0;
    for (int i = 0; i < 4000; i++) {
        double t = rate * h * i;
        lb_transform target = from;
        target.p.x += radius * (cos(t) - 1);
        target.p.y += radius * sin(t);
        double velocity[6] = {-rate * radius * sin(t), rate * radius * cos(t)};
        // with its velocity a target is given only now and then
        if (!told || i % 10 == 0)
            lb_servo_aim(w->servo, &target, told ? velocity : NULL);
        watch_step(w);
        lb_transform at = test_task_tool(w->model, task, w->q[0]);
        target.p = from.p;
        target.p.x += radius * (cos(t + rate * h) - 1);
        target.p.y += radius * sin(t + rate * h);
        if (i > 1500)
            most = fmax(most, lb_transform_distance(&at, &target));
    }
    return most;
}

TEST(a_target_that_moves_is_followed_without_a_lag)
{
    for (int r = 0; r < ROBOTS * 4; r++) {
        lb_task task;
        double start[MOST_Q];
        owned_model *model = load(robots[r % 3], &task);
        owned_watch w = {.model = model};
        const bool told = r / 3 % 2, jerky = r / 6;
        bend(robots[r % 3], start);
        watch_limit(&w, 1, 5, jerky ? 250 : INFINITY);
        watch_begin(&w, &task, start);
        // the mean alone lags by 20 ms or 1.5 mm; a filter of 40 ms does so twice in an
        // acceleration
        double filtered = told ? 0 : 4e-4;
        assert_true(track_circle(&w, &task, start, told) < filtered + (jerky ? 3e-4 : 1e-4));
    }
}

TEST(a_target_with_a_velocity_goes_on_by_itself)
{
    lb_task task;
    double start[MOST_Q];
    const double velocity[6] = {0, 0.05, 0, 0, 0, 0.1};
    owned_model *model = load("panda", &task);
    owned_watch w = {.model = model};
    bend("panda", start);
    watch_limit(&w, 1, 5, INFINITY);
    watch_begin(&w, &task, start);
    lb_transform target = test_task_tool(model, &task, start);
    lb_servo_aim(w.servo, &target, velocity);
    for (int i = 0; i < 1000; i++)
        watch_step(&w);
    lb_transform at = test_task_tool(model, &task, w.q[0]);
    target.p.y += 0.05;
    lb_quat turn = lb_quat_exp(lb_vec3_make(0, 0, 0.1));
    target = lb_transform_from_quat(lb_quat_multiply(turn, lb_transform_quat(&target)), target.p);
    assert_true(lb_transform_distance(&at, &target) < 2e-5);
    assert_true(lb_transform_angle(&at, &target) < 2e-5);
}

TEST(a_target_that_moves_is_met_in_the_landing_time)
{
    lb_task task;
    double start[MOST_Q];
    const double velocity[6] = {0, 0.05};
    owned_model *model = load("panda", &task);
    owned_watch w = {.model = model};
    bend("panda", start);
    watch_limit(&w, 1, 5, INFINITY);
    w.options.landing = 0.5;
    watch_begin(&w, &task, start);
    lb_transform target = test_task_tool(model, &task, start);
    lb_servo_aim(w.servo, &target, velocity);
    for (int i = 0; i < 1500; i++) {
        watch_step(&w);
        lb_transform at = test_task_tool(model, &task, w.q[0]);
        target.p.y += 0.05 * w.options.period;
        double off = lb_transform_distance(&at, &target);
        // without it the arm would be there after 0.03 s
        assert_true(i != 100 || off > 5e-5);
        assert_true(i < 1400 || off < 2e-4);
    }
}

/* ---- singular poses ------------------------------------------------------------- */

/* a hand that trembles, through the wrist's singular pose and out of reach */
static int track_hand(double landing, double jerk, double *error)
{
    lb_task task;
    double start[MOST_Q] = {0.3, -1.3, 1.5, -1.7, -0.3, 0.2};
    owned_model *model = load("ur5", &task);
    watch w = {.model = model};
    lb_random random = test_seed(4);
    int shaken = 0;
    watch_limit(&w, 3, 20, jerk);
    w.options.landing = landing;
    watch_begin(&w, &task, start);
    const lb_transform from = test_task_tool(model, &task, start);
    lb_transform target = from;
    for (int i = 0; i < 6000; i++) {
        double t = 1e-3 * i, reach = i > 3000 && i < 4000 ? 1.5 : 0;
        lb_quat turn = lb_quat_exp(lb_vec3_make(0.4 * sin(2 * t), 0.5 * sin(1.3 * t), 0));
        target = lb_transform_from_quat(lb_quat_multiply(turn, lb_transform_quat(&from)), from.p);
        target.p.x += 0.05 * sin(3 * t) + lb_random_between(&random, -5e-4, 5e-4) + reach;
        target.p.y += 0.05 * sin(2.1 * t) + lb_random_between(&random, -5e-4, 5e-4);
        lb_servo_aim(w.servo, &target, NULL);
        watch_step(&w);
        shaken += shakes(&w);
    }
    watch_arrive(&w, 5000);
    assert_true(w.frame.state == LB_SERVO_ARRIVED);
    lb_transform at = test_task_tool(model, &task, w.q[0]);
    *error = lb_transform_distance(&at, &target);
    watch_end(&w);
    return shaken;
}

TEST(a_trembling_hand_is_followed_through_a_singular_pose)
{
    double error;
    int unfiltered = track_hand(0, INFINITY, &error);
    assert_true(error < 2e-6);
    int filtered = track_hand(0.08, INFINITY, &error);
    assert_true(error < 2e-6);
    // filtered noise does not drive the joints from limit to limit
    assert_true(unfiltered > 1000 && filtered < unfiltered / 20);
    assert_true(track_hand(0.08, 1000, &error) == 0);
    assert_true(error < 2e-6);
}

TEST(a_target_out_of_reach_ends_at_the_closest_configuration)
{
    for (int r = 0; r < ROBOTS; r++) {
        lb_task task;
        double start[MOST_Q], closest[MOST_Q];
        owned_model *model = load(robots[r], &task);
        task.kind = LB_TASK_POSITION;
        lb_ik_options o = lb_ik_options_default();
        o.protocol = LB_PROTOCOL_GIVEN;
        owned_ik *ik = test_solver(model, &task, 1, &o);
        owned_watch w = {.model = model};
        lb_ik_result result;
        bend(robots[r], start);
        watch_limit(&w, 1, 5, 200);
        watch_begin(&w, &task, start);
        lb_transform target = test_task_tool(model, &task, start);
        target.p = lb_vec3_make(1.5, 0.5, 0.6);
        lb_ik_solve(ik, &target, start, closest, &result);
        assert_true(result.outcome != LB_REACHED);
        lb_servo_aim(w.servo, &target, NULL);
        watch_arrive(&w, 20000);
        assert_true(w.frame.state == LB_SERVO_UNREACHED && w.frame.goal.outcome != LB_REACHED);
        lb_transform at = test_task_tool(model, &task, w.q[0]);
        double left = lb_transform_distance(&at, &target);
        assert_near(left, w.frame.goal.position_error, 1e-9);
        assert_true(left < result.position_error + 1e-4);
        // and back
        target = test_task_tool(model, &task, start);
        lb_servo_aim(w.servo, &target, NULL);
        watch_arrive(&w, 20000);
        at = test_task_tool(model, &task, w.q[0]);
        assert_true(lb_transform_distance(&at, &target) < 2e-6);
    }
}

TEST(joint_values_choose_the_branch)
{
    lb_task task;
    lb_random random = test_seed(10);
    double first[MOST_Q], second[MOST_Q] = {-1, -1.8, -1.5, 1, 1.5, 0}, q[MOST_Q];
    owned_model *model = load("ur5", &task);
    lb_ik_options o = lb_ik_options_default();
    o.protocol = LB_PROTOCOL_GIVEN;
    watch w = {.model = model};
    int missed = 0;
    bend("ur5", first);
    watch_limit(&w, 3, 20, INFINITY);
    // a shoulder that hardly turns, so that the other side of the elbow is missed
    w.settings[1].lower[0] = -2;
    w.settings[1].upper[0] = -1.1;
    o.joints = w.settings;
    o.joint_count = w.options.joint_count;
    owned_ik *ik = test_solver(model, &task, 1, &o);
    for (int i = 0; i < 40; i++) {
        watch_begin(&w, &task, first);
        lb_servo_move(w.servo, second);
        watch_arrive(&w, 5000);
        // near the tool of the first configuration, whose branch was left
        lb_transform target = moved(test_task_tool(model, &task, first), 0.2, &random);
        lb_servo_aim(w.servo, &target, NULL);
        watch_arrive(&w, 5000);
        bool there = lb_ik_solve(ik, &target, second, q, NULL) == LB_REACHED;
        missed += !there;
        assert_true(there || w.frame.goal.outcome != LB_REACHED);
        watch_end(&w);
    }
    assert_true(missed > 0);
}

/* ---- lines and limits --------------------------------------------------------- */

TEST(a_line_along_a_limit_stays_within_it)
{
    lb_random random = test_seed(9);
    int lines = 0;
    for (int r = 0; r < 4 * steps; r++) {
        lb_task task;
        double start[MOST_Q];
        owned_model *model = load("panda", &task);
        owned_watch w = {.model = model};
        bend("panda", start);
        watch_limit(&w, 1, 5, INFINITY);
        w.options.line = 10;
        // two joints have hardly any room
        for (int k = 0; k < 4; k += 2) {
            w.settings[k].lower[0] = start[k] - 0.05;
            w.settings[k].upper[0] = start[k] + 0.05;
        }
        watch_begin(&w, &task, start);
        lb_transform target = moved(test_task_tool(model, &task, start), 0.12, &random);
        lb_servo_aim(w.servo, &target, NULL);
        int frames = 0;
        do {
            watch_step(&w);
            lines += w.frame.state == LB_SERVO_LINE;
            for (int k = 0; k < 4; k += 2)
                assert_true(fabs(w.q[0][k] - start[k]) <= 0.05 + 1e-15);
        } while (++frames < 5000 && w.frame.state != LB_SERVO_ARRIVED);
    }
    assert_true(lines > 0);
}

/* ---- bits ----------------------------------------------------------------------- */

TEST(results_have_the_same_bits_everywhere)
{
    static const uint64_t expected[ROBOTS] = {0xe5495208a9816d14, 0x2a3a4f30b40cfb35,
                                              0x55ffc90905431b36};
    for (int r = 0; r < ROBOTS; r++) {
        lb_task task;
        double start[MOST_Q];
        owned_model *model = load(robots[r], &task);
        const size_t nq = (size_t)lb_model_nq(model);
        owned_watch w = {.model = model};
        lb_random random = test_seed(7);
        bend(robots[r], start);
        watch_limit(&w, 1, 5, 200);
        w.options.line = 1.5;
        watch_begin(&w, &task, start);
        uint64_t hash = golden_start();
        for (int i = 0; i < 2000; i++) {
            lb_transform target = moved(test_task_tool(model, &task, start), 0.2, &random);
            double twist[6] = {lb_random_between(&random, -0.2, 0.2), 0.1, 0, 0, 0.3, 0};
            if (i % 250 == 0)
                lb_servo_aim(w.servo, &target, i % 1000 == 500 ? twist : NULL);
            if (i % 1000 == 900)
                lb_servo_twist(w.servo, twist);
            watch_step(&w);
            golden_add(&hash, w.q[0], nq);
            golden_add(&hash, w.v[0], nq);
            golden_add(&hash, w.a[0], nq);
        }
        if (hash != expected[r])
            fail_msg("%s: %llx", robots[r], (unsigned long long)hash);
    }
}
