/* kernel_f8.c - 8 lanes of floats with the instructions of the kernel. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_F8
#define LANE_WIDTH 8
#define LANE_TARGET 256
#include "simd/target.inl"

#define PROBE_NAME probe_kernel_f8
#include "probe.inl"

#include "simd/target_end.inl"
#endif
