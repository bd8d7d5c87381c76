/*
 * general.inl - the entry points of general.h for one width.
 */
#ifndef KERNEL_GENERAL_INL
#define KERNEL_GENERAL_INL

#include "simd/trig.inl"

#include "kernel/general_loop.inl"

/* a function of a resultant and its order: an instance for each order, whose loops have known
   lengths; one for both where size counts */
#ifdef LIMBER_SMALL
#define GENERAL_OF_ORDER(function, resultant, ...)                                                 \
    function(resultant, (resultant)->order, __VA_ARGS__)
#else
#define GENERAL_OF_ORDER(function, resultant, ...)                                                 \
    ((resultant)->order == 3 ? function(resultant, 3, __VA_ARGS__)                                 \
                             : function(resultant, 4, __VA_ARGS__))
#endif

static void general_combine(const double features[GENERAL_FEATURES][GENERAL_STRIDE],
                            const double combination[GENERAL_EQUATIONS][GENERAL_FEATURES],
                            double out[GENERAL_EQUATIONS][GENERAL_STRIDE])
{
    for (int t = 0; t < GENERAL_STRIDE; t += LANE_WIDTH) {
        lane sums[GENERAL_EQUATIONS];
        for (int e = 0; e < GENERAL_EQUATIONS; e++)
            sums[e] = lane_set(0);
        for (int k = 0; k < GENERAL_FEATURES; k++) {
            lane feature = lane_load(features[k] + t);
            for (int e = 0; e < GENERAL_EQUATIONS; e++)
                sums[e] += feature * combination[e][k];
        }
        for (int e = 0; e < GENERAL_EQUATIONS; e++)
            lane_store(out[e] + t, sums[e]);
    }
}

static void general_determinants(const kernel_resultant *resultant, const double *cosines,
                                 const double *sines, int count, double *values)
{
    for (int i = 0; i < count; i += LANE_WIDTH)
        GENERAL_OF_ORDER(determinants_of, resultant, cosines + i, sines + i, values + i);
}

/* sums by the recurrence cos(k x) + i sin(k x) = (cos x + i sin x)^k */
LANE_SHARED void series_lanes(const kernel_series *series, lane angle, int count, lane *out)
{
    lane c1, s1, c, s;
    lane_sincos(angle, &s1, &c1);
    c = c1;
    s = s1;
    out[0] = lane_set(series->cosine[0]);
    for (int i = 1; i < count; i++)
        out[i] = lane_set(0);
    for (int k = 1; k <= series->harmonics; k++) {
        // derivatives turn by quarters: along, across, -along, -across
        lane along = c * series->cosine[k] + s * series->sine[k];
        lane across = c * series->sine[k] - s * series->cosine[k];
        double factor = 1;
        for (int i = 0; i < count; i += 2) {
            out[i] += along * factor;
            out[i + 1] += across * (factor * k);
            factor *= -k * k;
        }
        lane next = c * c1 - s * s1;
        s = s * c1 + c * s1;
        c = next;
    }
}

static void general_series(const kernel_series *series, const double *angles, int count,
                           double *values, double *slopes)
{
    for (int i = 0; i < count; i += LANE_WIDTH) {
        lane out[2];
        series_lanes(series, items_gather(angles + i, 1, count - i), 2, out);
        items_scatter(values + i, 1, count - i, out[0]);
        items_scatter(slopes + i, 1, count - i, out[1]);
    }
}

static void general_derivatives(const kernel_series *series, double angle,
                                double derivatives[GENERAL_DERIVATIVES])
{
    lane out[GENERAL_DERIVATIVES];
    series_lanes(series, lane_set(angle), GENERAL_DERIVATIVES, out);
    for (int d = 0; d < GENERAL_DERIVATIVES; d++)
        derivatives[d] = lane_get(&out[d], 0);
}

/* how much the derivative `first` can change within h: Taylor's series and its remainder */
LANE_SHARED lane reach_lanes(const lane f[GENERAL_DERIVATIVES], double rest, int first, double h)
{
    lane sum = lane_set(0);
    double factor = h;
    for (int i = first + 1; i < GENERAL_DERIVATIVES; i++) {
        sum += lane_abs(f[i]) * factor;
        factor *= h / (i - first + 1);
    }
    return sum + rest * factor;
}

static void general_classify(const kernel_series *series, const kernel_bounds *bounds,
                             const double *angles, int count, double h, unsigned char *kinds)
{
    // each derivative multiplies the noise of a harmonic by its number
    const double slope_noise = bounds->noise * series->harmonics;
    const double bend_noise = slope_noise * series->harmonics;
    for (int i = 0; i < count; i += LANE_WIDTH) {
        lane f[GENERAL_DERIVATIVES], noise = lane_set(bounds->noise);
        series_lanes(series, items_gather(angles + i, 1, count - i), GENERAL_DERIVATIVES, f);
        lane reach = reach_lanes(f, bounds->rest, 0, h);
        lane slack = reach_lanes(f, bounds->rest, 1, h);
        lane change = reach_lanes(f, bounds->rest, 2, h);
        const unsigned empty = mask_bits(lane_gt(lane_abs(f[0]), reach + noise));
        const unsigned monotone = mask_bits(lane_gt(lane_abs(f[1]), slack + slope_noise));
        const unsigned touching = mask_bits(lane_lt(reach, noise));
        const unsigned bent = mask_bits(lane_gt(lane_abs(f[2]), (change + bend_noise) * 2));
        for (int l = 0; l < LANE_WIDTH && i + l < count; l++)
            kinds[i + l] = (unsigned char)(empty >> l & 1      ? GENERAL_EMPTY
                                           : monotone >> l & 1 ? GENERAL_MONOTONE
                                           : touching >> l & 1 ? GENERAL_TOUCHING
                                           : bent >> l & 1     ? GENERAL_BENT
                                                               : GENERAL_OPEN);
    }
}

static void general_nulls(const kernel_resultant *resultant, const double *angles, int count,
                          kernel_null *nulls)
{
    for (int i = 0; i < count; i += LANE_WIDTH) {
        const int some = count - i < LANE_WIDTH ? count - i : LANE_WIDTH;
        double group[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++)
            group[l] = angles[i + (l < some ? l : some - 1)];
        GENERAL_OF_ORDER(nulls_of, resultant, group, nulls + i, some);
    }
}

static void general_recover(const kernel_loop *loop, const kernel_elimination *elimination,
                            int order, kernel_candidate *candidates, int count)
{
    for (int i = 0; i < count; i += LANE_WIDTH) {
        const int some = count - i < LANE_WIDTH ? count - i : LANE_WIDTH;
        recover_lanes(loop, elimination, order, candidates + i, some);
    }
}

static void general_refine(const kernel_loop *loop, int steps, kernel_candidate *candidates,
                           int count)
{
    for (int i = 0; i < count; i += LANE_WIDTH) {
        const int some = count - i < LANE_WIDTH ? count - i : LANE_WIDTH;
        refine_lanes(loop, steps, candidates + i, some);
    }
}

extern const kernel_general_ops KERNEL_NAME(general);

const kernel_general_ops KERNEL_NAME(general) = {
    .width = LANE_WIDTH,
    .combine = general_combine,
    .determinants = general_determinants,
    .series = general_series,
    .derivatives = general_derivatives,
    .classify = general_classify,
    .null_vectors = general_nulls,
    .recover = general_recover,
    .refine = general_refine,
};

#endif
