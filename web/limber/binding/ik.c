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

/* ---- solvers -------------------------------------------------------------- */

static lb_task read_task(const double *n)
{
    lb_task task = lb_task_make((int)n[0], (int)n[1], (lb_task_kind)n[2]);
    task.tool = transform_from(n + 3);
    task.free_axis = lb_vec3_make(n[15], n[16], n[17]);
    task.weight = n[18];
    return task;
}

/*
 * Options in the order: position tolerance, rotation tolerance, iterations, protocol,
 * seed, length, damping, step limit, width. `method` is an index of the table.
 */
static lb_ik_options read_options(int method, const double *n)
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
    o.step_limit = n[7];
    o.width = (int)n[8];
    return o;
}

lb_ik *EXPORT(ik_create)(const lb_model *model, const double *task_numbers, int n, int method,
                         const double *option_numbers)
{
    lb_ik *ik = NULL;
    lb_ik_options options = read_options(method, option_numbers);
    lb_task *tasks = calloc((size_t)n + 1, sizeof *tasks);
    if (tasks) {
        for (int i = 0; i < n; i++)
            tasks[i] = read_task(task_numbers + (size_t)TASK_NUMBERS * (size_t)i);
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
    out[1] = result->iterations;
    out[2] = result->tries;
    out[3] = result->position_error;
    out[4] = result->rotation_error;
    out[5] = result->beyond_reach;
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

/* why `result`, as ik_solve left it, is what it is; answers the length of the text */
int EXPORT(ik_explain)(lb_ik *ik, const double *targets, const double *q, const double *result,
                       char *text, int size)
{
    lb_ik_result r = {.outcome = (lb_outcome)result[0],
                      .iterations = (int)result[1],
                      .tries = (int)result[2],
                      .position_error = result[3],
                      .rotation_error = result[4],
                      .beyond_reach = result[5]};
    return (int)lb_ik_explain(ik, (const lb_transform *)targets, q, &r, text, (size_t)size);
}

/*
 * n problems of one solver, one after the other: `task_count` targets and nq numbers
 * of start and answer each; outcomes may be NULL. Answers how many were reached.
 */
int EXPORT(ik_solve_many)(lb_ik *ik, int n, int task_count, int nq, const double *targets,
                          const double *starts, double *q, int *outcomes)
{
    int reached = 0;
    for (int i = 0; i < n; i++) {
        lb_ik_result r;
        size_t at = (size_t)i * (size_t)nq;
        const double *goal = targets + (size_t)12 * (size_t)task_count * (size_t)i;
        lb_outcome outcome = lb_ik_solve(ik, (const lb_transform *)goal, starts + at, q + at, &r);
        reached += outcome == LB_REACHED;
        if (outcomes)
            outcomes[i] = (int)outcome;
    }
    return reached;
}
