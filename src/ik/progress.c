/*
 * progress.c - one iteration at a time, for callers that spread them over frames.
 *
 * The contract is that of the article on cyclic coordinate descent in 2D, for every
 * method: success, still at it, or nothing moved enough to matter.
 */
#include "ik/solver.h"

#include <string.h>

static bool arrived(lb_ik *ik, const lb_transform *targets, const double *q, lb_ik_result *result)
{
    ik_verifier_errors(&ik->judge, q, targets, &result->position_error, &result->rotation_error);
    bool near = result->position_error <= ik->options.position_tolerance &&
                result->rotation_error <= ik->options.rotation_tolerance;
    result->outcome = near ? LB_REACHED : LB_EXHAUSTED;
    return near;
}

lb_progress ik_progress(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result)
{
    ik_iteration *it = &ik->iteration;
    const ik_search *search = &ik->searches[0];
    memcpy(q, search->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    result->tries = 1;
    if (arrived(ik, targets, q, result))
        return LB_SUCCESS;

    // the step, and where it has led
    memcpy(it->q, search->start, sizeof(double) * (size_t)it->problem.tree.nq);
    it->targets = search->targets;
    it->proved_unreachable = search->beyond > 0;
    it->count = 0;
    ik_iteration_prepare(it);
    // gains can drive joints away for ever: what no longer is a configuration is not taken
    bool moved = ik_iteration_step(it, &result->reason);
    if (moved && !ik_search_in_range(ik, it->next)) {
        moved = false;
        result->reason = LB_REASON_LIMITS;
    }
    if (moved)
        ik_scatter(&ik->reduction, it->next, q);
    result->iterations = 1;
    if (arrived(ik, targets, q, result))
        return LB_SUCCESS;
    if (moved)
        return LB_PROCESSING;
    if (search->beyond > 0)
        result->reason = LB_REASON_REACH;
    else if (result->reason == LB_REASON_NONE)
        result->reason = ik_stuck_reason(it);
    result->outcome = LB_STALLED;
    return LB_FAILURE;
}
