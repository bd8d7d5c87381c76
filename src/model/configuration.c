/*
 * configuration.c - the arithmetic of q: moving, comparing, interpolating.
 *
 * Everything is done part by part; a part is a number or a quaternion, so no joint kind is named
 * here.
 */
#include "model/kinds.h"

#include <string.h>

/* ---- parts of q --------------------------------------------------------- */

/* a part's quaternion, normalized */
static lb_quat read_quat(const model_part *part, const double *q)
{
    const double *p = &q[part->q];
    return lb_quat_normalize((lb_quat){p[0], p[1], p[2], p[3]});
}

static void write_quat(const model_part *part, lb_quat value, double *q)
{
    double *p = &q[part->q];
    p[0] = value.w;
    p[1] = value.x;
    p[2] = value.y;
    p[3] = value.z;
}

static lb_vec3 joint_axis(const lb_model *model, const model_part *part)
{
    return model->joints[part->joint].axis;
}

/* ---- neutral and random ------------------------------------------------- */

void lb_configuration_neutral(const lb_model *model, double *q)
{
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        size_t count = part->kind == MODEL_BALL ? 4 : 1;
        memcpy(&q[part->q], &model->joints[part->joint].value[part->value], count * sizeof *q);
    }
}

/* uniform in the limits; where one or both are missing, over a range of the usual width */
static double random_number(const model_part *part, lb_random *random)
{
    double half = part->kind == MODEL_LENGTH ? 1 : LB_PI;
    double lower = part->lower, upper = part->upper;
    if (isinf(lower) && isinf(upper))
        return lb_random_between(random, -half, half);
    if (isinf(lower))
        lower = upper - 2 * half;
    if (isinf(upper))
        upper = lower + 2 * half;
    return lb_random_between(random, lower, upper);
}

void lb_configuration_random(const lb_model *model, lb_random *random, double *q)
{
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind == MODEL_BALL)
            write_quat(part, ball_random(part, joint_axis(model, part), random), q);
        else
            q[part->q] = random_number(part, random);
    }
}

/* ---- moving and comparing ----------------------------------------------- */

void lb_configuration_integrate(const lb_model *model, const double *q, const double *v,
                                double *out)
{
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        const double *rate = &v[part->v];
        if (part->kind == MODEL_BALL) {
            // v is in child axes: it multiplies from the right
            lb_quat turn = lb_quat_exp(lb_vec3_make(rate[0], rate[1], rate[2]));
            lb_quat moved = lb_quat_multiply(read_quat(part, q), turn);
            write_quat(part, lb_quat_normalize(moved), out);
        } else {
            out[part->q] = q[part->q] + rate[0];
        }
    }
}

/* the difference from a to b of a part that is a number */
static double number_difference(const model_part *part, const double *a, const double *b)
{
    double difference = b[part->q] - a[part->q];
    return part->kind == MODEL_TURN ? lb_wrap_angle(difference) : difference;
}

void lb_configuration_difference(const lb_model *model, const double *a, const double *b, double *v)
{
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind == MODEL_BALL) {
            lb_quat back = lb_quat_conjugate(read_quat(part, a));
            lb_vec3 difference = lb_quat_log(lb_quat_multiply(back, read_quat(part, b)));
            memcpy(&v[part->v], (double[]){difference.x, difference.y, difference.z},
                   3 * sizeof *v);
        } else {
            v[part->v] = number_difference(part, a, b);
        }
    }
}

void lb_configuration_interpolate(const lb_model *model, const double *a, const double *b, double t,
                                  double *out)
{
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        if (part->kind == MODEL_BALL) {
            write_quat(part, lb_quat_slerp(read_quat(part, a), read_quat(part, b), t), out);
            continue;
        }

        // from the nearer end, so that both ends are exact
        double difference = number_difference(part, a, b);
        out[part->q] = t < 0.5 ? a[part->q] + t * difference : b[part->q] - (1 - t) * difference;
    }
}
