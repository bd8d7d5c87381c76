/*
 * test_derivative.c - lb_ik_derivative against descents to targets that have moved a little.
 *
 * From a solution a descent to a target beside it takes the shortest way, so the difference of two
 * descents, to targets a moment before and after, is the derivative, whatever the tasks count and
 * whatever the joints are.
 */
#include "support.h"
#include "support_load.h"

#include <limber/ik.h>

#include <math.h>

enum { NQ = 64, TASKS = 2 };

TEST_ARGUMENT(trees, 1, FEWER(150, 15))

/* Seconds to either target. */
#define SPAN 1e-5

/* A solver of random tasks on a random tree, and a configuration that solves its targets. */
typedef struct fixture {
    lb_model *model;
    lb_ik *ik;
    lb_task tasks[TASKS];
    int task_count, nq, nv;
    lb_transform targets[TASKS];
    double q[NQ], derivative[NQ * 6 * TASKS];
} fixture;

static lb_task random_task(const lb_model *model, int base, lb_random *random)
{
    static const lb_task_kind kinds[] = {LB_TASK_POSE, LB_TASK_POSITION, LB_TASK_ROTATION};
    int tip = 1 + test_random_index(random, lb_model_link_count(model) - 1);
    lb_task task = lb_task_make(tip, base, kinds[test_random_index(random, 3)]);
    task.tool = test_random_transform(random);
    task.weight = test_random_chance(random, 0.5) ? 1 : 2.5;
    if (test_random_chance(random, 0.3))
        task.free_axis = test_random_direction(random);
    if (test_random_chance(random, 0.3))
        task.free_position = test_random_axes(random);
    return task;
}

/* false where no joint influences the tasks */
static bool choose(fixture *f, lb_random *random)
{
    lb_error error;
    test_tree wanted = test_tree_default();
    wanted.joints = 3 + test_random_index(random, 8);
    *f = (fixture){.model = test_tree_build(&wanted, random)};
    f->nq = lb_model_nq(f->model);
    f->nv = lb_model_nv(f->model);
    f->task_count = 1 + test_random_chance(random, 0.4);
    assert_true(f->nq <= NQ);
    int links = lb_model_link_count(f->model);
    int base = test_random_chance(random, 0.5) ? LB_WORLD : test_random_index(random, links);
    for (int i = 0; i < f->task_count; i++)
        f->tasks[i] = random_task(f->model, base, random);
    lb_joint_setting heavy = lb_joint_setting_make(test_random_index(random, links - 1));
    heavy.weight = 4;
    lb_ik_options options = lb_ik_options_default();
    options.protocol = LB_PROTOCOL_GIVEN;
    options.position_tolerance = options.rotation_tolerance = 1e-13;
    options.joints = &heavy;
    options.joint_count = 1;
    if (lb_ik_create(f->model, f->tasks, f->task_count, &options, NULL, &f->ik, &error) != LB_OK)
        return false;
    lb_configuration_random(f->model, random, f->q);
    for (int i = 0; i < f->task_count; i++) {
        f->targets[i] = test_task_tool(f->model, &f->tasks[i], f->q);
        test_move_freely(&f->tasks[i], 0.5, random, &f->targets[i]);
    }
    return true;
}

/* the targets, carried along by the tools as the joints move with velocity v for some time */
static void carry(const fixture *f, const double *v, double time, lb_transform *targets)
{
    double step[NQ], q[NQ];
    for (int i = 0; i < f->nv; i++)
        step[i] = v[i] * time;
    lb_configuration_integrate(f->model, f->q, step, q);
    for (int i = 0; i < f->task_count; i++) {
        lb_transform before = test_task_tool(f->model, &f->tasks[i], f->q);
        lb_transform after = test_task_tool(f->model, &f->tasks[i], q);
        lb_transform held = lb_transform_between(&before, &f->targets[i]);
        targets[i] = lb_transform_multiply(&after, &held);
    }
}

/* six numbers a task: linear of the target's origin, and angular */
static void velocities_of(const fixture *f, lb_transform ends[2][TASKS], double *velocities)
{
    for (int i = 0; i < f->task_count; i++) {
        lb_transform from = ends[0][i], to = ends[1][i];
        lb_vec3 parts[2] = {lb_vec3_sub(to.p, from.p)};
        from.p = to.p = lb_vec3_make(0, 0, 0);
        from = lb_transform_inverse(&from);
        to = lb_transform_multiply(&to, &from);
        parts[1] = lb_quat_log(lb_transform_quat(&to));
        for (int k = 0; k < 2; k++) {
            parts[k] = lb_vec3_scale(parts[k], 0.5 / SPAN);
            memcpy(velocities + 6 * i + 3 * k, &parts[k], sizeof parts[k]);
        }
    }
}

/* by two descents; false where one meets a limit, leaves its branch or has a long way */
static bool by_descents(const fixture *f, lb_transform targets[2][TASKS], double *found)
{
    double ends[2][NQ], half[NQ], length = 0, bend = 0;
    lb_ik_result result;
    for (int side = 0; side < 2; side++)
        if (lb_ik_solve(f->ik, targets[side], f->q, ends[side], &result) != LB_REACHED)
            return false;
    lb_configuration_difference(f->model, ends[0], ends[1], found);
    lb_configuration_difference(f->model, ends[0], f->q, half);
    for (int i = 0; i < f->nv; i++) {
        length += found[i] * found[i];
        bend += (found[i] - 2 * half[i]) * (found[i] - 2 * half[i]);
        found[i] /= 2 * SPAN;
    }
    return bend <= 1e-6 * length && sqrt(length) < 20 * SPAN;
}

/* whether it was compared */
static bool compare(fixture *f, lb_random *random)
{
    double v[NQ], found[NQ], velocities[6 * TASKS];
    lb_transform targets[2][TASKS];
    int columns = 6 * f->task_count;
    for (int i = 0; i < f->nv; i++)
        v[i] = lb_random_between(random, -1, 1);
    carry(f, v, -SPAN, targets[0]);
    carry(f, v, SPAN, targets[1]);
    velocities_of(f, targets, velocities);
    int rank = lb_ik_derivative(f->ik, f->targets, f->q, 0, f->derivative);
    assert_in_range(rank, 0, f->nv);
    if (!by_descents(f, targets, found))
        return false;
    for (int i = 0; i < f->nv; i++) {
        double sum = 0;
        for (int k = 0; k < columns; k++)
            sum += f->derivative[i * columns + k] * velocities[k];
        if (!(fabs(sum - found[i]) < 1e-4))
            fail_msg("velocity %d of %d is %.9g by descents, not %.9g", i, f->nv, found[i], sum);
    }
    return true;
}

TEST(derivatives_are_what_descents_do)
{
    lb_random random = test_seed(71);
    int compared = 0;
    for (long tree = 0; tree < trees; tree++) {
        fixture f;
        if (choose(&f, &random))
            for (int trial = 0; trial < 5; trial++)
                compared += compare(&f, &random);
        lb_ik_release(f.ik);
        lb_model_release(f.model);
    }
    assert_true(compared > 2 * trees);
    print_message("%d compared\n", compared);
}

TEST(damping_bounds_what_a_singular_arm_does)
{
    owned_model *model = test_load("planar2");
    lb_task task = lb_task_make(lb_model_find_link(model, "tip"), LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    double derivative[12];
    const double stretched[] = {0, 1e-5}, folded[] = {0.4, 0};
    lb_transform target = test_task_tool(model, &task, stretched);
    // nearly stretched: along the arm the joints would turn 1e5 rad/m
    assert_int_equal(lb_ik_derivative(ik, &target, stretched, 0, derivative), 2);
    assert_true(fabs(derivative[0]) > 5e4);
    assert_int_equal(lb_ik_derivative(ik, &target, stretched, 0.1, derivative), 2);
    assert_true(fabs(derivative[0]) < 1e-2);
    // across it the least turn that moves the tip by one metre: (2, 1) / 5
    target = test_task_tool(model, &task, folded);
    target.p = lb_vec3_make(2, 0, 0);
    const double straight[] = {0, 0};
    assert_int_equal(lb_ik_derivative(ik, &target, straight, 0, derivative), 1);
    assert_float_equal(derivative[1], 0.4, 1e-12);
    assert_float_equal(derivative[7], 0.2, 1e-12);
    assert_true(derivative[0] == 0 && derivative[6] == 0);
}

TEST(what_is_no_number_has_no_derivative)
{
    owned_model *model = test_load("planar2");
    lb_task task = lb_task_make(lb_model_find_link(model, "tip"), LB_WORLD, LB_TASK_POSITION);
    owned_ik *ik = test_solver(model, &task, 1, NULL);
    const double q[] = {0.1, 0.2}, wrong[] = {0.1, NAN};
    double derivative[12];
    lb_transform target = test_task_tool(model, &task, q), nowhere = target;
    nowhere.p.x = INFINITY;
    assert_int_equal(lb_ik_derivative(ik, &target, wrong, 0, derivative), -1);
    assert_true(isnan(derivative[0]) && isnan(derivative[11]));
    assert_int_equal(lb_ik_derivative(ik, &nowhere, q, 0, derivative), -1);
    assert_int_equal(lb_ik_derivative(ik, &target, q, -1, derivative), -1);
    assert_int_equal(lb_ik_derivative(ik, &target, q, INFINITY, derivative), -1);
    assert_int_equal(lb_ik_derivative(ik, &target, q, 0, derivative), 2);
}
