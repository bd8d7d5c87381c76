/* test_compile.c - followers, and the compiled form of a model. */
#include "model/layout.h"
#include "support_arm.h"

enum { TREES = 200 };

/* ---- followers ---------------------------------------------------------- */

TEST(chains_of_followers_end_at_the_master)
{
    test_arm a;
    test_arm_make(&a);
    a.joints[0].mimic = "elbow";
    a.joints[0].multiplier = 2;
    a.joints[0].offset = 1;
    a.joints[0].lower[0] = -20;
    a.joints[0].upper[0] = 20;
    a.joints[1].mimic = "wrist";
    a.joints[1].multiplier = -3;
    a.joints[1].offset = 0.5;
    a.joints[2].value[0] = 0.25;
    owned_model *model = test_build(&a.source);

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

    // as given, but resting where the mimicked joint rests
    const lb_joint *shoulder = lb_model_joint(model, 0);
    assert_string_equal(shoulder->mimic, "elbow");
    assert_near(shoulder->multiplier, 2, 0);
    assert_near(shoulder->value[0], 0.5, 0);
}

TEST(followers_narrow_their_masters_limits)
{
    test_arm a;
    test_arm_make(&a);
    a.joints[0].mimic = "wrist";
    a.joints[0].multiplier = -2;
    a.joints[0].offset = 1;
    a.joints[0].lower[0] = -1; // wrist <= 1
    a.joints[0].upper[0] = 5;  // wrist >= -2
    a.joints[1].mimic = "wrist";
    a.joints[1].multiplier = 4;
    a.joints[1].lower[0] = -2; // wrist >= -0.5
    a.joints[1].upper[0] = INFINITY;
    owned_model *model = test_build(&a.source);
    assert_near(lb_model_joint(model, 2)->lower[0], -0.5, 0);
    assert_near(lb_model_joint(model, 2)->upper[0], 1, 0);
    assert_near(lb_model_joint(model, 0)->upper[0], 5, 0);
    assert_int_equal(model->part_count, 1);
    assert_near(model->parts[0].lower, -0.5, 0);
    assert_near(model->parts[0].upper, 1, 0);
}

TEST(whole_turns_count_when_a_follower_distinguishes_them)
{
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
        test_arm a;
        test_arm_make(&a);
        a.joints[0].kind = LB_JOINT_CONTINUOUS;
        a.joints[1].kind = cases[i].kind;
        a.joints[1].mimic = "shoulder";
        a.joints[1].multiplier = cases[i].multiplier;
        a.joints[1].lower[0] = -INFINITY;
        a.joints[1].upper[0] = cases[i].upper;
        owned_model *model = test_build(&a.source);
        assert_int_equal(model->parts[0].kind, cases[i].part);
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
    owned lb_transform *frames = calloc((size_t)model->tree.count + 1, sizeof *frames);
    assert_non_null(frames);
    for (int i = 0; i < model->tree.count; i++) {
        const kernel_joint *element = &model->tree.joints[i];
        lb_transform motion = element_motion(element, q);
        lb_transform local = lb_transform_multiply(&element->place, &motion);
        assert_true(element->parent < i);
        assert_int_equal(element->form, kernel_form_of(&element->place));
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
}

TEST(compiled_frames_are_those_of_the_definition)
{
    for (uint64_t seed = 1; seed <= 2 * TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 1 + test_random_index(&random, 15);

        // all kinds, then each alone
        if (seed % 2)
            wanted.kinds = TEST_KIND((seed / 2) % LB_JOINT_KIND_COUNT);
        wanted.mimic = 0.3;
        owned_model *model = test_tree_build(&wanted, &random);
        double q[16 * LB_JOINT_MAX_NQ];
        lb_transform expected[17], actual[17];
        lb_configuration_random(model, &random, q);
        test_forward(model, q, expected);
        compiled_forward(model, q, actual);
        for (int i = 0; i <= wanted.joints; i++)
            assert_transform_near(&actual[i], &expected[i], 1e-12);
    }
}

TEST(coordinate_axes_compile_to_exact_placements)
{
    for (int k = 0; k < 6; k++) {
        test_arm a;
        test_arm_make(&a);
        double sign = k % 2 ? -1 : 1;
        for (int i = 0; i < 3; i++)
            a.joints[i].axis =
                lb_vec3_make(k / 2 == 0 ? sign : 0, k / 2 == 1 ? sign : 0, k / 2 == 2 ? sign : 0);
        owned_model *model = test_build(&a.source);

        // about z there is nothing to mend; elsewhere only ones and zeros
        bool z = k / 2 == 2;
        assert_true(model->direct == z);
        assert_true(model->link_layouts[1].exact == z);
        assert_near(model->elements[0].scale, k == 5 ? -1 : 1, 0);
        for (int i = 1; i < 3; i++)
            assert_int_equal(model->elements[i].form & KERNEL_ROTATION, KERNEL_ROTATION_NONE);
        assert_true(lb_transform_is_rigid(&model->elements[0].place, 0));
    }
}

TEST(parts_cover_q_and_v)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 20;
        wanted.mimic = 0.3;
        owned_model *model = test_tree_build(&wanted, &random);
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
    }
}
