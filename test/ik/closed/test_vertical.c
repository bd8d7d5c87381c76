/*
 * test_vertical.c - targets that make the last axis of a general arm parallel to the first, as a
 * vertical tool does, or let it cut it: every solution, complete and certified.
 *
 *     test_ik test_vertical [POSES]
 *
 * solves that many poses of each arm at each of eight angles and of eight distances (default 50).
 */
#include "support_arms.h"

TEST_ARGUMENT(wanted, 1, 50)

/* a pose whose joint 5 has its axis at an angle to joint 0's (or, `meets`, cuts it at a distance),
   the tool at a place that most arms reach in some way */
static lb_transform special_pose(const closed_arm *arm, double angle, bool meets, lb_random *random)
{
    const lb_vec3 up = arm->axis[0], from = lb_vec3_perpendicular(up);
    const lb_transform home = lb_transform_inverse(&arm->home);
    double q[6];
    random_configuration(random, q);
    lb_transform target = closed_forward(arm, q), moved = lb_transform_multiply(&target, &home);
    const lb_vec3 last = lb_transform_direction(&moved, arm->axis[5]);
    const lb_vec3 across = lb_vec3_normalize(lb_vec3_cross(last, up), from);
    if (meets) {
        // moved along the common normal
        const lb_vec3 point = lb_transform_point(&moved, arm->point[5]);
        const double apart = lb_vec3_dot(across, lb_vec3_sub(point, arm->point[0]));
        target.p = lb_vec3_add(target.p, lb_vec3_scale(across, angle - apart));
        return target;
    }
    const bool down = lb_vec3_dot(last, up) < 0;
    double turn = lb_atan2(lb_vec3_length(lb_vec3_cross(last, up)), lb_vec3_dot(last, up));
    turn = (down ? turn - LB_PI : turn) - angle;
    const lb_vec3 place = target.p;
    const lb_transform rotation =
        lb_transform_from_quat(lb_quat_from_axis_angle(across, turn), lb_vec3_make(0, 0, 0));
    target = lb_transform_multiply(&rotation, &target);
    target.p = place;
    return target;
}

/* no restart of Newton's method finds what is not listed */
static void assert_restarts_agree(const closed_arm *arm, const lb_transform *target,
                                  const results *a, lb_random *random)
{
    for (int n = 0; n < 4; n++) {
        double q[6];
        random_configuration(random, q);
        if (closed_newton(arm, target, 30, q) < 1e-13)
            assert_true(is_among(a, q));
    }
}

/* nor do the solutions of poses about, which are no special ones, when they are brought back */
static void assert_neighbours_agree(const closed_arm *arm, const general_arm *general,
                                    const lb_transform *target, const results *a, lb_random *random)
{
    for (int n = 0; n < 4; n++) {
        const double size = n % 2 ? 1e-3 : 1e-2;
        const lb_vec3 axis = test_random_direction(random);
        const lb_transform turn =
            lb_transform_from_quat(lb_quat_from_axis_angle(axis, size), lb_vec3_make(0, 0, 0));
        lb_transform beside = lb_transform_multiply(&turn, target);
        beside.p = lb_vec3_add(target->p, lb_vec3_scale(test_random_direction(random), size));
        results b = solve(general, &beside);
        for (int i = 0; i < b.count; i++)
            if (closed_newton(arm, target, 30, b.at[i].q) < 1e-13)
                assert_true(is_among(a, b.at[i].q));
    }
}

/* the sets of two poses that are 1e-7 apart, where no solution is nearly singular */
static void assert_sets_agree(const results *a, const results *b)
{
    for (int i = 0; i < a->count; i++)
        if (a->at[i].conditioning < 1e-3)
            return;
    for (int i = 0; i < b->count; i++)
        if (b->at[i].conditioning < 1e-3)
            return;
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++) {
        double least = INFINITY;
        for (int k = 0; k < b->count; k++) {
            double most = 0;
            for (int j = 0; j < 6; j++)
                most = fmax(most, fabs(lb_wrap_angle(a->at[i].q[j] - b->at[k].q[j])));
            least = fmin(least, most);
        }
        assert_true(least < 0.1);
    }
}

/* poses of one arm at an angle, or a distance, of the outer axes */
static void ask_special(const closed_arm *arm, const general_arm *general, double angle, bool meets,
                        lb_random *random, tally *t)
{
    lb_random same = *random;
    const lb_transform target = special_pose(arm, angle, meets, random);
    const lb_transform beside = special_pose(arm, angle + 1e-7, meets, &same);
    const results a = solve(general, &target), b = solve(general, &beside);
    assert_solutions(arm, &target, &a);
    const bool certain = a.summary.certificate != GENERAL_UNCERTAIN;
    if (certain) {
        assert_restarts_agree(arm, &target, &a, random);
        assert_neighbours_agree(arm, general, &target, &a, random);
        if (b.summary.certificate != GENERAL_UNCERTAIN)
            assert_sets_agree(&a, &b);
    }
    t->poses++;
    t->uncertain += !certain;
    t->missed += a.summary.certificate != GENERAL_CERTIFIED;
    t->determinants += a.summary.determinants;
}

TEST(vertical_tools_have_all_solutions)
{
    static const double angles[] = {0, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
    lb_random random = test_seed(11);
    for (int i = -1; i < PUBLISHED - 1; i++) {
        const closed_arm arm = i < 0 ? built_in_arm("crx10ia") : published_arm(&published[i]);
        const general_arm general = prepare(&arm);
        for (int meets = 0; meets < 2; meets++) {
            tally t = {0};
            for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++)
                for (long n = 0; n < wanted; n++)
                    ask_special(&arm, &general, angles[k], meets, &random, &t);
            print_message("%s, outer axes %s: %ld poses, %ld not certified, %ld uncertain, %.2f "
                          "determinants\n",
                          i < 0 ? "crx10ia" : published[i].name, meets ? "meet" : "parallel",
                          t.poses, t.missed, t.uncertain, (double)t.determinants / (double)t.poses);
            assert_true(t.uncertain <= 1 + t.poses / 200);
            // complete by independent eliminations: what one of them shows is within rounding there
            assert_true(t.missed <= 1 + t.poses / 40);
        }
    }
}
