/*
 * interpolate.c - from one pose to another by the shorter rotation.
 *
 * A configuration is not a plain vector: a ball joint holds a quaternion, and a
 * continuous joint's 350 and 10 degrees are 20 apart. The configuration functions
 * handle that. So nq, the numbers of a configuration, and nv, those of a velocity, differ.
 *
 * Prints:
 *     nq 5, nv 4
 *     wheel 350, lamp 0 degrees
 *     wheel 355, lamp 15 degrees
 *     wheel 0, lamp 30 degrees
 *     wheel 5, lamp 45 degrees
 *     wheel 10, lamp 60 degrees
 */
#include <limber/limber.h>
#include <stdio.h>

int main(void)
{
    // a wheel that turns freely, and a lamp on a ball joint
    lb_link links[3] = {lb_link_default(), lb_link_default(), lb_link_default()};
    links[0].name = "base";
    links[1].name = "wheel";
    links[2].name = "lamp";
    lb_joint joints[2] = {lb_joint_default(), lb_joint_default()};
    joints[0].name = "turn";
    joints[0].parent = "base";
    joints[0].child = "wheel";
    joints[0].kind = LB_JOINT_CONTINUOUS;
    joints[1].name = "tilt";
    joints[1].parent = "wheel";
    joints[1].child = "lamp";
    joints[1].kind = LB_JOINT_BALL;
    lb_model_source source = {.name = "lighthouse",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = 3,
                              .joints = joints,
                              .joint_count = 2};
    lb_model *model;
    lb_error error;
    if (lb_model_build(&source, NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    printf("nq %d, nv %d\n", lb_model_nq(model), lb_model_nv(model));

    // two poses: the wheel at 350 and at 10 degrees, the lamp upright and tilted by 60
    double degree = LB_PI / 180;
    lb_quat tilted = lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), 60 * degree);
    double a[5] = {350 * degree, 1, 0, 0, 0};
    double b[5] = {10 * degree, tilted.w, tilted.x, tilted.y, tilted.z};

    // in between both turn evenly, the wheel through 360
    for (int i = 0; i <= 4; i++) {
        double q[5];
        lb_configuration_interpolate(model, a, b, i / 4.0, q);
        double tilt = 2 * lb_acos(q[1]);
        printf("wheel %.0f, lamp %.0f degrees\n", q[0] / degree, tilt / degree);
    }

    lb_model_release(model);
    return 0;
}
