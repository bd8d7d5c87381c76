/*
 * test_tips.c - the tips that are most likely meant: tools by name, hands and feet by the tree.
 */
#include <limber/formats/load.h>
#include <limber/model.h>

#include "support.h"

/* a link with the joint that moves it, a metre along its parent's z axis unless given */
typedef struct part {
    const char *name, *parent;
    lb_joint_kind kind;
    double length; /* 0: a metre */
} part;

enum { MOST_PARTS = 24 };

static lb_model *build(const part *parts, int count)
{
    lb_link links[MOST_PARTS];
    lb_joint joints[MOST_PARTS];
    lb_model *model;
    lb_error error = {0};
    assert_true(count <= MOST_PARTS);
    for (int i = 0; i < count; i++) {
        links[i] = lb_link_default();
        links[i].name = parts[i].name;
        if (i == 0)
            continue;
        lb_joint *joint = &joints[i - 1];
        *joint = lb_joint_default();
        joint->name = parts[i].name;
        joint->kind = parts[i].kind;
        joint->parent = parts[i].parent;
        joint->child = parts[i].name;
        joint->placement.p.z = parts[i].length > 0 ? parts[i].length : 1;
    }
    lb_model_source source = {.name = "tips",
                              .root = LB_TRANSFORM_IDENTITY,
                              .links = links,
                              .link_count = count,
                              .joints = joints,
                              .joint_count = count - 1};
    assert_made(lb_model_build(&source, NULL, &model, &error), error);
    return model;
}

/* the names of the tips with a blank behind each */
static void check_tips(const part *parts, int count, const char *expected)
{
    owned_model *model = build(parts, count);
    int tips[LB_DEFAULT_TIPS], found;
    char names[256] = "";
    assert_int_equal(lb_model_default_tips(model, NULL, tips, &found), LB_OK);
    for (int i = 0; i < found; i++) {
        strcat(names, lb_model_link(model, tips[i])->name);
        strcat(names, " ");
    }
    assert_string_equal(names, expected);
}

#define CHECK_TIPS(parts, expected) check_tips(parts, (int)(sizeof parts / sizeof *parts), expected)

#define TURN LB_JOINT_REVOLUTE
#define BALL LB_JOINT_BALL
#define FIXED LB_JOINT_FIXED

static const part figure[] = {
    {"pelvis", NULL, FIXED, 0},
    {"chest", "pelvis", BALL, 0},
    {"neck_base", "chest", BALL, 0},
    {"skull", "neck_base", BALL, 0},
    {"left_arm", "chest", BALL, 0},
    {"left_forearm", "left_arm", TURN, 0},
    {"left_hand", "left_forearm", BALL, 0},
    {"right_arm", "chest", BALL, 0},
    {"right_forearm", "right_arm", TURN, 0},
    {"right_hand", "right_forearm", BALL, 0},
    {"left_thigh", "pelvis", BALL, 0},
    {"left_shank", "left_thigh", TURN, 0},
    {"left_foot", "left_shank", TURN, 0},
    {"right_thigh", "pelvis", BALL, 0},
    {"right_shank", "right_thigh", TURN, 0},
    {"right_foot", "right_shank", TURN, 0},
};

TEST(a_figure_has_hands_and_feet)
{
    CHECK_TIPS(figure, "left_hand right_hand left_foot right_foot ");
}

TEST(a_head_is_meant_where_there_is_nothing_else)
{
    const part parts[] = {{"base", NULL, FIXED, 0}, {"head", "base", TURN, 0}};
    CHECK_TIPS(parts, "head ");
}

TEST(what_hangs_from_an_arm_is_no_end)
{
    const part parts[] = {{"base", NULL, FIXED, 0},    {"upper", "base", TURN, 0},
                          {"lower", "upper", TURN, 0}, {"camera", "lower", FIXED, 0.1},
                          {"wrist", "lower", TURN, 0}, {"plate", "wrist", FIXED, 0}};
    CHECK_TIPS(parts, "plate ");
}

TEST(an_arm_ends_at_the_link_with_the_fingers)
{
    const part parts[] = {{"base", NULL, FIXED, 0},
                          {"upper", "base", TURN, 0},
                          {"lower", "upper", TURN, 0},
                          {"palm", "lower", FIXED, 0.1},
                          {"finger_1", "palm", LB_JOINT_PRISMATIC, 0.1},
                          {"finger_2", "palm", LB_JOINT_PRISMATIC, 0.1}};
    CHECK_TIPS(parts, "palm ");
}

TEST(tools_come_before_all_else)
{
    const part one[] = {{"base", NULL, FIXED, 0},
                        {"upper", "base", TURN, 0},
                        {"r_TCP", "upper", FIXED, 0.1},
                        {"lower", "upper", TURN, 0}};
    CHECK_TIPS(one, "r_TCP ");
    // what nothing moves is no tool
    const part none[] = {{"base", NULL, FIXED, 0},
                         {"tool0", "base", FIXED, 0},
                         {"upper", "base", TURN, 0},
                         {"lower", "upper", TURN, 0}};
    CHECK_TIPS(none, "lower ");
}

TEST(a_model_of_one_link_has_one_tip)
{
    const part parts[] = {{"base", NULL, FIXED, 0}};
    CHECK_TIPS(parts, "base ");
}

TEST(memory_may_fail)
{
    owned_model *model = build(figure, (int)(sizeof figure / sizeof *figure));
    int tips[LB_DEFAULT_TIPS], count = -1;
    for (int fail_at = 0; fail_at < 3; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_status status = lb_model_default_tips(model, &allocator, tips, &count);
        assert_int_equal(status, fail_at < 2 ? LB_OUT_OF_MEMORY : LB_OK);
        assert_int_equal(count, fail_at < 2 ? 0 : 4);
        assert_int_equal(memory.live, 0);
    }
}

/* the built-in linkages: a platform that chains carry, an end that no loop holds, else as trees */
TEST(linkages_have_their_platform_or_free_end)
{
    static const char *const cases[][2] = {{"delta", "platform"},      {"stewart", "platform"},
                                           {"klann", "foot"},          {"four_bar", "coupler"},
                                           {"gripper", "left_finger"}, {"slider_crank", "rod"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        owned_model *model = NULL;
        int tips[LB_DEFAULT_TIPS], count;
        assert_int_equal(lb_load(cases[i][0], NULL, &model, NULL), LB_OK);
        assert_int_equal(lb_model_default_tips(model, NULL, tips, &count), LB_OK);
        assert_string_equal(lb_model_link(model, tips[0])->name, cases[i][1]);
    }
}
