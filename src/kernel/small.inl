/*
 * small.inl - what a wide instance leaves to width 1 where size counts: not as fast, the same
 * bits, and no code of its own.
 */
#ifndef KERNEL_SMALL_INL
#define KERNEL_SMALL_INL

#include "kernel/ops.h"
#include "kernel/widths.h"

#if KERNEL_SHARES
extern const kernel_ops kernel_ops_w1;

static void closed_one(const kernel_closed *arm, const kernel_ranges *ranges,
                       const lb_transform *target, const double *start, kernel_solutions *out)
{
    kernel_ops_w1.closed_one(arm, ranges, target, start, out);
}

static void closed_along(const kernel_closed *arm, const kernel_ranges *ranges,
                         const lb_transform *target, const double *start, const kernel_held *held,
                         kernel_members *out)
{
    kernel_ops_w1.closed_along(arm, ranges, target, start, held, out);
}

static void closed_slices(const kernel_closed *arm, const kernel_turning *goal,
                          const double *values, const int *branches, int count, kernel_slices *out)
{
    kernel_ops_w1.closed_slices(arm, goal, values, branches, count, out);
}

static void bound_cells(const kernel_way *way, kernel_cells *out)
{
    kernel_ops_w1.bound_cells(way, out);
}

static void swivel(const kernel_wrist *wrist, const kernel_swivel *rotation, const double *angles,
                   int count, double sign, kernel_swivelled *out)
{
    kernel_ops_w1.swivel(wrist, rotation, angles, count, sign, out);
}

/* a wide instance's scratch is large enough for width 1 */
static void manipulability_squared(const kernel_problem *problem, const double *q, int count,
                                   void *scratch, double *squares)
{
    kernel_ops_w1.manipulability_squared(problem, q, count, scratch, squares);
}

static size_t two_bones(const kernel_two_bones *all)
{
    return kernel_ops_w1.two_bones(all);
}

#endif

#endif
