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

/* of `count` joints and a link more; NULL where that is no model */
static lb_model *build(lb_transform root, const lb_link *links, const lb_joint *joints, int count)
{
    lb_model_source source = {.name = "chain",
                              .root = root,
                              .links = links,
                              .link_count = count + 1,
                              .joints = joints,
                              .joint_count = count};
    lb_model *model = NULL;
    lb_error error;
    lb_model_build(&source, NULL, &model, &error);
    return model;
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
    return build(place(bytes), links, joints, count);
}

/* ---- degenerate arms -------------------------------------------------------- */

/* nothing, 1e-16 to 1e-6 of either sign, a length or angle of real arms, or any number */
static double near_number(fuzz_bytes *bytes)
{
    static const double usual[] = {0, 0.3, 0.5 * LB_PI, LB_PI, -0.5 * LB_PI, 1};
    int kind = fuzz_byte(bytes);
    if (kind < 96)
        return usual[kind % (int)(sizeof usual / sizeof *usual)];
    if (kind >= 224)
        return fuzz_number_within(bytes, 1e3);
    double number = kind % 2 ? 1e-6 : -1e-6;
    for (int k = kind / 2 % 11; k > 0; k--)
        number *= 0.1;
    return number;
}

static lb_transform near_place(fuzz_bytes *bytes)
{
    static const lb_vec3 about[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    lb_quat turn = lb_quat_from_axis_angle(about[fuzz_choice(bytes, 3)], near_number(bytes));
    lb_vec3 p = {near_number(bytes), 0, 0};
    p.y = near_number(bytes);
    p.z = near_number(bytes);
    return lb_transform_from_quat(turn, p);
}

lb_model *fuzz_arm(fuzz_bytes *bytes)
{
    lb_link links[MOST_LINKS];
    lb_joint joints[MOST_JOINTS];
    int count = 1 + fuzz_choice(bytes, 7);
    for (int i = 0; i <= count; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < count; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = fuzz_choice(bytes, 8) ? LB_JOINT_REVOLUTE : LB_JOINT_PRISMATIC;
        joints[i].placement = near_place(bytes);
        double value = near_number(bytes);
        joints[i].lower[0] = value - fabs(near_number(bytes));
        joints[i].upper[0] = value + fabs(near_number(bytes));
    }
    return build(near_place(bytes), links, joints, count);
}
