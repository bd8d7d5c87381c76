/*
 * turns.inl - angles changed by whole turns, one problem per lane.
 */
#ifndef KERNEL_TURNS_INL
#define KERNEL_TURNS_INL

#include "kernel/ops.h"
#include "simd/lane_rows.h"

/*
 * The angle of (x, y) to 0.0003 radians, without a branch: twice that of (r + |x|, y), which is
 * below pi/4, mirrored where x < 0.
 */
LANE_INLINE lane about_angle(lane y, lane x)
{
    lane t = y / (lane_sqrt(x * x + y * y) + lane_abs(x) + 1e-300), z = t * t;
    lane angle = t * (1.99951 + z * (-0.65046 + z * (0.30819 + z * -0.08672)));
    lane quarter = lane_copysign(lane_set(0.5 * LB_PI), y);
    return quarter + lane_copysign(lane_set(1), x) * (angle - quarter);
}

/*
 * an angle changed by whole turns to be nearest to `near`, or by one turn more or less if only that
 * is within the limits; unchanged if none is
 */
LANE_INLINE lane nearest_turn(lane angle, lane near, const kernel_variable *x)
{
    const double turn = 2 * LB_PI;
    lane lower = lane_set(x->lower), upper = lane_set(x->upper), whole = lane_set(turn);
    lane best = angle - whole * lane_round((angle - near) * (1 / turn));
    best = best + lane_keep(lane_lt(best, lower), whole);
    best = best - lane_keep(lane_gt(best, upper), whole);
    lane_mask inside = mask_and(lane_ge(best, lower), lane_le(best, upper));
    return lane_select(inside, best, angle);
}

/* changes each periodic value by whole turns to be nearest to its start */
static void unwind(const kernel_problem *problem, const double *const *near, double *const *q,
                   int count)
{
    const double *angles[LANE_WIDTH], *starts[LANE_WIDTH];
    lane_fill_rows(angles, (const double *const *)q, count);
    lane_fill_rows(starts, near, count);
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        if (!x->periodic)
            continue;
        const size_t at = (size_t)x->q;
        lane_place(q, at, nearest_turn(lane_pick(angles, at), lane_pick(starts, at), x), count);
    }
}

#endif
