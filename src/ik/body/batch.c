/* batch.c - many bodies at once, one in each lane. */
#include "ik/body/solver.h"

static size_t stride_or(size_t stride, int usual)
{
    return stride > 0 ? stride : (size_t)usual;
}

/* One lane's problem. */
typedef struct batch_lane {
    size_t problem;
    const lb_transform *targets;
    kernel_body_query query;
} batch_lane;

/* false: its start or a target is no such thing */
static bool prepare(lb_body *body, const lb_body_batch *batch, size_t problem, int slot,
                    batch_lane *lane)
{
    const double *start =
        batch->starts + problem * stride_or(batch->start_stride, body->model->tree.nq);
    lane->problem = problem;
    lane->targets = body->targets;
    if (batch->targets)
        lane->targets =
            batch->targets + problem * stride_or(batch->target_stride, body->task_count);
    if (!body_settle(body, start, body->starts[slot]))
        return false;
    for (int t = 0; batch->targets && t < body->task_count; t++)
        if (body->tasks[t].kind != LB_BODY_JOINT && !lb_transform_is_rigid(&lane->targets[t], 1e-6))
            return false;
    body_desire(body, body->starts[slot], body->desired[slot]);
    lane->query = (kernel_body_query){.start = body->starts[slot],
                                      .targets = lane->targets,
                                      .lower = body->lower,
                                      .upper = body->upper,
                                      .desired = body->desired[slot],
                                      .q = body->found[slot]};
    return true;
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

/* solves what the lanes hold; returns how many were reached */
static size_t run(lb_body *body, const lb_body_batch *batch, batch_lane *lanes, int count)
{
    kernel_body_control control = {.iterations = body->options.iterations};
    kernel_body_query *queries[KERNEL_MAX_WIDTH];
    void *scratch = (void *)(((uintptr_t)body->scratch + 63) / 64 * 64);
    size_t reached = 0;
    for (int i = 0; i < count; i++)
        queries[i] = &lanes[i].query;
    if (count > 0)
        body->side_by_side->solve(&body->kernel, &control, queries, count, scratch);
    for (int i = 0; i < count; i++) {
        size_t problem = lanes[i].problem;
        double *q = row_of(body, batch, problem);
        for (int k = 0; k < body->model->tree.nq; k++)
            q[k] = body->found[i][k];
        lb_body_result *result = batch->results ? &batch->results[problem] : NULL;
        reached += body_conclude(body, q, lanes[i].targets, lanes[i].query.end,
                                 lanes[i].query.iterations, result) == LB_REACHED;
    }
    return reached;
}

size_t lb_body_batch_solve(lb_body *body, const lb_body_batch *batch, size_t begin, size_t end)
{
    batch_lane lanes[KERNEL_MAX_WIDTH];
    int width = body->side_by_side->width, count = 0;
    size_t reached = 0;
    for (size_t problem = begin; problem < end; problem++) {
        if (prepare(body, batch, problem, count, &lanes[count]))
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
