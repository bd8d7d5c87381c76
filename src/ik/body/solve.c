/*
 * solve.c - one solve of a body: bounds, a descent from the start, and others where that fails.
 *
 * The bounds of a frame are the limits and what speed and acceleration leave of them around the
 * start; the descent begins within them. A value that may still be stopped before its limit, at a
 * deceleration a, is no faster than v with v t + v^2 / (2 a) = the room that is left.
 *
 * What a ball may turn by is a ball, too: of radius speed * t about the start, and of radius
 * a t^2 about where its velocity would bring it. Of the lens that both have in common the largest
 * ball inside is used, whose centre is on the line between theirs.
 */
#include "ik/body/solver.h"
#include "math/scalar.h"
#include "model/range.h"

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

void body_bound_value(const double limits[2], const body_speed *speed, double q, double velocity,
                      double time, double bounds[2])
{
    double fastest = speed->speed, slowest = -speed->speed;
    if (isfinite(speed->acceleration)) {
        fastest = fmin(fastest, velocity + speed->acceleration * time);
        slowest = fmax(slowest, velocity - speed->acceleration * time);
    }
    double up = fmin(fastest, braking_speed(limits[1] - q, speed->acceleration, time));
    double down = fmax(slowest, -braking_speed(q - limits[0], speed->acceleration, time));
    // too fast to stop in time: as slow as the acceleration allows, and no slower than zero
    up = fmax(up, fmax(slowest, -speed->speed));
    down = fmin(down, fmin(fastest, speed->speed));
    // a start that is where it should not be, or too fast: staying is always possible
    bounds[0] = scalar_clamp(q + fmin(down, up) * time, limits[0], limits[1]);
    bounds[1] = scalar_clamp(q + fmax(down, up) * time, limits[0], limits[1]);
}

/* one number's bounds for one frame */
static void bound_number(lb_body *body, const model_part *part, const body_speed *speed, double q,
                         double velocity, double time)
{
    const double limits[2] = {body->lower[part->q], body->upper[part->q]};
    double bounds[2];
    body_bound_value(limits, speed, q, velocity, time, bounds);
    body->low[part->q] = bounds[0];
    body->high[part->q] = bounds[1];
}

/* whether a rotation is within a ball's limits; if so it is put there, to the last bit */
static bool put_within(const kernel_body_ball *ball, lb_quat rotation, double *q)
{
    double kept[4] = {rotation.w, rotation.x, rotation.y, rotation.z};
    if (ball->limited)
        kernel_clamp(&ball->limits, kept);
    lb_quat to = {kept[0], kept[1], kept[2], kept[3]};
    // a rotation on a limit is moved by rounding
    if (lb_vec3_length(lb_quat_log(lb_quat_multiply(lb_quat_conjugate(rotation), to))) > 1e-12)
        return false;
    memcpy(q, kept, sizeof kept);
    return true;
}

/* how far one ball may turn, and about what: q, which was its start, becomes the centre of that */
static double bound_ball(const kernel_body_ball *ball, const body_speed *speed, lb_vec3 velocity,
                         double time, double *q)
{
    double most = speed->speed * time, spread = speed->acceleration * time * time;
    if (isinf(spread))
        return most;
    // along the velocity, as far as both reach
    double fastest = lb_vec3_length(velocity), ahead = fastest * time;
    double low = fmax(ahead - spread, -most), high = fmax(fmin(ahead + spread, most), low);
    double share = fastest > 0 ? 0.5 * (low + high) / fastest : 0;
    lb_quat start = {q[0], q[1], q[2], q[3]};
    lb_quat center = lb_quat_multiply(start, lb_quat_exp(lb_vec3_scale(velocity, share)));
    // a limit comes before an acceleration
    return put_within(ball, center, q) ? 0.5 * (high - low) : most;
}

/* the bounds of a frame; q, which is its start, moves within them */
static void bound_frame(lb_body *body, double *q, const double *velocity, double time)
{
    const lb_model *model = body->model;
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind == MODEL_BALL)
            continue;
        bound_number(body, part, &body->speeds[i], q[part->q], velocity ? velocity[part->v] : 0,
                     time);
        q[part->q] = scalar_clamp(q[part->q], body->low[part->q], body->high[part->q]);
    }
    for (int i = 0; i < body->kernel.ball_count; i++) {
        const kernel_body_ball *ball = &body->balls[i];
        const model_part *part = model_part_at(model, ball->q);
        const double *v = velocity ? velocity + part->v : (double[3]){0};
        body->reach[i] = bound_ball(ball, &body->speeds[part - model->parts],
                                    lb_vec3_make(v[0], v[1], v[2]), time, q + ball->q);
    }
}

/* ---- solving ------------------------------------------------------------------ */

static lb_outcome refuse(lb_body *body, const double *start, double *q, lb_body_result *result)
{
    memmove(q, start, sizeof *q * (size_t)body->model->tree.nq);
    for (int t = 0; t < body->task_count; t++) {
        body->outcomes[t] = (lb_body_outcome){false, INFINITY, INFINITY};
        body->nearest[t].distance = NAN;
    }
    if (result)
        *result = (lb_body_result){.outcome = LB_INVALID};
    return body->outcome = LB_INVALID;
}

/* from starts[0] */
static lb_outcome solve(lb_body *body, body_problem *problem, bool restarts, double *q,
                        lb_body_result *result)
{
    problem->targets = body->targets;
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
    body_desire(body, body->starts[0], body->desired[0]);
    body->framed = false;
    body_problem problem = {.low = body->lower, .high = body->upper};
    return solve(body, &problem, body->options.restarts > 0, q, result);
}

lb_outcome lb_body_advance(lb_body *body, const double *start, const double *velocity, double time,
                           double *q, lb_body_result *result)
{
    if (!(time > 0) || !range_has(time) || !body_settle(body, start, body->starts[0]))
        return refuse(body, start, q, result);
    for (int v = 0; velocity && v < body->model->tree.nv; v++)
        if (!range_has(velocity[v]))
            return refuse(body, start, q, result);
    body_desire(body, body->starts[0], body->desired[0]);
    bound_frame(body, body->starts[0], velocity, time);
    body->framed = true;
    body_problem problem = {.low = body->low, .high = body->high, .reach = body->reach};
    return solve(body, &problem, false, q, result);
}

const lb_body_outcome *lb_body_outcomes(const lb_body *body)
{
    return body->outcomes;
}
