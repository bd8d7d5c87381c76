/*
 * test_general.c - every solution of general arms of six joints: the configuration that made a
 * pose must be among those found, whatever the arm.
 *
 *     test_ik test_general [ARMS]
 *
 * solves one pose of that many random arms (default 2000), and as many poses of real arms.
 */
#include <float.h>

#include "bench/golden.h"
#include "ik/closed/class.h"
#include "ik/closed/general_parts.h"
#include "support_arms.h"

TEST_ARGUMENT(wanted, 1, 2000)

/* one random pose; a solution may be missing only where that is said */
static void ask_random(const closed_arm *arm, const general_arm *general, lb_random *random,
                       tally *t)
{
    double q[6];
    random_configuration(random, q);
    const lb_transform target = closed_forward(arm, q);
    const results a = solve(general, &target);
    assert_solutions(arm, &target, &a);
    const bool found = is_among(&a, q), certain = a.summary.certificate != GENERAL_UNCERTAIN;
    assert_true(found || !certain);
    t->poses++;
    t->missed += !found;
    t->uncertain += !certain;
    t->greatest = a.count > t->greatest ? a.count : t->greatest;
}

/* ---- tests ------------------------------------------------------------------ */

TEST(random_arms_miss_nothing)
{
    lb_random random = test_seed(1);
    tally t = {0};
    for (long n = 0; n < wanted; n++) {
        const closed_arm arm = random_arm(&random);
        const general_arm general = prepare(&arm);
        ask_random(&arm, &general, &random, &t);
    }
    print_message("random arms: %ld poses, %ld missed, %ld uncertain, at most %d\n", t.poses,
                  t.missed, t.uncertain, t.greatest);
    assert_int_equal(t.missed, 0);
    assert_true(t.uncertain <= 1 + t.poses / 1000);
}

TEST(published_arms_miss_nothing_silently)
{
    lb_random random = test_seed(2);
    for (int i = 0; i < PUBLISHED; i++) {
        const closed_arm arm = published_arm(&published[i]);
        const general_arm general = prepare(&arm);
        tally t = {0};
        for (long n = 0; n < wanted / 4; n++)
            ask_random(&arm, &general, &random, &t);
        print_message("%s: %ld poses, %ld missed, %ld uncertain, at most %d\n", published[i].name,
                      t.poses, t.missed, t.uncertain, t.greatest);
        assert_true(t.uncertain <= 1 + t.poses / 500);
        assert_true(t.missed <= t.poses / 10000);
        if (strcmp(published[i].name, "manseur-doty") == 0)
            assert_int_equal(t.greatest, 16);
    }
}

/* where f'' at a double zero is 5e-9 of the greatest harmonic, and three samples of the noise near
   by are a fiftieth of what it is */
TEST(flat_double_zeros_are_not_lost)
{
    static const double q[6] = {-1.9820192208290026, 0.96897835802424925, -1.6026689522538435,
                                0.53804355011745697, 1.0218383179245469,  -0.10499218081666939};
    for (int i = 0; i < PUBLISHED; i++) {
        if (strcmp(published[i].name, "piper") != 0)
            continue;
        const closed_arm arm = published_arm(&published[i]);
        const general_arm general = prepare(&arm);
        const lb_transform target = closed_forward(&arm, q);
        const results a = solve(&general, &target);
        assert_solutions(&arm, &target, &a);
        assert_true(is_among(&a, q));
        assert_int_equal(a.count, 8);
        assert_int_equal(a.summary.certificate, GENERAL_CERTIFIED);
    }
}

static const char *const built_in[] = {"ur5", "kr6", "crx10ia", "puma560"};

TEST(changed_arms_miss_nothing_silently)
{
    lb_random random = test_seed(3);
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++) {
        for (int step = -1; step <= 10; step++) {
            closed_arm arm = built_in_arm(built_in[i]);
            double size = 1e-12;
            for (int k = 0; k < step; k++)
                size *= 10;
            if (step >= 0)
                change_arm(&arm, size, &random);
            const general_arm general = prepare(&arm);
            tally t = {0};
            for (long n = 0; n < 1 + wanted / 40; n++)
                ask_random(&arm, &general, &random, &t);
            assert_true(t.uncertain <= 1 + t.poses / 100);
            assert_true(t.missed <= t.poses / 10000);
        }
    }
}

TEST(crx_has_sixteen_solutions)
{
    // FANUC CRX-10iA, whose joint 3 is counted from the upper arm
    closed_arm arm = {.joints = 6, .home = LB_TRANSFORM_IDENTITY};
    const lb_vec3 axes[6] = {{0, 0, 1}, {0, 1, 0}, {0, -1, 0}, {-1, 0, 0}, {0, -1, 0}, {-1, 0, 0}};
    const lb_vec3 points[6] = {{0, 0, 0.245}, {0, 0, 0.245},    {0, 0, 0.785},
                               {0, 0, 0.785}, {0.54, 0, 0.785}, {0.54, -0.15, 0.785}};
    memcpy(arm.axis, axes, sizeof axes);
    memcpy(arm.point, points, sizeof points);
    arm.home.p = lb_vec3_make(0.7, -0.15, 0.785);
    const double q[6] = {0.40325064499,  2.33633791014, -0.88559360784,
                         -1.68682190505, 1.27050807934, -1.85507936250};
    const lb_transform target = closed_forward(&arm, q);
    const general_arm general = prepare(&arm);
    const results a = solve(&general, &target);
    assert_solutions(&arm, &target, &a);
    assert_int_equal(a.count, 16);
    assert_true(a.summary.certificate != GENERAL_UNCERTAIN);
    assert_true(is_among(&a, q));
}

/* the loop cut elsewhere: joints first .. 5, then 0 .. first - 1 as the target has moved them */
static closed_arm cut_elsewhere(const closed_arm *arm, const lb_transform *target, int first,
                                lb_transform *other_target)
{
    // E_first .. E_5 G^-1 E_0 .. E_(first - 1) G = G with G = target home^-1
    const lb_transform home = lb_transform_inverse(&arm->home);
    *other_target = lb_transform_multiply(target, &home);
    const lb_transform back = lb_transform_inverse(other_target);
    closed_arm other = *arm;
    for (int i = 0; i < 6; i++) {
        const int joint = (first + i) % 6;
        other.axis[i] = arm->axis[joint];
        other.point[i] = arm->point[joint];
        if (joint < first) {
            other.axis[i] = lb_transform_direction(&back, other.axis[i]);
            other.point[i] = lb_transform_point(&back, other.point[i]);
        }
    }
    other.home = LB_TRANSFORM_IDENTITY;
    return other;
}

/* solutions of another cut are those of the arm, joints moved by `shift` or turned round */
static void assert_same_set(const results *a, const results *b, int shift, bool reversed)
{
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < b->count; i++) {
        double q[6];
        for (int k = 0; k < 6; k++)
            q[reversed ? 5 - k : (k + shift) % 6] = b->at[i].q[k];
        assert_true(is_among(a, q));
    }
}

TEST(same_number_wherever_the_loop_is_cut)
{
    lb_random random = test_seed(4);
    for (int n = 0; n < 100; n++) {
        const closed_arm arm = random_arm(&random);
        double q[6];
        random_configuration(&random, q);
        const lb_transform target = closed_forward(&arm, q);
        const general_arm general = prepare(&arm);
        const results a = solve(&general, &target);
        const closed_arm reversed = closed_arm_reversed(&arm);
        const lb_transform inverse = lb_transform_inverse(&target);
        const general_arm turned = prepare(&reversed);
        const results b = solve(&turned, &inverse);
        assert_same_set(&a, &b, 0, true);
        for (int first = 1; first < 6; first++) {
            lb_transform other;
            const closed_arm cut = cut_elsewhere(&arm, &target, first, &other);
            const general_arm shifted = prepare(&cut);
            const results c = solve(&shifted, &other);
            assert_same_set(&a, &c, first, false);
        }
    }
}

TEST(outer_axes_may_be_parallel_or_meet)
{
    static const double angles[] = {0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
    lb_random random = test_seed(5);
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++) {
        const closed_arm arm = built_in_arm(built_in[i]);
        const general_arm general = prepare(&arm);
        for (size_t k = 0; k < sizeof angles / sizeof angles[0]; k++) {
            for (int n = 0; n < 20; n++) {
                // a pose turned so that joint 5's axis is nearly joint 0's
                double q[6];
                random_configuration(&random, q);
                lb_transform target = closed_forward(&arm, q);
                const lb_transform home = lb_transform_inverse(&arm.home);
                const lb_transform moved = lb_transform_multiply(&target, &home);
                const lb_vec3 last = lb_transform_direction(&moved, arm.axis[5]);
                const lb_vec3 across = lb_vec3_cross(last, arm.axis[0]);
                const lb_vec3 axis = lb_vec3_normalize(across, lb_vec3_make(1, 0, 0));
                const double angle =
                    lb_atan2(lb_vec3_length(across), lb_vec3_dot(last, arm.axis[0])) - angles[k];
                const lb_quat turn = lb_quat_from_axis_angle(axis, angle);
                const lb_transform rotation = lb_transform_from_quat(turn, lb_vec3_make(0, 0, 0));
                const lb_vec3 place = target.p;
                target = lb_transform_multiply(&rotation, &target);
                target.p = place;
                const results a = solve(&general, &target);
                assert_solutions(&arm, &target, &a);
                for (int s = 0; s < a.count; s++) {
                    const lb_transform again = closed_forward(&arm, a.at[s].q);
                    const results b = solve(&general, &again);
                    assert_true(b.summary.certificate == GENERAL_UNCERTAIN ||
                                is_among(&b, a.at[s].q));
                }
            }
        }
    }
}

/* joints at multiples of a right angle: singular as often as not */
TEST(singular_targets_are_never_certified_falsely)
{
    lb_random random = test_seed(6);
    for (size_t i = 0; i < sizeof built_in / sizeof built_in[0]; i++) {
        const closed_arm arm = built_in_arm(built_in[i]);
        const general_arm general = prepare(&arm);
        for (int n = 0; n < 100; n++) {
            double q[6];
            for (int k = 0; k < 6; k++)
                q[k] = test_random_chance(&random, 0.5) ? test_random_index(&random, 4) * LB_PI / 2
                                                        : lb_random_between(&random, -LB_PI, LB_PI);
            const lb_transform target = closed_forward(&arm, q);
            const results a = solve(&general, &target);
            assert_solutions(&arm, &target, &a);
        }
    }
}

/* of all that is found below; renewed where a change is meant to change solutions */
#define GOLDEN 0x6861e2de81168de5ULL

TEST(families_are_found_with_their_joints)
{
    lb_random random = test_seed(9);
    // wrists with axes 4 and 6 in one line: turning one back what the other turns
    static const char *const wrists[] = {"kr6", "puma560"};
    for (int i = 0; i < 2; i++) {
        const closed_arm arm = built_in_arm(wrists[i]);
        const general_arm general = prepare(&arm);
        for (int n = 0; n < 5; n++) {
            double q[6];
            random_configuration(&random, q);
            q[4] = 0;
            const lb_transform target = closed_forward(&arm, q);
            const results a = solve(&general, &target);
            assert_true(a.summary.infinite);
            assert_int_equal(a.summary.certificate, GENERAL_UNCERTAIN);
            assert_int_equal(a.summary.moving & 0x28, 0x28);
        }
    }
    // and none where there is none
    for (int n = 0; n < 50; n++) {
        const closed_arm arm = published_arm(&published[n % PUBLISHED]);
        const general_arm general = prepare(&arm);
        double q[6];
        random_configuration(&random, q);
        const lb_transform target = closed_forward(&arm, q);
        assert_false(solve(&general, &target).summary.infinite);
    }
}

TEST(every_width_gives_the_same_bits)
{
    lb_random random = test_seed(7);
    uint64_t hash = 0;
    for (int n = 0; n < 100; n++) {
        const closed_arm arm =
            n % 2 ? random_arm(&random) : published_arm(&published[n / 2 % PUBLISHED]);
        double q[6];
        random_configuration(&random, q);
        const lb_transform target = closed_forward(&arm, q);
        results first = {.count = 0};
        for (int width = 1; width <= 8; width *= 2) {
            general_arm general;
            results a;
            memset(&a, 0, sizeof a);
            const kernel_general_ops *ops = kernel_choose_general(width);
            assert_true(general_prepare(&arm, ops, &general));
            a.count = general_solve(&general, ops, &target, a.at, &a.summary);
            if (width == 1)
                first = a;
            assert_int_equal(a.count, first.count);
            assert_int_equal(a.summary.certificate, first.summary.certificate);
            for (int i = 0; i < a.count; i++) {
                assert_memory_equal(a.at[i].q, first.at[i].q, sizeof a.at[i].q);
                assert_memory_equal(&a.at[i].error, &first.at[i].error, sizeof(double));
                assert_memory_equal(&a.at[i].conditioning, &first.at[i].conditioning,
                                    sizeof(double));
            }
        }
        for (int i = 0; i < first.count; i++)
            golden_add(&hash, first.at[i].q, 6);
    }
    if (hash != GOLDEN)
        print_message("hash 0x%016llx\n", (unsigned long long)hash);
    assert_true(hash == GOLDEN);
}

/* what numbers do not hold has a result, too: no solution and no certificate */
TEST(targets_may_be_as_far_away_as_numbers_go)
{
    lb_random random = test_seed(11);
    int cuts = 0;
    for (long n = 0; n < 100; n++) {
        const closed_arm arm = random_arm(&random);
        const general_arm general = prepare(&arm);
        lb_transform target = test_random_transform(&random), moved;
        target.p = lb_vec3_scale(random_vector(&random), DBL_MAX);
        general_arm cut;
        cuts += general_cut(&general, 3, &target, &cut, &moved);
        const results a = solve(&general, &target);
        assert_int_equal(a.count, 0);
        assert_int_equal(a.summary.certificate, GENERAL_UNCERTAIN);
    }
    assert_true(0 < cuts && cuts < 100);
}

TEST(arms_of_other_kinds_are_refused)
{
    lb_random random = test_seed(8);
    const kernel_general_ops *ops = kernel_choose_general(0);
    general_arm general;
    closed_arm arm = random_arm(&random);
    assert_true(general_prepare(&arm, ops, &general));
    arm.joints = 5;
    assert_false(general_prepare(&arm, ops, &general));
    arm = random_arm(&random);
    arm.is_length[2] = true;
    assert_false(general_prepare(&arm, ops, &general));
    arm = random_arm(&random);
    arm.point[3].y = NAN;
    assert_false(general_prepare(&arm, ops, &general));
    arm = random_arm(&random);
    for (int i = 0; i < 6; i++)
        arm.point[i] = lb_vec3_make(0, 0, 0);
    assert_false(general_prepare(&arm, ops, &general));
    arm = random_arm(&random); // in a plane, with a wrist: singular wherever it is
    arm.axis[1] = arm.axis[2] = arm.axis[0];
    arm.point[4] = arm.point[5] = arm.point[3];
    assert_false(general_prepare(&arm, ops, &general));
}
