/*
 * forward.c - forward kinematics: the places of an arm's links in a configuration.
 *
 * Prints:
 *     panda_link0        0.0000  0.0000  0.0000
 *     panda_link1        0.0000  0.0000  0.3330
 *     panda_link2        0.0000  0.0000  0.3330
 *     panda_link3       -0.1566 -0.0855  0.5938
 *     panda_link4       -0.1059 -0.0392  0.6395
 *     panda_link5        0.1842  0.2038  0.7447
 *     panda_link6        0.1842  0.2038  0.7447
 *     panda_link7        0.2528  0.2584  0.7526
 *     panda_link8        0.2611  0.2634  0.6461
 *     panda_hand         0.2611  0.2634  0.6461
 *     panda_leftfinger   0.2779  0.2502  0.5882
 *     panda_rightfinger  0.2535  0.2819  0.5877
 *     from the elbow: 0.1208 0.4780 -0.0204
 */
#include <limber/formats/load.h>
#include <limber/limber.h>
#include <stdio.h>

int main(void)
{
    // a built-in model; a path to a file works the same
    lb_model *model;
    lb_error error;
    if (lb_load("panda", NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // all links in one pass
    lb_state *state;
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return 1;
    double q[] = {0.5, -0.6, 0.2, -2.1, 0.1, 1.6, 0.8, 0.02}; // seven joints and the fingers
    lb_state_update(state, q);

    // origins in the world's frame
    for (int link = 0; link < lb_model_link_count(model); link++) {
        lb_vec3 p = lb_state_transform(state, LB_WORLD, link).p;
        printf("%-17s %7.4f %7.4f %7.4f\n", lb_model_link(model, link)->name, p.x, p.y, p.z);
    }

    // any frame can be seen from any other: a point before the hand, as the elbow sees it
    int hand = lb_model_find_link(model, "panda_hand");
    int elbow = lb_model_find_link(model, "panda_link4");
    lb_vec3 p = lb_state_point(state, hand, elbow, lb_vec3_make(0, 0, 0.1));
    printf("from the elbow: %.4f %.4f %.4f\n", p.x, p.y, p.z);

    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
