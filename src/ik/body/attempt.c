/*
 * attempt.c - one descent of a body: its start within the limits, the kernel's steps, and what came
 * of it.
 */
#include "ik/body/solver.h"
#include "math/scalar.h"
#include "model/limits.h"
#include "model/range.h"

#include <string.h>

/* a start nearby needs fewer; a farther one is sooner solved in parts: one whose tasks are 1.3
   radians off, or as many lengths, in the mean */
enum { FIRST_ITERATIONS = 8 };
#define FAR 1.6

/* ---- starts ----------------------------------------------------------------- */

/* whether this solver's limits of a ball are not the model's, which the start keeps already */
static bool is_narrower(const lb_body *body, const kernel_body_ball *ball)
{
    const model_part *part = model_part_at(body->model, ball->q);
    const kernel_variable *own = &ball->limits;
    return own->lower != part->lower || own->upper != part->upper || own->swing != part->swing;
}

bool body_settle(lb_body *body, const double *start, double *q)
{
    const lb_model *model = body->model;
    if (!range_has_row(start, model->tree.nq))
        return false;
    lb_configuration_clamp(model, start, q);
    for (int i = 0; i < model->tree.nq; i++)
        q[i] = scalar_clamp(q[i], body->lower[i], body->upper[i]);
    for (int i = 0; i < body->kernel.ball_count; i++)
        if (is_narrower(body, &body->balls[i]))
            kernel_clamp(&body->balls[i].limits, q + body->balls[i].q);
    return true;
}

void body_desire(const lb_body *body, const double *start, double *desired)
{
    const lb_model *model = body->model;
    const double *from = body->has_posture ? body->posture : start;
    memcpy(desired, from, sizeof *from * (size_t)model->tree.nq);
    for (int t = 0; t < body->task_count; t++) {
        if (body->tasks[t].kind != LB_BODY_JOINT)
            continue;
        int joint = body->tasks[t].joint, q = model->joint_layouts[joint].q;
        int nq = lb_joint_kind_nq(model->joints[joint].kind);
        memcpy(desired + q, body->values + q, sizeof *desired * (size_t)nq);
    }
}

/* ---- descending --------------------------------------------------------------- */

kernel_body_control body_first_control(const lb_body *body, bool restarts)
{
    kernel_body_control control = {.iterations = body->options.iterations,
                                   .settled = body->settled};
    if (!restarts || !body_has_parts(body))
        return control;
    control.iterations =
        control.iterations < FIRST_ITERATIONS ? control.iterations : FIRST_ITERATIONS;
    for (int t = 0; t < body->task_count; t++)
        control.far += FAR * body->tasks[t].weight;
    return control;
}

void body_run(lb_body *body, kernel_body_query *query, const kernel_body_control *control)
{
    void *scratch = (void *)(((uintptr_t)body->scratch + 63) / 64 * 64);
    body->alone->solve(&body->kernel, control, &query, 1, scratch);
}

void body_descend(lb_body *body, body_problem *problem, const kernel_body_control *control)
{
    kernel_body_query query = {.start = body->starts[0],
                               .targets = problem->targets,
                               .lower = problem->low,
                               .upper = problem->high,
                               .reach = problem->reach,
                               .desired = body->desired[0],
                               .q = body->found[0],
                               .held = body->held};
    body_run(body, &query, control);
    problem->end = query.end;
    problem->iterations += query.iterations;
}

/* ---- what came of it ---------------------------------------------------------- */

lb_outcome body_conclude(lb_body *body, const double *q, const lb_transform *targets,
                         kernel_body_end end, int iterations, lb_body_result *result)
{
    lb_body_result out = {.iterations = iterations, .tries = 1};
    lb_state_update(body->state, q);
    for (int t = 0; t < body->task_count; t++) {
        body->outcomes[t] = body_task_outcome(body, t, &targets[t]);
        out.reached += body->outcomes[t].reached;
    }
    bool within = limits_find_violation(body->model, q, LIMITS_ROUNDING).fault == LIMITS_KEPT;
    out.outcome = out.reached == body->task_count && within ? LB_REACHED
                  : end == KERNEL_BODY_SPENT                ? LB_EXHAUSTED
                                                            : LB_STALLED;
    if (result)
        *result = out;
    return out.outcome;
}
