/* test_refusal.c - what is no model is refused by name, and memory may run out. */
#include "support_arm.h"

/* ---- refusals ----------------------------------------------------------- */

/* an arm that is no model: the error says what is wrong with it, and where it is known the line */
static void check_refusal(test_arm *a, lb_status wanted, int line, const char *message)
{
    test_memory memory = {.fail_at = -1};
    lb_allocator allocator = test_memory_allocator(&memory);
    lb_model *model = (lb_model *)a;
    lb_error error = {.path = "arm.urdf"};
    lb_status status = lb_model_build(&a->source, &allocator, &model, &error);
    if (status != wanted || !strstr(error.message, message))
        fail_msg("wanted status %d, '%s'; got %d, '%s'", wanted, message, status, error.message);
    assert_int_equal(error.status, wanted);
    assert_null(model);
    assert_int_equal(memory.live, 0);
    assert_string_equal(error.path, "arm.urdf");

    // of several on a cycle any may be named, so there the line is left open
    if (line)
        assert_int_equal(error.line, line);

    // the error may be NULL, and lines may be unknown
    a->source.joint_lines = NULL;
    assert_int_equal(lb_model_build(&a->source, &allocator, &model, NULL), wanted);
    lb_model_build(&a->source, &allocator, &model, &error);
    assert_int_equal(error.line, 0);
}

/* an arm that is spoiled by these statements is refused so */
#define REFUSED(status, line, message, ...)                                                        \
    do {                                                                                           \
        test_arm_make(&a);                                                                         \
        __VA_ARGS__;                                                                               \
        check_refusal(&a, LB_##status, line, message);                                             \
    } while (0)

/* gives the second link a visual, which the caller spoils */
static lb_geometry *add_visual(test_arm *a, lb_shape shape)
{
    a->visuals[0] = (lb_geometry){
        .shape = shape, .origin = LB_TRANSFORM_IDENTITY, .size = {1, 1, 1}, .mesh = "a.stl"};
    a->links[1].visuals = a->visuals;
    a->links[1].visual_count = 1;
    return a->visuals;
}

TEST(names_and_trees_are_refused_by_name)
{
    test_arm a;
    lb_joint *shoulder = a.joints, *elbow = a.joints + 1, *wrist = a.joints + 2;
    lb_link *upper = a.links + 1, *lower = a.links + 2;
    REFUSED(BAD_MODEL, 0, "link number 3 has no name; give it one", lower->name = "");
    REFUSED(BAD_MODEL, 0, "link number 3 has no name; give it one", lower->name = NULL);
    REFUSED(BAD_MODEL, 0, "two links are named 'base'; give each a name of its own",
            lower->name = "base");
    REFUSED(BAD_MODEL, 0, "link number 2: its name has a control character",
            upper->name = "up\033[31mper");
    REFUSED(BAD_MODEL, 12, "joint number 2: its name has a control character",
            elbow->name = "el\xc2\x9b"
                          "bow");
    REFUSED(BAD_MODEL, 0, "the model's name has a control character", a.source.name = "ar\x7fm");
    REFUSED(BAD_MODEL, 12, "joint number 2 has no name; give it one", elbow->name = NULL);
    REFUSED(BAD_MODEL, 13, "two joints are named 'shoulder'; give each a name of its own",
            wrist->name = "shoulder");
    REFUSED(BAD_MODEL, 12,
            "joint 'elbow': no link is named 'uper', its parent; did you mean 'upper'?",
            elbow->parent = "uper");
    REFUSED(BAD_MODEL, 12, "joint 'elbow' has no parent; name the link it hangs from",
            elbow->parent = NULL);
    REFUSED(BAD_MODEL, 12, "joint 'elbow': no link is named 'zzzzzz', its child",
            elbow->child = "zzzzzz");
    REFUSED(BAD_MODEL, 12, "joint 'elbow' has no child; name the link it moves", elbow->child = "");
    REFUSED(BAD_MODEL, 13, "link 'upper' has two parents, by joints 'shoulder' and 'wrist'",
            wrist->child = "upper");
    REFUSED(BAD_MODEL, 0, "several roots: links 'base' and 'hand'", a.source.joint_count = 2);
    REFUSED(BAD_MODEL, 0, "is part of a cycle", shoulder->parent = "hand");
    REFUSED(BAD_MODEL, 0, "is part of a cycle", elbow->parent = "hand");
    REFUSED(BAD_MODEL, 12, "joint 'elbow' is part of a cycle: link 'lower' would hang from itself",
            elbow->parent = "lower");
}

TEST(joints_are_refused_by_name)
{
    test_arm a;
    lb_joint *elbow = a.joints + 1;
    lb_link *upper = a.links + 1;
    REFUSED(BAD_VALUE, 12, "joint 'elbow': axis 0 0 0 is zero or not finite",
            elbow->axis = lb_vec3_make(0, 0, 0));
    REFUSED(BAD_VALUE, 12, "joint 'elbow': axis nan 0 1 is zero or not finite",
            elbow->axis.x = NAN);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': axis2 0 0 0 is zero or not finite",
            elbow->kind = LB_JOINT_UNIVERSAL;
            elbow->axis2 = lb_vec3_make(0, 0, 0));
    REFUSED(BAD_VALUE, 12, "joint 'elbow': axis and axis2 are parallel",
            elbow->kind = LB_JOINT_PLANAR;
            elbow->axis2 = lb_vec3_make(0, 1e-9, -3));
    REFUSED(BAD_VALUE, 12, "joint 'elbow': limit lower 2 is above upper 1", elbow->lower[0] = 2;
            elbow->upper[0] = 1);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': limit lower is not a number", elbow->lower[0] = NAN);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': limit upper is not a number", elbow->upper[0] = NAN);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': limits inf and inf leave no value",
            elbow->lower[0] = elbow->upper[0] = INFINITY);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': limit lower 1 is above upper 0",
            elbow->kind = LB_JOINT_UNIVERSAL;
            elbow->lower[1] = 1; elbow->upper[1] = 0);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': swing limit -0.1 must be 0 or more",
            elbow->kind = LB_JOINT_BALL;
            elbow->upper[1] = -0.1);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': swing limit nan must be 0 or more",
            elbow->kind = LB_JOINT_BALL;
            elbow->upper[1] = NAN);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': twist limits 4 and 5 lie beyond half a turn",
            elbow->kind = LB_JOINT_BALL;
            elbow->lower[0] = 4; elbow->upper[0] = 5);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': its placement is not a rigid transform",
            elbow->placement.x.x = 1.1);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': its placement is not a rigid transform",
            elbow->placement.z.z = -1);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': its placement is not a rigid transform",
            elbow->placement.p.y = NAN);
    REFUSED(BAD_VALUE, 0, "the root arc is not a rigid transform", a.source.root.x.x = 0);
    REFUSED(BAD_VALUE, 0, "link 'upper': data_offset is not a rigid transform",
            upper->data_offset.p.z = INFINITY);
    REFUSED(BAD_VALUE, 0, "link 'upper': mass -1 is not a mass", upper->mass = -1);
    REFUSED(BAD_VALUE, 0, "link 'upper': centre of mass or inertia is not finite",
            upper->inertia[5] = NAN);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': its value is not finite", elbow->value[0] = NAN);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': weight 0 must be above 0; use locked",
            elbow->weight = 0);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': limit of velocity or effort", elbow->velocity = NAN);
    REFUSED(INVALID_ARGUMENT, 12, "joint 'elbow': 99 is no kind of joint",
            elbow->kind = (lb_joint_kind)99);
}

TEST(mimics_are_refused_by_name)
{
    test_arm a;
    lb_joint *shoulder = a.joints, *elbow = a.joints + 1, *wrist = a.joints + 2;
    REFUSED(BAD_MODEL, 12,
            "joint 'elbow' follows 'wrst', but no joint has that name; did you mean 'wrist'?",
            elbow->mimic = "wrst");
    REFUSED(BAD_MODEL, 12, "joint 'elbow' follows itself", elbow->mimic = "elbow");
    REFUSED(BAD_MODEL, 0, "follows itself by way of", shoulder->mimic = "elbow";
            elbow->mimic = "wrist"; wrist->mimic = "elbow");
    REFUSED(BAD_MODEL, 12,
            "joint 'elbow' follows 'shoulder', but 'shoulder' is ball; only revolute",
            shoulder->kind = LB_JOINT_BALL;
            shoulder->upper[1] = 1; elbow->mimic = "shoulder");
    REFUSED(BAD_MODEL, 12,
            "joint 'elbow' follows 'shoulder', but 'shoulder' is fixed; only revolute",
            shoulder->kind = LB_JOINT_FIXED;
            elbow->mimic = "shoulder");
    REFUSED(BAD_MODEL, 12, "joint 'elbow' follows 'shoulder', but 'elbow' is planar; only revolute",
            elbow->kind = LB_JOINT_PLANAR;
            elbow->mimic = "shoulder");
    REFUSED(BAD_VALUE, 12, "joint 'elbow': multiplier nan or offset 0 of its mimic is not within",
            elbow->mimic = "shoulder";
            elbow->multiplier = NAN);
    REFUSED(BAD_VALUE, 11, "joint 'shoulder': multiplier 1e+200", shoulder->mimic = "elbow";
            elbow->mimic = "wrist"; shoulder->multiplier = elbow->multiplier = 1e200);
    REFUSED(BAD_VALUE, 12,
            "joint 'elbow' follows 'shoulder', but its limits -2 and 2 leave that joint no value",
            elbow->mimic = "shoulder";
            elbow->offset = 5);
    REFUSED(BAD_VALUE, 12,
            "joint 'elbow' follows 'shoulder', but its limits -2 and 2 leave that joint no value",
            elbow->mimic = "shoulder";
            elbow->multiplier = 0; elbow->offset = 2.5);
    REFUSED(BAD_VALUE, 12,
            "joint 'elbow' follows 'shoulder', but its limits 1 and 2 leave that joint no value",
            shoulder->lower[0] = -INFINITY;
            shoulder->upper[0] = INFINITY; elbow->mimic = "shoulder"; elbow->multiplier = 1e-300;
            elbow->lower[0] = 1);
    REFUSED(BAD_MODEL, 0, "a model needs at least one link", a.source.link_count = 0);
}

TEST(arrays_and_shapes_are_refused_by_name)
{
    test_arm a;
    lb_link *upper = a.links + 1;
    REFUSED(INVALID_ARGUMENT, 0, "links or joints are not given", a.source.links = NULL);
    REFUSED(INVALID_ARGUMENT, 0, "links or joints are not given", a.source.joints = NULL);
    REFUSED(INVALID_ARGUMENT, 0, "links or joints are not given", a.source.joint_count = -1);
    REFUSED(INVALID_ARGUMENT, 0, "link 'upper': visual_count is 2 but visuals is NULL",
            upper->visual_count = 2);
    REFUSED(INVALID_ARGUMENT, 0, "link 'upper': visual 1: there is no shape 99",
            add_visual(&a, (lb_shape)99));
    REFUSED(INVALID_ARGUMENT, 0, "link 'upper': visual 1: there is no shape -1",
            add_visual(&a, (lb_shape)-1));
    REFUSED(BAD_MODEL, 0, "link 'upper': visual 1: it is a mesh without a name",
            add_visual(&a, LB_SHAPE_MESH)->mesh = NULL);
    REFUSED(BAD_MODEL, 0, "link 'upper': visual 1: it is a mesh without a name",
            add_visual(&a, LB_SHAPE_MESH)->mesh = "");
    REFUSED(BAD_VALUE, 0, "link 'upper': visual 1: size inf must be",
            add_visual(&a, LB_SHAPE_MESH)->size.y = INFINITY);
    REFUSED(BAD_VALUE, 0, "link 'upper': visual 1: size nan must be 0 to 1e+15",
            add_visual(&a, LB_SHAPE_BOX)->size.y = NAN);
    REFUSED(BAD_VALUE, 0, "link 'upper': visual 1: size -0.5 must be 0 to 1e+15",
            add_visual(&a, LB_SHAPE_SPHERE)->size.x = -0.5);
    REFUSED(BAD_VALUE, 0, "link 'upper': visual 1: size 1e+155 must be 0 to 1e+15",
            add_visual(&a, LB_SHAPE_CYLINDER)->size.z = 1e155);
    REFUSED(BAD_VALUE, 0, "link 'upper': visual 1: its origin is not a rigid transform",
            add_visual(&a, LB_SHAPE_CAPSULE)->origin.x.x = 2);
    REFUSED(BAD_VALUE, 0, "link 'upper': visual 1: its origin 0 0 -1e+200 is farther than 1e+15 m",
            add_visual(&a, LB_SHAPE_CAPSULE)->origin.p.z = -1e200);
    REFUSED(BAD_VALUE, 0, "link 'upper': visual 1: color nan must be 0 to 1",
            add_visual(&a, LB_SHAPE_BOX)->color[2] = NAN);
}

TEST(places_and_limits_that_are_far_are_refused_by_name)
{
    test_arm a;
    lb_joint *elbow = a.joints + 1;
    lb_link *upper = a.links + 1;
    REFUSED(BAD_VALUE, 12, "joint 'elbow': its placement 1e+16 0 0 is farther than 1e+15 m",
            elbow->placement.p.x = 1e16);
    REFUSED(BAD_VALUE, 12,
            "joint 'elbow': limits -2 and 1e+16: a finite limit is at most 1e+15; use infinity",
            elbow->upper[0] = 1e16);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': limits -1e+308 and 2: a finite",
            elbow->kind = LB_JOINT_PRISMATIC;
            elbow->lower[0] = -1e308);
    REFUSED(BAD_VALUE, 0, "the root arc 0 -1e+16 0 is farther than 1e+15 m",
            a.source.root.p.y = -1e16);
    REFUSED(BAD_VALUE, 0, "link 'upper': data_offset or centre of mass is farther than",
            upper->center.x = 1e16);
    REFUSED(BAD_VALUE, 12, "joint 'elbow': its value 1e+308 is farther than 1e+15 m",
            elbow->kind = LB_JOINT_PRISMATIC;
            elbow->value[0] = 1e308);
}

TEST(missing_arguments_are_refused)
{
    test_arm a;
    test_arm_make(&a);
    lb_error error = {0};
    lb_model *model = (lb_model *)&a;
    assert_int_equal(lb_model_build(&a.source, NULL, NULL, &error), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_model_build(NULL, NULL, &model, &error), LB_INVALID_ARGUMENT);
    assert_null(model);
}

TEST(what_a_kind_does_not_read_may_be_anything)
{
    test_arm a;
    test_arm_make(&a);
    a.joints[0].kind = LB_JOINT_FIXED;
    a.joints[0].axis = lb_vec3_make(0, 0, 0);
    a.joints[0].lower[0] = NAN;
    a.joints[1].axis2 = lb_vec3_make(NAN, 0, 0);
    a.joints[1].upper[2] = NAN;
    a.joints[2].kind = LB_JOINT_CONTINUOUS;
    owned_model *model = test_build(&a.source);
    assert_near(lb_model_joint(model, 0)->axis.z, 1, 0);
    assert_near(lb_model_joint(model, 0)->lower[0], -INFINITY, 0);
    assert_near(lb_model_joint(model, 1)->axis2.x, 1, 0);
    assert_near(lb_model_joint(model, 1)->upper[2], INFINITY, 0);
    assert_near(lb_model_joint(model, 2)->upper[0], INFINITY, 0);
}

TEST(every_allocation_may_fail)
{
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
