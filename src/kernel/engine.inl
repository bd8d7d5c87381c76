/*
 * engine.inl - runs descents on all lanes and refills a lane as soon as it is free.
 *
 * A job is one descent from one start. The feed hands out jobs and hears how they
 * ended; lanes never influence one another, so a job's answer does not depend on
 * the width or on what runs beside it.
 */
#ifndef KERNEL_ENGINE_INL
#define KERNEL_ENGINE_INL

#include "kernel/step.inl"

/* Everything that differs from lane to lane, beside the work. */
typedef struct engine {
    const kernel_problem *problem;
    const kernel_control *control;
    const kernel_feed *feed;
    work w;
    kernel_job jobs[LANE_WIDTH];
    unsigned busy;  /* lanes with a job */
    unsigned fresh; /* of those, the ones whose start is not loaded yet */
    lane left;      /* iterations */
    lane error2;    /* squared errors now, one and two iterations ago */
    lane last, before;
    lane share; /* of lambda^2 in the squared error */
    lane_mask careful, lost;
    bool some_stay; /* values that no variable moves */
    lane keep;      /* a share of `before` that must be undercut, infinite: no matter */
    double q[];     /* an answer's configuration */
} engine;

/* asks the feed for work for every idle lane */
static void engine_offer(engine *e)
{
    for (int l = 0; l < LANE_WIDTH; l++) {
        unsigned bit = 1u << l;
        if (!(e->busy & bit) && e->feed->next(e->feed->user, l, &e->jobs[l])) {
            e->busy |= bit;
            e->fresh |= bit;
        }
    }
}

/* one lane's number among those of a row; written as a whole, so that it can be read at once */
LANE_INLINE void row_put(lane *row, lane_mask which, double value)
{
    *row = lane_select(which, lane_set(value), *row);
}

/* puts a lane at the start of its job */
static void engine_load(engine *e, int l)
{
    const kernel_job *job = &e->jobs[l];
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
    row_put(&e->left, which, job->iterations);
    row_put(&e->last, which, INFINITY);
    row_put(&e->error2, which, INFINITY);
    row_put(&e->share, which, KERNEL_DAMPING_SHARE);
    unsigned careful = mask_bits(e->careful) & ~bit;
    e->careful = mask_from_bits(careful | (job->careful ? bit : 0));
    // errors are compared squared
    row_put(&e->keep, which, job->win > 0 ? (1 - job->win) * (1 - job->win) : INFINITY);
}

/* tells the feed how a lane's job ended */
static void engine_report(engine *e, int l, unsigned reached, unsigned stalled)
{
    for (int i = 0; i < e->problem->tree.nq; i++)
        e->q[i] = lane_get(&e->w.q[i], l);
    kernel_answer answer = {
        .q = e->q,
        .end = (reached >> l & 1)   ? KERNEL_CONVERGED
               : (stalled >> l & 1) ? KERNEL_STALLED
                                    : KERNEL_SPENT,
        .iterations = e->jobs[l].iterations - (int)lane_get(&e->left, l),
        .error = sqrt(lane_get(&e->error2, l)),
    };
    e->busy &= ~(1u << l);
    e->busy &= ~e->feed->finish(e->feed->user, l, &answer);
}

/* measures all lanes; reports those whose job has ended, false: none has */
static bool engine_check(engine *e)
{
    e->before = e->last;
    e->last = e->error2;
    lane_mask reached = measure(e->problem, e->control, &e->w, &e->error2);
    e->lost = mask_and(e->careful, lane_gt(e->error2, e->last));
    if (mask_any(e->lost)) {
        go_back(e->problem, &e->w, e->lost);
        e->error2 = lane_select(e->lost, e->last, e->error2);
        reached = mask_andnot(reached, e->lost);
    }
    // not (a < b), so that what is not a number has stalled
    lane_mask winning =
        mask_or(lane_lt(e->error2, e->before * e->keep), lane_eq(e->before, lane_set(INFINITY)));
    unsigned reached_bits = mask_bits(reached), stalled = ~mask_bits(winning);
    unsigned spent = mask_bits(lane_le(e->left, lane_set(0)));
    unsigned ended = (reached_bits | stalled | spent) & e->busy;
    for (int l = 0; ended >> l != 0; l++)
        if ((ended & e->busy) >> l & 1)
            engine_report(e, l, reached_bits, stalled);
    return ended != 0;
}

/* moves the lanes that go on, loads those that begin */
static void engine_move(engine *e)
{
    if (e->busy & ~e->fresh) {
        plan_step(e->problem, e->control, damping(e->control, e->error2, e->share), &e->w);
        if (mask_any(e->careful)) {
            e->share = lane_select(e->careful, next_share(e->share, e->lost), e->share);
            keep_step(e->problem, &e->w, e->lost);
            take_step(e->problem, &e->w);
        }
    }
    e->left = e->left - 1;
    lane *from = e->w.q;
    e->w.q = e->w.next;
    e->w.next = from;
    for (int l = 0; e->fresh >> l != 0; l++)
        if (e->fresh >> l & 1)
            engine_load(e, l);
    e->fresh = 0;
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
    e->busy = e->fresh = 0;
    e->some_stay = variable_values(problem) < problem->tree.nq;
    e->careful = e->lost = mask_from_bits(0);
    work_clear(problem, &e->w);
    e->left = e->error2 = e->last = e->before = e->share = e->keep = lane_set(0);
    engine_offer(e);
    while (e->busy) {
        engine_move(e);
        // the feed's answers only change when a job has ended
        if (engine_check(e))
            engine_offer(e);
    }
}

#endif
