/*
 * test_methods.c - every method on every built-in model and on real robots.
 *
 * No number that is none, no limit broken, no false `reached`, never worse than the
 * start: by the oracle, on whatever tips and kinds of task there are. How many targets
 * a method reaches is its own affair, but on arms that suit it there is a share below
 * which something is wrong.
 */
#include "support_arm.h"

#include <limber/batch.h>
#include <limber/formats/load.h>

enum { MOST_TIPS = 64, TARGETS = 8 };

/* what a clamp through a quaternion may leave beyond a limit */
#define LIMIT_TOLERANCE 1e-9
/* two sums of the same numbers, for each metre that they are large: some bases slide for miles */
#define ROUNDING 1e-11

/* counts of what has been seen, so that nothing is passed for want of cases */
static struct {
    int solves, reached, refused, several;
} seen;

/* One model, the tasks of its tips, and room for configurations of it. */
typedef struct fixture {
    const char *name;
    lb_model *model;
    lb_task tasks[2];
    int count;
    lb_random random;
    double *goal, *start, *q;
} fixture;

static void setup_fixture(fixture *f, const char *name)
{
    lb_error error;
    *f = (fixture){.name = name, .random = test_seed(1)};
    if (lb_load(name, NULL, &f->model, &error) != LB_OK)
        fail_msg("%s: %s", name, error.message);
    size_t nq = (size_t)lb_model_nq(f->model) + 1;
    f->goal = calloc(3 * nq, sizeof(double));
    assert_non_null(f->goal);
    f->start = f->goal + nq;
    f->q = f->start + nq;
}

static void teardown_fixture(fixture *f)
{
    free(f->goal);
    lb_model_release(f->model);
}

/* ---- promises ---------------------------------------------------------------- */

static void complain(const fixture *f, const lb_method *method, const char *what, double by)
{
    fail_msg("%s, %s: %s (%g)", f->name, lb_method_name(method), what, by);
}

static void check_result(const fixture *f, const lb_method *method, const lb_transform *targets,
                         const lb_ik_result *result, const lb_ik_options *options)
{
    double before, turned_before, after, turned;
    double excess = test_limit_excess(f->model, f->q);
    if (excess > LIMIT_TOLERANCE)
        complain(f, method, "a limit is broken", excess);
    test_task_errors(f->model, f->tasks, f->count, f->start, targets, &before, &turned_before);
    test_task_errors(f->model, f->tasks, f->count, f->q, targets, &after, &turned);
    double rounding = ROUNDING * (1 + before + lb_vec3_length(targets[0].p));
    bool there = after <= options->position_tolerance + rounding &&
                 turned <= options->rotation_tolerance + rounding;
    if (result->outcome == LB_REACHED && !there)
        complain(f, method, "a false `reached`", after + turned);
    // loops close at the cost of everything else
    bool closes = lb_model_loop_count(f->model) > 0;
    if (!there && !closes && after + turned > before + turned_before + rounding)
        complain(f, method, "worse than the start", after + turned - before - turned_before);
    if (result->outcome == LB_INVALID)
        complain(f, method, "a sound question is called invalid", 0);
    if ((result->outcome == LB_REACHED) != (result->reason == LB_REASON_NONE))
        complain(f, method, "outcome and reason disagree", result->reason);
    seen.solves++;
    seen.reached += result->outcome == LB_REACHED;
}

/* steps keep what a solve keeps, but that single ones may lead away */
static void check_steps(fixture *f, lb_ik *ik, const lb_method *method, const lb_transform *targets)
{
    lb_ik_result result;
    memcpy(f->q, f->start, sizeof(double) * (size_t)lb_model_nq(f->model));
    for (int i = 0; i < 10; i++) {
        lb_progress progress = lb_ik_step(ik, targets, f->q, &result);
        double position, rotation, excess = test_limit_excess(f->model, f->q);
        if (excess > LIMIT_TOLERANCE)
            complain(f, method, "a step breaks a limit", excess);
        test_task_errors(f->model, f->tasks, f->count, f->q, targets, &position, &rotation);
        if (fabs(position - result.position_error) > ROUNDING * (1 + lb_vec3_length(targets[0].p)))
            complain(f, method, "a step returns a wrong error", position);
        if ((progress == LB_SUCCESS) != (result.outcome == LB_REACHED))
            complain(f, method, "a step's result and outcome disagree", progress);
        if (progress != LB_PROCESSING)
            break;
    }
}

/* ---- questions --------------------------------------------------------------- */

static void check_method(fixture *f, const lb_method *method, lb_protocol protocol)
{
    lb_transform targets[2];
    owned_ik *ik = NULL;
    lb_error error;
    lb_ik_options options = lb_ik_options_default();
    options.method = method;
    options.protocol = protocol;
    options.length = 1;
    options.iterations = 150;
    lb_status status = lb_ik_create(f->model, f->tasks, f->count, &options, NULL, &ik, &error);
    if (status != LB_OK) {
        // what a method refuses it refuses by its name, and tips that nothing moves by theirs
        if (status == LB_UNSUPPORTED)
            assert_non_null(strstr(error.message, lb_method_name(method)));
        seen.refused += status == LB_UNSUPPORTED;
        return;
    }
    for (int k = 0; k < TARGETS; k++) {
        lb_configuration_random(f->model, &f->random, f->goal);
        lb_configuration_random(f->model, &f->random, f->start);
        for (int i = 0; i < f->count; i++) {
            targets[i] = test_task_tool(f->model, &f->tasks[i], f->goal);
            // some are a little or far out of reach
            double off = k < 6 ? 0 : k == 6 ? 0.1 : 10;
            targets[i].p =
                lb_vec3_add(targets[i].p, lb_vec3_scale(test_random_direction(&f->random), off));
        }
        lb_ik_result result;
        lb_ik_solve(ik, targets, f->start, f->q, &result);
        check_result(f, method, targets, &result, &options);
        if (k < 2)
            check_steps(f, ik, method, targets);
    }
}

/* every method, from the first and last tips, for positions and poses, then for two tips */
static void check_model(const char *name)
{
    fixture f;
    int tips[MOST_TIPS];
    setup_fixture(&f, name);
    int count = lb_model_tips(f.model, NULL);
    assert_true(count <= MOST_TIPS);
    lb_model_tips(f.model, tips);
    for (int m = 0; m < lb_method_count(); m++) {
        for (int kind = LB_TASK_POSITION; kind <= LB_TASK_POSE; kind++) {
            f.count = 1;
            f.tasks[0] = lb_task_make(tips[count - 1], LB_WORLD, (lb_task_kind)kind);
            check_method(&f, lb_method_at(m), LB_PROTOCOL_NEAREST);
            f.tasks[0].tip = tips[0];
            check_method(&f, lb_method_at(m), LB_PROTOCOL_GIVEN);
        }
        if (count > 1) {
            f.count = 2;
            f.tasks[0] = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSITION);
            f.tasks[1] = lb_task_make(tips[count - 1], LB_WORLD, LB_TASK_POSE);
            check_method(&f, lb_method_at(m), LB_PROTOCOL_GIVEN);
            seen.several++;
        }
    }
    teardown_fixture(&f);
}

TEST(embedded_models)
{
    for (int i = 0; i < lb_embedded_count(); i++)
        check_model(lb_embedded_at(i)->name);
    assert_true(seen.refused > 0 && seen.reached > 0 && seen.several > 0);
    print_message("%d of %d reached\n", seen.reached, seen.solves);
}

TEST(real_robots)
{
    static const char *const files[] = {"erd_allegro_left_hand",
                                        "erd_kinova",
                                        "erd_talos_full_v2",
                                        "rtb_fetch",
                                        "rtb_yumi",
                                        "ssik_gen3",
                                        "ssik_xarm7",
                                        "unitree_g1_29dof_rev_1_0",
                                        "erd_hyq_no_sensors",
                                        "bullet_prismatic",
                                        "erd_tiago_dual",
                                        "rtb_puma560_robot"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/urdf/%s.urdf", LIMBER_DATA_DIR, files[i]);
        FILE *file = fopen(path, "rb");
        if (!file) {
            print_message("skipped: %s is not there\n", path);
            skip();
        }
        fclose(file);
        check_model(path);
    }
    print_message("%d of %d reached\n", seen.reached, seen.solves);
}

/* ---- what each is good for ----------------------------------------------------- */

/* the share of targets that a method reaches with any number of tries */
static void check_share(const char *name, lb_task_kind kind, const char *method, double least)
{
    enum { MANY = 100 };
    fixture f;
    setup_fixture(&f, name);
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find(method);
    options.protocol = LB_PROTOCOL_ANY;
    options.position_tolerance = options.rotation_tolerance = 1e-4;
    f.count = 1;
    f.tasks[0] = lb_task_make(lb_model_link_count(f.model) - 1, LB_WORLD, kind);
    lb_ik *ik = test_solver(f.model, f.tasks, 1, &options);
    int reached = 0;
    for (int i = 0; i < MANY; i++) {
        lb_configuration_random(f.model, &f.random, f.goal);
        lb_configuration_random(f.model, &f.random, f.start);
        lb_transform target = test_task_tool(f.model, f.tasks, f.goal);
        reached += lb_ik_solve(ik, &target, f.start, f.q, NULL) == LB_REACHED;
    }
    if (reached < least * MANY)
        fail_msg("%s on %s reached %d of %d", method, name, reached, MANY);
    lb_ik_release(ik);
    teardown_fixture(&f);
}

TEST(methods_reach_what_suits_them)
{
    static const struct {
        const char *model;
        lb_task_kind kind;
        const char *method;
        double least;
    } shares[] = {
        {"planar3", LB_TASK_POSITION, "pseudoinverse", 1},
        {"planar3", LB_TASK_POSITION, "ccd", 0.95},
        {"planar3", LB_TASK_POSITION, "fabrik", 0.95},
        {"planar3", LB_TASK_POSITION, "transpose", 0.9},
        {"planar2", LB_TASK_POSITION, "inverse", 0.99},
        {"planar2", LB_TASK_POSITION, "analytic", 1},
        {"ur5", LB_TASK_POSE, "inverse", 0.98},
        {"ur5", LB_TASK_POSE, "pseudoinverse", 0.98},
        {"ur5", LB_TASK_POSE, "selective", 0.98},
        {"ur5", LB_TASK_POSE, "damped", 1},
        {"ur5", LB_TASK_POSE, "lm", 1},
        {"iiwa14", LB_TASK_POSE, "alternative", 0.95},
        {"iiwa14", LB_TASK_POSITION, "ccd", 0.95},
        {"iiwa14", LB_TASK_POSITION, "ccd-ranked", 0.95},
        {"iiwa14", LB_TASK_POSITION, "fabrik", 0.9},
        {"ur5", LB_TASK_POSITION, "fabrik", 0.85},
    };
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        check_share(shares[i].model, shares[i].kind, shares[i].method, shares[i].least);
}

/* many problems at once get the results that each gets alone */
TEST(batches_agree)
{
    enum { MANY = 20, NQ = 7 };
    fixture f;
    setup_fixture(&f, "iiwa14");
    f.count = 1;
    f.tasks[0] = lb_task_make(lb_model_link_count(f.model) - 1, LB_WORLD, LB_TASK_POSITION);
    assert_int_equal(lb_model_nq(f.model), NQ);
    for (int m = 0; m < lb_method_count(); m++) {
        lb_transform targets[MANY];
        double starts[MANY][NQ], q[MANY][NQ];
        lb_ik_result results[MANY], alone;
        owned_ik *ik = NULL;
        lb_ik_options options = lb_ik_options_default();
        options.method = lb_method_at(m);
        options.iterations = 200;
        if (lb_ik_create(f.model, f.tasks, 1, &options, NULL, &ik, NULL) != LB_OK)
            continue;
        for (int i = 0; i < MANY; i++) {
            lb_configuration_random(f.model, &f.random, f.goal);
            lb_configuration_random(f.model, &f.random, starts[i]);
            targets[i] = test_task_tool(f.model, f.tasks, f.goal);
        }
        const lb_batch batch = {
            .targets = targets, .starts = starts[0], .q = q[0], .results = results};
        size_t reached = lb_batch_solve(ik, &batch, 0, MANY), expected = 0;
        for (int i = 0; i < MANY; i++) {
            expected += lb_ik_solve(ik, &targets[i], starts[i], f.q, &alone) == LB_REACHED;
            assert_memory_equal(f.q, q[i], sizeof q[i]);
            assert_int_equal(alone.reason, results[i].reason);
            assert_int_equal(alone.iterations, results[i].iterations);
        }
        assert_int_equal(reached, expected);
    }
    teardown_fixture(&f);
}

/* both solutions of the planar arm on request */
TEST(analytic_bends_as_options_say)
{
    fixture f;
    lb_ik *ik;
    setup_fixture(&f, "planar2");
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find("analytic");
    f.count = 1;
    f.tasks[0] = lb_task_make(lb_model_link_count(f.model) - 1, LB_WORLD, LB_TASK_POSITION);
    for (options.analytic.bend = -1; options.analytic.bend <= 1; options.analytic.bend++) {
        ik = test_solver(f.model, f.tasks, 1, &options);
        for (int i = 0; i < 100; i++) {
            lb_ik_result result;
            lb_configuration_random(f.model, &f.random, f.goal);
            lb_configuration_random(f.model, &f.random, f.start);
            lb_transform target = test_task_tool(f.model, f.tasks, f.goal);
            lb_ik_solve(ik, &target, f.start, f.q, &result);
            assert_int_equal(result.outcome, LB_REACHED);
            assert_int_equal(result.iterations, 1);
            assert_near(result.position_error, 0, 1e-14);
            assert_true(lb_wrap_angle(f.q[1]) * options.analytic.bend >= 0);
        }
        lb_ik_release(ik);
    }
    teardown_fixture(&f);
}

/* an arm in space whose ball and hinge stand in any pose: the elbow turns to the pole */
TEST(analytic_turns_to_the_pole)
{
    for (uint64_t seed = 0; seed < 50; seed++) {
        lb_random random = test_seed(seed);
        test_arm arm;
        test_arm_make(&arm);
        arm.source.link_count = 3;
        arm.source.joint_count = 2;
        arm.joints[0].kind = LB_JOINT_BALL;
        arm.joints[0].lower[0] = -INFINITY;
        arm.joints[0].upper[0] = arm.joints[0].upper[1] = INFINITY;
        arm.joints[0].placement = test_random_transform(&random);
        arm.joints[1].placement = lb_transform_translation(1, 0, 0);
        owned_model *model = test_build(&arm.source);
        lb_ik_options options = lb_ik_options_default();
        options.method = lb_method_find("analytic");
        options.analytic.pole = test_random_direction(&random);
        lb_task task = lb_task_make(2, LB_WORLD, LB_TASK_POSITION);
        task.tool.p.x = 1;
        owned_ik *ik = test_solver(model, &task, 1, &options);

        double goal[5], q[5];
        lb_transform links[3];
        lb_configuration_random(model, &random, goal);
        goal[4] = 1.5;
        lb_transform target = test_task_tool(model, &task, goal);
        lb_configuration_neutral(model, q);
        assert_int_equal(lb_ik_solve(ik, &target, q, q, NULL), LB_REACHED);
        // the elbow beside the line from shoulder to target, and the pole beside it
        test_forward(model, q, links);
        lb_vec3 line = lb_vec3_sub(target.p, links[1].p);
        lb_vec3 elbow = lb_vec3_sub(links[2].p, links[1].p);
        lb_vec3 side = lb_vec3_cross(line, elbow),
                wanted = lb_vec3_cross(line, options.analytic.pole);
        lb_vec3 none = lb_vec3_make(0, 0, 0);
        double dot = lb_vec3_dot(lb_vec3_normalize(side, none), lb_vec3_normalize(wanted, none));
        assert_near(dot, 1, 1e-9);
    }
}

/* the table: names that differ, texts, and an index for each */
TEST(the_table_is_sound)
{
    static const char *const names[] = {
        "analytic",    "inverse", "pseudoinverse", "damped", "selective", "transpose",
        "alternative", "ccd",     "ccd-ranked",    "fabrik", "lm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(lb_method_find(names[i]));
    assert_string_equal(lb_method_name(lb_method_at(0)), "lm");
    for (int i = 0; i < lb_method_count(); i++) {
        const lb_method *method = lb_method_at(i);
        assert_ptr_equal(lb_method_find(lb_method_name(method)), method);
        assert_true(strlen(lb_method_summary(method)) > 10);
        assert_true(strlen(lb_method_source(method)) > 5);
    }
    assert_null(lb_method_at(-1));
    assert_null(lb_method_at(lb_method_count()));
    assert_null(lb_method_find("newton"));
}

/* an arm of six joints has a square Jacobian, however little its limits leave */
TEST(inverse_takes_arms_of_narrow_limits)
{
    static const lb_vec3 axes[] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0},
                                   {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    static const lb_vec3 places[] = {{0, 0, 0.3}, {0.05, 0, 0}, {0, 0, 0.4},
                                     {0.3, 0, 0}, {0.1, 0, 0},  {0.05, 0, 0}};
    enum { JOINTS = 6 };
    lb_joint joints[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = test_joint(LB_JOINT_REVOLUTE, places[i], axes[i]);
        joints[i].lower[0] = 1.2;
        joints[i].upper[0] = 1.6;
    }
    owned_model *model = test_chain(&LB_TRANSFORM_IDENTITY, joints, JOINTS);
    lb_task task = lb_task_make(JOINTS, LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.method = lb_method_find("inverse");
    owned_ik *ik = test_solver(model, &task, 1, &options);
    double made[JOINTS] = {1.4, 1.3, 1.5, 1.4, 1.3, 1.45},
           q[JOINTS] = {1.3, 1.4, 1.4, 1.5, 1.4, 1.3};
    lb_transform target = test_task_tool(model, &task, made);
    lb_ik_result result;
    assert_int_equal(lb_ik_solve(ik, &target, q, q, &result), LB_REACHED);
}
