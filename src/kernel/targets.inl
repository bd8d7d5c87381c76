/*
 * targets.inl - targets as a problem sees them, one problem per lane.
 */
#ifndef KERNEL_TARGETS_INL
#define KERNEL_TARGETS_INL

#include "kernel/ops.h"
#include "simd/lane_rows.h"
#include "simd/vec.inl"

/* the problem of a lane: lanes beyond the last repeat the first */
LANE_INLINE int problem_of(int l, int count)
{
    return l < count ? l : 0;
}

/* transforms, each into its lane */
LANE_INLINE frame gather_frames(const lb_transform *const *from, int count)
{
    const double *rows[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++)
        rows[l] = &from[problem_of(l, count)]->x.x;
    return frame_load(rows, 0);
}

/* axes farther than this from orthonormal are not a rotation */
#define RIGID 1e-6

LANE_INLINE lane_mask is_small(lane x)
{
    return lane_le(lane_abs(x), lane_set(RIGID));
}

/* where axes are orthonormal and right-handed and origins finite: lb_transform_is_rigid */
LANE_INLINE lane_mask is_rigid(const frame *t)
{
    const lane infinite = lane_set(INFINITY);
    lane_mask units =
        mask_and(mask_and(is_small(v3_dot(t->x, t->x) - 1), is_small(v3_dot(t->y, t->y) - 1)),
                 is_small(v3_dot(t->z, t->z) - 1));
    lane_mask across =
        mask_and(mask_and(is_small(v3_dot(t->x, t->y)), is_small(v3_dot(t->y, t->z))),
                 is_small(v3_dot(t->z, t->x)));
    lane_mask finite =
        mask_and(mask_and(lane_lt(lane_abs(t->p.x), infinite), lane_lt(lane_abs(t->p.y), infinite)),
                 lane_lt(lane_abs(t->p.z), infinite));
    lane_mask right = lane_gt(v3_dot(v3_cross(t->x, t->y), t->z), lane_set(0));
    return mask_and(mask_and(units, across), mask_and(finite, right));
}

/* targets as a problem sees them; returns those that are rigid */
static unsigned transform_targets(const kernel_target_map *map, const lb_transform *const *targets,
                                  lb_transform *const *seen, int count)
{
    frame target = gather_frames(targets, count);
    const unsigned rigid = mask_bits(is_rigid(&target)) & ((1u << count) - 1);
    if (!seen)
        return rigid;
    const frame base = frame_set(map->base), turn = frame_set(map->axes);
    frame seen_tool = frame_multiply(&base, &target);
    // the tool's own position, and the axes of its frame when the tool's are those of the target
    frame carrier = {frame_direction(&seen_tool, turn.x), frame_direction(&seen_tool, turn.y),
                     frame_direction(&seen_tool, turn.z),
                     v3_scale(seen_tool.p, lane_set(map->scale))};
    double *to[LANE_WIDTH];
    for (int l = 0; l < count; l++)
        to[l] = &seen[l]->x.x;
    frame_store(to, count, &carrier);
    return rigid;
}

#endif
