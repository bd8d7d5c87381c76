/* test_model.c - building trees, their order, and reading them back. */
#include "model/kinds.h"
#include "model/layout.h"
#include "support_arm.h"

enum { TREES = 200 };

/* ---- reading back ------------------------------------------------------- */

TEST(an_arm_reads_back)
{
    test_arm a;
    test_arm_make(&a);
    int user;
    a.visuals[0] =
        (lb_geometry){.shape = LB_SHAPE_BOX, .origin = LB_TRANSFORM_IDENTITY, .size = {1, 2, 3}};
    a.visuals[1] = (lb_geometry){
        .shape = LB_SHAPE_MESH, .origin = LB_TRANSFORM_IDENTITY, .mesh = "package://arm/hand.stl"};
    a.links[3].visuals = a.visuals;
    a.links[3].visual_count = 2;
    a.links[3].collisions = a.visuals;
    a.links[3].collision_count = 1;
    a.links[3].user = &user;
    a.links[3].mass = 4;
    a.joints[1].axis = lb_vec3_make(0, -3, 0);
    owned_model *model = test_build(&a.source);

    assert_string_equal(lb_model_name(model), "arm");
    assert_int_equal(lb_model_link_count(model), 4);
    assert_int_equal(lb_model_joint_count(model), 3);
    assert_int_equal(lb_model_nq(model), 3);
    assert_int_equal(lb_model_nv(model), 3);
    const lb_link *hand = lb_model_link(model, 3);
    assert_string_equal(hand->name, "hand");
    assert_ptr_equal(hand->user, &user);
    assert_int_equal(hand->visual_count, 2);
    assert_near(hand->mass, 4, 0);
    assert_near(hand->visuals[0].size.y, 2, 0);
    assert_null(hand->visuals[0].mesh);
    assert_string_equal(hand->visuals[1].mesh, "package://arm/hand.stl");
    assert_null(lb_model_link(model, 2)->visuals);
    assert_int_equal(hand->collision_count, 1);
    assert_near(hand->collisions[0].size.z, 3, 0);
    assert_null(lb_model_link(model, 2)->collisions);

    // everything is the model's own copy
    assert_ptr_not_equal(hand->name, a.links[3].name);
    assert_ptr_not_equal(hand->visuals, a.visuals);
    assert_ptr_not_equal(hand->visuals[1].mesh, a.visuals[1].mesh);
    const lb_joint *elbow = lb_model_joint(model, 1);
    assert_string_equal(elbow->name, "elbow");
    assert_string_equal(elbow->parent, "upper");
    assert_string_equal(elbow->child, "lower");
    assert_near(elbow->axis.y, -1, 0);
    assert_near(elbow->upper[0], 2, 0);
}

TEST(a_lone_link_is_a_model)
{
    test_arm a;
    test_arm_make(&a);
    a.source.link_count = 1;
    a.source.joint_count = 0;
    a.source.joints = NULL;
    a.source.name = NULL;
    owned_model *model = test_build(&a.source);
    assert_string_equal(lb_model_name(model), "");
    assert_int_equal(lb_model_nq(model), 0);
    assert_int_equal(lb_model_parent(model, 0), -1);
    assert_int_equal(lb_model_first_child(model, 0), -1);
    assert_int_equal(lb_model_tips(model, NULL), 1);
    assert_int_equal(lb_model_find_link(model, "base"), 0);
    assert_int_equal(lb_model_find_joint(model, "shoulder"), -1);
    lb_model_release(NULL);
}

/* what is read back can be built again: no finite limit beyond the supported range */
TEST(mimic_limits_beyond_the_range_are_none)
{
    test_arm a;
    test_arm_make(&a);
    a.joints[0].lower[0] = -INFINITY;
    a.joints[0].upper[0] = INFINITY;
    a.joints[1].mimic = "shoulder";
    a.joints[1].multiplier = 1e-100;
    owned_model *model = test_build(&a.source);
    assert_true(lb_model_joint(model, 0)->lower[0] == -INFINITY);
    assert_true(lb_model_joint(model, 0)->upper[0] == INFINITY);
}

/* what follows is so many times as fast, and may not be faster than it can */
TEST(mimic_speeds_are_those_of_what_they_follow)
{
    const struct {
        double own, followers, multiplier, left;
    } rows[] = {{10, 1, -4, 0.25}, {0.1, 1, 4, 0.1}, {INFINITY, 1, 0.5, 2}, {10, INFINITY, 4, 10},
                {10, 0, 4, 0},     {10, 0, -4, 0},   {10, 1, 0, 10},        {10, 0, 0, 10}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_arm a;
        test_arm_make(&a);
        a.joints[0].velocity = rows[i].own;
        a.joints[1].velocity = rows[i].followers;
        a.joints[1].mimic = "shoulder";
        a.joints[1].multiplier = rows[i].multiplier;
        a.joints[1].lower[0] = -INFINITY;
        a.joints[1].upper[0] = INFINITY;
        owned_model *model = test_build(&a.source);
        assert_true(lb_model_joint(model, 0)->velocity == rows[i].left);
        assert_true(lb_model_joint(model, 1)->velocity == rows[i].followers);
    }
}

TEST(a_speed_below_zero_is_refused)
{
    test_arm a;
    lb_model *model;
    lb_error error;
    test_arm_make(&a);
    a.joints[1].velocity = -1;
    assert_int_equal(lb_model_build(&a.source, NULL, &model, &error), LB_BAD_VALUE);
    assert_non_null(strstr(error.message, "a speed of -1 is below 0"));
    assert_null(model);
}

TEST(children_keep_the_order_of_the_source)
{
    test_arm a;
    test_arm_make(&a);

    // all hang from the base; the joints are given in another order than the links
    for (int i = 0; i < 3; i++)
        a.joints[i].parent = "base";
    lb_joint first = a.joints[0];
    a.joints[0] = a.joints[2];
    a.joints[2] = first;
    owned_model *model = test_build(&a.source);
    assert_string_equal(lb_model_joint(model, 0)->name, "wrist");
    assert_string_equal(lb_model_joint(model, 1)->name, "elbow");
    assert_string_equal(lb_model_joint(model, 2)->name, "shoulder");
    assert_string_equal(lb_model_link(model, 1)->name, "hand");
    assert_int_equal(lb_model_first_child(model, 0), 1);
    assert_int_equal(lb_model_next_sibling(model, 1), 2);
    assert_int_equal(lb_model_next_sibling(model, 2), 3);
    assert_int_equal(lb_model_next_sibling(model, 3), -1);

    int tips[4] = {0};
    assert_int_equal(lb_model_tips(model, tips), 3);
    assert_int_equal(tips[0], 1);
    assert_int_equal(tips[2], 3);
}

TEST(numbers_that_are_nearly_exact_are_made_so)
{
    test_arm a;
    test_arm_make(&a);

    // a turn by 45 degrees typed with six decimals; an axis2 that leans
    a.joints[0].kind = LB_JOINT_UNIVERSAL;
    a.joints[0].placement.x = lb_vec3_make(0.707107, 0.707107, 0);
    a.joints[0].placement.y = lb_vec3_make(-0.707107, 0.707107, 0);
    a.joints[0].axis = lb_vec3_make(0, 0, 0.1);
    a.joints[0].axis2 = lb_vec3_make(5, 0, 2);
    a.joints[1].kind = LB_JOINT_BALL;
    a.joints[1].value[1] = 2;
    a.joints[2].kind = LB_JOINT_FLOATING;
    owned_model *model = test_build(&a.source);
    const lb_joint *universal = lb_model_joint(model, 0);
    assert_true(lb_transform_is_rigid(&universal->placement, 1e-15));
    assert_near(universal->axis.z, 1, 0);
    assert_near(universal->axis2.x, 1, 1e-15);
    assert_near(universal->axis2.z, 0, 1e-15);
    assert_near(lb_model_joint(model, 1)->value[1], 1, 0);
    assert_near(lb_model_joint(model, 2)->value[3], 1, 0);
}

TEST(exact_numbers_keep_their_bits)
{
    lb_random random = test_seed(20);
    for (int i = 0; i < TREES; i++) {
        test_tree wanted = test_tree_default();
        owned_model *model = test_tree_build(&wanted, &random);

        // what is read back builds the same model again, and no bit moves
        lb_model_source source = {.name = model->name,
                                  .root = model->root,
                                  .links = model->links,
                                  .link_count = model->link_count,
                                  .joints = model->joints,
                                  .joint_count = model->joint_count};
        owned_model *again = test_build(&source);
        assert_memory_equal(&again->root, &model->root, sizeof model->root);
        for (int j = 0; j < model->joint_count; j++) {
            const lb_joint *a = &model->joints[j], *b = &again->joints[j];
            assert_string_equal(a->name, b->name);
            assert_memory_equal(&a->placement, &b->placement, sizeof a->placement);
            assert_memory_equal(&a->axis, &b->axis, sizeof a->axis);
            assert_memory_equal(&a->axis2, &b->axis2, sizeof a->axis2);
            assert_memory_equal(a->value, b->value, sizeof a->value);
            assert_memory_equal(a->lower, b->lower, sizeof a->lower);
            assert_memory_equal(a->upper, b->upper, sizeof a->upper);
        }
        assert_memory_equal(again->elements, model->elements,
                            (size_t)model->tree.count * sizeof *model->elements);
    }
}

/* ---- names and order ---------------------------------------------------- */

TEST(random_trees_are_depth_first)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = test_random_index(&random, 40);
        wanted.branching = lb_random_unit(&random);
        owned_model *model = test_tree_build(&wanted, &random);
        int n = lb_model_link_count(model);
        assert_int_equal(n, wanted.joints + 1);
        for (int i = 0; i < n; i++) {
            assert_int_equal(lb_model_find_link(model, lb_model_link(model, i)->name), i);
            if (i == 0)
                continue;
            const lb_joint *joint = lb_model_joint(model, i - 1);
            int parent = lb_model_parent(model, i);
            assert_int_equal(lb_model_find_joint(model, joint->name), i - 1);
            assert_int_equal(lb_model_find_link(model, joint->child), i);
            assert_int_equal(lb_model_find_link(model, joint->parent), parent);
            assert_true(parent < i);

            // depth first: what comes next hangs from it or from one of those above it
            int above = i - 1;
            while (above != parent) {
                assert_true(above > 0);
                above = lb_model_parent(model, above);
            }
        }
    }
}

TEST(children_and_siblings_list_every_link_once)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.branching = 0.7;
        wanted.joints = 30;
        owned_model *model = test_tree_build(&wanted, &random);
        int listed = 0, tips[31];
        for (int i = 0; i <= 30; i++) {
            int before = i;
            for (int c = lb_model_first_child(model, i); c >= 0;
                 c = lb_model_next_sibling(model, c)) {
                assert_int_equal(lb_model_parent(model, c), i);
                assert_true(c > before);
                before = c;
                listed++;
            }
        }
        assert_int_equal(listed, 30);

        int count = lb_model_tips(model, tips);
        assert_int_equal(lb_model_tips(model, NULL), count);
        for (int i = 0; i < count; i++)
            assert_int_equal(lb_model_first_child(model, tips[i]), -1);
    }
}

TEST(unknown_names_are_not_found)
{
    test_arm a;
    test_arm_make(&a);
    owned_model *model = test_build(&a.source);
    assert_int_equal(lb_model_find_link(model, "elbow"), LB_NO_LINK);
    assert_int_equal(lb_model_find_link(model, ""), LB_NO_LINK);
    assert_int_equal(lb_model_find_link(model, "handy"), LB_NO_LINK);
    assert_int_equal(lb_model_find_joint(model, "base"), -1);
}

/* A chain of n joints of all kinds in turn; the caller frees the three arrays. */
static lb_model_source long_chain(int n, lb_link **links, lb_joint **joints, char (**names)[16])
{
    *links = calloc((size_t)n + 1, sizeof **links);
    *joints = calloc((size_t)n, sizeof **joints);
    *names = calloc(2 * (size_t)n + 1, sizeof **names);
    assert_true(*links && *joints && *names);
    for (int i = 0; i <= n; i++) {
        snprintf((*names)[i], sizeof **names, "link%d", i);
        (*links)[i] = lb_link_default();
        (*links)[i].name = (*names)[i];
    }
    for (int i = 0; i < n; i++) {
        char *name = (*names)[n + 1 + i];
        snprintf(name, sizeof **names, "joint%d", i);
        lb_joint *joint = &(*joints)[i];
        *joint = lb_joint_default();
        joint->kind = (lb_joint_kind)(i % LB_JOINT_KIND_COUNT);
        joint->name = name;
        joint->parent = (*names)[i];
        joint->child = (*names)[i + 1];
    }
    return (lb_model_source){.name = "chain",
                             .root = LB_TRANSFORM_IDENTITY,
                             .links = *links,
                             .link_count = n + 1,
                             .joints = *joints,
                             .joint_count = n};
}

TEST(a_chain_of_100000_links_builds)
{
    enum { N = 100000 };
    owned lb_link *links = NULL;
    owned lb_joint *joints = NULL;
    char(*names)[16];
    lb_model_source source = long_chain(N, &links, &joints, &names);
    owned_model *model = test_build(&source);
    assert_int_equal(lb_model_link_count(model), N + 1);
    assert_int_equal(lb_model_nq(model), N / 8 * (0 + 1 + 1 + 1 + 2 + 3 + 4 + 7));
    assert_int_equal(lb_model_nv(model), N / 8 * (0 + 1 + 1 + 1 + 2 + 3 + 3 + 6));
    for (int i = 0; i <= N; i++)
        assert_int_equal(lb_model_find_link(model, names[i]), i);
    assert_int_equal(lb_model_find_joint(model, "joint77777"), 77777);
    free(names);
}

TEST(a_chain_of_100000_followers_builds)
{
    enum { N = 100000 };
    owned lb_link *links = NULL;
    owned lb_joint *joints = NULL;
    char(*names)[16];
    lb_model_source source = long_chain(N, &links, &joints, &names);
    for (int i = 0; i < N; i++) {
        joints[i].kind = LB_JOINT_PRISMATIC;
        joints[i].mimic = i + 1 < N ? joints[i + 1].name : NULL;
        joints[i].offset = 1;
    }
    lb_model *model = test_build(&source);
    double multiplier, offset;
    assert_int_equal(lb_model_nq(model), 1);
    assert_int_equal(lb_model_joint_mimic(model, 0, &multiplier, &offset), N - 1);
    assert_near(multiplier, 1, 0);
    assert_near(offset, N - 1, 0);

    // and the same bitten into its own tail is refused
    lb_model_release(model);
    lb_error error = {0};
    joints[N - 1].mimic = joints[0].name;
    assert_int_equal(lb_model_build(&source, NULL, &model, &error), LB_BAD_MODEL);
    assert_null(model);
    free(names);
}

/* ---- kinds -------------------------------------------------------------- */

TEST(steps_of_a_kind_make_its_values)
{
    for (int k = 0; k < LB_JOINT_KIND_COUNT; k++) {
        const kind_info *info = kind_of((lb_joint_kind)k);
        int nq = 0, nv = 0;
        for (int i = 0; i < info->step_count; i++) {
            kernel_kind step = info->steps[i].kind;
            nq += step == KERNEL_BALL ? 4 : step != KERNEL_FIXED;
            nv += step == KERNEL_BALL ? 3 : step != KERNEL_FIXED;
        }
        assert_int_equal(lb_joint_kind_nq((lb_joint_kind)k), nq);
        assert_int_equal(lb_joint_kind_nv((lb_joint_kind)k), nv);
        assert_true(nq <= LB_JOINT_MAX_NQ && nv <= LB_JOINT_MAX_NV);
        assert_true(strlen(lb_joint_kind_text((lb_joint_kind)k)) > 0);
    }
    assert_string_equal(lb_joint_kind_text(LB_JOINT_UNIVERSAL), "universal");
    assert_string_equal(lb_joint_kind_text(LB_JOINT_KIND_COUNT), "unknown kind");
    assert_int_equal(lb_joint_kind_nq((lb_joint_kind)-1), 0);
}
