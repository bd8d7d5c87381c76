/*
 * forward.inl - forward kinematics of a tree, one problem per lane.
 *
 * The chapter's depth-first traversal without its stack: parents stand before
 * their children, so one loop composes every frame from its parent's. All
 * articulations are about or along a frame's own z axis, or a quaternion's.
 */
#ifndef KERNEL_FORWARD_INL
#define KERNEL_FORWARD_INL

#include "kernel/kernel.h"
#include "kernel/trig.inl"
#include "kernel/vec.inl"

/* the parent's frame moved by the joint's constant placement */
LANE_INLINE frame joint_place(const frame *parent, const kernel_joint *joint)
{
    if (joint->rotation == KERNEL_ROTATION_GENERAL)
        return frame_place(parent, &joint->place);
    frame f = *parent;
    f.p = frame_point(parent, joint->place.p);
    if (joint->rotation == KERNEL_ROTATION_QUARTER)
        turn_quarter(&f.y, &f.z, joint->place.y.z > 0);
    else if (joint->rotation == KERNEL_ROTATION_X)
        turn(&f.y, &f.z, lane_set(joint->place.y.z), lane_set(joint->place.y.y));
    return f;
}

/* a one-axis joint's value */
LANE_INLINE lane joint_value(const kernel_joint *joint, const lane *q)
{
    return q[joint->q] * lane_set(joint->scale) + lane_set(joint->offset);
}

/* a ball joint's quaternion */
LANE_INLINE quat joint_quat(const kernel_joint *joint, const lane *q)
{
    quat a = quat_load(q + joint->q);
    lane s = lane_set(joint->scale);
    return (quat){a.w, a.x * s, a.y * s, a.z * s};
}

/* the placed frame moved by the value of a joint that does not turn about an axis */
LANE_INLINE frame joint_articulate(frame f, const kernel_joint *joint, const lane *q)
{
    if (joint->kind == KERNEL_PRISMATIC)
        f.p = v3_add_scaled(f.p, f.z, joint_value(joint, q));
    else if (joint->kind == KERNEL_BALL)
        f = frame_turn(&f, joint_quat(joint, q));
    return f;
}

/* joints whose sines are computed together; a multiple of every width */
enum { FORWARD_BLOCK = 16 };

/* the sines and cosines of a block of joints, of those that turn */
LANE_INLINE void block_turns(const kernel_joint *joints, int count, const lane *q, lane *sines,
                             lane *cosines)
{
    lane values[FORWARD_BLOCK];
    int turning = 0;
    for (int i = 0; i < count; i++)
        if (joints[i].kind == KERNEL_REVOLUTE)
            values[turning++] = joint_value(&joints[i], q);
    // one problem has its joints side by side instead of problems
    if (LANE_WIDTH == 1) {
        while (turning % KERNEL_MAX_WIDTH != 0)
            values[turning++] = lane_set(0);
        kernel_choose(0)->sincos((const void *)values, (void *)sines, (void *)cosines, turning);
        return;
    }
    for (int i = 0; i < turning; i++)
        lane_sincos(values[i], &sines[i], &cosines[i]);
}

static void forward(const kernel_tree *tree, const frame *root, const lane *q, frame *frames)
{
    lane sines[FORWARD_BLOCK], cosines[FORWARD_BLOCK];
    frame f = *root;
    for (int start = 0; start < tree->count; start += FORWARD_BLOCK) {
        int rest = tree->count - start, count = rest < FORWARD_BLOCK ? rest : FORWARD_BLOCK;
        block_turns(tree->joints + start, count, q, sines, cosines);
        int turning = 0;
        for (int i = start; i < start + count; i++) {
            const kernel_joint *joint = &tree->joints[i];
            // along a chain the parent is the frame just made; elsewhere it is fetched
            if (joint->parent != i - 1)
                f = joint->parent < 0 ? *root : frames[joint->parent];
            f = joint_place(&f, joint);
            if (joint->kind == KERNEL_REVOLUTE) {
                turn(&f.x, &f.y, sines[turning], cosines[turning]);
                turning++;
            } else {
                f = joint_articulate(f, joint, q);
            }
            if (joint->lean) {
                frames[i].z = f.z;
                frames[i].p = f.p;
            } else {
                frames[i] = f;
            }
        }
    }
}

#endif
