/*
 * test_trig.c - sine, cosine, inverse tangent and cosine against long double libm.
 *
 * The bounds are those that math.h promises and trig.inl derives; sweeps are dense
 * where the arguments are, and aimed where reductions fail: at multiples of pi/2
 * and their neighbours, at the seams between reductions, at the ends of the range.
 */
#include <limber/math.h>

#include "harness.h"

enum { SWEEP = 200000, SEED = 20240229 };

/* pi/2 to the places of a long double, and the next double after x in either direction */
static const long double half_pi = 1.5707963267948966192313216916397514421L;

static double neighbour(double x, int steps)
{
    for (; steps > 0; steps--)
        x = nextafter(x, INFINITY);
    for (; steps < 0; steps++)
        x = nextafter(x, -INFINITY);
    return x;
}

/* any bit pattern that is a finite number */
static double random_finite(lb_random *random)
{
    for (;;) {
        uint64_t bits = (uint64_t)lb_random_next(random) << 32 | lb_random_next(random);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x))
            return x;
    }
}

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void assert_same_bits(double actual, double expected)
{
    if (bits_of(actual) != bits_of(expected))
        fail_msg("%a is not %a", actual, expected);
}

/* ---- sine and cosine ------------------------------------------------------ */

/* within 2^-52, and within a relative 2^-51: zeros of the two functions are no exception */
static void check_value(const char *name, double x, double actual, long double expected)
{
    long double error = fabsl(actual - expected);
    if (!(error <= 0x1p-52L))
        fail_msg("%s(%a) = %a is off by %Lg * 2^-52", name, x, actual, error * 0x1p52L);
    if (!(error <= 0x1p-51L * fabsl(expected) + 0x1p-1074L))
        fail_msg("%s(%a) = %a, but %La", name, x, actual, expected);
}

/* both at once and each alone; odd and even to the last bit */
static void check_sincos(double x)
{
    double sine, cosine, other_sine, other_cosine;
    lb_sincos(x, &sine, &cosine);
    check_value("sin", x, sine, sinl(x));
    check_value("cos", x, cosine, cosl(x));
    assert_same_bits(lb_sin(x), sine);
    assert_same_bits(lb_cos(x), cosine);
    lb_sincos(-x, &other_sine, &other_cosine);
    assert_same_bits(other_sine, -sine);
    assert_same_bits(other_cosine, cosine);
}

TEST(test_sincos_sweeps)
{
    lb_random random = lb_random_seed(SEED);
    for (int i = 0; i < SWEEP; i++) {
        // joint angles, many turns on both sides of the far reduction, any number at all
        check_sincos(lb_random_between(&random, -7, 7));
        check_sincos(lb_random_between(&random, -131072, 131072));
        check_sincos(random_finite(&random));
    }
}

/* multiples of pi/2, of pi/4 where the quarter changes, and the doubles beside them */
TEST(test_sincos_near_multiples)
{
    for (int k = -90000; k <= 90000; k += k > -200 && k < 200 ? 1 : 37)
        for (int step = -3; step <= 3; step++)
            check_sincos(neighbour((double)(k * (half_pi / 2)), step));
    for (int exponent = 16; exponent < 1024; exponent++)
        for (int step = -3; step <= 3; step++)
            check_sincos(neighbour((double)ldexpl(half_pi, exponent), step));
}

TEST(test_sincos_hard_cases)
{
    static const double cases[] = {
        65536.0,                /* the last of the near reduction */
        1e22,                   /* ten to a power that is still exact */
        0x1.6ac5b262ca1ffp+849, /* 6381956970095103 * 2^797: the double nearest a multiple of pi/2
                                 */
        0x1p1000,
        0x1.fffffffffffffp+1023, /* the greatest double */
        0x1p-1022,               /* the smallest normal one */
        0x1p-1074,               /* the smallest */
        0x1p-27,
        LB_PI,
        LB_PI / 2,
        LB_PI / 4,
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int step = -1; step <= 0; step++)
            check_sincos(neighbour(cases[i], step));

    // the one named above, by its cosine to 21 digits from whole-number arithmetic
    double worst = ldexp(6381956970095103.0, 797);
    assert_true(fabs(lb_cos(worst) / -4.68716592425462761112e-19 - 1) < 0x1p-51);
}

TEST(test_sincos_exceptions)
{
    assert_same_bits(lb_sin(0.0), 0.0);
    assert_same_bits(lb_sin(-0.0), -0.0);
    assert_same_bits(lb_cos(0.0), 1.0);
    assert_same_bits(lb_cos(-0.0), 1.0);
    static const double none[] = {INFINITY, -INFINITY, NAN};
    for (int i = 0; i < 3; i++) {
        double sine = 0, cosine = 0;
        lb_sincos(none[i], &sine, &cosine);
        assert_true(isnan(sine) && isnan(cosine));
    }
}

/* ---- inverse tangent ------------------------------------------------------ */

static void check_atan2(double y, double x)
{
    double angle = lb_atan2(y, x);
    long double error = fabsl(angle - atan2l(y, x));
    if (!(error <= 0x1p-51L))
        fail_msg("atan2(%a, %a) = %a is off by %Lg * 2^-51", y, x, angle, error * 0x1p51L);
    assert_true(fabs(angle) <= LB_PI);
    assert_true(signbit(angle) == signbit(y));
    assert_same_bits(lb_atan2(-y, x), -angle);
}

/* a direction in all eight octants */
static void check_octants(double a, double b)
{
    check_atan2(a, b);
    check_atan2(b, a);
    check_atan2(a, -b);
    check_atan2(b, -a);
}

TEST(test_atan2_sweeps)
{
    lb_random random = lb_random_seed(SEED);
    for (int i = 0; i < SWEEP; i++) {
        check_octants(lb_random_unit(&random), lb_random_unit(&random));
        check_octants(random_finite(&random), random_finite(&random));

        // like sizes, from denormal to the largest
        int exponent = (int)(lb_random_next(&random) % 2098) - 1074;
        check_octants(ldexp(lb_random_unit(&random), exponent),
                      ldexp(lb_random_unit(&random), exponent));
    }
}

/* small whole numbers of the least double, and the largest: no quotient has room there */
TEST(test_atan2_extremes)
{
    for (int a = 1; a < 40; a++)
        for (int b = 1; b < 40; b++) {
            check_octants(a * 0x1p-1074, b * 0x1p-1074);
            check_octants(a * 0x1p1018, b * 0x1p1018);
            check_octants(a * 0x1p-1074, b * 0x1p1018);
        }
}

/* where the branches meet: the diagonals, and tan(pi/8) */
TEST(test_atan2_seams)
{
    for (int step = -20; step <= 20; step++)
        for (double radius = 0x1p-950; radius < 0x1p950; radius *= 0x1.3p7) {
            check_octants(neighbour(radius, step), radius);
            check_octants(neighbour(radius * 0x1.a827999fcef32p-2, step), radius);
        }
}

TEST(test_atan2_exceptions)
{
    static const struct {
        double y, x, angle;
    } axes[] = {
        {0.0, 0.0, 0.0},        {-0.0, 0.0, -0.0},       {0.0, -0.0, LB_PI},
        {-0.0, -0.0, -LB_PI},   {0.0, 1.0, 0.0},         {-0.0, 1.0, -0.0},
        {0.0, -1.0, LB_PI},     {-0.0, -1.0, -LB_PI},    {1.0, 0.0, LB_PI / 2},
        {1.0, -0.0, LB_PI / 2}, {-1.0, 0.0, -LB_PI / 2}, {-1.0, -0.0, -LB_PI / 2},
        {1.0, 1.0, LB_PI / 4},  {-1.0, 1.0, -LB_PI / 4},
    };
    for (size_t i = 0; i < sizeof axes / sizeof *axes; i++)
        assert_same_bits(lb_atan2(axes[i].y, axes[i].x), axes[i].angle);

    static const double none[] = {INFINITY, -INFINITY, NAN}, some[] = {0.0, -1.0, 0x1p1000};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            assert_true(isnan(lb_atan2(none[i], some[j])));
            assert_true(isnan(lb_atan2(some[j], none[i])));
            assert_true(isnan(lb_atan2(none[i], none[j])));
        }
}

/* ---- inverse cosine ------------------------------------------------------- */

static void check_acos(double x)
{
    double angle = lb_acos(x);
    long double error = fabsl(angle - acosl(x));
    if (!(error <= 0x1p-51L))
        fail_msg("acos(%a) = %a is off by %Lg * 2^-51", x, angle, error * 0x1p51L);
    assert_true(0 <= angle && angle <= LB_PI);
}

TEST(test_acos_sweeps)
{
    lb_random random = lb_random_seed(SEED);
    for (int i = 0; i < SWEEP; i++) {
        double unit = lb_random_unit(&random);
        check_acos(2 * unit - 1);

        // towards both ends and towards zero
        double small = ldexp(unit, -(int)(lb_random_next(&random) % 60));
        check_acos(1 - small);
        check_acos(small - 1);
        check_acos(small);
        check_acos(-small);
    }
    for (int step = -20; step <= 20; step++) {
        check_acos(neighbour(0.5, step));
        check_acos(neighbour(-0.5, step));
    }
}

TEST(test_acos_exceptions)
{
    assert_same_bits(lb_acos(1.0), 0.0);
    assert_same_bits(lb_acos(-1.0), LB_PI);
    assert_same_bits(lb_acos(0.0), LB_PI / 2);
    assert_same_bits(lb_acos(-0.0), LB_PI / 2);

    // beyond the ends, by rounding or by far
    assert_same_bits(lb_acos(neighbour(1.0, 1)), 0.0);
    assert_same_bits(lb_acos(neighbour(-1.0, -1)), LB_PI);
    assert_same_bits(lb_acos(7.0), 0.0);
    assert_same_bits(lb_acos(-0x1p1000), LB_PI);
    assert_true(isnan(lb_acos(INFINITY)) && isnan(lb_acos(-INFINITY)) && isnan(lb_acos(NAN)));
}

/* ---- whole turns ---------------------------------------------------------- */

/* the wrapped angle has the sine and cosine of the angle: their angle is between the two */
static void check_wrap(double angle)
{
    double wrapped = lb_wrap_angle(angle);
    assert_true(fabs(wrapped) <= LB_PI);
    long double sine = sinl(angle), cosine = cosl(angle);
    long double error = fabsl(sinl(wrapped) * cosine - cosl(wrapped) * sine);
    if (!(error <= 0x1p-51L) || cosl(wrapped) * cosine + sinl(wrapped) * sine < 0)
        fail_msg("wrap_angle(%a) = %a is off by %Lg * 2^-51", angle, wrapped, error * 0x1p51L);
    assert_same_bits(lb_wrap_angle(-angle), -wrapped);
}

TEST(test_wrap_angle)
{
    lb_random random = lb_random_seed(SEED);
    for (int i = 0; i < SWEEP; i++) {
        check_wrap(lb_random_between(&random, -20, 20));
        check_wrap(lb_random_between(&random, -1e6, 1e6));
        check_wrap(random_finite(&random));
    }
    for (int k = -1000; k <= 1000; k++)
        for (int step = -3; step <= 3; step++)
            check_wrap(neighbour((double)(k * half_pi), step));
}

TEST(test_wrap_angle_exceptions)
{
    // what is in range stays as it is; the next double after pi comes out at the other end
    static const double kept[] = {0.0, -0.0, LB_PI, -LB_PI, 1.0, -3.0, 0x1p-1074};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_same_bits(lb_wrap_angle(kept[i]), kept[i]);
    assert_true(lb_wrap_angle(neighbour(LB_PI, 1)) < -3.14);
    assert_true(isnan(lb_wrap_angle(INFINITY)) && isnan(lb_wrap_angle(-INFINITY)));
    assert_true(isnan(lb_wrap_angle(NAN)));
}

/* ---- the same bits everywhere --------------------------------------------- */

/* FNV-1a over the results' bits */
static void hash_bits(uint64_t *hash, double x)
{
    uint64_t bits = bits_of(x);
    for (int i = 0; i < 64; i += 8)
        *hash = (*hash ^ (bits >> i & 0xff)) * 0x100000001b3;
}

/* one hash for every compiler, optimization and machine; a change of it breaks a promise */
TEST(test_golden_bits)
{
    lb_random random = lb_random_seed(SEED);
    uint64_t hash = 0xcbf29ce484222325;
    for (int i = 0; i < SWEEP; i++) {
        double x = lb_random_between(&random, -10, 10), y = lb_random_between(&random, -10, 10);
        double any = random_finite(&random);
        hash_bits(&hash, lb_sin(x));
        hash_bits(&hash, lb_cos(x));
        hash_bits(&hash, lb_sin(any));
        hash_bits(&hash, lb_cos(any));
        hash_bits(&hash, lb_atan2(y, x));
        hash_bits(&hash, lb_acos(x / 10));
        hash_bits(&hash, lb_wrap_angle(any));
    }
    if (hash != 0xc715288798b75dbe)
        fail_msg("the hash of all bits is %016llx", (unsigned long long)hash);
}
