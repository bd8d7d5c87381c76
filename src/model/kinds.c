/* kinds.c - the table of joint kinds, default joints and links, and the limits of ball joints. */
#include "model/kinds.h"

#include <assert.h>

static const kind_info kinds[] = {
    [LB_JOINT_FIXED] = {.step_count = 1, .steps = {{KERNEL_FIXED, KIND_Z}}, .quat = -1},
    [LB_JOINT_REVOLUTE] = {.step_count = 1,
                           .steps = {{KERNEL_REVOLUTE, KIND_AXIS}},
                           .axis_count = 1,
                           .limit_count = 1,
                           .quat = -1},
    [LB_JOINT_CONTINUOUS] = {.step_count = 1,
                             .steps = {{KERNEL_REVOLUTE, KIND_AXIS}},
                             .axis_count = 1,
                             .quat = -1},
    [LB_JOINT_PRISMATIC] = {.step_count = 1,
                            .steps = {{KERNEL_PRISMATIC, KIND_AXIS}},
                            .axis_count = 1,
                            .limit_count = 1,
                            .quat = -1},
    [LB_JOINT_UNIVERSAL] = {.step_count = 2,
                            .steps = {{KERNEL_REVOLUTE, KIND_AXIS}, {KERNEL_REVOLUTE, KIND_AXIS2}},
                            .axis_count = 2,
                            .limit_count = 2,
                            .quat = -1},
    [LB_JOINT_PLANAR] = {.step_count = 3,
                         .steps = {{KERNEL_PRISMATIC, KIND_AXIS2},
                                   {KERNEL_PRISMATIC, KIND_AXIS3},
                                   {KERNEL_REVOLUTE, KIND_AXIS}},
                         .axis_count = 2,
                         .limit_count = 3,
                         .quat = -1},
    [LB_JOINT_BALL] = {.step_count = 1,
                       .steps = {{KERNEL_BALL, KIND_Z}},
                       .axis_count = 1,
                       .quat = 0},
    [LB_JOINT_FLOATING] = {.step_count = 4,
                           .steps = {{KERNEL_PRISMATIC, KIND_X},
                                     {KERNEL_PRISMATIC, KIND_Y},
                                     {KERNEL_PRISMATIC, KIND_Z},
                                     {KERNEL_BALL, KIND_Z}},
                           .limit_count = 3,
                           .quat = 3},
};

/* the public list's columns */
static const struct {
    const char *text;
    int nq, nv;
} sizes[] = {
#define KIND_SIZES(name, text, nq, nv) {text, nq, nv},
    LB_JOINT_KIND_LIST(KIND_SIZES)
#undef KIND_SIZES
};

bool kind_is_valid(lb_joint_kind kind)
{
    return (unsigned)kind < LB_JOINT_KIND_COUNT;
}

bool kinds_root_moves(const lb_model *model)
{
    int j = 0;
    while (j < model->joint_count && model->joints[j].kind == LB_JOINT_FIXED)
        j++;
    lb_joint_kind kind = j < model->joint_count ? model->joints[j].kind : LB_JOINT_FIXED;
    return kind == LB_JOINT_FLOATING || kind == LB_JOINT_PLANAR;
}

const kind_info *kind_of(lb_joint_kind kind)
{
    assert(kind_is_valid(kind));
    return &kinds[kind];
}

const char *lb_joint_kind_text(lb_joint_kind kind)
{
    return kind_is_valid(kind) ? sizes[kind].text : "unknown kind";
}

int lb_joint_kind_nq(lb_joint_kind kind)
{
    return kind_is_valid(kind) ? sizes[kind].nq : 0;
}

int lb_joint_kind_nv(lb_joint_kind kind)
{
    return kind_is_valid(kind) ? sizes[kind].nv : 0;
}

lb_joint lb_joint_default(void)
{
    lb_joint joint = {
        .kind = LB_JOINT_FIXED,
        .placement = LB_TRANSFORM_IDENTITY,
        .axis = {0, 0, 1},
        .axis2 = {1, 0, 0},
        .lower = {-INFINITY, -INFINITY, -INFINITY},
        .upper = {INFINITY, INFINITY, INFINITY},
        .weight = 1,
        .multiplier = 1,
        .velocity = INFINITY,
        .effort = INFINITY,
    };
    return joint;
}

lb_link lb_link_default(void)
{
    lb_link link = {.data_offset = LB_TRANSFORM_IDENTITY};
    return link;
}

/* ---- balls -------------------------------------------------------------- */

static kernel_variable variable_of(const model_part *part, lb_vec3 axis)
{
    return (kernel_variable){.ball = true,
                             .lower = part->lower,
                             .upper = part->upper,
                             .swing = part->swing,
                             .axis = axis};
}

ball_angles ball_measure(const model_part *part, lb_vec3 axis, lb_quat q)
{
    const kernel_variable x = variable_of(part, axis);
    ball_angles angles;
    kernel_ball_angles(&x, (double[]){q.w, q.x, q.y, q.z}, &angles.twist, &angles.swing);
    return angles;
}

void ball_close_twist(double *lower, double *upper)
{
    if (isinf(*lower) && isfinite(*upper))
        *lower = fmin(-LB_PI, *upper);
    if (isinf(*upper) && isfinite(*lower))
        *upper = fmax(LB_PI, *lower);
}

bool ball_is_free(const model_part *part)
{
    const kernel_variable x = variable_of(part, (lb_vec3){0, 0, 1});
    return !kernel_is_limited(&x);
}

lb_quat ball_clamp(const model_part *part, lb_vec3 axis, lb_quat q)
{
    if (ball_is_free(part))
        return q;
    ball_angles angles = ball_measure(part, axis, q);
    bool twisted = angles.twist < part->lower || angles.twist > part->upper;
    // what is inside stays as it is, without the rounding of products
    if (!twisted && angles.swing <= part->swing)
        return q;
    const kernel_variable x = variable_of(part, axis);
    double values[] = {q.w, q.x, q.y, q.z};
    kernel_clamp(&x, values);
    return lb_quat_normalize((lb_quat){values[0], values[1], values[2], values[3]});
}

lb_quat ball_random(const model_part *part, lb_vec3 axis, lb_random *random)
{
    // a range of a whole turn contains every twist
    bool free = part->upper - part->lower >= 2 * LB_PI;
    double lower = free ? -LB_PI : part->lower, upper = free ? LB_PI : part->upper;
    lb_quat twist = lb_quat_from_axis_angle(axis, lb_random_between(random, lower, upper));

    // uniform on a cap is uniform in height (Archimedes); the height is the swing's cosine
    double least = part->swing < LB_PI ? lb_cos(part->swing) : -1;
    double height = lb_random_between(random, least, 1);
    double sine, cosine;
    lb_sincos(lb_random_between(random, -LB_PI, LB_PI), &sine, &cosine);

    // half angles of the swing about an axis perpendicular to the joint's
    lb_vec3 first = lb_vec3_perpendicular(axis);
    lb_vec3 second = lb_vec3_cross(axis, first);
    lb_vec3 across = lb_vec3_add(lb_vec3_scale(first, cosine), lb_vec3_scale(second, sine));
    double half_sine = sqrt(0.5 * (1 - height));
    lb_quat swing = {sqrt(0.5 * (1 + height)), half_sine * across.x, half_sine * across.y,
                     half_sine * across.z};
    return lb_quat_normalize(lb_quat_multiply(swing, twist));
}
