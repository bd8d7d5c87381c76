/*
 * plan.c - the fewest jumps of a redundant arm along a path, and a short motion with so few.
 *
 * The set that can be reached at a place is a list of straight pieces. A piece of the next place is
 * reached between two bounds: two pieces come within one step of each other where each joint does,
 * which are linear inequalities in one parameter of each. A set that leads nowhere is given up as
 * late as can be and all of the next place taken, so that the number of jumps is the least.
 *
 * Ends of reached pieces have the cost of the cheapest motion to them, in between it is linear: the
 * square of the speed, and more near limits, integrated over the path. The motion is taken from
 * back to front.
 */
#include "motion/plan.h"

#include "base/error.h"
#include "base/memory.h"
#include "ik/solutions.h"
#include "math/scalar.h"

#include <string.h>

/* places of a path: of arcs so many at least and at most, of sampled solutions always so many */
enum { PLACES_LEAST = 193, PLACES_MOST = 2049, PLACES_SAMPLED = 49 };
/* values of the spare joint: an eighth of a radian apart over a whole turn */
enum { VALUES = 48 };
/* sampled solutions are linked where no joint moves farther, radians or metres: what three values
   of the spare joint are apart. Other branches are farther, except beside a singularity */
#define LINKED 0.4
/* arcs are linked where no joint moves farther than BRANCH_STEP or, where that leads nowhere, than
   so many times that */
#define FARTHEST 4
/* pieces between two places that are looked at where arcs seem to end */
enum { MOST_PIECES = 8 };
/* by this share steps are smaller than joints allow: pieces are straight, the arcs are not */
#define SPARE 0.02
/* steps by which rounding to floats may exceed them */
#define ROUNDED 1e-5
/* radians between nodes at first: the chord is off its arc by their square, halved and quartered.
   Where room runs out they are twice as far apart, so often at most */
#define NODE_STEP 0.12
enum { DOUBLED = 4 };
/* ends of pieces that room is made for, of a place */
enum { ENDS_USUAL = 320 };
/* disjoint parts of one piece that are reached */
enum { REACHED_MOST = 8 };
/* nearer to a limit than this costs, radians or metres: as much as a whole path's way of so many
   times the lack of it */
#define MARGIN 0.1
#define MARGIN_WEIGHT 48.0
/* where between two places a jump is */
#define JUMP_PART 0.5

/* ---- making ------------------------------------------------------------- */

bool plan_is_known(const plan *p)
{
    return p->elbow || p->solver;
}

static lb_status take_memory(plan *p, const lb_allocator *memory, lb_error *error)
{
    size_t nq = (size_t)p->nq, places = (size_t)p->places;
    p->room = p->places * ENDS_USUAL;
    p->rows = memory_take(memory, ELBOW_NODES * nq, sizeof(double));
    p->infos = memory_take(memory, ELBOW_NODES, sizeof *p->infos);
    p->nodes = memory_take(memory, 4, sizeof *p->nodes);
    p->pieces = memory_take(memory, PLAN_PIECES, sizeof *p->pieces);
    p->ends = memory_take(memory, (size_t)p->room, sizeof *p->ends);
    p->first = memory_take(memory, places + 1, sizeof *p->first);
    p->q = memory_take(memory, places * PLAN_JOINTS, sizeof(double));
    p->jumps = memory_take(memory, places, sizeof *p->jumps);
    p->near = memory_take(memory, nq, sizeof(double));
    return memory_pool_failed(memory) ? error_out_of_memory(error) : LB_OK;
}

/* joints move by no more than `most` from place to place, nor than they may */
static void limit_steps(plan *p, double most)
{
    for (int k = 0; k < PLAN_JOINTS; k++)
        p->step[k] = (1 - SPARE) * scalar_min(p->bound[k], most);
}

/* how many places, and how far joints may move from one to the next */
static void choose_places(plan *p, const lb_follow *how, const pace *speeds)
{
    const double frames = how->frames > 1 ? how->frames - 1 : 1;
    double fastest = 0;
    for (int k = 0; k < PLAN_JOINTS; k++) {
        const lb_joint *joint = lb_model_joint(p->model, p->chain->joints[k].joint);
        p->bound[k] = scalar_min(pace_step(speeds, joint), how->jump > 0 ? how->jump : INFINITY);
        fastest = isfinite(p->bound[k]) ? scalar_max(p->bound[k], fastest) : fastest;
    }
    // between two frames no joint has to go farther than all around
    const double turn = scalar_min(fastest, 2 * LB_PI);
    const double each = scalar_max(ceil(turn / BRANCH_STEP), ceil((PLACES_LEAST - 1) / frames));
    p->places = p->elbow ? 1 + (int)scalar_min(frames * each, PLACES_MOST - 1) : PLACES_SAMPLED;
    for (int k = 0; k < PLAN_JOINTS; k++)
        p->bound[k] *= frames / (p->places - 1);
}

lb_status plan_create(plan *p, const lb_model *model, const lb_follow *how,
                      const lb_ik_options *options, const pace *speeds, const lb_allocator *pool,
                      lb_error *error)
{
    *p = (plan){.model = model, .path = how->path, .nq = lb_model_nq(model)};
    lb_error unsupported;
    lb_status status = lb_elbow_create(model, &how->task, pool, &p->elbow, &unsupported);
    // arcs that are followed are too slow for so many places, and have no branches
    if (status == LB_OK && lb_elbow_joint(p->elbow) == LB_ELBOW_LENGTH) {
        lb_elbow_release(p->elbow);
        p->elbow = NULL;
        status = LB_UNSUPPORTED;
    }
    if (status == LB_UNSUPPORTED) {
        lb_solutions_options all = lb_solutions_options_default();
        all.redundancy = VALUES;
        all.length = options->length;
        all.width = options->width;
        status = lb_solutions_create(model, &how->task, &all, pool, &p->solver, &unsupported);
    }
    if (p->solver && lb_solutions_class(p->solver) != LB_ARM_REDUNDANT) {
        lb_solutions_release(p->solver);
        p->solver = NULL;
    }
    if (status == LB_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    if (!plan_is_known(p))
        return LB_OK;
    p->chain = p->elbow ? &p->elbow->chain : &p->solver->finder.chain;
    choose_places(p, how, speeds);
    return take_memory(p, pool, error);
}

/* ---- pieces ------------------------------------------------------------- */

/* sets a piece's end and its box */
static void set_end(const plan *p, plan_piece *piece, const double *end)
{
    for (int k = 0; k < PLAN_JOINTS; k++) {
        piece->d[k] = elbow_difference(&p->chain->joints[k], piece->q[k], end[k]);
        piece->middle[k] = piece->q[k] + 0.5 * piece->d[k];
        piece->half[k] = 0.5 * fabs(piece->d[k]);
    }
}

/* takes the pieces of a place's set */
static void take_pieces(plan *p, int place)
{
    p->piece_count = 0;
    for (int i = p->first[place]; i < p->first[place + 1]; i++) {
        const plan_end *a = &p->ends[i], *b = a->joined ? a + 1 : a;
        if (!a->joined && i > p->first[place] && a[-1].joined)
            continue;
        plan_piece *piece = &p->pieces[p->piece_count++];
        double end[PLAN_JOINTS];
        for (int k = 0; k < PLAN_JOINTS; k++) {
            piece->q[k] = a->q[k];
            end[k] = b->q[k];
        }
        piece->before = a->before;
        piece->part = a->part;
        piece->cost[0] = a->cost;
        piece->cost[1] = b->cost;
        set_end(p, piece, end);
    }
}

/* whether the boxes of pieces are within a step */
static bool are_near(const plan *p, const plan_piece *a, const plan_piece *b)
{
    for (int k = 0; k < PLAN_JOINTS; k++) {
        const double way = elbow_difference(&p->chain->joints[k], a->middle[k], b->middle[k]);
        if (fabs(way) > a->half[k] + b->half[k] + p->step[k])
            return false;
    }
    return true;
}

/* keeps the part of [u[0], u[1]] where c + e u <= 0 */
static void restrict_part(double c, double e, double u[2])
{
    if (e > 0)
        u[1] = scalar_min(u[1], -c / e);
    else if (e < 0)
        u[0] = scalar_max(u[0], -c / e);
    else if (c > 0)
        u[1] = -INFINITY;
}

/* A bound of one piece's parameter: c + e u. */
typedef struct plan_bound {
    double c, e;
} plan_bound;

/*
 * Keeps the part of a piece that some point of another one is within a step of. Each joint bounds
 * the other's parameter from both sides; no lower bound may be above an upper one (Fourier and
 * Motzkin's elimination).
 */
static void restrict_reach(const plan *p, const plan_piece *from, const plan_piece *to, double u[2])
{
    plan_bound low[PLAN_JOINTS + 1] = {{0, 0}}, high[PLAN_JOINTS + 1] = {{1, 0}};
    int count = 1;
    for (int k = 0; k < PLAN_JOINTS; k++) {
        const double a = from->d[k], b = to->d[k], step = p->step[k];
        const double way = elbow_difference(&p->chain->joints[k], from->middle[k], to->middle[k]);
        const double g = way + 0.5 * (a - b);
        if (a == 0) {
            restrict_part(g - step, b, u);
            restrict_part(-g - step, -b, u);
            continue;
        }
        low[count] = (plan_bound){(g - copysign(step, a)) / a, b / a};
        high[count++] = (plan_bound){(g + copysign(step, a)) / a, b / a};
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count && u[0] <= u[1]; k++)
            restrict_part(low[i].c - high[k].c, low[i].e - high[k].e, u);
}

/* A point of the last place's set. */
typedef struct plan_origin {
    const plan_piece *piece;
    double part, cost; /* INFINITY: there is none */
} plan_origin;

/* the point of a piece from which q is reached at the least cost, if that is less; the steps of
   joints may be so many times as long */
static void compare_origin(const plan *p, const plan_piece *from, const double *q, double longer,
                           plan_origin *best)
{
    double t[2] = {0, 1}, g[PLAN_JOINTS], squares = 0, products = 0, lengths = 0;
    for (int k = 0; k < PLAN_JOINTS; k++) {
        const double a = from->d[k];
        const double way = elbow_difference(&p->chain->joints[k], from->middle[k], q[k]);
        if (fabs(way) > from->half[k] + longer * p->step[k] + ROUNDED)
            return;
        g[k] = way + 0.5 * a;
        squares += g[k] * g[k];
        products += g[k] * a;
        lengths += a * a;
    }
    for (int k = 0; k < PLAN_JOINTS && isfinite(longer); k++) {
        const double step = longer * p->step[k] + ROUNDED;
        restrict_part(g[k] - step, -from->d[k], t);
        restrict_part(-g[k] - step, from->d[k], t);
    }
    if (t[0] > t[1])
        return;
    const double weight = p->places - 1, rise = from->cost[1] - from->cost[0];
    const double least = lengths > 0 ? (products - 0.5 * rise / weight) / lengths : 0;
    const double part = scalar_clamp(least, t[0], t[1]);
    const double cost =
        from->cost[0] + part * rise + weight * (squares + part * (part * lengths - 2 * products));
    if (cost < best->cost)
        *best = (plan_origin){from, part, cost};
}

/* ---- sets --------------------------------------------------------------- */

/* the cheapest point of the taken pieces from which q is reached in a step, or one so many times as
   long */
static plan_origin find_origin(const plan *p, uint64_t before, const double *q, double longer)
{
    plan_origin best = {.cost = INFINITY};
    for (int i = 0; i < p->piece_count; i++)
        if (before >> p->pieces[i].part & 1)
            compare_origin(p, &p->pieces[i], q, longer, &best);
    return best;
}

/* what it costs to be at q: something near limits */
static double place_cost(const plan *p, const double *q)
{
    double cost = 0;
    for (int k = 0; k < PLAN_JOINTS; k++) {
        const closed_joint *joint = &p->chain->joints[k];
        const double lack = MARGIN - scalar_min(q[k] - joint->lower, joint->upper - q[k]);
        cost += lack > 0 ? lack * lack : 0;
    }
    return cost * (MARGIN_WEIGHT * MARGIN_WEIGHT) / (p->places - 1);
}

/* the piece between two nodes of a place, or the single node */
static plan_piece piece_between(const plan *p, const plan_nodes *nodes, int a, int b, bool jumps)
{
    plan_piece piece = {.part = nodes->part[a], .before = nodes->before[nodes->part[a]]};
    memcpy(piece.q, nodes->list.q[a], sizeof piece.q);
    set_end(p, &piece, nodes->list.q[b]);
    if (jumps)
        piece.before = UINT64_MAX;
    return piece;
}

/* Disjoint parts of a piece, in order. */
typedef struct plan_parts {
    int count;
    double u[REACHED_MOST][2];
} plan_parts;

/* adds a part; those that it touches become one with it */
static void add_part(plan_parts *all, const double u[2])
{
    double begin = u[0], end = u[1];
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        if (all->u[i][1] < begin || all->u[i][0] > end) {
            memmove(all->u[kept++], all->u[i], sizeof all->u[i]);
            continue;
        }
        begin = scalar_min(all->u[i][0], begin);
        end = scalar_max(all->u[i][1], end);
    }
    all->count = kept < REACHED_MOST ? kept + 1 : kept;
    all->u[all->count - 1][0] = begin;
    all->u[all->count - 1][1] = end;
}

/* what of a piece is reached from the taken ones */
static void find_reached(const plan *p, const plan_piece *piece, plan_parts *all)
{
    all->count = 0;
    for (int i = 0; i < p->piece_count; i++) {
        double u[2] = {0, 1};
        if (!(piece->before >> p->pieces[i].part & 1) || !are_near(p, &p->pieces[i], piece))
            continue;
        restrict_reach(p, &p->pieces[i], piece, u);
        if (u[0] <= u[1])
            add_part(all, u);
        if (all->count == 1 && all->u[0][0] <= 0 && all->u[0][1] >= 1)
            return;
    }
}

/* adds an end to the set of a place, with what it costs to come to it; false: there is no room */
static bool add_end(plan *p, int place, const plan_piece *whole, double u, bool jumps)
{
    int *count = &p->first[place + 1];
    if (*count == p->room || *count - p->first[place] == PLAN_PIECES)
        return false;
    plan_end *end = &p->ends[(*count)++];
    *end = (plan_end){.before = whole->before, .part = (uint8_t)whole->part};
    double q[PLAN_JOINTS];
    for (int k = 0; k < PLAN_JOINTS; k++) {
        q[k] = whole->q[k] + u * whole->d[k];
        end->q[k] = (float)q[k];
    }
    const double longer = jumps ? INFINITY : 1;
    end->cost = (float)(find_origin(p, whole->before, q, longer).cost + place_cost(p, q));
    return true;
}

/* adds what is reached of a piece; *joined: the last end that was added is its begin, and then
   whether it is its end; false: no room */
static bool add_reached(plan *p, int place, const plan_piece *whole, bool jumps, bool *joined)
{
    plan_parts reached = {.count = 1, .u = {{0, 1}}};
    bool fits = true, goes_on = *joined;
    *joined = false;
    if (!jumps)
        find_reached(p, whole, &reached);
    for (int k = 0; k < reached.count && fits; k++) {
        const double *u = reached.u[k];
        if (!goes_on || k > 0 || u[0] > 0)
            fits = add_end(p, place, whole, u[0], jumps);
        p->ends[p->first[place + 1] - 1].joined = fits;
        fits = fits && add_end(p, place, whole, u[1], jumps);
        *joined = u[1] >= 1;
    }
    return fits;
}

/* the set of a place: what is reached of its nodes from the taken pieces or, where it is a jump,
   all; false: no room */
static bool add_set(plan *p, int place, const plan_nodes *nodes, bool jumps)
{
    const elbow_nodes *list = &nodes->list;
    bool fits = true, joined = false;
    p->first[place + 1] = p->first[place];
    for (int i = 0; i < list->count && fits; i++) {
        const bool inner = i > 0 && list->arc[i - 1] == list->arc[i];
        const bool last = i + 1 == list->count || list->arc[i + 1] != list->arc[i];
        if (inner && last)
            continue;
        const plan_piece whole = piece_between(p, nodes, i, last ? i : i + 1, jumps);
        joined = joined && inner;
        fits = add_reached(p, place, &whole, jumps, &joined);
    }
    return fits;
}

/* ---- planning ----------------------------------------------------------- */

/* the part of the node that is nearest to a configuration */
static int nearest_part(const plan *p, const plan_nodes *nodes, const double *q)
{
    double least = INFINITY;
    int part = 0;
    for (int i = 0; i < nodes->list.count; i++) {
        double square = 0;
        for (int k = 0; k < PLAN_JOINTS; k++) {
            const double way = elbow_difference(&p->chain->joints[k], nodes->list.q[i][k], q[k]);
            square += way * way;
        }
        if (square >= least)
            continue;
        least = square;
        part = nodes->part[i];
    }
    return part;
}

/* the set of the first place: the start alone, or all, which cost as they are far; false: no room
 */
static bool begin_sets(plan *p, bool any)
{
    plan_piece *start = &p->pieces[0];
    *start = (plan_piece){.before = UINT64_MAX};
    p->piece_count = 1;
    for (int k = 0; k < PLAN_JOINTS; k++)
        start->q[k] = p->near[p->chain->joints[k].q];
    set_end(p, start, start->q);
    plan_list_nodes(p, 0, &p->nodes[0]);
    p->first[0] = p->first[1] = 0;
    if (any)
        return add_set(p, 0, &p->nodes[0], true);
    const bool fits = add_end(p, 0, start, 0, true);
    p->ends[0].part = (uint8_t)nearest_part(p, &p->nodes[0], start->q);
    return fits;
}

/* the point of a place's set that is cheapest to come to */
static plan_origin cheapest_end(const plan *p)
{
    plan_origin best = {.cost = INFINITY};
    for (int i = 0; i < p->piece_count; i++)
        for (int side = 0; side < 2; side++)
            if (p->pieces[i].cost[side] < best.cost)
                best = (plan_origin){&p->pieces[i], side, p->pieces[i].cost[side]};
    return best;
}

/* the last place before this one that is reached */
static int place_before(const plan *p, int place)
{
    do
        place--;
    while (place >= 0 && p->first[place] == p->first[place + 1]);
    return place;
}

/* a value at a limit, where rounding has moved it from there */
static double without_rounding(const closed_joint *joint, double q)
{
    if (fabs(q - joint->lower) < ROUNDED)
        return joint->lower;
    return fabs(q - joint->upper) < ROUNDED ? joint->upper : q;
}

/* the motion that ends cheapest, from back to front */
static void trace_back(plan *p)
{
    uint64_t before = 0;
    int place = place_before(p, p->places), next = -1;
    for (; place >= 0; next = place, place = place_before(p, place)) {
        double *q = p->q + (size_t)place * PLAN_JOINTS;
        take_pieces(p, place);
        plan_origin at = {0};
        if (next < 0)
            at = cheapest_end(p);
        // more than a step where rounding has taken it from the set
        for (double longer = next >= 0 && p->jumps[next] ? INFINITY : 1; !at.piece; longer *= 1.01)
            at = find_origin(p, before, p->q + (size_t)next * PLAN_JOINTS, longer);
        for (int k = 0; k < PLAN_JOINTS; k++)
            q[k] =
                without_rounding(&p->chain->joints[k], at.piece->q[k] + at.part * at.piece->d[k]);
        before = at.piece->before;
    }
}

/* turns go on from place to place */
static void unwind(plan *p)
{
    double last[PLAN_JOINTS];
    for (int k = 0; k < PLAN_JOINTS; k++)
        last[k] = p->near[p->chain->joints[k].q];
    for (int place = 0; place < p->places; place++)
        for (int k = 0; k < PLAN_JOINTS && p->first[place] < p->first[place + 1]; k++) {
            double *q = &p->q[(size_t)place * PLAN_JOINTS + (size_t)k];
            last[k] += elbow_difference(&p->chain->joints[k], last[k], *q);
            *q = last[k];
        }
}

/* the set of a place that is reached from the last one's; where that is empty it is looked for in
   more pieces, and farther: arcs or the path may move far between two places. False: no room */
static bool reach_set(plan *p, int place)
{
    plan_nodes *nodes = &p->nodes[place & 1], *before = &p->nodes[!(place & 1)];
    bool fits = true, reached = false;
    for (int pieces = 1; fits && !reached && pieces <= MOST_PIECES; pieces *= MOST_PIECES) {
        plan_link_parts(p, place, pieces, before, nodes);
        for (double longer = 1; fits && !reached && longer <= FARTHEST; longer *= 2) {
            limit_steps(p, longer * (p->elbow ? BRANCH_STEP : LINKED));
            fits = add_set(p, place, nodes, false);
            reached = p->first[place] < p->first[place + 1];
            if (!p->elbow)
                return fits;
        }
    }
    return fits;
}

/* the sets of all places with the fewest jumps; false: there is no room */
static bool make_sets(plan *p, bool any)
{
    int last = 0;
    p->jump_count = 0;
    if (!begin_sets(p, any))
        return false;
    for (int place = 1; place < p->places; place++) {
        bool fits = true;
        plan_list_nodes(p, place, &p->nodes[place & 1]);
        take_pieces(p, last);
        p->first[place + 1] = p->first[place];
        if (place - last == 1)
            fits = reach_set(p, place);
        p->jumps[place] = fits && p->first[place] == p->first[place + 1];
        if (p->jumps[place])
            fits = add_set(p, place, &p->nodes[place & 1], true);
        if (!fits)
            return false;
        // a place that nothing reaches is left out
        const bool reached = p->first[place] < p->first[place + 1];
        p->jumps[place] = p->jumps[place] && reached;
        p->jump_count += p->jumps[place];
        last = reached ? place : last;
    }
    return true;
}

bool plan_make(plan *p, const double *start, bool any)
{
    bool fits = false;
    memcpy(p->near, start, (size_t)p->nq * sizeof *start);
    p->apart = NODE_STEP;
    for (int i = 0; i <= DOUBLED && !fits; i++, p->apart *= 2)
        fits = make_sets(p, any);
    if (!fits || p->first[0] == p->first[1])
        return false;
    trace_back(p);
    unwind(p);
    // not rounded
    for (int k = 0; k < PLAN_JOINTS && !any; k++)
        p->q[k] = start[p->chain->joints[k].q];
    return true;
}

bool plan_at(const plan *p, double share, double *q)
{
    double at = scalar_clamp(share, 0, 1) * (p->places - 1), whole = floor(at);
    int place = (int)whole, next = place + 1 < p->places ? place + 1 : place;
    double part = at - whole;
    if (p->jumps[next] && next > place)
        part = part < JUMP_PART ? 0 : 1;
    for (int i = place; i <= next; i++)
        if ((i == place ? part < 1 : part > 0) && p->first[i] == p->first[i + 1])
            return false;
    const double *a = p->q + (size_t)place * PLAN_JOINTS, *b = p->q + (size_t)next * PLAN_JOINTS;
    for (int k = 0; k < PLAN_JOINTS; k++)
        q[p->chain->joints[k].q] = a[k] + part * (b[k] - a[k]);
    return true;
}

void plan_settle(plan *p, int place, const double *q)
{
    for (int k = 0; k < PLAN_JOINTS; k++)
        p->q[(size_t)place * PLAN_JOINTS + (size_t)k] = q[p->chain->joints[k].q];
}

bool plan_jumps(const plan *p, double begin, double end)
{
    const int first = (int)scalar_max(begin * (p->places - 1), 1);
    for (int place = first; place < p->places && place <= first + end * p->places; place++) {
        double at = (place - 1 + JUMP_PART) / (p->places - 1);
        if (p->jumps[place] && begin < at && at <= end)
            return true;
    }
    return false;
}
