/*
 * track_lanes.inl - what paths in all lanes consist of.
 */
#ifndef KERNEL_TRACK_LANES_INL
#define KERNEL_TRACK_LANES_INL

#include "kernel/track.h"
#include "simd/complex.inl"

typedef complex_lane track_row[TRACK_UNKNOWNS];

typedef struct bilinear_lanes {
    complex_lane form[BILINEAR_UNKNOWNS][BILINEAR_TERMS][BILINEAR_TERMS]; /* at `to` */
} bilinear_lanes;

/* Parameters at `to`, and the series of e, e.e and each leg's v. */
typedef struct platform_lanes {
    complex_lane legs[PLATFORM_LEGS][7], square;
    complex_lane e[TRACK_ORDER + 1][4], ee[TRACK_ORDER + 1];
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

#endif
