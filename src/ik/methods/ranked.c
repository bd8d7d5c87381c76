/*
 * ranked.c - coordinate descent that moves the most useful joint first.
 *
 * The variation of cyclic descent in Parent 2012, chapter 5: joints are ranked, the highest is
 * moved to its optimum, and the process repeats. The measure of usefulness is an option; each is
 * weighted by how much a joint's optimum reduces the squared error.
 */
#include "ik/iteration.h"
#include "ik/optimum.h"
#include "math/scalar.h"

#include <string.h>

/* joints moved in one step, at most: each move ranks them all */
#define MOST_MOVES 32

/* the share of a variable's range that lies between it and its nearer limit after a move */
static double room(const kernel_variable *x, double value)
{
    double range = x->upper - x->lower;
    if (x->ball || isinf(range))
        return 1;
    return range > 0 ? scalar_min(value - x->lower, x->upper - value) / range : 0;
}

static double usefulness(const ik_iteration *it, int variable, const ik_move *move)
{
    const kernel_variable *x = &it->problem.variables[variable];
    switch (it->options->ranked.rank) {
    case LB_RANK_RECENCY:
        return move->gain * (it->ticks[0] - it->ticks[1 + variable]);
    case LB_RANK_ROOM:
        // never zero: the only useful joint may have to go to its limit
        return move->gain * (0.01 + room(x, it->next[x->q] + move->step));
    default:
        return move->gain;
    }
}

/* moves the most useful variable; returns by how much the squared error fell */
static double move_best(ik_iteration *it)
{
    int best = -1;
    double most = 0;
    for (int i = 0; i < it->problem.variable_count; i++) {
        ik_move move = ik_best_move(it, i, it->next);
        double use = usefulness(it, i, &move);
        if (use > most) {
            most = use;
            best = i;
        }
    }
    if (best < 0)
        return 0;
    ik_move move = ik_optimize(it, best, it->next);
    it->ticks[1 + best] = it->ticks[0]++;
    return move.gain;
}

lb_reason ik_ranked_step(ik_iteration *it)
{
    int moves = it->problem.variable_count;
    if (it->count == 0) {
        // the clock is ahead of all joints, so that one that was just moved still counts
        memset(it->ticks, 0, sizeof(int) * (size_t)(1 + it->problem.variable_count));
        it->ticks[0] = 1;
    }
    memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    for (int k = 0; k < (moves < MOST_MOVES ? moves : MOST_MOVES); k++) {
        ik_refresh(it, it->next);
        // a gain below rounding does not justify another ranking
        if (move_best(it) <= 1e-12 * it->error2)
            break;
    }
    return LB_REASON_NONE;
}
