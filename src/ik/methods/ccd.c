/*
 * ccd.c - cyclic coordinate descent: each joint in turn to its own optimum.
 *
 * From the tips to the base, as in the chapter and in the article on bones in 2D (bones.c), for
 * turning, sliding and ball joints and any number of tasks (optimum.c). The joints that
 * a sweep has still to move stand where they were, so their frames stay valid; only the tools
 * move along. A sweep ends early when all tools have arrived.
 */
#include "ik/iteration.h"
#include "ik/methods/methods.h"
#include "ik/optimum.h"

#include <string.h>

/* all tools where they are to be; with rotations that is for the driver to say */
static bool arrived(const ik_iteration *it)
{
    double t = it->control->position_tolerance;
    for (int i = 0; i < it->problem.task_count; i++) {
        const kernel_task *task = &it->problem.tasks[i];
        lb_vec3 left = lb_vec3_sub(it->targets[i].p, it->tools[i].p);
        left = kernel_locus_rows(&task->goal.locus, &it->targets[i], left);
        if (task->goal.rotation || lb_vec3_dot(left, left) > t * t)
            return false;
    }
    return true;
}

lb_reason ik_ccd_step(ik_iteration *it)
{
    memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    ik_place_tools(it);
    for (int i = it->problem.tree.count - 1; i >= 0; i--) {
        int x = it->variable_of[i];
        // of several joints that follow one number only one stands for it
        if (x < 0 || it->problem.variables[x].joint != i)
            continue;
        ik_optimize(it, x, it->next);
        if (arrived(it))
            break;
    }
    return LB_REASON_NONE;
}
