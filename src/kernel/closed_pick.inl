/*
 * closed_pick.inl - all branches of several poses, and of each pose the one that is wanted.
 *
 * One pose in each lane. All that branches share is computed once, and what does not depend on one
 * another stands side by side: first the roots of the single joint, then those that follow either,
 * then all eight branches, then their turns. So no operation waits for the one before.
 */
#ifndef KERNEL_CLOSED_PICK_INL
#define KERNEL_CLOSED_PICK_INL

#include "kernel/closed.inl"

#if defined(LIMBER_SMALL) || LANE_WIDTH == 1
/* the same pose by pose: not as fast, and less than half the code */
static unsigned closed_pick(const kernel_closed *arm, const kernel_ranges *ranges,
                            const kernel_closed_batch *batch, int count, double *squares)
{
    const int *order = kernel_closed_order(arm);
    unsigned some = 0;
    for (int l = 0; l < count; l++) {
        kernel_solutions found;
        double start[KERNEL_CLOSED_JOINTS];
        double beside = INFINITY;
        int best = -1;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
            start[i] = batch->columns[i] < 0 ? 0 : batch->starts[l][batch->columns[i]];
        closed_one(arm, ranges, batch->targets[l], start, &found);
        if (batch->sets) {
            *batch->sets[l] = found;
            *batch->made = true;
        }
        bool left_out = false;
        for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++) {
            int b = order[k];
            left_out |= batch->nearest && batch->nearly_open >= 0 &&
                        (found.freedom[b] != 0 || found.closest[b] <= batch->nearly_open);
            bool inside = kernel_closed_solves(&found, b) && found.worst[b] < 0;
            if (inside && (best < 0 || (batch->nearest && found.square[b] < found.square[best])))
                best = b;
            if (!inside && kernel_closed_nearly(&found, b) && found.square[b] < beside)
                beside = found.square[b];
        }
        if (left_out ||
            (best >= 0 && batch->nearest && batch->nearly_open >= 0 && beside < found.square[best]))
            best = -1;
        squares[l] = best < 0 ? INFINITY : found.square[best];
        some |= (unsigned)(best >= 0) << l;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS && best >= 0; i++)
            if (batch->columns[i] >= 0)
                batch->q[l][batch->columns[i]] = kernel_inside(ranges, i, found.q[i][best]);
    }
    return some;
}

static void closed_several(const kernel_closed *arm, const kernel_ranges *ranges,
                           const kernel_closed_batch *batch, int count,
                           kernel_solutions *const *sets)
{
    for (int l = 0; l < count; l++) {
        double start[KERNEL_CLOSED_JOINTS];
        for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
            start[i] = batch->columns[i] < 0 ? 0 : batch->starts[l][batch->columns[i]];
        closed_one(arm, ranges, batch->targets[l], start, sets[l]);
    }
}
#else
/* the numbers of kernel_solutions for each branch, one pose in each lane, and in the same order */
typedef union closed_columns {
    lane of[sizeof(kernel_solutions) / sizeof(double[KERNEL_CLOSED_BRANCHES])]
           [KERNEL_CLOSED_BRANCHES];
    struct {
        lane q[KERNEL_CLOSED_JOINTS][KERNEL_CLOSED_BRANCHES];
        lane margin[KERNEL_CLOSED_BRANCHES], closest[KERNEL_CLOSED_BRANCHES];
        lane reach[KERNEL_CLOSED_BRANCHES], cosine[KERNEL_CLOSED_BRANCHES];
        lane freedom[KERNEL_CLOSED_BRANCHES], lacking[KERNEL_CLOSED_BRANCHES];
        lane square[KERNEL_CLOSED_BRANCHES], beyond[KERNEL_CLOSED_BRANCHES];
        lane worst[KERNEL_CLOSED_BRANCHES];
    };
} closed_columns;

/* of each joint of each branch, in the order of kernel_closed.joint */
typedef closed_turned closed_turns_of[KERNEL_CLOSED_JOINTS][KERNEL_CLOSED_BRANCHES];

/* Poses in lanes. */
typedef struct closed_poses {
    const kernel_closed *arm;
    const kernel_ranges *ranges;
    closed_goal goal;
    closed_start starts[2]; /* the roots of the single joint */
} closed_poses;

/* Some of the branches: roots of the single joint, and of what comes next, from the first to before
   the end; both roots of the last step. */
typedef struct closed_block {
    int single, single_end, next, next_end;
} closed_block;

LANE_INLINE void put_branch(const closed_poses *p, int number, const closed_branch *b,
                            closed_columns *to)
{
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        to->q[p->arm->joint[j]][number] = b->q[j];
    to->margin[number] = b->margin;
    to->closest[number] = b->closest;
    to->reach[number] = b->reach;
    to->cosine[number] = b->cosine;
    to->freedom[number] = b->freedom;
}

/* an arm with a wrist */
LANE_INLINE void fill_wrist(const closed_poses *p, closed_block block, closed_columns *to)
{
    closed_two two[2][2];
    v3 last[2][2], side[2][2];
    for (int h = block.single; h < block.single_end; h++)
#pragma GCC unroll 2
        for (int i = block.next; i < block.next_end; i++)
            two[h][i] = wrist_pair(p->arm, &p->goal, &p->starts[h], root_sign(i, 0), &last[h][i],
                                   &side[h][i], NULL);
    for (int h = block.single; h < block.single_end; h++)
        for (int i = block.next; i < block.next_end; i++)
#pragma GCC unroll 2
            for (int k = 0; k < 2; k++) {
                const closed_branch b = wrist_branch(p->arm, &p->goal, &p->starts[h], &two[h][i],
                                                     last[h][i], side[h][i], root_sign(k, 0), NULL);
                put_branch(p, h | i << 1 | k << 2, &b, to);
            }
}

/* three parallel axes */
LANE_INLINE void fill_parallel(const closed_poses *p, closed_block block, closed_columns *to)
{
    closed_three w[2][2];
    for (int h = block.single; h < block.single_end; h++)
#pragma GCC unroll 2
        for (int i = block.next; i < block.next_end; i++)
            w[h][i] = solve_wrist(&p->arm->wrist, p->starts[h].last, p->starts[h].side,
                                  root_sign(i, 0), p->goal.hint[3]);
    for (int h = block.single; h < block.single_end; h++)
        for (int i = block.next; i < block.next_end; i++)
#pragma GCC unroll 2
            for (int k = 0; k < 2; k++) {
                const closed_branch b = parallel_branch(p->arm, &p->goal, &p->starts[h], &w[h][i],
                                                        root_sign(k, 0), NULL);
                put_branch(p, h | k << 1 | i << 2, &b, to);
            }
}

/* three lengths: the sign of a branch that is none is below zero */
LANE_INLINE void fill_lengths(const closed_poses *p, closed_columns *to)
{
    for (int n = 0; n < KERNEL_CLOSED_BRANCHES; n++) {
        const closed_branch b = lengths_branch(p->arm, &p->goal, lane_set((n & 3) != 0 ? -1 : 1),
                                               root_sign(n, 2), NULL);
        put_branch(p, n, &b, to);
    }
}

/* the roots that each joint depends on, in the order of kernel_closed.joint: as the bits of a
   branch's number */
LANE_INLINE const int *roots_of_joints(const kernel_closed *arm)
{
    static const int wrist[KERNEL_CLOSED_JOINTS] = {1, 3, 3, 7, 7, 7};
    static const int parallel[KERNEL_CLOSED_JOINTS] = {1, 7, 7, 7, 5, 5};
    return arm->kind == KERNEL_CLOSED_PARALLEL ? parallel : wrist;
}

/* puts branches on their turns: joints that several have alike once, as the first of them */
LANE_INLINE void turn_columns(const closed_poses *p, closed_block block, const closed_columns *c,
                              closed_turns_of turned)
{
    const int *roots = roots_of_joints(p->arm);
    const int next = p->arm->kind == KERNEL_CLOSED_PARALLEL ? 4 : 2;
    const bool whole = block.next_end - block.next == 2;
    const int given = whole ? 0 : 1 | next, at = whole ? 0 : block.single | block.next * next;
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        const int joint = p->arm->joint[j], others = roots[j] & ~given;
        int n = 0;
        do
            turned[j][(n | at) & roots[j]] =
                turn_joint(p->ranges, joint, c->q[joint][n | at], p->goal.near[j]);
        while ((n = (n - others) & others) != 0);
    }
}

/* a single one of these roots each, or all of both; in order. Not of three lengths */
LANE_INLINE void fill_columns(closed_poses *p, closed_block block, closed_columns *to,
                              closed_turns_of turned)
{
    for (int h = block.single; h < block.single_end && block.next == 0; h++)
        p->starts[h] = start_branch(p->arm, &p->goal, root_sign(h, 0), NULL);
    if (p->arm->kind == KERNEL_CLOSED_PARALLEL)
        fill_parallel(p, block, to);
    else
        fill_wrist(p, block, to);
    turn_columns(p, block, to, turned);
}

/* all branches */
LANE_INLINE void fill_whole(closed_poses *p, closed_columns *to, closed_turns_of turned)
{
    const closed_block whole = {0, 2, 0, 2};
    if (p->arm->pair != KERNEL_PAIR_LENGTHS) {
        fill_columns(p, whole, to, turned);
        return;
    }
    fill_lengths(p, to);
    turn_columns(p, whole, to, turned);
}

/* up to LANE_WIDTH poses and starts */
LANE_INLINE void load_poses(const kernel_closed *arm, const kernel_ranges *ranges,
                            const kernel_closed_batch *batch, int count, closed_poses *p)
{
    const double *rows[LANE_WIDTH];
    for (int l = 0; l < LANE_WIDTH; l++)
        rows[l] = &batch->targets[l < count ? l : 0]->x.x;
    const frame target = frame_load(rows, 0);
    p->arm = arm;
    p->ranges = ranges;
    make_goal(arm, &target, &p->goal);
    lane_fill_rows(rows, batch->starts, count);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        int from = batch->columns[arm->joint[j]];
        p->goal.near[j] = from < 0 ? lane_set(0) : lane_pick(rows, (size_t)from);
    }
    complete_goal(arm, &p->goal);
}

/* the branches on their turns, as kernel_solutions has them */
LANE_INLINE void sum_columns(const closed_poses *p, closed_turns_of turned, closed_columns *c)
{
    const int *roots = roots_of_joints(p->arm);
    for (int n = 0; n < KERNEL_CLOSED_BRANCHES; n++) {
        const lane zero = lane_set(0);
        closed_turns t = {zero, zero, zero, lane_set(-1)};
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
            const closed_turned *one = &turned[j][n & roots[j]];
            add_turned(p->ranges, p->arm->joint[j], one, &t);
            c->q[p->arm->joint[j]][n] = one->q;
        }
        c->lacking[n] = t.lacking;
        c->square[n] = t.square;
        c->beyond[n] = t.beyond;
        c->worst[n] = t.worst;
    }
}

/* writes the branches on their turns */
LANE_INLINE void store_columns(const closed_poses *p, closed_turns_of turned, closed_columns *c,
                               int count, kernel_solutions *const *sets)
{
    sum_columns(p, turned, c);
    for (size_t i = 0; i < sizeof c->of / sizeof *c->of; i++) {
        const lane *x = c->of[i];
        const lane_four fours[2] = {{x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7]}};
        double *to[LANE_WIDTH];
        for (int l = 0; l < LANE_WIDTH; l++)
            to[l] = sets[l < count ? l : 0]->q[0] + KERNEL_CLOSED_BRANCHES * i;
        lane_store_each(to, count, fours, 2);
    }
}

/* the branch of each lane that is the result so far */
typedef struct closed_best {
    lane q[KERNEL_CLOSED_JOINTS], square;
    lane beside; /* the least square of what is nearly a solution */
    lane_mask some, left_out;
} closed_best;

/* keeps a branch where it is a solution inside the limits and better */
LANE_INLINE void consider(const closed_poses *p, const kernel_closed_batch *batch,
                          const closed_columns *c, closed_turns_of turned, int number,
                          closed_best *best)
{
    const int *roots = roots_of_joints(p->arm);
    lane square = lane_set(0);
    lane_mask better = lane_ge(c->margin[number], lane_set(CLOSED_DOUBLE_ROOT));
    lane_mask nearly = lane_ge(c->margin[number], lane_set(CLOSED_NEARLY_ROOT));
    lane_mask open = mask_or(lane_gt(c->freedom[number], lane_set(0)),
                             lane_le(c->closest[number], lane_set(batch->nearly_open)));
    best->left_out = mask_or(best->left_out, open);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        const closed_turned *t = &turned[j][number & roots[j]];
        if (p->ranges->vanishes[p->arm->joint[j]]) {
            lane_mask vanished = lane_le(lane_abs(t->q), lane_set(CLOSED_VANISHED));
            better = mask_and(better, vanished);
            nearly = mask_and(nearly, vanished);
        } else {
            better = mask_and(better, lane_le(t->out, lane_set(CLOSED_LIMIT_TOLERANCE)));
            nearly = mask_and(nearly, lane_le(t->out, lane_set(CLOSED_BESIDE)));
            square += t->square;
        }
    }
    nearly = mask_and(nearly, mask_not(better));
    best->beside = lane_select(nearly, lane_min(best->beside, square), best->beside);
    lane_mask before = batch->nearest ? lane_le(best->square, square) : best->some;
    better = mask_and(better, mask_not(before));
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        best->q[j] = lane_select(better, turned[j][number & roots[j]].q, best->q[j]);
    best->square = lane_select(better, square, best->square);
    best->some = mask_or(best->some, better);
}

/* the wanted branch of up to LANE_WIDTH poses, one in each lane */
static unsigned closed_pick(const kernel_closed *arm, const kernel_ranges *ranges,
                            const kernel_closed_batch *batch, int count, double *squares)
{
    const int *order = kernel_closed_order(arm);
    closed_columns columns;
    closed_turns_of turned;
    closed_poses p;
    load_poses(arm, ranges, batch, count, &p);
    closed_best best = {.square = lane_set(INFINITY),
                        .beside = lane_set(INFINITY),
                        .some = mask_from_bits(0),
                        .left_out = mask_from_bits(0)};
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        best.q[j] = lane_set(0);
    if (batch->nearest || arm->pair == KERNEL_PAIR_LENGTHS) {
        fill_whole(&p, &columns, turned);
        for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++)
            consider(&p, batch, &columns, turned, order[k], &best);
    } else {
        // two at a time, until every pose has one
        for (int k = 0; k < KERNEL_CLOSED_BRANCHES && !mask_all(best.some); k += 2) {
            const int h = k / 4, i = k / 2 % 2;
            fill_columns(&p, (closed_block){h, h + 1, i, i + 1}, &columns, turned);
            consider(&p, batch, &columns, turned, order[k], &best);
            consider(&p, batch, &columns, turned, order[k + 1], &best);
        }
    }
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++) {
        int to = batch->columns[arm->joint[j]];
        if (to >= 0)
            lane_place(batch->q, (size_t)to, inside_limits(ranges, arm->joint[j], best.q[j]),
                       count);
    }
    for (int l = 0; l < LANE_WIDTH && l < count; l++)
        squares[l] = lane_get(&best.square, l);
    const bool leave_out = batch->nearest && batch->nearly_open >= 0;
    best.left_out = mask_or(best.left_out, lane_lt(best.beside, best.square));
    const unsigned all = (1u << count) - 1;
    const unsigned some = mask_bits(best.some) & all & ~(leave_out ? mask_bits(best.left_out) : 0u);
    if (some != all && batch->sets) {
        store_columns(&p, turned, &columns, count, batch->sets);
        *batch->made = true;
    }
    return some;
}

/* all branches of up to LANE_WIDTH poses */
static void closed_several(const kernel_closed *arm, const kernel_ranges *ranges,
                           const kernel_closed_batch *batch, int count,
                           kernel_solutions *const *sets)
{
    closed_columns columns;
    closed_turns_of turned;
    closed_poses p;
    load_poses(arm, ranges, batch, count, &p);
    fill_whole(&p, &columns, turned);
    store_columns(&p, turned, &columns, count, sets);
}
#endif

#endif
