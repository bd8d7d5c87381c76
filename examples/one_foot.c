/*
 * one_foot.c - balance on one foot: the centre of mass goes above the left sole, then the right
 * foot is lifted.
 *
 * A support task keeps the centre of mass above a polygon, here the left sole, 3 cm inside its
 * edges. It has level 1, below the contact of the left foot; the right foot and an upright
 * pelvis have level 2. Joints have speed limits.
 *
 * Prints:
 *     both feet: centre of mass -0.087 m from the left ankle
 *     frame  30: reached, centre of mass -0.030 m, left foot slid 0.000 mm
 *     frame  60: reached, centre of mass -0.030 m, left foot slid 0.000 mm
 *     frame  90: reached, centre of mass -0.028 m, left foot slid 0.000 mm
 *     frame 120: reached, centre of mass -0.027 m, left foot slid 0.000 mm
 *     frame 150: reached, centre of mass -0.027 m, left foot slid 0.000 mm
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

enum { STAND, BALANCE, LIFT, UPRIGHT, TASKS };

static lb_body *make_body(const lb_model *model)
{
    // about the ankle: heel and ball of the foot, as wide as the sole
    static const double sole[4][2] = {{-0.03, -0.03}, {0.13, -0.03}, {0.13, 0.03}, {-0.03, 0.03}};
    int foot = lb_model_find_link(model, "left_foot");
    lb_body_task tasks[TASKS] = {
        [STAND] = lb_body_task_make(LB_BODY_CONTACT, foot),
        [BALANCE] = lb_body_task_make(LB_BODY_SUPPORT, 0),
        [LIFT] = lb_body_task_make(LB_BODY_POSITION, lb_model_find_link(model, "right_foot")),
        [UPRIGHT] = lb_body_task_make(LB_BODY_ORIENTATION, lb_model_find_link(model, "pelvis"))};
    tasks[BALANCE].level = 1;
    tasks[BALANCE].base = foot;
    tasks[BALANCE].vertices = sole;
    tasks[BALANCE].vertex_count = 4;
    tasks[LIFT].level = tasks[UPRIGHT].level = 2;
    lb_body *body;
    lb_error error;
    if (lb_body_create(model, tasks, TASKS, NULL, NULL, &body, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    for (int j = 0; j < lb_model_joint_count(model); j++)
        lb_body_set_speed(body, j, 4, INFINITY);
    lb_transform at_foot = LB_TRANSFORM_IDENTITY;
    lb_body_set_target(body, BALANCE, &at_foot);
    return body;
}

/* where the centre of mass is, seen from the left ankle: to the side */
static double sideways(lb_state *state, const lb_model *model, const double *q)
{
    lb_vec3 center;
    lb_state_update(state, q);
    lb_state_center_of_mass(state, &center, NULL);
    int foot = lb_model_find_link(model, "left_foot");
    return center.y - lb_state_transform(state, LB_WORLD, foot).p.y;
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
    lb_state *state;
    double q[200];
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return 1;
    lb_configuration_neutral(model, q);
    lb_body_hold(body, STAND, q);
    lb_body_hold(body, LIFT, q);
    lb_body_hold(body, UPRIGHT, q);
    lb_vec3 right = lb_body_target(body, LIFT).p;
    printf("both feet: centre of mass %+.3f m from the left ankle\n", sideways(state, model, q));

    for (int frame = 0; frame <= 150; frame++) {
        // a second to shift the weight, and half as much again to lift the foot by 15 cm
        double share = frame > 60 ? (frame - 60) / 90.0 : 0;
        lb_body_set_point(body, LIFT, lb_vec3_make(right.x, right.y, right.z + 0.15 * share));
        lb_outcome outcome = lb_body_advance(body, q, NULL, 1.0 / 60, q, NULL);
        const lb_body_outcome *out = lb_body_outcomes(body);
        if (frame > 0 && frame % 30 == 0)
            printf("frame %3d: %s, centre of mass %+.3f m, left foot slid %.3f mm\n", frame,
                   lb_outcome_text(outcome), sideways(state, model, q),
                   1000 * out[STAND].position_error);
    }
    lb_state_release(state);
    lb_body_release(body);
    lb_model_release(model);
    return 0;
}
