/*
 * spread.c - what is left of a jump, spread over the time around it.
 *
 * Where one solution ends before another is near, a limb has to go over in some way. Before the
 * jump an offset grows that leads half of it ahead, behind it the other half dies out:
 *
 *     J (3 x^2 - 2 x^3) before, J (3 x^2 - 2 x^3 - 1) behind, x = (t - t_jump + h) / 2 h in [0, 1]
 *
 * so that the limb is as fast as a fast arm at most. J is what a jump of one
 * to three steps changes beyond what its neighbours would in that time. Only joints that carry no
 * held point take part.
 */
#include "motion/retarget/retarget.h"
#include "motion/spline.h"

#include <string.h>

/* steps of a jump; what is fast for longer is no jump */
enum { LONGEST = 3 };

/* Steps that jump, one after the other. */
typedef struct jump {
    int first, last;
} jump;

typedef struct spread {
    retarget_grid *grid;
    const double *times;
    double *keys; /* count x nq */
    int count;
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

static double *key_of(const spread *s, int frame)
{
    return &s->keys[(size_t)frame * s->grid->nq];
}

/* gives a frame the values in `q` of what jumps */
static void copy_limbs(const spread *s, int frame)
{
    for (size_t i = 0; i < s->grid->nq; i++)
        if (s->limbs[i])
            key_of(s, frame)[i] = s->q[i];
}

/* a frame's place on the grid, in steps; what is nearer than rounding is on it */
static double place_of(const spread *s, int frame)
{
    const retarget_plan *plan = s->grid->solver->plan;
    double place = (s->times[frame] - plan->begin) / plan->step, whole = floor(place + 0.5);
    return fabs(place - whole) < RETARGET_SAME_TIME ? whole : place;
}

/* puts a frame's limb on the grid, the less the nearer to the window's ends; x goes from 0 to 1 */
static void take_grid(const spread *s, int frame, double x)
{
    double place = place_of(s, frame), near = smooth_step(fmin(1, 4 * fmin(x, 1 - x)));
    int step = (int)fmin(floor(place), s->grid->steps);
    retarget_grid_between(s->grid, step, place - step, s->q);
    lb_configuration_interpolate(s->grid->solver->plan->target, key_of(s, frame), s->q, near, s->q);
    copy_limbs(s, frame);
}

/* whether a frame is before the middle of a jump */
static bool is_before(const spread *s, const jump *j, int frame)
{
    return 2 * place_of(s, frame) < j->first + j->last + 1;
}

/* puts the limb of a frame within the jump where the nearer side leads it */
static void lead_on(const spread *s, const jump *j, int frame)
{
    const retarget_grid *grid = s->grid;
    double inside = place_of(s, frame) - j->first, steps = j->last + 1 - j->first;
    if (inside <= 0 || inside >= steps)
        return;
    bool left = is_before(s, j, frame);
    const double *row = grid->q + (size_t)(left ? j->first : j->last + 1) * grid->nq;
    const double *rate = change_of(grid, left ? j->first - 1 : j->last + 1);
    for (size_t i = 0; i < grid->nv; i++)
        s->offset[i] = rate ? (left ? inside : inside - steps) * rate[i] : 0;
    lb_configuration_integrate(grid->solver->plan->target, row, s->offset, s->q);
    copy_limbs(s, frame);
}

static void add_offset(const spread *s, const jump *j, int frame, double x)
{
    const lb_model *model = s->grid->solver->plan->target;
    double share = smooth_step(x) - (is_before(s, j, frame) ? 0 : 1);
    for (size_t i = 0; i < s->grid->nv; i++)
        s->offset[i] = share * s->change[i];
    lb_configuration_integrate(model, key_of(s, frame), s->offset, s->q);
    lb_configuration_clamp(model, s->q, s->q);
    copy_limbs(s, frame);
}

/* the first frame that is not before a time */
static int frame_at(const spread *s, double time)
{
    int from = 0, to = s->count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        if (s->times[middle] < time)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* one pass over the frames around a jump */
static void spread_jump(spread *s, const jump *j, int pass)
{
    const retarget_plan *plan = s->grid->solver->plan;
    double half = 0.75 * find_change(s, j) / RETARGET_CALM;
    double middle =
        0.5 * (retarget_grid_time(plan, j->first) + retarget_grid_time(plan, j->last + 1));
    // the jump itself is always inside
    half = fmax(half, 0.5 * (j->last + 2 - j->first) * plan->step);
    for (int i = frame_at(s, middle - half); i < s->count && s->times[i] < middle + half; i++) {
        double x = (s->times[i] - middle + half) / (2 * half);
        if (pass == 0)
            take_grid(s, i, x);
        else if (pass == 1)
            lead_on(s, j, i);
        else
            add_offset(s, j, i, x);
    }
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

/* counts a jump of which something is spread */
static void report_jump(spread *s, const jump *j, lb_retarget_report *report)
{
    double change = find_change(s, j);
    report->spread += change > 0;
    report->worst_spread = fmax(report->worst_spread, change);
}

lb_status retarget_spread_jumps(retarget_grid *grid, const double *times, double *keys, int count,
                                lb_retarget_report *report, lb_error *error)
{
    const lb_allocator *memory = &grid->solver->plan->memory;
    const lb_model *source = lb_clip_model(grid->solver->plan->source);
    size_t size = (size_t)(lb_model_nq(source) + lb_model_nv(source));
    spread s = {.grid = grid, .times = times, .keys = keys, .count = count};
    s.limbs = memory_take(memory, grid->nq, 1);
    s.change = memory_take(memory, grid->nv, sizeof *s.change);
    s.offset = memory_take(memory, grid->nv, sizeof *s.offset);
    s.q = memory_take(memory, grid->nq, sizeof *s.q);
    s.room = memory_take(memory, size, sizeof *s.room);
    if (memory_pool_failed(memory))
        return error_out_of_memory(error);
    jump j;
    bool any = find_next(&s, 0, &j);
    for (j = (jump){0, -1}; any && find_next(&s, j.last + 1, &j);)
        report_jump(&s, &j, report);
    // windows may overlap: first all limbs are on the grid, then offsets add up
    for (int pass = 0; any && pass < 3; pass++)
        for (j = (jump){0, -1}; find_next(&s, j.last + 1, &j);)
            spread_jump(&s, &j, pass);
    return LB_OK;
}
