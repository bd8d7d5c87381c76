/* task.c - what inverse kinematics must achieve, what is refused of it, and the errors that remain.
 */
#include "ik/task.h"
#include "base/error.h"
#include "kinematics/freedom.h"
#include "model/range.h"

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

/* the positions that satisfy a task: its normals are the axes that are not free */
static kernel_locus locus_of(const lb_task *task)
{
    static const lb_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const unsigned free = task->free_position & (LB_FREE_X | LB_FREE_Y | LB_FREE_Z);
    kernel_locus locus = {.extended = task->kind != LB_TASK_ROTATION && free != 0};
    int count = 0;
    for (int k = 0; k < 3 && locus.extended; k++)
        if ((free >> k & 1) == 0)
            locus.normals[count++] = axes[k];
    return locus;
}

kernel_goal ik_goal(const lb_task *task)
{
    bool rotation = task->kind != LB_TASK_POSITION;
    // squares of short axes may be zero
    const lb_vec3 none = {0, 0, 0}, axis = lb_vec3_normalize(task->free_axis, none);
    bool is_free = rotation && lb_vec3_length(axis) > 0;
    return (kernel_goal){
        .position = task->kind != LB_TASK_ROTATION,
        .rotation = rotation,
        .locus = locus_of(task),
        .free = is_free,
        .axis = is_free ? axis : lb_vec3_make(0, 0, 1),
    };
}

void lb_task_error(const lb_state *state, const lb_task *task, const lb_transform *target,
                   double *position_error, double *rotation_error)
{
    bool valid = task_has_links(lb_state_model(state), task);
    assert(valid && "index of a link");
    if (!valid) {
        *position_error = *rotation_error = INFINITY;
        return;
    }
    const kernel_goal goal = ik_goal(task);
    lb_transform base_tip = lb_state_transform(state, task->base, task->tip);
    lb_transform base_tool = lb_transform_multiply(&base_tip, &task->tool);
    kernel_goal_errors(&goal, &base_tool, target, position_error, rotation_error);
}

/* ---- constraints ---------------------------------------------------------- */

/* the linear directions that count */
static int count_linear(const lb_state *state, const lb_task *task, const lb_transform *target,
                        const span *linear)
{
    const kernel_locus locus = ik_goal(task).locus;
    lb_transform base = lb_state_transform(state, LB_WORLD, task->base);
    lb_transform world_target = lb_transform_multiply(&base, target);
    span counted = {.count = 0};
    for (int i = 0; i < linear->count; i++)
        span_add(&counted, kernel_locus_rows(&locus, &world_target, linear->axes[i]));
    return counted.count;
}

/* the angular directions that count: not the one about a free axis */
static int count_angular(const lb_state *state, const lb_task *task, const lb_transform *tool,
                         const span *angular)
{
    lb_vec3 axis = lb_vec3_normalize(task->free_axis, lb_vec3_make(0, 0, 0));
    axis = lb_transform_direction(tool, axis);
    axis = lb_state_direction(state, task->base, LB_WORLD, axis);
    span counted = {.count = 0};
    for (int i = 0; i < angular->count; i++) {
        lb_vec3 turn = angular->axes[i];
        span_add(&counted, lb_vec3_sub(turn, lb_vec3_scale(axis, lb_vec3_dot(axis, turn))));
    }
    return counted.count;
}

lb_mobility lb_task_mobility(const lb_state *state, const lb_task *task, const lb_transform *target)
{
    bool valid = task_has_links(lb_state_model(state), task);
    assert(valid && "index of a link");
    if (!valid)
        return (lb_mobility){.joints = 0};
    freedom f = freedom_find(state, task->base, task->tip);
    lb_transform base_tip = lb_state_transform(state, task->base, task->tip);
    lb_transform tool = lb_transform_multiply(&base_tip, &task->tool);
    lb_mobility m = {.joints = f.joints, .velocities = f.velocities};
    if (task->kind != LB_TASK_ROTATION)
        m.constraints += count_linear(state, task, target ? target : &tool, &f.linear);
    if (task->kind != LB_TASK_POSITION)
        m.constraints += count_angular(state, task, &tool, &f.angular);
    return m;
}

/* ---- checks --------------------------------------------------------------- */

/* three free axes leave no position, and there are no others */
static lb_status check_free_position(const lb_task *task, int index, lb_error *error)
{
    const unsigned all = LB_FREE_X | LB_FREE_Y | LB_FREE_Z;
    if (task->kind == LB_TASK_ROTATION || task->free_position < all)
        return LB_OK;
    if (task->free_position == all)
        return REFUSE_ARGUMENT(error,
                               "task %d: with all of x, y and z free no position counts; use "
                               "LB_TASK_ROTATION",
                               index);
    return REFUSE_ARGUMENT(error,
                           "task %d: free position %u is not made of LB_FREE_X, LB_FREE_Y and "
                           "LB_FREE_Z",
                           index, task->free_position);
}

lb_status ik_check_tasks(const lb_model *model, const lb_task *tasks, int n, lb_error *error)
{
    if (n < 1)
        return REFUSE_ARGUMENT(error, "a solver needs at least one task");
    for (int i = 0; i < n; i++) {
        const lb_task *t = &tasks[i];
        if (!task_has_links(model, t))
            return REFUSE_ARGUMENT(error, "task %d: there is no such tip or base link", i);
        if ((unsigned)t->kind > LB_TASK_POSE)
            return REFUSE_ARGUMENT(error, "task %d: there is no kind %d", i, (int)t->kind);
        if (!(t->weight > 0) || !isfinite(t->weight) || !lb_vec3_is_finite(t->free_axis) ||
            !range_has_frame(&t->tool))
            return REFUSE_ARGUMENT(error,
                                   "task %d: weight, free axis and tool must be finite and within "
                                   "LB_LENGTH_MAX, the weight "
                                   "above 0 and the tool's axes orthonormal",
                                   i);
        TRY(check_free_position(t, i, error));
    }
    return LB_OK;
}
