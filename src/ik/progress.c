/*
 * progress.c - one iteration at a time, for callers that spread them over frames.
 *
 * The contract is that of the article on cyclic coordinate descent in 2D, for every
 * method: success, still at it, or nothing moved enough to matter.
 */
#include "ik/solver.h"

#include <string.h>

/* a step that moves no tool by this share of the position tolerance gets nowhere */
#define TRIVIAL_SHARE 0.1

static bool arrived(lb_ik *ik, const lb_transform *targets, const double *q, lb_ik_result *result)
{
    ik_judge_errors(&ik->judge, q, targets, &result->position_error, &result->rotation_error);
    bool near = result->position_error <= ik->options.position_tolerance &&
                result->rotation_error <= ik->options.rotation_tolerance;
    result->outcome = near ? LB_REACHED : LB_EXHAUSTED;
    return near;
}

lb_progress ik_progress(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result)
{
    ik_search *search = &ik->searches[0];
    memcpy(q, search->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    result->tries = 1;
    if (arrived(ik, targets, q, result))
        return LB_SUCCESS;
    double arc = kernel_iterate(&ik->reduction.problem, &ik->control, search->targets,
                                search->start, ik->scratch);
    ik_scatter(ik, search->start, q);
    result->iterations = 1;
    if (arrived(ik, targets, q, result))
        return LB_SUCCESS;
    if (arc > TRIVIAL_SHARE * ik->options.position_tolerance)
        return LB_PROCESSING;
    result->outcome = LB_STALLED;
    return LB_FAILURE;
}
