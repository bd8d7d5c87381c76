/* choose.c - selects among the compiled widths one that this machine can run. */
#include "kernel/fk_batch.h"
#include "kernel/general.h"
#include "kernel/ops.h"
#include "kernel/track.h"
#include "kernel/widths.h"

extern const kernel_ops kernel_ops_w1, kernel_ops_s4, kernel_ops_s8;
extern const kernel_ops kernel_ops_w2, kernel_ops_w4, kernel_ops_w8;
extern const kernel_fk_batch_ops kernel_fk_batch_w1, kernel_fk_batch_w2, kernel_fk_batch_w4,
    kernel_fk_batch_w8;
extern const kernel_general_ops kernel_general_w1, kernel_general_w2, kernel_general_w4,
    kernel_general_w8;
extern const kernel_track_ops kernel_track_w1, kernel_track_w2, kernel_track_w4, kernel_track_w8;
extern const kernel_fk_batch_ops kernel_fk_batch_f4, kernel_fk_batch_f8, kernel_fk_batch_f16;

#if defined(__x86_64__)
#define HAS(feature) (__builtin_cpu_supports(feature) != 0)
#else
#define HAS(feature) true
#endif
#define HAS_AVX512 (HAS("avx512f") && HAS("avx512dq") && HAS("avx512vl"))

const kernel_ops *kernel_choose(int width)
{
    if (width <= 0)
        width = KERNEL_MAX_WIDTH;
#ifdef KERNEL_HAVE_W8
    if (width >= 8 && HAS_AVX512)
        return &kernel_ops_w8;
#endif
#ifdef KERNEL_HAVE_W4
    if (width >= 4 && HAS("avx2"))
        return &kernel_ops_w4;
#endif
#ifdef KERNEL_HAVE_W2
    if (width >= 2)
        return &kernel_ops_w2;
#endif
    return &kernel_ops_w1;
}

const kernel_ops *kernel_choose_single(int width, bool arm)
{
    if (width <= 0)
        width = KERNEL_MAX_WIDTH;
#ifdef KERNEL_HAVE_S8
    if (width >= 8 && arm && HAS_AVX512)
        return &kernel_ops_s8;
#endif
#ifdef KERNEL_HAVE_S4
    if (width >= 4 && HAS("avx2"))
        return &kernel_ops_s4;
#endif
    (void)arm;
    return &kernel_ops_w1;
}

void kernel_forward(const kernel_tree *tree, const lb_transform *root, const double *q,
                    lb_transform *frames)
{
    kernel_choose_single(0, false)->forward(tree, root, q, frames);
}

static const kernel_fk_batch_ops *choose_floats(int width)
{
#ifdef KERNEL_HAVE_F16
    if (width >= 8 && HAS_AVX512)
        return &kernel_fk_batch_f16;
#endif
#ifdef KERNEL_HAVE_F8
    if (width >= 4 && HAS("avx2"))
        return &kernel_fk_batch_f8;
#endif
    (void)width;
    return &kernel_fk_batch_f4;
}

const kernel_fk_batch_ops *kernel_choose_fk_batch(int width, bool floats)
{
    if (floats)
        return choose_floats(width > 0 ? width : KERNEL_MAX_WIDTH);
    switch (kernel_choose(width)->width) {
#ifdef KERNEL_HAVE_W8
    case 8:
        return &kernel_fk_batch_w8;
#endif
#ifdef KERNEL_HAVE_W4
    case 4:
        return &kernel_fk_batch_w4;
#endif
#ifdef KERNEL_HAVE_W2
    case 2:
        return &kernel_fk_batch_w2;
#endif
    default:
#ifdef KERNEL_HAVE_FK_BATCH_W1
        return &kernel_fk_batch_w1;
#else
        return &kernel_fk_batch_w2;
#endif
    }
}

KERNEL_DEFINE_CHOICE(general)
KERNEL_DEFINE_CHOICE(track)
