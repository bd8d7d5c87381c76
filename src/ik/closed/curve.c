/* curve.c - the curves of configurations that reach a pose, followed from slices. */
#include "ik/closed/curve.h"

#include "ik/closed/slice.h"
#include "math/scalar.h"

#include <string.h>

#define TURN (2 * LB_PI)
/* values of a joint that turns all round are off those at which axes are in line by this */
#define OFF_SYMMETRY 0.0871
/* radians that a step is long at first and at most; below the least a curve is lost */
#define FIRST_STEP 0.2
#define LONGEST_STEP 0.6
#define SHORTEST_STEP 1e-7
/* of a step: what Newton's method may move it sideways, and its cosine to the last one at least */
#define SIDEWAYS 0.05
#define STRAIGHT 0.94
#define DEFECT 0.01
/* Newton's last step of nodes, of the step along the curve: the tangent is off by what the curve
   turns within it */
#define NODE_CLOSE 5e-4
/* a solution is on a curve if Newton's method ends as near to it; solutions beside a singular one
   are off by the root of rounding */
#define SAME 1e-6

/* whether the curve between two nodes passes a point */
static bool passes(const curve *c, const curve_node *from, const curve_node *to, double length,
                   const curve_node *point)
{
    double off[CURVE_JOINTS];
    for (int k = 0; k < CURVE_JOINTS; k++) {
        off[k] = closed_wrapped(point->q[k] - from->q[k]);
        if (fabs(off[k]) > 1.1 * length + SAME)
            return false;
    }
    const curve_cubic s = curve_between(from, to);
    double u = curve_dot(off, s.way) / curve_dot(s.way, s.way);
    if (u < -SAME || u > 1 + SAME || curve_dot(from->t, point->t) < 0.5)
        return false;
    // the plane across the way through the point: two steps from the cubic's own place
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < CURVE_JOINTS; k++)
            off[k] = closed_wrapped(point->q[k] - curve_value(&s, k, u));
        u += curve_dot(off, s.way) / curve_dot(s.way, s.way);
    }
    if (!(sqrt(curve_dot(off, off)) < 0.05 * s.length + SAME))
        return false;
    curve_node on;
    if (!(curve_take(c, &s, u, CURVE_CLOSE, &on) < 1))
        return false;
    for (int k = 0; k < CURVE_JOINTS; k++)
        off[k] = closed_wrapped(point->q[k] - on.q[k]);
    return sqrt(curve_dot(off, off)) < SAME + 1e-3 * s.length * s.defect;
}

/* ---- following ---------------------------------------------------------------- */

static bool add_node(curve_parts *to, const curve_node *node)
{
    if (to->node_count == CURVE_NODES)
        return false;
    to->nodes[to->node_count++] = *node;
    to->part[to->count].count++;
    return true;
}

/* one step along the curve, forwards or backwards; false: it is too long */
static bool try_step(const curve *c, const curve_node *from, const double *bend, double step,
                     curve_node *to)
{
    for (int k = 0; k < CURVE_JOINTS; k++)
        to->q[k] = from->q[k] + step * (from->t[k] + 0.5 * step * bend[k]);
    if (!(curve_correct(c, from->t, NODE_CLOSE * fabs(step), to) < SIDEWAYS * fabs(step)))
        return false;
    if (curve_dot(from->t, to->t) < STRAIGHT)
        return false;
    const curve_cubic s = step > 0 ? curve_between(from, to) : curve_between(to, from);
    return s.length > 0 && s.defect < DEFECT && !curve_touches(c, &s);
}

/* follows a curve from the last node of the part that is being made; true: it has come back to
   `begin` */
static bool follow(curve *c, const curve_node *begin, int direction)
{
    double step = FIRST_STEP, bend[CURVE_JOINTS] = {0};
    curve_node from = *begin, to;
    for (bool first = true; step > SHORTEST_STEP; first = false) {
        while (step > SHORTEST_STEP && !try_step(c, &from, bend, direction * step, &to))
            step *= 0.5;
        if (!first && direction > 0 && passes(c, &from, &to, 2 * step, begin))
            return true;
        if (!(step > SHORTEST_STEP) || !add_node(&c->whole, &to))
            break;
        for (int k = 0; k < CURVE_JOINTS; k++)
            bend[k] = (to.t[k] - from.t[k]) / (direction * step);
        if (curve_dot(from.t, to.t) > 0.98)
            step = scalar_min(1.5 * step, LONGEST_STEP);
        from = to;
    }
    return false;
}

/* reverses nodes */
static void turn_round(curve_node *nodes, int count)
{
    for (int i = 0; 2 * i < count - 1; i++) {
        const curve_node node = nodes[i];
        nodes[i] = nodes[count - 1 - i];
        nodes[count - 1 - i] = node;
    }
}

/* follows a curve all round or, where it ends in a singular configuration, to both ends */
static void follow_round(curve *c, const curve_node *begin)
{
    if (c->whole.count == CURVE_PARTS)
        return;
    curve_part *part = &c->whole.part[c->whole.count];
    *part = (curve_part){.first = c->whole.node_count};
    if (!add_node(&c->whole, begin))
        return;
    part->closed = follow(c, begin, 1);
    if (!part->closed) {
        turn_round(&c->whole.nodes[part->first], part->count);
        follow(c, begin, -1);
        turn_round(&c->whole.nodes[part->first], part->count);
    }
    curve_node *nodes = &c->whole.nodes[part->first];
    for (int i = 0; i < part->count; i++)
        nodes[i].at = curve_between(&nodes[i], &nodes[(i + 1) % part->count]).length;
    c->whole.count++;
}

static bool is_known(const curve *c, const curve_node *node)
{
    for (int i = 0; i < c->whole.count; i++) {
        const curve_part *part = &c->whole.part[i];
        const curve_node *nodes = &c->whole.nodes[part->first];
        for (int k = 0; k + 1 < part->count + part->closed; k++)
            if (passes(c, &nodes[k], &nodes[(k + 1) % part->count], nodes[k].at, node))
                return true;
    }
    return false;
}

bool curve_find(curve *c, const lb_transform *target)
{
    // no curve is likely to be across it
    static const double row[CURVE_JOINTS] = {1, 2, 3, 4, 5, 6, 7};
    general_solution solutions[GENERAL_SOLUTIONS];
    general_summary summary;
    if (c->found && memcmp(&c->target, target, sizeof *target) == 0)
        return false;
    c->target = *target;
    c->found = true;
    c->whole.count = c->whole.node_count = 0;
    for (int i = 0; i < c->slice_count; i++) {
        const int count = general_solve(&c->slices[i], c->ops, target, solutions, &summary);
        for (int n = 0; n < count; n++) {
            curve_node node = {.at = 0};
            for (int k = 0, j = 0; k < CURVE_JOINTS; k++)
                node.q[k] = k == c->held[i] ? c->value[i] : solutions[n].q[j++];
            if (curve_correct(c, row, CURVE_CLOSE, &node) < 0.1 && !is_known(c, &node))
                follow_round(c, &node);
        }
    }
    return true;
}

/* ---- the slices --------------------------------------------------------------- */

/* adds evenly spaced slices of one joint; false: the others have no general solution */
static bool add_slices(curve *c, int held, int count)
{
    const closed_joint *joint = &c->chain->joints[held];
    for (int i = 0; i < count; i++) {
        const int at = c->slice_count + i;
        const double value = closed_is_limited(joint)
                                 ? joint->lower + (joint->upper - joint->lower) * (i + 0.5) / count
                                 : OFF_SYMMETRY - LB_PI + TURN * i / count;
        const closed_completion rest = closed_chain_hold(c->chain, held, value);
        c->held[at] = held;
        c->value[at] = value;
        if (!general_prepare(&rest.arm, c->ops, &c->slices[at]))
            return false;
        c->slices[at].effort = GENERAL_USUAL;
    }
    c->slice_count += count;
    return true;
}

/* Joints 2 and 4 lie beside the elbow and move on most curves, as measured; the single slices of
   the others meet curves on which these turn all round. */
bool curve_prepare(curve *c, const closed_chain *chain, const kernel_general_ops *ops)
{
    static const int order[CURVE_JOINTS] = {2, 4, 3, 1, 5, 0, 6};
    c->chain = chain;
    c->ops = ops;
    c->slice_count = 0;
    c->found = false;
    const bool turns = slice_turns_alone(chain);
    for (int k = 0, dense = 0; k < CURVE_JOINTS && turns; k++)
        dense += add_slices(c, order[k], dense < 2 ? CURVE_DENSE : 1) && dense < 2;
    return c->slice_count > 0;
}
