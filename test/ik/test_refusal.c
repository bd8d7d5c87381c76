/* test_refusal.c - what is no model is refused by name, and memory may run out. */
#include "support_arm.h"

/* ---- refusals ----------------------------------------------------------- */

static void spoil_link_name(test_arm *a)
{
    a->links[2].name = "";
}
static void spoil_link_null(test_arm *a)
{
    a->links[2].name = NULL;
}
static void spoil_link_double(test_arm *a)
{
    a->links[2].name = "base";
}
static void spoil_link_control(test_arm *a)
{
    a->links[1].name = "up\033[31mper";
}
static void spoil_joint_control(test_arm *a)
{
    a->joints[1].name = "el\xc2\x9b"
                        "bow";
}
static void spoil_model_control(test_arm *a)
{
    a->source.name = "ar\x7fm";
}
static void spoil_joint_name(test_arm *a)
{
    a->joints[1].name = NULL;
}
static void spoil_joint_double(test_arm *a)
{
    a->joints[2].name = "shoulder";
}
static void spoil_parent(test_arm *a)
{
    a->joints[1].parent = "uper";
}
static void spoil_parent_empty(test_arm *a)
{
    a->joints[1].parent = NULL;
}
static void spoil_child(test_arm *a)
{
    a->joints[1].child = "zzzzzz";
}
static void spoil_child_empty(test_arm *a)
{
    a->joints[1].child = "";
}
static void spoil_two_parents(test_arm *a)
{
    a->joints[2].child = "upper";
}
static void spoil_two_roots(test_arm *a)
{
    a->source.joint_count = 2;
}
static void spoil_cycle(test_arm *a)
{
    a->joints[0].parent = "hand";
}
static void spoil_island(test_arm *a)
{
    a->joints[1].parent = "hand";
}
static void spoil_own_child(test_arm *a)
{
    a->joints[1].parent = "lower";
}
static void spoil_axis_zero(test_arm *a)
{
    a->joints[1].axis = lb_vec3_make(0, 0, 0);
}
static void spoil_axis_nan(test_arm *a)
{
    a->joints[1].axis.x = NAN;
}
static void spoil_axis2_zero(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_UNIVERSAL;
    a->joints[1].axis2 = lb_vec3_make(0, 0, 0);
}
static void spoil_axis2_parallel(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_PLANAR;
    a->joints[1].axis2 = lb_vec3_make(0, 1e-9, -3);
}
static void spoil_limits_crossed(test_arm *a)
{
    a->joints[1].lower[0] = 2;
    a->joints[1].upper[0] = 1;
}
static void spoil_limit_lower_nan(test_arm *a)
{
    a->joints[1].lower[0] = NAN;
}
static void spoil_limit_upper_nan(test_arm *a)
{
    a->joints[1].upper[0] = NAN;
}
static void spoil_limits_nowhere(test_arm *a)
{
    a->joints[1].lower[0] = a->joints[1].upper[0] = INFINITY;
}
static void spoil_second_limit(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_UNIVERSAL;
    a->joints[1].lower[1] = 1;
    a->joints[1].upper[1] = 0;
}
static void spoil_swing(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_BALL;
    a->joints[1].upper[1] = -0.1;
}
static void spoil_swing_nan(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_BALL;
    a->joints[1].upper[1] = NAN;
}
static void spoil_twist(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_BALL;
    a->joints[1].lower[0] = 4;
    a->joints[1].upper[0] = 5;
}
static void spoil_placement_scaled(test_arm *a)
{
    a->joints[1].placement.x.x = 1.1;
}
static void spoil_placement_mirrored(test_arm *a)
{
    a->joints[1].placement.z.z = -1;
}
static void spoil_placement_nan(test_arm *a)
{
    a->joints[1].placement.p.y = NAN;
}
static void spoil_root(test_arm *a)
{
    a->source.root.x.x = 0;
}
static void spoil_data_offset(test_arm *a)
{
    a->links[1].data_offset.p.z = INFINITY;
}
static void spoil_mass(test_arm *a)
{
    a->links[1].mass = -1;
}
static void spoil_inertia(test_arm *a)
{
    a->links[1].inertia[5] = NAN;
}
static void spoil_value(test_arm *a)
{
    a->joints[1].value[0] = NAN;
}
static void spoil_weight(test_arm *a)
{
    a->joints[1].weight = 0;
}
static void spoil_velocity(test_arm *a)
{
    a->joints[1].velocity = NAN;
}
static void spoil_kind(test_arm *a)
{
    a->joints[1].kind = (lb_joint_kind)99;
}
static void spoil_mimic_nothing(test_arm *a)
{
    a->joints[1].mimic = "wrst";
}
static void spoil_mimic_self(test_arm *a)
{
    a->joints[1].mimic = "elbow";
}
static void spoil_mimic_cycle(test_arm *a)
{
    a->joints[0].mimic = "elbow";
    a->joints[1].mimic = "wrist";
    a->joints[2].mimic = "elbow";
}
static void spoil_mimic_ball(test_arm *a)
{
    a->joints[0].kind = LB_JOINT_BALL;
    a->joints[0].upper[1] = 1;
    a->joints[1].mimic = "shoulder";
}
static void spoil_mimic_fixed(test_arm *a)
{
    a->joints[0].kind = LB_JOINT_FIXED;
    a->joints[1].mimic = "shoulder";
}
static void spoil_mimic_by_planar(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_PLANAR;
    a->joints[1].mimic = "shoulder";
}
static void spoil_mimic_numbers(test_arm *a)
{
    a->joints[1].mimic = "shoulder";
    a->joints[1].multiplier = NAN;
}
static void spoil_mimic_growth(test_arm *a)
{
    a->joints[0].mimic = "elbow";
    a->joints[1].mimic = "wrist";
    a->joints[0].multiplier = a->joints[1].multiplier = 1e200;
}
static void spoil_mimic_limits(test_arm *a)
{
    a->joints[1].mimic = "shoulder";
    a->joints[1].offset = 5;
}
static void spoil_mimic_still(test_arm *a)
{
    a->joints[1].mimic = "shoulder";
    a->joints[1].multiplier = 0;
    a->joints[1].offset = 2.5;
}
static void spoil_mimic_far(test_arm *a)
{
    a->joints[0].lower[0] = -INFINITY;
    a->joints[0].upper[0] = INFINITY;
    a->joints[1].mimic = "shoulder";
    a->joints[1].multiplier = 1e-300;
    a->joints[1].lower[0] = 1;
}
static void spoil_links(test_arm *a)
{
    a->source.link_count = 0;
}
static void spoil_link_array(test_arm *a)
{
    a->source.links = NULL;
}
static void spoil_joint_array(test_arm *a)
{
    a->source.joints = NULL;
}
static void spoil_joint_count(test_arm *a)
{
    a->source.joint_count = -1;
}
static void spoil_visuals(test_arm *a)
{
    a->links[1].visual_count = 2;
}

/* gives the second link a visual, which the caller spoils */
static lb_geometry *add_visual(test_arm *a, lb_shape shape)
{
    a->visuals[0] = (lb_geometry){
        .shape = shape, .origin = LB_TRANSFORM_IDENTITY, .size = {1, 1, 1}, .mesh = "a.stl"};
    a->links[1].visuals = a->visuals;
    a->links[1].visual_count = 1;
    return a->visuals;
}
static void spoil_shape(test_arm *a)
{
    add_visual(a, (lb_shape)99);
}
static void spoil_shape_negative(test_arm *a)
{
    add_visual(a, (lb_shape)-1);
}
static void spoil_mesh(test_arm *a)
{
    add_visual(a, LB_SHAPE_MESH)->mesh = NULL;
}
static void spoil_mesh_empty(test_arm *a)
{
    add_visual(a, LB_SHAPE_MESH)->mesh = "";
}
static void spoil_mesh_scale(test_arm *a)
{
    add_visual(a, LB_SHAPE_MESH)->size.y = INFINITY;
}
static void spoil_size_nan(test_arm *a)
{
    add_visual(a, LB_SHAPE_BOX)->size.y = NAN;
}
static void spoil_size_negative(test_arm *a)
{
    add_visual(a, LB_SHAPE_SPHERE)->size.x = -0.5;
}
static void spoil_size_huge(test_arm *a)
{
    add_visual(a, LB_SHAPE_CYLINDER)->size.z = 1e155;
}
static void spoil_origin(test_arm *a)
{
    add_visual(a, LB_SHAPE_CAPSULE)->origin.x.x = 2;
}
static void spoil_origin_far(test_arm *a)
{
    add_visual(a, LB_SHAPE_CAPSULE)->origin.p.z = -1e200;
}
static void spoil_color(test_arm *a)
{
    add_visual(a, LB_SHAPE_BOX)->color[2] = NAN;
}
static void spoil_placement_far(test_arm *a)
{
    a->joints[1].placement.p.x = 1e16;
}
static void spoil_limit_far(test_arm *a)
{
    a->joints[1].upper[0] = 1e16;
}
static void spoil_limit_far_below(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_PRISMATIC;
    a->joints[1].lower[0] = -1e308;
}
static void spoil_root_far(test_arm *a)
{
    a->source.root.p.y = -1e16;
}
static void spoil_center_far(test_arm *a)
{
    a->links[1].center.x = 1e16;
}
static void spoil_value_far(test_arm *a)
{
    a->joints[1].kind = LB_JOINT_PRISMATIC;
    a->joints[1].value[0] = 1e308;
}

/* every refusal of model.h: what spoils the arm, and what is said then */
static const struct refusal {
    void (*spoil)(test_arm *a);
    lb_status status;
    int line;
    const char *message;
} refusals[] = {
    {spoil_link_name, LB_BAD_MODEL, 0, "link number 3 has no name; give it one"},
    {spoil_link_null, LB_BAD_MODEL, 0, "link number 3 has no name; give it one"},
    {spoil_link_double, LB_BAD_MODEL, 0, "two links are named 'base'; give each a name of its own"},
    {spoil_link_control, LB_BAD_MODEL, 0, "link number 2: its name has a control character"},
    {spoil_joint_control, LB_BAD_MODEL, 12, "joint number 2: its name has a control character"},
    {spoil_model_control, LB_BAD_MODEL, 0, "the model's name has a control character"},
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
    {spoil_data_offset, LB_BAD_VALUE, 0, "link 'upper': data_offset is not a rigid transform"},
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
     "joint 'elbow': multiplier nan or offset 0 of its mimic is not within"},
    {spoil_mimic_growth, LB_BAD_VALUE, 11, "joint 'shoulder': multiplier 1e+200"},
    {spoil_mimic_limits, LB_BAD_VALUE, 12,
     "joint 'elbow' follows 'shoulder', but its limits -2 and 2 leave that joint no value"},
    {spoil_mimic_still, LB_BAD_VALUE, 12,
     "joint 'elbow' follows 'shoulder', but its limits -2 and 2 leave that joint no value"},
    {spoil_mimic_far, LB_BAD_VALUE, 12,
     "joint 'elbow' follows 'shoulder', but its limits 1 and 2 leave that joint no value"},
    {spoil_links, LB_BAD_MODEL, 0, "a model needs at least one link"},
    {spoil_link_array, LB_INVALID_ARGUMENT, 0, "links or joints are not given"},
    {spoil_joint_array, LB_INVALID_ARGUMENT, 0, "links or joints are not given"},
    {spoil_joint_count, LB_INVALID_ARGUMENT, 0, "links or joints are not given"},
    {spoil_visuals, LB_INVALID_ARGUMENT, 0, "link 'upper': visual_count is 2 but visuals is NULL"},
    {spoil_shape, LB_INVALID_ARGUMENT, 0, "link 'upper': visual 1: there is no shape 99"},
    {spoil_shape_negative, LB_INVALID_ARGUMENT, 0, "link 'upper': visual 1: there is no shape -1"},
    {spoil_mesh, LB_BAD_MODEL, 0, "link 'upper': visual 1: it is a mesh without a name"},
    {spoil_mesh_empty, LB_BAD_MODEL, 0, "link 'upper': visual 1: it is a mesh without a name"},
    {spoil_mesh_scale, LB_BAD_VALUE, 0, "link 'upper': visual 1: size inf must be"},
    {spoil_size_nan, LB_BAD_VALUE, 0, "link 'upper': visual 1: size nan must be 0 to 1e+15"},
    {spoil_size_negative, LB_BAD_VALUE, 0, "link 'upper': visual 1: size -0.5 must be 0 to 1e+15"},
    {spoil_size_huge, LB_BAD_VALUE, 0, "link 'upper': visual 1: size 1e+155 must be 0 to 1e+15"},
    {spoil_origin, LB_BAD_VALUE, 0, "link 'upper': visual 1: its origin is not a rigid transform"},
    {spoil_origin_far, LB_BAD_VALUE, 0,
     "link 'upper': visual 1: its origin 0 0 -1e+200 is farther than 1e+15 m"},
    {spoil_color, LB_BAD_VALUE, 0, "link 'upper': visual 1: color nan must be 0 to 1"},
    {spoil_placement_far, LB_BAD_VALUE, 12,
     "joint 'elbow': its placement 1e+16 0 0 is farther than 1e+15 m"},
    {spoil_limit_far, LB_BAD_VALUE, 12,
     "joint 'elbow': limits -2 and 1e+16: a finite limit is at most 1e+15; use infinity"},
    {spoil_limit_far_below, LB_BAD_VALUE, 12, "joint 'elbow': limits -1e+308 and 2: a finite"},
    {spoil_root_far, LB_BAD_VALUE, 0, "the root arc 0 -1e+16 0 is farther than 1e+15 m"},
    {spoil_center_far, LB_BAD_VALUE, 0,
     "link 'upper': data_offset or centre of mass is farther than"},
    {spoil_value_far, LB_BAD_VALUE, 12, "joint 'elbow': its value 1e+308 is farther than 1e+15 m"},
};

TEST(what_is_wrong_is_refused_by_name)
{
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal *r = &refusals[i];
        test_arm a;
        test_arm_make(&a);
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

        // the error may be NULL, and lines may be unknown
        a.source.joint_lines = NULL;
        assert_int_equal(lb_model_build(&a.source, &allocator, &model, NULL), r->status);
        lb_model_build(&a.source, &allocator, &model, &error);
        assert_int_equal(error.line, 0);
    }
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
