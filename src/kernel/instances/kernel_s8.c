/* kernel_s8.c - as kernel_s4.c, with the thirty-two registers of AVX-512: for arms. */
#define LANE_WIDTH 1
#define LANE_SUFFIX s8
#define FORWARD_SINCOS kernel_sincos_w4

#include "kernel/instance.inl"
