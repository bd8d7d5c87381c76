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

/* the placed frame moved by the joint's value */
LANE_INLINE frame joint_articulate(frame f, const kernel_joint *joint, const lane *q)
{
    if (joint->kind == KERNEL_REVOLUTE) {
        lane sine, cosine;
        lane_sincos(joint_value(joint, q), &sine, &cosine);
        turn(&f.x, &f.y, sine, cosine);
    } else if (joint->kind == KERNEL_PRISMATIC) {
        f.p = v3_add_scaled(f.p, f.z, joint_value(joint, q));
    } else if (joint->kind == KERNEL_BALL) {
        f = frame_turn(&f, joint_quat(joint, q));
    }
    return f;
}

static void forward(const kernel_tree *tree, const frame *root, const lane *q, frame *frames)
{
    frame f = *root;
    for (int i = 0; i < tree->count; i++) {
        const kernel_joint *joint = &tree->joints[i];
        // along a chain the parent is the frame just made; elsewhere it is fetched
        if (joint->parent != i - 1)
            f = joint->parent < 0 ? *root : frames[joint->parent];
        f = joint_place(&f, joint);
        f = joint_articulate(f, joint, q);
        if (joint->lean) {
            frames[i].z = f.z;
            frames[i].p = f.p;
        } else {
            frames[i] = f;
        }
    }
}

#endif
