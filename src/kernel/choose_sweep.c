/* choose_sweep.c - which width of the sweep over time this machine can run. */
#include "kernel/ops.h"
#include "kernel/time_sweep.h"
#include "kernel/widths.h"

extern const kernel_sweep_ops kernel_sweep_w1, kernel_sweep_w2, kernel_sweep_w4, kernel_sweep_w8;

const kernel_sweep_ops *kernel_choose_sweep(int width)
{
    switch (kernel_choose(width)->width) {
#ifdef KERNEL_HAVE_W8
    case 8:
        return &kernel_sweep_w8;
#endif
#ifdef KERNEL_HAVE_W4
    case 4:
        return &kernel_sweep_w4;
#endif
#ifdef KERNEL_HAVE_ALL_W2
    case 2:
        return &kernel_sweep_w2;
#endif
    default:
        return &kernel_sweep_w1;
    }
}
