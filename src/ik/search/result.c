/*
 * result.c - the result of a search: the nearest solution that the verifier confirms, or the
 * closest configuration found and why there is none closer.
 */
#include "ik/search/search.h"

#include "ik/descent.h"
#include "ik/search/exact.h"
#include "ik/solver.h"
#include "model/limits.h"

#include <limits.h>
#include <string.h>

/* the local minimum of the start is preferred up to this multiple of the least error */
#define LOCAL_MARGIN 1.1
/* radians or metres; 2^-53 of it is a tenth of a micrometre */
#define FARTHEST 1e9

/* ---- verifying ------------------------------------------------------------ */

/* without limits a descent can go so far that a double no longer resolves a micrometre there */
static bool diverged(const lb_ik *ik, const double *local)
{
    bool near = true;
    for (int i = 0; i < ik->reduction.problem.tree.nq; i++)
        near &= fabs(local[i]) <= FARTHEST;
    return !near;
}

/* errors of a local configuration on the model's own tree; the model's q in ik->trial */
static void verify(lb_ik *ik, const ik_search_problem *problem, const double *local,
                   lb_ik_result *result)
{
    memcpy(ik->trial, problem->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    ik_scatter(&ik->reduction, local, ik->trial);
    if (local != problem->start && diverged(ik, local)) {
        result->position_error = result->rotation_error = INFINITY;
        return;
    }
    ik_verifier_errors(&ik->verifier, ik->trial, problem->model_targets, &result->position_error,
                       &result->rotation_error);
}

static bool keeps_limits(const lb_ik *ik, const double *q)
{
    return limits_kept(ik->model, ik->single, &q, 1, LIMITS_ROUNDING) != 0;
}

/* the iterations of the first tries and of what followed them */
static int count_iterations(const ik_search_tries *tries, int up_to)
{
    int count = tries->extra_iterations;
    for (int i = 0; i < up_to; i++)
        count += tries->iterations[i];
    return count;
}

/* ---- solutions ------------------------------------------------------------ */

/* the nearest of the solutions that compete, NULL when none is left */
static ik_candidate *nearest(ik_search *s)
{
    ik_candidate *best = NULL;
    for (int k = 0; s->found.solutions >> k != 0; k++) {
        ik_candidate *c = &s->found.candidates[k];
        if ((s->found.solutions >> k & 1) == 0 || c->attempt >= s->tries.end)
            continue;
        if (!best || c->distance < best->distance ||
            (c->distance == best->distance && c->attempt < best->attempt))
            best = c;
    }
    return best;
}

/* the tries up to a solution; the set that one is given from counts as one */
static int count_tries(const ik_candidate *c)
{
    return c->attempt == IK_GIVEN ? 1 : c->attempt + 1;
}

/* writes the nearest solutions of searches up to the first that has none; returns how many */
static int propose(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches, double *const *q,
                   int count)
{
    ik_candidate *bests[KERNEL_MAX_WIDTH];
    double *locals[KERNEL_MAX_WIDTH];
    const double *starts[KERNEL_MAX_WIDTH];
    int solved = 0, wound = 0;
    for (; solved < count && (bests[solved] = nearest(searches[solved])) != NULL; solved++) {
        if (bests[solved]->unwound)
            continue;
        locals[wound] = bests[solved]->local;
        starts[wound++] = searches[solved]->problem.start;
        bests[solved]->unwound = true;
    }
    if (wound > 0)
        ops->unwind(&ik->reduction.problem, starts, locals, wound);
    for (int i = 0; i < solved; i++) {
        memmove(q[i], searches[i]->problem.model_start,
                sizeof(double) * (size_t)ik->model->tree.nq);
        ik_scatter(&ik->reduction, bests[i]->local, q[i]);
    }
    return solved;
}

/* fills the result of a proposed solution whose errors are verified; false when it is refused */
static bool confirm(const lb_ik *ik, ik_search *s, double position, double rotation,
                    lb_ik_result *result)
{
    const ik_candidate *best = nearest(s);
    int tries = count_tries(best);
    *result = (lb_ik_result){.outcome = LB_REACHED,
                             .iterations = count_iterations(&s->tries, tries),
                             .tries = tries,
                             .position_error = position,
                             .rotation_error = rotation};
    return ik_is_reached(ik, result) && !diverged(ik, best->local);
}

/* the nearest solution that the verifier confirms, in ik->trial */
static bool choose(lb_ik *ik, ik_search *s, lb_ik_result *result)
{
    for (ik_candidate *best = nearest(s); best; best = nearest(s)) {
        if (!best->unwound)
            ik_distance_unwind(ik, &s->problem, best->local);
        best->unwound = true;
        verify(ik, &s->problem, best->local, result);
        result->tries = count_tries(best);
        bool kept = keeps_limits(ik, ik->trial);
        if (kept && ik_is_reached(ik, result))
            return true;
        // refused because of rounding, it is still closer than what never converged
        if (kept && s->found.least_error > 0) {
            s->found.least_error = 0;
            s->found.closest = memcpy(s->found.closest_q, best->local,
                                      sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
        }
        s->found.solutions &= ~(1u << (best - s->found.candidates));
    }
    return false;
}

/* ---- no solution ---------------------------------------------------------- */

/* why nothing is closer than the configuration in ik->trial */
static lb_reason find_reason(lb_ik *ik, const ik_search *s)
{
    if (s->found.proof != LB_REASON_NONE)
        return s->found.proof;
    if (s->found.still_decreasing)
        return LB_REASON_BUDGET;
    if (ik->no_reasons)
        return LB_REASON_NONE;
    ik_gather(&ik->reduction, ik->trial, ik->iteration.q);
    ik->iteration.targets = s->problem.targets;
    lb_reason reason = ik_stuck_reason(&ik->iteration);
    // that steps led no further is said of a single descent that ended by itself
    bool spent =
        s->tries.level_size > 1 ||
        (ik->options.iterations > 0 && count_iterations(&s->tries, 1) >= ik->options.iterations);
    return reason == LB_REASON_STEPS && spent ? LB_REASON_BUDGET : reason;
}

/* the tries that count; which others were running when the window closed depends on the width */
static int tries_made(const ik_search_tries *tries)
{
    return tries->next < tries->end ? tries->next : tries->end;
}

/* where a monotone descent from the start ends, with what is left of a budget */
static void descend_from_start(lb_ik *ik, ik_search *s, double *local)
{
    const ik_iteration *it = &ik->iteration;
    int left = IK_LONG_BUDGET * ik->method->iterations;
    if (ik->options.iterations > 0) {
        left = ik->options.iterations;
        for (int i = 0; i < tries_made(&s->tries); i++)
            left -= s->tries.iterations[i];
    }
    memcpy(local, s->problem.start, sizeof(double) * (size_t)it->problem.tree.nq);
    double decrease = 1, share = KERNEL_DAMPING_SHARE;
    while (s->tries.extra_iterations < left && decrease > IK_MIN_DECREASE_LAST) {
        decrease = ik->single->iterate(&it->problem, &ik->control, s->problem.targets, local,
                                       &share, it->scratch);
        s->tries.extra_iterations += decrease > 0;
    }
}

/*
 * The closest configuration found. Where the nearest is wanted that is the local minimum of the
 * start, unless another is closer by a clear margin: so a target that leaves the reach is followed
 * without jumps. Never farther than the start.
 */
static const double *choose_closest(lb_ik *ik, ik_search *s)
{
    lb_ik_result at;
    verify(ik, &s->problem, s->problem.start, &at);
    double before = ik_total_error(ik, &at);
    memmove(s->found.closest_q, s->found.closest,
            sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    ik_distance_unwind(ik, &s->problem, s->found.closest_q);
    verify(ik, &s->problem, s->found.closest_q, &at);
    double least = ik_total_error(ik, &at);
    if (ik->options.protocol == LB_PROTOCOL_NEAREST && ik_iteration_by_kernel(&ik->iteration)) {
        descend_from_start(ik, s, s->found.level_closest_q);
        verify(ik, &s->problem, s->found.level_closest_q, &at);
        double local = ik_total_error(ik, &at);
        if (local < before && local <= LOCAL_MARGIN * least)
            return s->found.level_closest_q;
    }
    return least < before ? s->found.closest_q : s->problem.start;
}

/* the closest configuration in ik->trial, and its result */
static void settle(lb_ik *ik, ik_search *s, lb_ik_result *result)
{
    s->found.refused = s->tries.end < INT_MAX;
    ik_search_end_level(ik, s);
    const double *closest = choose_closest(ik, s);
    verify(ik, &s->problem, closest, result);
    result->tries = tries_made(&s->tries);
    // the descent from the start may have converged after all
    if (ik_is_reached(ik, result) && keeps_limits(ik, ik->trial))
        return;
    if (ik_held_search(ik, s, result))
        return;
    verify(ik, &s->problem, closest, result);
    result->beyond_reach = s->problem.beyond_reach;
    result->reason = find_reason(ik, s);
    if (result->reason == LB_REASON_BUDGET)
        memcpy(ik->exhausted, s->problem.model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    result->outcome = s->found.proof != LB_REASON_NONE     ? LB_UNREACHABLE
                      : result->reason == LB_REASON_BUDGET ? LB_EXHAUSTED
                                                           : LB_STALLED;
}

/* ---- results -------------------------------------------------------------- */

static bool write_one(lb_ik *ik, ik_search *s, double *q, lb_ik_result *result)
{
    *result = (lb_ik_result){.outcome = LB_REACHED};
    if (!choose(ik, s, result))
        settle(ik, s, result);
    result->iterations = count_iterations(&s->tries, result->tries);
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    return result->outcome == LB_REACHED;
}

/* verifies proposed solutions together; those that are refused get what else there is */
static int write_solved(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                        double *const *q, lb_ik_result *const *results, int count)
{
    const lb_transform *targets[KERNEL_MAX_WIDTH];
    double position[KERNEL_MAX_WIDTH], rotation[KERNEL_MAX_WIDTH];
    int reached = 0;
    for (int i = 0; i < count; i++)
        targets[i] = searches[i]->problem.model_targets;
    ops->verify(&ik->verifier.kernel, (const double *const *)q, targets, count,
                ik->verifier_scratch, position, rotation);
    unsigned kept = limits_kept(ik->model, ops, (const double *const *)q, count, LIMITS_ROUNDING);
    for (int i = 0; i < count; i++) {
        bool confirmed =
            (kept >> i & 1) != 0 && confirm(ik, searches[i], position[i], rotation[i], results[i]);
        reached += confirmed || write_one(ik, searches[i], q[i], results[i]);
    }
    return reached;
}

/* whether a local configuration is confirmed as a solution; the model's q in ik->trial */
static bool is_solution(lb_ik *ik, const ik_search_problem *problem, const double *local,
                        lb_ik_result *result)
{
    verify(ik, problem, local, result);
    return ik_is_reached(ik, result) && keeps_limits(ik, ik->trial);
}

/* takes a configuration on its best turns, if it is confirmed as a solution */
static bool keep_posture(lb_ik *ik, const ik_search_problem *problem, double *local, double *q,
                         lb_ik_result *result)
{
    ik_iteration *it = &ik->iteration;
    lb_ik_result moved = *result;
    if (!ik->gradual_posture)
        ik_posture_unwind(it, problem->start, local);
    if (!is_solution(ik, problem, local, &moved))
        return false;
    *result = moved;
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    memmove(it->q, local, sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    return true;
}

/* moves a solution on towards the desired values, with what is left of the budget or by one step */
static void improve_posture(lb_ik *ik, const ik_search_problem *problem, double *q,
                            lb_ik_result *result)
{
    ik_iteration *it = &ik->iteration;
    int budget = ik->options.iterations > 0
                     ? ik->options.iterations
                     : result->iterations + IK_LONG_BUDGET * ik->method->iterations;
    it->targets = problem->targets;
    ik_gather(&ik->reduction, q, it->q);
    bool whole = !ik->gradual_posture;
    const kernel_variable *wide = it->problem.variables;
    if (whole) {
        wide = ik_posture_narrow(it, problem->start);
        keep_posture(ik, problem, it->q, q, result);
    }
    for (bool more = true; more && result->iterations < budget; more = whole) {
        result->iterations++;
        // beside a singular pose a step to the minimum leads too far, and a shorter one by the
        // gains on
        bool moves =
            ik_posture_step(it, whole) || (whole && !it->nearing && ik_posture_step(it, false));
        if (!moves || !keep_posture(ik, problem, it->next, q, result))
            break;
    }
    it->problem.variables = wide;
}

/* moves a solution along the null space towards the start, where it is not surely near */
static void bring_nearer(lb_ik *ik, const ik_search_problem *problem, double *q,
                         lb_ik_result *result)
{
    ik_iteration *it = &ik->iteration;
    double farthest;
    ik_gather(&ik->reduction, q, it->q);
    ik_distance(ik, problem, it->q, &farthest);
    if (farthest < IK_NEAR_START || ik->gradual_posture)
        return;
    memcpy(it->desired, problem->start, sizeof(double) * (size_t)it->problem.tree.nq);
    it->gains = it->metric;
    it->nearing = true;
    improve_posture(ik, problem, q, result);
    it->nearing = false;
    it->gains = NULL;
}

int ik_result_write(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches, double *const *q,
                    lb_ik_result *const *results, int count)
{
    int reached = 0;
    for (int i = 0; i < count;) {
        int solved = propose(ik, ops, searches + i, q + i, count - i);
        if (solved > 0) {
            reached += write_solved(ik, ops, searches + i, q + i, results + i, solved);
            i += solved;
        } else {
            reached += write_one(ik, searches[i], q[i], results[i]);
            i++;
        }
    }
    void (*move)(lb_ik *, const ik_search_problem *, double *, lb_ik_result *) =
        ik_posture_wanted(&ik->iteration) ? improve_posture
        : ik->iteration.metric            ? bring_nearer
                                          : NULL;
    for (int i = 0; i < count && move; i++)
        if (results[i]->outcome == LB_REACHED)
            move(ik, &searches[i]->problem, q[i], results[i]);
    return reached;
}

lb_outcome ik_result_refuse(const lb_ik *ik, const double *start, double *q, lb_ik_result *result)
{
    *result = (lb_ik_result){
        .outcome = LB_INVALID, .position_error = INFINITY, .rotation_error = INFINITY};
    memmove(q, start, sizeof(double) * (size_t)ik->model->tree.nq);
    return LB_INVALID;
}
