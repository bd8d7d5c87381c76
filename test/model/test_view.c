/*
 * test_view.c - settings of joints: a view and what solvers make of it, against the same model
 * built again with other joints.
 */
#include "support_load.h"

#include <limber/limber.h>

enum { MOST = 64 };

TEST_ARGUMENT(tree_count, 1, 150)

/* the settings written into the joints of a source, by rules of their own */
static void write_setting(const lb_joint_setting *s, lb_joint *joint)
{
    bool at = s->locked && !isnan(s->value);
    bool limited = isfinite(s->lower[0]) || isfinite(s->upper[0]) || at;
    if (joint->kind == LB_JOINT_CONTINUOUS && limited)
        joint->kind = LB_JOINT_REVOLUTE;
    for (int k = 0; k < 3; k++) {
        joint->lower[k] = fmax(joint->lower[k], s->lower[k]);
        joint->upper[k] = fmin(joint->upper[k], s->upper[k]);
    }
    if (s->weight > 0)
        joint->weight = s->weight;
    joint->velocity = fmin(joint->velocity, s->velocity);
    joint->locked = joint->locked || s->locked;
    if (at)
        joint->lower[0] = joint->upper[0] = joint->value[0] = s->value;
}

static lb_model *rebuild(const lb_model *model, const lb_joint_setting *settings, int count)
{
    lb_link links[MOST];
    lb_joint joints[MOST];
    int n = lb_model_joint_count(model);
    assert_true(n < MOST);
    for (int i = 0; i <= n; i++)
        links[i] = *lb_model_link(model, i);
    for (int j = 0; j < n; j++)
        joints[j] = *lb_model_joint(model, j);
    for (int i = 0; i < count; i++)
        write_setting(&settings[i], &joints[settings[i].joint]);
    lb_model_source source = {.name = lb_model_name(model),
                              .root = lb_model_root(model),
                              .links = links,
                              .link_count = n + 1,
                              .joints = joints,
                              .joint_count = n};
    return test_build(&source);
}

/* between the limits of a value; without any about where the joint is at rest */
static double between(const lb_joint *joint, int k, lb_random *random)
{
    double lower = isfinite(joint->lower[k]) ? joint->lower[k] : -2;
    double upper = isfinite(joint->upper[k]) ? joint->upper[k] : 2;
    return lb_random_between(random, fmin(lower, upper), fmax(lower, upper));
}

/* locks, limits and weights of some joints that follow no other one */
static int make_settings(const lb_model *model, lb_random *random, lb_joint_setting *settings)
{
    int count = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (joint->mimic || joint->kind == LB_JOINT_FIXED || test_random_chance(random, 0.4))
            continue;
        lb_joint_setting *s = &settings[count++];
        *s = lb_joint_setting_make(j);
        s->weight = lb_random_between(random, 0.5, 4);
        s->velocity = lb_random_between(random, 0.5, 4);
        bool single = lb_joint_kind_nq(joint->kind) == 1;
        s->locked = test_random_chance(random, 0.3);
        if (s->locked && single && test_random_chance(random, 0.5))
            s->value = between(joint, 0, random);
        else if (single || joint->kind == LB_JOINT_PLANAR)
            s->lower[0] = between(joint, 0, random);
    }
    return count;
}

/* the same numbers from both, wherever the start is */
static void compare_solves(lb_ik *a, lb_ik *b, const lb_model *model, const lb_task *task,
                           lb_random *random)
{
    int nq = lb_model_nq(model);
    double start[MOST * 7], q[2][MOST * 7];
    lb_ik_result results[2];
    for (int i = 0; i < 3; i++) {
        lb_configuration_random(model, random, start);
        lb_transform target = test_task_tool(model, task, start);
        lb_configuration_random(model, random, start);
        lb_ik_solve(a, &target, start, q[0], &results[0]);
        lb_ik_solve(b, &target, start, q[1], &results[1]);
        assert_memory_equal(q[0], q[1], sizeof(double) * (size_t)nq);
        assert_int_equal(results[0].outcome, results[1].outcome);
        assert_int_equal(results[0].iterations, results[1].iterations);
    }
}

TEST(solves_as_if_built_so)
{
    lb_random random = test_seed(71);
    test_tree wanted = test_tree_default();
    int compared = 0;
    wanted.joints = 9;
    wanted.mimic = 0;
    for (int i = 0; i < tree_count; i++) {
        lb_joint_setting settings[MOST];
        owned_model *model = test_tree_build(&wanted, &random);
        int count = make_settings(model, &random, settings);
        owned_model *built = rebuild(model, settings, count);
        lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
        lb_ik_options options = lb_ik_options_default();
        owned_ik *a = NULL, *b = NULL;
        lb_status plain = lb_ik_create(built, &task, 1, &options, NULL, &b, NULL);
        options.joints = settings;
        options.joint_count = count;
        assert_int_equal(lb_ik_create(model, &task, 1, &options, NULL, &a, NULL), plain);
        if (plain == LB_OK) {
            assert_null(lb_ik_get_options(a)->joints);
            compare_solves(a, b, model, &task, &random);
            compared++;
        }
    }
    assert_true(compared > tree_count / 2);
}

/* an arm of seven joints with any of them locked: all solutions of the arm of six that is left */
TEST(locks_fold_into_the_class)
{
    static const char *const names[] = {"iiwa14", "panda"};
    lb_random random = test_seed(72);
    for (int m = 0; m < 2; m++) {
        owned_model *model = test_load(names[m]);
        int tip = lb_model_find_link(model, m == 0 ? "tool0" : "panda_hand");
        tip = tip < 0 ? lb_model_link_count(model) - 1 : tip;
        lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
        for (int j = 0; j < 7; j++) {
            // without its elbow an arm of two spherical joints is singular wherever it is
            if (m == 0 && j == 3)
                continue;
            double start[16], other[16], rows[LB_SOLUTIONS_MAX * 16];
            lb_configuration_random(model, &random, start);
            lb_configuration_random(model, &random, other);
            lb_joint_setting lock = lb_joint_setting_make(j);
            lock.locked = true;
            lock.value = start[lb_model_joint_q(model, j)];
            lb_solutions_options options = lb_solutions_options_default();
            options.joints = &lock;
            options.joint_count = 1;
            owned_solutions *solver = NULL;
            lb_error error = {0};
            if (lb_solutions_create(model, &task, &options, NULL, &solver, &error) != LB_OK)
                fail_msg("%s, joint %d: %s", names[m], j, error.message);
            assert_int_not_equal(lb_solutions_class(solver), LB_ARM_REDUNDANT);
            lb_transform target = test_task_tool(model, &task, start);
            lb_solutions_summary summary;
            lb_solution infos[LB_SOLUTIONS_MAX];
            // the start's own value of the locked joint does not count
            int count =
                lb_solutions(solver, &target, other, LB_SOLUTIONS_MAX, rows, infos, &summary);
            assert_true(count > 0);
            double nearest = INFINITY;
            for (int i = 0; i < count; i++) {
                const double *q = rows + i * lb_model_nq(model);
                double off = 0;
                assert_true(q[lb_model_joint_q(model, j)] == lock.value);
                for (int k = 0; k < 7; k++)
                    off = fmax(off, fabs(lb_wrap_angle(q[k] - start[k])));
                nearest = fmin(nearest, off);
            }
            // the configuration that made the target is among them
            assert_near(nearest, 0, 1e-5);
        }
    }
}

static double weighed(const double *a, const double *b, const lb_joint_setting *settings)
{
    double sum = 0;
    for (int j = 0; j < 6; j++)
        sum += settings[j].weight * (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

/* the nearest is that by the weights of the joints, against all solutions on all turns */
TEST(nearest_counts_weights)
{
    lb_random random = test_seed(73);
    owned_model *model = test_load("ur5");
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    lb_solutions_options all = lb_solutions_options_default();
    all.copies = true;
    owned_solutions *solver = NULL;
    assert_int_equal(lb_solutions_create(model, &task, &all, NULL, &solver, NULL), LB_OK);
    int differ = 0;
    for (int i = 0; i < 40; i++) {
        lb_joint_setting settings[6];
        for (int j = 0; j < 6; j++) {
            settings[j] = lb_joint_setting_make(j);
            settings[j].weight = lb_random_between(&random, 0.1, 10);
        }
        lb_ik_options options = lb_ik_options_default();
        owned_ik *plain = test_solver(model, &task, 1, &options);
        options.joints = settings;
        options.joint_count = 6;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        double start[6], q[6], other[6], best = INFINITY;
        static double rows[512 * 6];
        static lb_solution infos[512];
        lb_solutions_summary summary;
        lb_configuration_random(model, &random, start);
        lb_transform target = test_task_tool(model, &task, start);
        lb_configuration_random(model, &random, start);
        assert_int_equal(lb_ik_solve(ik, &target, start, q, NULL), LB_REACHED);
        lb_ik_solve(plain, &target, start, other, NULL);
        int count = lb_solutions(solver, &target, start, 512, rows, infos, &summary);
        for (int k = 0; k < count; k++)
            best = fmin(best, weighed(rows + 6 * k, start, settings));
        assert_near(weighed(q, start, settings), best, 1e-6 * best);
        differ += memcmp(q, other, sizeof q) != 0;
    }
    assert_true(differ > 5);
}

/* a body keeps its locks and its narrower limits */
TEST(bodies_keep_settings)
{
    owned_model *model = test_load("human");
    int elbow = lb_model_find_joint(model, "right_elbow"), q_elbow = lb_model_joint_q(model, elbow);
    int knee = lb_model_find_joint(model, "left_knee"), q_knee = lb_model_joint_q(model, knee);
    lb_body_task hand =
        lb_body_task_make(LB_BODY_POSITION, lb_model_find_link(model, "right_hand"));
    lb_joint_setting settings[] = {lb_joint_setting_make(elbow), lb_joint_setting_make(knee)};
    settings[0].locked = true;
    settings[0].value = 0.3;
    settings[1].lower[0] = settings[1].upper[0] = 0.2;
    lb_body_options options = lb_body_options_default();
    options.joints = settings;
    options.joint_count = 2;
    owned_body *body = test_body(model, &hand, 1, &options);
    double q[256];
    lb_configuration_neutral(model, q);
    q[q_knee] = 1;
    lb_vec3 at = lb_body_target(body, 0).p;
    lb_body_set_point(body, 0, lb_vec3_add(at, lb_vec3_make(0.05, 0, 0.05)));
    assert_int_equal(lb_body_solve(body, q, q, NULL), LB_REACHED);
    assert_true(q[q_elbow] == 0.3 && q[q_knee] == 0.2);
}

/* along a line with a joint locked it stays, and the arm of six is followed without a jump */
TEST(followers_keep_settings)
{
    owned_model *model = test_load("iiwa14");
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    double q[7] = {0.1, 0.5, 0.2, -1.2, 0.1, 0.6, 0.3};
    lb_transform points[2] = {test_task_tool(model, &task, q), test_task_tool(model, &task, q)};
    points[1].p.z += 0.1;
    lb_path_source line = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    owned_path *path = NULL;
    assert_int_equal(lb_path_create(&line, NULL, &path, NULL), LB_OK);
    lb_joint_setting lock = lb_joint_setting_make(2);
    lock.locked = true;
    lock.value = q[2];
    lb_follow how = lb_follow_default(task, path, 50);
    how.options.joints = &lock;
    how.options.joint_count = 1;
    owned_follower *follower = NULL;
    assert_int_equal(lb_follower_create(model, &how, NULL, &follower, NULL), LB_OK);
    lb_frame frame;
    while (lb_follower_next(follower, q, &frame)) {
        assert_int_equal(frame.result.outcome, LB_REACHED);
        assert_false(frame.jumped);
        assert_true(q[2] == lock.value);
    }
}

/* a gripper's finger that mimics the other one sets that */
TEST(mimics_set_what_they_follow)
{
    lb_link links[3];
    lb_joint joints[2];
    for (int i = 0; i < 3; i++)
        links[i] = lb_link_default();
    links[0].name = "a", links[1].name = "b", links[2].name = "c";
    for (int i = 0; i < 2; i++) {
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].parent = "a";
        joints[i].lower[0] = -10;
        joints[i].upper[0] = 10;
    }
    joints[0].name = "left", joints[0].child = "b";
    joints[1].name = "right", joints[1].child = "c";
    joints[1].mimic = "left";
    joints[1].multiplier = -2;
    joints[1].offset = 1;
    lb_model *model = test_make("g", links, 3, joints, 2), *view;
    lb_joint_setting s = lb_joint_setting_make(lb_model_find_joint(model, "right"));
    s.lower[0] = -3;
    s.upper[0] = 5;
    s.velocity = 4;
    assert_int_equal(lb_model_view(model, &s, 1, NULL, &view, NULL), LB_OK);
    const lb_joint *left = lb_model_joint(view, lb_model_find_joint(view, "left"));
    // -3 <= 1 - 2 x <= 5
    assert_true(left->lower[0] == -2 && left->upper[0] == 2 && left->velocity == 2);
    double q[1];
    lb_model_release(view);
    s.locked = true;
    s.value = 0;
    assert_int_equal(lb_model_view(model, &s, 1, NULL, &view, NULL), LB_OK);
    lb_configuration_neutral(view, q);
    assert_true(q[0] == 0.5);
    q[0] = 3;
    lb_configuration_clamp(view, q, q);
    assert_true(q[0] == 0.5);
    lb_model_release(view);
    lb_model_release(model);
}

TEST(refuses_by_name)
{
    static const struct {
        const char *joint;
        double lower, upper, value, weight, velocity;
        const char *says;
    } cases[] = {
        {"panda_joint1", 4, 5, NAN, 0, INFINITY,
         "joint 'panda_joint1': limits 4 .. 5 leave nothing of -2.8973 .. 2.8973"},
        {"panda_joint1", -INFINITY, INFINITY, 3, 0, INFINITY,
         "joint 'panda_joint1': locked at 3, outside its limits -2.8973 .. 2.8973"},
        {"panda_joint1", NAN, INFINITY, NAN, 0, INFINITY,
         "joint 'panda_joint1': a limit is not a number"},
        {"panda_joint1", -INFINITY, INFINITY, INFINITY, 0, INFINITY,
         "joint 'panda_joint1': it cannot be locked at an infinite value"},
        {"panda_joint1", -INFINITY, INFINITY, NAN, -1, INFINITY,
         "joint 'panda_joint1': a weight must be a finite number above 0"},
        {"panda_joint1", -INFINITY, INFINITY, NAN, 0, -1,
         "joint 'panda_joint1': a speed must be a number of at least 0"},
        {"panda_joint8", -INFINITY, INFINITY, 0, 0, INFINITY,
         "joint 'panda_joint8': it is fixed: there is nothing to set"},
        {NULL, 0, 0, 0, 0, 0, "a joint setting is about joint -1, but there are"},
    };
    lb_model *model = test_load("panda");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int joint = cases[i].joint ? lb_model_find_joint(model, cases[i].joint) : -1;
        lb_joint_setting s = lb_joint_setting_make(joint);
        s.locked = true;
        s.value = cases[i].value;
        s.lower[0] = cases[i].lower;
        s.upper[0] = cases[i].upper;
        s.weight = cases[i].weight;
        s.velocity = cases[i].velocity;
        lb_model *view;
        lb_error error = {0};
        assert_int_not_equal(lb_model_view(model, &s, 1, NULL, &view, &error), LB_OK);
        assert_null(view);
        if (!strstr(error.message, cases[i].says))
            fail_msg("case %zu: %s", i, error.message);
    }
    lb_model_release(model);
    model = test_single(LB_JOINT_BALL);
    lb_joint_setting s = lb_joint_setting_make(0);
    lb_model *view;
    s.locked = true;
    s.value = 0;
    assert_int_equal(lb_model_view(model, &s, 1, NULL, &view, NULL), LB_BAD_VALUE);
    assert_int_equal(lb_model_view(model, NULL, 1, NULL, &view, NULL), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_model_view(NULL, &s, 1, NULL, &view, NULL), LB_INVALID_ARGUMENT);
    lb_model_release(model);
}

/* limits beyond what is supported, and turns that a ball does not have */
TEST(refuses_limits_that_leave_nothing)
{
    static const struct {
        lb_joint_kind kind;
        double lower, upper, value;
        const char *says;
    } cases[] = {
        {LB_JOINT_CONTINUOUS, INFINITY, INFINITY, NAN, "leave nothing"},
        {LB_JOINT_PRISMATIC, -INFINITY, -INFINITY, NAN, "leave nothing"},
        {LB_JOINT_PRISMATIC, 1e300, INFINITY, NAN, "a limit is beyond"},
        {LB_JOINT_CONTINUOUS, -INFINITY, -2e15, NAN, "a limit is beyond"},
        {LB_JOINT_CONTINUOUS, -INFINITY, INFINITY, 1e300, "locked at 1e+300, beyond 1e+15"},
        {LB_JOINT_BALL, 4, INFINITY, NAN, "leave nothing of -3.141592654 .. 3.141592654"},
        {LB_JOINT_BALL, -INFINITY, -4, NAN, "leave nothing"},
        {LB_JOINT_BALL, INFINITY, INFINITY, NAN, "leave nothing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lb_model *model = test_single(cases[i].kind), *view;
        lb_joint_setting s = lb_joint_setting_make(0);
        lb_error error = {0};
        s.lower[0] = cases[i].lower;
        s.upper[0] = cases[i].upper;
        s.value = cases[i].value;
        s.locked = !isnan(s.value);
        assert_int_equal(lb_model_view(model, &s, 1, NULL, &view, &error), LB_BAD_VALUE);
        if (!strstr(error.message, cases[i].says))
            fail_msg("case %zu: %s", i, error.message);
        lb_model_release(model);
    }
}

/* a ball's twist that is limited on one side ends at half a turn on the other, as when it is built
   so */
TEST(twists_may_have_one_limit)
{
    lb_random random = test_seed(77);
    lb_task task = lb_task_make(1, LB_WORLD, LB_TASK_ROTATION);
    for (int i = 0; i < 200; i++) {
        lb_joint ball = lb_joint_default();
        ball.kind = LB_JOINT_BALL;
        if (i % 2)
            ball.upper[1] = 1.5;
        owned_model *model = test_single_joint(&ball);
        lb_joint_setting s = lb_joint_setting_make(0);
        if (i % 4 < 2)
            s.lower[0] = lb_random_between(&random, -1, 1);
        else
            s.upper[0] = lb_random_between(&random, -1, 1);
        ball.lower[0] = s.lower[0];
        ball.upper[0] = s.upper[0];
        owned_model *built = test_single_joint(&ball);
        lb_ik_options options = lb_ik_options_default();
        options.joints = &s;
        options.joint_count = 1;
        owned_ik *a = test_solver(model, &task, 1, &options),
                 *b = test_solver(built, &task, 1, NULL);
        compare_solves(a, b, model, &task, &random);
    }
}

/* each allocation of a solver with settings fails in turn; nothing is left behind */
TEST(releases_memory)
{
    owned_model *model = test_load("iiwa14");
    lb_joint_setting lock = lb_joint_setting_make(0);
    lock.locked = true;
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    lb_body_task as_body = lb_body_task_make(LB_BODY_POSE, task.tip);
    lb_status status[3] = {LB_OUT_OF_MEMORY, LB_OUT_OF_MEMORY, LB_OUT_OF_MEMORY};
    for (long fail_at = 0; status[0] || status[1] || status[2]; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_ik_options ik_options = lb_ik_options_default();
        lb_solutions_options options = lb_solutions_options_default();
        lb_body_options body_options = lb_body_options_default();
        ik_options.joints = options.joints = body_options.joints = &lock;
        ik_options.joint_count = options.joint_count = body_options.joint_count = 1;
        lb_ik *ik;
        lb_solutions_solver *solver;
        lb_body *body;
        status[0] = lb_ik_create(model, &task, 1, &ik_options, &allocator, &ik, NULL);
        lb_ik_release(ik);
        memory.allocations = 0;
        status[1] = lb_solutions_create(model, &task, &options, &allocator, &solver, NULL);
        lb_solutions_release(solver);
        memory.allocations = 0;
        status[2] = lb_body_create(model, &as_body, 1, &body_options, &allocator, &body, NULL);
        lb_body_release(body);
        assert_int_equal(memory.live, 0);
        assert_true(fail_at < 100);
    }
}
