/* choose_sweep.c - which width of the sweep over time this machine can run. */
#include "kernel/ops.h"
#include "kernel/time_sweep.h"
#include "kernel/widths.h"

extern const kernel_sweep_ops kernel_sweep_w1, kernel_sweep_w2, kernel_sweep_w4, kernel_sweep_w8;

KERNEL_DEFINE_CHOICE(sweep)
