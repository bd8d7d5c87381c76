/*
 * cells.inl - how near to a start, and to the limits, joints can be between samples of their way:
 * one sample, and the cell between it and the next, per lane.
 *
 * A cell is the straight line between two samples, and what joints leave it by: at most the second
 * derivative times an eighth of its width squared. The derivative is that seen at its ends.
 */
#ifndef KERNEL_CELLS_INL
#define KERNEL_CELLS_INL

#include "kernel/closed_turns.inl"
#include "kernel/ops.h"
#include "kernel/small.inl"

#if !KERNEL_SHARES
/* ends of a joint's way that are farther apart, in radians, do not show which way round it went */
#define LEAP 1.0

LANE_INLINE lane wrap_angle(lane x)
{
    return x - lane_round(x * (1 / TURN)) * TURN;
}

/* whether a way to both sides of `at` comes within `room` of the limits */
LANE_INLINE lane_mask comes_inside(const kernel_way *way, int k, lane at, lane half, lane room)
{
    return mask_and(lane_le(at - half, room + way->upper[k]),
                    lane_ge(at + half, way->lower[k] - room));
}

/* an angle's way to both sides of *middle, on the turn inside the limits that is nearest to the
   start; those that are outside on all are cleared from the result */
LANE_INLINE lane_mask bring_near(const kernel_way *way, int k, lane half, lane *middle)
{
    const lane lower = lane_set(way->lower[k]), upper = lane_set(way->upper[k]);
    lane at = way->start[k] + wrap_angle(*middle - way->start[k]);
    at = lane_select(lane_gt(at - half, upper), at - TURN,
                     lane_select(lane_lt(at + half, lower), at + TURN, at));
    *middle = at;
    return comes_inside(way, k, at, half, lane_set(0));
}

/* the square of the distance of samples inside the limits, else infinite */
LANE_INLINE lane sample_squares(const kernel_way *way, int i)
{
    lane square = lane_set(0);
    lane_mask inside = lane_ge(lane_load(way->margin + i), lane_set(way->least_margin));
    for (int k = 0; k < KERNEL_WAY_JOINTS; k++) {
        lane q = lane_load(way->q[k] + i);
        inside = mask_and(inside, bring_near(way, k, lane_set(way->tolerance), &q));
        const lane d = (q - way->start[k]) * way->weight[k];
        square = square + d * d;
    }
    return lane_select(inside, square, lane_set(INFINITY));
}

/* second derivatives of joint k at samples from i on, 0 at the ends of a row */
LANE_INLINE lane second_derivatives(const kernel_way *way, int k, int i, lane before, lane after,
                                    lane scale)
{
    const double *q = way->q[k] + i;
    const lane here = lane_load(q);
    const lane a = wrap_angle(here - lane_load(q - 1)), b = wrap_angle(lane_load(q + 1) - here);
    return lane_abs(b * after - a * before) * scale;
}

/* Parts of lines, from 0 to 1: inside the limits, and beside them. */
typedef struct line_part {
    lane low[2], high[2];
} line_part;

/* narrows the parts of lines x + t d that are not below a limit */
LANE_INLINE void clip_lines(const kernel_way *way, lane_mask which, lane x, lane d, double limit,
                            line_part *part)
{
    if (mask_none(which))
        return;
    const lane_mask rises = lane_gt(d, lane_set(0)), falls = lane_lt(d, lane_set(0));
    const lane step = lane_select(mask_or(rises, falls), d, lane_set(1));
    const lane at[2] = {(limit - x) / step, (limit - way->beside - x) / step};
    for (int i = 0; i < 2; i++) {
        part->low[i] =
            lane_select(mask_and(which, rises), lane_max(part->low[i], at[i]), part->low[i]);
        part->high[i] =
            lane_select(mask_and(which, falls), lane_min(part->high[i], at[i]), part->high[i]);
    }
}

/* whether the branch may exist somewhere in a cell */
LANE_INLINE lane_mask may_exist(const kernel_way *way, int i, lane share, const lane steps[5])
{
    const double *m = way->margin + i;
    const lane here = lane_load(m), next = lane_load(m + 1);
    const lane a = (next - here) * steps[1];
    const lane bend = lane_abs(a - (here - lane_load(m - 1)) * steps[0]) * steps[3];
    const lane then = lane_abs((lane_load(m + 2) - next) * steps[2] - a) * steps[4];
    return lane_ge(lane_max(here, next) + lane_max(bend, then) * share,
                   lane_set(way->least_margin));
}

/* What is summed over the joints of cells. */
typedef struct cell_sums {
    line_part part;
    lane from[KERNEL_WAY_JOINTS]; /* a line's begin and step, weighted, from the start */
    lane step[KERNEL_WAY_JOINTS];
    lane product, square;
    lane bend, apart; /* squares */
    lane_mask some, beside;
} cell_sums;

LANE_INLINE void add_joint_to_cells(const kernel_way *way, int k, lane d, lane q, lane room,
                                    cell_sums *s)
{
    const lane zero = lane_set(0);
    const lane half = lane_abs(d) * 0.5 + room + way->tolerance;
    const lane_mask known = lane_le(lane_abs(d) + room, lane_set(LEAP));
    lane middle = q + d * 0.5;
    const lane_mask inside = bring_near(way, k, half, &middle);
    const lane_mask beside = comes_inside(way, k, middle, half, lane_set(way->beside));
    s->some = mask_and(s->some, mask_or(inside, mask_not(known)));
    s->beside = mask_and(s->beside, mask_or(beside, mask_not(known)));

    // another turn may be as near, at the other end
    const lane off = middle - way->start[k], near = lane_abs(off);
    const lane other = middle + lane_select(lane_lt(off, zero), lane_set(TURN), lane_set(-TURN));
    lane_mask twice = mask_and(lane_le(other - half, lane_set(way->upper[k])),
                               lane_ge(other + half, lane_set(way->lower[k])));
    twice = mask_and(twice, lane_gt(near + half, lane_set(LB_PI)));
    const lane least = (near - half) * way->weight[k];
    s->apart = s->apart + lane_keep(mask_and(known, twice), least * least);

    const lane_mask plain = mask_andnot(known, twice);
    const lane x = middle - d * 0.5, wide = room + way->tolerance;
    clip_lines(way, mask_and(plain, lane_lt(middle - half, lane_set(way->lower[k]))), x + wide, d,
               way->lower[k], &s->part);
    clip_lines(way, mask_and(plain, lane_gt(middle + half, lane_set(way->upper[k]))), wide - x, -d,
               -way->upper[k], &s->part);
    s->from[k] = lane_keep(plain, (x - way->start[k]) * way->weight[k]);
    s->step[k] = lane_keep(plain, d * way->weight[k]);
    s->product = s->product + s->from[k] * s->step[k];
    s->square = s->square + s->step[k] * s->step[k];
    const lane bend = lane_keep(plain, room * way->weight[k]);
    s->bend = s->bend + bend * bend;
}

LANE_INLINE void bound_lanes(const kernel_way *way, int i, kernel_cells *out)
{
    const lane zero = lane_set(0), one = lane_set(1);
    const lane u = lane_load(way->u + i), next = lane_load(way->u + i + 1);
    const lane width = next - u, last = lane_load(way->u + i - 1);
    const lane beyond = lane_load(way->u + i + 2) - next;
    const lane inner = lane_load(way->inner + i), inner_next = lane_load(way->inner + i + 1);
    const lane share = width * width * (way->bend_room / 8);
    // before, within and after the cell, and the scales of second derivatives at its ends
    const lane_mask first = lane_gt(inner, zero), second = lane_gt(inner_next, zero);
    const lane steps[5] = {1.0 / lane_select(first, u - last, one), 1.0 / width,
                           1.0 / lane_select(second, beyond, one),
                           inner * 2.0 / lane_select(first, next - last, one),
                           inner_next * 2.0 / lane_select(second, width + beyond, one)};
    cell_sums s = {.part = {{zero, zero}, {one, one}},
                   .product = zero,
                   .square = zero,
                   .bend = zero,
                   .apart = zero,
                   .some = mask_and(lane_gt(width, zero), may_exist(way, i, share, steps))};
    s.beside = s.some;
    for (int k = 0; k < KERNEL_WAY_JOINTS; k++) {
        const lane q = lane_load(way->q[k] + i);
        const lane d = wrap_angle(lane_load(way->q[k] + i + 1) - q);
        const lane bend = lane_max(second_derivatives(way, k, i, steps[0], steps[1], steps[3]),
                                   second_derivatives(way, k, i + 1, steps[1], steps[2], steps[4]));
        add_joint_to_cells(way, k, d, q, bend * share, &s);
    }
    const lane_mask moves = lane_gt(s.square, zero);
    lane nearest = lane_select(moves, -s.product / lane_select(moves, s.square, one), one * 0.5);
    // of a cell that is only beside the limits the part that is there
    const lane_mask inside = lane_le(s.part.low[0], s.part.high[0]);
    nearest = lane_min(nearest, lane_select(inside, s.part.high[0], s.part.high[1]));
    nearest = lane_max(nearest, lane_select(inside, s.part.low[0], s.part.low[1]));
    for (int k = 0; k < KERNEL_WAY_JOINTS; k++) {
        const lane d = s.from[k] + nearest * s.step[k];
        s.apart = s.apart + d * d;
    }
    const lane bound = lane_max(lane_sqrt(s.apart) - lane_sqrt(s.bend), zero);
    s.some = mask_and(s.some, inside);
    s.beside = mask_and(s.beside, lane_le(s.part.low[1], s.part.high[1]));
    lane_store(out->bound + i, lane_select(s.some, bound, lane_set(INFINITY)));
    lane_store(out->beside + i,
               lane_select(mask_andnot(s.beside, s.some), bound, lane_set(INFINITY)));
    lane_store(out->nearest + i, nearest);
}

static void bound_cells(const kernel_way *way, kernel_cells *out)
{
    for (int i = 1; i <= way->count; i += LANE_WIDTH) {
        lane_store(out->square + i, sample_squares(way, i));
        bound_lanes(way, i, out);
    }
}
#undef LEAP
#endif

#endif
