/* kernel_f8.c - forward kinematics of 8 configurations of floats at a time. */
#define LANE_WIDTH 8
#define LANE_FLOAT 1
#include "simd/trig_float.inl"

#include "kernel/fk_batch.inl"
