/*
 * spare.c - which joint of a redundant arm may be locked so that the others can be listed.
 *
 * Each is tried: a view of the model without it either has a finder or has none.
 */
#include "ik/closed/spare.h"

#include "base/memory.h"
#include "ik/closed/finder.h"
#include "ik/reduce.h"

#include <limber/joint_setting.h>

/* whether a model's arm has a finder where it is at rest; `q` has room for a configuration */
static bool has_finder(const lb_model *model, const lb_task *task, int width, double *q,
                       closed_finder *finder, const lb_allocator *allocator)
{
    const closed_finder_options options = {.general = true, .width = width};
    ik_reduction reduction;
    int joint;
    if (ik_reduce(model, task, 1, 0, allocator, &reduction, NULL) != LB_OK)
        return false;
    lb_configuration_neutral(model, q);
    bool found = closed_finder_make(model, &reduction, task, q, &options, finder, &joint) == NULL;
    memory_release(allocator, reduction.memory);
    return found;
}

/* whether the others can be listed where a joint is locked */
static bool is_spare(const lb_model *model, int joint, const lb_task *task, int width, double *q,
                     closed_finder *finder, const lb_allocator *allocator)
{
    lb_joint_setting locked = lb_joint_setting_make(joint);
    lb_model *view = NULL;
    locked.locked = true;
    bool found = lb_model_view(model, &locked, 1, allocator, &view, NULL) == LB_OK &&
                 has_finder(view, task, width, q, finder, allocator);
    lb_model_release(view);
    return found;
}

/* whether a joint has one value of its own that is free to move, between the tip and its base */
static bool is_candidate(const lb_model *model, int joint, const lb_task *task)
{
    const lb_joint *j = lb_model_joint(model, joint);
    int link = task->tip;
    while (link > joint + 1)
        link = lb_model_parent(model, link);
    return link == joint + 1 && j->mimic == NULL && !j->locked && lb_joint_kind_nv(j->kind) == 1;
}

int closed_find_spare(const lb_model *model, const lb_task *task, int width,
                      const lb_allocator *allocator)
{
    int found = -1;
    double *q = memory_take(allocator, (size_t)lb_model_nq(model), sizeof *q);
    closed_finder *finder = memory_take(allocator, 1, sizeof *finder);
    for (int j = 0; j < lb_model_joint_count(model) && q != NULL && finder != NULL; j++)
        if (found < 0 && is_candidate(model, j, task) &&
            is_spare(model, j, task, width, q, finder, allocator))
            found = j;
    memory_release(allocator, finder);
    memory_release(allocator, q);
    return found;
}
