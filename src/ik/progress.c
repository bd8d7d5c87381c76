/*
 * progress.c - one iteration at a time, for callers that spread them over frames.
 *
 * The contract is that of Juckett 2009 for cyclic coordinate descent in 2D, here for every method:
 * success, still processing, or nothing moved enough to matter.
 */

#include "ik/descent.h"
#include "ik/search/exact.h"
#include "ik/search/search.h"
#include "ik/solver.h"

#include <string.h>

/* sets the errors, and the outcome that follows from them */
static bool is_reached(lb_ik *ik, const lb_transform *targets, const double *q,
                       lb_ik_result *result)
{
    ik_verifier_errors(&ik->verifier, q, targets, &result->position_error, &result->rotation_error);
    bool near = ik_is_reached(ik, result);
    result->outcome = near ? LB_REACHED : LB_EXHAUSTED;
    return near;
}

bool ik_progress_solves(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result)
{
    *result = (lb_ik_result){.outcome = LB_INVALID};
    const ik_search *search = &ik->searches[0];
    if (!ik_search_begin(ik, &ik->searches[0], targets, q) ||
        !is_reached(ik, targets, search->problem.model_start, result))
        return false;
    result->tries = 1;
    memcpy(q, search->problem.model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    return true;
}

/* where the pose is solved: on towards the desired values, if gains are set and q changes there */
static lb_progress improve_posture(lb_ik *ik, const lb_transform *targets, double *q,
                                   lb_ik_result *result)
{
    ik_iteration *it = &ik->iteration;
    if (!ik_posture_wanted(it))
        return LB_SUCCESS;
    result->iterations = 1;
    if (!ik_posture_step(it, false))
        return LB_SUCCESS;
    // what the verifier refuses because of rounding is not taken
    ik_scatter(&ik->reduction, it->next, q);
    if (is_reached(ik, targets, q, result))
        return LB_PROCESSING;
    ik_scatter(&ik->reduction, it->q, q);
    is_reached(ik, targets, q, result);
    return LB_SUCCESS;
}

/* one iteration from the first search's start */
static lb_progress iterate(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result)
{
    ik_iteration *it = &ik->iteration;
    const ik_search *search = &ik->searches[0];
    memcpy(q, search->problem.model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    result->tries = 1;
    memcpy(it->q, search->problem.start, sizeof(double) * (size_t)it->problem.tree.nq);
    it->targets = search->problem.targets;
    if (is_reached(ik, targets, q, result))
        return improve_posture(ik, targets, q, result);

    // the step, and its errors
    it->proved_unreachable = search->problem.beyond_reach > 0;
    it->count = 0;
    it->control_term = it->gains != NULL;
    ik_iteration_prepare(it);
    // gains can drive joints away without end: steps out of the supported range are refused
    bool moved = ik_descent_step(it, &result->reason);
    it->control_term = false;
    if (moved && !ik_search_in_range(ik, it->next)) {
        moved = false;
        result->reason = LB_REASON_LIMITS;
    }
    if (moved)
        ik_scatter(&ik->reduction, it->next, q);
    result->iterations = 1;
    // the posture is left to the next steps
    if (is_reached(ik, targets, q, result))
        return ik_posture_wanted(it) ? LB_PROCESSING : LB_SUCCESS;
    if (moved)
        return LB_PROCESSING;
    if (search->found.proof != LB_REASON_NONE)
        result->reason = search->found.proof;
    else if (result->reason == LB_REASON_NONE)
        result->reason = ik_stuck_reason(it);
    result->outcome = LB_STALLED;
    return LB_FAILURE;
}

lb_progress ik_tree_step(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result)
{
    lb_ik_result unwanted;
    if (!result)
        result = &unwanted;
    *result = (lb_ik_result){.outcome = LB_INVALID};
    if (!ik_search_begin(ik, &ik->searches[0], targets, q)) {
        ik_result_refuse(ik, q, q, result);
        return LB_FAILURE;
    }
    return iterate(ik, targets, q, result);
}
