/*
 * test_clip_mirror.c - mirrored clips of random figures: two sides of joints of every kind, each
 * the other's image in one of the three planes, named as rigs and robots name their sides.
 *
 * A mirror M takes the transform T of a link to M T M, which is where the link of the other side
 * must be. What is no image of its counterpart is refused by name.
 */
#include <limber/clip.h>
#include <limber/kinematics.h>

#include "support.h"

enum { SIDES = 2, LENGTH = 7, LINKS = 3 + SIDES * LENGTH, JOINTS = LINKS - 1, NAME = 300 };
enum { KEYS = 5, MOST_NQ = 64, ROUNDS = 4 };

static const lb_joint_kind kinds[LENGTH] = {
    LB_JOINT_REVOLUTE, LB_JOINT_PRISMATIC,  LB_JOINT_UNIVERSAL, LB_JOINT_PLANAR,
    LB_JOINT_BALL,     LB_JOINT_CONTINUOUS, LB_JOINT_FLOATING};

/* how the sides of joint %d are called */
static const char *const schemes[][SIDES] = {
    {"left_%d", "right_%d"}, {"Arm%dLeft", "Arm%dRight"}, {"LEFT%d", "RIGHT%d"},
    {"LHip%d", "RHip%d"},    {"hip%d_l", "hip%d_r"},      {"%d.L", "%d.R"},
    {"FL_%d", "FR_%d"},      {"RL_%d", "RR_%d"},          {"HL_%d", "HR_%d"},
};
enum { SCHEMES = sizeof schemes / sizeof *schemes };

/* A figure while it is made; names are of links and joints alike. */
typedef struct figure {
    char names[LINKS][NAME];
    lb_link links[LINKS];
    lb_joint joints[JOINTS];
} figure;

/* ---- figures ------------------------------------------------------------ */

static lb_vec3 reflect(lb_vec3 v, int axis)
{
    return lb_vec3_make(axis == 0 ? -v.x : v.x, axis == 1 ? -v.y : v.y, axis == 2 ? -v.z : v.z);
}

/* M T M: the columns are reflected, and the one of the mirror's axis turned round */
static lb_transform reflect_frame(lb_transform t, int axis)
{
    lb_vec3 *columns[3] = {&t.x, &t.y, &t.z};
    for (int i = 0; i < 3; i++)
        *columns[i] = reflect(*columns[i], axis);
    *columns[axis] = lb_vec3_scale(*columns[axis], -1);
    t.p = reflect(t.p, axis);
    return t;
}

/* the joint above the link of index `link` */
static lb_joint *add(figure *f, int link, int parent, lb_joint_kind kind)
{
    lb_joint *joint = &f->joints[link - 1];
    *joint = lb_joint_default();
    joint->name = f->names[link];
    joint->parent = f->names[parent];
    joint->child = f->names[link];
    joint->kind = kind;
    if (kind == LB_JOINT_REVOLUTE || kind == LB_JOINT_PRISMATIC) {
        joint->lower[0] = -1.5;
        joint->upper[0] = 1.5;
    }
    return joint;
}

/* axes at right angles: those of a planar joint must be */
static void turn_axes(lb_joint *joint, lb_random *random)
{
    lb_transform t = test_random_transform(random);
    joint->axis = t.z;
    joint->axis2 = t.x;
}

/* base, a root that moves, a slide in the middle, and two sides that hang on it */
static void make_figure(figure *f, int axis, const char *const *scheme, lb_random *random)
{
    memset(f, 0, sizeof *f);
    strcpy(f->names[0], "base");
    strcpy(f->names[1], "body");
    strcpy(f->names[2], "middle");
    add(f, 1, 0, LB_JOINT_FLOATING);
    // along the mirror's axis or at right angles to it
    lb_vec3 units[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    add(f, 2, 1, LB_JOINT_PRISMATIC)->axis = units[test_random_index(random, 3)];
    for (int k = 0; k < LENGTH; k++) {
        int left = 3 + k, right = left + LENGTH;
        snprintf(f->names[left], NAME, scheme[0], k);
        snprintf(f->names[right], NAME, scheme[1], k);
        lb_joint *a = add(f, left, k == 0 ? 2 : left - 1, kinds[k]);
        lb_joint *b = add(f, right, k == 0 ? 2 : right - 1, kinds[k]);
        a->placement = test_random_transform(random);
        // the first is to a side for certain
        b->placement = reflect_frame(a->placement, axis);
        turn_axes(a, random);
        // either sense of each axis will do
        double sense = test_random_chance(random, 0.5) ? -1 : 1;
        double sense2 = test_random_chance(random, 0.5) ? -1 : 1;
        b->axis = lb_vec3_scale(reflect(a->axis, axis), sense);
        b->axis2 = lb_vec3_scale(reflect(a->axis2, axis), sense2);
    }
    for (int i = 0; i < LINKS; i++) {
        f->links[i] = lb_link_default();
        f->links[i].name = f->names[i];
    }
}

static lb_model *build(const figure *f)
{
    lb_model *model = NULL;
    const lb_model_source source = {.root = LB_TRANSFORM_IDENTITY,
                                    .links = f->links,
                                    .link_count = LINKS,
                                    .joints = f->joints,
                                    .joint_count = JOINTS};
    assert_made(lb_model_build(&source, NULL, &model, &cause), cause);
    return model;
}

/* ---- what is mirrored --------------------------------------------------- */

/* the link that is the image of one of the figure */
static int image_of(const lb_model *model, const figure *f, int link)
{
    int image = link < 3 ? link : link < 3 + LENGTH ? link + LENGTH : link - LENGTH;
    return lb_model_find_link(model, f->names[image]);
}

static void check_mirrored(const figure *f, int axis, lb_random *random)
{
    owned_model *model = build(f);
    owned_clip *clip = test_random_clip(model, KEYS, random), *mirrored = NULL;
    if (lb_clip_mirror(clip, NULL, &mirrored, &cause) != LB_OK)
        fail_msg("%s: %s", f->names[3], cause.message);
    owned_state *a = test_state(model);
    owned_state *b = test_state(model);
    for (int i = 0; i < KEYS; i++) {
        lb_state_update(a, lb_clip_key(clip, i));
        lb_state_update(b, lb_clip_key(mirrored, i));
        for (int link = 0; link < LINKS; link++) {
            int own = lb_model_find_link(model, f->names[link]);
            lb_transform wanted =
                reflect_frame(lb_state_transforms(a)[image_of(model, f, link)], axis);
            assert_transform_near(&lb_state_transforms(b)[own], &wanted, 1e-9);
        }
    }
}

TEST(every_kind_is_mirrored_in_every_plane)
{
    lb_random random = test_seed(21);
    figure f;
    for (int round = 0; round < ROUNDS; round++)
        for (int axis = 0; axis < 3; axis++)
            for (int i = 0; i < SCHEMES; i++) {
                make_figure(&f, axis, schemes[i], &random);
                // far enough to its side that the plane is this one
                double *sides[2][3] = {{&f.joints[2].placement.p.x, &f.joints[2].placement.p.y,
                                        &f.joints[2].placement.p.z},
                                       {&f.joints[2 + LENGTH].placement.p.x,
                                        &f.joints[2 + LENGTH].placement.p.y,
                                        &f.joints[2 + LENGTH].placement.p.z}};
                *sides[0][axis] = 50;
                *sides[1][axis] = -50;
                check_mirrored(&f, axis, &random);
            }
}

/* ---- what is refused ---------------------------------------------------- */

static void check_refused(const figure *f, lb_random *random, const char *says)
{
    owned_model *model = build(f);
    lb_clip *clip = test_random_clip(model, KEYS, random), *mirrored = NULL;
    lb_error error = {0};
    assert_int_equal(lb_clip_mirror(clip, NULL, &mirrored, &error), LB_BAD_MODEL);
    assert_null(mirrored);
    if (strstr(error.message, says) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.message, says);
    lb_clip_release(clip);
}

/* each axis of each kind turned by a right angle on one side */
TEST(what_is_no_image_is_refused_by_name)
{
    lb_random random = test_seed(22);
    for (int k = 0; k < LENGTH; k++)
        for (int which = 0; which < 2; which++) {
            figure f;
            char says[96];
            make_figure(&f, 1, schemes[0], &random);
            snprintf(says, sizeof says, "joint 'left_%d' is no mirror image of 'right_%d'", k, k);
            lb_joint *joint = &f.joints[2 + k];
            lb_vec3 axis = joint->axis, axis2 = joint->axis2;
            bool has_axis = kinds[k] != LB_JOINT_BALL && kinds[k] != LB_JOINT_FLOATING;
            bool has_second = kinds[k] == LB_JOINT_UNIVERSAL || kinds[k] == LB_JOINT_PLANAR;
            if (!has_axis || (which == 1 && !has_second))
                continue;
            // about the other axis, so that only this one differs
            if (which == 0)
                joint->axis = lb_vec3_cross(axis, axis2);
            else
                joint->axis2 = lb_vec3_cross(axis, axis2);
            check_refused(&f, &random, says);
        }
    figure f;
    make_figure(&f, 1, schemes[0], &random);
    f.joints[2].kind = LB_JOINT_CONTINUOUS;
    check_refused(&f, &random, "joint 'left_0' is no mirror image of 'right_0'");
}

/* names without sides, also where an l is no word of its own, and those that are too long */
TEST(figures_without_sides_are_refused)
{
    static const char *const none[][SIDES] = {
        {"a%d", "b%d"}, {"bal%d", "bar%d"}, {"headLamp%d", "headRamp%d"}};
    static char left[NAME], right[NAME];
    lb_random random = test_seed(23);
    figure f;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        make_figure(&f, 1, none[i], &random);
        check_refused(&f, &random, "has no joints of a left and a right side to exchange");
    }
    memset(left, 'x', sizeof left);
    memset(right, 'x', sizeof right);
    strcpy(left + 245, "_left_%d");
    strcpy(right + 245, "_right_%d");
    const char *const too_long[SIDES] = {left, right};
    make_figure(&f, 1, too_long, &random);
    check_refused(&f, &random, "has no joints of a left and a right side to exchange");
}

/* nothing is left behind when memory ends */
TEST(every_allocation_may_fail)
{
    lb_random random = test_seed(24);
    figure f;
    make_figure(&f, 1, schemes[0], &random);
    owned_model *model = build(&f);
    owned_clip *clip = test_random_clip(model, KEYS, &random);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_clip *mirrored = NULL;
        failing.status = lb_clip_mirror(clip, &failing.allocator, &mirrored, NULL);
        assert_int_equal(mirrored != NULL, failing.status == LB_OK);
    }
    assert_int_equal(lb_clip_mirror(clip, NULL, NULL, NULL), LB_INVALID_ARGUMENT);
    lb_clip *mirrored = clip;
    assert_int_equal(lb_clip_mirror(NULL, NULL, &mirrored, NULL), LB_INVALID_ARGUMENT);
    assert_null(mirrored);
}
