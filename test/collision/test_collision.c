/*
 * test_collision.c - whole models: the least distance is that of all pairs one by one, gradients
 * are those of central differences.
 */
#include <limits.h>

#include "balls.h"

enum { MOST_LINKS = 12, SHAPES = 2, FEW = 4, OBSTACLES = 80, MOST_Q = 7 * MOST_LINKS };
enum { MOST_PAIRS = MOST_LINKS * (MOST_LINKS + OBSTACLES) };

/* ---- random worlds -------------------------------------------------------- */

static const lb_vec3 wedge_points[] = {{-0.1, -0.1, 0}, {0.1, -0.1, 0}, {0, 0.2, 0}, {0, 0, 0.3}};
static const lb_mesh wedge = {"wedge.stl", wedge_points, 4};

/* A model whose links have shapes, and what stands around it. */
typedef struct world {
    lb_geometry shapes[MOST_LINKS][SHAPES];
    lb_obstacle obstacles[OBSTACLES];
    lb_scene scene;
    lb_model *model;
    lb_collision_options options;
    lb_collision *collision;
    double q[MOST_Q];
} world;

static lb_geometry random_geometry(lb_random *random)
{
    double x = lb_random_between(random, 0.02, 0.2), y = lb_random_between(random, 0.02, 0.2);
    double z = lb_random_between(random, 0.02, 0.5);
    lb_geometry geometry = {.shape = (lb_shape)test_random_index(random, 5), .size = {x, y, z}};
    geometry.origin = test_random_transform(random);
    geometry.origin.p = lb_vec3_scale(geometry.origin.p, 0.2);
    if (geometry.shape == LB_SHAPE_MESH) {
        geometry.mesh = wedge.name;
        geometry.size = lb_vec3_make(1, 2, -1);
    }
    return geometry;
}

/* the tree with shapes on two thirds of its links */
static lb_model *with_shapes(const lb_model *bare, world *w, lb_random *random)
{
    lb_link links[MOST_LINKS];
    int count = lb_model_link_count(bare);
    for (int i = 0; i < count; i++) {
        links[i] = *lb_model_link(bare, i);
        links[i].data_offset.p.z = 0.1;
        links[i].collisions = w->shapes[i];
        links[i].collision_count = test_random_index(random, SHAPES + 1);
        for (int k = 0; k < SHAPES; k++)
            w->shapes[i][k] = random_geometry(random);
    }
    return test_with_links(bare, links);
}

static void setup_world(world *w, lb_random *random)
{
    test_tree wanted = test_tree_default();
    wanted.joints = 1 + test_random_index(random, MOST_LINKS - 1);
    lb_model *bare = test_tree_build(&wanted, random);
    w->model = with_shapes(bare, w, random);
    lb_model_release(bare);
    int most = test_random_index(random, 4) == 0 ? OBSTACLES : FEW;
    w->scene = (lb_scene){w->obstacles, test_random_index(random, most + 1)};
    for (int i = 0; i < w->scene.obstacle_count; i++) {
        w->obstacles[i] = (lb_obstacle){"thing", random_geometry(random)};
        w->obstacles[i].geometry.origin.p =
            lb_vec3_scale(w->obstacles[i].geometry.origin.p, most == FEW ? 5 : 15);
        // some stand twice, for their equal distances
        if (i % 3 == 1)
            w->obstacles[i].geometry = w->obstacles[i - 1].geometry;
    }
    w->options = lb_collision_options_default();
    w->options.meshes = &wedge;
    w->options.mesh_count = 1;
    w->options.samples = 20;
    lb_error error = {0};
    assert_made(lb_collision_create(w->model, &w->scene, &w->options, NULL, &w->collision, &error),
                error);
}

static void teardown_world(world *w)
{
    lb_collision_release(w->collision);
    lb_model_release(w->model);
}

/* ---- one by one ----------------------------------------------------------- */

/* shape `index` of a body, in the world */
static lb_geometry geometry_at(const world *w, const lb_transform *links, int body, int index)
{
    int count = lb_model_link_count(w->model);
    if (body >= count)
        return w->obstacles[body - count].geometry;
    const lb_link *link = lb_model_link(w->model, body);
    lb_geometry geometry = link->collisions[index];
    lb_transform data = lb_transform_multiply(&links[body], &link->data_offset);
    geometry.origin = lb_transform_multiply(&data, &geometry.origin);
    return geometry;
}

static int shape_count(const world *w, int body)
{
    int count = lb_model_link_count(w->model);
    return body >= count ? 1 : lb_model_link(w->model, body)->collision_count;
}

/* the least distance of two bodies */
static double body_distance(const world *w, const lb_transform *links, int a, int b)
{
    double least = INFINITY;
    for (int i = 0; i < shape_count(w, a); i++)
        for (int k = 0; k < shape_count(w, b); k++) {
            lb_geometry x = geometry_at(w, links, a, i), y = geometry_at(w, links, b, k);
            lb_proximity p;
            least = fmin(least, lb_geometry_distance(&x, &wedge, &y, &wedge, &p));
        }
    return least;
}

/* of all checked pairs; *near is how many are at most `margin` apart */
static double exhaustive_distance(const world *w, const double *q, double margin, int *near)
{
    lb_transform links[MOST_LINKS];
    test_forward(w->model, q, links);
    double least = INFINITY;
    *near = 0;
    for (int i = 0; i < lb_collision_pair_count(w->collision); i++) {
        int a, b;
        if (lb_collision_pair_at(w->collision, i, &a, &b) != LB_PAIR_CHECKED)
            continue;
        double d = body_distance(w, links, a, b);
        least = fmin(least, d);
        *near += d <= margin;
    }
    return least;
}

/* the points are on the shapes that are named, as far apart as it says */
static void check_proximity(const world *w, const double *q, const lb_proximity *p)
{
    lb_transform links[MOST_LINKS];
    test_forward(w->model, q, links);
    lb_geometry a = geometry_at(w, links, p->body_a, p->shape_a);
    lb_geometry b = geometry_at(w, links, p->body_b, p->shape_b);
    lb_proximity other;
    assert_near(lb_geometry_distance(&a, &wedge, &b, &wedge, &other), p->distance, 1e-9);
    lb_vec3 between = lb_vec3_sub(p->point_b, p->point_a);
    assert_near(lb_vec3_dot(between, p->normal), p->distance, 1e-12);
    assert_true(p->body_a < p->body_b);
}

/* of two that stand in one place the first is the nearest */
static void check_first(const world *w, const lb_proximity *p)
{
    int obstacle = p->body_b - lb_model_link_count(w->model);
    assert_true(obstacle < 0 || obstacle % 3 != 1);
}

/* pairs come in the order of their bodies, and a short list has the first of them */
static void check_order(const world *w, double margin, const lb_proximity *list, int count)
{
    lb_proximity shorter[3];
    for (int i = 1; i < count; i++)
        assert_true(list[i - 1].body_a < list[i].body_a ||
                    (list[i - 1].body_a == list[i].body_a && list[i - 1].body_b < list[i].body_b));
    assert_int_equal(lb_collision_near(w->collision, w->q, margin, 3, shorter), count);
    for (int i = 0; i < 3 && i < count; i++)
        assert_memory_equal(&shorter[i].distance, &list[i].distance, sizeof(double));
}

TEST(least_distances_are_exhaustive)
{
    long touching = 0, pairs = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        lb_random random = test_seed(seed);
        world w;
        setup_world(&w, &random);
        for (int n = 0; n < 10; n++) {
            double margin = 0.05;
            int near;
            lb_proximity p, list[MOST_PAIRS];
            lb_configuration_random(w.model, &random, w.q);
            double expected = exhaustive_distance(&w, w.q, margin, &near);
            double d = lb_collision_distance(w.collision, w.q, &p);
            if (isfinite(expected)) {
                assert_near(d, expected, 1e-9);
                check_proximity(&w, w.q, &p);
                check_first(&w, &p);
            } else {
                assert_true(d == INFINITY && p.body_a == -1);
            }
            assert_int_equal(lb_collision_free(w.collision, w.q), d > 0);
            assert_int_equal(lb_collision_near(w.collision, w.q, d, 0, NULL) > 0, isfinite(d));
            assert_int_equal(lb_collision_near(w.collision, w.q, nextafter(d, -1e9), 0, NULL) > 0,
                             d == INFINITY && p.body_a >= 0);
            assert_int_equal(lb_collision_near(w.collision, w.q, margin, MOST_PAIRS, list), near);
            check_order(&w, margin, list, near);
            for (int i = 0; i < near; i++)
                check_proximity(&w, w.q, &list[i]);
            assert_int_equal(lb_collision_near(w.collision, w.q, margin, 0, NULL), near);
            touching += d <= 0;
            pairs += near;
        }
        teardown_world(&w);
    }
    assert_true(touching > 100 && touching < 2900 && pairs > touching);
}

/* any split of a batch gives the same bits, whatever was measured before */
TEST(batches_split_anywhere)
{
    enum { ROWS = 12 };
    lb_random random = test_seed(5);
    world w;
    setup_world(&w, &random);
    size_t nq = (size_t)lb_model_nq(w.model);
    double *q = calloc(ROWS * nq, sizeof *q);
    lb_proximity whole[ROWS], split[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        lb_configuration_random(w.model, &random, q + i * nq);
    lb_collision_batch(w.collision, q, 0, ROWS, whole);
    memset(split, 0, sizeof split);
    lb_collision_batch(w.collision, q, 7, ROWS, split);
    lb_collision_batch(w.collision, q, 0, 7, split);
    for (int i = 0; i < ROWS; i++) {
        assert_true(whole[i].distance == split[i].distance);
        assert_int_equal(whole[i].body_a, split[i].body_a);
        assert_memory_equal(&whole[i].point_a, &split[i].point_a, sizeof(lb_vec3));
    }
    free(q);
    teardown_world(&w);
}

/* ---- gradients ------------------------------------------------------------ */

/* where the nearest points are unique the distance is smooth: others are passed over */
static bool differences(world *w, const lb_proximity *at, double *gradient)
{
    // the square root of a double's precision, a cube root for two-sided differences
    const double step = 1e-6;
    int nv = lb_model_nv(w->model);
    double v[6 * MOST_LINKS] = {0}, q[MOST_Q];
    for (int i = 0; i < nv; i++) {
        double d[2];
        for (int k = 0; k < 2; k++) {
            lb_proximity p;
            v[i] = k == 0 ? step : -step;
            lb_configuration_integrate(w->model, w->q, v, q);
            d[k] = lb_collision_distance(w->collision, q, &p);
            // another pair, or another corner of a shape
            lb_vec3 turn = lb_vec3_sub(p.normal, at->normal);
            if (p.body_a != at->body_a || p.body_b != at->body_b || p.shape_a != at->shape_a ||
                p.shape_b != at->shape_b || lb_vec3_length(turn) > 1e-4)
                return false;
        }
        v[i] = 0;
        gradient[i] = (d[0] - d[1]) / (2 * step);
    }
    return true;
}

TEST(gradients_are_differences)
{
    int compared = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        lb_random random = test_seed(seed);
        world w;
        setup_world(&w, &random);
        lb_configuration_random(w.model, &random, w.q);
        lb_proximity p;
        double expected[6 * MOST_LINKS], gradient[6 * MOST_LINKS];
        double d = lb_collision_distance(w.collision, w.q, &p);
        if (isfinite(d) && d > 0.01 && differences(&w, &p, expected)) {
            lb_collision_distance(w.collision, w.q, &p);
            lb_collision_gradient(w.collision, &p, gradient);
            for (int i = 0; i < lb_model_nv(w.model); i++)
                assert_near(gradient[i], expected[i], 1e-4);
            compared++;
        }
        teardown_world(&w);
    }
    assert_true(compared > 50);
}

/* ---- margins --------------------------------------------------------------- */

TEST(margins_and_numbers)
{
    balls b;
    setup_balls(&b, 0.1);
    lb_collision_options options = lb_collision_options_default();
    options.margin = 2.8;
    owned_collision *c = created(b.model, NULL, &options);
    lb_proximity p;
    // stretched: three metres from middle to middle
    double straight[3] = {0}, odd[3] = {0, NAN, 0};
    assert_near(lb_collision_distance(c, straight, &p), 2.8, 1e-12);
    assert_int_equal(p.body_a, 0);
    assert_int_equal(p.body_b, 3);
    assert_near(p.point_a.x, 0.1, 1e-12);
    assert_near(p.normal.x, 1, 1e-12);
    double bent[3] = {0, 0.5, 0};
    assert_false(lb_collision_free(c, bent));
    assert_false(lb_collision_filter(c, bent));
    assert_false(lb_collision_free(c, odd));
    assert_true(isnan(lb_collision_distance(c, odd, &p)));
    assert_int_equal(lb_collision_near(c, odd, 10, 0, NULL), 0);
    assert_int_equal(lb_collision_near(c, straight, 10, 1, &p), 1);
    lb_model_release(b.model);
}

/* ---- refusals ------------------------------------------------------------- */

TEST(refuses_by_name)
{
    balls b;
    setup_balls(&b, 0.1);
    lb_obstacle wall = {"wall", b.ball};
    lb_scene scene = {&wall, 1};
    lb_collision_options options = lb_collision_options_default();
    check_refused(NULL, NULL, NULL, LB_INVALID_ARGUMENT, "model");
    wall.geometry.size.x = NAN;
    check_refused(b.model, &scene, NULL, LB_BAD_VALUE, "obstacle 'wall': size nan must be 0 to");
    wall.geometry = b.ball;
    wall.geometry.origin.p.y = INFINITY;
    check_refused(b.model, &scene, NULL, LB_BAD_VALUE, "obstacle 'wall': its origin is not");
    wall.geometry = b.ball;
    wall.name = "";
    check_refused(b.model, &scene, NULL, LB_INVALID_ARGUMENT, "obstacle 1 has no name");
    wall.name = "up\033[31mper";
    check_refused(b.model, &scene, NULL, LB_BAD_MODEL,
                  "obstacle 1: its name has a control character");
    wall.name = "wall";
    wall.geometry = (lb_geometry){.shape = LB_SHAPE_MESH,
                                  .origin = LB_TRANSFORM_IDENTITY,
                                  .size = {1, 1, 1e15},
                                  .mesh = "a.stl"};
    check_refused(b.model, &scene, NULL, LB_NOT_FOUND, "obstacle 'wall': mesh 'a.stl' is not");
    lb_vec3 point = {0, 0, 10};
    lb_mesh mesh = {"a.stl", &point, 1};
    options.meshes = &mesh;
    options.mesh_count = 1;
    check_refused(b.model, &scene, &options, LB_BAD_VALUE, "mesh 'a.stl' is larger than 1e+15 m");
    point.x = NAN;
    check_refused(b.model, &scene, &options, LB_BAD_VALUE, "mesh 'a.stl': point 1 is not finite");
    options.mesh_count = 0;
    options.margin = -1;
    check_refused(b.model, NULL, &options, LB_BAD_VALUE, "margin -1 must be 0 to");
    options.margin = 0;
    options.always = NAN;
    check_refused(b.model, NULL, &options, LB_BAD_VALUE, "always");
    options.always = 0;
    lb_link_pair pair = {0, 4};
    options.disabled = &pair;
    options.disabled_count = 1;
    check_refused(b.model, NULL, &options, LB_INVALID_ARGUMENT,
                  "disabled pair 1 has links 0 and 4");
    options.disabled_count = 0;

    // what is missing may be left out, and is counted
    options.allow_missing = true;
    owned_collision *c = created(b.model, &scene, &options);
    assert_int_equal(lb_collision_missing(c), 1);
    assert_int_equal(lb_collision_body_shapes(c, 4), 0);
    assert_int_equal(lb_collision_pair_count(c), 3);
    lb_model_release(b.model);
}

/* Options that are refused, and with which words. */
typedef struct refused_options {
    lb_collision_options options;
    const char *says;
} refused_options;

/* the usual options, to be spoiled, in the next row */
static lb_collision_options *add_row(refused_options *rows, int *count, const char *says)
{
    rows[*count] = (refused_options){lb_collision_options_default(), says};
    return &rows[(*count)++].options;
}

/* lists that are NULL, counts below zero and members that are not there */
TEST(refuses_wrong_lists_by_name)
{
    balls b;
    setup_balls(&b, 0.1);
    const lb_vec3 point = {0, 0, 1}, *const no_points = NULL;
    const lb_mesh meshes[] = {{NULL, &point, 1}, {"a", no_points, 1}, {"a", &point, 0}};
    const lb_link_shape shapes[] = {{-1, b.ball}, {5, b.ball}};
    const lb_link_pair pairs[] = {{-1, 1}, {1, -1}, {5, 1}, {1, 5}};
    const char *lists = "a list is NULL but its count is not 0, or a count is below 0";
    refused_options rows[20];
    int count = 0;
    for (int number = -1; number <= 1; number += 2) {
        add_row(rows, &count, lists)->mesh_count = number;
        add_row(rows, &count, lists)->disabled_count = number;
        add_row(rows, &count, lists)->stand_in_count = number;
    }
    // a list does not help a count below zero
    rows[0].options.meshes = meshes;
    rows[1].options.disabled = pairs;
    rows[2].options.stand_ins = shapes;
    add_row(rows, &count, "samples -1 must be 0 to 1000000")->samples = -1;
    add_row(rows, &count, "samples 2147483647 must be 0 to 1000000")->samples = INT_MAX;
    add_row(rows, &count, "margin inf must be 0 to")->margin = INFINITY;
    add_row(rows, &count, "always 2e+15 must be 0 to")->always = 2e15;
    add_row(rows, &count, "fit")->fit = LB_MESH_FIT_COUNT;
    for (int i = 0; i < 3; i++) {
        add_row(rows, &count, "a mesh without a name or without points")->meshes = &meshes[i];
        rows[count - 1].options.mesh_count = 1;
    }
    add_row(rows, &count, "stand-in 1 is of link -1; there are 4")->stand_ins = &shapes[0];
    rows[count - 1].options.stand_in_count = 1;
    add_row(rows, &count, "stand-in 1 is of link 5; there are 4")->stand_ins = &shapes[1];
    rows[count - 1].options.stand_in_count = 1;
    for (int i = 0; i < 4; i++) {
        add_row(rows, &count, "disabled pair 1 has links")->disabled = &pairs[i];
        rows[count - 1].options.disabled_count = 1;
    }
    for (int i = 0; i < count; i++) {
        lb_error error = {0};
        lb_collision *c = NULL;
        assert_int_not_equal(lb_collision_create(b.model, NULL, &rows[i].options, NULL, &c, &error),
                             LB_OK);
        assert_null(c);
        if (strstr(error.message, rows[i].says) == NULL)
            fail_msg("row %d: \"%s\" does not say \"%s\"", i, error.message, rows[i].says);
    }
    const lb_scene none = {NULL, 1}, negative = {NULL, -1};
    check_refused(b.model, &none, NULL, LB_INVALID_ARGUMENT, lists);
    check_refused(b.model, &negative, NULL, LB_INVALID_ARGUMENT, lists);
    lb_obstacle nameless = {NULL, b.ball};
    const lb_scene scene = {&nameless, 1};
    check_refused(b.model, &scene, NULL, LB_INVALID_ARGUMENT, "obstacle 1 has no name");
    assert_string_equal(lb_pair_state_text(LB_PAIR_STATE_COUNT), "unknown");
    assert_string_equal(lb_mesh_fit_text(LB_MESH_FIT_COUNT), "unknown");
    lb_model_release(b.model);
}

TEST(survives_lack_of_memory)
{
    balls b;
    setup_balls(&b, 0.1);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_collision *c = TEST_UNSET;
        failing.status = lb_collision_create(b.model, NULL, NULL, &failing.allocator, &c, NULL);
        assert_true((c != NULL) == (failing.status == LB_OK));
    }
    lb_model_release(b.model);
}

/* ---- extremes ------------------------------------------------------------- */

/* of two shapes, of which the first slides by so much */
static void check_one_distance(const lb_geometry shapes[2], double slide, lb_random *random)
{
    lb_joint joint = lb_joint_default();
    joint.kind = LB_JOINT_PRISMATIC;
    joint.lower[0] = -slide, joint.upper[0] = slide;
    owned_model *bare = test_single_joint(&joint);
    lb_link links[2] = {*lb_model_link(bare, 0), *lb_model_link(bare, 1)};
    links[1].collisions = shapes;
    links[1].collision_count = 1;
    owned_model *model = test_with_links(bare, links);
    const lb_obstacle thing = {"thing", shapes[1]};
    const lb_scene scene = {&thing, 1};
    lb_collision_options options = lb_collision_options_default();
    options.meshes = &wedge;
    options.mesh_count = 1;
    options.samples = 0;
    owned_collision *c = NULL;
    assert_int_equal(lb_collision_create(model, &scene, &options, NULL, &c, NULL), LB_OK);
    for (int i = 0; i < 10; i++) {
        double q = lb_random_between(random, -slide, slide);
        double d = lb_collision_distance(c, &q, NULL);
        bool one = lb_collision_near(c, &q, d, 0, NULL) == 1;
        bool none = lb_collision_near(c, &q, nextafter(d, -INFINITY), 0, NULL) == 0;
        if (!one || !none || lb_collision_free(c, &q) != (d > 0))
            fail_msg("slide %g: distance %.17g, near %d %d, free %d", slide, d, one, none,
                     lb_collision_free(c, &q));
    }
}

/* two shapes of a size, so far from the origin */
static void check_random_pair(double size, double far, lb_random *random)
{
    lb_geometry shapes[2];
    for (int i = 0; i < 2; i++) {
        shapes[i] = random_geometry(random);
        if (shapes[i].shape != LB_SHAPE_MESH)
            shapes[i].size = lb_vec3_scale(shapes[i].size, size);
        shapes[i].origin.p = lb_vec3_scale(shapes[i].origin.p, size);
        shapes[i].origin.p.x += far;
    }
    check_one_distance(shapes, 0.3 * size, random);
}

/* a box of a metre that slides at a side of a hull so large that it is rounded to decimetres */
static void check_huge_hull(lb_random *random)
{
    lb_geometry shapes[2] = {{.shape = LB_SHAPE_BOX, .size = {1, 1, 1}},
                             {.shape = LB_SHAPE_MESH, .size = {5e14, 1e15, -5e14}}};
    shapes[0].origin = test_random_transform(random);
    shapes[1].origin = test_random_transform(random);
    shapes[1].mesh = wedge.name;
    lb_vec3 at = {0, 0, 0};
    double whole = 0;
    // mostly near one of its corners
    for (int i = 0, without = test_random_index(random, 4); i < 4; i++) {
        double weight = i == without ? 0 : pow(lb_random_unit(random), 6);
        at = lb_vec3_add(at, lb_vec3_scale(wedge_points[i], weight));
        whole += weight;
    }
    at = lb_vec3_scale(at, 1 / whole);
    at = lb_vec3_make(at.x * 5e14, at.y * 1e15, at.z * -5e14);
    at = lb_transform_direction(&shapes[1].origin, at);
    shapes[1].origin.p = lb_vec3_sub(shapes[0].origin.p, at);
    check_one_distance(shapes, 3, random);
}

/* what is near, what is free and the distance are decided by one number */
TEST(all_calls_have_one_distance)
{
    lb_random random = test_seed(77);
    static const double sizes[] = {1e-6, 1, 1e6, 1e12, 1e15};
    for (int i = 0; i < 500; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            check_random_pair(0.1 * sizes[k], 0, &random);
            check_random_pair(0.1, 0.5 * sizes[k], &random);
        }
    for (int i = 0; i < 20000; i++)
        check_huge_hull(&random);
}

/*
 * Cylinders inside of a ball so large that their distances are rounded to one number: what is named
 * is what was measured, though the long one, which is measured first, bounds the others.
 */
TEST(equal_distances_are_whole)
{
    enum { CYLINDERS = 8 };
    test_arm arm;
    test_arm_make(&arm);
    lb_geometry ball = {.shape = LB_SHAPE_SPHERE, .size = {1e15, 0, 0}};
    ball.origin = LB_TRANSFORM_IDENTITY;
    arm.links[1].collisions = &ball;
    arm.links[1].collision_count = 1;
    lb_obstacle cylinders[CYLINDERS];
    for (int i = 0; i < CYLINDERS; i++) {
        double length = i == CYLINDERS - 1 ? 1e10 : 1, away = 9.05 - 0.005 * i;
        lb_geometry cylinder = {.shape = LB_SHAPE_CYLINDER, .size = {0.5, 0, length}};
        cylinder.origin = lb_transform_translation(away * cos(i), away * sin(i), 0);
        cylinders[i] = (lb_obstacle){"cylinder", cylinder};
    }
    lb_scene scene = {cylinders, CYLINDERS};
    owned_model *model = test_build(&arm.source);
    owned_collision *c = created(model, &scene, NULL);
    lb_proximity nearest;
    const double q[3] = {0};
    assert_near(lb_collision_distance(c, q, &nearest), 8.5 - 1e15, 0.25);
    assert_near(lb_vec3_length(nearest.normal), 1, 1e-12);
    lb_vec3 at = cylinders[nearest.body_b - lb_model_link_count(model)].geometry.origin.p;
    assert_true(lb_vec3_length(lb_vec3_sub(nearest.point_b, at)) < 1);
}
