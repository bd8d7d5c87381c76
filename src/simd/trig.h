/*
 * trig.h - the remainder of a large angle modulo a quarter turn.
 */
#ifndef SIMD_TRIG_H
#define SIMD_TRIG_H

#include <stdint.h>

/*
 * Returns r in [-pi/4, pi/4] and sets *quarter so that x = k * pi/2 + r for an integer k with k =
 * *quarter modulo 4; r is correct to a relative 2^-52. For |x| >= 2^16 only; NaN for infinity and
 * NaN.
 */
double reduction_far(double x, uint64_t *quarter);

#endif
