/*
 * test_rig_bones.c - captured figures whose bones have no names: what they are is seen in the tree.
 */
#include <limber/retarget.h>

#include "support.h"

#include <stdio.h>

enum { BONES = 40 };

/* Bones that turn freely, each with its place from the one that carries it. */
typedef struct skeleton {
    lb_link links[BONES];
    lb_joint joints[BONES];
    char names[BONES][8];
    int count;
} skeleton;

static int add_bone(skeleton *to, int parent, lb_joint_kind kind, lb_vec3 at)
{
    int i = to->count++;
    assert_true(i < BONES);
    snprintf(to->names[i], sizeof to->names[i], "b%d", i);
    to->links[i] = lb_link_default();
    to->links[i].name = to->names[i];
    if (i == 0)
        return i;
    lb_joint *joint = &to->joints[i - 1];
    *joint = lb_joint_default();
    joint->name = joint->child = to->names[i];
    joint->parent = to->names[parent];
    joint->kind = kind;
    joint->placement.p = at;
    return i;
}

/* bones one behind the other; the last is fixed: where the file's chain ends */
static int add_chain(skeleton *to, int parent, const lb_vec3 *at, int count, int bones[])
{
    for (int i = 0; i < count; i++)
        bones[i] = parent =
            add_bone(to, parent, i < count - 1 ? LB_JOINT_BALL : LB_JOINT_FIXED, at[i]);
    return parent;
}

/* a leg of which `bones` are thigh, shank, foot and toe; toes may end where they begin */
static void add_leg(skeleton *to, lb_random *random, double side, bool ends, int bones[])
{
    const lb_vec3 at[] = {
        {0.02, 0.1 * side, -0.05},
        {0, 0.03 * side, -lb_random_between(random, 0.35, 0.45)},
        {0, 0.02 * side, -lb_random_between(random, 0.35, 0.45)},
        {0.14, 0, -0.05},
        {ends ? 0.06 : 0, 0, 0},
    };
    add_chain(to, 0, at, 5, bones);
}

/* an arm of which `bones` are clavicle, upper arm, forearm and hand, stretched sideways or down */
static void add_arm(skeleton *to, lb_random *random, int chest, double side, bool fingers,
                    int bones[])
{
    const bool down = test_random_chance(random, 0.3);
    const double upper = lb_random_between(random, 0.26, 0.34);
    const double fore = upper * lb_random_between(random, 0.66, 1);
    const lb_vec3 along = {0, down ? 0.2 * side : side, down ? -0.98 : 0};
    const lb_vec3 at[] = {{0, test_random_chance(random, 0.5) ? 0 : 0.03 * side, 0.05},
                          {0, lb_random_between(random, 0.1, 0.2) * side, 0.05},
                          lb_vec3_scale(along, upper),
                          lb_vec3_scale(along, fore)};
    for (int i = 0; i < 4; i++)
        bones[i] = chest = add_bone(to, chest, LB_JOINT_BALL, at[i]);
    int digits[3];
    const lb_vec3 finger[] = {{0, 0, 0}, lb_vec3_scale(along, 0.09), lb_vec3_scale(along, 0.08)};
    const lb_vec3 thumb[] = {{0, 0, 0}, {0.05, 0.05 * side, 0}};
    if (fingers) {
        add_chain(to, chest, finger, 3, digits);
        add_chain(to, chest, thumb, 2, digits);
    } else {
        add_chain(to, chest, (const lb_vec3[]){lb_vec3_scale(along, 0.17)}, 1, digits);
    }
}

TEST(bones_without_names_are_found_by_their_places)
{
    lb_random random = test_seed(5);
    for (int i = 0; i < 300; i++) {
        skeleton s = {.count = 0};
        int legs[2][5], arms[2][4], bones[4];
        const bool left = test_random_chance(&random, 0.5), fingers = i % 2, ends = i % 3;
        add_bone(&s, 0, LB_JOINT_FIXED, lb_vec3_make(0, 0, 0));
        for (int k = 0; k < 2; k++)
            add_leg(&s, &random, (k == 0) == left ? 1 : -1, ends, legs[k]);
        const lb_vec3 spine[] = {{0, 0, 0.1}, {0, 0, 0.2}};
        for (int k = 0, parent = 0; k < 2; k++)
            bones[k] = parent = add_bone(&s, parent, LB_JOINT_BALL, spine[k]);
        const int chest = bones[1];
        add_chain(&s, chest, (const lb_vec3[]){{0, 0, 0.2}, {0.02, 0, 0.1}, {0, 0, 0.15}}, 3,
                  bones);
        for (int k = 0; k < 2; k++)
            add_arm(&s, &random, chest, (k == 0) == left ? 1 : -1, fingers, arms[k]);
        owned_model *model = test_build(&(lb_model_source){.name = "bones",
                                                           .root = LB_TRANSFORM_IDENTITY,
                                                           .links = s.links,
                                                           .link_count = s.count,
                                                           .joints = s.joints,
                                                           .joint_count = s.count - 1});
        lb_rig rig;
        lb_error error = {0};
        if (lb_rig_find(model, NULL, &rig, &error) != LB_OK)
            fail_msg("figure %d: %s", i, error.message);
        assert_int_equal(rig.links[LB_ROLE_CHEST], chest);
        assert_int_equal(rig.links[LB_ROLE_HEAD], bones[1]);
        for (int k = 0; k < 3; k++) {
            assert_int_equal(rig.links[LB_ROLE_LEFT_THIGH + k], legs[!left][k]);
            assert_int_equal(rig.links[LB_ROLE_RIGHT_THIGH + k], legs[left][k]);
            assert_int_equal(rig.links[LB_ROLE_LEFT_UPPER_ARM + k], arms[!left][k + 1]);
            assert_int_equal(rig.links[LB_ROLE_RIGHT_UPPER_ARM + k], arms[left][k + 1]);
        }
    }
}
