/* kernel_w8.c - eight lanes as the kernel has them: AVX-512 on x86-64. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_W8
#define LANE_WIDTH 8
#define LANE_TARGET 512
#include "simd/target.inl"

#define PROBE_NAME probe_kernel_w8
#include "probe.inl"

#include "simd/target_end.inl"
#endif
