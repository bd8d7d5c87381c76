/*
 * verify.inl - how far an answer's tools are from their targets, one problem per lane.
 *
 * On the model's own tree, not the solver's; distances and angles as in math.h, in the same
 * order of operations: at width 1 they are those.
 */
#ifndef KERNEL_VERIFY_INL
#define KERNEL_VERIFY_INL

#include "kernel/forward.inl"
#include "kernel/locus.inl"
#include "simd/lane_rows.h"

/* the angle between the axes of two frames: lb_transform_angle */
LANE_INLINE lane frame_angle(const frame *a, const frame *b)
{
    v3 twice = v3_add(v3_add(v3_cross(a->x, b->x), v3_cross(a->y, b->y)), v3_cross(a->z, b->z));
    lane trace = v3_dot(a->x, b->x) + v3_dot(a->y, b->y) + v3_dot(a->z, b->z);
    return lane_atan2(v3_length(twice), trace - 1);
}

/* the angle between two unit vectors, accurate near 0 and pi */
LANE_INLINE lane direction_angle(v3 a, v3 b)
{
    return lane_atan2(v3_length(v3_cross(a, b)), v3_dot(a, b));
}

/* a claim's errors when its tool is at `at`; zero where they do not count */
LANE_INLINE void goal_errors(const kernel_goal *claim, const frame *at, const frame *target,
                             lane *position, lane *rotation)
{
    *position = *rotation = lane_set(0);
    if (claim->position) {
        v3 way = v3_sub(at->p, target->p);
        locus_axes across;
        if (claim->locus.open)
            way = locus_measure(&claim->locus, target, way, &across);
        *position = v3_length(way);
    }
    if (claim->rotation && claim->free)
        *rotation = direction_angle(frame_direction(at, v3_set(claim->axis)),
                                    frame_direction(target, v3_set(claim->axis)));
    else if (claim->rotation)
        *rotation = frame_angle(at, target);
}

/* something seen from a frame of the tree, or from the world where there is none; `bare`: it is
   the frame itself */
LANE_INLINE frame verifier_place(const frame *frames, int which, const lb_transform *at, bool bare)
{
    if (bare && which >= 0)
        return frames[which];
    frame t = frame_set(at);
    return which < 0 ? t : frame_multiply(&frames[which], &t);
}

/* the greater, infinite where `a` is no number: values beyond all bounds lead nowhere */
LANE_INLINE lane worse(lane a, lane b)
{
    return lane_select(lane_eq(a, a), lane_max(a, b), lane_set(INFINITY));
}

/* the largest errors over all claims */
LANE_INLINE void verifier_frames(const kernel_verifier *judge, const frame *frames,
                                 const frame *targets, lane *position, lane *rotation)
{
    *position = *rotation = lane_set(0);
    frame base = verifier_place(frames, judge->base, &judge->stand, judge->bare);
    const bool moved = judge->base >= 0 || !judge->bare;
    for (int i = 0; i < judge->goal_count; i++) {
        // both in the world: distances and angles are the same there
        const kernel_goal *claim = &judge->claims[i];
        frame at = verifier_place(frames, claim->tip, &claim->tool, claim->bare);
        frame target = moved ? frame_multiply(&base, &targets[i]) : targets[i];
        lane distance, angle;
        goal_errors(claim, &at, &target, &distance, &angle);
        *position = worse(distance, *position);
        *rotation = worse(angle, *rotation);
    }
}

static size_t verifier_scratch(const kernel_verifier *judge)
{
    size_t frames = (size_t)(judge->tree.count + judge->goal_count);
    return sizeof(lane) * (size_t)judge->tree.nq + sizeof(frame) * frames;
}

/* gathers up to a lane's worth of problems, judges them */
static void verify_many(const kernel_verifier *judge, const double *const *q,
                        const lb_transform *const *targets, int count, void *scratch,
                        double *position, double *rotation)
{
    lane *values = scratch;
    frame *frames = (frame *)(void *)(values + judge->tree.nq);
    frame *goals = frames + judge->tree.count;
    const frame root = frame_set(&judge->root);
    const double *rows[LANE_WIDTH];
    lane_fill_rows(rows, q, count);
    for (int i = 0; i < judge->tree.nq; i++)
        values[i] = lane_pick(rows, (size_t)judge->sources[i]);
    for (int i = 0; i < judge->goal_count; i++) {
        for (int l = 0; l < LANE_WIDTH; l++)
            rows[l] = &targets[l < count ? l : 0][i].x.x;
        goals[i] = frame_load(rows);
    }
    forward(&judge->tree, &root, values, frames);
    lane distance, angle;
    verifier_frames(judge, frames, goals, &distance, &angle);
    for (int l = 0; l < LANE_WIDTH && l < count; l++) {
        position[l] = lane_get(&distance, l);
        rotation[l] = lane_get(&angle, l);
    }
}

#endif
