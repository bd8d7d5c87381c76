/* task.c - what inverse kinematics must achieve, and how far it is. */
#include "ik/verifier.h"

#include <assert.h>

lb_task lb_task_make(int tip, int base, lb_task_kind kind)
{
    return (lb_task){
        .tip = tip, .base = base, .kind = kind, .tool = LB_TRANSFORM_IDENTITY, .weight = 1};
}

int lb_task_rows(lb_task_kind kind)
{
    return kind == LB_TASK_POSE ? 6 : 3;
}

kernel_locus ik_locus(const lb_task *task)
{
    static const lb_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const unsigned free = task->free_position & (LB_FREE_X | LB_FREE_Y | LB_FREE_Z);
    kernel_locus locus = {.open = task->kind != LB_TASK_ROTATION && free != 0};
    // across it lie the axes that are not free
    int count = 0;
    for (int k = 0; k < 3 && locus.open; k++)
        if ((free >> k & 1) == 0)
            locus.across[count++] = axes[k];
    return locus;
}

kernel_goal ik_goal(const lb_task *task)
{
    return (kernel_goal){
        .tool = task->tool,
        .position = task->kind != LB_TASK_ROTATION,
        .rotation = task->kind != LB_TASK_POSITION,
        .locus = ik_locus(task),
        .free = lb_vec3_length(task->free_axis) > 0,
        .axis = lb_vec3_normalize(task->free_axis, lb_vec3_make(0, 0, 1)),
    };
}

void lb_task_error(const lb_state *state, const lb_task *task, const lb_transform *target,
                   double *position_error, double *rotation_error)
{
    int links = lb_model_link_count(lb_state_model(state));
    bool valid =
        task->base >= LB_WORLD && task->base < links && task->tip >= 0 && task->tip < links;
    assert(valid && "index of a link");
    if (!valid) {
        *position_error = *rotation_error = INFINITY;
        return;
    }
    const kernel_goal claim = ik_goal(task);
    lb_transform base_tip = lb_state_transform(state, task->base, task->tip);
    lb_transform base_tool = lb_transform_multiply(&base_tip, &task->tool);
    kernel_goal_errors(&claim, &base_tool, target, position_error, rotation_error);
}
