/*
 * body_levels.inl - one step of a body: its active set, and strict levels.
 *
 * A step is the exact minimum of a strictly convex quadratic program with bounds. Its active set
 * is found by block principal pivoting (Portugal, Judice & Vicente 1994): all columns beyond a
 * bound are pinned to it and all that a bound holds back from nowhere are released, and where that
 * does not lead on, only the last of them, which ends for certain (Murty 1974). A set for which
 * nothing is left to change is optimal, however it was found.
 *
 * Strict levels are solved one after the other: each level's minimum, then the next level's among
 * the steps that leave all rows above as they have become. Where a level's step leads its rows to
 * zero anyway, that is known without solving it.
 */
#ifndef KERNEL_BODY_LEVELS_INL
#define KERNEL_BODY_LEVELS_INL

#include "kernel/body_sweep.inl"

/* ---- the active set --------------------------------------------------------- */

/* sweeps for one step; and how often the whole set may change without fewer faults */
enum { BODY_SWEEPS = 40, BODY_BLOCKS = 3 };

/* a bound is broken by more than rounding leaves: steps are of the size of one */
#define BODY_BEYOND 1e-12

/* What the search for the active set knows of each lane. */
typedef struct body_pivoting {
    lane faults, least; /* columns that are where they must not be; fewest ever */
    lane patience;      /* blocks left before single changes */
    lane single;        /* the last column at fault */
} body_pivoting;

/* where a column's pin must change, and to what */
LANE_INLINE lane_mask pin_fault(const body_work *w, int c, lane *pin)
{
    lane zero = lane_set(0), one = lane_set(1), slack = lane_set(BODY_BEYOND);
    lane wanted = w->wanted[c], now = w->pin[c];
    lane_mask low = lane_lt(wanted, w->low[c] - slack);
    lane_mask high = lane_gt(wanted, w->high[c] + slack);
    lane_mask free = lane_eq(now, zero);
    // what is pinned and wanted back inside is released
    lane_mask from_low = mask_and(lane_lt(now, zero), lane_gt(wanted, w->fix[c] + slack));
    lane_mask from_high = mask_and(lane_gt(now, zero), lane_lt(wanted, w->fix[c] - slack));
    *pin = lane_keep(free, lane_select(low, -one, lane_keep(high, one)));
    return mask_or(mask_and(free, mask_or(low, high)), mask_or(from_low, from_high));
}

static void count_faults(const kernel_body *body, const body_work *w, body_pivoting *p)
{
    p->faults = lane_set(0);
    p->single = lane_set(-1);
    for (int c = 0; c < body->column_count; c++) {
        lane pin;
        lane_mask fault = pin_fault(w, c, &pin);
        p->faults = p->faults + lane_keep(fault, lane_set(1));
        p->single = lane_select(fault, lane_set(c), p->single);
    }
}

/* changes the set of the lanes that are not done */
static void change_pins(const kernel_body *body, body_pivoting *p, lane_mask open, body_work *w)
{
    lane one = lane_set(1), zero = lane_set(0);
    lane_mask fewer = lane_lt(p->faults, p->least);
    p->least = lane_min(p->faults, p->least);
    p->patience = lane_select(fewer, lane_set(BODY_BLOCKS), lane_max(p->patience - one, -one));
    lane_mask block = lane_ge(p->patience, zero);
    for (int c = 0; c < body->column_count; c++) {
        lane pin;
        lane_mask fault = mask_and(open, pin_fault(w, c, &pin));
        fault = mask_and(fault, mask_or(block, lane_eq(p->single, lane_set(c))));
        w->pin[c] = lane_select(fault, pin, w->pin[c]);
        lane bound = lane_select(lane_lt(w->pin[c], zero), w->low[c], w->high[c]);
        w->fix[c] = lane_keep(mask_not(lane_eq(w->pin[c], zero)), bound);
    }
}

/* what the search leaves is within the bounds to the last bit */
static void bound_changes(const kernel_body *body, body_work *w)
{
    for (int c = 0; c < body->column_count; c++)
        w->change[c] = lane_min(lane_max(w->change[c], w->low[c]), w->high[c]);
}

/* one level's step within the bounds; returns where its strict rows are as they have to be */
static lane_mask solve_stage(const kernel_body *body, int level, lane_mask by_levels, body_work *w)
{
    body_pivoting p = {.least = lane_set(INFINITY), .patience = lane_set(BODY_BLOCKS)};
    lane_mask sound = mask_from_bits(0);
    for (int i = 0; i < BODY_SWEEPS; i++) {
        sound = sweep_stage(body, level, by_levels, w);
        count_faults(body, w, &p);
        lane_mask open = lane_gt(p.faults, lane_set(0));
        if (mask_none(open))
            break;
        change_pins(body, &p, open, w);
    }
    bound_changes(body, w);
    return sound;
}

/* ---- levels ----------------------------------------------------------------- */

/* a row's change by the step */
static lane row_change(const kernel_body *body, int r, const body_work *w)
{
    const kernel_body_row *info = &body->rows[r];
    const body_row *row = &w->rows[r];
    const kernel_body_task *task = &body->tasks[info->task];
    lane sum = info->slack >= 0 ? -w->change[info->slack] : lane_set(0);
    if (task->kind == KERNEL_BODY_JOINT)
        return row->linear[0].x * w->change[info->column] + sum;
    if (task->kind == KERNEL_BODY_DISTANCE)
        return sum + pair_change(r, w);
    for (int k = 0; task->kind == KERNEL_BODY_COUPLING && k < 2; k++)
        if (task->coupled[k] >= 0)
            sum = sum + row->linear[k].x * w->change[task->coupled[k]];
    for (int i = 0; is_center(task) && i < body->tree.count; i++) {
        int c = body->carriers[i];
        if (c < 0 || body->masses[i].share <= 0)
            continue;
        const body_screw *twist = &w->twists[c];
        v3 moves = v3_add(twist->linear.v, v3_cross(twist->angular.v, w->mass_places[i]));
        sum = sum + v3_dot(row->linear[0], moves) * body->masses[i].share;
    }
    for (int part = is_center(task); part < KERNEL_BODY_PARTS; part++) {
        int c = part_column(task, part);
        if (c >= 0)
            sum = sum + (v3_dot(row->angular[part], w->twists[c].angular.v) +
                         v3_dot(row->linear[part], w->twists[c].linear.v));
    }
    return sum;
}

/* what the step makes of one level's rows is what levels below must leave */
static void keep_level(const kernel_body *body, int level, body_work *w)
{
    for (int r = 0; r < body->row_count; r++)
        if (body->rows[r].level == level && body->rows[r].task >= 0)
            w->aims[r] = row_change(body, r, w);
}

/* the pins as they were before the step */
static void reset_pins(const kernel_body *body, body_work *w)
{
    for (int c = 0; c < body->column_count; c++) {
        lane pin = w->pin[c] = w->first_pin[c];
        lane bound = lane_select(lane_lt(pin, lane_set(0)), w->low[c], w->high[c]);
        w->fix[c] = lane_keep(mask_not(lane_eq(pin, lane_set(0))), bound);
    }
}

/*
 * The step over all levels. Near the goal, `near`, rows above are led to zero without solving
 * their levels first; where that contradicts itself, or goes too far, level by level. Returns the
 * lanes whose step is that of one sweep, which is the last one.
 */
static lane_mask solve_levels(const kernel_body *body, int last, lane_mask near, body_work *w)
{
    size_t columns = sizeof(lane) * (size_t)body->column_count;
    if (last == 0) {
        // there is no level above that would have made anything of its rows
        solve_stage(body, last, mask_from_bits(0), w);
        return mask_from_bits(MASK_FULL);
    }
    for (int r = 0; r < body->row_count; r++)
        w->aims[r] = lane_set(0);
    memcpy(w->first_pin, w->pin, columns);
    lane_mask done = mask_from_bits(0);
    if (mask_any(near)) {
        done = mask_and(near, solve_stage(body, last, mask_not(near), w));
        if (mask_all(done))
            return done;
        // the others begin as if nothing had been
        memcpy(w->kept, w->change, columns);
        memcpy(w->kept_pin, w->pin, columns);
        reset_pins(body, w);
    }
    for (int level = 0; level <= last; level++) {
        solve_stage(body, level, mask_not(done), w);
        if (level < last)
            keep_level(body, level, w);
    }
    for (int c = 0; c < body->column_count; c++) {
        w->change[c] = lane_select(done, w->kept[c], w->change[c]);
        w->pin[c] = lane_select(done, w->kept_pin[c], w->pin[c]);
    }
    return done;
}

#endif
