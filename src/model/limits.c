/* limits.c - clamps a configuration to its limits, and finds violations. */
#include "model/limits.h"
#include "base/error.h"
#include "math/scalar.h"
#include "model/kinds.h"

#include <string.h>

static lb_quat raw_quat(const double *p)
{
    return (lb_quat){p[0], p[1], p[2], p[3]};
}

/* ---- clamping ----------------------------------------------------------- */

static void clamp_ball(const lb_model *model, const model_part *part, const double *q, double *out)
{
    lb_quat given = lb_quat_normalize(raw_quat(&q[part->q]));
    lb_quat within = ball_clamp(part, model->joints[part->joint].axis, given);
    memcpy(&out[part->q], (double[]){within.w, within.x, within.y, within.z}, 4 * sizeof *out);
}

unsigned limits_clamp(const lb_model *model, const kernel_ops *ops, const double *const *q,
                      double *const *out, int count)
{
    unsigned finite = ops->clamp(&model->range, q, out, count);
    for (int i = 0; model->balls && i < model->part_count; i++)
        for (int k = 0; model->parts[i].kind == MODEL_BALL && k < count; k++)
            clamp_ball(model, &model->parts[i], q[k], out[k]);
    return finite;
}

void lb_configuration_clamp(const lb_model *model, const double *q, double *out)
{
    limits_clamp(model, kernel_choose(1), &q, &out, 1);
}

/* ---- validating --------------------------------------------------------- */

/* larger deviations are not rounding: it is not a rotation */
static const double unit_tolerance = 1e-6;

static limits_violation check_number(const model_part *part, double value, double tolerance)
{
    limits_violation found = {LIMITS_KEPT, part, value, part->lower, part->upper};
    if (!isfinite(value))
        found.fault = LIMITS_NOT_FINITE;
    else if (value < part->lower - tolerance || value > part->upper + tolerance)
        found.fault = LIMITS_VALUE;
    return found;
}

static limits_violation check_ball(const lb_model *model, const model_part *part, const double *p,
                                   double tolerance)
{
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    if (!(fabs(length - 1) <= unit_tolerance))
        return (limits_violation){LIMITS_NOT_UNIT, part, length, 1, 1};
    if (ball_is_free(part))
        return (limits_violation){LIMITS_KEPT, part, 0, 0, 0};

    lb_vec3 axis = model->joints[part->joint].axis;
    ball_angles angles = ball_measure(part, axis, lb_quat_normalize(raw_quat(p)));
    // the rotation turns slower than its twist, and not at all where it swings by half a turn
    double beyond = scalar_max(part->lower - angles.twist, angles.twist - part->upper);
    if (beyond * lb_cos(0.5 * angles.swing) > tolerance)
        return (limits_violation){LIMITS_TWIST, part, angles.twist, part->lower, part->upper};
    if (angles.swing > part->swing + tolerance)
        return (limits_violation){LIMITS_SWING, part, angles.swing, 0, part->swing};
    return (limits_violation){LIMITS_KEPT, part, 0, 0, 0};
}

limits_violation limits_find_violation(const lb_model *model, const double *q, double tolerance)
{
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        limits_violation found = part->kind == MODEL_BALL
                                     ? check_ball(model, part, &q[part->q], tolerance)
                                     : check_number(part, q[part->q], tolerance);
        if (found.fault != LIMITS_KEPT)
            return found;
    }
    return (limits_violation){LIMITS_KEPT, NULL, 0, 0, 0};
}

unsigned limits_kept(const lb_model *model, const kernel_ops *ops, const double *const *q,
                     int count, double tolerance)
{
    unsigned kept = ops->within(&model->range, tolerance, q, count);
    for (int i = 0; model->balls && i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        for (int k = 0; part->kind == MODEL_BALL && k < count; k++)
            if (check_ball(model, part, &q[k][part->q], tolerance).fault != LIMITS_KEPT)
                kept &= ~(1u << k);
    }
    return kept;
}

/* ---- messages ----------------------------------------------------------- */

/* the name of a part that is a number, in a message */
static const char *value_label(const lb_model *model, const model_part *part)
{
    static const char *const labels[] = {"first value", "second value", "third value"};
    bool only = lb_joint_kind_nq(model->joints[part->joint].kind) == 1;
    return only ? "value" : labels[part->value];
}

static lb_status refuse(const limits_violation *found, const char *joint, const char *label,
                        lb_error *error)
{
    bool low = found->value < found->lower;
    return REFUSE_VALUE(error, "joint '%s': %s %.10g is %s its %s limit %.10g", joint, label,
                        found->value, low ? "below" : "above", low ? "lower" : "upper",
                        low ? found->lower : found->upper);
}

lb_status lb_configuration_validate(const lb_model *model, const double *q, double tolerance,
                                    lb_error *error)
{
    TRY(REQUIRE(error, {model, "model"}, {q, "q"}));
    limits_violation found = limits_find_violation(model, q, tolerance);
    if (found.fault == LIMITS_KEPT)
        return LB_OK;

    const char *joint = model->joints[found.part->joint].name;
    switch (found.fault) {
    case LIMITS_NOT_FINITE:
        return REFUSE_VALUE(error, "joint '%s': %s is not finite", joint,
                            value_label(model, found.part));
    case LIMITS_NOT_UNIT:
        return REFUSE_VALUE(error, "joint '%s': quaternion has length %.10g; it must be 1", joint,
                            found.value);
    case LIMITS_TWIST:
        return refuse(&found, joint, "twist", error);
    case LIMITS_SWING:
        return refuse(&found, joint, "swing", error);
    default:
        return refuse(&found, joint, value_label(model, found.part), error);
    }
}
