/*
 * plan.c - a shortest path through the sampled solutions of a redundant arm along a path.
 *
 * Dynamic programming from place to place (as Ferrentino & Chiacchio 2020 sample the redundancy
 * of a path): nodes of neighbouring places are linked where no joint moves far, a link costs the
 * square of its length and more near limits, and a jump costs more than any path without one. Only
 * the last place's costs and every node's predecessor are kept; the nodes of the path itself are
 * computed again.
 */
#include "motion/plan.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/scalar.h"

#include <string.h>

/* joints move no farther between two places, radians or metres: what three values of the spare
   joint are apart. Other branches are farther, except beside a singularity, where they meet */
#define LINKED 0.4
/* a jump costs more than PLAN_PLACES links of the longest kind */
#define JUMP_COST 1e4
/* nearer to a limit than this costs as much as a step of the same length: radians or metres */
#define MARGIN 0.1
/* where between two places a jump is */
#define JUMP_PART 0.5

/* ---- making ------------------------------------------------------------- */

static lb_status take_memory(plan *p, const lb_allocator *memory, lb_error *error)
{
    size_t nq = (size_t)p->nq;
    for (int i = 0; i < 2; i++) {
        p->rows[i] = memory_take(memory, PLAN_NODES * nq, sizeof(double));
        p->costs[i] = memory_take(memory, PLAN_NODES, sizeof(double));
    }
    p->infos = memory_take(memory, PLAN_NODES, sizeof *p->infos);
    p->from = memory_take(memory, (size_t)PLAN_PLACES * PLAN_NODES, sizeof *p->from);
    p->q = memory_take(memory, PLAN_PLACES * nq, sizeof(double));
    p->near = memory_take(memory, nq, sizeof(double));
    p->jumps = memory_take(memory, PLAN_PLACES, sizeof *p->jumps);
    return memory_pool_failed(memory) ? error_out_of_memory(error) : LB_OK;
}

lb_status plan_create(plan *p, const lb_model *model, const lb_task *task, const lb_path *path,
                      const lb_ik_options *options, const lb_allocator *pool, lb_error *error)
{
    *p = (plan){.model = model, .path = path};
    p->nq = lb_model_nq(model);
    lb_solutions_options all = lb_solutions_options_default();
    all.redundancy = PLAN_VALUES;
    all.length = options->length;
    all.width = options->width;
    lb_error unsupported;
    lb_status status = lb_solutions_create(model, task, &all, pool, &p->solver, &unsupported);
    if (status == LB_OK && lb_solutions_class(p->solver) == LB_ARM_REDUNDANT)
        return take_memory(p, pool, error);
    lb_solutions_release(p->solver);
    p->solver = NULL;
    if (status == LB_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    return LB_OK;
}

/* ---- nodes and links ---------------------------------------------------- */

/* the solutions of a place, into rows[side]; returns how many */
static int list(plan *p, int place, int side)
{
    lb_solutions_summary summary;
    lb_transform goal = lb_path_at(p->path, (double)place / (PLAN_PLACES - 1));
    return lb_solutions(p->solver, &goal, p->near, PLAN_NODES, p->rows[side], p->infos, &summary);
}

/* what it costs to be at q: something near limits */
static double place_cost(const plan *p, const double *q)
{
    double cost = 0;
    for (int i = 0; i < lb_model_joint_count(p->model); i++) {
        const lb_joint *joint = lb_model_joint(p->model, i);
        int at = lb_model_joint_q(p->model, i);
        if (joint->mimic || (joint->kind != LB_JOINT_REVOLUTE && joint->kind != LB_JOINT_PRISMATIC))
            continue;
        double margin = scalar_min(q[at] - joint->lower[0], joint->upper[0] - q[at]);
        double lack = scalar_max(MARGIN - margin, 0);
        cost += lack * lack;
    }
    return cost;
}

/* the square of the step between two nodes, INFINITY: no link */
static double link_cost(const plan *p, const double *from, const double *to)
{
    double sum = 0;
    for (int i = 0; i < p->nq; i++) {
        double d = to[i] - from[i];
        if (fabs(d) > LINKED)
            return INFINITY;
        sum += d * d;
    }
    return sum;
}

/* the cheapest path to each of `count` nodes of a place, from the `before` ones of the last */
static void link_place(plan *p, int place, int side, int before, int count)
{
    const double *last = p->rows[!side], *rows = p->rows[side];
    const double *last_costs = p->costs[!side];
    double *costs = p->costs[side];
    int *from = p->from + (size_t)place * PLAN_NODES;
    double cheapest = INFINITY;
    for (int i = 0; i < before; i++)
        cheapest = scalar_min(last_costs[i], cheapest);
    for (int k = 0; k < count; k++) {
        const double *to = rows + (size_t)k * (size_t)p->nq;
        costs[k] = cheapest + JUMP_COST;
        from[k] = -1;
        for (int i = 0; i < before; i++) {
            if (last_costs[i] >= costs[k])
                continue;
            double cost = last_costs[i] + link_cost(p, last + (size_t)i * (size_t)p->nq, to);
            if (cost >= costs[k])
                continue;
            costs[k] = cost;
            from[k] = i;
        }
        costs[k] += place_cost(p, to);
    }
}

static int cheapest_node(const double *costs, int count)
{
    int best = 0;
    for (int i = 1; i < count; i++)
        best = costs[i] < costs[best] ? i : best;
    return best;
}

/* ---- planning ----------------------------------------------------------- */

/* the nodes of the first place: the start alone, or all; returns how many */
static int begin_nodes(plan *p, const double *start, bool any)
{
    int count = 1;
    if (any)
        count = list(p, 0, 0);
    else
        memcpy(p->rows[0], start, (size_t)p->nq * sizeof *start);
    // far starts cost as links do, so that of equal paths the nearer one is taken
    for (int i = 0; i < count; i++) {
        p->from[i] = -1;
        p->costs[0][i] = any ? p->infos[i].distance * p->infos[i].distance : 0;
    }
    return count;
}

/* the path that ends at a node of the last place, from back to front */
static void trace_back(plan *p, int node, const double *start, bool any)
{
    size_t size = (size_t)p->nq * sizeof *p->q;
    p->jump_count = 0;
    for (int place = PLAN_PLACES - 1; place >= 0; place--) {
        double *q = p->q + (size_t)place * (size_t)p->nq;
        int count = place > 0 || any ? list(p, place, 0) : 0;
        if (count > 0)
            memcpy(q, p->rows[0] + (size_t)node * (size_t)p->nq, size);
        else
            memcpy(q, start, size);
        int from = p->from[(size_t)place * PLAN_NODES + (size_t)node];
        p->jumps[place] = place > 0 && from < 0;
        p->jump_count += p->jumps[place];
        // after a jump the path before ends at the cheapest node, which is kept there
        node = from >= 0 || place == 0 ? from : p->ends[place - 1];
    }
}

bool plan_make(plan *p, const double *start, bool any)
{
    memcpy(p->near, start, (size_t)p->nq * sizeof *start);
    int before = begin_nodes(p, start, any), side = 0;
    for (int place = 1; place < PLAN_PLACES && before > 0; place++) {
        p->ends[place - 1] = cheapest_node(p->costs[side], before);
        side = !side;
        int count = list(p, place, side);
        link_place(p, place, side, before, count);
        before = count;
    }
    if (before > 0)
        trace_back(p, cheapest_node(p->costs[side], before), start, any);
    return before > 0;
}

void plan_at(const plan *p, double share, double *q)
{
    double at = scalar_clamp(share, 0, 1) * (PLAN_PLACES - 1), whole = floor(at);
    int place = (int)whole, next = place + 1 < PLAN_PLACES ? place + 1 : place;
    double part = at - whole;
    if (p->jumps[next] && next > place)
        part = part < JUMP_PART ? 0 : 1;
    const double *a = p->q + (size_t)place * (size_t)p->nq;
    const double *b = p->q + (size_t)next * (size_t)p->nq;
    for (int i = 0; i < p->nq; i++)
        q[i] = a[i] + part * (b[i] - a[i]);
}

bool plan_jumps(const plan *p, double begin, double end)
{
    for (int place = 1; place < PLAN_PLACES; place++) {
        double at = (place - 1 + JUMP_PART) / (PLAN_PLACES - 1);
        if (p->jumps[place] && begin < at && at <= end)
            return true;
    }
    return false;
}
