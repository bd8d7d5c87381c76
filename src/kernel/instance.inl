/*
 * instance.inl - the kernel's entry points for one width. Included once by each
 * kernel_w<N>.c, and by kernel_s4.c, after LANE_WIDTH is defined.
 */
#include "simd/trig.inl"

#include "kernel/closed.inl"
#include "kernel/engine.inl"
#include "kernel/jacobian.inl"
#include "kernel/manipulability.inl"
#include "kernel/range.inl"
#include "kernel/starts.inl"
#include "kernel/table.inl"
#include "kernel/verify.inl"

/* a block's angles at once */
void KERNEL_NAME(turns)(const kernel_turns *turns, const double *q, double *sines, double *cosines);

void KERNEL_NAME(turns)(const kernel_turns *turns, const double *q, double *sines, double *cosines)
{
    for (int i = 0; i < turns->count; i += LANE_WIDTH) {
        lane value = lane_gather(q, turns->q + i) * lane_load(turns->scale + i);
        lane sine, cosine;
        lane_sincos(value + lane_load(turns->offset + i), &sine, &cosine);
        lane_store(sines + i, sine);
        lane_store(cosines + i, cosine);
    }
}

/* one problem has no need of lanes */
#if LANE_WIDTH == 1
static void forward_alone(const kernel_tree *tree, const lb_transform *root, const double *q,
                          lb_transform *frames)
{
    forward(tree, root, q, frames);
}
static void jacobian_alone(const kernel_tree *tree, int carrier, const lb_transform *frames,
                           const lb_vec3 *point, double *jacobian)
{
    jacobian_at(tree, carrier, frames, *point, jacobian);
}
#define INSTANCE_SINGLE(name) name##_alone
#else
#define INSTANCE_SINGLE(name) NULL
#endif

extern const kernel_ops KERNEL_NAME(ops);

const kernel_ops KERNEL_NAME(ops) = {
    .width = LANE_WIDTH,
    .scratch = engine_scratch,
    .descend = engine_descend,
    .manipulability_squared = manipulability_squared,
    .verifier_scratch = verifier_scratch,
    .judge = verify_many,
    .transform_targets = transform_targets,
    .describe = describe,
    .seed_starts = seed_starts,
    .clamp = clamp_rows,
    .within = rows_within,
    .unwind = unwind,
    .nearest = table_nearest,
    .closed = closed_many,
    .closed_one = closed_one,
    .turns = KERNEL_NAME(turns),
    .forward = INSTANCE_SINGLE(forward),
    .jacobian = INSTANCE_SINGLE(jacobian),
};
