/*
 * branches.c - another path where a limb changes over to another solution within a step.
 *
 * Limits and singularities end solutions: a descent that follows a motion then goes over to another
 * one at once. Had the limb been in that one before, or gone over where both are near each other,
 * there would be no jump. So where a joint changes from one step to the next by much more than any
 * joint of the source, several candidates are found at the anchors around, from starts in which
 * the limb is anywhere, and each is followed forward and back. Of all paths through the rows of
 * these candidates the one with the least sum of squared changes of joints and of what is left of
 * the goals is taken: a shortest path, so exact among the candidates.
 */
#include "motion/retarget/retarget.h"

#include <string.h>

/* ---- shortest paths ------------------------------------------------------ */

/*
 * The cheapest path through layers of nodes, one node of each: Viterbi 1967.
 *
 * Exact: of each node the cheapest path that ends there is kept. Of equals the one with the lowest
 * index is taken, so that the path does not depend on anything else.
 */

/* the cheapest node of the layer before to come from */
static void arrive(const retarget_layers *l, int layer, int node)
{
    size_t at = (size_t)layer * (size_t)l->width;
    double *sum = &l->sums[at + (size_t)node];
    *sum = INFINITY;
    l->from[at + (size_t)node] = 0;
    for (int i = 0; i < l->width; i++) {
        double before = l->sums[at - (size_t)l->width + (size_t)i];
        if (!(before < *sum))
            continue;
        double through = before + l->edge(l->user, layer - 1, i, node);
        if (through < *sum) {
            *sum = through;
            l->from[at + (size_t)node] = i;
        }
    }
    *sum += l->nodes[at + (size_t)node];
}

double retarget_shortest_path(const retarget_layers *l, int *path)
{
    for (int i = 0; i < l->width; i++)
        l->sums[i] = l->nodes[i];
    for (int layer = 1; layer < l->count; layer++)
        for (int i = 0; i < l->width; i++)
            if (isfinite(l->nodes[(size_t)layer * (size_t)l->width + (size_t)i]))
                arrive(l, layer, i);
            else
                l->sums[(size_t)layer * (size_t)l->width + (size_t)i] = INFINITY;
    const double *ends = &l->sums[(size_t)(l->count - 1) * (size_t)l->width];
    int best = 0;
    for (int i = 1; i < l->width; i++)
        if (ends[i] < ends[best])
            best = i;
    double cost = ends[best];
    for (int layer = l->count - 1; layer >= 0; layer--) {
        path[layer] = best;
        best = l->from[(size_t)layer * (size_t)l->width + (size_t)best];
    }
    return cost;
}

/* parts of the grid around a jump */
enum { PARTS = 3 };
/* of the starts of an anchor, and paths of a stretch: the one that is there, two that go on from
   the jump, candidates */
enum { STARTS = 6, PATHS = 16 };
/* radians: candidates that are so near to each other are the same, or will be */
#define NEAR 0.05
/* radians and metres: two paths have met */
#define MET 1e-4
/* a candidate leaves at most so much more of its goals than the row that is there: a limb 18
   degrees off */
#define WORSE 0.1
/* the cost of a path must sink to this share of what it was */
#define WORTH 0.9

/* A candidate followed from its anchor: its rows reach from one step to another. */
typedef struct branch_path {
    int anchor, from, to;
    bool forward, back; /* whether it is still being followed there */
} branch_path;

/* Steps around a jump, and the paths through them. Path 0 is the motion as it is. */
typedef struct stretch {
    retarget_grid *grid;
    int first, last; /* steps */
    int jump;        /* from this step to the next */
    int count;
    branch_path paths[PATHS];
    double *q;            /* PATHS x steps rows of nq */
    double *nodes, *sums; /* steps x count */
    int *from, *chosen;
    unsigned char *limb;    /* nq: whether a value is of a limb that jumps */
    unsigned char *jumping; /* likewise, of the jump that comes next */
} stretch;

static int length_of(const stretch *s)
{
    return s->last - s->first + 1;
}

/* the row of a path at a step */
static double *path_row(const stretch *s, int path, int step)
{
    size_t row = (size_t)path * (size_t)length_of(s) + (size_t)(step - s->first);
    return s->q + row * s->grid->nq;
}

/* ---- candidates --------------------------------------------------------------- */

/* a path that is followed from a row at its anchor, where there is room for one */
static void add_path(stretch *s, int anchor, const double *q, bool forward, bool back)
{
    if (s->count == PATHS)
        return;
    memcpy(path_row(s, s->count, anchor), q, s->grid->nq * sizeof *q);
    s->paths[s->count++] = (branch_path){anchor, anchor, anchor, forward, back};
}

/* whether another path passes here */
static bool is_known(const stretch *s, int step, const double *q)
{
    for (int p = 0; p < s->count; p++)
        if (s->paths[p].from <= step && step <= s->paths[p].to &&
            retarget_grid_distance(s->grid, path_row(s, p, step), q) < NEAR)
            return true;
    return false;
}

/* other solutions at an anchor, from the row there with its limb anywhere */
static void add_candidates(stretch *s, int anchor)
{
    retarget_grid *grid = s->grid;
    retarget_solver *solver = grid->solver;
    const double *row = retarget_grid_row(grid, anchor);
    lb_random random = lb_random_seed(1);
    double *starts[STARTS];
    for (int i = 0; i < STARTS; i++) {
        starts[i] = retarget_block_add(grid->block, retarget_grid_time(solver->plan, anchor), NULL);
        lb_configuration_random(solver->plan->target, &random, grid->guess);
        for (size_t k = 0; k < grid->nq; k++) {
            double other = i == 0 ? solver->neutral[k] : grid->guess[k];
            starts[i][k] = s->limb[k] && solver->moved[k] ? other : row[k];
        }
    }
    retarget_block_descend(grid->block, RETARGET_FAR);
    retarget_block_descend(grid->block, RETARGET_NEAR);
    grid->block->count = 0;
    retarget_aim(solver, retarget_grid_time(solver->plan, anchor));
    double most = retarget_cost(solver, row) + WORSE;
    for (int i = 0; i < STARTS; i++)
        if (retarget_cost(solver, starts[i]) < most && !is_known(s, anchor, starts[i]))
            add_path(s, anchor, starts[i], true, true);
}

/* adds the next row of a path in a direction to the block */
static void add_next(stretch *s, int path, int by)
{
    branch_path *p = &s->paths[path];
    const retarget_plan *plan = s->grid->solver->plan;
    int step = by > 0 ? ++p->to : --p->from;
    double *row = path_row(s, path, step), *now = path_row(s, path, step - by);
    double *start = retarget_block_add(s->grid->block, retarget_grid_time(plan, step), row);
    memcpy(start, now, s->grid->nq * sizeof *now);
    if (by * (step - 2 * by - p->anchor) >= 0)
        retarget_grid_extrapolate(s->grid, path_row(s, path, step - 2 * by), now, start);
}

static void flush(stretch *s)
{
    retarget_block_descend(s->grid->block, RETARGET_NEAR);
    retarget_block_finish(s->grid->block);
}

/* whether a path ends at a step: it has met the motion, or there are no more steps */
static bool has_ended(const stretch *s, int path, int step)
{
    return step == s->first || step == s->last ||
           retarget_grid_distance(s->grid, path_row(s, path, step), path_row(s, 0, step)) < MET;
}

/* all paths side by side, forward and back until they meet the motion */
static void follow_paths(stretch *s)
{
    for (bool any = true; any;) {
        any = false;
        for (int p = 1; p < s->count; p++) {
            branch_path *path = &s->paths[p];
            path->forward = path->forward && path->to < s->last;
            path->back = path->back && path->from > s->first;
            any = any || path->forward || path->back;
            if (path->forward)
                add_next(s, p, 1);
            if (path->back)
                add_next(s, p, -1);
        }
        if (any)
            flush(s);
        for (int p = 1; p < s->count; p++) {
            branch_path *path = &s->paths[p];
            path->forward = path->forward && !has_ended(s, p, path->to);
            path->back = path->back && !has_ended(s, p, path->from);
        }
    }
}

/* the motion, what goes on from before the jump and from behind it, other solutions */
static void make_paths(stretch *s, int part)
{
    retarget_grid *grid = s->grid;
    s->count = 0;
    add_path(s, s->first, retarget_grid_row(grid, s->first), false, false);
    s->paths[0].to = s->last;
    memcpy(path_row(s, 0, s->first), retarget_grid_row(grid, s->first),
           (size_t)length_of(s) * grid->nq * sizeof *s->q);
    add_path(s, s->jump, retarget_grid_row(grid, s->jump), true, false);
    add_path(s, s->jump + 1, retarget_grid_row(grid, s->jump + 1), false, true);
    for (int i = 0; i <= PARTS; i++) {
        int anchor = retarget_grid_part(grid, part + i);
        if (part + i >= 0 && (i == 0 || anchor > retarget_grid_part(grid, part + i - 1)))
            add_candidates(s, anchor);
    }
    follow_paths(s);
}

/* ---- the smoothest ------------------------------------------------------------ */

/* the squared changes of all joints between two rows */
static double change_cost(const retarget_grid *grid, const double *a, const double *b)
{
    double sum = 0;
    retarget_grid_distance(grid, a, b);
    for (size_t i = 0; i < grid->nv; i++)
        sum += grid->change[i] * grid->change[i];
    return sum;
}

static double edge(void *user, int layer, int from, int to)
{
    const stretch *s = user;
    return change_cost(s->grid, path_row(s, from, s->first + layer),
                       path_row(s, to, s->first + layer + 1));
}

/* what each row leaves of its goals; at both ends also the change from and to the motion there */
static void weigh_nodes(const stretch *s)
{
    retarget_grid *grid = s->grid;
    for (int step = s->first; step <= s->last; step++) {
        retarget_aim(grid->solver, retarget_grid_time(grid->solver->plan, step));
        for (int p = 0; p < s->count; p++) {
            double *cost = &s->nodes[(size_t)(step - s->first) * (size_t)s->count + (size_t)p];
            const double *row = path_row(s, p, step);
            *cost = INFINITY;
            if (step < s->paths[p].from || step > s->paths[p].to)
                continue;
            *cost = retarget_cost(grid->solver, row);
            if (step == s->first && step > 0)
                *cost += change_cost(grid, retarget_grid_row(grid, step - 1), row);
            if (step == s->last && step < grid->steps)
                *cost += change_cost(grid, row, retarget_grid_row(grid, step + 1));
        }
    }
}

/* the cost of the motion as it is */
static double present_cost(const stretch *s)
{
    double sum = s->nodes[0];
    for (int i = 1; i < length_of(s); i++)
        sum += s->nodes[(size_t)i * (size_t)s->count] + edge((void *)s, i - 1, 0, 0);
    return sum;
}

/* puts the smoothest path in the motion's place; whether there is a better one */
static bool take_smoothest(stretch *s)
{
    retarget_layers layers = {.count = length_of(s),
                              .width = s->count,
                              .nodes = s->nodes,
                              .edge = edge,
                              .user = s,
                              .sums = s->sums,
                              .from = s->from};
    weigh_nodes(s);
    if (!(retarget_shortest_path(&layers, s->chosen) < WORTH * present_cost(s)))
        return false;
    for (int step = s->first; step <= s->last; step++)
        memcpy(retarget_grid_row(s->grid, step), path_row(s, s->chosen[step - s->first], step),
               s->grid->nq * sizeof *s->q);
    return true;
}

/* whether the motion has another path now */
static bool smooth_jump(stretch *s, int step)
{
    int part = 0;
    while (retarget_grid_part(s->grid, part + 1) <= step)
        part++;
    part -= PARTS / 2;
    int first = part > 0 ? retarget_grid_part(s->grid, part) : 0;
    memset(s->jumping, 0, s->grid->nq);
    retarget_find_limbs(s->grid, step, s->jumping);
    // one search is enough for all jumps of a limb in the same part
    if (s->count > 0 && first == s->first && memcmp(s->jumping, s->limb, s->grid->nq) == 0)
        return false;
    memcpy(s->limb, s->jumping, s->grid->nq);
    s->jump = step;
    s->first = first;
    s->last = retarget_grid_part(s->grid, part + PARTS);
    make_paths(s, part);
    return take_smoothest(s);
}

/* ---- all of them ---------------------------------------------------------------- */

static lb_status create(stretch *s, retarget_grid *grid, lb_error *error)
{
    const lb_allocator *memory = &grid->solver->plan->memory;
    size_t steps = (size_t)retarget_grid_part(grid, PARTS) + 1;
    *s = (stretch){.grid = grid};
    s->q = memory_take(memory, PATHS * steps, grid->nq * sizeof *s->q);
    s->nodes = memory_take(memory, PATHS * steps, sizeof *s->nodes);
    s->sums = memory_take(memory, PATHS * steps, sizeof *s->sums);
    s->from = memory_take(memory, PATHS * steps, sizeof *s->from);
    s->chosen = memory_take(memory, steps, sizeof *s->chosen);
    s->limb = memory_take(memory, grid->nq, 1);
    s->jumping = memory_take(memory, grid->nq, 1);
    return memory_pool_failed(memory) ? error_out_of_memory(error) : LB_OK;
}

lb_status retarget_smooth_branches(retarget_grid *grid, lb_error *error)
{
    const lb_allocator *memory = &grid->solver->plan->memory;
    const lb_model *source = lb_clip_model(grid->solver->plan->source);
    size_t size = (size_t)(lb_model_nq(source) + lb_model_nv(source));
    stretch s = {.grid = NULL};
    lb_status status = LB_OK;
    double *room = memory_take(memory, size, sizeof *room);
    if (room == NULL)
        return error_out_of_memory(error);
    for (int step = 0; step < grid->steps && status == LB_OK; step++) {
        if (!retarget_is_jump(grid, step, room))
            continue;
        if (s.grid == NULL)
            status = create(&s, grid, error);
        if (status == LB_OK && smooth_jump(&s, step))
            retarget_grid_measure(grid, s.first - 1, s.last);
    }
    return status;
}
