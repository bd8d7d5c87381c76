/*
 * coming_from.c - the calls of docs/coming-from.md, for users of other libraries.
 *
 * Prints:
 *     hand at 0.307 m ahead, 0.590 m up
 *     nearest: reached, any: reached
 *     after 50 steps of 10 ms: reached
 *     0.300 m in 0.607 s
 *     difference and back: 0
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

/* the end of the program, with what was wrong */
static void check(lb_status status, const lb_error *error)
{
    if (status == LB_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* KDL's JntToCart, Pinocchio's forwardKinematics and updateFramePlacements */
static lb_transform forward(const lb_model *model, int hand, const double *q)
{
    // [forward]
    lb_state *state;
    lb_state_create(model, NULL, &state);
    lb_state_update(state, q);
    lb_transform tool = lb_state_transform(state, LB_WORLD, hand);
    double jacobian[6 * 8];
    lb_state_jacobian(state, hand, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, jacobian);
    lb_state_release(state);
    // [forward end]
    return tool;
}

/* TRAC-IK's CartToJnt: Distance is "nearest", Speed is "any" */
static void inverse(const lb_model *model, int hand, lb_transform target, const double *start)
{
    // [inverse]
    lb_task task = lb_task_make(hand, LB_WORLD, LB_TASK_POSE);
    lb_ik_options options = lb_ik_options_default();
    lb_ik *nearest, *any;
    lb_error error;
    check(lb_ik_create(model, &task, 1, &options, NULL, &nearest, &error), &error);
    options.protocol = LB_PROTOCOL_ANY;
    check(lb_ik_create(model, &task, 1, &options, NULL, &any, &error), &error);
    double q[8];
    lb_ik_result result;
    lb_outcome first = lb_ik_solve(nearest, &target, start, q, &result);
    lb_outcome second = lb_ik_solve(any, &target, start, q, &result);
    // [inverse end]
    printf("nearest: %s, any: %s\n", lb_outcome_text(first), lb_outcome_text(second));
    lb_ik_release(nearest);
    lb_ik_release(any);
}

/* Pink's and mink's solve_ik: tasks with weights, integrated over a small time */
static void differential(const lb_model *model, int hand, lb_transform target, double *q)
{
    // [differential]
    lb_body_task frame = lb_body_task_make(LB_BODY_POSE, hand);
    lb_body_options options = lb_body_options_default();
    options.posture = 1e-6;
    lb_body *body;
    lb_error error;
    check(lb_body_create(model, &frame, 1, &options, NULL, &body, &error), &error);
    lb_body_set_target(body, 0, &target);
    lb_outcome outcome = LB_STALLED;
    // speeds and limits of joints are limits of every step
    for (int i = 0; i < 50; i++)
        outcome = lb_body_advance(body, q, NULL, 0.01, q, NULL);
    // [differential end]
    printf("after 50 steps of 10 ms: %s\n", lb_outcome_text(outcome));
    lb_body_release(body);
}

/* MoveIt's computeCartesianPath and its time parametrization, Drake's Toppra */
static void straight(const lb_model *model, int hand, lb_transform from, const double *start)
{
    // [straight]
    lb_transform points[2] = {from, from};
    points[1].p.y += 0.3;
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 2};
    lb_path *path;
    lb_error error;
    check(lb_path_create(&source, NULL, &path, &error), &error);
    lb_timing how = lb_timing_default(lb_task_make(hand, LB_WORLD, LB_TASK_POSE), path);
    how.speed = 1;
    lb_clip *clip;
    lb_timing_result result;
    check(lb_timing_make(model, &how, start, NULL, &clip, &result, &error), &error);
    // [straight end]
    printf("%.3f m in %.3f s\n", lb_path_length(path), result.duration);
    lb_clip_release(clip);
    lb_path_release(path);
}

/* Pinocchio's difference and integrate */
static void configurations(const lb_model *model, const double *a, const double *b)
{
    // [configurations]
    double v[8], back[8];
    lb_configuration_difference(model, a, b, v);
    lb_configuration_integrate(model, a, v, back);
    // [configurations end]
    printf("difference and back: %.0f\n", back[0] - b[0]);
}

int main(void)
{
    lb_model *model;
    lb_error error;
    check(lb_load("panda", NULL, &model, &error), &error);
    int hand = lb_model_find_link(model, "panda_hand");
    double start[8] = {0, -0.785, 0, -2.356, 0, 1.571, 0.785, 0.02}, q[8];
    for (int i = 0; i < 8; i++)
        q[i] = start[i];
    lb_transform tool = forward(model, hand, start), target = tool;
    printf("hand at %.3f m ahead, %.3f m up\n", tool.p.x, tool.p.z);
    target.p.z -= 0.1;
    inverse(model, hand, target, start);
    differential(model, hand, target, q);
    straight(model, hand, tool, start);
    configurations(model, start, q);
    lb_model_release(model);
    return 0;
}
