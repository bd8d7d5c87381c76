/* chain.c - a model made of a test case's bytes. */
#include "chain.h"

enum { MOST_JOINTS = 8, MOST_LINKS = MOST_JOINTS + 1 };

static const char *const names[MOST_LINKS] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};

lb_transform fuzz_place(fuzz_bytes *bytes)
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
    j.placement = fuzz_place(bytes);
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

lb_geometry fuzz_geometry(fuzz_bytes *bytes)
{
    lb_geometry v = {
        .shape = (lb_shape)fuzz_choice(bytes, 5), .origin = fuzz_place(bytes), .mesh = "m"};
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
        visuals[i] = fuzz_geometry(bytes);
        links[i].visuals = links[i].collisions = &visuals[i];
        links[i].visual_count = links[i].collision_count = 1;
    }
    for (int i = 0; i < count; i++)
        joints[i] = joint(bytes, i);
    return build(fuzz_place(bytes), links, joints, count);
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

/* ---- limbs ------------------------------------------------------------------ */

enum { PAIRS = 3 };

static lb_vec3 reflect(lb_vec3 v, int axis)
{
    return lb_vec3_make(axis == 0 ? -v.x : v.x, axis == 1 ? -v.y : v.y, axis == 2 ? -v.z : v.z);
}

/* M T M: columns are reflected, and the one of the mirror's axis turned round */
static lb_transform reflect_place(lb_transform t, int axis)
{
    lb_vec3 *columns[3] = {&t.x, &t.y, &t.z};
    for (int i = 0; i < 3; i++)
        *columns[i] = reflect(*columns[i], axis);
    *columns[axis] = lb_vec3_scale(*columns[axis], -1);
    t.p = reflect(t.p, axis);
    return t;
}

/* two unit axes at right angles, as planar joints have them */
static void take_axes(fuzz_bytes *bytes, lb_joint *joint)
{
    lb_quat turn = lb_quat_from_axis_angle(
        lb_vec3_normalize(fuzz_vector(bytes), lb_vec3_make(0, 0, 1)), near_number(bytes));
    joint->axis = lb_quat_rotate(turn, lb_vec3_make(0, 0, 1));
    joint->axis2 = lb_quat_rotate(turn, lb_vec3_make(1, 0, 0));
}

/* both joints of a pair, below those of the pair before or below the body */
static void take_pair(fuzz_bytes *bytes, int pair, int axis, lb_joint *joints)
{
    static const char *const sides[PAIRS][2] = {
        {"left_a", "right_a"}, {"left_b", "right_b"}, {"left_c", "right_c"}};
    bool on_body = pair == 0 || fuzz_choice(bytes, 3) == 0;
    lb_joint joint = lb_joint_default();
    joint.kind = (lb_joint_kind)fuzz_choice(bytes, LB_JOINT_KIND_COUNT);
    joint.placement = fuzz_choice(bytes, 4) ? near_place(bytes) : fuzz_place(bytes);
    take_axes(bytes, &joint);
    for (int side = 0; side < 2; side++) {
        joints[side] = joint;
        joints[side].name = joints[side].child = sides[pair][side];
        joints[side].parent = on_body ? "body" : sides[pair - 1][side];
    }
    joints[1].placement = reflect_place(joint.placement, axis);
    joints[1].axis = reflect(joint.axis, axis);
    joints[1].axis2 = reflect(joint.axis2, axis);
    if (fuzz_choice(bytes, 8) == 7)
        joints[1].kind = (lb_joint_kind)fuzz_choice(bytes, LB_JOINT_KIND_COUNT);
    if (fuzz_choice(bytes, 8) == 7)
        take_axes(bytes, &joints[1]);
}

lb_model *fuzz_limbs(fuzz_bytes *bytes)
{
    static const lb_joint_kind roots[] = {LB_JOINT_FLOATING, LB_JOINT_PLANAR, LB_JOINT_BALL};
    lb_link links[2 + 2 * PAIRS];
    lb_joint joints[1 + 2 * PAIRS];
    int pairs = 1 + fuzz_choice(bytes, PAIRS), axis = fuzz_choice(bytes, 3), count = 1;
    joints[0] = lb_joint_default();
    joints[0].name = "root";
    joints[0].parent = "world";
    joints[0].child = "body";
    joints[0].kind = roots[fuzz_choice(bytes, 3)];
    if (fuzz_choice(bytes, 4) == 0) {
        joints[0].placement = fuzz_place(bytes);
        take_axes(bytes, &joints[0]);
    }
    for (int pair = 0; pair < pairs; pair++, count += 2)
        take_pair(bytes, pair, axis, &joints[count]);
    for (int i = 0; i <= count; i++) {
        links[i] = lb_link_default();
        links[i].name = i == 0 ? "world" : joints[i - 1].child;
    }
    return build(LB_TRANSFORM_IDENTITY, links, joints, count);
}

int fuzz_shapes(fuzz_bytes *bytes, const lb_model *model, lb_link_shape *shapes, int most)
{
    int count = fuzz_choice(bytes, most + 1);
    for (int i = 0; i < count; i++) {
        shapes[i].link = fuzz_choice(bytes, lb_model_link_count(model) + 1);
        shapes[i].geometry = fuzz_geometry(bytes);
    }
    return count;
}

lb_model *fuzz_model(fuzz_bytes *bytes)
{
    return fuzz_choice(bytes, 2) ? fuzz_arm(bytes) : fuzz_chain(bytes);
}

void fuzz_configuration(fuzz_bytes *bytes, const lb_model *model, double *q)
{
    lb_random random = lb_random_seed(fuzz_byte(bytes));
    lb_configuration_random(model, &random, q);
    for (int i = 0; i < lb_model_nq(model) && fuzz_choice(bytes, 4) == 0; i++)
        q[i] = fuzz_any_number(bytes);
}
