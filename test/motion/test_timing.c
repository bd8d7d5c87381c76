/*
 * test_timing.c - the fastest motion along paths: samples within all limits, against closed forms
 * and optima on finer grids.
 */
#include "arm_lines.h"
#include "rest_to_rest.h"

#include <limber/limber.h>

/* lines of each arm */
TEST_ARGUMENT(lines, 1, 10)

static const char *const arms[] = {"ur5",     "panda",    "iiwa14",   "kr6",         "crx10ia",
                                   "puma560", "stanford", "ur5 tool", "panda wrist", "iiwa14 hand"};

/* ---- what is measured independently ------------------------------------------- */

typedef struct rates {
    double velocity, acceleration, jerk; /* the largest share of a joint's limits */
    double speed, tool_acceleration, tool_jerk, angular_speed;
} rates;

/* a sample of the clip; it rests before and after */
static const double *key_at(const lb_clip *clip, int k)
{
    int last = lb_clip_count(clip) - 1;
    return lb_clip_key(clip, k < 0 ? 0 : k > last ? last : k);
}

/* limits as timing.h states the defaults */
static rates measure(const lb_clip *clip, const lb_task *task)
{
    const lb_model *model = lb_clip_model(clip);
    rates most = {0};
    double n = 1000;
    lb_vec3 p[4];
    for (int k = 0; k < lb_clip_count(clip) + 3; k++) {
        const double *q[4];
        for (int i = 0; i < 4; i++) {
            q[i] = key_at(clip, k - 3 + i);
            p[i] = i < 3 && k > 0 ? p[i + 1] : test_task_tool(model, task, q[i]).p;
        }
        for (int j = 0; j < lb_model_joint_count(model); j++) {
            const lb_joint *joint = lb_model_joint(model, j);
            int i = lb_model_joint_q(model, j);
            if (i < 0 || joint->mimic)
                continue;
            double v = isinf(joint->velocity) ? 1 : joint->velocity;
            double a = v / 0.25, limit = a / 0.1;
            most.velocity = fmax(most.velocity, fabs(q[3][i] - q[2][i]) * n / v);
            most.acceleration =
                fmax(most.acceleration, fabs(q[3][i] - 2 * q[2][i] + q[1][i]) * n * n / a);
            most.jerk = fmax(most.jerk, fabs(q[3][i] - 3 * q[2][i] + 3 * q[1][i] - q[0][i]) * n *
                                            n * n / limit);
        }
        lb_vec3 v1 = lb_vec3_scale(lb_vec3_sub(p[3], p[2]), n);
        lb_vec3 v0 = lb_vec3_scale(lb_vec3_sub(p[2], p[1]), n);
        lb_vec3 before = lb_vec3_scale(lb_vec3_sub(p[1], p[0]), n);
        lb_vec3 a1 = lb_vec3_scale(lb_vec3_sub(v1, v0), n);
        lb_vec3 a0 = lb_vec3_scale(lb_vec3_sub(v0, before), n);
        lb_transform now = test_task_tool(model, task, q[3]);
        lb_transform last = test_task_tool(model, task, q[2]);
        most.angular_speed = fmax(most.angular_speed, n * lb_transform_angle(&last, &now));
        most.speed = fmax(most.speed, lb_vec3_length(v1));
        most.tool_acceleration = fmax(most.tool_acceleration, lb_vec3_length(a1));
        most.tool_jerk = fmax(most.tool_jerk, n * lb_vec3_length(lb_vec3_sub(a1, a0)));
    }
    return most;
}

/* how far samples are from the line between two points */
static double off_line(const lb_clip *clip, const lb_task *task, const lb_transform *points)
{
    double most = 0;
    lb_vec3 along = lb_vec3_sub(points[1].p, points[0].p);
    double length = lb_vec3_length(along);
    for (int k = 0; k < lb_clip_count(clip); k++) {
        lb_transform tool = test_task_tool(lb_clip_model(clip), task, lb_clip_key(clip, k));
        lb_vec3 d = lb_vec3_sub(tool.p, points[0].p);
        most = fmax(most, lb_vec3_length(lb_vec3_cross(d, along)) / length);
    }
    return most;
}

/* ---- lines of arms -------------------------------------------------------------- */

/* every one of a hundred lines on ten arms that can be followed is followed within all limits */
TEST(lines_keep_all_limits)
{
    lb_random random = test_seed(91);
    int timed = 0;
    double slowest = 0;
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        lb_task task;
        owned_model *model = load_arm(arms[a], &task);
        for (int found = 0, tried = 0; found < lines && tried < 8 * lines; tried++) {
            line l = make_line(model, &task, lb_random_between(&random, 0.05, 0.3), &random);
            lb_timing how = lb_timing_default(task, l.path);
            how.follow.any_start = true;
            bool bounded = found % 2 == 1;
            if (bounded) {
                how.speed = 0.25;
                how.acceleration = 1;
                how.jerk = 10;
            }
            double start[MOST_Q];
            lb_configuration_neutral(model, start);
            lb_clip *clip;
            lb_timing_result result;
            assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
            assert_int_equal(clip != NULL, result.outcome == LB_REACHED);
            lb_path_release(l.path);
            if (!clip)
                continue;
            rates most = measure(clip, &task);
            if (most.velocity > 1 + 1e-9 || most.acceleration > 1 + 1e-9 || most.jerk > 1 + 1e-9)
                fail_msg("%s: %.12g %.12g %.12g", arms[a], most.velocity, most.acceleration,
                         most.jerk);
            if (bounded && (most.speed > 0.25 * (1 + 1e-9) || most.tool_acceleration > 1 + 1e-9 ||
                            most.tool_jerk > 10 + 1e-8))
                fail_msg("%s: tool %.12g %.12g %.12g", arms[a], most.speed, most.tool_acceleration,
                         most.tool_jerk);
            assert_true(off_line(clip, &task, l.points) < 1e-6);
            for (int k = 0; k < lb_clip_count(clip); k++)
                assert_ok(lb_configuration_validate(model, lb_clip_key(clip, k), 1e-9, NULL));
            // some limit is what takes the time
            double used = fmax(fmax(most.velocity, most.acceleration), most.jerk);
            used = fmax(used, bounded ? most.speed / 0.25 : 0);
            used = fmax(used, bounded ? fmax(most.tool_acceleration, most.tool_jerk / 10) : 0);
            if (!(used > 0.94))
                fail_msg("%s uses %.1f %% of its limits", arms[a], 100 * used);
            slowest = fmax(slowest, result.duration);
            lb_clip_release(clip);
            found++;
            timed++;
        }
    }
    print_message("%d lines, the slowest takes %.3f s\n", timed, slowest);
    assert_int_equal(timed, lines * (int)(sizeof arms / sizeof *arms));
}

/* ---- against closed forms ---------------------------------------------------------- */

/* a gantry of three slides goes straight: its joints are the tool's place */
static lb_model *make_gantry(void)
{
    static const char *const names[] = {"base", "x", "y", "z"};
    lb_joint joints[3];
    for (int i = 0; i < 3; i++) {
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_PRISMATIC;
        joints[i].name = names[i + 1];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].axis = lb_vec3_make(i == 0, i == 1, i == 2);
        joints[i].velocity = 0.5 + 0.2 * i;
    }
    return test_make("gantry", NULL, 0, joints, 3);
}

TEST(gantries_are_as_fast_as_can_be)
{
    lb_random random = test_seed(92);
    owned_model *model = make_gantry();
    lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
    double worst = 0;
    for (int i = 0; i < 30; i++) {
        line l = make_line(model, &task, lb_random_between(&random, 0.02, 3), &random);
        lb_timing how = lb_timing_default(task, l.path);
        lb_joint_setting settings[3];
        double start[3], limits[3] = {INFINITY, INFINITY, INFINITY};
        lb_vec3 d = lb_vec3_sub(l.points[1].p, l.points[0].p);
        double length = lb_vec3_length(d), parts[3] = {d.x, d.y, d.z};
        for (int j = 0; j < 3; j++) {
            settings[j] = lb_joint_setting_make(j);
            settings[j].acceleration = lb_random_between(&random, 1, 4);
            settings[j].jerk = lb_random_between(&random, 10, 60);
            double share = fabs(parts[j]) / length;
            limits[0] = fmin(limits[0], (0.5 + 0.2 * j) / share);
            limits[1] = fmin(limits[1], settings[j].acceleration / share);
            limits[2] = fmin(limits[2], settings[j].jerk / share);
            start[j] = (&l.points[0].p.x)[j];
        }
        how.follow.options.joints = settings;
        how.follow.options.joint_count = 3;
        owned_clip *clip = NULL;
        lb_timing_result result;
        assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
        double shortest = rest_to_rest(length, limits[0], limits[1], limits[2]);
        // up to whole milliseconds
        if (result.duration < shortest * (1 - 1e-9) || result.duration > 1.01 * shortest + 1e-3)
            fail_msg("%g m: %g s, the shortest are %g s", length, result.duration, shortest);
        worst = fmax(worst, (result.duration - 1e-3) / shortest - 1);
        lb_path_release(l.path);
    }
    print_message("at most %.2f %% slower than the closed form\n", 100 * worst);
}

/* ---- from limit to limit ------------------------------------------------------------- */

/* straight from one configuration's pose to another's, at once */
static void check_way(const lb_model *model, const lb_task *task, const double *from,
                      const double *to)
{
    lb_transform points[2] = {test_task_tool(model, task, from), test_task_tool(model, task, to)};
    owned_path *path = NULL;
    owned_clip *clip = NULL;
    lb_timing_result result;
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    lb_timing how = lb_timing_default(*task, path);
    assert_made(lb_timing_make(model, &how, from, NULL, &clip, &result, &cause), cause);
    if (clip == NULL)
        fail_msg("no motion: %s, ended by %s at %.15g of the way, off by %g m and %g rad",
                 lb_outcome_text(result.outcome), lb_branch_end_text(result.frame.ended),
                 result.share, result.position_error, result.rotation_error);
    for (int k = 0; k < lb_clip_count(clip); k++)
        assert_ok(lb_configuration_validate(model, lb_clip_key(clip, k), 0, NULL));
    rates most = measure(clip, task);
    assert_true(fmax(most.velocity, fmax(most.acceleration, most.jerk)) <= 1 + 1e-9);
    assert_true(off_line(clip, task, points) < 1e-6);
    assert_true(result.duration < 5);
}

/* paths that begin or end where a joint is at its limit */
TEST(paths_may_touch_limits_with_their_ends)
{
    static const char *const names[] = {"kr6", "ur5"};
    lb_random random = test_seed(93);
    for (int i = 0; i < 2; i++) {
        lb_task task;
        owned_model *model = load_arm(names[i], &task);
        for (int k = 0; k < 6; k++) {
            double at[MOST_Q], inside[MOST_Q];
            const lb_joint *joint = lb_model_joint(model, k);
            lb_configuration_random(model, &random, at);
            // the wrist bent, the elbow too
            at[2] = at[2] > 0 ? 0.8 : -0.8;
            at[4] = 0.7;
            at[k] = k % 2 ? joint->lower[0] : joint->upper[0];
            memcpy(inside, at, sizeof at);
            inside[k] += k % 2 ? 0.1 : -0.1;
            check_way(model, &task, at, inside);
            check_way(model, &task, inside, at);
        }
    }
}

/* from an arm that is stretched, or nearly so, and back to it: joints change with the root of the
   way, at the ends or close by them */
TEST(stretched_arms_bend_and_stretch)
{
    static const double bent[] = {0, 1e-6, 1e-4, 1e-3, 0.01, 0.02, 0.03, 0.1};
    owned_model *model = test_load("planar2");
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    for (size_t i = 0; i < sizeof bent / sizeof *bent; i++) {
        const double stretched[2] = {0.3, bent[i]}, folded[2] = {-0.5, 1.955};
        check_way(model, &task, stretched, folded);
        check_way(model, &task, folded, stretched);
    }
}

/* an arm with joints to spare begins at its start, also where joints are at their limits */
TEST(motions_begin_at_limits_of_redundant_arms)
{
    const double start[] = {2.8973, 1.1078, -2.8973, -1.2703, 1.3244, 0.69, -2.5777, 0.02, 0.02};
    lb_task task;
    owned_model *model = load_arm("panda", &task);
    lb_transform points[2] = {test_task_tool(model, &task, start)};
    points[1] = points[0];
    points[1].p = lb_vec3_make(-0.26, 0.38, 0.85);
    owned_path *path = NULL;
    owned_clip *clip = NULL;
    lb_timing_result result;
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    lb_timing how = lb_timing_default(task, path);
    assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
    assert_non_null(clip);
    assert_memory_equal(lb_clip_key(clip, 0), start, 7 * sizeof *start);
}

/* a motion that exceeds a limit by less than one more sample takes away gets that sample */
TEST(motions_settle_within_any_limits)
{
    lb_random random = test_seed(94);
    lb_task task;
    owned_model *model = load_arm("ur5", &task);
    for (int k = 0; k < FEWER(60, 6); k++) {
        line l = make_line(model, &task, 0.1, &random);
        lb_timing how = lb_timing_default(task, l.path);
        lb_joint_setting settings[6];
        double start[MOST_Q];
        for (int j = 0; j < 6; j++) {
            settings[j] = lb_joint_setting_make(j);
            settings[j].acceleration = lb_random_between(&random, 0.1, 2);
        }
        how.follow.options.joints = settings;
        how.follow.options.joint_count = 6;
        how.follow.any_start = true;
        lb_configuration_neutral(model, start);
        owned_clip *clip = NULL;
        lb_timing_result result;
        assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
        assert_int_not_equal(result.outcome, LB_EXHAUSTED);
        lb_path_release(l.path);
    }
}

/* ---- tools that turn -------------------------------------------------------------- */

/* along lines that leave the axes free, a wrist turns the tool: how fast is bounded, and no more
   time is taken than that needs */
TEST(tools_turn_no_faster_than_wanted)
{
    static const char *const names[] = {"ur5", "panda", "kr6"};
    lb_random random = test_seed(94);
    int bounded = 0;
    for (int i = 0; i < 9; i++) {
        lb_task task;
        owned_model *model = load_arm(names[i / 3], &task);
        task.kind = LB_TASK_POSITION;
        line l = make_line(model, &task, lb_random_between(&random, 0.1, 0.4), &random);
        lb_timing how = lb_timing_default(task, l.path);
        how.follow.any_start = true;
        double start[MOST_Q];
        lb_configuration_neutral(model, start);
        owned_clip *clip = NULL, *slow = NULL;
        lb_timing_result result;
        assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
        if (clip) {
            rates most = measure(clip, &task);
            how.angular_speed = 0.5 * most.angular_speed;
            assert_ok(lb_timing_make(model, &how, start, NULL, &slow, &result, NULL));
            assert_non_null(slow);
            most = measure(slow, &task);
            if (most.angular_speed > how.angular_speed * (1 + 1e-9) ||
                most.angular_speed < 0.98 * how.angular_speed)
                fail_msg("%s: %.12g of %.12g rad/s", names[i / 3], most.angular_speed,
                         how.angular_speed);
            assert_true(most.velocity <= 1 && most.acceleration <= 1 + 1e-9 &&
                        most.jerk <= 1 + 1e-9);
            // half as fast all the way would take twice as long
            assert_true(lb_clip_count(slow) >= lb_clip_count(clip));
            assert_true(lb_clip_count(slow) <= 2.01 * lb_clip_count(clip));
            bounded++;
        }
        lb_path_release(l.path);
    }
    assert_true(bounded >= 5);
}

/* a tool that turns about its own origin: its speed is no bound, its angular speed is */
TEST(turns_on_the_spot_take_their_time)
{
    lb_task task;
    owned_model *model = load_arm("ur5", &task);
    const double start[6] = {0.3, -1.4, 1.6, -0.4, 1.2, 0}, angle = 1.2, most = 0.3;
    lb_transform points[2] = {test_task_tool(model, &task, start)};
    lb_transform turn = lb_transform_from_quat(
        lb_quat_from_axis_angle(lb_vec3_make(0.6, 0, 0.8), angle), lb_vec3_make(0, 0, 0));
    points[1] = lb_transform_multiply(&points[0], &turn);
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    owned_path *path = NULL;
    owned_clip *clip = NULL;
    lb_timing_result result;
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    lb_timing how = lb_timing_default(task, path);
    how.speed = 0.1;
    how.angular_speed = most;
    assert_made(lb_timing_make(model, &how, start, NULL, &clip, &result, &cause), cause);
    assert_non_null(clip);
    // nearly all the way as fast as it may
    assert_true(result.duration >= angle / most);
    assert_true(result.duration <= angle / most + 0.5);
    assert_true(measure(clip, &task).angular_speed <= most * (1 + 1e-9));
}

/* ---- paths with corners, and those that end ------------------------------------------- */

static lb_timing_result time_points(const lb_model *model, lb_path_kind kind,
                                    const lb_transform *points, int count, const double *start,
                                    lb_clip **clip)
{
    lb_path_source source = {.kind = kind, .points = points, .count = count};
    owned_path *path = NULL;
    lb_timing_result result;
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    lb_timing how = lb_timing_default(
        lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION), path);
    assert_ok(lb_timing_make(model, &how, start, NULL, clip, &result, NULL));
    return result;
}

TEST(stops_at_corners_alone)
{
    owned_model *model = make_gantry();
    double start[3] = {0, 0, 0};
    const lb_transform points[4] = {
        lb_transform_translation(0, 0, 0), lb_transform_translation(0.3, 0, 0),
        lb_transform_translation(0.3, 0.4, 0), lb_transform_translation(0.6, 0.8, 0.1)};
    lb_clip *clip;
    lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
    lb_timing_result result = time_points(model, LB_PATH_POLYLINE, points, 4, start, &clip);
    assert_int_equal(result.stops, 2);
    assert_int_equal(result.samples, lb_clip_count(clip));
    // it is at each corner at some sample, at rest
    for (int i = 0; i < 4; i++) {
        int at = 0;
        for (int k = 1; k < lb_clip_count(clip); k++) {
            lb_vec3 p = test_task_tool(model, &task, lb_clip_key(clip, k)).p;
            at += lb_vec3_length(lb_vec3_sub(p, points[i].p)) < 1e-9;
        }
        assert_true(at > 0 || i == 0);
    }
    rates most = measure(clip, &task);
    assert_true(most.velocity <= 1 && most.acceleration <= 1 && most.jerk <= 1);
    lb_clip_release(clip);
    // points on one line are no corners; splines and circles have none
    result = time_points(model, LB_PATH_POLYLINE, points, 2, start, &clip);
    assert_int_equal(result.stops, 0);
    lb_clip_release(clip);
    result = time_points(model, LB_PATH_SPLINE, points, 4, start, &clip);
    assert_true(result.stops == 0 && result.outcome == LB_REACHED);
    lb_clip_release(clip);
    result = time_points(model, LB_PATH_ARC, points, 3, start, &clip);
    assert_true(result.stops == 0 && result.outcome == LB_REACHED);
    lb_clip_release(clip);
    // a point alone takes no time
    result = time_points(model, LB_PATH_POLYLINE, points, 1, start, &clip);
    assert_true(result.outcome == LB_REACHED && result.duration <= 1e-3);
    lb_clip_release(clip);
}

/* a task to which the path's movement does not matter: nothing that has a limit moves */
TEST(what_no_joint_moves_for_takes_no_time)
{
    owned_model *model = test_load("ur5");
    const double start[6] = {0.3, -1.4, 1.6, -0.4, 1.2, 0};
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_ROTATION);
    lb_transform points[3];
    points[0] = points[1] = points[2] = test_task_tool(model, &task, start);
    points[1].p = lb_vec3_make(0.5, 0.1, 0.4);
    points[2].p = lb_vec3_make(0.5, 0.3, 0.4);
    for (int turns = 0; turns < 2; turns++) {
        // then a part of the path in which it does
        lb_quat turn = lb_quat_from_axis_angle(points[0].z, 0.3 * turns);
        lb_vec3 p = points[2].p;
        lb_quat axes = lb_quat_multiply(turn, lb_transform_quat(&points[0]));
        points[2] = lb_transform_from_quat(axes, p);
        lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 3};
        owned_path *path = NULL;
        owned_clip *clip = NULL;
        lb_timing_result result;
        assert_ok(lb_path_create(&source, NULL, &path, NULL));
        lb_timing how = lb_timing_default(task, path);
        assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
        assert_int_equal(result.outcome, LB_REACHED);
        if (turns == 0)
            assert_true(result.duration <= 3e-3);
        else
            assert_true(result.duration > 0.1 && result.duration < 5);
    }
}

/* a corner whose point is given twice, or with the rounding of another file, is a corner */
TEST(corners_may_be_given_twice)
{
    owned_model *model = make_gantry();
    const double start[3] = {0, 0, 0};
    lb_transform points[4] = {
        lb_transform_translation(0, 0, 0), lb_transform_translation(0.3, 0, 0),
        lb_transform_translation(0.3, 0.4, 0), lb_transform_translation(0.3, 0.4, 0)};
    lb_clip *clip;
    lb_timing_result once = time_points(model, LB_PATH_POLYLINE, points, 3, start, &clip);
    assert_true(once.stops == 1 && once.outcome == LB_REACHED);
    lb_clip_release(clip);
    static const double apart[] = {0, 1e-17, 1e-16, 1e-14, 1e-12};
    for (int i = 0; i < 5; i++) {
        points[2] = lb_transform_translation(0.3 + apart[i], apart[i], 0);
        lb_timing_result twice = time_points(model, LB_PATH_POLYLINE, points, 4, start, &clip);
        assert_int_equal(twice.outcome, LB_REACHED);
        assert_int_equal(twice.stops, 1);
        assert_near(twice.duration, once.duration, 2e-3);
        lb_clip_release(clip);
    }
}

TEST(says_where_it_ends)
{
    owned_model *model = test_load("ur5");
    double start[6] = {0.3, -1.4, 1.6, -0.4, 1.2, 0};
    const lb_transform points[2] = {lb_transform_translation(0.5, 0.1, 0.4),
                                    lb_transform_translation(2.5, 0.1, 0.4)};
    lb_clip *clip;
    lb_timing_result result = time_points(model, LB_PATH_POLYLINE, points, 2, start, &clip);
    assert_null(clip);
    assert_true(result.outcome != LB_REACHED && result.share > 0.1 && result.share < 0.3);
}

TEST(refuses)
{
    owned_model *model = make_gantry();
    const lb_transform point = LB_TRANSFORM_IDENTITY;
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = &point, .count = 1};
    owned_path *path = NULL;
    lb_clip *clip;
    lb_timing_result result;
    double start[3] = {0};
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    lb_timing how = lb_timing_default(lb_task_make(3, LB_WORLD, LB_TASK_POSITION), path);
    double *const numbers[] = {&how.rate, &how.speed, &how.acceleration, &how.jerk,
                               &how.angular_speed};
    for (int i = 0; i < 5; i++) {
        double kept = *numbers[i];
        *numbers[i] = i == 0 ? INFINITY : 0;
        assert_refused(lb_timing_make(model, &how, start, NULL, &clip, &result, &cause),
                       LB_INVALID_ARGUMENT, &cause, "must be a number above 0");
        *numbers[i] = kept;
    }
    how.rate = 1e300;
    assert_int_equal(lb_timing_make(model, &how, start, NULL, &clip, &result, &cause),
                     LB_INVALID_ARGUMENT);
    how.rate = 1000;
    how.follow.path = NULL;
    assert_int_equal(lb_timing_make(model, &how, start, NULL, &clip, &result, &cause),
                     LB_INVALID_ARGUMENT);
    how.follow.path = path;
    lb_joint_setting bad = lb_joint_setting_make(0);
    bad.jerk = 0;
    how.follow.options.joints = &bad;
    how.follow.options.joint_count = 1;
    assert_int_equal(lb_timing_make(model, &how, start, NULL, &clip, &result, &cause),
                     LB_BAD_VALUE);
    assert_null(clip);
}

/* a joint that may not move, and one that hardly may: refused by name, and soon */
TEST(refuses_motions_without_end)
{
    owned_model *model = make_gantry();
    const lb_transform points[2] = {LB_TRANSFORM_IDENTITY, lb_transform_translation(1, 0, 0)};
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    owned_path *path = NULL;
    lb_clip *clip;
    lb_timing_result result;
    double start[3] = {0};
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    lb_timing how = lb_timing_default(lb_task_make(3, LB_WORLD, LB_TASK_POSITION), path);
    lb_joint_setting still = lb_joint_setting_make(0);
    how.follow.options.joints = &still;
    how.follow.options.joint_count = 1;
    still.velocity = 0;
    assert_refused(lb_timing_make(model, &how, start, NULL, &clip, &result, &cause), LB_BAD_VALUE,
                   &cause, "joint 'x' has to move, but its speed is limited to 0");
    still.velocity = 1e-6;
    assert_refused(lb_timing_make(model, &how, start, NULL, &clip, &result, &cause), LB_UNSUPPORTED,
                   &cause, "more than 1000000 samples");
    assert_null(clip);
}

TEST(releases_memory)
{
    owned_model *model = make_gantry();
    const lb_transform points[2] = {LB_TRANSFORM_IDENTITY, lb_transform_translation(0.1, 0, 0)};
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    owned_path *path = NULL;
    double start[3] = {0};
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    lb_timing how = lb_timing_default(lb_task_make(3, LB_WORLD, LB_TASK_POSITION), path);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_clip *clip = TEST_UNSET;
        lb_timing_result result;
        failing.status =
            lb_timing_make(model, &how, start, &failing.allocator, &clip, &result, NULL);
    }
}
