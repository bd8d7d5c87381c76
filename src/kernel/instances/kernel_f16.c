/* kernel_f16.c - forward kinematics of 16 configurations of floats at a time. */
#define LANE_WIDTH 16
#define LANE_FLOAT 1
#include "simd/trig_float.inl"

#include "kernel/fk_batch.inl"
