/* kernel_s8.c - as kernel_s4.c, with the thirty-two registers that come along with AVX-512: for
 * arms. */
#define LANE_WIDTH 1
#define LANE_SUFFIX s8
#define FORWARD_TURNS kernel_turns_w4
#include "kernel/kernel.h"

void kernel_turns_w4(const kernel_turns *turns, const double *q, double *sines, double *cosines);

#include "kernel/instance.inl"
