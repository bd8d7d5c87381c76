/* task_check.c - what a solver refuses of its tasks before it reads the model's joints. */
#include "ik/task_check.h"

#include "model/layout.h"
#include "model/range.h"

/* three free axes leave no position, and there are no others */
static lb_status check_free_position(const lb_task *task, int index, lb_error *error)
{
    const unsigned all = LB_FREE_X | LB_FREE_Y | LB_FREE_Z;
    if (task->kind == LB_TASK_ROTATION || task->free_position < all)
        return LB_OK;
    if (task->free_position == all)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                            "task %d: with all of x, y and z free no position counts; use "
                            "LB_TASK_ROTATION",
                            index);
    return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                        "task %d: free position %u is not made of LB_FREE_X, LB_FREE_Y and "
                        "LB_FREE_Z",
                        index, task->free_position);
}

lb_status ik_check_tasks(const lb_model *model, const lb_task *tasks, int n, lb_error *error)
{
    if (n < 1)
        return lb_error_set(error, LB_INVALID_ARGUMENT, 0, "a solver needs at least one task");
    for (int i = 0; i < n; i++) {
        const lb_task *t = &tasks[i];
        if (!task_has_links(model, t))
            return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                                "task %d: there is no such tip or base link", i);
        if ((unsigned)t->kind > LB_TASK_POSE)
            return lb_error_set(error, LB_INVALID_ARGUMENT, 0, "task %d: there is no kind %d", i,
                                (int)t->kind);
        if (!(t->weight > 0) || !isfinite(t->weight) || !lb_vec3_is_finite(t->free_axis) ||
            !range_has_frame(&t->tool))
            return lb_error_set(error, LB_INVALID_ARGUMENT, 0,
                                "task %d: weight, free axis and tool must be finite and within "
                                "LB_LENGTH_MAX, the weight "
                                "above 0 and the tool's axes orthonormal",
                                i);
        lb_status status = check_free_position(t, i, error);
        if (status != LB_OK)
            return status;
    }
    return LB_OK;
}
