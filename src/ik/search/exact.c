/*
 * exact.c - solutions in closed form in place of a search, where the arm has one.
 *
 * The kernel gives all branches; each is put on the turns nearest to the start, and the nearest one
 * that the verifier confirms is the result. So "nearest" is exact, and where there is no branch at
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
    const closed_finder_options options = {.width = o->width};
    int joint;
    bool chosen = o->protocol != LB_PROTOCOL_GIVEN && o->iterations == 0 && !o->gains &&
                  o->damping == 0 && o->step_limit == 0;
    return chosen && ik->task_count == 1 && ik->method == lb_method_at(0) &&
           !closed_finder_make(ik->model, &ik->reduction, &ik->tasks[0], ik->neutral, &options,
                               &ik->finder, &joint) &&
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
    ik_verifier_errors(&ik->verifier, ik->trial, s->model_targets, &result->position_error,
                       &result->rotation_error);
    if (!(result->position_error <= ik->options.position_tolerance &&
          result->rotation_error <= ik->options.rotation_tolerance))
        return false;
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    return true;
}

/* a model's configuration in the chain's joints */
static void gather(const lb_ik *ik, const double *q, double *values)
{
    for (int i = 0; i < ik->finder.chain.count; i++)
        values[i] = q[ik->finder.chain.joints[i].q];
}

/* what the kernel found, as candidates; where any will do up to the first inside the limits */
static int make_candidates(const lb_ik *ik, const kernel_solutions *found, const double *from,
                           bool first, candidate *candidates, double *gap)
{
    double branches[KERNEL_CLOSED_BRANCHES][CLOSED_ARM_JOINTS];
    int count = closed_branches(&ik->finder, found, from, branches, gap);
    for (int i = 0; i < count; i++) {
        closed_choose(&ik->finder.chain, branches[i], from, &candidates[i].choice);
        candidates[i].tried = false;
        if (first && candidates[i].choice.worst < 0)
            return i + 1;
    }
    return count;
}

/* the kernel's branches for a target, as candidates from a start (model's q) */
static int find_candidates(lb_ik *ik, const lb_transform *target, const double *start, bool first,
                           candidate *candidates, double *gap)
{
    double from[CLOSED_ARM_JOINTS], hints[KERNEL_CLOSED_JOINTS];
    kernel_solutions found;
    gather(ik, start, from);
    closed_hints(&ik->finder, from, hints);
    ik->ops->closed_one(&ik->finder.form, target, hints, &found);
    return make_candidates(ik, &found, from, first, candidates, gap);
}

/* a solution this near to the start may be the start itself, which is then the result */
#define AT_START 1e-4

/* the values to confirm: a candidate's, or the start's where they are as good */
static bool confirm_start(lb_ik *ik, const ik_search *s, const closed_choice *choice, double *q,
                          lb_ik_result *result)
{
    double from[CLOSED_ARM_JOINTS];
    if (choice->square > AT_START * AT_START)
        return false;
    gather(ik, s->model_start, from);
    return confirm(ik, s, from, q, result);
}

/* whether a closed form applies to a search */
static bool is_exact(const lb_ik *ik, const ik_search *s)
{
    return ik->exact && !(s->beyond_reach > 0) &&
           closed_chain_fits(&ik->finder.chain, s->model_start);
}

/* no branch was found: only a search for the closest configuration remains */
static void note_gap(lb_ik *ik, ik_search *s, double gap)
{
    double position = ik->options.position_tolerance / ik->finder.size;
    double least = CLEAR_MISS * scalar_max(position, ik->options.rotation_tolerance);
    if (gap > least)
        ik_search_expect_none(ik, s);
}

/* the nearest candidate that is confirmed or, where any will do, the first */
static bool find_result(lb_ik *ik, ik_search *s, bool first, double *q, lb_ik_result *result)
{
    candidate candidates[KERNEL_CLOSED_BRANCHES];
    double gap;
    bool nearest = ik->options.protocol == LB_PROTOCOL_NEAREST;
    int count = find_candidates(ik, s->model_targets, s->model_start, first, candidates, &gap);
    for (candidate *c = next_candidate(candidates, count, nearest); c;
         c = next_candidate(candidates, count, nearest)) {
        if ((nearest && confirm_start(ik, s, &c->choice, q, result)) ||
            confirm(ik, s, c->choice.q, q, result))
            return true;
        c->tried = true;
    }
    if (count == 0)
        note_gap(ik, s, gap);
    return false;
}

bool ik_exact_run(lb_ik *ik, ik_search *s, double *q, lb_ik_result *result)
{
    if (!is_exact(ik, s))
        return false;
    bool any = ik->options.protocol != LB_PROTOCOL_NEAREST;
    // the first branch inside the limits is the result but for rounding
    return (any && find_result(ik, s, true, q, result)) ||
           (!s->proved && find_result(ik, s, false, q, result));
}

/* ---- several at once ---------------------------------------------------------- */

/* Searches for which the closed form is evaluated, and its solutions. */
typedef struct group {
    int count;
    int place[KERNEL_MAX_WIDTH]; /* among those that were given */
    ik_search *searches[KERNEL_MAX_WIDTH];
    double from[KERNEL_MAX_WIDTH][CLOSED_ARM_JOINTS];
    kernel_solutions found[KERNEL_MAX_WIDTH];
} group;

/* all branches of the group's targets, a target in each lane */
static void find_group(lb_ik *ik, group *g)
{
    double hints[KERNEL_MAX_WIDTH][KERNEL_CLOSED_JOINTS];
    const double *rows[KERNEL_MAX_WIDTH];
    const lb_transform *targets[KERNEL_MAX_WIDTH];
    kernel_solutions *found[KERNEL_MAX_WIDTH];
    for (int i = 0; i < g->count; i++) {
        gather(ik, g->searches[i]->model_start, g->from[i]);
        closed_hints(&ik->finder, g->from[i], hints[i]);
        rows[i] = hints[i];
        targets[i] = g->searches[i]->model_targets;
        found[i] = &g->found[i];
    }
    ik->ops->closed(&ik->finder.form, targets, rows, g->count, found);
}

/* the first choice of a search; false: there is none, or the start itself may be the result */
static bool choose(lb_ik *ik, const group *g, int i, closed_choice *choice)
{
    candidate candidates[KERNEL_CLOSED_BRANCHES];
    bool nearest = ik->options.protocol == LB_PROTOCOL_NEAREST;
    double gap;
    int count = make_candidates(ik, &g->found[i], g->from[i], !nearest, candidates, &gap);
    const candidate *best = next_candidate(candidates, count, nearest);
    if (!best || (nearest && best->choice.square <= AT_START * AT_START))
        return false;
    *choice = best->choice;
    return true;
}

unsigned ik_exact_run_some(lb_ik *ik, ik_search *const *searches, int count, double *const *q,
                           lb_ik_result *const *results)
{
    group g = {.count = 0};
    double *rows[KERNEL_MAX_WIDTH], position[KERNEL_MAX_WIDTH], rotation[KERNEL_MAX_WIDTH];
    const lb_transform *targets[KERNEL_MAX_WIDTH];
    int chosen[KERNEL_MAX_WIDTH], choices = 0;
    unsigned solved = 0, exact = 0;
    for (int i = 0; i < count; i++)
        if (is_exact(ik, searches[i])) {
            g.place[g.count] = i;
            g.searches[g.count++] = searches[i];
            exact |= 1u << i;
        }
    if (g.count == 0)
        return 0;
    find_group(ik, &g);
    for (int i = 0; i < g.count; i++) {
        closed_choice choice;
        if (!choose(ik, &g, i, &choice))
            continue;
        double *row = q[g.place[i]];
        memmove(row, g.searches[i]->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
        for (int k = 0; k < ik->finder.chain.count; k++)
            row[ik->finder.chain.joints[k].q] = choice.q[k];
        rows[choices] = row;
        targets[choices] = g.searches[i]->model_targets;
        chosen[choices++] = g.place[i];
    }
    if (choices > 0)
        ik->ops->verify(&ik->verifier.kernel, (const double *const *)rows, targets, choices,
                        ik->verifier_scratch, position, rotation);
    for (int i = 0; i < choices; i++) {
        if (!(position[i] <= ik->options.position_tolerance &&
              rotation[i] <= ik->options.rotation_tolerance))
            continue;
        *results[chosen[i]] = (lb_ik_result){.outcome = LB_REACHED,
                                             .tries = 1,
                                             .position_error = position[i],
                                             .rotation_error = rotation[i]};
        solved |= 1u << chosen[i];
    }
    // the others are solved one by one: other branches, the start itself, a proof
    for (int i = 0; i < count; i++)
        if (exact >> i & ~solved >> i & 1 && ik_exact_run(ik, searches[i], q[i], results[i]))
            solved |= 1u << i;
    return solved;
}

/* ---- why there is none ---------------------------------------------------------- */

bool ik_exact_limit(lb_ik *ik, const lb_transform *target, const double *q, ik_exact_limits *limits)
{
    candidate candidates[KERNEL_CLOSED_BRANCHES];
    double gap;
    if (!ik->exact || !closed_chain_fits(&ik->finder.chain, q))
        return false;
    int count = find_candidates(ik, target, q, false, candidates, &gap), best = -1;
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
