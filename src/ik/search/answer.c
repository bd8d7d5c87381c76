/*
 * answer.c - the answer of a search: the nearest solution that the judge confirms, or the
 * closest configuration there is and why there is nothing closer.
 */
#include "ik/solver.h"
#include "math/scalar.h"
#include "model/limits.h"

#include <string.h>

/* the answer that the start leads to is kept up to this multiple of the least error */
#define LOCAL_MARGIN 1.1
/* radians or metres; 2^-53 of it is a tenth of a micrometre */
#define FARTHEST 1e9

/* ---- judging -------------------------------------------------------------- */

/* a descent without limits can go so far that a double no longer knows a micrometre there */
static bool diverged(const lb_ik *ik, const double *local)
{
    bool near = true;
    for (int i = 0; i < ik->reduction.problem.tree.nq; i++)
        near &= fabs(local[i]) <= FARTHEST;
    return !near;
}

/* errors of a local configuration by the model's own forward kinematics, in ik->trial */
static void judge(lb_ik *ik, const ik_search *s, const double *local, lb_ik_result *result)
{
    memcpy(ik->trial, s->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    ik_scatter(&ik->reduction, local, ik->trial);
    if (local != s->start && diverged(ik, local)) {
        result->position_error = result->rotation_error = INFINITY;
        return;
    }
    ik_verifier_errors(&ik->judge, ik->trial, s->given, &result->position_error,
                       &result->rotation_error);
}

static bool is_near(const lb_ik *ik, const lb_ik_result *result)
{
    return result->position_error <= ik->options.position_tolerance &&
           result->rotation_error <= ik->options.rotation_tolerance;
}

static bool keeps_limits(const lb_ik *ik, const double *q)
{
    return limits_kept(ik->model, ik->single, &q, 1, IK_LIMIT_TOLERANCE) != 0;
}

/* the iterations of the first tries and of what came after them */
static int count_iterations(const ik_search *s, int tries)
{
    int count = s->local;
    for (int i = 0; i < tries; i++)
        count += s->iterations[i];
    return count;
}

/* the nearest of the solutions that compete, NULL: none is left; its turns may be any */
static ik_candidate *nearest(ik_search *s)
{
    ik_candidate *best = NULL;
    for (int k = 0; s->found >> k != 0; k++) {
        ik_candidate *c = &s->candidates[k];
        if ((s->found >> k & 1) == 0 || c->attempt >= s->end)
            continue;
        if (!best || c->distance < best->distance ||
            (c->distance == best->distance && c->attempt < best->attempt))
            best = c;
    }
    return best;
}

int ik_search_propose(lb_ik *ik, ik_search *const *searches, double *const *q, int count)
{
    ik_candidate *bests[KERNEL_MAX_WIDTH];
    double *locals[KERNEL_MAX_WIDTH];
    const double *starts[KERNEL_MAX_WIDTH];
    int solved = 0, wound = 0;
    for (; solved < count && (bests[solved] = nearest(searches[solved])) != NULL; solved++) {
        if (bests[solved]->unwound)
            continue;
        locals[wound] = bests[solved]->local;
        starts[wound++] = searches[solved]->start;
        bests[solved]->unwound = true;
    }
    if (wound > 0)
        ik->ops->unwind(&ik->reduction.problem, starts, locals, wound);
    for (int i = 0; i < solved; i++) {
        memmove(q[i], searches[i]->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
        ik_scatter(&ik->reduction, bests[i]->local, q[i]);
    }
    return solved;
}

bool ik_search_confirm(lb_ik *ik, ik_search *s, double position, double rotation,
                       lb_ik_result *result)
{
    const ik_candidate *best = nearest(s);
    int tries = best->attempt + 1;
    *result = (lb_ik_result){.outcome = LB_REACHED,
                             .iterations = count_iterations(s, tries),
                             .tries = tries,
                             .position_error = position,
                             .rotation_error = rotation};
    return is_near(ik, result) && !diverged(ik, best->local);
}

/* the nearest that the judge confirms */
static bool choose(lb_ik *ik, ik_search *s, lb_ik_result *result)
{
    for (ik_candidate *best = nearest(s); best; best = nearest(s)) {
        if (!best->unwound)
            ik_search_unwind(ik, s, best->local);
        best->unwound = true;
        judge(ik, s, best->local, result);
        result->tries = best->attempt + 1;
        bool kept = keeps_limits(ik, ik->trial);
        if (kept && is_near(ik, result))
            return true;
        // refused by rounding alone it is still closer than what never arrived
        if (kept && s->least > 0) {
            s->least = 0;
            s->closest = memcpy(s->best, best->local,
                                sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
        }
        s->found &= ~(1u << (best - s->candidates));
    }
    return false;
}

/* why the configuration in ik->trial is all there is */
static lb_reason find_reason(lb_ik *ik, const ik_search *s)
{
    if (s->beyond > 0 || s->proved)
        return LB_REASON_REACH;
    if (s->moving)
        return LB_REASON_BUDGET;
    ik_gather(&ik->reduction, ik->trial, ik->iteration.q);
    ik->iteration.targets = s->targets;
    return ik_stuck_reason(&ik->iteration);
}

/* both errors in metres, as the descent weighs them */
static double total_error(const lb_ik *ik, const lb_ik_result *result)
{
    return result->position_error + ik->reduction.unit * result->rotation_error;
}

/* the tries that count: which others were under way when the window closed is a matter of lanes */
static int tries_made(const ik_search *s)
{
    return s->next < s->end ? s->next : s->end;
}

/* where a careful descent from the start ends, with what is left of a budget */
static void descend_from_start(lb_ik *ik, ik_search *s, double *local)
{
    const ik_iteration *it = &ik->iteration;
    int left = IK_LONG_BUDGET * ik->method->iterations;
    if (ik->options.iterations > 0) {
        left = ik->options.iterations;
        for (int i = 0; i < tries_made(s); i++)
            left -= s->iterations[i];
    }
    memcpy(local, s->start, sizeof(double) * (size_t)it->problem.tree.nq);
    double won = 1, share = KERNEL_DAMPING_SHARE;
    while (s->local < left && won > IK_MIN_DECREASE_LAST) {
        won = kernel_iterate(&it->problem, &ik->control, s->targets, local, &share, it->scratch);
        s->local += won > 0;
    }
}

/*
 * No solution: the closest configuration there is. Where the nearest is asked for that is the
 * one that the start leads to, unless another is closer by a clear margin: so a target
 * that passes out of reach is followed without jumps. Never farther than the start.
 */
static const double *choose_closest(lb_ik *ik, ik_search *s)
{
    lb_ik_result at;
    judge(ik, s, s->start, &at);
    double before = total_error(ik, &at);
    memmove(s->best, s->closest, sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    ik_search_unwind(ik, s, s->best);
    judge(ik, s, s->best, &at);
    double least = total_error(ik, &at);
    bool local =
        ik->options.protocol == LB_PROTOCOL_NEAREST && ik_iteration_by_kernel(&ik->iteration);
    if (local) {
        descend_from_start(ik, s, s->level_best);
        judge(ik, s, s->level_best, &at);
        double here = total_error(ik, &at);
        if (here < before && here <= LOCAL_MARGIN * least)
            return s->level_best;
    }
    return least < before ? s->best : s->start;
}

static void settle(lb_ik *ik, ik_search *s, lb_ik_result *result)
{
    // the level that the budget cut short
    ik_search_end_level(ik, s);
    judge(ik, s, choose_closest(ik, s), result);
    result->tries = tries_made(s);
    // the long way from the start may have arrived after all
    if (is_near(ik, result) && keeps_limits(ik, ik->trial))
        return;
    result->beyond_reach = s->beyond;
    result->reason = find_reason(ik, s);
    result->outcome = result->reason == LB_REASON_REACH    ? LB_UNREACHABLE
                      : result->reason == LB_REASON_BUDGET ? LB_EXHAUSTED
                                                           : LB_STALLED;
}

lb_outcome ik_search_end(lb_ik *ik, ik_search *s, double *q, lb_ik_result *result)
{
    *result = (lb_ik_result){.outcome = LB_REACHED};
    if (!choose(ik, s, result))
        settle(ik, s, result);
    result->iterations = count_iterations(s, result->tries);
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    return result->outcome;
}

lb_outcome ik_refuse(const lb_ik *ik, const double *start, double *q, lb_ik_result *result)
{
    *result = (lb_ik_result){
        .outcome = LB_INVALID, .position_error = INFINITY, .rotation_error = INFINITY};
    memmove(q, start, sizeof(double) * (size_t)ik->model->tree.nq);
    return LB_INVALID;
}
