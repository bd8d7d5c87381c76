/*
 * time_sweep.h - least squares over all frames of a motion, by one sweep over time.
 *
 * Where a frame's unknowns meet those of the next two frames alone, the normal matrix of a motion
 * is block pentadiagonal. Its frames are eliminated one after the other; what that leaves of the
 * next two is carried on. Between frames nothing but equal unknowns meet when a frame comes up, so
 * that its block towards the frame after the next is diagonal.
 *
 * A frame's rows are its panel: the upper half of its own block, the block towards the next frame,
 * the lower half of that towards the one after, and the right side; each block as wide as the
 * unknowns, rounded up. What is in the other halves is not read, but for whole vectors.
 */
#ifndef KERNEL_TIME_SWEEP_H
#define KERNEL_TIME_SWEEP_H

#include <stddef.h>

/* unknowns of a frame, at most; blocks are rounded up to whole vectors, which also holds the right
   side */
enum { KERNEL_SWEEP_MOST = 64, KERNEL_SWEEP_ROUND = 8 };

static inline int kernel_sweep_padded(int n)
{
    return (n + KERNEL_SWEEP_ROUND - 1) / KERNEL_SWEEP_ROUND * KERNEL_SWEEP_ROUND;
}
/* numbers in a row of a panel, which has `padded` rows; and of what is carried, which has as many,
   the frame's own block and the right side */
static inline int kernel_sweep_row(int padded)
{
    return 3 * padded + KERNEL_SWEEP_ROUND;
}
static inline int kernel_sweep_carried_row(int padded)
{
    return padded + KERNEL_SWEEP_ROUND;
}

typedef struct kernel_sweep_ops {
    int width;
    /*
     * A panel becomes its factor, with the pivots' inverses. `next`, the next frame's panel, gets
     * what this leaves of it, and what was carried to it, but in the block towards the frame after
     * its next; `carried` is then what this leaves of the frame after. NULL: none follow.
     */
    void (*eliminate)(int n, double *panel, double *inverses, double *carried, double *next);
    /* x of a frame, `padded` numbers, from those of the next two */
    void (*back)(int n, const double *panel, const double *inverses, const double *next,
                 const double *after, double *x);
} kernel_sweep_ops;

/* As kernel_choose. */
const kernel_sweep_ops *kernel_choose_sweep(int width);

#endif
