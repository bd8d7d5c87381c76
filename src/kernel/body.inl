/*
 * body.inl - whole bodies: the active set of a step, strict levels, and the descent.
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
 *
 * Steps are damped in proportion to the squared error (Levenberg-Marquardt), and one that makes
 * things worse is taken back and damped more.
 */
#ifndef KERNEL_BODY_INL
#define KERNEL_BODY_INL

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
 * their levels first; where that contradicts itself, or goes too far, level by level.
 */
static void solve_levels(const kernel_body *body, int last, lane_mask near, body_work *w)
{
    size_t columns = sizeof(lane) * (size_t)body->column_count;
    if (last == 0) {
        solve_stage(body, last, near, w);
        return;
    }
    for (int r = 0; r < body->row_count; r++)
        w->aims[r] = lane_set(0);
    memcpy(w->first_pin, w->pin, columns);
    lane_mask done = mask_from_bits(0);
    if (mask_any(near)) {
        done = mask_and(near, solve_stage(body, last, mask_not(near), w));
        if (mask_all(done))
            return;
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
}

/* ---- the descent ------------------------------------------------------------ */

/* the damping as a share of the squared error: where it begins, and how far it goes */
#define BODY_SHARE 1e-3
#define BODY_SHARE_LEAST 1e-6
#define BODY_SHARE_MOST 1e3
/* what remains of it: joints that no task needs stay where they are */
#define BODY_DAMPING 1e-9
/* a level above is led to zero at once while its squared error is below this */
#define BODY_NEAR 1e-2
/* each level counts so many times as much as the next where a step is assessed as a whole */
#define BODY_PRECEDENCE 1e3
/* radians that a joint turns at most in a step */
#define BODY_LONGEST 1.0
/* much is won by a step that leaves less than this; squares of less than 1e-8 are noise */
#define BODY_MUCH 0.99
#define BODY_NOISE 1e-16
/* steps that win less than this share of every level's error are going nowhere */
#define BODY_GAIN 1e-5
enum { BODY_IDLE_STEPS = 3, BODY_POLISH = 8 };

/*
 * Whether a step from where levels had the errors `before` is a good one: some level wins much
 * while those above keep what they have, or all in all more is won than lost, where a level
 * counts so many times as much as the one below it. The first leads the upper levels completely
 * to zero, whatever that costs those below; the second accepts what curvature costs them.
 */
static lane_mask is_better(int last, const lane *before, const body_work *w)
{
    lane gain = lane_set(0), whole = lane_set(0);
    lane_mask kept = mask_from_bits(MASK_FULL), much = mask_from_bits(0);
    for (int level = 0; level <= last; level++) {
        lane was = before[level], now = w->level_error[level];
        gain = gain * BODY_PRECEDENCE + (was - now);
        whole = whole * BODY_PRECEDENCE + was;
        lane_mask won = mask_and(lane_lt(now, was * BODY_MUCH), lane_gt(was, lane_set(BODY_NOISE)));
        much = mask_or(much, mask_and(kept, won));
        lane most = lane_max(was * (2 - BODY_MUCH), lane_set(BODY_NOISE));
        kept = mask_and(kept, lane_le(now, most));
    }
    // rounding may lose a billionth
    return mask_or(lane_ge(gain, whole * -1e-9), last > 0 ? much : mask_from_bits(0));
}

/* each level's damping follows its own error */
static void find_damping(const kernel_body *body, const kernel_body_control *control, lane share,
                         body_work *w)
{
    for (int level = 0; level < body->level_count; level++) {
        w->damping[level] = share * w->level_error[level] + BODY_DAMPING;
        if (control->damping > 0)
            w->damping[level] = lane_set(control->damping);
    }
}

static lane_mask levels_above_are_near(int last, const body_work *w)
{
    lane sum = lane_set(0);
    for (int level = 0; level < last; level++)
        sum = sum + w->level_error[level];
    return lane_lt(sum, lane_set(BODY_NEAR));
}

/* the largest share of its error that any level has won or lost */
static lane largest_gain(const kernel_body *body, const body_work *w, const lane *before)
{
    lane most = lane_set(0);
    for (int level = 0; level < body->level_count; level++) {
        lane was = before[level], gain = lane_abs(was - w->level_error[level]);
        // what is below 1e-20, a ten-billionth of a metre or radian, is rounding
        most = lane_max(gain / (was + 1e-20), most);
    }
    return most;
}

/* w->change at w->q, whose rows are known */
static void body_plan(const kernel_body *body, int last, lane_mask near, body_work *w)
{
    find_screws(body, w);
    solve_levels(body, last, near, w);
}

/*
 * A step that turns a joint farther than its rows can be trusted is shortened as a whole. Where
 * links are so far from each other that a pivot is lost to rounding, there is no step.
 */
static void shorten_changes(const kernel_body *body, body_work *w)
{
    lane longest = lane_set(0), one = lane_set(1), zero = lane_set(0), lost = zero;
    for (int c = 0; c < body->joint_columns; c++) {
        // not zero for infinities and NaN alone
        lost = lost + w->change[c] * 0;
        if (!body->columns[c].slides)
            longest = lane_max(lane_abs(w->change[c]), longest);
    }
    lane share = lane_min(lane_set(BODY_LONGEST) / lane_max(longest, lane_set(BODY_LONGEST)), one);
    lane_mask finite = lane_eq(lost, zero);
    for (int c = 0; c < body->joint_columns; c++)
        w->change[c] = lane_select(finite, w->change[c] * share, zero);
}

/* a ball turned back to no farther than it may from where it was at the start */
static quat hold_reach(quat q, quat start, lane reach)
{
    quat turn = quat_multiply((quat){start.w, -start.x, -start.y, -start.z}, q);
    lane half = lane_sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z), sine, cosine;
    lane_mask far = lane_gt(2 * lane_atan2(half, lane_abs(turn.w)), reach);
    if (mask_none(far))
        return q;
    lane_sincos(lane_min(reach, lane_set(LB_PI)) * 0.5, &sine, &cosine);
    lane s = lane_flip_sign(sine, turn.w) / lane_max(half, lane_set(1e-300));
    quat held = quat_multiply(start, (quat){cosine, turn.x * s, turn.y * s, turn.z * s});
    return (quat){lane_select(far, held.w, q.w), lane_select(far, held.x, q.x),
                  lane_select(far, held.y, q.y), lane_select(far, held.z, q.z)};
}

static void move_ball_of_body(const kernel_body *body, int i, body_work *w)
{
    const kernel_body_ball *ball = &body->balls[i];
    const v3 *axes = w->ball_axes + 3 * i;
    const lane *change = w->change + ball->column;
    v3 turn = v3_add(v3_add(v3_scale(axes[0], change[0]), v3_scale(axes[1], change[1])),
                     v3_scale(axes[2], change[2]));
    quat next = quat_advance(quat_load(w->q + ball->q), turn);
    if (ball->limited)
        next = ball_clamp(&ball->limits, next);
    next = hold_reach(next, quat_load(w->start + ball->q), w->reach[i]);
    quat_store(w->next + ball->q, next);
}

/* w->next = w->q moved by the step, within the bounds */
static void body_move(const kernel_body *body, body_work *w)
{
    for (int c = 0; c < body->joint_columns; c++) {
        const kernel_body_column *column = &body->columns[c];
        if (column->ball >= 0 || column->tie >= 0)
            continue;
        lane q = w->q[column->q] + w->change[c];
        w->next[column->q] = lane_min(lane_max(q, w->lower[column->q]), w->upper[column->q]);
    }
    for (int i = 0; i < body->ball_count; i++)
        move_ball_of_body(body, i, w);
}

/* What the descent knows of each lane. */
typedef struct body_descent {
    lane share, idle, iterations;
    lane_mask reached, reached_above, missed, stalled, near;
} body_descent;

/* moves on to where the step led, or back; w->q was measured and then changes place with w->next */
static void body_accept(const kernel_body *body, int last, lane_mask busy, body_descent *d,
                        body_work *w)
{
    lane before[KERNEL_BODY_LEVELS];
    for (int level = 0; level < body->level_count; level++)
        before[level] = w->level_error[level];
    lane *here = w->q;
    w->q = w->next;
    w->next = here;
    lane_mask reached = body_measure(body, w);
    lane_mask better = mask_or(is_better(last, before, w), reached);
    lane_mask taken = mask_and(busy, better), refused = mask_andnot(busy, better);
    lane gain = largest_gain(body, w, before);
    lane_mask idle = mask_or(lane_lt(gain, lane_set(BODY_GAIN)), refused);
    d->idle = lane_keep(mask_and(busy, idle), d->idle + 1);
    d->near = mask_andnot(d->near, refused);
    d->share = lane_select(taken, lane_max(d->share * 0.1, lane_set(BODY_SHARE_LEAST)), d->share);
    d->share = lane_select(refused, d->share * 10, d->share);
    d->reached = mask_or(d->reached, mask_and(taken, reached));
    d->reached_above =
        mask_or(mask_and(taken, w->reached_above), mask_andnot(d->reached_above, taken));
    d->missed = mask_or(mask_and(taken, w->missed), mask_andnot(d->missed, taken));
    lane_mask over = mask_or(lane_ge(d->idle, lane_set(BODY_IDLE_STEPS + 8)),
                             lane_gt(d->share, lane_set(BODY_SHARE_MOST)));
    over = mask_or(over, mask_and(taken, lane_ge(d->idle, lane_set(BODY_IDLE_STEPS))));
    d->stalled = mask_or(d->stalled, mask_andnot(mask_and(busy, over), d->reached));
    if (mask_all(taken))
        return;
    for (int i = 0; i < body->tree.nq; i++)
        w->q[i] = lane_select(taken, w->q[i], w->next[i]);
    // what was refused is measured again where it was; what is done needs no rows any more
    if (mask_any(refused))
        body_measure(body, w);
}

/* one step over the levels up to `last` for the lanes that are busy */
static void body_step(const kernel_body *body, const kernel_body_control *control, int last,
                      lane_mask busy, body_descent *d, body_work *w)
{
    d->iterations = d->iterations + lane_keep(busy, lane_set(1));
    find_damping(body, control, d->share, w);
    body_plan(body, last, mask_and(d->near, levels_above_are_near(last, w)), w);
    for (int c = 0; c < body->column_count; c++)
        w->held[c] = lane_select(busy, w->pin[c], w->held[c]);
    shorten_changes(body, w);
    body_move(body, w);
    body_accept(body, last, busy, d, w);
}

static void begin_descent(const kernel_body *body, body_descent *d, body_work *w)
{
    d->reached = body_measure(body, w);
    d->reached_above = w->reached_above;
    d->missed = w->missed;
    d->stalled = mask_from_bits(0);
    d->idle = lane_set(0);
    d->share = lane_set(BODY_SHARE);
    d->near = mask_from_bits(MASK_FULL);
}

static lane_mask is_too_far(const kernel_body *body, double far, const body_work *w)
{
    lane sum = lane_set(0);
    for (int level = 0; level < body->level_count; level++)
        sum = sum + w->level_error[level];
    return lane_gt(sum, lane_set(far));
}

/*
 * Steps over all levels; then, where not everything is reached, some that leave out the last:
 * it may have led the others astray by what its last step's curvature was.
 */
static void body_descend(const kernel_body *body, const kernel_body_control *control,
                         body_descent *d, body_work *w)
{
    int last = body->level_count - 1;
    // short descents have no iterations to spare
    int polish = last > 0 && control->iterations >= 4 * BODY_POLISH ? BODY_POLISH : 0;
    d->iterations = lane_set(0);
    begin_descent(body, d, w);
    if (control->far > 0)
        d->stalled = mask_andnot(is_too_far(body, control->far, w), d->reached);
    for (int i = 0; i < control->iterations - polish; i++) {
        lane_mask busy = mask_not(mask_or(d->reached, d->stalled));
        if (mask_none(busy))
            break;
        body_step(body, control, last, busy, d, w);
    }
    if (polish == 0 || mask_all(d->reached))
        return;
    lane_mask done = d->reached, stalled = d->stalled;
    begin_descent(body, d, w);
    for (int i = 0; i < polish; i++) {
        lane_mask idle = mask_or(mask_or(done, d->reached_above), d->stalled);
        if (mask_all(idle))
            break;
        body_step(body, control, last - 1, mask_not(idle), d, w);
    }
    d->reached = mask_or(done, d->reached);
    d->stalled = stalled;
}

/* ---- memory ----------------------------------------------------------------- */

typedef struct body_arena {
    char *memory;
    size_t used;
} body_arena;

LANE_INLINE void *body_take(body_arena *arena, size_t count, size_t size)
{
    void *at = arena->memory ? arena->memory + arena->used : NULL;
    // every array begins on a cache line, and may spoil one vector behind its end
    arena->used = (arena->used + count * size + 64 + 63) / 64 * 64;
    return at;
}

static size_t body_carve(const kernel_body *body, void *memory, body_work *w)
{
    body_arena arena = {.memory = memory};
    size_t nq = (size_t)body->tree.nq, n = (size_t)body->column_count;
    size_t balls = (size_t)body->ball_count, sides = (size_t)body->side_capacity;
    lane **values[] = {&w->q, &w->next, &w->start, &w->lower, &w->upper, &w->desired};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        *values[i] = body_take(&arena, nq, sizeof(lane));
    lane **columns[] = {&w->low,       &w->high,   &w->pin,     &w->fix,     &w->change,
                        &w->wanted,    &w->lambda, &w->whole,   &w->inverse, &w->held,
                        &w->first_pin, &w->kept,   &w->kept_pin};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        *columns[i] = body_take(&arena, n, sizeof(lane));
    w->reach = body_take(&arena, balls, sizeof(lane));
    w->ball_axes = body_take(&arena, 3 * balls, sizeof(v3));
    w->ball_low = body_take(&arena, 3 * balls, sizeof(lane));
    w->ball_high = body_take(&arena, 3 * balls, sizeof(lane));
    w->frames = body_take(&arena, (size_t)body->tree.count, sizeof(frame));
    w->mass_places = body_take(&arena, (size_t)body->tree.count, sizeof(v3));
    w->targets = body_take(&arena, (size_t)body->task_count, sizeof(frame));
    w->rows = body_take(&arena, (size_t)body->row_capacity, sizeof(body_row));
    w->aims = body_take(&arena, (size_t)body->row_capacity, sizeof(lane));
    w->screws = body_take(&arena, n, sizeof(body_screw));
    w->drives = body_take(&arena, n, sizeof(body_screw));
    w->twists = body_take(&arena, n, sizeof(body_screw));
    w->inertias = body_take(&arena, n, sizeof(body_inertia));
    w->forces = body_take(&arena, 6 * n * sides, sizeof(lane));
    w->loads = body_take(&arena, n * sides, sizeof(lane));
    w->gram = body_take(&arena, sides * sides, sizeof(lane));
    w->multipliers = body_take(&arena, sides, sizeof(lane));
    w->pivots = body_take(&arena, sides, sizeof(lane));
    return arena.used;
}

static size_t body_scratch(const kernel_body *body)
{
    body_work w;
    return body_carve(body, NULL, &w);
}

/* ---- queries ---------------------------------------------------------------- */

LANE_INLINE const kernel_body_query *query_of(kernel_body_query *const *queries, int count, int l)
{
    return queries[l < count ? l : 0];
}

/* one number of each query into a lane */
#define BODY_LOAD(to, expression)                                                                  \
    for (int l = 0; l < LANE_WIDTH; l++) {                                                         \
        const kernel_body_query *query = query_of(queries, count, l);                              \
        lane_put(&(to), l, expression);                                                            \
    }

static void body_load(const kernel_body *body, kernel_body_query *const *queries, int count,
                      body_work *w)
{
    for (int i = 0; i < body->tree.nq; i++) {
        BODY_LOAD(w->q[i], query->start[i])
        BODY_LOAD(w->lower[i], query->lower[i])
        BODY_LOAD(w->upper[i], query->upper[i])
        BODY_LOAD(w->desired[i], query->desired[i])
        w->next[i] = w->start[i] = w->q[i];
    }
    for (int i = 0; i < body->ball_count; i++)
        BODY_LOAD(w->reach[i], query->reach ? query->reach[i] : INFINITY)
    for (int t = 0; t < body->task_count; t++) {
        lane numbers[12];
        for (int k = 0; k < 12; k++)
            BODY_LOAD(numbers[k], (&query->targets[t].x.x)[k])
        memcpy(&w->targets[t], numbers, sizeof numbers);
    }
    for (int c = 0; c < body->column_count; c++)
        w->pin[c] = w->fix[c] = w->held[c] = lane_set(0);
    // rows that no task fills have no error
    memset(w->rows, 0, sizeof(body_row) * (size_t)body->row_capacity);
}

static void body_unload(const kernel_body *body, kernel_body_query *const *queries, int count,
                        const body_descent *d, const body_work *w)
{
    unsigned reached = mask_bits(d->reached), stalled = mask_bits(d->stalled);
    unsigned missed = mask_bits(d->missed);
    for (int l = 0; l < count; l++) {
        kernel_body_query *query = queries[l];
        for (int i = 0; i < body->tree.nq; i++)
            query->q[i] = lane_get(&w->q[i], l);
        query->iterations = (int)lane_get(&d->iterations, l);
        query->missed = missed >> l & 1;
        query->end = reached >> l & 1   ? KERNEL_BODY_REACHED
                     : stalled >> l & 1 ? KERNEL_BODY_STALLED
                                        : KERNEL_BODY_SPENT;
        for (int c = 0; query->held && c < body->joint_columns; c++) {
            double pin = lane_get(&w->held[c], l);
            query->held[c] = pin < 0 ? 1 : pin > 0 ? 2 : 0;
        }
    }
}

static void body_solve(const kernel_body *body, const kernel_body_control *control,
                       kernel_body_query *const *queries, int count, void *scratch)
{
    body_work w;
    body_descent d;
    body_carve(body, scratch, &w);
    body_load(body, queries, count, &w);
    body_descend(body, control, &d, &w);
    body_unload(body, queries, count, &d, &w);
}

static void body_plan_many(const kernel_body *body, const kernel_body_control *control,
                           kernel_body_query *const *queries, int count, void *scratch,
                           double *const *changes)
{
    body_work w;
    body_carve(body, scratch, &w);
    body_load(body, queries, count, &w);
    body_measure(body, &w);
    find_damping(body, control, lane_set(BODY_SHARE), &w);
    body_plan(body, body->level_count - 1, mask_from_bits(0), &w);
    for (int l = 0; l < count; l++)
        for (int c = 0; c < body->joint_columns; c++)
            changes[l][c] = lane_get(&w.change[c], l);
}

extern const kernel_body_ops KERNEL_NAME(body);

const kernel_body_ops KERNEL_NAME(body) = {
    .width = LANE_WIDTH, .scratch = body_scratch, .solve = body_solve, .plan = body_plan_many};

#endif
