/*
 * traverse.c - drawing a figure with your own renderer.
 *
 * For each link the visitor gets the composite transform, which its children
 * inherit, and the transform of the link's data, which they do not. A renderer
 * draws the data with the product of the two; here it is printed.
 *
 * Prints:
 *     o pelvis   middle at  0.000  1.000
 *     T thigh    middle at  0.127  0.814
 *     S shin     middle at  0.151  0.440
 *     F foot     middle at  0.048  0.201
 *     4 links drawn
 */
#include <limber/limber.h>
#include <stdio.h>

typedef struct canvas {
    const lb_model *model;
    int drawn;
} canvas;

static bool draw_link(void *user, int link, const lb_transform *composite,
                      const lb_transform *data_offset)
{
    canvas *on = user;
    lb_transform place = lb_transform_multiply(composite, data_offset);

    // `user` of a link is ours: here the letter that its bone is drawn with
    const lb_link *data = lb_model_link(on->model, link);
    const char *letter = data->user;
    printf("%s %-8s middle at %6.3f %6.3f\n", letter, data->name, place.p.x, place.p.y);
    on->drawn++;
    return true;
}

int main(void)
{
    // a leg: bones hang down from their joints, their middles half a bone below
    char letters[][2] = {"o", "T", "S", "F"};
    const char *names[] = {"pelvis", "thigh", "shin", "foot"};
    const double lengths[] = {0, 0.45, 0.43, 0.1};
    lb_link links[4];
    lb_joint joints[3];
    for (int i = 0; i < 4; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
        links[i].user = letters[i];
        links[i].data_offset = lb_transform_translation(0, -lengths[i] / 2, 0);
    }
    for (int i = 0; i < 3; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = names[i + 1];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = LB_JOINT_REVOLUTE;
        joints[i].placement = lb_transform_translation(0, -lengths[i], 0);
        joints[i].lower[0] = -2.5;
        joints[i].upper[0] = 2.5;
    }
    lb_model_source source = {.name = "leg",
                              .root = lb_transform_translation(0, 1, 0),
                              .links = links,
                              .link_count = 4,
                              .joints = joints,
                              .joint_count = 3};
    lb_model *model;
    lb_error error;
    if (lb_model_build(&source, NULL, &model, &error) != LB_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }

    // hip, knee and ankle bent, then one visit to each link
    lb_state *state;
    if (lb_state_create(model, NULL, &state) != LB_OK)
        return 1;
    double q[] = {0.6, -1.1, 0.5};
    lb_state_update(state, q);
    canvas on = {model, 0};
    lb_state_traverse(state, draw_link, &on);
    printf("%d links drawn\n", on.drawn);

    lb_state_release(state);
    lb_model_release(model);
    return 0;
}
