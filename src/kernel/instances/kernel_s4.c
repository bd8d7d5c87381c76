/* kernel_s4.c - the kernel at width 1, each vector in one register of four numbers. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_S4
#define LANE_WIDTH 1
#define LANE_SUFFIX s4
#define LANE_TARGET 256
#define KERNEL_DESCENDS
#define FORWARD_SINCOS kernel_sincos_w4
#include "simd/target.inl"

#include "kernel/instance.inl"

#include "kernel/body.inl"

#include "simd/target_end.inl"
#endif
