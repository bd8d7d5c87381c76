/*
 * test_lines.c - arms follow straight lines without a jump wherever that is possible.
 *
 *     test_motion test_lines [LINES]
 *
 * Ten arms, a few lines each (all forty with an argument): an exhaustive search that shares nothing
 * with the follower says what is possible, and every frame's own numbers say what was done.
 */
#include <math.h>

#include "bench/lines.h"
#include "support.h"

#include <limber/solutions.h>

enum { MOST_LINES = 40, NQ = 8 };

TEST_ARGUMENT(line_count, 1, 3)

/* One arm and its lines. */
typedef struct course {
    lb_model *model;
    lb_task task;
    line lines[MOST_LINES];
    int count;
} course;

static void course_start(course *c, int arm, long count)
{
    int most = count < MOST_LINES ? (int)count : MOST_LINES;
    c->model = lines_arm(arm, &c->task);
    assert_non_null(c->model);
    c->count = lines_make(c->model, &c->task, 0.3, most, 1, c->lines);
    assert_int_equal(c->count, most);
}

static lb_path *path_of(const line *l, bool back)
{
    lb_path *path = NULL;
    const lb_transform points[2] = {l->points[back], l->points[!back]};
    assert_ok(lb_path_create(&(lb_path_source){.points = points, .count = 2}, NULL, &path, NULL));
    return path;
}

static lb_follower *follow(const course *c, lb_follow how)
{
    lb_follower *follower = NULL;
    assert_ok(lb_follower_create(c->model, &how, NULL, &follower, NULL));
    return follower;
}

/* What a follower did. */
typedef struct travel {
    int frames, jumps, missed;
    double q[NQ]; /* at the end */
    double step;  /* the largest that was no jump */
    lb_frame last_end;
} travel;

/* every frame's step is what q did, and jumps have a reason */
static travel travel_along(const course *c, lb_follow how, const double *start)
{
    travel t = {.last_end.index = -1};
    double last[NQ], v[NQ];
    owned_follower *follower = follow(c, how);
    lb_frame frame;
    memcpy(t.q, start, sizeof t.q);
    for (;;) {
        memcpy(last, t.q, sizeof last);
        if (!lb_follower_next(follower, t.q, &frame))
            break;
        double step = 0;
        lb_configuration_difference(c->model, last, t.q, v);
        for (int k = 0; k < lb_model_nv(c->model); k++)
            step = fmax(step, fabs(v[k]));
        assert_near(frame.step, step, 0);
        assert_int_equal(frame.index, t.frames++);
        assert_true(!frame.jumped || frame.ended != LB_END_NONE);
        assert_true((frame.joint >= 0) ==
                    (frame.ended != LB_END_NONE && frame.ended != LB_END_SINGULAR));
        if (frame.result.outcome == LB_REACHED)
            assert_ok(lb_configuration_validate(c->model, t.q, 1e-9, NULL));
        t.jumps += frame.jumped;
        t.missed += frame.result.outcome != LB_REACHED;
        if (frame.ended != LB_END_NONE)
            t.last_end = frame;
        if (!frame.jumped && frame.index > 0)
            t.step = fmax(t.step, step);
    }
    return t;
}

/* ---- what is possible is done ------------------------------------------- */

/* no jump where the search finds a continuous way, and never more of them than it needs */
TEST(lines_jump_only_where_they_must)
{
    course c;
    for (int arm = 0; arm < LINES_ARMS; arm++) {
        course_start(&c, arm, line_count);
        for (int i = 0; i < c.count; i++) {
            line_truth truth;
            double neutral[NQ];
            assert_true(lines_search(c.model, &c.task, &c.lines[i], &truth));
            owned_path *path = path_of(&c.lines[i], false);
            lb_follow how = lb_follow_default(c.task, path, LINES_FRAMES);
            travel given = travel_along(&c, how, c.lines[i].start);
            assert_int_equal(given.frames, LINES_FRAMES);
            assert_int_equal(given.missed, 0);
            if (given.jumps > 0 && truth.given)
                fail_msg("%s, line %d jumps without need", lines_arm_name(arm), i);

            how.any_start = true;
            lb_configuration_neutral(c.model, neutral);
            travel any = travel_along(&c, how, neutral);
            assert_int_equal(any.missed, 0);
            if (any.jumps > truth.jumps)
                fail_msg("%s, line %d: %d jumps where %d do", lines_arm_name(arm), i, any.jumps,
                         truth.jumps);
        }
        lb_model_release(c.model);
    }
}

/* what led forth without a jump leads back to where it began */
TEST(the_way_back_is_the_way_there)
{
    course c;
    int compared = 0;
    for (int arm = 0; arm < LINES_ARMS - 2; arm++) {
        course_start(&c, arm, line_count);
        for (int i = 0; i < c.count; i++) {
            owned_path *there = path_of(&c.lines[i], false), *back = path_of(&c.lines[i], true);
            lb_follow how = lb_follow_default(c.task, there, 101);
            travel t = travel_along(&c, how, c.lines[i].start);
            how.path = back;
            travel b = travel_along(&c, how, t.q);
            for (int k = 0; t.jumps == 0 && k < lb_model_nq(c.model); k++)
                assert_near(b.q[k], c.lines[i].start[k], 1e-6);
            compared += t.jumps == 0;
        }
        lb_model_release(c.model);
    }
    assert_true(compared > 2 * line_count);
}

/* ten frames or a thousand: the same branch, and the same end */
TEST(few_frames_follow_the_same_branch)
{
    course c;
    for (int arm = 0; arm < LINES_ARMS - 2; arm++) {
        course_start(&c, arm, line_count);
        for (int i = 0; i < c.count; i++) {
            owned_path *path = path_of(&c.lines[i], false);
            travel many =
                travel_along(&c, lb_follow_default(c.task, path, LINES_FRAMES), c.lines[i].start);
            travel few = travel_along(&c, lb_follow_default(c.task, path, 11), c.lines[i].start);
            for (int k = 0; many.jumps == 0 && k < lb_model_nq(c.model); k++)
                assert_near(few.q[k], many.q[k], 1e-9);
        }
        lb_model_release(c.model);
    }
}

/* frames that are followed from a start without a jump */
static int frames_from(const course *c, lb_follow how, const double *start)
{
    how.on_jump = LB_JUMP_STOP;
    owned_follower *follower = follow(c, how);
    lb_frame frame = {.index = 0};
    double q[NQ];
    int count = 0;
    memcpy(q, start, sizeof q);
    while (lb_follower_next(follower, q, &frame) && frame.result.outcome == LB_REACHED &&
           frame.ended == LB_END_NONE)
        count++;
    return count;
}

/* a limit that a joint passes between two of three frames; false: none does by far */
static bool limit_between(const course *c, const lb_path *path, const double *start,
                          lb_joint_setting *limit)
{
    double q[NQ], most[NQ], frames[NQ];
    owned_follower *follower = follow(c, lb_follow_default(c->task, path, LINES_FRAMES));
    memcpy(q, start, sizeof q);
    for (int i = 0; lb_follower_next(follower, q, NULL); i++)
        for (int k = 0; k < lb_model_nq(c->model); k++) {
            most[k] = i == 0 ? q[k] : fmax(most[k], q[k]);
            if (i % (LINES_FRAMES / 2) == 0)
                frames[k] = i == 0 ? q[k] : fmax(frames[k], q[k]);
        }
    for (int j = 0; j < lb_model_joint_count(c->model); j++) {
        const int k = lb_model_joint_q(c->model, j);
        if (k >= 0 && most[k] > frames[k] + 1e-3) {
            *limit = lb_joint_setting_make(j);
            limit->upper[0] = 0.5 * (most[k] + frames[k]);
            return true;
        }
    }
    return false;
}

TEST(no_start_leads_farther_than_any_start)
{
    course c;
    int limited = 0;
    for (int arm = 0; arm < LINES_ARMS - 2; arm++) {
        course_start(&c, arm, line_count);
        lb_solutions_options all = lb_solutions_options_default();
        lb_solutions_solver *solver = NULL;
        assert_ok(lb_solutions_create(c.model, &c.task, &all, NULL, &solver, NULL));
        for (int i = 0; i < c.count; i++) {
            double rows[LB_SOLUTIONS_MAX * NQ];
            lb_solution infos[LB_SOLUTIONS_MAX];
            lb_solutions_summary summary;
            lb_joint_setting limit;
            owned_path *path = path_of(&c.lines[i], false);
            lb_follow how = lb_follow_default(c.task, path, 3);
            if (!limit_between(&c, path, c.lines[i].start, &limit))
                continue;
            limited++;
            how.options.joints = &limit;
            how.options.joint_count = 1;
            how.any_start = true;
            int count = lb_solutions(solver, &c.lines[i].points[0], c.lines[i].start,
                                     LB_SOLUTIONS_MAX, rows, infos, &summary);
            const int most = frames_from(&c, how, c.lines[i].start);
            how.any_start = false;
            for (int k = 0; k < count; k++)
                assert_true(frames_from(&c, how, rows + k * lb_model_nq(c.model)) <= most);
        }
        lb_solutions_release(solver);
        lb_model_release(c.model);
    }
    assert_true(limited > 0);
}

/* ---- what is said ------------------------------------------------------- */

/* the first line of KR6 and Puma whose start does not lead to its end */
static bool find_jump(course *c, lb_path **path, travel *reported)
{
    for (int arm = 1; arm <= 2; arm++) {
        course_start(c, arm, 20);
        for (int i = 0; i < c->count; i++) {
            *path = path_of(&c->lines[i], false);
            *reported =
                travel_along(c, lb_follow_default(c->task, *path, LINES_FRAMES), c->lines[i].start);
            if (reported->jumps == 1 && reported->last_end.ended == LB_END_LIMIT) {
                c->lines[0] = c->lines[i];
                return true;
            }
            lb_path_release(*path);
        }
        lb_model_release(c->model);
    }
    return false;
}

/* it stops before the frame that would jump: where it is, a joint is about to leave its limits */
TEST(stopping_leaves_the_arm_where_it_is)
{
    course c;
    lb_path *path = NULL;
    travel reported;
    assert_true(find_jump(&c, &path, &reported));
    lb_follow how = lb_follow_default(c.task, path, LINES_FRAMES);
    how.on_jump = LB_JUMP_STOP;
    travel stopped = travel_along(&c, how, c.lines[0].start);
    assert_int_equal(stopped.frames, reported.last_end.index + 1);
    assert_int_equal(stopped.jumps, 0);
    assert_int_equal(stopped.missed, 1);
    assert_int_equal(stopped.last_end.ended, LB_END_LIMIT);
    assert_int_equal(stopped.last_end.joint, reported.last_end.joint);
    assert_int_equal(stopped.last_end.result.outcome, LB_STALLED);
    assert_near(stopped.last_end.step, 0, 0);
    assert_near(stopped.last_end.result.position_error, 0.3 / (LINES_FRAMES - 1), 1e-5);

    const lb_joint *joint = lb_model_joint(c.model, stopped.last_end.joint);
    double q = stopped.q[lb_model_joint_q(c.model, stopped.last_end.joint)];
    assert_true(fmin(q - joint->lower[0], joint->upper[0] - q) < stopped.step);
    lb_path_release(path);
    lb_model_release(c.model);
}

/* a step that is too large is said even where the motion is continuous */
TEST(large_steps_are_reported)
{
    course c;
    course_start(&c, 0, 1);
    lb_path *path = path_of(&c.lines[0], false);
    lb_follow how = lb_follow_default(c.task, path, LINES_FRAMES);
    travel all = travel_along(&c, how, c.lines[0].start);
    assert_int_equal(all.jumps, 0);
    how.jump = all.step;
    assert_int_equal(travel_along(&c, how, c.lines[0].start).jumps, 0);
    how.jump = 0.999 * all.step;
    travel followed = travel_along(&c, how, c.lines[0].start);
    assert_int_equal(followed.last_end.ended, LB_END_STEP);
    assert_true(followed.jumps > 0);
    assert_memory_equal(followed.q, all.q, sizeof *all.q * (size_t)lb_model_nq(c.model));
    how.on_jump = LB_JUMP_STOP;
    travel stopped = travel_along(&c, how, c.lines[0].start);
    assert_true(stopped.frames < LINES_FRAMES);
    assert_int_equal(stopped.missed, 1);
    assert_true(stopped.step <= how.jump);
    lb_path_release(path);
    lb_model_release(c.model);
}

/* ---- at the speed of joints --------------------------------------------- */

/* the line whose middle has the wrist `angle` from its singularity; false: it leaves the reach */
static bool cross_wrist(course *c, lb_random *random, double angle)
{
    double middle[NQ], end[NQ];
    lb_ik_result first, last;
    line *l = &c->lines[0];
    owned_state *at = test_state(c->model);
    owned_ik *ik = test_solver(c->model, &c->task, 1, NULL);
    lb_configuration_random(c->model, random, middle);
    middle[4] = angle;
    lb_state_update(at, middle);
    l->points[0] = l->points[1] = lb_state_transform(at, LB_WORLD, c->task.tip);
    lb_vec3 half = lb_vec3_scale(test_random_direction(random), 0.15);
    l->points[0].p = lb_vec3_sub(l->points[0].p, half);
    l->points[1].p = lb_vec3_add(l->points[1].p, half);
    lb_ik_solve(ik, &l->points[0], middle, l->start, &first);
    lb_ik_solve(ik, &l->points[1], middle, end, &last);
    return first.outcome == LB_REACHED && last.outcome == LB_REACHED;
}

/* no joint is too fast; returns the largest error off the path, -1 where the motion jumps */
static double pace_along(const course *c, lb_follow how)
{
    double q[NQ], last[NQ], v[NQ], most = 0;
    bool jumps = false;
    lb_frame frame;
    owned_follower *follower = follow(c, how);
    memcpy(q, c->lines[0].start, sizeof q);
    for (memcpy(last, q, sizeof q); lb_follower_next(follower, q, &frame);
         memcpy(last, q, sizeof q)) {
        lb_configuration_difference(c->model, last, q, v);
        for (int i = 0; frame.index > 0 && i < lb_model_joint_count(c->model); i++)
            if (lb_model_joint_v(c->model, i) >= 0)
                assert_true(fabs(v[lb_model_joint_v(c->model, i)]) * how.rate <=
                            lb_model_joint(c->model, i)->velocity * (1 + 1e-6));
        assert_ok(lb_configuration_validate(c->model, q, 1e-9, NULL));
        assert_true(frame.limited < 0 || frame.result.outcome == LB_STALLED);
        jumps |= frame.jumped;
        if (frame.limited >= 0)
            most = fmax(most, frame.result.position_error + frame.result.rotation_error);
    }
    return jumps ? -1 : most;
}

/* beside a wrist singularity by so much, the tool is off the path by little more */
TEST(wrists_are_crossed_at_their_speed)
{
    static const double beside[] = {1e-6, 1e-4, 1e-3};
    course c;
    lb_random random = test_seed(7);
    for (int arm = 0; arm < 2; arm++) {
        int crossed = 0, limited = 0;
        course_start(&c, arm, 1);
        for (int i = 0; i < 60; i++) {
            if (!cross_wrist(&c, &random, beside[i % 3]))
                continue;
            owned_path *path = path_of(&c.lines[0], false);
            lb_follow how = lb_follow_default(c.task, path, LINES_FRAMES);
            how.rate = 1000;
            double error = pace_along(&c, how);
            // off by less than was allowed, between the places where that was measured by a bit
            // more
            if (error >= 0)
                assert_true(error <= 1.5 * 0.01 / 0.3);
            crossed += error >= 0;
            limited += error > 0;
        }
        assert_true(crossed > 10 && limited > 5);
        lb_model_release(c.model);
    }
}

/* of a line, the most frames a second at which no joint is too fast where speeds are not limited */
static double natural_rate(const course *c, lb_follow how)
{
    double q[NQ], last[NQ], v[NQ], most = 0;
    lb_frame frame;
    owned_follower *follower = follow(c, how);
    memcpy(q, c->lines[0].start, sizeof q);
    for (memcpy(last, q, sizeof q); lb_follower_next(follower, q, &frame);
         memcpy(last, q, sizeof q)) {
        lb_configuration_difference(c->model, last, q, v);
        for (int i = 0; frame.index > 0 && i < lb_model_joint_count(c->model); i++)
            if (lb_model_joint_v(c->model, i) >= 0)
                most = fmax(most, fabs(v[lb_model_joint_v(c->model, i)]) /
                                      lb_model_joint(c->model, i)->velocity);
    }
    return 1 / most;
}

/* where a joint of an arm with one to spare would be too slow, the others make up for it: half of
   the lines are kept at a rate at which the joints' own shares would be too fast for one */
TEST(spare_joints_make_up_for_slow_ones)
{
    int kept = 0, lines = 0;
    for (int arm = 0; arm < LINES_ARMS; arm++) {
        course c;
        course_start(&c, arm, 8);
        for (int i = 0; i < 8 && lb_model_nv(c.model) > 6; i++) {
            c.lines[0] = c.lines[i];
            owned_path *path = path_of(&c.lines[0], false);
            lb_follow how = lb_follow_default(c.task, path, LINES_FRAMES);
            bool jumps = travel_along(&c, how, c.lines[0].start).jumps > 0;
            how.rate = 1.02 * natural_rate(&c, how);
            double error = pace_along(&c, how);
            lines += !jumps;
            kept += !jumps && error == 0;
        }
        lb_model_release(c.model);
    }
    assert_true(lines > 10 && kept >= lines / 2);
}

TEST(bad_jumps_are_refused)
{
    course c;
    course_start(&c, 0, 1);
    lb_path *path = path_of(&c.lines[0], false);
    lb_follow good = lb_follow_default(c.task, path, 3), bad[5] = {good, good, good, good, good};
    bad[0].jump = -1;
    bad[1].jump = NAN;
    bad[2].on_jump = LB_ON_JUMP_COUNT;
    bad[3].rate = -1;
    bad[4].deviation = INFINITY;
    for (int i = 0; i < 5; i++) {
        lb_follower *follower = (lb_follower *)(uintptr_t)1;
        lb_error error = {0};
        assert_int_equal(lb_follower_create(c.model, &bad[i], NULL, &follower, &error),
                         LB_INVALID_ARGUMENT);
        assert_null(follower);
        assert_true(strlen(error.message) > 10);
    }
    lb_path_release(path);
    lb_model_release(c.model);
}

static void check_memory(int arm)
{
    course c;
    course_start(&c, arm, 1);
    lb_path *path = path_of(&c.lines[0], false);
    lb_follow how = lb_follow_default(c.task, path, 11);
    how.any_start = true;
    for (long fail_at = 0;; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_follower *follower;
        if (lb_follower_create(c.model, &how, &allocator, &follower, NULL) != LB_OK) {
            assert_null(follower);
            assert_int_equal(memory.live, 0);
            continue;
        }
        long before = memory.allocations;
        double q[NQ];
        lb_configuration_neutral(c.model, q);
        while (lb_follower_next(follower, q, NULL)) {
        }
        assert_int_equal(memory.allocations, before);
        lb_follower_release(follower);
        assert_int_equal(memory.live, 0);
        break;
    }
    lb_path_release(path);
    lb_model_release(c.model);
}

/* of an arm that follows branches, and of one that plans */
TEST(playing_takes_no_memory_and_failing_leaves_none)
{
    check_memory(1);
    check_memory(8);
}

TEST(names_are_never_null)
{
    assert_string_equal(lb_on_jump_text(LB_JUMP_STOP), "stop");
    assert_string_equal(lb_branch_end_text(LB_END_SINGULAR), "singularity");
    assert_non_null(lb_on_jump_text((lb_on_jump)99));
    assert_non_null(lb_branch_end_text((lb_branch_end)99));
}
