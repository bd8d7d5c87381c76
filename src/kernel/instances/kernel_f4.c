/* kernel_f4.c - forward kinematics of 4 configurations of floats at a time. */
#define LANE_WIDTH 4
#define LANE_FLOAT 1
#define LANE_TARGET 0
#include "simd/target.inl"

#include "simd/trig_float.inl"

#include "kernel/fk_batch.inl"

#include "simd/target_end.inl"
