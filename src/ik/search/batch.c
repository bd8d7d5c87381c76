/*
 * batch.c - solving many problems: every lane of the kernel has a problem of its own, makes its
 * tries one after the other, and takes the next problem when it is done.
 */
#include "ik/search/exact.h"
#include "ik/search/search.h"
#include "ik/search/starts.h"
#include "ik/solver.h"

#include <limber/batch.h>

typedef struct batch_run {
    lb_ik *ik;
    const lb_batch *batch;
    size_t next, end; /* problems not begun yet */
    size_t reached;
    int lane[KERNEL_MAX_WIDTH];        /* the search of each lane, -1: it has none */
    size_t problem[IK_SEARCHES];       /* of each search */
    int idle[IK_SEARCHES], idle_count; /* searches without a problem */
    int begun[IK_BLOCK], begun_count;  /* waiting for a lane, the first of them last */
    int done[IK_BLOCK], done_count;    /* waiting for their results */
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

static const lb_transform *targets_of(const batch_run *r, size_t problem)
{
    return r->batch->targets + problem * stride_or(r->batch->target_stride, r->ik->task_count);
}

static double *q_of(const batch_run *r, size_t problem)
{
    return r->batch->q + problem * stride_or(r->batch->q_stride, r->ik->model->tree.nq);
}

/* where a problem's result goes; `unwanted`: where the caller wants none */
static lb_ik_result *result_of(const batch_run *r, size_t problem, lb_ik_result *unwanted)
{
    return r->batch->results ? &r->batch->results[problem] : unwanted;
}

/* a problem that is not valid */
static void refuse(const batch_run *r, size_t problem)
{
    lb_ik_result unwanted;
    ik_result_refuse(r->ik, start_of(r, problem), q_of(r, problem),
                     result_of(r, problem, &unwanted));
}

/* ends the next problems that have a closed form; returns a bit for each that it ended */
static unsigned exact_some(batch_run *r, ik_search *const *searches, unsigned valid, int count)
{
    ik_search *accepted[KERNEL_MAX_WIDTH];
    double *q[KERNEL_MAX_WIDTH];
    lb_ik_result *results[KERNEL_MAX_WIDTH], unwanted[KERNEL_MAX_WIDTH];
    int place[KERNEL_MAX_WIDTH], some = 0;
    unsigned ended = 0;
    for (int i = 0; i < count; i++) {
        size_t problem = r->next + (size_t)i;
        if ((valid >> i & 1) == 0)
            continue;
        accepted[some] = searches[i];
        q[some] = q_of(r, problem);
        results[some] = result_of(r, problem, &unwanted[some]);
        place[some++] = i;
    }
    unsigned bits = ik_exact_run_some(r->ik, accepted, some, q, results);
    for (int i = 0; i < some; i++) {
        if ((bits >> i & 1) == 0)
            continue;
        ended |= 1u << place[i];
        r->reached += results[i]->outcome == LB_REACHED;
    }
    return ended;
}

/* begins up to a lane's worth of the next problems; invalid ones are refused */
static void begin_some(batch_run *r, int count)
{
    lb_ik *ik = r->ik;
    ik_search *searches[KERNEL_MAX_WIDTH];
    const lb_transform *targets[KERNEL_MAX_WIDTH];
    const double *starts[KERNEL_MAX_WIDTH];
    for (int i = 0; i < count; i++) {
        searches[i] = &ik->searches[r->idle[r->idle_count - 1 - i]];
        targets[i] = targets_of(r, r->next + (size_t)i);
        starts[i] = start_of(r, r->next + (size_t)i);
    }
    unsigned valid = ik_search_accept_some(ik, ik->ops, searches, targets, starts, count);
    const bool tried = ik->exact || ik->complete;
    unsigned exact = tried ? exact_some(r, searches, valid, count) : 0;
    int begun = 0, from = r->idle_count - count;
    for (int i = 0; i < count; i++) {
        size_t problem = r->next++;
        int search = (int)(searches[i] - ik->searches);
        if (exact >> i & 1) {
            r->idle[from++] = search;
        } else if (valid >> i & 1) {
            searches[begun++] = &ik->searches[search];
            r->problem[search] = problem;
            r->begun[r->begun_count++] = search;
        } else {
            r->idle[from++] = search;
            refuse(r, problem);
        }
    }
    r->idle_count = from;
    if (!tried)
        ik_search_ready_some(ik, ik->ops, searches, begun);
    ik_starts_look_up(ik, searches, begun);
}

/* begins the next valid problems, as many as can wait */
static void begin_block(batch_run *r)
{
    int width = r->ik->ops->width;
    while (r->begun_count < IK_BLOCK && r->next < r->end) {
        int room = IK_BLOCK - r->begun_count;
        size_t rest = r->end - r->next;
        int count = room < width ? room : width;
        begin_some(r, rest < (size_t)count ? (int)rest : count);
    }
}

/* writes the results of up to a lane's worth of problems */
static void end_some(batch_run *r, const int *done, int count)
{
    lb_ik *ik = r->ik;
    ik_search *searches[KERNEL_MAX_WIDTH];
    double *q[KERNEL_MAX_WIDTH];
    lb_ik_result *results[KERNEL_MAX_WIDTH], unwanted[KERNEL_MAX_WIDTH];
    for (int i = 0; i < count; i++) {
        searches[i] = &ik->searches[done[i]];
        q[i] = q_of(r, r->problem[done[i]]);
        results[i] = result_of(r, r->problem[done[i]], &unwanted[i]);
        r->idle[r->idle_count++] = done[i];
    }
    r->reached += (size_t)ik_result_write(ik, ik->ops, searches, q, results, count);
}

static void end_block(batch_run *r)
{
    int width = r->ik->ops->width;
    for (int i = 0; i < r->done_count; i += width) {
        int rest = r->done_count - i;
        end_some(r, r->done + i, rest < width ? rest : width);
    }
    r->done_count = 0;
}

/* gives a lane the next problem */
static bool take_problem(batch_run *r, int lane)
{
    if (r->begun_count == 0)
        begin_block(r);
    if (r->begun_count == 0)
        return false;
    r->lane[lane] = r->begun[--r->begun_count];
    return true;
}

static bool batch_next(void *user, int lane, kernel_job *job)
{
    batch_run *r = user;
    for (;;) {
        if (r->lane[lane] < 0 && !take_problem(r, lane))
            return false;
        if (ik_search_next(r->ik, &r->ik->searches[r->lane[lane]], lane, job))
            return true;
        // all its tries are made
        r->done[r->done_count++] = r->lane[lane];
        r->lane[lane] = -1;
        if (r->done_count == IK_BLOCK)
            end_block(r);
    }
}

static unsigned batch_finish(void *user, int lane, const kernel_result *result)
{
    batch_run *r = user;
    ik_search *search = &r->ik->searches[r->lane[lane]];
    // a lane makes one try at a time, so there is never one to stop
    ik_search_finish(r->ik, search, search->tries.next - 1, result);
    return 0;
}

/* solves a few one by one */
static size_t solve_few(batch_run *r)
{
    for (lb_ik_result unwanted; r->next < r->end; r->next++)
        r->reached +=
            ik_tree_solve(r->ik, targets_of(r, r->next), start_of(r, r->next), q_of(r, r->next),
                          result_of(r, r->next, &unwanted)) == LB_REACHED;
    return r->reached;
}

/* so many problems take as long in lanes as one by one: lanes without a problem cost as much */
static size_t few(const lb_ik *ik)
{
    const bool lists = ik->exact && ik->options.protocol == LB_PROTOCOL_NEAREST;
    return lists && ik->ops->width >= 8 ? 3 : 1;
}

size_t ik_tree_batch_solve(lb_ik *ik, const lb_batch *batch, size_t begin, size_t end)
{
    batch_run r = {.ik = ik, .batch = batch, .next = begin, .end = end};
    if (begin < end && end - begin <= few(ik))
        return solve_few(&r);
    for (int l = 0; l < KERNEL_MAX_WIDTH; l++)
        r.lane[l] = -1;
    while (r.idle_count < IK_SEARCHES) {
        r.idle[r.idle_count] = r.idle_count;
        r.idle_count++;
    }
    const kernel_feed feed = {batch_next, batch_finish, &r};
    ik_search_descend(ik, ik->ops, &feed);
    end_block(&r);
    return r.reached;
}
