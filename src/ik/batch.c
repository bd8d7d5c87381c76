/*
 * batch.c - many problems at once: every lane of the kernel has its own, makes its
 * tries one after the other, and takes the next problem when it is done.
 */
#include "ik/solver.h"

#include <limber/batch.h>

typedef struct batch_run {
    lb_ik *ik;
    const lb_batch *batch;
    size_t next, end;
    size_t problem[KERNEL_MAX_WIDTH]; /* of each lane */
    bool busy[KERNEL_MAX_WIDTH];
    size_t reached;
} batch_run;

static size_t stride_or(size_t stride, int usual)
{
    return stride > 0 ? stride : (size_t)usual;
}

static const double *start_of(const batch_run *r, size_t problem)
{
    const lb_batch *b = r->batch;
    if (!b->starts)
        return r->ik->neutral;
    return b->starts + problem * stride_or(b->start_stride, r->ik->model->tree.nq);
}

static double *answer_of(const batch_run *r, size_t problem)
{
    return r->batch->q + problem * stride_or(r->batch->q_stride, r->ik->model->tree.nq);
}

static void keep(batch_run *r, size_t problem, const lb_ik_result *result)
{
    r->reached += result->outcome == LB_REACHED;
    if (r->batch->results)
        r->batch->results[problem] = *result;
}

/* gives a lane the next problem that means something */
static bool take_problem(batch_run *r, int lane)
{
    while (r->next < r->end) {
        size_t problem = r->next++;
        const lb_transform *targets =
            r->batch->targets + problem * stride_or(r->batch->target_stride, r->ik->task_count);
        const double *start = start_of(r, problem);
        r->problem[lane] = problem;
        if (ik_search_begin(r->ik, &r->ik->searches[lane], targets, start))
            return r->busy[lane] = true;
        lb_ik_result result;
        ik_refuse(r->ik, start, answer_of(r, problem), &result);
        keep(r, problem, &result);
    }
    return false;
}

static bool batch_next(void *user, int lane, kernel_job *job)
{
    batch_run *r = user;
    for (;;) {
        if (!r->busy[lane] && !take_problem(r, lane))
            return false;
        if (ik_search_next(r->ik, &r->ik->searches[lane], lane, job))
            return true;
        // all its tries are made
        lb_ik_result result;
        size_t problem = r->problem[lane];
        ik_search_end(r->ik, &r->ik->searches[lane], answer_of(r, problem), &result);
        keep(r, problem, &result);
        r->busy[lane] = false;
    }
}

static unsigned batch_finish(void *user, int lane, const kernel_answer *answer)
{
    batch_run *r = user;
    ik_search *search = &r->ik->searches[lane];
    // a lane makes one try at a time, so there is never one to give up
    ik_search_finish(r->ik, search, search->next - 1, answer);
    return 0;
}

size_t lb_batch_solve(lb_ik *ik, const lb_batch *batch, size_t begin, size_t end)
{
    batch_run r = {.ik = ik, .batch = batch, .next = begin, .end = end};
    const kernel_feed feed = {batch_next, batch_finish, &r};
    ik_descend(ik, &feed);
    return r.reached;
}
