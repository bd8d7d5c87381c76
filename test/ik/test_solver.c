/*
 * test_solver.c - what is refused when a solver is made: options, tasks, sizes, by name.
 */
#include <limber/formats/load.h>
#include <limber/ik.h>
#include <limits.h>

#include "support_arm.h"
#include "support_load.h"

/* ---- what is refused ------------------------------------------------------ */

/* the message names what is wrong, and there is no solver */
static void check_refused(const lb_model *model, const lb_task *tasks, int n,
                          const lb_ik_options *options, lb_status status, const char *words)
{
    lb_ik *ik = (lb_ik *)(uintptr_t)1;
    lb_error error = {0};
    test_memory memory = {.fail_at = -1};
    lb_allocator allocator = test_memory_allocator(&memory);
    assert_int_equal(lb_ik_create(model, tasks, n, options, &allocator, &ik, &error), status);
    assert_null(ik);
    assert_int_equal(error.status, status);
    if (strstr(error.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
    assert_int_equal(memory.live, 0);
    // the error may be left out
    assert_int_equal(lb_ik_create(model, tasks, n, options, NULL, &ik, NULL), status);
}

static void check_accepted(const lb_model *model, const lb_task *tasks, int n)
{
    owned_ik *ik = test_solver(model, tasks, n, NULL);
}

TEST(options_out_of_range_are_refused_by_name)
{
    const struct {
        const char *name;
        size_t offset;
        bool zero; /* may be */
    } numbers[] = {
        {"position_tolerance", offsetof(lb_ik_options, position_tolerance), false},
        {"rotation_tolerance", offsetof(lb_ik_options, rotation_tolerance), false},
        {"length", offsetof(lb_ik_options, length), true},
        {"damping", offsetof(lb_ik_options, damping), true},
        {"step_limit", offsetof(lb_ik_options, step_limit), true},
    };
    const double bad[] = {-1, NAN, INFINITY, -INFINITY, 0};
    owned_model *model = test_load("planar3");
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        for (int k = 0; k < 5; k++) {
            lb_ik_options options = lb_ik_options_default();
            memcpy((char *)&options + numbers[i].offset, &bad[k], sizeof(double));
            if (bad[k] == 0 && numbers[i].zero)
                lb_ik_release(test_solver(model, &task, 1, &options));
            else
                check_refused(model, &task, 1, &options, LB_INVALID_ARGUMENT, numbers[i].name);
        }
    }
    // a length that leaves no numbers for the others
    static const double lengths[] = {1e-310, 1e-100, 2e15, 1e300};
    for (int i = 0; i < 4; i++) {
        lb_ik_options options = lb_ik_options_default();
        options.length = lengths[i];
        check_refused(model, &task, 1, &options, LB_INVALID_ARGUMENT, "length");
    }
}

TEST(whole_options_out_of_range_are_refused_by_name)
{
    owned_model *model = test_load("planar3");
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSITION);
    lb_ik_options options = lb_ik_options_default();
    options.iterations = -1;
    check_refused(model, &task, 1, &options, LB_INVALID_ARGUMENT, "iterations");
    options.iterations = LB_IK_ITERATIONS_MAX + 1;
    check_refused(model, &task, 1, &options, LB_INVALID_ARGUMENT, "iterations");

    options = lb_ik_options_default();
    const int widths[] = {-1, 3, 5, 16, INT_MAX, INT_MIN};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        options.width = widths[i];
        check_refused(model, &task, 1, &options, LB_INVALID_ARGUMENT, "width");
    }

    options = lb_ik_options_default();
    const int protocols[] = {-1, LB_PROTOCOL_GIVEN + 1};
    for (int i = 0; i < 2; i++) {
        options.protocol = (lb_protocol)protocols[i];
        check_refused(model, &task, 1, &options, LB_INVALID_ARGUMENT, "protocol");
    }

    // numbers that are out of range, whatever they are of
    const struct {
        const char *name;
        size_t offset;
        int bad[2];
    } numbers[] = {{"control", offsetof(lb_ik_options, control), {-1, LB_CONTROL_SQUARE + 1}},
                   {"rank", offsetof(lb_ik_options, ranked.rank), {-1, LB_RANK_ROOM + 1}},
                   {"bend", offsetof(lb_ik_options, analytic.bend), {-2, 2}},
                   {"seeds", offsetof(lb_ik_options, seeds), {-1, INT_MAX}}};
    for (int i = 0; i < 8; i++) {
        options = lb_ik_options_default();
        memcpy((char *)&options + numbers[i / 2].offset, &numbers[i / 2].bad[i % 2], sizeof(int));
        check_refused(model, &task, 1, &options, LB_INVALID_ARGUMENT, numbers[i / 2].name);
    }
}

/* more rows than an index holds are refused before anything is allocated */
TEST(too_many_tasks_are_refused)
{
    enum { MANY = 20000 };
    owned_model *model = test_load("planar3");
    owned lb_task *tasks = malloc(MANY * sizeof *tasks);
    assert_non_null(tasks);
    for (int i = 0; i < MANY; i++)
        tasks[i] = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    check_refused(model, tasks, MANY, NULL, LB_UNSUPPORTED, "too many");
}

TEST(tasks_that_mean_nothing_are_refused)
{
    owned_model *model = test_load("panda");
    int links = lb_model_link_count(model);
    const lb_task good = lb_task_make(links - 1, LB_WORLD, LB_TASK_POSE);
    check_refused(model, &good, 0, NULL, LB_INVALID_ARGUMENT, "task");
    check_refused(model, &good, -1, NULL, LB_INVALID_ARGUMENT, "task");

    // links that there are not; the second of two is named by its number
    const int nowhere[] = {-1, -2, links, INT_MAX, INT_MIN};
    for (int i = 0; i < 5; i++) {
        lb_task tasks[2] = {good, good};
        tasks[1].tip = nowhere[i];
        check_refused(model, tasks, 2, NULL, LB_INVALID_ARGUMENT, "task 1");
        tasks[1] = good;
        tasks[1].base = nowhere[i];
        if (nowhere[i] != LB_WORLD)
            check_refused(model, tasks, 2, NULL, LB_INVALID_ARGUMENT, "task 1");
    }

    const double weights[] = {0, -1, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        lb_task task = good;
        task.weight = weights[i];
        check_refused(model, &task, 1, NULL, LB_INVALID_ARGUMENT, "weight");
        task = good;
        task.free_axis.y = i < 2 ? NAN : INFINITY;
        check_refused(model, &task, 1, NULL, LB_INVALID_ARGUMENT, "free axis");
        task = good;
        (i < 2 ? &task.tool.p : &task.tool.x)->z = i % 2 ? NAN : INFINITY;
        check_refused(model, &task, 1, NULL, LB_INVALID_ARGUMENT, "tool");
    }
    for (int kind = 0; kind < 3; kind++) {
        const unsigned all = LB_FREE_X | LB_FREE_Y | LB_FREE_Z, sets[] = {all, 8, 1u << 31};
        for (int i = 0; i < 3; i++) {
            lb_task tasks[2] = {good, good};
            tasks[1].kind = (lb_task_kind)kind;
            tasks[1].free_position = sets[i];
            // which a rotation does not read
            if (kind == LB_TASK_ROTATION)
                check_accepted(model, tasks, 2);
            else
                check_refused(model, tasks, 2, NULL, LB_INVALID_ARGUMENT,
                              i == 0 ? "task 1: with all of x, y and z free no position counts; "
                                       "use LB_TASK_ROTATION"
                                     : "is not made of LB_FREE_X, LB_FREE_Y and LB_FREE_Z");
        }
    }
    lb_task task = good;
    task.tool.y = lb_vec3_make(0, 2, 0);
    check_refused(model, &task, 1, NULL, LB_INVALID_ARGUMENT, "tool");
    const int kinds[] = {-1, LB_TASK_POSE + 1};
    for (int i = 0; i < 2; i++) {
        task = good;
        task.kind = (lb_task_kind)kinds[i];
        check_refused(model, &task, 1, NULL, LB_INVALID_ARGUMENT, "kind");
    }
}

/* a tip is named that no free joint moves, be it the base, rigid to it, or behind locks */
TEST(tasks_that_nothing_moves_are_refused)
{
    test_arm arm;
    test_arm_make(&arm);
    arm.joints[0].locked = true;
    arm.joints[1].kind = LB_JOINT_FIXED;
    lb_model *model = test_build(&arm.source);
    for (int tip = 0; tip < 4; tip++) {
        lb_task task = lb_task_make(tip, tip, LB_TASK_POSITION);
        check_refused(model, &task, 1, NULL, LB_INVALID_ARGUMENT, arm.links[tip].name);
    }
    for (int tip = 0; tip < 3; tip++) {
        lb_task tasks[2] = {lb_task_make(3, LB_WORLD, LB_TASK_POSE),
                            lb_task_make(tip, LB_WORLD, LB_TASK_POSE)};
        check_refused(model, tasks, 2, NULL, LB_INVALID_ARGUMENT, arm.links[tip].name);
    }
    lb_task tasks[2] = {lb_task_make(3, 0, LB_TASK_POSE), lb_task_make(3, 1, LB_TASK_POSE)};
    check_refused(model, tasks, 2, NULL, LB_UNSUPPORTED, "base");
    lb_model_release(model);

    // a model without any joint
    lb_link alone = lb_link_default();
    alone.name = "alone";
    model = test_make("lone", &alone, 1, NULL, 0);
    lb_task task = lb_task_make(0, LB_WORLD, LB_TASK_POSE);
    check_refused(model, &task, 1, NULL, LB_INVALID_ARGUMENT, "alone");
    lb_model_release(model);
}
