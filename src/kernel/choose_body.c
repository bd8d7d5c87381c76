/* choose_body.c - which of the whole-body kernel's widths this machine can run. */
#include "kernel/body.h"
#include "kernel/ops.h"
#include "kernel/widths.h"

extern const kernel_body_ops kernel_body_w1, kernel_body_w2, kernel_body_w4, kernel_body_w8;
extern const kernel_body_ops kernel_body_s4;

KERNEL_DEFINE_CHOICE(body)

const kernel_body_ops *kernel_choose_body_single(int width)
{
#ifdef KERNEL_HAVE_S4
    // a machine that runs width 4 has its registers
    if (kernel_choose(width)->width >= 4)
        return &kernel_body_s4;
#endif
    (void)width;
    return &kernel_body_w1;
}
