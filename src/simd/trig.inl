/*
 * trig.inl - sine, cosine, inverse tangent and inverse cosine over lanes.
 *
 * Method: reduction to a short interval, a minimax polynomial there, and selects that put the
 * result into its quadrant. The polynomials were computed for limber by a Remez exchange in 70
 * decimal digits, each coefficient rounded to double before those after it are fitted again. The
 * order of every operation is fixed, and so are the bits. Error bounds are derived below and
 * measured by test_trig.c.
 */
#ifndef KERNEL_TRIG_INL
#define KERNEL_TRIG_INL

#include "simd/lane.h"
#include "simd/trig.h"

/* ---- reduction to an eighth of a turn ------------------------------------- */

/*
 * pi/2 in three parts of 36, 36 and 53 bits (Cody & Waite 1980). For |x| <= 2^16
 * the quarter n has at most 16 bits, so n * part 1 and n * part 2 are exact.
 * x - n * part 1 is exact by Sterbenz' lemma, as the two are within a factor of
 * two. Subtracting n * part 2 rounds by up to 2^-54, half the last place of a
 * remainder below 1, and n * part 3 is below 2^-58. Next to a multiple of pi/2
 * all but the last subtraction is exact, so that relative precision is kept.
 */
#define TRIG_NEAR 65536.0
#define TRIG_TWO_OVER_PI 0x1.45f306dc9c883p-1
#define TRIG_HALF_PI_1 0x1.921fb54440000p+0
#define TRIG_HALF_PI_2 0x1.68c234c4c0000p-39
#define TRIG_HALF_PI_3 0x1.98a2e03707345p-77

/* replaces the remainders of the lanes that are `far`, each from its own value */
LANE_RARE void reduce_far(lane x, lane_mask far, lane *remainder, lane_int *quarter)
{
    double value[LANE_WIDTH], rest[LANE_WIDTH];
    uint64_t whole[LANE_WIDTH];
    lane_store(value, x);
    lane_store(rest, *remainder);
    lane_int_store(whole, *quarter);
    for (int i = 0; i < LANE_WIDTH; i++)
        if (mask_bits(far) >> i & 1)
            rest[i] = reduction_far(value[i], &whole[i]);
    *remainder = lane_load(rest);
    *quarter = lane_int_load(whole);
}

/* r in [-pi/4, pi/4] with x = quarter * pi/2 + r for |x| <= TRIG_NEAR; only the last two bits of
   `quarter` count */
LANE_INLINE lane reduce_near(lane x, lane_int *quarter)
{
    // the sum with the magic number holds the nearest integer in its last bits
    lane shifted = x * TRIG_TWO_OVER_PI + LANE_ROUND_MAGIC;
    lane n = shifted - LANE_ROUND_MAGIC;
    *quarter = lane_bits(shifted);
    return ((x - n * TRIG_HALF_PI_1) - n * TRIG_HALF_PI_2) - n * TRIG_HALF_PI_3;
}

LANE_INLINE lane_mask is_far(lane x)
{
    return lane_gt(lane_abs(x), lane_set(TRIG_NEAR));
}

/* the same for any x */
LANE_INLINE lane reduce(lane x, lane_int *quarter)
{
    lane r = reduce_near(x, quarter);
    lane_mask far = is_far(x);
    if (mask_any(far)) {
        lane far_r = r;
        lane_int far_quarter = *quarter;
        reduce_far(x, far, &far_r, &far_quarter);
        r = far_r;
        *quarter = far_quarter;
    }
    return r;
}

/* ---- sine and cosine ------------------------------------------------------ */

/* (sin r - r) / r^3 and (cos r - 1 + z/2) / z^2 in powers of z = r^2, |r| <= pi/4 */
static const double sine_terms[6] = {-0x1.5555555555549p-3,  0x1.111111110f8a6p-7,
                                     -0x1.a01a019c161a1p-13, 0x1.71de357b1c5bep-19,
                                     -0x1.ae5e689f874fbp-26, 0x1.5d93a4a58976ap-33};
static const double cosine_terms[6] = {0x1.555555555554cp-5,  -0x1.6c16c16c1521fp-10,
                                       0x1.a01a019cbf62bp-16, -0x1.27e4f812b6a4ap-22,
                                       0x1.1ee9f152d076ep-29, -0x1.8fb13129d6f5dp-37};

/*
 * z * P(z) for six terms, z2 = z^2. The terms go up two chains, which is faster
 * than one; at z = 0 their signs differ and the sum is +0, so that sin -0 is -0.
 */
LANE_INLINE lane six_terms(const double *p, lane z, lane z2)
{
    lane even = p[0] + z2 * (p[2] + z2 * p[4]);
    lane odd = p[1] + z2 * (p[3] + z2 * p[5]);
    return z * even + z2 * odd;
}

/* sine and cosine of a remainder, in the quadrant of the angle */
LANE_INLINE void to_quarter(lane_int quarter, lane *sine, lane *cosine)
{
    // odd quarters swap the two; the sine is negative in 2 and 3, the cosine in 1 and 2
    lane s = *sine, c = *cosine;
    lane_mask odd = lane_int_odd(quarter);
    lane_int sine_sign = (quarter & 2) << 62, cosine_sign = ((quarter + 1) & 2) << 62;
    *sine = lane_from_bits(lane_bits(lane_select(odd, c, s)) ^ sine_sign);
    *cosine = lane_from_bits(lane_bits(lane_select(odd, s, c)) ^ cosine_sign);
}

/*
 * Any x; NaN where it is infinite or NaN. Errors in units of 2^-54, at most:
 *            remainder  polynomial                     last sum  fit   together
 *   sine     0.94       0.82: 5 roundings of r^3/6     1         0.05  2.9
 *   cosine   0.76       0.56 for z, 0.41 for z P - 1/2,
 *                       0.50 for z (z P - 1/2)         1         0.00  3.3
 * and math.h promises 4.
 */
LANE_SHARED void lane_sincos(lane x, lane *sine, lane *cosine)
{
    lane_int quarter;
    lane r = reduce(x, &quarter);
    lane z = r * r, z2 = z * z;
    *sine = r + r * six_terms(sine_terms, z, z2);
    *cosine = 1.0 + z * (six_terms(cosine_terms, z, z2) - 0.5);
    to_quarter(quarter, sine, cosine);
}

/*
 * The same of several angles, `count` a constant of at most eight. All are led through each step
 * together, which hides the latency of single operations.
 */
LANE_INLINE void lane_sincos_several(const lane *x, int count, lane *sine, lane *cosine)
{
    lane r[8], z[8], z2[8];
    lane_int quarter[8];
    lane_mask far = mask_from_bits(0);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        r[i] = reduce_near(x[i], &quarter[i]);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++) {
        z[i] = r[i] * r[i];
        z2[i] = z[i] * z[i];
    }
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        sine[i] = r[i] + r[i] * six_terms(sine_terms, z[i], z2[i]);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        cosine[i] = 1.0 + z[i] * (six_terms(cosine_terms, z[i], z2[i]) - 0.5);
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

/* ---- inverse tangent ------------------------------------------------------ */

/* (atan t - t) / t^3 in powers of t^2, |t| <= tan(pi/8) */
static const double atan_terms[11] = {
    -0x1.555555555553dp-2, 0x1.999999999589bp-3, -0x1.24924922af0cep-3, 0x1.c71c70e6c9537p-4,
    -0x1.745cf8f1cb4e4p-4, 0x1.3b111a931522ep-4, -0x1.10ebc853faeefp-4, 0x1.df102944bb498p-5,
    -0x1.9cd669d604339p-5, 0x1.37de58f6c0b1cp-5, -0x1.257bfc2fe9142p-6};

LANE_INLINE lane eleven_terms(const double *p, lane z)
{
    lane z2 = z * z;
    lane even = p[0] + z2 * (p[2] + z2 * (p[4] + z2 * (p[6] + z2 * (p[8] + z2 * p[10]))));
    lane odd = p[1] + z2 * (p[3] + z2 * (p[5] + z2 * (p[7] + z2 * p[9])));
    return z * even + z2 * odd;
}

/* pi/4: its first 49 bits, so that small multiples are exact, and the rest */
#define TRIG_QUARTER_PI 0x1.921fb54442d10p-1
#define TRIG_QUARTER_PI_REST 0x1.08d313198a2e0p-50
#define TRIG_TAN_EIGHTH_PI 0x1.a827999fcef32p-2

/*
 * The larger of |x| and |y| outside these bounds, where quotients and sums might
 * lose places or overflow, is brought inside by a power of two, with the smaller.
 */
#define TRIG_ATAN_SMALL 0x1p-900
#define TRIG_ATAN_LARGE 0x1p+900
#define TRIG_ATAN_SCALE 0x1p+600

/* other lanes are unchanged; 0/0 becomes 0/1, infinity becomes NaN */
LANE_INLINE void atan_rescale(lane *small, lane *large)
{
    lane one = lane_set(1.0);
    lane up =
        lane_select(lane_lt(*large, lane_set(TRIG_ATAN_SMALL)), lane_set(TRIG_ATAN_SCALE), one);
    lane down =
        lane_select(lane_gt(*large, lane_set(TRIG_ATAN_LARGE)), lane_set(1 / TRIG_ATAN_SCALE), one);
    lane scale = up * down;
    lane none = *large - *large;
    *small = *small * scale;
    *large = lane_select(lane_eq(*large, lane_set(0.0)), one, *large * scale + none);
}

/*
 * The angle of (x, y) in [-pi, pi], signs of zero as in C; NaN where x or y is
 * infinite or NaN. Errors in units of 2^-53, at most: 2 from the last sum (1/2
 * for angles below 1), 1.06 from three roundings of t at most, 0.25 from the sum
 * t + ..., 0.11 from what is added there, 0.01 from the fit: 3.5; math.h
 * promises 4.
 */
LANE_SHARED lane lane_atan2(lane y, lane x)
{
    // into the first octant; steep also orders them so that NaN is kept
    lane ax = lane_abs(x), ay = lane_abs(y);
    lane_mask steep = lane_gt(ay, ax);
    lane large = lane_select(steep, ay, ax), small = lane_select(steep, ax, ay);
    lane_mask usual = mask_and(lane_ge(large, lane_set(TRIG_ATAN_SMALL)),
                               lane_le(large, lane_set(TRIG_ATAN_LARGE)));
    if (!mask_all(usual))
        atan_rescale(&small, &large);

    // atan(small/large) = upper * pi/4 + atan t with |t| <= tan(pi/8)
    lane_mask upper = lane_gt(small, large * TRIG_TAN_EIGHTH_PI);
    lane t = lane_select(upper, small - large, small) / lane_select(upper, small + large, large);

    // the angle is eighths * pi/4 + or - atan t: mirrored at pi/4 when steep, at pi/2 when x < 0
    lane eighths = lane_select(upper, lane_set(1.0), lane_set(0.0));
    eighths = lane_select(steep, 2.0 - eighths, eighths);
    t = lane_select(steep, -t, t);
    lane_mask left = lane_sign(x);
    eighths = lane_select(left, 4.0 - eighths, eighths);
    t = lane_flip_sign(t, x);

    // small parts first
    lane rest = t * eleven_terms(atan_terms, t * t) + eighths * TRIG_QUARTER_PI_REST;
    lane angle = eighths * TRIG_QUARTER_PI + (t + rest);
    return lane_flip_sign(angle, y);
}

/* ---- inverse cosine ------------------------------------------------------- */

/* (asin s - s) / s^3 in powers of s^2, |s| <= 1/2 */
static const double asin_terms[12] = {
    0x1.5555555555387p-3, 0x1.333333336f874p-4, 0x1.6db6db41d4d5ep-5,  0x1.f1c72c6cf691ap-6,
    0x1.6e89ef8282f52p-6, 0x1.1c6c27380a922p-6, 0x1.c6f8884c159e1p-7,  0x1.8ee46052798c9p-7,
    0x1.aab611042be21p-8, 0x1.40b03bb302afep-6, -0x1.0af23d10fcdb7p-6, 0x1.05cd75eeb6959p-5};

LANE_INLINE lane twelve_terms(const double *p, lane z)
{
    lane z2 = z * z;
    lane even = p[0] + z2 * (p[2] + z2 * (p[4] + z2 * (p[6] + z2 * (p[8] + z2 * p[10]))));
    lane odd = p[1] + z2 * (p[3] + z2 * (p[5] + z2 * (p[7] + z2 * (p[9] + z2 * p[11]))));
    return z * even + z2 * odd;
}

#define TRIG_HALF_PI 0x1.921fb54442d18p+0
#define TRIG_HALF_PI_REST 0x1.1a62633145c07p-54

/*
 * The angle in [0, pi]; |x| beyond 1 counts as 1; NaN where x is infinite or NaN.
 *   |x| <= 1/2   pi/2 - asin x
 *   x > 1/2      2 asin s          with s = sqrt((1 - |x|) / 2)
 *   x < -1/2     pi - 2 asin s     where only the root rounds
 * Errors in units of 2^-54, at most: 4 from the last sum where the angle is above
 * 2, and twice 0.58 from the root, 0.19 from the polynomial, 1 from its sum, 0.14
 * from the fit: 7.9; math.h promises 8. Elsewhere less.
 */
LANE_SHARED lane lane_acos(lane x)
{
    lane ax = lane_abs(x);
    lane_mask outer = lane_gt(ax, lane_set(0.5));
    lane_mask left = lane_sign(x);

    // in this order the greater of 0 and NaN is NaN
    lane half = lane_max(lane_set(0.0), (1.0 - ax) * 0.5);
    lane z = lane_select(outer, half, x * x);
    lane s = lane_select(outer, lane_sqrt(half), x);

    // base + factor * asin s, where the rounding error of base is added where it costs no accuracy
    lane_mask based = mask_not(mask_andnot(outer, left));
    lane base = lane_select(outer, lane_set(2.0 * TRIG_HALF_PI), lane_set(TRIG_HALF_PI));
    lane factor = lane_select(outer, lane_flip_sign(lane_set(2.0), x), lane_set(-1.0));
    lane rest = lane_keep(based, lane_set(-TRIG_HALF_PI_REST));
    lane arc = s + (s * twelve_terms(asin_terms, z) + rest);
    return lane_keep(based, base) + factor * arc + (x - x);
}

#endif
