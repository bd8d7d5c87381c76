/* test_model.c - building trees, refusing what is none, and the compiled form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/kinds.h"
#include "model/layout.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TREES = 200 };

/* ---- a small arm -------------------------------------------------------- */

/* What a test builds from, and spoils: base - shoulder - upper - elbow - lower - wrist - hand. */
typedef struct arm {
    lb_link links[4];
    lb_joint joints[3];
    lb_visual visuals[2];
    int lines[3];
    lb_model_source source;
} arm;

static void arm_make(arm *a)
{
    static const char *const names[] = {"base", "upper", "lower", "hand"};
    static const char *const joints[] = {"shoulder", "elbow", "wrist"};
    memset(a, 0, sizeof *a);
    for (int i = 0; i < 4; i++) {
        a->links[i] = lb_link_default();
        a->links[i].name = names[i];
    }
    for (int i = 0; i < 3; i++) {
        a->joints[i] = lb_joint_default();
        a->joints[i].name = joints[i];
        a->joints[i].parent = names[i];
        a->joints[i].child = names[i + 1];
        a->joints[i].kind = LB_JOINT_REVOLUTE;
        a->joints[i].lower[0] = -2;
        a->joints[i].upper[0] = 2;
        a->lines[i] = 11 + i;
    }
    a->source = (lb_model_source){.name = "arm",
                                  .root = LB_TRANSFORM_IDENTITY,
                                  .links = a->links,
                                  .link_count = 4,
                                  .joints = a->joints,
                                  .joint_count = 3,
                                  .joint_lines = a->lines};
}

static lb_model *must_build(const lb_model_source *source)
{
    lb_model *model = NULL;
    lb_error error = {0};
    if (lb_model_build(source, NULL, &model, &error) != LB_OK)
        fail_msg("%s", error.message);
    return model;
}

/* ---- reading back ------------------------------------------------------- */

static void an_arm_reads_back(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);
    int user;
    a.visuals[0] = (lb_visual){.shape = LB_SHAPE_BOX, .size = {1, 2, 3}};
    a.visuals[1] = (lb_visual){.shape = LB_SHAPE_MESH, .mesh = "package://arm/hand.stl"};
    a.links[3].visuals = a.visuals;
    a.links[3].visual_count = 2;
    a.links[3].user = &user;
    a.links[3].mass = 4;
    a.joints[1].axis = lb_vec3_make(0, -3, 0);
    lb_model *model = must_build(&a.source);

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
    lb_model_release(model);
}

static void a_lone_link_is_a_model(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);
    a.source.link_count = 1;
    a.source.joint_count = 0;
    a.source.joints = NULL;
    a.source.name = NULL;
    lb_model *model = must_build(&a.source);
    assert_string_equal(lb_model_name(model), "");
    assert_int_equal(lb_model_nq(model), 0);
    assert_int_equal(lb_model_parent(model, 0), -1);
    assert_int_equal(lb_model_first_child(model, 0), -1);
    assert_int_equal(lb_model_tips(model, NULL), 1);
    assert_int_equal(lb_model_find_link(model, "base"), 0);
    assert_int_equal(lb_model_find_joint(model, "shoulder"), -1);
    lb_model_release(model);
    lb_model_release(NULL);
}

static void children_keep_the_order_of_the_source(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);

    // all hang from the base; the joints are given in another order than the links
    for (int i = 0; i < 3; i++)
        a.joints[i].parent = "base";
    lb_joint first = a.joints[0];
    a.joints[0] = a.joints[2];
    a.joints[2] = first;
    lb_model *model = must_build(&a.source);
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
    lb_model_release(model);
}

static void numbers_that_are_nearly_exact_are_made_so(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);

    // a turn by 45 degrees typed with six decimals; an axis2 that leans
    a.joints[0].kind = LB_JOINT_UNIVERSAL;
    a.joints[0].placement.x = lb_vec3_make(0.707107, 0.707107, 0);
    a.joints[0].placement.y = lb_vec3_make(-0.707107, 0.707107, 0);
    a.joints[0].axis = lb_vec3_make(0, 0, 0.1);
    a.joints[0].axis2 = lb_vec3_make(5, 0, 2);
    a.joints[1].kind = LB_JOINT_BALL;
    a.joints[1].value[1] = 2;
    a.joints[2].kind = LB_JOINT_FLOATING;
    lb_model *model = must_build(&a.source);
    const lb_joint *universal = lb_model_joint(model, 0);
    assert_true(lb_transform_is_rigid(&universal->placement, 1e-15));
    assert_near(universal->axis.z, 1, 0);
    assert_near(universal->axis2.x, 1, 1e-15);
    assert_near(universal->axis2.z, 0, 1e-15);
    assert_near(lb_model_joint(model, 1)->value[1], 1, 0);
    assert_near(lb_model_joint(model, 2)->value[3], 1, 0);
    lb_model_release(model);
}

static void exact_numbers_keep_their_bits(void **state)
{
    (void)state;
    lb_random random = test_seed(20);
    for (int i = 0; i < TREES; i++) {
        test_tree wanted = test_tree_default();
        lb_model *model = test_tree_build(&wanted, &random);

        // what is read back builds the same model again, and no bit moves
        lb_model_source source = {.name = model->name,
                                  .root = model->root,
                                  .links = model->links,
                                  .link_count = model->link_count,
                                  .joints = model->joints,
                                  .joint_count = model->joint_count};
        lb_model *again = must_build(&source);
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
        lb_model_release(again);
        lb_model_release(model);
    }
}

/* ---- names and order ---------------------------------------------------- */

static void random_trees_are_depth_first(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = test_random_index(&random, 40);
        wanted.branching = lb_random_unit(&random);
        lb_model *model = test_tree_build(&wanted, &random);
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
        lb_model_release(model);
    }
}

static void children_and_siblings_list_every_link_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.branching = 0.7;
        wanted.joints = 30;
        lb_model *model = test_tree_build(&wanted, &random);
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
        lb_model_release(model);
    }
}

static void unknown_names_are_not_found(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);
    lb_model *model = must_build(&a.source);
    assert_int_equal(lb_model_find_link(model, "elbow"), -1);
    assert_int_equal(lb_model_find_link(model, ""), -1);
    assert_int_equal(lb_model_find_link(model, "handy"), -1);
    assert_int_equal(lb_model_find_joint(model, "base"), -1);
    lb_model_release(model);
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

static void a_chain_of_100000_links_builds(void **state)
{
    (void)state;
    enum { N = 100000 };
    lb_link *links;
    lb_joint *joints;
    char(*names)[16];
    lb_model_source source = long_chain(N, &links, &joints, &names);
    lb_model *model = must_build(&source);
    assert_int_equal(lb_model_link_count(model), N + 1);
    assert_int_equal(lb_model_nq(model), N / 8 * (0 + 1 + 1 + 1 + 2 + 3 + 4 + 7));
    assert_int_equal(lb_model_nv(model), N / 8 * (0 + 1 + 1 + 1 + 2 + 3 + 3 + 6));
    for (int i = 0; i <= N; i++)
        assert_int_equal(lb_model_find_link(model, names[i]), i);
    assert_int_equal(lb_model_find_joint(model, "joint77777"), 77777);
    lb_model_release(model);
    free(links);
    free(joints);
    free(names);
}

static void a_chain_of_100000_followers_builds(void **state)
{
    (void)state;
    enum { N = 100000 };
    lb_link *links;
    lb_joint *joints;
    char(*names)[16];
    lb_model_source source = long_chain(N, &links, &joints, &names);
    for (int i = 0; i < N; i++) {
        joints[i].kind = LB_JOINT_PRISMATIC;
        joints[i].mimic = i + 1 < N ? joints[i + 1].name : NULL;
        joints[i].offset = 1;
    }
    lb_model *model = must_build(&source);
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
    free(links);
    free(joints);
    free(names);
}

/* ---- kinds -------------------------------------------------------------- */

static void steps_of_a_kind_make_its_values(void **state)
{
    (void)state;
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

/* ---- refusals ----------------------------------------------------------- */

static void spoil_link_name(arm *a)
{
    a->links[2].name = "";
}
static void spoil_link_null(arm *a)
{
    a->links[2].name = NULL;
}
static void spoil_link_double(arm *a)
{
    a->links[2].name = "base";
}
static void spoil_joint_name(arm *a)
{
    a->joints[1].name = NULL;
}
static void spoil_joint_double(arm *a)
{
    a->joints[2].name = "shoulder";
}
static void spoil_parent(arm *a)
{
    a->joints[1].parent = "uper";
}
static void spoil_parent_empty(arm *a)
{
    a->joints[1].parent = NULL;
}
static void spoil_child(arm *a)
{
    a->joints[1].child = "zzzzzz";
}
static void spoil_child_empty(arm *a)
{
    a->joints[1].child = "";
}
static void spoil_two_parents(arm *a)
{
    a->joints[2].child = "upper";
}
static void spoil_two_roots(arm *a)
{
    a->source.joint_count = 2;
}
static void spoil_cycle(arm *a)
{
    a->joints[0].parent = "hand";
}
static void spoil_island(arm *a)
{
    a->joints[1].parent = "hand";
}
static void spoil_own_child(arm *a)
{
    a->joints[1].parent = "lower";
}
static void spoil_axis_zero(arm *a)
{
    a->joints[1].axis = lb_vec3_make(0, 0, 0);
}
static void spoil_axis_nan(arm *a)
{
    a->joints[1].axis.x = NAN;
}
static void spoil_axis2_zero(arm *a)
{
    a->joints[1].kind = LB_JOINT_UNIVERSAL;
    a->joints[1].axis2 = lb_vec3_make(0, 0, 0);
}
static void spoil_axis2_parallel(arm *a)
{
    a->joints[1].kind = LB_JOINT_PLANAR;
    a->joints[1].axis2 = lb_vec3_make(0, 1e-9, -3);
}
static void spoil_limits_crossed(arm *a)
{
    a->joints[1].lower[0] = 2;
    a->joints[1].upper[0] = 1;
}
static void spoil_limit_lower_nan(arm *a)
{
    a->joints[1].lower[0] = NAN;
}
static void spoil_limit_upper_nan(arm *a)
{
    a->joints[1].upper[0] = NAN;
}
static void spoil_limits_nowhere(arm *a)
{
    a->joints[1].lower[0] = a->joints[1].upper[0] = INFINITY;
}
static void spoil_second_limit(arm *a)
{
    a->joints[1].kind = LB_JOINT_UNIVERSAL;
    a->joints[1].lower[1] = 1;
    a->joints[1].upper[1] = 0;
}
static void spoil_swing(arm *a)
{
    a->joints[1].kind = LB_JOINT_BALL;
    a->joints[1].upper[1] = -0.1;
}
static void spoil_swing_nan(arm *a)
{
    a->joints[1].kind = LB_JOINT_BALL;
    a->joints[1].upper[1] = NAN;
}
static void spoil_twist(arm *a)
{
    a->joints[1].kind = LB_JOINT_BALL;
    a->joints[1].lower[0] = 4;
    a->joints[1].upper[0] = 5;
}
static void spoil_placement_scaled(arm *a)
{
    a->joints[1].placement.x.x = 1.1;
}
static void spoil_placement_mirrored(arm *a)
{
    a->joints[1].placement.z.z = -1;
}
static void spoil_placement_nan(arm *a)
{
    a->joints[1].placement.p.y = NAN;
}
static void spoil_root(arm *a)
{
    a->source.root.x.x = 0;
}
static void spoil_ready(arm *a)
{
    a->links[1].ready.p.z = INFINITY;
}
static void spoil_mass(arm *a)
{
    a->links[1].mass = -1;
}
static void spoil_inertia(arm *a)
{
    a->links[1].inertia[5] = NAN;
}
static void spoil_value(arm *a)
{
    a->joints[1].value[0] = NAN;
}
static void spoil_weight(arm *a)
{
    a->joints[1].weight = 0;
}
static void spoil_velocity(arm *a)
{
    a->joints[1].velocity = NAN;
}
static void spoil_kind(arm *a)
{
    a->joints[1].kind = (lb_joint_kind)99;
}
static void spoil_mimic_nothing(arm *a)
{
    a->joints[1].mimic = "wrst";
}
static void spoil_mimic_self(arm *a)
{
    a->joints[1].mimic = "elbow";
}
static void spoil_mimic_cycle(arm *a)
{
    a->joints[0].mimic = "elbow";
    a->joints[1].mimic = "wrist";
    a->joints[2].mimic = "elbow";
}
static void spoil_mimic_ball(arm *a)
{
    a->joints[0].kind = LB_JOINT_BALL;
    a->joints[0].upper[1] = 1;
    a->joints[1].mimic = "shoulder";
}
static void spoil_mimic_fixed(arm *a)
{
    a->joints[0].kind = LB_JOINT_FIXED;
    a->joints[1].mimic = "shoulder";
}
static void spoil_mimic_by_planar(arm *a)
{
    a->joints[1].kind = LB_JOINT_PLANAR;
    a->joints[1].mimic = "shoulder";
}
static void spoil_mimic_numbers(arm *a)
{
    a->joints[1].mimic = "shoulder";
    a->joints[1].multiplier = NAN;
}
static void spoil_mimic_growth(arm *a)
{
    a->joints[0].mimic = "elbow";
    a->joints[1].mimic = "wrist";
    a->joints[0].multiplier = a->joints[1].multiplier = 1e200;
}
static void spoil_mimic_limits(arm *a)
{
    a->joints[1].mimic = "shoulder";
    a->joints[1].offset = 5;
}
static void spoil_mimic_still(arm *a)
{
    a->joints[1].mimic = "shoulder";
    a->joints[1].multiplier = 0;
    a->joints[1].offset = 2.5;
}
static void spoil_links(arm *a)
{
    a->source.link_count = 0;
}
static void spoil_visuals(arm *a)
{
    a->links[1].visual_count = 2;
}

/* every refusal of model.h: what spoils the arm, and what is said then */
static const struct refusal {
    void (*spoil)(arm *a);
    lb_status status;
    int line;
    const char *message;
} refusals[] = {
    {spoil_link_name, LB_BAD_MODEL, 0, "link number 3 has no name; give it one"},
    {spoil_link_null, LB_BAD_MODEL, 0, "link number 3 has no name; give it one"},
    {spoil_link_double, LB_BAD_MODEL, 0, "two links are named 'base'; give each a name of its own"},
    {spoil_joint_name, LB_BAD_MODEL, 12, "joint number 2 has no name; give it one"},
    {spoil_joint_double, LB_BAD_MODEL, 13,
     "two joints are named 'shoulder'; give each a name of its own"},
    {spoil_parent, LB_BAD_MODEL, 12,
     "joint 'elbow': no link is named 'uper', its parent; did you mean 'upper'?"},
    {spoil_parent_empty, LB_BAD_MODEL, 12,
     "joint 'elbow' has no parent; name the link it hangs from"},
    {spoil_child, LB_BAD_MODEL, 12, "joint 'elbow': no link is named 'zzzzzz', its child"},
    {spoil_child_empty, LB_BAD_MODEL, 12, "joint 'elbow' has no child; name the link it moves"},
    {spoil_two_parents, LB_BAD_MODEL, 13,
     "link 'upper' has two parents, by joints 'shoulder' and 'wrist'"},
    {spoil_two_roots, LB_BAD_MODEL, 0, "several roots: links 'base' and 'hand'"},
    {spoil_cycle, LB_BAD_MODEL, 0, "is part of a cycle"},
    {spoil_island, LB_BAD_MODEL, 0, "is part of a cycle"},
    {spoil_own_child, LB_BAD_MODEL, 12,
     "joint 'elbow' is part of a cycle: link 'lower' would hang from itself"},
    {spoil_axis_zero, LB_BAD_VALUE, 12, "joint 'elbow': axis 0 0 0 is zero or not finite"},
    {spoil_axis_nan, LB_BAD_VALUE, 12, "joint 'elbow': axis nan 0 1 is zero or not finite"},
    {spoil_axis2_zero, LB_BAD_VALUE, 12, "joint 'elbow': axis2 0 0 0 is zero or not finite"},
    {spoil_axis2_parallel, LB_BAD_VALUE, 12, "joint 'elbow': axis and axis2 are parallel"},
    {spoil_limits_crossed, LB_BAD_VALUE, 12, "joint 'elbow': limit lower 2 is above upper 1"},
    {spoil_limit_lower_nan, LB_BAD_VALUE, 12, "joint 'elbow': limit lower is not a number"},
    {spoil_limit_upper_nan, LB_BAD_VALUE, 12, "joint 'elbow': limit upper is not a number"},
    {spoil_limits_nowhere, LB_BAD_VALUE, 12, "joint 'elbow': limits inf and inf leave no value"},
    {spoil_second_limit, LB_BAD_VALUE, 12, "joint 'elbow': limit lower 1 is above upper 0"},
    {spoil_swing, LB_BAD_VALUE, 12, "joint 'elbow': swing limit -0.1 must be 0 or more"},
    {spoil_swing_nan, LB_BAD_VALUE, 12, "joint 'elbow': swing limit nan must be 0 or more"},
    {spoil_twist, LB_BAD_VALUE, 12, "joint 'elbow': twist limits 4 and 5 lie beyond half a turn"},
    {spoil_placement_scaled, LB_BAD_VALUE, 12,
     "joint 'elbow': its placement is not a rigid transform"},
    {spoil_placement_mirrored, LB_BAD_VALUE, 12,
     "joint 'elbow': its placement is not a rigid transform"},
    {spoil_placement_nan, LB_BAD_VALUE, 12,
     "joint 'elbow': its placement is not a rigid transform"},
    {spoil_root, LB_BAD_VALUE, 0, "the root arc is not a rigid transform"},
    {spoil_ready, LB_BAD_VALUE, 0, "link 'upper': ready is not a rigid transform"},
    {spoil_mass, LB_BAD_VALUE, 0, "link 'upper': mass -1 is not a mass"},
    {spoil_inertia, LB_BAD_VALUE, 0, "link 'upper': centre of mass or inertia is not finite"},
    {spoil_value, LB_BAD_VALUE, 12, "joint 'elbow': its value is not finite"},
    {spoil_weight, LB_BAD_VALUE, 12, "joint 'elbow': weight 0 must be above 0; use locked"},
    {spoil_velocity, LB_BAD_VALUE, 12, "joint 'elbow': limit of velocity or effort"},
    {spoil_kind, LB_INVALID_ARGUMENT, 12, "joint 'elbow': 99 is no kind of joint"},
    {spoil_mimic_nothing, LB_BAD_MODEL, 12,
     "joint 'elbow' follows 'wrst', but no joint has that name; did you mean 'wrist'?"},
    {spoil_mimic_self, LB_BAD_MODEL, 12, "joint 'elbow' follows itself"},
    {spoil_mimic_cycle, LB_BAD_MODEL, 0, "follows itself by way of"},
    {spoil_mimic_ball, LB_BAD_MODEL, 12,
     "joint 'elbow' follows 'shoulder', but 'shoulder' is ball; only revolute"},
    {spoil_mimic_fixed, LB_BAD_MODEL, 12,
     "joint 'elbow' follows 'shoulder', but 'shoulder' is fixed; only revolute"},
    {spoil_mimic_by_planar, LB_BAD_MODEL, 12,
     "joint 'elbow' follows 'shoulder', but 'elbow' is planar; only revolute"},
    {spoil_mimic_numbers, LB_BAD_VALUE, 12,
     "joint 'elbow': multiplier or offset of its mimic is not finite"},
    {spoil_mimic_growth, LB_BAD_VALUE, 11, "joint 'shoulder': the multipliers"},
    {spoil_mimic_limits, LB_BAD_VALUE, 12,
     "joint 'elbow' follows 'shoulder', but its limits -2 and 2 leave that joint no value"},
    {spoil_mimic_still, LB_BAD_VALUE, 12,
     "joint 'elbow' follows 'shoulder', but its limits -2 and 2 leave that joint no value"},
    {spoil_links, LB_BAD_MODEL, 0, "a model needs at least one link"},
    {spoil_visuals, LB_INVALID_ARGUMENT, 0, "link 'upper': 2 visuals are not there"},
};

static void what_is_wrong_is_refused_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal *r = &refusals[i];
        arm a;
        arm_make(&a);
        r->spoil(&a);
        test_memory memory = {.fail_at = -1};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_model *model = (lb_model *)&a;
        lb_error error = {.path = "arm.urdf"};
        lb_status status = lb_model_build(&a.source, &allocator, &model, &error);
        if (status != r->status || !strstr(error.message, r->message))
            fail_msg("wanted status %d, '%s'; got %d, '%s'", r->status, r->message, status,
                     error.message);
        assert_int_equal(error.status, r->status);
        assert_null(model);
        assert_int_equal(memory.live, 0);
        assert_string_equal(error.path, "arm.urdf");

        // of several on a cycle any may be named, so there the line is left open
        if (r->line)
            assert_int_equal(error.line, r->line);

        // nobody has to read the error, and lines may be unknown
        a.source.joint_lines = NULL;
        assert_int_equal(lb_model_build(&a.source, &allocator, &model, NULL), r->status);
        lb_model_build(&a.source, &allocator, &model, &error);
        assert_int_equal(error.line, 0);
    }
}

static void missing_arguments_are_refused(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);
    lb_error error = {0};
    lb_model *model = (lb_model *)&a;
    assert_int_equal(lb_model_build(&a.source, NULL, NULL, &error), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_model_build(NULL, NULL, &model, &error), LB_INVALID_ARGUMENT);
    assert_null(model);
}

static void what_a_kind_does_not_read_may_be_anything(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);
    a.joints[0].kind = LB_JOINT_FIXED;
    a.joints[0].axis = lb_vec3_make(0, 0, 0);
    a.joints[0].lower[0] = NAN;
    a.joints[1].axis2 = lb_vec3_make(NAN, 0, 0);
    a.joints[1].upper[2] = NAN;
    a.joints[2].kind = LB_JOINT_CONTINUOUS;
    lb_model *model = must_build(&a.source);
    assert_near(lb_model_joint(model, 0)->axis.z, 1, 0);
    assert_near(lb_model_joint(model, 0)->lower[0], -INFINITY, 0);
    assert_near(lb_model_joint(model, 1)->axis2.x, 1, 0);
    assert_near(lb_model_joint(model, 1)->upper[2], INFINITY, 0);
    assert_near(lb_model_joint(model, 2)->upper[0], INFINITY, 0);
    lb_model_release(model);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    lb_dh_row row = {.kind = LB_JOINT_REVOLUTE, .a = 1, .lower = -1, .upper = 1};
    for (long n = 0;; n++) {
        test_memory memory = {.fail_at = n};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_model *model = NULL;
        lb_error error = {0};
        lb_status status = lb_model_from_dh("one", &row, 1, n & 1, &allocator, &model, &error);
        if (status == LB_OK) {
            // two for the model, of which one is left, and one for the table
            assert_int_equal(n, 3);
            assert_int_equal(memory.live, 1);
            lb_model_release(model);
            assert_int_equal(memory.live, 0);
            return;
        }
        assert_int_equal(status, LB_OUT_OF_MEMORY);
        assert_int_equal(error.status, LB_OUT_OF_MEMORY);
        assert_null(model);
        assert_int_equal(memory.live, 0);
    }
}

/* ---- followers ---------------------------------------------------------- */

static void chains_of_followers_end_at_the_master(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);
    a.joints[0].mimic = "elbow";
    a.joints[0].multiplier = 2;
    a.joints[0].offset = 1;
    a.joints[0].lower[0] = -20;
    a.joints[0].upper[0] = 20;
    a.joints[1].mimic = "wrist";
    a.joints[1].multiplier = -3;
    a.joints[1].offset = 0.5;
    a.joints[2].value[0] = 0.25;
    lb_model *model = must_build(&a.source);

    // shoulder = 2 (-3 w + 0.5) + 1
    double multiplier, offset;
    assert_int_equal(lb_model_nq(model), 1);
    assert_int_equal(lb_model_joint_mimic(model, 0, &multiplier, &offset), 2);
    assert_near(multiplier, -6, 0);
    assert_near(offset, 2, 0);
    assert_int_equal(lb_model_joint_mimic(model, 2, &multiplier, &offset), -1);
    assert_near(multiplier, 1, 0);
    assert_near(offset, 0, 0);
    assert_int_equal(lb_model_joint_mimic(model, 1, NULL, NULL), 2);
    assert_int_equal(lb_model_joint_q(model, 0), 0);
    assert_int_equal(lb_model_joint_v(model, 1), 0);

    // as given, but resting where the master rests
    const lb_joint *shoulder = lb_model_joint(model, 0);
    assert_string_equal(shoulder->mimic, "elbow");
    assert_near(shoulder->multiplier, 2, 0);
    assert_near(shoulder->value[0], 0.5, 0);
    lb_model_release(model);
}

static void followers_narrow_their_masters_limits(void **state)
{
    (void)state;
    arm a;
    arm_make(&a);
    a.joints[0].mimic = "wrist";
    a.joints[0].multiplier = -2;
    a.joints[0].offset = 1;
    a.joints[0].lower[0] = -1; // wrist <= 1
    a.joints[0].upper[0] = 5;  // wrist >= -2
    a.joints[1].mimic = "wrist";
    a.joints[1].multiplier = 4;
    a.joints[1].lower[0] = -2; // wrist >= -0.5
    a.joints[1].upper[0] = INFINITY;
    lb_model *model = must_build(&a.source);
    assert_near(lb_model_joint(model, 2)->lower[0], -0.5, 0);
    assert_near(lb_model_joint(model, 2)->upper[0], 1, 0);
    assert_near(lb_model_joint(model, 0)->upper[0], 5, 0);
    assert_int_equal(model->part_count, 1);
    assert_near(model->parts[0].lower, -0.5, 0);
    assert_near(model->parts[0].upper, 1, 0);
    lb_model_release(model);
}

static void whole_turns_count_when_a_follower_tells_them_apart(void **state)
{
    (void)state;
    const struct {
        lb_joint_kind kind;
        double multiplier, upper;
        model_part_kind part;
    } cases[] = {
        {LB_JOINT_REVOLUTE, 2, INFINITY, MODEL_TURN},    {LB_JOINT_CONTINUOUS, -1, 0, MODEL_TURN},
        {LB_JOINT_REVOLUTE, 0.5, INFINITY, MODEL_ANGLE}, {LB_JOINT_REVOLUTE, 1, 3, MODEL_ANGLE},
        {LB_JOINT_PRISMATIC, 1, INFINITY, MODEL_ANGLE},  {LB_JOINT_PRISMATIC, 0, 3, MODEL_ANGLE},
        {LB_JOINT_PRISMATIC, 0, INFINITY, MODEL_TURN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        arm a;
        arm_make(&a);
        a.joints[0].kind = LB_JOINT_CONTINUOUS;
        a.joints[1].kind = cases[i].kind;
        a.joints[1].mimic = "shoulder";
        a.joints[1].multiplier = cases[i].multiplier;
        a.joints[1].lower[0] = -INFINITY;
        a.joints[1].upper[0] = cases[i].upper;
        lb_model *model = must_build(&a.source);
        assert_int_equal(model->parts[0].kind, cases[i].part);
        lb_model_release(model);
    }
}

/* ---- the compiled form -------------------------------------------------- */

/* A(value) of one element about its own z axis. */
static lb_transform element_motion(const kernel_joint *element, const double *q)
{
    lb_transform moved = LB_TRANSFORM_IDENTITY;
    lb_vec3 z = {0, 0, 1}, origin = {0, 0, 0};
    if (element->kind == KERNEL_FIXED)
        return moved;
    const double *p = &q[element->q];
    double value = element->scale * p[0] + element->offset;
    if (element->kind == KERNEL_REVOLUTE)
        return lb_transform_from_quat(lb_quat_from_axis_angle(z, value), origin);
    if (element->kind == KERNEL_BALL)
        return lb_transform_from_quat(lb_quat_normalize((lb_quat){p[0], p[1], p[2], p[3]}), origin);
    moved.p.z = value;
    return moved;
}

/* T_world_link by the compiled elements and fixes. */
static void compiled_forward(const lb_model *model, const double *q, lb_transform *links)
{
    lb_transform *frames = calloc((size_t)model->tree.count + 1, sizeof *frames);
    assert_non_null(frames);
    for (int i = 0; i < model->tree.count; i++) {
        const kernel_joint *element = &model->tree.joints[i];
        lb_transform motion = element_motion(element, q);
        lb_transform local = lb_transform_multiply(&element->place, &motion);
        assert_true(element->parent < i);
        assert_int_equal(element->rotation, kernel_rotation_of(&element->place));
        frames[i] = lb_transform_multiply(
            element->parent < 0 ? &model->root : &frames[element->parent], &local);
    }
    for (int i = 0; i < model->link_count; i++) {
        const model_link *link = &model->link_layouts[i];
        const lb_transform *frame = link->element < 0 ? &model->root : &frames[link->element];
        links[i] = lb_transform_multiply(frame, &link->fix);
        if (model->direct && i > 0)
            assert_int_equal(link->element, i - 1);
    }
    free(frames);
}

static void compiled_frames_are_those_of_the_definition(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 2 * TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 1 + test_random_index(&random, 15);

        // all kinds, then each alone
        if (seed % 2)
            wanted.kinds = TEST_KIND((seed / 2) % LB_JOINT_KIND_COUNT);
        wanted.mimic = 0.3;
        lb_model *model = test_tree_build(&wanted, &random);
        double q[16 * LB_JOINT_MAX_NQ];
        lb_transform expected[17], actual[17];
        lb_configuration_random(model, &random, q);
        test_forward(model, q, expected);
        compiled_forward(model, q, actual);
        for (int i = 0; i <= wanted.joints; i++)
            assert_transform_near(&actual[i], &expected[i], 1e-12);
        lb_model_release(model);
    }
}

static void coordinate_axes_compile_to_exact_placements(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        arm a;
        arm_make(&a);
        double sign = k % 2 ? -1 : 1;
        for (int i = 0; i < 3; i++)
            a.joints[i].axis =
                lb_vec3_make(k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0);
        lb_model *model = must_build(&a.source);

        // about z there is nothing to mend; elsewhere only ones and zeros
        bool z = k / 2 == 2;
        assert_true(model->direct == z);
        assert_true(model->link_layouts[1].exact == z);
        assert_near(model->elements[0].scale, k == 5 ? -1 : 1, 0);
        for (int i = 1; i < 3; i++)
            assert_int_equal(model->elements[i].rotation, KERNEL_ROTATION_NONE);
        assert_true(lb_transform_is_rigid(&model->elements[0].place, 0));
        lb_model_release(model);
    }
}

static void parts_cover_q_and_v(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 20;
        wanted.mimic = 0.3;
        lb_model *model = test_tree_build(&wanted, &random);
        int q = 0, v = 0;
        for (int i = 0; i < model->part_count; i++) {
            const model_part *part = &model->parts[i];
            const kernel_joint *element = &model->elements[part->element];
            assert_int_equal(part->q, q);
            assert_int_equal(part->v, v);
            assert_int_equal(element->q, q);
            assert_int_equal(element->v, v);
            assert_int_equal(element->kind == KERNEL_BALL, part->kind == MODEL_BALL);
            assert_int_equal(part->q, lb_model_joint_q(model, part->joint) + part->value);
            q += part->kind == MODEL_BALL ? 4 : 1;
            v += part->kind == MODEL_BALL ? 3 : 1;
        }
        assert_int_equal(q, lb_model_nq(model));
        assert_int_equal(v, lb_model_nv(model));
        lb_model_release(model);
    }
}

/* ---- Denavit-Hartenberg ------------------------------------------------- */

/* One factor of a row, as the papers print it. */
static lb_transform dh_factor(bool about_z, double angle, double way)
{
    double c = cos(angle), s = sin(angle);
    if (about_z)
        return (lb_transform){{c, s, 0}, {-s, c, 0}, {0, 0, 1}, {0, 0, way}};
    return (lb_transform){{1, 0, 0}, {0, c, s}, {0, -s, c}, {way, 0, 0}};
}

static void dh_tables_give_their_own_products(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        bool modified = seed % 2;
        lb_dh_row rows[6];
        int n = 1 + test_random_index(&random, 6);
        for (int i = 0; i < n; i++)
            rows[i] = (lb_dh_row){.kind = i % 3 == 1 ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE,
                                  .theta = lb_random_between(&random, -3, 3),
                                  .d = lb_random_between(&random, -1, 1),
                                  .a = lb_random_between(&random, -1, 1),
                                  .alpha = lb_random_between(&random, -3, 3),
                                  .lower = -2,
                                  .upper = 2};
        lb_model *model = NULL;
        assert_int_equal(lb_model_from_dh("table", rows, n, modified, NULL, &model, NULL), LB_OK);
        assert_int_equal(lb_model_joint_count(model), modified ? n : n + 1);
        assert_int_equal(lb_model_nq(model), n);

        // the product of all rows, with the joint's variable added to its own entry
        double q[6];
        lb_configuration_random(model, &random, q);
        lb_transform product = LB_TRANSFORM_IDENTITY;
        for (int i = 0; i < n; i++) {
            bool slides = rows[i].kind == LB_JOINT_PRISMATIC;
            lb_transform z = dh_factor(true, rows[i].theta + (slides ? 0 : q[i]),
                                       rows[i].d + (slides ? q[i] : 0));
            lb_transform x = dh_factor(false, rows[i].alpha, rows[i].a);
            product = lb_transform_multiply(&product, modified ? &x : &z);
            product = lb_transform_multiply(&product, modified ? &z : &x);
        }
        lb_transform links[8];
        test_forward(model, q, links);
        assert_transform_near(&links[lb_model_link_count(model) - 1], &product, 1e-13);
        lb_model_release(model);
    }
}

static void dh_tables_name_their_parts(void **state)
{
    (void)state;
    lb_dh_row rows[2] = {{.kind = LB_JOINT_REVOLUTE, .lower = -1, .upper = 1},
                         {.kind = LB_JOINT_CONTINUOUS}};
    lb_model *model = NULL;
    lb_error error = {0};
    assert_int_equal(lb_model_from_dh("two", rows, 2, false, NULL, &model, &error), LB_OK);
    assert_string_equal(lb_model_name(model), "two");
    assert_int_equal(lb_model_find_link(model, "base"), 0);
    assert_int_equal(lb_model_find_joint(model, "joint_2"), 1);
    assert_int_equal(lb_model_find_link(model, "link_2"), 2);
    assert_int_equal(lb_model_find_joint(model, "tool"), 2);
    assert_int_equal(lb_model_find_link(model, "tool"), 3);
    lb_model_release(model);

    // and say which row is wrong
    rows[1].alpha = NAN;
    assert_int_equal(lb_model_from_dh("two", rows, 2, true, NULL, &model, &error), LB_BAD_VALUE);
    assert_string_equal(error.message, "row 2: theta, d, a and alpha must be finite");
    rows[1].kind = LB_JOINT_BALL;
    assert_int_equal(lb_model_from_dh("two", rows, 2, true, NULL, &model, &error), LB_BAD_VALUE);
    assert_non_null(strstr(error.message, "row 2: ball joints have no row"));
    assert_int_equal(lb_model_from_dh("two", rows, 0, true, NULL, &model, &error),
                     LB_INVALID_ARGUMENT);
    rows[0].lower = 3;
    assert_int_equal(lb_model_from_dh("two", rows, 1, true, NULL, &model, &error), LB_BAD_VALUE);
    assert_string_equal(error.message, "joint 'joint_1': limit lower 3 is above upper 1");
    assert_null(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_arm_reads_back),
        cmocka_unit_test(a_lone_link_is_a_model),
        cmocka_unit_test(children_keep_the_order_of_the_source),
        cmocka_unit_test(numbers_that_are_nearly_exact_are_made_so),
        cmocka_unit_test(exact_numbers_keep_their_bits),
        cmocka_unit_test(random_trees_are_depth_first),
        cmocka_unit_test(children_and_siblings_list_every_link_once),
        cmocka_unit_test(unknown_names_are_not_found),
        cmocka_unit_test(a_chain_of_100000_links_builds),
        cmocka_unit_test(a_chain_of_100000_followers_builds),
        cmocka_unit_test(steps_of_a_kind_make_its_values),
        cmocka_unit_test(what_is_wrong_is_refused_by_name),
        cmocka_unit_test(missing_arguments_are_refused),
        cmocka_unit_test(what_a_kind_does_not_read_may_be_anything),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(chains_of_followers_end_at_the_master),
        cmocka_unit_test(followers_narrow_their_masters_limits),
        cmocka_unit_test(whole_turns_count_when_a_follower_tells_them_apart),
        cmocka_unit_test(compiled_frames_are_those_of_the_definition),
        cmocka_unit_test(coordinate_axes_compile_to_exact_placements),
        cmocka_unit_test(parts_cover_q_and_v),
        cmocka_unit_test(dh_tables_give_their_own_products),
        cmocka_unit_test(dh_tables_name_their_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
