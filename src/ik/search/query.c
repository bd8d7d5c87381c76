/*
 * query.c - solving one problem: the first try alone at width 1, which is fastest and most often
 * enough, then the others on all lanes, each with a try of its own.
 */
#include "ik/search/exact.h"
#include "ik/search/search.h"
#include "ik/solver.h"

#include <limits.h>

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
    if (r->search->tries.next >= r->limit || !ik_search_next(r->ik, r->search, lane, job))
        return false;
    r->of_lane[lane] = job->tag;
    return true;
}

static unsigned run_finish(void *user, int lane, const kernel_result *result)
{
    run *r = user;
    int attempt = r->of_lane[lane];
    r->of_lane[lane] = -1;
    int end = ik_search_finish(r->ik, r->search, attempt, result);
    unsigned stopped = 0;
    for (int l = 0; l < KERNEL_MAX_WIDTH; l++)
        if (r->of_lane[l] >= end)
            stopped |= 1u << l;
    return stopped;
}

/* the first try, then the others on all lanes of `ops` */
static void run_tries(lb_ik *ik, ik_search *s, const kernel_ops *ops)
{
    run r = {.ik = ik, .search = s, .limit = 1};
    for (int l = 0; l < KERNEL_MAX_WIDTH; l++)
        r.of_lane[l] = -1;
    const kernel_feed feed = {run_next, run_finish, &r};
    ik_search_descend(ik, ik->single, &feed);
    s->tries.parallel = true;
    r.limit = INT_MAX;
    if (s->tries.next < s->tries.end)
        ik_search_descend(ik, ops, &feed);
}

lb_outcome ik_tree_solve(lb_ik *ik, const lb_transform *targets, const double *start, double *q,
                         lb_ik_result *result)
{
    lb_ik_result unwanted;
    result = result ? result : &unwanted;
    ik_search *s = &ik->searches[0];
    if (ik_search_accept_some(ik, ik->single, &s, &targets, &start, 1) == 0)
        return ik_result_refuse(ik, start, q, result);
    if (ik_exact_run(ik, s, q, result))
        return result->outcome;
    run_tries(ik, s, ik->ops);
    ik_result_write(ik, ik->single, &s, &q, &result, 1);
    // what lanes found after a solution that was then refused depends on the width
    if (s->found.refused && s->tries.end < s->tries.next) {
        ik_search_restart(ik, s);
        run_tries(ik, s, ik->single);
        ik_result_write(ik, ik->single, &s, &q, &result, 1);
    }
    return result->outcome;
}
