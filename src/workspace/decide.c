/* decide.c - closed forms, and the bound of a tool's reach. */
#include "workspace/decide.h"

#include "base/memory.h"
#include "ik/reduce.h"

#include <limber/solutions.h>

bool decide_has_closed_form(const lb_model *model, const lb_task *task,
                            const lb_allocator *allocator)
{
    lb_solutions_solver *solver = NULL;
    if (lb_solutions_create(model, task, NULL, allocator, &solver, NULL) != LB_OK)
        return false;
    lb_arm_class found = lb_solutions_class(solver);
    lb_solutions_release(solver);
    return found == LB_ARM_WRIST || found == LB_ARM_SHOULDER || found == LB_ARM_PARALLEL;
}

lb_status decide_find_bound(const lb_model *model, const lb_task *task,
                            const lb_allocator *allocator, decide_bound *bound, lb_error *error)
{
    ik_reduction reduction;
    lb_status status = ik_reduce(model, task, 1, 0, allocator, &reduction, error);
    if (status != LB_OK)
        return status;
    const ik_reach *reach = &reduction.reaches[0];
    lb_transform problem = lb_transform_inverse(&reduction.base);
    lb_vec3 shoulder = lb_vec3_scale(reach->shoulder, reduction.unit);
    bound->center = lb_transform_point(&problem, shoulder);
    bound->radius = reach->radius * reduction.unit;
    memory_release(allocator, reduction.memory);
    return isfinite(bound->radius)
               ? LB_OK
               : lb_error_set(error, LB_UNSUPPORTED, 0,
                              "a joint that slides without limits or floats reaches everywhere; "
                              "give it limits, or fix the root");
}
