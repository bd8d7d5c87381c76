/* kernel_w4.c - four lanes as the kernel has them: AVX2 on x86-64. */
#define LANE_WIDTH 4
#define PROBE_NAME probe_kernel_w4
#include "probe.inl"
