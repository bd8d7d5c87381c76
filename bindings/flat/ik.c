/* ik.c - methods, solvers, single steps and batches. */
#include "binding.h"

#include <stdlib.h>

/* ---- methods and outcomes ------------------------------------------------- */

int EXPORT(method_count)(void)
{
    return lb_method_count();
}

const char *EXPORT(method_name)(int index)
{
    return lb_method_name(lb_method_at(index));
}

const char *EXPORT(method_summary)(int index)
{
    return lb_method_summary(lb_method_at(index));
}

const char *EXPORT(method_source)(int index)
{
    return lb_method_source(lb_method_at(index));
}

/* NULL beyond the last */
const char *EXPORT(outcome_text)(int outcome)
{
    return outcome < LB_OUTCOME_COUNT ? lb_outcome_text((lb_outcome)outcome) : NULL;
}

/* NULL beyond the last */
const char *EXPORT(reason_text)(int reason)
{
    return reason < LB_REASON_COUNT ? lb_reason_text((lb_reason)reason) : NULL;
}

/* ---- solvers -------------------------------------------------------------- */

lb_task task_from(const double *n)
{
    lb_task task = lb_task_make((int)n[0], (int)n[1], (lb_task_kind)n[2]);
    task.tool = transform_from(n + 3);
    task.free_axis = lb_vec3_make(n[15], n[16], n[17]);
    task.free_position = (unsigned)n[18];
    task.weight = n[19];
    return task;
}

/*
 * Options in the order: position tolerance, rotation tolerance, iterations, protocol,
 * seed, length, damping, adaptive, alpha, step limit, seeds, width, no nudge, control,
 * rank, bend, pole 3. `method` is an index of the table; gains (nv) and desired (nq)
 * may be NULL.
 */
static lb_ik_options read_options(int method, const double *n, const double *gains,
                                  const double *desired)
{
    lb_ik_options o = lb_ik_options_default();
    o.method = lb_method_at(method);
    o.position_tolerance = n[0];
    o.rotation_tolerance = n[1];
    o.iterations = (int)n[2];
    o.protocol = (lb_protocol)n[3];
    o.seed = (uint64_t)n[4];
    o.length = n[5];
    o.damping = n[6];
    o.damped.adaptive = n[7] != 0;
    o.transpose.alpha = n[8];
    o.step_limit = n[9];
    o.seeds = (int)n[10];
    o.width = (int)n[11];
    o.no_nudge = n[12] != 0;
    o.control = (lb_control)n[13];
    o.ranked.rank = (lb_rank)n[14];
    o.analytic.bend = (int)n[15];
    o.analytic.pole = lb_vec3_make(n[16], n[17], n[18]);
    o.gains = gains;
    o.desired = desired;
    return o;
}

lb_ik *EXPORT(ik_create)(const lb_model *model, const double *task_numbers, int n, int method,
                         const double *option_numbers, const double *gains, const double *desired)
{
    lb_ik *ik = NULL;
    lb_ik_options options = read_options(method, option_numbers, gains, desired);
    lb_task *tasks = calloc((size_t)n + 1, sizeof *tasks);
    if (tasks) {
        for (int i = 0; i < n; i++)
            tasks[i] = task_from(task_numbers + (size_t)TASK_NUMBERS * (size_t)i);
        lb_ik_create(model, tasks, n, &options, NULL, &ik, &binding_error);
    } else {
        lb_error_set(&binding_error, LB_OUT_OF_MEMORY, 0, "out of memory");
    }
    free(tasks);
    return ik;
}

void EXPORT(ik_release)(lb_ik *ik)
{
    lb_ik_release(ik);
}

static void put_result(double *out, const lb_ik_result *result, int verdict)
{
    out[0] = verdict;
    out[1] = result->reason;
    out[2] = result->iterations;
    out[3] = result->tries;
    out[4] = result->position_error;
    out[5] = result->rotation_error;
    out[6] = result->beyond_reach;
}

/* targets as 12 numbers each; result[0] is the outcome */
void EXPORT(ik_solve)(lb_ik *ik, const double *targets, const double *start, double *q,
                      double *result)
{
    lb_ik_result r;
    lb_outcome outcome = lb_ik_solve(ik, (const lb_transform *)targets, start, q, &r);
    put_result(result, &r, (int)outcome);
}

/* result[0] is the progress: success, processing, failure */
void EXPORT(ik_step)(lb_ik *ik, const double *targets, double *q, double *result)
{
    lb_ik_result r;
    lb_progress progress = lb_ik_step(ik, (const lb_transform *)targets, q, &r);
    put_result(result, &r, (int)progress);
}

/* why `result`, as ik_solve left it, is what it is; returns the length of the text */
int EXPORT(ik_explain)(lb_ik *ik, const double *targets, const double *q, const double *result,
                       char *text, int size)
{
    lb_ik_result r = {.outcome = (lb_outcome)result[0],
                      .reason = (lb_reason)result[1],
                      .iterations = (int)result[2],
                      .tries = (int)result[3],
                      .position_error = result[4],
                      .rotation_error = result[5],
                      .beyond_reach = result[6]};
    return (int)lb_ik_explain(ik, (const lb_transform *)targets, q, &r, text, (size_t)size);
}

/*
 * n problems of one solver: `task_count` targets and nq numbers of start and result
 * each; `results` has room for n. Returns how many were reached.
 */
int EXPORT(ik_solve_many)(lb_ik *ik, int n, const double *targets, const double *starts, double *q,
                          lb_ik_result *results)
{
    lb_batch batch = {
        .targets = (const lb_transform *)targets, .starts = starts, .q = q, .results = results};
    return (int)lb_batch_solve(ik, &batch, 0, (size_t)n);
}

/* bytes of a result, and the outcome of one */
int EXPORT(result_size)(void)
{
    return (int)sizeof(lb_ik_result);
}

int EXPORT(result_outcome)(const lb_ik_result *results, int i)
{
    return (int)results[i].outcome;
}
