/*
 * plan_nodes.c - where a redundant arm can be at a place of a path, and what leads there.
 *
 * Arcs of one branch at two places belong together where an angle that both have keeps the limits
 * in between, too. Arcs that meet in an end are one part: the arm can go from one to another.
 */
#include "math/scalar.h"
#include "motion/plan.h"

#include <string.h>

/* ends of arcs that differ by less, in radians, are one: a turning value is known to the root of
   rounding */
#define MEETING 1e-5
/* places in between, and angles of those in common, that are looked at */
enum { BETWEEN = 3, TRIED = 3 };

/* ---- nodes -------------------------------------------------------------- */

static bool is_first(const elbow_nodes *list, int i)
{
    return i == 0 || list->arc[i - 1] != list->arc[i];
}

static bool is_last(const elbow_nodes *list, int i)
{
    return i + 1 == list->count || list->arc[i + 1] != list->arc[i];
}

static bool are_one(const plan *p, const double *a, const double *b)
{
    for (int k = 0; k < PLAN_JOINTS; k++)
        if (fabs(elbow_difference(&p->chain->joints[k], a[k], b[k])) > MEETING)
            return false;
    return true;
}

/* gives arcs that meet the same part */
static void join_parts(const plan *p, plan_nodes *nodes)
{
    const elbow_nodes *list = &nodes->list;
    int part[ELBOW_PARTS], ends[2 * ELBOW_PARTS], count = 0;
    for (int i = 0; i < list->arc_count; i++)
        part[i] = i;
    for (int i = 0; i < list->count; i++)
        if (is_first(list, i) || is_last(list, i))
            ends[count++] = i;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            const int a = part[list->arc[ends[i]]], b = part[list->arc[ends[k]]];
            if (a == b || !are_one(p, list->q[ends[i]], list->q[ends[k]]))
                continue;
            for (int arc = 0; arc < list->arc_count; arc++)
                part[arc] = part[arc] == a ? b : part[arc];
        }
    for (int i = 0; i < list->count; i++)
        nodes->part[i] = part[list->arc[i]];
}

/* all solutions at some values of a joint, each a chain of its own */
static void list_solutions(plan *p, const lb_transform *goal, plan_nodes *nodes)
{
    lb_solutions_summary summary;
    elbow_nodes *list = &nodes->list;
    list->count = lb_solutions(p->solver, goal, p->near, ELBOW_NODES, p->rows, p->infos, &summary);
    for (int i = 0; i < list->count; i++) {
        list->arc[i] = i;
        nodes->part[i] = 0;
        for (int k = 0; k < PLAN_JOINTS; k++)
            list->q[i][k] = p->rows[(size_t)i * (size_t)p->nq + (size_t)p->chain->joints[k].q];
    }
}

static double share_of(const plan *p, double place)
{
    return place / (p->places - 1);
}

void plan_list_nodes(plan *p, double place, plan_nodes *nodes)
{
    lb_transform goal = lb_path_at(p->path, share_of(p, place));
    if (!p->elbow) {
        list_solutions(p, &goal, nodes);
        return;
    }
    elbow_list_nodes(p->elbow, &goal, p->near, p->apart, &nodes->list);
    join_parts(p, nodes);
}

/* ---- from place to place ------------------------------------------------ */

/* Two places, whole or between. */
typedef struct plan_stretch {
    double begin, end;
} plan_stretch;

/* whether a branch keeps the limits while its angle goes on evenly from one place to another */
static bool is_kept(plan *p, plan_stretch at, int branch, double from, double to)
{
    for (int i = 1; i <= BETWEEN; i++) {
        const double part = i / (BETWEEN + 1.0);
        lb_transform goal = lb_path_at(p->path, share_of(p, at.begin + part * (at.end - at.begin)));
        if (lb_elbow_at(p->elbow, &goal, branch, from + part * (to - from), p->near, p->rows) !=
            LB_REACHED)
            return false;
    }
    return true;
}

static double part_of(const lb_elbow_arc *arc, double part)
{
    return arc->begin + part * (arc->end - arc->begin);
}

/* whether the arm can go from an arc of one place to one of another: at an angle that both have or,
   as short arcs may move farther than they are long, from a part of one to that of the other */
static bool leads_on(plan *p, plan_stretch at, const lb_elbow_arc *from, const lb_elbow_arc *to)
{
    const lb_elbow_arc both = {from->branch, scalar_max(from->begin, to->begin),
                               scalar_min(from->end, to->end)};
    if (from->branch != to->branch || both.begin - both.end > BRANCH_STEP)
        return false;
    // the middle first
    static const double tried[TRIED] = {0.5, 0.2, 0.8};
    for (int i = 0; i < TRIED && both.end > both.begin; i++) {
        const double angle = part_of(&both, tried[i]);
        if (is_kept(p, at, both.branch, angle, angle))
            return true;
    }
    for (int i = 0; i < TRIED; i++)
        if (is_kept(p, at, both.branch, part_of(from, tried[i]), part_of(to, tried[i])))
            return true;
    return false;
}

/* what leads to the parts of a place from those of another one */
static void link_places(plan *p, plan_stretch at, const plan_nodes *last, plan_nodes *nodes)
{
    memset(nodes->before, 0, sizeof nodes->before);
    for (int i = 0; i < nodes->list.count; i++)
        for (int k = 0; k < last->list.count && is_first(&nodes->list, i); k++) {
            uint64_t *before = &nodes->before[nodes->part[i]], bit = UINT64_C(1) << last->part[k];
            if (is_first(&last->list, k) && !(*before & bit) &&
                leads_on(p, at, &last->list.arcs[last->list.arc[k]],
                         &nodes->list.arcs[nodes->list.arc[i]]))
                *before |= bit;
        }
}

/* what leads to parts by way of the parts that are known to lead to them */
static void link_by_way(const uint64_t *first, uint64_t *before)
{
    for (int part = 0; part < ELBOW_PARTS; part++) {
        uint64_t all = 0;
        for (int i = 0; i < ELBOW_PARTS; i++)
            all |= before[part] >> i & 1 ? first[i] : 0;
        before[part] = all;
    }
}

void plan_link_parts(plan *p, int place, int pieces, const plan_nodes *last, plan_nodes *nodes)
{
    if (!p->elbow) {
        memset(nodes->before, 0xff, sizeof nodes->before);
        return;
    }
    for (int i = 1; i <= pieces; i++) {
        plan_nodes *next = i < pieces ? &p->nodes[2 + i % 2] : nodes;
        const double part = 1.0 / pieces, begin = place - 1 + (i - 1) * part;
        if (i < pieces)
            plan_list_nodes(p, begin + part, next);
        link_places(p, (plan_stretch){begin, begin + part}, last, next);
        if (i > 1)
            link_by_way(last->before, next->before);
        last = next;
    }
}
