/*
 * loop.c - the nearest member of a family with one degree of freedom.
 *
 * Samples all round, then the least local minima, narrowed to two ninths by eight points at a time;
 * where the last ones lie on a parabola, its vertex ends it, unless what is found there is not what
 * it foretold: then whole turns or limits make a kink, and the narrowing goes on.
 */
#include "ik/closed/loop.h"

#include "math/scalar.h"

#include <string.h>

#define TURN (2 * LB_PI)

enum {
    LANES = KERNEL_CLOSED_BRANCHES,
    SAMPLES = 32,
    MINIMA = 7,
    ROUNDS = 16,      /* of a spacing of 0.2 leave 3e-9 */
    PARABOLA_FROM = 2 /* rounds after which a smooth minimum is one: 2e-3 apart */
};
/* a spacing narrows by this in a round: eight points and both ends */
#define NARROWED (2.0 / 9)
/* a joint whose samples differ by less does not move */
#define SAME_VALUE 1e-9
/* intervals narrower than this move no joint farther than one sample shows */
#define SHORT 0.1
#define MEDIUM 0.6
/* joints that go farther than this between two samples, in radians, may come nearer between them */
#define LONG_CELL 1
/* the path along a family from sample to sample, in straight lines */
#define WINDING 1.5
/* of a cell, by which the place where a joint passes a limit is off where it is taken for straight
 */
#define BEND 0.1
/* of a joint that passes a limit, to the root of rounding in this many rounds; the spacing narrows
   by this, the next is off by its square; and another joint is at its limit within this, radians or
   metres, where there may be a corner */
#define CORNER_ROUNDS 4
#define CORNER_STEP 1e-2
#define CORNER_NEAR 1e-3
/* a joint's parabola through three samples touches a limit within this where the joint may */
#define TOUCH_NEAR 1e-2
/* squared distances within this share of themselves, or this, are what a parabola foretold: a
   start on the family is found to 1e-7 */
#define FORETOLD 1e-8
#define FORETOLD_LEAST 1e-14
/* round the vertex, as a share of the spacing that it was found from */
#define BESIDE_VERTEX 1e-2
/* within a cell the squared distance is not less than its neighbours make likely, and this less */
#define CELL_ROOM 0.3

/* Where a member is on a loop, and how good it is. */
typedef struct place {
    double phi, beyond, square, low;
    bool alone; /* not known to be better than what is beside it */
} place;

/* ---- members ---------------------------------------------------------------- */

static bool is_better(double beyond, double square, double than_beyond, double than_square)
{
    return beyond < than_beyond || (beyond == than_beyond && square < than_square);
}

void family_look(const family_problem *p, const kernel_held *held, kernel_members *at)
{
    p->ops->closed_along(&p->finder->form, &p->ranges, p->target, p->start, held, at);
    for (int l = 0; l < LANES; l++)
        if (at->beyond[l] <= FAMILY_IN_A_CORNER)
            at->beyond[l] = 0;
}

/* whether the members in a lane are solutions, to the tolerances */
static bool is_member(const family_problem *p, const kernel_members *at, int l)
{
    double margin = scalar_min(at->margin[0][l], scalar_min(at->margin[1][l], at->margin[2][l]));
    return margin >= CLOSED_DOUBLE_ROOT && at->miss[0][l] <= p->position &&
           at->miss[1][l] <= p->rotation && at->lacking[l] <= CLOSED_VANISHED;
}

int family_best_lane(const family_problem *p, const kernel_members *at)
{
    int best = -1;
    for (int l = 0; l < LANES; l++)
        if (is_member(p, at, l) && (best < 0 || is_better(at->beyond[l], at->square[l],
                                                          at->beyond[best], at->square[best])))
            best = l;
    return best;
}

void family_take(const family_problem *p, const kernel_members *at, int lane, const double *sign,
                 family_member *member)
{
    const bool inside = at->beyond[lane] == 0;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        member->q[i] = inside ? kernel_inside(&p->ranges, i, at->q[i][lane]) : at->q[i][lane];
    member->square = at->square[lane];
    member->beyond = at->beyond[lane];
    member->branch = 0;
    for (int r = 0; r < LOOP_ROOTS; r++)
        member->branch |= (sign[r] < 0) << r;
}

/* the members at some places of a loop; those that are none have infinite distances */
static void evaluate(const family_problem *p, const family_loop *loop, const double *phi,
                     kernel_held *held, kernel_members *at)
{
    held->which = loop->which;
    for (int r = 0; r < LOOP_ROOTS; r++)
        for (int l = 0; l < LANES; l++) {
            held->value[r][l] = loop->fixed[r];
            held->sign[r][l] = loop->sign[r];
        }
    for (int l = 0; l < LANES; l++) {
        double sine = 0, cosine = 1;
        if (!loop->is_circle)
            lb_sincos(phi[l], &sine, &cosine);
        held->value[loop->held][l] = loop->is_circle ? phi[l] : loop->middle - loop->half * cosine;
        if (!loop->is_circle)
            held->sign[loop->other][l] = sine < 0 ? -1 : 1;
    }
    family_look(p, held, at);
    for (int l = 0; l < LANES; l++)
        if (!is_member(p, at, l))
            at->beyond[l] = at->square[l] = INFINITY;
}

/* keeps the best of some members */
static void keep_best(const family_problem *p, const kernel_held *held, const kernel_members *at,
                      family_member *best)
{
    int l = 0;
    for (int k = 1; k < LANES; k++)
        if (is_better(at->beyond[k], at->square[k], at->beyond[l], at->square[l]))
            l = k;
    const double sign[LOOP_ROOTS] = {held->sign[0][l], held->sign[1][l], held->sign[2][l]};
    if (is_better(at->beyond[l], at->square[l], best->beyond, best->square))
        family_take(p, at, l, sign, best);
}

/* ---- samples ------------------------------------------------------------------ */

/* The samples of a loop, and which joints differ among them. */
typedef struct samples {
    int count;
    double from, spacing;
    double beyond[SAMPLES], square[SAMPLES];
    double q[SAMPLES][KERNEL_CLOSED_JOINTS];
    double first[KERNEL_CLOSED_JOINTS];
    bool some;
    unsigned moving;
} samples;

/* notes which joints differ, by more than whole turns, from those of the first member */
static void note_moving(const family_problem *p, const kernel_members *at, samples *s)
{
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < KERNEL_CLOSED_JOINTS && at->square[l] < INFINITY; i++) {
            if (!s->some && i == 0)
                for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
                    s->first[k] = at->q[k][l];
            s->some = true;
            double d = at->q[i][l] - s->first[i];
            d = p->ranges.is_length[i] ? d : lb_wrap_angle(d);
            // rounding, next to the root of it where a loop is one configuration
            s->moving |= (unsigned)(fabs(d) > SAME_VALUE) << i;
        }
}

/* what joints that do not move add to the squared distance of all members */
static double fixed_square(const family_problem *p, const kernel_members *at)
{
    double square = 0;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double d = (at->q[k][0] - p->start[k]) * p->ranges.weight[k];
        bool moves = p->ranges.vanishes[k];
        for (int l = 1; l < LANES; l++)
            moves = moves || !(fabs(at->q[k][l] - at->q[k][0]) < SAME_VALUE);
        square += moves ? 0 : d * d;
    }
    return square;
}

/* false: no member is near enough to be of use */
static bool take_samples(const family_problem *p, const family_loop *loop, samples *s,
                         family_member *best)
{
    kernel_held held;
    kernel_members at;
    s->count = loop->is_circle || loop->half > MEDIUM ? SAMPLES : loop->half > SHORT ? 16 : LANES;
    s->spacing = TURN / s->count;
    // a circle has one sample at the start
    s->from = loop->is_circle ? loop->middle : 0;
    s->some = false;
    s->moving = 0;
    for (int i = 0; i < s->count; i += LANES) {
        double phi[LANES];
        for (int l = 0; l < LANES; l++)
            phi[l] = s->from + s->spacing * (i + l);
        evaluate(p, loop, phi, &held, &at);
        if (i == 0 && fixed_square(p, &at) > p->bound)
            return false;
        memcpy(s->beyond + i, at.beyond, sizeof at.beyond);
        memcpy(s->square + i, at.square, sizeof at.square);
        for (int l = 0; l < LANES; l++)
            for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
                s->q[i + l][k] = at.q[k][l];
        note_moving(p, &at, s);
        keep_best(p, &held, &at, best);
    }
    return true;
}

/* less than which the squared distance hardly is beside a sample, by its neighbours' */
static double least_beside(const samples *s, int i, int before, int after)
{
    const double l = s->square[before], r = s->square[after], v = s->square[i];
    if (s->beyond[i] != 0 || s->beyond[before] != 0 || s->beyond[after] != 0)
        return 0;
    const double bend = l - 2 * v + r;
    return bend > 0 ? v - (l - r) * (l - r) / (2 * bend) - CELL_ROOM : 0;
}

/* the local minima among the samples, the least first */
static int find_minima(const samples *s, place *minima)
{
    int count = 0;
    for (int i = 0; i < s->count; i++) {
        const int l = (i + s->count - 1) % s->count, r = (i + 1) % s->count;
        const double beyond = s->beyond[i], square = s->square[i];
        if (!(square < INFINITY) || is_better(s->beyond[l], s->square[l], beyond, square) ||
            !is_better(beyond, square, s->beyond[r], s->square[r]))
            continue;
        if (count == MINIMA &&
            !is_better(beyond, square, minima[count - 1].beyond, minima[count - 1].square))
            continue;
        int at = count < MINIMA ? count++ : MINIMA - 1;
        for (; at > 0 && is_better(beyond, square, minima[at - 1].beyond, minima[at - 1].square);
             at--)
            minima[at] = minima[at - 1];
        minima[at] =
            (place){s->from + s->spacing * i, beyond, square, least_beside(s, i, l, r), false};
    }
    return count;
}

/* ---- narrowing ---------------------------------------------------------------- */

/* the vertex of the parabola through three neighbours; false: they have none */
static bool find_vertex(const kernel_members *at, int l, double *off, double *square)
{
    if (l == 0 || l == LANES - 1 || at->beyond[l] != 0 || at->beyond[l - 1] != 0 ||
        at->beyond[l + 1] != 0)
        return false;
    const double low = at->square[l - 1], high = at->square[l + 1], v = at->square[l];
    const double bend = low - 2 * v + high;
    *off = bend > 0 ? 0.5 * (low - high) / bend : 0;
    *square = v - 0.25 * (low - high) * *off;
    return true;
}

/* goes to the vertex, twice where it is the best so far; false: it is not where it was foretold */
static bool try_vertex(const family_problem *p, const family_loop *loop, double phi, double step,
                       kernel_members *at, int least, family_member *best)
{
    kernel_held held;
    double places[LANES], off, foretold;
    for (int n = 0; n < 2; n++) {
        if (!find_vertex(at, least, &off, &foretold))
            return n > 0 && at->square[least] > FORETOLD;
        phi += step * off;
        step *= BESIDE_VERTEX;
        for (int l = 0; l < LANES; l++)
            places[l] = phi + step * (l - 3.5);
        evaluate(p, loop, places, &held, at);
        keep_best(p, &held, at, best);
        least = 0;
        for (int l = 1; l < LANES; l++)
            least = at->square[l] < at->square[least] ? l : least;
        phi = places[least];
        const double square = at->square[least];
        if (!(square <= foretold + FORETOLD * scalar_min(square, 1) + FORETOLD_LEAST))
            return false;
        if (square > best->square)
            return true;
    }
    return true;
}

/* the least squared distance that is of use */
static double enough_of(const family_problem *p, const family_member *best)
{
    return scalar_min(p->bound, best->beyond > 0 ? INFINITY : best->square);
}

/* narrows the interval round a local minimum */
static void narrow(const family_problem *p, const family_loop *loop, double spacing, place from,
                   family_member *best)
{
    kernel_held held;
    kernel_members at;
    double phi[LANES], wide = spacing;
    for (int n = 0; n < ROUNDS; n++) {
        const double step = wide * NARROWED;
        int least = 0;
        for (int l = 0; l < LANES; l++)
            phi[l] = from.phi + step * (l - 3.5);
        evaluate(p, loop, phi, &held, &at);
        keep_best(p, &held, &at, best);
        for (int l = 1; l < LANES; l++)
            if (is_better(at.beyond[l], at.square[l], at.beyond[least], at.square[least]))
                least = l;
        const bool better = is_better(at.beyond[least], at.square[least], from.beyond, from.square);
        if (better)
            from = (place){phi[least], at.beyond[least], at.square[least], 0, from.alone};
        // from its border on it may go down outside
        if (!from.alone || !better || (least > 0 && least < LANES - 1))
            wide = step;
        if (n >= PARABOLA_FROM && from.phi == phi[least] &&
            try_vertex(p, loop, from.phi, step, &at, least, best))
            return;
        // what is left of the interval cannot make up for so much
        if (from.square > enough_of(p, best) + 60 * wide + 0.05)
            return;
    }
}

/* ---- cells ------------------------------------------------------------------------ */

/* how far joint k goes from sample i to the next, but for whole turns */
static double joint_step(const family_problem *p, const samples *s, int i, int k)
{
    const double d = s->q[(i + 1) % s->count][k] - s->q[i][k];
    return p->ranges.is_length[k] ? d : lb_wrap_angle(d);
}

/* Where joint k passes a limit in a cell, from 0 to 1, on either sample's turn. */
typedef struct passage {
    int joint;
    double limit, at;
} passage;

enum { PASSAGES = 4 * KERNEL_CLOSED_JOINTS };

static int find_passages(const family_problem *p, const samples *s, int i, const double *steps,
                         passage *all)
{
    int count = 0;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double step = steps[k], limits[2] = {p->ranges.lower[k], p->ranges.upper[k]};
        const double from[2] = {s->q[i][k], s->q[(i + 1) % s->count][k] - step};
        for (int n = 0; n < 4; n++) {
            const double away = limits[n % 2] - from[n / 2];
            if (away * step > 0 && fabs(away) < fabs(step))
                all[count++] = (passage){k, limits[n % 2], away / step};
        }
    }
    return count;
}

/* The part of a cell, from 0 to 1, inside which a minimum may be that no sample shows. */
typedef struct part {
    double low, high;
} part;

/* between the places where joints pass their limits */
static part between_limits(const passage *passages, int count)
{
    part inside = {INFINITY, -INFINITY};
    for (int i = 0; i < count; i++) {
        inside.low = scalar_min(inside.low, passages[i].at);
        inside.high = scalar_max(inside.high, passages[i].at);
    }
    // places are known to the bend of the path from sample to sample
    return (part){scalar_max(inside.low - BEND, 0), scalar_min(inside.high + BEND, 1)};
}

/* a difference of joint k's values, but for whole turns */
static double difference(const family_problem *p, int k, double d)
{
    return p->ranges.is_length[k] ? d : lb_wrap_angle(d);
}

/* by how much joint k is off a value in a lane */
static double joint_off(const family_problem *p, const kernel_members *at, int k, int l, double x)
{
    return difference(p, k, at->q[k][l] - x);
}

/* the vertex of the parabola through three neighbours, in spacings from the one in the middle */
static double vertex_of(double low, double middle, double high)
{
    const double bend = low - 2 * middle + high;
    return bend != 0 ? 0.5 * (low - high) / bend : 0;
}

/* whether another joint than k is at a limit */
static bool is_corner(const family_problem *p, const kernel_members *at, int l, int k)
{
    const kernel_ranges *r = &p->ranges;
    bool some = false;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        some = some || (i != k && (fabs(joint_off(p, at, i, l, r->lower[i])) < CORNER_NEAR ||
                                   fabs(joint_off(p, at, i, l, r->upper[i])) < CORNER_NEAR));
    return some;
}

/* where of equidistant values the least absolute one is, or their sign changes: in their spacings
   from the first; less than 0: at an end or beyond it */
static double find_zero(const double *off, bool *passes)
{
    int l = 0;
    *passes = false;
    for (int m = 0; m < LANES - 1; m++) {
        *passes = off[m] * off[m + 1] <= 0;
        if (*passes)
            return off[m] == off[m + 1] ? m : m + off[m] / (off[m] - off[m + 1]);
    }
    for (int m = 1; m < LANES; m++)
        l = fabs(off[m]) < fabs(off[l]) ? m : l;
    return l == 0 || l == LANES - 1 ? -1 : l + vertex_of(off[l - 1], off[l], off[l + 1]);
}

/* looks at where a joint passes a limit and another one does, too, or where it touches one: on both
   sides joints are on other turns, or outside */
static void look_at_limit(const family_problem *p, const family_loop *loop, const samples *s, int i,
                          const passage *at_limit, family_member *best)
{
    kernel_held held;
    kernel_members at;
    const int middle = 3, k = at_limit->joint;
    double phi[LANES], off[LANES], where = s->from + s->spacing * (i + at_limit->at);
    double step = s->spacing * BEND / middle;
    for (int n = 0; n < CORNER_ROUNDS; n++) {
        bool passes;
        for (int l = 0; l < LANES; l++)
            phi[l] = where + step * (l - middle);
        evaluate(p, loop, phi, &held, &at);
        keep_best(p, &held, &at, best);
        for (int l = 0; l < LANES; l++)
            off[l] = joint_off(p, &at, k, l, at_limit->limit);
        const double zero = find_zero(off, &passes);
        if (zero < 0 ||
            (n == 1 && !(passes ? is_corner(p, &at, middle, k) : fabs(off[middle]) < CORNER_NEAR)))
            return;
        where = phi[0] + step * zero;
        step *= CORNER_STEP;
    }
}

/* where a joint touches a limit at a sample or beside it */
static void look_at_touches(const family_problem *p, const family_loop *loop, const samples *s,
                            int k, double limit, family_member *best)
{
    double off[SAMPLES];
    for (int i = 0; i < s->count; i++)
        off[i] = s->square[i] < INFINITY ? difference(p, k, s->q[i][k] - limit) : INFINITY;
    for (int i = 0; i < s->count; i++) {
        const double low = off[(i + s->count - 1) % s->count], high = off[(i + 1) % s->count];
        if (!(low * off[i] > 0 && high * off[i] > 0 && fabs(off[i]) <= fabs(low) &&
              fabs(off[i]) < fabs(high)))
            continue;
        const double at = vertex_of(low, off[i], high);
        if (fabs(off[i] - 0.25 * (low - high) * at) < TOUCH_NEAR)
            look_at_limit(p, loop, s, i, &(passage){k, limit, at}, best);
    }
}

/* the same of all limits of joints that move; limits that are whole turns apart are one */
static void look_at_all_touches(const family_problem *p, const family_loop *loop, const samples *s,
                                family_member *best)
{
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double lower = p->ranges.lower[k], upper = p->ranges.upper[k];
        if ((s->moving >> k & 1) == 0)
            continue;
        if (lower > -INFINITY)
            look_at_touches(p, loop, s, k, lower, best);
        if (upper < INFINITY && !(fabs(difference(p, k, upper - lower)) < FAMILY_IN_A_CORNER))
            look_at_touches(p, loop, s, k, upper, best);
    }
}

/* whether two joints may pass limits at one place */
static bool may_meet(const passage *a, const passage *b)
{
    return a->joint != b->joint && fabs(a->at - b->at) <= 2 * BEND;
}

/* members in corners of the limits that are alone */
static void look_at_corners(const family_problem *p, const family_loop *loop, const samples *s,
                            int i, const passage *passages, int count, family_member *best)
{
    for (int a = 0; a < count; a++) {
        bool meets = false;
        for (int b = 0; b < a; b++)
            meets = meets || may_meet(&passages[a], &passages[b]);
        if (meets)
            look_at_limit(p, loop, s, i, &passages[a], best);
    }
}

/* the part of a cell to look into; empty: its samples are enough */
static part hidden_part(const family_problem *p, const samples *s, int i, const double *steps,
                        const passage *passages, int count, double enough)
{
    const part none = {1, 0};
    const int next = (i + 1) % s->count;
    double square = 0;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double d = steps[k] * p->ranges.weight[k];
        square += d * d;
    }
    const part limits = between_limits(passages, count);
    if (limits.high > limits.low + 2.1 * BEND)
        return limits;
    const double length = sqrt(square), ends = sqrt(s->square[i]) + sqrt(s->square[next]);
    // the path is somewhat longer than the straight line, and may lead inside the limits and out
    const double path = WINDING * length;
    const double excess = s->beyond[i] + s->beyond[next];
    const bool may_hide =
        length > LONG_CELL || (s->beyond[i] > 0 && s->beyond[next] > 0 && excess < path);
    return may_hide && 0.5 * (ends - path) < sqrt(enough) ? (part){0, 1} : none;
}

/* looks for minima inside a part of a cell */
static void look_inside(const family_problem *p, const family_loop *loop, const samples *s, int i,
                        part inside, family_member *best)
{
    kernel_held held;
    kernel_members at;
    double phi[LANES];
    const double spacing = s->spacing * (inside.high - inside.low) / LANES;
    for (int l = 0; l < LANES; l++)
        phi[l] = s->from + s->spacing * (i + inside.low) + spacing * (l + 0.5);
    evaluate(p, loop, phi, &held, &at);
    keep_best(p, &held, &at, best);
    for (int l = 0; l < LANES; l++)
        if (at.square[l] < INFINITY &&
            (l == 0 ||
             !is_better(at.beyond[l - 1], at.square[l - 1], at.beyond[l], at.square[l])) &&
            (l == LANES - 1 ||
             is_better(at.beyond[l], at.square[l], at.beyond[l + 1], at.square[l + 1])))
            narrow(p, loop, spacing, (place){phi[l], at.beyond[l], at.square[l], 0, true}, best);
}

/* looks for what the samples at both ends of a cell do not show */
static void search_cell(const family_problem *p, const family_loop *loop, const samples *s, int i,
                        family_member *best)
{
    double steps[KERNEL_CLOSED_JOINTS];
    passage passages[PASSAGES];
    if (!(s->square[i] < INFINITY && s->square[(i + 1) % s->count] < INFINITY))
        return;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
        steps[k] = (s->moving >> k & 1) != 0 ? joint_step(p, s, i, k) : 0;
    const int count = find_passages(p, s, i, steps, passages);
    const part inside = hidden_part(p, s, i, steps, passages, count, enough_of(p, best));
    if (inside.low < inside.high)
        look_inside(p, loop, s, i, inside, best);
    look_at_corners(p, loop, s, i, passages, count, best);
}

bool family_search(const family_problem *p, const family_loop *loop, family_member *member)
{
    samples s;
    place minima[MINIMA];
    *member = (family_member){.square = INFINITY, .beyond = INFINITY};
    if (!take_samples(p, loop, &s, member))
        return false;
    const int count = find_minima(&s, minima);
    for (int i = 0; i < count; i++)
        if (minima[i].low <= enough_of(p, member))
            narrow(p, loop, s.spacing, minima[i], member);
    for (int i = 0; i < s.count; i++)
        search_cell(p, loop, &s, i, member);
    look_at_all_touches(p, loop, &s, member);
    member->moving = s.moving;
    return member->square < INFINITY;
}
