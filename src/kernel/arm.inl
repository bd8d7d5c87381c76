/*
 * arm.inl - forward kinematics and errors of an arm, one problem per lane.
 *
 * An arm is a chain of revolute joints, each with a number of its own, and one tool with a full
 * pose as its goal: most robots. As nothing but the placements of the joints varies and their
 * number is a constant, an iteration has no loops and its intermediate results stay in registers,
 * which takes three quarters of the time. The bits are those of evaluate.inl.
 */
#ifndef KERNEL_ARM_INL
#define KERNEL_ARM_INL

#include "kernel/evaluate.inl"

/* the numbers of joints that have an instance, none where size counts more; and the largest */
#ifdef LIMBER_SMALL
#define ARM_COUNTS(DO)
#else
#define ARM_COUNTS(DO) DO(6) DO(7)
#endif
enum { ARM_MAX_JOINTS = 7 };

/* The joints of an arm, its tool, and the remaining error. */
typedef struct arm_state {
    triple axis[ARM_MAX_JOINTS], origin[ARM_MAX_JOINTS];
    triple tool;
    screw error;
} arm_state;

/* sines and cosines of all joints */
LANE_INLINE void arm_sincos(const kernel_tree *tree, const lane *q, lane *sines, lane *cosines,
                            int count)
{
    if (LANE_WIDTH == 1) {
        block_sincos(tree->blocks, q, sines, cosines);
        return;
    }
    lane angles[ARM_MAX_JOINTS];
#pragma GCC unroll 8
    for (int i = 0; i < count; i++)
        angles[i] = q[i] + lane_set(tree->joints[i].offset);
    lane_sincos_several(angles, count, sines, cosines);
}

/* fills joints and tool at q; returns the pose of the last frame */
LANE_INLINE pose arm_forward(const kernel_problem *problem, const lane *q, arm_state *at, int count)
{
    const kernel_joint *joints = problem->tree.joints;
    const frame base = frame_set(&LB_TRANSFORM_IDENTITY);
    lane sines[KERNEL_BLOCK_SIZE], cosines[KERNEL_BLOCK_SIZE];
    arm_sincos(&problem->tree, q, sines, cosines, count);
    pose f = pose_load(&base);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++) {
        // the first joint is at the base
        if (i > 0)
            f = place_pose(&f, &joints[i].place, joints[i].form);
        rotate(&f.x, &f.y, sines[i], cosines[i]);
        at->axis[i] = f.z;
        at->origin[i] = f.p;
    }
    at->tool = pose_point(&f, problem->tasks->tool);
    return f;
}

/* errors at q and their sum of squares; returns where both are within tolerance */
LANE_INLINE lane_mask arm_measure(const kernel_problem *problem, const kernel_control *control,
                                  const work *w, arm_state *at, lane_mask busy, lane *error2,
                                  int count)
{
    const pose last = arm_forward(problem, w->q, at, count);
    at->error.linear = triple_sub(triple_load(&w->targets->p), at->tool);
    at->error.angular = rotation_error(&last, w->targets, busy);
    lane linear2 = triple_sum(triple_multiply(at->error.linear, at->error.linear));
    lane angular2 = triple_sum(triple_multiply(at->error.angular, at->error.angular));
    double p = control->position_tolerance, r = control->rotation_tolerance;
    *error2 = linear2 + angular2;
    return mask_and(lane_le(linear2, lane_set(p * p)), lane_le(angular2, lane_set(r * r)));
}

#endif
