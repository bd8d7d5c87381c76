/*
 * reach.c - places of feet that the target's legs do not reach.
 *
 * Feet are planted where the source's are, scaled. Another figure's hips may not turn or spread so
 * far: then held feet draw the whole figure down, or turn it. Where that is so for a short time as
 * a foot lands or leaves, it lands later or leaves earlier, as when a figure turns on the spot and
 * both feet rest for a moment, at right angles. Else feet are planted where they come to be by
 * themselves, in solutions without any foot held.
 */
#include "motion/retarget/grid.h"

#include <limber/kinematics.h>

#include <string.h>

/* of the distance from the root to its feet at rest: the root is drawn so far from its goal by few
 * motions that legs can make */
#define DRAWN 0.12
/* likewise: held points are so far from their places only where the legs do not reach these */
#define MISSED 2e-3
/* metres: a place that is so near to the one before is the same */
#define SAME_PLACE 1e-3
/* seconds by which a contact is shortened at most */
#define LONGEST_CUT 0.25
/* steps of a contact that are solved without it */
enum { SAMPLES = 8 };

static lb_vec3 place_of(retarget_grid *grid, const double *q, int pair, lb_vec3 point)
{
    lb_state_update(grid->solver->state, q);
    int link = grid->solver->plan->map->pairs[pair].target;
    return lb_transform_point(&lb_state_transforms(grid->solver->state)[link], point);
}

/* whether held feet draw the root away at a step, where its link is at `at`, or are not in their
   places all the same */
static bool is_drawn(const retarget_grid *grid, int step, const lb_transform *at)
{
    retarget_solver *solver = grid->solver;
    retarget_aim(solver, retarget_grid_time(solver->plan, step));
    lb_vec3 root = lb_transform_point(at, solver->plan->map->pairs[0].target_point);
    if (lb_vec3_length(lb_vec3_sub(root, solver->goals[0].place)) > DRAWN * solver->reach)
        return true;
    retarget_feet feet =
        retarget_measure_feet(solver, solver->goals, grid->q + (size_t)step * grid->nq);
    return feet.off > MISSED * solver->reach;
}

/* the same of all steps, some side by side */
static void find_drawn(retarget_grid *grid)
{
    retarget_plan *plan = grid->solver->plan;
    for (int step = 0; step <= grid->steps && !grid->drawn_known; step += RETARGET_AHEAD) {
        lb_transform at[RETARGET_AHEAD];
        int count = grid->steps + 1 - step;
        count = count < RETARGET_AHEAD ? count : RETARGET_AHEAD;
        retarget_look_ahead_steps(plan, step, grid->steps);
        const lb_fk_batch_rows rows = {.q = grid->q + (size_t)step * grid->nq, .transforms = at};
        lb_fk_batch_forward(grid->root, &rows, 0, (size_t)count);
        for (int i = 0; i < count; i++)
            grid->drawn[step + i] = is_drawn(grid, step + i, &at[i]);
    }
    grid->drawn_known = true;
}

static bool is_drawn_between(const retarget_grid *grid, double from, double to)
{
    const retarget_plan *plan = grid->solver->plan;
    int step = (int)((from - plan->begin) / plan->step);
    int last = (int)((to - plan->begin) / plan->step);
    while (step <= last && !grid->drawn[step])
        step++;
    return step <= last;
}

/* ---- contacts that are shortened ---------------------------------------------- */

/* A part of a foot's contact that may be left out; foot is -1: there is none. */
typedef struct contact_cut {
    int foot;
    double from, to;
} contact_cut;

/* the begin or the end of a chain that lies between two times, if it is the shortest so far */
static void consider_cut(int foot, const foot_plan *plan, const foot_chain *chain, double from,
                         double to, contact_cut *best)
{
    double begin = plan->phases[chain->first].begin;
    double end = plan->phases[chain->first + chain->count - 1].end;
    double most = fmin(LONGEST_CUT, 0.5 * (end - begin));
    double shortest = best->foot >= 0 ? best->to - best->from : INFINITY;
    if (end >= from && begin < from && end - from <= fmin(most, shortest))
        *best = (contact_cut){foot, from, end};
    else if (begin <= to && end > to && to - begin <= fmin(most, shortest))
        *best = (contact_cut){foot, begin, to};
}

/* between two times the root is drawn away: which contact is best shortened */
static contact_cut find_cut(const retarget_plan *plan, double from, double to)
{
    contact_cut best = {.foot = -1};
    for (int f = 0; f < plan->foot_count; f++)
        for (int c = 0; c < plan->feet[f].chain_count; c++)
            if (!retarget_is_palm(&plan->map->pairs[plan->feet[f].pair]))
                consider_cut(f, &plan->feet[f], &plan->feet[f].chains[c], from, to, &best);
    return best;
}

static lb_status cut_contact(retarget_plan *plan, const contact_cut *cut, lb_error *error)
{
    const foot_plan *foot = &plan->feet[cut->foot];
    lb_status status = LB_OK;
    // steps at both ends are free, too
    double margin = 1.5 * plan->step;
    for (int k = 0; k < plan->map->pairs[foot->pair].held_count && status == LB_OK; k++)
        status = lb_contacts_cut(plan->contacts, foot->points[k], cut->from - margin,
                                 cut->to + margin, error);
    return status;
}

lb_status retarget_shorten_contacts(retarget_grid *grid, lb_retarget_report *report,
                                    lb_error *error)
{
    retarget_plan *plan = grid->solver->plan;
    bool changed[LB_RETARGET_PAIRS] = {false};
    lb_status status = LB_OK;
    find_drawn(grid);
    for (int step = 0; step <= plan->steps && status == LB_OK; step++) {
        int last = step;
        while (last <= plan->steps && grid->drawn[last])
            last++;
        if (last == step)
            continue;
        contact_cut cut =
            find_cut(plan, retarget_grid_time(plan, step), retarget_grid_time(plan, last - 1));
        step = last;
        if (cut.foot < 0)
            continue;
        status = cut_contact(plan, &cut, error);
        changed[cut.foot] = true;
        report->shortened++;
    }
    for (int f = 0; f < plan->foot_count && status == LB_OK; f++)
        if (changed[f])
            status = retarget_plan_foot(plan, &plan->feet[f], error);
    return status;
}

/* ---- places that are moved ------------------------------------------------------ */

/* where a foot is on average while it stands, no foot being held, and its axes in the middle */
static lb_vec3 free_place(retarget_grid *grid, const foot_plan *foot, const foot_phase *phase,
                          int held, lb_quat *turn)
{
    retarget_plan *plan = grid->solver->plan;
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    // phases begin and end on the grid; between its times the source depends on its keys
    int first = (int)floor((phase->begin - plan->begin) / plan->step + 0.5);
    int last = (int)floor((phase->end - plan->begin) / plan->step + 0.5);
    double *rows[SAMPLES];
    lb_vec3 sum = {0, 0, 0};
    plan->released = true;
    for (int i = 0; i < SAMPLES; i++) {
        double time = retarget_grid_time(plan, first + (last - first) * i / (SAMPLES - 1));
        rows[i] = retarget_block_add(grid->block, time, NULL);
        memcpy(rows[i], grid->solver->neutral, grid->nq * sizeof *rows[i]);
        retarget_place_root(grid->solver, retarget_block_goals(grid->block, i), rows[i]);
    }
    retarget_block_descend(grid->block, RETARGET_FAR);
    retarget_block_descend(grid->block, RETARGET_NEAR);
    for (int i = 0; i < SAMPLES; i++) {
        sum = lb_vec3_add(sum, place_of(grid, rows[i], foot->pair, pair->held[held].at));
        if (i == SAMPLES / 2)
            *turn = lb_transform_quat(&lb_state_transforms(grid->solver->state)[pair->target]);
    }
    grid->block->count = 0;
    plan->released = false;
    return lb_vec3_scale(sum, 1.0 / SAMPLES);
}

double retarget_free_chain(retarget_grid *grid, int foot, int chain)
{
    retarget_plan *plan = grid->solver->plan;
    foot_plan *f = &plan->feet[foot];
    int base, held = retarget_chain_base(plan, f, &f->chains[chain], &base);
    lb_quat turn;
    lb_vec3 place = free_place(grid, f, &f->phases[base], held, &turn);
    return retarget_place_chain(plan, f, chain, place, turn);
}

bool retarget_move_feet(retarget_grid *grid, lb_retarget_report *report)
{
    retarget_plan *plan = grid->solver->plan;
    bool moved = false;
    find_drawn(grid);
    for (int f = 0; f < plan->foot_count; f++) {
        foot_plan *foot = &plan->feet[f];
        for (int c = 0; c < foot->chain_count; c++) {
            const foot_chain *chain = &foot->chains[c];
            const foot_phase *last = &foot->phases[chain->first + chain->count - 1];
            if (retarget_is_palm(&plan->map->pairs[foot->pair]) ||
                !is_drawn_between(grid, foot->phases[chain->first].begin, last->end))
                continue;
            double by = retarget_free_chain(grid, f, c);
            if (by < SAME_PLACE)
                continue;
            moved = true;
            foot->chains[c].moved = true;
            report->worst_moved = fmax(report->worst_moved, by);
        }
    }
    return moved;
}
