/*
 * engine.inl - runs descents on all lanes and refills a lane as soon as it is idle.
 *
 * A job is one descent from one start. The feed supplies jobs and receives their results. Lanes
 * never influence one another, so the result of a job does not depend on the width or on what
 * runs beside it.
 */
#ifndef KERNEL_ENGINE_INL
#define KERNEL_ENGINE_INL

#include "kernel/step.inl"

/* how often a step of constant damping is shortened before its descent has stalled: eighths, so
   that the last is as long as after the halvings of a single step */
#define MAX_SHORTENINGS 5

/* Everything that differs from lane to lane, beside the work. */
typedef struct engine {
    const kernel_problem *problem;
    const kernel_control *control;
    const kernel_feed *feed;
    work w;
    unsigned busy; /* lanes with a job */
    int budget[LANE_WIDTH];
    lane left;                 /* iterations of the budget */
    lane error2, last, before; /* squared errors now, one and two iterations ago */
    lane share;                /* of lambda^2 in the squared error */
    lane shortened;            /* how often the last step has been shortened */
    lane_mask monotone, worse; /* jobs that are, and those of them whose error has increased */
    bool has_fixed;            /* some values belong to no variable */
    lane keep;                 /* stalled at this share of `before` or more; infinite: never */
    double q[];                /* the configuration of a result */
} engine;

/* sets one lane of a row; written as a whole, so that it can be read at once */
LANE_INLINE void row_put(lane *row, lane_mask which, double value)
{
    *row = lane_select(which, lane_set(value), *row);
}

/* puts a lane at the start of a job */
static void engine_load(engine *e, int l, const kernel_job *job)
{
    const unsigned bit = 1u << l;
    const lane_mask which = mask_from_bits(bit);
    for (int i = 0; i < e->problem->tree.nq; i++)
        row_put(&e->w.q[i], which, job->start[i]);
    // values of no variable are the same in both buffers
    if (e->has_fixed)
        for (int i = 0; i < e->problem->tree.nq; i++)
            row_put(&e->w.next[i], which, job->start[i]);
    lane *to = &e->w.targets->x.x;
    const double *targets = &job->targets->x.x;
    for (int i = 0; i < 12 * e->problem->task_count; i++)
        row_put(&to[i], which, targets[i]);
    e->busy |= bit;
    e->budget[l] = job->iterations;
    row_put(&e->left, which, job->iterations);
    row_put(&e->last, which, INFINITY);
    row_put(&e->error2, which, INFINITY);
    row_put(&e->share, which, KERNEL_DAMPING_SHARE);
    row_put(&e->shortened, which, 0);
    unsigned monotone = mask_bits(e->monotone) & ~bit;
    e->monotone = mask_from_bits(monotone | (job->monotone ? bit : 0));
    row_put(&e->keep, which, kernel_stall_share(job->min_decrease));
}

/* the lowest of some lanes; a loop over them costs one mispredicted branch, not one each */
LANE_INLINE int lane_first(unsigned lanes)
{
    return __builtin_ctz(lanes);
}

/* fills every idle lane from the feed */
static void engine_refill(engine *e)
{
    kernel_job job;
    for (unsigned idle = MASK_FULL & ~e->busy; idle != 0; idle &= idle - 1)
        if (e->feed->next(e->feed->user, lane_first(idle), &job))
            engine_load(e, lane_first(idle), &job);
}

/* Lanes that have ended. */
typedef struct ends {
    unsigned reached, stalled, spent; /* at the configuration that was measured */
    unsigned arriving;                /* where the step from there leads */
} ends;

LANE_INLINE unsigned ends_all(const ends *x)
{
    return x->reached | x->stalled | x->spent | x->arriving;
}

/* steps that are shortened again are no iterations that reduce the error by too little: `earlier`
   is what `before` was when the step was planned */
LANE_INLINE void engine_spare_shortened(engine *e, lane earlier)
{
    const lane often = lane_set(MAX_SHORTENINGS);
    e->shortened = lane_select(e->worse, e->shortened + lane_set(1), lane_set(0));
    const lane_mask again = mask_and(e->worse, lane_le(e->shortened, often));
    e->before = lane_select(again, earlier, e->before);
}

/* measures all lanes; monotone ones whose error has increased go back */
LANE_INLINE ends engine_measure(engine *e, arm_state *at, int arm)
{
    const lane earlier = e->before;
    e->before = e->last;
    e->last = e->error2;
    const lane_mask busy = mask_from_bits(e->busy);
    lane_mask reached = arm > 0
                            ? arm_measure(e->problem, e->control, &e->w, at, busy, &e->error2, arm)
                            : measure(e->problem, e->control, &e->w, busy, &e->error2);
    e->worse = mask_and(e->monotone, lane_gt(e->error2, e->last));
    if (mask_any(e->worse)) {
        go_back(e->problem, &e->w, e->worse);
        e->error2 = lane_select(e->worse, e->last, e->error2);
        reached = mask_andnot(reached, e->worse);
    }
    // lambda proportional to the error is raised instead
    if (e->control->damping > 0 && mask_any(e->monotone))
        engine_spare_shortened(e, earlier);
    // not (a < b), so that NaN has stalled
    lane_mask decreasing =
        mask_or(lane_lt(e->error2, e->before * e->keep), lane_eq(e->before, lane_set(INFINITY)));
    return (ends){mask_bits(reached), ~mask_bits(decreasing),
                  mask_bits(lane_le(e->left, lane_set(0))), 0};
}

/* the step of all lanes; returns those that certainly arrive */
LANE_INLINE unsigned engine_step(engine *e, const arm_state *at, int arm)
{
    lane damping2 = damping_squared(e->control, e->error2, e->share);
    lane_mask arriving = mask_from_bits(0);
    if (arm > 0)
        arriving = find_step(e->problem, e->control, damping2, &e->w, at, arm, 6);
    else
        plan_step(e->problem, e->control, damping2, &e->w);
    if (mask_any(e->monotone)) {
        arriving = mask_andnot(arriving, e->worse);
        e->share = lane_select(e->monotone, next_share(e->share, e->worse), e->share);
        keep_step(e->problem, &e->w, e->worse);
        take_step(e->problem, &e->w);
    }
    return mask_bits(arriving);
}

/* moves to where the step leads */
LANE_INLINE void engine_move(engine *e)
{
    lane *from = e->w.q;
    e->w.q = e->w.next;
    e->w.next = from;
    e->left = e->left - 1;
}

/* reports how a lane's job ended, and where: the lane has moved since it was measured */
static void engine_report(engine *e, int l, const ends *x)
{
    const unsigned bit = 1u << l;
    bool measured = (x->reached | x->stalled | x->spent) & bit;
    const lane *where = measured ? e->w.next : e->w.q;
    for (int i = 0; i < e->problem->tree.nq; i++)
        e->q[i] = lane_get(&where[i], l);
    kernel_end why = x->stalled & bit ? KERNEL_STALLED : KERNEL_SPENT;
    kernel_result result = {
        .q = e->q,
        .end = x->reached & bit || !measured ? KERNEL_CONVERGED : why,
        .iterations = e->budget[l] - (int)lane_get(&e->left, l) - measured,
        .error = sqrt(lane_get(&e->error2, l)),
    };
    e->busy &= ~bit;
    e->busy &= ~e->feed->finish(e->feed->user, l, &result);
}

/* measures, steps, reports and refills until the feed has no more */
LANE_INLINE void engine_run(engine *e, int arm)
{
    arm_state at;
    while (e->busy) {
        ends x = engine_measure(e, &at, arm);
        if (e->busy & ~ends_all(&x))
            x.arriving = engine_step(e, &at, arm);
        engine_move(e);
        unsigned ended = ends_all(&x) & e->busy;
        if (ended == 0)
            continue;
        // a report may stop lanes that were to be reported next
        for (; ended != 0; ended &= e->busy & (ended - 1))
            engine_report(e, lane_first(ended), &x);
        engine_refill(e);
    }
}

/* how many of the values belong to variables */
static int variable_values(const kernel_problem *problem)
{
    int count = 0;
    for (int i = 0; i < problem->variable_count; i++)
        count += problem->variables[i].ball ? 4 : 1;
    return count;
}

static size_t engine_header(const kernel_problem *problem)
{
    size_t size = sizeof(engine) + sizeof(double) * (size_t)problem->tree.nq;
    return (size + 63) / 64 * 64;
}

static size_t engine_scratch(const kernel_problem *problem)
{
    return engine_header(problem) + sizeof(lane) * work_lanes(problem);
}

static void engine_descend(const kernel_problem *problem, const kernel_control *control,
                           const kernel_feed *feed, void *scratch)
{
    engine *e = scratch;
    e->problem = problem;
    e->control = control;
    e->feed = feed;
    e->w = work_carve(problem, (char *)scratch + engine_header(problem));
    e->busy = 0;
    e->has_fixed = variable_values(problem) < problem->tree.nq;
    e->monotone = e->worse = mask_from_bits(0);
    e->left = e->error2 = e->last = e->before = e->share = e->keep = e->shortened = lane_set(0);
    engine_refill(e);
    switch (control->step_limit > 0 ? 0 : problem->arm_joints) {
#define RUN_ARM(count)                                                                             \
    case count:                                                                                    \
        engine_run(e, count);                                                                      \
        break;
        ARM_COUNTS(RUN_ARM)
#undef RUN_ARM
    default:
        engine_run(e, 0);
    }
}

#endif
