/*
 * four_bar.c - a linkage that closes: the crank of a four-bar makes whole turns.
 *
 * The tree is the ground with crank and coupler on one side and the rocker on the other. A loop
 * beside it holds the coupler's end at the rocker's. The crank's angle is a task; the loop comes
 * before all tasks.
 *
 * Prints:
 *     crank   0 degrees: rocker 97.18
 *     crank  90 degrees: rocker 98.86
 *     crank 180 degrees: rocker 131.49
 *     crank 270 degrees: rocker 135.73
 *     crank 360 degrees: rocker 97.18
 */
#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>

/* ground 3 m, crank 1 m, coupler 3 m, rocker 2.5 m */
static lb_model *make_linkage(void)
{
    const char *names[] = {"ground", "crank", "coupler", "rocker"};
    const char *parents[] = {"ground", "crank", "ground"};
    const char *joint_names[] = {"drive", "pin", "pivot"};
    lb_link links[4];
    lb_joint joints[3];
    for (int i = 0; i < 4; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < 3; i++) {
        joints[i] = lb_joint_default();
        joints[i].kind = LB_JOINT_CONTINUOUS;
        joints[i].name = joint_names[i];
        joints[i].parent = parents[i];
        joints[i].child = names[i + 1];
    }
    joints[1].placement = lb_transform_translation(1, 0, 0);
    joints[2].placement = lb_transform_translation(3, 0, 0);
    joints[1].value[0] = 1;
    joints[2].value[0] = 1.8;
    lb_loop elbow = lb_loop_default();
    elbow.name = "elbow";
    elbow.kind = LB_LOOP_HINGE;
    elbow.first = "coupler";
    elbow.second = "rocker";
    elbow.first_frame = lb_transform_translation(3, 0, 0);
    elbow.second_frame = lb_transform_translation(2.5, 0, 0);
    lb_model_source source = {.name = "four-bar",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = 4,
                              .joints = joints,
                              .joint_count = 3,
                              .loops = &elbow,
                              .loop_count = 1};
    lb_model *model;
    lb_error error;
    if (lb_model_build(&source, NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return model;
}

int main(void)
{
    lb_model *model = make_linkage();
    lb_body_task drive = lb_body_task_make(LB_BODY_JOINT, -1);
    drive.joint = lb_model_find_joint(model, "drive");
    lb_body *body;
    lb_error error;
    if (lb_body_create(model, &drive, 1, NULL, NULL, &body, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    double q[3];
    lb_configuration_neutral(model, q);
    int rocker = lb_model_joint_q(model, lb_model_find_joint(model, "pivot"));
    for (int degrees = 0; degrees <= 360; degrees++) {
        double angle = degrees * LB_PI / 180;
        lb_body_set_value(body, 0, &angle);
        if (lb_body_solve(body, q, q, NULL) != LB_REACHED)
            printf("the loop opens at %d degrees\n", degrees);
        if (degrees % 90 == 0)
            printf("crank %3d degrees: rocker %.2f\n", degrees, q[rocker] * 180 / LB_PI);
    }
    lb_body_release(body);
    lb_model_release(model);
    return 0;
}
