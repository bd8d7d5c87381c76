/*
 * test_redundant.c - arms of seven joints with one of them held at the start's own value: the
 * configuration that made a pose is always among the solutions, straight elbows included. And poses
 * that limits leave a narrow way to are reached.
 */
#include <math.h>

#include "support_load.h"

#include <limber/batch.h>
#include <limber/formats/load.h>
#include <limber/solutions.h>

enum { NQ = 16, ROWS = 16 };

/* whether the configuration that made a pose is listed */
static bool is_listed(const lb_model *model, const double *rows, int count, const double *q)
{
    for (int i = 0; i < count; i++) {
        double most = 0;
        for (int k = 0; k < lb_model_nq(model); k++)
            most = fmax(most, fabs(rows[i * lb_model_nq(model) + k] - q[k]));
        if (most < 1e-5)
            return true;
    }
    return false;
}

/* poses of random configurations, of which one joint may be within `bend` of straight */
static void check_held(const lb_model *model, int tip, int straight, double bend, int poses)
{
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    lb_solutions_options options = lb_solutions_options_default();
    options.redundancy = 1;
    owned_solutions *solver = NULL;
    lb_error error;
    if (lb_solutions_create(model, &task, &options, NULL, &solver, &error) != LB_OK)
        fail_msg("%s: %s", lb_model_name(model), error.message);
    assert_int_equal(lb_solutions_class(solver), LB_ARM_REDUNDANT);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    lb_random random = test_seed(11);
    for (int n = 0; n < poses; n++) {
        double q[NQ], start[NQ], rows[ROWS * NQ];
        lb_solution infos[ROWS];
        lb_solutions_summary summary;
        lb_configuration_random(model, &random, q);
        if (straight >= 0)
            q[straight] = lb_random_between(&random, -bend, bend);
        lb_transform target = test_task_tool(model, &task, q);
        int count = lb_solutions(solver, &target, q, ROWS, rows, infos, &summary);
        if (!is_listed(model, rows, count, q))
            fail_msg("%s: pose %d: missed by %d solutions", lb_model_name(model), n, count);
        lb_configuration_random(model, &random, start);
        assert_int_equal(lb_ik_solve(ik, &target, start, start, NULL), LB_REACHED);
    }
}

TEST(built_in_arms_miss_nothing)
{
    const char *const arms[][2] = {{"panda", "panda_hand"}, {"iiwa14", "flange"}};
    for (int i = 0; i < 2; i++) {
        owned_model *model = test_load(arms[i][0]);
        check_held(model, lb_model_find_link(model, arms[i][1]), -1, 0, 2000);
    }
}

/* the last link of a file of the shared data; NULL, said aloud, where it is not there */
static lb_model *load_data(const char *name, int *tip)
{
    char path[512];
    lb_model *model;
    snprintf(path, sizeof path, "%s/urdf/%s", LIMBER_DATA_DIR, name);
    if (lb_load(path, NULL, &model, NULL) != LB_OK) {
        print_message("skipped: %s is not there\n", path);
        return NULL;
    }
    int tips[LB_DEFAULT_TIPS], count;
    assert_int_equal(lb_model_default_tips(model, NULL, tips, &count), LB_OK);
    *tip = tips[0];
    return model;
}

/* a Gen3 is no closed form anywhere, and nearly singular where its third joint is straight */
TEST(a_straight_gen3_misses_nothing)
{
    int tip;
    owned_model *model = load_data("ssik_gen3.urdf", &tip);
    if (!model)
        skip();
    check_held(model, tip, 2, 0.05, 500);
    check_held(model, tip, 2, 1e-6, 100);
}

/* the held joint's start may be on another turn than the first */
TEST(held_joints_may_have_more_than_a_turn)
{
    int tip;
    owned_model *model = load_data("ssik_xarm7.urdf", &tip);
    if (!model)
        skip();
    check_held(model, tip, -1, 0, 300);
}

/*
 * Poses of the Panda's that a search alone misses from most starts: three of a million random ones,
 * with joint 4 near the end of its range and some thousandths of a radian for the last joint to
 * choose from, and some of many with joints exactly at their limits, which leave a single value.
 */
TEST(narrow_ways_through_the_limits_are_found)
{
    enum { STARTS = 24 };
    static const double made[][7] = {
        {2.2534978696390318, 1.7147703540291528, -0.16400913850086596, -0.477531156061743,
         2.8684189650661005, 1.3310452876247485, 2.7147305165788045},
        {0.13956919228447395, 1.6984928531632542, 0.24483475416547007, -0.4661243721032755,
         0.015229361680269005, 1.483503517769272, 2.841973633877093},
        {2.247582763756592, -1.4376311666149866, -0.031032596541276547, -0.4722947983358643,
         -0.05711092065980683, 2.202644887283846, -2.5386413460911377},
        {2.5851594051035893, -1.7627365935564208, 0.8126921485905636, -0.46392134381206507,
         -0.16913654260120081, 1.5001284651861129, 1.7944200907410051},
        {2.8973, 1.7628, 0.31680709500783077, -3.0718, -2.8973, 3.7525, 2.8973},
        {-0.048708333937290682, -1.7628, -2.8973, -3.0718, -2.038706662884509, 3.7525, 2.8973},
        {1.5400285516371954, 1.7628, 0.40226443622387142, -3.0718, -1.5854148890512723, 3.7525,
         2.8938096613074458},
        {-2.8973, 1.7628, 0.043615268476579594, -2.0654397970803537, -2.8973, -0.0175, -2.8973}};
    owned_model *model = test_load("panda");
    lb_task task = lb_task_make(lb_model_find_link(model, "panda_hand"), LB_WORLD, LB_TASK_POSE);
    lb_random random = lb_random_seed(5);
    for (int protocol = LB_PROTOCOL_NEAREST; protocol <= LB_PROTOCOL_ANY; protocol++) {
        lb_ik_options options = lb_ik_options_default();
        options.protocol = (lb_protocol)protocol;
        owned_ik *ik = test_solver(model, &task, 1, &options);
        for (int i = 0; i < STARTS * (int)(sizeof made / sizeof *made); i++) {
            double q[NQ] = {0}, start[NQ], batch_q[NQ];
            lb_ik_result result;
            memcpy(q, made[i / STARTS], sizeof *made);
            lb_transform target = test_task_tool(model, &task, q);
            lb_configuration_neutral(model, start);
            if (i % STARTS > 0)
                lb_configuration_random(model, &random, start);
            const lb_batch batch = {.targets = &target, .starts = start, .q = batch_q};
            assert_int_equal(lb_ik_solve(ik, &target, start, q, &result), LB_REACHED);
            assert_int_equal(lb_batch_solve(ik, &batch, 0, 1), 1);
            assert_memory_equal(q, batch_q, sizeof(double) * (size_t)lb_model_nq(model));
        }
    }
}

/* of poses of joints at right angles and at limits, nearly all singular, the result is no farther
   than the configuration that made them; one in some thousands may be, and 1 in 50 was */
static void check_right_angles(const char *name, const char *tip, int poses)
{
    owned_model *model = test_load(name);
    const lb_task task = lb_task_make(lb_model_find_link(model, tip), LB_WORLD, LB_TASK_POSE);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    lb_random random = test_seed(13);
    int farther = 0;
    for (int n = 0; n < poses; n++) {
        double made[NQ] = {0}, start[NQ] = {0}, q[NQ], near = 0, own = 0;
        lb_configuration_random(model, &random, made);
        lb_configuration_random(model, &random, start);
        for (int k = 0; k < 7; k++)
            made[k] = 0.5 * LB_PI * floor(made[k] / (0.5 * LB_PI) + 0.5);
        lb_configuration_clamp(model, made, made);
        lb_transform target = test_task_tool(model, &task, made);
        assert_int_equal(lb_ik_solve(ik, &target, start, q, NULL), LB_REACHED);
        for (int k = 0; k < 7; k++) {
            near += (q[k] - start[k]) * (q[k] - start[k]);
            own += (made[k] - start[k]) * (made[k] - start[k]);
        }
        farther += sqrt(near) > sqrt(own) * (1 + 2e-5) + 1e-9;
    }
    assert_in_range(farther, 0, poses / 500);
}

TEST(nothing_is_nearer_at_right_angles)
{
    check_right_angles("panda", "panda_hand", FEWER(1000, 20));
    check_right_angles("iiwa14", "flange", FEWER(1000, 20));
}

/* an arm on a rail: wherever it is, and however long the rail */
TEST(rails_are_slid_along)
{
    static const double rails[][2] = {{0, 10},     {5, 6},        {-INFINITY, INFINITY},
                                      {-0.5, 0.5}, {3, INFINITY}, {-INFINITY, -70}};
    static const lb_vec3 axes[] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0},
                                   {1, 0, 0}, {0, 1, 0}, {1, 0, 0}};
    static const lb_vec3 places[] = {{0, 0, 0.3}, {0.05, 0, 0}, {0, 0, 0.4},
                                     {0.3, 0, 0}, {0, 0, 0},    {0, 0, 0}};
    enum { JOINTS = 7, MOST = 128 };
    lb_random random = test_seed(5);
    for (size_t r = 0; r < sizeof rails / sizeof *rails; r++) {
        lb_joint joints[JOINTS];
        for (int i = 0; i < JOINTS; i++) {
            bool turns = i > 0;
            joints[i] = turns ? test_joint(LB_JOINT_REVOLUTE, places[i - 1], axes[i - 1])
                              : test_joint(LB_JOINT_PRISMATIC, lb_vec3_make(0.2, 0.1, 0),
                                           lb_vec3_make(1, 0, 0));
            joints[i].lower[0] = turns ? -2.9 : rails[r][0];
            joints[i].upper[0] = turns ? 2.9 : rails[r][1];
        }
        owned_model *model = test_chain(&LB_TRANSFORM_IDENTITY, joints, JOINTS);
        lb_task task = lb_task_make(JOINTS, LB_WORLD, LB_TASK_POSE);
        owned_solutions *solver = NULL;
        assert_int_equal(lb_solutions_create(model, &task, NULL, NULL, &solver, NULL), LB_OK);
        int found = 0;
        for (int i = 0; i < 100; i++) {
            double made[JOINTS], start[JOINTS], rows[MOST * JOINTS];
            lb_solution infos[MOST];
            lb_solutions_summary summary;
            lb_configuration_random(model, &random, made);
            made[0] = lb_random_between(&random, -20, 20);
            lb_configuration_clamp(model, made, made);
            lb_transform target = test_task_tool(model, &task, made);
            int count = lb_solutions(solver, &target, made, MOST, rows, infos, &summary);
            // its own place is listed first
            if (count == 0 || infos[0].distance > 1e-6)
                fail_msg("rail %zu: pose %d is not found from where it was made", r, i);
            // and from elsewhere it is reached as well
            lb_configuration_random(model, &random, start);
            lb_configuration_clamp(model, start, start);
            (void)lb_solutions(solver, &target, start, MOST, rows, infos, &summary);
            found += summary.count > 0;
        }
        // the rest keeps its joint limits only between the values that are tried of the rail
        assert_true(found >= 85);
    }
}

/* bases without limits go as far as they must: slides and an angle, and an arm on a plane */
TEST(bases_without_limits_lead_far)
{
    lb_joint joints[3] = {
        test_joint(LB_JOINT_PRISMATIC, lb_vec3_make(0, 0, 0), lb_vec3_make(1, 0, 0)),
        test_joint(LB_JOINT_PRISMATIC, lb_vec3_make(0, 0, 0), lb_vec3_make(0, 1, 0)),
        test_joint(LB_JOINT_CONTINUOUS, lb_vec3_make(0.2, 0, 0), lb_vec3_make(0, 0, 1))};
    for (int i = 0; i < 2; i++) {
        joints[i].lower[0] = -INFINITY;
        joints[i].upper[0] = INFINITY;
    }
    owned_model *base = test_chain(&LB_TRANSFORM_IDENTITY, joints, 3);
    owned_model *arm = test_load("ur5"), *mobile = NULL;
    assert_int_equal(lb_model_with_root(arm, LB_JOINT_PLANAR, NULL, &mobile, NULL), LB_OK);
    const lb_model *const models[] = {base, mobile};
    lb_random random = test_seed(6);
    for (int m = 0; m < 2; m++) {
        int tips[LB_DEFAULT_TIPS], count;
        lb_model_default_tips(models[m], NULL, tips, &count);
        lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
        owned_ik *ik = test_solver(models[m], &task, 1, NULL);
        for (double far = 2; far < 2000; far *= 5)
            for (int k = 0; k < 20; k++) {
                double goal[NQ], start[NQ];
                lb_configuration_random(models[m], &random, goal);
                lb_configuration_neutral(models[m], start);
                goal[0] = lb_random_between(&random, -far, far);
                goal[1] = lb_random_between(&random, -far, far);
                lb_transform target = test_task_tool(models[m], &task, goal);
                assert_int_equal(lb_ik_solve(ik, &target, start, start, NULL), LB_REACHED);
            }
    }
}
