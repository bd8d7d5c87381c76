/*
 * swivel.inl - three axes that meet, for rotations that depend on an angle; one angle per lane.
 */
#ifndef KERNEL_SWIVEL_INL
#define KERNEL_SWIVEL_INL

#include "kernel/closed.inl"
#include "kernel/ops.h"
#include "kernel/small.inl"

#if !KERNEL_SHARES
LANE_INLINE v3 swivel_direction(const lb_vec3 parts[3], lane cosine, lane sine)
{
    v3 at = v3_add_scaled(v3_set(parts[0]), v3_set(parts[1]), cosine);
    return v3_add_scaled(at, v3_set(parts[2]), sine);
}

/* `sign` selects the root; joints that nothing determines are zero */
static void swivel(const kernel_wrist *wrist, const kernel_swivel *rotation, const double *angles,
                   int count, double sign, kernel_swivelled *out)
{
    for (int i = 0; i < count; i += LANE_WIDTH) {
        double group[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++)
            group[l] = angles[i + l < count ? i + l : count - 1];
        lane sine, cosine;
        lane_sincos(lane_load(group), &sine, &cosine);
        v3 last = swivel_direction(rotation->last, cosine, sine);
        v3 side = swivel_direction(rotation->side, cosine, sine);
        closed_three w = solve_wrist(wrist, last, side, lane_set(sign), lane_set(0));
        lane_store(out->q[0] + i, w.b.angle);
        lane_store(out->q[1] + i, w.c.angle);
        lane_store(out->q[2] + i, w.d);
        lane_store(out->margin + i, w.margin);
    }
}
#endif

#endif
