/*
 * reach.c - contacts that the target's limbs do not reach give way.
 *
 * Feet are planted where the source's are, scaled. Another figure's hips may not turn or spread so
 * far: then held feet draw the whole figure down, or turn it. Where that is so for a short time as
 * a foot lands or leaves, it lands later or leaves earlier, as when a figure turns on the spot and
 * both feet rest for a moment, at right angles. Else feet are planted where they come to be by
 * themselves, in solutions without any foot held.
 *
 * A palm that is not reached rests where it comes to be by itself, too; and where that is not
 * reached either, or for a short time, it is released for that time. Feet are not moved for hands,
 * but may give way where both cannot be.
 */
#include "motion/retarget/retarget.h"

#include <limber/kinematics.h>

#include <string.h>

/* of the distance from the root to its feet at rest: the root is drawn so far from its goal by few
   motions that legs can make; and by hands, where a figure on hands and feet whose arms are of
   another length gives way by less: farther it is dragged */
#define DRAWN 0.12
#define DRAGGED 0.3
/* likewise: held points are so far from their places only where the legs do not reach these */
#define FEET_MISSED 2e-3
/* metres: a palm so far from its place has not reached it; descents leave tenths of a millimetre */
#define PALM_MISSED 2e-3
/* metres: a held point so far from its place slides to it; less than what is promised */
#define PLACE_MISSED 5e-5
/* metres: a foot's place that is so near to the one before is the same */
#define SAME_PLACE 1e-3
/* seconds by which a contact is shortened at most */
#define LONGEST_CUT 0.25
/* of a palm's contact: where more of it is missed it is moved, else that much is left out */
#define MOST_CUT 0.3
/* steps of a contact that are solved without it */
enum { SAMPLES = 8 };

static lb_vec3 place_of(retarget_grid *grid, const double *q, int pair, lb_vec3 point)
{
    lb_state_update(grid->solver->state, q);
    int link = grid->solver->plan->map->pairs[pair].target;
    return lb_transform_point(&lb_state_transforms(grid->solver->state)[link], point);
}

static bool is_hand(const retarget_plan *plan, const foot_plan *foot)
{
    return retarget_is_palm(&plan->map->pairs[foot->pair]);
}

/* the step of the grid that is nearest to a time */
static int step_at(const retarget_plan *plan, double time)
{
    return (int)floor((time - plan->begin) / plan->step + 0.5);
}

static lb_status cut_contact(retarget_plan *plan, const foot_plan *foot, double from, double to,
                             lb_error *error)
{
    lb_status status = LB_OK;
    for (int k = 0; k < plan->map->pairs[foot->pair].held_count && status == LB_OK; k++)
        status = lb_contacts_cut(plan->contacts, foot->points[k], from, to, error);
    return status;
}

/* ---- feet that draw the root ----------------------------------------------- */

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
        retarget_measure_feet(solver, solver->goals, retarget_grid_row(grid, step));
    return feet.off > FEET_MISSED * solver->reach;
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
        const lb_fk_batch_rows rows = {.q = retarget_grid_row(grid, step), .transforms = at};
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

/* A part of a foot's contact that may be left out; foot is -1: there is none. */
typedef struct contact_cut {
    int foot;
    double from, to;
} contact_cut;

/* the begin or the end of a chain that lies between two times, if it is the shortest so far */
static void consider_cut(int foot, double begin, double end, double from, double to,
                         contact_cut *best)
{
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
    for (int f = 0; f < plan->foot_count; f++) {
        const foot_plan *foot = &plan->feet[f];
        for (int c = 0; c < foot->chain_count && !is_hand(plan, foot); c++)
            consider_cut(f, chain_begin(foot, &foot->chains[c]), chain_end(foot, &foot->chains[c]),
                         from, to, &best);
    }
    return best;
}

/* shortens contacts at whose begin or end the root is drawn away from its goal */
static lb_status shorten_contacts(retarget_grid *grid, lb_retarget_report *report, lb_error *error)
{
    retarget_plan *plan = grid->solver->plan;
    bool changed[LB_RETARGET_PAIRS] = {false};
    // steps at both ends are free, too
    double margin = 1.5 * plan->step;
    find_drawn(grid);
    for (int step = 0; step <= plan->steps; step++) {
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
        TRY(cut_contact(plan, &plan->feet[cut.foot], cut.from - margin, cut.to + margin, error));
        changed[cut.foot] = true;
        report->shortened++;
    }
    for (int f = 0; f < plan->foot_count; f++)
        if (changed[f])
            TRY(retarget_plan_foot(plan, &plan->feet[f], error));
    return LB_OK;
}

/* ---- palms that miss their places ------------------------------------------- */

/* How much of a contact is missed. */
typedef struct missed_steps {
    int first, last, count; /* steps of the grid; count 0: none */
    int all;                /* steps of the contact */
    double worst;           /* metres */
} missed_steps;

/* how far a palm is from its place at a step, or the root where the whole figure gives way */
static double miss_at(retarget_grid *grid, const foot_plan *foot, const foot_phase *phase, int step)
{
    retarget_plan *plan = grid->solver->plan;
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair], *root = &plan->map->pairs[0];
    lb_vec3 palm = place_of(grid, retarget_grid_row(grid, step), foot->pair, pair->held[0].at);
    double miss = lb_vec3_length(lb_vec3_sub(palm, phase->anchors[0]));
    retarget_goal goal;
    retarget_goals_of(plan, retarget_grid_time(plan, step), 1, &goal);
    const lb_transform *at = &lb_state_transforms(grid->solver->state)[root->target];
    lb_vec3 center = lb_transform_point(at, root->target_point);
    double drawn = lb_vec3_length(lb_vec3_sub(center, goal.place));
    return drawn > DRAGGED * grid->solver->reach ? fmax(miss, drawn) : miss;
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
            if (off <= PALM_MISSED)
                continue;
            missed.first = missed.count++ == 0 ? step : missed.first;
            missed.last = step;
        }
    }
    return missed;
}

/* leaves out so much of a contact, and what is too short before and after it */
static lb_status cut_missed(retarget_plan *plan, const foot_plan *foot, const foot_chain *chain,
                            const missed_steps *missed, lb_error *error)
{
    // the steps beside them are free, too
    double margin = 1.5 * plan->step, from = retarget_grid_time(plan, missed->first) - margin;
    double to = retarget_grid_time(plan, missed->last) + margin;
    double begin = chain_begin(foot, chain), end = chain_end(foot, chain);
    if (from - begin < RETARGET_SHORTEST_HAND)
        from = begin - margin;
    if (end - to < RETARGET_SHORTEST_HAND)
        to = end + margin;
    return cut_contact(plan, foot, from, to, error);
}

/* releases palms while they are not at their places; *any: there were some */
static lb_status release_hands(retarget_grid *grid, lb_retarget_report *report, bool *any,
                               lb_error *error)
{
    retarget_plan *plan = grid->solver->plan;
    for (int f = 0; f < plan->foot_count; f++) {
        foot_plan *foot = &plan->feet[f];
        bool changed = false;
        for (int c = 0; c < foot->chain_count && is_hand(plan, foot); c++) {
            missed_steps missed = find_missed(grid, foot, &foot->chains[c]);
            if (missed.count == 0)
                continue;
            TRY(cut_missed(plan, foot, &foot->chains[c], &missed, error));
            changed = true;
            report->released++;
            report->worst_released = fmax(report->worst_released, missed.worst);
        }
        *any = *any || changed;
        if (changed)
            TRY(retarget_plan_foot(plan, foot, error));
    }
    return LB_OK;
}

/* ---- places that are moved ------------------------------------------------------ */

/* where a held point is on average in a phase, no foot being held, and its axes in the middle */
static lb_vec3 free_place(retarget_grid *grid, const foot_plan *foot, const foot_phase *phase,
                          int held, lb_quat *turn)
{
    retarget_plan *plan = grid->solver->plan;
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    // phases begin and end on the grid; between its times the source depends on its keys
    int first = step_at(plan, phase->begin), last = step_at(plan, phase->end);
    double *rows[SAMPLES];
    lb_vec3 sum = {0, 0, 0};
    plan->released = true;
    for (int i = 0; i < SAMPLES; i++) {
        int step = first + (last - first) * i / (SAMPLES - 1);
        rows[i] = retarget_block_add(grid->block, retarget_grid_time(plan, step), NULL);
        memcpy(rows[i], retarget_grid_row(grid, step), grid->nq * sizeof *rows[i]);
    }
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

/* moves a chain to a place; whether that is farther than `least` */
static bool move_chain(retarget_plan *plan, foot_plan *foot, int chain, lb_vec3 place, lb_quat turn,
                       double least, lb_retarget_report *report)
{
    double by = retarget_place_chain(plan, foot, chain, place, turn);
    if (!(by > least))
        return false;
    report->worst_moved = fmax(report->worst_moved, by);
    return foot->chains[chain].moved = true;
}

/* How far the held points of a chain are from their places along the ground: the mean, weighted by
   itself, and the most, with the link's axes there. */
typedef struct chain_miss {
    lb_vec3 mean;
    double worst;
    lb_quat turn;
} chain_miss;

static chain_miss find_miss(retarget_grid *grid, const foot_plan *foot, const foot_chain *chain)
{
    retarget_plan *plan = grid->solver->plan;
    const lb_retarget_pair *pair = &plan->map->pairs[foot->pair];
    chain_miss miss = {.worst = 0};
    double weights = 0;
    for (int p = chain->first; p < chain->first + chain->count; p++) {
        const foot_phase *phase = &foot->phases[p];
        int to = step_at(plan, phase->end);
        for (int step = step_at(plan, phase->begin); step <= to; step++)
            for (int k = 0; k < pair->held_count; k++) {
                if ((phase->held >> k & 1) == 0)
                    continue;
                lb_vec3 at =
                    place_of(grid, retarget_grid_row(grid, step), foot->pair, pair->held[k].at);
                lb_vec3 off = lb_vec3_sub(at, phase->anchors[k]);
                if (!chain->raised)
                    off = ground_along(&plan->ground, off);
                double far = lb_vec3_length(off);
                weights += far;
                miss.mean = lb_vec3_add(miss.mean, lb_vec3_scale(off, far));
                if (far > miss.worst) {
                    const lb_transform *links = lb_state_transforms(grid->solver->state);
                    miss.worst = far;
                    miss.turn = lb_transform_quat(&links[pair->target]);
                }
            }
    }
    miss.mean = lb_vec3_scale(miss.mean, 1 / fmax(weights, 1e-12));
    return miss;
}

bool retarget_move_missed(retarget_grid *grid, lb_retarget_report *report)
{
    retarget_plan *plan = grid->solver->plan;
    bool moved = false;
    for (int f = 0; f < plan->foot_count; f++) {
        foot_plan *foot = &plan->feet[f];
        for (int c = 0; c < foot->chain_count; c++) {
            const foot_chain *chain = &foot->chains[c];
            chain_miss miss = find_miss(grid, foot, chain);
            if (!(miss.worst > PLACE_MISSED))
                continue;
            int base, held = retarget_chain_base(plan, foot, chain, &base);
            lb_vec3 place = lb_vec3_add(foot->phases[base].anchors[held], miss.mean);
            move_chain(plan, foot, c, place, miss.turn, 0, report);
            moved = true;
        }
    }
    return moved;
}

/* whether a chain is to be moved: a foot's that draws the root away, a palm's that is missed */
static bool gives_way(retarget_grid *grid, const foot_plan *foot, const foot_chain *chain)
{
    if (!is_hand(grid->solver->plan, foot))
        return is_drawn_between(grid, chain_begin(foot, chain), chain_end(foot, chain));
    missed_steps missed = find_missed(grid, foot, chain);
    return missed.count > MOST_CUT * missed.all;
}

/* moves the chains of hands, or of feet, that give way; whether there were any */
static bool move_chains(retarget_grid *grid, bool hands, lb_retarget_report *report)
{
    retarget_plan *plan = grid->solver->plan;
    bool moved = false;
    if (!hands)
        find_drawn(grid);
    for (int f = 0; f < plan->foot_count; f++) {
        foot_plan *foot = &plan->feet[f];
        for (int c = 0; c < foot->chain_count && is_hand(plan, foot) == hands; c++) {
            int base, held = retarget_chain_base(plan, foot, &foot->chains[c], &base);
            lb_quat turn;
            if (!gives_way(grid, foot, &foot->chains[c]))
                continue;
            lb_vec3 place = free_place(grid, foot, &foot->phases[base], held, &turn);
            moved = move_chain(plan, foot, c, place, turn, hands ? 0 : SAME_PLACE, report) || moved;
        }
    }
    return moved;
}

static bool holds_hands(const retarget_plan *plan)
{
    int last = plan->foot_count - 1;
    return last >= 0 && is_hand(plan, &plan->feet[last]);
}

/* hands come before feet, which do not give way to them; then what hands cannot keep after all */
lb_status retarget_give_way(retarget_grid *grid, lb_retarget_report *report, lb_error *error)
{
    bool hands = holds_hands(grid->solver->plan), released = false;
    if (hands && move_chains(grid, true, report))
        TRY(retarget_grid_solve(grid, error));
    TRY(shorten_contacts(grid, report, error));
    if (report->shortened > 0)
        TRY(retarget_grid_solve(grid, error));
    if (move_chains(grid, false, report))
        TRY(retarget_grid_solve(grid, error));
    if (hands)
        TRY(release_hands(grid, report, &released, error));
    return released ? retarget_grid_solve(grid, error) : LB_OK;
}
