/*
 * closed.inl - every configuration of an arm of closed.h that brings its tip to a pose.
 *
 * A batch has one pose in each lane and makes the branches one after another, so that what
 * branches share is computed once, and keeps the one that is wanted. A single pose has a branch in
 * each lane. Both are the same three functions, and each branch has the same bits either way.
 * Where a singular pose leaves joints open, they can be held instead of solved for.
 */
#ifndef KERNEL_CLOSED_INL
#define KERNEL_CLOSED_INL

#include "kernel/closed_roots.inl"

/* ---- branches ------------------------------------------------------------- */

/* What the target determines, and the angles to take where nothing determines them. */
typedef struct closed_goal {
    v3 center;     /* where the wrist's axes must meet */
    v3 last, side; /* where its last axis must point, and a direction across that */
    lane near[KERNEL_CLOSED_JOINTS]; /* the start, in the order of kernel_closed.joint */
    lane hint[KERNEL_CLOSED_JOINTS]; /* the same, for what is solved for */
    closed_link link;                /* of a planar pair, unless the single joint is last */
    v3 third, across; /* three parallel: the third axis's point from the anchor, and across that */
    lane along;       /* and the axis */
} closed_goal;

/* A branch after its first root. */
typedef struct closed_start {
    closed_root single;
    v3 anchor;
    v3 last, side; /* as far as they are turned back */
} closed_start;

/* A branch. */
typedef struct closed_branch {
    lane q[KERNEL_CLOSED_JOINTS]; /* in the order of kernel_closed.joint */
    lane margin, freedom;
    lane margins[3]; /* of single, pair and wrist */
    lane closest;    /* of the three discriminants, the least in absolute value */
    lane reach, cosine;
} closed_branch;

LANE_INLINE void make_goal(const kernel_closed *arm, const frame *target, closed_goal *goal)
{
    const kernel_wrist *w = &arm->wrist;
    frame t = *target;
    if (arm->reversed) {
        t.x = (v3){target->x.x, target->y.x, target->z.x};
        t.y = (v3){target->x.y, target->y.y, target->z.y};
        t.z = (v3){target->x.z, target->y.z, target->z.z};
        t.p = v3_sub(v3_set(lb_vec3_make(0, 0, 0)), frame_direction(&t, target->p));
    }
    goal->center = v3_add(frame_direction(&t, v3_set(w->center_tip)), t.p);
    goal->last = frame_direction(&t, v3_set(w->d_tip));
    goal->side = frame_direction(&t, v3_set(w->u_tip));
}

/* what follows from the arm and the start, for all branches */
LANE_INLINE void complete_goal(const kernel_closed *arm, closed_goal *goal)
{
    v3 axis = v3_set(arm->wrist.meet.b);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        goal->hint[j] = goal->near[j];
    // of three parallel axes the wrist's first turn is that of all three: so is what it is to be
    if (arm->kind == KERNEL_CLOSED_PARALLEL)
        goal->hint[3] =
            goal->hint[1] + goal->hint[2] * arm->planar.sign + goal->hint[3] * arm->third;
    goal->third = v3_set(arm->offset);
    goal->across = v3_cross(goal->third, axis);
    goal->along = v3_dot(axis, goal->third);
    goal->link = link_of(&arm->planar, v3_add(v3_set(arm->anchor), goal->third));
}

/* the first root of a branch */
LANE_INLINE closed_start start_branch(const kernel_closed *arm, const closed_goal *goal, lane sign,
                                      closed_hold *hold)
{
    v3 wrist = v3_set(arm->anchor);
    closed_start s = {.last = goal->last, .side = goal->side};
    v3 m = arm->single.last ? wrist : goal->center;
    s.anchor = arm->single.last ? goal->center : wrist;
    // last of three it is never open: what it turns is the arm's own
    const bool opens = hold && !arm->single.last && !arm->single.is_length;
    if (opens)
        hold->off[0] = off_single(arm, m);
    if (arm->single.is_length)
        s.single = single_slides(arm, m, s.anchor, sign);
    else if (opens && (hold->which & KERNEL_FREE_SINGLE) != 0)
        s.single = held_single(arm, m, s.anchor, hold);
    else
        s.single = single_turns(arm, m, s.anchor, sign, goal->hint[0]);
    if (!arm->single.last && !arm->single.is_length) {
        s.last = rotate_back(arm->single.axis, s.single.angle, s.last);
        s.side = rotate_back(arm->single.axis, s.single.angle, s.side);
    }
    return s;
}

LANE_INLINE closed_two solve_pair(const kernel_closed *arm, const closed_goal *goal, v3 anchor,
                                  v3 x, lane sign, closed_hold *hold)
{
    if (hold)
        hold->off[1] = off_pair(arm, anchor, x);
    if (hold && (hold->which & KERNEL_FREE_PAIR) != 0)
        return held_pair(arm, anchor, x, hold);
    // where the single joint is last it is the arm's first joint that can be open
    const bool held = arm->single.last;
    const lane hint = goal->hint[held ? 2 : 1];
    if (arm->pair == KERNEL_PAIR_MEET)
        return solve_meet(&arm->meet, arm->size, anchor, x, sign, held, hint);
    closed_link link = goal->link;
    if (held)
        link = link_of(&arm->planar, anchor);
    closed_two r = solve_planar(&arm->planar, arm->size, &link, x, sign, held,
                                held ? hint * arm->planar.sign : hint);
    if (arm->planar.sign < 0) {
        r.c.angle = -r.c.angle;
        r.c.sine = -r.c.sine;
    }
    return r;
}

/* bits of what is open, as a number */
LANE_INLINE lane open_bits(lane_mask single, lane_mask pair, lane_mask wrist)
{
    lane bits = lane_keep(single, lane_set(KERNEL_FREE_SINGLE));
    bits = bits + lane_keep(pair, lane_set(KERNEL_FREE_PAIR));
    return bits + lane_keep(wrist, lane_set(KERNEL_FREE_WRIST));
}

/* a direction turned back by the joints before the wrist that have not turned it yet */
LANE_INLINE v3 before_wrist(const kernel_closed *arm, const closed_start *s, const closed_two *two,
                            v3 v)
{
    if (arm->single.last) {
        v = rotate_back(arm->axes[0], two->c, v);
        v = rotate_back(arm->axes[1], two->b, v);
        return arm->lengths[2] ? v : rotate_back(arm->axes[2], s->single.angle, v);
    }
    v = rotate_back(arm->axes[1], two->b, v);
    return rotate_back(arm->axes[2], two->c, v);
}

/* the other roots, of an arm with a wrist */
LANE_INLINE closed_two wrist_pair(const kernel_closed *arm, const closed_goal *goal,
                                  const closed_start *s, lane sign, v3 *last, v3 *side,
                                  closed_hold *hold)
{
    closed_two two = solve_pair(arm, goal, s->anchor, s->single.x, sign, hold);
    *last = before_wrist(arm, s, &two, s->last);
    *side = before_wrist(arm, s, &two, s->side);
    return two;
}

LANE_INLINE void set_margins(closed_branch *b, lane single, lane pair, lane wrist)
{
    b->margins[0] = single;
    b->margins[1] = pair;
    b->margins[2] = wrist;
    b->margin = lane_min(lane_min(single, pair), wrist);
    b->closest = lane_min(lane_min(lane_abs(single), lane_abs(pair)), lane_abs(wrist));
}

LANE_INLINE closed_branch wrist_branch(const kernel_closed *arm, const closed_goal *goal,
                                       const closed_start *s, const closed_two *two, v3 last,
                                       v3 side, lane sign, closed_hold *hold)
{
    closed_three w = solve_three(&arm->wrist, last, side, sign, goal->hint[3], hold);
    closed_branch b = {
        .q = {s->single.value, two->b.angle, two->c.angle, w.b.angle, w.c.angle, w.d},
        .reach = two->reach,
        .cosine = w.cosine};
    set_margins(&b, s->single.margin, two->margin, w.margin);
    b.freedom = open_bits(s->single.open, two->open, w.open);
    return b;
}

/* where the third of three parallel axes must be: the wrist's first turn is that of all three */
LANE_INLINE v3 third_place(const kernel_closed *arm, const closed_goal *goal, const closed_start *s,
                           const closed_three *w)
{
    v3 across = v3_scale(goal->across, -w->b.sine);
    v3 along = v3_scale(v3_set(arm->wrist.meet.b), goal->along * (1.0 - w->b.cosine));
    v3 third = v3_add(v3_add(v3_scale(goal->third, w->b.cosine), across), along);
    return v3_add(s->single.x, third);
}

/* the same as wrist_branch, of an arm with three parallel axes */
LANE_INLINE closed_branch parallel_branch(const kernel_closed *arm, const closed_goal *goal,
                                          const closed_start *s, const closed_three *w, lane sign,
                                          closed_hold *hold)
{
    v3 anchor = v3_add(v3_set(arm->anchor), goal->third);
    closed_two two = solve_pair(arm, goal, anchor, third_place(arm, goal, s, w), sign, hold);
    lane rest = w->b.angle - two.b.angle - two.c.angle * arm->planar.sign;
    closed_branch b = {.q = {s->single.value, two.b.angle, two.c.angle,
                             wrap_turns(rest) * arm->third, w->c.angle, w->d},
                       .reach = two.reach,
                       .cosine = w->cosine};
    set_margins(&b, s->single.margin, two.margin, w->margin);
    b.freedom = open_bits(s->single.open, two.open, w->open);
    return b;
}

/* three lengths: one place, and the two turns of the wrist */
LANE_INLINE closed_branch lengths_branch(const kernel_closed *arm, const closed_goal *goal,
                                         lane other, lane sign, closed_hold *hold)
{
    v3 offset = v3_sub(goal->center, v3_set(arm->anchor));
    closed_three w = solve_three(&arm->wrist, goal->last, goal->side, sign, goal->hint[3], hold);
    closed_branch b = {.q = {v3_dot(offset, v3_set(arm->inverse[0])),
                             v3_dot(offset, v3_set(arm->inverse[1])),
                             v3_dot(offset, v3_set(arm->inverse[2])), w.b.angle, w.c.angle, w.d},
                       .reach = lane_set(0),
                       .cosine = w.cosine};
    set_margins(&b, other, other, w.margin);
    b.freedom = open_bits(mask_from_bits(0), mask_from_bits(0), w.open);
    return b;
}

/* ---- entry points --------------------------------------------------------- */

/* the sign of a branch's root */
LANE_INLINE lane root_sign(int branch, int root)
{
    return lane_set(branch >> root & 1 ? -1.0 : 1.0);
}

/* the branch in each lane, of one pose */
LANE_INLINE closed_branch one_branch(const kernel_closed *arm, const closed_goal *goal,
                                     const lane sign[3], closed_hold *hold)
{
    if (arm->pair == KERNEL_PAIR_LENGTHS)
        return lengths_branch(arm, goal, lane_min(sign[0], sign[1]), sign[2], hold);
    closed_start s = start_branch(arm, goal, sign[0], hold);
    if (arm->kind == KERNEL_CLOSED_PARALLEL) {
        closed_three w = solve_three(&arm->wrist, s.last, s.side, sign[2], goal->hint[3], hold);
        return parallel_branch(arm, goal, &s, &w, sign[1], hold);
    }
    v3 last, side;
    closed_two two = wrist_pair(arm, goal, &s, sign[1], &last, &side, hold);
    return wrist_branch(arm, goal, &s, &two, last, side, sign[2], hold);
}

/* the goal of one pose, in all lanes */
LANE_INLINE void set_goal(const kernel_closed *arm, const lb_transform *target, const double *start,
                          closed_goal *goal)
{
    const frame given = frame_set(target);
    make_goal(arm, &given, goal);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        goal->near[j] = lane_set(start[arm->joint[j]]);
    complete_goal(arm, goal);
}

#if !KERNEL_SHARES
/* all branches of one pose, one in each lane */
static void closed_one(const kernel_closed *arm, const kernel_ranges *ranges,
                       const lb_transform *target, const double *start, kernel_solutions *out)
{
    static const double signs[3][KERNEL_CLOSED_BRANCHES] = {
        {1, -1, 1, -1, 1, -1, 1, -1}, {1, 1, -1, -1, 1, 1, -1, -1}, {1, 1, 1, 1, -1, -1, -1, -1}};
    closed_goal goal;
    set_goal(arm, target, start, &goal);
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i += LANE_WIDTH) {
        const lane sign[3] = {lane_load(signs[0] + i), lane_load(signs[1] + i),
                              lane_load(signs[2] + i)};
        closed_branch b = one_branch(arm, &goal, sign, NULL);
        closed_turns t = turn_joints(ranges, arm->joint, goal.near, b.q);
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
            lane_store(out->q[arm->joint[j]] + i, b.q[j]);
        lane_store(out->margin + i, b.margin);
        lane_store(out->freedom + i, b.freedom);
        lane_store(out->closest + i, b.closest);
        lane_store(out->reach + i, b.reach);
        lane_store(out->cosine + i, b.cosine);
        lane_store(out->lacking + i, t.lacking);
        lane_store(out->square + i, t.square);
        lane_store(out->beyond + i, t.beyond);
        lane_store(out->worst + i, t.worst);
    }
}

/* configurations along what a singular pose leaves open, one in each lane */
static void closed_along(const kernel_closed *arm, const kernel_ranges *ranges,
                         const lb_transform *target, const double *start, const kernel_held *held,
                         kernel_members *out)
{
    closed_goal goal;
    set_goal(arm, target, start, &goal);
    const double far = lb_vec3_length(arm->wrist.center_tip);
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i += LANE_WIDTH) {
        closed_hold hold = {.which = held->which};
        lane sign[3];
        for (int r = 0; r < 3; r++) {
            hold.value[r] = lane_load(held->value[r] + i);
            sign[r] = lane_load(held->sign[r] + i);
            hold.off[r] = lane_set(INFINITY);
            hold.miss[r] = lane_set(0);
        }
        closed_branch b = one_branch(arm, &goal, sign, &hold);
        closed_turns t = turn_joints(ranges, arm->joint, goal.near, b.q);
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
            lane_store(out->q[arm->joint[j]] + i, b.q[j]);
        for (int r = 0; r < 3; r++) {
            lane_store(out->margin[r] + i, b.margins[r]);
            lane_store(out->off[r] + i, hold.off[r]);
        }
        lane_store(out->miss[0] + i, hold.miss[0] + hold.miss[1] + hold.miss[2] * far);
        lane_store(out->miss[1] + i, hold.miss[2]);
        lane_store(out->reach + i, b.reach);
        lane_store(out->cosine + i, b.cosine);
        lane_store(out->lacking + i, t.lacking);
        lane_store(out->square + i, t.square);
        lane_store(out->beyond + i, t.beyond);
    }
}
#endif

#endif
