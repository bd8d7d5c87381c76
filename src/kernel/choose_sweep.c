/* choose_sweep.c - which width of the sweep over time this machine can run. */
#include "kernel/ops.h"
#include "kernel/time_sweep.h"
#include "kernel/widths.h"

KERNEL_DEFINE_CHOICE(sweep)
