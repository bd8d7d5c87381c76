/*
 * block.c - frames of a motion side by side, one in each lane of the whole-body kernel.
 *
 * Frames whose start is known do not need each other. Their goals become rows of targets and of
 * weights, because what is held differs from frame to frame.
 */
#include "motion/retarget/retarget.h"

#include "ik/body/solver.h"
#include "motion/retarget/solver.h"

#include <limber/kinematics.h>

#include <string.h>

/* ---- held points --------------------------------------------------------- */

/*
 * How far held points of a frame are from where they are to be, and what is below the
 * ground: such points are to be on it when the frame is solved again.
 */

/* metres: a held point is where it is to be; a fifth of what is promised */
#define EXACT 2e-5
/* metres: a point is below the ground; a tenth of what is promised */
#define BELOW 1e-4

/* how high the sole of a pair that is at *at is above the ground */
static double sole_height(const retarget_plan *plan, int pair, const lb_transform *at,
                          lb_vec3 *lowest)
{
    return retarget_sole_height(retarget_sole_of(plan, pair), &plan->ground, at, lowest);
}

/* a point that an edge of the sole keeps above its place is off by no more than that edge is above
   the ground */
static lb_vec3 without_edge(const ground_plane *ground, lb_vec3 off, double height)
{
    double excess = lb_vec3_dot(off, ground->normal) - fmax(0, height);
    return excess > 0 ? lb_vec3_sub(off, lb_vec3_scale(ground->normal, excess)) : off;
}

/* `edges`: goals do not know of edges that were pressed */
static retarget_feet compare_feet(const retarget_solver *solver, const retarget_goal *goals,
                                  const lb_transform *at, bool edges)
{
    retarget_feet feet = {0, 0};
    const lb_retarget_map *map = solver->plan->map;
    const ground_plane *ground = &solver->plan->ground;
    for (int i = 0; i < map->count; i++) {
        lb_vec3 lowest;
        if (map->pairs[i].held_count == 0)
            continue;
        double height = sole_height(solver->plan, i, at, &lowest);
        feet.below = fmax(feet.below, -height);
        for (int k = 0; k < map->pairs[i].held_count; k++) {
            lb_vec3 point = lb_transform_point(at, map->pairs[i].held[k].at);
            lb_vec3 off = lb_vec3_sub(point, goals[i].held[k]);
            if (!retarget_is_palm(&map->pairs[i]))
                feet.below = fmax(feet.below, -ground_distance(ground, point));
            if (edges)
                off = without_edge(ground, off, height);
            if (goals[i].hold[k] > RETARGET_NEARLY_HELD)
                feet.off = fmax(feet.off, lb_vec3_length(off));
        }
        at++;
    }
    return feet;
}

/* the links of all pairs with held points */
static void list_feet(retarget_solver *solver, const double *q, lb_transform *at)
{
    const lb_retarget_map *map = solver->plan->map;
    lb_state_update(solver->state, q);
    for (int i = 0; i < map->count; i++)
        if (map->pairs[i].held_count > 0)
            *at++ = lb_state_transforms(solver->state)[map->pairs[i].target];
}

retarget_feet retarget_measure_feet(retarget_solver *solver, const retarget_goal *goals,
                                    const double *q)
{
    lb_transform at[LB_RETARGET_PAIRS];
    list_feet(solver, q, at);
    return compare_feet(solver, goals, at, true);
}

bool retarget_press_pose(retarget_solver *solver, const double *q)
{
    lb_transform at[LB_RETARGET_PAIRS];
    list_feet(solver, q, at);
    return retarget_press_feet(solver, solver->goals, at);
}

bool retarget_is_exact(const retarget_feet *feet)
{
    return feet->off <= EXACT && feet->below <= BELOW;
}

/* heel or toe of a foot that is where *at is comes to be so much higher; what was pressed and is
   lowered no lower than the ground */
static void raise_end(const retarget_plan *plan, const lb_retarget_pair *pair, int end,
                      const lb_transform *at, double by, retarget_goal *goal)
{
    lb_vec3 *held = &goal->held[end];
    double height = ground_distance(&plan->ground, lb_transform_point(at, pair->held[end].at));
    double before = goal->raised[end], now = fmax(0, height + by);
    double change = by > 0 ? fmax(0, now - ground_distance(&plan->ground, *held)) : now - before;
    goal->pressed[end] = true;
    goal->raised[end] = now;
    *held = lb_vec3_add(*held, lb_vec3_scale(plan->ground.normal, change));
}

/* an edge of the sole that is below the ground is lifted with the nearer of heel and toe, which may
   be held; a sole that was lifted too far is lowered */
static bool press_sole(const retarget_plan *plan, int index, const lb_transform *at,
                       retarget_goal *goal)
{
    const lb_retarget_pair *pair = &plan->map->pairs[index];
    lb_vec3 lowest, heel = pair->held[0].at;
    double depth = -sole_height(plan, index, at, &lowest);
    bool lowered = false;
    for (int k = 0; k < 2 && depth < -BELOW; k++)
        if (goal->pressed[k] && goal->raised[k] > 0) {
            raise_end(plan, pair, k, at, depth, goal);
            lowered = true;
        }
    if (!(depth > BELOW))
        return lowered;
    lb_vec3 along = lb_vec3_sub(pair->held[1].at, heel);
    double far = lb_vec3_dot(lb_vec3_sub(lowest, heel), along) / lb_vec3_dot(along, along);
    raise_end(plan, pair, far > 0.5, at, depth, goal);
    return true;
}

bool retarget_press_feet(const retarget_solver *solver, retarget_goal *goals,
                         const lb_transform *at)
{
    bool any = false;
    const lb_retarget_map *map = solver->plan->map;
    for (int i = 0; i < map->count; i++) {
        bool stands = !retarget_is_palm(&map->pairs[i]);
        for (int k = 0; stands && k < map->pairs[i].held_count; k++) {
            lb_vec3 point = lb_transform_point(at, map->pairs[i].held[k].at);
            if (goals[i].pressed[k] || ground_distance(&solver->plan->ground, point) >= -BELOW)
                continue;
            goals[i].pressed[k] = any = true;
        }
        if (map->pairs[i].held_count > 0)
            any = press_sole(solver->plan, i, at++, &goals[i]) || any;
    }
    return any;
}

/* frames of one block: some vectors of the widest lanes */
enum { BLOCK = RETARGET_AHEAD };

lb_status retarget_block_create(retarget_solver *solver, retarget_block *block, lb_error *error)
{
    const lb_allocator *memory = &solver->plan->memory;
    size_t pairs = (size_t)retarget_goal_count(solver->plan), tasks = (size_t)solver->count;
    size_t nq = (size_t)lb_model_nq(solver->plan->target);
    *block = (retarget_block){.solver = solver, .capacity = BLOCK};
    block->goals = memory_take(memory, BLOCK * pairs, sizeof *block->goals);
    block->targets = memory_take(memory, BLOCK * tasks, sizeof *block->targets);
    block->weights = memory_take(memory, BLOCK * tasks, sizeof *block->weights);
    block->q = memory_take(memory, BLOCK * nq, sizeof *block->q);
    block->to = memory_take(memory, BLOCK, sizeof *block->to);
    block->iterations = memory_take(memory, BLOCK, sizeof *block->iterations);
    int feet[LB_RETARGET_PAIRS];
    lb_fk_batch_options options = lb_fk_batch_options_default();
    for (int i = 0; i < solver->plan->map->count; i++)
        if (solver->plan->map->pairs[i].held_count > 0)
            feet[block->feet_count++] = solver->plan->map->pairs[i].target;
    options.links = feet;
    options.link_count = block->feet_count;
    block->feet_at = memory_take(memory, BLOCK * (size_t)block->feet_count, sizeof *block->feet_at);
    lb_fk_batch_create(solver->plan->target, &options, memory, &block->feet);
    return memory_pool_failed(memory) ? error_out_of_memory(error) : LB_OK;
}

retarget_goal *retarget_block_goals(const retarget_block *block, int row)
{
    return block->goals + (size_t)row * (size_t)retarget_goal_count(block->solver->plan);
}

static double *row_of(const retarget_block *block, int row)
{
    return block->q + (size_t)row * (size_t)lb_model_nq(block->solver->plan->target);
}

/* a row's targets, from its goals */
static void aim_row(retarget_block *block, int row)
{
    retarget_solver *solver = block->solver;
    lb_transform *targets = block->targets + (size_t)row * (size_t)solver->count;
    for (int t = 0; t < solver->count; t++) {
        retarget_task_target(solver, retarget_block_goals(block, row), t, &targets[t]);
        solver->beyond = solver->beyond || retarget_is_beyond(&targets[t]);
    }
}

double *retarget_block_add(retarget_block *block, double time, double *to)
{
    int row = block->count++;
    retarget_goals(block->solver->plan, time, retarget_block_goals(block, row));
    aim_row(block, row);
    block->to[row] = to;
    return row_of(block, row);
}

/* the rows from `first` on */
static void descend_from(retarget_block *block, retarget_stage stage, int first)
{
    retarget_solver *solver = block->solver;
    for (int row = first; row < block->count; row++)
        for (int t = 0; t < solver->count; t++)
            block->weights[(size_t)row * (size_t)solver->count + (size_t)t] =
                retarget_task_weight(solver, retarget_block_goals(block, row), stage, t);
    lb_body_batch batch = {.targets = block->targets,
                           .weights = block->weights,
                           .starts = block->q,
                           .q = block->q,
                           .iterations = block->iterations};
    body_batch_solve(solver->bodies[stage], &batch, true, (size_t)first, (size_t)block->count);
    for (int row = first; row < block->count; row++)
        solver->iterations += block->iterations[row];
}

void retarget_block_descend(retarget_block *block, retarget_stage stage)
{
    descend_from(block, stage, 0);
}

void retarget_block_finish(retarget_block *block)
{
    size_t nq = (size_t)lb_model_nq(block->solver->plan->target);
    for (int row = 0; row < block->count; row++)
        memcpy(block->to[row], row_of(block, row), nq * sizeof(double));
    block->count = 0;
}

/* moves a row to another place in the block */
static void move_row(retarget_block *block, int from, int to)
{
    size_t tasks = (size_t)block->solver->count;
    size_t nq = (size_t)lb_model_nq(block->solver->plan->target);
    size_t pairs = (size_t)retarget_goal_count(block->solver->plan);
    if (from == to)
        return;
    memcpy(retarget_block_goals(block, to), retarget_block_goals(block, from),
           pairs * sizeof *block->goals);
    memcpy(block->targets + (size_t)to * tasks, block->targets + (size_t)from * tasks,
           tasks * sizeof *block->targets);
    memcpy(row_of(block, to), row_of(block, from), nq * sizeof *block->q);
    block->to[to] = block->to[from];
}

/* where the feet of all rows are */
static void find_feet(retarget_block *block)
{
    const lb_fk_batch_rows rows = {.q = block->q, .transforms = block->feet_at};
    if (block->feet_count > 0)
        lb_fk_batch_forward(block->feet, &rows, 0, (size_t)block->count);
}

static const lb_transform *feet_of(const retarget_block *block, int row)
{
    return block->feet_at + (size_t)row * (size_t)block->feet_count;
}

static retarget_feet measure(const retarget_block *block, int row)
{
    return compare_feet(block->solver, retarget_block_goals(block, row), feet_of(block, row),
                        false);
}

static void note_worst(retarget_block *block, const retarget_feet *feet)
{
    block->worst.off = fmax(block->worst.off, feet->off);
    block->worst.below = fmax(block->worst.below, feet->below);
}

/* stores the rows behind those that wait whose held points are where they are to be; others wait */
static void finish_exact(retarget_block *block)
{
    size_t nq = (size_t)lb_model_nq(block->solver->plan->target);
    find_feet(block);
    for (int row = block->waiting; row < block->count; row++) {
        retarget_feet feet = measure(block, row);
        if (retarget_is_exact(&feet)) {
            memcpy(block->to[row], row_of(block, row), nq * sizeof(double));
            note_worst(block, &feet);
        } else {
            move_row(block, row, block->waiting++);
        }
    }
    block->count = block->waiting;
}

/* what is below the ground in any row is to be on it; whether there is such a row */
static bool press_rows(retarget_block *block)
{
    bool any = false;
    find_feet(block);
    for (int row = 0; row < block->count; row++)
        if (retarget_press_feet(block->solver, retarget_block_goals(block, row),
                                feet_of(block, row))) {
            aim_row(block, row);
            any = true;
        }
    return any;
}

void retarget_block_hold(retarget_block *block, bool last)
{
    descend_from(block, RETARGET_EXACT, block->waiting);
    finish_exact(block);
    // mostly that is it; where a straight knee bends, damping must grow first: such rows wait until
    // they fill lanes
    if (!last && block->waiting < block->capacity / 2)
        return;
    press_rows(block);
    // where one point is lifted, another one may sink
    for (int round = 0; round < RETARGET_PRESSINGS && block->count > 0; round++) {
        retarget_block_descend(block, RETARGET_FOLLOW);
        if (!press_rows(block))
            break;
    }
    for (int row = 0; row < block->count; row++) {
        retarget_feet feet = measure(block, row);
        note_worst(block, &feet);
    }
    block->waiting = 0;
    retarget_block_finish(block);
}
