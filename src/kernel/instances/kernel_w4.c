/* kernel_w4.c - the kernel at width 4. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_W4
#define LANE_WIDTH 4
#define LANE_TARGET 256
#include "simd/target.inl"

#include "kernel/instance.inl"

#include "kernel/body.inl"

#include "kernel/fk_batch.inl"
#include "kernel/general.inl"
#include "kernel/time_sweep.inl"
#include "kernel/track.inl"

#include "simd/target_end.inl"
#endif
