/*
 * build.c - a linkage built in code: links are nodes, joints are arcs, names make the tree.
 *
 * A crane: it turns, its boom rises, its trolley runs along the boom.
 *
 * Prints:
 *     trolley at 0.000 17.321 40.000 m
 */
#include <limber/limber.h>
#include <stdio.h>

// three joints, each from its default
static void make_joints(lb_joint *joints)
{
    lb_joint slew = lb_joint_default();
    slew.name = "slew";
    slew.parent = "ground";
    slew.child = "tower";
    slew.kind = LB_JOINT_CONTINUOUS;
    slew.axis = lb_vec3_make(0, 0, 1);

    lb_joint luff = lb_joint_default();
    luff.name = "luff";
    luff.parent = "tower";
    luff.child = "boom";
    luff.kind = LB_JOINT_REVOLUTE;
    luff.placement = lb_transform_translation(0, 0, 30);
    luff.axis = lb_vec3_make(0, -1, 0);
    luff.lower[0] = 0;
    luff.upper[0] = LB_PI / 3;

    lb_joint run = lb_joint_default();
    run.name = "run";
    run.parent = "boom";
    run.child = "trolley";
    run.kind = LB_JOINT_PRISMATIC;
    run.axis = lb_vec3_make(1, 0, 0);
    run.lower[0] = 4;
    run.upper[0] = 50;
    run.value[0] = 10;

    joints[0] = slew;
    joints[1] = luff;
    joints[2] = run;
}

int main(void)
{
    // four links; order is free, the tree is found by name
    const char *names[] = {"ground", "tower", "boom", "trolley"};
    lb_link links[4];
    for (int i = 0; i < 4; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }

    // checked and built: what is wrong would be named
    lb_joint joints[3];
    make_joints(joints);
    lb_model_source source = {
        .name = "crane",
        .root = LB_TRANSFORM_IDENTITY,
        .links = links,
        .link_count = 4,
        .joints = joints,
        .joint_count = 3,
    };
    lb_model *model;
    lb_error error;
    if (lb_model_build(&source, NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // a quarter turn, the boom at 30 degrees, the trolley 20 metres out
    lb_state *state;
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return 1;
    double q[] = {LB_PI / 2, LB_PI / 6, 20};
    lb_state_update(state, q);
    lb_vec3 hook = lb_state_transform(state, LB_WORLD, lb_model_find_link(model, "trolley")).p;
    printf("trolley at %.3f %.3f %.3f m\n", hook.x, hook.y, hook.z);

    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
