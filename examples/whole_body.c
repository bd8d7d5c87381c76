/*
 * whole_body.c - a figure stands on both feet while its hand reaches for something.
 *
 * The root floats; the feet are contacts of level 0, which lower levels do not move. The hand's
 * target and the gaze have level 1. Each frame continues from the last, a sixtieth of a second.
 *
 * Prints:
 *     frame  0: reached, feet moved 0.000 mm
 *     frame 20: reached, feet moved 0.000 mm
 *     frame 40: reached, feet moved 0.000 mm
 *     too far: position of 'right_hand', reason: level
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

enum { LEFT, RIGHT, HAND, GAZE, TASKS };

static lb_body *make_body(const lb_model *model)
{
    lb_body_task tasks[TASKS] = {
        [LEFT] = lb_body_task_make(LB_BODY_CONTACT, lb_model_find_link(model, "left_foot")),
        [RIGHT] = lb_body_task_make(LB_BODY_CONTACT, lb_model_find_link(model, "right_foot")),
        [HAND] = lb_body_task_make(LB_BODY_POSITION, lb_model_find_link(model, "right_hand")),
        [GAZE] = lb_body_task_make(LB_BODY_LOOK_AT, lb_model_find_link(model, "head"))};
    tasks[HAND].level = tasks[GAZE].level = 1;
    tasks[GAZE].axis = lb_vec3_make(1, 0, 0);
    tasks[GAZE].cone = 0.5;
    lb_body *body;
    lb_error error;
    if (lb_body_create(model, tasks, TASKS, NULL, NULL, &body, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return body;
}

int main(void)
{
    lb_load_options options = {.root = LB_ROOT_FLOATING};
    lb_model *model;
    lb_error error;
    if (lb_load_with_options("human", &options, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    lb_body *body = make_body(model);
    double q[200];
    lb_configuration_neutral(model, q);
    // straight legs cannot give: bent knees can
    q[lb_model_joint_q(model, lb_model_find_joint(model, "left_knee"))] = 0.5;
    q[lb_model_joint_q(model, lb_model_find_joint(model, "right_knee"))] = 0.5;
    lb_body_hold(body, LEFT, q);
    lb_body_hold(body, RIGHT, q);
    lb_body_hold(body, HAND, q);
    lb_vec3 hand = lb_body_target(body, HAND).p;

    // a reach forwards and down, a centimetre a frame
    for (int frame = 0; frame <= 40; frame++) {
        lb_vec3 there = lb_vec3_add(hand, lb_vec3_make(0.005 * frame, 0, 0.005 * frame));
        lb_body_set_point(body, HAND, there);
        lb_body_set_point(body, GAZE, lb_vec3_add(there, lb_vec3_make(1, 0, 0)));
        lb_outcome outcome = lb_body_advance(body, q, NULL, 1.0 / 60, q, NULL);
        const lb_body_outcome *outcomes = lb_body_outcomes(body);
        double moved = outcomes[LEFT].position_error > outcomes[RIGHT].position_error
                           ? outcomes[LEFT].position_error
                           : outcomes[RIGHT].position_error;
        if (frame % 20 == 0)
            printf("frame %2d: %s, feet moved %.3f mm\n", frame, lb_outcome_text(outcome),
                   1000 * moved);
    }

    // where no hand comes without a step the feet stay, and the hand stops short
    lb_body_set_point(body, HAND, lb_vec3_make(3, 0, 1));
    lb_body_solve(body, q, q, NULL);
    lb_body_reason reason = lb_body_explain(body, HAND, NULL, 0);
    printf("too far: position of 'right_hand', reason: %s\n", lb_body_reason_text(reason));
    lb_body_release(body);
    lb_model_release(model);
    return 0;
}
