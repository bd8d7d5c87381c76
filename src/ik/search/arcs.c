/*
 * arcs.c - the nearest of all arcs of an arm of seven joints, where the first descent from the
 * start has not surely found it.
 */
#include "ik/search/exact.h"

#include "base/memory.h"
#include "ik/closed/motion.h"

#include <string.h>

/* The arm, and the pose that is being looked at. */
struct ik_arcs {
    slice_arm arm;
    motion motion;
};

bool ik_arcs_create(lb_ik *ik)
{
    slice_arm arm;
    if (!ik->redundant && !ik->swivels)
        return true;
    if (ik->options.protocol != LB_PROTOCOL_NEAREST || !slice_recognise(&ik->finder.chain, &arm))
        return true;
    ik->arcs = memory_take(&ik->allocator, 1, sizeof *ik->arcs);
    if (ik->arcs)
        ik->arcs->arm = arm;
    return ik->arcs != NULL;
}

ik_complete_result ik_arcs_find(lb_ik *ik, const ik_search_problem *problem, double bound)
{
    ik_complete_result result = {.solution = {.outcome = LB_REACHED, .tries = 1}};
    const closed_chain *chain = &ik->finder.chain;
    motion *m = &ik->arcs->motion;
    double start[MOTION_JOINTS];
    if (!closed_chain_fits(chain, problem->model_start))
        return result;
    for (int k = 0; k < MOTION_JOINTS; k++)
        start[k] = problem->model_start[chain->joints[k].q];
    const bool nearer =
        motion_nearest(m, &ik->arcs->arm, ik->ops, problem->model_targets, start, bound);
    result.all = !m->cut;
    if (!nearer)
        return result;
    memcpy(ik->trial, problem->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    for (int k = 0; k < MOTION_JOINTS; k++)
        ik->trial[chain->joints[k].q] = m->q[k];
    ik_measure(ik, problem, &result.solution);
    result.found = ik_is_reached(ik, &result.solution);
    result.all = result.all && result.found;
    return result;
}
