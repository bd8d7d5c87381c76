/*
 * bilinear.inl - the entry points of bilinear.h for one width.
 *
 * A step predicts by the path's Taylor series, whose coefficients follow one after the other from
 * one factored Jacobian, the equations being quadratic, and corrects by Newton's method. Its length
 * is bounded by the series' last term and by the ratio of the last two, which estimates the
 * nearest singularity (Fabry; Telen, Van Barel, Verschelde 2020). The Jacobian of the corrected
 * point serves the next series, so a step costs one factoring; after a step that is refused the
 * series stays.
 */
#ifndef KERNEL_BILINEAR_INL
#define KERNEL_BILINEAR_INL

#include "kernel/bilinear.h"
#include "simd/complex.inl"

typedef complex_lane bilinear_row[BILINEAR_UNKNOWNS];

/* The paths in all lanes. */
typedef struct bilinear_tracker {
    complex_lane form[BILINEAR_UNKNOWNS][BILINEAR_TERMS][BILINEAR_TERMS]; /* at `to` */
    /* the factored Jacobian: multipliers below inverse pivots, and which rows were exchanged */
    bilinear_row lu[BILINEAR_UNKNOWNS];
    lane_mask exchanged[BILINEAR_UNKNOWNS][BILINEAR_UNKNOWNS];
    lane pivot;                              /* squared: the smallest over the largest */
    bilinear_row series[BILINEAR_ORDER + 1]; /* at t; the first row is the point */
    bilinear_row point, f;
    lane t, to;
    lane reach, shrink; /* the step that the series allows, and how much of it is taken */
    int path[LANE_WIDTH], steps[LANE_WIDTH]; /* path -1: none */
    int next;
} bilinear_tracker;

/* ---- the equations -------------------------------------------------------- */

/* x + a b */
LANE_INLINE complex_lane complex_gather(complex_lane x, complex_lane a, complex_lane b)
{
    return (complex_lane){x.re + (a.re * b.re - a.im * b.im), x.im + (a.re * b.im + a.im * b.re)};
}

LANE_SHARED void bilinear_form_at(const kernel_bilinear *s, const int n, bilinear_tracker *w)
{
    for (int e = 0; e < 2 * n; e++)
        for (int i = 0; i <= n; i++)
            for (int j = 0; j <= n; j++) {
                kernel_complex from = s->start[e][i][j], by = s->rise[e][i][j];
                w->form[e][i][j] = (complex_lane){from.x + w->to * by.x, from.y + w->to * by.y};
            }
}

/* the equations' values at w->point, and on request their derivatives */
LANE_SHARED void bilinear_values(bilinear_tracker *w, const int n, bool derive)
{
    const complex_lane *y = w->point, *z = w->point + n;
    for (int e = 0; e < 2 * n; e++) {
        for (int i = 0; i <= n; i++) {
            complex_lane row = w->form[e][i][0];
            for (int j = 1; j <= n; j++)
                row = complex_gather(row, w->form[e][i][j], z[j - 1]);
            w->f[e] = i == 0 ? row : complex_gather(w->f[e], row, y[i - 1]);
            if (derive && i > 0)
                w->lu[e][i - 1] = row;
        }
        for (int j = 1; derive && j <= n; j++) {
            complex_lane column = w->form[e][0][j];
            for (int i = 1; i <= n; i++)
                column = complex_gather(column, w->form[e][i][j], y[i - 1]);
            w->lu[e][n + j - 1] = column;
        }
    }
}

/* ---- linear systems --------------------------------------------------------- */

/* Gaussian elimination of w->lu; rows are exchanged whole, where that doubles a pivot or more */
LANE_SHARED void bilinear_factor(bilinear_tracker *w, const int n)
{
    lane least = lane_set(0), most = least;
    for (int k = 0; k < 2 * n; k++) {
        lane best = complex_square(w->lu[k][k]);
        for (int i = k + 1; i < 2 * n; i++) {
            lane here = complex_square(w->lu[i][k]);
            lane_mask exchange = w->exchanged[k][i] = lane_gt(here, best * 4);
            best = lane_select(exchange, here, best);
            if (mask_none(exchange))
                continue;
            for (int j = 0; j < 2 * n; j++) {
                complex_lane high = w->lu[k][j], low = w->lu[i][j];
                w->lu[k][j] = complex_select(exchange, low, high);
                w->lu[i][j] = complex_select(exchange, high, low);
            }
        }
        least = k == 0 ? best : lane_min(least, best);
        most = lane_max(most, best);
        complex_lane over = w->lu[k][k] = complex_invert(w->lu[k][k]);
        for (int i = k + 1; i < 2 * n; i++) {
            complex_lane factor = w->lu[i][k] = complex_multiply(w->lu[i][k], over);
            for (int j = k + 1; j < 2 * n; j++)
                w->lu[i][j] = complex_sub(w->lu[i][j], complex_multiply(factor, w->lu[k][j]));
        }
    }
    w->pivot = least / most;
}

LANE_SHARED void bilinear_solve(const bilinear_tracker *w, const int n, complex_lane *b)
{
    for (int k = 0; k < 2 * n; k++)
        for (int i = k + 1; i < 2 * n; i++) {
            complex_lane high = b[k], low = b[i];
            b[k] = complex_select(w->exchanged[k][i], low, high);
            b[i] = complex_select(w->exchanged[k][i], high, low);
        }
    for (int i = 1; i < 2 * n; i++)
        for (int j = 0; j < i; j++)
            b[i] = complex_sub(b[i], complex_multiply(w->lu[i][j], b[j]));
    for (int i = 2 * n; i-- > 0;) {
        for (int j = i + 1; j < 2 * n; j++)
            b[i] = complex_sub(b[i], complex_multiply(w->lu[i][j], b[j]));
        b[i] = complex_multiply(b[i], w->lu[i][i]);
    }
}

/* the largest of squares */
LANE_INLINE lane bilinear_size(const complex_lane *x, const int n)
{
    lane size = complex_square(x[0]);
    for (int i = 1; i < 2 * n; i++)
        size = lane_max(size, complex_square(x[i]));
    return size;
}

/* ---- the series --------------------------------------------------------------- */

/* coefficient k of y_i z_j as far as coefficients up to `last` of both make it */
LANE_INLINE complex_lane bilinear_product(const bilinear_tracker *w, const int n, int i, int j,
                                          int k, int last)
{
    complex_lane sum = complex_set(0, 0);
    for (int a = k - last; a <= last; a++)
        sum = complex_gather(sum, w->series[a][i - 1], w->series[k - a][n + j - 1]);
    return sum;
}

/* coefficient k - 1 of y_i z_j */
LANE_INLINE complex_lane bilinear_before(const bilinear_tracker *w, const int n, int i, int j,
                                         int k)
{
    if (i > 0 && j > 0)
        return bilinear_product(w, n, i, j, k - 1, k - 1);
    return i > 0   ? w->series[k - 1][i - 1]
           : j > 0 ? w->series[k - 1][n + j - 1]
                   : complex_set(k == 1, 0);
}

/* coefficient k of the path, where `wanted`: minus the inverse Jacobian times what the others make
   of the equations' coefficient k */
LANE_SHARED void bilinear_extend(const kernel_bilinear *s, const int n, bilinear_tracker *w,
                                 const int k, lane_mask wanted)
{
    for (int e = 0; e < 2 * n; e++)
        w->f[e] = complex_set(0, 0);
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            complex_lane before = bilinear_before(w, n, i, j, k), now = before;
            bool mixed = k > 1 && i > 0 && j > 0;
            if (mixed)
                now = bilinear_product(w, n, i, j, k, k - 1);
            for (int e = 0; e < 2 * n; e++) {
                kernel_complex by = s->rise[e][i][j];
                w->f[e] = complex_gather(w->f[e], complex_set(by.x, by.y), before);
                if (mixed)
                    w->f[e] = complex_gather(w->f[e], w->form[e][i][j], now);
            }
        }
    bilinear_solve(w, n, w->f);
    for (int i = 0; i < 2 * n; i++)
        w->series[k][i] =
            complex_select(wanted, (complex_lane){-w->f[i].re, -w->f[i].im}, w->series[k][i]);
}

/* how far the series may be trusted */
LANE_INLINE lane bilinear_reach(const bilinear_tracker *w, const kernel_care *care, const int n)
{
    // what is below 1e-2 counts as that: turns are of size 1
    lane size = bilinear_size(w->series[0], n) + 1e-4;
    lane before = bilinear_size(w->series[BILINEAR_ORDER - 1], n) + DBL_MIN;
    lane last = bilinear_size(w->series[BILINEAR_ORDER], n) + DBL_MIN;
    lane root = lane_sqrt(lane_sqrt(lane_sqrt(size / last * (care->tolerance * care->tolerance))));
    return lane_min(root, lane_sqrt(before / last) * care->share);
}

/* ---- paths -------------------------------------------------------------------- */

/* gives free lanes the next paths; false: no path is left in any */
static bool bilinear_refill(bilinear_tracker *w, const int n, const kernel_path *paths, int count)
{
    bool busy = false;
    for (int l = 0; l < LANE_WIDTH; l++) {
        if (w->path[l] < 0 && w->next < count) {
            const kernel_path *path = &paths[w->path[l] = w->next++];
            w->steps[l] = 0;
            lane_put(&w->t, l, 0);
            lane_put(&w->reach, l, 0);
            lane_put(&w->shrink, l, 1);
            for (int i = 0; i < 2 * n; i++) {
                lane_put(&w->series[0][i].re, l, path->at[i].x);
                lane_put(&w->series[0][i].im, l, path->at[i].y);
                for (int k = 1; k <= BILINEAR_ORDER; k++) {
                    lane_put(&w->series[k][i].re, l, 0);
                    lane_put(&w->series[k][i].im, l, 0);
                }
            }
        }
        busy = busy || w->path[l] >= 0;
    }
    return busy;
}

/* hands back the paths of lanes that have arrived, or go no farther */
static void bilinear_retire(bilinear_tracker *w, const int n, const kernel_care *care,
                            unsigned arrived, kernel_path *paths)
{
    // steps of 1e-13 are rounding of t; squares of 1e3 and 1e7
    const double least_step = 1e-13, near_end = 1e-7, near_huge = 1e-2, large = 1e6, huge = 1e14;
    lane size = bilinear_size(w->series[0], n);
    for (int l = 0; l < LANE_WIDTH; l++) {
        if (w->path[l] < 0)
            continue;
        bool done = arrived >> l & 1;
        double far = lane_get(&size, l), left = 1 - lane_get(&w->t, l);
        double step = lane_get(&w->reach, l) * lane_get(&w->shrink, l);
        bool brief = left > 0 && !(step > least_step);
        bool singular = left < near_end ? far > large || brief : left < near_huge && far > huge;
        w->steps[l]++;
        if (!done && !singular && !brief && far < huge && w->steps[l] < care->steps)
            continue;
        kernel_path *path = &paths[w->path[l]];
        path->end = done ? PATH_ARRIVED : singular ? PATH_SINGULAR : PATH_LOST;
        path->pivot = __builtin_sqrt(lane_get(&w->pivot, l));
        for (int i = 0; i < 2 * n; i++)
            path->at[i] = (kernel_complex){lane_get(&w->series[0][i].re, l),
                                           lane_get(&w->series[0][i].im, l)};
        w->path[l] = -1;
    }
}

/* one step in all lanes: which of them have arrived */
LANE_SHARED unsigned bilinear_step(const kernel_bilinear *s, const int n, const kernel_care *care,
                                   bilinear_tracker *w)
{
    // predict; a path's first step has no length and makes its series
    lane h = w->reach * w->shrink;
    lane_mask last = lane_ge(h, 1 - w->t);
    h = lane_select(last, 1 - w->t, h);
    w->to = lane_select(last, lane_set(1), w->t + h);
    for (int i = 0; i < 2 * n; i++) {
        w->point[i] = w->series[BILINEAR_ORDER][i];
        for (int k = BILINEAR_ORDER; k-- > 0;)
            w->point[i] = complex_add(complex_scale(w->point[i], h), w->series[k][i]);
    }

    // correct twice by one Jacobian
    lane size = bilinear_size(w->series[0], n) + 1e-4, corrected[2];
    bilinear_form_at(s, n, w);
    for (int pass = 0; pass < 2; pass++) {
        bilinear_values(w, n, pass == 0);
        if (pass == 0)
            bilinear_factor(w, n);
        bilinear_solve(w, n, w->f);
        corrected[pass] = bilinear_size(w->f, n);
        for (int i = 0; i < 2 * n; i++)
            w->point[i] = complex_sub(w->point[i], w->f[i]);
    }

    // accepted if Newton's method contracts by 20, or to rounding
    const double contracts = 1.0 / (20 * 20), rounding = 1e-22;
    lane_mask good = mask_and(lane_lt(corrected[0], size * (care->accepted * care->accepted)),
                              lane_lt(corrected[1], corrected[0] * contracts + size * rounding));
    w->shrink = lane_select(good, lane_min(w->shrink * 2, lane_set(1)), w->shrink * 0.4);
    w->t = lane_select(good, w->to, w->t);
    for (int i = 0; i < 2 * n; i++)
        w->series[0][i] = complex_select(good, w->point[i], w->series[0][i]);
    for (int k = 1; k <= BILINEAR_ORDER; k++)
        bilinear_extend(s, n, w, k, good);
    w->reach = lane_select(good, bilinear_reach(w, care, n), w->reach);
    lane_mask settled = lane_lt(corrected[1], size * 1e-20);
    return mask_bits(mask_and(mask_and(good, settled), lane_eq(w->t, lane_set(1))));
}

LANE_SHARED void bilinear_track_of(const kernel_bilinear *s, const int n, const kernel_care *care,
                                   kernel_path *paths, int count)
{
    bilinear_tracker w;
    memset(&w, 0, sizeof w);
    for (int l = 0; l < LANE_WIDTH; l++)
        w.path[l] = -1;
    while (bilinear_refill(&w, n, paths, count))
        bilinear_retire(&w, n, care, bilinear_step(s, n, care, &w), paths);
}

static void bilinear_track(const kernel_bilinear *s, const kernel_care *care, kernel_path *paths,
                           int count)
{
#ifdef LIMBER_SMALL
    bilinear_track_of(s, s->n, care, paths, count);
#else
    // an instance for each number of unknowns, whose loops have known lengths
    if (s->n == 2)
        bilinear_track_of(s, 2, care, paths, count);
    else
        bilinear_track_of(s, 3, care, paths, count);
#endif
}

extern const kernel_bilinear_ops KERNEL_NAME(bilinear);

const kernel_bilinear_ops KERNEL_NAME(bilinear) = {
    .width = LANE_WIDTH,
    .track = bilinear_track,
};

#endif
