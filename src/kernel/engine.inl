/*
 * engine.inl - runs descents on all lanes and refills a lane as soon as it is free.
 *
 * A job is one descent from one start. The feed hands out jobs and hears how they
 * ended; lanes never influence one another, so a job's answer does not depend on
 * the width or on what runs beside it.
 */
#ifndef KERNEL_ENGINE_INL
#define KERNEL_ENGINE_INL

#include "kernel/arm.inl"

/* Everything that differs from lane to lane, beside the work. */
typedef struct engine {
    const kernel_problem *problem;
    const kernel_control *control;
    const kernel_feed *feed;
    work w;
    unsigned busy; /* lanes with a job */
    int budget[LANE_WIDTH];
    lane left;   /* of it */
    lane error2; /* squared errors now, one and two iterations ago */
    lane last, before;
    lane share; /* of lambda^2 in the squared error */
    lane_mask careful, lost;
    bool some_stay; /* values that no variable moves */
    lane keep;      /* a share of `before` that must be undercut, infinite: no matter */
    double q[];     /* an answer's configuration */
} engine;

/* one lane's number among those of a row; written as a whole, so that it can be read at once */
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
    // what no variable moves stays
    if (e->some_stay)
        for (int i = 0; i < e->problem->tree.nq; i++)
            row_put(&e->w.next[i], which, job->start[i]);
    lane *goals = &e->w.goals->x.x;
    const double *targets = &job->targets->x.x;
    for (int i = 0; i < 12 * e->problem->task_count; i++)
        row_put(&goals[i], which, targets[i]);
    e->busy |= bit;
    e->budget[l] = job->iterations;
    row_put(&e->left, which, job->iterations);
    row_put(&e->last, which, INFINITY);
    row_put(&e->error2, which, INFINITY);
    row_put(&e->share, which, KERNEL_DAMPING_SHARE);
    unsigned careful = mask_bits(e->careful) & ~bit;
    e->careful = mask_from_bits(careful | (job->careful ? bit : 0));
    // errors are compared squared
    row_put(&e->keep, which, job->win > 0 ? (1 - job->win) * (1 - job->win) : INFINITY);
}

/* the lowest of some lanes; walked like this they cost one wrong guess, not one each */
LANE_INLINE int lane_first(unsigned lanes)
{
    return __builtin_ctz(lanes);
}

/* asks the feed for work for every idle lane */
static void engine_offer(engine *e)
{
    kernel_job job;
    for (unsigned idle = MASK_FULL & ~e->busy; idle != 0; idle &= idle - 1)
        if (e->feed->next(e->feed->user, lane_first(idle), &job))
            engine_load(e, lane_first(idle), &job);
}

/* Lanes that have ended. */
typedef struct ends {
    unsigned reached, stalled, spent; /* where they were measured */
    unsigned arriving;                /* where the step from there leads */
} ends;

LANE_INLINE unsigned ends_all(const ends *x)
{
    return x->reached | x->stalled | x->spent | x->arriving;
}

/* measures all lanes; careful ones that lost go back */
LANE_INLINE ends engine_measure(engine *e, arm_state *at, int n)
{
    e->before = e->last;
    e->last = e->error2;
    const lane_mask busy = mask_from_bits(e->busy);
    lane_mask reached = n > 0 ? arm_measure(e->problem, e->control, &e->w, at, busy, &e->error2, n)
                              : measure(e->problem, e->control, &e->w, busy, &e->error2);
    e->lost = mask_and(e->careful, lane_gt(e->error2, e->last));
    if (mask_any(e->lost)) {
        go_back(e->problem, &e->w, e->lost);
        e->error2 = lane_select(e->lost, e->last, e->error2);
        reached = mask_andnot(reached, e->lost);
    }
    // not (a < b), so that what is not a number has stalled
    lane_mask winning =
        mask_or(lane_lt(e->error2, e->before * e->keep), lane_eq(e->before, lane_set(INFINITY)));
    return (ends){mask_bits(reached), ~mask_bits(winning), mask_bits(lane_le(e->left, lane_set(0))),
                  0};
}

/* where all lanes go; answers those that will have arrived there for sure */
LANE_INLINE unsigned engine_step(engine *e, const arm_state *at, int n)
{
    lane lambda = damping(e->control, e->error2, e->share);
    lane_mask arriving = mask_from_bits(0);
    if (n > 0)
        arriving = arm_step(e->problem, e->control, lambda, &e->w, at, n);
    else
        plan_step(e->problem, e->control, lambda, &e->w);
    if (mask_any(e->careful)) {
        arriving = mask_andnot(arriving, e->lost);
        e->share = lane_select(e->careful, next_share(e->share, e->lost), e->share);
        keep_step(e->problem, &e->w, e->lost);
        take_step(e->problem, &e->w);
    }
    return mask_bits(arriving);
}

/* goes where the step leads */
LANE_INLINE void engine_move(engine *e)
{
    lane *from = e->w.q;
    e->w.q = e->w.next;
    e->w.next = from;
    e->left = e->left - 1;
}

/* tells the feed how a lane's job ended, and where: it has moved on meanwhile */
static void engine_report(engine *e, int l, const ends *x)
{
    const unsigned bit = 1u << l;
    bool stays = (x->reached | x->stalled | x->spent) & bit;
    const lane *where = stays ? e->w.next : e->w.q;
    for (int i = 0; i < e->problem->tree.nq; i++)
        e->q[i] = lane_get(&where[i], l);
    kernel_end why = x->stalled & bit ? KERNEL_STALLED : KERNEL_SPENT;
    kernel_result answer = {
        .q = e->q,
        .end = x->reached & bit || !stays ? KERNEL_CONVERGED : why,
        .iterations = e->budget[l] - (int)lane_get(&e->left, l) - stays,
        .error = sqrt(lane_get(&e->error2, l)),
    };
    e->busy &= ~bit;
    e->busy &= ~e->feed->finish(e->feed->user, l, &answer);
}

/* measures, steps, reports and begins anew until nothing is left to do */
LANE_INLINE void engine_run(engine *e, int n)
{
    arm_state at;
    while (e->busy) {
        ends x = engine_measure(e, &at, n);
        if (e->busy & ~ends_all(&x))
            x.arriving = engine_step(e, &at, n);
        engine_move(e);
        unsigned ended = ends_all(&x) & e->busy;
        if (ended == 0)
            continue;
        // a report may give up lanes that were to be reported next
        for (; ended != 0; ended &= e->busy & (ended - 1))
            engine_report(e, lane_first(ended), &x);
        engine_offer(e);
    }
}

/* how many of the values are variables' */
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
    e->some_stay = variable_values(problem) < problem->tree.nq;
    e->careful = e->lost = mask_from_bits(0);
    e->left = e->error2 = e->last = e->before = e->share = e->keep = lane_set(0);
    engine_offer(e);
    switch (control->step_limit > 0 ? 0 : problem->arm) {
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
