/*
 * jacobian.inl - the Jacobian of a point, row major.
 *
 * Visits the joints from the one that carries the point to the root; every joint gives one column
 * for each of its velocities. A rotation about `axis` through `origin` moves the point by axis x
 * (point - origin) and rotates it about axis; a translation moves it by axis.
 */
#ifndef KERNEL_JACOBIAN_INL
#define KERNEL_JACOBIAN_INL

#include "kernel/pose.inl"
#include "kernel/tree.h"

/* a column's three rows, added to what is there or (`add`, a constant, is false) to zero */
LANE_INLINE void column_set(lane *column, size_t columns, triple a, bool add)
{
    const lane zero = lane_set(0);
    triple there = triple_make(zero, zero, zero);
    if (add)
        there = triple_make(column[0], column[columns], column[2 * columns]);
    triple_scatter(column, columns, triple_add(there, a));
}

/* a rotation about an axis from which the point is displaced by `arm` */
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
        // a ball's angular velocity is given in its own axes
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

/* 6 x nv, linear rows first, for a point carried by the given joint (-1: by none) */
static inline void jacobian_at(const kernel_tree *tree, int carrier, const frame *frames, v3 point,
                               lane *jacobian)
{
    memset(jacobian, 0, sizeof(lane) * 6 * (size_t)tree->nv);
    const triple at = triple_load(&point);
    if (tree->unshared)
        columns_to_root(tree, carrier, frames, at, jacobian, false);
    else
        columns_to_root(tree, carrier, frames, at, jacobian, true);
}

#endif
