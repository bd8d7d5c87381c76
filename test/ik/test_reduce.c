/*
 * test_reduce.c - the kernel problem that tasks are reduced to says what the model says.
 *
 * Trees, bases and tips are random. The oracle of frames is test_forward; that of the
 * kernel's Jacobian is a central difference of the kernel's error where it is zero.
 */
#include "base/memory.h"
#include "ik/reduce.h"

#include <limber/ik.h>
#include <limber/kinematics.h>

#include "support.h"

enum { TREES = 1000, MOST_JOINTS = 14, MOST = LB_JOINT_MAX_NQ * MOST_JOINTS, MOST_TASKS = 3 };
/* a tree's elements, and as many again for balls that are walked backwards */
enum { MOST_FRAMES = 2 * 6 * MOST_JOINTS };

#define STEP 1e-5

/* A tree with some tasks of one base, and what became of it. */
typedef struct fixture {
    lb_model *model;
    lb_task tasks[MOST_TASKS];
    int count;
    ik_reduction reduction;
    bool accepted;
} fixture;

/* a task's target as the problem sees it */
static lb_transform goal_of(const ik_reduction *reduction, int task, const lb_transform *target)
{
    const kernel_target_map map = ik_reduction_target_map(reduction, task);
    lb_transform seen, *to = &seen;
    kernel_choose(1)->transform_targets(&map, &target, &to, 1);
    return seen;
}

static lb_task random_task(const lb_model *model, int base, lb_random *random)
{
    int tip = test_random_index(random, lb_model_link_count(model));
    lb_task task = lb_task_make(tip, base, (lb_task_kind)test_random_index(random, 3));
    if (test_random_chance(random, 0.7))
        task.tool = test_random_transform(random);
    if (test_random_chance(random, 0.3))
        task.free_axis = test_random_direction(random);
    if (test_random_chance(random, 0.3))
        task.free_position = test_random_axes(random);
    task.weight = test_random_chance(random, 0.5) ? 1 : lb_random_between(random, 0.1, 10);
    return task;
}

/* refused where some task cannot be moved: then there is nothing to look at */
static fixture setup_fixture(uint64_t seed, lb_random *random)
{
    fixture f = {.accepted = false};
    *random = test_seed(seed);
    test_tree wanted = test_tree_default();
    wanted.joints = 1 + test_random_index(random, MOST_JOINTS);
    f.model = test_tree_build(&wanted, random);
    f.count = 1 + test_random_index(random, MOST_TASKS);
    int base = test_random_index(random, lb_model_link_count(f.model) + 1) - 1;
    for (int i = 0; i < f.count; i++)
        f.tasks[i] = random_task(f.model, base, random);
    lb_allocator memory = memory_allocator(NULL);
    lb_status status = ik_reduce(f.model, f.tasks, f.count, 0, &memory, &f.reduction, NULL);
    assert_true(status == LB_OK || status == LB_INVALID_ARGUMENT);
    f.accepted = status == LB_OK;
    return f;
}

static void teardown_fixture(fixture *f)
{
    lb_allocator memory = memory_allocator(NULL);
    if (f->accepted)
        memory_release(&memory, f->reduction.memory);
    lb_model_release(f->model);
}
#define owned_fixture __attribute__((cleanup(teardown_fixture))) fixture

/* a random configuration, and the numbers of it that the reduction reads */
static void random_local(const fixture *f, lb_random *random, double *q, double *local)
{
    lb_configuration_random(f->model, random, q);
    for (int i = 0; i < f->reduction.problem.tree.nq; i++)
        local[i] = q[f->reduction.model_q[i]];
}

/* T_base_tool by the oracle */
static lb_transform expected_tool(const fixture *f, const lb_task *task, const double *q)
{
    lb_transform links[MOST_JOINTS + 1];
    test_forward(f->model, q, links);
    const lb_transform world = LB_TRANSFORM_IDENTITY;
    lb_transform base = task->base == LB_WORLD ? world : links[task->base];
    lb_transform base_tip = lb_transform_between(&base, &links[task->tip]);
    return lb_transform_multiply(&base_tip, &task->tool);
}

/* ---- frames --------------------------------------------------------------- */

static void check_tools(const fixture *f, lb_random *random)
{
    const ik_reduction *r = &f->reduction;
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    lb_transform frames[MOST_FRAMES];
    double q[MOST], local[MOST];
    random_local(f, random, q, local);
    kernel_forward(&r->problem.tree, &base, local, frames);
    for (int i = 0; i < f->count; i++) {
        const kernel_task *task = &r->problem.tasks[i];
        lb_transform actual = frames[task->frame];
        actual.p = lb_transform_point(&actual, task->tool);
        // the goal of the place where the model has the tool is the place where the problem has it
        lb_transform tool = expected_tool(f, &f->tasks[i], q);
        lb_transform expected = goal_of(r, i, &tool);
        // 1e-16 a product, along two ways of 14 joints, of places in units of length
        double size = 1 + lb_vec3_length(expected.p);
        assert_transform_near(&actual, &expected, 1e-13 * size);
    }
}

TEST(a_reduction_has_the_tools_where_the_model_has_them)
{
    int accepted = 0;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_fixture f = setup_fixture(seed, &random);
        accepted += f.accepted;
        for (int n = 0; f.accepted && n < 5; n++)
            check_tools(&f, &random);
    }
    assert_true(accepted > TREES / 4);
}

/* a chain whose axes are parallel, or opposite, but for 1e-16 to 1e-1 radians */
static lb_model *build_slanted(lb_random *random)
{
    enum { JOINTS = 5 };
    static const char *const names[JOINTS + 1] = {"a", "b", "c", "d", "e", "f"};
    lb_joint joints[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        const double slant = pow(10, -lb_random_between(random, 1, 16));
        const double about = lb_random_between(random, -LB_PI, LB_PI);
        const lb_vec3 across = {cos(about), sin(about), 0}, up = {0, 0, 1};
        const double angle = slant + (test_random_chance(random, 0.3) ? LB_PI : 0);
        const lb_quat turn = lb_quat_from_axis_angle(up, lb_random_between(random, -3, 3));
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = test_random_chance(random, 0.2) ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE;
        joints[i].placement =
            lb_transform_from_quat(lb_quat_multiply(lb_quat_from_axis_angle(across, angle), turn),
                                   lb_vec3_scale(test_random_direction(random), 0.5));
        joints[i].lower[0] = -3;
        joints[i].upper[0] = 3;
    }
    return test_make("slanted", NULL, 0, joints, JOINTS);
}

TEST(axes_that_are_nearly_parallel_keep_their_places)
{
    lb_random random = test_seed(3);
    for (int n = 0; n < TREES; n++) {
        owned_fixture f = {.model = build_slanted(&random), .count = 1, .accepted = true};
        lb_allocator memory = memory_allocator(NULL);
        f.tasks[0] = lb_task_make(5, LB_WORLD, LB_TASK_POSE);
        assert_int_equal(ik_reduce(f.model, f.tasks, 1, 0, &memory, &f.reduction, NULL), LB_OK);
        check_tools(&f, &random);
    }
}

/* at the goal the kernel's error is nothing, and the kernel says so */
TEST(a_goal_that_is_met_has_no_error)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_fixture f = setup_fixture(seed, &random);
        if (f.accepted) {
            const ik_reduction *r = &f.reduction;
            kernel_control control = {.position_tolerance = 1e-12, .rotation_tolerance = 1e-12};
            lb_transform goals[MOST_TASKS], frames[MOST_FRAMES];
            double q[MOST], local[MOST], error[6 * MOST_TASKS], jacobian[6 * MOST_TASKS * MOST];
            random_local(&f, &random, q, local);
            for (int i = 0; i < f.count; i++) {
                lb_transform target = expected_tool(&f, &f.tasks[i], q);
                goals[i] = goal_of(r, i, &target);
            }
            assert_true(
                kernel_evaluate(&r->problem, &control, local, goals, frames, error, jacobian));
        }
    }
}

/* ---- reach ---------------------------------------------------------------- */

/* no configuration has the tool farther from its shoulder than the reach, rounding aside */
TEST(no_tool_is_beyond_its_reach)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_fixture f = setup_fixture(seed, &random);
        for (int n = 0; f.accepted && n < 10; n++) {
            double q[MOST], local[MOST];
            random_local(&f, &random, q, local);
            for (int i = 0; i < f.count; i++) {
                const ik_reach *reach = &f.reduction.reaches[i];
                lb_transform tool = expected_tool(&f, &f.tasks[i], q);
                lb_transform goal = goal_of(&f.reduction, i, &tool);
                double far = lb_vec3_length(lb_vec3_sub(goal.p, reach->shoulder));
                if (!(far <= reach->radius * (1 + 1e-12) + 1e-12))
                    fail_msg("task %d, tip %d: the tool is %g from its shoulder, its reach %g "
                             "(seed %llu)",
                             i, f.tasks[i].tip, far, reach->radius, (unsigned long long)seed);
            }
        }
    }
}

/* ---- the kernel's Jacobian ------------------------------------------------ */

/*
 * At the goal the derivative of the error is minus the Jacobian: for positions by
 * definition, for turns because 2 sin(t / 2) is the angle there.
 */
static void check_jacobian(const fixture *f, lb_random *random)
{
    const kernel_problem *p = &f->reduction.problem;
    const kernel_control control = {.position_tolerance = 1e-6, .rotation_tolerance = 1e-6};
    lb_transform goals[MOST_TASKS], frames[MOST_FRAMES];
    double q[MOST], local[MOST], step[MOST] = {0}, moved[MOST];
    double jacobian[6 * MOST_TASKS * MOST], unused[6 * MOST_TASKS * MOST];
    double error[6 * MOST_TASKS], before[6 * MOST_TASKS], after[6 * MOST_TASKS];
    random_local(f, random, q, local);
    for (int i = 0; i < f->count; i++) {
        lb_transform target = expected_tool(f, &f->tasks[i], q);
        goals[i] = goal_of(&f->reduction, i, &target);
    }
    kernel_evaluate(p, &control, local, goals, frames, error, jacobian);
    double size = 1;
    for (int i = 0; i < p->rows * p->tree.nv; i++)
        size = fmax(size, fabs(jacobian[i]));
    memcpy(moved, local, sizeof moved);
    for (int v = 0; v < p->tree.nv; v++) {
        step[v] = -STEP;
        kernel_advance(p, local, step, moved);
        kernel_evaluate(p, &control, moved, goals, frames, before, unused);
        step[v] = STEP;
        kernel_advance(p, local, step, moved);
        kernel_evaluate(p, &control, moved, goals, frames, after, unused);
        step[v] = 0;
        for (int row = 0; row < p->rows; row++)
            assert_near(jacobian[v * p->rows + row], (before[row] - after[row]) / (2 * STEP),
                        1e-7 * size);
    }
}

TEST(the_kernels_jacobian_is_the_slope_of_its_error)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_fixture f = setup_fixture(seed, &random);
        if (f.accepted)
            check_jacobian(&f, &random);
    }
}

/* ---- what is refused ------------------------------------------------------ */

TEST(tasks_of_different_bases_are_refused)
{
    lb_random random = test_seed(1);
    test_tree wanted = test_tree_default();
    owned_model *model = test_tree_build(&wanted, &random);
    lb_task tasks[2] = {lb_task_make(8, 0, LB_TASK_POSE), lb_task_make(7, 1, LB_TASK_POSE)};
    lb_allocator memory = memory_allocator(NULL);
    ik_reduction reduction;
    lb_error error;
    assert_int_equal(ik_reduce(model, tasks, 2, 0, &memory, &reduction, &error), LB_UNSUPPORTED);
    assert_non_null(strstr(error.message, "base"));
}

/* what follows with multiplier 0 is a part of the link: no solver needs how far it goes */
TEST(what_never_moves_is_no_joint)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    lb_joint joints[3];
    for (int j = 0; j < 3; j++) {
        joints[j] = lb_joint_default();
        joints[j].name = names[j];
        joints[j].parent = names[j];
        joints[j].child = names[j + 1];
        joints[j].kind = j == 1 ? LB_JOINT_REVOLUTE : LB_JOINT_PRISMATIC;
        joints[j].axis = j == 1 ? lb_vec3_make(0, 0, 1) : lb_vec3_make(1, 0, 0);
        joints[j].placement = lb_transform_translation(1, 0, 0);
    }
    joints[2].mimic = "a";
    joints[2].multiplier = 0;
    joints[2].offset = 0.3;
    owned_model *model = test_make("m", NULL, 0, joints, 3);
    lb_error error = {0};

    // starts at random go anywhere, since nothing has limits; all of them are places
    lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    options.seeds = 0;
    lb_ik *ik = test_solver(model, &task, 1, &options);
    const double goal[] = {-7, 2.5}, start[] = {0, 0};
    lb_transform target = test_task_tool(model, &task, goal);
    double q[2];
    lb_ik_result result;
    assert_int_equal(lb_ik_solve(ik, &target, start, q, &result), LB_REACHED);
    assert_near(q[0], goal[0], 1e-5);
    target.p.y += 1;
    assert_int_not_equal(lb_ik_solve(ik, &target, start, q, &result), LB_REACHED);
    assert_true(isfinite(q[0]) && isfinite(q[1]));
    lb_ik_release(ik);

    // alone it moves nothing
    task = lb_task_make(3, 2, LB_TASK_POSITION);
    assert_int_equal(lb_ik_create(model, &task, 1, NULL, NULL, &ik, &error), LB_INVALID_ARGUMENT);
    assert_non_null(strstr(error.message, "'d': no free joint moves it against c"));
}
