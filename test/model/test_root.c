/*
 * test_root.c - a model with another way for its root to move is the same where it has been.
 */
#include <limber/kinematics.h>

#include "support.h"

enum { MOST_Q = 128, TREES = 60 };

static lb_model *with_root(const lb_model *model, lb_joint_kind kind)
{
    lb_model *made;
    lb_error error = {0};
    assert_made(lb_model_with_root(model, kind, NULL, &made, &error), error);
    return made;
}

/* every link by name at the neutral configuration */
static void check_same_places(const lb_model *a, const lb_model *b)
{
    double q[MOST_Q];
    owned_state *first = test_state(a);
    owned_state *second = test_state(b);
    lb_configuration_neutral(b, q);
    lb_state_update(second, q);
    for (int i = 0; i < lb_model_link_count(a); i++) {
        int link = lb_model_find_link(b, lb_model_link(a, i)->name);
        assert_true(link >= 0);
        assert_transform_near(&lb_state_transforms(second)[link], &lb_state_transforms(first)[i],
                              1e-12);
    }
}

TEST(a_root_that_moves_changes_no_place)
{
    lb_random random = test_seed(21);
    const lb_joint_kind kinds[] = {LB_JOINT_PLANAR, LB_JOINT_FLOATING};
    for (int i = 0; i < TREES; i++) {
        test_tree wanted = test_tree_default();
        owned_model *model = test_tree_build(&wanted, &random);
        for (int k = 0; k < 2; k++) {
            lb_model *moving = with_root(model, kinds[k]);
            // a root that moves already keeps its joint
            if (lb_model_joint_count(moving) == lb_model_joint_count(model)) {
                lb_model_release(moving);
                continue;
            }
            assert_int_equal(lb_model_nv(moving), lb_model_nv(model) + lb_joint_kind_nv(kinds[k]));
            assert_string_equal(lb_model_link(moving, 0)->name, "world");
            check_same_places(model, moving);
            // and back
            owned_model *back = with_root(moving, LB_JOINT_FIXED);
            check_same_places(model, back);
            lb_model_release(moving);
        }
    }
}

/* the root arc may stand anywhere: planar ones move along the world's axes */
TEST(a_planar_root_moves_in_the_worlds_plane)
{
    lb_link link = lb_link_default();
    link.name = "world";
    lb_random random = test_seed(22);
    lb_model_source source = {.name = "one", .links = &link, .link_count = 1};
    source.root = test_random_transform(&random);
    owned_model *model = test_build(&source), *moving = with_root(model, LB_JOINT_PLANAR);
    // its own link has the name already
    assert_string_equal(lb_model_link(moving, 0)->name, "world_");
    const double q[3] = {0.5, -0.25, 0};
    owned_state *at = test_state(moving);
    lb_state_update(at, q);
    lb_vec3 moved = lb_vec3_sub(lb_state_transforms(at)[1].p, source.root.p);
    assert_near(moved.x, 0.5, 1e-12);
    assert_near(moved.y, -0.25, 1e-12);
    assert_near(moved.z, 0, 1e-12);
}

TEST(other_kinds_are_refused)
{
    lb_random random = test_seed(23);
    test_tree wanted = test_tree_default();
    lb_model *model = test_tree_build(&wanted, &random), *made;
    lb_error error = {0};
    assert_int_equal(lb_model_with_root(model, LB_JOINT_BALL, NULL, &made, &error),
                     LB_INVALID_ARGUMENT);
    assert_null(made);
    assert_non_null(strstr(error.message, "ball"));
    for (long fail_at = 0; fail_at < 4; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        lb_allocator allocator = test_memory_allocator(&memory);
        assert_int_equal(lb_model_with_root(model, LB_JOINT_FLOATING, &allocator, &made, &error),
                         LB_OUT_OF_MEMORY);
        assert_int_equal(memory.live, 0);
    }
    lb_model_release(model);
}
