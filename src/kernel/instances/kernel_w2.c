/* kernel_w2.c - the kernel at width 2. */
#define LANE_WIDTH 2
#include "kernel/instance.inl"

#include "kernel/fk_batch.inl"
