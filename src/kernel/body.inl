/*
 * body.inl - whole bodies: the descent.
 *
 * Steps are damped in proportion to the squared error (Levenberg-Marquardt), and one that makes
 * things worse is taken back and damped more. After a step that leaves a twentieth, what is left is
 * corrected with the same factors as long as that wins much, too (body_correct.inl). Descents that
 * begin near their end take fewer steps (body_near.inl). Levels are
 * strict in each step; curvature makes them give way in a sum of steps, which the end mends.
 */
#ifndef KERNEL_BODY_INL
#define KERNEL_BODY_INL

#include "kernel/body_levels.inl"
#include "kernel/body_memory.inl"
#include "kernel/body_move.inl"
#include "kernel/body_near.inl"
#include "simd/lane_rows.h"

/* ---- the descent ------------------------------------------------------------ */

/* the damping as a share of the squared error: where it begins, how it falls after a step and rises
   after one that is taken back, and how far it goes */
#define BODY_SHARE 1e-2
#define BODY_SHARE_FALL 0.3
#define BODY_SHARE_RISE 10
#define BODY_SHARE_LEAST 1e-4
#define BODY_SHARE_MOST 1e3
/*
 * What remains of it: joints that no task needs stay where they are. Well above the weights of
 * postures, which would otherwise lead such joints far in the last steps, where nothing else counts
 * for much, and so leave errors of the second order again and again.
 */
#define BODY_DAMPING 1e-6
/* a level above is led to zero at once while its squared error is below this */
#define BODY_NEAR 1
/* each level counts so many times as much as the next where a step is assessed as a whole */
#define BODY_PRECEDENCE 1e3
/* a level wins by a step that leaves less than this, and may lose as much for it without that
   counting; squares of less than 1e-8 are noise */
#define BODY_MUCH 0.99
#define BODY_NOISE 1e-16
/* steps that win less than this share of every level's error are idle; so many of them end a
   descent, or so many more if the last was taken back: more damping may still help */
#define BODY_GAIN 1e-5
enum { BODY_IDLE_STEPS = 3, BODY_IDLE_REFUSED = 8 };
/* descents of fewer iterations end without being polished */
enum { BODY_POLISHED = 32 };
/* a level keeps what it has where it loses less than this share */
#define BODY_KEPT 1e-10
/*
 * The same of strict steps, which end where what is out of reach is nearest: there the errors'
 * curvature, of another size in each direction, decides, and each damping removes what is left in
 * the directions that it fits. Measured: 0.2 and 20 leave a hundredth of what 0.6 and 3 leave.
 */
#define BODY_STRICT_FALL 0.2
#define BODY_STRICT_RISE 20
/* what steps and corrections leave of the squared error where they can be corrected (again), and
   what a correction leaves that is worth it */
#define BODY_STEP_LEAVES 0.05
#define BODY_AGAIN_LEAVES 0.02
#define BODY_CORRECTION_LEAVES 0.5
enum { BODY_CORRECTIONS = 3 };

/*
 * Whether a step from where levels had the errors `before` is a good one: some level wins
 * while those above keep what they have, or all in all more is won than lost, where a level
 * counts so many times as much as the one below it. The first leads the upper levels completely
 * to zero, whatever that costs those below; the second accepts what curvature costs them, which
 * strict steps then take back. Of these the last level must win and the others keep what they have.
 */
static lane_mask is_better(int last, bool strict, const lane *before, const body_work *w)
{
    lane gain = lane_set(0), whole = lane_set(0);
    lane_mask kept = mask_from_bits(MASK_FULL), much = mask_from_bits(0);
    for (int level = 0; level <= last; level++) {
        lane was = before[level], now = w->level_error[level];
        gain = gain * BODY_PRECEDENCE + (was - now);
        whole = whole * BODY_PRECEDENCE + was;
        lane_mask won = mask_and(lane_lt(now, was * BODY_MUCH), lane_gt(was, lane_set(BODY_NOISE)));
        much = mask_or(much, mask_and(kept, won));
        lane most = lane_max(was * (strict ? 1 + BODY_KEPT : 2 - BODY_MUCH), lane_set(BODY_NOISE));
        if (strict && level == last)
            return mask_and(kept, lane_lt(now, was));
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

/* w->change at w->q, whose rows are known; returns the lanes that can be corrected */
static lane_mask body_plan(const kernel_body *body, int last, lane_mask near, body_work *w)
{
    find_screws(body, w);
    return solve_levels(body, last, near, w);
}

/* What the descent knows of each lane. */
typedef struct body_descent {
    lane share, idle, iterations;
    lane_mask reached, reached_above, missed, stalled, near;
    lane_mask follows; /* the last step was taken as it was, so that the next can be compared */
    bool corrects;     /* the body's steps can be corrected */
    bool strict;       /* no level may lose for those below it */
    double settled;    /* of kernel_body_control */
} body_descent;

/* what the lanes that are `taken` have reached now, as they were measured */
static void note_reached(lane_mask taken, lane_mask reached, const body_work *w, body_descent *d)
{
    d->reached = mask_or(d->reached, mask_and(taken, reached));
    d->reached_above =
        mask_or(mask_and(taken, w->reached_above), mask_andnot(d->reached_above, taken));
    d->missed = mask_or(mask_and(taken, w->missed), mask_andnot(d->missed, taken));
}

/* the rows where the step begins are those that it can be corrected with */
static void keep_rows(body_work *w)
{
    body_row *rows = w->step_rows;
    w->step_rows = w->rows;
    w->rows = rows;
}

/*
 * Where a step was refused, most often because a heavy row curves (the Maratos effect), what it
 * has made worse is corrected with its own factors, which takes half as long as another step
 * (second-order correction; Nocedal & Wright 2006, 15.6). Returns the lanes that are better by it;
 * the others that do not follow their step are back where it began.
 */
static lane_mask correct_refused(const kernel_body *body, int last, const lane *before,
                                 lane_mask busy, lane_mask *reached, const body_descent *d,
                                 body_work *w)
{
    memcpy(w->begun, w->next, sizeof(lane) * (size_t)body->tree.nq);
    lane_mask short_steps = changes_little(body, BODY_CORRECTED, w);
    correct_stage(body, last, w);
    body_move(body, w);
    lane_mask there = measure_next(body, w);
    lane_mask better = mask_or(is_better(last, d->strict, before, w), there);
    lane_mask corrected = mask_and(mask_andnot(busy, d->follows), mask_and(better, short_steps));
    for (int i = 0; i < body->tree.nq; i++) {
        lane stay = lane_select(d->follows, w->next[i], w->begun[i]);
        w->q[i] = lane_select(corrected, w->q[i], stay);
    }
    *reached = mask_any(mask_andnot(busy, corrected)) ? body_measure(body, w) : there;
    return corrected;
}

/* moves on to where the step led, or back; returns the lanes that it led on */
static lane_mask body_accept(const kernel_body *body, int last, const lane *before, lane_mask busy,
                             body_descent *d, body_work *w)
{
    if (d->corrects)
        keep_rows(w);
    w->busy = busy;
    lane_mask reached = body->closed ? measure_closed(body, busy, w) : measure_next(body, w);
    lane_mask better = mask_or(is_better(last, d->strict, before, w), reached);
    lane_mask small = mask_from_bits(0), taken;
    if (d->settled > 0) {
        lane_mask mild = lane_le(d->share, lane_set(BODY_SHARE));
        small = mask_and(mask_and(busy, mild), changes_little(body, d->settled, w));
    }
    d->follows = taken = mask_and(busy, better);
    bool corrects = d->settled > 0 && d->corrects && mask_any(mask_andnot(busy, taken));
    if (corrects)
        taken = mask_or(taken, correct_refused(body, last, before, busy, &reached, d, w));
    lane_mask refused = mask_andnot(busy, taken);
    lane gain = largest_gain(body, w, before);
    lane_mask idle = mask_or(lane_lt(gain, lane_set(d->strict ? BODY_KEPT : BODY_GAIN)), refused);
    d->idle = lane_keep(mask_and(busy, idle), d->idle + 1);
    d->near = mask_andnot(d->near, refused);
    double fall = d->strict ? BODY_STRICT_FALL : BODY_SHARE_FALL;
    double rise = d->strict ? BODY_STRICT_RISE : BODY_SHARE_RISE;
    d->share =
        lane_select(d->follows, lane_max(d->share * fall, lane_set(BODY_SHARE_LEAST)), d->share);
    d->share = lane_select(refused, d->share * rise, d->share);
    note_reached(taken, reached, w, d);
    lane_mask over = mask_or(lane_ge(d->idle, lane_set(BODY_IDLE_STEPS + BODY_IDLE_REFUSED)),
                             lane_gt(d->share, lane_set(BODY_SHARE_MOST)));
    over = mask_or(over, mask_and(taken, lane_ge(d->idle, lane_set(BODY_IDLE_STEPS))));
    over = mask_or(over, small);
    d->stalled = mask_or(d->stalled, mask_andnot(mask_and(busy, over), d->reached));
    if (!corrects)
        take_back(body, taken, busy, w);
    return taken;
}

/* of each lane, whether less than a share is left of what it lacked `before` */
static lane_mask leaves(const kernel_body *body, const lane *before, double share,
                        const body_work *w)
{
    lane was = lane_set(0), now = lane_set(0);
    for (int level = 0; level < body->level_count; level++) {
        was = was + before[level];
        now = now + w->level_error[level];
    }
    return lane_lt(now, was * share);
}

static void keep_errors(const kernel_body *body, const body_work *w, lane *errors)
{
    for (int level = 0; level < body->level_count; level++)
        errors[level] = w->level_error[level];
}

/* corrects the last step of the lanes that are `open`, while that wins much */
static void body_correct(const kernel_body *body, int last, lane_mask open, lane_mask busy,
                         body_descent *d, body_work *w)
{
    lane before[KERNEL_BODY_LEVELS];
    for (int i = 0; i < BODY_CORRECTIONS; i++) {
        lane_mask idle = mask_or(d->reached, d->stalled);
        open = mask_andnot(open, idle);
        if (mask_none(open))
            return;
        keep_errors(body, w, before);
        correct_stage(body, last, w);
        body_move(body, w);
        lane_mask reached = measure_next(body, w);
        lane_mask taken =
            mask_and(open, mask_or(leaves(body, before, BODY_CORRECTION_LEAVES, w), reached));
        note_reached(taken, reached, w, d);
        d->follows = mask_andnot(d->follows, taken);
        take_back(body, taken, mask_andnot(busy, idle), w);
        open = mask_and(taken, leaves(body, before, BODY_AGAIN_LEAVES, w));
    }
}

/* one step over the levels up to `last` for the lanes that are busy; there may be `more` */
static void body_step(const kernel_body *body, const kernel_body_control *control, int last,
                      lane_mask busy, bool more, body_descent *d, body_work *w)
{
    d->iterations = d->iterations + lane_keep(busy, lane_set(1));
    lane before[KERNEL_BODY_LEVELS];
    keep_errors(body, w, before);
    find_damping(body, control, d->share, w);
    lane_mask near = mask_and(d->near, levels_above_are_near(last, w));
    lane_mask open = body_plan(body, last, near, w);
    // lanes that only wait for others keep what their own last step has pinned
    for (int c = 0; c < body->column_count; c++)
        w->held[c] = w->pin[c] = lane_select(busy, w->pin[c], w->held[c]);
    shorten_changes(body, w);
    if (d->settled > 0)
        accelerate(body, d->follows, w);
    body_move(body, w);
    open = mask_and(open, body_accept(body, last, before, busy, d, w));
    if (d->corrects && more)
        body_correct(body, last, mask_and(open, leaves(body, before, BODY_STEP_LEAVES, w)), busy, d,
                     w);
}

static void begin_descent(const kernel_body *body, int iterations, body_descent *d, body_work *w)
{
    w->busy = mask_from_bits(MASK_FULL);
    d->reached = body_measure(body, w);
    d->reached_above = w->reached_above;
    d->missed = w->missed;
    d->stalled = mask_from_bits(0);
    d->idle = lane_set(0);
    d->share = lane_set(BODY_SHARE);
    d->near = mask_from_bits(MASK_FULL);
    d->strict = false;
    d->follows = mask_from_bits(0);
    d->settled = 0;
    // a caller who allows one iteration wants no more than that
    d->corrects = iterations > 1 && can_correct(body);
    if (d->corrects)
        clear_rows(body, w->step_rows);
}

static lane_mask is_too_far(const kernel_body *body, double far, const body_work *w)
{
    lane sum = lane_set(0);
    for (int level = 0; level < body->level_count; level++)
        sum = sum + w->level_error[level];
    return lane_gt(sum, lane_set(far));
}

/* strict steps over the levels up to `last`, of lanes that are not `done` */
static void descend_strictly(const kernel_body *body, const kernel_body_control *control, int last,
                             int iterations, lane_mask done, body_descent *d, body_work *w)
{
    begin_descent(body, iterations, d, w);
    d->strict = true;
    for (int left = iterations; left > 0; left--) {
        lane_mask over = last < body->level_count - 1 ? d->reached_above : d->reached;
        lane_mask busy = mask_not(mask_or(mask_or(done, over), d->stalled));
        if (mask_none(busy))
            break;
        body_step(body, control, last, busy, false, d, w);
    }
}

static void body_polish(const kernel_body *body, const kernel_body_control *control, int iterations,
                        body_descent *d, body_work *w)
{
    lane_mask done = d->reached, stalled = d->stalled;
    int last = body->level_count - 1, all = iterations / 8;
    for (int level = last - 1; level >= 0; level--)
        descend_strictly(body, control, level, (iterations - all) / last, done, d, w);
    descend_strictly(body, control, last, all, done, d, w);
    d->reached = mask_or(done, d->reached);
    d->stalled = stalled;
}

/*
 * Steps over all levels; then, where not everything is reached, levels that gave way to those below
 * them, as curvature may make them, take back what they lost: each is led on without those below,
 * then all together, while none loses anything.
 */
static void body_descend(const kernel_body *body, const kernel_body_control *control,
                         body_descent *d, body_work *w)
{
    int last = body->level_count - 1;
    // short descents have no iterations to spare
    int polish = last > 0 && control->iterations >= BODY_POLISHED ? control->iterations / 2 : 0;
    d->iterations = lane_set(0);
    begin_descent(body, control->iterations - polish, d, w);
    d->settled = control->settled;
    if (control->far > 0)
        d->stalled = mask_andnot(is_too_far(body, control->far, w), d->reached);
    for (int left = control->iterations - polish; left > 0; left--) {
        lane_mask busy = mask_not(mask_or(d->reached, d->stalled));
        if (mask_none(busy))
            break;
        body_step(body, control, last, busy, left > 1, d, w);
    }
    if (polish == 0 || mask_all(d->reached))
        return;
    body_polish(body, control, polish, d, w);
}

/* ---- queries ---------------------------------------------------------------- */

LANE_INLINE const kernel_body_query *query_of(kernel_body_query *const *queries, int count, int l)
{
    return queries[l < count ? l : 0];
}

/* an array of each query into an array of lanes */
#define BODY_LOAD(to, numbers, expression)                                                         \
    do {                                                                                           \
        const double *rows[LANE_WIDTH];                                                            \
        for (int l = 0; l < LANE_WIDTH; l++) {                                                     \
            const kernel_body_query *query = query_of(queries, count, l);                          \
            rows[l] = (expression);                                                                \
        }                                                                                          \
        load_numbers(to, rows, numbers);                                                           \
    } while (0)

/* the first numbers of every row, each in a lane */
static void load_numbers(lane *to, const double *const *rows, int count)
{
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        lane_four four = lane_load_rows(rows, (size_t)i);
        memcpy(to + i, &four, sizeof four);
    }
    for (; i < count; i++)
        to[i] = lane_pick(rows, (size_t)i);
}

static void body_load(const kernel_body *body, kernel_body_query *const *queries, int count,
                      body_work *w)
{
    int nq = body->tree.nq, tasks = body->task_count;
    BODY_LOAD(w->q, nq, query->start);
    BODY_LOAD(w->lower, nq, query->lower);
    BODY_LOAD(w->upper, nq, query->upper);
    BODY_LOAD(w->desired, nq, query->desired);
    memcpy(w->next, w->q, sizeof(lane) * (size_t)nq);
    memcpy(w->start, w->q, sizeof(lane) * (size_t)nq);
    for (int i = 0; i < body->ball_count; i++)
        w->reach[i] = lane_set(INFINITY);
    if (queries[0]->reach != NULL)
        BODY_LOAD(w->reach, body->ball_count, query->reach);
    BODY_LOAD(&w->targets->x.x, 12 * tasks, &query->targets->x.x);
    for (int t = 0; t < 2 * tasks; t++)
        w->weights[t] = v3_set(body->tasks[t / 2].weights[t % 2]);
    if (queries[0]->weights != NULL)
        BODY_LOAD(&w->weights->x, 6 * tasks, &query->weights->x);
    for (int c = 0; c < body->column_count; c++)
        w->pin[c] = w->fix[c] = w->held[c] = w->last_change[c] = w->last_step[c] = lane_set(0);
    w->count = count;
    w->busy = mask_from_bits(MASK_FULL);
    clear_rows(body, w->rows);
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
