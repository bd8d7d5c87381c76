/* kernel_f4.c - forward kinematics of 4 configurations of floats at a time. */
#define LANE_WIDTH 4
#define LANE_FLOAT 1
#include "kernel/trig_float.inl"

#include "kernel/crowd.inl"
