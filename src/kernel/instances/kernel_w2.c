/* kernel_w2.c - the kernel at width 2. */
#include "kernel/widths.h"
#ifdef KERNEL_HAVE_W2
#define LANE_WIDTH 2
#define LANE_TARGET 0
#include "simd/target.inl"

#include "kernel/instance.inl"

#include "kernel/fk_batch.inl"
#ifdef KERNEL_HAVE_ALL_W2
#include "kernel/body.inl"
#include "kernel/general.inl"
#include "kernel/time_sweep.inl"
#include "kernel/track.inl"
#endif

#include "simd/target_end.inl"
#endif
