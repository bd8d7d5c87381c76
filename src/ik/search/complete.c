/* complete.c - the complete set of solutions of an arm that has no closed form. */
#include "ik/search/exact.h"

#include "ik/closed/newton.h"
#include "ik/iteration.h"
#include "math/scalar.h"

#include <string.h>

/* what is found of all solutions; false: the arm has another class */
static bool list(const lb_ik *ik, const lb_transform *target, const double *q, closed_set *set)
{
    const closed_chain *chain = &ik->finder.chain;
    double start[CLOSED_ARM_JOINTS];
    if (!ik->complete || !closed_chain_fits(chain, q))
        return false;
    for (int i = 0; i < chain->count; i++)
        start[i] = q[chain->joints[i].q];
    closed_find(&ik->finder, ik->ops, target, start, NULL, set);
    return true;
}

bool ik_complete_list(const lb_ik *ik, const lb_transform *target, const double *q, closed_set *set)
{
    return list(ik, target, q, set) && set->expected;
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
static bool confirm(lb_ik *ik, const ik_search_problem *problem, const closed_choice *choice,
                    ik_complete_result *result)
{
    const closed_chain *chain = &ik->finder.chain;
    memcpy(ik->trial, problem->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        ik->trial[joint->q] = scalar_clamp(choice->q[i], joint->lower, joint->upper);
    }
    ik_measure(ik, problem, &result->solution);
    return ik_is_reached(ik, &result->solution);
}

/* beyond limits by this, radians or metres, no solution is brought inside by what tolerances leave
   open beside singular configurations */
#define CLEARLY_OUTSIDE 1e-2

/* whether a set is clearly all there is, and all of it is far from the limits */
static bool is_outside(const closed_set *set)
{
    bool outside = set->clear;
    for (int i = 0; i < set->count; i++) {
        const closed_solution *s = &set->solutions[i];
        outside =
            outside && s->choice.beyond > CLEARLY_OUTSIDE && s->multiplicity == 1 && s->open == 0;
    }
    return outside;
}

ik_complete_result ik_complete_find(lb_ik *ik, const ik_search_problem *problem,
                                    general_effort effort)
{
    ik_complete_result result = {.solution = {.outcome = LB_REACHED, .tries = 1}};
    closed_set set;
    unsigned tried = 0;
    ik->finder.general.effort = effort;
    if (!list(ik, problem->model_targets, problem->model_start, &set))
        return result;
    for (int i = nearest_untried(&set, 0); i >= 0 && !result.found;
         i = nearest_untried(&set, tried)) {
        result.found = confirm(ik, problem, &set.solutions[i].choice, &result);
        tried |= 1u << i;
    }
    result.all = set.expected;
    result.outside = is_outside(&set);
    if (!result.found && tried == 0)
        result.proof = set.proof;
    return result;
}

/* ---- from near by ------------------------------------------------------------ */

/* an error at the start, in radians and arm's lengths, above which no solution is near enough */
#define NEAR_ERROR 0.02
/* Newton's method has to end as near as this: then the solution is known to a millionth of a radian
 */
#define NEAR_SOLVED 1e-9
/* iterations from so near: each squares the error */
enum { NEAR_ITERATIONS = 4 };

/* the errors of ik->trial: position as a share of the arm, and rotation */
static double measure(lb_ik *ik, const ik_search_problem *problem, ik_complete_result *result)
{
    ik_measure(ik, problem, &result->solution);
    return result->solution.position_error / ik->finder.size + result->solution.rotation_error;
}

/* Whether the solution in ik->trial is nearer to the start than every other one: the start is
   nearer to it than half of what separates solutions. */
static bool is_nearest(const lb_ik *ik, const ik_search_problem *problem)
{
    const closed_chain *chain = &ik->finder.chain;
    double square = 0, q[CLOSED_ARM_JOINTS];
    for (int i = 0; i < chain->count; i++) {
        int k = chain->joints[i].q;
        square +=
            (ik->trial[k] - problem->model_start[k]) * (ik->trial[k] - problem->model_start[k]);
        q[chain->joints[i].place] = ik->trial[k];
    }
    return 2 * sqrt(square) < closed_apart(&chain->arm, q, ik->finder.size);
}

ik_complete_result ik_complete_near(lb_ik *ik, ik_search *s)
{
    ik_complete_result result = {.all = true, .solution = {.outcome = LB_REACHED, .tries = 1}};
    const ik_iteration *it = &ik->iteration;
    size_t nq = (size_t)ik->model->tree.nq, local = (size_t)it->problem.tree.nq;
    double share = KERNEL_DAMPING_SHARE;
    memcpy(ik->trial, s->problem.model_start, sizeof(double) * nq);
    // the arm's own joints alone, each of them a turn
    if (!ik->complete || ik->finder.chain.real != 6 || ik->finder.chain.count != 6 ||
        !(measure(ik, &s->problem, &result) < NEAR_ERROR))
        return result;
    memcpy(s->tries.escape_start, s->problem.start, sizeof(double) * local);
    for (int i = 0; i < NEAR_ITERATIONS; i++)
        (void)ik->single->iterate(&it->problem, &ik->control, s->problem.targets,
                                  s->tries.escape_start, &share, it->scratch);
    ik_scatter(&ik->reduction, s->tries.escape_start, ik->trial);
    result.found = measure(ik, &s->problem, &result) < NEAR_SOLVED &&
                   ik_is_reached(ik, &result.solution) && is_nearest(ik, &s->problem);
    return result;
}
