/*
 * test_platform_paths.c - roots of a platform's equations by tracking, against the equations.
 *
 * A platform is drawn around one root; loops in the space of platforms lead from there to the
 * others (monodromy). There are 40, as Raghavan (1993) found.
 */
#include "kernel/track.h"
#include "support.h"

#include <complex.h>

typedef double complex number;

/* Of five legs difference, sum and square, and the first leg's square. */
typedef struct platform {
    number legs[PLATFORM_LEGS][7], square;
} platform;

static number draw(lb_random *random)
{
    double x = lb_random_between(random, -1, 1);
    return x + lb_random_between(random, -1, 1) * I;
}

static kernel_complex made(number z)
{
    return (kernel_complex){creal(z), cimag(z)};
}

static platform draw_platform(lb_random *random)
{
    platform p;
    for (int l = 0; l < PLATFORM_LEGS; l++)
        for (int i = 0; i < 7; i++)
            p.legs[l][i] = draw(random);
    p.square = draw(random);
    return p;
}

static kernel_platform line_between(const platform *from, const platform *to, const number *chart)
{
    kernel_platform s;
    for (int i = 0; i < 3; i++)
        s.chart[i] = made(chart[i]);
    for (int l = 0; l < PLATFORM_LEGS; l++)
        for (int i = 0; i < 7; i++) {
            s.start[l][i] = made(from->legs[l][i]);
            s.rise[l][i] = made(to->legs[l][i] - from->legs[l][i]);
        }
    s.start_square = made(from->square);
    s.rise_square = made(to->square - from->square);
    return s;
}

/* the product of quaternions */
static void multiply(const number *p, const number *q, number *out)
{
    out[0] = p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3];
    for (int i = 1; i < 4; i++) {
        int j = i % 3 + 1, k = j % 3 + 1;
        out[i] = p[0] * q[i] + p[i] * q[0] + p[j] * q[k] - p[k] * q[j];
    }
}

static number dot(const number *p, const number *q)
{
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
}

/* |g + e b - a e|^2 of a leg; of the first one, -1, |g|^2 */
static number leg_square(const platform *p, int leg, const number *e, const number *g)
{
    number sum[4] = {g[0], g[1], g[2], g[3]}, a[4] = {0}, b[4] = {0}, eb[4], ae[4];
    for (int i = 0; leg >= 0 && i < 3; i++) {
        a[1 + i] = (p->legs[leg][3 + i] - p->legs[leg][i]) / 2;
        b[1 + i] = (p->legs[leg][3 + i] + p->legs[leg][i]) / 2;
    }
    multiply(e, b, eb);
    multiply(a, e, ae);
    for (int i = 0; i < 4; i++)
        sum[i] += eb[i] - ae[i];
    return dot(sum, sum);
}

/* e and g of a root in its chart */
static void open_root(const kernel_path *path, const number *chart, number *e, number *g)
{
    e[0] = 1;
    for (int i = 0; i < 3; i++) {
        e[1 + i] = path->at[i].x + path->at[i].y * I;
        e[0] -= chart[i] * e[1 + i];
    }
    for (int i = 0; i < 4; i++)
        g[i] = path->at[3 + i].x + path->at[3 + i].y * I;
}

/* by how much the equations are missed, as a share of what they are made of */
static double residual(const platform *p, const kernel_path *path, const number *chart)
{
    number e[4], g[4];
    open_root(path, chart, e, g);
    double size = 1, most = cabs(dot(e, g));
    for (int i = 0; i < 4; i++)
        size += pow(cabs(e[i]) + cabs(g[i]), 2);
    for (int l = -1; l < PLATFORM_LEGS; l++) {
        number square = p->square + (l < 0 ? 0 : p->legs[l][6]);
        most = fmax(most, cabs(leg_square(p, l, e, g) - square * dot(e, e)));
    }
    return most / size;
}

/* a platform with a root that is drawn first, too */
static platform draw_around(lb_random *random, const number *chart, kernel_path *path)
{
    platform p = draw_platform(random);
    number e[4], g[4];
    for (int i = 0; i < PLATFORM_UNKNOWNS; i++)
        path->at[i] = made(draw(random));
    open_root(path, chart, e, g);
    g[0] = -(e[1] * g[1] + e[2] * g[2] + e[3] * g[3]) / e[0];
    path->at[3] = made(g[0]);
    p.square = dot(g, g) / dot(e, e);
    for (int l = 0; l < PLATFORM_LEGS; l++)
        p.legs[l][6] = leg_square(&p, l, e, g) / dot(e, e) - p.square;
    return p;
}

static bool is_known(const kernel_path *paths, int count, const kernel_path *path)
{
    for (int k = 0; k < count; k++) {
        double apart = 0;
        for (int i = 0; i < PLATFORM_UNKNOWNS; i++)
            apart = fmax(apart,
                         hypot(paths[k].at[i].x - path->at[i].x, paths[k].at[i].y - path->at[i].y));
        if (apart < 1e-6)
            return true;
    }
    return false;
}

static const kernel_care careful = {1e-4, 0.01, 0.5, 2000};

/* moves roots to those of another platform; returns how many arrive. Not all do where the line
   comes close to a platform with a double root */
static int lead(const platform *from, const platform *to, const number *chart, kernel_path *paths,
                int count)
{
    kernel_platform s = line_between(from, to, chart);
    int arrived = 0;
    kernel_choose_track(0)->platform(&s, &careful, paths, count);
    for (int i = 0; i < count; i++)
        if (paths[i].end == PATH_ARRIVED) {
            assert_true(residual(to, &paths[i], chart) < 1e-12);
            paths[arrived++] = paths[i];
        }
    assert_true(arrived >= count - 1);
    return arrived;
}

/* the roots of a drawn platform, from one of them by loops; returns how many */
static int find_roots(lb_random *random, const platform *p, const number *chart, int loops,
                      kernel_path *known)
{
    int count = 1;
    for (int loop = 0; loop < loops; loop++) {
        kernel_path paths[PLATFORM_PATHS + 1];
        platform second = draw_platform(random), third = draw_platform(random);
        memcpy(paths, known, sizeof *known * (size_t)count);
        int n = lead(p, &second, chart, paths, count);
        n = lead(&second, &third, chart, paths, n);
        n = lead(&third, p, chart, paths, n);
        for (int i = 0; i < n; i++)
            if (!is_known(known, count, &paths[i])) {
                assert_true(count < PLATFORM_PATHS);
                known[count++] = paths[i];
            }
    }
    return count;
}

TEST(a_platform_has_forty_roots)
{
    lb_random random = test_seed(1);
    for (int c = 0; c < FEWER(4, 1); c++) {
        kernel_path known[PLATFORM_PATHS];
        number chart[3] = {draw(&random), draw(&random), draw(&random)};
        platform p = draw_around(&random, chart, known);
        assert_int_equal(find_roots(&random, &p, chart, 15, known), PLATFORM_PATHS);
    }
}

/* to platforms at random, and to flat ones with coincident ends, where most go to infinity */
TEST(every_width_gives_the_same_platform_bits)
{
    const kernel_care quick = {1e-2, 0.05, 0.7, 400};
    lb_random random = test_seed(2);
    kernel_path known[PLATFORM_PATHS], first[PLATFORM_PATHS], paths[PLATFORM_PATHS];
    number chart[3] = {draw(&random), draw(&random), draw(&random)};
    platform p = draw_around(&random, chart, known);
    int count = find_roots(&random, &p, chart, 6, known), ends[PATH_LOST + 1] = {0};
    assert_true(count > 20);
    for (int c = 0; c < FEWER(20, 4); c++) {
        platform to = draw_platform(&random);
        for (int l = 0; c % 2 && l < PLATFORM_LEGS; l++) {
            to.legs[l][2] = to.legs[l][5] = 0;
            for (int i = 0; l % 2 && i < 6; i++)
                to.legs[l][i] = i < 3 ? 0 : to.legs[l - 1][i] - to.legs[l - 1][i - 3];
        }
        kernel_platform s = line_between(&p, &to, chart);
        for (int width = 1; width <= 8; width *= 2) {
            memcpy(paths, known, sizeof paths);
            kernel_choose_track(width)->platform(&s, &quick, paths, count);
            if (width == 1)
                memcpy(first, paths, sizeof first);
            for (int i = 0; i < count; i++) {
                ends[paths[i].end]++;
                assert_int_equal(paths[i].end, first[i].end);
                assert_memory_equal(paths[i].at, first[i].at,
                                    sizeof(kernel_complex) * PLATFORM_UNKNOWNS);
                assert_memory_equal(&paths[i].pivot, &first[i].pivot, sizeof(double));
            }
        }
    }
    assert_true(ends[PATH_ARRIVED] > 0 && ends[PATH_SINGULAR] > 0);
}
