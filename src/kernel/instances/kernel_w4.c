/* kernel_w4.c - the kernel at width 4. */
#define LANE_WIDTH 4
#include "kernel/instance.inl"

#include "kernel/fk_batch.inl"
