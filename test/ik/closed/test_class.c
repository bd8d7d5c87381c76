/*
 * test_class.c - closed forms against forward kinematics: random arms of each class, and the
 * configuration that made a pose must always be among those found.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "ik/closed/class.h"
#include "ik/closed/general.h"
#include "ik/closed/newton.h"
#include "kernel/ops.h"
#include "math/scalar.h"
#include "support.h"

/* ---- random arms ------------------------------------------------------------ */

static lb_vec3 random_vector(lb_random *random)
{
    double x = lb_random_between(random, -1, 1), y = lb_random_between(random, -1, 1);
    return lb_vec3_make(x, y, lb_random_between(random, -1, 1));
}

static lb_vec3 random_direction(lb_random *random)
{
    lb_vec3 v = random_vector(random);
    return lb_vec3_normalize(v, lb_vec3_make(0, 0, 1));
}

/* axes a multiple of an eighth of a turn from each other, as most arms have them */
static lb_vec3 square_direction(lb_random *random)
{
    const lb_vec3 axes[4] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0.6, 0.8}};
    lb_vec3 v = axes[lb_random_next(random) % 4];
    return lb_random_next(random) & 1 ? v : lb_vec3_scale(v, -1);
}

typedef lb_vec3 (*direction_maker)(lb_random *random);

/* nothing special */
static closed_arm random_arm(lb_random *random, direction_maker direction)
{
    closed_arm arm = {.joints = 6, .home = LB_TRANSFORM_IDENTITY};
    for (int i = 0; i < 6; i++) {
        arm.axis[i] = direction(random);
        arm.point[i] = random_vector(random);
    }
    lb_quat turn = lb_quat_exp(lb_vec3_scale(random_vector(random), 2));
    arm.home = lb_transform_from_quat(turn, random_vector(random));
    return arm;
}

/* an axis through a point */
static void place(closed_arm *arm, int i, lb_vec3 p)
{
    arm->point[i] = p;
}

typedef enum {
    PLANAR_LAST,
    PLANAR_FIRST,
    MEET_LAST,
    MEET_FIRST,
    SLIDER,
    STANFORD,
    GANTRY,
    PARALLEL,
    KINDS
} kind;

static void make_region(closed_arm *arm, kind which, lb_random *random)
{
    lb_vec3 p = random_vector(random);
    if (which == PLANAR_LAST || which == PARALLEL)
        arm->axis[2] = lb_vec3_scale(arm->axis[1], which == PARALLEL ? -1 : 1);
    if (which == PLANAR_FIRST || which == SLIDER)
        arm->axis[1] = lb_vec3_scale(arm->axis[0], -1);
    if (which == MEET_LAST)
        arm->point[1] = arm->point[2] = p;
    if (which == MEET_FIRST || which == STANFORD)
        arm->point[0] = arm->point[1] = p;
    arm->is_length[2] = which == SLIDER || which == STANFORD || which == GANTRY;
    arm->is_length[0] = arm->is_length[1] = which == GANTRY;
}

static closed_arm make_arm(kind which, lb_random *random, direction_maker direction)
{
    closed_arm arm = random_arm(random, direction);
    make_region(&arm, which, random);
    if (which == PARALLEL)
        arm.axis[3] = arm.axis[1];
    lb_vec3 center = random_vector(random);
    for (int i = which == PARALLEL ? 4 : 3; i < 6; i++)
        place(&arm, i, center);
    return arm;
}

/* ---- what must hold --------------------------------------------------------- */

static double turn_distance(double a, double b)
{
    return fabs(lb_wrap_angle(a - b));
}

static double farthest(const closed_arm *arm, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < arm->joints; i++) {
        double d = arm->is_length[i] ? fabs(a[i] - b[i]) : turn_distance(a[i], b[i]);
        most = scalar_max(most, d);
    }
    return most;
}

/* every branch with a margin reaches the target, to what rounding leaves */
static void check_branches(const closed_arm *arm, const lb_transform *target,
                           const kernel_solutions *found, double *worst)
{
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++) {
        if (!(found->margin[i] >= 0))
            continue;
        double error[6];
        lb_transform tip = closed_forward(arm, found->q[i]);
        *worst = scalar_max(*worst, closed_error(&tip, target, error));
    }
}

static double nearest_branch(const closed_arm *arm, const double *q, const kernel_solutions *found)
{
    double least = INFINITY;
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
        if (found->margin[i] >= -1e-12)
            least = scalar_min(least, farthest(arm, found->q[i], q));
    return least;
}

static void random_q(const closed_arm *arm, lb_random *random, double *q)
{
    for (int i = 0; i < arm->joints; i++)
        q[i] = arm->is_length[i] ? lb_random_between(random, 0.1, 1)
                                 : lb_random_between(random, -LB_PI, LB_PI);
}

static void check_kind(kind which, uint64_t seed, direction_maker direction, bool reversed)
{
    lb_random random = lb_random_seed(seed);
    int solved = 0, missed = 0;
    double worst = 0;
    for (int a = 0; a < 400; a++) {
        closed_arm arm = make_arm(which, &random, direction);
        if (reversed)
            arm = closed_arm_reversed(&arm);
        kernel_closed form;
        if (!closed_recognise(&arm, CLOSED_EXACT, &form)) {
            // random directions are never parallel by chance, square ones are
            assert_true(direction == square_direction || a > 0);
            continue;
        }
        solved++;
        for (int k = 0; k < 20; k++) {
            double q[6];
            kernel_solutions found;
            random_q(&arm, &random, q);
            lb_transform target = closed_forward(&arm, q);
            kernel_choose(0)->closed_one(&form, &target, q, &found);
            check_branches(&arm, &target, &found, &worst);
            missed += nearest_branch(&arm, q, &found) > 1e-5;
        }
    }
    if (missed > 0 || worst > 1e-12)
        print_error("kind %d seed %llu%s: %d of %d missed, worst error %g\n", (int)which,
                    (unsigned long long)seed, reversed ? " reversed" : "", missed, 20 * solved,
                    worst);
    assert_true(solved >= 50);
    assert_int_equal(missed, 0);
    assert_true(worst <= 1e-12);
}

static void test_the_q_that_made_a_pose_is_found(void **state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++)
        for (int reversed = 0; reversed < 2; reversed++)
            check_kind(k, 71 + (uint64_t)k, random_direction, reversed != 0);
}

static void test_axes_at_right_angles(void **state)
{
    (void)state;
    for (kind k = 0; k < KINDS; k++)
        for (int reversed = 0; reversed < 2; reversed++)
            check_kind(k, 171 + (uint64_t)k, square_direction, reversed != 0);
}

/* ---- calibrated arms ---------------------------------------------------------- */

static lb_vec3 shaken(lb_random *random, lb_vec3 v, double by)
{
    return lb_vec3_add(v, lb_vec3_scale(random_vector(random), by));
}

/* how far the nearest solution is that the class gives or, without one, the general solver */
static double nearest_of_any(const closed_arm *arm, const double *q)
{
    static general_arm general;
    kernel_closed form;
    lb_transform target = closed_forward(arm, q);
    double least = INFINITY;
    if (closed_recognise(arm, CLOSED_EXACT, &form)) {
        kernel_solutions found;
        kernel_choose(0)->closed_one(&form, &target, q, &found);
        for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
            closed_newton(arm, &target, 8, found.q[i]);
        return nearest_branch(arm, q, &found);
    }
    general_solution found[GENERAL_SOLUTIONS];
    general_summary summary;
    const kernel_general_ops *ops = kernel_choose_general(0);
    if (!general_prepare(arm, ops, &general))
        return INFINITY;
    int count = general_solve(&general, ops, &target, found, &summary);
    for (int i = 0; i < count; i++)
        least = scalar_min(least, farthest(arm, found[i].q, q));
    return least;
}

/* arms that nearly are of a class, by 1e-12 to 1e-2: none is refused and no solution missed */
static void test_calibrated_arms(void **state)
{
    (void)state;
    lb_random random = lb_random_seed(7);
    double by = 1e-12;
    for (int step = 0; step < 11; step++, by *= 10)
        for (int a = 0; a < 20; a++) {
            closed_arm arm = make_arm(a & 1 ? PARALLEL : PLANAR_LAST, &random, random_direction);
            for (int i = 0; i < 6; i++) {
                lb_vec3 axis = shaken(&random, arm.axis[i], by);
                arm.axis[i] = lb_vec3_normalize(axis, arm.axis[i]);
                arm.point[i] = shaken(&random, arm.point[i], by);
            }
            for (int k = 0; k < 5; k++) {
                double q[6];
                random_q(&arm, &random, q);
                double off = nearest_of_any(&arm, q);
                if (!(off <= 1e-5))
                    fail_msg("arm %d changed by %g: pose %d missed by %g", a, by, k, off);
            }
        }
}

/* ---- the same bits ---------------------------------------------------------- */

static void test_batches_and_widths_agree_bit_for_bit(void **state)
{
    (void)state;
    lb_random random = lb_random_seed(5);
    for (kind which = 0; which < KINDS; which++) {
        closed_arm arm = make_arm(which, &random, random_direction);
        kernel_closed form;
        assert_true(closed_recognise(&arm, CLOSED_EXACT, &form));
        lb_transform targets[8];
        const lb_transform *target_rows[8];
        double q[8][6];
        const double *hints[8];
        kernel_solutions one[8], many[8], *rows[8];
        for (int i = 0; i < 8; i++) {
            random_q(&arm, &random, q[i]);
            targets[i] = closed_forward(&arm, q[i]);
            if (i & 1)
                targets[i].p.x += 1;
            target_rows[i] = &targets[i];
            hints[i] = q[i];
            rows[i] = &many[i];
            kernel_choose(1)->closed_one(&form, &targets[i], q[i], &one[i]);
        }
        for (int width = 1; width <= 8; width *= 2) {
            const kernel_ops *ops = kernel_choose(width);
            memset(many, 0, sizeof many);
            for (int i = 0; i < 8; i += ops->width)
                ops->closed(&form, target_rows + i, hints + i, ops->width, rows + i);
            assert_memory_equal(one, many, sizeof one);
            ops->closed_one(&form, &targets[3], q[3], &many[0]);
            assert_memory_equal(&one[3], &many[0], sizeof one[3]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_q_that_made_a_pose_is_found),
        cmocka_unit_test(test_axes_at_right_angles),
        cmocka_unit_test(test_calibrated_arms),
        cmocka_unit_test(test_batches_and_widths_agree_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
