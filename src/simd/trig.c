/*
 * trig.c - the scalar trigonometry of math.h: width 1 of trig.inl.
 */
#define LANE_WIDTH 1
#include "simd/trig.inl"

#include <limber/math.h>

void lb_sincos(double x, double *sine, double *cosine)
{
    lane_sincos(x, sine, cosine);
}

double lb_sin(double x)
{
    double sine, cosine;
    lane_sincos(x, &sine, &cosine);
    return sine;
}

double lb_cos(double x)
{
    double sine, cosine;
    lane_sincos(x, &sine, &cosine);
    return cosine;
}

double lb_atan2(double y, double x)
{
    return lane_atan2(y, x);
}

double lb_acos(double x)
{
    return lane_acos(x);
}

/*
 * The same reduction as for the sine, exact at any size, with the quarter turns added back. Angles
 * in range are returned unchanged.
 */
double lb_wrap_angle(double angle)
{
    if (-LB_PI <= angle && angle <= LB_PI)
        return angle;

    // half turns are taken back towards zero
    uint64_t quarter;
    double r = reduce(angle, &quarter);
    double quarters = (double)(quarter & 3);
    if (quarters == 3 || (quarters == 2 && r > 0))
        quarters -= 4;
    double wrapped = quarters * TRIG_HALF_PI + (r + quarters * TRIG_HALF_PI_REST);
    return lane_max(-LB_PI, lane_min(LB_PI, wrapped));
}

/* ---- large angles --------------------------------------------------------- */

/*
 * Method: Payne & Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18
 * (1983). With x = m * 2^e, m a 53-bit integer, only those bits of 2/pi matter to x * 2/pi modulo 4
 * that m * 2^e does not turn into multiples of 4. A window of 192 bits, read from a table at the
 * offset that e determines, is multiplied by m in integers: the top two bits of the product are the
 * quarter, the rest is the fraction of a quarter.
 */

/*
 * The first 1216 binary digits of 2/pi after 64 zeros, enough for the largest double: its window
 * starts at bit 1033 and is 192 bits long.
 */
static const uint64_t two_over_pi[20] = {
    0x0000000000000000, 0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041,
    0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e,
    0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b,
    0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab,
};

/* pi/2 * 2^63 */
static const uint64_t half_pi = 0xc90fdaa22168c234;

/* a 128-bit number */
typedef struct wide {
    uint64_t high, low;
} wide;

/* a * b in full, by 32-bit halves: standard C has no wider product */
static wide multiply(uint64_t a, uint64_t b)
{
    uint64_t a0 = a & 0xffffffff, a1 = a >> 32;
    uint64_t b0 = b & 0xffffffff, b1 = b >> 32;
    uint64_t low = a0 * b0;
    uint64_t cross = a1 * b0 + (low >> 32);
    uint64_t middle = a0 * b1 + (cross & 0xffffffff);
    return (wide){a1 * b1 + (cross >> 32) + (middle >> 32), middle << 32 | (low & 0xffffffff)};
}

/* 64 bits of the table from bit `offset` on */
static uint64_t table_bits(int offset)
{
    int word = offset / 64, shift = offset % 64;
    if (shift == 0)
        return two_over_pi[word];
    return two_over_pi[word] << shift | two_over_pi[word + 1] >> (64 - shift);
}

/*
 * The first 128 of the 192 bits of m * window modulo 2^192: m * 2^e * 2/pi modulo 4 in units of
 * 2^-126, too small by less than two units, as the window is too small by less than one unit of its
 * last place and m is below 2^53.
 */
static wide quarters(uint64_t m, int e)
{
    // the first bit that counts has weight 2^(1 - e); the table has 64 zeros before the point
    int offset = e - 2 + 64;
    wide first = multiply(m, table_bits(offset));
    wide second = multiply(m, table_bits(offset + 64));
    wide third = multiply(m, table_bits(offset + 128));
    wide sum = {first.low + second.high, second.low + third.high};
    sum.high += sum.low < second.low;
    return sum;
}

static double power_of_two(int exponent)
{
    uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/*
 * fraction * pi/2, for a fraction in units of 2^-128 that is at least 2^-64. No double is closer
 * than 2^-62 to a multiple of pi/2 (Muller, "Elementary Functions", 11.3), so an error of two units
 * is below 2^-62 of it.
 */
static double fraction_to_angle(wide fraction)
{
    int zeros = __builtin_clzll(fraction.high | 1);
    uint64_t leading = fraction.high;
    if (zeros > 0)
        leading = fraction.high << zeros | fraction.low >> (64 - zeros);
    return (double)multiply(leading, half_pi).high * power_of_two(-63 - zeros);
}

double reduction_far(double x, uint64_t *quarter)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int exponent = (int)(bits >> 52 & 0x7ff);
    *quarter = 0;
    if (exponent == 0x7ff)
        return x - x;

    // |x| * 2/pi modulo 4, split into whole quarters and the fraction of one
    uint64_t mantissa = (bits & 0xfffffffffffff) | 0x10000000000000;
    wide turn = quarters(mantissa, exponent - 1075);
    uint64_t whole = turn.high >> 62;
    wide fraction = {turn.high << 2 | turn.low >> 62, turn.low << 2};

    // to the nearest quarter: fractions from a half on are counted back from the next one
    bool negative = fraction.high >> 63;
    if (negative) {
        whole++;
        fraction = (wide){~fraction.high, ~fraction.low};
    }
    double angle = fraction_to_angle(fraction);

    // both change sign with x
    if (bits >> 63) {
        whole = 0 - whole;
        negative = !negative;
    }
    *quarter = whole & 3;
    return negative ? -angle : angle;
}
