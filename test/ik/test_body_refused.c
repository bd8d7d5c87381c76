/*
 * test_body_refused.c - tasks, options and settings of a body with one value that is wrong: each
 * is refused, with its name where there is an error to fill, and changes nothing.
 */
#include <limber/body.h>
#include <limits.h>
#include <math.h>

#include "support.h"

/* base - j1 - a - j2 (follows j1) - b - j3 (fixed) - c - j4 (ball) - d - j5 (floating) - e */
enum { J1, J2, J3, J4, J5, JOINTS };
enum { A = 1, B, C, D, E, LINKS };

static lb_model *make_model(double mass)
{
    static const char *const names[LINKS] = {"base", "a", "b", "c", "d", "e"};
    static const lb_joint_kind kinds[JOINTS] = {LB_JOINT_REVOLUTE, LB_JOINT_REVOLUTE,
                                                LB_JOINT_FIXED, LB_JOINT_BALL, LB_JOINT_FLOATING};
    static const char *const joint_names[JOINTS] = {"j1", "j2", "j3", "j4", "j5"};
    lb_link links[LINKS];
    lb_joint joints[JOINTS];
    lb_model *model = NULL;
    lb_error error = {0};
    for (int i = 0; i < LINKS; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    links[D].mass = mass;
    for (int i = 0; i < JOINTS; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joint_names[i];
        joints[i].kind = kinds[i];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].placement.p.x = 1;
    }
    joints[J1].lower[0] = joints[J2].lower[0] = -2;
    joints[J1].upper[0] = joints[J2].upper[0] = 2;
    joints[J2].mimic = "j1";
    joints[J2].multiplier = 1;
    const lb_model_source source = {.root = LB_TRANSFORM_IDENTITY,
                                    .links = links,
                                    .link_count = LINKS,
                                    .joints = joints,
                                    .joint_count = JOINTS};
    assert_made(lb_model_build(&source, NULL, &model, &error), error);
    return model;
}

/* ---- tasks ------------------------------------------------------------------ */

static void check_refused(const lb_model *model, const lb_body_task *task,
                          const lb_body_options *options, const char *words)
{
    lb_body *body = NULL;
    lb_error error = {0};
    assert_int_not_equal(lb_body_create(model, task, 1, options, NULL, &body, &error), LB_OK);
    assert_null(body);
    if (strstr(error.message, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, words);
}

TEST(numbers_of_tasks_are_checked)
{
    static const double bad[] = {-1, NAN, INFINITY, 2e15};
    static const struct {
        size_t offset;
        const char *words;
    } numbers[] = {
        {offsetof(lb_body_task, weight), "task 0 (pose): weight must be"},
        {offsetof(lb_body_task, distance), "task 0 (pose): distance must be"},
        {offsetof(lb_body_task, box.x), "task 0 (pose): box and cone must be"},
        {offsetof(lb_body_task, box.y), "task 0 (pose): box and cone must be"},
        {offsetof(lb_body_task, box.z), "task 0 (pose): box and cone must be"},
        {offsetof(lb_body_task, cone), "task 0 (pose): box and cone must be"},
        {offsetof(lb_body_task, position_tolerance), "task 0 (pose): tolerances must be"},
        {offsetof(lb_body_task, rotation_tolerance), "task 0 (pose): tolerances must be"},
    };
    owned_model *model = make_model(1);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            lb_body_task task = lb_body_task_make(LB_BODY_POSE, E);
            memcpy((char *)&task + numbers[i].offset, &bad[k], sizeof bad[k]);
            check_refused(model, &task, NULL, numbers[i].words);
        }
}

/* what a pole's ends, joints, centres of mass and supports need */
TEST(what_kinds_need_is_checked)
{
    static const double square[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const double infinite[3][2] = {{0, 0}, {1, 0}, {0, INFINITY}};
    static const double(*const far)[2] = infinite, (*const fine)[2] = square;
    const lb_vec3 nowhere = {0, NAN, 0};
    const struct {
        lb_body_task task;
        const char *words;
    } rows[] = {
        {{.kind = LB_BODY_KIND_COUNT}, "task 0: no such kind"},
        {{.kind = LB_BODY_POSE, .link = -1}, "link must be one of the model's"},
        {{.kind = LB_BODY_POSE, .link = E, .base = -2}, "base must be a link or LB_WORLD"},
        {{.kind = LB_BODY_POSE, .link = E, .base = LINKS}, "base must be a link or LB_WORLD"},
        {{.kind = LB_BODY_POSE, .link = E, .level = -1}, "level must be 0 to 3"},
        {{.kind = LB_BODY_POLE, .link = B, .first = -1, .last = E}, "first and last must be links"},
        {{.kind = LB_BODY_POLE, .link = B, .first = A, .last = LINKS}, "first and last must be"},
        {{.kind = LB_BODY_POLE, .link = B, .first = A, .last = E, .first_point = nowhere},
         "a point is not finite"},
        {{.kind = LB_BODY_POLE, .link = B, .first = A, .last = E, .last_point = nowhere},
         "a point is not finite"},
        {{.kind = LB_BODY_JOINT, .joint = -1}, "joint must be one of the model's"},
        {{.kind = LB_BODY_JOINT, .joint = JOINTS}, "joint must be one of the model's"},
        {{.kind = LB_BODY_JOINT, .joint = J2}, "follows another one: give that joint the task"},
        {{.kind = LB_BODY_JOINT, .joint = J3}, "the joint is fixed"},
        {{.kind = LB_BODY_DIRECTION, .link = E, .axis = nowhere}, "axis must be finite"},
        {{.kind = LB_BODY_SUPPORT}, "3 to 16 vertices"},
        {{.kind = LB_BODY_SUPPORT, .vertices = fine, .vertex_count = 2}, "3 to 16 vertices"},
        {{.kind = LB_BODY_SUPPORT, .vertices = fine, .vertex_count = 17}, "3 to 16 vertices"},
        {{.kind = LB_BODY_SUPPORT, .vertices = far, .vertex_count = 3}, "a vertex is not finite"},
    };
    owned_model *model = make_model(1), *light = make_model(0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lb_body_task task = rows[i].task;
        task.tool = LB_TRANSFORM_IDENTITY;
        check_refused(model, &task, NULL, rows[i].words);
    }
    // what has no mass has no centre of mass
    lb_body_task center = lb_body_task_make(LB_BODY_CENTER_OF_MASS, 0);
    check_refused(light, &center, NULL, "no link of the model has a mass");
}

TEST(options_are_checked)
{
    lb_body_options options[14];
    for (int i = 0; i < 14; i++)
        options[i] = lb_body_options_default();
    options[0].position_tolerance = 0;
    options[1].position_tolerance = INFINITY;
    options[2].rotation_tolerance = NAN;
    options[3].rotation_tolerance = INFINITY;
    options[4].iterations = 0;
    options[5].length = -1;
    options[6].length = 2e15;
    options[7].posture = -1;
    options[8].posture = 2e15;
    options[9].restarts = -1;
    options[10].width = 3;
    options[11].width = 16;
    options[12].restarts = INT_MAX;
    options[13].iterations = INT_MAX;
    static const char *const words[14] = {"toleran", "toleran", "toleran", "toleran", "iterati",
                                          "length",  "length",  "posture", "posture", "restart",
                                          "width",   "width",   "restart", "iterati"};
    owned_model *model = make_model(1);
    lb_body_task task = lb_body_task_make(LB_BODY_POSE, E);
    for (int i = 0; i < 14; i++)
        check_refused(model, &task, &options[i], words[i]);
    lb_body_options most = lb_body_options_default();
    most.restarts = LB_BODY_RESTARTS_MAX;
    most.iterations = LB_BODY_ITERATIONS_MAX;
    owned_body *body = NULL;
    assert_int_equal(lb_body_create(model, &task, 1, &most, NULL, &body, NULL), LB_OK);
}

/* ---- settings --------------------------------------------------------------- */

enum { POSE, JOINT, TASKS };

/* whatever is refused, the next solution is the same to the last bit */
TEST(wrong_settings_are_refused_and_change_nothing)
{
    owned_model *model = make_model(1);
    lb_body_task tasks[TASKS] = {lb_body_task_make(LB_BODY_POSE, B),
                                 lb_body_task_make(LB_BODY_JOINT, 0)};
    tasks[JOINT].joint = J4;
    owned_body *body = test_body(model, tasks, TASKS, NULL);
    double before[16], after[16], start[16], far[16];
    lb_body_result result;
    lb_configuration_neutral(model, start);
    memcpy(far, start, sizeof far);
    far[0] = 1e16;
    assert_true(lb_model_nq(model) <= 16);
    start[0] = 0.5;
    lb_body_solve(body, start, before, &result);
    // tasks that there are not, or of another kind
    static const int none[] = {-1, TASKS};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lb_body_set_point(body, none[i], lb_vec3_make(0, 0, 0)),
                         LB_INVALID_ARGUMENT);
        assert_int_equal(lb_body_set_target(body, none[i], &LB_TRANSFORM_IDENTITY),
                         LB_INVALID_ARGUMENT);
        assert_int_equal(lb_body_set_value(body, none[i], start), LB_INVALID_ARGUMENT);
        assert_int_equal(lb_body_set_weight(body, none[i], 1), LB_INVALID_ARGUMENT);
        assert_int_equal(lb_body_hold(body, none[i], start), LB_INVALID_ARGUMENT);
        assert_near(lb_body_target(body, none[i]).p.x, 0, 0);
    }
    assert_int_equal(lb_body_set_target(body, JOINT, &LB_TRANSFORM_IDENTITY), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_body_set_value(body, POSE, start), LB_INVALID_ARGUMENT);
    // numbers that are none
    static const double bad[] = {-1, NAN, 2e15, INFINITY};
    const double turn[4] = {1, 0, NAN, 0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(lb_body_set_weight(body, POSE, bad[i]), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_value(body, JOINT, turn), LB_BAD_VALUE);
    assert_int_equal(lb_body_hold(body, POSE, far), LB_BAD_VALUE);
    assert_int_equal(lb_body_set_posture(body, far), LB_BAD_VALUE);
    lb_body_solve(body, start, after, &result);
    assert_memory_equal(before, after, sizeof(double) * (size_t)lb_model_nq(model));
    // a posture, and none again
    assert_int_equal(lb_body_set_posture(body, start), LB_OK);
    assert_int_equal(lb_body_set_posture(body, NULL), LB_OK);
    lb_body_solve(body, start, after, &result);
    assert_memory_equal(before, after, sizeof(double) * (size_t)lb_model_nq(model));
}

TEST(limits_and_speeds_are_checked)
{
    static const struct {
        int joint, value;
        double lower, upper;
        lb_status status;
    } limits[] = {
        {-1, 0, 0, 1, LB_INVALID_ARGUMENT},
        {JOINTS, 0, 0, 1, LB_INVALID_ARGUMENT},
        {J1, -1, 0, 1, LB_INVALID_ARGUMENT},
        {J1, 1, 0, 1, LB_INVALID_ARGUMENT},
        {J2, 0, 0, 1, LB_INVALID_ARGUMENT}, // it follows j1
        {J3, 0, 0, 1, LB_INVALID_ARGUMENT},
        {J4, 2, 0, 1, LB_INVALID_ARGUMENT}, // twist and swing are all that a ball has
        {J5, 3, 0, 1, LB_INVALID_ARGUMENT}, // the turn of a floating joint
        {J5, 4, 0, 1, LB_INVALID_ARGUMENT},
        {J1, 0, 1, -1, LB_BAD_VALUE},
        {J1, 0, NAN, 1, LB_BAD_VALUE},
        {J1, 0, 0, NAN, LB_BAD_VALUE},
        {J4, 0, NAN, 1, LB_BAD_VALUE},
        {J4, 1, NAN, 1, LB_OK}, // the lower one of a swing is not read
        {J4, 0, 1, -1, LB_BAD_VALUE},
        {J4, 1, 0, -1, LB_BAD_VALUE},
        {J4, 0, -1, 1, LB_OK},
        {J4, 1, 0, 1, LB_OK},
        {J5, 2, -1, 1, LB_OK},
        // none that leaves a value
        {J1, 0, INFINITY, INFINITY, LB_BAD_VALUE},
        {J5, 2, 1e300, INFINITY, LB_BAD_VALUE},
        {J5, 2, -INFINITY, -INFINITY, LB_BAD_VALUE},
        {J4, 0, 4, INFINITY, LB_BAD_VALUE},
    };
    static const struct {
        int joint;
        double speed, acceleration;
        lb_status status;
    } speeds[] = {
        {-1, 1, 1, LB_INVALID_ARGUMENT}, {JOINTS, 1, 1, LB_INVALID_ARGUMENT},
        {J1, -1, 1, LB_BAD_VALUE},       {J1, NAN, 1, LB_BAD_VALUE},
        {J1, 1, 0, LB_BAD_VALUE},        {J1, 1, NAN, LB_BAD_VALUE},
        {J1, 0, INFINITY, LB_OK},        {J3, 1, 1, LB_OK},
    };
    owned_model *model = make_model(1);
    lb_body_task task = lb_body_task_make(LB_BODY_POSE, E);
    owned_body *body = test_body(model, &task, 1, NULL);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (lb_body_set_limits(body, limits[i].joint, limits[i].value, limits[i].lower,
                               limits[i].upper) != limits[i].status)
            fail_msg("limits, row %zu", i);
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (lb_body_set_speed(body, speeds[i].joint, speeds[i].speed, speeds[i].acceleration) !=
            speeds[i].status)
            fail_msg("speeds, row %zu", i);
}

/* velocities and times whose product no double holds */
TEST(frames_beyond_the_range_are_invalid)
{
    static const double beyond[] = {2e15, 1e308, -1e308};
    owned_model *model = make_model(1);
    lb_body_task task = lb_body_task_make(LB_BODY_POSE, E);
    owned_body *body = test_body(model, &task, 1, NULL);
    double start[16], q[16], velocity[16] = {0};
    lb_configuration_neutral(model, start);
    for (int j = 0; j < JOINTS; j++)
        lb_body_set_speed(body, j, INFINITY, 1);
    for (int i = 0; i < 3; i++) {
        velocity[0] = beyond[i];
        assert_int_equal(lb_body_advance(body, start, velocity, 10, q, NULL), LB_INVALID);
        assert_memory_equal(q, start, sizeof *q * (size_t)lb_model_nq(model));
    }
    velocity[0] = 1e15;
    assert_int_equal(lb_body_advance(body, start, velocity, 1e300, q, NULL), LB_INVALID);
    assert_int_not_equal(lb_body_advance(body, start, velocity, 1e-3, q, NULL), LB_INVALID);
    for (int i = 0; i < lb_model_nq(model); i++)
        assert_true(isfinite(q[i]));
}

TEST(unknown_kinds_and_reasons_have_words)
{
    assert_string_equal(lb_body_kind_text(LB_BODY_KIND_COUNT), "unknown kind");
    assert_string_equal(lb_body_reason_text(LB_BODY_REASON_COUNT), "unknown reason");
    assert_string_equal(lb_body_reason_text(LB_BODY_REASON_BUDGET), "budget");
}
