/* kernel_f16.c - 16 lanes of floats with the instructions of the kernel. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_F16
#define LANE_WIDTH 16
#define LANE_TARGET 512
#include "simd/target.inl"

#define PROBE_NAME probe_kernel_f16
#include "probe.inl"

#include "simd/target_end.inl"
#endif
