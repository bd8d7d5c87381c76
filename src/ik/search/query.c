/*
 * query.c - one problem: the first try alone, which most often is all that it takes and is soonest
 * done at width 1, then the others on all lanes, each with a try of its own.
 */
#include "ik/search/exact.h"

#include <limits.h>

void ik_descend(lb_ik *ik, const kernel_ops *ops, const kernel_feed *feed)
{
    if (ik_iteration_by_kernel(&ik->iteration))
        ops->descend(&ik->reduction.problem, &ik->control, feed, ik->scratch);
    else
        ik_iteration_descend(&ik->iteration, feed);
}

/* One problem, and the try that each lane makes. */
typedef struct run {
    lb_ik *ik;
    ik_search *search;
    int limit; /* tries from this index on wait */
    int of_lane[KERNEL_MAX_WIDTH];
} run;

static bool run_next(void *user, int lane, kernel_job *job)
{
    run *r = user;
    if (r->search->next >= r->limit || !ik_search_next(r->ik, r->search, lane, job))
        return false;
    r->of_lane[lane] = job->tag;
    return true;
}

static unsigned run_finish(void *user, int lane, const kernel_result *answer)
{
    run *r = user;
    int attempt = r->of_lane[lane];
    r->of_lane[lane] = -1;
    int end = ik_search_finish(r->ik, r->search, attempt, answer);
    unsigned given_up = 0;
    for (int l = 0; l < KERNEL_MAX_WIDTH; l++)
        if (r->of_lane[l] >= end)
            given_up |= 1u << l;
    return given_up;
}

lb_outcome ik_search_run(lb_ik *ik, const lb_transform *targets, const double *start, double *q,
                         lb_ik_result *result)
{
    ik_search *s = &ik->searches[0];
    if (!ik_search_begin(ik, s, targets, start))
        return ik_refuse(ik, start, q, result);
    if (ik_exact_run(ik, s, q, result))
        return LB_REACHED;
    run r = {.ik = ik, .search = s, .limit = 1};
    for (int l = 0; l < KERNEL_MAX_WIDTH; l++)
        r.of_lane[l] = -1;
    const kernel_feed feed = {run_next, run_finish, &r};
    ik_descend(ik, ik->single, &feed);
    s->together = true;
    r.limit = INT_MAX;
    if (s->next < s->end)
        ik_descend(ik, ik->ops, &feed);
    return ik_search_end(ik, s, q, result);
}
