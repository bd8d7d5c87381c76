/*
 * test_own_poses.c - what an arm has made itself is never proved to be out of its reach.
 *
 *     test_ik test_own_poses [ARMS]     of each kind
 *
 * The arms are as degenerate as doubles allow: axes that miss each other by 1e-16 to 1e-6 metres or
 * radians, limits that leave one value or hardly more, at configurations that are often singular.
 */
#include <limber/elbow.h>
#include <limber/solutions.h>

#include "support.h"

enum { MOST_JOINTS = 7 };

TEST_ARGUMENT(wanted_arms, 1, 3000)

static const char *const names[MOST_JOINTS + 1] = {"a", "b", "c", "d", "e", "f", "g", "h"};

/* ---- arms ------------------------------------------------------------------- */

/* 1e-16 to 1e-6, of either sign */
static double tiny(lb_random *random)
{
    double size = 1e-6;
    for (int k = test_random_index(random, 11); k > 0; k--)
        size *= 0.1;
    return size * lb_random_between(random, -1, 1);
}

/* mostly none or hardly any, else up to a metre or radian */
static double small_or_not(lb_random *random)
{
    switch (test_random_index(random, 4)) {
    case 0:
        return 0;
    case 1:
        return tiny(random);
    case 2:
        return 0.3;
    default:
        return lb_random_between(random, -1, 1);
    }
}

/* often where arms are singular, exactly or nearly */
static double angle(lb_random *random)
{
    static const double quarters[] = {0, 0.5 * LB_PI, LB_PI, -0.5 * LB_PI};
    double at = quarters[test_random_index(random, 4)];
    switch (test_random_index(random, 3)) {
    case 0:
        return at;
    case 1:
        return at + tiny(random);
    default:
        return lb_random_between(random, -3, 3);
    }
}

/* where one axis is as the one before it has it */
static lb_transform placement(lb_random *random)
{
    static const lb_vec3 about[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    lb_quat turn =
        lb_quat_from_axis_angle(about[test_random_index(random, 3)],
                                test_random_chance(random, 0.5) ? 0.5 * LB_PI : angle(random));
    double x = small_or_not(random), y = small_or_not(random);
    return lb_transform_from_quat(turn, lb_vec3_make(x, y, small_or_not(random)));
}

/* limits about the value: it alone, hardly more, or it at an end or in the middle of a range */
static void set_limits(lb_random *random, double value, lb_joint *joint)
{
    double room = test_random_chance(random, 0.3) ? 0 : fabs(tiny(random));
    if (test_random_chance(random, 0.3))
        room = 1;
    bool below = !test_random_chance(random, 0.3), above = !test_random_chance(random, 0.3);
    joint->lower[0] = value - (below ? room : 0);
    joint->upper[0] = value + (above ? room : 0);
}

/* An arm, and the configuration that makes its target. */
typedef struct sample {
    lb_model *model;
    lb_task task;
    double q[MOST_JOINTS];
    lb_transform target;
} sample;

/* the joints of a chain, with names; turns about z */
static void name_joints(lb_joint *joints, int count)
{
    for (int i = 0; i < count; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = LB_JOINT_REVOLUTE;
    }
}

static lb_model *build_chain(const lb_joint *joints, int count, lb_transform root)
{
    lb_link links[MOST_JOINTS + 1];
    for (int i = 0; i <= count; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    lb_model_source source = {.name = "arm",
                              .root = root,
                              .links = links,
                              .link_count = count + 1,
                              .joints = joints,
                              .joint_count = count};
    return test_build(&source);
}

static lb_model *build(lb_random *random, int count, double far, double *q)
{
    lb_joint joints[MOST_JOINTS];
    name_joints(joints, count);
    for (int i = 0; i < count; i++) {
        bool slides = test_random_chance(random, 0.1);
        joints[i].kind = slides ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE;
        joints[i].placement = placement(random);
        q[i] = slides ? small_or_not(random) : angle(random);
        set_limits(random, q[i], &joints[i]);
    }
    lb_transform root = test_random_transform(random);
    root.p = lb_vec3_scale(root.p, far);
    return build_chain(joints, count, root);
}

static sample make_sample(lb_random *random, double far)
{
    sample s;
    int count = 1 + test_random_index(random, MOST_JOINTS);
    s.model = build(random, count, far, s.q);
    s.task = lb_task_make(count, LB_WORLD, (lb_task_kind)test_random_index(random, 3));
    if (test_random_chance(random, 0.5))
        s.task.tool.p = lb_vec3_make(small_or_not(random), 0, small_or_not(random));
    if (s.task.kind == LB_TASK_POSE && test_random_chance(random, 0.2))
        s.task.free_axis = lb_vec3_make(0, 0, 1);
    s.target = test_task_tool(s.model, &s.task, s.q);
    return s;
}

/* ---- promises ------------------------------------------------------------------ */

/* all solutions; returns whether they can be listed */
static bool check_solutions(const sample *s, const char *what)
{
    lb_solutions_solver *solver;
    lb_solutions_summary summary;
    if (lb_solutions_create(s->model, &s->task, NULL, NULL, &solver, NULL) != LB_OK)
        return false;
    lb_solutions(solver, &s->target, NULL, 0, NULL, NULL, &summary);
    if (summary.outcome == LB_UNREACHABLE)
        fail_msg("%s: lb_solutions proves that an arm's own pose is unreachable (%s)", what,
                 lb_arm_class_text(lb_solutions_class(solver)));
    lb_solutions_release(solver);
    return true;
}

/* a search from the neutral configuration, by each protocol */
static void check_search(const sample *s, const char *what)
{
    double q[MOST_JOINTS];
    for (int p = LB_PROTOCOL_ANY; p <= LB_PROTOCOL_NEAREST; p++) {
        owned_ik *ik = NULL;
        lb_ik_result result;
        lb_ik_options options = lb_ik_options_default();
        options.protocol = (lb_protocol)p;
        options.seeds = 0;
        if (lb_ik_create(s->model, &s->task, 1, &options, NULL, &ik, NULL) != LB_OK)
            return;
        lb_configuration_neutral(s->model, q);
        lb_ik_solve(ik, &s->target, q, q, &result);
        if (result.outcome == LB_UNREACHABLE)
            fail_msg("%s: lb_ik proves that an arm's own pose is unreachable", what);
    }
}

static void check_arms(double far, uint64_t seed)
{
    int listed = 0;
    for (int i = 0; i < wanted_arms; i++) {
        char what[64];
        snprintf(what, sizeof what, "arm %d, %g m from the origin", i, far);
        lb_random random = test_seed(seed + (uint64_t)i);
        sample s = make_sample(&random, far);
        listed += check_solutions(&s, what);
        check_search(&s, what);
        lb_model_release(s.model);
    }
    assert_true(listed > wanted_arms / 10);
}

TEST(nothing_that_was_made_is_unreachable)
{
    check_arms(1, 1000000);
    check_arms(1e3, 2000000);
    check_arms(1e8, 3000000);
}

/* two joints whose axes are 1e-12 m apart, and limits that are one value */
TEST(an_arm_of_a_picometre_reaches_its_own_place)
{
    lb_joint joints[2];
    name_joints(joints, 2);
    for (int i = 0; i < 2; i++) {
        joints[i].placement = lb_transform_translation(1e-12, 1e-12, 1e-12);
        joints[i].axis = i ? lb_vec3_make(1, 1, 1) : lb_vec3_make(1, 1, 0);
        joints[i].lower[0] = joints[i].upper[0] = 1e-12;
    }
    joints[0].placement.p = lb_vec3_make(0.53125, 0.53125, 0.53125);
    lb_transform root = lb_transform_translation(0.53125, 0.6875, 0.6875);
    sample s = {.model = build_chain(joints, 2, root), .q = {1e-12, 1e-12}};
    s.task = lb_task_make(2, LB_WORLD, LB_TASK_POSITION);
    s.target = test_task_tool(s.model, &s.task, s.q);
    assert_true(check_solutions(&s, "a picometre"));
    check_search(&s, "a picometre");
    lb_model_release(s.model);
}

/* A joint's axis as the one before has it, and what its limits leave. */
typedef struct link_shape {
    lb_vec3 about;
    double turn;
    lb_vec3 offset;
    bool fixed;
} link_shape;

/*
 * Three axes that hardly miss each other and are held at zero, where two of the arm's solutions
 * meet and a third is a hundredth of a radian away: the determinant has a double zero there, of
 * which rounding leaves none.
 */
static sample make_meeting_sample(lb_random *random)
{
    static const link_shape shapes[6] = {
        {{0, 0, 1}, 2.377, {1e-8, 0, 0}, true},
        {{1, 0, 0}, -1e-8, {LB_PI, 0, LB_PI}, true},
        {{0, 1, 0}, 0.5 * LB_PI, {0.3, 1, 0}, true},
        {{0, 1, 0}, -1e-6, {-0.5 * LB_PI, 0, 0}, false},
        {{1, 0, 0}, 0.3, {-1e-9, 0, 0}, false},
        {{0, 1, 0}, 2.911, {0, -984, -1e-9}, false},
    };
    enum { COUNT = 6 };
    lb_joint joints[COUNT];
    sample s = {.task = lb_task_make(COUNT, LB_WORLD, LB_TASK_POSE)};
    name_joints(joints, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const link_shape *shape = &shapes[i];
        lb_quat turn = lb_quat_from_axis_angle(shape->about, shape->turn);
        joints[i].placement = lb_transform_from_quat(turn, shape->offset);
        s.q[i] = shape->fixed ? 1e-9 * lb_random_between(random, -1, 1)
                              : lb_random_between(random, -LB_PI, LB_PI);
        joints[i].lower[0] = shape->fixed ? -1e-9 : -LB_PI;
        joints[i].upper[0] = shape->fixed ? 1e-9 : LB_PI;
    }
    s.model = build_chain(joints, COUNT, lb_transform_translation(-0.5 * LB_PI, 0, LB_PI));
    s.target = test_task_tool(s.model, &s.task, s.q);
    return s;
}

TEST(solutions_that_meet_are_not_proved_away)
{
    for (int i = 0; i < wanted_arms; i++) {
        char what[64];
        snprintf(what, sizeof what, "arm %d whose solutions meet", i);
        lb_random random = test_seed(4000000 + (uint64_t)i);
        sample s = make_meeting_sample(&random);
        assert_true(check_solutions(&s, what));
        lb_model_release(s.model);
    }
}

/* ---- far away, and in other units ---------------------------------------------- */

/* three links in one line, wherever their base is and however small the tolerance */
TEST(what_is_stretched_far_away_is_not_proved_away)
{
    static const double lengths[] = {0, 0.5, 0.4, 0.3};
    for (double far = 1; far < 1e10; far *= 100)
        for (int i = 0; i < 200; i++) {
            lb_random random = test_seed(9000000 + (uint64_t)i);
            lb_joint joints[4];
            int count = 3 + i % 2;
            for (int k = 0; k < count; k++)
                joints[k] = test_joint(k + 1 < count ? LB_JOINT_REVOLUTE : LB_JOINT_FIXED,
                                       lb_vec3_make(lengths[k], 0, 0), lb_vec3_make(0, 0, 1));
            lb_transform root = test_random_transform(&random);
            root.p = lb_vec3_scale(root.p, far);
            double start[3] = {0.1, 0.3, 0.2}, q[3] = {lb_random_between(&random, -3, 3), 0, 0};
            sample s = {.model = test_chain(&root, joints, count),
                        .task = lb_task_make(count, LB_WORLD, LB_TASK_POSITION)};
            s.target = test_task_tool(s.model, &s.task, q);
            for (double tolerance = 1e-6; tolerance > 1e-14; tolerance *= 1e-2) {
                lb_ik_options options = lb_ik_options_default();
                options.position_tolerance = tolerance;
                options.seeds = 0;
                owned_ik *ik = test_solver(s.model, &s.task, 1, &options);
                if (lb_ik_solve(ik, &s.target, start, q, NULL) == LB_UNREACHABLE)
                    fail_msg("arm %d at %g m: its own place is proved to be out of reach to %g", i,
                             far, tolerance);
            }
            lb_model_release(s.model);
        }
}

/* the outcome of a position within `off` tolerances of where an arm can be */
static lb_outcome solve_beside(const lb_model *model, int tip, lb_transform target,
                               lb_vec3 direction, double off, double tolerance)
{
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSITION);
    lb_ik_options options = lb_ik_options_default();
    double q[3] = {0};
    options.position_tolerance = tolerance;
    target.p = lb_vec3_add(target.p, lb_vec3_scale(direction, off * tolerance));
    owned_ik *ik = test_solver(model, &task, 1, &options);
    lb_outcome outcome = lb_ik_solve(ik, &target, q, q, NULL);
    return outcome;
}

/* in millimetres, or whatever: what is within the tolerances is not out of reach */
TEST(proofs_know_no_unit)
{
    const lb_vec3 x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, none = {0, 0, 0};
    for (double unit = 1e-6; unit < 1e9; unit *= 10) {
        const double tolerance = 1e-5 * unit;
        // two slides at 30 degrees: beyond the limit of one it is nearer to both
        lb_joint slides[4] = {
            test_joint(LB_JOINT_PRISMATIC, none, x),
            test_joint(LB_JOINT_PRISMATIC, none, lb_vec3_make(sqrt(0.75), 0.5, 0)),
            test_joint(LB_JOINT_PRISMATIC, lb_vec3_scale(z, unit), z),
            test_joint(LB_JOINT_FIXED, lb_vec3_scale(z, 0.3 * unit), z)};
        for (int i = 0; i < 3; i++) {
            slides[i].lower[0] = -unit * (i == 1 ? 10 : 1);
            slides[i].upper[0] = unit * (i == 1 ? 10 : 1);
        }
        lb_model *model = test_chain(&LB_TRANSFORM_IDENTITY, slides, 4);
        lb_task task = lb_task_make(4, LB_WORLD, LB_TASK_POSITION);
        lb_transform target = test_task_tool(model, &task, (double[3]){unit, unit, 0});
        assert_int_not_equal(solve_beside(model, 4, target, x, 1.6, tolerance), LB_UNREACHABLE);
        lb_outcome far = solve_beside(model, 4, target, x, 1e5, tolerance);
        assert_true(far == LB_UNREACHABLE || (unit < 0.1 && far == LB_STALLED));
        lb_model_release(model);

        // a sphere that is a little too small
        lb_joint turns[3] = {
            test_joint(LB_JOINT_REVOLUTE, none, z),
            test_joint(LB_JOINT_REVOLUTE, lb_vec3_make(0.1 * unit, 0, 0.3 * unit), y),
            test_joint(LB_JOINT_FIXED, lb_vec3_scale(x, unit), z)};
        model = test_chain(&LB_TRANSFORM_IDENTITY, turns, 3);
        task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
        target = test_task_tool(model, &task, (double[2]){0.4, 0.3});
        assert_int_not_equal(solve_beside(model, 3, target, target.x, 0.9, tolerance),
                             LB_UNREACHABLE);
        lb_model_release(model);
    }
}

/* ---- seven joints -------------------------------------------------------------- */

/* a shoulder and a wrist whose axes meet, and an elbow */
static sample make_elbow_sample(lb_random *random, bool singular)
{
    static const double lengths[MOST_JOINTS] = {0.36, 0, 0.21, 0.21, 0.2, 0.2, 0};
    lb_joint joints[MOST_JOINTS];
    sample s = {.task = lb_task_make(MOST_JOINTS, LB_WORLD, LB_TASK_POSE)};
    name_joints(joints, MOST_JOINTS);
    for (int i = 0; i < MOST_JOINTS; i++) {
        joints[i].axis = lb_vec3_make(0, i % 2, 1 - i % 2);
        joints[i].placement = lb_transform_translation(0, 0, lengths[i]);
        s.q[i] = singular ? angle(random) : lb_random_between(random, -2, 2);
        set_limits(random, s.q[i], &joints[i]);
    }
    s.model = build_chain(joints, MOST_JOINTS, test_random_transform(random));
    s.task.tool.p.z = 0.126;
    s.target = test_task_tool(s.model, &s.task, s.q);
    return s;
}

TEST(elbows_of_own_poses_are_not_proved_away)
{
    int reached = 0;
    for (int i = 0; i < wanted_arms; i++) {
        lb_random random = test_seed(7000000 + (uint64_t)i);
        sample s = make_elbow_sample(&random, i % 2 != 0);
        double q[MOST_JOINTS];
        lb_elbow *elbow = NULL;
        lb_elbow_choice choice;
        assert_int_equal(lb_elbow_create(s.model, &s.task, NULL, &elbow, NULL), LB_OK);
        lb_outcome outcome =
            lb_elbow_best(elbow, &s.target, (lb_elbow_goal)(i % 3), NULL, q, &choice);
        if (outcome == LB_UNREACHABLE)
            fail_msg("arm %d: lb_elbow_best proves that an arm's own pose has no elbow", i);
        if (outcome == LB_REACHED)
            assert_true(test_limit_excess(s.model, q) <= 1e-9);
        reached += outcome == LB_REACHED;
        char what[64];
        snprintf(what, sizeof what, "arm %d of seven joints", i);
        check_search(&s, what);
        lb_elbow_release(elbow);
        lb_model_release(s.model);
    }
    assert_true(reached > wanted_arms / 10);
}
