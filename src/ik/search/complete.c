/* complete.c - the complete set of solutions of an arm that has no closed form. */
#include "ik/search/complete.h"

#include "math/scalar.h"

#include <string.h>

/* a limit that every solution breaks by this many times the tolerance is broken by whatever is
   within the tolerance, too, unless the arm is nearly singular there */
#define CLEAR_MISS 1e3

bool ik_complete_list(const lb_ik *ik, const lb_transform *target, const double *q, closed_set *set)
{
    const closed_chain *chain = &ik->finder.chain;
    double start[CLOSED_ARM_JOINTS];
    if (!ik->complete || !closed_chain_fits(chain, q))
        return false;
    for (int i = 0; i < chain->count; i++)
        start[i] = q[chain->joints[i].q];
    closed_find(&ik->finder, ik->ops, target, start, set);
    return set->complete;
}

/* the nearest solution inside the limits that has not been tried, -1: none */
static int nearest_untried(const closed_set *set, unsigned tried)
{
    int best = -1;
    for (int i = 0; i < set->count; i++) {
        const closed_choice *c = &set->solutions[i].choice;
        if ((tried >> i & 1) == 0 && c->worst < 0 &&
            (best < 0 || c->square < set->solutions[best].choice.square))
            best = i;
    }
    return best;
}

/* a solution as the model's configuration, in ik->trial; whether it is confirmed */
static bool confirm(lb_ik *ik, const ik_search *s, const closed_choice *choice,
                    ik_complete_result *result)
{
    const closed_chain *chain = &ik->finder.chain;
    memcpy(ik->trial, s->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        ik->trial[joint->q] = scalar_clamp(choice->q[i], joint->lower, joint->upper);
    }
    ik_verifier_errors(&ik->verifier, ik->trial, s->model_targets, &result->position_error,
                       &result->rotation_error);
    return result->position_error <= ik->options.position_tolerance &&
           result->rotation_error <= ik->options.rotation_tolerance;
}

/* what is proved where no solution is inside the limits */
static lb_reason find_proof(const lb_ik *ik, const closed_set *set)
{
    double least = CLEAR_MISS * scalar_max(ik->options.position_tolerance / ik->finder.size,
                                           ik->options.rotation_tolerance);
    if (!set->certified)
        return LB_REASON_NONE;
    for (int i = 0; i < set->count; i++)
        if (!(set->solutions[i].choice.beyond > least) || set->solutions[i].multiplicity > 1)
            return LB_REASON_NONE;
    return set->count > 0 ? LB_REASON_LIMITS : LB_REASON_REACH;
}

ik_complete_result ik_complete_find(lb_ik *ik, const ik_search *s)
{
    ik_complete_result result = {.proof = LB_REASON_NONE};
    closed_set set;
    unsigned tried = 0;
    if (!ik_complete_list(ik, s->model_targets, s->model_start, &set))
        return result;
    for (int i = nearest_untried(&set, 0); i >= 0 && !result.found;
         i = nearest_untried(&set, tried)) {
        result.found = confirm(ik, s, &set.solutions[i].choice, &result);
        tried |= 1u << i;
    }
    if (!result.found && tried == 0)
        result.proof = find_proof(ik, &set);
    return result;
}
