/*
 * body_isotropic.inl - tasks that weigh the same in all directions: their rows, summed up.
 *
 * Rows of weight w^2 along any three orthonormal axes n at a point a are the screws (a x n, n).
 * With the error e their inertia and their force are
 *
 *     w^2 [ (a a) 1 - a a^T   [a]x ]        w^2 (a x e, e)
 *         [ [a]x^T            1    ]
 *
 * whatever the axes are. Rows of angular velocity are the inertia w^2 1 and the moment w^2 e, those
 * across a direction u w^2 (1 - u u^T), as e is across u. So no row is computed. The first row of a
 * task, of a pose the first of each part, holds a or u in `angular`, w^2 e in `linear` and w^2 in
 * `error`.
 */
#ifndef KERNEL_BODY_ISOTROPIC_INL
#define KERNEL_BODY_ISOTROPIC_INL

#include "kernel/body_work.inl"

/* the rows of a pose that say where its tool is, and those of its axes */
enum { BODY_POSITION_ROW = 0, BODY_ROTATION_ROW = 3 };

/* what is summed up of an error; returns its square */
LANE_SHARED lane isotropic_error(v3 error, lane weight, body_row *row, lane *sum)
{
    lane square = v3_dot(error, error);
    row->error = weight * weight;
    row->linear[0] = v3_scale(error, row->error);
    *sum = *sum + square * row->error;
    return square;
}

/* where a tool is, and the rotation from its axes to those of its target */
LANE_SHARED v3 body_turn(const kernel_body_task *task, const body_work *w, const frame *goal,
                         v3 *at)
{
    pose now = body_pose(w, &task->tool);
    v3 error;
    triple_store(at, now.p);
    triple_store(&error, rotation_error(&now, goal, mask_from_bits(MASK_FULL)));
    return error;
}

LANE_INLINE void isotropic_pose(const kernel_body_task *task, const v3 *weights, const body_work *w,
                                const frame *goal, body_row *rows, lane square[2], lane *sum)
{
    v3 at;
    if (task->weights[1].x > 0) {
        v3 error = body_turn(task, w, goal, &at);
        square[1] = isotropic_error(error, weights[1].x, rows + BODY_ROTATION_ROW, sum);
    } else {
        at = body_place(w, &task->tool);
    }
    if (task->weights[0].x > 0) {
        rows[BODY_POSITION_ROW].angular[0] = at;
        square[0] =
            isotropic_error(v3_sub(goal->p, at), weights[0].x, rows + BODY_POSITION_ROW, sum);
    }
}

LANE_INLINE void isotropic_direction(const kernel_body_task *task, const v3 *weights,
                                     const body_work *w, const frame *goal, body_row *rows,
                                     lane square[2], lane *sum)
{
    v3 error = direction_error(body_direction(w, &task->tool, task->axis), goal->z);
    if (task->weights[1].x > 0) {
        rows->angular[0] = goal->z;
        square[1] = isotropic_error(error, weights[1].x, rows, sum);
    }
}

static void isotropic_rows(const kernel_body_task *task, const v3 *weights, const body_work *w,
                           const frame *goal, body_row *rows, lane square[2], lane *sum)
{
    if (task->kind == KERNEL_BODY_ALIGN)
        isotropic_direction(task, weights, w, goal, rows, square, sum);
    else
        isotropic_pose(task, weights, w, goal, rows, square, sum);
}

/* ---- inertias ---------------------------------------------------------------- */

LANE_INLINE void v3_increase(v3 *to, lane x, lane y, lane z)
{
    to->x += x;
    to->y += y;
    to->z += z;
}

/* a diagonal matrix less q a^T, where q is w^2 a */
LANE_SHARED void add_diagonal_less_outer(body_inertia *to, lane diagonal, v3 q, v3 a)
{
    v3_increase(&to->i[0].v, diagonal - q.x * a.x, -(q.y * a.x), -(q.z * a.x));
    v3_increase(&to->i[1].v, -(q.x * a.y), diagonal - q.y * a.y, -(q.z * a.y));
    v3_increase(&to->i[2].v, -(q.x * a.z), -(q.y * a.z), diagonal - q.z * a.z);
}

/* of rows that say where a point is */
static void add_point(body_inertia *to, const body_row *row)
{
    const lane mass = row->error;
    const v3 a = row->angular[0], q = v3_scale(a, mass);
    add_diagonal_less_outer(to, v3_dot(q, a), q, a);
    to->h[0].v.y += q.z;
    to->h[0].v.z -= q.y;
    to->h[1].v.x -= q.z;
    to->h[1].v.z += q.x;
    to->h[2].v.x += q.y;
    to->h[2].v.y -= q.x;
    to->g[0].v.y -= q.z;
    to->g[0].v.z += q.y;
    to->g[1].v.x += q.z;
    to->g[1].v.z -= q.x;
    to->g[2].v.x -= q.y;
    to->g[2].v.y += q.x;
    to->m[0].v.x += mass;
    to->m[1].v.y += mass;
    to->m[2].v.z += mass;
}

static void add_isotropic(const kernel_body_task *task, const body_row *rows, body_inertia *to)
{
    if (task->kind == KERNEL_BODY_ALIGN && task->weights[1].x > 0) {
        add_diagonal_less_outer(to, rows->error, v3_scale(rows->angular[0], rows->error),
                                rows->angular[0]);
        return;
    }
    if (task->kind == KERNEL_BODY_POSE && task->weights[1].x > 0) {
        to->i[0].v.x += rows[BODY_ROTATION_ROW].error;
        to->i[1].v.y += rows[BODY_ROTATION_ROW].error;
        to->i[2].v.z += rows[BODY_ROTATION_ROW].error;
    }
    if (task->kind == KERNEL_BODY_POSE && task->weights[0].x > 0)
        add_point(to, rows + BODY_POSITION_ROW);
}

/* the force of the errors of `at_q`, of a link that is where the rows of `at_step` say */
LANE_INLINE void isotropic_force(const kernel_body_task *task, const body_row *at_step,
                                 const body_row *at_q, v3 *angular, v3 *linear)
{
    *angular = *linear = v3_zero();
    if (task->weights[1].x > 0)
        *angular = at_q[task->kind == KERNEL_BODY_ALIGN ? 0 : BODY_ROTATION_ROW].linear[0];
    if (task->weights[0].x > 0) {
        *linear = at_q[BODY_POSITION_ROW].linear[0];
        *angular = v3_add(*angular, v3_cross(at_step[BODY_POSITION_ROW].angular[0], *linear));
    }
}

#endif
