/*
 * widths.h - which instances of the kernel are compiled.
 *
 * instances/kernel_w<N>.c holds N doubles in a lane vector, kernel_f<N>.c N floats, and
 * kernel_s<N>.c one problem on a machine whose registers hold N doubles. Vectors of more than
 * 128 bits are compiled where there are registers for them. KERNEL_DOUBLES bounds the
 * doubles in a vector; W1 and F4 are always there.
 */
#ifndef LIMBER_KERNEL_WIDTHS_H
#define LIMBER_KERNEL_WIDTHS_H

/* the instruction sets that can be compiled, beside the baseline; choose.c decides at run time
   which of them the machine has */
#if defined(__x86_64__)
#define KERNEL_HAVE_AVX2 1
#define KERNEL_HAVE_AVX512 1
#endif

/* ISO C wants a declaration in every file, of instances that are not compiled as well */
typedef int kernel_widths_declared;

#ifndef KERNEL_DOUBLES
#define KERNEL_DOUBLES 8
#endif

#if KERNEL_DOUBLES >= 2
#define KERNEL_HAVE_W2 1
#endif
/* where size counts, whole bodies and arms of every kind are solved at width 1 alone */
#if KERNEL_DOUBLES >= 2 && !defined(LIMBER_SMALL)
#define KERNEL_HAVE_ALL_W2 1
#endif
/* and the wider one of two batches of forward kinematics, whose results are the same, is enough */
#if !defined(KERNEL_HAVE_W2) || !defined(LIMBER_SMALL)
#define KERNEL_HAVE_FK_BATCH_W1 1
#endif
/* in a file with LANE_WIDTH: whether it leaves to width 1 what small.inl says */
#ifdef LIMBER_SMALL
#define KERNEL_SHARES (LANE_WIDTH > 1)
#else
#define KERNEL_SHARES 0
#endif
#if KERNEL_DOUBLES >= 4 && defined(KERNEL_HAVE_AVX2)
#define KERNEL_HAVE_W4 1
#define KERNEL_HAVE_S4 1
#define KERNEL_HAVE_F8 1
#endif
#if KERNEL_DOUBLES >= 8 && defined(KERNEL_HAVE_AVX512)
#define KERNEL_HAVE_W8 1
#define KERNEL_HAVE_S8 1
#define KERNEL_HAVE_F16 1
#endif

/* a case of the switch below, of each width that is compiled */
#ifdef KERNEL_HAVE_W8
#define KERNEL_CASE_W8(name)                                                                       \
    case 8:                                                                                        \
        return &kernel_##name##_w8;
#else
#define KERNEL_CASE_W8(name)
#endif
#ifdef KERNEL_HAVE_W4
#define KERNEL_CASE_W4(name)                                                                       \
    case 4:                                                                                        \
        return &kernel_##name##_w4;
#else
#define KERNEL_CASE_W4(name)
#endif
#ifdef KERNEL_HAVE_ALL_W2
#define KERNEL_CASE_W2(name)                                                                       \
    case 2:                                                                                        \
        return &kernel_##name##_w2;
#else
#define KERNEL_CASE_W2(name)
#endif

/* Defines kernel_choose_NAME(width): the operations of the width that kernel_choose selects. A file
   that calls none of a kind's links none of them. */
#define KERNEL_DEFINE_CHOICE(name)                                                                 \
    const kernel_##name##_ops *kernel_choose_##name(int width)                                     \
    {                                                                                              \
        switch (kernel_choose(width)->width) {                                                     \
            KERNEL_CASE_W8(name)                                                                   \
            KERNEL_CASE_W4(name)                                                                   \
            KERNEL_CASE_W2(name)                                                                   \
        default:                                                                                   \
            return &kernel_##name##_w1;                                                            \
        }                                                                                          \
    }

#endif
