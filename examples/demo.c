/*
 * demo.c - the main job from end to end: the Panda moves its hand to a pose and is drawn.
 *
 * Run by `make demo`; writes demo.svg and demo.png into the working directory.
 *
 * Prints:
 *     panda: Franka Emika Panda, seven revolute joints, with its hand and two fingers
 *
 *     start     x  0.307  y  0.000  z  0.590 m    roll  180.0  pitch    0.0  yaw    0.0 deg
 *     target    x  0.400  y  0.400  z  0.300 m    roll  180.0  pitch  -22.9  yaw   34.4 deg
 *     solution  x  0.400  y  0.400  z  0.300 m    roll  180.0  pitch  -22.9  yaw   34.4 deg
 *
 *     joint               start solution   limits, degrees
 *     panda_joint1         0.00 ...   -166 to 166
 *     panda_joint2       -45.00 ...   -101 to 101
 *     panda_joint3         0.00 ...   -166 to 166
 *     panda_joint4      -135.00 ...   -176 to -4
 *     panda_joint5         0.00 ...   -166 to 166
 *     panda_joint6        90.00 ...   -1 to 215
 *     panda_joint7        45.00 ...   -166 to 166
 *
 *     reached after ... off
 *     drawn: demo.svg, demo.png
 */
#include <limber/figures/draw.h>
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program with what went wrong. */
static void require(lb_status status, const lb_error *error)
{
    if (status == LB_OK)
        return;
    fprintf(stderr, "demo: %s\n", error->message);
    exit(1);
}

/* No minus before what prints as zero. */
static double tidy(double value)
{
    return value > -5e-5 && value < 0 ? 0 : value;
}

/* Radians as degrees; half a turn has one sign. */
static double tidy_degrees(double angle)
{
    double degrees = tidy(angle * 180 / LB_PI);
    return degrees < -179.95 ? degrees + 360 : degrees;
}

/* A place and the turns about x, y and z, in degrees. */
static void print_pose(const char *what, const lb_transform *pose)
{
    lb_vec3 rpy = lb_quat_to_rpy(lb_transform_quat(pose));
    printf("%-9s x %6.3f  y %6.3f  z %6.3f m    roll %6.1f  pitch %6.1f  yaw %6.1f deg\n", what,
           tidy(pose->p.x), tidy(pose->p.y), tidy(pose->p.z), tidy_degrees(rpy.x),
           tidy_degrees(rpy.y), tidy_degrees(rpy.z));
}

/* Each joint before and after, beside its limits. */
static void print_joints(const lb_model *model, const double *start, const double *q)
{
    double degrees = 180 / LB_PI;
    printf("\n%-16s %8s %8s   %s\n", "joint", "start", "solution", "limits, degrees");
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (joint->kind != LB_JOINT_REVOLUTE)
            continue;
        int at = lb_model_joint_q(model, j);
        printf("%-16s %8.2f %8.2f   %.0f to %.0f\n", joint->name, start[at] * degrees,
               q[at] * degrees, joint->lower[0] * degrees, joint->upper[0] * degrees);
    }
}

/* Both configurations and the target, in one figure of two formats. */
static void draw(const lb_model *model, const double *start, const double *q, lb_vec3 target)
{
    lb_drawing_pose poses[] = {
        {.q = start, .label = "start", .strength = 0.35},
        {.q = q, .label = "solution", .strength = 1},
    };
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = poses;
    drawing.pose_count = 2;
    drawing.targets = &target;
    drawing.target_count = 1;
    drawing.title = "Panda";

    lb_error error;
    require(lb_draw(model, &drawing, "demo.svg", &error), &error);
    require(lb_draw(model, &drawing, "demo.png", &error), &error);
    printf("drawn: demo.svg, demo.png\n");
}

int main(void)
{
    lb_error error = {0};
    lb_model *model;
    require(lb_load("panda", NULL, &model, &error), &error);
    lb_state *state;
    require(lb_state_create(model, NULL, &state), &error);

    // the start, as the model rests, and where the hand is then
    double start[8], q[8]; // seven joints and the fingers
    lb_configuration_neutral(model, start);
    lb_state_update(state, start);
    int hand = lb_model_find_link(model, "panda_hand");
    lb_transform before = lb_state_transform(state, LB_WORLD, hand);

    // the target: to the side and lower, the hand tilted outwards
    lb_transform target =
        lb_transform_from_quat(lb_quat_from_rpy(LB_PI, -0.4, 0.6), lb_vec3_make(0.4, 0.4, 0.3));
    lb_task task = lb_task_make(hand, LB_WORLD, LB_TASK_POSE);
    lb_ik *ik;
    require(lb_ik_create(model, &task, 1, NULL, NULL, &ik, &error), &error);

    // the solution, and where the hand is now
    lb_ik_result result;
    lb_ik_solve(ik, &target, start, q, &result);
    lb_state_update(state, q);
    lb_transform after = lb_state_transform(state, LB_WORLD, hand);

    // in words and as a picture
    printf("%s: %s\n\n", lb_model_name(model), lb_embedded_find("panda")->summary);
    print_pose("start", &before);
    print_pose("target", &target);
    print_pose("solution", &after);
    print_joints(model, start, q);
    printf("\n%s after %d iterations, %.1e m and %.1e rad off\n", lb_outcome_text(result.outcome),
           result.iterations, result.position_error, result.rotation_error);
    draw(model, start, q, target.p);

    lb_ik_release(ik);
    lb_state_release(state);
    lb_model_release(model);
    return result.outcome == LB_REACHED ? 0 : 1;
}
