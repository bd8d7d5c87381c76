/*
 * test_path.c - paths keep what their geometry promises.
 *
 * Oracles: distances between many samples, differences of samples, and that a path
 * moved with its points is the moved path.
 */
#include <limber/motion.h>

#include "support.h"

enum { MOST_POINTS = 12, ROUNDS = 60 };

static lb_path *make(lb_path_kind kind, const lb_transform *points, int count, bool closed)
{
    lb_path_source source = {.kind = kind, .points = points, .count = count, .closed = closed};
    lb_path *path = NULL;
    assert_made(lb_path_create(&source, NULL, &path, &cause), cause);
    return path;
}

static void refuses(lb_path_source source, lb_status status, const char *says)
{
    lb_path *path = (lb_path *)(uintptr_t)1;
    lb_error error = {0};
    assert_int_equal(lb_path_create(&source, NULL, &path, &error), status);
    assert_null(path);
    if (!strstr(error.message, says))
        fail_msg("\"%s\" is not in \"%s\"", says, error.message);
    assert_int_equal(lb_path_create(&source, NULL, &path, NULL), status);
}

static lb_vec3 place(const lb_path *path, double share)
{
    return lb_path_at(path, share).p;
}

static double distance(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_sub(a, b));
}

static int random_points(lb_random *random, lb_transform *points)
{
    int count = 3 + test_random_index(random, MOST_POINTS - 2);
    for (int i = 0; i < count; i++)
        points[i] = test_random_transform(random);
    return count;
}

/* a random path of each kind in turn */
static lb_path *random_path(lb_random *random, int round, lb_transform *points, int *count)
{
    lb_path_kind kind = (lb_path_kind)(round % LB_PATH_KIND_COUNT);
    *count = random_points(random, points);
    if (kind == LB_PATH_ARC)
        *count = 3;
    return make(kind, points, *count, round / LB_PATH_KIND_COUNT % 2 == 1);
}

/* ---- all kinds ---------------------------------------------------------- */

TEST(paths_pass_their_points)
{
    lb_random random = test_seed(1);
    for (int round = 0; round < ROUNDS; round++) {
        lb_transform points[MOST_POINTS];
        int count;
        owned_path *path = random_path(&random, round, points, &count);
        for (int i = 0; i < count; i++) {
            lb_transform there = lb_path_at(path, lb_path_share(path, i));
            assert_near(lb_transform_distance(&there, &points[i]), 0, 1e-12);
            assert_near(lb_transform_angle(&there, &points[i]), 0, 1e-12);
            assert_true(i == 0 || lb_path_share(path, i) > lb_path_share(path, i - 1));
        }
        bool closed = round / LB_PATH_KIND_COUNT % 2 == 1;
        lb_transform end = lb_path_at(path, 1);
        assert_near(lb_transform_distance(&end, &points[closed ? 0 : count - 1]), 0, 1e-12);
    }
}

/* samples at even shares are as far apart along the path; their chords add up to its length */
TEST(place_moves_at_constant_speed)
{
    enum { SAMPLES = 20000 };
    lb_random random = test_seed(2);
    for (int round = 0; round < 12; round++) {
        lb_transform points[MOST_POINTS];
        int count;
        owned_path *path = random_path(&random, round, points, &count);
        double even = lb_path_length(path) / SAMPLES, sum = 0;
        lb_vec3 before = place(path, 0);
        for (int i = 1; i <= SAMPLES; i++) {
            lb_vec3 here = place(path, (double)i / SAMPLES);
            double step = distance(before, here);
            sum += step;
            // a chord is no longer than its arc, but for what the quadrature does not know
            assert_true(step <= even * (1 + 1e-3));
            before = here;
        }
        assert_near(sum / lb_path_length(path), 1, 1e-4);
    }
}

TEST(a_path_moves_with_its_points)
{
    lb_random random = test_seed(3);
    for (int round = 0; round < ROUNDS; round++) {
        lb_transform points[MOST_POINTS], moved[MOST_POINTS];
        int count;
        owned_path *path = random_path(&random, round, points, &count);
        lb_transform motion = test_random_transform(&random);
        for (int i = 0; i < count; i++)
            moved[i] = lb_transform_multiply(&motion, &points[i]);
        owned_path *other = make((lb_path_kind)(round % LB_PATH_KIND_COUNT), moved, count,
                                 round / LB_PATH_KIND_COUNT % 2 == 1);
        for (int i = 0; i <= 50; i++) {
            lb_transform a = lb_path_at(path, i / 50.0), b = lb_path_at(other, i / 50.0);
            a = lb_transform_multiply(&motion, &a);
            assert_transform_near(&b, &a, 1e-9);
        }
    }
}

TEST(shares_beyond_the_ends_are_the_ends)
{
    lb_random random = test_seed(4);
    for (int round = 0; round < LB_PATH_KIND_COUNT; round++) {
        lb_transform points[MOST_POINTS];
        int count;
        owned_path *path = random_path(&random, round, points, &count);
        lb_transform begin = lb_path_at(path, 0), end = lb_path_at(path, 1);
        const double below[] = {-1e-300, -1, -INFINITY, NAN}, above[] = {1.0000001, 7, INFINITY};
        for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
            lb_transform t = lb_path_at(path, below[i]);
            assert_memory_equal(&t, &begin, sizeof t);
        }
        for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
            lb_transform t = lb_path_at(path, above[i]);
            assert_memory_equal(&t, &end, sizeof t);
        }
    }
}

/* ---- lines -------------------------------------------------------------- */

static lb_transform at(double x, double y, double z)
{
    return lb_transform_translation(x, y, z);
}

TEST(a_line_is_straight_and_even)
{
    lb_transform points[2] = {at(1, 2, 3), at(5, -6, 0.1)};
    owned_path *path = make(LB_PATH_POLYLINE, points, 2, false);
    assert_near(lb_path_length(path), distance(points[0].p, points[1].p), 1e-15);
    for (int i = 0; i <= 100; i++) {
        lb_vec3 along = lb_vec3_sub(points[1].p, points[0].p);
        lb_vec3 expected = lb_vec3_add(points[0].p, lb_vec3_scale(along, i / 100.0));
        assert_near(distance(place(path, i / 100.0), expected), 0, 1e-14);
    }
    // not nearly: the goal is the goal
    lb_vec3 end = place(path, 1);
    assert_true(end.x == 5 && end.y == -6 && end.z == 0.1);
}

TEST(a_single_point_is_a_path)
{
    lb_random random = test_seed(5);
    lb_transform point = test_random_transform(&random);
    for (int closed = 0; closed < 2; closed++) {
        owned_path *path = make(LB_PATH_POLYLINE, &point, 1, closed);
        assert_true(lb_path_length(path) == 0);
        for (int i = 0; i <= 4; i++) {
            lb_transform here = lb_path_at(path, i / 4.0);
            assert_transform_near(&here, &point, 1e-15);
        }
    }
}

/* axes turn about one axis at constant speed between two points */
TEST(axes_turn_evenly)
{
    lb_random random = test_seed(6);
    for (int round = 0; round < ROUNDS; round++) {
        lb_transform points[2] = {test_random_transform(&random), test_random_transform(&random)};
        owned_path *path = make(LB_PATH_POLYLINE, points, 2, false);
        double whole = lb_transform_angle(&points[0], &points[1]);
        for (int i = 0; i <= 20; i++) {
            lb_transform here = lb_path_at(path, i / 20.0);
            assert_near(lb_transform_angle(&points[0], &here), whole * i / 20, 1e-12);
            assert_near(lb_transform_angle(&here, &points[1]), whole * (20 - i) / 20, 1e-12);
        }
    }
}

/* ---- turning without way ------------------------------------------------ */

static lb_transform turned(double x, double angle)
{
    return lb_transform_from_quat(lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), angle),
                                  lb_vec3_make(x, 0, 0));
}

TEST(turning_takes_the_time_it_is_given)
{
    // a metre of way, a radian on the spot, a metre and two radians at once
    lb_transform points[4] = {turned(0, 0), turned(1, 0), turned(1, 1), turned(2, 3)};
    lb_path_source source = {.kind = LB_PATH_POLYLINE, .points = points, .count = 4, .turn = 2};
    lb_path *path = NULL;
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    assert_near(lb_path_length(path), 2, 1e-15);
    assert_near(lb_path_share(path, 1), 1 / 7.0, 1e-14);
    assert_near(lb_path_share(path, 2), 3 / 7.0, 1e-14);
    lb_transform half = lb_path_at(path, 2 / 7.0), expected = turned(1, 0.5);
    assert_transform_near(&half, &expected, 1e-14);
    lb_path_release(path);

    // it takes none: at the point itself the turn has been made
    source.turn = 0;
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    assert_near(lb_path_share(path, 1), lb_path_share(path, 2), 0);
    lb_transform there = lb_path_at(path, 0.5);
    assert_transform_near(&there, &points[2], 1e-14);
    lb_path_release(path);

    // unless there is nothing else
    source.points = points + 1;
    source.count = 2;
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
    half = lb_path_at(path, 0.5);
    assert_transform_near(&half, &expected, 1e-14);
    lb_path_release(path);
}

/* ---- circles ------------------------------------------------------------ */

TEST(an_arc_keeps_its_distance)
{
    lb_random random = test_seed(7);
    for (int round = 0; round < ROUNDS; round++) {
        // three points in order on a known circle
        lb_transform frame = test_random_transform(&random), points[3];
        double radius = lb_random_between(&random, 0.01, 10);
        double b = lb_random_between(&random, 0.1, 3), c = b + lb_random_between(&random, 0.1, 3);
        const double angles[3] = {0, b, c};
        for (int i = 0; i < 3; i++) {
            points[i] = frame;
            points[i].p = lb_transform_point(
                &frame, lb_vec3_make(radius * cos(angles[i]), radius * sin(angles[i]), 0));
        }
        for (int closed = 0; closed < 2; closed++) {
            owned_path *path = make(LB_PATH_ARC, points, 3, closed);
            double sweep = closed ? 2 * LB_PI : c;
            assert_near(lb_path_length(path) / radius, sweep, 1e-9);
            for (int i = 0; i <= 40; i++) {
                double angle = sweep * i / 40;
                lb_vec3 expected = lb_transform_point(
                    &frame, lb_vec3_make(radius * cos(angle), radius * sin(angle), 0));
                assert_near(distance(place(path, i / 40.0), expected) / radius, 0, 1e-9);
            }
        }
    }
}

TEST(an_arc_may_be_straight)
{
    lb_transform points[3] = {at(0, 0, 0), at(1, 1, 1), at(3, 3, 3)};
    lb_path *path = make(LB_PATH_ARC, points, 3, false);
    assert_near(distance(place(path, 0.5), lb_vec3_make(1.5, 1.5, 1.5)), 0, 1e-14);
    lb_path_release(path);

    // but no circle has its second point outside the other two on a line
    lb_transform wrong[3] = {points[0], points[2], points[1]};
    refuses((lb_path_source){.kind = LB_PATH_ARC, .points = wrong, .count = 3}, LB_BAD_VALUE,
            "lie on one line");
}

/* ---- splines ------------------------------------------------------------ */

TEST(a_spline_through_a_line_is_the_line)
{
    lb_transform points[5];
    const double shares[5] = {0, 0.1, 0.5, 0.55, 1};
    for (int i = 0; i < 5; i++)
        points[i] = at(4 * shares[i], -8 * shares[i], 1 + shares[i]);
    owned_path *path = make(LB_PATH_SPLINE, points, 5, false);
    assert_near(lb_path_length(path), 9, 1e-9);
    for (int i = 0; i <= 100; i++) {
        double s = i / 100.0;
        assert_near(distance(place(path, s), lb_vec3_make(4 * s, -8 * s, 1 + s)), 0, 1e-6);
    }
}

/* how fast the place moves, and how that changes, from one side of a share or the other */
static lb_vec3 velocity(const lb_path *path, double share, double h)
{
    lb_vec3 a = place(path, share), b = place(path, share + h), c = place(path, share + 2 * h);
    lb_vec3 sum = lb_vec3_sub(lb_vec3_scale(b, 4), lb_vec3_add(lb_vec3_scale(a, 3), c));
    return lb_vec3_scale(sum, 1 / (2 * h));
}

static lb_vec3 bend(const lb_path *path, double share, double h)
{
    lb_vec3 a = velocity(path, share, h), b = velocity(path, share + h, h);
    return lb_vec3_scale(lb_vec3_sub(b, a), 1 / h);
}

/* points on a shaken spiral: curves, but none so sharp that differences fail */
static int spiral_points(lb_random *random, lb_transform *points)
{
    int count = 4 + test_random_index(random, MOST_POINTS - 3);
    for (int i = 0; i < count; i++) {
        double shaken[3];
        for (int k = 0; k < 3; k++)
            shaken[k] = lb_random_between(random, -0.15, 0.15);
        points[i] = at(cos(0.5 * i) + shaken[0], sin(0.5 * i) + shaken[1], 0.3 * i + shaken[2]);
    }
    return count;
}

/* at its points a spline neither breaks nor changes its curvature abruptly */
TEST(a_spline_is_smooth_at_its_points)
{
    lb_random random = test_seed(8);
    for (int round = 0; round < ROUNDS; round++) {
        lb_transform points[MOST_POINTS];
        int count = spiral_points(&random, points);
        bool closed = round % 2 == 1;
        owned_path *path = make(LB_PATH_SPLINE, points, count, closed);
        double length = lb_path_length(path);
        for (int i = closed ? 0 : 1; i < count - !closed; i++) {
            double share = lb_path_share(path, i), left = i == 0 ? 1 : share;
            lb_vec3 before = velocity(path, left, -1e-5), after = velocity(path, share, 1e-5);
            assert_near(distance(before, after) / length, 0, 1e-5);
            // what is left is the change of the curvature over the step
            lb_vec3 bent = bend(path, left, -2e-5), bends = bend(path, share, 2e-5);
            double scale = fmax(lb_vec3_length(bent), length);
            assert_near(distance(bent, bends) / scale, 0, 0.03);
        }
    }
}

/* the angular velocity around a share, from one side or the other */
static lb_vec3 turning(const lb_path *path, double share, double h)
{
    lb_transform a = lb_path_at(path, share), b = lb_path_at(path, share + h);
    lb_quat back = lb_quat_conjugate(lb_transform_quat(&a));
    return lb_vec3_scale(lb_quat_log(lb_quat_multiply(back, lb_transform_quat(&b))), 1 / h);
}

TEST(axes_turn_smoothly_along_a_spline)
{
    lb_random random = test_seed(9);
    for (int round = 0; round < ROUNDS; round++) {
        lb_transform points[MOST_POINTS];
        int count = random_points(&random, points);
        owned_path *path = make(LB_PATH_SPLINE, points, count, false);
        for (int i = 1; i < count - 1; i++) {
            double share = lb_path_share(path, i);
            lb_vec3 before = turning(path, share, -1e-7), after = turning(path, share, 1e-7);
            assert_near(distance(before, after) / fmax(lb_vec3_length(after), 1), 0, 1e-3);
        }
    }
}

/* a loop of even points on a circle comes near to the circle: to the fourth power of their angle */
TEST(a_closed_spline_follows_a_circle)
{
    double worst[2] = {0, 0};
    for (int fine = 0; fine < 2; fine++) {
        int count = fine ? 12 : 6;
        lb_transform points[12];
        for (int i = 0; i < count; i++)
            points[i] = at(cos(2 * LB_PI * i / count), sin(2 * LB_PI * i / count), 0);
        owned_path *path = make(LB_PATH_SPLINE, points, count, true);
        for (int i = 0; i < 1000; i++) {
            double off = fabs(lb_vec3_length(place(path, i / 1000.0)) - 1);
            worst[fine] = fmax(worst[fine], off);
        }
    }
    assert_true(worst[0] < 0.01);
    assert_true(worst[1] < worst[0] / 10);
}

/* ---- refusals ----------------------------------------------------------- */

TEST(bad_sources_are_refused_by_name)
{
    lb_transform points[4] = {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)};
    refuses((lb_path_source){.kind = LB_PATH_POLYLINE, .points = points}, LB_INVALID_ARGUMENT,
            "'polyline' needs at least 1 points; there are 0");
    refuses((lb_path_source){.kind = LB_PATH_ARC, .points = points, .count = 2},
            LB_INVALID_ARGUMENT, "'arc' needs at least 3 points; there are 2");
    refuses((lb_path_source){.kind = LB_PATH_ARC, .points = points, .count = 4},
            LB_INVALID_ARGUMENT, "3 points, not 4");
    refuses((lb_path_source){.kind = LB_PATH_SPLINE, .points = points, .count = 1},
            LB_INVALID_ARGUMENT, "'spline' needs at least 2 points");
    refuses((lb_path_source){.kind = LB_PATH_KIND_COUNT, .points = points, .count = 4},
            LB_INVALID_ARGUMENT, "no such kind");
    refuses((lb_path_source){.points = points, .count = 4, .turn = -1}, LB_INVALID_ARGUMENT,
            "'turn' is -1");
    refuses((lb_path_source){.points = points, .count = 4, .turn = NAN}, LB_INVALID_ARGUMENT,
            "'turn' is nan");
    refuses((lb_path_source){.points = points, .count = 4, .turn = 1e308}, LB_INVALID_ARGUMENT,
            "'turn' is 1e+308");

    points[2].p = points[1].p;
    refuses((lb_path_source){.kind = LB_PATH_SPLINE, .points = points, .count = 4}, LB_BAD_VALUE,
            "points 2 and 3 of the spline are in the same place");
    points[2].p.y = INFINITY;
    refuses((lb_path_source){.points = points, .count = 4}, LB_BAD_VALUE, "point 3 of the path");
    points[2] = at(1, 1, 0);
    points[0].x.x = 1.1;
    refuses((lb_path_source){.points = points, .count = 4}, LB_BAD_VALUE, "point 1 of the path");
}

/* a closed spline also needs its last point apart from its first */
TEST(a_loop_has_distinct_ends)
{
    lb_transform points[3] = {at(0, 0, 0), at(1, 0, 0), at(0, 0, 0)};
    lb_path_source source = {.kind = LB_PATH_SPLINE, .points = points, .count = 3, .closed = true};
    refuses(source, LB_BAD_VALUE, "points 3 and 1 of the spline");
    source.closed = false;
    owned_path *path = NULL;
    assert_ok(lb_path_create(&source, NULL, &path, NULL));
}

TEST(failing_memory_is_reported_and_leaves_nothing)
{
    lb_transform points[4] = {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0)};
    lb_path_source source = {.kind = LB_PATH_SPLINE, .points = points, .count = 4};
    for (long fail_at = 0;; fail_at++) {
        test_memory memory = {.fail_at = fail_at};
        lb_allocator allocator = test_memory_allocator(&memory);
        lb_path *path;
        lb_status status = lb_path_create(&source, &allocator, &path, NULL);
        if (status == LB_OK) {
            assert_true(fail_at > 0);
            lb_path_release(path);
            assert_int_equal(memory.live, 0);
            break;
        }
        assert_int_equal(status, LB_OUT_OF_MEMORY);
        assert_null(path);
        assert_int_equal(memory.live, 0);
    }
    lb_path_release(NULL);
}

TEST(kinds_have_texts)
{
    assert_string_equal(lb_path_kind_text(LB_PATH_SPLINE), "spline");
    assert_string_equal(lb_path_kind_text(LB_PATH_KIND_COUNT), "");
}

/* ---- numbers ------------------------------------------------------------ */

/* every place is finite, and every pose has the axes that all points have */
static void check_axes(const lb_path *path, const lb_transform *axes)
{
    for (int i = 0; i <= 400; i++) {
        lb_transform at = lb_path_at(path, i / 400.0);
        assert_true(lb_vec3_is_finite(at.p));
        assert_near(lb_transform_angle(&at, axes), 0, 1e-7);
    }
}

/* points that differ by rounding alone share their time: a circle whose last point is the first one
   again, two points next to each other in doubles */
TEST(a_spline_may_have_points_nearly_twice)
{
    enum { CIRCLE = 13 };
    lb_random random = test_seed(21);
    lb_transform points[CIRCLE], axes = test_random_transform(&random);
    for (int i = 0; i < CIRCLE; i++) {
        points[i] = axes;
        points[i].p = lb_vec3_make(lb_cos(2 * LB_PI * i / (CIRCLE - 1)),
                                   lb_sin(2 * LB_PI * i / (CIRCLE - 1)), 0);
    }
    assert_true(distance(points[0].p, points[CIRCLE - 1].p) > 0);
    lb_path *path = make(LB_PATH_SPLINE, points, CIRCLE, true);
    check_axes(path, &axes);
    lb_path_release(path);
    for (int i = 0; i < 4; i++)
        points[i] = axes;
    points[0].p = lb_vec3_make(-20, 1, 0);
    points[1].p = lb_vec3_make(5, 0, 0);
    points[2].p = lb_vec3_make(nextafter(5, 6), 0, 0);
    points[3].p = lb_vec3_make(20, 0, 0);
    for (int closed = 0; closed < 2; closed++) {
        path = make(LB_PATH_SPLINE, points, 4, closed);
        check_axes(path, &axes);
        lb_path_release(path);
    }
}

/* a circle whose radius squared is no number is as near to its points as they are to each other */
TEST(small_paths_are_finite)
{
    for (double size = 1; size > 1e-160; size *= 1e-3)
        for (int kind = 0; kind < LB_PATH_KIND_COUNT; kind++) {
            const lb_transform points[3] = {LB_TRANSFORM_IDENTITY,
                                            lb_transform_translation(size, 0, 0),
                                            lb_transform_translation(0, size, 0)};
            owned_path *path = make((lb_path_kind)kind, points, 3, kind == LB_PATH_ARC);
            for (int i = 0; i <= 20; i++)
                assert_true(lb_vec3_length(place(path, i / 20.0)) < 3 * size);
        }
}
