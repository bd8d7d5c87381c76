/*
 * step.inl - one damped least-squares step inside the limits, one problem per lane.
 *
 * Solves (J M J^T + lambda 1) y = e and moves by M J^T y: Eq. 5.24 with the
 * joints' mobilities M, one half of which is multiplied into the columns of J on
 * either side. This form is as large as the task, not as the linkage. lambda is given, or
 * proportional to the squared error (Chan & Lawrence 1988), which makes the descent a
 * Levenberg-Marquardt that is bold near the goal and careful far off.
 *
 * Limits act inside the step: a variable that is at its limit and would be pushed
 * out has its column taken away (an active set), so that the others do the work;
 * clamping afterwards alone would trap the descent.
 */
#ifndef KERNEL_STEP_INL
#define KERNEL_STEP_INL

#include "kernel/evaluate.inl"
#include "kernel/symmetric.inl"

/* how lambda's share of the squared error changes in careful descents, and how far: measured */
#define SHARE_LOWERED 0.5
#define SHARE_RAISED 4
#define SHARE_LEAST 0.01
#define SHARE_MOST 0.4
/* a step that lost is tried again at this part of its length */
#define BACKTRACK 0.125

/* ---- balls ---------------------------------------------------------------- */

/* an angle in [-pi, pi], or one turn from there where that is nearer to a ball's range */
LANE_INLINE lane ball_nearest_turn(const kernel_variable *ball, lane twist)
{
    // either both ends are given or none
    const double middle = isfinite(ball->lower) ? 0.5 * (ball->lower + ball->upper) : 0;
    const lane turn = lane_set(2 * LB_PI);
    lane_mask high = lane_gt(twist, lane_set(middle + LB_PI));
    lane_mask low = lane_lt(twist, lane_set(middle - LB_PI));
    return lane_select(high, twist - turn, lane_select(low, twist + turn, twist));
}

/*
 * The twist angle about a ball's axis, of all that are whole turns apart the nearest to the
 * middle of its range, and the angle by which the axis has swung.
 */
static void ball_angles(const kernel_variable *ball, quat q, lane *twist, lane *swing,
                        quat *twist_part)
{
    const v3 axis = v3_set(ball->axis);
    const v3 part = {q.x, q.y, q.z};
    lane along = v3_dot(part, axis);
    // what is at right angles to the axis, not what squares leave: a narrow cone is seen too
    v3 aside = v3_sub(part, v3_scale(axis, along));
    lane across = lane_sqrt(v3_dot(aside, aside));
    lane n = lane_sqrt(q.w * q.w + along * along);
    // a half turn of pure swing has no twist of its own: none is taken
    lane_mask pure = lane_lt(n, lane_set(1e-12));
    lane s = 1 / lane_select(pure, lane_set(1), n);
    lane sign = lane_select(lane_lt(q.w, lane_set(0)), lane_set(-1), lane_set(1));
    lane tw = lane_select(pure, lane_set(1), q.w * s * sign);
    lane ta = lane_select(pure, lane_set(0), along * s * sign);
    *twist = ball_nearest_turn(ball, 2 * lane_atan2(ta, tw));
    *swing = 2 * lane_atan2(across, n);
    *twist_part = (quat){tw, axis.x * ta, axis.y * ta, axis.z * ta};
}

/* the nearest quaternion within a ball's limits */
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
    // twist, cut to its range
    lane cut = lane_min(lane_max(twist, lane_set(ball->lower)), lane_set(ball->upper));
    lane_sincos(0.5 * cut, &sine, &cosine);
    lane_mask kept = lane_eq(cut, twist);
    quat t = {lane_select(kept, twist_part.w, cosine),
              lane_select(kept, twist_part.x, axis.x * sine),
              lane_select(kept, twist_part.y, axis.y * sine),
              lane_select(kept, twist_part.z, axis.z * sine)};
    return quat_multiply(s, t);
}

LANE_INLINE bool ball_is_limited(const kernel_variable *ball)
{
    return ball->swing < LB_PI || ball->lower > -LB_PI || ball->upper < LB_PI;
}

/*
 * q turned by v, to third order as by exp(v): Cayley's map turns by 2 atan(|v| / 2), which
 * needs no sine and makes less of steps so long that they cannot be trusted.
 */
LANE_INLINE quat quat_advance(quat q, v3 v)
{
    lane h = lane_set(0.5);
    return quat_normalize(quat_multiply(q, (quat){lane_set(1), v.x * h, v.y * h, v.z * h}));
}

/* ---- the active set ------------------------------------------------------- */

/* takes the direction n out of a ball's three columns where the mask says so */
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

/* a ball at its cone or its twist limit loses the direction that leads out */
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

/* where a one-number variable is not held back by the limit that it is pushed towards */
LANE_INLINE lane_mask is_free(const kernel_variable *x, lane q, lane gradient)
{
    lane_mask down = lane_lt(gradient, lane_set(0));
    lane limit = lane_select(down, lane_set(x->lower), lane_set(x->upper));
    return mask_not(lane_eq(q, limit));
}

/* takes away what the limits forbid from a variable's columns, and scales them with its mobility */
LANE_INLINE void restrain(const kernel_variable *x, work *w, int rows)
{
    lane *column = w->jacobian + x->v * rows;
    int count = rows;
    if (x->ball) {
        count = 3 * rows;
        if (ball_is_limited(x))
            ball_restrain(x, w, rows);
    } else {
        lane_mask open = is_free(x, w->q[x->q], column_dot(column, w->error, rows));
        for (int r = 0; r < rows; r++)
            column[r] = lane_keep(open, column[r]);
    }
    if (x->mobility != 1)
        for (int r = 0; r < count; r++)
            column[r] *= lane_set(x->mobility);
}

/* ---- the step ------------------------------------------------------------- */

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

/* step = M J^T answer, and where it leads; the columns have one half of M already */
LANE_INLINE void find_changes(const kernel_problem *problem, const lane *answer, const work *w,
                              int rows)
{
    const kernel_variable *x = problem->variables, *end = x + problem->variable_count;
    const lane *column = w->jacobian, *q = w->q;
    lane *step = w->step, *next = w->next;
    // the variables' columns and steps follow one another
    for (; x != end; x++) {
        lane *first = step;
        for (int k = x->ball ? 3 : 1; k > 0; k--, column += rows) {
            lane change = column_dot(column, answer, rows);
            *step++ = x->mobility != 1 ? change * x->mobility : change;
        }
        if (x->ball)
            move_ball(x, q + x->q, first, next + x->q);
        else
            next[x->q] = axis_clamp(x, q[x->q] + *first);
    }
}

/* a one-axis variable's column of the only task, inside its limits and scaled with its mobility */
LANE_INLINE void make_column(const kernel_problem *problem, const kernel_variable *x, v3 e, v3 f,
                             const work *w, int rows)
{
    const kernel_task *task = problem->tasks;
    screw c = joint_screw(&problem->tree.joints[x->joint], &w->frames[x->joint], w->tools);
    c = screw_weigh(c, task, w->tools);
    v3 u = rows == 6 || task->position ? c.linear : c.angular, v = c.angular;
    lane gradient = v3_dot(u, e);
    if (rows == 6)
        gradient = (u.x * e.x + v.x * f.x) + (u.y * e.y + v.y * f.y) + (u.z * e.z + v.z * f.z);
    lane_mask open = is_free(x, w->q[x->q], gradient);
    if (x->mobility != 1) {
        u = v3_scale(u, lane_set(x->mobility));
        v = v3_scale(v, lane_set(x->mobility));
    }
    lane *column = w->jacobian + x->v * rows;
    rows_set(column, v3_keep(open, u));
    if (rows == 6)
        rows_set(column + 3, v3_keep(open, v));
}

/* one task of `rows` rows, 3 or 6 and a constant */
LANE_INLINE void find_step(const kernel_problem *problem, lane lambda, work *w, int rows)
{
    const int second = rows == 6 ? 3 : 0;
    v3 e = rows_get(w->error), f = rows_get(w->error + second);
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        if (x->ball) {
            joint_write(problem, problem->tasks, w->tools, x->joint, w, rows, false);
            restrain(x, w, rows);
        } else {
            make_column(problem, x, e, f, w, rows);
        }
    }
    normal a = normal_of(w->jacobian, problem->tree.nv, rows);
    lane answer[6];
    v3 x, y;
    normal_solve(&a, lambda, lane_set(problem->noise), e, f, &x, &y, rows);
    rows_set(answer, x);
    rows_set(answer + 3, y);
    find_changes(problem, answer, w, rows);
}

/* any tasks, any joints */
static void find_step_any(const kernel_problem *problem, lane lambda, work *w)
{
    int rows = problem->rows;
    lane *a = w->normal;
    linearize(problem, w);
    for (int i = 0; i < problem->variable_count; i++)
        restrain(&problem->variables[i], w, rows);
    matrix_make(a, w->jacobian, problem->tree.nv, lambda, rows);
    for (int r = 0; r < rows; r++)
        w->answer[r] = w->error[r];
    matrix_solve(a, lane_set(problem->noise), w->answer, rows);
    find_changes(problem, w->answer, w, rows);
}

/* shortens the whole step so that no variable moves by more than the limit */
LANE_INLINE void shorten_step(const kernel_problem *problem, double limit, work *w)
{
    lane longest = lane_set(0);
    for (int v = 0; v < problem->tree.nv; v++)
        longest = lane_max(lane_abs(w->step[v]), longest);
    lane share = lane_min(lane_set(limit) / lane_max(longest, lane_set(limit)), lane_set(1));
    for (int v = 0; v < problem->tree.nv; v++)
        w->step[v] = w->step[v] * share;
}

/* lambda^2 of a step */
LANE_INLINE lane damping(const kernel_control *control, lane error2, lane share)
{
    if (control->damping > 0)
        return lane_set(control->damping * control->damping);
    return error2 * share;
}

/* lambda's share of the squared error after a step that won, or had to be shortened */
LANE_INLINE lane next_share(lane share, lane_mask shortened)
{
    return lane_select(shortened, lane_min(share * SHARE_RAISED, lane_set(SHARE_MOST)),
                       lane_max(share * SHARE_LOWERED, lane_set(SHARE_LEAST)));
}

/* w->step from where w was measured, and w->next where it leads */
static void plan_step(const kernel_problem *problem, const kernel_control *control, lane lambda,
                      work *w)
{
    if (problem->plain && problem->rows == 6)
        find_step(problem, lambda, w, 6);
    else if (problem->plain)
        find_step(problem, lambda, w, 3);
    else
        find_step_any(problem, lambda, w);
    if (control->step_limit > 0) {
        shorten_step(problem, control->step_limit, w);
        take_step(problem, w);
    }
}

/* goes back to where the last step that won anything led, for lanes that have lost */
LANE_INLINE void go_back(const kernel_problem *problem, work *w, lane_mask lost)
{
    for (int i = 0; i < problem->tree.nq; i++)
        w->q[i] = lane_select(lost, w->kept[i], w->q[i]);
}

/* remembers where a step begins; lanes that have lost take a part of the last one instead */
LANE_INLINE void keep_step(const kernel_problem *problem, work *w, lane_mask lost)
{
    for (int i = 0; i < problem->tree.nq; i++)
        w->kept[i] = w->q[i];
    for (int v = 0; v < problem->tree.nv; v++) {
        lane part = w->kept_step[v] * BACKTRACK;
        w->step[v] = w->kept_step[v] = lane_select(lost, part, w->step[v]);
    }
}

#endif
