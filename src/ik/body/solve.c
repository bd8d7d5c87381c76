/*
 * solve.c - one solve of a body: bounds, a descent from the start, and others where that fails.
 *
 * The bounds of a frame are the limits and what speed and acceleration leave of them around the
 * start. A value that may still be stopped before its limit, at a deceleration a, is no faster
 * than v with v t + v^2 / (2 a) = the room that is left.
 */
#include "ik/body/solver.h"
#include "math/scalar.h"

#include <string.h>

/* ---- the bounds of a frame ---------------------------------------------------- */

/* how fast a value may go towards a limit that is `room` away */
static double braking_speed(double room, double acceleration, double time)
{
    if (isinf(acceleration) || isinf(room))
        return INFINITY;
    double at = acceleration * time;
    return sqrt(at * at + 2 * acceleration * room) - at;
}

/* one number's bounds for one frame */
static void bound_number(lb_body *body, const model_part *part, const body_speed *speed, double q,
                         double velocity, double time)
{
    double lower = body->lower[part->q], upper = body->upper[part->q];
    double fastest = speed->speed, slowest = -speed->speed;
    if (isfinite(speed->acceleration)) {
        fastest = fmin(fastest, velocity + speed->acceleration * time);
        slowest = fmax(slowest, velocity - speed->acceleration * time);
    }
    double up = fmin(fastest, braking_speed(upper - q, speed->acceleration, time));
    double down = fmax(slowest, -braking_speed(q - lower, speed->acceleration, time));
    // too fast to stop in time: as slow as the acceleration allows, and no slower than zero
    up = fmax(up, fmax(slowest, -speed->speed));
    down = fmin(down, fmin(fastest, speed->speed));
    // a start that is where it should not be, or too fast: staying is always possible
    body->low[part->q] = scalar_clamp(q + fmin(down, up) * time, lower, upper);
    body->high[part->q] = scalar_clamp(q + fmax(down, up) * time, lower, upper);
}

static void bound_frame(lb_body *body, const double *q, const double *velocity, double time)
{
    const lb_model *model = body->model;
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind != MODEL_BALL)
            bound_number(body, part, &body->speeds[i], q[part->q], velocity ? velocity[part->v] : 0,
                         time);
    }
    for (int i = 0; i < body->kernel.ball_count; i++) {
        const kernel_body_ball *ball = &body->balls[i];
        const model_part *part = model_part_at(model, ball->q);
        body->reach[i] = body->speeds[part - model->parts].speed * time;
    }
}

/* ---- solving ------------------------------------------------------------------ */

static lb_outcome refuse(lb_body *body, const double *start, double *q, lb_body_result *result)
{
    memmove(q, start, sizeof *q * (size_t)body->model->tree.nq);
    for (int t = 0; t < body->task_count; t++)
        body->outcomes[t] = (lb_body_outcome){false, INFINITY, INFINITY};
    if (result)
        *result = (lb_body_result){.outcome = LB_INVALID};
    return body->outcome = LB_INVALID;
}

/* from starts[0] */
static lb_outcome solve(lb_body *body, body_problem *problem, bool restarts, double *q,
                        lb_body_result *result)
{
    problem->targets = body->targets;
    body_desire(body, body->starts[0], body->desired[0]);
    kernel_body_control control = body_first_control(body, restarts);
    body_descend(body, problem, &control);
    body->outcome = body_conclude(body, body->found[0], problem->targets, problem->end,
                                  problem->iterations, result);
    if (restarts && body->outcome != LB_REACHED)
        body->outcome = body_search(body, problem, result);
    memcpy(q, body->found[0], sizeof *q * (size_t)body->model->tree.nq);
    return body->outcome;
}

lb_outcome lb_body_solve(lb_body *body, const double *start, double *q, lb_body_result *result)
{
    if (!body_settle(body, start, body->starts[0]))
        return refuse(body, start, q, result);
    body->framed = false;
    body_problem problem = {.low = body->lower, .high = body->upper};
    return solve(body, &problem, body->options.restarts > 0, q, result);
}

lb_outcome lb_body_advance(lb_body *body, const double *start, const double *velocity, double time,
                           double *q, lb_body_result *result)
{
    if (!(time > 0) || !isfinite(time) || !body_settle(body, start, body->starts[0]))
        return refuse(body, start, q, result);
    for (int v = 0; velocity && v < body->model->tree.nv; v++)
        if (!isfinite(velocity[v]))
            return refuse(body, start, q, result);
    bound_frame(body, body->starts[0], velocity, time);
    body->framed = true;
    body_problem problem = {.low = body->low, .high = body->high, .reach = body->reach};
    return solve(body, &problem, false, q, result);
}

const lb_body_outcome *lb_body_outcomes(const lb_body *body)
{
    return body->outcomes;
}
