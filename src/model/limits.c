/* limits.c - bringing a configuration within its limits, and saying where it is not. */
#include "model/ball.h"

#include <string.h>

static lb_quat raw_quat(const double *p)
{
    return (lb_quat){p[0], p[1], p[2], p[3]};
}

/* ---- clamping ----------------------------------------------------------- */

/* NaN stays NaN. */
static double clamp_number(const model_part *part, double value)
{
    if (value < part->lower)
        return part->lower;
    return value > part->upper ? part->upper : value;
}

void lb_configuration_clamp(const lb_model *model, const double *q, double *out)
{
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind == MODEL_BALL) {
            lb_quat given = lb_quat_normalize(raw_quat(&q[part->q]));
            lb_quat within = ball_clamp(part, model->joints[part->joint].axis, given);
            memcpy(&out[part->q], (double[]){within.w, within.x, within.y, within.z},
                   4 * sizeof *out);
        } else {
            out[part->q] = clamp_number(part, q[part->q]);
        }
    }
}

/* ---- validating --------------------------------------------------------- */

/* Off by more is no rounding: it is something else than a rotation. */
static const double unit_tolerance = 1e-6;

/* What a part is called in a message: "value" or, of several, "value 2 of 3". */
static const char *value_label(const lb_model *model, const model_part *part)
{
    static const char *const of_one[] = {"value"};
    static const char *const of_two[] = {"value 1 of 2", "value 2 of 2"};
    static const char *const of_three[] = {"value 1 of 3", "value 2 of 3", "value 3 of 3"};
    static const char *const of_seven[] = {"value 1 of 7", "value 2 of 7", "value 3 of 7"};
    switch (lb_joint_kind_nq(model->joints[part->joint].kind)) {
    case 1:
        return of_one[part->value];
    case 2:
        return of_two[part->value];
    case 3:
        return of_three[part->value];
    default:
        return of_seven[part->value];
    }
}

static lb_status refuse(const lb_model *model, const model_part *part, const char *label,
                        double value, double lower, double upper, lb_error *error)
{
    bool low = value < lower;
    return lb_error_set(error, LB_BAD_VALUE, 0, "joint '%s': %s %.10g is %s its %s limit %.10g",
                        model->joints[part->joint].name, label, value, low ? "below" : "above",
                        low ? "lower" : "upper", low ? lower : upper);
}

static lb_status validate_number(const lb_model *model, const model_part *part, double value,
                                 double tolerance, lb_error *error)
{
    const char *label = value_label(model, part);
    if (!isfinite(value))
        return lb_error_set(error, LB_BAD_VALUE, 0, "joint '%s': %s is not finite",
                            model->joints[part->joint].name, label);
    if (value < part->lower - tolerance || value > part->upper + tolerance)
        return refuse(model, part, label, value, part->lower, part->upper, error);
    return LB_OK;
}

static lb_status validate_ball(const lb_model *model, const model_part *part, const double *p,
                               double tolerance, lb_error *error)
{
    const lb_joint *joint = &model->joints[part->joint];
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    if (!(fabs(length - 1) <= unit_tolerance))
        return lb_error_set(error, LB_BAD_VALUE, 0,
                            "joint '%s': quaternion has length %.10g; it must be 1", joint->name,
                            length);

    ball_angles angles = ball_measure(lb_quat_normalize(raw_quat(p)), joint->axis);
    if (ball_twist_excess(part, angles.twist) > tolerance)
        return refuse(model, part, "twist", angles.twist, part->lower, part->upper, error);
    if (angles.swing > part->swing + tolerance)
        return refuse(model, part, "swing", angles.swing, 0, part->swing, error);
    return LB_OK;
}

lb_status lb_configuration_validate(const lb_model *model, const double *q, double tolerance,
                                    lb_error *error)
{
    lb_status status = LB_OK;
    for (int i = 0; status == LB_OK && i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind == MODEL_BALL)
            status = validate_ball(model, part, &q[part->q], tolerance, error);
        else
            status = validate_number(model, part, q[part->q], tolerance, error);
    }
    return status;
}
