/* kernel_s4.c - the kernel at width 1, each vector in one register of four numbers. */
#define LANE_WIDTH 1
#define LANE_SUFFIX s4
#define FORWARD_SINCOS kernel_sincos_w4

#include "kernel/instance.inl"
