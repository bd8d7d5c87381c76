/*
 * test_skeleton.c - which links of a figure are joined by bones, above all where they move freely.
 */
#include "figures/skeleton.h"
#include "support.h"

enum { LINKS = 10 };

/* links that hang from each other by floating joints; neutral values are where they are drawn */
static lb_model *floating_tree(const char *const *names, const int *parents, const lb_vec3 *at)
{
    lb_link links[LINKS];
    lb_joint joints[LINKS - 1];
    for (int i = 0; i < LINKS; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 1; i < LINKS; i++) {
        lb_joint *joint = &joints[i - 1];
        *joint = lb_joint_default();
        joint->name = joint->child = names[i];
        joint->parent = names[parents[i]];
        joint->kind = LB_JOINT_FLOATING;
        joint->value[0] = at[i].x, joint->value[1] = at[i].y, joint->value[2] = at[i].z;
        joint->value[3] = 1;
    }
    return test_make("figure", links, LINKS, joints, LINKS - 1);
}

/* a character all of whose nodes move: its limbs hang from its pelvis, what leads them is apart */
TEST(free_parts_of_a_figure_are_joined)
{
    static const char *const names[LINKS] = {"world",     "root",     "hips",       "leftUpLeg",
                                             "leftLeg",   "leftFoot", "rightUpLeg", "rightLeg",
                                             "rightFoot", "pole"};
    static const int parents[LINKS] = {0, 0, 1, 2, 3, 4, 2, 6, 7, 1};
    const lb_vec3 at[LINKS] = {{0, 0, 0},    {0, 0, 0},    {0, 0, 1},    {0, 0.1, 0},  {0, 0, -0.5},
                               {0, 0, -0.5}, {0, -0.1, 0}, {0, 0, -0.5}, {0, 0, -0.5}, {1, 0, 0}};
    static const bool joined[LINKS] = {false, false, false, true, true,
                                       true,  true,  true,  true, false};
    owned_model *model = floating_tree(names, parents, at);
    skeleton bones;
    assert_true(skeleton_make(&bones, model));
    for (int i = 0; i < LINKS; i++)
        assert_int_equal(bones.bone[lb_model_find_link(model, names[i])], joined[i]);
    assert_near(bones.reach[lb_model_find_link(model, "hips")], 1.1, 1e-12);
    skeleton_release(&bones);
}

/* bodies in the world, none of which belongs to another */
TEST(free_bodies_are_apart)
{
    static const char *const names[LINKS] = {"world", "a", "b", "c", "d", "e", "f", "g", "h", "i"};
    static const int parents[LINKS] = {0};
    const lb_vec3 at[LINKS] = {{0, 0, 0}};
    lb_model *model = floating_tree(names, parents, at);
    skeleton bones;
    assert_true(skeleton_make(&bones, model));
    for (int i = 0; i < LINKS; i++)
        assert_false(bones.bone[i]);
    skeleton_release(&bones);
    lb_model_release(model);

    // a single one: the end of the search is not the root
    owned_model *ball = test_single(LB_JOINT_FLOATING);
    assert_true(skeleton_make(&bones, ball));
    assert_false(bones.bone[1]);
    skeleton_release(&bones);
}
