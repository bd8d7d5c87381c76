/*
 * target.inl - what follows may use instructions beyond the machine's baseline.
 *
 * Before including this, a file defines LANE_TARGET as the bits of the registers to use:
 *
 *     0     the baseline: SSE2, NEON or WebAssembly's 128 bits
 *     256   AVX2; no fused operations, contraction being off
 *     512   AVX-512 F, DQ and VL
 *
 * The instruction set is an attribute of each function, so a build system needs no flags
 * for these files. A file that includes this ends with simd/target_end.inl. Headers with
 * functions of their own come after this, or those are compiled for the baseline.
 */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if LANE_TARGET
#include <immintrin.h>
#endif

/*
 * Lanes are 3-5 % faster when tuned for Intel's first servers with AVX-512 than for any machine, on
 * AMD's too; code for a single problem is slower.
 */
#if LANE_TARGET == 256 && LANE_WIDTH > 1
#define LANE_INSTRUCTIONS "avx2,tune=icelake-server"
#elif LANE_TARGET == 256
#define LANE_INSTRUCTIONS "avx2"
#elif LANE_TARGET == 512 && LANE_WIDTH > 1
#define LANE_INSTRUCTIONS "avx512f,avx512dq,avx512vl,tune=icelake-server"
#elif LANE_TARGET == 512
#define LANE_INSTRUCTIONS "avx512f,avx512dq,avx512vl"
#endif

#define LANE_PRAGMA(text) LANE_PRAGMA_TEXT(text)
#define LANE_PRAGMA_TEXT(text) _Pragma(#text)

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#if LANE_TARGET
LANE_PRAGMA(clang attribute push(__attribute__((target(LANE_INSTRUCTIONS))), apply_to = function))
#endif
#elif defined(__GNUC__)
/*
 * Partial redundancy elimination needs registers, of which the kernel's long straight code has none
 * to spare: 9 % slower with it. AVX-512 brings fused operations along, which gcc's vectorizer uses
 * although contraction is off (gcc 12, vfmaddsub); the kernel's vectors are explicit and lose
 * nothing without it.
 */
#pragma GCC push_options
#pragma GCC optimize("no-tree-pre,fp-contract=off")
#if LANE_TARGET == 512
#pragma GCC optimize("no-tree-vectorize")
#endif
#if LANE_TARGET
LANE_PRAGMA(GCC target(LANE_INSTRUCTIONS))
#endif
#endif
