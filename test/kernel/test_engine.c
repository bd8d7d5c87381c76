/*
 * test_engine.c - what the kernel does with limits: the ranges of balls, and the active set.
 */
#include "kernel/ops.h"

#include <limber/ik.h>

#include "support.h"

enum { BALLS = 3, TARGETS = 100 };

/* a ball about some axis, as the kernel sees it */
static kernel_variable make_ball(double lower, double upper, double swing)
{
    lb_vec3 axis = lb_vec3_normalize(lb_vec3_make(1, 2, 3), lb_vec3_make(0, 0, 1));
    return (kernel_variable){
        .ball = true, .lower = lower, .upper = upper, .swing = swing, .axis = axis, .mobility = 1};
}

/* the same as a model's joint: a chain of them */
static lb_model *build_balls(const kernel_variable *ball)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    lb_joint joints[BALLS];
    for (int i = 0; i < BALLS; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = names[i];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = LB_JOINT_BALL;
        joints[i].axis = ball->axis;
        joints[i].lower[0] = ball->lower;
        joints[i].upper[0] = ball->upper;
        joints[i].upper[1] = ball->swing;
        joints[i].placement.p.z = i > 0 ? 0.5 : 0;
    }
    return test_make("balls", NULL, 0, joints, BALLS);
}

/* ranges of twist within half a turn, across it, at it, and a whole turn away; swings */
static const double ranges[][3] = {{-1, 1, 1},    {0, 3.1, 1},   {1.6, 4.7, 1}, {2.9, 3.3, 1},
                                   {-4, -3, 0.5}, {-8, -1, 0.7}, {-3.3, 0, 2},  {0.3, 0.3, 1}};

/* the kernel and the model agree on what the nearest rotation within the limits is */
TEST(balls_are_clamped_as_the_model_does)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        kernel_variable ball = make_ball(ranges[i][0], ranges[i][1], ranges[i][2]);
        owned_model *model = build_balls(&ball);
        lb_random random = test_seed(i);
        for (int n = 0; n < 1000; n++) {
            lb_quat given = test_random_quat(&random);
            double q[4] = {given.w, given.x, given.y, given.z}, expected[4 * BALLS] = {0};
            memcpy(expected, q, sizeof q);
            lb_configuration_clamp(model, expected, expected);
            kernel_clamp(&ball, q);
            // q and -q are one rotation
            double dot =
                q[0] * expected[0] + q[1] * expected[1] + q[2] * expected[2] + q[3] * expected[3];
            assert_near(fabs(dot), 1, 1e-12);
        }
    }
}

/* and every pose within such limits is found again */
TEST(balls_reach_what_their_ranges_allow)
{
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        kernel_variable ball = make_ball(ranges[i][0], ranges[i][1], ranges[i][2]);
        owned_model *model = build_balls(&ball);
        lb_task task = lb_task_make(BALLS, LB_WORLD, LB_TASK_POSE);
        task.tool.p.z = 0.3;
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        lb_random random = test_seed(i);
        for (int n = 0; n < TARGETS; n++) {
            double start[4 * BALLS], goal[4 * BALLS], q[4 * BALLS];
            lb_configuration_random(model, &random, start);
            lb_configuration_random(model, &random, goal);
            lb_transform target = test_task_tool(model, &task, goal);
            assert_int_equal(lb_ik_solve(ik, &target, start, q, NULL), LB_REACHED);
            assert_true(test_limit_excess(model, q) <= 1e-12);
        }
    }
}

/* ---- the active set ------------------------------------------------------- */

/* how far a ball has twisted and swung, by the model's own decomposition */
static void measure(lb_quat q, lb_vec3 axis, double *twist, double *swing)
{
    lb_quat s, t;
    lb_quat_swing_twist(q, axis, &s, &t);
    *twist = 2 * lb_atan2(lb_vec3_dot(lb_vec3_make(t.x, t.y, t.z), axis), t.w);
    *swing = 2 * lb_atan2(lb_vec3_length(lb_vec3_make(s.x, s.y, s.z)), s.w);
}

/* the rotation after a small angular velocity along one of the child's axes */
static lb_quat turned(lb_quat q, int k, double angle)
{
    double v[3] = {0, 0, 0};
    v[k] = angle;
    return lb_quat_multiply(q, lb_quat_exp(lb_vec3_make(v[0], v[1], v[2])));
}

/*
 * A ball at a limit loses exactly the direction in which what is limited grows, by central
 * differences, and only when it is pushed there.
 */
static void check_blocked(lb_quat given, lb_vec3 axis, bool at_cone, double push)
{
    const double h = 1e-6;
    double q[4] = {given.w, given.x, given.y, given.z}, twist, swing, gradient[3], size = 0;
    measure(given, axis, &twist, &swing);
    for (int k = 0; k < 3; k++) {
        double t[2], s[2];
        measure(turned(given, k, h), axis, &t[0], &s[0]);
        measure(turned(given, k, -h), axis, &t[1], &s[1]);
        gradient[k] = (at_cone ? s[0] - s[1] : t[0] - t[1]) / (2 * h);
        size += gradient[k] * gradient[k];
    }
    kernel_variable ball = {.ball = true,
                            .lower = -3,
                            .upper = at_cone ? 3 : twist,
                            .swing = at_cone ? swing : 3.1,
                            .axis = axis,
                            .mobility = 1};
    kernel_problem problem = {.variables = &ball, .variable_count = 1, .rows = 3};
    // a unit Jacobian: the gradient that the ball is pushed along is the error itself
    double jacobian[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, error[3];
    for (int k = 0; k < 3; k++)
        error[k] = push * gradient[k];
    kernel_restrain(&problem, q, error, jacobian);
    for (int k = 0; k < 3; k++)
        for (int r = 0; r < 3; r++) {
            double taken = push > 0 ? gradient[k] * gradient[r] / size : 0;
            assert_near(jacobian[3 * k + r], (k == r) - taken, 1e-7);
        }
}

TEST(balls_lose_the_direction_that_leads_out)
{
    lb_random random = test_seed(9);
    for (int n = 0; n < 500;) {
        lb_quat q = test_random_quat(&random);
        lb_vec3 axis = test_random_direction(&random);
        double twist, swing;
        measure(q, axis, &twist, &swing);
        // where differences of angles mean something and the other limit is far
        if (fabs(twist) > 2.8 || swing < 0.1 || swing > 3)
            continue;
        n++;
        for (int c = 0; c < 4; c++)
            check_blocked(q, axis, c % 2, c < 2 ? 1 : -1);
    }
}
