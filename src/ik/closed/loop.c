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

void family_take(const kernel_members *at, int lane, const double *sign, family_member *member)
{
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        member->q[i] = at->q[i][lane];
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
    const closed_finder *f = p->finder;
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
    p->ops->closed_along(&f->form, &f->ranges, p->target, p->start, held, at);
    for (int l = 0; l < LANES; l++)
        if (!is_member(p, at, l))
            at->beyond[l] = at->square[l] = INFINITY;
}

/* keeps the best of some members */
static void keep_best(const kernel_held *held, const kernel_members *at, family_member *best)
{
    int l = 0;
    for (int k = 1; k < LANES; k++)
        if (is_better(at->beyond[k], at->square[k], at->beyond[l], at->square[l]))
            l = k;
    const double sign[LOOP_ROOTS] = {held->sign[0][l], held->sign[1][l], held->sign[2][l]};
    if (is_better(at->beyond[l], at->square[l], best->beyond, best->square))
        family_take(at, l, sign, best);
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
            d = p->finder->ranges.is_length[i] ? d : lb_wrap_angle(d);
            // rounding, next to the root of it where a loop is one configuration
            s->moving |= (unsigned)(fabs(d) > 1e-9) << i;
        }
}

static void take_samples(const family_problem *p, const family_loop *loop, samples *s,
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
        memcpy(s->beyond + i, at.beyond, sizeof at.beyond);
        memcpy(s->square + i, at.square, sizeof at.square);
        for (int l = 0; l < LANES; l++)
            for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
                s->q[i + l][k] = at.q[k][l];
        note_moving(p, &at, s);
        keep_best(&held, &at, best);
    }
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
        keep_best(&held, at, best);
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
        keep_best(&held, &at, best);
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
    return p->finder->ranges.is_length[k] ? d : lb_wrap_angle(d);
}

/* The part of a cell, from 0 to 1, inside which a minimum may be that no sample shows. */
typedef struct part {
    double low, high;
} part;

/* between the places where joints pass their limits, on either sample's turn */
static part between_limits(const family_problem *p, const samples *s, int i, const double *steps)
{
    part inside = {INFINITY, -INFINITY};
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        const double step = steps[k],
                     limits[2] = {p->finder->ranges.lower[k], p->finder->ranges.upper[k]};
        const double from[2] = {s->q[i][k], s->q[(i + 1) % s->count][k] - step};
        for (int n = 0; n < 4; n++) {
            const double away = limits[n % 2] - from[n / 2];
            if (!(away * step > 0 && fabs(away) < fabs(step)))
                continue;
            inside.low = scalar_min(inside.low, away / step);
            inside.high = scalar_max(inside.high, away / step);
        }
    }
    // places are known to the bend of the path from sample to sample
    return (part){scalar_max(inside.low - BEND, 0), scalar_min(inside.high + BEND, 1)};
}

/* the part of a cell to look into; empty: its samples are enough */
static part hidden_part(const family_problem *p, const samples *s, int i, double enough)
{
    const part none = {1, 0};
    const int next = (i + 1) % s->count;
    double square = 0, steps[KERNEL_CLOSED_JOINTS];
    if (!(s->square[i] < INFINITY && s->square[next] < INFINITY))
        return none;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        steps[k] = joint_step(p, s, i, k);
        const double d = steps[k] * p->finder->ranges.weight[k];
        square += d * d;
    }
    const part limits = between_limits(p, s, i, steps);
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
    keep_best(&held, &at, best);
    for (int l = 0; l < LANES; l++)
        if (at.square[l] < INFINITY &&
            (l == 0 ||
             !is_better(at.beyond[l - 1], at.square[l - 1], at.beyond[l], at.square[l])) &&
            (l == LANES - 1 ||
             is_better(at.beyond[l], at.square[l], at.beyond[l + 1], at.square[l + 1])))
            narrow(p, loop, spacing, (place){phi[l], at.beyond[l], at.square[l], 0, true}, best);
}

bool family_search(const family_problem *p, const family_loop *loop, family_member *member)
{
    samples s;
    place minima[MINIMA];
    *member = (family_member){.square = INFINITY, .beyond = INFINITY};
    take_samples(p, loop, &s, member);
    const int count = find_minima(&s, minima);
    for (int i = 0; i < count; i++)
        if (minima[i].low <= enough_of(p, member))
            narrow(p, loop, s.spacing, minima[i], member);
    for (int i = 0; i < s.count; i++) {
        const part inside = hidden_part(p, &s, i, enough_of(p, member));
        if (inside.low < inside.high)
            look_inside(p, loop, &s, i, inside, member);
    }
    member->moving = s.moving;
    return member->square < INFINITY;
}
