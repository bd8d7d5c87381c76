/* choose.c - which widths were compiled, and which of them this machine can run. */
#include "kernel/kernel.h"

extern const kernel_ops kernel_ops_w1, kernel_ops_w2, kernel_ops_w4, kernel_ops_w8;

#if defined(__x86_64__)
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
#else
#define HAS(feature) true
#endif

const kernel_ops *kernel_choose(int width)
{
    if (width <= 0)
        width = KERNEL_MAX_WIDTH;
#ifdef LIMBER_HAVE_W8
    if (width >= 8 && HAS("avx512f") && HAS("avx512dq") && HAS("avx512vl"))
        return &kernel_ops_w8;
#endif
#ifdef LIMBER_HAVE_W4
    if (width >= 4 && HAS("avx2"))
        return &kernel_ops_w4;
#endif
#ifdef LIMBER_HAVE_W2
    if (width >= 2)
        return &kernel_ops_w2;
#endif
    return &kernel_ops_w1;
}

void kernel_forward(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames)
{
    kernel_choose(0)->forward(tree, root, q, frames);
}
