/*
 * loop_narrow.c - the minimum beside a sample of a loop.
 *
 * Eight members narrow an interval to a quarter. Where the least of them is on a smooth curve, its
 * vertex ends it, unless what is found there is not what the curve foretold. Where a joint passes a
 * limit beside it, it is on another turn or outside from there on: the place is found by secants.
 */
#include "ik/closed/loop_parts.h"

enum {
    MIDDLE = 3,  /* of eight lanes, one that is at the place itself */
    ROUNDS = 12, /* of a spacing of 0.2 leave 1e-8 */
    EXITS = 3    /* rounds that look for limits: then there is but rounding between them */
};
/* a spacing narrows by this in a round: seven members and both ends, and one more */
#define NARROWED 0.25
/* round the vertex of a curve through samples, which is known to some hundredths of a spacing */
#define BESIDE_SAMPLED 0.1
/* round the vertex of a curve through members, as a share of the spacing that it was found from */
#define BESIDE_VERTEX 1e-2
/* squared distances within this share of themselves, or this, are what a curve foretold: a start on
   the family is found to 1e-7 */
#define FORETOLD 1e-8
#define FORETOLD_LEAST 1e-14
/* the share of a squared distance that is not worth another look */
#define NO_NEARER 1e-12
/* of a joint that passes a limit, to the root of rounding in these rounds; the spacing narrows by
   this, the next is off by its square */
#define LIMIT_ROUNDS 3
#define CORNER_ROUNDS 4
#define LIMIT_STEP 1e-2
/* another joint is at its limit within this, radians or metres, where there may be a corner */
#define CORNER_NEAR 1e-3
/* beyond a limit, and still inside */
#define BARELY_INSIDE (0.999 * FAMILY_IN_A_CORNER)

/* ---- curves ------------------------------------------------------------------- */

double loop_parabola(double low, double middle, double high)
{
    const double bend = low - 2 * middle + high;
    return bend != 0 ? 0.5 * (low - high) / bend : 0;
}

bool loop_vertex(const double f[5], int wide, double *off, double *value)
{
    // coefficients from odd and even parts
    double c1 = 0.5 * (f[3] - f[1]), c2 = 0.5 * (f[1] - 2 * f[2] + f[3]), c3 = 0, c4 = 0, x = 0;
    if (wide > 1) {
        c3 = (0.5 * (f[4] - f[0]) - 2 * c1) / 6;
        c4 = (0.5 * (f[0] - 2 * f[2] + f[4]) - 4 * c2) / 12;
        c1 -= c3;
        c2 -= c4;
    }
    for (int n = 0; n < 3; n++) {
        const double bend = 2 * c2 + x * (6 * c3 + x * 12 * c4);
        if (!(bend > 0) || !(fabs(x) <= 1))
            return false;
        x -= (c1 + x * (2 * c2 + x * (3 * c3 + x * 4 * c4))) / bend;
    }
    *off = x;
    *value = f[2] + x * (c1 + x * (c2 + x * (c3 + x * c4)));
    return fabs(x) <= 1;
}

/* whether a joint takes another turn between a lane and the next, as limits make it */
static bool changes_turn(const kernel_members *at, int l)
{
    bool some = false;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
        some = some || fabs(at->q[k][l + 1] - at->q[k][l]) > LB_PI;
    return some;
}

/* so many lanes on either side, at most two, a smooth curve leads through */
static int find_smooth(const kernel_members *at, int l)
{
    int wide = 0;
    for (int n = 1; n <= 2 && l - n >= 0 && l + n < LOOP_LANES && at->beyond[l] == 0; n++, wide++)
        if (at->beyond[l - n] != 0 || at->beyond[l + n] != 0 || changes_turn(at, l - n) ||
            changes_turn(at, l + n - 1))
            break;
    return wide;
}

/* the lane that is best */
static int find_least(const kernel_members *at)
{
    int least = 0;
    for (int l = 1; l < LOOP_LANES; l++)
        if (loop_is_better(at->beyond[l], at->square[l], at->beyond[least], at->square[least]))
            least = l;
    return least;
}

/* goes to the vertex beside a lane, and again where it is the best so far; false: it is not where
   it was foretold */
static bool try_vertex(const family_problem *p, const family_loop *loop, double phi, double step,
                       kernel_members *at, int least, family_member *best)
{
    for (int n = 0; n < 2; n++) {
        double f[5] = {0}, off, foretold;
        const int wide = find_smooth(at, least);
        for (int i = -wide; i <= wide; i++)
            f[2 + i] = at->square[least + i];
        if (wide == 0 || !loop_vertex(f, wide, &off, &foretold))
            return false;
        if (n > 0 && f[2] - foretold <= NO_NEARER * scalar_min(f[2], 1))
            return true;
        phi += step * (off - MIDDLE * BESIDE_VERTEX);
        step *= BESIDE_VERTEX;
        loop_look(p, loop, phi, step, at, best);
        least = find_least(at);
        const double square = at->square[least];
        if (!(fabs(square - foretold) <= FORETOLD * scalar_min(square, 1) + FORETOLD_LEAST))
            return false;
        if (square > best->square)
            return true;
        phi += step * least;
    }
    return true;
}

/* ---- limits ------------------------------------------------------------------- */

/* by how much joint k is off a value in a lane */
static double joint_off(const family_problem *p, const kernel_members *at, int k, int l, double x)
{
    return loop_difference(p, k, at->q[k][l] - x);
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

/* where from 0 to 1 a parabola through values at 0, 1 and 2 is zero, if its sign changes there */
static double find_root(double at_0, double at_1, double at_2)
{
    const double a = 0.5 * (at_0 - 2 * at_1 + at_2), b = at_1 - at_0 - a;
    const double root = sqrt(scalar_max(b * b - 4 * a * at_0, 0));
    const double q = -0.5 * (b + (b < 0 ? -root : root)), x = at_0 / q;
    return x >= 0 && x <= 1 ? x : scalar_clamp(q / a, 0, 1);
}

/* where of equidistant values the sign changes or, if it does not, the least absolute one is: in
   their spacings from the first; less than 0: at an end or beyond it */
static double find_zero(const double *off, bool *passes)
{
    int l = 0;
    *passes = false;
    for (int m = 0; m < LOOP_LANES - 1; m++) {
        *passes = off[m] * off[m + 1] <= 0;
        if (*passes && off[m] == off[m + 1])
            return m;
        if (*passes)
            return m < LOOP_LANES - 2 ? m + find_root(off[m], off[m + 1], off[m + 2])
                                      : m + 1 - find_root(off[m + 1], off[m], off[m - 1]);
    }
    for (int m = 1; m < LOOP_LANES; m++)
        l = fabs(off[m]) < fabs(off[l]) ? m : l;
    return l == 0 || l == LOOP_LANES - 1 ? -1 : l + loop_parabola(off[l - 1], off[l], off[l + 1]);
}

/* looks round a place for that where a joint is at its limit: in steps from the first lane */
static double find_limit(const family_problem *p, const family_loop *loop,
                         const loop_passage *limit, double where, double step, kernel_members *at,
                         family_member *best, bool *passes)
{
    double off[LOOP_LANES];
    loop_look(p, loop, where - MIDDLE * step, step, at, best);
    for (int l = 0; l < LOOP_LANES; l++)
        off[l] = joint_off(p, at, limit->joint, l, limit->limit);
    return find_zero(off, passes);
}

void loop_look_at_limit(const family_problem *p, const family_loop *loop, loop_passage limit,
                        double where, double step, family_member *best)
{
    const int k = limit.joint;
    kernel_members at;
    step /= MIDDLE;
    for (int n = 0; n < CORNER_ROUNDS; n++) {
        bool passes;
        const double zero = find_limit(p, loop, &limit, where, step, &at, best, &passes);
        if (zero < 0 ||
            (n == 1 && !(passes ? is_corner(p, &at, MIDDLE, k)
                                : fabs(joint_off(p, &at, k, MIDDLE, limit.limit)) < CORNER_NEAR)))
            return;
        where += step * (zero - MIDDLE);
        step *= LIMIT_STEP;
    }
}

/* by how much joint k is beyond what is inside in all lanes, on the turn of a value */
static void find_excess(const family_problem *p, const kernel_members *at, int k, double q,
                        double off[LOOP_LANES])
{
    const double lower = p->ranges.lower[k], upper = p->ranges.upper[k];
    for (int l = 0; l < LOOP_LANES; l++) {
        const double value = q + joint_off(p, at, k, l, q);
        off[l] = scalar_max(value - upper, lower - value) - BARELY_INSIDE;
    }
}

/* the last lane before a joint that moves leaves its limits in a direction, +-1, and where from the
   first lane on it does, and whether all are inside in the lane before that; less than 0: none does
 */
static int find_exit(const family_problem *p, const family_loop *loop, const kernel_members *at,
                     const double *q, int direction, double *where, bool *inside)
{
    double off[KERNEL_CLOSED_JOINTS][LOOP_LANES], most[LOOP_LANES];
    for (int l = 0; l < LOOP_LANES; l++)
        most[l] = -INFINITY;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
        if ((loop->moving >> k & 1) != 0)
            find_excess(p, at, k, q[k], off[k]);
        for (int l = 0; l < LOOP_LANES && (loop->moving >> k & 1) != 0; l++)
            most[l] = scalar_max(most[l], off[k][l]);
    }
    int last = direction > 0 ? 0 : LOOP_LANES - 1, n = 1;
    for (; n < LOOP_LANES && !(most[last] <= 0 && most[last + direction] > 0); n++)
        last += direction;
    if (n == LOOP_LANES)
        return -1;
    const int next = last + direction, more = n < LOOP_LANES - 1 ? next + direction : next;
    double least = 1;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
        if ((loop->moving >> k & 1) != 0 && off[k][next] > 0)
            least =
                scalar_min(least, more != next ? find_root(off[k][last], off[k][next], off[k][more])
                                               : off[k][last] / (off[k][last] - off[k][next]));
    *where = last + direction * least;
    *inside = n > 1 && most[last - direction] <= 0;
    return last;
}

/* goes to where joints leave their limits from a lane on in a direction, +-1; whether nothing is
   nearer just before it, or of use */
static bool stop_at_limit(const family_problem *p, const family_loop *loop, double phi, double step,
                          const kernel_members *from, int lane, int direction, family_member *best)
{
    kernel_members at = *from;
    double q[KERNEL_CLOSED_JOINTS], exit = 0;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
        q[k] = from->q[k][lane];
    for (int n = 0; n <= LIMIT_ROUNDS; n++) {
        bool inside;
        const int last = find_exit(p, loop, &at, q, direction, &exit, &inside);
        if (last < 0)
            return false;
        if (n > 0 && inside) {
            const double here = at.square[last], before = at.square[last - direction];
            if (here >= before)
                return false;
            if (3 * here - 2 * before > loop_enough(p, best))
                return true;
        }
        phi += step * exit;
        step *= LIMIT_STEP;
        phi -= MIDDLE * step;
        if (n < LIMIT_ROUNDS)
            loop_look(p, loop, phi, step, &at, best);
    }
    return true;
}

/* ---- narrowing ---------------------------------------------------------------- */

/* whether nothing is nearer than the least of some lanes from phi on and a limit beside it */
static bool settle_at_limit(const family_problem *p, const family_loop *loop, double phi,
                            double step, const kernel_members *at, int least, family_member *best)
{
    bool settled = false;
    for (int side = -1; side <= 1 && at->beyond[least] == 0 && !settled; side += 2) {
        const int beside = least + side;
        settled = beside >= 0 && beside < LOOP_LANES &&
                  (at->beyond[beside] != 0 || changes_turn(at, side < 0 ? beside : least)) &&
                  stop_at_limit(p, loop, phi, step, at, least, side, best);
    }
    return settled;
}

/* whether nothing beside a lane can be as near as what is of use: on a smooth curve it goes down by
   less than it has come down from the lanes beside it or, at an end, as far as the others go */
static bool is_too_far(const kernel_members *at, int l, double enough)
{
    const int before = l > 0 ? l - 1 : 0, after = l < LOOP_LANES - 1 ? l + 1 : l;
    double most = 0;
    for (int i = before; i <= after; i++) {
        if (at->beyond[i] != 0 || (i < after && changes_turn(at, i)))
            return false;
        most = scalar_max(most, at->square[i] - at->square[l]);
    }
    return at->square[l] - (after - before == 2 ? 2 : LOOP_LANES) * most > enough;
}

/* the same where samples are on a smooth curve; false: its vertex is not where it was foretold */
static bool narrow_sampled(const family_problem *p, const family_loop *loop, double spacing,
                           const loop_place *from, family_member *best)
{
    kernel_members at;
    const double step = spacing * BESIDE_SAMPLED;
    const double phi = from->phi + spacing * from->vertex - MIDDLE * step;
    loop_look(p, loop, phi, step, &at, best);
    const int least = find_least(&at);
    return find_smooth(&at, least) == 2 &&
           (is_too_far(&at, least, loop_enough(p, best)) ||
            try_vertex(p, loop, phi + step * least, step, &at, least, best));
}

void loop_narrow(const family_problem *p, const family_loop *loop, double spacing, loop_place from,
                 family_member *best)
{
    double wide = spacing;
    if (from.vertex == from.vertex && narrow_sampled(p, loop, spacing, &from, best))
        return;
    for (int n = 0; n < ROUNDS; n++) {
        kernel_members at;
        const double step = wide * NARROWED, phi = from.phi - MIDDLE * step;
        loop_look(p, loop, phi, step, &at, best);
        const int least = find_least(&at);
        const bool better =
            loop_is_better(at.beyond[least], at.square[least], from.beyond, from.square);
        if (better) {
            from.phi = phi + step * least;
            from.beyond = at.beyond[least];
            from.square = at.square[least];
        }
        // from its border on it may go down outside
        if (!from.alone || !better || (least > 0 && least < LOOP_LANES - 1))
            wide = step;
        const bool found = better || least == MIDDLE;
        // beyond a limit members are on other turns
        if (found && n < EXITS && settle_at_limit(p, loop, phi, step, &at, least, best))
            return;
        // what is left of the interval cannot make up for so much
        const double enough = loop_enough(p, best);
        if (from.square > enough + 60 * wide + 0.05 || is_too_far(&at, least, enough) ||
            (found && try_vertex(p, loop, from.phi, step, &at, least, best)))
            return;
    }
}
