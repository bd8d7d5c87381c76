/*
 * reach_hands.c - places of palms that the target's arms do not reach.
 *
 * Then a palm rests where it comes to be by itself, in solutions without anything held; and where
 * that is not reached either, or for a short time, it is released for that time. Feet are not moved
 * for hands, but may give way where both cannot be.
 */
#include "motion/retarget/grid.h"

#include <limber/kinematics.h>

/* metres: a palm that is so far from its place has not reached it; descents leave some tenths of a
   millimetre */
#define MISSED 2e-3
/* of the distance from the root to its feet at rest: a figure on hands and feet whose arms are of
   another length gives way by less; farther it is dragged */
#define DRAWN 0.3
/* of a contact: where more of it is missed it is moved, else that much is left out */
#define MOST_CUT 0.3

/* ---- what is missed ------------------------------------------------------- */

/* How much of a contact is missed. */
typedef struct missed_steps {
    int first, last, count; /* steps of the grid; count 0: none */
    int all;                /* steps of the contact */
    double worst;           /* metres */
} missed_steps;

static int step_at(const retarget_plan *plan, double time)
{
    return (int)floor((time - plan->begin) / plan->step + 0.5);
}

/* how far a palm is from its place at a step, or the root where the whole figure gives way instead
 */
static double miss_at(retarget_grid *grid, const foot_plan *foot, const foot_phase *phase, int step)
{
    retarget_plan *plan = grid->solver->plan;
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair], *root = &plan->map->pairs[0];
    lb_state_update(grid->solver->state, grid->q + (size_t)step * grid->nq);
    const lb_transform *at = lb_state_transforms(grid->solver->state);
    lb_vec3 palm = lb_transform_point(&at[pair->target], pair->held[0].at);
    double miss = lb_vec3_length(lb_vec3_sub(palm, phase->anchors[0]));
    retarget_goal goal;
    retarget_goals_of(plan, retarget_grid_time(plan, step), 1, &goal);
    lb_vec3 center = lb_transform_point(&at[root->target], root->target_point);
    double drawn = lb_vec3_length(lb_vec3_sub(center, goal.place));
    return drawn > DRAWN * grid->solver->reach ? fmax(miss, drawn) : miss;
}

static missed_steps find_missed(retarget_grid *grid, const foot_plan *foot, const foot_chain *chain)
{
    const retarget_plan *plan = grid->solver->plan;
    missed_steps missed = {.first = -1};
    for (int p = chain->first; p < chain->first + chain->count; p++) {
        const foot_phase *phase = &foot->phases[p];
        int from = step_at(plan, phase->begin), to = step_at(plan, phase->end);
        for (int step = from; step <= to; step++, missed.all++) {
            double off = miss_at(grid, foot, phase, step);
            missed.worst = fmax(missed.worst, off);
            if (off <= MISSED)
                continue;
            missed.first = missed.count++ == 0 ? step : missed.first;
            missed.last = step;
        }
    }
    return missed;
}

/* ---- moving and releasing ------------------------------------------------ */

bool retarget_move_hands(retarget_grid *grid, lb_retarget_report *report)
{
    retarget_plan *plan = grid->solver->plan;
    bool moved = false;
    for (int f = 0; f < plan->foot_count; f++) {
        foot_plan *foot = &plan->feet[f];
        for (int c = 0; c < foot->chain_count && retarget_is_palm(&plan->map->pairs[foot->pair]);
             c++) {
            missed_steps missed = find_missed(grid, foot, &foot->chains[c]);
            if (missed.count <= MOST_CUT * missed.all)
                continue;
            double by = retarget_free_chain(grid, f, c);
            if (by > 0)
                moved = foot->chains[c].moved = true;
            report->worst_moved = fmax(report->worst_moved, by);
        }
    }
    return moved;
}

/* leaves out so much of a contact, and what is too short before and after it */
static lb_status cut_contact(retarget_plan *plan, const foot_plan *foot, const foot_chain *chain,
                             const missed_steps *missed, lb_error *error)
{
    // the steps beside them are free, too
    double margin = 1.5 * plan->step, from = retarget_grid_time(plan, missed->first) - margin;
    double to = retarget_grid_time(plan, missed->last) + margin;
    double begin = foot->phases[chain->first].begin;
    double end = foot->phases[chain->first + chain->count - 1].end;
    if (from - begin < RETARGET_SHORTEST_HAND)
        from = begin - margin;
    if (end - to < RETARGET_SHORTEST_HAND)
        to = end + margin;
    return lb_contacts_cut(plan->contacts, foot->points[0], from, to, error);
}

lb_status retarget_release_hands(retarget_grid *grid, lb_retarget_report *report, bool *any,
                                 lb_error *error)
{
    retarget_plan *plan = grid->solver->plan;
    lb_status status = LB_OK;
    *any = false;
    for (int f = 0; f < plan->foot_count && status == LB_OK; f++) {
        foot_plan *foot = &plan->feet[f];
        bool changed = false;
        for (int c = 0; c < foot->chain_count && status == LB_OK &&
                        retarget_is_palm(&plan->map->pairs[foot->pair]);
             c++) {
            missed_steps missed = find_missed(grid, foot, &foot->chains[c]);
            if (missed.count == 0)
                continue;
            status = cut_contact(plan, foot, &foot->chains[c], &missed, error);
            changed = true;
            report->released++;
            report->worst_released = fmax(report->worst_released, missed.worst);
        }
        *any = *any || changed;
        if (changed && status == LB_OK)
            status = retarget_plan_foot(plan, foot, error);
    }
    return status;
}
