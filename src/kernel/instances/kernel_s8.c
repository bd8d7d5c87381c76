/* kernel_s8.c - as kernel_s4.c, with the thirty-two registers of AVX-512: for arms. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_S8
#define LANE_WIDTH 1
#define LANE_SUFFIX s8
#define LANE_TARGET 512
#define KERNEL_DESCENDS
#define FORWARD_SINCOS kernel_sincos_w4
#include "simd/target.inl"

#include "kernel/instance.inl"

#include "simd/target_end.inl"
#endif
