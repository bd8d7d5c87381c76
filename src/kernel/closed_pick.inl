/*
 * closed_pick.inl - of each of several poses the one branch that is wanted.
 *
 * One pose in each lane; the branches are made one after another, put on their turns, compared
 * and forgotten, so that nothing but the result leaves the registers.
 */
#ifndef KERNEL_CLOSED_PICK_INL
#define KERNEL_CLOSED_PICK_INL

#include "kernel/closed.inl"

#ifdef LIMBER_SMALL
/* the same pose by pose: not as fast, and less than half the code */
static unsigned closed_pick(const kernel_closed *arm, const kernel_ranges *ranges,
                            const kernel_closed_batch *batch, int count, double *squares)
{
    const int *order = kernel_closed_order(arm);
    unsigned some = 0;
    for (int l = 0; l < count; l++) {
        kernel_solutions found;
        double start[KERNEL_CLOSED_JOINTS];
        int best = -1;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
            start[i] = batch->columns[i] < 0 ? 0 : batch->starts[l][batch->columns[i]];
        closed_one(arm, ranges, batch->targets[l], start, &found);
        bool left_out = false;
        for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++) {
            int b = order[k];
            left_out |= batch->nearest && batch->nearly_open >= 0 &&
                        (found.freedom[b] != 0 || found.closest[b] <= batch->nearly_open);
            bool inside = kernel_closed_solves(&found, b) && found.worst[b] < 0;
            if (inside && (best < 0 || (batch->nearest && found.square[b] < found.square[best])))
                best = b;
        }
        best = left_out ? -1 : best;
        squares[l] = best < 0 ? INFINITY : found.square[best];
        some |= (unsigned)(best >= 0) << l;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS && best >= 0; i++)
            if (batch->columns[i] >= 0)
                batch->q[l][batch->columns[i]] = kernel_inside(ranges, i, found.q[i][best]);
    }
    return some;
}
#else
/* the branch of each lane that is the result so far */
typedef struct closed_best {
    lane q[KERNEL_CLOSED_JOINTS], square;
    lane_mask some, left_out;
    double nearly_open;
    bool nearest;
} closed_best;

/* keeps a branch where it is a solution inside the limits and better; whether every lane has one
   that cannot become better */
LANE_INLINE bool consider(const kernel_closed *arm, const kernel_ranges *ranges,
                          const closed_goal *goal, closed_branch *b, closed_best *best)
{
    closed_turns t = turn_joints(ranges, arm->joint, goal->near, b->q);
    lane_mask solves = mask_and(lane_ge(b->margin, lane_set(CLOSED_DOUBLE_ROOT)),
                                lane_le(t.lacking, lane_set(CLOSED_VANISHED)));
    lane_mask better = mask_and(solves, lane_lt(t.worst, lane_set(0)));
    lane_mask open =
        mask_or(lane_gt(b->freedom, lane_set(0)), lane_le(b->closest, lane_set(best->nearly_open)));
    best->left_out = mask_or(best->left_out, open);
    lane_mask before = best->nearest ? lane_le(best->square, t.square) : best->some;
    better = mask_and(better, mask_not(before));
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        best->q[j] = lane_select(better, b->q[j], best->q[j]);
    best->square = lane_select(better, t.square, best->square);
    best->some = mask_or(best->some, better);
    return !best->nearest && mask_all(best->some);
}

/* considers the branches that share the root of the single joint */
LANE_INLINE bool consider_half(const kernel_closed *arm, const kernel_ranges *ranges,
                               const closed_goal *goal, int half, closed_best *best)
{
    closed_branch b;
    closed_start s = start_branch(arm, goal, root_sign(half, 0));
    for (int i = 0; i < 2; i++) {
        if (arm->kind == KERNEL_CLOSED_PARALLEL) {
            closed_three w =
                solve_wrist(&arm->wrist, s.last, s.side, root_sign(i, 0), goal->hint[3]);
            for (int k = 0; k < 2; k++) {
                b = parallel_branch(arm, goal, &s, &w, root_sign(k, 0));
                if (consider(arm, ranges, goal, &b, best))
                    return true;
            }
            continue;
        }
        v3 last, side;
        closed_two two = wrist_pair(arm, goal, &s, root_sign(i, 0), &last, &side);
        for (int k = 0; k < 2; k++) {
            b = wrist_branch(arm, goal, &s, &two, last, side, root_sign(k, 0));
            if (consider(arm, ranges, goal, &b, best))
                return true;
        }
    }
    return false;
}

/* considers those of three lengths: one place and two turns of the wrist */
LANE_INLINE void consider_lengths(const kernel_closed *arm, const kernel_ranges *ranges,
                                  const closed_goal *goal, closed_best *best)
{
    for (int i = 0; i < 2; i++) {
        closed_branch b = lengths_branch(arm, goal, lane_set(1), root_sign(i, 0));
        (void)consider(arm, ranges, goal, &b, best);
    }
}

/* the wanted branch of up to LANE_WIDTH poses, one in each lane */
static unsigned closed_pick(const kernel_closed *arm, const kernel_ranges *ranges,
                            const kernel_closed_batch *batch, int count, double *squares)
{
    const double *rows[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++)
        rows[l] = &batch->targets[l < count ? l : 0]->x.x;
    const frame target = frame_load(rows, 0);
    closed_goal goal = make_goal(arm, &target);
    lane_fill_rows(rows, batch->starts, count);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        int from = batch->columns[arm->joint[j]];
        goal.near[j] = from < 0 ? lane_set(0) : lane_pick(rows, (size_t)from);
    }
    sum_hints(arm, &goal);
    closed_best best = {.square = lane_set(INFINITY),
                        .some = mask_from_bits(0),
                        .left_out = mask_from_bits(0),
                        .nearly_open = batch->nearly_open,
                        .nearest = batch->nearest};
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        best.q[j] = lane_set(0);
    if (arm->pair == KERNEL_PAIR_LENGTHS)
        consider_lengths(arm, ranges, &goal, &best);
    else if (!consider_half(arm, ranges, &goal, 0, &best))
        (void)consider_half(arm, ranges, &goal, 1, &best);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        int to = batch->columns[arm->joint[j]];
        if (to >= 0)
            lane_place(batch->q, (size_t)to, inside_limits(ranges, arm->joint[j], best.q[j]),
                       count);
    }
    for (int l = 0; l < LANE_WIDTH && l < count; l++)
        squares[l] = lane_get(&best.square, l);
    const bool leave_out = batch->nearest && batch->nearly_open >= 0;
    return mask_bits(best.some) & ((1u << count) - 1) &
           ~(leave_out ? mask_bits(best.left_out) : 0u);
}
#endif

#endif
