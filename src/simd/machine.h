/*
 * machine.h - the instruction sets that can be compiled, beside the baseline.
 *
 * kernel/choose.c decides at run time which of them the machine has.
 */
#ifndef LIMBER_MACHINE_H
#define LIMBER_MACHINE_H

#if defined(__x86_64__)
#define SIMD_HAVE_AVX2 1
#define SIMD_HAVE_AVX512 1
#endif

/* bits of the widest register that a target (target.inl) can have */
enum {
#if defined(SIMD_HAVE_AVX512)
    SIMD_WIDEST_BITS = 512
#elif defined(SIMD_HAVE_AVX2)
    SIMD_WIDEST_BITS = 256
#else
    SIMD_WIDEST_BITS = 128
#endif
};

#endif
