/* test_two_link.c - arms of two links in the plane: where their angles bring them, by libm. */
#include "support.h"

#include <limber/two_bone.h>

/* where the arm ends, by libm */
static void end_of(double first, double second, const double angles[2], double *x, double *y)
{
    *x = first * cos(angles[0]) + second * cos(angles[0] + angles[1]);
    *y = first * sin(angles[0]) + second * sin(angles[0] + angles[1]);
}

static double miss(double first, double second, double x, double y, int bend)
{
    double angles[2], ex, ey;
    assert_near(lb_two_link_solve(first, second, x, y, bend, angles), 0, 0);
    assert_true(bend > 0 ? angles[1] >= 0 : angles[1] <= 0);
    end_of(first, second, angles, &ex, &ey);
    return sqrt((ex - x) * (ex - x) + (ey - y) * (ey - y));
}

/* both solutions of a million goals arrive to 1e-14 of the reach */
TEST(test_million_goals)
{
    lb_random random = test_seed(1);
    double worst = 0;
    for (int k = 0; k < 1000000; k++) {
        double first = lb_random_between(&random, 0.01, 2);
        double second = k % 10 ? lb_random_between(&random, 0.01, 2) : first;
        double far = first + second, near = fabs(first - second);
        // now anywhere, now as good as straight, now as good as folded
        double share = lb_random_unit(&random);
        share = k % 3 == 0 ? share : k % 3 == 1 ? 1 - 1e-9 * share : 1e-9 * share;
        double d = near + (far - near) * share, ahead = lb_random_between(&random, -LB_PI, LB_PI);
        double x = d * cos(ahead), y = d * sin(ahead);
        d = sqrt(x * x + y * y);
        if (d > far || d < near)
            continue;
        worst = fmax(worst, miss(first, second, x, y, 1) / far);
        worst = fmax(worst, miss(first, second, x, y, -1) / far);
    }
    print_message("worst miss: %.3g of the reach\n", worst);
    assert_true(worst <= 1e-14);
}

/* the same angles in any unit, as far as there are numbers for it */
TEST(test_units)
{
    const double units[] = {0x1p-1060, 0x1p-600, 0x1p-30, 0x1p30, 0x1p600, 0x1p1020};
    const double targets[][2] = {{0.75, 0.5}, {-1.5, 0.25}, {3, -1}, {0.0625, 0}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
            double angles[2], scaled[2], u = units[i], x = targets[k][0], y = targets[k][1];
            double beyond = lb_two_link_solve(1, 0.75, x, y, 1, angles);
            double other = lb_two_link_solve(u, 0.75 * u, x * u, y * u, 1, scaled);
            assert_memory_equal(scaled, angles, sizeof angles);
            assert_near(other / u, beyond, 1e-4 * fabs(beyond));
        }
}

/* Fig. 5.15 on an arm whose angles can be had by hand */
TEST(test_by_hand)
{
    double angles[2];
    lb_two_link_solve(1, 1, 1, 1, 1, angles);
    assert_near(angles[0], 0, 1e-15);
    assert_near(angles[1], LB_PI / 2, 1e-15);
    lb_two_link_solve(1, 1, 1, 1, -1, angles);
    assert_near(angles[0], LB_PI / 2, 1e-15);
    assert_near(angles[1], -LB_PI / 2, 1e-15);
}

static void assert_nearest(double first, double second, double x, double y, double beyond)
{
    for (int bend = -1; bend <= 1; bend += 2) {
        double angles[2], ex, ey;
        assert_near(lb_two_link_solve(first, second, x, y, bend, angles), beyond, 1e-15);
        end_of(first, second, angles, &ex, &ey);
        assert_near(sqrt((ex - x) * (ex - x) + (ey - y) * (ey - y)), fabs(beyond), 2e-15);
    }
}

/* goals outside of the annulus, and links of no length */
TEST(test_nearest)
{
    assert_nearest(1, 0.5, 3, 0, 1.5);
    assert_nearest(1, 0.5, 0, -2, 0.5);
    assert_nearest(0.5, 1, 1.2, 1.6, 0.5);
    assert_nearest(1, 0.4, 0.1, 0, -0.5);
    assert_nearest(0.4, 1, 0, 0.1, -0.5);
    assert_nearest(0.4, 1, 0, 0, -0.6);
    assert_nearest(1, 1, 0, 0, 0);
    assert_nearest(1, 0, 0, 2, 1);
    assert_nearest(1, 0, 0, 0.25, -0.75);
    assert_nearest(0, 1, -0.5, 0, -0.5);
    assert_nearest(0, 1, 0, -1, 0);
    assert_nearest(0, 0, 0, 0, 0);
    assert_nearest(0, 0, 3, 4, 5);
}

TEST(test_not_finite)
{
    double angles[2] = {1, 1};
    const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++) {
        assert_true(isnan(lb_two_link_solve(bad[k], 1, 1, 1, 1, angles)));
        assert_true(isnan(lb_two_link_solve(1, bad[k], 1, 1, 1, angles)));
        assert_true(isnan(lb_two_link_solve(1, 1, bad[k], 1, 1, angles)));
        assert_true(isnan(lb_two_link_solve(1, 1, 1, bad[k], 1, angles)));
        assert_near(angles[0], 0, 0);
        assert_near(angles[1], 0, 0);
    }
    assert_true(isnan(lb_two_link_solve(-1, 1, 1, 1, 1, angles)));
}
