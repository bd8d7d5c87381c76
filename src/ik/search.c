/*
 * search.c - the driver: tries, budgets, the choice among solutions, confirmation.
 *
 * A try is one descent. Try 0 begins at the user's start, the others at seeds in a
 * fixed order; each has its own budget, short at first (a descent that does not
 * arrive soon hardly ever does) and growing when many have failed. The kernel runs
 * as many tries at once as it has lanes; the answer is defined by the tries'
 * indices alone, so it is the same for every width:
 *
 *     let f be the lowest index that succeeded; the tries f .. f + window - 1
 *     compete, and the solution nearest to the start wins.
 *
 * The window is 1 when any solution will do, or when try 0 arrives so near the
 * start that no other can be meant.
 */
#include "ik/solver.h"
#include "model/limits.h"

#include <limits.h>
#include <string.h>

/* other solutions differ by a flip of some joint, hardly ever by less than this (radians) */
#define SURELY_NEAREST 1.0
/* a try has stalled when two iterations win less than this share */
#define WIN 0.1
/* tries that look for the closest configuration when the goal is known to be out of reach */
#define TRIES_BEYOND_REACH 4
/* tries between two doublings of their budget */
#define TRIES_A_LEVEL 16
enum { MAX_LEVEL = 4 };

typedef struct search {
    lb_ik *ik;
    int tries;  /* allowed */
    int next;   /* the index of the next one */
    int first;  /* the lowest that succeeded, INT_MAX: none */
    int window; /* how many compete */
    int of_lane[KERNEL_MAX_WIDTH];
    double least; /* error of the best that failed */
    int least_attempt;
    bool moving; /* some try ended while it still won */
} search;

/* ---- tries ---------------------------------------------------------------- */

static int try_budget(const lb_ik *ik, int attempt)
{
    int level = attempt / TRIES_A_LEVEL;
    return ik->method->iterations << (level < MAX_LEVEL ? level : MAX_LEVEL);
}

/* the tries that a budget of iterations pays for */
static int count_tries(const lb_ik *ik)
{
    if (ik->options.protocol == LB_PROTOCOL_GIVEN)
        return 1;
    int budget = ik->options.iterations, tries = 0;
    if (budget == 0)
        return IK_MAX_TRIES;
    while (tries < IK_MAX_TRIES && budget > 0)
        budget -= try_budget(ik, tries++);
    return tries;
}

/* a start that depends on the seed and the index of the try alone */
static void make_seed(const lb_ik *ik, int attempt, double *local)
{
    const kernel_problem *p = &ik->reduction.problem;
    lb_random random = lb_random_seed(ik->options.seed * 1000003u + (uint64_t)attempt);
    memcpy(local, ik->start, sizeof(double) * (size_t)p->tree.nq);
    for (int i = 0; i < p->variable_count; i++) {
        const kernel_variable *x = &p->variables[i];
        if (x->ball) {
            for (int k = 0; k < 4; k++)
                local[x->q + k] = lb_random_between(&random, -1, 1);
            continue;
        }
        // where there is no limit, half a turn (or three lengths) about the start
        double half = ik->reduction.ways[i] ? 3 * ik->reduction.unit : LB_PI;
        double lower = isinf(x->lower) ? ik->start[x->q] - half : x->lower;
        double upper = isinf(x->upper) ? ik->start[x->q] + half : x->upper;
        local[x->q] = lb_random_between(&random, lower, upper);
    }
    // balls are brought inside their limits
    kernel_advance(p, local, ik->zeros, local);
}

static bool search_next(void *user, int lane, kernel_job *job)
{
    search *s = user;
    lb_ik *ik = s->ik;
    bool enough = s->first < INT_MAX && s->next >= s->first + s->window;
    if (s->next >= s->tries || enough)
        return false;
    int attempt = s->next++;
    double *start = ik->start;
    if (attempt > 0) {
        start = ik->lane_starts + (size_t)lane * (size_t)ik->reduction.problem.tree.nq;
        make_seed(ik, attempt, start);
    }
    s->of_lane[lane] = attempt;
    bool alone = s->tries == 1;
    *job = (kernel_job){.start = start,
                        .targets = ik->targets,
                        .iterations = alone && ik->options.iterations > 0
                                          ? ik->options.iterations
                                          : try_budget(ik, attempt) * (alone ? 8 : 1),
                        .win = alone                     ? 0.01 * WIN
                               : attempt < TRIES_A_LEVEL ? WIN
                                                         : 0.3 * WIN};
    return true;
}

/* ---- solutions ------------------------------------------------------------ */

/* turns angles by whole turns to where they are nearest to the start */
static void unwind(const lb_ik *ik, double *local)
{
    const kernel_problem *p = &ik->reduction.problem;
    const double turn = 2 * LB_PI;
    for (int i = 0; i < p->variable_count; i++) {
        const kernel_variable *x = &p->variables[i];
        if (!ik->reduction.turns[i])
            continue;
        double from = ik->start[x->q], q = local[x->q];
        double best = q - turn * rint((q - from) / turn);
        // limits may forbid the nearest turn but allow the one before or after
        if (best < x->lower)
            best += turn;
        if (best > x->upper)
            best -= turn;
        if (best >= x->lower && best <= x->upper)
            local[x->q] = best;
    }
}

/* how far a configuration is from the start, and the farthest of its joints */
static double distance(const lb_ik *ik, const double *local, double *farthest)
{
    const kernel_problem *p = &ik->reduction.problem;
    double sum = 0;
    *farthest = 0;
    for (int i = 0; i < p->variable_count; i++) {
        const kernel_variable *x = &p->variables[i];
        const double *a = ik->start + x->q, *b = local + x->q;
        double d = fabs(a[0] - b[0]);
        if (x->ball) {
            double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
            d = 2 * lb_acos(dot);
        } else if (ik->reduction.ways[i]) {
            d /= ik->reduction.unit;
        }
        sum += d * d;
        *farthest = fmax(*farthest, d);
    }
    return sum;
}

static void keep_candidate(search *s, int attempt, const double *local)
{
    lb_ik *ik = s->ik;
    // of two tries in one place only the lower index can still win
    ik_candidate *c = &ik->candidates[attempt % IK_WINDOW];
    if (c->attempt >= 0 && c->attempt < attempt)
        return;
    double farthest;
    c->attempt = attempt;
    memcpy(c->local, local, sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
    unwind(ik, c->local);
    c->distance = distance(ik, c->local, &farthest);
    if (attempt == 0 && farthest < SURELY_NEAREST)
        s->window = 1;
    if (attempt < s->first)
        s->first = attempt;
}

static unsigned search_finish(void *user, int lane, const kernel_answer *answer)
{
    search *s = user;
    lb_ik *ik = s->ik;
    int attempt = s->of_lane[lane];
    s->of_lane[lane] = -1;
    ik->iterations[attempt] = (unsigned short)answer->iterations;
    if (answer->end != KERNEL_CONVERGED) {
        s->moving |= answer->end == KERNEL_SPENT;
        bool better =
            answer->error < s->least || (answer->error == s->least && attempt < s->least_attempt);
        if (better) {
            s->least = answer->error;
            s->least_attempt = attempt;
            memcpy(ik->closest, answer->q, sizeof(double) * (size_t)ik->reduction.problem.tree.nq);
        }
        return 0;
    }
    keep_candidate(s, attempt, answer->q);
    // tries beyond the window no longer matter
    unsigned given_up = 0;
    for (int l = 0; l < KERNEL_MAX_WIDTH; l++)
        if (s->of_lane[l] >= s->first + s->window)
            given_up |= 1u << l;
    return given_up;
}

/* ---- answering ------------------------------------------------------------ */

/* errors of a local configuration by the model's own forward kinematics, in ik->trial */
static void judge(lb_ik *ik, const double *local, lb_ik_result *result, const lb_transform *targets)
{
    memcpy(ik->trial, ik->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    ik_scatter(ik, local, ik->trial);
    ik_judge_errors(&ik->judge, ik->trial, targets, &result->position_error,
                    &result->rotation_error);
}

static bool confirmed(const lb_ik *ik, const lb_ik_result *result)
{
    return result->position_error <= ik->options.position_tolerance &&
           result->rotation_error <= ik->options.rotation_tolerance &&
           limits_find_violation(ik->model, ik->trial, IK_LIMIT_TOLERANCE).fault == LIMITS_KEPT;
}

/* the nearest of the solutions that compete, and that the judge confirms */
static bool choose(search *s, const lb_transform *targets, lb_ik_result *result)
{
    lb_ik *ik = s->ik;
    for (;;) {
        ik_candidate *best = NULL;
        for (int k = 0; k < IK_WINDOW; k++) {
            ik_candidate *c = &ik->candidates[k];
            if (c->attempt < 0 || c->attempt >= s->first + s->window)
                continue;
            if (!best || c->distance < best->distance ||
                (c->distance == best->distance && c->attempt < best->attempt))
                best = c;
        }
        if (!best)
            return false;
        judge(ik, best->local, result, targets);
        result->tries = best->attempt + 1;
        if (confirmed(ik, result))
            return true;
        best->attempt = -1;
    }
}

static int sum_iterations(const lb_ik *ik, int tries)
{
    int sum = 0;
    for (int i = 0; i < tries; i++)
        sum += ik->iterations[i];
    return sum;
}

/* no solution: the closest there is, but the start if nothing is closer */
static void settle(search *s, const lb_transform *targets, lb_ik_result *result)
{
    lb_ik *ik = s->ik;
    lb_ik_result at_start = *result;
    judge(ik, ik->start, &at_start, targets);
    judge(ik, ik->closest, result, targets);
    // both errors in metres, as the descent weighs them
    double length = ik->reduction.unit;
    double before = at_start.position_error + length * at_start.rotation_error;
    double after = result->position_error + length * result->rotation_error;
    if (!(after < before)) {
        judge(ik, ik->start, result, targets);
    }
    result->tries = s->next;
    result->iterations = sum_iterations(ik, s->next);
    result->outcome = s->moving ? LB_EXHAUSTED : LB_STALLED;
}

/* by how much the targets lie outside of what the links can span; 0: that proves nothing */
static double beyond_reach(const lb_ik *ik)
{
    double beyond = 0;
    for (int i = 0; i < ik->task_count; i++) {
        const ik_reach *reach = &ik->reduction.reaches[i];
        if (!ik->reduction.problem.tasks[i].position)
            continue;
        double far = lb_vec3_length(lb_vec3_sub(ik->base_targets[i].p, reach->shoulder));
        double room = reach->radius + ik->options.position_tolerance;
        // by more than the rounding of the sums
        if (far > room * (1 + 1e-12))
            beyond = fmax(beyond, far - reach->radius);
    }
    return beyond;
}

lb_outcome ik_search(lb_ik *ik, const lb_transform *targets, double *q, lb_ik_result *result)
{
    search s = {.ik = ik,
                .tries = count_tries(ik),
                .first = INT_MAX,
                .window = ik->options.protocol == LB_PROTOCOL_NEAREST ? IK_WINDOW : 1,
                .least = INFINITY,
                .least_attempt = INT_MAX};
    for (int l = 0; l < KERNEL_MAX_WIDTH; l++)
        s.of_lane[l] = -1;
    for (int k = 0; k < IK_WINDOW; k++)
        ik->candidates[k].attempt = -1;
    double beyond = beyond_reach(ik);
    if (beyond > 0 && s.tries > TRIES_BEYOND_REACH)
        s.tries = TRIES_BEYOND_REACH;
    memcpy(ik->closest, ik->start, sizeof(double) * (size_t)ik->reduction.problem.tree.nq);

    kernel_feed feed = {search_next, search_finish, &s};
    ik->ops->descend(&ik->reduction.problem, &ik->control, &feed, ik->scratch);

    if (choose(&s, targets, result)) {
        result->outcome = LB_REACHED;
        result->iterations = sum_iterations(ik, result->tries);
    } else {
        settle(&s, targets, result);
        result->beyond_reach = beyond;
        if (beyond > 0)
            result->outcome = LB_UNREACHABLE;
    }
    memcpy(q, ik->trial, sizeof(double) * (size_t)ik->model->tree.nq);
    return result->outcome;
}
