/*
 * lane.h - one number per problem, any number of problems side by side.
 *
 * The kernel is written once over the type `lane`. A file that wants it defines
 * LANE_WIDTH as 1, 2, 4 or 8, includes this header and then .inl files, and so
 * compiles the kernel for that many problems at a time. Width 1 is plain double:
 * it is the scalar library. With LANE_FLOAT defined as 1 the numbers are floats
 * and widths are 4, 8 and 16. This is the only file, with its parts lane_part.h,
 * lane_triple.h and lane_rows.h, that depends on a type or an instruction set, and instance.inl
 * alone tests a width by #if; elsewhere no vector is ever subscripted.
 *
 * Any lane of any width computes the same bits as width 1. Everything here is
 * one IEEE 754 operation (+ - * / and sqrt round correctly, the rest is exact),
 * so the promise holds as long as the compiler neither contracts nor reorders:
 * -ffp-contract=off and no -ffast-math.
 *
 *   real       double or float, what a lane has for each problem
 *   lane       the numbers; + - * / and unary minus are the native operators,
 *              and a plain real may be on one side of them
 *   lane_int   their bit patterns, unsigned: + - & | ^ ~ << >> are native
 *   lane_mask  a yes or no for each lane, opaque: use the mask_ functions alone
 *
 * Widths that the machine lacks work too, by the halves and quarters that it has.
 */
#ifndef LIMBER_LANE_H
#define LIMBER_LANE_H

#include <float.h>
#include <limber/math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifndef LANE_WIDTH
#error "define LANE_WIDTH as 1, 2, 4 or 8 before including lane.h"
#endif
#ifndef LANE_FLOAT
#define LANE_FLOAT 0
#endif
#if LANE_FLOAT
#if LANE_WIDTH != 4 && LANE_WIDTH != 8 && LANE_WIDTH != 16
#error "LANE_WIDTH of floats must be 4, 8 or 16"
#endif
#elif LANE_WIDTH != 1 && LANE_WIDTH != 2 && LANE_WIDTH != 4 && LANE_WIDTH != 8
#error "LANE_WIDTH must be 1, 2, 4 or 8"
#endif
#if defined(__FAST_MATH__)
#error "limber promises fixed bits: compile without -ffast-math"
#endif
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 1 || FLT_EVAL_METHOD == 2
#error                                                                                             \
    "limber promises fixed bits: double must be computed as double (on i386: -msse2 -mfpmath=sse)"
#endif

/* the name of an exported function for this width: KERNEL_NAME(solve) is kernel_solve_w8 */
#define KERNEL_NAME(name) KERNEL_NAME_PASTE(name, LANE_SUFFIX)
#define KERNEL_NAME_PASTE(name, suffix) KERNEL_NAME_JOIN(name, suffix)
#define KERNEL_NAME_JOIN(name, suffix) kernel_##name##_##suffix
#ifndef LANE_SUFFIX
#define LANE_SUFFIX LANE_SUFFIX_PASTE(LANE_LETTER, LANE_WIDTH)
#define LANE_SUFFIX_PASTE(letter, width) LANE_SUFFIX_JOIN(letter, width)
#define LANE_SUFFIX_JOIN(letter, width) letter##width
#if LANE_FLOAT
#define LANE_LETTER f
#else
#define LANE_LETTER w
#endif
#endif

#define LANE_INLINE static inline __attribute__((always_inline))
/* for large pieces that many functions contain: out of line only where size counts */
#ifdef LIMBER_SMALL
#define LANE_SHARED static __attribute__((noinline, unused))
#else
#define LANE_SHARED LANE_INLINE
#endif
/* for what is hardly ever called: out of line */
#define LANE_RARE static __attribute__((noinline, cold, unused))

/* ---- types -------------------------------------------------------------- */

#if LANE_FLOAT
typedef float real;
typedef uint32_t real_bits;
typedef int32_t real_mask;
#else
typedef double real;
typedef uint64_t real_bits;
typedef int64_t real_mask;
#endif

enum { REAL_SIGN_SHIFT = 8 * sizeof(real) - 1 };
#define LANE_SIGN_BIT ((real_bits)1 << REAL_SIGN_SHIFT)

/* registers of 256 and 512 bits: this file's own target (target.inl), or the compiler's default */
#ifndef LANE_TARGET
#define LANE_TARGET 0
#endif
#if LANE_TARGET >= 256 || defined(__AVX__)
#define LANE_AVX 1
#else
#define LANE_AVX 0
#endif
#if LANE_TARGET >= 512 || defined(__AVX512F__)
#define LANE_AVX512 1
#else
#define LANE_AVX512 0
#endif

#if LANE_WIDTH == 1

typedef double lane;
typedef uint64_t lane_int;
typedef bool lane_mask;

/* two numbers in one register, for triples */
typedef double lane_pair __attribute__((vector_size(16)));
#if LANE_AVX
#include <immintrin.h>
#endif

#else

/* everything is inlined, so it does not matter how wide vectors would be passed */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { LANE_BYTES = LANE_WIDTH * sizeof(real) };
typedef real lane __attribute__((vector_size(LANE_BYTES)));
typedef real_bits lane_int __attribute__((vector_size(LANE_BYTES)));

/* a lane's bits, for conditions of the preprocessor */
#define LANE_BITS (LANE_WIDTH * (LANE_FLOAT ? 32 : 64))

#if LANE_AVX512 && LANE_BITS == 512
#define LANE_MASK_REGISTER 1
#else
#define LANE_MASK_REGISTER 0
#endif

#if LANE_MASK_REGISTER && LANE_FLOAT
typedef uint16_t lane_mask;
#elif LANE_MASK_REGISTER
typedef uint8_t lane_mask;
#else
typedef real_mask lane_mask __attribute__((vector_size(LANE_BYTES)));
#endif

#include "simd/lane_part.h"

enum { LANE_PARTS = sizeof(lane) / sizeof(part_real), PART_WIDTH = LANE_WIDTH / LANE_PARTS };

/* a lane seen as the registers it is made of */
typedef union lane_parts {
    lane whole;
    part_real part[LANE_PARTS];
} lane_parts;

/* a function of two lanes, register by register */
#define LANE_BY_PARTS(result, name, operation)                                                     \
    LANE_INLINE result name(lane a, lane b)                                                        \
    {                                                                                              \
        lane_parts x = {.whole = a}, y = {.whole = b};                                             \
        for (int i = 0; i < LANE_PARTS; i++)                                                       \
            x.part[i] = operation(x.part[i], y.part[i]);                                           \
        return (result)x.whole;                                                                    \
    }

#endif

/* ---- loading and bits ----------------------------------------------------- */

/* the same number in every lane */
LANE_INLINE lane lane_set(double x)
{
    // x - 0 is x for every x, -0 included, and broadcasts at any width
    return (real)x - (lane){0};
}

LANE_INLINE lane_int lane_int_set(real_bits x)
{
    return x - (lane_int){0};
}

/* LANE_WIDTH numbers from and to memory, of any alignment */
LANE_INLINE lane lane_load(const real *from)
{
    lane x;
    memcpy(&x, from, sizeof x);
    return x;
}

LANE_INLINE void lane_store(real *to, lane x)
{
    memcpy(to, &x, sizeof x);
}

/* one lane's number in a row of lanes in memory */
LANE_INLINE void lane_put(lane *x, int l, real value)
{
    memcpy((char *)x + sizeof(real) * (size_t)l, &value, sizeof value);
}
LANE_INLINE real lane_get(const lane *x, int l)
{
    real value;
    memcpy(&value, (const char *)x + sizeof(real) * (size_t)l, sizeof value);
    return value;
}

/* numbers from several places */
LANE_INLINE lane lane_gather(const real *from, const int *at)
{
#if LANE_WIDTH == 1
    return from[at[0]];
#elif LANE_WIDTH == 2
    return (lane){from[at[0]], from[at[1]]};
#elif LANE_WIDTH == 4
    return (lane){from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
#elif LANE_WIDTH == 8
    return (lane){from[at[0]], from[at[1]], from[at[2]], from[at[3]],
                  from[at[4]], from[at[5]], from[at[6]], from[at[7]]};
#else
    real numbers[LANE_WIDTH];
    for (int i = 0; i < LANE_WIDTH; i++)
        numbers[i] = from[at[i]];
    return lane_load(numbers);
#endif
}

LANE_INLINE lane_int lane_int_load(const real_bits *from)
{
    lane_int x;
    memcpy(&x, from, sizeof x);
    return x;
}

LANE_INLINE void lane_int_store(real_bits *to, lane_int x)
{
    memcpy(to, &x, sizeof x);
}

/* the bit patterns of the numbers, and back */
LANE_INLINE lane_int lane_bits(lane x)
{
    lane_int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

LANE_INLINE lane lane_from_bits(lane_int bits)
{
    lane x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* ---- masks ---------------------------------------------------------------- */

/* every bit set that a mask can have: MASK_FULL == mask_bits(all lanes) */
enum { MASK_FULL = (1 << LANE_WIDTH) - 1 };

/* comparisons are false where either operand is NaN */
#if LANE_WIDTH == 1

LANE_INLINE lane_mask lane_lt(lane a, lane b)
{
    return a < b;
}

LANE_INLINE lane_mask lane_le(lane a, lane b)
{
    return a <= b;
}

LANE_INLINE lane_mask lane_eq(lane a, lane b)
{
    return a == b;
}

#elif LANE_MASK_REGISTER

#if LANE_FLOAT
#define LANE_COMPARE(a, b, how) _mm512_cmp_ps_mask(a, b, how)
#define LANE_TEST(a, bits) _mm512_test_epi32_mask((__m512i)(a), (__m512i)lane_int_set(bits))
#else
#define LANE_COMPARE(a, b, how) _mm512_cmp_pd_mask(a, b, how)
#define LANE_TEST(a, bits) _mm512_test_epi64_mask((__m512i)(a), (__m512i)lane_int_set(bits))
#endif

LANE_INLINE lane_mask lane_lt(lane a, lane b)
{
    return LANE_COMPARE(a, b, _CMP_LT_OQ);
}

LANE_INLINE lane_mask lane_le(lane a, lane b)
{
    return LANE_COMPARE(a, b, _CMP_LE_OQ);
}

LANE_INLINE lane_mask lane_eq(lane a, lane b)
{
    return LANE_COMPARE(a, b, _CMP_EQ_OQ);
}

#else

LANE_BY_PARTS(lane_mask, lane_lt, PART_LT)
LANE_BY_PARTS(lane_mask, lane_le, PART_LE)
LANE_BY_PARTS(lane_mask, lane_eq, PART_EQ)

#endif

LANE_INLINE lane_mask lane_gt(lane a, lane b)
{
    return lane_lt(b, a);
}

LANE_INLINE lane_mask lane_ge(lane a, lane b)
{
    return lane_le(b, a);
}

LANE_INLINE lane_mask mask_and(lane_mask a, lane_mask b)
{
    return (lane_mask)(a & b);
}

LANE_INLINE lane_mask mask_or(lane_mask a, lane_mask b)
{
    return (lane_mask)(a | b);
}

#if LANE_WIDTH == 1

LANE_INLINE lane_mask mask_not(lane_mask a)
{
    return !a;
}

/* bit i of the result is lane i */
LANE_INLINE unsigned mask_bits(lane_mask mask)
{
    return mask;
}

LANE_INLINE lane_mask mask_from_bits(unsigned bits)
{
    return bits & 1;
}

/* lanes whose integer is odd */
LANE_INLINE lane_mask lane_int_odd(lane_int n)
{
    return n & 1;
}

/* lanes whose sign bit is set: less than zero, -0, or NaN with that sign */
LANE_INLINE lane_mask lane_sign(lane x)
{
    return lane_bits(x) >> REAL_SIGN_SHIFT;
}

/* a where the mask is set, b elsewhere */
LANE_INLINE lane lane_select(lane_mask mask, lane a, lane b)
{
    return mask ? a : b;
}

/* x where the mask is set, +0 elsewhere, even if x is infinite or NaN there */
LANE_INLINE lane lane_keep(lane_mask mask, lane x)
{
    return mask ? x : 0.0;
}

#elif LANE_MASK_REGISTER

LANE_INLINE lane_mask mask_not(lane_mask a)
{
    return (lane_mask)~a;
}

LANE_INLINE unsigned mask_bits(lane_mask mask)
{
    return mask;
}

LANE_INLINE lane_mask mask_from_bits(unsigned bits)
{
    return (lane_mask)bits;
}

LANE_INLINE lane_mask lane_int_odd(lane_int n)
{
    return LANE_TEST(n, 1);
}

LANE_INLINE lane_mask lane_sign(lane x)
{
    return LANE_TEST(x, LANE_SIGN_BIT);
}

LANE_INLINE lane lane_select(lane_mask mask, lane a, lane b)
{
    return PART_X86(_mm512_mask_blend)(mask, b, a);
}

LANE_INLINE lane lane_keep(lane_mask mask, lane x)
{
    return PART_X86(_mm512_maskz_mov)(mask, x);
}

#else

LANE_INLINE lane_mask mask_not(lane_mask a)
{
    return ~a;
}

LANE_INLINE unsigned mask_bits(lane_mask mask)
{
    lane_parts m = {.whole = (lane)mask};
    unsigned bits = 0;
    for (int i = 0; i < LANE_PARTS; i++)
        bits |= PART_BITS(m.part[i]) << (i * PART_WIDTH);
    return bits;
}

LANE_INLINE lane_mask mask_from_bits(unsigned bits)
{
    static const real_bits bit_of_lane[16] = {1,       2,       4,       8,      16,      32,
                                              64,      128,     1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                              1 << 12, 1 << 13, 1 << 14, 1 << 15};
    lane_int bit = lane_int_load(bit_of_lane);
    return (lane_mask)((lane_int_set(bits) & bit) == bit);
}

LANE_INLINE lane_mask lane_int_odd(lane_int n)
{
    return (lane_mask)(0 - (n & 1));
}

LANE_INLINE lane_mask lane_sign(lane x)
{
    return (lane_mask)(0 - (lane_bits(x) >> REAL_SIGN_SHIFT));
}

LANE_INLINE lane lane_select(lane_mask mask, lane a, lane b)
{
    lane_parts m = {.whole = (lane)mask}, x = {.whole = a}, y = {.whole = b};
    for (int i = 0; i < LANE_PARTS; i++)
        x.part[i] = PART_BLEND(m.part[i], x.part[i], y.part[i]);
    return x.whole;
}

LANE_INLINE lane lane_keep(lane_mask mask, lane x)
{
    return lane_from_bits(lane_bits(x) & (lane_int)mask);
}

#endif

/* a but not b */
LANE_INLINE lane_mask mask_andnot(lane_mask a, lane_mask b)
{
    return mask_and(a, mask_not(b));
}

LANE_INLINE bool mask_any(lane_mask mask)
{
    return mask_bits(mask) != 0;
}

LANE_INLINE bool mask_none(lane_mask mask)
{
    return mask_bits(mask) == 0;
}

LANE_INLINE bool mask_all(lane_mask mask)
{
    return mask_bits(mask) == MASK_FULL;
}

/* ---- numbers -------------------------------------------------------------- */

/*
 * lane_min is exactly a < b ? a : b and lane_max exactly a > b ? a : b: where either is NaN, or
 * both are zero, the result is b. So lane_max(x, 0) clears NaN.
 */
#if LANE_WIDTH == 1

LANE_INLINE lane lane_sqrt(lane x)
{
    return __builtin_sqrt(x);
}

LANE_INLINE lane lane_min(lane a, lane b)
{
    return a < b ? a : b;
}

LANE_INLINE lane lane_max(lane a, lane b)
{
    return a > b ? a : b;
}

#else

LANE_INLINE lane lane_sqrt(lane x)
{
    lane_parts parts = {.whole = x};
    for (int i = 0; i < LANE_PARTS; i++)
        parts.part[i] = PART_SQRT(parts.part[i]);
    return parts.whole;
}

LANE_BY_PARTS(lane, lane_min, PART_MIN)
LANE_BY_PARTS(lane, lane_max, PART_MAX)

#endif

LANE_INLINE lane lane_abs(lane x)
{
    return lane_from_bits(lane_bits(x) & ~LANE_SIGN_BIT);
}

/* x, negated where the sign bit of `sign` is set */
LANE_INLINE lane lane_flip_sign(lane x, lane sign)
{
    return lane_from_bits(lane_bits(x) ^ (lane_bits(sign) & LANE_SIGN_BIT));
}

/* the magnitude of x with the sign of `sign` */
LANE_INLINE lane lane_copysign(lane x, lane sign)
{
    return lane_flip_sign(lane_abs(x), sign);
}

/*
 * x to the nearest integer, halves to even, for |x| <= 2^51, of floats 2^22. Adding 1.5 * 2^52, of
 * floats 2^23, leaves no fractional bits, and subtracting it again is exact.
 */
#define LANE_ROUND_MAGIC ((real)(LANE_FLOAT ? 12582912.0 : 6755399441055744.0))

LANE_INLINE lane lane_round(lane x)
{
    return (x + LANE_ROUND_MAGIC) - LANE_ROUND_MAGIC;
}

/* ---- vectors and frames of lanes ------------------------------------------ */

/* the layout of lb_vec3 and lb_transform; at width 1 the same types */
#if LANE_WIDTH == 1

typedef lb_vec3 v3;
typedef lb_transform frame;

#else

typedef struct v3 {
    lane x, y, z;
} v3;

typedef struct frame {
    v3 x, y, z, p;
} frame;

#endif

#endif
