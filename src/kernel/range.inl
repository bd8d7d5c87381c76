/*
 * range.inl - rows of numbers and their limits, one row per lane.
 */
#ifndef KERNEL_RANGE_INL
#define KERNEL_RANGE_INL

#include "kernel/ops.h"
#include "simd/lane_rows.h"

/* within the limits; NaN stays NaN */
LANE_INLINE lane range_clamp(const kernel_range *range, int i, lane x)
{
    // lane_min and lane_max return the second operand where either is NaN
    return lane_min(lane_set(range->upper[i]), lane_max(lane_set(range->lower[i]), x));
}

LANE_INLINE lane_mask is_finite(lane x)
{
    return lane_lt(lane_abs(x), lane_set(INFINITY));
}

static unsigned clamp_rows(const kernel_range *range, const double *const *q, double *const *to,
                           int count)
{
    const double *rows[LANE_WIDTH];
    lane_mask finite = mask_from_bits(MASK_FULL);
    lane_fill_rows(rows, q, count);
    for (int i = 0; i < range->count; i++) {
        lane x = lane_pick(rows, (size_t)i);
        finite = mask_and(finite, is_finite(x));
        lane_place(to, (size_t)i, range_clamp(range, i, x), count);
    }
    return mask_bits(finite) & ((1u << count) - 1);
}

static unsigned rows_within(const kernel_range *range, double tolerance, const double *const *q,
                            int count)
{
    const double *rows[LANE_WIDTH];
    lane_mask within = mask_from_bits(MASK_FULL);
    lane_fill_rows(rows, q, count);
    for (int i = 0; i < range->count; i++) {
        lane x = lane_pick(rows, (size_t)i);
        lane_mask above = lane_ge(x, lane_set(range->lower[i] - tolerance));
        lane_mask below = lane_le(x, lane_set(range->upper[i] + tolerance));
        within = mask_and(within, mask_and(is_finite(x), mask_and(above, below)));
    }
    return mask_bits(within) & ((1u << count) - 1);
}

#endif
