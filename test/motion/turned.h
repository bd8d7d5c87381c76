/*
 * turned.h - the same motion of the same joints, by links whose axes are others.
 *
 * Each joint's frame is turned by a rotation B of its own and offsets are written in these frames,
 * as in a capture by another tool: T_link becomes T_link B. All origins stay where they are at all
 * times, and the figure whose joints are at zero is another one.
 */
#ifndef TEST_MOTION_TURNED_H
#define TEST_MOTION_TURNED_H

#include "support.h"

#include <string.h>

enum { TURNED_JOINTS = 24 };

/* the turn of the link above a joint */
static inline lb_quat turned_parent(const lb_model *model, int joint, const lb_quat *turns)
{
    int parent = lb_model_parent(model, joint + 1);
    return parent > 0 ? turns[parent - 1] : LB_QUAT_IDENTITY;
}

/* the figure, whose joints turn freely, with a turn for each joint */
static inline lb_model *turned_model(const lb_model *model, const lb_quat *turns)
{
    int count = lb_model_joint_count(model);
    lb_joint joints[TURNED_JOINTS];
    lb_link links[TURNED_JOINTS + 1];
    assert_true(count <= TURNED_JOINTS);
    for (int i = 0; i < count; i++) {
        joints[i] = *lb_model_joint(model, i);
        lb_quat back = lb_quat_conjugate(turned_parent(model, i, turns));
        joints[i].placement.p = lb_quat_rotate(back, joints[i].placement.p);
    }
    for (int i = 0; i <= count; i++)
        links[i] = *lb_model_link(model, i);
    return test_make("turned", links, count + 1, joints, count);
}

typedef struct turned_keys {
    const lb_clip *clip;
    const lb_quat *turns;
} turned_keys;

/* with P the placement's rotation a value Q becomes (B_parent P)^-1 P Q B; of a floating joint its
   place is seen from P */
static inline bool turned_key(void *user, int key, double *time, double *q)
{
    const turned_keys *t = user;
    const lb_model *model = lb_clip_model(t->clip);
    *time = lb_clip_times(t->clip)[key];
    memcpy(q, lb_clip_key(t->clip, key), (size_t)lb_model_nq(model) * sizeof *q);
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        double *at = &q[lb_model_joint_q(model, i)];
        at += joint->kind == LB_JOINT_FLOATING ? 3 : 0;
        lb_quat placed = lb_transform_quat(&joint->placement);
        lb_quat before = lb_quat_multiply(turned_parent(model, i, t->turns), placed);
        lb_quat value = lb_quat_multiply((lb_quat){at[0], at[1], at[2], at[3]}, t->turns[i]);
        value = lb_quat_multiply(lb_quat_conjugate(before), lb_quat_multiply(placed, value));
        memcpy(at, (double[]){value.w, value.x, value.y, value.z}, 4 * sizeof *at);
    }
    return true;
}

static inline void turned_at_random(uint64_t seed, lb_quat turns[TURNED_JOINTS])
{
    lb_random random = test_seed(seed);
    for (int i = 0; i < TURNED_JOINTS; i++)
        turns[i] = test_random_quat(&random);
}

/* the motion of the figure that turned_model() made */
static inline lb_clip *turned_clip(const lb_clip *clip, const lb_model *model, const lb_quat *turns)
{
    turned_keys keys = {clip, turns};
    lb_clip *turned = NULL;
    assert_ok(lb_clip_generate(model, lb_clip_count(clip), turned_key, &keys,
                               LB_INTERPOLATION_LINEAR, NULL, &turned, NULL));
    return turned;
}

#endif
