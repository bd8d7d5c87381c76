/* kernel_f8.c - 8 lanes of floats with the instructions of the kernel. */
#define LANE_WIDTH 8
#define PROBE_NAME probe_kernel_f8
#include "probe.inl"
