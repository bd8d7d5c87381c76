/* batch.c - many bodies at once, one in each lane. */
#include "ik/body/solver.h"
#include "model/range.h"

#include <string.h>

static size_t stride_or(size_t stride, int usual)
{
    return stride > 0 ? stride : (size_t)usual;
}

/* One lane's problem. */
typedef struct batch_lane {
    size_t problem;
    const lb_transform *targets;
    const double *weights; /* NULL: the body's */
    kernel_body_query query;
} batch_lane;

/* the row of weights of a problem, as the kernel has them; false: some is no weight */
static bool take_weights(lb_body *body, const lb_body_batch *batch, int slot, batch_lane *lane)
{
    lane->weights =
        batch->weights + lane->problem * stride_or(batch->weight_stride, body->given_count);
    for (int t = body->given_count; t < body->task_count; t++)
        body_find_roots(body, t, 1, body->roots[slot] + 2 * t);
    for (int t = 0; t < body->given_count; t++) {
        if (!(lane->weights[t] > 0) || !range_has(lane->weights[t]))
            return false;
        double weight = body->tasks[t].weight > 0 ? lane->weights[t] : 0;
        body_find_roots(body, t, weight, body->roots[slot] + 2 * t);
    }
    lane->query.weights = body->roots[slot];
    return true;
}

/* whether a problem's targets are rigid transforms; of those that are known to be, whether they are
   near enough */
static bool takes_targets(const lb_body *body, const batch_lane *lane, bool rigid)
{
    for (int t = 0; t < body->given_count; t++)
        if (body_has_target(body->tasks[t].kind) &&
            !(rigid ? range_has_point(lane->targets[t].p) : range_has_frame(&lane->targets[t])))
            return false;
    return true;
}

/* false: its start or a target is no such thing */
static bool prepare(lb_body *body, const lb_body_batch *batch, size_t problem, bool rigid, int slot,
                    batch_lane *lane)
{
    const double *start =
        batch->starts + problem * stride_or(batch->start_stride, body->model->tree.nq);
    lane->problem = problem;
    lane->targets = body->targets;
    if (batch->targets)
        lane->targets =
            batch->targets + problem * stride_or(batch->target_stride, body->given_count);
    if (!body_settle(body, start, body->starts[slot]))
        return false;
    if (batch->targets && !takes_targets(body, lane, rigid))
        return false;
    if (batch->targets && body->given_count < body->task_count) {
        memcpy(body->aims[slot], lane->targets, sizeof *lane->targets * (size_t)body->given_count);
        body_aim_loops(body, body->aims[slot]);
        lane->targets = body->aims[slot];
    }
    body_desire(body, body->starts[slot], body->desired[slot]);
    lane->query = (kernel_body_query){.start = body->starts[slot],
                                      .targets = lane->targets,
                                      .lower = body->lower,
                                      .upper = body->upper,
                                      .desired = body->desired[slot],
                                      .q = body->found[slot]};
    lane->weights = NULL;
    return batch->weights == NULL || take_weights(body, batch, slot, lane);
}

static double *row_of(const lb_body *body, const lb_body_batch *batch, size_t problem)
{
    return batch->q + problem * stride_or(batch->q_stride, body->model->tree.nq);
}

static void refuse(const lb_body *body, const lb_body_batch *batch, size_t problem)
{
    int nq = body->model->tree.nq;
    const double *start = batch->starts + problem * stride_or(batch->start_stride, nq);
    double *q = row_of(body, batch, problem);
    for (int i = 0; i < nq; i++)
        q[i] = start[i];
    if (batch->results)
        batch->results[problem] = (lb_body_result){.outcome = LB_INVALID};
}

/* what came of one lane; where it has not reached everything, from other starts as well */
static lb_outcome conclude(lb_body *body, const batch_lane *lane, int slot, lb_body_result *result)
{
    const kernel_body_query *query = &lane->query;
    // what is far off needs no verifying where no results are taken
    if (!result && query->missed && body->options.restarts == 0 &&
        body->given_count == body->task_count)
        return LB_STALLED;
    body_problem problem = {.targets = lane->targets,
                            .low = body->lower,
                            .high = body->upper,
                            .end = query->end,
                            .iterations = query->iterations};
    if (body->given_count < body->task_count && query->end != KERNEL_BODY_REACHED)
        body_close(body, &problem, body->found[slot]);
    lb_outcome outcome = body_conclude(body, body->found[slot], lane->targets, query->end,
                                       query->iterations, result);
    if (outcome == LB_REACHED || body->options.restarts == 0)
        return outcome;
    // lanes before this one are done with the first slot
    size_t numbers = sizeof(double) * (size_t)body->model->tree.nq;
    memmove(body->starts[0], body->starts[slot], numbers);
    memmove(body->desired[0], body->desired[slot], numbers);
    memmove(body->found[0], body->found[slot], numbers);
    outcome = body_search(body, &problem, result);
    memmove(body->found[slot], body->found[0], numbers);
    return outcome;
}

/* the body's weights become others, and its own are kept aside */
static void swap_weights(lb_body *body, const double *weights)
{
    for (int t = 0; t < body->given_count; t++) {
        body->weights[t] = body->tasks[t].weight;
        if (body->tasks[t].weight > 0)
            body->tasks[t].weight = weights[t];
        body_weigh(body, t);
    }
}

static void restore_weights(lb_body *body)
{
    for (int t = 0; t < body->given_count; t++) {
        body->tasks[t].weight = body->weights[t];
        body_weigh(body, t);
    }
}

/* whether other starts are tried with weights of each problem's own: those take the body's */
static bool searches_weighed(const lb_body *body, const lb_body_batch *batch)
{
    return batch->weights != NULL && body->options.restarts > 0;
}

/* solves what the lanes hold; returns how many were reached */
static size_t run(lb_body *body, const lb_body_batch *batch, batch_lane *lanes, int count)
{
    bool weighed = count > 0 && searches_weighed(body, batch);
    if (weighed)
        swap_weights(body, lanes[0].weights);
    kernel_body_control control = body_first_control(body, body->options.restarts > 0);
    kernel_body_query *queries[KERNEL_MAX_WIDTH];
    void *scratch = (void *)(((uintptr_t)body->scratch + 63) / 64 * 64);
    size_t reached = 0, nq = (size_t)body->model->tree.nq;
    for (int i = 0; i < count; i++)
        queries[i] = &lanes[i].query;
    if (count > 0)
        body->side_by_side->solve(&body->kernel, &control, queries, count, scratch);
    for (int i = 0; i < count; i++) {
        size_t problem = lanes[i].problem;
        lb_body_result *result = batch->results ? &batch->results[problem] : NULL;
        if (batch->iterations)
            batch->iterations[problem] = lanes[i].query.iterations;
        reached += conclude(body, &lanes[i], i, result) == LB_REACHED;
        memcpy(row_of(body, batch, problem), body->found[i], sizeof(double) * nq);
    }
    if (weighed)
        restore_weights(body);
    return reached;
}

size_t body_batch_solve(lb_body *body, const lb_body_batch *batch, bool rigid, size_t begin,
                        size_t end)
{
    batch_lane lanes[KERNEL_MAX_WIDTH];
    int width = searches_weighed(body, batch) ? 1 : body->side_by_side->width, count = 0;
    size_t reached = 0;
    for (size_t problem = begin; problem < end; problem++) {
        if (prepare(body, batch, problem, rigid, count, &lanes[count]))
            count++;
        else
            refuse(body, batch, problem);
        if (count < width)
            continue;
        reached += run(body, batch, lanes, count);
        count = 0;
    }
    return reached + run(body, batch, lanes, count);
}

size_t lb_body_batch_solve(lb_body *body, const lb_body_batch *batch, size_t begin, size_t end)
{
    return body_batch_solve(body, batch, false, begin, end);
}
