/* test_draw_extremes.c - figures of any size, and of models of any size and length. */
#include <math.h>

#include <limber/figures/draw.h>
#include <limber/formats/load.h>

#include "drawn.h"
#include "support_load.h"

enum { max_nq = 512 };

static const char svg[] = "test_draw_extremes.svg", png[] = "test_draw_extremes.png";

TEST(pages_and_models_of_any_size_are_drawn)
{
    static const char *const names[] = {"planar3", "panda"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        owned_model *model = test_load(names[i]);
        lb_drawing drawing = lb_drawing_default();
        const lb_vec3 target = {0.1, 0.2, 0.3};
        drawing.targets = &target;
        drawing.target_count = 1;
        drawing.title = "a title that is longer than the page is wide";
        const double sizes[] = {1, 2, 17, 60, 1500};
        for (size_t a = 0; a < 5; a++)
            for (size_t b = 0; b < 5; b++) {
                drawing.width = sizes[a];
                drawing.height = sizes[b];
                draw_model(model, &drawing, png);
            }
    }

    // lengths from a nanometre to the longest there are, and none at all
    const double lengths[] = {1e-9, 1e-3, 1e3, LB_LENGTH_MAX, 0};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (int turned = 0; turned < 2; turned++) {
            lb_dh_row rows[3];
            for (int k = 0; k < 3; k++)
                rows[k] =
                    (lb_dh_row){LB_JOINT_REVOLUTE, 0.3, 0, lengths[i], turned ? 1.0 : 0, -3, 3};
            owned_model *model = NULL;
            assert_int_equal(lb_model_from_dh("arm", rows, 3, false, NULL, &model, NULL), LB_OK);
            lb_drawing drawing = lb_drawing_default();
            draw_model(model, &drawing, svg);
        }
    remove(svg);
    remove(png);
}

/* a length of any size that a model may have: often nothing, the least or the most */
static double any_length(lb_random *random)
{
    const double special[] = {0, 5e-324, 1e-300, 1e-12, 1, LB_LENGTH_MAX};
    if (test_random_chance(random, 0.4))
        return special[test_random_index(random, 6)];
    return pow(10, lb_random_between(random, -20, 15));
}

static lb_transform any_place(lb_random *random)
{
    lb_transform place = test_random_transform(random);
    double scale = any_length(random);
    place.p = lb_vec3_scale(test_random_direction(random), scale);
    return place;
}

enum { extreme_joints = 3 };

/* a chain whose every number may be extreme */
static lb_model *extreme_model(lb_random *random)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    lb_link links[extreme_joints + 1];
    lb_joint joints[extreme_joints];
    lb_geometry visuals[extreme_joints + 1];
    for (int i = 0; i <= extreme_joints; i++) {
        visuals[i] = (lb_geometry){
            .shape = (lb_shape)test_random_index(random, 5),
            .origin = any_place(random),
            .size = {any_length(random), any_length(random), any_length(random)},
            .mesh = "a.stl",
        };
        links[i] = lb_link_default();
        links[i].name = names[i];
        links[i].visuals = &visuals[i];
        links[i].visual_count = test_random_chance(random, 0.6);
    }
    for (int i = 0; i < extreme_joints; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = names[i];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = (lb_joint_kind)test_random_index(random, LB_JOINT_KIND_COUNT);
        joints[i].placement = any_place(random);
    }
    lb_model_source source = {.name = "extreme",
                              .root = any_place(random),
                              .links = links,
                              .link_count = 1 + test_random_index(random, extreme_joints + 1),
                              .joints = joints};
    source.joint_count = source.link_count - 1;
    return test_build(&source);
}

/* no coordinate lies farther off than a page's size, whatever the model and the pose */
TEST(drawings_of_extreme_models_stay_inside_their_page)
{
    lb_random random = test_seed(33);
    for (int i = 0; i < 400; i++) {
        owned_model *model = extreme_model(&random);
        double q[max_nq];
        lb_configuration_neutral(model, q);
        for (int k = 0; k < lb_model_nq(model); k++)
            q[k] += test_random_chance(&random, 0.3) ? any_length(&random) : 0;
        const lb_drawing_pose pose = {q, NULL, 1};
        lb_vec3 target = any_place(&random).p;
        lb_drawing drawing = lb_drawing_default();
        drawing.poses = &pose;
        drawing.pose_count = i % 3 > 0;
        drawing.targets = &target;
        drawing.target_count = i % 4 > 0;
        draw_model(model, &drawing, svg);
        double excess = svg_excess(svg, drawing.width);
        if (!(excess < drawing.width))
            fail_msg("drawing %d: a point is %g beyond the page", i, excess);
    }
    remove(svg);
}

/* a quaternion of zeros: the link has a place, but no rotation */
TEST(a_pose_without_rotation_is_refused)
{
    lb_geometry visual = {
        .shape = LB_SHAPE_BOX, .origin = LB_TRANSFORM_IDENTITY, .size = {1, 1, 1}};
    lb_link links[] = {lb_link_default(), lb_link_default()};
    lb_joint joint = lb_joint_default();
    links[0].name = joint.name = joint.parent = "base";
    links[1].name = joint.child = "body";
    links[1].visuals = &visual;
    links[1].visual_count = 1;
    joint.kind = LB_JOINT_FLOATING;
    owned_model *model = test_make("loose", links, 2, &joint, 1);
    const double q[7] = {0};
    const lb_drawing_pose pose = {q, NULL, 1};
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = &pose;
    drawing.pose_count = 1;
    lb_error error;
    assert_int_equal(lb_draw(model, &drawing, svg, &error), LB_BAD_VALUE);
    assert_string_equal(error.message, "pose 1: link 'body' has no rotation: a quaternion is zero");
}

TEST(a_long_chain_is_drawn)
{
    enum { n = 20000 };
    owned lb_dh_row *rows = malloc(n * sizeof *rows);
    assert_non_null(rows);
    for (int i = 0; i < n; i++)
        rows[i] = (lb_dh_row){LB_JOINT_REVOLUTE, 1e-3, 1e-4, 1e-3, 0.01, -3, 3};
    owned_model *model = NULL;
    assert_int_equal(lb_model_from_dh("snake", rows, n, true, NULL, &model, NULL), LB_OK);
    lb_drawing drawing = lb_drawing_default();
    draw_model(model, &drawing, png);
    remove(png);
}
