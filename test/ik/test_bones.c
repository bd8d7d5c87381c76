/* test_bones.c - cyclic coordinate descent on bones: the article's contract. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support.h"

#include <limber/bones.h>

enum { MOST = 12 };

static double gap(const lb_bone *bones, int n, double x, double y)
{
    double ex, ey;
    lb_bones_end(bones, n, &ex, &ey);
    return sqrt((ex - x) * (ex - x) + (ey - y) * (ey - y));
}

/* the end, by libm and cumulative angles */
static void end_by_hand(const lb_bone *bones, int n, double *x, double *y)
{
    double angle = 0;
    *x = *y = 0;
    for (int i = 0; i < n; i++) {
        *x += cos(angle) * bones[i].x - sin(angle) * bones[i].y;
        *y += sin(angle) * bones[i].x + cos(angle) * bones[i].y;
        angle += bones[i].angle;
    }
}

static int random_bones(lb_random *random, lb_bone *bones)
{
    int n = 2 + test_random_index(random, MOST - 1);
    for (int i = 0; i < n; i++)
        bones[i] =
            (lb_bone){lb_random_between(random, 0.3, 1), lb_random_between(random, -0.3, 0.3),
                      lb_random_between(random, -3, 3)};
    return n;
}

static void test_end(void **state)
{
    (void)state;
    lb_random random = test_seed(1);
    for (int k = 0; k < 200; k++) {
        lb_bone bones[MOST];
        double x, y, ex, ey;
        int n = random_bones(&random, bones);
        lb_bones_end(bones, n, &x, &y);
        end_by_hand(bones, n, &ex, &ey);
        assert_near(x, ex, 1e-13);
        assert_near(y, ey, 1e-13);
    }
}

static void test_two_bones_step_by_step(void **state)
{
    (void)state;
    // a single moving bone of length 2 points at the target, on which it cannot lie
    lb_bone bones[] = {{0, 0, 0}, {2, 0, 0.5}};
    assert_int_equal(lb_bones_step(bones, 2, 0, 3, 0.01, NULL), LB_PROCESSING);
    assert_near(bones[0].angle, LB_PI / 2, 1e-15);
    assert_near(bones[1].angle, 0.5, 0);
    assert_int_equal(lb_bones_step(bones, 2, 0, 3, 0.01, NULL), LB_FAILURE);
    assert_int_equal(lb_bones_step(bones, 2, 0, 3, 1.0000001, NULL), LB_SUCCESS);
}

static void test_never_farther(void **state)
{
    (void)state;
    lb_random random = test_seed(2);
    for (int k = 0; k < 500; k++) {
        lb_bone bones[MOST];
        int n = random_bones(&random, bones);
        double x = lb_random_between(&random, -8, 8), y = lb_random_between(&random, -8, 8);
        lb_bones_options plain = lb_bones_options_default();
        plain.nudge = 0;
        double before = gap(bones, n, x, y);
        for (int step = 0; step < 20; step++) {
            lb_progress progress = lb_bones_step(bones, n, x, y, 1e-3, &plain);
            double after = gap(bones, n, x, y);
            assert_true(after <= before + 1e-12);
            assert_int_equal(progress == LB_SUCCESS, after <= 1e-3);
            for (int i = 0; i + 1 < n; i++)
                assert_true(fabs(bones[i].angle) <= LB_PI);
            before = after;
            if (progress != LB_PROCESSING)
                break;
        }
    }
}

/* reachable targets are reached, by sweeps alone */
static void test_reaches(void **state)
{
    (void)state;
    lb_random random = test_seed(3);
    for (int k = 0; k < 300; k++) {
        lb_bone bones[MOST], goal[MOST];
        int n = random_bones(&random, bones);
        double x, y;
        for (int i = 0; i < n; i++) {
            goal[i] = bones[i];
            goal[i].angle = lb_random_between(&random, -1.5, 1.5);
        }
        if (n < 4)
            continue;
        lb_bones_end(goal, n, &x, &y);
        lb_progress progress = LB_PROCESSING;
        for (int step = 0; step < 5000 && progress == LB_PROCESSING; step++)
            progress = lb_bones_step(bones, n, x, y, 1e-3, NULL);
        assert_int_equal(progress, LB_SUCCESS);
    }
}

/* two bones without rotation and a target on their line: descent alone folds them and stays */
static void test_lock(void **state)
{
    (void)state;
    const lb_bone start[] = {{0, 0, 0}, {1, 0, 0}, {0.8, 0, 0}};
    lb_bone bones[3];
    lb_bones_options options = lb_bones_options_default();
    options.nudge = 0;
    for (int k = 0; k < 3; k++)
        bones[k] = start[k];
    assert_int_equal(lb_bones_step(bones, 3, 0.5, 0, 1e-3, &options), LB_PROCESSING);
    assert_near(fabs(bones[1].angle), LB_PI, 1e-12);
    assert_near(bones[0].angle, 0, 0);
    assert_int_equal(lb_bones_step(bones, 3, 0.5, 0, 1e-3, &options), LB_FAILURE);

    // the default frees them
    lb_progress progress = LB_PROCESSING;
    for (int step = 0; step < 100 && progress == LB_PROCESSING; step++)
        progress = lb_bones_step(bones, 3, 0.5, 0, 1e-3, NULL);
    assert_int_equal(progress, LB_SUCCESS);
    assert_near(gap(bones, 3, 0.5, 0), 0, 1e-3);
}

/* what no lengths allow fails, nudge or not */
static void test_out_of_reach(void **state)
{
    (void)state;
    lb_bone bones[] = {{0, 0, 0.3}, {1, 0, 0.2}, {0.5, 0, 0}};
    lb_progress progress = LB_PROCESSING;
    for (int step = 0; step < 1000 && progress == LB_PROCESSING; step++)
        progress = lb_bones_step(bones, 3, 3, 4, 1e-3, NULL);
    assert_int_equal(progress, LB_FAILURE);
    assert_near(gap(bones, 3, 3, 4), 3.5, 1e-3);
    // too near
    progress = LB_PROCESSING;
    for (int step = 0; step < 1000 && progress == LB_PROCESSING; step++)
        progress = lb_bones_step(bones, 3, 0.1, 0.1, 1e-3, NULL);
    assert_int_equal(progress, LB_FAILURE);
}

static void test_not_finite(void **state)
{
    (void)state;
    lb_bone bones[] = {{0, 0, 0.3}, {1, 0, 0.2}, {0.5, 0, 0}};
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(lb_bones_step(bones, 3, bad[k], 0, 1e-3, NULL), LB_FAILURE);
        assert_int_equal(lb_bones_step(bones, 3, 0, bad[k], 1e-3, NULL), LB_FAILURE);
        assert_int_equal(lb_bones_step(bones, 3, 0, 1, bad[k], NULL), LB_FAILURE);
        assert_near(bones[0].angle, 0.3, 0);
        bones[1].angle = bad[k];
        assert_int_equal(lb_bones_step(bones, 3, 0, 1, 1e-3, NULL), LB_FAILURE);
        bones[1].angle = 0.2;
    }
    // one bone alone has nothing to turn
    assert_int_equal(lb_bones_step(bones, 1, 0, 0, 1e-3, NULL), LB_SUCCESS);
    assert_int_equal(lb_bones_step(bones, 1, 1, 0, 1e-3, NULL), LB_FAILURE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_end),           cmocka_unit_test(test_two_bones_step_by_step),
        cmocka_unit_test(test_never_farther), cmocka_unit_test(test_reaches),
        cmocka_unit_test(test_lock),          cmocka_unit_test(test_out_of_reach),
        cmocka_unit_test(test_not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
