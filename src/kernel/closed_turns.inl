/*
 * closed_turns.inl - on which turn the angles of a solution are: inside the limits and near the
 * start.
 *
 * Joints are independent here: each angle is brought to the turn that is nearest to the start
 * among those inside the limits or, where there is none, to the one that breaks them least.
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

LANE_INLINE lane choose_turn(const kernel_ranges *r, int i, lane q, lane start)
{
    lane near = lane_round((start - q) * (1 / TURN)), at = q + near * TURN;
    lane_mask inside = lane_eq(excess(r, i, at), lane_set(0));
    if (mask_all(inside))
        return at;
    // the turns that keep the limits, from the first to the last
    lane low = (r->lower[i] - CLOSED_LIMIT_TOLERANCE - q) * (1 / TURN);
    lane high = (r->upper[i] + CLOSED_LIMIT_TOLERANCE - q) * (1 / TURN);
    lane first = -whole_below(-lane_max(low, near - MOST_TURNS));
    lane last = whole_below(lane_min(high, near + MOST_TURNS));
    lane_mask kept = lane_le(first, last);
    lane turns = lane_max(first, lane_min(last, near));
    at = lane_select(inside, at, q + turns * TURN);
    if (mask_all(mask_or(inside, kept)))
        return at;
    return lane_select(mask_or(inside, kept), at, least_turn(r, i, q));
}

/* What solutions are compared by; see kernel_solutions. */
typedef struct closed_turns {
    lane lacking, square, beyond, worst;
} closed_turns;

/* puts a solution on its turns, in place; number j is that of joint order[j] */
LANE_INLINE closed_turns turn_joints(const kernel_ranges *ranges, const int *order,
                                     const lane *start, lane *q)
{
    const lane zero = lane_set(0);
    closed_turns t = {zero, zero, zero, lane_set(-1)};
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        int i = order[j];
        if (ranges->vanishes[i]) {
            t.lacking = lane_max(t.lacking, lane_abs(q[j]));
            continue;
        }
        if (!ranges->is_length[i])
            q[j] = choose_turn(ranges, i, q[j], start[j]);
        lane d = (q[j] - start[j]) * ranges->weight[i], out = excess(ranges, i, q[j]);
        t.square += d * d;
        lane_mask worse =
            mask_and(lane_gt(out, lane_set(CLOSED_LIMIT_TOLERANCE)), lane_gt(out, t.beyond));
        t.beyond = lane_select(worse, out, t.beyond);
        t.worst = lane_select(worse, lane_set(i), t.worst);
    }
    return t;
}

#endif
