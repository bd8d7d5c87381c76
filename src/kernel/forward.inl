/*
 * forward.inl - forward kinematics of a tree, one problem per lane.
 *
 * The depth-first traversal of Parent 2012, chapter 5, without its stack: parents precede their
 * children, so one loop computes every frame from its parent's. Joints rotate about or translate
 * along their own z axis, or rotate by a quaternion. An including file must have included trig.inl
 * or trig_float.inl before, for lane_sincos.
 */
#ifndef KERNEL_FORWARD_INL
#define KERNEL_FORWARD_INL

#include "kernel/pose.inl"
#include "kernel/tree.h"
#include "kernel/widths.h"

/* a single problem computes the sines of its joints side by side; four are faster than eight */
#ifndef FORWARD_SINCOS
#ifdef KERNEL_HAVE_W2
#define FORWARD_SINCOS kernel_sincos_w2
#else
#define FORWARD_SINCOS kernel_sincos_w1
#endif
#endif

/* the origin of a placement; coordinates that are zero cost nothing */
LANE_INLINE triple place_origin(const pose *parent, const lb_transform *place, kernel_form form)
{
    triple p = parent->p;
    if (form & KERNEL_SHIFT_X)
        p = triple_add_scaled(p, parent->x, lane_set(place->p.x));
    if (form & KERNEL_SHIFT_Y)
        p = triple_add_scaled(p, parent->y, lane_set(place->p.y));
    if (form & KERNEL_SHIFT_Z)
        p = triple_add_scaled(p, parent->z, lane_set(place->p.z));
    return p;
}

/* the parent's pose moved by a constant placement of the given form */
LANE_INLINE pose place_pose(const pose *parent, const lb_transform *place, kernel_form form)
{
    pose f = {parent->x, parent->y, parent->z, place_origin(parent, place, form)};
    switch (form & KERNEL_ROTATION) {
    case KERNEL_ROTATION_PLUS_90:
        f.y = parent->z;
        f.z = triple_negate(parent->y);
        break;
    case KERNEL_ROTATION_MINUS_90:
        f.y = triple_negate(parent->z);
        f.z = parent->y;
        break;
    case KERNEL_ROTATION_X:
        rotate(&f.y, &f.z, lane_set(place->y.z), lane_set(place->y.y));
        break;
    case KERNEL_ROTATION_GENERAL:
        f.x = pose_direction(parent, place->x);
        f.y = pose_direction(parent, place->y);
        f.z = pose_direction(parent, place->z);
        break;
    default:
        break;
    }
    return f;
}

/* at width 1 each form has code of its own; wider lanes share one, and all do where size counts */
#ifdef LIMBER_SMALL
#define EACH_FORM false
#else
#define EACH_FORM (LANE_WIDTH == 1)
#endif
#define FORM(form)                                                                                 \
    case form:                                                                                     \
        return place_pose(parent, &joint->place, form);
#define FORMS(shift)                                                                               \
    FORM(shift | KERNEL_ROTATION_NONE)                                                             \
    FORM(shift | KERNEL_ROTATION_PLUS_90)                                                          \
    FORM(shift | KERNEL_ROTATION_MINUS_90)                                                         \
    FORM(shift | KERNEL_ROTATION_X)                                                                \
    FORM(shift | KERNEL_ROTATION_GENERAL)

/* the parent's pose moved by the joint's constant placement */
LANE_INLINE pose joint_place(const pose *parent, const kernel_joint *joint)
{
    if (EACH_FORM)
        switch ((int)joint->form) {
            FORMS(0)
            FORMS(KERNEL_SHIFT_X)
            FORMS(KERNEL_SHIFT_Y)
            FORMS(KERNEL_SHIFT_Z)
            FORMS(KERNEL_SHIFT_X | KERNEL_SHIFT_Y)
            FORMS(KERNEL_SHIFT_Y | KERNEL_SHIFT_Z)
            FORMS(KERNEL_SHIFT_Z | KERNEL_SHIFT_X)
            FORMS(KERNEL_SHIFT_X | KERNEL_SHIFT_Y | KERNEL_SHIFT_Z)
        }
    return place_pose(parent, &joint->place, joint->form);
}

#undef FORMS
#undef FORM
#undef EACH_FORM

/* a one-axis joint's value */
LANE_INLINE lane joint_value(const kernel_joint *joint, const lane *q)
{
    return q[joint->q] * lane_set(joint->scale) + lane_set(joint->offset);
}

/* a ball joint's quaternion, or with scale -1, which is rare, its conjugate */
LANE_INLINE quat joint_quat(const kernel_joint *joint, const lane *q)
{
    quat a = quat_load(q + joint->q);
    return joint->scale == 1 ? a : (quat){a.w, -a.x, -a.y, -a.z};
}

/* the placed pose moved along the joint's axis */
LANE_INLINE pose joint_slide(const pose *f, const kernel_joint *joint, const lane *q)
{
    pose moved = *f;
    moved.p = triple_add_scaled(f->p, f->z, joint_value(joint, q));
    return moved;
}

/* the angle of a block's i-th revolute joint */
LANE_INLINE lane block_angle(const kernel_block *block, int i, const lane *q)
{
    return q[block->q[i]] * lane_set(block->scale[i]) + lane_set(block->offset[i]);
}

/* the sines and cosines of a block's revolute joints */
LANE_INLINE void block_sincos(const kernel_block *block, const lane *q, lane *sines, lane *cosines)
{
    // a single problem fills lanes with its joints
    if (LANE_WIDTH == 1) {
        if (block->count > 0)
            FORWARD_SINCOS(block, (const void *)q, (void *)sines, (void *)cosines);
        return;
    }
    int i = 0;
    for (; i + 4 <= block->count; i += 4) {
        const lane four[4] = {block_angle(block, i, q), block_angle(block, i + 1, q),
                              block_angle(block, i + 2, q), block_angle(block, i + 3, q)};
        lane_sincos_several(four, 4, sines + i, cosines + i);
    }
    for (; i < block->count; i++)
        lane_sincos(block_angle(block, i, q), &sines[i], &cosines[i]);
}

/* quat_share of a block's balls, before the frames are computed, to hide the division's latency */
LANE_INLINE void block_shares(const kernel_block *block, const lane *q, lane *shares)
{
    for (int i = 0; i < block->ball_count; i++)
        shares[i] = quat_share(quat_load(q + block->ball[i]));
}

/* the pose that a joint's placement starts from */
LANE_INLINE pose joint_parent(const kernel_joint *joint, const frame *root, const frame *frames)
{
    return pose_load(joint->parent < 0 ? root : &frames[joint->parent]);
}

/* called when all frames before `end` are known, once per block */
typedef void forward_visit(void *user, int end);

/*
 * Computes all frames but the transient ones; `visit` is a constant. Along a chain the parent is
 * the pose just computed; elsewhere, and at the start of a block, it is loaded.
 */
LANE_INLINE void forward_walk(const kernel_tree *tree, const frame *root, const lane *q,
                              frame *frames, forward_visit *visit, void *user)
{
    const kernel_joint *joints = tree->joints;
    int count = tree->count;
    for (int start = 0; start < count; start += KERNEL_BLOCK_SIZE) {
        int end = count - start < KERNEL_BLOCK_SIZE ? count : start + KERNEL_BLOCK_SIZE;
        lane sines[KERNEL_BLOCK_SIZE], cosines[KERNEL_BLOCK_SIZE], shares[KERNEL_BLOCK_SIZE];
        block_sincos(&tree->blocks[start / KERNEL_BLOCK_SIZE], q, sines, cosines);
        block_shares(&tree->blocks[start / KERNEL_BLOCK_SIZE], q, shares);
        const lane *sine = sines, *cosine = cosines, *share = shares;
        pose f = joint_parent(&joints[start], root, frames);
        for (int i = start; i < end; i++) {
            const kernel_joint *joint = &joints[i];
            if (joint->parent != i - 1)
                f = joint_parent(joint, root, frames);
            f = joint_place(&f, joint);
            if (joint->kind == KERNEL_REVOLUTE)
                rotate(&f.x, &f.y, *sine++, *cosine++);
            else if (joint->kind == KERNEL_BALL)
                f = pose_rotate(&f, joint_quat(joint, q), *share++);
            else if (joint->kind == KERNEL_PRISMATIC)
                f = joint_slide(&f, joint, q);
            if (joint->axis_only) {
                triple_store(&frames[i].z, f.z);
                triple_store(&frames[i].p, f.p);
            } else if (!joint->transient) {
                pose_store(&frames[i], &f);
            }
        }
        visit(user, end);
    }
}

LANE_INLINE void visit_nothing(void *user, int end)
{
    (void)user;
    (void)end;
}

static inline void forward(const kernel_tree *tree, const frame *root, const lane *q, frame *frames)
{
    forward_walk(tree, root, q, frames, visit_nothing, NULL);
}

#endif
