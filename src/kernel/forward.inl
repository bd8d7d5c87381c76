/*
 * forward.inl - forward kinematics of a tree, one problem per lane.
 *
 * The chapter's depth-first traversal without its stack: parents stand before
 * their children, so one loop composes every frame from its parent's. Who includes
 * this has brought lane_sincos: trig.inl or trig_float.inl. All
 * articulations are about or along a frame's own z axis, or a quaternion's.
 */
#ifndef KERNEL_FORWARD_INL
#define KERNEL_FORWARD_INL

#include "kernel/kernel.h"
#include "kernel/pose.inl"

/* how one problem's joints turn side by side; four are sooner done than eight */
#ifndef FORWARD_TURNS
#define FORWARD_TURNS kernel_choose(4)->turns
#endif

/* where a placement begins; coordinates that are zero cost nothing */
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
        turn(&f.y, &f.z, lane_set(place->y.z), lane_set(place->y.y));
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

/* one problem alone has a way of its own for each form; side by side they share it */
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
    if (LANE_WIDTH == 1)
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

/* the angle of a block's i-th turning joint */
LANE_INLINE lane turn_value(const kernel_turns *turns, int i, const lane *q)
{
    return q[turns->q[i]] * lane_set(turns->scale[i]) + lane_set(turns->offset[i]);
}

/* the sines and cosines of a block of joints, of those that turn */
LANE_INLINE void find_turns(const kernel_turns *turns, const lane *q, lane *sines, lane *cosines)
{
    // one problem has its joints side by side instead of problems
    if (LANE_WIDTH == 1) {
        if (turns->count > 0)
            FORWARD_TURNS(turns, (const void *)q, (void *)sines, (void *)cosines);
        return;
    }
    int i = 0;
    for (; i + 4 <= turns->count; i += 4) {
        const lane four[4] = {turn_value(turns, i, q), turn_value(turns, i + 1, q),
                              turn_value(turns, i + 2, q), turn_value(turns, i + 3, q)};
        lane_sincos_several(four, 4, sines + i, cosines + i);
    }
    for (; i < turns->count; i++)
        lane_sincos(turn_value(turns, i, q), &sines[i], &cosines[i]);
}

/* the shares of a block's balls, ahead of the frames: a division is waited for */
LANE_INLINE void find_shares(const kernel_turns *turns, const lane *q, lane *shares)
{
    for (int i = 0; i < turns->ball_count; i++)
        shares[i] = quat_share(quat_load(q + turns->ball[i]));
}

/* the pose that a joint starts from */
LANE_INLINE pose joint_parent(const kernel_joint *joint, const frame *root, const frame *frames)
{
    return pose_load(joint->parent < 0 ? root : &frames[joint->parent]);
}

/* told as soon as all frames before `end` are known, a block at a time */
typedef void forward_visit(void *user, int end);

/*
 * All frames but the passing ones, `visit` a constant. Along a chain the parent is the
 * pose just made; elsewhere, and where a block begins, it is fetched.
 */
LANE_INLINE void forward_walk(const kernel_tree *tree, const frame *root, const lane *q,
                              frame *frames, forward_visit *visit, void *user)
{
    const kernel_joint *joints = tree->joints;
    int count = tree->count;
    for (int start = 0; start < count; start += KERNEL_BLOCK) {
        int end = count - start < KERNEL_BLOCK ? count : start + KERNEL_BLOCK;
        lane sines[KERNEL_BLOCK], cosines[KERNEL_BLOCK], shares[KERNEL_BLOCK];
        find_turns(&tree->turns[start / KERNEL_BLOCK], q, sines, cosines);
        find_shares(&tree->turns[start / KERNEL_BLOCK], q, shares);
        const lane *sine = sines, *cosine = cosines, *share = shares;
        pose f = joint_parent(&joints[start], root, frames);
        for (int i = start; i < end; i++) {
            const kernel_joint *joint = &joints[i];
            if (joint->parent != i - 1)
                f = joint_parent(joint, root, frames);
            f = joint_place(&f, joint);
            if (joint->kind == KERNEL_REVOLUTE)
                turn(&f.x, &f.y, *sine++, *cosine++);
            else if (joint->kind == KERNEL_BALL)
                f = pose_turn(&f, joint_quat(joint, q), *share++);
            else if (joint->kind == KERNEL_PRISMATIC)
                f = joint_slide(&f, joint, q);
            if (joint->lean) {
                triple_store(&frames[i].z, f.z);
                triple_store(&frames[i].p, f.p);
            } else if (!joint->passing) {
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
