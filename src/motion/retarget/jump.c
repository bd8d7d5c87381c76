/*
 * jump.c - where a joint of the target jumps although none of the source does, and whose limb it
 * is; jumps are moved to where they cost least, and spread over the time around them.
 */
#include "math/scalar.h"

#include "motion/retarget/retarget.h"
#include "motion/spline.h"

#include <string.h>

/* radians: a joint that changes by this in a step of 1/30 s is fast for a person; and it jumps if
   that is so many times as much as the source's joints change */
#define JUMP 0.35
#define RATIO 3.0
/* and so is a change that no person makes in that time, as from one limit to the other, if it is
   only so many times as much: the source may turn fast then, as a head that spins */
#define SUDDEN 1.2
#define SUDDEN_RATIO 1.5

/* the most that any joint but the root changes */
static double largest_change(const lb_model *model, const double *change, int root)
{
    double most = 0;
    int skip = lb_model_joint_v(model, root);
    int after = skip + lb_joint_kind_nv(lb_model_joint(model, root)->kind);
    for (int i = 0; i < lb_model_nv(model); i++)
        if (i < skip || i >= after)
            most = scalar_max(fabs(change[i]), most);
    return most;
}

/* what each number of the source changes by from a step to the next */
static const double *source_change(const retarget_plan *plan, int step, double *room)
{
    const lb_model *model = lb_clip_model(plan->source);
    double *next = room, *change = room + lb_model_nq(model);
    lb_clip_at(plan->source, retarget_grid_time(plan, step), plan->q);
    lb_clip_at(plan->source, retarget_grid_time(plan, step + 1), next);
    lb_configuration_difference(model, plan->q, next, change);
    return change;
}

static double largest_calm(double source)
{
    return fmax(JUMP, fmax(fmin(RATIO * source, SUDDEN), SUDDEN_RATIO * source));
}

/* how much a joint changes: what turns in space by its angle, whatever its axes are */
static double joint_change(const lb_model *model, int joint, const double *change)
{
    lb_joint_kind kind = lb_model_joint(model, joint)->kind;
    bool free = kind == LB_JOINT_BALL || kind == LB_JOINT_FLOATING;
    int at = lb_model_joint_v(model, joint), nv = at < 0 ? 0 : lb_joint_kind_nv(kind);
    double most = 0;
    for (int k = 0; k < nv; k += free ? 3 : 1) {
        const double *v = change + at + k;
        most = fmax(most, free ? lb_vec3_length(lb_vec3_make(v[0], v[1], v[2])) : fabs(v[0]));
    }
    return most;
}

double retarget_calm_change(const retarget_plan *plan, int step, double *room)
{
    const lb_model *model = lb_clip_model(plan->source);
    const double *change = source_change(plan, step, room);
    double most = 0;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        most = fmax(most, joint_change(model, j, change));
    return largest_calm(most);
}

bool retarget_is_jump(const retarget_grid *grid, int step, double *room)
{
    const retarget_plan *plan = grid->solver->plan;
    const double *change = grid->changes + (size_t)step * grid->nv, *source;
    double most = largest_change(plan->target, change, grid->solver->root), least = 0;
    if (!(most > JUMP))
        return false;
    source = source_change(plan, step, room);
    for (int i = 0; i < lb_model_nv(lb_clip_model(plan->source)); i++)
        least = fmax(least, fabs(source[i]));
    return most > largest_calm(least);
}

static double *take_room(const retarget_grid *grid)
{
    const lb_model *source = lb_clip_model(grid->solver->plan->source);
    size_t size = (size_t)(lb_model_nq(source) + lb_model_nv(source));
    return memory_take(&grid->solver->plan->memory, size, sizeof(double));
}

lb_status retarget_move_jumps(retarget_grid *grid, lb_error *error)
{
    double *room = take_room(grid);
    for (int step = 0; room != NULL && step < grid->steps; step++)
        if (retarget_is_jump(grid, step, room))
            retarget_grid_move_jump(grid, step);
    return room != NULL ? LB_OK : error_out_of_memory(error);
}

/* ---- the limb ----------------------------------------------------------------- */

static int count_pairs(const retarget_grid *grid, int link)
{
    const lb_retarget_map *map = grid->solver->plan->map;
    int count = 0;
    for (int i = 0; i < map->count; i++)
        count += retarget_is_below(grid->solver->plan->target, link, map->pairs[i].target);
    return count;
}

/* the first link of the limb that a joint belongs to: above it other limbs begin */
static int find_limb(const retarget_grid *grid, int joint)
{
    const lb_model *model = grid->solver->plan->target;
    int link = joint + 1, parent = lb_model_parent(model, link);
    while (parent > grid->solver->root + 1 && count_pairs(grid, parent) == count_pairs(grid, link))
        link = parent, parent = lb_model_parent(model, link);
    return link;
}

static void mark_limb(const retarget_grid *grid, int top, unsigned char *limbs)
{
    const lb_model *model = grid->solver->plan->target;
    for (int link = top, end = retarget_end_below(model, top); link < end; link++) {
        int at = lb_model_joint_q(model, link - 1);
        int nq = lb_joint_kind_nq(lb_model_joint(model, link - 1)->kind);
        for (int k = 0; at >= 0 && k < nq; k++)
            limbs[at + k] = 1;
    }
}

void retarget_find_limbs(const retarget_grid *grid, int step, unsigned char *limbs)
{
    const lb_model *model = grid->solver->plan->target;
    const double *change = grid->changes + (size_t)step * grid->nv;
    for (int j = grid->solver->root + 1; j < lb_model_joint_count(model); j++) {
        int at = lb_model_joint_v(model, j);
        int nv = lb_joint_kind_nv(lb_model_joint(model, j)->kind);
        bool jumps = false;
        for (int k = 0; at >= 0 && k < nv; k++)
            jumps = jumps || fabs(change[at + k]) > JUMP;
        if (jumps)
            mark_limb(grid, find_limb(grid, j), limbs);
    }
}

/* ---- what is left of a jump --------------------------------------------------- */

/*
 * Where one solution ends before another is near, a limb has to go over in some way. Before the
 * jump an offset grows that leads half of it ahead, behind it the other half dies out:
 *
 *     J (3 x^2 - 2 x^3) before, J (3 x^2 - 2 x^3 - 1) behind, x = (t - t_jump + h) / 2 h in [0, 1]
 *
 * so that the limb is as fast as a fast arm at most. J is what a jump of one to three steps changes
 * beyond what its neighbours would in that time. Only joints that carry no held point take part.
 */

/* steps of a jump; what is fast for longer is no jump */
enum { LONGEST = 3 };

/* Steps that jump, one after the other. */
typedef struct jump {
    int first, last;
} jump;

typedef struct spread {
    retarget_grid *grid;
    unsigned char *limbs;    /* nq: what jumps */
    double *change, *offset; /* nv; J, and what is added */
    double *q;               /* nq */
    double *room;            /* for retarget_is_jump */
} spread;

/* the change from a step to the next, NULL: there is none */
static const double *change_of(const retarget_grid *grid, int step)
{
    bool any = step >= 0 && step < grid->steps;
    return any ? grid->changes + (size_t)step * grid->nv : NULL;
}

/* marks the limbs that jump, but what moves held points */
static void mark_limbs(const spread *s, const jump *j)
{
    const retarget_grid *grid = s->grid;
    const lb_model *model = grid->solver->plan->target;
    memset(s->limbs, 0, grid->nq);
    for (int step = j->first; step <= j->last; step++)
        retarget_find_limbs(grid, step, s->limbs);
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        int at = lb_model_joint_q(model, i);
        int nq = lb_joint_kind_nq(lb_model_joint(model, i)->kind);
        if (at >= 0 && retarget_carries_held(grid->solver->plan, i))
            memset(&s->limbs[at], 0, (size_t)nq);
    }
}

/* J; the largest number of it */
static double find_change(spread *s, const jump *j)
{
    const retarget_grid *grid = s->grid;
    const lb_model *model = grid->solver->plan->target;
    const double *before = change_of(grid, j->first - 1);
    const double *after = change_of(grid, j->last + 1);
    double most = 0, steps = j->last - j->first + 1;
    memset(s->change, 0, grid->nv * sizeof *s->change);
    mark_limbs(s, j);
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        int q = lb_model_joint_q(model, i), v = lb_model_joint_v(model, i);
        int nv = lb_joint_kind_nv(lb_model_joint(model, i)->kind);
        for (int k = v; q >= 0 && s->limbs[q] && k < v + nv; k++) {
            s->change[k] = -0.5 * steps * ((before ? before[k] : 0) + (after ? after[k] : 0));
            for (int step = j->first; step <= j->last; step++)
                s->change[k] += change_of(grid, step)[k];
            most = fmax(most, fabs(s->change[k]));
        }
    }
    return most;
}

/* gives a row the values of what jumps that some configuration leads to by s->offset */
static void move_limbs(const spread *s, const double *from, int row)
{
    const lb_model *model = s->grid->solver->plan->target;
    double *q = retarget_grid_row(s->grid, row);
    unsigned char *marks = s->grid->spread + (size_t)row * s->grid->nq;
    lb_configuration_integrate(model, from, s->offset, s->q);
    lb_configuration_clamp(model, s->q, s->q);
    for (size_t i = 0; i < s->grid->nq; i++)
        if (s->limbs[i]) {
            q[i] = s->q[i];
            marks[i] = 1;
        }
}

/* puts the limb of a row within the jump where the nearer side leads it */
static void lead_on(const spread *s, const jump *j, int row)
{
    const retarget_grid *grid = s->grid;
    bool left = 2 * row < j->first + j->last + 1;
    int from = left ? j->first : j->last + 1;
    const double *rate = change_of(grid, left ? from - 1 : from);
    for (size_t i = 0; i < grid->nv; i++)
        s->offset[i] = rate != NULL ? (row - from) * rate[i] : 0;
    move_limbs(s, retarget_grid_row(grid, from), row);
}

/* x goes from 0 to 1 over the rows that the jump is spread over */
static void add_offset(const spread *s, const jump *j, int row, double x)
{
    const retarget_grid *grid = s->grid;
    double share = smooth_step(x) - (2 * row < j->first + j->last + 1 ? 0 : 1);
    for (size_t i = 0; i < grid->nv; i++)
        s->offset[i] = share * s->change[i];
    move_limbs(s, retarget_grid_row(grid, row), row);
}

/* the rows around a jump */
static void spread_jump(spread *s, const jump *j, bool lead)
{
    double half = 0.75 * find_change(s, j) / (RETARGET_CALM * s->grid->solver->plan->step);
    double middle = 0.5 * (j->first + j->last + 1);
    // the jump itself is always inside
    half = fmax(half, 0.5 * (j->last + 2 - j->first));
    for (int row = j->first + 1; lead && row <= j->last; row++)
        lead_on(s, j, row);
    for (int row = (int)fmax(0, ceil(middle - half));
         !lead && row <= s->grid->steps && row < middle + half; row++)
        add_offset(s, j, row, (row - middle + half) / (2 * half));
}

/* the next jump from a step on */
static bool find_next(const spread *s, int step, jump *j)
{
    while (step < s->grid->steps) {
        int last = step;
        while (last < s->grid->steps && retarget_is_jump(s->grid, last, s->room))
            last++;
        *j = (jump){step, last - 1};
        if (last > step && last - step <= LONGEST)
            return true;
        step = last + 1;
    }
    return false;
}

lb_status retarget_spread_jumps(retarget_grid *grid, lb_retarget_report *report, lb_error *error)
{
    const lb_allocator *memory = &grid->solver->plan->memory;
    spread s = {.grid = grid, .room = take_room(grid)};
    s.limbs = memory_take(memory, grid->nq, 1);
    s.change = memory_take(memory, grid->nv, sizeof *s.change);
    s.offset = memory_take(memory, grid->nv, sizeof *s.offset);
    s.q = memory_take(memory, grid->nq, sizeof *s.q);
    jump j;
    if (memory_pool_failed(memory))
        return error_out_of_memory(error);
    if (!find_next(&s, 0, &j))
        return LB_OK;
    grid->spread = memory_take(memory, (size_t)grid->steps + 1, grid->nq);
    if (grid->spread == NULL)
        return error_out_of_memory(error);
    for (j = (jump){0, -1}; find_next(&s, j.last + 1, &j);) {
        double change = find_change(&s, &j);
        report->spread += change > 0;
        report->worst_spread = fmax(report->worst_spread, change);
        spread_jump(&s, &j, true);
    }
    // rows around jumps overlap: offsets add up to what all lead to
    for (j = (jump){0, -1}; find_next(&s, j.last + 1, &j);)
        spread_jump(&s, &j, false);
    retarget_grid_measure(grid, 0, grid->steps);
    return LB_OK;
}
