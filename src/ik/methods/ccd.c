/*
 * ccd.c - cyclic coordinate descent: each joint in turn to its own optimum.
 *
 * From the tips to the base, as in Parent 2012, chapter 5, and Juckett 2009 (bones.c), for
 * revolute, prismatic and ball joints and any number of tasks (optimum.c). Joints that a sweep has
 * not moved yet keep their frames; only the tools are updated. A sweep ends early when all tools
 * have arrived.
 */
#include "ik/iteration.h"
#include "ik/optimum.h"

#include <string.h>

/* all tools at their positions; with rotations that is decided after the step */
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
        // of several joints that follow one number, one represents it
        if (x < 0 || it->problem.variables[x].joint != i)
            continue;
        ik_optimize(it, x, it->next);
        if (arrived(it))
            break;
    }
    return LB_REASON_NONE;
}
