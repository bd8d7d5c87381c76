/* kernel_w8.c - the kernel at width 8. */
#define LANE_WIDTH 8
#include "kernel/instance.inl"

#include "kernel/fk_batch.inl"
