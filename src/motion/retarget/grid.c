/*
 * grid.c - configurations at the times of a plan's grid, each from where the two before it lead.
 *
 * A descent that follows a motion may be led into a local minimum by a limit or a singularity and
 * stay there for good. So the motion is cut into parts, whose first steps, the anchors, are also
 * found from afar. Parts are followed side by side, one in each lane, from their anchors. Where a
 * part leads to the next one's anchor, which is the usual case, both are one motion. Otherwise the
 * motion jumps there, from one solution to another. It is followed on behind the jump, and what is
 * behind it back in time, each until they meet; and it goes over where that leaves least of the
 * goals and of the squares of all changes from step to step.
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
/* steps that a motion is followed back from an anchor at most, 12 seconds; and that another jump is
   moved */
enum { LONGEST_JOINT = 360, MOVED = 2 * PART };

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
    grid->joints = memory_take(memory, 2 * LONGEST_JOINT, grid->nq * sizeof *grid->joints);
    const lb_model *source = lb_clip_model(plan->source);
    size_t numbers = (size_t)(lb_model_nq(source) + lb_model_nv(source));
    grid->source = memory_take(memory, numbers, sizeof *grid->source);
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

/* the most that a value differs between two configurations; the change is left in grid->change */
static double distance(const retarget_grid *grid, const double *a, const double *b)
{
    double most = 0;
    lb_configuration_difference(grid->solver->plan->target, a, b, grid->change);
    for (size_t i = 0; i < grid->nv; i++)
        most = scalar_max(fabs(grid->change[i]), most);
    return most;
}

/* ---- following ---------------------------------------------------------------- */

/* where two configurations lead that follow each other a step apart; `before` NULL: there is none
 */
static void extrapolate(retarget_grid *grid, const double *before, const double *now, double *q)
{
    const lb_model *model = grid->solver->plan->target;
    // a joint that has just jumped does not go on like that
    bool goes_on = before != NULL && distance(grid, before, now) <= LARGEST_STEP;
    memcpy(q, now, grid->nq * sizeof *q);
    if (goes_on)
        lb_configuration_integrate(model, q, grid->change, q);
}

static double *add_step(retarget_grid *grid, int step)
{
    return retarget_block_add(grid->block, retarget_grid_time(grid->solver->plan, step),
                              retarget_grid_row(grid, step));
}

/* the step that a part begins with, or the last one */
static int part_begin(const retarget_grid *grid, int part)
{
    // so parts do not depend on the clip's length
    return part < grid->parts ? part * PART : grid->steps;
}

/* all anchors but the first, from the neutral configuration where the figure is */
static void find_anchors(retarget_grid *grid)
{
    for (int p = 1; p <= grid->parts; p++) {
        double *start = add_step(grid, part_begin(grid, p));
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
        if (part_begin(grid, p) + i <= part_begin(grid, p + 1))
            times[count++] = retarget_grid_time(grid->solver->plan, part_begin(grid, p) + i);
    retarget_look_ahead(grid->solver->plan, times, count);
}

/* parts from `first` to before `last`, each to the anchor behind it */
static void follow_parts(retarget_grid *grid, int first, int last)
{
    for (int i = 1; i <= grid->steps; i++) {
        look_ahead(grid, first, last, i);
        for (int p = first; p < last; p++) {
            int begin = part_begin(grid, p), end = part_begin(grid, p + 1), step = begin + i;
            if (step > end)
                continue;
            double *to = step < end ? retarget_grid_row(grid, step) : arrival_of(grid, p);
            double time = retarget_grid_time(grid->solver->plan, step);
            const double *now = retarget_grid_row(grid, step - 1);
            extrapolate(grid, i > 1 ? now - grid->nq : NULL, now,
                        retarget_block_add(grid->block, time, to));
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

/* A side of a jump that is followed into the other: rows that would take the place of the grid's.
 */
typedef struct crossing {
    int from, by; /* the first step of them, and the direction: 1 on, -1 back */
    int count;    /* of those to be taken */
    double gain;  /* what the motion costs more then, at most 0 */
    double *rows;
} crossing;

/* the i-th row; those before the first are the grid's, NULL: there is none */
static const double *crossing_row(const retarget_grid *grid, const crossing *c, int i)
{
    int step = c->from + i * c->by;
    if (i >= 0)
        return c->rows + (size_t)i * grid->nq;
    return step >= 0 && step <= grid->steps ? retarget_grid_row(grid, step) : NULL;
}

/* the squared changes of all joints between two rows */
static double change_cost(const retarget_grid *grid, const double *a, const double *b)
{
    double sum = 0;
    distance(grid, a, b);
    for (size_t i = 0; i < grid->nv; i++)
        sum += grid->change[i] * grid->change[i];
    return sum;
}

/* follows one side until it meets the other, or up to a step; `open`: what is behind that will be
   joined later */
static void follow_across(retarget_grid *grid, int end, bool open, crossing *c)
{
    double sum = 0;
    for (int i = 0, step = c->from; c->by * (end - step) >= 0; i++, step += c->by) {
        const double *now = crossing_row(grid, c, i - 1), *there = retarget_grid_row(grid, step);
        double *q = c->rows + (size_t)i * grid->nq;
        extrapolate(grid, crossing_row(grid, c, i - 2), now, q);
        sum += settle(grid, step, q) + change_cost(grid, now, q);
        sum -= retarget_cost(grid->solver, there);
        sum -= change_cost(grid, retarget_grid_row(grid, step - c->by), there);
        int next = step + c->by;
        double over = 0;
        if (next >= 0 && next <= grid->steps && !(open && step == end))
            over = change_cost(grid, q, retarget_grid_row(grid, next)) -
                   change_cost(grid, there, retarget_grid_row(grid, next));
        if (sum + over < c->gain) {
            c->gain = sum + over;
            c->count = i + 1;
        }
        if (distance(grid, q, there) < SAME)
            break;
    }
}

/* Goes over from one side of a jump to the other where that costs least, from `begin` to `end`;
   returns the last row that is changed. */
static int join(retarget_grid *grid, int jump, int begin, int end, bool open)
{
    crossing on = {.from = jump + 1, .by = 1, .rows = grid->joints};
    crossing back = {
        .from = jump, .by = -1, .rows = grid->joints + (size_t)LONGEST_JOINT * grid->nq};
    follow_across(grid, end, open, &on);
    follow_across(grid, begin, false, &back);
    const crossing *best = on.gain <= back.gain ? &on : &back;
    for (int i = 0; i < best->count; i++)
        memcpy(retarget_grid_row(grid, best->from + i * best->by), crossing_row(grid, best, i),
               grid->nq * sizeof *grid->q);
    return best == &on ? jump + on.count : jump;
}

/* joins each part to the one before, unless that leads to its anchor */
static void join_parts(retarget_grid *grid)
{
    int changed = 0;
    for (int p = 1; p <= grid->parts; p++) {
        int step = part_begin(grid, p), next = part_begin(grid, p + 1);
        const double *anchor = retarget_grid_row(grid, step);
        bool last = p == grid->parts;
        if (changed == step - 1 || distance(grid, arrival_of(grid, p - 1), anchor) >= SAME)
            changed = join(grid, step - 1, step > LONGEST_JOINT ? step - LONGEST_JOINT : 0,
                           last ? next : next - 1, !last);
    }
}

double retarget_grid_jump(const retarget_grid *grid, int step)
{
    const lb_model *model = grid->solver->plan->target;
    int root = lb_model_joint_v(model, grid->solver->root);
    int after = root + lb_joint_kind_nv(lb_model_joint(model, grid->solver->root)->kind);
    double most = 0;
    for (int i = 0; i < lb_model_nv(model); i++)
        if (i < root || i >= after)
            most = scalar_max(fabs(change_of(grid, step)[i]), most);
    bool calm = most <= RETARGET_CALM * grid->solver->plan->step;
    return calm || most <= retarget_calm_change(grid->solver->plan, step, true, grid->source)
               ? 0
               : most;
}

void retarget_grid_move_jumps(retarget_grid *grid)
{
    for (int step = 0; step < grid->steps; step++) {
        int begin = step > MOVED ? step - MOVED : 0;
        int end = step + MOVED < grid->steps ? step + MOVED : grid->steps;
        if (retarget_grid_jump(grid, step) == 0)
            continue;
        join(grid, step, begin, end, false);
        retarget_grid_measure(grid, begin - 1, end);
    }
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
    TRY(retarget_solve_first(grid->solver, plan->begin, plan->options->start, grid->q, error));
    if (grid->steps > 0)
        find_anchors(grid);
    for (int p = 0; p < grid->parts; p += grid->block->capacity) {
        int last = p + grid->block->capacity;
        follow_parts(grid, p, last < grid->parts ? last : grid->parts);
    }
    join_parts(grid);
    retarget_grid_measure(grid, 0, grid->steps);
    return LB_OK;
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
