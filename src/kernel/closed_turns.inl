/*
 * closed_turns.inl - on which turn the angles of a solution are: inside the limits and near the
 * start.
 *
 * Joints are independent here: each angle is brought to the turn that is nearest to the start
 * among those inside the limits or, where there is none, to the one that breaks them least. Where
 * the tolerances count (kernel_ranges.beside), the nearest of all turns may be a little outside.
 */
#ifndef KERNEL_CLOSED_TURNS_INL
#define KERNEL_CLOSED_TURNS_INL

#include "kernel/closed.h"
#include "simd/lane.h"

#define TURN (2 * LB_PI)
/* where there are too many turns to count exactly, those near the start are what matters */
#define MOST_TURNS 1e6

LANE_INLINE lane whole_below(lane x)
{
    lane whole = lane_round(x);
    return whole - lane_keep(lane_gt(whole, x), lane_set(1));
}

/* by how much a value breaks the limits */
LANE_INLINE lane excess(const kernel_ranges *r, int i, lane q)
{
    return lane_max(lane_max(r->lower[i] - q, q - r->upper[i]), lane_set(0));
}

/* without what rounding leaves beyond them */
LANE_INLINE lane inside_limits(const kernel_ranges *r, int i, lane q)
{
    return lane_max(lane_min(q, lane_set(r->upper[i])), lane_set(r->lower[i]));
}

/* the turn that breaks the limits least, of an angle that keeps them on none */
LANE_INLINE lane least_turn(const kernel_ranges *r, int i, lane q)
{
    lane below = q + whole_below((r->lower[i] - q) * (1 / TURN)) * TURN, above = below + TURN;
    return lane_select(lane_le(excess(r, i, below), excess(r, i, above)), below, above);
}

/* the turns that keep the limits, from the first to the last: the one that is nearest to `near` */
LANE_RARE lane search_turn(const kernel_ranges *r, int i, lane q, lane near)
{
    lane low = (r->lower[i] - CLOSED_LIMIT_TOLERANCE - q) * (1 / TURN);
    lane high = (r->upper[i] + CLOSED_LIMIT_TOLERANCE - q) * (1 / TURN);
    lane first = -whole_below(-lane_max(low, near - MOST_TURNS));
    lane last = whole_below(lane_min(high, near + MOST_TURNS));
    return lane_max(first, lane_min(last, near));
}

LANE_INLINE lane choose_turn(const kernel_ranges *r, int i, lane q, lane start)
{
    const double lower = r->lower[i] - CLOSED_LIMIT_TOLERANCE;
    const double upper = r->upper[i] + CLOSED_LIMIT_TOLERANCE;
    lane turns = lane_round((start - q) * (1 / TURN)), at = q + turns * TURN;
    lane_mask above = lane_gt(at, lane_set(upper + r->beside));
    lane_mask below = lane_lt(at, lane_set(lower - r->beside));
    if (mask_none(mask_or(above, below)))
        return at;
    // from a start inside the limits the next turn keeps them, or none does
    turns = turns - lane_keep(above, lane_set(1)) + lane_keep(below, lane_set(1));
    lane next = q + turns * TURN;
    lane_mask out = mask_or(lane_gt(next, lane_set(upper)), lane_lt(next, lane_set(lower)));
    out = mask_and(out, mask_or(above, below));
    if (mask_none(out))
        return next;
    next = lane_select(out, q + search_turn(r, i, q, turns) * TURN, next);
    out = mask_and(out, mask_or(lane_gt(next, lane_set(upper)), lane_lt(next, lane_set(lower))));
    return lane_select(out, least_turn(r, i, q), next);
}

/* What solutions are compared by; see kernel_solutions. */
typedef struct closed_turns {
    lane lacking, square, beyond, worst;
} closed_turns;

/* a joint on its turn, and what it adds to what solutions are compared by */
typedef struct closed_turned {
    lane q, square, out; /* out: by how much it breaks its limits */
} closed_turned;

LANE_INLINE closed_turned turn_joint(const kernel_ranges *ranges, int i, lane q, lane start)
{
    if (!ranges->is_length[i] && !ranges->vanishes[i])
        q = choose_turn(ranges, i, q, start);
    lane d = (q - start) * ranges->weight[i];
    return (closed_turned){q, d * d, excess(ranges, i, q)};
}

LANE_INLINE void add_turned(const kernel_ranges *ranges, int i, const closed_turned *joint,
                            closed_turns *t)
{
    if (ranges->vanishes[i]) {
        t->lacking = lane_max(t->lacking, lane_abs(joint->q));
        return;
    }
    t->square += joint->square;
    lane_mask worse = mask_and(lane_gt(joint->out, lane_set(CLOSED_LIMIT_TOLERANCE)),
                               lane_gt(joint->out, t->beyond));
    t->beyond = lane_select(worse, joint->out, t->beyond);
    t->worst = lane_select(worse, lane_set(i), t->worst);
}

/* puts a solution on its turns, in place; number j is that of joint order[j] */
LANE_INLINE closed_turns turn_joints(const kernel_ranges *ranges, const int *order,
                                     const lane *start, lane *q)
{
    const lane zero = lane_set(0);
    closed_turns t = {zero, zero, zero, lane_set(-1)};
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        const closed_turned joint = turn_joint(ranges, order[j], q[j], start[j]);
        add_turned(ranges, order[j], &joint, &t);
        q[j] = joint.q;
    }
    return t;
}

#endif
