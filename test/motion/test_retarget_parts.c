/*
 * test_retarget_parts.c - parts of figures by maps: the arms of a walker on a machine that is
 * nothing but two arms, at rest forward and down where the walker's are out to the sides.
 */
#include <limber/retarget.h>

#include "motion/retargeted.h"
#include "motion/walker.h"
#include "support.h"

#include <limber/kinematics.h>

enum { PARTS = 7 };

typedef struct part {
    const char *name, *parent;
    double x, y, z;
} part;

static const part parts[PARTS] = {
    {"stand", "world", 0, 0, 0}, {"l1", "stand", 0, 0.2, 0.5},  {"l2", "l1", 0, 0, -0.4},
    {"l3", "l2", 0.3, 0, 0},     {"r1", "stand", 0, -0.2, 0.5}, {"r2", "r1", 0, 0, -0.4},
    {"r3", "r2", 0.3, 0, 0},
};

/* `left` is the speed limit of the left upper arm */
static lb_model *make_arms(double left)
{
    lb_link links[PARTS + 1];
    lb_joint joints[PARTS];
    links[0] = lb_link_default();
    links[0].name = "world";
    for (int i = 0; i < PARTS; i++) {
        links[i + 1] = lb_link_default();
        links[i + 1].name = parts[i].name;
        joints[i] = lb_joint_default();
        joints[i].name = joints[i].child = parts[i].name;
        joints[i].parent = parts[i].parent;
        joints[i].kind = i == 0 ? LB_JOINT_FLOATING : LB_JOINT_BALL;
        joints[i].placement = lb_transform_translation(parts[i].x, parts[i].y, parts[i].z);
        joints[i].velocity = i == 1 ? left : INFINITY;
        for (int k = 0; k < 3; k++)
            joints[i].lower[k] = -INFINITY, joints[i].upper[k] = INFINITY;
    }
    return test_make("arms", links, PARTS + 1, joints, PARTS);
}

/* What follows what. */
static const struct {
    lb_role role;
    const char *source, *target;
} pairs[PARTS] = {
    {LB_ROLE_CHEST, "Spine1", "stand"},          {LB_ROLE_LEFT_UPPER_ARM, "LeftArm", "l1"},
    {LB_ROLE_LEFT_FOREARM, "LeftForeArm", "l2"}, {LB_ROLE_LEFT_HAND, "LeftHand", "l3"},
    {LB_ROLE_RIGHT_UPPER_ARM, "RightArm", "r1"}, {LB_ROLE_RIGHT_FOREARM, "RightForeArm", "r2"},
    {LB_ROLE_RIGHT_HAND, "RightHand", "r3"},
};

static lb_retarget_map make_map(const lb_model *source, const lb_model *target)
{
    lb_retarget_map map = {.count = PARTS};
    for (int i = 0; i < PARTS; i++) {
        map.pairs[i] =
            lb_retarget_pair_make(pairs[i].role, lb_model_find_link(source, pairs[i].source),
                                  lb_model_find_link(target, pairs[i].target));
        if (i == 0)
            map.pairs[i].position = map.pairs[i].orientation = 1;
        else
            map.pairs[i].direction = 1;
    }
    return map;
}

/* from one link's origin to another's, of unit length */
static lb_vec3 bone(lb_state *s, const double *q, const char *from, const char *to)
{
    const lb_model *model = lb_state_model(s);
    lb_state_update(s, q);
    const lb_transform *at = lb_state_transforms(s);
    lb_vec3 along =
        lb_vec3_sub(at[lb_model_find_link(model, to)].p, at[lb_model_find_link(model, from)].p);
    return lb_vec3_scale(along, 1 / lb_vec3_length(along));
}

TEST(arms_alone_follow_arms)
{
    owned_model *source = walker_model(WALKER_T), *target = make_arms(INFINITY);
    owned_clip *clip = walker_clip(source, WALKER_T, 2, 30), *made = NULL;
    lb_retarget_map map = make_map(source, target);
    lb_retarget_options options = lb_retarget_options_default();
    lb_retarget_report report;
    options.map = &map;
    assert_made(lb_retarget(clip, target, &options, NULL, &made, NULL, &report, &cause), cause);
    // arms of 0.4 and 0.3 over 0.28 and 0.26
    assert_near(report.root_scale, 0.7 / 0.54, 1e-9);
    owned_state *a = test_state(source);
    owned_state *b = test_state(target);
    for (int key = 0; key < lb_clip_count(clip); key++)
        for (int i = 1; i < PARTS; i++) {
            if (i % 3 == 0)
                continue;
            lb_vec3 there = bone(a, lb_clip_key(clip, key), pairs[i].source, pairs[i + 1].source);
            lb_vec3 here = bone(b, lb_clip_key(made, key), pairs[i].target, pairs[i + 1].target);
            assert_near(lb_vec3_length(lb_vec3_sub(there, here)), 0, 0.02);
        }
}

/* a ball of speed 0 rests in all frames, and the other arm moves */
TEST(a_ball_that_may_not_move_rests)
{
    owned_model *source = walker_model(WALKER_T), *target = make_arms(0);
    owned_clip *clip = walker_clip(source, WALKER_T, 2, 30);
    lb_retarget_map map = make_map(source, target);
    lb_retarget_options options = lb_retarget_options_default();
    int fixed = lb_model_joint_q(target, lb_model_find_joint(target, "l1"));
    int moving = lb_model_joint_q(target, lb_model_find_joint(target, "r1"));
    options.map = &map;
    for (int any = 0; any < 2; any++) {
        options.any_speed = any;
        owned_retargeted r = retarget(clip, target, &options);
        double most = 0, other = 0;
        for (int key = 1; key < lb_clip_count(r.clip); key++)
            for (int k = 0; k < 4; k++) {
                const double *a = lb_clip_key(r.clip, key - 1), *b = lb_clip_key(r.clip, key);
                most = fmax(most, fabs(b[fixed + k] - a[fixed + k]));
                other = fmax(other, fabs(b[moving + k] - a[moving + k]));
            }
        assert_true(other > 0.01);
        assert_true(any ? most > 0.01 : most < 1e-9);
        assert_int_equal(r.check.items[LB_CHECK_SPEED].beyond > 0, any);
    }
}

/* clavicles, which nothing says anything of, stay at rest though arms come down from a T */
TEST(shoulders_do_not_fall)
{
    static const walker_bone bones[] = {
        {"Hips", "world", 0, 0, 0},
        {"Spine1", "Hips", 0, 0, 0.2},
        {"Head", "Spine1", 0, 0, 0.4},
        {"LeftShoulder", "Spine1", 0, 0.02, 0.3},
        {"LeftArm", "LeftShoulder", 0, 0.16, 0},
        {"LeftForeArm", "LeftArm", 0, 0.28, 0},
        {"LeftHand", "LeftForeArm", 0, 0.26, 0},
        {"RightShoulder", "Spine1", 0, -0.02, 0.3},
        {"RightArm", "RightShoulder", 0, -0.16, 0},
        {"RightForeArm", "RightArm", 0, -0.28, 0},
        {"RightHand", "RightForeArm", 0, -0.26, 0},
        {"LeftUpLeg", "Hips", 0, 0.1, 0},
        {"LeftLeg", "LeftUpLeg", 0, 0, -WALKER_BONE},
        {"LeftFoot", "LeftLeg", 0, 0, -WALKER_BONE},
        {"LeftToeBase", "LeftFoot", 0.15, 0, -0.06},
        {"RightUpLeg", "Hips", 0, -0.1, 0},
        {"RightLeg", "RightUpLeg", 0, 0, -WALKER_BONE},
        {"RightFoot", "RightLeg", 0, 0, -WALKER_BONE},
        {"RightToeBase", "RightFoot", 0.15, 0, -0.06},
    };
    owned_model *source = walker_model(WALKER_A);
    owned_model *target = walker_build(bones, sizeof bones / sizeof *bones, LB_QUAT_IDENTITY);
    owned_clip *clip = walker_clip(source, WALKER_A, 1, 30);
    for (int fast = 0; fast < 2; fast++) {
        lb_retarget_options options = lb_retarget_options_default();
        options.smooth = fast ? 0 : options.smooth;
        owned_retargeted r = retarget(clip, target, &options);
        int at = lb_model_joint_q(target, lb_model_find_joint(target, "LeftShoulder"));
        for (int k = 0; k < lb_clip_count(r.clip); k++) {
            const double *q = lb_clip_key(r.clip, k) + at;
            lb_vec3 turned = lb_quat_log((lb_quat){q[0], q[1], q[2], q[3]});
            if (!(lb_vec3_length(turned) < 0.1))
                fail_msg("frame %d: the clavicle turns by %g", k, lb_vec3_length(turned));
        }
    }
}

/* roles of neither arms nor legs do not count for size */
TEST(too_little_of_a_figure_is_refused)
{
    owned_model *source = walker_model(WALKER_T), *target = make_arms(INFINITY);
    lb_clip *clip = walker_clip(source, WALKER_T, 1, 30), *made = NULL;
    lb_retarget_map map = make_map(source, target);
    lb_retarget_options options = lb_retarget_options_default();
    map.count = 3;
    options.map = &map;
    assert_refused(lb_retarget(clip, target, &options, NULL, &made, NULL, NULL, &cause),
                   LB_BAD_MODEL, &cause, "arms");
    lb_clip_release(clip);
}
