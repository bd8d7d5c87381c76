/* kernel_w8.c - the kernel at width 8. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_W8
#define LANE_WIDTH 8
#define LANE_TARGET 512
#include "simd/target.inl"

#include "kernel/instance.inl"

#include "kernel/body.inl"

#include "kernel/fk_batch.inl"
#include "kernel/general.inl"
#include "kernel/time_sweep.inl"
#include "kernel/track.inl"

#include "simd/target_end.inl"
#endif
