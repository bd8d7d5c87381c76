/*
 * look_at.c - a figure looks at a passing object, within the limits of neck and spine.
 *
 * The gaze is a look-at task of the head, whose x axis points ahead. The posture keeps the figure
 * as upright as it can be, and a speed limit makes the head turn, not jump.
 *
 * Prints:
 *     frame  0: stalled, 18.6 degrees off, reason: limits
 *     frame 15: reached,  0.0 degrees off, reason: none
 *     frame 30: reached,  0.0 degrees off, reason: none
 *     frame 45: reached,  0.0 degrees off, reason: none
 *     frame 60: reached,  0.1 degrees off, reason: none
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

static lb_body *make_body(const lb_model *model)
{
    lb_body_task gaze = lb_body_task_make(LB_BODY_LOOK_AT, lb_model_find_link(model, "head"));
    gaze.tool = lb_transform_translation(0.1, 0, 0.15);
    gaze.axis = lb_vec3_make(1, 0, 0);
    // the posture counts a thousandth of the gaze, which may be half a degree off for its sake
    gaze.rotation_tolerance = 0.01;
    lb_body_options options = lb_body_options_default();
    options.posture = 1e-3;
    lb_body *body;
    lb_error error;
    if (lb_body_create(model, &gaze, 1, &options, NULL, &body, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    // radians per second of every joint
    for (int j = 0; j < lb_model_joint_count(model); j++)
        lb_body_set_speed(body, j, 3, INFINITY);
    return body;
}

int main(void)
{
    lb_model *model;
    lb_error error;
    if (lb_load("human", NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    lb_body *body = make_body(model);
    double q[200];
    lb_configuration_neutral(model, q);
    // upright, not as each frame begins: leaning would add up
    lb_body_set_posture(body, q);

    // a ball flies past at head height, from ahead to beside, two metres in a second
    for (int frame = 0; frame <= 60; frame++) {
        lb_body_set_point(body, 0, lb_vec3_make(2 - frame / 30.0, 1, 1.6));
        lb_outcome outcome = lb_body_advance(body, q, NULL, 1.0 / 60, q, NULL);
        double degrees = lb_body_outcomes(body)[0].rotation_error * 180 / LB_PI;
        lb_body_reason reason = lb_body_explain(body, 0, NULL, 0);
        if (frame % 15 == 0)
            printf("frame %2d: %s, %4.1f degrees off, reason: %s\n", frame,
                   lb_outcome_text(outcome), degrees, lb_body_reason_text(reason));
    }
    lb_body_release(body);
    lb_model_release(model);
    return 0;
}
