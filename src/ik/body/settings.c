/* settings.c - what may change of a body between its solves. */
#include "ik/body/solver.h"
#include "model/kinds.h"
#include "model/range.h"

#include <string.h>

static bool is_task(const lb_body *body, int task)
{
    return body != NULL && task >= 0 && task < body->given_count;
}

static bool is_joint(const lb_body *body, int joint)
{
    return body != NULL && joint >= 0 && joint < body->model->joint_count;
}

static bool has_target(const lb_body *body, int task)
{
    return is_task(body, task) && body_has_target(body->tasks[task].kind);
}

void body_set_settled(lb_body *body, double most)
{
    body->settled = most;
}

void body_cap_iterations(lb_body *body, int most)
{
    body->options.iterations = body->options.iterations < most ? body->options.iterations : most;
}

/* ---- tasks ------------------------------------------------------------------ */

lb_status lb_body_set_target(lb_body *body, int task, const lb_transform *target)
{
    if (!has_target(body, task) || target == NULL)
        return LB_INVALID_ARGUMENT;
    if (!range_has_frame(target))
        return LB_BAD_VALUE;
    body->targets[task] = *target;
    return LB_OK;
}

lb_status lb_body_set_point(lb_body *body, int task, lb_vec3 point)
{
    if (!has_target(body, task))
        return LB_INVALID_ARGUMENT;
    if (!range_has_point(point))
        return LB_BAD_VALUE;
    body->targets[task].p = point;
    return LB_OK;
}

lb_transform lb_body_target(const lb_body *body, int task)
{
    return has_target(body, task) ? body->targets[task] : LB_TRANSFORM_IDENTITY;
}

/* quaternions among a joint's values to unit length */
static void normalize_values(const lb_body *body, double *q)
{
    for (int i = 0; i < body->model->part_count; i++) {
        const model_part *part = &body->model->parts[i];
        if (part->kind != MODEL_BALL)
            continue;
        double *p = q + part->q;
        lb_quat unit = lb_quat_normalize((lb_quat){p[0], p[1], p[2], p[3]});
        memcpy(p, (double[]){unit.w, unit.x, unit.y, unit.z}, 4 * sizeof *p);
    }
}

lb_status lb_body_set_value(lb_body *body, int task, const double *value)
{
    if (!is_task(body, task) || body->tasks[task].kind != LB_BODY_JOINT || value == NULL)
        return LB_INVALID_ARGUMENT;
    int joint = body->tasks[task].joint, nq = lb_joint_kind_nq(body->model->joints[joint].kind);
    if (!range_has_row(value, nq))
        return LB_BAD_VALUE;
    memcpy(body->values + body->model->joint_layouts[joint].q, value, sizeof *value * (size_t)nq);
    normalize_values(body, body->values);
    return LB_OK;
}

lb_status lb_body_set_weight(lb_body *body, int task, double weight)
{
    if (!is_task(body, task))
        return LB_INVALID_ARGUMENT;
    if (!(weight >= 0) || !range_has(weight))
        return LB_BAD_VALUE;
    body->tasks[task].weight = weight;
    body_weigh(body, task);
    return LB_OK;
}

lb_status lb_body_hold(lb_body *body, int task, const double *q)
{
    if (!is_task(body, task) || body->tasks[task].kind == LB_BODY_DISTANCE || q == NULL)
        return LB_INVALID_ARGUMENT;
    if (!range_has_row(q, body->model->tree.nq))
        return LB_BAD_VALUE;
    if (body->tasks[task].kind == LB_BODY_JOINT)
        return lb_body_set_value(body, task,
                                 q + body->model->joint_layouts[body->tasks[task].joint].q);
    lb_state_update(body->state, q);
    body->targets[task] = body_tool(body, task);
    return LB_OK;
}

/* ---- joints ----------------------------------------------------------------- */

lb_status lb_body_set_posture(lb_body *body, const double *q)
{
    if (body == NULL)
        return LB_INVALID_ARGUMENT;
    if (q && !range_has_row(q, body->model->tree.nq))
        return LB_BAD_VALUE;
    body->has_posture = q != NULL;
    if (q) {
        memcpy(body->posture, q, sizeof *q * (size_t)body->model->tree.nq);
        normalize_values(body, body->posture);
    }
    return LB_OK;
}

/* twist (value 0) or swing (1) of a ball; one that no task needs stays as it is */
static lb_status set_ball_limits(lb_body *body, const model_part *part, int value, double lower,
                                 double upper)
{
    if (value > 1)
        return LB_INVALID_ARGUMENT;
    if (isnan(upper) || (value == 0 && isnan(lower)))
        return LB_BAD_VALUE;
    double low = fmax(lower, part->lower), high = fmin(upper, part->upper);
    double swing = fmin(upper, part->swing);
    // of a ball that may twist freely they are those of one turn
    bool wound = isinf(part->lower) && (low > LB_PI || high < -LB_PI);
    if (value == 0 ? !range_has_limits(low, high) || wound : !(swing >= 0))
        return LB_BAD_VALUE;
    ball_close_twist(&low, &high);
    for (int i = 0; i < body->kernel.ball_count; i++) {
        kernel_body_ball *ball = &body->balls[i];
        if (ball->q != part->q)
            continue;
        if (value == 0) {
            ball->limits.lower = low;
            ball->limits.upper = high;
        } else {
            ball->limits.swing = swing;
        }
        ball->limited = kernel_is_limited(&ball->limits);
    }
    return LB_OK;
}

lb_status lb_body_set_limits(lb_body *body, int joint, int value, double lower, double upper)
{
    if (!is_joint(body, joint) || value < 0)
        return LB_INVALID_ARGUMENT;
    const lb_model *model = body->model;
    if (model->joints[joint].kind == LB_JOINT_BALL && model->joint_layouts[joint].part_count == 1)
        return set_ball_limits(body, &model->parts[model->joint_layouts[joint].part], value, lower,
                               upper);
    const model_joint *layout = &model->joint_layouts[joint];
    if (layout->mimicked_joint >= 0 || value >= layout->part_count ||
        model->parts[layout->part + value].kind == MODEL_BALL)
        return LB_INVALID_ARGUMENT;
    // fmax and fmin would take NaN for no limit
    if (isnan(lower) || isnan(upper))
        return LB_BAD_VALUE;
    const model_part *part = &model->parts[layout->part + value];
    double low = fmax(lower, part->lower), high = fmin(upper, part->upper);
    if (!range_has_limits(low, high))
        return LB_BAD_VALUE;
    body->lower[part->q] = low;
    body->upper[part->q] = high;
    return LB_OK;
}

lb_status lb_body_set_speed(lb_body *body, int joint, double speed, double acceleration)
{
    if (!is_joint(body, joint))
        return LB_INVALID_ARGUMENT;
    if (!(speed >= 0) || !(acceleration > 0))
        return LB_BAD_VALUE;
    const model_joint *layout = &body->model->joint_layouts[joint];
    for (int i = 0; i < layout->part_count; i++)
        body->speeds[layout->part + i] = (body_speed){speed, acceleration};
    return LB_OK;
}
