/*
 * loop.c - the nearest member of a family with one degree of freedom.
 *
 * Samples all round, then the least local minima are narrowed (loop_narrow.c), then cells between
 * samples that may have what no sample shows: where joints pass or touch limits, where the path is
 * long, or goes much faster than beside it.
 */
#include "ik/closed/loop_parts.h"

#include <string.h>

enum { SAMPLES = 32, MINIMA = 7 };
/* a joint whose samples differ by less does not move */
#define SAME_VALUE 1e-9
/* intervals narrower than this, the root of rounding, are rounding */
#define ROUNDED 1e-7
/* intervals narrower than this move no joint farther than one sample shows */
#define SHORT 0.1
#define MEDIUM 0.6
/* joints that go farther than this between two samples, in radians, may come nearer between them */
#define LONG_CELL 1
/* from one cell to the next the path goes so much faster where it hardly is as sampled */
#define SHARP 2
/* the path along a family from sample to sample, in straight lines */
#define WINDING 1.5
/* of a cell, by which the place where a joint passes a limit is off where it is taken for straight
 */
#define BEND 0.1
/* a joint's parabola through three samples touches a limit within this where the joint may */
#define TOUCH_NEAR 1e-2
/* within a cell the squared distance is not less than its neighbours make likely, and this less */
#define CELL_ROOM 0.3

/* ---- samples ------------------------------------------------------------------ */

/* The samples of a loop; a cell is what lies between one and the next. */
typedef struct samples {
    int count;
    double from, spacing;
    double beyond[SAMPLES], square[SAMPLES];
    /* of joints that move: their values, and how far they go in cells but for whole turns */
    double q[KERNEL_CLOSED_JOINTS][SAMPLES], step[KERNEL_CLOSED_JOINTS][SAMPLES];
    unsigned moving;
    double length[SAMPLES]; /* of cells */
    double low[SAMPLES];    /* their squared distances are not less, on any turn of the joints */
} samples;

static bool has_joint(unsigned bits, int k)
{
    return (bits >> k & 1) != 0;
}

/* samples `first`, `first` + a count / LOOP_LANES, ... */
static void take_some(const family_problem *p, const family_loop *loop, int first,
                      kernel_members *at, family_member *best)
{
    // a circle has one sample at the start
    const double from = loop->is_circle ? loop->middle : 0;
    loop_look(p, loop, from + LOOP_TURN / loop->samples * first, LOOP_TURN / LOOP_LANES, at, best);
}

/* whether joint k differs among members, by more than whole turns */
static bool does_move(const family_problem *p, const kernel_members *at, int k)
{
    int first = 0;
    bool moves = false;
    while (first < LOOP_LANES - 1 && !(at->square[first] < INFINITY))
        first++;
    // rounding, next to the root of it where a loop is one configuration
    for (int l = first + 1; l < LOOP_LANES; l++)
        moves = moves || (at->square[l] < INFINITY &&
                          fabs(loop_difference(p, k, at->q[k][l] - at->q[k][first])) > SAME_VALUE);
    return moves;
}

void family_look_round(const family_problem *p, family_loop *loop)
{
    const kernel_members *at = &loop->first;
    loop->samples = loop->is_circle || loop->half > MEDIUM ? SAMPLES
                    : loop->half > SHORT                   ? 16
                                                           : LOOP_LANES;
    loop->best = (family_member){.square = INFINITY, .beyond = INFINITY};
    take_some(p, loop, 0, &loop->first, &loop->best);
    loop->least = 0;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double d = (at->q[k][0] - p->start[k]) * p->ranges.weight[k];
        bool same = !p->ranges.vanishes[k];
        for (int l = 1; l < LOOP_LANES; l++)
            same = same && fabs(at->q[k][l] - at->q[k][0]) < SAME_VALUE;
        loop->least += same ? d * d : 0;
        loop->moving |= (unsigned)(!same && does_move(p, at, k)) << k;
    }
}

/* how far joints go in cells, and how near the path comes there: it is somewhat longer than the
   straight line */
static void measure_cells(const family_problem *p, const family_loop *loop, samples *s)
{
    double near[SAMPLES + 1], length[SAMPLES] = {0}, fixed = 0;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double d = loop_difference(p, k, loop->first.q[k][0] - p->start[k]);
        fixed += has_joint(s->moving, k) ? 0 : d * d * p->ranges.weight[k] * p->ranges.weight[k];
    }
    for (int i = 0; i < s->count; i++)
        near[i] = fixed;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double weight = p->ranges.weight[k] * p->ranges.weight[k], start = p->start[k];
        const double per_turn = p->ranges.is_length[k] ? 0 : 1 / LOOP_TURN;
        double *step = s->step[k], *q = s->q[k];
        if (!has_joint(s->moving, k))
            continue;
        for (int i = 0; i < s->count - 1; i++)
            step[i] = q[i + 1] - q[i];
        step[s->count - 1] = q[0] - q[s->count - 1];
        for (int i = 0; i < s->count; i++) {
            const double d = q[i] - start, off = d - LOOP_TURN * scalar_round(d * per_turn);
            step[i] -= LOOP_TURN * scalar_round(step[i] * per_turn);
            near[i] += off * off * weight;
            length[i] += step[i] * step[i] * weight;
        }
    }
    for (int i = 0; i < s->count; i++) {
        near[i] = sqrt(near[i]);
        s->length[i] = sqrt(length[i]);
    }
    near[s->count] = near[0];
    for (int i = 0; i < s->count; i++) {
        const double low = 0.5 * (near[i] + near[i + 1] - WINDING * s->length[i]);
        s->low[i] = low > 0 ? low * low : 0;
    }
}

static void take_samples(const family_problem *p, const family_loop *loop, samples *s,
                         family_member *best)
{
    const int stride = loop->samples / LOOP_LANES;
    s->count = loop->samples;
    s->spacing = LOOP_TURN / s->count;
    s->from = loop->is_circle ? loop->middle : 0;
    s->moving = loop->moving;
    for (int first = 0; first < stride; first++) {
        kernel_members more;
        if (first > 0)
            take_some(p, loop, first, &more, best);
        const kernel_members *at = first > 0 ? &more : &loop->first;
        for (int l = 0; l < LOOP_LANES; l++) {
            s->square[first + stride * l] = at->square[l];
            s->beyond[first + stride * l] = at->beyond[l];
        }
        for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
            for (int l = 0; l < LOOP_LANES && has_joint(s->moving, k); l++)
                s->q[k][first + stride * l] = at->q[k][l];
    }
    measure_cells(p, loop, s);
}

/* whether a cell may have a member that is nearer than a square */
static bool may_be_nearer(const samples *s, int i, double square)
{
    return s->low[i] < square && s->square[i] < INFINITY &&
           s->square[(i + 1) % s->count] < INFINITY;
}

/* whether nothing but a smooth curve leads through a cell */
static bool is_plain(const samples *s, int i)
{
    const int next = (i + 1) % s->count;
    bool plain = s->beyond[i] == 0 && s->beyond[next] == 0;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
        plain = plain && (!has_joint(s->moving, k) || fabs(s->q[k][next] - s->q[k][i]) <= LB_PI);
    return plain;
}

/* what neighbours of a local minimum foretell of what is beside it */
static void foretell(const samples *s, int i, loop_place *place)
{
    const int before = (i - 1 + s->count) % s->count, after = (i + 1) % s->count;
    double f[5], off, least;
    for (int n = -2; n <= 2; n++)
        f[2 + n] = s->square[(i + n + s->count) % s->count];
    const double slope = f[1] - f[3], bend = f[1] - 2 * f[2] + f[3];
    place->vertex = NAN;
    place->low = f[1] < INFINITY && f[3] < INFINITY ? scalar_min(s->low[before], s->low[i]) : 0;
    // twice as far down as the parabola
    if (s->beyond[i] == 0 && s->beyond[before] == 0 && s->beyond[after] == 0 && bend > 0)
        place->low = scalar_max(place->low, f[2] - slope * slope / (4 * bend) * 2 - CELL_ROOM);
    if (is_plain(s, before) && is_plain(s, i) && is_plain(s, (i - 2 + s->count) % s->count) &&
        is_plain(s, after) && loop_vertex(f, 2, &off, &least))
        place->vertex = off;
}

/* the local minima among the samples, the least first */
static int find_minima(const samples *s, loop_place *minima)
{
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        const int l = (i + s->count - 1) % s->count, r = (i + 1) % s->count;
        const double beyond = s->beyond[i], square = s->square[i];
        if (!(square < INFINITY) || loop_is_better(s->beyond[l], s->square[l], beyond, square) ||
            !loop_is_better(beyond, square, s->beyond[r], s->square[r]))
            continue;
        if (count == MINIMA &&
            !loop_is_better(beyond, square, minima[count - 1].beyond, minima[count - 1].square))
            continue;
        int at = count < MINIMA ? count++ : MINIMA - 1;
        for (;
             at > 0 && loop_is_better(beyond, square, minima[at - 1].beyond, minima[at - 1].square);
             at--)
            minima[at] = minima[at - 1];
        minima[at] = (loop_place){s->from + s->spacing * i, beyond, square, NAN, 0, false};
        foretell(s, i, &minima[at]);
    }
    return count;
}

/* ---- cells ------------------------------------------------------------------------ */

enum { PASSAGES = 4 * KERNEL_CLOSED_JOINTS };

static int find_passages(const family_problem *p, const samples *s, int i, loop_passage *all)
{
    int count = 0;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        if (!has_joint(s->moving, k))
            continue;
        const double step = s->step[k][i], limits[2] = {p->ranges.lower[k], p->ranges.upper[k]};
        const double from[2] = {s->q[k][i], s->q[k][(i + 1) % s->count] - step};
        for (int n = 0; n < 4; n++) {
            const double away = limits[n % 2] - from[n / 2];
            if (away * step > 0 && fabs(away) < fabs(step))
                all[count++] = (loop_passage){k, limits[n % 2], away / step};
        }
    }
    return count;
}

/* The part of a cell, from 0 to 1, inside which a minimum may be that no sample shows. */
typedef struct part {
    double low, high;
} part;

/* between the places where joints pass their limits */
static part between_limits(const loop_passage *passages, int count)
{
    part inside = {INFINITY, -INFINITY};
    for (int i = 0; i < count; i++) {
        inside.low = scalar_min(inside.low, passages[i].at);
        inside.high = scalar_max(inside.high, passages[i].at);
    }
    // places are known to the bend of the path from sample to sample
    return (part){scalar_max(inside.low - BEND, 0), scalar_min(inside.high + BEND, 1)};
}

/* where joint k touches a limit at a sample, at which it turns back, or beside it */
static void look_at_touch(const family_problem *p, const family_loop *loop, const samples *s, int i,
                          int k, double limit, family_member *best)
{
    const double off = loop_difference(p, k, s->q[k][i] - limit);
    const double low = off - s->step[k][(i + s->count - 1) % s->count], high = off + s->step[k][i];
    if (!(low * off > 0 && high * off > 0 && fabs(off) <= fabs(low) && fabs(off) < fabs(high)))
        return;
    const double at = loop_parabola(low, off, high);
    if (fabs(off - 0.25 * (low - high) * at) < TOUCH_NEAR)
        loop_look_at_limit(p, loop, (loop_passage){k, limit, at}, s->from + s->spacing * (i + at),
                           s->spacing * BEND, best);
}

/* the same of all limits of joints that move; limits that are whole turns apart are one */
static void look_at_touches(const family_problem *p, const family_loop *loop, const samples *s,
                            family_member *best)
{
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double lower = p->ranges.lower[k], upper = p->ranges.upper[k];
        const bool same = fabs(loop_difference(p, k, upper - lower)) < FAMILY_IN_A_CORNER;
        for (int i = 0; i < s->count && has_joint(s->moving, k); i++) {
            const int before = (i + s->count - 1) % s->count;
            const double enough = loop_enough(p, best);
            if (s->step[k][before] * s->step[k][i] > 0 ||
                !(may_be_nearer(s, before, enough) || may_be_nearer(s, i, enough)))
                continue;
            if (lower > -INFINITY)
                look_at_touch(p, loop, s, i, k, lower, best);
            if (upper < INFINITY && !same)
                look_at_touch(p, loop, s, i, k, upper, best);
        }
    }
}

/* whether two joints may pass limits at one place */
static bool may_meet(const loop_passage *a, const loop_passage *b)
{
    return a->joint != b->joint && fabs(a->at - b->at) <= 2 * BEND;
}

/* members in corners of the limits that are alone */
static void look_at_corners(const family_problem *p, const family_loop *loop, const samples *s,
                            int i, const loop_passage *passages, int count, family_member *best)
{
    for (int a = 0; a < count; a++) {
        bool meets = false;
        for (int b = 0; b < a; b++)
            meets = meets || may_meet(&passages[a], &passages[b]);
        if (meets)
            loop_look_at_limit(p, loop, passages[a], s->from + s->spacing * (i + passages[a].at),
                               s->spacing * BEND, best);
    }
}

/* whether the path goes much faster or slower in the cells beside one */
static bool is_sharp(const samples *s, int i)
{
    const double before = s->length[(i + s->count - 1) % s->count];
    const double after = s->length[(i + 1) % s->count], here = s->length[i];
    const double most = scalar_max(scalar_max(before, after), here);
    return most > SHARP * scalar_min(scalar_min(before, after), here);
}

/* the part of a cell to look into; empty: its samples are enough */
static part hidden_part(const samples *s, int i, const loop_passage *passages, int count,
                        double enough)
{
    const part none = {1, 0}, limits = between_limits(passages, count);
    if (limits.high > limits.low + 2.1 * BEND)
        return limits;
    // the path may lead inside the limits and out
    const double here = s->beyond[i], next = s->beyond[(i + 1) % s->count];
    const bool may_hide = s->length[i] > LONG_CELL ||
                          (is_sharp(s, i) && s->length[i] * s->length[i] > enough) ||
                          (here > 0 && next > 0 && here + next < WINDING * s->length[i]);
    return may_hide ? (part){0, 1} : none;
}

/* looks for minima inside a part of a cell */
static void look_inside(const family_problem *p, const family_loop *loop, const samples *s, int i,
                        part inside, family_member *best)
{
    kernel_members at;
    const double spacing = s->spacing * (inside.high - inside.low) / LOOP_LANES;
    const double phi = s->from + s->spacing * (i + inside.low) + 0.5 * spacing;
    loop_look(p, loop, phi, spacing, &at, best);
    for (int l = 0; l < LOOP_LANES; l++) {
        const int before = l > 0 ? l - 1 : 0, after = l < LOOP_LANES - 1 ? l + 1 : l;
        const double beyond = at.beyond[l], square = at.square[l];
        if (square < INFINITY &&
            !loop_is_better(at.beyond[before], at.square[before], beyond, square) &&
            (l == after || loop_is_better(beyond, square, at.beyond[after], at.square[after])))
            loop_narrow(p, loop, spacing,
                        (loop_place){phi + spacing * l, beyond, square, NAN, 0, true}, best);
    }
}

/* looks for what the samples at both ends of a cell do not show */
static void search_cell(const family_problem *p, const family_loop *loop, const samples *s, int i,
                        family_member *best)
{
    loop_passage passages[PASSAGES];
    const int count = find_passages(p, s, i, passages);
    const part inside = hidden_part(s, i, passages, count, loop_enough(p, best));
    if (inside.low < inside.high)
        look_inside(p, loop, s, i, inside, best);
    look_at_corners(p, loop, s, i, passages, count, best);
}

bool family_search(const family_problem *p, const family_loop *loop, family_member *member)
{
    samples s;
    loop_place minima[MINIMA];
    *member = loop->best;
    member->moving = loop->moving;
    if (!loop->is_circle && loop->half < ROUNDED)
        return member->square < INFINITY;
    take_samples(p, loop, &s, member);
    const int count = find_minima(&s, minima);
    for (int i = 0; i < count; i++)
        if (minima[i].low <= loop_enough(p, member))
            loop_narrow(p, loop, s.spacing, minima[i], member);
    for (int i = 0; i < s.count; i++)
        if (may_be_nearer(&s, i, loop_enough(p, member)))
            search_cell(p, loop, &s, i, member);
    look_at_touches(p, loop, &s, member);
    return member->square < INFINITY;
}
