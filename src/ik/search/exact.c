/*
 * exact.c - solutions in closed form in place of a search, where the arm has one.
 *
 * The kernel gives all branches; each is put on the turns nearest to the start, and the nearest one
 * that the verifier confirms is the answer. So "nearest" is exact, and where there is no branch at
 * all it is proved that nothing reaches the target.
 */
#include "ik/search/exact.h"

#include "ik/closed/choice.h"
#include "math/scalar.h"

#include <string.h>

/*
 * A target that all branches miss by this many times the tolerances, as a share of the arm, is
 * missed by every configuration near it too: a discriminant changes by a few times what the target
 * does, divided by the shortest link, and that is rarely under a hundredth of the arm.
 */
#define CLEAR_MISS 1e3

bool ik_exact_create(lb_ik *ik)
{
    const lb_ik_options *o = &ik->options;
    int joint;
    bool chosen = o->protocol != LB_PROTOCOL_GIVEN && o->iterations == 0 && !o->gains &&
                  o->damping == 0 && o->step_limit == 0;
    return chosen && ik->task_count == 1 && ik->method == lb_method_at(0) &&
           !closed_finder_make(ik->model, &ik->reduction, &ik->tasks[0], ik->neutral, &ik->finder,
                               &joint) &&
           closed_has_form(&ik->finder);
}

/* A branch on its turns. */
typedef struct candidate {
    closed_choice choice;
    bool tried;
} candidate;

/* the candidate that is next: inside the limits, and the nearest or the first; NULL: none is left
 */
static candidate *next_candidate(candidate *candidates, int count, bool nearest)
{
    candidate *best = NULL;
    for (int i = 0; i < count; i++) {
        candidate *c = &candidates[i];
        if (c->tried || c->choice.worst >= 0)
            continue;
        if (!best || (nearest && c->choice.square < best->choice.square))
            best = c;
    }
    return best;
}

/* the model's configuration with a candidate's values, confirmed by the model's own frames */
static bool confirm(lb_ik *ik, const ik_search *s, const double *values, double *q,
                    lb_ik_result *result)
{
    const closed_chain *chain = &ik->finder.chain;
    memcpy(ik->trial, s->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    for (int i = 0; i < chain->count; i++)
        ik->trial[chain->joints[i].q] = values[i];
    *result = (lb_ik_result){.outcome = LB_REACHED, .tries = 1};
    ik_verifier_errors(&ik->judge, ik->trial, s->given, &result->position_error,
                       &result->rotation_error);
    if (!(result->position_error <= ik->options.position_tolerance &&
          result->rotation_error <= ik->options.rotation_tolerance))
        return false;
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    return true;
}

/* the kernel's branches for a target, as candidates from a start (model's q) */
static int find_candidates(lb_ik *ik, const lb_transform *target, const double *start,
                           candidate *candidates, double *gap)
{
    const closed_finder *f = &ik->finder;
    double from[CLOSED_ARM_JOINTS], hints[KERNEL_CLOSED_JOINTS];
    double branches[KERNEL_CLOSED_BRANCHES][CLOSED_ARM_JOINTS];
    kernel_solutions found;
    for (int i = 0; i < f->chain.count; i++)
        from[i] = start[f->chain.joints[i].q];
    closed_hints(f, from, hints);
    ik->ops->closed_one(&f->form, target, hints, &found);
    int count = closed_branches(f, &found, from, branches, gap);
    for (int i = 0; i < count; i++) {
        closed_choose(&f->chain, branches[i], from, &candidates[i].choice);
        candidates[i].tried = false;
    }
    return count;
}

/* a solution this near to the start may be the start itself, which then is the answer as it is */
#define AT_START 1e-4

/* the values to confirm: a candidate's, or the start's where they are as good */
static bool confirm_start(lb_ik *ik, const ik_search *s, const closed_choice *choice, double *q,
                          lb_ik_result *result)
{
    double from[CLOSED_ARM_JOINTS];
    if (choice->square > AT_START * AT_START)
        return false;
    for (int i = 0; i < ik->finder.chain.count; i++)
        from[i] = s->model_start[ik->finder.chain.joints[i].q];
    return confirm(ik, s, from, q, result);
}

bool ik_exact_run(lb_ik *ik, ik_search *s, double *q, lb_ik_result *result)
{
    candidate candidates[KERNEL_CLOSED_BRANCHES];
    double gap;
    s->proved = false;
    if (!ik->exact || s->beyond > 0 || !closed_chain_fits(&ik->finder.chain, s->model_start))
        return false;
    bool nearest = ik->options.protocol == LB_PROTOCOL_NEAREST;
    int count = find_candidates(ik, s->given, s->model_start, candidates, &gap);
    for (candidate *c = next_candidate(candidates, count, nearest); c;
         c = next_candidate(candidates, count, nearest)) {
        if ((nearest && confirm_start(ik, s, &c->choice, q, result)) ||
            confirm(ik, s, c->choice.q, q, result))
            return true;
        c->tried = true;
    }
    double position = ik->options.position_tolerance / ik->finder.size;
    s->proved =
        count == 0 && gap > CLEAR_MISS * scalar_max(position, ik->options.rotation_tolerance);
    return false;
}

bool ik_exact_limit(lb_ik *ik, const lb_transform *target, const double *q, ik_exact_limits *limits)
{
    candidate candidates[KERNEL_CLOSED_BRANCHES];
    double gap;
    if (!ik->exact || !closed_chain_fits(&ik->finder.chain, q))
        return false;
    int count = find_candidates(ik, target, q, candidates, &gap), best = -1;
    for (int i = 0; i < count; i++) {
        const closed_choice *c = &candidates[i].choice;
        if (c->worst < 0)
            return false;
        if (best < 0 || c->beyond < candidates[best].choice.beyond)
            best = i;
    }
    if (best < 0)
        return false;
    const closed_choice *least = &candidates[best].choice;
    const closed_joint *joint = &ik->finder.chain.joints[least->worst];
    *limits = (ik_exact_limits){count, joint->joint, least->beyond, joint->is_length};
    return true;
}
