/*
 * instance.inl - the kernel's entry points for one width. Included once by each
 * kernel_w<N>.c after LANE_WIDTH is defined.
 */
#include "kernel/engine.inl"

extern const kernel_ops KERNEL_NAME(ops);

const kernel_ops KERNEL_NAME(ops) = {LANE_WIDTH, engine_scratch, engine_descend};
