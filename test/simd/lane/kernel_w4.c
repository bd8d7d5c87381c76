/* kernel_w4.c - four lanes as the kernel has them: AVX2 on x86-64. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_W4
#define LANE_WIDTH 4
#define LANE_TARGET 256
#include "simd/target.inl"

#define PROBE_NAME probe_kernel_w4
#include "probe.inl"

#include "simd/target_end.inl"
#endif
