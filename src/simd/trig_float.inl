/*
 * trig_float.inl - sine and cosine over lanes of floats.
 *
 * The method of trig.inl with polynomials computed likewise; the order of every operation is
 * fixed, and so are the bits. Errors are absolute, as are those of a transform computed from them.
 */
#ifndef KERNEL_TRIG_FLOAT_INL
#define KERNEL_TRIG_FLOAT_INL

#include "simd/lane.h"

/*
 * pi/2 in three parts of 9, 11 and 24 bits. For |x| <= 2^13 the quarter n has at most
 * 13 bits, so n * part 1 and n * part 2 are exact, and so is x - n * part 1, a multiple
 * of the last place of either. What is left is below 1, so the other two differences
 * round by up to 2^-25 each; n * part 3 and what part 3 lacks add less than 2^-34.
 */
#define TRIG_NEAR 8192.0
#define TRIG_TWO_OVER_PI 0x1.45f306p-1f
#define TRIG_HALF_PI_1 0x1.92p+0f
#define TRIG_HALF_PI_2 0x1.fb4p-12f
#define TRIG_HALF_PI_3 0x1.4442d2p-24f

/* (sin r - r) / r^3 and (cos r - 1 + z/2) / z^2 in powers of z = r^2, |r| <= pi/4 */
static const float sine_terms[3] = {-0x1.555546p-3f, 0x1.11077ep-7f, -0x1.9956b2p-13f};
static const float cosine_terms[3] = {0x1.55554ap-5f, -0x1.6c0c1ap-10f, 0x1.99e0eep-16f};

/* replaces the results of the lanes that are `far` by those of lb_sincos */
LANE_RARE void sincos_far(lane x, lane_mask far, lane *sine, lane *cosine)
{
    real value[LANE_WIDTH], s[LANE_WIDTH], c[LANE_WIDTH];
    lane_store(value, x);
    lane_store(s, *sine);
    lane_store(c, *cosine);
    for (int i = 0; i < LANE_WIDTH; i++) {
        double exact_sine, exact_cosine;
        if (!(mask_bits(far) >> i & 1))
            continue;
        lb_sincos((double)value[i], &exact_sine, &exact_cosine);
        s[i] = (real)exact_sine;
        c[i] = (real)exact_cosine;
    }
    *sine = lane_load(s);
    *cosine = lane_load(c);
}

/* sine and cosine of a remainder; adding to -0 keeps -0 */
LANE_INLINE void sincos_reduced(lane r, lane *sine, lane *cosine)
{
    lane z = r * r, z2 = z * z;
    lane s = z * sine_terms[0] + z2 * (sine_terms[1] + z * sine_terms[2]);
    lane c = cosine_terms[0] + z * (cosine_terms[1] + z * cosine_terms[2]);
    *sine = r + r * s;
    *cosine = (real)1 + z * (z * c - (real)0.5);
}

/* puts them into the quadrant of the angle */
LANE_INLINE void to_quarter(lane_int quarter, lane *sine, lane *cosine)
{
    // odd quarters swap the two; the sine is negative in 2 and 3, the cosine in 1 and 2
    lane s = *sine, c = *cosine;
    lane_mask odd = lane_int_odd(quarter);
    lane_int sine_sign = (quarter & 2) << 30, cosine_sign = ((quarter + 1) & 2) << 30;
    *sine = lane_from_bits(lane_bits(lane_select(odd, c, s)) ^ sine_sign);
    *cosine = lane_from_bits(lane_bits(lane_select(odd, s, c)) ^ cosine_sign);
}

LANE_INLINE lane_mask is_far(lane x)
{
    return lane_gt(lane_abs(x), lane_set(TRIG_NEAR));
}

/* r in [-pi/4, pi/4] with x = quarter * pi/2 + r for |x| <= TRIG_NEAR */
LANE_INLINE lane reduce_near(lane x, lane_int *quarter)
{
    // the sum with the magic number holds the nearest integer in its last bits
    lane shifted = x * TRIG_TWO_OVER_PI + LANE_ROUND_MAGIC;
    lane n = shifted - LANE_ROUND_MAGIC;
    *quarter = lane_bits(shifted);
    return ((x - n * TRIG_HALF_PI_1) - n * TRIG_HALF_PI_2) - n * TRIG_HALF_PI_3;
}

/*
 * Any x; NaN where it is infinite or NaN. Errors in units of 2^-24, at most:
 *            remainder  products   last sum  fit   together
 *   sine     1          0.13       0.5       0.06  1.7
 *   cosine   0.71       0.20       0.5       0.01  1.5
 */
LANE_SHARED void lane_sincos(lane x, lane *sine, lane *cosine)
{
    lane_int quarter;
    sincos_reduced(reduce_near(x, &quarter), sine, cosine);
    to_quarter(quarter, sine, cosine);
    lane_mask far = is_far(x);
    if (mask_any(far)) {
        lane far_sine = *sine, far_cosine = *cosine;
        sincos_far(x, far, &far_sine, &far_cosine);
        *sine = far_sine;
        *cosine = far_cosine;
    }
}

/* the same of several angles, `count` a constant of at most eight, led through every step together
 */
LANE_INLINE void lane_sincos_several(const lane *x, int count, lane *sine, lane *cosine)
{
    lane r[8];
    lane_int quarter[8];
    lane_mask far = mask_from_bits(0);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        r[i] = reduce_near(x[i], &quarter[i]);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        sincos_reduced(r[i], &sine[i], &cosine[i]);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        to_quarter(quarter[i], &sine[i], &cosine[i]);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        far = mask_or(far, is_far(x[i]));
    if (mask_any(far))
        for (int i = 0; i < count; i++)
            lane_sincos(x[i], &sine[i], &cosine[i]);
}

#endif
