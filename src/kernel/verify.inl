/*
 * verify.inl - the errors of configurations on a model's own tree, one configuration per lane.
 *
 * Distances and angles as in math.h, in the same order of operations: at width 1 they are those.
 */
#ifndef KERNEL_VERIFY_INL
#define KERNEL_VERIFY_INL

#include "kernel/closed.h"
#include "kernel/forward.inl"
#include "kernel/ops.h"
#include "kernel/pose.inl"
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

/* errors of a tool at `at`; zero where they do not count */
LANE_INLINE void goal_errors(const kernel_goal *goal, const frame *at, const frame *target,
                             lane *position, lane *rotation)
{
    *position = *rotation = lane_set(0);
    if (goal->position) {
        v3 displacement = v3_sub(at->p, target->p);
        locus_axes normals;
        if (goal->locus.extended)
            displacement = locus_measure(&goal->locus, target, displacement, &normals);
        *position = v3_length(displacement);
    }
    if (goal->rotation && goal->free)
        *rotation = direction_angle(frame_direction(at, v3_set(goal->axis)),
                                    frame_direction(target, v3_set(goal->axis)));
    else if (goal->rotation)
        *rotation = frame_angle(at, target);
}

/* T_world_here of a constant offset */
LANE_INLINE frame offset_frame(const frame *frames, const kernel_offset *offset)
{
    if (offset->is_identity && offset->frame >= 0)
        return frames[offset->frame];
    frame t = frame_set(&offset->pose);
    return offset->frame < 0 ? t : frame_multiply(&frames[offset->frame], &t);
}

/* the greater, infinite where `a` is NaN */
LANE_INLINE lane worse(lane a, lane b)
{
    return lane_select(lane_eq(a, a), lane_max(a, b), lane_set(INFINITY));
}

/* the largest errors over all checks */
LANE_INLINE void verify_frames(const kernel_verifier *verifier, const frame *frames,
                               const frame *targets, lane *position, lane *rotation)
{
    *position = *rotation = lane_set(0);
    frame base = offset_frame(frames, &verifier->base);
    const bool moved = verifier->base.frame >= 0 || !verifier->base.is_identity;
    for (int i = 0; i < verifier->check_count; i++) {
        // both in the world: distances and angles are the same there
        const kernel_check *check = &verifier->checks[i];
        frame at = offset_frame(frames, &check->tool);
        frame target = moved ? frame_multiply(&base, &targets[i]) : targets[i];
        lane distance, angle;
        goal_errors(&check->goal, &at, &target, &distance, &angle);
        *position = worse(distance, *position);
        *rotation = worse(angle, *rotation);
    }
}

static size_t verifier_scratch(const kernel_verifier *verifier)
{
    size_t frames = (size_t)(verifier->tree.count + verifier->check_count);
    return sizeof(lane) * (size_t)verifier->tree.nq + sizeof(frame) * frames;
}

static void verify(const kernel_verifier *verifier, const double *const *q,
                   const lb_transform *const *targets, int count, void *scratch, double *position,
                   double *rotation)
{
    lane *values = scratch;
    frame *frames = (frame *)(void *)(values + verifier->tree.nq);
    frame *wanted = frames + verifier->tree.count;
    const frame root = frame_set(&verifier->root);
    const double *rows[LANE_WIDTH];
    lane_fill_rows(rows, q, count);
    for (int i = 0; i < verifier->tree.nq; i++)
        values[i] = lane_pick(rows, (size_t)verifier->model_q[i]);
    for (int i = 0; i < verifier->check_count; i++) {
        for (int l = 0; l < LANE_WIDTH; l++)
            rows[l] = &targets[l < count ? l : 0][i].x.x;
        wanted[i] = frame_load(rows, 0);
    }
    forward(&verifier->tree, &root, values, frames);
    lane distance, angle;
    verify_frames(verifier, frames, wanted, &distance, &angle);
    for (int l = 0; l < LANE_WIDTH && l < count; l++) {
        position[l] = lane_get(&distance, l);
        rotation[l] = lane_get(&angle, l);
    }
}

static void verify_columns(const kernel_verifier *verifier, const double *columns,
                           const lb_transform *targets, void *scratch, double *position,
                           double *rotation)
{
    lane *values = scratch;
    frame *frames = (frame *)(void *)(values + verifier->tree.nq);
    frame *wanted = frames + verifier->tree.count;
    const frame root = frame_set(&verifier->root);
    for (int i = 0; i < verifier->check_count; i++)
        wanted[i] = frame_set(&targets[i]);
    for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k += LANE_WIDTH) {
        for (int i = 0; i < verifier->tree.nq; i++)
            values[i] = lane_load(columns + KERNEL_CLOSED_BRANCHES * i + k);
        forward(&verifier->tree, &root, values, frames);
        lane distance, angle;
        verify_frames(verifier, frames, wanted, &distance, &angle);
        lane_store(position + k, distance);
        lane_store(rotation + k, angle);
    }
}

#endif
