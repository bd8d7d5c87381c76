/*
 * test_ground.c - slopes found by where things rested: planes that are known, with noise and with
 * rests elsewhere; what is no slope.
 */
#include "motion/ground.h"
#include "support.h"

enum { RESTS = 60, ROUNDS = 200 };

static double angle_between(lb_vec3 a, lb_vec3 b)
{
    return lb_acos(fmin(1, lb_vec3_dot(a, b)));
}

/* a walk of so many metres to and fro, heels and toes of both feet, so far from the middle; its
   direction */
static lb_vec3 walk_between(lb_random *random, double length, double half, ground_rest *rests)
{
    double heading = lb_random_between(random, -LB_PI, LB_PI);
    lb_vec3 forward = lb_vec3_make(lb_cos(heading), lb_sin(heading), 0);
    lb_vec3 left = lb_vec3_make(-forward.y, forward.x, 0);
    for (int i = 0; i < RESTS; i++) {
        double along = lb_random_between(random, 0, length), side = i & 2 ? half : -half;
        lb_vec3 at = lb_vec3_add(lb_vec3_scale(forward, along), lb_vec3_scale(left, side));
        at.z = i & 1 ? 0.02 : 0.08;
        rests[i] = (ground_rest){at, i & 1};
    }
    return forward;
}

static void walk(lb_random *random, double length, ground_rest *rests)
{
    walk_between(random, length, 0.3, rests);
}

static void raise(ground_rest *rests, int count, const ground_plane *ground, lb_random *random,
                  double noise)
{
    for (int i = 0; i < count; i++)
        rests[i].at.z += ground->height + ground_rise(ground, rests[i].at) +
                         lb_random_between(random, -noise, noise);
}

static ground_plane random_plane(lb_random *random, double least, double most)
{
    double heading = lb_random_between(random, -LB_PI, LB_PI);
    double slope = lb_random_between(random, least, most) * LB_PI / 180;
    return ground_make(lb_random_between(random, -2, 2),
                       lb_vec3_make(lb_sin(slope) * lb_cos(heading),
                                    lb_sin(slope) * lb_sin(heading), lb_cos(slope)));
}

TEST(planes_have_heights_and_rises)
{
    lb_random random = test_seed(11);
    for (int round = 0; round < ROUNDS; round++) {
        ground_plane ground = random_plane(&random, 0, 59);
        lb_vec3 p = test_random_direction(&random);
        lb_vec3 on = lb_vec3_make(p.x, p.y, ground.height + ground_rise(&ground, p));
        assert_near(ground_distance(&ground, on), 0, 1e-12);
        lb_vec3 above = lb_vec3_add(on, lb_vec3_scale(ground.normal, 0.7));
        assert_near(ground_distance(&ground, above), 0.7, 1e-12);
        assert_near(lb_vec3_dot(ground_along(&ground, p), ground.normal), 0, 1e-12);
        lb_vec3 up = lb_quat_rotate(ground_tilt(&ground), lb_vec3_make(0, 0, 1));
        assert_near(lb_vec3_length(lb_vec3_sub(up, ground.normal)), 0, 1e-12);
        assert_null(ground_wrong(ground.height, ground.normal));
    }
}

/* a level plane changes no bit of what is measured from it */
TEST(level_planes_are_exact)
{
    lb_random random = test_seed(12);
    ground_plane ground = ground_make(0.3, lb_vec3_make(0, 0, 7));
    assert_true(ground_is_level(&ground));
    for (int round = 0; round < ROUNDS; round++) {
        lb_vec3 p = test_random_direction(&random), along = ground_along(&ground, p);
        assert_true(ground_distance(&ground, p) == p.z - 0.3);
        assert_true(ground_rise(&ground, p) == 0);
        assert_true(along.x == p.x && along.y == p.y && along.z == 0);
    }
}

TEST(steep_and_empty_normals_are_refused)
{
    assert_null(ground_wrong(0, lb_vec3_make(0, 0, 0)));
    assert_non_null(ground_wrong(NAN, lb_vec3_make(0, 0, 1)));
    assert_non_null(ground_wrong(0, lb_vec3_make(0, INFINITY, 1)));
    assert_non_null(ground_wrong(0, lb_vec3_make(0, 0, -1)));
    assert_non_null(ground_wrong(0, lb_vec3_make(2, 0, 1)));
}

/* one rest in ten is on a chair or a knee's height off the ground */
TEST(slopes_are_found)
{
    lb_random random = test_seed(13);
    for (int round = 0; round < ROUNDS; round++) {
        ground_rest rests[RESTS];
        ground_plane ground = random_plane(&random, 5, 30);
        // all over the plane: both directions of it are known
        walk(&random, 4, rests);
        walk(&random, 4, rests);
        for (int i = 0; i < RESTS; i++)
            rests[i].at.x += lb_random_between(&random, -1, 1),
                rests[i].at.y += lb_random_between(&random, -1, 1);
        raise(rests, RESTS, &ground, &random, 0.01);
        for (int i = 0; i < RESTS; i += 10)
            rests[i].at.z += lb_random_between(&random, 0.2, 0.5);
        double off = angle_between(ground_fit(rests, RESTS).normal, ground.normal);
        if (!(off < 1.0 * LB_PI / 180))
            fail_msg("round %d: %g degrees off", round, off * 180 / LB_PI);
    }
}

/* a straight path in any direction over a slope: along it the slope is known, across it from some
   steepness on, by what the left and the right foot differ */
TEST(slopes_across_the_path_are_found)
{
    lb_random random = test_seed(16);
    int across = 0;
    for (int round = 0; round < ROUNDS; round++) {
        ground_rest rests[RESTS];
        ground_plane ground = random_plane(&random, 8, 20);
        lb_vec3 forward = walk_between(&random, 4, 0.1, rests);
        lb_vec3 left = lb_vec3_make(-forward.y, forward.x, 0);
        raise(rests, RESTS, &ground, &random, 0.005);
        ground_slope found = ground_fit(rests, RESTS);
        ground_plane seen = ground_make(0, found.normal);
        assert_near(found.unseen, 0.135, 0.015);
        // rise over run along the path, and across it
        double off = ground_rise(&seen, forward) - ground_rise(&ground, forward);
        double side = ground_rise(&ground, left), wrong = ground_rise(&seen, left) - side;
        bool climbs = fabs(ground_rise(&ground, forward)) > 0.05;
        if (!(fabs(off) < (climbs ? 0.01 : 0.05)))
            fail_msg("round %d: %g off along the path", round, off);
        if (!(fabs(wrong) < (fabs(side) > found.unseen + 0.02 ? 0.04 : 0.15)))
            fail_msg("round %d: %g off across the path", round, wrong);
        across += fabs(side) > found.unseen + 0.02;
    }
    assert_in_range(across, ROUNDS / 4, ROUNDS);
}

TEST(level_ground_is_no_slope)
{
    lb_random random = test_seed(14);
    for (int round = 0; round < ROUNDS; round++) {
        ground_rest rests[RESTS];
        ground_plane ground = random_plane(&random, 0, 0.5);
        walk(&random, 6, rests);
        raise(rests, RESTS, &ground, &random, 0.02);
        lb_vec3 normal = ground_fit(rests, RESTS).normal;
        assert_true(normal.x == 0 && normal.y == 0 && normal.z == 1);
        // feet side by side, and legs that differ by a centimetre
        walk_between(&random, 6, 0.1, rests);
        raise(rests, RESTS, &ground, &random, 0.01);
        for (int i = 0; i < RESTS; i++)
            rests[i].at.z += i & 2 ? 0.01 : 0;
        assert_true(ground_fit(rests, RESTS).normal.z == 1);
    }
}

/* steps of stairs, and a step onto a box, are level though places rise */
TEST(stairs_and_boxes_are_no_slopes)
{
    lb_random random = test_seed(15);
    for (int round = 0; round < ROUNDS; round++) {
        ground_rest stairs[RESTS], box[RESTS];
        walk(&random, 3, stairs);
        walk(&random, 3, box);
        lb_vec3 heading = test_random_direction(&random);
        heading.z = 0, heading = lb_vec3_normalize(heading, lb_vec3_make(1, 0, 0));
        for (int i = 0; i < RESTS; i++) {
            stairs[i].at.z += 0.17 * floor(lb_vec3_dot(stairs[i].at, heading) / 0.28);
            box[i].at.z += lb_vec3_dot(box[i].at, heading) > 0.5 ? 0.4 : 0;
        }
        assert_true(ground_fit(stairs, RESTS).normal.z == 1);
        assert_true(ground_fit(box, RESTS).normal.z == 1);
    }
    // heels that are raised and let down again on the spot, while toes rest
    ground_rest raised[12];
    for (int i = 0; i < 12; i++) {
        bool up = i % 6 == 1 || i % 6 == 3;
        lb_vec3 at = {up ? 0.06 : 0, i < 6 ? 0.1 : -0.1, up ? 0.09 : 0};
        raised[i] = (ground_rest){at, i % 3 == 2};
    }
    assert_true(ground_fit(raised, 12).normal.z == 1);
    ground_rest few[4] = {{{0, 0, 0}, 0}, {{1, 0, 0.2}, 0}, {{2, 0, 0.4}, 0}, {{3, 0, 0.6}, 0}};
    assert_true(ground_fit(few, 4).normal.z == 1);
    assert_true(ground_fit(NULL, 0).normal.z == 1);
}
