/*
 * test_bilinear.c - roots of bilinear equations by tracking, against their equations and counts.
 *
 * From a product of linear forms, half of which vanish at each start. Random equations have 6 or 20
 * roots, all finite.
 */
#include "kernel/track.h"
#include "support.h"

#include <complex.h>

typedef double complex number;

static number value(kernel_complex z)
{
    return z.x + z.y * I;
}

static kernel_complex made(number z)
{
    return (kernel_complex){creal(z), cimag(z)};
}

static number draw(lb_random *random)
{
    double x = lb_random_between(random, -1, 1);
    return x + lb_random_between(random, -1, 1) * I;
}

/* ---- starts ----------------------------------------------------------------- */

/* a x = b by Gauss and Jordan's elimination; b becomes x */
static void solve(int n, number a[3][3], number *b)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            best = cabs(a[i][k]) > cabs(a[best][k]) ? i : best;
        number kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int j = 0; j < n; j++) {
            kept = a[k][j];
            a[k][j] = a[best][j];
            a[best][j] = kept;
        }
        for (int i = 0; i < n; i++) {
            number factor = a[i][k] / a[k][k];
            for (int j = 0; j < n && i != k; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= i == k ? 0 : factor * b[k];
        }
    }
    for (int i = 0; i < n; i++)
        b[i] /= a[i][i];
}

/* where the forms whose bits are `bit` in the set vanish */
static void vanish(int n, number forms[6][4], int set, int bit, kernel_complex *out)
{
    number a[3][3], b[3];
    int row = 0;
    for (int k = 0; k < 2 * n; k++) {
        if ((set >> k & 1) != bit)
            continue;
        for (int i = 0; i < n; i++)
            a[row][i] = forms[k][i + 1];
        b[row++] = -forms[k][0];
    }
    solve(n, a, b);
    for (int i = 0; i < n; i++)
        out[i] = made(b[i]);
}

/* random equations, and a start's paths; returns how many */
static int draw_system(lb_random *random, int n, kernel_bilinear *s, kernel_path *paths)
{
    number first[6][4], second[6][4];
    int count = 0;
    memset(s, 0, sizeof *s);
    s->n = n;
    for (int k = 0; k < 2 * n; k++)
        for (int i = 0; i <= n; i++) {
            first[k][i] = draw(random);
            second[k][i] = draw(random);
        }
    for (int k = 0; k < 2 * n; k++)
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) {
                number from = first[k][i] * second[k][j];
                s->start[k][i][j] = made(from);
                s->rise[k][i][j] = made(draw(random) - from);
            }
    for (int set = 0; set < 1 << 2 * n; set++) {
        int bits = 0;
        for (int k = 0; k < 2 * n; k++)
            bits += set >> k & 1;
        if (bits != n)
            continue;
        vanish(n, first, set, 1, paths[count].at);
        vanish(n, second, set, 0, paths[count++].at + n);
    }
    return count;
}

/* the largest of the equations' values at t = 1 */
static double residual(const kernel_bilinear *s, const kernel_path *path)
{
    double most = 0;
    for (int k = 0; k < 2 * s->n; k++) {
        number sum = 0;
        for (int i = 0; i <= s->n; i++)
            for (int j = 0; j <= s->n; j++) {
                number y = i > 0 ? value(path->at[i - 1]) : 1;
                number z = j > 0 ? value(path->at[s->n + j - 1]) : 1;
                sum += (value(s->start[k][i][j]) + value(s->rise[k][i][j])) * y * z;
            }
        most = fmax(most, cabs(sum));
    }
    return most;
}

static double size_of(const kernel_path *p, int n)
{
    double most = 1;
    for (int i = 0; i < 2 * n; i++)
        most = fmax(most, cabs(value(p->at[i])));
    return most;
}

static double distance(const kernel_path *p, const kernel_path *q, int n)
{
    double most = 0;
    for (int i = 0; i < 2 * n; i++)
        most = fmax(most, cabs(value(p->at[i]) - value(q->at[i])));
    return most;
}

static const kernel_care careful = {1e-4, 0.01, 0.5, 2000};

TEST(every_root_is_found_once)
{
    lb_random random = test_seed(1);
    for (int c = 0; c < FEWER(200, 20); c++) {
        kernel_bilinear s;
        kernel_path paths[BILINEAR_PATHS];
        int n = 2 + c % 2, count = draw_system(&random, n, &s, paths);
        assert_int_equal(count, n == 2 ? 6 : 20);
        kernel_choose_track(0)->bilinear(&s, &careful, paths, count);
        for (int i = 0; i < count; i++) {
            double size = size_of(&paths[i], n);
            assert_int_equal(paths[i].end, PATH_ARRIVED);
            assert_true(residual(&s, &paths[i]) < 1e-11 * size * size);
            assert_true(paths[i].pivot > 0 && paths[i].pivot <= 1);
            for (int k = 0; k < i; k++)
                assert_true(distance(&paths[i], &paths[k], n) > 1e-6);
        }
    }
}

/* equations that are the sum of two have one root less each: y_1 is gone */
TEST(paths_to_infinity_are_told)
{
    lb_random random = test_seed(2);
    for (int c = 0; c < 20; c++) {
        kernel_bilinear s;
        kernel_path paths[BILINEAR_PATHS];
        int n = 2 + c % 2, count = draw_system(&random, n, &s, paths), infinite = 0;
        // the last equation has no term with y at t = 1: it is linear in z
        for (int i = 1; i <= n; i++)
            for (int j = 0; j <= n; j++) {
                kernel_complex from = s.start[0][i][j];
                s.rise[0][i][j] = (kernel_complex){-from.x, -from.y};
            }
        kernel_choose_track(0)->bilinear(&s, &careful, paths, count);
        for (int i = 0; i < count; i++) {
            infinite += paths[i].end == PATH_SINGULAR && size_of(&paths[i], n) > 100;
            assert_true(paths[i].end == PATH_SINGULAR || paths[i].end == PATH_ARRIVED);
        }
        // one group of unknowns has all of that equation
        assert_int_equal(count - infinite, n == 2 ? 3 : 10);
    }
}

TEST(every_width_gives_the_same_path_bits)
{
    const kernel_care quick = {1e-2, 0.05, 0.7, 400};
    lb_random random = test_seed(3);
    for (int c = 0; c < 40; c++) {
        kernel_bilinear s;
        kernel_path paths[BILINEAR_PATHS], first[BILINEAR_PATHS], start[BILINEAR_PATHS];
        int n = 2 + c % 2, count = draw_system(&random, n, &s, start);
        for (int width = 1; width <= 8; width *= 2) {
            memcpy(paths, start, sizeof paths);
            kernel_choose_track(width)->bilinear(&s, &quick, paths, count);
            if (width == 1)
                memcpy(first, paths, sizeof first);
            for (int i = 0; i < count; i++) {
                assert_int_equal(paths[i].end, first[i].end);
                assert_memory_equal(paths[i].at, first[i].at,
                                    sizeof(kernel_complex) * 2 * (size_t)n);
                assert_memory_equal(&paths[i].pivot, &first[i].pivot, sizeof(double));
            }
        }
    }
}
