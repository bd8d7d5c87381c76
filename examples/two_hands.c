/*
 * two_hands.c - a figure moves a box with both hands.
 *
 * The right hand's target is given in the left hand: its pose when both took hold. That task, the
 * feet's contacts and the balance have level 0; the left hand's target, which moves the box, has
 * level 1. If the goal is too far away the box does not arrive, but the hands never leave it.
 *
 * Prints:
 *     goal 1: box 0.00 m away, hands 0.000 mm apart from their hold, reason: none
 *     goal 2: box 0.00 m away, hands 0.000 mm apart from their hold, reason: none
 *     goal 3: box 1.27 m away, hands 0.000 mm apart from their hold, reason: level
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

enum { GRIP, LEFT_FOOT, RIGHT_FOOT, BALANCE, BOX, TASKS };

static lb_body *make_body(const lb_model *model)
{
    lb_body_task tasks[TASKS] = {
        [GRIP] = lb_body_task_make(LB_BODY_POSE, lb_model_find_link(model, "right_hand")),
        [LEFT_FOOT] = lb_body_task_make(LB_BODY_CONTACT, lb_model_find_link(model, "left_foot")),
        [RIGHT_FOOT] = lb_body_task_make(LB_BODY_CONTACT, lb_model_find_link(model, "right_foot")),
        [BALANCE] = lb_body_task_make(LB_BODY_CENTER_OF_MASS, 0),
        [BOX] = lb_body_task_make(LB_BODY_POSITION, lb_model_find_link(model, "left_hand"))};
    tasks[GRIP].base = lb_model_find_link(model, "left_hand");
    // the centre of mass stays above the feet
    tasks[BALANCE].box = lb_vec3_make(0.08, 0.08, 1);
    tasks[BOX].level = 1;
    lb_body *body;
    lb_error error;
    if (lb_body_create(model, tasks, TASKS, NULL, NULL, &body, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return body;
}

static void bend(const lb_model *model, const char *joint, double angle, double *q)
{
    q[lb_model_joint_q(model, lb_model_find_joint(model, joint))] = angle;
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
    bend(model, "left_elbow", 1.4, q);
    bend(model, "right_elbow", 1.4, q);
    bend(model, "left_knee", 0.5, q);
    bend(model, "right_knee", 0.5, q);
    for (int t = 0; t < TASKS; t++)
        lb_body_hold(body, t, q);
    lb_vec3 start = lb_body_target(body, BOX).p;

    // ahead, up, and then where no arm is long enough
    const lb_vec3 goals[] = {{0.15, 0, 0.1}, {0.05, 0, 0.4}, {2, 0, 0.4}};
    for (int goal = 0; goal < 3; goal++) {
        lb_body_set_point(body, BOX, lb_vec3_add(start, goals[goal]));
        for (int frame = 0; frame < 60; frame++)
            lb_body_advance(body, q, NULL, 1.0 / 60, q, NULL);
        const lb_body_outcome *out = lb_body_outcomes(body);
        double grip = out[GRIP].position_error, box = out[BOX].position_error;
        lb_body_reason reason = lb_body_explain(body, BOX, NULL, 0);
        printf("goal %d: box %.2f m away, hands %.3f mm apart from their hold, reason: %s\n",
               goal + 1, box, 1000 * grip, lb_body_reason_text(reason));
    }
    lb_body_release(body);
    lb_model_release(model);
    return 0;
}
