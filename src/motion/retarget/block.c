/*
 * block.c - frames of a motion side by side, one in each lane of the whole-body kernel.
 *
 * Frames whose start is known do not need each other. Their goals become rows of targets and of
 * weights, because what is held differs from frame to frame.
 */
#include "motion/retarget/retarget.h"

#include "ik/body/solver.h"

#include <string.h>

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
    return retarget_compare_feet(block->solver, retarget_block_goals(block, row),
                                 feet_of(block, row));
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
