/* kernel_f8.c - forward kinematics of 8 configurations of floats at a time. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_F8
#define LANE_WIDTH 8
#define LANE_FLOAT 1
#define LANE_TARGET 256
#include "simd/target.inl"

#include "simd/trig_float.inl"

#include "kernel/fk_batch.inl"

#include "simd/target_end.inl"
#endif
