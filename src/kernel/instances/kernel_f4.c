/* kernel_f4.c - forward kinematics of 4 configurations of floats at a time. */
#define LANE_WIDTH 4
#define LANE_FLOAT 1
#include "simd/trig_float.inl"

#include "kernel/fk_batch.inl"
