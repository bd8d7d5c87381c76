/*
 * test_timing_ends.c - how far timed paths are said to lead, against a tracker of its own: Newton's
 * method in far smaller steps, which shares nothing with followers.
 */
#include "arm_lines.h"

/* lines of each arm and kind */
TEST_ARGUMENT(lines, 1, FEWER(2, 1))

/* a step of the tracker moves no joint farther, nor is it a larger share of the path */
#define STEP 0.02
#define SHARE 5e-4
/* shares by which both ends may differ, and what rounding leaves of limits */
#define SAME 1e-3
#define ROUNDING 1e-9

enum { JOINTS = 6 };

/* An arm of six turning joints, q in their order. */
typedef struct tracked_arm {
    const lb_model *model;
    lb_task task;
    lb_state *state;
} tracked_arm;

/* Where a tracked path ends. */
typedef struct tracked_end {
    double share;
    bool whole, singular;
    int joint; /* that leaves its limits, -1: none */
} tracked_end;

/* metres and radians that q lacks to a place */
static double lack(const tracked_arm *arm, const double *q, const lb_transform *goal, double e[6])
{
    lb_transform at = test_task_tool(arm->model, &arm->task, q);
    lb_vec3 p = lb_vec3_sub(goal->p, at.p),
            r = lb_quat_log(lb_quat_multiply(lb_transform_quat(goal),
                                             lb_quat_conjugate(lb_transform_quat(&at))));
    memcpy(e, (double[]){p.x, p.y, p.z, r.x, r.y, r.z}, 6 * sizeof *e);
    return fmax(lb_vec3_length(p), lb_vec3_length(r));
}

/* solves a x = b, which becomes x; returns the sign of the determinant, 0: singular */
static int eliminate(double a[6][6], double b[6])
{
    int sign = 1;
    for (int c = 0; c < 6; c++) {
        int p = c;
        for (int r = c + 1; r < 6; r++)
            p = fabs(a[r][c]) > fabs(a[p][c]) ? r : p;
        if (!(fabs(a[p][c]) > 1e-14))
            return 0;
        sign *= (p == c ? 1 : -1) * (a[p][c] > 0 ? 1 : -1);
        for (int k = 0; k < 6; k++) {
            double x = a[p][k];
            a[p][k] = a[c][k];
            a[c][k] = x;
        }
        double x = b[p];
        b[p] = b[c];
        b[c] = x;
        for (int r = 0; r < 6; r++) {
            double f = r == c ? 0 : a[r][c] / a[c][c];
            for (int k = 0; k < 6; k++)
                a[r][k] -= f * a[c][k];
            b[r] -= f * b[c];
        }
    }
    for (int c = 0; c < 6; c++)
        b[c] /= a[c][c];
    return sign;
}

/* Newton's method from q; the sign of the determinant there, 0: it does not get there */
static int refine(const tracked_arm *arm, const lb_transform *goal, double *q)
{
    int sign = 0;
    for (int i = 0; i < 10; i++) {
        double e[6], j[36], a[6][6];
        double left = lack(arm, q, goal, e);
        lb_state_update(arm->state, q);
        lb_state_jacobian(arm->state, arm->task.tip, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, j);
        memcpy(a, j, sizeof a);
        sign = eliminate(a, e);
        if (sign == 0 || left < 1e-12)
            return sign;
        for (int k = 0; k < JOINTS; k++) {
            if (!(fabs(e[k]) < 0.3))
                return 0;
            q[k] += e[k];
        }
    }
    return 0;
}

static double farthest(const double *a, const double *b)
{
    double most = 0;
    for (int k = 0; k < JOINTS; k++)
        most = fmax(most, fabs(a[k] - b[k]));
    return most;
}

static int joint_beyond(const lb_model *model, const double *q, double tolerance)
{
    for (int k = 0; k < JOINTS; k++)
        if (q[k] < lb_model_joint(model, k)->lower[0] - tolerance ||
            q[k] > lb_model_joint(model, k)->upper[0] + tolerance)
            return k;
    return -1;
}

/* the branch of `start` along a path to where it ends */
static tracked_end track(const tracked_arm *arm, const lb_path *path, const double *start)
{
    double q[MOST_Q], last[MOST_Q], share = 0, width = 1e-5;
    lb_transform goal = lb_path_at(path, 0);
    memcpy(q, start, sizeof q);
    const int side = refine(arm, &goal, q);
    while (share < 1) {
        double next = fmin(1, share + width);
        memcpy(last, q, sizeof q);
        goal = lb_path_at(path, next);
        if (refine(arm, &goal, q) != side || farthest(q, last) > STEP) {
            memcpy(q, last, sizeof q);
            width = (next - share) / 2;
            if (width < 1e-13)
                return (tracked_end){share, false, true, -1};
            continue;
        }
        int joint = joint_beyond(arm->model, q, ROUNDING);
        if (joint >= 0)
            return (tracked_end){next, false, false, joint};
        share = next;
        width = fmin(2 * width, SHARE);
    }
    return (tracked_end){1, true, false, -1};
}

/* between two configurations that are near each other, or straight on from a wrist that is nearly
   straight; false: the start is not inside the limits */
static bool draw_path(const tracked_arm *arm, bool wrist, lb_random *random, lb_transform points[2],
                      double *start)
{
    double end[MOST_Q];
    lb_configuration_random(arm->model, random, start);
    lb_configuration_random(arm->model, random, end);
    if (wrist)
        start[4] = pow(10, lb_random_between(random, -6, -3));
    for (int k = 0; k < JOINTS; k++)
        end[k] = start[k] + (end[k] > start[k] ? 0.5 : -0.5) * lb_random_unit(random);
    points[0] = points[1] = test_task_tool(arm->model, &arm->task, start);
    if (wrist)
        points[1].p = lb_vec3_add(points[0].p, lb_vec3_scale(test_random_direction(random), 0.1));
    else
        points[1] = test_task_tool(arm->model, &arm->task, end);
    return joint_beyond(arm->model, start, 0) < 0;
}

/* what is said of a path is what the tracker finds; returns whether it was followed */
static bool check_path(const tracked_arm *arm, const lb_transform points[2], const double *start)
{
    lb_path *path;
    lb_clip *clip;
    lb_timing_result result;
    lb_path_source source = {.points = points, .count = 2};
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    lb_timing how = lb_timing_default(arm->task, path);
    how.rate = 100;
    if (lb_timing_make(arm->model, &how, start, NULL, &clip, &result, &cause) != LB_OK)
        fail_msg("%s: %s", lb_model_name(arm->model), cause.message);
    tracked_end end = track(arm, path, start);
    if (end.whole != (clip != NULL) || (!clip && fabs(result.share - end.share) > SAME) ||
        (!clip && (result.frame.ended == LB_END_SINGULAR) != end.singular) ||
        (!clip && result.frame.joint != end.joint))
        fail_msg("%s: %s to %.6f, ended by %s of joint %d; the tracker comes to %.6f, joint %d",
                 lb_model_name(arm->model), lb_outcome_text(result.outcome), result.share,
                 lb_branch_end_text(result.frame.ended), result.frame.joint, end.share, end.joint);
    lb_clip_release(clip);
    lb_path_release(path);
    return end.whole;
}

TEST(paths_lead_as_far_as_is_said)
{
    static const char *const names[] = {"kr6", "ur5", "crx10ia", "puma560"};
    lb_random random = test_seed(17);
    int followed = 0, ended = 0;
    for (int a = 0; a < 4; a++) {
        tracked_arm arm;
        owned_model *model = load_arm(names[a], &arm.task);
        owned_state *state = test_state(model);
        arm.model = model;
        arm.state = state;
        for (int kind = 0; kind < 2; kind++)
            for (int found = 0; found < (kind == 0 ? 4 * lines : lines);) {
                lb_transform points[2];
                double start[MOST_Q];
                if (!draw_path(&arm, kind == 1, &random, points, start))
                    continue;
                bool whole = check_path(&arm, points, start);
                followed += whole;
                ended += !whole;
                found++;
            }
    }
    assert_true(followed > 3 && ended > 3);
}

/* a wrist that turns far within a micrometre takes its time, and no more samples than that needs */
TEST(wrists_turn_beside_singularities)
{
    tracked_arm arm;
    owned_model *model = load_arm("ur5", &arm.task);
    arm.model = model;
    lb_random random = test_seed(20);
    int timed = 0;
    for (int i = 0; i < 10 * lines; i++) {
        lb_transform points[2];
        double start[MOST_Q];
        owned_path *path = NULL;
        owned_clip *clip = NULL;
        lb_timing_result result;
        (void)draw_path(&arm, true, &random, points, start);
        const lb_vec3 way = lb_vec3_sub(points[1].p, points[0].p);
        start[4] = pow(10, lb_random_between(&random, -8, -7));
        points[0] = points[1] = test_task_tool(model, &arm.task, start);
        points[1].p = lb_vec3_add(points[0].p, way);
        lb_path_source source = {.points = points, .count = 2};
        assert_ok(lb_path_create(&source, NULL, &path, NULL));
        lb_timing how = lb_timing_default(arm.task, path);
        how.rate = 100;
        assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
        timed += clip != NULL;
    }
    assert_true(timed > 0);
}

/* the value of a joint is beyond a limit for far less of the path than two frames are apart */
TEST(limits_hold_between_frames)
{
    int checked = 0;
    tracked_arm arm;
    owned_model *model = load_arm("kr6", &arm.task);
    owned_state *state = test_state(model);
    arm.model = model;
    arm.state = state;
    lb_random random = test_seed(18);
    while (checked < 3) {
        lb_transform points[2];
        double start[MOST_Q];
        owned_path *path = NULL;
        owned_clip *clip = NULL;
        lb_timing_result result;
        draw_path(&arm, false, &random, points, start);
        lb_path_source source = {.points = points, .count = 2};
        assert_ok(lb_path_create(&source, NULL, &path, NULL));
        lb_timing how = lb_timing_default(arm.task, path);
        if (lb_timing_make(model, &how, start, NULL, &clip, &result, NULL) != LB_OK || !clip)
            continue;
        for (int k = 0, top = 0; k < JOINTS; k++, top = 0) {
            const int count = lb_clip_count(clip);
            for (int i = 0; i < count; i++)
                top = lb_clip_key(clip, i)[k] > lb_clip_key(clip, top)[k] ? i : top;
            double most = lb_clip_key(clip, top)[k];
            double ends = fmax(lb_clip_key(clip, 0)[k], lb_clip_key(clip, count - 1)[k]);
            if (!(most > ends + 0.01))
                continue;
            lb_clip *none = NULL;
            lb_joint_setting narrow = lb_joint_setting_make(k);
            narrow.upper[0] = most - 1e-6;
            how.follow.options.joints = &narrow;
            how.follow.options.joint_count = 1;
            assert_ok(lb_timing_make(model, &how, start, NULL, &none, &result, NULL));
            assert_null(none);
            assert_int_equal(result.frame.ended, LB_END_LIMIT);
            assert_int_equal(result.frame.joint, k);
            how.follow.options.joint_count = 0;
            checked++;
        }
    }
}

/* most radians that a joint is from the start while the tool is still there; every key of the clip
   is on the line */
static double turn_in_place(const tracked_arm *arm, const lb_clip *clip,
                            const lb_transform points[2], const double *start)
{
    double turn = 0, e[6];
    for (int i = 0; i < lb_clip_count(clip); i++) {
        const double *key = lb_clip_key(clip, i);
        const lb_transform at = test_task_tool(arm->model, &arm->task, key);
        const lb_vec3 way = lb_vec3_sub(points[1].p, points[0].p);
        const double along =
            lb_vec3_dot(lb_vec3_sub(at.p, points[0].p), way) / lb_vec3_dot(way, way);
        lb_transform goal = points[0];
        goal.p = lb_vec3_add(goal.p, lb_vec3_scale(way, along));
        assert_true(lack(arm, key, &goal, e) < 1e-6);
        assert_true(joint_beyond(arm->model, key, 0) < 0);
        if (fabs(along) < 1e-7)
            turn = fmax(turn, farthest(key, start));
    }
    assert_true(farthest(lb_clip_key(clip, 0), start) < 1e-9);
    return turn;
}

/* joints that do not move the tool bring a straight wrist to where its line begins */
TEST(straight_wrists_turn_in_place)
{
    static const char *const names[] = {"kr6", "ur5", "puma560"};
    lb_random random = test_seed(19);
    for (int a = 0; a < 3; a++) {
        tracked_arm arm;
        owned_model *model = load_arm(names[a], &arm.task);
        owned_state *state = test_state(model);
        arm.model = model;
        arm.state = state;
        int turned = 0;
        for (int i = 0; i < 8 * lines && turned < 2; i++) {
            lb_transform points[2];
            double start[MOST_Q];
            owned_path *path = NULL;
            owned_clip *clip = NULL;
            lb_timing_result result;
            (void)draw_path(&arm, true, &random, points, start);
            start[4] = 0;
            const lb_vec3 way = lb_vec3_sub(points[1].p, points[0].p);
            points[0] = points[1] = test_task_tool(model, &arm.task, start);
            points[1].p = lb_vec3_add(points[0].p, way);
            lb_path_source source = {.points = points, .count = 2};
            assert_ok(lb_path_create(&source, NULL, &path, NULL));
            lb_timing how = lb_timing_default(arm.task, path);
            assert_ok(lb_timing_make(model, &how, start, NULL, &clip, &result, NULL));
            turned += clip && turn_in_place(&arm, clip, points, start) > 0.1;
        }
        assert_true(turned > 0);
    }
}
