/* kernel_f16.c - 16 lanes of floats with the instructions of the kernel. */
#define LANE_WIDTH 16
#define PROBE_NAME probe_kernel_f16
#include "probe.inl"
