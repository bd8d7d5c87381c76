/* kernel_f4.c - 4 lanes of floats with the instructions of the kernel. */
#define LANE_WIDTH 4
#define LANE_TARGET 0
#include "simd/target.inl"

#define PROBE_NAME probe_kernel_f4
#include "probe.inl"

#include "simd/target_end.inl"
