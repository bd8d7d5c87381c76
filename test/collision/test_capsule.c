/*
 * test_capsule.c - capsules around meshes: they hold every point, and are hardly larger than the
 * smallest that an exhaustive search finds.
 *
 * The search tries thousands of directions. Along each the smallest circle is found from all pairs
 * and triples of points, and the radius from a row of them.
 */
#include "collision/convex.h"
#include "support.h"

enum { MOST = 400, FEW = 10, DIRECTIONS = 2000, CLOUDS = 10 };

/* ---- what is fitted -------------------------------------------------------- */

static lb_geometry fitted(const lb_vec3 *points, int count, lb_vec3 scale)
{
    static double work[6 * MOST];
    lb_mesh mesh = {"mesh", points, count};
    lb_geometry given = {
        .shape = LB_SHAPE_MESH, .origin = LB_TRANSFORM_IDENTITY, .size = scale, .mesh = "mesh"};
    return capsule_around(&given, &mesh, work);
}

static double volume_of(double radius, double length)
{
    return LB_PI * radius * radius * (length + 4 * radius / 3);
}

static double volume(const lb_geometry *capsule)
{
    return volume_of(capsule->size.x, capsule->size.z);
}

/* how far a point is outside */
static double outside(const lb_geometry *capsule, lb_vec3 p)
{
    lb_transform back = lb_transform_inverse(&capsule->origin);
    lb_vec3 at = lb_transform_point(&back, p);
    at.z -= fmin(fmax(at.z, -capsule->size.z / 2), capsule->size.z / 2);
    return lb_vec3_length(at) - capsule->size.x;
}

static void assert_holds(const lb_geometry *capsule, const lb_vec3 *points, int count,
                         lb_vec3 scale)
{
    assert_int_equal(capsule->shape, LB_SHAPE_CAPSULE);
    for (int i = 0; i < count; i++) {
        lb_vec3 p =
            lb_vec3_make(points[i].x * scale.x, points[i].y * scale.y, points[i].z * scale.z);
        // rounding of placements
        assert_true(outside(capsule, p) <= 1e-12 * (1 + lb_vec3_length(p)));
    }
}

/* ---- the search ------------------------------------------------------------- */

/* the radius of the smallest circle around points of a plane with its centre, by all pairs and
   triples; points seen along z */
static double least_radius(const lb_vec3 *p, int n, double *x, double *y)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k <= j; k++) {
                double cx = (p[i].x + p[j].x) / 2, cy = (p[i].y + p[j].y) / 2, most = 0;
                if (k < j) {
                    double ax = p[j].x - p[i].x, ay = p[j].y - p[i].y;
                    double bx = p[k].x - p[i].x, by = p[k].y - p[i].y, d = 2 * (ax * by - ay * bx);
                    cx = p[i].x + (by * (ax * ax + ay * ay) - ay * (bx * bx + by * by)) / d;
                    cy = p[i].y + (ax * (bx * bx + by * by) - bx * (ax * ax + ay * ay)) / d;
                }
                for (int m = 0; m < n; m++)
                    most = fmax(most, hypot(p[m].x - cx, p[m].y - cy));
                if (most < least) {
                    least = most;
                    *x = cx;
                    *y = cy;
                }
            }
    return least;
}

static double least_volume_along(const lb_vec3 *points, int n, lb_vec3 direction)
{
    lb_vec3 seen[FEW], x = lb_vec3_perpendicular(direction), y = lb_vec3_cross(direction, x);
    for (int i = 0; i < n; i++)
        seen[i] = lb_vec3_make(lb_vec3_dot(x, points[i]), lb_vec3_dot(y, points[i]),
                               lb_vec3_dot(direction, points[i]));
    double cx = 0, cy = 0, least = INFINITY, narrow = least_radius(seen, n, &cx, &cy);
    for (double radius = narrow; radius <= 1.6 * narrow; radius += 0.02 * narrow) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < n; i++) {
            double across = hypot(seen[i].x - cx, seen[i].y - cy);
            double cap = sqrt(fmax(radius * radius - across * across, 0));
            low = fmin(low, seen[i].z + cap);
            high = fmax(high, seen[i].z - cap);
        }
        least = fmin(least, volume_of(radius, fmax(high - low, 0)));
    }
    return least;
}

TEST(capsules_are_hardly_larger_than_an_exhaustive_search_finds)
{
    lb_random random = test_seed(91);
    double worst = 0;
    for (int c = 0; c < CLOUDS; c++) {
        lb_vec3 points[FEW], one = {1, 1, 1};
        lb_transform at = test_random_transform(&random);
        for (int i = 0; i < FEW; i++)
            points[i] =
                lb_transform_point(&at, lb_vec3_make(lb_random_between(&random, -0.1, 0.1),
                                                     lb_random_between(&random, -0.2, 0.2),
                                                     lb_random_between(&random, -0.5, 0.5)));
        lb_geometry capsule = fitted(points, FEW, one);
        assert_holds(&capsule, points, FEW, one);
        double least = INFINITY;
        for (int i = 0; i < DIRECTIONS; i++)
            least = fmin(least, least_volume_along(points, FEW, test_random_direction(&random)));
        worst = fmax(worst, volume(&capsule) / least);
    }
    print_message("at most %.4f of the least volume\n", worst);
    assert_true(worst <= 1.01);
}

/* ---- shapes that are known ------------------------------------------------------ */

TEST(capsules_are_found_again)
{
    lb_random random = test_seed(92);
    double worst = 0;
    for (int c = 0; c < 20; c++) {
        double radius = lb_random_between(&random, 0.02, 0.2);
        double length = lb_random_between(&random, 0, 1);
        lb_transform at = test_random_transform(&random);
        lb_vec3 points[MOST], one = {1, 1, 1};
        for (int i = 0; i < MOST; i++) {
            lb_vec3 d = test_random_direction(&random), p = lb_vec3_scale(d, radius);
            p.z += d.z < 0 ? -length / 2 : length / 2;
            points[i] = lb_transform_point(&at, p);
        }
        lb_geometry capsule = fitted(points, MOST, one);
        assert_holds(&capsule, points, MOST, one);
        // the line that it was made about need not be that of the smallest circle along it
        worst = fmax(worst, volume(&capsule) / volume_of(radius, length));
        assert_true(volume(&capsule) >= volume_of(radius, length) * 0.9);
    }
    print_message("at most %.4f of the capsule's volume\n", worst);
    assert_true(worst <= 1.01);
}

TEST(points_of_lines_and_planes_have_capsules)
{
    const lb_vec3 one = {1, 1, 1}, mirrored = {-0.001, 0.001, 0.001};
    const lb_vec3 line[4] = {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {0.5, 1, 1.5}};
    lb_geometry capsule = fitted(line, 4, one);
    assert_holds(&capsule, line, 4, one);
    assert_true(capsule.size.x < 1e-3);
    const lb_vec3 square[5] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 0}};
    capsule = fitted(square, 5, one);
    assert_holds(&capsule, square, 5, one);
    // millimetres, and a mirror
    lb_geometry small = fitted(square, 5, mirrored);
    assert_holds(&small, square, 5, mirrored);
    assert_near(volume(&small) * 1e9, volume(&capsule), 1e-3 * volume(&capsule));
    const lb_vec3 point[1] = {{3, 4, 5}};
    capsule = fitted(point, 1, one);
    assert_holds(&capsule, point, 1, one);
    assert_near(capsule.size.x, 0, 1e-12);
}

/* ---- robots ------------------------------------------------------------------------ */

/* whatever allocation fails, nothing is left over */
static void create_without_memory(const lb_model *model, const lb_scene *scene,
                                  lb_collision_options options)
{
    lb_collision *none;
    options.fit = LB_MESH_CAPSULE;
    test_memory memory = {.fail_at = 0};
    lb_allocator allocator = test_memory_allocator(&memory);
    while (lb_collision_create(model, scene, &options, &allocator, &none, NULL) != LB_OK) {
        assert_null(none);
        assert_int_equal(memory.live, 0);
        memory = (test_memory){.fail_at = memory.fail_at + 1};
    }
    lb_collision_release(none);
    assert_int_equal(memory.live, 0);
}

/* a bar that is a mesh, and a ball beside it */
TEST(collisions_measure_the_capsule)
{
    lb_vec3 points[8];
    for (int i = 0; i < 8; i++)
        points[i] = lb_vec3_make(i & 1 ? 1 : -1, i & 2 ? 0.1 : -0.1, i & 4 ? 0.1 : -0.1);
    const lb_mesh mesh = {"bar", points, 8};
    const lb_obstacle obstacles[2] = {
        {"ball", {.shape = LB_SHAPE_SPHERE, .origin = LB_TRANSFORM_IDENTITY, .size = {0.1, 0, 0}}},
    };
    const lb_scene scene = {obstacles, 1};
    lb_link links[2] = {lb_link_default(), lb_link_default()};
    lb_geometry bar = {
        .shape = LB_SHAPE_MESH, .origin = LB_TRANSFORM_IDENTITY, .size = {1, 1, 1}, .mesh = "bar"};
    lb_model *bare = test_single(LB_JOINT_PRISMATIC);
    links[0].name = "base";
    links[1].name = "body";
    links[1].collisions = &bar;
    links[1].collision_count = 1;
    owned_model *model = test_with_links(bare, links);
    lb_model_release(bare);
    lb_collision_options options = lb_collision_options_default();
    options.meshes = &mesh;
    options.mesh_count = 1;
    owned_collision *hull = NULL, *capsule = NULL;
    assert_int_equal(lb_collision_create(model, &scene, &options, NULL, &hull, NULL), LB_OK);
    options.fit = LB_MESH_CAPSULE;
    assert_int_equal(lb_collision_create(model, &scene, &options, NULL, &capsule, NULL), LB_OK);
    double q = 1;
    assert_near(lb_collision_distance(hull, &q, NULL), 0.8, 1e-12);
    // around a bar that is 0.2 m thick
    assert_near(lb_collision_distance(capsule, &q, NULL), 0.9 - 0.1 * sqrt(2), 1e-2);
    assert_true(lb_collision_distance(capsule, &q, NULL) < 0.8);
    options.fit = (lb_mesh_fit)7;
    lb_collision *none;
    assert_int_equal(lb_collision_create(model, &scene, &options, NULL, &none, NULL),
                     LB_INVALID_ARGUMENT);
    assert_int_equal(lb_mesh_fit_find(lb_mesh_fit_text(LB_MESH_CAPSULE)), LB_MESH_CAPSULE);
    assert_int_equal(lb_mesh_fit_find("box"), LB_MESH_FIT_COUNT);

    create_without_memory(model, &scene, options);
}
