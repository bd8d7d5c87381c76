/*
 * limits.inl - limits of variables: clamping, and the active set of a step; one problem per lane.
 *
 * A variable that is at its limit and would be pushed farther out has its column removed from the
 * Jacobian (an active set), so that the other variables make the step. Clamping afterwards alone
 * would trap the descent. Of a ball, twist and swing are limited separately, and only the
 * direction that leads out is removed.
 */
#ifndef KERNEL_LIMITS_INL
#define KERNEL_LIMITS_INL

#include "kernel/evaluate.inl"
#include "kernel/symmetric.inl"
#include "math/scalar.h"

/* ---- balls ---------------------------------------------------------------- */

/* an angle in [-pi, pi], or one turn from there where that is nearer to a ball's range */
LANE_INLINE lane ball_nearest_turn(const kernel_variable *ball, lane twist)
{
    // either both ends are finite or none
    const double middle = isfinite(ball->lower) ? 0.5 * (ball->lower + ball->upper) : 0;
    const lane turn = lane_set(2 * LB_PI);
    lane_mask high = lane_gt(twist, lane_set(middle + LB_PI));
    lane_mask low = lane_lt(twist, lane_set(middle - LB_PI));
    return lane_select(high, twist - turn, lane_select(low, twist + turn, twist));
}

/* twist and swing as kernel_ball_angles defines them, and the twist as a quaternion */
static void ball_angles(const kernel_variable *ball, quat q, lane *twist, lane *swing,
                        quat *twist_part)
{
    const v3 axis = v3_set(ball->axis);
    const v3 part = {q.x, q.y, q.z};
    lane along = v3_dot(part, axis);
    // the perpendicular part itself, not what squares leave: exact for narrow cones too
    v3 aside = v3_sub(part, v3_scale(axis, along));
    lane across = lane_sqrt(v3_dot(aside, aside));
    lane n = lane_sqrt(q.w * q.w + along * along);
    // a swing by half a turn has no twist of its own: the least within the limits is assumed
    const double least = scalar_clamp(0, ball->lower, ball->upper);
    lane least_sine = lane_set(0), least_cosine = lane_set(1);
    if (least != 0)
        lane_sincos(lane_set(0.5 * least), &least_sine, &least_cosine);
    lane_mask pure = lane_lt(n, lane_set(1e-12));
    lane s = 1 / lane_select(pure, lane_set(1), n);
    lane sign = lane_select(lane_lt(q.w, lane_set(0)), lane_set(-1), lane_set(1));
    lane tw = lane_select(pure, least_cosine, q.w * s * sign);
    lane ta = lane_select(pure, least_sine, along * s * sign);
    *twist = lane_select(pure, lane_set(least), ball_nearest_turn(ball, 2 * lane_atan2(ta, tw)));
    *swing = 2 * lane_atan2(across, n);
    *twist_part = (quat){tw, axis.x * ta, axis.y * ta, axis.z * ta};
}

/* the quaternion with twist and swing each brought to the nearest within the limits */
static quat ball_clamp(const kernel_variable *ball, quat q)
{
    v3 axis = v3_set(ball->axis);
    quat twist_part;
    lane twist, swing, sine, cosine;
    ball_angles(ball, q, &twist, &swing, &twist_part);
    // swing = q * conjugate(twist), shortened to the cone
    quat back = {twist_part.w, -twist_part.x, -twist_part.y, -twist_part.z};
    quat s = quat_multiply(q, back);
    lane_mask wide = lane_gt(swing, lane_set(ball->swing));
    lane_sincos(lane_set(0.5 * ball->swing), &sine, &cosine);
    lane n = lane_sqrt(lane_max(s.x * s.x + s.y * s.y + s.z * s.z, lane_set(1e-300)));
    lane shrink = sine / n;
    s.x = lane_select(wide, s.x * shrink, s.x);
    s.y = lane_select(wide, s.y * shrink, s.y);
    s.z = lane_select(wide, s.z * shrink, s.z);
    s.w = lane_select(wide, lane_select(lane_lt(s.w, lane_set(0)), -cosine, cosine), s.w);
    // twist, clamped to its range
    lane inside = lane_min(lane_max(twist, lane_set(ball->lower)), lane_set(ball->upper));
    lane_sincos(0.5 * inside, &sine, &cosine);
    lane_mask kept = lane_eq(inside, twist);
    quat t = {lane_select(kept, twist_part.w, cosine),
              lane_select(kept, twist_part.x, axis.x * sine),
              lane_select(kept, twist_part.y, axis.y * sine),
              lane_select(kept, twist_part.z, axis.z * sine)};
    return quat_multiply(s, t);
}

/* a range of a whole turn contains every twist */
LANE_INLINE bool ball_is_limited(const kernel_variable *ball)
{
    return ball->swing < LB_PI || ball->upper - ball->lower < 2 * LB_PI;
}

/*
 * q rotated by v, to third order as by exp(v): Cayley's map rotates by 2 atan(|v| / 2), which
 * needs no sine and shortens steps that are too long to be trusted.
 */
LANE_INLINE quat quat_advance(quat q, v3 v)
{
    lane h = lane_set(0.5);
    return quat_normalize(quat_multiply(q, (quat){lane_set(1), v.x * h, v.y * h, v.z * h}));
}

/* ---- values --------------------------------------------------------------- */

/* the nearest value inside a one-number variable's limits */
LANE_INLINE lane axis_clamp(const kernel_variable *x, lane q)
{
    return lane_min(lane_max(q, lane_set(x->lower)), lane_set(x->upper));
}

/* brings a variable's values inside its limits */
LANE_INLINE void settle(const kernel_variable *x, lane *q)
{
    if (!x->ball)
        *q = axis_clamp(x, *q);
    else if (ball_is_limited(x))
        quat_store(q, ball_clamp(x, quat_load(q)));
}

/* next = q (+) step of a ball, limits enforced */
LANE_INLINE void move_ball(const kernel_variable *x, const lane *q, const lane *step, lane *next)
{
    quat_store(next, quat_advance(quat_load(q), rows_get(step)));
    settle(x, next);
}

/* next = q (+) step, limits enforced */
LANE_INLINE void take_step(const kernel_problem *problem, const work *w)
{
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        if (x->ball)
            move_ball(x, w->q + x->q, w->step + x->v, w->next + x->q);
        else
            w->next[x->q] = axis_clamp(x, w->q[x->q] + w->step[x->v]);
    }
}

/* ---- the active set ------------------------------------------------------- */

/* removes the direction n from a ball's three columns where the mask is set */
LANE_INLINE void ball_block(lane *columns, v3 n, lane_mask where, int rows)
{
    for (int r = 0; r < rows; r++) {
        lane *x = &columns[r], *y = &columns[rows + r], *z = &columns[2 * rows + r];
        lane along = lane_keep(where, *x * n.x + *y * n.y + *z * n.z);
        *x -= along * n.x;
        *y -= along * n.y;
        *z -= along * n.z;
    }
}

/* a ball at its cone or at a limit of its twist loses the direction that leads out */
static void ball_restrain(const kernel_variable *ball, work *w, int rows)
{
    const lane slack = lane_set(1e-9);
    quat q = quat_load(w->q + ball->q), part;
    v3 axis = v3_set(ball->axis);
    lane twist, swing;
    ball_angles(ball, q, &twist, &swing, &part);
    lane *columns = w->jacobian + ball->v * rows;
    // the parent's axis seen from the child, and the two directions of velocity
    v3 rest = quat_rotate((quat){q.w, -q.x, -q.y, -q.z}, axis);
    v3 out = v3_cross(rest, axis);
    out = v3_scale(out, 1 / lane_sqrt(lane_max(v3_dot(out, out), lane_set(1e-300))));
    v3 roll = v3_add(rest, axis);
    roll = v3_scale(roll, 1 / lane_sqrt(lane_max(v3_dot(roll, roll), lane_set(1e-300))));
    v3 g = {column_dot(columns, w->error, rows), column_dot(columns + rows, w->error, rows),
            column_dot(columns + 2 * rows, w->error, rows)};
    // swinging farther out, twisting beyond either end
    lane outward = v3_dot(g, out), along = v3_dot(g, roll);
    lane_mask at_cone = lane_ge(swing + slack, lane_set(ball->swing));
    ball_block(columns, out, mask_and(at_cone, lane_gt(outward, lane_set(0))), rows);
    lane_mask at_upper =
        mask_and(lane_ge(twist + slack, lane_set(ball->upper)), lane_gt(along, lane_set(0)));
    lane_mask at_lower =
        mask_and(lane_le(twist - slack, lane_set(ball->lower)), lane_lt(along, lane_set(0)));
    ball_block(columns, roll, mask_or(at_upper, at_lower), rows);
}

/* where a one-number variable is not at the limit that it is pushed towards */
LANE_INLINE lane_mask can_move(const kernel_variable *x, lane q, lane gradient)
{
    lane_mask down = lane_lt(gradient, lane_set(0));
    lane limit = lane_select(down, lane_set(x->lower), lane_set(x->upper));
    return mask_not(lane_eq(q, limit));
}

/* restricts a variable's columns to its limits and scales them with its mobility */
LANE_INLINE void restrain(const kernel_variable *x, work *w, int rows)
{
    lane *column = w->jacobian + x->v * rows;
    int count = rows;
    if (x->ball) {
        count = 3 * rows;
        if (ball_is_limited(x))
            ball_restrain(x, w, rows);
    } else {
        lane_mask movable = can_move(x, w->q[x->q], column_dot(column, w->error, rows));
        for (int r = 0; r < rows; r++)
            column[r] = lane_keep(movable, column[r]);
    }
    if (x->mobility != 1)
        for (int r = 0; r < count; r++)
            column[r] *= lane_set(x->mobility);
}

#endif
