/* kernel_f16.c - forward kinematics of 16 configurations of floats at a time. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_F16
#define LANE_WIDTH 16
#define LANE_FLOAT 1
#define LANE_TARGET 512
#include "simd/target.inl"

#include "simd/trig_float.inl"

#include "kernel/fk_batch.inl"

#include "simd/target_end.inl"
#endif
