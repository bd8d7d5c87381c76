/*
 * grid.c - configurations at the times of a plan's grid, each from where the two before it lead.
 *
 * A descent that follows a motion may be led into a local minimum by a limit or a singularity and
 * stay there for good. So the motion is cut into parts, whose first steps, the anchors, are also
 * found from afar. Parts are followed side by side, one in each lane, from their anchors. Where a
 * part leads to the next one's anchor, which is the usual case, both are one motion. Otherwise, if
 * the anchor is no better, the part is followed on into the next; if it is much better, what
 * followed from the past was led astray: the anchor is followed back in time until it meets the
 * motion, or else to where the jump from one to the other is smallest.
 */
#include "motion/retarget/retarget.h"

#include "base/memory.h"
#include "math/scalar.h"

#include <string.h>

/* steps of a part: 0.8 seconds, the time in which an arm swings */
enum { PART = 24 };
/* radians and metres: a larger change from one step to the next is a jump */
#define LARGEST_STEP 1.0
/* radians and metres: two descents to one minimum end so near to each other. What is left does not
   show: over a step of 1/30 s it is 0.1 rad/s^2 */
#define SAME 1e-4
/* an anchor is better if it leaves less than this share of what the motion leaves of its goals, and
   the difference is to be seen: that of a limb 2 degrees off */
#define BETTER 0.5
#define SEEN 1e-3

static double *change_of(const retarget_grid *grid, int step)
{
    return grid->changes + (size_t)step * grid->nv;
}

lb_status retarget_grid_create(retarget_solver *solver, retarget_block *block, retarget_grid *grid,
                               lb_error *error)
{
    const retarget_plan *plan = solver->plan;
    const lb_allocator *memory = &plan->memory;
    size_t rows = (size_t)plan->steps + 1;
    *grid = (retarget_grid){.solver = solver,
                            .block = block,
                            .steps = plan->steps,
                            .parts = (plan->steps + PART - 1) / PART,
                            .nq = (size_t)lb_model_nq(plan->target),
                            .nv = (size_t)lb_model_nv(plan->target)};
    grid->q = memory_take(memory, rows, grid->nq * sizeof *grid->q);
    grid->changes = memory_take(memory, rows, grid->nv * sizeof *grid->changes);
    grid->arrivals = memory_take(memory, (size_t)grid->parts, grid->nq * sizeof *grid->arrivals);
    grid->drawn = memory_take(memory, rows, 1);
    grid->slow = memory_take(memory, rows, 1);
    grid->guess = memory_take(memory, grid->nq, sizeof *grid->guess);
    grid->change = memory_take(memory, grid->nv, sizeof *grid->change);
    lb_fk_batch_options root = lb_fk_batch_options_default();
    root.links = &plan->map->pairs[0].target;
    root.link_count = 1;
    lb_fk_batch_create(plan->target, &root, memory, &grid->root);
    return memory_pool_failed(memory) ? error_out_of_memory(error) : LB_OK;
}

double retarget_grid_distance(const retarget_grid *grid, const double *a, const double *b)
{
    double most = 0;
    lb_configuration_difference(grid->solver->plan->target, a, b, grid->change);
    for (size_t i = 0; i < grid->nv; i++)
        most = scalar_max(fabs(grid->change[i]), most);
    return most;
}

/* ---- following ---------------------------------------------------------------- */

void retarget_grid_extrapolate(retarget_grid *grid, const double *before, const double *now,
                               double *q)
{
    const lb_model *model = grid->solver->plan->target;
    // a joint that has just jumped does not go on like that
    bool jumped = retarget_grid_distance(grid, before, now) > LARGEST_STEP;
    memmove(q, now, grid->nq * sizeof *q);
    if (!jumped)
        lb_configuration_integrate(model, q, grid->change, q);
}

/* where the two steps before lead, `by` -1: those after, going back; none is beyond `first` */
static void extrapolate(retarget_grid *grid, int step, int first, int by, double *q)
{
    const double *now = retarget_grid_row(grid, step - by);
    if (by * (step - 2 * by - first) < 0)
        memcpy(q, now, grid->nq * sizeof *q);
    else
        retarget_grid_extrapolate(grid, retarget_grid_row(grid, step - 2 * by), now, q);
}

static double *add_step(retarget_grid *grid, int step)
{
    return retarget_block_add(grid->block, retarget_grid_time(grid->solver->plan, step),
                              retarget_grid_row(grid, step));
}

int retarget_grid_part(const retarget_grid *grid, int part)
{
    // so parts do not depend on the clip's length
    return part < grid->parts ? part * PART : grid->steps;
}

/* all anchors but the first, from the neutral configuration where the figure is */
static void find_anchors(retarget_grid *grid)
{
    for (int p = 1; p <= grid->parts; p++) {
        double *start = add_step(grid, retarget_grid_part(grid, p));
        memcpy(start, grid->solver->neutral, grid->nq * sizeof *start);
        const retarget_goal *goals = retarget_block_goals(grid->block, grid->block->count - 1);
        retarget_place_root(grid->solver, goals, start);
        if (grid->block->count < grid->block->capacity && p < grid->parts)
            continue;
        retarget_block_descend(grid->block, RETARGET_FAR);
        retarget_block_descend(grid->block, RETARGET_NEAR);
        retarget_block_finish(grid->block);
    }
}

static double *arrival_of(const retarget_grid *grid, int part)
{
    return grid->arrivals + (size_t)part * grid->nq;
}

/* the i-th steps of parts from `first` to before `last` will be wanted */
static void look_ahead(const retarget_grid *grid, int first, int last, int i)
{
    double times[RETARGET_AHEAD];
    int count = 0;
    for (int p = first; p < last && count < RETARGET_AHEAD; p++)
        if (retarget_grid_part(grid, p) + i <= retarget_grid_part(grid, p + 1))
            times[count++] =
                retarget_grid_time(grid->solver->plan, retarget_grid_part(grid, p) + i);
    retarget_look_ahead(grid->solver->plan, times, count);
}

/* parts from `first` to before `last`, each to the anchor behind it */
static void follow_parts(retarget_grid *grid, int first, int last)
{
    for (int i = 1; i <= grid->steps; i++) {
        look_ahead(grid, first, last, i);
        for (int p = first; p < last; p++) {
            int begin = retarget_grid_part(grid, p), end = retarget_grid_part(grid, p + 1),
                step = begin + i;
            if (step > end)
                continue;
            double *to = step < end ? retarget_grid_row(grid, step) : arrival_of(grid, p);
            double time = retarget_grid_time(grid->solver->plan, step);
            extrapolate(grid, step, begin, 1, retarget_block_add(grid->block, time, to));
        }
        if (grid->block->count == 0)
            break;
        retarget_block_descend(grid->block, RETARGET_NEAR);
        retarget_block_finish(grid->block);
    }
}

/* ---- joining ------------------------------------------------------------------ */

/* leads a row to its goals, and returns what it leaves of them */
static double settle(retarget_grid *grid, int step, double *q)
{
    retarget_aim(grid->solver, retarget_grid_time(grid->solver->plan, step));
    retarget_descend(grid->solver, RETARGET_NEAR, q, q);
    return retarget_cost(grid->solver, q);
}

/* goes on from the motion's end at a step until that leads to what is there, or to the next anchor,
   at which it arrives */
static void follow_on(retarget_grid *grid, int part)
{
    int step = retarget_grid_part(grid, part), end = retarget_grid_part(grid, part + 1);
    memcpy(retarget_grid_row(grid, step), arrival_of(grid, part - 1), grid->nq * sizeof(double));
    while (++step <= end) {
        double *there = step < end ? retarget_grid_row(grid, step) : arrival_of(grid, part);
        extrapolate(grid, step, 0, 1, grid->guess);
        settle(grid, step, grid->guess);
        bool same = retarget_grid_distance(grid, grid->guess, there) < SAME;
        memcpy(there, grid->guess, grid->nq * sizeof *there);
        if (same)
            return;
    }
}

/* goes back from the anchor of a part until that meets the motion, or to where they are nearest */
static lb_status follow_back(retarget_grid *grid, int part, lb_error *error)
{
    int anchor = retarget_grid_part(grid, part), first = anchor, joint = anchor;
    size_t row = grid->nq * sizeof(double);
    double least = INFINITY;
    // the rows that are there are kept while others are tried in their place
    double *kept = memory_take(&grid->solver->plan->memory, (size_t)anchor + 1, row);
    if (kept == NULL)
        return error_out_of_memory(error);
    while (first > 0 && least > SAME) {
        double *before = kept + (size_t)(first - 1) * grid->nq;
        memcpy(before, retarget_grid_row(grid, first - 1), row);
        // the jump from the row before to this one
        double jump = retarget_grid_distance(grid, before, retarget_grid_row(grid, first));
        if (jump < least)
            joint = first;
        least = fmin(jump, least);
        first--;
        extrapolate(grid, first, anchor, -1, retarget_grid_row(grid, first));
        double there = settle(grid, first, retarget_grid_row(grid, first));
        memcpy(grid->guess, before, row);
        if (retarget_grid_distance(grid, grid->guess, retarget_grid_row(grid, first)) < SAME) {
            joint = first;
            break;
        }
        // where it is no better it need not go on
        if (!(there < settle(grid, first, grid->guess)))
            break;
    }
    memcpy(retarget_grid_row(grid, first), kept + (size_t)first * grid->nq,
           row * (size_t)(joint - first));
    memory_release(&grid->solver->plan->memory, kept);
    return LB_OK;
}

/* makes one motion of what leads to an anchor and what follows from it */
static lb_status join(retarget_grid *grid, int part, lb_error *error)
{
    int step = retarget_grid_part(grid, part);
    double *arrival = arrival_of(grid, part - 1), *anchor = retarget_grid_row(grid, step);
    bool last = part == grid->parts;
    if (retarget_grid_distance(grid, arrival, anchor) < SAME)
        return LB_OK;
    double followed = settle(grid, step, arrival), found = settle(grid, step, anchor);
    if (retarget_grid_distance(grid, arrival, anchor) < SAME)
        return LB_OK;
    if (found < BETTER * followed && found < followed - SEEN)
        return follow_back(grid, part, error);
    if (last)
        memcpy(anchor, arrival, grid->nq * sizeof *anchor);
    else
        follow_on(grid, part);
    return LB_OK;
}

/* a quaternion and its opposite are the same turn: one that goes on from the row before; whether
   that has changed any */
static bool match_signs(const lb_model *model, const double *before, double *q)
{
    bool changed = false;
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        lb_joint_kind kind = lb_model_joint(model, j)->kind;
        int at = lb_model_joint_q(model, j) + (kind == LB_JOINT_FLOATING ? 3 : 0);
        if (kind != LB_JOINT_FLOATING && kind != LB_JOINT_BALL)
            continue;
        double dot = 0;
        for (int i = 0; i < 4; i++)
            dot += before[at + i] * q[at + i];
        for (int i = 0; i < 4 && dot < 0; i++)
            q[at + i] = -q[at + i];
        changed = changed || dot < 0;
    }
    return changed;
}

void retarget_grid_measure(retarget_grid *grid, int first, int last)
{
    const lb_model *model = grid->solver->plan->target;
    bool changed = true;
    // rows behind may have to change their signs, too
    for (int step = first > 0 ? first : 0; step < grid->steps && (changed || step <= last);
         step++) {
        changed =
            match_signs(model, retarget_grid_row(grid, step), retarget_grid_row(grid, step + 1));
        lb_configuration_difference(model, retarget_grid_row(grid, step),
                                    retarget_grid_row(grid, step + 1), change_of(grid, step));
    }
}

lb_status retarget_grid_solve(retarget_grid *grid, lb_error *error)
{
    const retarget_plan *plan = grid->solver->plan;
    grid->drawn_known = false;
    lb_status status =
        retarget_solve_first(grid->solver, plan->begin, plan->options->start, grid->q, error);
    if (status != LB_OK)
        return status;
    if (grid->steps > 0)
        find_anchors(grid);
    for (int p = 0; p < grid->parts; p += grid->block->capacity) {
        int last = p + grid->block->capacity;
        follow_parts(grid, p, last < grid->parts ? last : grid->parts);
    }
    for (int p = 1; p <= grid->parts && status == LB_OK; p++)
        status = join(grid, p, error);
    retarget_grid_measure(grid, 0, grid->steps);
    return status;
}

/* ---- between steps ------------------------------------------------------------- */

void retarget_grid_between(retarget_grid *grid, int step, double share, double *q)
{
    if (step == grid->steps || share == 0) {
        memcpy(q, retarget_grid_row(grid, step), grid->nq * sizeof *q);
        return;
    }
    // Catmull and Rom's cubic, as what it is away from a straight line
    const double *here = change_of(grid, step);
    const double *before = step > 0 ? here - grid->nv : here;
    const double *after = step + 1 < grid->steps ? here + grid->nv : here;
    double bend = 0.5 * share * (1 - share);
    for (size_t i = 0; i < grid->nv; i++)
        grid->change[i] = share * here[i] + bend * ((1 - share) * (before[i] - here[i]) +
                                                    share * (here[i] - after[i]));
    lb_configuration_integrate(grid->solver->plan->target, retarget_grid_row(grid, step),
                               grid->change, q);
}
