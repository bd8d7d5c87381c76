/*
 * servo.c - a control loop at 1 kHz: targets come when they come, joint values go out every frame.
 *
 * A servo keeps the limits of every joint in every frame, whatever it is told. Here a hand is
 * followed that moves on a circle and is seen a hundred times a second; then it is lost, and the
 * arm stops.
 *
 * Prints:
 *     following: off the hand by 0.18 mm at most, once it has caught up
 *     lost: at rest after 0.19 s
 *     fastest joint 93 % of its limit, largest acceleration 100 %
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <math.h>
#include <stdio.h>

enum { JOINTS = 6 };
#define ACCELERATION 4.0

/* where the hand is at a time, and its velocity */
static lb_transform hand(double time, double velocity[6])
{
    const double rate = 2, radius = 0.08;
    lb_quat down = {0, 1, 0, 0};
    velocity[0] = -rate * radius * sin(rate * time);
    velocity[1] = rate * radius * cos(rate * time);
    lb_vec3 place = {0.5 + radius * cos(rate * time), 0.1 + radius * sin(rate * time), 0.3};
    return lb_transform_from_quat(down, place);
}

/* where the tool is */
static double distance(lb_state *state, int tip, const double *q, const lb_transform *target)
{
    lb_state_update(state, q);
    lb_transform at = lb_state_transform(state, LB_WORLD, tip);
    return lb_transform_distance(&at, target);
}

int main(void)
{
    lb_model *model;
    lb_state *state = NULL;
    lb_servo *servo = NULL;
    lb_error error;
    if (lb_load("ur5", NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // the model has limits of position and speed; accelerations are the caller's
    lb_joint_setting limits[JOINTS];
    for (int i = 0; i < JOINTS; i++) {
        limits[i] = lb_joint_setting_make(i);
        limits[i].acceleration = ACCELERATION;
    }
    lb_servo_options options = lb_servo_options_default();
    options.stale = 0.05;
    options.joints = limits;
    options.joint_count = JOINTS;

    int tip = lb_model_find_link(model, "tool0");
    lb_task task = lb_task_make(tip, LB_WORLD, LB_TASK_POSE);
    const double start[JOINTS] = {0, -1.4, 1.8, -1.9, -1.5, 0};
    if (lb_state_create(model, NULL, &state) != LB_OK ||
        lb_servo_create(model, &task, &options, NULL, &servo, &error) != LB_OK ||
        lb_servo_reset(servo, start, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    double q[JOINTS], v[JOINTS], a[JOINTS], velocity[6] = {0}, off = 0, fastest = 0, hardest = 0;
    lb_servo_frame frame = {.resting = false};
    int frames = 0;
    for (; frames < 4000 || !frame.resting; frames++) {
        // a camera sees the hand every tenth frame, for four seconds
        lb_transform target = hand(frames * options.period, velocity);
        if (frames < 4000 && frames % 10 == 0)
            lb_servo_aim(servo, &target, velocity);

        // this would be sent to the arm, and the loop would wait for its next millisecond
        lb_servo_step(servo, q, v, a, &frame);
        for (int i = 0; i < JOINTS; i++) {
            fastest = fmax(fastest, fabs(v[i]) / lb_model_joint(model, i)->velocity);
            hardest = fmax(hardest, fabs(a[i]) / ACCELERATION);
        }
        target = hand((frames + 1) * options.period, velocity);
        if (frames > 2000 && frames < 4000)
            off = fmax(off, distance(state, tip, q, &target));
    }
    printf("following: off the hand by %.2f mm at most, once it has caught up\n", 1e3 * off);
    printf("lost: at rest after %.2f s\n", (frames - 4000) * options.period);
    printf("fastest joint %.0f %% of its limit, largest acceleration %.0f %%\n", 100 * fastest,
           100 * hardest);
    lb_servo_release(servo);
    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
