/*
 * servo_move.c - places of the tool, and joints that move or brake within their limits of position.
 */
#include "motion/servo.h"

#include "math/scalar.h"

/* radians or metres: rounding of a stopping distance */
#define ROUNDING 1e-12

lb_transform servo_tool(lb_servo *s, const double *q)
{
    lb_state_update(s->state, q);
    const lb_transform tip = lb_state_transform(s->state, s->task.base, s->task.tip);
    return lb_transform_multiply(&tip, &s->task.tool);
}

lb_transform servo_displaced(const lb_transform *pose, lb_vec3 linear, lb_vec3 angular)
{
    lb_quat turned = lb_quat_multiply(lb_quat_exp(angular), lb_transform_quat(pose));
    return lb_transform_from_quat(lb_quat_normalize(turned), lb_vec3_add(pose->p, linear));
}

bool servo_solve(lb_servo *s, const lb_transform *pose, const double *start, double *q,
                 lb_ik_result *result)
{
    lb_ik_result unwanted;
    result = result ? result : &unwanted;
    lb_ik_solve(s->ik, pose, start, q, result);
    // the solver is asked for more than what counts as reached, which rounding may deny
    if (result->position_error <= s->position_reached &&
        result->rotation_error <= s->rotation_reached) {
        result->outcome = LB_REACHED;
        result->reason = LB_REASON_NONE;
    }
    return result->outcome == LB_REACHED;
}

double servo_rest_place(const lb_servo *s, int k)
{
    const servo_axis *axis = &s->axes[k];
    double way = 0.5 * s->speed[k] * fabs(s->speed[k]) / axis->acceleration;
    return scalar_clamp(s->q[axis->q] + way, axis->lower, axis->upper);
}

void servo_brake(lb_servo *s, int k)
{
    const double a = s->axes[k].acceleration, dt = s->options.period, w = s->speed[k];
    double *q = &s->q[s->axes[k].q];
    bool stops = fabs(w) <= a * dt;
    *q = stops ? servo_rest_place(s, k)
               : scalar_clamp(*q + dt * (w - 0.5 * copysign(a, w) * dt), s->axes[k].lower,
                              s->axes[k].upper);
    s->speed[k] = stops ? 0 : w - copysign(a, w) * dt;
}

void servo_move_axis(lb_servo *s, int k, double q, double speed)
{
    const servo_axis *axis = &s->axes[k];
    double room = speed > 0 ? axis->upper - q : q - axis->lower;
    if (0.5 * speed * speed > axis->acceleration * (room + ROUNDING)) {
        servo_brake(s, k);
        return;
    }
    s->q[axis->q] = scalar_clamp(q, axis->lower, axis->upper);
    s->speed[k] = speed;
}
