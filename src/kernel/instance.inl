/*
 * instance.inl - the kernel's entry points for one width.
 *
 * Included once by each kernel_w<N>.c and kernel_s<N>.c, after simd/target.inl. The latter define
 * KERNEL_DESCENDS: closed forms have their branches in lanes.
 */
#include "simd/trig.inl"

#include "kernel/engine.inl"
#include "kernel/jacobian.inl"
#include "kernel/ops.h"
#include "kernel/range.inl"
#include "kernel/rotations.inl"
#include "kernel/seed_table.inl"
#include "kernel/slerp.inl"
#include "kernel/targets.inl"
#include "kernel/turns.inl"
#include "kernel/two_bone.inl"
#include "kernel/verify.inl"

// after all others, which may include what these do: limber.c has each file once
#ifdef KERNEL_DESCENDS
#define INSTANCE_CLOSED(function) NULL
#else
#define INSTANCE_CLOSED(function) function
#include "kernel/cells.inl"
#include "kernel/closed_pick.inl"
#include "kernel/elbow.inl"
#endif

/* sine and cosine of a block's angles */
void KERNEL_NAME(sincos)(const kernel_block *block, const double *q, double *sines, double *cosines)
{
    for (int i = 0; i < block->count; i += LANE_WIDTH) {
        lane value = lane_gather(q, block->q + i) * lane_load(block->scale + i);
        lane sine, cosine;
        lane_sincos(value + lane_load(block->offset + i), &sine, &cosine);
        lane_store(sines + i, sine);
        lane_store(cosines + i, cosine);
    }
}

/* only at width 1 */
#if LANE_WIDTH == 1
#include "kernel/iterate.inl"

static void forward_single(const kernel_tree *tree, const lb_transform *root, const double *q,
                           lb_transform *frames)
{
    forward(tree, root, q, frames);
}
static void jacobian_single(const kernel_tree *tree, int carrier, const lb_transform *frames,
                            const lb_vec3 *point, double *jacobian)
{
    jacobian_at(tree, carrier, frames, *point, jacobian);
}
#define INSTANCE_SINGLE(function) function
#else
#define INSTANCE_SINGLE(function) NULL
#endif

extern const kernel_ops KERNEL_NAME(ops);

const kernel_ops KERNEL_NAME(ops) = {
    .width = LANE_WIDTH,
    .scratch = engine_scratch,
    .descend = engine_descend,
    .manipulability_squared = INSTANCE_CLOSED(manipulability_squared),
    .verifier_scratch = verifier_scratch,
    .verify = verify,
    .verify_columns = verify_columns,
    .transform_targets = transform_targets,
    .make_keys = make_keys,
    .seed_starts = seed_starts,
    .clamp = clamp_rows,
    .within = rows_within,
    .unwind = unwind,
    .nearest = table_nearest,
    .closed_one = INSTANCE_CLOSED(closed_one),
    .closed_along = INSTANCE_CLOSED(closed_along),
    .closed_pick = INSTANCE_CLOSED(closed_pick),
    .closed_several = INSTANCE_CLOSED(closed_several),
    .closed_slices = INSTANCE_CLOSED(closed_slices),
    .bound_cells = INSTANCE_CLOSED(bound_cells),
    .swivel = INSTANCE_CLOSED(swivel),
    .slerp = slerp_balls,
    .compose = compose_turns,
    .normalize = normalize_balls,
    .quats = quats_of,
    .two_bones = two_bones,
    .forward = INSTANCE_SINGLE(forward_single),
    .jacobian = INSTANCE_SINGLE(jacobian_single),
    .iterate = INSTANCE_SINGLE(iterate),
};
