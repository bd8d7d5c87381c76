/* kernel_s4.c - the kernel at width 1, each vector in a register for four numbers. */
#define LANE_WIDTH 1
#define LANE_SUFFIX s4
#define FORWARD_TURNS kernel_turns_w4
#include "kernel/kernel.h"

void kernel_turns_w4(const kernel_turns *turns, const double *q, double *sines, double *cosines);

#include "kernel/instance.inl"
