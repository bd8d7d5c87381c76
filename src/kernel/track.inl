/*
 * track.inl - the entry points of track.h for one width.
 *
 * A step predicts by the path's Taylor series, whose coefficients follow one after the other from
 * one factored Jacobian, the equations being quadratic, and corrects by Newton's method. Its length
 * is bounded by the series' last term and by the ratio of the last two, which estimates the
 * nearest singularity (Fabry; Telen, Van Barel, Verschelde 2020). The Jacobian of the corrected
 * point serves the next series, so a step costs one factoring; after a step that is refused the
 * series stays.
 */
#ifndef KERNEL_TRACK_INL
#define KERNEL_TRACK_INL

#include "kernel/track.h"
#include "simd/complex.inl"

typedef complex_lane track_row[TRACK_UNKNOWNS];

typedef struct bilinear_lanes {
    complex_lane form[BILINEAR_UNKNOWNS][BILINEAR_TERMS][BILINEAR_TERMS]; /* at `to` */
} bilinear_lanes;

/* Parameters at `to`, the series of e, g and each leg's v, and a coefficient of that of e.e. */
typedef struct platform_lanes {
    complex_lane legs[PLATFORM_LEGS][PLATFORM_TERMS], square, ee;
    complex_lane e[TRACK_ORDER + 1][4], g[TRACK_ORDER + 1][4];
    complex_lane v[PLATFORM_LEGS][TRACK_ORDER + 1][4];
} platform_lanes;

typedef struct track_lanes {
    /* the factored Jacobian: multipliers below inverse pivots, and which rows were exchanged */
    track_row lu[TRACK_UNKNOWNS];
    lane_mask exchanged[TRACK_UNKNOWNS][TRACK_UNKNOWNS];
    lane pivot;                        /* squared: the smallest over the largest */
    track_row series[TRACK_ORDER + 1]; /* at t; the first row is the point */
    track_row point, f;
    lane t, to;
    lane reach, shrink; /* the step that the series allows, and how much of it is taken */
    int path[LANE_WIDTH], steps[LANE_WIDTH]; /* path -1: none */
    int next;
    union {
        bilinear_lanes bilinear;
        platform_lanes platform;
    };
} track_lanes;

/* x + a b */
LANE_INLINE complex_lane complex_gather(complex_lane x, complex_lane a, complex_lane b)
{
    return (complex_lane){x.re + (a.re * b.re - a.im * b.im), x.im + (a.re * b.im + a.im * b.re)};
}

#include "kernel/bilinear.inl"
#include "kernel/platform.inl"

/* One of the two, and how many unknowns; a constant where it is used. */
typedef struct track_equations {
    int n;
    const kernel_bilinear *bilinear;
    const kernel_platform *platform;
} track_equations;

/* ---- linear systems --------------------------------------------------------- */

/* Gaussian elimination of w->lu; rows are exchanged whole, where that doubles a pivot or more */
LANE_SHARED void track_factor(track_lanes *w, const int n)
{
    lane least = lane_set(0), most = least;
    for (int k = 0; k < n; k++) {
        lane best = complex_square(w->lu[k][k]);
        for (int i = k + 1; i < n; i++) {
            lane here = complex_square(w->lu[i][k]);
            lane_mask exchange = w->exchanged[k][i] = lane_gt(here, best * 4);
            best = lane_select(exchange, here, best);
            if (mask_none(exchange))
                continue;
            for (int j = 0; j < n; j++) {
                complex_lane high = w->lu[k][j], low = w->lu[i][j];
                w->lu[k][j] = complex_select(exchange, low, high);
                w->lu[i][j] = complex_select(exchange, high, low);
            }
        }
        least = k == 0 ? best : lane_min(least, best);
        most = lane_max(most, best);
        complex_lane over = w->lu[k][k] = complex_invert(w->lu[k][k]);
        for (int i = k + 1; i < n; i++) {
            complex_lane factor = w->lu[i][k] = complex_multiply(w->lu[i][k], over);
            for (int j = k + 1; j < n; j++)
                w->lu[i][j] = complex_sub(w->lu[i][j], complex_multiply(factor, w->lu[k][j]));
        }
    }
    w->pivot = least / most;
}

LANE_SHARED void track_solve(const track_lanes *w, const int n, complex_lane *b)
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            complex_lane high = b[k], low = b[i];
            b[k] = complex_select(w->exchanged[k][i], low, high);
            b[i] = complex_select(w->exchanged[k][i], high, low);
        }
    for (int i = 1; i < n; i++)
        for (int j = 0; j < i; j++)
            b[i] = complex_sub(b[i], complex_multiply(w->lu[i][j], b[j]));
    for (int i = n; i-- > 0;) {
        for (int j = i + 1; j < n; j++)
            b[i] = complex_sub(b[i], complex_multiply(w->lu[i][j], b[j]));
        b[i] = complex_multiply(b[i], w->lu[i][i]);
    }
}

/* the largest of squares */
LANE_INLINE lane track_size(const complex_lane *x, const int n)
{
    lane size = complex_square(x[0]);
    for (int i = 1; i < n; i++)
        size = lane_max(size, complex_square(x[i]));
    return size;
}

/* ---- steps ------------------------------------------------------------------- */

/* coefficient k of the path, where `wanted`: minus the inverse Jacobian times what the others make
   of the equations' coefficient k */
LANE_SHARED void track_extend(const track_equations s, track_lanes *w, const int k,
                              lane_mask wanted)
{
    if (s.bilinear)
        bilinear_extend(s.bilinear, s.n / 2, w, k);
    else
        platform_extend(s.platform, w, k);
    track_solve(w, s.n, w->f);
    for (int i = 0; i < s.n; i++)
        w->series[k][i] =
            complex_select(wanted, (complex_lane){-w->f[i].re, -w->f[i].im}, w->series[k][i]);
}

/* how far the series may be trusted */
LANE_INLINE lane track_reach(const track_lanes *w, const kernel_care *care, const int n)
{
    // what is below 1e-2 counts as that: turns are of size 1
    lane size = track_size(w->series[0], n) + 1e-4;
    lane before = track_size(w->series[TRACK_ORDER - 1], n) + DBL_MIN;
    lane last = track_size(w->series[TRACK_ORDER], n) + DBL_MIN;
    lane root = lane_sqrt(lane_sqrt(lane_sqrt(size / last * (care->tolerance * care->tolerance))));
    return lane_min(root, lane_sqrt(before / last) * care->share);
}

/* ---- paths -------------------------------------------------------------------- */

/* gives free lanes the next paths; false: no path is left in any */
static bool track_refill(track_lanes *w, const int n, const kernel_path *paths, int count)
{
    bool busy = false;
    for (int l = 0; l < LANE_WIDTH; l++) {
        if (w->path[l] < 0 && w->next < count) {
            const kernel_path *path = &paths[w->path[l] = w->next++];
            w->steps[l] = 0;
            lane_put(&w->t, l, 0);
            lane_put(&w->reach, l, 0);
            lane_put(&w->shrink, l, 1);
            for (int i = 0; i < n; i++) {
                lane_put(&w->series[0][i].re, l, path->at[i].x);
                lane_put(&w->series[0][i].im, l, path->at[i].y);
                for (int k = 1; k <= TRACK_ORDER; k++) {
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
static void track_retire(track_lanes *w, const int n, const kernel_care *care, unsigned arrived,
                         kernel_path *paths)
{
    // steps of 1e-13 are rounding of t; squares of 1e3 and 1e7; eight steps refused in a row
    const double least_step = 1e-13, near_end = 1e-7, near_huge = 1e-2, large = 1e6, huge = 1e14;
    const double near_stuck = 1e-4, least_shrink = 1e-3;
    lane size = track_size(w->series[0], n);
    for (int l = 0; l < LANE_WIDTH; l++) {
        if (w->path[l] < 0)
            continue;
        bool done = arrived >> l & 1;
        double far = lane_get(&size, l), left = 1 - lane_get(&w->t, l);
        double step = lane_get(&w->reach, l) * lane_get(&w->shrink, l);
        bool brief = left > 0 && !(step > least_step);
        bool stuck = left < near_stuck && lane_get(&w->shrink, l) < least_shrink;
        bool singular = left < near_end ? far > large || brief : left < near_huge && far > huge;
        singular = singular || stuck;
        w->steps[l]++;
        if (!done && !singular && !brief && far < huge && w->steps[l] < care->steps)
            continue;
        kernel_path *path = &paths[w->path[l]];
        path->end = done ? PATH_ARRIVED : singular ? PATH_SINGULAR : PATH_LOST;
        path->pivot = __builtin_sqrt(lane_get(&w->pivot, l));
        for (int i = 0; i < n; i++)
            path->at[i] = (kernel_complex){lane_get(&w->series[0][i].re, l),
                                           lane_get(&w->series[0][i].im, l)};
        w->path[l] = -1;
    }
}

/* one step in all lanes: which of them have arrived */
LANE_SHARED unsigned track_step(const track_equations s, const kernel_care *care, track_lanes *w)

{
    const int n = s.n;

    // predict; a path's first step has no length and makes its series
    lane h = w->reach * w->shrink;
    lane_mask last = lane_ge(h, 1 - w->t);
    h = lane_select(last, 1 - w->t, h);
    w->to = lane_select(last, lane_set(1), w->t + h);
    for (int i = 0; i < n; i++) {
        w->point[i] = w->series[TRACK_ORDER][i];
        for (int k = TRACK_ORDER; k-- > 0;)
            w->point[i] = complex_add(complex_scale(w->point[i], h), w->series[k][i]);
    }

    // correct twice by one Jacobian
    lane size = track_size(w->series[0], n) + 1e-4, corrected[2];
    if (s.bilinear)
        bilinear_at(s.bilinear, n / 2, w);
    else
        platform_at(s.platform, w);
    for (int pass = 0; pass < 2; pass++) {
        if (s.bilinear)
            bilinear_values(w, n / 2, pass == 0);
        else
            platform_values(s.platform, w, pass == 0);
        if (pass == 0)
            track_factor(w, n);
        track_solve(w, n, w->f);
        corrected[pass] = track_size(w->f, n);
        for (int i = 0; i < n; i++)
            w->point[i] = complex_sub(w->point[i], w->f[i]);
    }

    // accepted if Newton's method contracts by 20, or to rounding
    const double contracts = 1.0 / (20 * 20), rounding = 1e-22;
    lane_mask good = mask_and(lane_lt(corrected[0], size * (care->accepted * care->accepted)),
                              lane_lt(corrected[1], corrected[0] * contracts + size * rounding));
    w->shrink = lane_select(good, lane_min(w->shrink * 2, lane_set(1)), w->shrink * 0.4);
    w->t = lane_select(good, w->to, w->t);
    for (int i = 0; i < n; i++)
        w->series[0][i] = complex_select(good, w->point[i], w->series[0][i]);
    for (int k = 1; k <= TRACK_ORDER; k++)
        track_extend(s, w, k, good);
    w->reach = lane_select(good, track_reach(w, care, n), w->reach);
    lane_mask settled = lane_lt(corrected[1], size * 1e-20);
    return mask_bits(mask_and(mask_and(good, settled), lane_eq(w->t, lane_set(1))));
}

LANE_SHARED void track_of(const track_equations s, const kernel_care *care, kernel_path *paths,
                          int count)
{
    track_lanes w;
    memset(&w, 0, sizeof w);
    for (int l = 0; l < LANE_WIDTH; l++)
        w.path[l] = -1;
    while (track_refill(&w, s.n, paths, count))
        track_retire(&w, s.n, care, track_step(s, care, &w), paths);
}

/* an instance for each number of unknowns, whose loops have known lengths */

static void track_bilinear(const kernel_bilinear *s, const kernel_care *care, kernel_path *paths,
                           int count)
{
#ifdef LIMBER_SMALL
    track_of((track_equations){2 * s->n, s, NULL}, care, paths, count);
#else
    if (s->n == 2)
        track_of((track_equations){4, s, NULL}, care, paths, count);
    else
        track_of((track_equations){6, s, NULL}, care, paths, count);
#endif
}

static void track_platform(const kernel_platform *s, const kernel_care *care, kernel_path *paths,
                           int count)
{
    track_of((track_equations){PLATFORM_UNKNOWNS, NULL, s}, care, paths, count);
}

extern const kernel_track_ops KERNEL_NAME(track);

const kernel_track_ops KERNEL_NAME(track) = {
    .width = LANE_WIDTH,
    .bilinear = track_bilinear,
    .platform = track_platform,
};

#endif
