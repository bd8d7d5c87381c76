/*
 * block.c - frames of a motion side by side, one in each lane of the whole-body kernel.
 *
 * Frames whose start is known do not need each other. Their goals become rows of targets and of
 * weights, because what is held differs from frame to frame.
 */
#include "motion/retarget/retarget.h"

#include <string.h>

/* frames of one block: some vectors of the widest lanes */
enum { BLOCK = 32 };

lb_status retarget_block_create(retarget_solver *solver, retarget_block *block, lb_error *error)
{
    const lb_allocator *memory = &solver->plan->memory;
    size_t pairs = (size_t)solver->plan->map->count, tasks = (size_t)solver->count;
    size_t nq = (size_t)lb_model_nq(solver->plan->target);
    *block = (retarget_block){.solver = solver, .capacity = BLOCK};
    block->goals = memory_take(memory, BLOCK * pairs, sizeof *block->goals);
    block->targets = memory_take(memory, BLOCK * tasks, sizeof *block->targets);
    block->weights = memory_take(memory, BLOCK * tasks, sizeof *block->weights);
    block->q = memory_take(memory, BLOCK * nq, sizeof *block->q);
    block->to = memory_take(memory, BLOCK, sizeof *block->to);
    block->iterations = memory_take(memory, BLOCK, sizeof *block->iterations);
    bool fine = block->goals != NULL && block->targets != NULL && block->weights != NULL &&
                block->q != NULL && block->to != NULL && block->iterations != NULL;
    return fine ? LB_OK : lb_error_set(error, LB_OUT_OF_MEMORY, 0, "out of memory");
}

void retarget_block_release(retarget_block *block)
{
    if (block->solver == NULL)
        return;
    const lb_allocator *memory = &block->solver->plan->memory;
    memory_release(memory, block->iterations);
    memory_release(memory, block->to);
    memory_release(memory, block->q);
    memory_release(memory, block->weights);
    memory_release(memory, block->targets);
    memory_release(memory, block->goals);
}

static retarget_goal *goals_of(const retarget_block *block, int row)
{
    return block->goals + (size_t)row * (size_t)block->solver->plan->map->count;
}

static double *row_of(const retarget_block *block, int row)
{
    return block->q + (size_t)row * (size_t)lb_model_nq(block->solver->plan->target);
}

double *retarget_block_add(retarget_block *block, double time, double *to)
{
    const retarget_solver *solver = block->solver;
    int row = block->count++;
    retarget_goals(solver->plan, time, goals_of(block, row));
    lb_transform *targets = block->targets + (size_t)row * (size_t)solver->count;
    for (int t = 0; t < solver->count; t++)
        targets[t] = retarget_task_target(solver, goals_of(block, row), t);
    block->to[row] = to;
    return row_of(block, row);
}

void retarget_block_descend(retarget_block *block, retarget_stage stage)
{
    retarget_solver *solver = block->solver;
    for (int row = 0; row < block->count; row++)
        for (int t = 0; t < solver->count; t++)
            block->weights[(size_t)row * (size_t)solver->count + (size_t)t] =
                retarget_task_weight(solver, goals_of(block, row), stage, t);
    lb_body_batch batch = {.targets = block->targets,
                           .weights = block->weights,
                           .starts = block->q,
                           .q = block->q,
                           .iterations = block->iterations};
    lb_body_batch_solve(solver->bodies[stage], &batch, 0, (size_t)block->count);
    for (int row = 0; row < block->count; row++)
        solver->iterations += block->iterations[row];
}

static bool holds_any(const retarget_block *block, int row)
{
    const retarget_goal *goals = goals_of(block, row);
    const retarget_solver *solver = block->solver;
    for (int t = 0; t < solver->count; t++) {
        const retarget_task *task = &solver->tasks[t];
        if (task->held >= 0 && goals[task->pair].hold[task->held] > 0)
            return true;
    }
    return false;
}

void retarget_block_hold(retarget_block *block)
{
    retarget_solver *solver = block->solver;
    bool any = false;
    for (int row = 0; row < block->count; row++)
        any = any || holds_any(block, row);
    if (!any)
        return;
    retarget_block_descend(block, RETARGET_EXACT);
    // mostly that is it; where a straight knee bends, damping must grow first
    for (int row = 0; row < block->count; row++) {
        double *q = row_of(block, row);
        if (retarget_is_exact(solver, goals_of(block, row), q))
            continue;
        memcpy(solver->goals, goals_of(block, row),
               sizeof *solver->goals * (size_t)solver->plan->map->count);
        retarget_descend(solver, RETARGET_FOLLOW, q, q);
    }
}

void retarget_block_finish(retarget_block *block)
{
    size_t nq = (size_t)lb_model_nq(block->solver->plan->target);
    for (int row = 0; row < block->count; row++)
        memcpy(block->to[row], row_of(block, row), nq * sizeof(double));
    block->count = 0;
}
