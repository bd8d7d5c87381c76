/*
 * test_draw.c - figures of linkages: all models, all formats, what they show.
 *
 * A planar drawing is checked shape by shape in the SVG, a spatial one by the
 * colours of the pixels. Robots of the shared data are drawn where it is there.
 */
#include <math.h>

#include <limber/figures/draw.h>
#include <limber/formats/load.h>

#include "figures/planar.h"

#include "drawn.h"
#include "support_load.h"

static const char *const formats[] = {"svg", "png", "pdf"};
enum { format_count = 3, max_nq = 512 };

static const char svg[] = "test_draw.svg", again[] = "test_draw_again.svg", png[] = "test_draw.png";

/* ---- all models, all formats -------------------------------------------- */

/* a start, a ghost of it and two targets */
static void draw_in_every_format(const lb_model *model)
{
    double start[max_nq], end[max_nq];
    assert_in_range(lb_model_nq(model), 0, max_nq);
    lb_random random = test_seed(31);
    lb_configuration_neutral(model, start);
    lb_configuration_random(model, &random, end);
    const lb_drawing_pose poses[] = {{start, "start", 0.4}, {end, "end", 1}};
    const lb_vec3 targets[] = {{0.3, 0.2, 0.4}, {-0.3, 0.1, 0}};
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = poses;
    drawing.pose_count = 2;
    drawing.targets = targets;
    drawing.target_count = 2;
    drawing.title = lb_model_name(model);
    for (int i = 0; i < format_count; i++) {
        char first[64], second[64];
        snprintf(first, sizeof first, "test_draw_1.%s", formats[i]);
        snprintf(second, sizeof second, "test_draw_2.%s", formats[i]);
        draw_model(model, &drawing, first);
        draw_model(model, &drawing, second);
        assert_true(files_are_equal(first, second));
        remove(first);
        remove(second);
    }
}

TEST(embedded_models_are_drawn)
{
    assert_true(lb_embedded_count() > 0);
    for (int i = 0; i < lb_embedded_count(); i++) {
        owned_model *model = test_load(lb_embedded_at(i)->name);
        draw_in_every_format(model);
    }
}

TEST(robots_of_the_field_are_drawn)
{
    static const char *const names[] = {
        "erd_panda",        "erd_tiago_dual", "erd_romeo",        "erd_allegro_left_hand",
        "erd_pr2",          "bullet_r2d2",    "rtb_yumi",         "unitree_g1_29dof_rev_1_0",
        "ssik_kuka_iiwa14", "debdart_wam",    "bullet_prismatic", "erd_double_pendulum_continuous",
    };
    int drawn = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/urdf/%s.urdf", LIMBER_DATA_DIR, names[i]);
        if (!file_is_there(path))
            continue;
        lb_model *model = test_load(path);
        draw_in_every_format(model);
        lb_model_release(model);
        drawn++;
    }
    if (drawn == 0) {
        print_message("no shared data at %s: skipped\n", LIMBER_DATA_DIR);
        skip();
    }
}

/* trees of every joint kind, branching anyhow */
TEST(random_trees_are_drawn)
{
    lb_random random = test_seed(32);
    for (int i = 0; i < 40; i++) {
        test_tree tree = test_tree_default();
        tree.joints = test_random_index(&random, 40);
        owned_model *model = test_tree_build(&tree, &random);
        lb_drawing drawing = lb_drawing_default();
        double q[max_nq];
        lb_configuration_random(model, &random, q);
        const lb_drawing_pose pose = {q, NULL, 1};
        drawing.poses = &pose;
        drawing.pose_count = 1;
        draw_model(model, &drawing, svg);
    }
    remove(svg);
}

/* ---- built-in figures --------------------------------------------------- */

/* a visual where it stands in the world */
typedef struct shape {
    const lb_geometry *visual;
    const char *link;
    lb_transform place;
} shape;

/* how far a point is from a shape's surface, 0 inside */
static double shape_distance(const shape *s, lb_vec3 point)
{
    lb_transform inverse = lb_transform_inverse(&s->place);
    lb_vec3 p = lb_transform_point(&inverse, point), size = s->visual->size;
    double across = sqrt(p.x * p.x + p.y * p.y), along = fabs(p.z) - 0.5 * size.z;
    switch (s->visual->shape) {
    case LB_SHAPE_BOX:
        return lb_vec3_length(lb_vec3_make(fmax(fabs(p.x) - 0.5 * size.x, 0),
                                           fmax(fabs(p.y) - 0.5 * size.y, 0), fmax(along, 0)));
    case LB_SHAPE_CYLINDER:
        return sqrt(pow(fmax(across - size.x, 0), 2) + pow(fmax(along, 0), 2));
    case LB_SHAPE_CAPSULE:
        return fmax(sqrt(across * across + pow(fmax(along, 0), 2)) - size.x, 0);
    case LB_SHAPE_SPHERE:
        return fmax(lb_vec3_length(p) - size.x, 0);
    case LB_SHAPE_MESH:
        break;
    }
    return INFINITY;
}

/* the least distance from points within a shape to another */
static double shape_gap(const shape *a, const shape *b)
{
    lb_vec3 size = a->visual->size;
    bool box = a->visual->shape == LB_SHAPE_BOX, ball = a->visual->shape == LB_SHAPE_SPHERE;
    double x = box ? 0.5 * size.x : size.x, y = box ? 0.5 * size.y : size.x;
    double z = ball ? size.x : 0.5 * size.z, gap = INFINITY;
    for (int i = -4; i <= 4; i++)
        for (int j = -1; j <= 1; j++)
            for (int k = -1; k <= 1; k++) {
                lb_vec3 inner = {0.7 * j * x, 0.7 * k * y, 0.25 * i * z};
                gap = fmin(gap, shape_distance(b, lb_transform_point(&a->place, inner)));
            }
    return gap;
}

/* all shapes of a model at rest; returns how many */
static int find_shapes(const lb_model *model, shape *shapes, int room)
{
    int n = 0;
    owned_state *state = test_state(model);
    for (int i = 0; i < lb_model_link_count(model); i++) {
        const lb_link *link = lb_model_link(model, i);
        lb_transform data =
            lb_transform_multiply(&lb_state_transforms(state)[i], &link->data_offset);
        for (int k = 0; k < link->visual_count; k++) {
            assert_true(n < room);
            shapes[n++] = (shape){&link->visuals[k], link->name,
                                  lb_transform_multiply(&data, &link->visuals[k].origin)};
        }
    }
    return n;
}

/* no part of a figure that we drew ourselves floats in the air */
TEST(built_in_figures_hang_together)
{
    enum { most = 100 };
    const double touching = 0.012; /* metres: no gap that shows */
    for (int m = 0; m < lb_embedded_count(); m++) {
        // sun, earth and moon do float
        if (strcmp(lb_embedded_at(m)->name, "sun_earth_moon") == 0)
            continue;
        owned_model *model = test_load(lb_embedded_at(m)->name);
        shape shapes[most];
        bool joined[most] = {true};
        int n = find_shapes(model, shapes, most), left = n - 1;
        for (bool grown = true; grown;) {
            grown = false;
            for (int i = 0; i < n; i++)
                for (int k = 0; k < n; k++)
                    if (joined[i] && !joined[k] &&
                        (shape_gap(&shapes[i], &shapes[k]) < touching ||
                         shape_gap(&shapes[k], &shapes[i]) < touching)) {
                        joined[k] = grown = true;
                        left--;
                    }
        }
        for (int i = 0; i < n && left > 0; i++)
            if (!joined[i])
                fail_msg("%s: a shape of link '%s' floats", lb_model_name(model), shapes[i].link);
    }
}

/* ---- planar drawings ---------------------------------------------------- */

/* n links in a row in the plane z = 0, one metre each, hinges or (of `slides`) slides along y */
static lb_model *planar_chain(int n, unsigned slides)
{
    enum { most = 8 };
    static char names[most + 1][16];
    lb_link links[most + 1];
    lb_joint joints[most];
    for (int i = 0; i <= n; i++) {
        snprintf(names[i], sizeof names[i], "link_%d", i);
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < n; i++) {
        static char joint_names[most][16];
        snprintf(joint_names[i], sizeof joint_names[i], "joint_%d", i);
        joints[i] = lb_joint_default();
        joints[i].name = joint_names[i];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        bool slide = slides >> i & 1;
        joints[i].kind = slide ? LB_JOINT_PRISMATIC : LB_JOINT_CONTINUOUS;
        joints[i].axis = slide ? lb_vec3_make(0, 1, 0) : lb_vec3_make(0, 0, 1);
        joints[i].placement = lb_transform_translation(i > 0, 0, 0);
    }
    return test_make("chain", links, n + 1, joints, n);
}

/* the dot in a hinge is the only round thing in ink */
static const char ink_fill[] = "fill:rgb(13%,17%,22%)", paper_fill[] = "fill:rgb(100%,100%,100%)";

TEST(each_hinge_is_a_circle_with_a_dot)
{
    lb_drawing drawing = lb_drawing_default();
    for (int n = 1; n <= 8; n++) {
        owned_model *model = planar_chain(n, 0);
        draw_model(model, &drawing, svg);
        assert_int_equal(svg_count(svg, paper_fill, true), n);
        assert_int_equal(svg_count(svg, ink_fill, true), n);
    }

    // slides are blocks: two fewer circles, two blocks
    lb_model *model = planar_chain(5, 1u << 1 | 1u << 3);
    draw_model(model, &drawing, svg);
    assert_int_equal(svg_count(svg, paper_fill, true), 3);
    assert_int_equal(svg_count(svg, paper_fill, false), 2);
    lb_model_release(model);
    remove(svg);
}

TEST(the_arm_of_the_chapter_is_planar_and_robots_are_not)
{
    static const struct {
        const char *name;
        int hinges; /* 0: drawn in space */
    } models[] = {{"planar2", 2}, {"planar3", 3}, {"panda", 0}, {"scara", 0}, {"human", 0}};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        owned_model *model = test_load(models[i].name);
        lb_drawing drawing = lb_drawing_default();
        draw_model(model, &drawing, svg);
        assert_int_equal(svg_count(svg, ink_fill, true), models[i].hinges);

        // with a viewing direction every model is drawn in space
        drawing.azimuth = 0.5;
        draw_model(model, &drawing, svg);
        assert_int_equal(svg_count(svg, ink_fill, true), 0);
    }
    remove(svg);
}

/* a planetary system is three discs in their own colours, without a sign of an arm */
TEST(shapes_of_a_planar_model_are_drawn)
{
    static const char *const fills[] = {"fill:rgb(95%,72%,20%)", "fill:rgb(25%,50%,80%)",
                                        "fill:rgb(65%,66%,69%)"};
    lb_model *model = test_load("sun_earth_moon");
    lb_drawing drawing = lb_drawing_default();
    draw_model(model, &drawing, svg);
    for (int i = 0; i < 3; i++)
        assert_int_equal(svg_count(svg, fills[i], true), 1);
    assert_int_equal(svg_count(svg, ink_fill, true), 0);
    assert_int_equal(svg_count(svg, paper_fill, true), 0);
    lb_model_release(model);
    remove(svg);
}

/* the extent of a figure of one body is that of its shape, whichever that is */
TEST(outlines_have_the_extent_of_their_shapes)
{
    static const struct {
        lb_shape shape;
        lb_vec3 size;
        double x, y; /* half of what is seen of it along z */
    } shapes[] = {{LB_SHAPE_BOX, {4, 2, 9}, 2, 1},
                  {LB_SHAPE_CYLINDER, {2, 0, 5}, 2, 2},
                  {LB_SHAPE_CAPSULE, {2, 0, 5}, 2, 2},
                  {LB_SHAPE_SPHERE, {2, 0, 0}, 2, 2}};
    lb_transform here = LB_TRANSFORM_IDENTITY;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        lb_geometry visual = {.shape = shapes[i].shape, .origin = here, .size = shapes[i].size};
        lb_link link = {.name = "body", .data_offset = here, .visuals = &visual, .visual_count = 1};
        lb_model_source source = {.name = "one", .root = here, .links = &link, .link_count = 1};
        owned_model *model = test_build(&source);
        planar_bounds b = {INFINITY, -INFINITY, INFINITY, -INFINITY};
        planar_include_shapes(&b, model, &here, &here);
        assert_near(b.x0, -shapes[i].x, 1e-15);
        assert_near(b.x1, shapes[i].x, 1e-15);
        assert_near(b.y0, -shapes[i].y, 1e-15);
        assert_near(b.y1, shapes[i].y, 1e-15);
    }
}

/* ---- targets ------------------------------------------------------------ */

/* where the red of the one target is */
static void find_target(const lb_model *model, lb_drawing *drawing, lb_vec3 target, double *x,
                        double *y)
{
    drawing->targets = &target;
    drawing->target_count = 1;
    draw_model(model, drawing, png);
    cairo_surface_t *picture = picture_open(png);
    assert_true(picture_find(picture, 0.80, 0.11, 0.16, 0.03, x, y) > 10);
    cairo_surface_destroy(picture);
    drawing->target_count = 0;
}

TEST(targets_are_where_they_should_be)
{
    // within the arm's own frame a target does not move the view
    lb_model *model = test_load("planar3");
    double q[3] = {0, 0, 0};
    const lb_drawing_pose poses[] = {{q, NULL, 1}};
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = poses;
    drawing.pose_count = 1;
    double x0, y0, x1, y1, x2, y2;
    find_target(model, &drawing, lb_vec3_make(0, 0, 0), &x0, &y0);
    find_target(model, &drawing, lb_vec3_make(10, 0, 0), &x1, &y1);
    find_target(model, &drawing, lb_vec3_make(20, 0, 0), &x2, &y2);
    assert_near(y1, y0, 0.6);
    assert_near(x2 - x1, x1 - x0, 0.6);
    assert_true(x1 - x0 > 100);

    // no target, nothing red
    drawing.target_count = 0;
    draw_model(model, &drawing, png);
    cairo_surface_t *picture = picture_open(png);
    assert_int_equal(picture_find(picture, 0.80, 0.11, 0.16, 0.03, &x0, &y0), 0);
    cairo_surface_destroy(picture);
    lb_model_release(model);
    remove(png);
}

/* in space: a higher target is higher on the page, and one to the viewer's right is to the right */
TEST(targets_follow_the_viewer)
{
    lb_model *model = test_load("panda");
    lb_drawing drawing = lb_drawing_default();
    double x0, y0, x1, y1;
    for (int i = 0; i < 8; i++) {
        double s = lb_sin(0.8 * i), c = lb_cos(0.8 * i);
        drawing.azimuth = 0.8 * i;
        drawing.elevation = 0.2;
        find_target(model, &drawing, lb_vec3_make(0.2 * s, -0.2 * c, 0.3), &x0, &y0);
        find_target(model, &drawing, lb_vec3_make(-0.2 * s, 0.2 * c, 0.6), &x1, &y1);
        assert_true(x1 > x0 + 20 && y1 < y0 - 20);
    }
    lb_model_release(model);
    remove(png);
}

/* ---- ellipsoids --------------------------------------------------------- */

/* from its centre to where it is lowest on the page, pixels: numbers are above it */
typedef struct lowest_point {
    double aside, below;
} lowest_point;

static lowest_point find_lowest(const lb_model *model, const lb_ellipsoid *ellipses, int count)
{
    double q[3] = {0, 0, 0}, x, y, left = 0, right = 0, row = 0;
    const lb_drawing_pose pose = {q, NULL, 1};
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = &pose;
    drawing.pose_count = 1;
    find_target(model, &drawing, ellipses->center, &x, &y);
    drawing.ellipsoids = ellipses;
    drawing.ellipsoid_count = count;
    draw_model(model, &drawing, png);
    cairo_surface_t *picture = picture_open(png);
    for (int i = 0; i < cairo_image_surface_get_height(picture); i++)
        for (int k = 0; k < cairo_image_surface_get_width(picture); k++) {
            if (!pixel_is(picture_at(picture, k, i), 0.42, 0.16, 0.60, 0.25))
                continue;
            left = i + 0.5 > row ? k + 0.5 : left;
            right = k + 0.5;
            row = i + 0.5;
        }
    cairo_surface_destroy(picture);
    return (lowest_point){0.5 * (left + right) - x, row - y};
}

/* an ellipse with the axes A goes |A^T n| far along n, and is there at A A^T n / |A^T n| */
TEST(ellipses_have_the_shape_of_their_axes)
{
    owned_model *model = test_load("planar3");
    const double a = 2, b = 0.8;
    lb_ellipsoid ellipses[2] = {{{15, 0, 0}, {{0, a, 0}, {b, 0, 0}, {0, 0, 0}}}};
    double unit = find_lowest(model, ellipses, 1).below / a;
    assert_true(unit > 20);
    for (int i = 0; i < 6; i++) {
        double c = lb_cos(0.5 * i), s = lb_sin(0.5 * i), far = hypot(a * s, b * c);
        ellipses[0].axes[0] = lb_vec3_make(a * c, a * s, 0);
        ellipses[0].axes[1] = lb_vec3_make(-b * s, b * c, 0);
        lowest_point found = find_lowest(model, ellipses, 1);
        assert_near(found.below, unit * far, 2);
        assert_near(found.aside, -unit * (a * a - b * b) * c * s / far, 6);
    }

    // the longest of all gives the scale, and a lone one of any length is drawn alike
    ellipses[1] = ellipses[0];
    for (int i = 0; i < 3; i++)
        ellipses[1].axes[i] = lb_vec3_scale(ellipses[0].axes[i], 2);
    double alone = find_lowest(model, ellipses, 1).below;
    assert_near(find_lowest(model, ellipses + 1, 1).below, alone, 0.6);
    assert_near(find_lowest(model, ellipses, 2).below, alone, 1.5);
    remove(png);
}

/* ---- poses -------------------------------------------------------------- */

static double ink_of(const lb_model *model, const lb_drawing *drawing)
{
    draw_model(model, drawing, png);
    cairo_surface_t *picture = picture_open(png);
    double ink = picture_ink(picture);
    cairo_surface_destroy(picture);
    return ink;
}

TEST(faint_poses_have_less_ink)
{
    static const char *const names[] = {"planar3", "panda", "human"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        owned_model *model = test_load(names[i]);
        double q[max_nq], last = 0;
        lb_configuration_neutral(model, q);
        for (int k = 0; k <= 4; k++) {
            const lb_drawing_pose pose = {q, NULL, k / 4.0};
            lb_drawing drawing = lb_drawing_default();
            drawing.poses = &pose;
            drawing.pose_count = 1;
            double ink = ink_of(model, &drawing);
            assert_true(ink > last);
            last = ink;
        }
    }
    remove(png);
}

/* one colour, and one entry of the legend */
TEST(equal_labels_are_one)
{
    owned_model *model = test_load("planar3");
    const double q[4][3] = {{0.1}, {0.5}, {1}, {1.5}};
    lb_drawing_pose poses[] = {
        {q[0], "one", 0.5}, {q[1], (char[]){"one"}, 0.5}, {q[2], "one", 0.5}, {q[3], "two", 0.5}};
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = poses;
    drawing.pose_count = 4;
    draw_model(model, &drawing, svg);
    // poses without a label have the first colour, which is that label's
    poses[1].label = poses[2].label = NULL;
    draw_model(model, &drawing, again);
    assert_true(files_are_equal(svg, again));
    remove(svg);
    remove(again);
}

TEST(no_pose_is_the_neutral_one)
{
    owned_model *model = test_load("ur5");
    double q[max_nq];
    lb_configuration_neutral(model, q);
    const lb_drawing_pose pose = {q, NULL, 1};
    lb_drawing drawing = lb_drawing_default();
    draw_model(model, &drawing, "test_draw_1.svg");
    drawing.poses = &pose;
    drawing.pose_count = 1;
    draw_model(model, &drawing, "test_draw_2.svg");
    assert_true(files_are_equal("test_draw_1.svg", "test_draw_2.svg"));

    // and another pose is another picture
    q[1] += 0.3;
    draw_model(model, &drawing, "test_draw_2.svg");
    assert_false(files_are_equal("test_draw_1.svg", "test_draw_2.svg"));
    remove("test_draw_1.svg");
    remove("test_draw_2.svg");
}

/* nothing of the figure leaves the page: its rim stays white */
TEST(the_figure_keeps_its_margin)
{
    lb_random random = test_seed(33);
    lb_model *model = test_load("panda");
    for (int i = 0; i < 12; i++) {
        double q[max_nq];
        lb_configuration_random(model, &random, q);
        const lb_drawing_pose pose = {q, NULL, 1};
        lb_drawing drawing = lb_drawing_default();
        drawing.poses = &pose;
        drawing.pose_count = 1;
        drawing.width = 300 + 200 * (i % 3);
        drawing.height = 300 + 200 * (i % 2);
        draw_model(model, &drawing, png);
        cairo_surface_t *picture = picture_open(png);
        int width = cairo_image_surface_get_width(picture);
        assert_int_equal(width, (int)drawing.width);
        for (int x = 0; x < width; x++)
            for (int y = 0; y < 10; y++)
                assert_true(picture_at(picture, x, y).r > 200);
        cairo_surface_destroy(picture);
    }
    lb_model_release(model);
    remove(png);
}

/* ---- refusals ----------------------------------------------------------- */

static void expect_refusal(const lb_model *model, const lb_drawing *drawing, const char *path,
                           lb_status status, const char *named)
{
    lb_error error = {0};
    assert_int_equal(lb_draw(model, drawing, path, &error), status);
    assert_int_equal(error.status, status);
    if (!strstr(error.message, named) && strcmp(error.path, named) != 0)
        fail_msg("'%s' is not named: %s: %s", named, error.path, error.message);
    assert_false(file_is_there(path));
    assert_int_equal(lb_draw(model, drawing, path, NULL), status);
}

TEST(what_cannot_be_drawn_is_named)
{
    owned_model *model = test_load("panda");
    double good[max_nq], bad[max_nq];
    lb_configuration_neutral(model, good);
    lb_configuration_neutral(model, bad);
    lb_drawing_pose poses[] = {{good, NULL, 1}, {bad, NULL, 1}};
    lb_drawing drawing = lb_drawing_default();
    drawing.poses = poses;
    drawing.pose_count = 2;
    const lb_joint *third = lb_model_joint(model, 2);
    int q = lb_model_joint_q(model, 2);
    for (int i = 0; i < 2; i++) {
        bad[q] = i ? NAN : -INFINITY;
        expect_refusal(model, &drawing, svg, LB_BAD_VALUE, "pose 2");
        expect_refusal(model, &drawing, svg, LB_BAD_VALUE, third->name);
    }
    bad[q] = 0;
    const double strengths[] = {-0.1, 1.1, NAN, INFINITY};
    for (size_t i = 0; i < sizeof strengths / sizeof *strengths; i++) {
        poses[1].strength = strengths[i];
        expect_refusal(model, &drawing, svg, LB_BAD_VALUE, "strength");
    }
    poses[1].strength = 1;
    lb_vec3 target = {0, NAN, 0};
    drawing.targets = &target;
    drawing.target_count = 1;
    expect_refusal(model, &drawing, svg, LB_BAD_VALUE, "target 1");
    target.y = 1e200;
    expect_refusal(model, &drawing, svg, LB_BAD_VALUE, "target 1");
    drawing.target_count = 0;
    lb_ellipsoid ellipsoid = {{0, 0, 0}, {{1, 0, 0}, {0, NAN, 0}, {0, 0, 1}}};
    drawing.ellipsoids = &ellipsoid;
    drawing.ellipsoid_count = 1;
    expect_refusal(model, &drawing, svg, LB_BAD_VALUE, "ellipsoid 1");
    drawing.ellipsoids = NULL;
    expect_refusal(model, &drawing, svg, LB_INVALID_ARGUMENT, "ellipsoids is NULL");
    drawing.ellipsoid_count = 0;
    drawing.azimuth = INFINITY;
    expect_refusal(model, &drawing, svg, LB_BAD_VALUE, "azimuth");
    drawing.azimuth = NAN;
    drawing.width = NAN;
    expect_refusal(model, &drawing, svg, LB_BAD_VALUE, "width");
    drawing.width = 100;
    expect_refusal(model, &drawing, "test_draw.jpeg", LB_UNSUPPORTED, ".svg, .png or .pdf");
    expect_refusal(model, &drawing, "no_such_folder/a.png", LB_FILE_ERROR, "no_such_folder/a.png");
}
