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

/* of one ball; speeds hold it back at zero */
static double reach_left(const lb_body *body, int ball)
{
    const double *a = body->starts[0] + body->balls[ball].q;
    const double *b = body->found[0] + body->balls[ball].q;
    lb_quat from = {a[0], a[1], a[2], a[3]}, to = {b[0], b[1], b[2], b[3]};
    double turned = lb_vec3_length(lb_quat_log(lb_quat_multiply(lb_quat_conjugate(from), to)));
    // rounding may leave a billionth of a turn
    double left = body->reach[ball] - turned;
    return left > 1e-9 ? left : 0;
}

void body_find_reach_left(lb_body *body)
{
    for (int i = 0; i < body->kernel.ball_count; i++)
        body->reach_left[i] = reach_left(body, i);
}

void body_desire(const lb_body *body, const double *start, double *desired)
{
    const lb_model *model = body->model;
    const double *from = body->has_posture ? body->posture : start;
    memcpy(desired, from, sizeof *from * (size_t)model->tree.nq);
    for (int t = 0; t < body->given_count; t++) {
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

void body_close(lb_body *body, const body_problem *problem, double *q)
{
    const lb_vec3 none = {0, 0, 0};
    const double *stiffness = body->kernel.stiffness;
    // from a closed configuration nearby a few suffice; the rest is for those far away
    const kernel_body_control control = {.iterations = 40};
    kernel_body_query query = {.start = q,
                               .targets = problem->targets,
                               .lower = problem->low,
                               .upper = problem->high,
                               .reach = problem->reach ? body->reach_left : NULL,
                               .desired = body->desired[0],
                               .q = q};
    if (problem->reach)
        body_find_reach_left(body);
    // nothing but the loops counts
    for (int t = 0; t < body->given_count; t++) {
        body->kernel_tasks[t].weights[0] = body->kernel_tasks[t].weights[1] = none;
        body->kernel_tasks[t].counted = false;
    }
    body->kernel.stiffness = NULL;
    body_run(body, &query, &control);
    body->kernel.stiffness = stiffness;
    for (int t = 0; t < body->given_count; t++)
        body_weigh(body, t);
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
    if (body->given_count < body->task_count && query.end != KERNEL_BODY_REACHED)
        body_close(body, problem, body->found[0]);
    problem->iterations += query.iterations;
}

/* ---- what came of it ---------------------------------------------------------- */

lb_outcome body_conclude(lb_body *body, const double *q, const lb_transform *targets,
                         kernel_body_end end, int iterations, lb_body_result *result)
{
    lb_body_result out = {.iterations = iterations, .tries = 1};
    bool closed = true;
    lb_state_update(body->state, q);
    for (int t = 0; t < body->task_count; t++) {
        body->outcomes[t] = body_task_outcome(body, t, &targets[t]);
        out.reached += t < body->given_count && body->outcomes[t].reached;
        closed = closed && (t < body->given_count || body->outcomes[t].reached);
    }
    out.loop_error = body_loop_error(body);
    bool within = limits_find_violation(body->model, q, LIMITS_ROUNDING).fault == LIMITS_KEPT;
    out.outcome = out.reached == body->given_count && closed && within ? LB_REACHED
                  : end == KERNEL_BODY_SPENT                           ? LB_EXHAUSTED
                                                                       : LB_STALLED;
    if (result)
        *result = out;
    return out.outcome;
}

bool body_revisit(lb_body *body, const double *q, lb_outcome outcome, lb_body_result *result)
{
    if (!body_settle(body, q, body->found[0]))
        return false;
    memcpy(body->starts[0], body->found[0], sizeof *q * (size_t)body->model->tree.nq);
    body_desire(body, body->starts[0], body->desired[0]);
    body->framed = false;
    body->outcome = outcome;
    body_conclude(body, body->found[0], body->targets, KERNEL_BODY_STALLED, 0, result);
    return true;
}
