/*
 * lane_triple.h - vectors in registers; included with lane.h.
 *
 * A triple is a v3 that is not in memory. At width 1 its numbers are side by side in one or two
 * registers, so that one or two operations do for three; the bits are the same. At other widths it
 * is the v3 itself.
 *
 *   triple_spill    triple_store that may overwrite one number more
 *   triple_take     triple_load that may read one number more
 *   triple_scatter  to numbers that are `stride` apart
 *   triple_sum      (x + y) + z
 *   triple_by_x     a times b's x in all places, likewise by_y and by_z
 */
#ifndef LIMBER_LANE_TRIPLE_H
#define LIMBER_LANE_TRIPLE_H

#include "simd/lane.h"

#if LANE_WIDTH == 1 && LANE_AVX

/* in one register; the fourth number is not used */
typedef struct triple {
    __m256d xyz;
} triple;

LANE_INLINE triple triple_load(const v3 *from)
{
    __m256d xy = _mm256_castpd128_pd256(_mm_loadu_pd(&from->x));
    return (triple){_mm256_insertf128_pd(xy, _mm_load_sd(&from->z), 1)};
}
LANE_INLINE void triple_store(v3 *to, triple a)
{
    _mm_storeu_pd(&to->x, _mm256_castpd256_pd128(a.xyz));
    _mm_store_sd(&to->z, _mm256_extractf128_pd(a.xyz, 1));
}
LANE_INLINE void triple_spill(v3 *to, triple a)
{
    _mm256_storeu_pd(&to->x, a.xyz);
}
LANE_INLINE triple triple_take(const v3 *from)
{
    return (triple){_mm256_loadu_pd(&from->x)};
}
LANE_INLINE triple triple_negate(triple a)
{
    return (triple){-a.xyz};
}
LANE_INLINE triple triple_scale(triple a, lane s)
{
    return (triple){a.xyz * s};
}
LANE_INLINE triple triple_add(triple a, triple b)
{
    return (triple){a.xyz + b.xyz};
}
LANE_INLINE triple triple_sub(triple a, triple b)
{
    return (triple){a.xyz - b.xyz};
}
LANE_INLINE triple triple_cross(triple a, triple b)
{
    // z x y of the product, from y z x of the factors
    __m256d turned = a.xyz * _mm256_permute4x64_pd(b.xyz, 0xc9);
    turned -= _mm256_permute4x64_pd(a.xyz, 0xc9) * b.xyz;
    return (triple){_mm256_permute4x64_pd(turned, 0xc9)};
}
LANE_INLINE triple triple_make(lane x, lane y, lane z)
{
    __m128d xy = _mm_unpacklo_pd(_mm_set_sd(x), _mm_set_sd(y));
    return (triple){_mm256_insertf128_pd(_mm256_castpd128_pd256(xy), _mm_set_sd(z), 1)};
}
LANE_INLINE triple triple_multiply(triple a, triple b)
{
    return (triple){a.xyz * b.xyz};
}
LANE_INLINE triple triple_by_x(triple a, triple b)
{
    return (triple){a.xyz * _mm256_permute4x64_pd(b.xyz, 0x00)};
}
LANE_INLINE triple triple_by_y(triple a, triple b)
{
    return (triple){a.xyz * _mm256_permute4x64_pd(b.xyz, 0x55)};
}
LANE_INLINE triple triple_by_z(triple a, triple b)
{
    return (triple){a.xyz * _mm256_permute4x64_pd(b.xyz, 0xaa)};
}
LANE_INLINE lane triple_sum(triple a)
{
    __m128d xy = _mm256_castpd256_pd128(a.xyz);
    __m128d sum = _mm_add_sd(xy, _mm_unpackhi_pd(xy, xy));
    return _mm_cvtsd_f64(_mm_add_sd(sum, _mm256_extractf128_pd(a.xyz, 1)));
}
LANE_INLINE triple triple_keep(lane_mask where, triple a)
{
    return (triple){where ? a.xyz : _mm256_setzero_pd()};
}
LANE_INLINE void triple_scatter(lane *to, size_t stride, triple a)
{
    __m128d xy = _mm256_castpd256_pd128(a.xyz);
    _mm_storel_pd(to, xy);
    _mm_storeh_pd(to + stride, xy);
    _mm_storel_pd(to + 2 * stride, _mm256_extractf128_pd(a.xyz, 1));
}

#elif LANE_WIDTH == 1 && (defined(__SSE2__) || defined(__ARM_NEON) || defined(__wasm_simd128__))

/* in one register and a half */
typedef struct triple {
    lane_pair xy;
    lane z;
} triple;

LANE_INLINE triple triple_load(const v3 *from)
{
    triple a = {.z = from->z};
    memcpy(&a.xy, &from->x, sizeof a.xy);
    return a;
}
LANE_INLINE void triple_store(v3 *to, triple a)
{
    memcpy(&to->x, &a.xy, sizeof a.xy);
    to->z = a.z;
}
LANE_INLINE void triple_spill(v3 *to, triple a)
{
    triple_store(to, a);
}
LANE_INLINE triple triple_take(const v3 *from)
{
    return triple_load(from);
}
LANE_INLINE triple triple_negate(triple a)
{
    return (triple){-a.xy, -a.z};
}
LANE_INLINE triple triple_scale(triple a, lane s)
{
    return (triple){a.xy * s, a.z * s};
}
LANE_INLINE triple triple_add(triple a, triple b)
{
    return (triple){a.xy + b.xy, a.z + b.z};
}
LANE_INLINE triple triple_sub(triple a, triple b)
{
    return (triple){a.xy - b.xy, a.z - b.z};
}
LANE_INLINE triple triple_cross(triple a, triple b)
{
    lane ax = a.xy[0], ay = a.xy[1], bx = b.xy[0], by = b.xy[1];
    return (triple){{ay * b.z - a.z * by, a.z * bx - ax * b.z}, ax * by - ay * bx};
}
LANE_INLINE triple triple_make(lane x, lane y, lane z)
{
    return (triple){{x, y}, z};
}
LANE_INLINE triple triple_multiply(triple a, triple b)
{
    return (triple){a.xy * b.xy, a.z * b.z};
}
LANE_INLINE triple triple_by_x(triple a, triple b)
{
    return triple_scale(a, b.xy[0]);
}
LANE_INLINE triple triple_by_y(triple a, triple b)
{
    return triple_scale(a, b.xy[1]);
}
LANE_INLINE triple triple_by_z(triple a, triple b)
{
    return triple_scale(a, b.z);
}
LANE_INLINE lane triple_sum(triple a)
{
    return a.xy[0] + a.xy[1] + a.z;
}
LANE_INLINE triple triple_keep(lane_mask where, triple a)
{
    return where ? a : (triple){{0, 0}, 0};
}
LANE_INLINE void triple_scatter(lane *to, size_t stride, triple a)
{
    to[0] = a.xy[0];
    to[stride] = a.xy[1];
    to[2 * stride] = a.z;
}

#else

typedef v3 triple;

LANE_INLINE triple triple_load(const v3 *from)
{
    return *from;
}
LANE_INLINE void triple_store(v3 *to, triple a)
{
    *to = a;
}
LANE_INLINE void triple_spill(v3 *to, triple a)
{
    *to = a;
}
LANE_INLINE triple triple_take(const v3 *from)
{
    return triple_load(from);
}
LANE_INLINE triple triple_negate(triple a)
{
    return (triple){-a.x, -a.y, -a.z};
}
LANE_INLINE triple triple_scale(triple a, lane s)
{
    return (triple){a.x * s, a.y * s, a.z * s};
}
LANE_INLINE triple triple_add(triple a, triple b)
{
    return (triple){a.x + b.x, a.y + b.y, a.z + b.z};
}
LANE_INLINE triple triple_sub(triple a, triple b)
{
    return (triple){a.x - b.x, a.y - b.y, a.z - b.z};
}
LANE_INLINE triple triple_cross(triple a, triple b)
{
    return (triple){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANE_INLINE triple triple_make(lane x, lane y, lane z)
{
    return (triple){x, y, z};
}
LANE_INLINE triple triple_multiply(triple a, triple b)
{
    return (triple){a.x * b.x, a.y * b.y, a.z * b.z};
}
LANE_INLINE triple triple_by_x(triple a, triple b)
{
    return triple_scale(a, b.x);
}
LANE_INLINE triple triple_by_y(triple a, triple b)
{
    return triple_scale(a, b.y);
}
LANE_INLINE triple triple_by_z(triple a, triple b)
{
    return triple_scale(a, b.z);
}
LANE_INLINE lane triple_sum(triple a)
{
    return a.x + a.y + a.z;
}
LANE_INLINE triple triple_keep(lane_mask where, triple a)
{
    return (triple){lane_keep(where, a.x), lane_keep(where, a.y), lane_keep(where, a.z)};
}
LANE_INLINE void triple_scatter(lane *to, size_t stride, triple a)
{
    to[0] = a.x;
    to[stride] = a.y;
    to[2 * stride] = a.z;
}

#endif

#endif
