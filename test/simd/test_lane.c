/*
 * test_lane.c - lanes of any width return what plain C returns, bit for bit.
 *
 * Every operation of lane.h and trig.inl runs at widths 1, 2, 4 and 8 on the
 * machine's baseline and, where the machine has them, on the wide instructions
 * that the kernel's files are compiled for.
 */
#include "kernel/widths.h"
#include "lane/probe.h"

#include "harness.h"

enum { SEED = 8128, ROUNDS = 20000 };

static const char *const operation_names[PROBE_COUNT] = {
#define PROBE_TEXT(name) #name,
    PROBE_LIST(PROBE_TEXT)
#undef PROBE_TEXT
};

/* ---- which probes this machine can run ------------------------------------ */

static int probes_here(const probe **probes)
{
    int count = 0;
    probes[count++] = &probe_plain_w1;
    probes[count++] = &probe_plain_w2;
    probes[count++] = &probe_plain_w4;
    probes[count++] = &probe_plain_w8;
#if defined(KERNEL_HAVE_W4)
    if (__builtin_cpu_supports("avx2"))
        probes[count++] = &probe_kernel_w4;
#endif
#if defined(KERNEL_HAVE_W8)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        probes[count++] = &probe_kernel_w8;
#endif
    return count;
}

enum { MOST_PROBES = 6 };

/* ---- what plain C says ---------------------------------------------------- */

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void expect_arithmetic(double a, double b, double *out)
{
    out[PROBE_SUM] = a + b;
    out[PROBE_DIFFERENCE] = a - b;
    out[PROBE_PRODUCT] = a * b;
    out[PROBE_QUOTIENT] = a / b;
    out[PROBE_NEGATIVE] = -a;
    out[PROBE_WITH_PLAIN] = 3.0 * a + 0.1;
    out[PROBE_SET] = -0.0;
    out[PROBE_SQRT] = sqrt(a);
    out[PROBE_ABS] = fabs(a);
    out[PROBE_MIN] = a < b ? a : b;
    out[PROBE_MAX] = a > b ? a : b;
    out[PROBE_FLIP_SIGN] = signbit(b) ? -a : a;
    out[PROBE_COPYSIGN] = copysign(a, b);
    out[PROBE_ROUND] = fabs(a) < 0x1p51 ? rint(a) + 0.0 : 0.0;
}

static void expect_masks(double a, double b, double *out)
{
    bool less = a < b, negative = signbit(a);
    out[PROBE_LT] = less ? a : b;
    out[PROBE_LE] = a <= b ? a : b;
    out[PROBE_GT] = a > b ? a : b;
    out[PROBE_GE] = a >= b ? a : b;
    out[PROBE_EQ] = a == b ? a : b;
    out[PROBE_ODD] = bits_of(a) & 1 ? a : b;
    out[PROBE_SIGN] = negative ? a : b;
    out[PROBE_KEEP] = less ? a : 0.0;
    out[PROBE_NOT] = !less ? a : b;
    out[PROBE_AND] = less && negative ? a : b;
    out[PROBE_OR] = less || negative ? a : b;
    out[PROBE_ANDNOT] = less && !negative ? a : b;
}

static void expect(double a, double b, double *out)
{
    expect_arithmetic(a, b, out);
    expect_masks(a, b, out);
    lb_sincos(a, &out[PROBE_SINE], &out[PROBE_COSINE]);
    out[PROBE_ATAN2] = lb_atan2(a, b);
    out[PROBE_ACOS] = lb_acos(a);
}

/* ---- comparing ------------------------------------------------------------ */

/* a NaN is a NaN: which one is not promised */
static bool same(double a, double b)
{
    return bits_of(a) == bits_of(b) || (isnan(a) && isnan(b));
}

/* one call of one probe: every lane, every operation */
static void check_numbers(const probe *p, const double *a, const double *b)
{
    double out[PROBE_COUNT][PROBE_WIDEST], wanted[PROBE_COUNT];
    p->numbers(a, b, out);
    for (int i = 0; i < p->width; i++) {
        expect(a[i], b[i], wanted);
        for (int k = 0; k < PROBE_COUNT; k++)
            if (!same(out[k][i], wanted[k]))
                fail_msg("%s, lane %d: %s of %a and %a is %a, not %a (seed %d)", p->name, i,
                         operation_names[k], a[i], b[i], out[k][i], wanted[k], SEED);
    }
}

/* numbers that instructions are likely to differ about */
static const double specials[] = {
    0.0,      -0.0,      1.0,          -1.0,      0.5,    -1.5,      2.5,       0.75,
    65536.0,  65537.0,   0x1p50 + 0.5, -0x1p51,   0x1p52, 0x1p-1074, 0x1p-1022, -0x1p-1030,
    0x1p1000, -0x1p1023, INFINITY,     -INFINITY, NAN,    -NAN,      1e22,      LB_PI,
};
enum { SPECIALS = sizeof specials / sizeof *specials };

/* a special number, any bits at all, an angle, or a number of the unit interval */
static double random_number(lb_random *random)
{
    switch (lb_random_next(random) % 4) {
    case 0:
        return specials[lb_random_next(random) % SPECIALS];
    case 1: {
        uint64_t bits = (uint64_t)lb_random_next(random) << 32 | lb_random_next(random);
        double x;
        memcpy(&x, &bits, sizeof x);
        return x;
    }
    case 2:
        return lb_random_between(random, -10, 10);
    default:
        return lb_random_between(random, -1, 1);
    }
}

/* ---- the tests ------------------------------------------------------------ */

/* each special number with each, in every lane: its neighbours must not matter */
TEST(test_special_pairs)
{
    const probe *probes[MOST_PROBES];
    int count = probes_here(probes);
    for (int k = 0; k < count; k++)
        for (int pair = 0; pair < SPECIALS * SPECIALS; pair++)
            for (int place = 0; place < probes[k]->width; place++) {
                double a[PROBE_WIDEST], b[PROBE_WIDEST];
                for (int i = 0; i < PROBE_WIDEST; i++) {
                    a[i] = 0.25 * i;
                    b[i] = 1.0;
                }
                a[place] = specials[pair / SPECIALS];
                b[place] = specials[pair % SPECIALS];
                check_numbers(probes[k], a, b);
            }
}

TEST(test_random_numbers)
{
    const probe *probes[MOST_PROBES];
    int count = probes_here(probes);
    lb_random random = lb_random_seed(SEED);
    for (int round = 0; round < ROUNDS; round++) {
        double a[PROBE_WIDEST], b[PROBE_WIDEST];
        for (int i = 0; i < PROBE_WIDEST; i++) {
            a[i] = random_number(&random);
            b[i] = random_number(&random);
        }
        for (int k = 0; k < count; k++)
            check_numbers(probes[k], a, b);
    }
}

/* all masks of all widths; bits beyond the width are not read */
TEST(test_mask_bits)
{
    const probe *probes[MOST_PROBES];
    int count = probes_here(probes);
    for (int k = 0; k < count; k++) {
        unsigned full = (1u << probes[k]->width) - 1;
        for (unsigned bits = 0; bits < 256; bits++) {
            unsigned wanted = bits & full;
            probe_mask mask = probes[k]->mask(bits);
            if (mask.bits != wanted || mask.inverse != (full & ~wanted) ||
                mask.any != (wanted != 0) || mask.none != (wanted == 0) ||
                mask.all != (wanted == full))
                fail_msg("%s: a mask of bits %x says %x, inverse %x, any %d, all %d, none %d",
                         probes[k]->name, bits, mask.bits, mask.inverse, mask.any, mask.all,
                         mask.none);
        }
    }
}
