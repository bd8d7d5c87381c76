/*
 * lane_part.h - the widest register that fits into a lane; included by lane.h.
 *
 * part_real is that register, with the operations that C lacks or that gcc 12 compiles badly:
 * square roots, comparisons, selects by a mask and a mask's bits. PART_MIN and PART_MAX are the
 * second operand where neither is smaller or greater. A mask is a part of all ones or all zeros.
 */
#ifndef LIMBER_LANE_PART_H
#define LIMBER_LANE_PART_H

#if LANE_FLOAT
#define PART_X86(name) name##_ps
#define PART_NEON(name) name##_f32
#define PART_WASM(name) wasm_f32x4_##name
#else
#define PART_X86(name) name##_pd
#define PART_NEON(name) name##_f64
#define PART_WASM(name) wasm_f64x2_##name
#endif

#if LANE_MASK_REGISTER
#include <immintrin.h>
#if LANE_FLOAT
typedef __m512 part_real;
#else
typedef __m512d part_real;
#endif
#define PART_SQRT(a) PART_X86(_mm512_sqrt)(a)
#define PART_MIN(a, b) PART_X86(_mm512_min)(a, b)
#define PART_MAX(a, b) PART_X86(_mm512_max)(a, b)
#elif LANE_AVX && LANE_BITS >= 256
#include <immintrin.h>
#if LANE_FLOAT
typedef __m256 part_real;
#else
typedef __m256d part_real;
#endif
#define PART_SQRT(a) PART_X86(_mm256_sqrt)(a)
#define PART_MIN(a, b) PART_X86(_mm256_min)(a, b)
#define PART_MAX(a, b) PART_X86(_mm256_max)(a, b)
#define PART_LT(a, b) PART_X86(_mm256_cmp)(a, b, _CMP_LT_OQ)
#define PART_LE(a, b) PART_X86(_mm256_cmp)(a, b, _CMP_LE_OQ)
#define PART_EQ(a, b) PART_X86(_mm256_cmp)(a, b, _CMP_EQ_OQ)
#define PART_BLEND(mask, a, b) PART_X86(_mm256_blendv)(b, a, mask)
#define PART_BITS(mask) ((unsigned)PART_X86(_mm256_movemask)(mask))
#elif defined(__SSE2__)
#include <emmintrin.h>
#if LANE_FLOAT
typedef __m128 part_real;
#else
typedef __m128d part_real;
#endif
#define PART_SQRT(a) PART_X86(_mm_sqrt)(a)
#define PART_MIN(a, b) PART_X86(_mm_min)(a, b)
#define PART_MAX(a, b) PART_X86(_mm_max)(a, b)
#define PART_LT(a, b) PART_X86(_mm_cmplt)(a, b)
#define PART_LE(a, b) PART_X86(_mm_cmple)(a, b)
#define PART_EQ(a, b) PART_X86(_mm_cmpeq)(a, b)
#define PART_BLEND(mask, a, b)                                                                     \
    PART_X86(_mm_or)(PART_X86(_mm_and)(mask, a), PART_X86(_mm_andnot)(mask, b))
#define PART_BITS(mask) ((unsigned)PART_X86(_mm_movemask)(mask))
#elif defined(__aarch64__) && defined(__ARM_NEON)
#include <arm_neon.h>
#if LANE_FLOAT
typedef float32x4_t part_real;
typedef uint32x4_t part_mask;
#else
typedef float64x2_t part_real;
typedef uint64x2_t part_mask;
#endif
#define PART_SQRT(a) PART_NEON(vsqrtq)(a)
#define PART_MIN(a, b) PART_NEON(vbslq)(PART_NEON(vcltq)(a, b), a, b)
#define PART_MAX(a, b) PART_NEON(vbslq)(PART_NEON(vcgtq)(a, b), a, b)
#define PART_LT(a, b) ((part_real)PART_NEON(vcltq)(a, b))
#define PART_LE(a, b) ((part_real)PART_NEON(vcleq)(a, b))
#define PART_EQ(a, b) ((part_real)PART_NEON(vceqq)(a, b))
#define PART_BLEND(mask, a, b) PART_NEON(vbslq)((part_mask)(mask), a, b)
#define PART_BITS(mask) part_bits((part_mask)(mask))
static inline unsigned part_bits(part_mask mask)
{
#if LANE_FLOAT
    const uint32x4_t bit_of_lane = {1, 2, 4, 8};
    return vaddvq_u32(mask & bit_of_lane);
#else
    return (unsigned)((vgetq_lane_u64(mask, 0) & 1) | (vgetq_lane_u64(mask, 1) & 2));
#endif
}
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
typedef v128_t part_real;
#define PART_SQRT(a) PART_WASM(sqrt)(a)
#define PART_MIN(a, b) PART_WASM(pmin)(b, a)
#define PART_MAX(a, b) PART_WASM(pmax)(b, a)
#define PART_LT(a, b) PART_WASM(lt)(a, b)
#define PART_LE(a, b) PART_WASM(le)(a, b)
#define PART_EQ(a, b) PART_WASM(eq)(a, b)
#define PART_BLEND(mask, a, b) wasm_v128_bitselect(a, b, mask)
#if LANE_FLOAT
#define PART_BITS(mask) ((unsigned)wasm_i32x4_bitmask(mask))
#else
#define PART_BITS(mask) ((unsigned)wasm_i64x2_bitmask(mask))
#endif
#else
typedef real part_real;
#define PART_SQRT(a) (LANE_FLOAT ? (real)__builtin_sqrtf((float)(a)) : (real)__builtin_sqrt(a))
#define PART_MIN(a, b) ((a) < (b) ? (a) : (b))
#define PART_MAX(a, b) ((a) > (b) ? (a) : (b))
#define PART_LT(a, b) part_mask((a) < (b))
#define PART_LE(a, b) part_mask((a) <= (b))
#define PART_EQ(a, b) part_mask((a) == (b))
#define PART_BLEND(mask, a, b) (part_bits(mask) ? (a) : (b))
#define PART_BITS(mask) part_bits(mask)
static inline unsigned part_bits(part_real mask)
{
    real_bits bits;
    memcpy(&bits, &mask, sizeof bits);
    return (unsigned)(bits & 1);
}
static inline part_real part_mask(bool yes)
{
    real_bits bits = 0 - (real_bits)yes;
    part_real mask;
    memcpy(&mask, &bits, sizeof mask);
    return mask;
}
#endif

#endif
