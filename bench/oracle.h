/*
 * oracle.h - an independent verifier, straight from the definitions in model.h and task.h.
 *
 * Frames by 4x4 matrices, Rodrigues' formula and libm; errors and limits from these.
 * It reads models through the public headers alone and shares nothing with the kernel,
 * the solver, its verifier or its limits, so agreement is evidence.
 */
#ifndef BENCH_ORACLE_H
#define BENCH_ORACLE_H

#include <limber/task.h>

/* T_world_link of all links at q. */
void oracle_forward(const lb_model *model, const double *q, lb_transform *links);

/*
 * Where a task's tool is at q: T_base_tool; a target made by this can be reached.
 * `links` is room for one transform for each of the model's links.
 */
lb_transform oracle_tool(const lb_model *model, const lb_task *task, const double *q,
                         lb_transform *links);

/*
 * How far the tools of n tasks are from their targets at q: the largest of each.
 * `links` as above.
 */
void oracle_errors(const lb_model *model, const lb_task *tasks, int n, const double *q,
                   const lb_transform *targets, lb_transform *links, double *position_error,
                   double *rotation_error);

/*
 * By how much q breaks the worst of all limits, radians or metres; followers' limits
 * are looked at as their own joints'. Not finite is INFINITY.
 */
double oracle_limit_excess(const lb_model *model, const double *q);

#endif
