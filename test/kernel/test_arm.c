/*
 * test_arm.c - arms have an iteration of their own, in one piece: it gives the bits of the
 * general one, and where it says that it has arrived this is so.
 */
#include "ik/solver.h"

#include <limber/ik.h>

#include "support_load.h"

enum { MOST = 8 };

TEST_ARGUMENT(target_count, 1, 200)

static const struct {
    const char *model, *tip;
    int joints; /* of the arm, 0: it is none */
} robots[] = {{"ur5", "tool0", 6},    {"panda", "panda_hand", 7}, {"iiwa14", "flange", 7},
              {"kr6", "tool0", 6},    {"crx10ia", "flange", 6},   {"puma560", "flange", 6},
              {"stanford", "tool", 0}};

/* A robot and its task. */
typedef struct fixture {
    lb_model *model;
    lb_task task;
} fixture;

static fixture setup_fixture(size_t robot)
{
    fixture f = {.model = test_load(robots[robot].model)};
    f.task = lb_task_make(lb_model_find_link(f.model, robots[robot].tip), LB_WORLD, LB_TASK_POSE);
    return f;
}

static lb_ik *create(const fixture *f, const lb_ik_options *options)
{
    return test_solver(f->model, &f->task, 1, options);
}

/* every other start is near the goal, every tenth target is out of reach */
static lb_transform make_question(const fixture *f, int n, lb_random *random, double *start)
{
    double goal[MOST], way[MOST];
    lb_configuration_random(f->model, random, goal);
    lb_configuration_random(f->model, random, start);
    if (n % 2) {
        for (int i = 0; i < lb_model_nv(f->model); i++)
            way[i] = lb_random_between(random, -0.1, 0.1);
        lb_configuration_integrate(f->model, goal, way, start);
        lb_configuration_clamp(f->model, start, start);
    }
    lb_transform target = test_task_tool(f->model, &f->task, goal);
    if (n % 10 == 9)
        target.p = lb_vec3_scale(target.p, 1.5);
    return target;
}

/* with an arm's own iteration and without it, what is done alone in the least registers */
static void check_same(const fixture *f, const lb_ik_options *options)
{
    lb_ik *both[2] = {create(f, options), create(f, options)};
    both[1]->reduction.problem.arm_joints = 0;
    both[1]->single = kernel_choose(1);
    lb_random random = test_seed(11);
    for (int n = 0; n < target_count; n++) {
        double start[MOST], q[2][MOST] = {{0}};
        lb_ik_result result[2];
        lb_transform target = make_question(f, n, &random, start);
        for (int k = 0; k < 2; k++)
            lb_ik_solve(both[k], &target, start, q[k], &result[k]);
        assert_memory_equal(q[0], q[1], sizeof q[0]);
        assert_int_equal(result[0].outcome, result[1].outcome);
        assert_int_equal(result[0].tries, result[1].tries);
        assert_int_equal(result[0].iterations, result[1].iterations);
    }
    lb_ik_release(both[0]);
    lb_ik_release(both[1]);
}

TEST(an_arms_bits_are_the_general_ones)
{
    const lb_protocol protocols[] = {LB_PROTOCOL_NEAREST, LB_PROTOCOL_ANY, LB_PROTOCOL_GIVEN};
    // with narrow tolerances it has to look whether it has arrived, with wide ones hardly ever
    const double tolerances[] = {1e-3, 1e-6, 1e-12};
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        fixture f = setup_fixture(i);
        for (int k = 0; k < 9; k++)
            for (int width = 1; width <= 8; width *= 2) {
                lb_ik_options options = lb_ik_options_default();
                options.width = width;
                options.protocol = protocols[k % 3];
                options.position_tolerance = options.rotation_tolerance = tolerances[k / 3];
                check_same(&f, &options);
            }
        lb_model_release(f.model);
    }
}

static void check_joints(const fixture *f, int joints)
{
    owned_ik *ik = create(f, NULL);
    assert_int_equal(ik->reduction.problem.arm_joints, joints);
}

TEST(robots_are_arms)
{
    for (size_t i = 0; i < sizeof robots / sizeof *robots; i++) {
        fixture f = setup_fixture(i);
        check_joints(&f, robots[i].joints);
        // what weighs otherwise, or leaves something free, is none
        f.task.weight = 2;
        check_joints(&f, 0);
        f.task.weight = 1;
        f.task.free_axis.z = 1;
        check_joints(&f, 0);
        f.task.free_axis.z = 0;
        f.task.free_position = LB_FREE_Z;
        check_joints(&f, 0);
        lb_model_release(f.model);
    }
}
