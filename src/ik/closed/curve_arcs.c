/* curve_arcs.c - the parts of curves inside the limits. */
#include "ik/closed/curve.h"

#include "math/scalar.h"

#include <string.h>

#define TURN (2 * LB_PI)
/* arcs shorter than this, in radians, are the rounding of a limit that is just touched */
#define NO_ARC 1e-9
enum { CURVE_CROSSINGS = 32, ROOT_STEPS = 50 };

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
        if (closed_is_limited(joint) &&
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
    for (int i = 0; i < ROOT_STEPS; i++) {
        const double u = 0.5 * (low + high);
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

/* ---- arcs ----------------------------------------------------------------------- */

/* adds a node to the arc that is being made, behind all others */
static void put_node(curve_parts *arcs, const curve_node *node)
{
    curve_part *arc = &arcs->part[arcs->count];
    if (arcs->node_count == CURVE_NODES)
        return;
    curve_node *to = &arcs->nodes[arcs->node_count++];
    *to = *node;
    to->at = arc->count > 0 ? to[-1].at + scalar_max(curve_between(to - 1, to).length, 0) : 0;
    arc->count++;
}

static void end_arc(curve_parts *arcs)
{
    const curve_part *arc = &arcs->part[arcs->count];
    if (arcs->count + 1 < CURVE_PARTS && arcs->nodes[arcs->node_count - 1].at > NO_ARC)
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

/* the arcs along one cubic; `open`: one of them is being made */
static bool cut_cubic(curve *c, const curve_node *from, const curve_node *to, bool open)
{
    curve_crossings all;
    const curve_cubic s = curve_between(from, to);
    all.count = 0;
    for (int k = 0; k < CURVE_JOINTS; k++) {
        const closed_joint *joint = &c->chain->joints[k];
        if (closed_is_limited(joint)) {
            cross_limit(&s, k, joint->lower, &all);
            cross_limit(&s, k, joint->upper, &all);
        }
    }
    all.at[all.count++] = (curve_crossing){1, 0, -1};
    for (int i = 0; i < all.count; i++) {
        const double begin = i > 0 ? all.at[i - 1].u : 0;
        const bool inside = is_inside(c, &s, 0.5 * (begin + all.at[i].u));
        if (inside == open)
            continue;
        const curve_node node = i > 0 ? node_at(c, &s, &all.at[i - 1]) : *from;
        if (inside)
            c->arcs.part[c->arcs.count] = (curve_part){.first = c->arcs.node_count};
        put_node(&c->arcs, &node);
        if (!inside)
            end_arc(&c->arcs);
        open = inside;
    }
    if (open)
        put_node(&c->arcs, to);
    return open;
}

/* the arcs of a curve; of one that is closed the last goes on in the first, or is all of it */
static void cut_part(curve *c, const curve_part *part)
{
    curve_parts *arcs = &c->arcs;
    const curve_node *nodes = &c->whole.nodes[part->first];
    const int first = arcs->count, place = arcs->node_count;
    bool open = false;
    for (int i = 0; i + 1 < part->count + part->closed; i++)
        open = cut_cubic(c, &nodes[i], &nodes[(i + 1) % part->count], open);
    if (!open)
        return;
    const bool round = part->closed && memcmp(arcs->nodes[place].q, nodes->q, sizeof nodes->q) == 0;
    const curve_part head = arcs->part[first];
    arcs->part[first].closed = round && arcs->count == first;
    for (int i = 1; i < head.count && round && arcs->count > first; i++)
        put_node(arcs, &arcs->nodes[head.first + i]);
    end_arc(arcs);
    if (round && arcs->count > first + 1)
        arcs->part[first] = arcs->part[--arcs->count];
}

void curve_find_arcs(curve *c)
{
    c->arcs.count = c->arcs.node_count = 0;
    for (int i = 0; i < c->whole.count; i++)
        cut_part(c, &c->whole.part[i]);
}

bool curve_at(const curve *c, int arc, double at, double q[CURVE_JOINTS])
{
    const curve_part *part = &c->arcs.part[arc];
    const curve_node *nodes = &c->arcs.nodes[part->first];
    const double whole = curve_length(c, arc);
    at -= part->closed ? whole * floor(at / whole) : 0;
    int low = 0, high = part->count - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(nodes[middle].at <= at ? &low : &high) = middle;
    }
    const curve_cubic s = curve_between(&nodes[low], &nodes[high]);
    curve_node node = nodes[at < whole ? low : high];
    // ends are exact
    const double u = (at - nodes[low].at) / (nodes[high].at - nodes[low].at);
    if (at > 0 && at < whole && !(curve_take(c, &s, u, CURVE_CLOSE, &node) < INFINITY))
        node = nodes[low];
    memcpy(q, node.q, sizeof node.q);
    return at >= 0 && at <= whole;
}
