/*
 * test_body_search.c - whole bodies from starts anywhere: parts, restarts, and what is kept of a
 * first descent that does not arrive.
 */
#include <limber/formats/load.h>
#include <limber/limber.h>

#include "ik/body/solver.h"
#include "support_load.h"

enum { MOST_Q = 128, MOST_TASKS = 6 };

static lb_model *load_human(lb_joint_kind root)
{
    lb_model *fixed = test_load("human"), *model = test_with_root(fixed, root);
    lb_model_release(fixed);
    return model;
}

static lb_body *create(const lb_model *model, const lb_body_task *tasks, int n, int restarts,
                       int width)
{
    lb_body_options options = lb_body_options_default();
    options.restarts = restarts;
    options.width = width;
    return test_body(model, tasks, n, &options);
}

static int pose_tasks(const lb_model *model, const char *const *links, lb_body_task *tasks)
{
    int n = 0;
    for (; links[n]; n++)
        tasks[n] = lb_body_task_make(LB_BODY_POSE, lb_model_find_link(model, links[n]));
    return n;
}

/* ---- reached ---------------------------------------------------------------- */

/* five poses of a figure of balls from anywhere; how many of `problems` are reached */
static int solve_cold(lb_joint_kind root, const char *const *links, int restarts, int problems)
{
    owned_model *model = load_human(root);
    lb_random random = test_seed(21);
    lb_body_task tasks[MOST_TASKS];
    int n = pose_tasks(model, links, tasks), reached = 0;
    owned_body *body = create(model, tasks, n, restarts, 0);
    for (int i = 0; i < problems; i++) {
        double goal[MOST_Q], start[MOST_Q], q[MOST_Q];
        lb_body_result result;
        lb_configuration_random(model, &random, goal);
        lb_configuration_random(model, &random, start);
        for (int t = 0; t < n; t++)
            lb_body_hold(body, t, goal);
        bool arrived = lb_body_solve(body, start, q, &result) == LB_REACHED;
        assert_int_equal(arrived, result.reached == n);
        assert_true(result.tries >= 1 && result.tries <= restarts + 2);
        assert_true(test_limit_excess(model, q) <= 1e-9);
        reached += arrived;
    }
    return reached;
}

TEST(cold_starts_are_reached)
{
    static const char *const links[] = {"left_foot",  "right_foot", "left_hand",
                                        "right_hand", "head",       NULL};
    enum { PROBLEMS = 300 };
    // as many as the defaults have
    int usual = lb_body_options_default().restarts;
    int fixed = solve_cold(LB_JOINT_FIXED, links, usual, PROBLEMS);
    int floating = solve_cold(LB_JOINT_FLOATING, links, usual, PROBLEMS);
    int alone = solve_cold(LB_JOINT_FLOATING, links, 0, PROBLEMS);
    print_message("of %d: %d with a fixed root, %d with a floating one, %d without restarts\n",
                  PROBLEMS, fixed, floating, alone);
    assert_int_equal(fixed, PROBLEMS);
    assert_int_equal(floating, PROBLEMS);
    // one descent of the whole does not do that
    assert_true(alone < PROBLEMS / 2);
}

/* ---- random trees ----------------------------------------------------------- */

static lb_model *random_model(lb_random *random)
{
    test_tree wanted = test_tree_default();
    wanted.joints = 3 + test_random_index(random, 12);
    return test_tree_build(&wanted, random);
}

/* poses among other kinds, some of them relative to other links */
static int random_tasks(const lb_model *model, lb_body_task *tasks, lb_random *random)
{
    const lb_body_kind kinds[] = {LB_BODY_POSE,        LB_BODY_POSE,    LB_BODY_POSITION,
                                  LB_BODY_ORIENTATION, LB_BODY_ON_LINE, LB_BODY_ON_PLANE,
                                  LB_BODY_LOOK_AT};
    int n = 1 + test_random_index(random, 5), links = lb_model_link_count(model);
    for (int t = 0; t < n; t++) {
        lb_body_kind kind = kinds[test_random_index(random, 7)];
        tasks[t] = lb_body_task_make(kind, 1 + test_random_index(random, links - 1));
        tasks[t].tool = test_random_transform(random);
        tasks[t].level = test_random_index(random, 2);
        if (test_random_chance(random, 0.3))
            tasks[t].base = test_random_index(random, links);
    }
    return n;
}

/* squared errors of what is not reached, level by level */
static void find_errors(const lb_body *body, double errors[LB_BODY_LEVELS])
{
    memset(errors, 0, sizeof *errors * LB_BODY_LEVELS);
    for (int t = 0; t < body->task_count; t++) {
        const lb_body_outcome *out = &lb_body_outcomes(body)[t];
        double position = out->position_error / body->length, rotation = out->rotation_error;
        if (!out->reached)
            errors[body->tasks[t].level] += position * position + rotation * rotation;
    }
}

/* whether the first level that differs has become worse, but for what a tolerance is */
static bool is_worse(const double *errors, const double *before)
{
    int level = 0;
    while (level < LB_BODY_LEVELS - 1 && fabs(errors[level] - before[level]) <= 1e-11)
        level++;
    return errors[level] > before[level] + 1e-11;
}

/* locked joints stay at the start: there they have to be as at the goal */
static void keep_locked(const lb_model *model, const double *goal, double *start)
{
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        int q = lb_model_joint_q(model, j);
        if (joint->locked && q >= 0)
            memcpy(start + q, goal + q, sizeof *goal * (size_t)lb_joint_kind_nq(joint->kind));
    }
}

TEST(restarts_reach_more_and_are_never_worse_than_the_start)
{
    lb_random random = test_seed(22);
    int solved = 0, first = 0, all = 0;
    for (int i = 0; i < 300; i++) {
        owned_model *model = random_model(&random);
        lb_body_task tasks[MOST_TASKS];
        int n = random_tasks(model, tasks, &random);
        owned_body *one = NULL;
        lb_body_options descent = lb_body_options_default();
        descent.restarts = 0;
        if (lb_model_nq(model) <= MOST_Q &&
            lb_body_create(model, tasks, n, &descent, NULL, &one, NULL) == LB_OK) {
            owned_body *many = create(model, tasks, n, 32, 0);
            double goal[MOST_Q], start[MOST_Q], q[MOST_Q], again[MOST_Q];
            lb_configuration_random(model, &random, goal);
            lb_configuration_random(model, &random, start);
            keep_locked(model, goal, start);
            for (int t = 0; t < n; t++) {
                lb_body_hold(one, t, goal);
                lb_body_hold(many, t, goal);
            }
            solved++;
            bool reached = lb_body_solve(one, start, q, NULL) == LB_REACHED;
            bool found = lb_body_solve(many, start, q, NULL) == LB_REACHED;
            first += reached;
            all += found;
            double errors[LB_BODY_LEVELS], before[LB_BODY_LEVELS];
            find_errors(many, errors);
            body_settle(many, start, again);
            body_conclude(many, again, many->targets, KERNEL_BODY_STALLED, 0, NULL);
            find_errors(many, before);
            assert_false(is_worse(errors, before));
            assert_true(test_limit_excess(model, q) <= 1e-9);
            // nothing is kept from one solve to the next
            lb_body_solve(many, start, again, NULL);
            assert_memory_equal(q, again, sizeof *q * (size_t)lb_model_nq(model));
        }
    }
    print_message("%d of %d reached by one descent, %d with restarts\n", first, solved, all);
    assert_true(solved > 200);
    // some random trees have hardly any way to their goal
    assert_true(all >= solved * 95 / 100);
    assert_true(first < all);
}

static double error_at(const lb_body *body, int t, const double *q)
{
    lb_state_update(body->state, q);
    lb_body_outcome out = body_task_outcome(body, t, &body->targets[t]);
    return out.reached ? 0 : out.position_error / body->length + out.rotation_error;
}

/* whether configurations beside a result refute what is said of a task there */
static bool is_refuted(const lb_body *body, int task, lb_body_reason reason, const double *q,
                       lb_random *random)
{
    const lb_model *model = body->model;
    double beside[MOST_Q], step[MOST_Q], here = error_at(body, task, q);
    bool refuted = false;
    if (reason == LB_BODY_REASON_NONE || reason == LB_BODY_REASON_BUDGET)
        return false;
    for (int i = 0; i < 20; i++) {
        double reach = i % 2 ? 0.01 : 0.05;
        bool costs = false;
        for (int v = 0; v < lb_model_nv(model); v++)
            step[v] = lb_random_between(random, -reach, reach);
        lb_configuration_integrate(model, q, step, beside);
        if (reason != LB_BODY_REASON_REACH)
            body_settle((lb_body *)body, beside, beside);
        keep_locked(model, q, beside);
        for (int t = 0; t < body->given_count && reason != LB_BODY_REASON_REACH; t++)
            costs = costs || (t != task && error_at(body, t, beside) > error_at(body, t, q));
        refuted = refuted || (error_at(body, task, beside) < 0.94 * here && !costs);
    }
    return refuted;
}

/* targets anywhere: what is contradictory, redundant or out of reach ends in time, with a reason */
TEST(what_cannot_be_ends_with_a_reason)
{
    lb_random random = test_seed(24);
    int seen[LB_BODY_REASON_COUNT] = {0}, explained = 0, refuted = 0;
    for (int i = 0; i < 150; i++) {
        owned_model *model = random_model(&random);
        lb_body_task tasks[MOST_TASKS];
        int n = random_tasks(model, tasks, &random), restarts = i % 2 ? 4 : 0;
        // one task twice, as it is or with another target
        tasks[n] = tasks[0];
        n++;
        lb_body_options options = lb_body_options_default();
        options.restarts = restarts;
        owned_body *body = NULL;
        if (lb_model_nq(model) <= MOST_Q &&
            lb_body_create(model, tasks, n, &options, NULL, &body, NULL) == LB_OK) {
            double q[MOST_Q];
            lb_body_result result;
            lb_configuration_random(model, &random, q);
            for (int t = 0; t < n; t++)
                body->targets[t] = test_random_transform(&random);
            if (i % 3 == 0)
                body->targets[n - 1] = body->targets[0];
            lb_outcome outcome = lb_body_solve(body, q, q, &result);
            assert_true(outcome != LB_UNREACHABLE && outcome != LB_INVALID);
            assert_true(result.iterations <= (restarts + 2) * options.iterations);
            assert_true(test_limit_excess(model, q) <= 1e-9);
            for (int t = 0; t < n; t++) {
                char text[512];
                bool reached = lb_body_outcomes(body)[t].reached;
                lb_body_reason reason = lb_body_explain(body, t, text, sizeof text);
                assert_int_equal(reason == LB_BODY_REASON_NONE, reached);
                assert_true(strlen(text) > 10);
                seen[reason]++;
                explained += !reached;
                refuted += is_refuted(body, t, reason, q, &random);
            }
        }
    }
    // a descent without limits may stop where others are nearer: 3 in 1,000
    assert_true(100 * refuted <= explained);
    // each of these must be there among so many
    assert_true(seen[LB_BODY_REASON_LEVEL] > 0 && seen[LB_BODY_REASON_CONFLICT] > 0);
    assert_true(seen[LB_BODY_REASON_LIMITS] > 0 && seen[LB_BODY_REASON_REACH] > 0);
}

/* ---- widths ----------------------------------------------------------------- */

/* the body's weights, or each problem's own */
static void compare_widths(bool weighed)
{
    enum { PROBLEMS = 13 };
    static const char *const links[] = {"left_foot", "right_hand", "head", NULL};
    owned_model *model = load_human(LB_JOINT_FLOATING);
    lb_random random = test_seed(23);
    lb_body_task tasks[MOST_TASKS];
    int n = pose_tasks(model, links, tasks), nq = lb_model_nq(model);
    static double starts[PROBLEMS][MOST_Q], alone[PROBLEMS][MOST_Q], wide[PROBLEMS][MOST_Q];
    static lb_transform targets[PROBLEMS][3];
    static double weights[PROBLEMS][3];
    lb_body_result results[PROBLEMS], found[PROBLEMS];
    lb_body *body = create(model, tasks, n, 8, 1);
    for (int k = 0; k < PROBLEMS; k++) {
        double goal[MOST_Q];
        lb_configuration_random(model, &random, goal);
        lb_configuration_random(model, &random, starts[k]);
        for (int t = 0; t < n; t++) {
            lb_body_hold(body, t, goal);
            targets[k][t] = lb_body_target(body, t);
            weights[k][t] = weighed ? lb_random_between(&random, 0.1, 10) : 1;
            lb_body_set_weight(body, t, weights[k][t]);
        }
        // some that nothing reaches, so that all restarts are made
        if (k % 4 == 3)
            targets[k][0].p.z += 5;
        for (int t = 0; t < n; t++)
            lb_body_set_target(body, t, &targets[k][t]);
        lb_body_solve(body, starts[k], alone[k], &results[k]);
    }
    lb_body_release(body);
    for (int width = 1; width <= 8; width *= 2) {
        body = create(model, tasks, n, 8, width);
        lb_body_batch batch = {.targets = &targets[0][0],
                               .weights = weighed ? &weights[0][0] : NULL,
                               .starts = &starts[0][0],
                               .start_stride = MOST_Q,
                               .q = &wide[0][0],
                               .q_stride = MOST_Q,
                               .results = found};
        lb_body_batch_solve(body, &batch, 0, PROBLEMS);
        for (int k = 0; k < PROBLEMS; k++) {
            assert_memory_equal(wide[k], alone[k], sizeof(double) * (size_t)nq);
            assert_memory_equal(&found[k], &results[k], sizeof found[k]);
        }
        lb_body_release(body);
    }
}

TEST(every_width_gives_the_same_bits)
{
    compare_widths(false);
    compare_widths(true);
}

/* ---- single cases ----------------------------------------------------------- */

/* a task that is off does not hold its link, and what cannot be is said to be so */
TEST(tasks_that_are_off_and_contradictions)
{
    static const char *const links[] = {"left_hand", "right_hand", "right_hand", NULL};
    owned_model *model = load_human(LB_JOINT_FLOATING);
    lb_body_task tasks[MOST_TASKS];
    int n = pose_tasks(model, links, tasks);
    owned_body *body = create(model, tasks, n, 16, 0);
    double q[MOST_Q], start[MOST_Q];
    lb_configuration_neutral(model, start);
    for (int t = 0; t < n; t++)
        lb_body_hold(body, t, start);
    // one hand at two places
    lb_vec3 here = lb_body_target(body, 1).p;
    lb_body_set_point(body, 2, lb_vec3_make(here.x + 0.4, here.y, here.z));
    lb_body_result result;
    assert_int_equal(lb_body_solve(body, start, q, &result), LB_STALLED);
    assert_int_equal(result.reached, 1);
    assert_true(result.tries > 1);
    assert_int_equal(lb_body_explain(body, 2, NULL, 0), LB_BODY_REASON_CONFLICT);
    lb_body_set_weight(body, 1, 0);
    assert_int_equal(lb_body_solve(body, start, q, &result), LB_REACHED);
}

TEST(speeds_of_balls_are_what_holds_a_gaze_back)
{
    owned_model *model = load_human(LB_JOINT_FIXED);
    lb_body_task gaze = lb_body_task_make(LB_BODY_LOOK_AT, lb_model_find_link(model, "head"));
    gaze.axis = lb_vec3_make(1, 0, 0);
    owned_body *body = create(model, &gaze, 1, 0, 0);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        lb_body_set_speed(body, j, 1, INFINITY);
    double q[MOST_Q];
    lb_configuration_neutral(model, q);
    lb_body_set_point(body, 0, lb_vec3_make(2, 2, 1.5));
    assert_int_not_equal(lb_body_advance(body, q, NULL, 0.01, q, NULL), LB_REACHED);
    char text[256];
    assert_int_equal(lb_body_explain(body, 0, text, sizeof text), LB_BODY_REASON_LIMITS);
    assert_non_null(strstr(text, "held back by limits or speeds of 'spine', 'thorax', 'neck'"));
}

/* limbs are solved within the model's limits, what is returned is within the body's */
TEST(restarts_keep_narrower_limits)
{
    static const char *const links[] = {"left_foot", "right_foot", "left_hand", "head", NULL};
    static const char *const joints[] = {"left_knee", "left_elbow", "left_ankle"};
    owned_model *model = load_human(LB_JOINT_FLOATING);
    lb_random random = test_seed(25);
    lb_body_task tasks[MOST_TASKS];
    int n = pose_tasks(model, links, tasks), reached = 0;
    owned_body *body = create(model, tasks, n, 16, 0);
    int at[3];
    for (int j = 0; j < 3; j++) {
        int joint = lb_model_find_joint(model, joints[j]);
        at[j] = lb_model_joint_q(model, joint);
        // the last one is locked
        double upper = j == 2 ? 0.1 : 0.8;
        assert_int_equal(lb_body_set_limits(body, joint, 0, 0.1, upper), LB_OK);
    }
    for (int i = 0; i < 50; i++) {
        double goal[MOST_Q], start[MOST_Q], q[MOST_Q];
        lb_configuration_random(model, &random, goal);
        lb_configuration_random(model, &random, start);
        for (int j = 0; j < 3; j++)
            goal[at[j]] = j == 2 ? 0.1 : lb_random_between(&random, 0.1, 0.8);
        for (int t = 0; t < n; t++)
            lb_body_hold(body, t, goal);
        reached += lb_body_solve(body, start, q, NULL) == LB_REACHED;
        for (int j = 0; j < 3; j++)
            assert_true(q[at[j]] >= 0.1 && q[at[j]] <= (j == 2 ? 0.1 : 0.8));
    }
    print_message("%d of 50 reached\n", reached);
    assert_true(reached >= 25);
}

TEST(restarts_must_not_be_negative)
{
    owned_model *model = load_human(LB_JOINT_FIXED);
    lb_body_task task = lb_body_task_make(LB_BODY_POSE, lb_model_find_link(model, "head"));
    lb_body_options options = lb_body_options_default();
    options.restarts = -1;
    lb_body *body;
    lb_error error;
    assert_int_equal(lb_body_create(model, &task, 1, &options, NULL, &body, &error), LB_BAD_VALUE);
    assert_string_equal(error.message, "restarts must be 0 to 1000000");
}
