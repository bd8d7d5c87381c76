/*
 * motion_arcs.c - the arcs inside the limits of the motion that a pose leaves an arm of slice.h.
 *
 * Where a joint crosses one of its limits is bracketed in the cells between samples, then found to
 * rounding. Between two crossings one sample decides.
 */
#include "ik/closed/motion.h"

#include "math/scalar.h"

#include <string.h>

#define TURN (2 * LB_PI)
/* as in the kernel: a way of more than that between two samples may be the other way round */
#define LEAP 1.0
/* cells that are narrower, in u, are not divided, but arcs are */
#define NARROWEST 1e-7
/* arcs shorter than this, in radians, are the rounding of a limit that is just touched */
#define NO_ARC 1e-12
/* a joint that is no farther from its limit than this, all along a piece, stays at it */
#define AT_LIMIT 1e-13
enum { LANES = KERNEL_SLICES, CROSSINGS = 256, ROOT_STEPS = 60 };

/* Where a joint crosses a value. */
typedef struct crossing {
    int span, joint;
    double value;        /* the limit */
    double u[2], off[2]; /* on both sides, and by how much the joint is off there */
    int moved;           /* the side that moved last, -1: none */
    double root;
} crossing;

typedef struct crossings {
    crossing at[CROSSINGS];
    int count;
} crossings;

static double wrapped(double x)
{
    return x - TURN * scalar_round(x * (1 / TURN));
}

static bool has_limits(const closed_joint *joint)
{
    return joint->upper - joint->lower < TURN;
}

/* Part of a cell: its ends, and by how much joints leave the line between them. */
typedef struct piece {
    int span;
    double u[2];
    const double *q[2], *bend;
} piece;

/* what a piece shows of a joint at a limit */
typedef enum piece_kind { PIECE_FREE, PIECE_CROSSES, PIECE_STAYS, PIECE_OPEN } piece_kind;

static piece_kind look_at(double off, double way, double bend)
{
    const double other = off + way, least = scalar_min(fabs(off), fabs(other));
    const bool stays = scalar_max(fabs(off), fabs(other)) + bend <= AT_LIMIT;
    if ((off > 0) == (other > 0))
        return least > bend ? PIECE_FREE : stays ? PIECE_STAYS : PIECE_OPEN;
    return fabs(way) > 4 * bend ? PIECE_CROSSES : stays ? PIECE_STAYS : PIECE_OPEN;
}

/* a joint is outside its limits all along */
static bool is_outside(const closed_joint *joint, double middle, double half)
{
    const double at = middle - TURN * floor((middle - joint->lower) * (1 / TURN));
    return at - half > joint->upper && at + half < joint->lower + TURN;
}

static void add_crossing(crossings *all, const crossing *c)
{
    if (all->count < CROSSINGS)
        all->at[all->count++] = *c;
}

/* the beginning of a piece in which a limit is touched */
static void add_touch(crossings *all, const piece *p)
{
    add_crossing(all, &(crossing){.span = p->span, .u = {p->u[0], p->u[0]}, .root = p->u[0]});
}

/* adds the crossings of a piece; returns false where it has to be divided */
static bool add_crossings(const motion *m, const piece *p, crossings *all)
{
    const int before = all->count;
    for (int k = 0; k < MOTION_JOINTS; k++) {
        const closed_joint *joint = &m->arm->chain->joints[k];
        const double way = wrapped(p->q[1][k] - p->q[0][k]), bend = p->bend[k];
        if (has_limits(joint) && fabs(way) + bend <= LEAP &&
            is_outside(joint, p->q[0][k] + 0.5 * way, 0.5 * fabs(way) + bend))
            return true;
    }
    for (int k = 0; k < MOTION_JOINTS; k++) {
        const closed_joint *joint = &m->arm->chain->joints[k];
        const double way = wrapped(p->q[1][k] - p->q[0][k]), bend = p->bend[k];
        for (int i = 0; i < 2 && has_limits(joint); i++) {
            const double value = i == 0 ? joint->lower : joint->upper;
            const double off = wrapped(p->q[0][k] - value);
            const piece_kind kind = fabs(way) + bend > LEAP ? PIECE_OPEN : look_at(off, way, bend);
            if (kind == PIECE_OPEN) {
                all->count = before;
                return false;
            }
            if (kind == PIECE_STAYS)
                add_touch(all, p);
            if (kind == PIECE_CROSSES)
                add_crossing(all, &(crossing){.span = p->span,
                                              .joint = k,
                                              .value = value,
                                              .u = {p->u[0], p->u[1]},
                                              .off = {off, off + way},
                                              .moved = -1,
                                              .root = INFINITY});
        }
    }
    return true;
}

/* both halves of a cell: their crossings or, where they have to be divided, new cells */
static void halve(motion *m, const motion_cell *cell, const motion_rows *rows, int i,
                  crossings *all)
{
    double q[MOTION_JOINTS], bend[MOTION_JOINTS];
    const double middle = 0.5 * (cell->u[0] + cell->u[1]);
    for (int k = 0; k < MOTION_JOINTS; k++) {
        q[k] = rows->q[k][i];
        // a corner, of joints that turn back, leaves the line by half of what the ends show
        bend[k] = 0.5 * fabs(wrapped(q[k] - cell->q[0][k]) - wrapped(cell->q[1][k] - q[k]));
    }
    for (int half = 0; half < 2; half++) {
        const piece p = {.span = cell->span,
                         .u = {half ? middle : cell->u[0], half ? cell->u[1] : middle},
                         .q = {half ? q : cell->q[0], half ? cell->q[1] : q},
                         .bend = bend};
        if (add_crossings(m, &p, all))
            continue;
        if (p.u[1] - p.u[0] < NARROWEST) {
            // a limit that is touched, or joints that leap beside a singular configuration
            add_touch(all, &p);
            continue;
        }
        if (m->cell_count == MOTION_CELLS) {
            m->cut = true;
            return;
        }
        motion_cell *to = &m->cells[m->cell_count++];
        to->span = cell->span;
        for (int end = 0; end < 2; end++) {
            to->u[end] = p.u[end];
            memcpy(to->q[end], p.q[end], sizeof q);
        }
    }
}

/* all crossings of all cells */
static void find_crossings(motion *m, crossings *all)
{
    all->count = 0;
    while (m->cell_count > 0) {
        motion_cell taken[LANES];
        motion_samples samples = {.count = 0};
        motion_rows rows;
        for (; samples.count < LANES && m->cell_count > 0;) {
            const motion_cell *cell = &m->cells[--m->cell_count];
            taken[samples.count] = *cell;
            motion_add(&samples, m->spans[cell->span].branch,
                       motion_value(&m->spans[cell->span], 0.5 * (cell->u[0] + cell->u[1])));
        }
        motion_find(m, &samples, &rows);
        for (int i = 0; i < samples.count; i++)
            halve(m, &taken[i], &rows, i, all);
    }
}

/* where a bracket's ends would meet in a straight line */
static double meeting(const crossing *c)
{
    const double fall = c->off[0] - c->off[1];
    const double u = c->u[0] + (c->u[1] - c->u[0]) * (fall != 0 ? c->off[0] / fall : 0);
    return scalar_clamp(u, c->u[0], c->u[1]);
}

/* takes a sample for the end of a bracket on its side; the other end counts half where it stays for
   the second time */
static void shorten(crossing *c, double off)
{
    const int side = (off > 0) == (c->off[1] > 0);
    c->u[side] = c->root;
    c->off[side] = off;
    if (c->moved == side)
        c->off[1 - side] *= 0.5;
    c->moved = side;
}

/* narrows brackets to rounding (Illinois method, Dowell and Jarratt 1971) */
static void narrow(const motion *m, crossing *at, int count)
{
    for (int step = 0; step < ROOT_STEPS; step++) {
        crossing *open[LANES];
        motion_samples samples = {.count = 0};
        motion_rows rows;
        for (int i = 0; i < count; i++) {
            const double root = meeting(&at[i]);
            if (root == at[i].root)
                continue;
            at[i].root = root;
            open[samples.count] = &at[i];
            motion_add(&samples, m->spans[at[i].span].branch,
                       motion_value(&m->spans[at[i].span], root));
        }
        if (samples.count == 0)
            return;
        motion_find(m, &samples, &rows);
        for (int i = 0; i < samples.count; i++)
            shorten(open[i], wrapped(rows.q[open[i]->joint][i] - open[i]->value));
    }
}

/* ---- arcs ----------------------------------------------------------------------- */

/* whether the limits are kept in a column */
static bool is_kept(const motion *m, const motion_rows *rows, int i)
{
    bool kept = rows->margin[i] >= -CLOSED_EXACT;
    for (int k = 0; k < MOTION_JOINTS && kept; k++) {
        const closed_joint *joint = &m->arm->chain->joints[k];
        const double above = joint->upper + CLOSED_LIMIT_TOLERANCE - rows->q[k][i];
        kept = above == INFINITY || above - TURN * floor(above * (1 / TURN)) <=
                                        joint->upper - joint->lower + 2 * CLOSED_LIMIT_TOLERANCE;
    }
    return kept;
}

/* Ends of a span's intervals between crossings. */
typedef struct intervals {
    double at[KERNEL_SLICES + 1];
    int count;
} intervals;

/* in order; of too many, those that are looked at first */
static void sort_crossings(const motion *m, const crossings *all, int span, intervals *ends)
{
    ends->at[0] = m->spans[span].begin;
    ends->count = 1;
    for (int i = 0; i < all->count && ends->count < KERNEL_SLICES; i++) {
        if (all->at[i].span != span)
            continue;
        const double x = motion_value(&m->spans[span], all->at[i].root);
        int k = ends->count++;
        for (; k > 1 && ends->at[k - 1] > x; k--)
            ends->at[k] = ends->at[k - 1];
        ends->at[k] = x;
    }
    ends->at[ends->count++] = m->spans[span].end;
}

/* Arcs as they are found. */
typedef struct found_arcs {
    lb_elbow_arc *arcs;
    int count, room;
} found_arcs;

/* adds an interval; it lengthens the last arc where it goes on there */
static void add_arc(found_arcs *f, int branch, double begin, double end)
{
    const int last = f->count - 1;
    if (last >= 0 && last < f->room && f->arcs[last].branch == branch &&
        f->arcs[last].end >= begin - 2 * NO_ARC) {
        f->arcs[last].end = end;
        return;
    }
    if (f->count < f->room)
        f->arcs[f->count] = (lb_elbow_arc){branch, begin, end};
    f->count++;
}

/* the arcs of a span: between crossings one sample decides */
static void take_arcs(const motion *m, const crossings *all, int span, found_arcs *f)
{
    const int branch = m->spans[span].branch;
    motion_samples samples = {.count = 0};
    motion_rows rows;
    intervals ends;
    sort_crossings(m, all, span, &ends);
    for (int i = 0; i + 1 < ends.count; i++)
        motion_add(&samples, branch, 0.5 * (ends.at[i] + ends.at[i + 1]));
    motion_find(m, &samples, &rows);
    for (int i = 0; i + 1 < ends.count; i++)
        if (ends.at[i + 1] - ends.at[i] > NO_ARC && is_kept(m, &rows, i))
            add_arc(f, branch, ends.at[i], ends.at[i + 1]);
}

int motion_find_arcs(motion *m, const slice_arm *arm, const kernel_ops *ops,
                     const lb_transform *target, lb_elbow_arc *arcs, int room)
{
    crossings all;
    double middles[MOTION_JOINTS];
    found_arcs found = {.arcs = arcs, .room = room};
    for (int k = 0; k < MOTION_JOINTS; k++) {
        const closed_joint *joint = &arm->chain->joints[k];
        middles[k] = has_limits(joint) ? 0.5 * (joint->lower + joint->upper) : 0;
    }
    m->wants_all = true;
    motion_begin(m, arm, ops, target, middles, INFINITY);
    find_crossings(m, &all);
    for (int i = 0; i < all.count; i += LANES)
        narrow(m, all.at + i, all.count - i < LANES ? all.count - i : LANES);
    for (int branch = 0; branch < KERNEL_CLOSED_BRANCHES; branch++)
        for (int i = 0; i < m->span_count; i++)
            if (m->spans[i].branch == branch)
                take_arcs(m, &all, i, &found);
    return found.count;
}
