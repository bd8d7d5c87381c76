/*
 * search.c - the tries of a search, and what is kept of them.
 *
 * A try is one descent. Each has its own start (starts.c) and budget (schedule.c). The kernel runs
 * as many tries at once as it has lanes. The result is defined by the indices of the tries, so it
 * is the same for every width: the first try that succeeds opens a window of a few tries; one that
 * ends very near to the start closes the window behind itself; of the solutions in the window the
 * nearest to the start wins. Where any solution will do, the window is one try.
 */
#include "ik/search/search.h"
#include "ik/search/exact.h"

#include "ik/descent.h"
#include "ik/search/starts.h"
#include "ik/solver.h"
#include "math/scalar.h"
#include "model/limits.h"
#include "model/range.h"

#include <limits.h>
#include <string.h>

/* radians: other solutions differ by a flip of some joint, hardly ever by less than this */
#define SURELY_NEAREST 1.0
/* radians: below half a turn no other turn is nearer; the margin is for rounding */
#define SAME_TURN 3.14
/* a try has stalled when two iterations reduce the error by less than this share: from the user's
   start while there is a table of better ones; from others; after many have failed */
#define MIN_DECREASE_FIRST 0.75
#define MIN_DECREASE 0.3
#define MIN_DECREASE_LATER 0.1

/* levels in a row that end at the same error: it is taken for the global minimum */
enum { LEVELS_AGREEING = 6 };
/* escapes of a single try from singular configurations: at its start, and where that leads */
enum { MAX_ESCAPES = 3 };
/* radians and lengths: with an error below this all tries are made; of a million
   reachable targets two or three end there six times */
#define NEAR_MISS 0.1
/* errors of one local minimum agree to this share */
#define SAME_ERROR 1e-3
/* relative: of the sums of an arm's lengths, of hundreds of links */
#define SUM_ROUNDING 1e-12

void ik_search_lay_out(ik_search *s, memory_arena *arena, const kernel_problem *problem,
                       int model_nq, int starts)
{
    size_t local = (size_t)problem->tree.nq;
    s->problem.targets =
        memory_arena_take(arena, (size_t)problem->task_count, sizeof(lb_transform));
    s->problem.start = memory_arena_take(arena, local, sizeof(double));
    s->problem.model_start = memory_arena_take(arena, (size_t)model_nq, sizeof(double));
    s->tries.starts = memory_arena_take(arena, local * (size_t)starts, sizeof(double));
    s->tries.escape_start = memory_arena_take(arena, local, sizeof(double));
    s->found.closest_q = memory_arena_take(arena, local, sizeof(double));
    s->found.level_closest_q = memory_arena_take(arena, local, sizeof(double));
    for (int k = 0; k <= IK_LONG_WINDOW; k++)
        s->found.candidates[k].local = memory_arena_take(arena, local, sizeof(double));
}

/* ---- tries ---------------------------------------------------------------- */

/* the iterations used by a single try before its last escape */
static int used(const ik_search_tries *tries)
{
    return tries->escapes > 0 ? tries->iterations[0] : 0;
}

/* large at first, while there are better starts to try */
static double try_min_decrease(const lb_ik *ik, const ik_search *s, int attempt, ik_start_kind kind)
{
    if (attempt == 0 && kind == IK_START_OWN && ik_starts_rows(ik) > 0)
        return MIN_DECREASE_FIRST;
    return attempt < s->tries.level_size ? MIN_DECREASE : MIN_DECREASE_LATER;
}

static void keep_candidate(lb_ik *ik, ik_search *s, int attempt, const double *local)
{
    // of two tries in one place only the lower index can still win
    int place = attempt == IK_GIVEN ? IK_LONG_WINDOW : attempt % IK_LONG_WINDOW;
    ik_candidate *c = &s->found.candidates[place];
    if ((s->found.solutions >> place & 1) != 0 && c->attempt < attempt)
        return;
    s->found.solutions |= 1u << place;
    c->attempt = attempt;
    c->distance = 0;
    // where the nearest is wanted that is done here, as far as it matters
    c->unwound = ik->options.protocol == LB_PROTOCOL_NEAREST;
    memcpy(c->local, local, sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    bool final = true;
    if (ik->options.protocol == LB_PROTOCOL_NEAREST) {
        double farthest;
        c->distance = ik_distance(ik, &s->problem, local, &farthest);
        if (farthest > SAME_TURN) {
            ik_distance_unwind(ik, &s->problem, c->local);
            c->distance = ik_distance(ik, &s->problem, c->local, &farthest);
        }
        final = farthest < (ik->arcs ? IK_NEAR_START : SURELY_NEAREST);
    }
    const bool given = (s->found.solutions >> IK_LONG_WINDOW & 1) != 0;
    int end = attempt + (final ? 1 : given ? IK_LONG_WINDOW + 1 : IK_WINDOW);
    s->tries.end = end < s->tries.end ? end : s->tries.end;
}

void ik_search_give(lb_ik *ik, ik_search *s, const double *q)
{
    ik_gather(&ik->reduction, q, s->tries.escape_start);
    // where it is surely the nearest no try follows
    s->tries.iterations[0] = 0;
    keep_candidate(ik, s, IK_GIVEN, s->tries.escape_start);
}

/* takes ik->trial, which is a solution, in place of the next try */
static void keep_listed(lb_ik *ik, ik_search *s)
{
    int attempt = s->tries.next++;
    s->tries.finished++;
    s->tries.iterations[attempt] = 0;
    // no single try, so there are no escapes
    ik_gather(&ik->reduction, ik->trial, s->tries.escape_start);
    keep_candidate(ik, s, attempt, s->tries.escape_start);
}

/*
 * The first try is made, and whether its solution is the nearest is not sure: the nearest of all
 * arcs is, and no other try follows.
 */
static void search_arcs(lb_ik *ik, ik_search *s)
{
    const bool some = (s->found.solutions & 1) != 0;
    const double bound = some ? sqrt(s->found.candidates[0].distance) : INFINITY;
    const ik_complete_result all = ik_arcs_find(ik, &s->problem, bound);
    if (all.found)
        keep_listed(ik, s);
    if (all.all && (some || all.found))
        s->tries.end = s->tries.next;
}

/*
 * The tries of the first level have all failed: a general arm's complete set has the solution, or
 * proves that there is none. Where the nearest is wanted it was looked for before the first try,
 * but with less effort.
 */
static void complete_level(lb_ik *ik, ik_search *s)
{
    const ik_complete_result all = ik->complete ? ik_complete_find(ik, &s->problem, GENERAL_USUAL)
                                                : ik_held_decide(ik, &s->problem);
    if (all.found) {
        keep_listed(ik, s);
    } else if (all.proof != LB_REASON_NONE) {
        s->found.proof = all.proof;
        s->tries.allowed = s->tries.next;
    } else if (all.outside && s->tries.allowed > 2 * s->tries.level_size) {
        // hardly anything is left to be found: another level, for the closest
        s->tries.allowed = 2 * s->tries.level_size;
    }
}

bool ik_search_next(lb_ik *ik, ik_search *s, int lane, kernel_job *job)
{
    if (s->tries.next >= s->tries.allowed || s->tries.next >= s->tries.end)
        return false;
    bool last = ik_schedule_ends_level(s, s->tries.next);
    // the last of a level waits for the others, and the next level for it
    if (s->tries.finished < s->tries.next && (last || s->tries.next % s->tries.level_size == 0))
        return false;
    if (ik->arcs && s->tries.next == 1 && s->tries.finished == 1 &&
        s->found.proof == LB_REASON_NONE) {
        search_arcs(ik, s);
        if (s->tries.next >= s->tries.allowed || s->tries.next >= s->tries.end)
            return false;
        last = ik_schedule_ends_level(s, s->tries.next);
    }
    if (s->tries.next == s->tries.level_size && (ik->complete || ik->redundant) &&
        s->found.solutions == 0 && s->found.proof == LB_REASON_NONE) {
        complete_level(ik, s);
        if (s->tries.next >= s->tries.allowed || s->tries.next >= s->tries.end)
            return false;
    }
    int attempt = s->tries.next++;
    // methods with steps of their own make one try at a time, this one next
    ik->iteration.proved_unreachable = s->problem.beyond_reach > 0;
    // a try that has no better one after it uses its budget while anything is won
    ik_start_kind kind = ik_starts_kind(ik, s, attempt);
    bool goes_on = last || s->tries.level_size == 1 || ik_schedule_exhausts(ik, s, attempt);
    *job = (kernel_job){
        .start = ik_starts_of(ik, s, attempt, kind, lane),
        .targets = s->problem.targets,
        .iterations = ik_schedule_budget(ik, s, attempt) - used(&s->tries),
        .min_decrease = goes_on ? IK_MIN_DECREASE_LAST : try_min_decrease(ik, s, attempt, kind),
        .monotone = goes_on,
        .tag = attempt,
    };
    return true;
}

void ik_search_descend(lb_ik *ik, const kernel_ops *ops, const kernel_feed *feed)
{
    if (ik_iteration_by_kernel(&ik->iteration))
        ops->descend(&ik->reduction.problem, &ik->control, feed, ik->scratch);
    else
        ik_descent_run(&ik->iteration, feed);
}

/* ---- what tries find ------------------------------------------------------ */

void ik_search_end_level(const lb_ik *ik, ik_search *s)
{
    bool same = fabs(s->found.level_least_error - s->found.last_level_error) <=
                SAME_ERROR * s->found.last_level_error;
    s->found.agreeing_levels = same ? s->found.agreeing_levels + 1 : 1;
    s->found.last_level_error = s->found.level_least_error;
    if (s->found.level_least_error < s->found.least_error) {
        s->found.least_error = s->found.level_least_error;
        s->found.closest = memcpy(s->found.closest_q, s->found.level_closest,
                                  sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    }
    s->found.level_least_error = INFINITY;
}

/* keeps the result with the smallest error */
static void keep_closest(const lb_ik *ik, ik_search *s, int attempt, const kernel_result *result)
{
    // ties go to the lower index, whichever ended first
    bool closer = result->error < s->found.level_least_error ||
                  (result->error == s->found.level_least_error && attempt < s->found.level_attempt);
    if (closer) {
        s->found.level_least_error = result->error;
        s->found.level_attempt = attempt;
        s->found.level_closest = memcpy(s->found.level_closest_q, result->q,
                                        sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    }
    if (attempt == s->tries.allowed - 1 || ik_schedule_ends_level(s, attempt))
        s->found.still_decreasing = result->end == KERNEL_SPENT;
    if (!ik_schedule_ends_level(s, attempt))
        return;
    ik_search_end_level(ik, s);
    if (s->found.agreeing_levels >= LEVELS_AGREEING && s->found.last_level_error > NEAR_MISS)
        s->tries.allowed = s->tries.next;
}

/* a single try that has stalled goes on from an escape, if there is one */
static void escape(lb_ik *ik, ik_search *s, const kernel_result *result)
{
    int left = ik_schedule_budget(ik, s, 0) - s->tries.iterations[0];
    bool alone = s->tries.allowed == 1 || (s->tries.next == 1 && ik_schedule_exhausts(ik, s, 0));
    if (!alone || result->end != KERNEL_STALLED || left <= 0 || s->tries.escapes >= MAX_ESCAPES ||
        ik->options.no_nudge || s->problem.beyond_reach > 0 ||
        !ik_iteration_by_kernel(&ik->iteration))
        return;
    if (ik_starts_escape(ik, s, result->q))
        s->tries.next = s->tries.finished = 0;
}

int ik_search_finish(lb_ik *ik, ik_search *s, int attempt, const kernel_result *result)
{
    s->tries.iterations[attempt] = used(&s->tries) + result->iterations;
    s->tries.finished++;
    if (result->end == KERNEL_CONVERGED) {
        keep_candidate(ik, s, attempt, result->q);
    } else {
        keep_closest(ik, s, attempt, result);
        escape(ik, s, result);
    }
    return s->tries.end;
}

/* ---- beginning ------------------------------------------------------------ */

bool ik_search_in_range(const lb_ik *ik, const double *local)
{
    bool inside = true;
    for (int i = 0; i < ik->reduction.problem.tree.nq; i++)
        inside &= range_has(local[i]);
    return inside;
}

/* copies the starts, clamped; returns a bit for each whose numbers are, and were, in range */
static unsigned accept_starts(const lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                              const double *const *starts, int count)
{
    double *to[KERNEL_MAX_WIDTH];
    for (int k = 0; k < count; k++)
        to[k] = searches[k]->problem.model_start;
    unsigned valid = limits_clamp(ik->model, ops, starts, to, count);
    for (int k = 0; k < count; k++) {
        ik_gather(&ik->reduction, to[k], searches[k]->problem.start);
        if (!range_has_row(starts[k], ik->model->tree.nq) ||
            !ik_search_in_range(ik, searches[k]->problem.start))
            valid &= ~(1u << k);
    }
    return valid;
}

/* returns a bit for each target that is rigid and in range; copies them as the problem sees them,
   if that is wanted */
static unsigned accept_targets(const lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                               int count, bool seen)
{
    const lb_transform *from[KERNEL_MAX_WIDTH];
    lb_transform *to[KERNEL_MAX_WIDTH];
    unsigned valid = (1u << count) - 1;
    for (int i = 0; i < ik->task_count; i++) {
        const kernel_target_map map = ik_reduction_target_map(&ik->reduction, i);
        for (int k = 0; k < count; k++) {
            from[k] = &searches[k]->problem.model_targets[i];
            to[k] = &searches[k]->problem.targets[i];
            if (!range_has_point(from[k]->p))
                valid &= ~(1u << k);
        }
        valid &= ops->transform_targets(&map, from, seen ? to : NULL, count);
    }
    return valid;
}

static double largest(lb_vec3 a)
{
    return scalar_max(fabs(a.x), scalar_max(fabs(a.y), fabs(a.z)));
}

/* metres from the world's origin that frames on the way to a link are at most, for its rounding */
static double far_on_the_way(const lb_model *model, int link, const double *q)
{
    double far = lb_vec3_length(model->root.p);
    for (; link > 0; link = model->link_layouts[link].parent) {
        const model_joint *joint = &model->joint_layouts[link - 1];
        far += lb_vec3_length(model->joints[link - 1].placement.p);
        for (int i = joint->part; i < joint->part + joint->part_count; i++)
            if (model->parts[i].kind == MODEL_LENGTH)
                far += fabs(q[model->parts[i].q]);
    }
    return far;
}

/* the farthest of all places that a task's target is computed from */
static double find_far(const lb_ik *ik, const ik_search_problem *problem, int task)
{
    const lb_task *t = &ik->tasks[task];
    double far =
        far_on_the_way(ik->model, t->tip, problem->model_start) + lb_vec3_length(t->tool.p);
    if (t->base > 0)
        far = scalar_max(far, far_on_the_way(ik->model, t->base, problem->model_start));
    double given =
        lb_vec3_length(problem->model_targets[task].p) + lb_vec3_length(ik->reduction.base.p);
    return scalar_max(far, given);
}

/* metres by which the targets are farther than the links reach; 0: that proves nothing */
static double find_beyond_reach(const lb_ik *ik, const ik_search_problem *problem)
{
    double beyond = 0;
    for (int i = 0; i < ik->task_count; i++) {
        const ik_reach *reach = &ik->reduction.reaches[i];
        const kernel_task *task = &ik->reduction.problem.tasks[i];
        if (!task->goal.position)
            continue;
        lb_vec3 whole = lb_vec3_sub(problem->targets[i].p, reach->shoulder);
        lb_vec3 rows = kernel_locus_rows(&task->goal.locus, &problem->targets[i], whole);
        double radius = reach->radius + ik->control.position_tolerance;
        double square = lb_vec3_dot(rows, rows);
        // most are within reach, which needs no square root
        if (square <= radius * radius)
            continue;
        // by more than the rounding of the sums of lengths, and of places far from the origin
        double distance = sqrt(square), sums = SUM_ROUNDING * scalar_max(radius, largest(whole));
        double places = range_rounding(find_far(ik, problem, i), ik->model->joint_count);
        if (distance - radius > sums + places / ik->reduction.unit)
            beyond = scalar_max((distance - reach->radius) * ik->reduction.unit, beyond);
    }
    return beyond;
}

/* what the elbow of an arm of seven joints proves */
static lb_reason prove_by_elbow(const lb_ik *ik, const ik_search_problem *problem)
{
    return ik->swivels && closed_chain_fits(&ik->finder.chain, problem->model_start)
               ? swivel_prove(&ik->reach, problem->model_targets)
               : LB_REASON_NONE;
}

ik_plane_miss ik_search_miss(const lb_ik *ik, const ik_search_problem *problem, int task,
                             double rounding)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    const ik_iteration *it = &ik->iteration;
    ik_plane plane = ik->planes[task];
    if (ik->held) {
        kernel_forward(&it->problem.tree, &base, problem->start, it->frames);
        plane = ik_plane_of(it, task);
    }
    return ik_plane_measure(it, task, &plane, &problem->targets[task], rounding);
}

/* what parallel axes and unequal lengths prove */
static lb_reason prove_by_plane(const lb_ik *ik, const ik_search_problem *problem)
{
    for (int i = 0; i < ik->task_count && ik->bounded; i++) {
        double places = range_rounding(find_far(ik, problem, i), ik->model->joint_count);
        if (ik_search_miss(ik, problem, i, places / ik->reduction.unit).proved)
            return LB_REASON_REACH;
    }
    return LB_REASON_NONE;
}

/* what proves a target to be out of reach before the first try */
static lb_reason prove_first(const lb_ik *ik, const ik_search_problem *problem)
{
    if (problem->beyond_reach > 0)
        return LB_REASON_REACH;
    lb_reason proof = prove_by_plane(ik, problem);
    return proof != LB_REASON_NONE ? proof : prove_by_elbow(ik, problem);
}

/* resets a search whose problem is complete: no try is made, nothing is found */
static void reset(const lb_ik *ik, ik_search *s)
{
    ik_search_tries *tries = &s->tries;
    ik_search_found *found = &s->found;
    found->proof = prove_first(ik, &s->problem);
    ik_schedule_plan(ik, s);
    tries->parallel = false;
    tries->next = tries->finished = tries->escapes = 0;
    tries->extra_iterations = tries->starts_taken = 0;
    tries->end = INT_MAX;
    found->solutions = 0;
    found->least_error = found->level_least_error = found->last_level_error = INFINITY;
    found->level_attempt = found->agreeing_levels = 0;
    found->still_decreasing = found->refused = false;
    found->closest = found->level_closest = s->problem.start;
}

void ik_search_expect_none(const lb_ik *ik, ik_search *s, lb_reason proof)
{
    s->found.proof = proof;
    ik_schedule_plan(ik, s);
}

void ik_search_restart(const lb_ik *ik, ik_search *s)
{
    lb_reason proof = s->found.proof;
    reset(ik, s);
    if (proof != LB_REASON_NONE)
        ik_search_expect_none(ik, s, proof);
}

unsigned ik_search_accept_some(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches,
                               const lb_transform *const *targets, const double *const *starts,
                               int count)
{
    for (int k = 0; k < count; k++)
        searches[k]->problem.model_targets = targets[k];
    // a closed form has no use for more
    return accept_targets(ik, ops, searches, count, !ik->exact) &
           accept_starts(ik, ops, searches, starts, count);
}

void ik_search_ready_some(lb_ik *ik, const kernel_ops *ops, ik_search *const *searches, int count)
{
    if (ik->exact)
        (void)accept_targets(ik, ops, searches, count, true);
    for (int k = 0; k < count; k++) {
        searches[k]->problem.beyond_reach = find_beyond_reach(ik, &searches[k]->problem);
        reset(ik, searches[k]);
    }
}

bool ik_search_begin(lb_ik *ik, ik_search *s, const lb_transform *targets, const double *start)
{
    if (ik_search_accept_some(ik, ik->single, &s, &targets, &start, 1) == 0)
        return false;
    ik_search_ready_some(ik, ik->single, &s, 1);
    return true;
}
