/*
 * body_move.inl - where a step of a body leads: within the bounds, and back onto closed loops.
 *
 * A step along the tangent leaves the loops by its square. Newton steps of the loops alone lead
 * back before the step is assessed, so that it may be as long as its tasks allow.
 */
#ifndef KERNEL_BODY_MOVE_INL
#define KERNEL_BODY_MOVE_INL

#include "kernel/body_levels.inl"

/* ---- steps -------------------------------------------------------------------- */

/* radians that a joint turns at most in a step */
#define BODY_LONGEST 1.0

/*
 * A step that turns a joint farther than its rows can be trusted is shortened as a whole. Where
 * links are so far from each other that a pivot is lost to rounding, there is no step.
 */
static void shorten_changes(const kernel_body *body, body_work *w)
{
    lane longest = lane_set(0), one = lane_set(1), zero = lane_set(0), lost = zero;
    for (int c = 0; c < body->joint_columns; c++) {
        // not zero for infinities and NaN alone
        lost = lost + w->change[c] * 0;
        if (!body->columns[c].slides)
            longest = lane_max(lane_abs(w->change[c]), longest);
    }
    lane share = lane_min(lane_set(BODY_LONGEST) / lane_max(longest, lane_set(BODY_LONGEST)), one);
    lane_mask finite = lane_eq(lost, zero);
    for (int c = 0; c < body->joint_columns; c++)
        w->change[c] = lane_select(finite, w->change[c] * share, zero);
}

/* the rotation from `start` to q, and the sine of half its angle */
LANE_INLINE quat turn_since(quat start, quat q, lane *half)
{
    quat turn = quat_multiply((quat){start.w, -start.x, -start.y, -start.z}, q);
    *half = lane_sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
    return turn;
}

/* where it is farther from `start` than it may, a ball is turned back along the shortest way */
static quat hold_reach(quat q, quat start, lane reach)
{
    lane half, sine, cosine;
    quat turn = turn_since(start, q, &half);
    lane_mask far = lane_gt(2 * lane_atan2(half, lane_abs(turn.w)), reach);
    lane_sincos(lane_min(reach, lane_set(LB_PI)) * 0.5, &sine, &cosine);
    lane s = lane_flip_sign(sine, turn.w) / lane_max(half, lane_set(1e-300));
    quat held = quat_multiply(start, (quat){cosine, turn.x * s, turn.y * s, turn.z * s});
    return quat_select(far, held, q);
}

/*
 * A ball within its limits and no farther from its start than it may be. The limits are not convex:
 * on the way back it may have left them, and have moved on as they were enforced again. Then it
 * goes less far, or stays.
 */
static quat bound_ball(const kernel_body_ball *ball, quat next, quat start, lane reach)
{
    static const double shares[] = {1, 0.98, 0.8};
    quat q = ball->limited ? ball_clamp(&ball->limits, next) : next;
    lane_mask open = lane_lt(reach, lane_set(INFINITY));
    if (mask_none(open))
        return q;
    q = quat_select(open, start, q);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        quat held = hold_reach(next, start, reach * shares[i]);
        if (ball->limited)
            held = ball_clamp(&ball->limits, held);
        lane half, w = turn_since(start, held, &half).w;
        // up to rounding
        lane most = reach * (1 + 1e-12) + 1e-15;
        lane_mask kept = mask_and(open, lane_le(2 * lane_atan2(half, lane_abs(w)), most));
        q = quat_select(kept, held, q);
        open = mask_andnot(open, kept);
    }
    return q;
}

static void move_ball_of_body(const kernel_body *body, int i, body_work *w)
{
    const kernel_body_ball *ball = &body->balls[i];
    const v3 *axes = w->ball_axes + 3 * i;
    const lane *change = w->change + ball->column;
    v3 turn = v3_add(v3_add(v3_scale(axes[0], change[0]), v3_scale(axes[1], change[1])),
                     v3_scale(axes[2], change[2]));
    quat next = quat_advance(quat_load(w->q + ball->q), turn);
    next = bound_ball(ball, next, quat_load(w->start + ball->q), w->reach[i]);
    quat_store(w->next + ball->q, next);
}

/* w->next = w->q moved by the step, within the bounds */
static void body_move(const kernel_body *body, body_work *w)
{
    for (int c = 0; c < body->joint_columns; c++) {
        const kernel_body_column *column = &body->columns[c];
        if (column->ball >= 0 || column->tie >= 0)
            continue;
        lane q = w->q[column->q] + w->change[c];
        w->next[column->q] = lane_min(lane_max(q, w->lower[column->q]), w->upper[column->q]);
    }
    for (int i = 0; i < body->ball_count; i++)
        move_ball_of_body(body, i, w);
}

/* w->q and w->next change places, and w->q is measured */
static lane_mask measure_next(const kernel_body *body, body_work *w)
{
    lane *here = w->q;
    w->q = w->next;
    w->next = here;
    return body_measure(body, w);
}

/* the lanes that are not `taken` back to where they were; `busy` are those whose rows matter there
 */
static void take_back(const kernel_body *body, lane_mask taken, lane_mask busy, body_work *w)
{
    if (mask_all(taken))
        return;
    for (int i = 0; i < body->tree.nq; i++)
        w->q[i] = lane_select(taken, w->q[i], w->next[i]);
    if (mask_any(mask_andnot(busy, taken)))
        body_measure(body, w);
}

/* ---- closed loops ------------------------------------------------------------ */

/* loops are closed below this squared error, a millionth of a millionth; Newton steps double the
   digits, and a step of one radian leaves about one */
#define BODY_LOOPS_CLOSED 1e-24
enum { BODY_CLOSINGS = 6 };
/* the damping of these, as a share of the squared error and at least; and what they leave */
#define BODY_CLOSING_SHARE 1e-2
#define BODY_CLOSING_DAMPING 1e-6
#define BODY_CLOSING_LEAVES 0.5

/* one Newton step of the loops in the lanes that are `open`; returns where it led nearer */
static lane_mask close_further(const kernel_body *body, lane_mask open, lane_mask *reached,
                               body_work *w)
{
    lane before = w->level_error[0];
    w->damping[0] = before * BODY_CLOSING_SHARE + BODY_CLOSING_DAMPING;
    for (int c = 0; c < body->column_count; c++)
        w->pin[c] = lane_set(0);
    find_screws(body, w);
    solve_stage(body, 0, mask_from_bits(0), w);
    shorten_changes(body, w);
    body_move(body, w);
    for (int i = 0; i < body->tree.nq; i++)
        w->next[i] = lane_select(open, w->next[i], w->q[i]);
    *reached = measure_next(body, w);
    lane_mask nearer = lane_lt(w->level_error[0], before * BODY_CLOSING_LEAVES);
    lane_mask back = mask_andnot(open, nearer);
    if (mask_any(back)) {
        for (int i = 0; i < body->tree.nq; i++)
            w->q[i] = lane_select(back, w->next[i], w->q[i]);
        *reached = body_measure(body, w);
    }
    return mask_and(open, nearer);
}

/*
 * Measures where the step led, with its loops closed as far as Newton steps lead nearer: then w->q,
 * and w->next is where the step began. The step and what it has pinned stay as they are.
 */
static lane_mask measure_closed(const kernel_body *body, lane_mask busy, body_work *w)
{
    size_t columns = sizeof(lane) * (size_t)body->column_count;
    memcpy(w->begun, w->q, sizeof(lane) * (size_t)body->tree.nq);
    memcpy(w->kept, w->change, columns);
    memcpy(w->kept_pin, w->pin, columns);
    lane_mask reached = measure_next(body, w), open = busy;
    for (int i = 0; i < BODY_CLOSINGS; i++) {
        open = mask_and(open, lane_gt(w->level_error[0], lane_set(BODY_LOOPS_CLOSED)));
        if (mask_none(open))
            break;
        open = close_further(body, open, &reached, w);
    }
    memcpy(w->next, w->begun, sizeof(lane) * (size_t)body->tree.nq);
    memcpy(w->change, w->kept, columns);
    memcpy(w->pin, w->kept_pin, columns);
    return reached;
}

#endif
