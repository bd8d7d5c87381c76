/*
 * test_convex.c - distances of pairs of shapes, of every kind, proved by support mappings of our
 * own.
 *
 *     test_collision test_convex [PAIRS]     of each kind; 4000
 *
 * Of shapes that are apart a result is right where its points are in the shapes and as far apart as
 * it says, and a plane between the shapes leaves as much room (weak duality): no other algorithm is
 * needed. A depth is compared with the least over directions all around, each refined.
 */
#include "support.h"

#include <limber/collision.h>

TEST_ARGUMENT(wanted_pairs, 1, 4000)

/* the tolerance; the errors seen are printed */
static const double tolerance = 1e-6;

enum { HULL_POINTS = 24 };

/* A shape with room for its mesh. */
typedef struct sample {
    lb_geometry geometry;
    lb_vec3 points[HULL_POINTS];
    lb_mesh mesh;
} sample;

/* ---- random shapes -------------------------------------------------------- */

/* a hundredth of a metre to a metre, each scale as likely; now and then zero */
static double random_size(lb_random *random)
{
    double square = lb_random_between(random, 0.1, 1);
    return test_random_chance(random, 0.03) ? 0 : square * square;
}

static void make_sample(lb_shape shape, lb_random *random, sample *s)
{
    lb_vec3 size = {random_size(random), random_size(random), random_size(random)};
    s->geometry = (lb_geometry){.shape = shape, .size = size};
    s->geometry.origin = test_random_transform(random);
    // half of them near the middle, where most overlap
    if (test_random_chance(random, 0.5))
        s->geometry.origin.p = lb_vec3_scale(s->geometry.origin.p, 0.2);
    // some along the same axes, as in a cell
    if (test_random_chance(random, 0.2))
        s->geometry.origin = lb_transform_translation(
            s->geometry.origin.p.x, s->geometry.origin.p.y, s->geometry.origin.p.z);
    if (shape != LB_SHAPE_MESH)
        return;
    s->geometry.mesh = "m";
    s->geometry.size = lb_vec3_make(1, test_random_chance(random, 0.5) ? -1 : 0.5, 1);
    s->mesh = (lb_mesh){"m", s->points, 1 + test_random_index(random, HULL_POINTS)};
    bool flat = test_random_chance(random, 0.1);
    for (int i = 0; i < s->mesh.count; i++)
        s->points[i] = lb_vec3_make(lb_random_between(random, -0.5, 0.9) * size.x,
                                    lb_random_between(random, -0.5, 0.9) * size.y,
                                    flat ? 0 : lb_random_between(random, -0.5, 0.9) * size.z);
}

/* ---- support mappings of our own ------------------------------------------ */

/* how far a shape reaches along a unit direction, from the origin */
static double reach(const sample *s, lb_vec3 n)
{
    const lb_geometry *g = &s->geometry;
    const lb_transform *t = &g->origin;
    double at = lb_vec3_dot(t->p, n), x = fabs(lb_vec3_dot(t->x, n)),
           y = fabs(lb_vec3_dot(t->y, n)), z = fabs(lb_vec3_dot(t->z, n));
    switch (g->shape) {
    case LB_SHAPE_SPHERE:
        return at + g->size.x;
    case LB_SHAPE_CAPSULE:
        return at + g->size.x + 0.5 * g->size.z * z;
    case LB_SHAPE_CYLINDER:
        return at + g->size.x * sqrt(x * x + y * y) + 0.5 * g->size.z * z;
    case LB_SHAPE_BOX:
        return at + 0.5 * (g->size.x * x + g->size.y * y + g->size.z * z);
    default:
        break;
    }
    double most = -INFINITY;
    for (int i = 0; i < s->mesh.count; i++) {
        lb_vec3 p = s->points[i];
        p = lb_vec3_make(p.x * g->size.x, p.y * g->size.y, p.z * g->size.z);
        most = fmax(most, lb_vec3_dot(lb_transform_point(t, p), n));
    }
    return most;
}

/* the room that planes at right angles to n leave between a and b; negative where they overlap */
static double room(const sample *a, const sample *b, lb_vec3 n)
{
    return -reach(b, lb_vec3_scale(n, -1)) - reach(a, n);
}

/* ---- what is compared ----------------------------------------------------- */

/* The largest errors that were seen. */
typedef struct errors {
    double apart, depth;
    long overlapping;
} errors;

/* how far a point is out of a shape, at least: by planes around it */
static double outside(const sample *s, lb_vec3 point)
{
    double most = -INFINITY;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            const lb_vec3 *axes = &s->geometry.origin.x;
            lb_vec3 n = lb_vec3_scale(axes[i], k == 0 ? 1 : -1);
            most = fmax(most, lb_vec3_dot(n, point) - reach(s, n));
        }
    lb_vec3 between = lb_vec3_sub(point, s->geometry.origin.p);
    double length = lb_vec3_length(between);
    if (length > 0) {
        lb_vec3 n = lb_vec3_scale(between, 1 / length);
        most = fmax(most, lb_vec3_dot(n, point) - reach(s, n));
        // of round shapes the direction from the axis, too
        lb_vec3 across =
            lb_vec3_sub(between, lb_vec3_scale(s->geometry.origin.z,
                                               lb_vec3_dot(between, s->geometry.origin.z)));
        n = lb_vec3_normalize(across, n);
        most = fmax(most, lb_vec3_dot(n, point) - reach(s, n));
    }
    return most;
}

enum { DIRECTIONS = 400, MOST_MOVES = 300 };

/* the most room of directions near n, by smaller and smaller steps */
static double refine(const sample *a, const sample *b, lb_vec3 n)
{
    double most = room(a, b, n);
    double step = 0.1;
    for (int moves = 0; step > 1e-9 && moves < MOST_MOVES; moves++) {
        lb_vec3 u = lb_vec3_perpendicular(n), v = lb_vec3_cross(n, u);
        bool better = false;
        for (int i = 0; i < 4 && !better; i++) {
            lb_vec3 side = lb_vec3_scale(i < 2 ? u : v, i % 2 == 0 ? step : -step);
            lb_vec3 other = lb_vec3_normalize(lb_vec3_add(n, side), n);
            double found = room(a, b, other);
            if (found > most) {
                most = found;
                n = other;
                better = true;
            }
        }
        step *= better ? 1 : 0.5;
    }
    return most;
}

/* the most room over the directions of a sphere: minus the depth */
static double most_room(const sample *a, const sample *b)
{
    enum { KEPT = 4 };
    lb_random random = lb_random_seed(7);
    lb_vec3 best[KEPT] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    double most[KEPT] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < DIRECTIONS; i++) {
        lb_vec3 n = test_random_direction(&random);
        double found = room(a, b, n);
        int least = 0;
        for (int k = 1; k < KEPT; k++)
            least = most[k] < most[least] ? k : least;
        if (found > most[least]) {
            most[least] = found;
            best[least] = n;
        }
    }
    double all = -INFINITY;
    for (int k = 0; k < KEPT; k++)
        all = fmax(all, refine(a, b, best[k]));
    return all;
}

static void check_pair(const sample *a, const sample *b, errors *worst)
{
    lb_proximity p;
    double d = lb_geometry_distance(&a->geometry, &a->mesh, &b->geometry, &b->mesh, &p);
    lb_vec3 between = lb_vec3_sub(p.point_b, p.point_a);
    assert_near(lb_vec3_length(p.normal), 1, 1e-12);
    assert_near(lb_vec3_length(lb_vec3_sub(between, lb_vec3_scale(p.normal, d))), 0, 1e-12);
    // where round shapes overlap the depth is flat about its place, known to the root of it alone
    double beside = d > 0 ? 1e-9 : 5e-3;
    assert_near(fmax(outside(a, p.point_a), 0), 0, beside);
    assert_near(fmax(outside(b, p.point_b), 0), 0, beside);

    // as much room along the normal: apart it proves the distance, else that it is no deeper
    double error = fabs(room(a, b, p.normal) - d);
    if (d > 0) {
        worst->apart = fmax(worst->apart, error);
    } else {
        error = fmax(error, most_room(a, b) - d);
        worst->depth = fmax(worst->depth, error);
        worst->overlapping++;
    }
    if (error > tolerance)
        printf("distance %.17g: normal %g %g %g leaves %.17g\n", d, p.normal.x, p.normal.y,
               p.normal.z, room(a, b, p.normal));
    assert_near(error, 0, tolerance);

    // the other order
    lb_proximity back;
    assert_near(lb_geometry_distance(&b->geometry, &b->mesh, &a->geometry, &a->mesh, &back), d,
                tolerance);
}

TEST(distances_are_proved)
{
    static const char *const names[] = {"box", "cylinder", "capsule", "sphere", "mesh"};
    for (int i = LB_SHAPE_BOX; i <= LB_SHAPE_MESH; i++)
        for (int k = i; k <= LB_SHAPE_MESH; k++) {
            errors worst = {0};
            lb_random random = test_seed((uint64_t)(10 * i + k));
            for (long n = 0; n < wanted_pairs; n++) {
                sample a, b;
                make_sample((lb_shape)i, &random, &a);
                make_sample((lb_shape)k, &random, &b);
                check_pair(&a, &b, &worst);
            }
            print_message("%-8s %-8s error %.1e apart, %.1e of %ld that overlap\n", names[i],
                          names[k], worst.apart, worst.depth, worst.overlapping);
        }
}

/* ---- extremes ------------------------------------------------------------- */

static lb_geometry box_at(double x, double y, double z, lb_vec3 at)
{
    lb_geometry box = {.shape = LB_SHAPE_BOX, .size = {x, y, z}};
    box.origin = lb_transform_translation(at.x, at.y, at.z);
    return box;
}

/* flat, without length, far away, one in the other: known results */
TEST(extremes_are_exact)
{
    lb_proximity p;
    lb_vec3 zero = {0, 0, 0}, far = {1e9, 0, 0}, near = {0, 0, 0.5};
    lb_geometry sheet = box_at(1, 1, 0, zero), dot = box_at(0, 0, 0, near);
    assert_near(lb_geometry_distance(&sheet, NULL, &dot, NULL, &p), 0.5, 0);
    assert_near(lb_geometry_distance(&sheet, NULL, &sheet, NULL, &p), 0, 0);
    assert_near(fabs(p.normal.z), 1, 1e-12);
    assert_near(lb_geometry_distance(&dot, NULL, &dot, NULL, &p), 0, 0);
    assert_near(lb_vec3_length(p.normal), 1, 1e-12);

    // a line through a sheet, and two lines that cross
    lb_geometry line = {.shape = LB_SHAPE_CYLINDER, .size = {0, 0, 2}};
    line.origin = LB_TRANSFORM_IDENTITY;
    assert_near(lb_geometry_distance(&sheet, NULL, &line, NULL, &p), -0.5, 1e-12);
    lb_geometry rod = {.shape = LB_SHAPE_CAPSULE, .size = {0, 0, 2}};
    rod.origin = LB_TRANSFORM_IDENTITY;
    assert_near(lb_geometry_distance(&line, NULL, &rod, NULL, &p), 0, 1e-12);
    assert_near(lb_geometry_distance(&rod, NULL, &rod, NULL, &p), 0, 0);
    assert_near(p.normal.z, 0, 1e-12);
    rod.size = lb_vec3_make(0.25, 0, 0);
    assert_near(lb_geometry_distance(&rod, NULL, &rod, NULL, &p), -0.5, 0);

    // far away: as exact as the numbers, and the distance of what is near more so than points
    lb_geometry bar = {.shape = LB_SHAPE_CAPSULE, .size = {0.1, 0, 0.6}};
    bar.origin = (lb_transform){{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {1e15, 0, 0}};
    lb_geometry ball = {.shape = LB_SHAPE_SPHERE, .size = {0.1, 0, 0}};
    ball.origin = lb_transform_translation(1e15 + 2, 0, 0);
    assert_near(lb_geometry_distance(&bar, NULL, &ball, NULL, &p), 1.5, 1e-12);
    lb_geometry away = box_at(1, 1, 1, far), here = box_at(1, 1, 1, zero);
    assert_near(lb_geometry_distance(&here, NULL, &away, NULL, &p), 1e9 - 1, 1e-6);
    lb_geometry beside = box_at(1, 1, 1, lb_vec3_make(1e9, 0, 2));
    assert_near(lb_geometry_distance(&away, NULL, &beside, NULL, &p), 1, 0);
    lb_geometry inside = box_at(0.1, 0.1, 0.1, zero);
    assert_near(lb_geometry_distance(&here, NULL, &inside, NULL, &p), -0.55, 1e-12);
    lb_geometry huge = box_at(1e9, 1e9, 1e9, lb_vec3_make(0, 0, 5e8 + 1));
    assert_near(lb_geometry_distance(&here, NULL, &huge, NULL, &p), 0.5, 1e-6);
}

/* shapes whose cores are as good as in one place: normals are of unit length whatever is left */
TEST(normals_of_cores_in_one_place)
{
    static const double gaps[] = {1e-140, 1e-149, 1e-155, 1e-160, 1e-200, 1e-320};
    static const lb_shape shapes[] = {LB_SHAPE_SPHERE, LB_SHAPE_CAPSULE, LB_SHAPE_BOX,
                                      LB_SHAPE_CYLINDER};
    for (int i = 0; i < 6 * 16; i++) {
        double gap = gaps[i % 6];
        lb_geometry a = {.shape = shapes[i / 6 % 4], .origin = LB_TRANSFORM_IDENTITY};
        lb_geometry b = {.shape = shapes[i / 24], .origin = LB_TRANSFORM_IDENTITY};
        a.size.x = 0.1;
        b.origin.p = lb_vec3_make(gap, -2 * gap, i % 3 ? 0 : gap);
        lb_proximity nearest;
        lb_geometry_distance(&a, NULL, &b, NULL, &nearest);
        assert_near(lb_vec3_length(nearest.normal), 1, 1e-12);
    }
}

/* a hull of a metre and a line of any length: no deeper in each other than the hull is wide */
TEST(lines_are_no_deeper_than_hulls)
{
    enum { POINTS = 10 };
    static const double lengths[] = {1e2, 1e6, 1e12};
    lb_random random = test_seed(31);
    for (int i = 0; i < 30000; i++) {
        lb_vec3 hull[POINTS], line[POINTS] = {{0, 0, 0}};
        double length = lengths[i % 3];
        for (int k = 0; k < POINTS; k++) {
            hull[k] = test_random_direction(&random);
            line[k].x = lb_random_between(&random, -length, length);
        }
        const lb_mesh a = {"hull", hull, POINTS}, b = {"line", line, POINTS};
        lb_geometry one = {.shape = LB_SHAPE_MESH, .mesh = "hull", .size = {1, 1, 1}};
        lb_geometry other = {.shape = LB_SHAPE_MESH, .mesh = "line", .size = {1, 1, 1}};
        one.origin = test_random_transform(&random);
        other.origin = test_random_transform(&random);
        lb_vec3 along = lb_vec3_scale(other.origin.x, 0.3 * length * lb_random_unit(&random));
        other.origin.p = lb_vec3_add(one.origin.p, along);
        lb_proximity nearest;
        assert_true(lb_geometry_distance(&one, &a, &other, &b, &nearest) >= -2 - 1e-8 * length);
    }
}

/* aligned boxes, of which several sides are equally near: the points are on both of them */
TEST(points_of_equal_sides_belong_together)
{
    lb_random random = test_seed(33);
    for (int i = 0; i < 2000; i++) {
        lb_geometry a = box_at(1, 1, 1, lb_vec3_make(0, 0, 0)), b = a;
        lb_vec3 size = {test_random_index(&random, 3), test_random_index(&random, 3), 1};
        b.size = lb_vec3_scale(lb_vec3_add(size, lb_vec3_make(1, 1, 1)), 0.5);
        lb_vec3 at = {test_random_index(&random, 5) - 2, test_random_index(&random, 5) - 2, 1};
        b.origin.p = lb_vec3_scale(at, 0.2);
        lb_proximity nearest;
        double depth = -lb_geometry_distance(&a, NULL, &b, NULL, &nearest);
        lb_vec3 in = lb_vec3_sub(nearest.point_b, b.origin.p), p = nearest.point_a;
        assert_true(depth > 0);
        assert_true(fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))) < 0.5 + 1e-9);
        assert_true(fabs(in.x) < 0.5 * b.size.x + 1e-9 && fabs(in.y) < 0.5 * b.size.y + 1e-9 &&
                    fabs(in.z) < 0.5 * b.size.z + 1e-9);
    }
}

/* how deep the origin is in the hull of points in the plane; negative: it is outside */
static double depth_in_plane(double (*points)[2], int count)
{
    double depth = INFINITY;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            double x = points[k][0] - points[i][0], y = points[k][1] - points[i][1];
            double length = hypot(x, y);
            bool is_side = length > 1e-9;
            for (int j = 0; j < count && is_side; j++)
                is_side = x * (points[j][1] - points[i][1]) - y * (points[j][0] - points[i][0]) >
                          -1e-9 * length;
            if (is_side)
                depth = fmin(depth, (y * points[i][0] - x * points[i][1]) / length);
        }
    return depth;
}

/* a rod through a hull of a metre is as deep in it as both are across the rod, however long it is
 */
TEST(rods_are_as_deep_as_across)
{
    enum { POINTS = 10, WHOLE = 4 * POINTS };
    static const double lengths[] = {1e3, 1e5, 1e7, 1e9};
    lb_random random = test_seed(32);
    int deep = 0;
    for (int i = 0; i < 2000; i++) {
        lb_vec3 hull[POINTS];
        double across[WHOLE][2], length = lengths[i % 4];
        const lb_mesh mesh = {"hull", hull, POINTS};
        lb_geometry one = {.shape = LB_SHAPE_MESH, .mesh = "hull", .size = {1, 1, 1}};
        lb_geometry rod = {.shape = LB_SHAPE_BOX, .size = {length, 0.2, 0.4}};
        one.origin = test_random_transform(&random);
        rod.origin = test_random_transform(&random);
        lb_vec3 along = lb_vec3_scale(rod.origin.x, 0.3 * length * lb_random_unit(&random));
        lb_vec3 aside = lb_vec3_scale(test_random_direction(&random), 0.5);
        rod.origin.p = lb_vec3_add(one.origin.p, lb_vec3_add(along, aside));
        for (int k = 0; k < WHOLE; k++) {
            lb_vec3 *point = &hull[k / 4];
            *point = k % 4 == 0 ? test_random_direction(&random) : *point;
            lb_vec3 at = lb_transform_point(&one.origin, *point);
            at = lb_vec3_sub(at, rod.origin.p);
            across[k][0] = lb_vec3_dot(at, rod.origin.y) + (k & 1 ? 0.1 : -0.1);
            across[k][1] = lb_vec3_dot(at, rod.origin.z) + (k & 2 ? 0.2 : -0.2);
        }
        double depth = depth_in_plane(across, WHOLE);
        lb_proximity nearest;
        double distance = lb_geometry_distance(&one, &mesh, &rod, NULL, &nearest);
        if (depth > 0)
            assert_near(-distance, depth, 1e-10 * length);
        else
            assert_true(distance > -1e-10 * length);
        deep += depth > 0;
    }
    assert_true(deep > 1000);
}
