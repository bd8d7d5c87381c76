/*
 * test_draw_scene.c - what stands around a model is drawn where it is and as large as it is.
 */
#include "drawn.h"
#include "support_load.h"

static const char png[] = "test_draw_scene.png";

/* how much of a picture has the colour of an obstacle, and the middle of that */
static int find_obstacle(const lb_model *model, const lb_geometry *geometry, bool in_space,
                         double *x, double *y)
{
    lb_obstacle obstacle = {"thing", *geometry};
    lb_scene scene = {&obstacle, 1};
    lb_drawing drawing = lb_drawing_default();
    drawing.scene = &scene;
    drawing.azimuth = in_space ? -1.2 : NAN;
    draw_model(model, &drawing, png);
    cairo_surface_t *picture = picture_open(png);
    int found = picture_find(picture, 0.90, 0.10, 0.80, in_space ? 0.3 : 0.03, x, y);
    cairo_surface_destroy(picture);
    remove(png);
    return found;
}

/* in the plane where they are and as large; in space too; a floor and a mesh are not drawn */
TEST(obstacles_are_drawn)
{
    owned_model *model = test_load("planar3");
    lb_geometry ball = {.shape = LB_SHAPE_SPHERE,
                        .origin = lb_transform_translation(5, 4, 0),
                        .size = {2, 0, 0},
                        .color = {0.90, 0.10, 0.80, 1}};
    double x, y, higher_x, higher_y;
    int large = find_obstacle(model, &ball, false, &x, &y);
    ball.size.x = 1;
    int small = find_obstacle(model, &ball, false, &x, &y);
    // of half the radius the area is a quarter, but that the page shows less of the plane then
    assert_true(small > 500);
    assert_true(large > 3 * small && large < 4.1 * small);
    ball.origin.p.y = 6;
    find_obstacle(model, &ball, false, &higher_x, &higher_y);
    assert_near(higher_x, x, 30);
    assert_true(higher_y < y - 10);
    assert_true(find_obstacle(model, &ball, true, &x, &y) > 100);
    ball.shape = LB_SHAPE_BOX;
    ball.size = lb_vec3_make(2000, 2000, 1);
    assert_int_equal(find_obstacle(model, &ball, true, &x, &y), 0);
    assert_int_equal(find_obstacle(model, &ball, false, &x, &y), 0);
    ball.shape = LB_SHAPE_MESH;
    ball.mesh = "thing.stl";
    ball.size = lb_vec3_make(1, 1, 1);
    assert_int_equal(find_obstacle(model, &ball, true, &x, &y), 0);
}
