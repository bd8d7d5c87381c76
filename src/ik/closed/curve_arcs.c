/* curve_arcs.c - the parts of curves inside the limits. */
#include "ik/closed/curve.h"

#include "math/scalar.h"

#include <string.h>

#define TURN (2 * LB_PI)
/* arcs shorter than this, in radians, are the rounding of a limit that is just touched */
#define NO_ARC 1e-9
enum { CURVE_CROSSINGS = 32, ROOT_STEPS = 60 };

/* Where a joint of a cubic crosses a limit. */
typedef struct curve_crossing {
    double u, limit;
    int joint; /* -1: none, an end of the cubic */
} curve_crossing;

/* In order, the last one is the cubic's end. */
typedef struct curve_crossings {
    curve_crossing at[CURVE_CROSSINGS + 1];
    int count;
} curve_crossings;

/* all joints of the cubic are inside their limits, on some turn */
static bool is_inside(const curve *c, const curve_cubic *s, double u)
{
    for (int k = 0; k < CURVE_JOINTS; k++) {
        const closed_joint *joint = &c->chain->joints[k];
        const double above = curve_value(s, k, u) - joint->lower;
        if (curve_is_limited(joint) &&
            above - TURN * floor(above * (1 / TURN)) > joint->upper - joint->lower)
            return false;
    }
    return true;
}

static void add_crossing(curve_crossings *all, curve_crossing crossing)
{
    if (all->count == CURVE_CROSSINGS)
        return;
    int i = all->count++;
    for (; i > 0 && all->at[i - 1].u > crossing.u; i--)
        all->at[i] = all->at[i - 1];
    all->at[i] = crossing;
}

/* the root of a joint's cubic minus a value, monotone between two places of opposite sign */
static double find_root(const curve_cubic *s, int k, double value, double low, double high)
{
    const bool rises = curve_value(s, k, high) > value;
    for (int i = 0; i < ROOT_STEPS && low < high; i++) {
        const double u = 0.5 * (low + high);
        if (u <= low || u >= high)
            break;
        *((curve_value(s, k, u) > value) == rises ? &high : &low) = u;
    }
    return 0.5 * (low + high);
}

/* where a joint crosses one of its limits, on any turn */
static void cross_limit(const curve_cubic *s, int k, double limit, curve_crossings *all)
{
    // the cubic is between its control points
    const double one = s->begin[k] / 3, other = s->way[k] - s->end[k] / 3;
    const double least = scalar_min(scalar_min(0, one), scalar_min(s->way[k], other));
    const double most = scalar_max(scalar_max(0, one), scalar_max(s->way[k], other));
    const double above = s->from->q[k] + least - limit;
    if (TURN * ceil(above * (1 / TURN)) - above > most - least)
        return;
    double u[4];
    const int count = curve_turns(s, k, u);
    for (int i = 0; i + 1 < count; i++) {
        const double a = curve_value(s, k, u[i]), b = curve_value(s, k, u[i + 1]);
        const double low = scalar_min(a, b), high = scalar_max(a, b);
        const double at = limit + TURN * ceil((low - limit) * (1 / TURN));
        if (at < high)
            add_crossing(all, (curve_crossing){find_root(s, k, at, u[i], u[i + 1]), at, k});
    }
}

static void find_crossings_between(const curve *c, const curve_cubic *s, curve_crossings *all)
{
    all->count = 0;
    for (int k = 0; k < CURVE_JOINTS; k++) {
        const closed_joint *joint = &c->chain->joints[k];
        if (!curve_is_limited(joint))
            continue;
        cross_limit(s, k, joint->lower, all);
        cross_limit(s, k, joint->upper, all);
    }
    all->at[all->count++] = (curve_crossing){1, 0, -1};
}

/* ---- arcs ----------------------------------------------------------------------- */

/* An arc that is being made, or none. */
typedef struct curve_maker {
    curve *c;
    bool open, waits; /* waits: until the first place outside the limits */
    bool closed;      /* there is none: the arc is all of a closed curve */
} curve_maker;

static void put_node(curve_maker *m, const curve_node *node)
{
    curve_parts *arcs = &m->c->arcs;
    curve_part *arc = &arcs->part[arcs->count];
    if (arcs->node_count == CURVE_NODES)
        return;
    curve_node *to = &arcs->nodes[arcs->node_count++];
    *to = *node;
    to->at = 0;
    if (arc->count++ > 0) {
        const curve_cubic s = curve_between(to - 1, to);
        to->at = to[-1].at + scalar_max(s.length, 0);
    }
}

static void begin_arc(curve_maker *m)
{
    curve_parts *arcs = &m->c->arcs;
    m->open = arcs->count < CURVE_PARTS;
    if (m->open)
        arcs->part[arcs->count] = (curve_part){arcs->node_count, 0, m->closed};
}

static void end_arc(curve_maker *m)
{
    curve_parts *arcs = &m->c->arcs;
    const curve_part *arc = &arcs->part[arcs->count];
    m->open = false;
    if (arc->count > 1 && arcs->nodes[arc->first + arc->count - 1].at > NO_ARC)
        arcs->count++;
    else
        arcs->node_count = arc->first;
}

/* the configuration at a crossing, where the joint is exactly at its limit */
static curve_node node_at(const curve *c, const curve_cubic *s, const curve_crossing *at)
{
    double row[CURVE_JOINTS] = {0};
    curve_node node;
    for (int k = 0; k < CURVE_JOINTS; k++)
        node.q[k] = curve_value(s, k, at->u);
    row[at->joint] = 1;
    node.q[at->joint] = at->limit;
    if (curve_correct(c, row, CURVE_CLOSE, &node) < 0.1) {
        node.q[at->joint] = at->limit;
        return node;
    }
    // a limit that is touched
    (void)curve_take(c, s, at->u, CURVE_CLOSE, &node);
    return node;
}

/* the arcs along one cubic; false: the place where this began has come again */
static bool cut_cubic(curve_maker *m, const curve_node *from, const curve_node *to, bool last)
{
    curve_crossings all;
    const curve_cubic s = curve_between(from, to);
    find_crossings_between(m->c, &s, &all);
    double u = 0;
    for (int i = 0; i < all.count; i++) {
        const bool inside = is_inside(m->c, &s, 0.5 * (u + all.at[i].u));
        if (!inside && m->open) {
            const curve_node end = i > 0 ? node_at(m->c, &s, &all.at[i - 1]) : *from;
            if (i > 0)
                put_node(m, &end);
            end_arc(m);
        }
        if (!inside && last)
            return false;
        m->waits = m->waits && inside;
        if (inside && !m->open && !m->waits) {
            const curve_node begin = i > 0 ? node_at(m->c, &s, &all.at[i - 1]) : *from;
            begin_arc(m);
            if (m->open)
                put_node(m, &begin);
        }
        u = all.at[i].u;
    }
    if (m->open)
        put_node(m, to);
    return true;
}

/* whether a cubic leaves the limits somewhere */
static bool leaves(const curve *c, const curve_node *from, const curve_node *to)
{
    curve_crossings all;
    const curve_cubic s = curve_between(from, to);
    find_crossings_between(c, &s, &all);
    double u = 0;
    for (int i = 0; i < all.count; i++) {
        if (!is_inside(c, &s, 0.5 * (u + all.at[i].u)))
            return true;
        u = all.at[i].u;
    }
    return false;
}

/* the arcs of a curve; of one that is closed from a place outside the limits on, all round */
static void cut_part(curve *c, const curve_part *part)
{
    const curve_node *nodes = &c->whole.nodes[part->first];
    const int count = part->count, pieces = count - 1 + part->closed;
    curve_maker m = {.c = c};
    int first = 0;
    while (part->closed && first < pieces && !leaves(c, &nodes[first], &nodes[(first + 1) % count]))
        first++;
    m.waits = part->closed && first < pieces;
    m.closed = part->closed && !m.waits;
    const int all = pieces + m.waits;
    for (int i = 0; i < all; i++) {
        const int k = (first + i) % count;
        if (!cut_cubic(&m, &nodes[k], &nodes[(k + 1) % count], i == pieces))
            break;
    }
    if (m.open)
        end_arc(&m);
}

void curve_find_arcs(curve *c)
{
    c->arcs.count = c->arcs.node_count = 0;
    for (int i = 0; i < c->whole.count; i++)
        cut_part(c, &c->whole.part[i]);
}

void curve_at(const curve *c, int arc, double at, double q[CURVE_JOINTS])
{
    const curve_part *part = &c->arcs.part[arc];
    const curve_node *nodes = &c->arcs.nodes[part->first];
    int low = 0, high = part->count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(nodes[middle].at <= at ? &low : &high) = middle;
    }
    const curve_cubic s = curve_between(&nodes[low], &nodes[high]);
    const double u = scalar_clamp((at - nodes[low].at) / (nodes[high].at - nodes[low].at), 0, 1);
    curve_node node;
    const bool ends = at <= 0 || at >= nodes[part->count - 1].at;
    if (ends || !(curve_take(c, &s, u, CURVE_CLOSE, &node) < INFINITY))
        node = at <= 0 ? nodes[0] : ends ? nodes[part->count - 1] : nodes[low];
    memcpy(q, node.q, sizeof node.q);
}
