/* task.c - what inverse kinematics must achieve, and how far it is. */
#include "ik/judge.h"

lb_task lb_task_make(int tip, int base, lb_task_kind kind)
{
    return (lb_task){
        .tip = tip, .base = base, .kind = kind, .tool = LB_TRANSFORM_IDENTITY, .weight = 1};
}

int lb_task_rows(lb_task_kind kind)
{
    return kind == LB_TASK_POSE ? 6 : 3;
}

/* angle between two unit vectors, accurate near 0 and pi */
static double direction_angle(lb_vec3 a, lb_vec3 b)
{
    return lb_atan2(lb_vec3_length(lb_vec3_cross(a, b)), lb_vec3_dot(a, b));
}

void ik_task_error(const lb_task *task, const lb_transform *base_tool, const lb_transform *target,
                   double *position_error, double *rotation_error)
{
    *position_error = *rotation_error = 0;
    if (task->kind != LB_TASK_ROTATION)
        *position_error = lb_transform_distance(base_tool, target);
    if (task->kind == LB_TASK_POSITION)
        return;
    // with a free axis only where that axis points counts
    if (lb_vec3_length(task->free_axis) > 0) {
        lb_vec3 axis = lb_vec3_normalize(task->free_axis, lb_vec3_make(0, 0, 1));
        *rotation_error = direction_angle(lb_transform_direction(base_tool, axis),
                                          lb_transform_direction(target, axis));
    } else {
        *rotation_error = lb_transform_angle(base_tool, target);
    }
}

void lb_task_error(const lb_state *state, const lb_task *task, const lb_transform *target,
                   double *position_error, double *rotation_error)
{
    lb_transform base_tip = lb_state_transform(state, task->base, task->tip);
    lb_transform base_tool = lb_transform_multiply(&base_tip, &task->tool);
    ik_task_error(task, &base_tool, target, position_error, rotation_error);
}
