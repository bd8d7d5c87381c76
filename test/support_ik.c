/* support_ik.c - the judge of the tests: errors of tasks, limits, by definition and libm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support_ik.h"

#include <stdlib.h>

/* ---- tasks ---------------------------------------------------------------- */

lb_transform test_task_tool(const lb_model *model, const lb_task *task, const double *q)
{
    lb_transform *links = calloc((size_t)lb_model_link_count(model), sizeof *links);
    assert_non_null(links);
    test_forward(model, q, links);
    lb_transform base = task->base < 0 ? LB_TRANSFORM_IDENTITY : links[task->base];
    lb_transform base_tip = lb_transform_between(&base, &links[task->tip]);
    free(links);
    return lb_transform_multiply(&base_tip, &task->tool);
}

/* the angle between two directions from their distance 2 sin(t / 2) */
static double angle_of_chord(double chord)
{
    return 2 * asin(fmin(chord / 2, 1));
}

/* of axes: |A - B|^2 over all nine numbers is 8 sin^2(t / 2) */
static double axes_angle(const lb_transform *a, const lb_transform *b)
{
    double x = lb_vec3_length(lb_vec3_sub(a->x, b->x));
    double y = lb_vec3_length(lb_vec3_sub(a->y, b->y));
    double z = lb_vec3_length(lb_vec3_sub(a->z, b->z));
    return angle_of_chord(sqrt((x * x + y * y + z * z) / 2));
}

void test_task_errors(const lb_model *model, const lb_task *tasks, int n, const double *q,
                      const lb_transform *targets, double *position_error, double *rotation_error)
{
    *position_error = *rotation_error = 0;
    for (int i = 0; i < n; i++) {
        const lb_task *task = &tasks[i];
        lb_transform tool = test_task_tool(model, task, q);
        double position = lb_vec3_length(lb_vec3_sub(tool.p, targets[i].p));
        double rotation = axes_angle(&tool, &targets[i]);
        double length = lb_vec3_length(task->free_axis);
        if (length > 0) {
            lb_vec3 axis = lb_vec3_scale(task->free_axis, 1 / length);
            lb_vec3 apart = lb_vec3_sub(lb_transform_direction(&tool, axis),
                                        lb_transform_direction(&targets[i], axis));
            rotation = angle_of_chord(lb_vec3_length(apart));
        }
        if (task->kind != LB_TASK_ROTATION)
            *position_error = fmax(*position_error, position);
        if (task->kind != LB_TASK_POSITION)
            *rotation_error = fmax(*rotation_error, rotation);
    }
}

/* ---- limits --------------------------------------------------------------- */

/* how far a number is outside an interval */
static double beyond(double x, double lower, double upper)
{
    return fmax(0, fmax(lower - x, x - upper));
}

/*
 * A ball's quaternion is swing * twist about `axis`: the twist's angle, and the angle
 * between the axis before and after.
 */
static double ball_excess(const lb_joint *joint, const double *q)
{
    lb_vec3 v = {q[1], q[2], q[3]}, a = joint->axis;
    double twist = 2 * atan2(lb_vec3_dot(v, a), q[0]);
    if (twist > LB_PI)
        twist -= 2 * LB_PI;
    if (twist < -LB_PI)
        twist += 2 * LB_PI;
    double along = lb_vec3_dot(v, a);
    double swing =
        2 * atan2(lb_vec3_length(lb_vec3_cross(v, a)), sqrt(q[0] * q[0] + along * along));
    // at half a turn of swing the twist is not determined
    double excess = beyond(swing, 0, joint->upper[1]);
    if (swing > LB_PI - 1e-6)
        return excess;
    // limits beyond reach go round: 2 to 4 leaves -3
    double around = fmin(beyond(twist, joint->lower[0], joint->upper[0]),
                         fmin(beyond(twist + 2 * LB_PI, joint->lower[0], joint->upper[0]),
                              beyond(twist - 2 * LB_PI, joint->lower[0], joint->upper[0])));
    return fmax(excess, around);
}

static double joint_excess(const lb_model *model, int j, const double *q)
{
    const lb_joint *joint = lb_model_joint(model, j);
    int at = lb_model_joint_q(model, j);
    double m, b, excess = 0;
    if (at < 0)
        return 0;
    if (lb_model_joint_mimic(model, j, &m, &b) >= 0)
        return beyond(m * q[at] + b, joint->lower[0], joint->upper[0]);
    if (joint->kind == LB_JOINT_BALL)
        return ball_excess(joint, &q[at]);
    if (joint->kind == LB_JOINT_CONTINUOUS)
        return 0;
    int limited = lb_joint_kind_nv(joint->kind) < 3 ? lb_joint_kind_nv(joint->kind) : 3;
    for (int i = 0; i < limited; i++)
        excess = fmax(excess, beyond(q[at + i], joint->lower[i], joint->upper[i]));
    return excess;
}

double test_limit_excess(const lb_model *model, const double *q)
{
    double excess = 0;
    for (int i = 0; i < lb_model_nq(model); i++)
        if (!isfinite(q[i]))
            return INFINITY;
    for (int j = 0; j < lb_model_joint_count(model); j++)
        excess = fmax(excess, joint_excess(model, j, q));
    return excess;
}
