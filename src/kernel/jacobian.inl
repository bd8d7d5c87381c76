/*
 * jacobian.inl - how fast a point moves with the joints that carry it, row major.
 *
 * Walks from the point's joint to the root; every joint on the way gives one column
 * for each of its velocities. A turn about `axis` through `origin` moves the point by
 * axis x (point - origin) and turns it about axis; a way along axis moves it by axis.
 */
#ifndef KERNEL_JACOBIAN_INL
#define KERNEL_JACOBIAN_INL

#include "kernel/kernel.h"
#include "kernel/pose.inl"

/* a column's three rows; `add` (a constant): to what is there, else to zero */
LANE_INLINE void column_set(lane *column, size_t columns, triple a, bool add)
{
    const lane zero = lane_set(0);
    triple there = triple_make(zero, zero, zero);
    if (add)
        there = triple_make(column[0], column[columns], column[2 * columns]);
    triple_scatter(column, columns, triple_add(there, a));
}

/* a turn about an axis that the point is `arm` away from */
LANE_INLINE void column_turn(lane *column, size_t columns, triple axis, triple arm, bool add)
{
    column_set(column, columns, triple_cross(axis, arm), add);
    column_set(column + 3 * columns, columns, axis, add);
}

LANE_INLINE void joint_columns(const kernel_joint *joint, const frame *f, triple point,
                               size_t columns, lane *jacobian, bool add)
{
    lane *column = jacobian + joint->v;
    triple arm = triple_sub(point, triple_load(&f->p));
    if (joint->kind == KERNEL_BALL) {
        // its angular velocity is given in its own axes
        column_turn(column, columns, triple_load(&f->x), arm, add);
        column_turn(column + 1, columns, triple_load(&f->y), arm, add);
        column_turn(column + 2, columns, triple_load(&f->z), arm, add);
        return;
    }
    triple axis = triple_scale(triple_load(&f->z), lane_set(joint->scale));
    if (joint->kind == KERNEL_REVOLUTE)
        column_turn(column, columns, axis, arm, add);
    else
        column_set(column, columns, axis, add);
}

/* the columns of all joints from a carrier to the root */
LANE_INLINE void columns_to_root(const kernel_tree *tree, int carrier, const frame *frames,
                                 triple point, lane *jacobian, bool add)
{
    const kernel_joint *joints = tree->joints;
    size_t columns = (size_t)tree->nv;
    for (int i = carrier; i >= 0; i = joints[i].parent)
        if (joints[i].v >= 0)
            joint_columns(&joints[i], &frames[i], point, columns, jacobian, add);
}

/* 6 x nv, linear rows first, for a point that the given joint carries (-1: nothing does) */
static inline void jacobian_at(const kernel_tree *tree, int carrier, const frame *frames, v3 point,
                               lane *jacobian)
{
    memset(jacobian, 0, sizeof(lane) * 6 * (size_t)tree->nv);
    const triple at = triple_load(&point);
    if (tree->alone)
        columns_to_root(tree, carrier, frames, at, jacobian, false);
    else
        columns_to_root(tree, carrier, frames, at, jacobian, true);
}

#endif
