/* kernel_w8.c - eight lanes as the kernel has them: AVX-512 on x86-64. */
#define LANE_WIDTH 8
#define PROBE_NAME probe_kernel_w8
#include "probe.inl"
