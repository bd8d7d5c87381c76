/* chain.c - a model made of a test case's bytes. */
#include "chain.h"

enum { MOST_JOINTS = 8, MOST_LINKS = MOST_JOINTS + 1 };

static const char *const names[MOST_LINKS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};

static lb_transform place(fuzz_bytes *bytes)
{
    lb_vec3 p = {fuzz_number_within(bytes, LB_LENGTH_MAX), 0, 0};
    p.y = fuzz_number_within(bytes, LB_LENGTH_MAX);
    p.z = fuzz_number_within(bytes, LB_LENGTH_MAX);
    // one after the other, in the order of the bytes
    lb_vec3 axis = lb_vec3_normalize(fuzz_vector(bytes), lb_vec3_make(0, 0, 1));
    lb_quat r = lb_quat_from_axis_angle(axis, fuzz_number(bytes));
    return lb_transform_from_quat(r, p);
}

static lb_joint joint(fuzz_bytes *bytes, int i)
{
    lb_joint j = lb_joint_default();
    j.name = names[i];
    // mostly one link after the other
    j.parent = names[fuzz_choice(bytes, 4) ? i : fuzz_choice(bytes, i + 1)];
    j.child = names[i + 1];
    j.kind = (lb_joint_kind)fuzz_choice(bytes, LB_JOINT_KIND_COUNT);
    j.placement = place(bytes);
    j.axis = lb_vec3_normalize(fuzz_vector(bytes), lb_vec3_make(0, 0, 1));
    j.axis2 = lb_vec3_normalize(fuzz_vector(bytes), lb_vec3_make(1, 0, 0));
    for (int k = 0; k < 3 && fuzz_choice(bytes, 2); k++) {
        double a = fuzz_number_within(bytes, LB_LENGTH_MAX);
        double b = fuzz_number_within(bytes, LB_LENGTH_MAX);
        j.lower[k] = fmin(a, b);
        j.upper[k] = fmax(a, b);
    }
    if (fuzz_choice(bytes, 4) == 0)
        j.weight = fabs(fuzz_number(bytes)) + 1e-300;
    j.locked = fuzz_choice(bytes, 8) == 7;
    if (i > 0 && fuzz_choice(bytes, 8) == 7) {
        j.mimic = names[fuzz_choice(bytes, i)];
        j.multiplier = fuzz_number_within(bytes, LB_LENGTH_MAX);
        j.offset = fuzz_number_within(bytes, LB_LENGTH_MAX);
    }
    return j;
}

static lb_geometry visual(fuzz_bytes *bytes)
{
    lb_geometry v = {.shape = (lb_shape)fuzz_choice(bytes, 5), .origin = place(bytes), .mesh = "m"};
    v.size.x = fabs(fuzz_number_within(bytes, LB_LENGTH_MAX));
    v.size.y = fabs(fuzz_number_within(bytes, LB_LENGTH_MAX));
    v.size.z = fabs(fuzz_number_within(bytes, LB_LENGTH_MAX));
    return v;
}

lb_model *fuzz_chain(fuzz_bytes *bytes)
{
    lb_link links[MOST_LINKS];
    lb_joint joints[MOST_JOINTS];
    lb_geometry visuals[MOST_LINKS];
    int count = fuzz_choice(bytes, MOST_JOINTS + 1);
    for (int i = 0; i <= count; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
        links[i].mass = fabs(fuzz_number(bytes));
        if (fuzz_choice(bytes, 2) == 0)
            continue;
        visuals[i] = visual(bytes);
        links[i].visuals = &visuals[i];
        links[i].visual_count = 1;
    }
    for (int i = 0; i < count; i++)
        joints[i] = joint(bytes, i);
    lb_model_source source = {.name = "chain",
                              .root = place(bytes),
                              .links = links,
                              .link_count = count + 1,
                              .joints = joints,
                              .joint_count = count};
    lb_model *model = NULL;
    lb_error error;
    lb_model_build(&source, NULL, &model, &error);
    return model;
}
