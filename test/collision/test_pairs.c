/*
 * test_pairs.c - which pairs of links are checked: each is left out for the reason that is said,
 * and links without shapes have those that stand in.
 */
#include "balls.h"

TEST(pairs_have_reasons)
{
    balls b;
    setup_balls(&b, 0.1);
    lb_obstacle wall = {"wall", b.ball};
    lb_scene scene = {&wall, 1};
    lb_link_pair disabled = {3, 0};
    lb_collision_options options = lb_collision_options_default();
    lb_collision *c = created(b.model, &scene, &options);
    // links without shapes do not count; the base and the wall both stand still
    assert_int_equal(lb_collision_pair_count(c), 6);
    assert_int_equal(state_of(c, 0, 2), LB_PAIR_ADJACENT);
    assert_int_equal(state_of(c, 2, 3), LB_PAIR_ADJACENT);
    assert_int_equal(state_of(c, 0, 3), LB_PAIR_CHECKED);
    assert_int_equal(state_of(c, 0, 4), LB_PAIR_RIGID);
    assert_int_equal(state_of(c, 3, 4), LB_PAIR_CHECKED);
    assert_string_equal(lb_collision_body_name(c, 4), "wall");
    assert_string_equal(lb_collision_body_name(c, 3), "hand");
    assert_null(lb_collision_body_name(c, 5));
    lb_collision_release(c);

    options.disabled = &disabled;
    options.disabled_count = 1;
    c = created(b.model, NULL, &options);
    assert_int_equal(state_of(c, 0, 3), LB_PAIR_DISABLED);
    double q[3] = {0};
    assert_true(lb_collision_distance(c, q, NULL) == INFINITY);
    assert_true(lb_collision_free(c, q));
    lb_collision_release(c);
    lb_model_release(b.model);

    // balls that reach each other in every configuration, and some that never do
    setup_balls(&b, 2);
    options.disabled_count = 0;
    c = created(b.model, NULL, &options);
    assert_int_equal(state_of(c, 0, 3), LB_PAIR_ALWAYS);
    lb_collision_release(c);
    options.samples = 0;
    c = created(b.model, NULL, &options);
    assert_int_equal(state_of(c, 0, 3), LB_PAIR_CHECKED);
    lb_collision_release(c);
    lb_model_release(b.model);

    setup_balls(&b, 0.0001);
    options.samples = 100;
    options.skip_never = true;
    c = created(b.model, NULL, &options);
    assert_int_equal(state_of(c, 0, 3), LB_PAIR_NEVER);
    lb_collision_release(c);
    lb_model_release(b.model);
}

/* a link without shapes has those that stand in, one with shapes its own */
TEST(stand_ins_are_for_bare_links)
{
    balls b;
    setup_balls(&b, 0.1);
    lb_link_shape shapes[3] = {{1, b.ball}, {1, b.ball}, {3, b.ball}};
    shapes[1].geometry.size.x = 0.2;
    shapes[2].geometry.size.x = 5;
    lb_collision_options options = lb_collision_options_default();
    options.stand_ins = shapes;
    options.stand_in_count = 3;
    lb_collision *c = created(b.model, NULL, &options);
    assert_int_equal(lb_collision_body_shapes(c, 1), 2);
    assert_int_equal(lb_collision_body_shapes(c, 3), 1);
    // the second link is now between the others: it is the base's neighbour
    assert_int_equal(state_of(c, 0, 1), LB_PAIR_ADJACENT);
    assert_int_equal(state_of(c, 0, 2), LB_PAIR_CHECKED);
    double q[3] = {0};
    lb_proximity near[8];
    assert_int_equal(lb_collision_near(c, q, 2, 8, near), 2);
    // stretched along x the balls are a metre from the next but one, the larger of two counts
    assert_int_equal(near[1].body_a, 1);
    assert_int_equal(near[1].shape_a, 1);
    assert_near(near[1].distance, 2 - 0.2 - 0.1, 1e-12);
    lb_collision_release(c);
    shapes[1].link = 4;
    check_refused(b.model, NULL, &options, LB_INVALID_ARGUMENT, "stand-in 2 is of link 4");
    shapes[1] = (lb_link_shape){2, b.ball};
    shapes[1].geometry.size.x = -1;
    check_refused(b.model, NULL, &options, LB_BAD_VALUE, "'lower'");
    lb_model_release(b.model);
}

/* stretched, the balls of base and hand reach each other only where they are large */
TEST(pairs_that_overlap_at_rest_can_be_left_out)
{
    lb_collision_options options = lb_collision_options_default();
    options.samples = 0;
    for (int large = 0; large < 2; large++) {
        balls b;
        setup_balls(&b, large ? 1.6 : 1.4);
        options.skip_rest = true;
        lb_collision *c = created(b.model, NULL, &options);
        assert_int_equal(state_of(c, 0, 3), large ? LB_PAIR_REST : LB_PAIR_CHECKED);
        lb_collision_release(c);
        options.skip_rest = false;
        c = created(b.model, NULL, &options);
        assert_int_equal(state_of(c, 0, 3), LB_PAIR_CHECKED);
        lb_collision_release(c);
        lb_model_release(b.model);
    }
}

/* two joints apart and stretched at rest, a ball that nearly touches the hand's there overlaps it
   in over a fifth of the samples; so does a smaller one where the arm folds back, which counts */
TEST(large_shapes_of_figures_two_joints_apart_are_left_out)
{
    static const struct {
        double radius;
        bool figure;
        lb_pair_state state;
    } cases[] = {
        {1.85, true, LB_PAIR_ALWAYS}, {1.85, false, LB_PAIR_CHECKED}, {1.7, true, LB_PAIR_CHECKED}};
    for (int i = 0; i < 3; i++) {
        balls b;
        setup_balls(&b, 0.1);
        lb_link_shape shape = {1, b.ball};
        lb_collision_options options = lb_collision_options_default();
        shape.geometry.size.x = cases[i].radius;
        options.stand_ins = &shape;
        options.stand_in_count = 1;
        options.skip_rest = cases[i].figure;
        owned_collision *c = created(b.model, NULL, &options);
        assert_int_equal(state_of(c, 1, 3), cases[i].state);
        // across three joints that says something
        assert_int_equal(state_of(c, 0, 3), LB_PAIR_CHECKED);
        lb_model_release(b.model);
    }
}

/* what roams may stand on the ground; what is joined to it has no way out */
TEST(the_ground_of_a_figure_can_be_left_out)
{
    static const lb_joint_kind kinds[] = {LB_JOINT_FLOATING, LB_JOINT_PLANAR, LB_JOINT_REVOLUTE};
    lb_collision_options options = lb_collision_options_default();
    options.samples = 0;
    for (int k = 0; k < 3; k++)
        for (int skip = 0; skip < 2; skip++) {
            balls b;
            setup_balls(&b, 0.1);
            lb_model_release(b.model);
            b.arm.joints[0].kind = kinds[k];
            b.model = test_build(&b.arm.source);
            options.skip_ground = skip == 1;
            owned_collision *c = created(b.model, NULL, &options);
            const lb_pair_state wanted =
                skip && kinds[k] != LB_JOINT_REVOLUTE ? LB_PAIR_DISABLED : LB_PAIR_CHECKED;
            assert_int_equal(state_of(c, 0, 3), wanted);
            // of two links that roam nothing changes
            assert_int_equal(state_of(c, 2, 3), LB_PAIR_ADJACENT);
            lb_model_release(b.model);
        }
}

/* what is hardly ever as far apart as wanted is left out like what always overlaps */
TEST(pairs_that_are_always_near_can_be_left_out)
{
    balls b;
    lb_collision_options options = lb_collision_options_default();
    // the first and the last are at most 2.8 m apart
    setup_balls(&b, 0.1);
    options.always = 2.9;
    lb_collision *c = created(b.model, NULL, &options);
    assert_int_equal(state_of(c, 0, 3), LB_PAIR_ALWAYS);
    lb_collision_release(c);
    options.always = 0.5;
    c = created(b.model, NULL, &options);
    assert_int_equal(state_of(c, 0, 3), LB_PAIR_CHECKED);
    lb_collision_release(c);
    lb_model_release(b.model);
}
