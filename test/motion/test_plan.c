/*
 * test_plan.c - redundant arms along paths: as few jumps as an exhaustive search of samples finds
 * that is more lenient than the arm, and each frame by its own numbers.
 */
#include <math.h>

#include "support_load.h"

#include <limber/limber.h>
#include <string.h>

enum {
    MOST_Q = 16,
    POSES = 200,
    FRAMES = FEWER(240, 60),
    PLACES = 120,
    SAMPLES = 100,
    NODES = 8 * SAMPLES
};

/* the most that a joint moves from place to place of the search: more than a follower's may, so
   that it finds all motions, and some that are none */
#define LENIENT 0.3
/* metres that the tool may be off between two frames, where joints go straight on */
#define STRAIGHT 0.004

/* An arm and its path. */
typedef struct course {
    lb_model *model;
    lb_task task;
    lb_path *path;
} course;

/* a line from one pose to another, a helix, or a tool that turns to and fro, of a random size */
static lb_transform pose_of(int kind, double u, const lb_transform *from, const lb_transform *to,
                            const double *size, lb_vec3 axis)
{
    lb_quat turn = lb_transform_quat(from);
    lb_vec3 p = from->p;
    if (kind == 0) {
        p = lb_vec3_add(lb_vec3_scale(from->p, 1 - u), lb_vec3_scale(to->p, u));
        turn = lb_quat_slerp(turn, lb_transform_quat(to), u);
    } else if (kind == 1) {
        const double t = 4 * LB_PI * u;
        p = lb_vec3_add(p, lb_vec3_make(size[0] * (cos(t) - 1), size[0] * sin(t), size[1] * u));
    } else {
        const lb_quat more = lb_quat_from_axis_angle(axis, size[2] * sin(2 * LB_PI * u));
        turn = lb_quat_multiply(more, turn);
        p = lb_vec3_add(p, lb_vec3_make(0.02 * u, 0.02 * u, 0));
    }
    return lb_transform_from_quat(turn, p);
}

static course course_of(const char *name, const char *tip, int seed)
{
    course c;
    lb_transform ends[2], poses[POSES];
    lb_random random = {.state = (uint64_t)seed * 7919 + 13};
    c.model = test_load(name);
    c.task = lb_task_make(lb_model_find_link(c.model, tip), LB_WORLD, LB_TASK_POSE);
    for (int i = 0; i < 2; i++) {
        double q[MOST_Q];
        lb_configuration_random(c.model, &random, q);
        ends[i] = test_task_tool(c.model, &c.task, q);
    }
    static const double low[6] = {0.08, -0.3, 1, -1, -1, -1}, high[6] = {0.25, 0.3, 3, 1, 1, 1};
    double size[6];
    for (int i = 0; i < 6; i++)
        size[i] = lb_random_between(&random, low[i], high[i]);
    const lb_vec3 about =
        lb_vec3_normalize(lb_vec3_make(size[5], size[4], size[3]), lb_vec3_make(1, 0, 0));
    for (int i = 0; i < POSES; i++)
        poses[i] = pose_of(seed % 3, i / (POSES - 1.0), &ends[0], &ends[1], size, about);
    const lb_path_source source = {.points = poses, .count = POSES, .turn = 0.3};
    assert_ok(lb_path_create(&source, NULL, &c.path, NULL));
    return c;
}

static void course_end(course *c)
{
    lb_path_release(c->path);
    lb_model_release(c->model);
}

/* ---- search -------------------------------------------------------------- */

static bool is_near(const double *a, const double *b, int nq)
{
    double most = 0;
    for (int k = 0; k < nq; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most <= LENIENT;
}

/* whether a configuration is near one of those that are reached */
static bool is_led_to(const double *q, const double *rows, const bool *reached, int count, int nq)
{
    for (int i = 0; i < count; i++)
        if (reached[i] && is_near(q, rows + (size_t)i * (size_t)nq, nq))
            return true;
    return false;
}

/* the fewest jumps of sampled solutions, from any of them */
static int search(const course *c)
{
    lb_solutions_options options = lb_solutions_options_default();
    options.redundancy = SAMPLES;
    lb_solutions_solver *solver;
    assert_ok(lb_solutions_create(c->model, &c->task, &options, NULL, &solver, NULL));
    const int nq = lb_model_nq(c->model);
    static double rows[2][NODES * MOST_Q];
    static bool reached[2][NODES];
    static lb_solution infos[NODES];
    int jumps = 0, before = 0;
    for (int place = 0; place < PLACES; place++) {
        lb_solutions_summary summary;
        const int now = place & 1;
        const lb_transform goal = lb_path_at(c->path, place / (PLACES - 1.0));
        const int count = lb_solutions(solver, &goal, NULL, NODES, rows[now], infos, &summary);
        bool any = false;
        assert_true(count > 0);
        for (int i = 0; i < count; i++) {
            const double *q = rows[now] + (size_t)i * (size_t)nq;
            reached[now][i] = place > 0 && is_led_to(q, rows[!now], reached[!now], before, nq);
            any |= reached[now][i];
        }
        jumps += place > 0 && !any;
        for (int i = 0; i < count && !any; i++)
            reached[now][i] = true;
        before = count;
    }
    lb_solutions_release(solver);
    return jumps;
}

/* ---- following ------------------------------------------------------------ */

/* the most that straight joints take the tool off the path between two frames */
static double off_between(const course *c, int frame, const double *from, const double *to)
{
    double most = 0;
    for (int i = 1; i < 16; i++) {
        double q[MOST_Q];
        for (int k = 0; k < lb_model_nq(c->model); k++)
            q[k] = from[k] + (to[k] - from[k]) * i / 16;
        const lb_transform at = test_task_tool(c->model, &c->task, q);
        const lb_transform goal = lb_path_at(c->path, (frame - 1 + i / 16.0) / (FRAMES - 1));
        most = fmax(most, lb_vec3_length(lb_vec3_sub(at.p, goal.p)));
    }
    return most;
}

/* no joint is faster than it may be, or outside its limits */
static void check_joints(const course *c, const double *from, const double *to, double rate)
{
    for (int i = 0; i < lb_model_joint_count(c->model); i++) {
        const lb_joint *joint = lb_model_joint(c->model, i);
        const int k = lb_model_joint_q(c->model, i);
        if (joint->kind != LB_JOINT_REVOLUTE || joint->mimic)
            continue;
        assert_true(to[k] >= joint->lower[0] - 1e-9 && to[k] <= joint->upper[0] + 1e-9);
        assert_true(rate == 0 || fabs(to[k] - from[k]) * rate <= joint->velocity * (1 + 1e-9));
    }
}

/* follows a path, checks each frame by itself, and returns how often the arm jumps */
static int jumps_along(const course *c, bool any_start, double rate, int *planned)
{
    lb_follow how = lb_follow_default(c->task, c->path, FRAMES);
    lb_follower *follower;
    lb_frame frame;
    double q[MOST_Q], last[MOST_Q];
    int jumps = 0;
    how.any_start = any_start;
    how.rate = rate;
    assert_ok(lb_follower_create(c->model, &how, NULL, &follower, NULL));
    lb_configuration_neutral(c->model, q);
    memcpy(last, q, sizeof last);
    while (lb_follower_next(follower, q, &frame)) {
        const lb_transform tool = test_task_tool(c->model, &c->task, q);
        assert_int_equal(frame.result.outcome, LB_REACHED);
        assert_true(lb_vec3_length(lb_vec3_sub(tool.p, frame.goal.p)) <= 1e-6);
        check_joints(c, frame.index > 0 ? last : q, q, rate);
        jumps += frame.jumped;
        assert_int_equal(frame.jumped, frame.ended != LB_END_NONE);
        if (frame.index > 0 && !frame.jumped && FRAMES > 200)
            assert_true(off_between(c, frame.index, last, q) <= STRAIGHT);
        memcpy(last, q, sizeof last);
    }
    *planned = lb_follower_planned_jumps(follower);
    lb_follower_release(follower);
    return jumps;
}

TEST(arms_jump_as_seldom_as_they_can)
{
    static const struct {
        const char *arm, *tip;
        int seed, jumps;
    } cases[] = {
        {"panda", "panda_hand", 39, 1}, {"panda", "panda_hand", 5, 0}, {"iiwa14", "flange", 14, 0}};
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        int planned;
        course c = course_of(cases[i].arm, cases[i].tip, cases[i].seed);
        assert_int_equal(search(&c), cases[i].jumps);
        assert_int_equal(jumps_along(&c, true, 0, &planned), cases[i].jumps);
        assert_true(planned == cases[i].jumps || (planned < 0 && cases[i].jumps == 0));
        course_end(&c);
    }
}

/* the solution that is nearest to the start leads nowhere */
TEST(starts_decide)
{
    int planned;
    course c = course_of("panda", "panda_hand", 20);
    assert_int_equal(jumps_along(&c, false, 0, &planned), 1);
    assert_int_equal(planned, 1);
    assert_int_equal(jumps_along(&c, true, 0, &planned), 0);
    assert_int_equal(planned, 0);
    course_end(&c);
}

/* where each frame alone is led by the one before, joints come to be too slow */
TEST(plans_know_speeds)
{
    int planned;
    course c = course_of("panda", "panda_hand", 14);
    assert_int_equal(jumps_along(&c, true, (FRAMES - 1) / 4.8, &planned), 0);
    assert_int_equal(planned, 0);
    course_end(&c);
    c = course_of("iiwa14", "flange", 23);
    assert_int_equal(jumps_along(&c, false, (FRAMES - 1) / 6.0, &planned), 0);
    assert_int_equal(planned, 0);
    course_end(&c);
}
