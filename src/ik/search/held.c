/*
 * held.c - solutions of an arm of seven joints between its limits, where a search has found none,
 * or the proof that there is none.
 *
 * With one joint held the others have a closed form. By how much each of its branches breaks the
 * limits is a function of the held joint, and where that is zero there is a solution. Limits can
 * leave a way of some thousandths of a radian, or a single value: so its least values are looked
 * for by golden sections, between values at which it is smaller than at those beside them.
 *
 * Within an interval of the last joint the target of the others moves by no more than that joint
 * does: a closed form that excludes a target as wide as that excludes the interval.
 */
#include "ik/search/exact.h"

#include "ik/closed/finder.h"
#include "ik/closed/proof.h"
#include "math/scalar.h"

/* A miss by more than this share of the arm, or so many radians, is one that no way through the
   limits was near to. */
#define NEAR_MISS 0.25
/* Where a branch breaks its limits by more at a value of the held joint, and at those beside it by
   no less, there is no way between them. */
#define NARROW 0.2
/* Between two values of the held joint that are w apart a branch's joints change by less than this
   many roots of w, beside singular places, too. */
#define STEEPEST 4.0
/* radians or metres: values of the held joint that are as near give the same pose, to 1e-7 */
#define SAME_VALUE 1e-8
#define GOLDEN 0.6180339887498949
enum { HELD_VALUES = 128, HELD_SECTIONS = 64 };

/* the branches that are left where the held joint has a value; none where that cannot be */
static void find_held(lb_ik *ik, const ik_search_problem *problem, double value, ik_branches *b)
{
    if (!closed_finder_hold(&ik->finder, value)) {
        *b = (ik_branches){.solve = 0};
        for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
            b->found.margin[i] = -INFINITY;
        return;
    }
    const lb_transform target = lb_transform_multiply(problem->model_targets, &ik->finder.tool);
    ik_branches_find(ik, &target, problem->model_start, b);
}

/* by how much a branch breaks limits, or has no root: angles go with the root of a discriminant */
static double breach(const ik_branches *b, int i)
{
    return b->found.beyond[i] + b->found.lacking[i] + sqrt(scalar_max(0, -b->found.margin[i]));
}

/* a branch, brought inside its limits, that is confirmed with the held joint at a value; where the
   nearest is wanted, that one */
static bool confirm_held(lb_ik *ik, const ik_search_problem *problem, double value, ik_branches *b,
                         lb_ik_result *result)
{
    const int joint = closed_held_joint(&ik->finder)->q;
    lb_ik_result at = {.outcome = LB_REACHED, .tries = result->tries};
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
        if (breach(b, i) <= CLOSED_BESIDE)
            b->found.worst[i] = -1;
    for (int i = ik_branches_next(ik, b, true); i >= 0; i = ik_branches_next(ik, b, true)) {
        ik_branches_place(ik, problem, b, i);
        ik->trial[joint] = value;
        ik_measure(ik, problem, &at);
        if (ik_is_reached(ik, &at)) {
            *result = at;
            return true;
        }
        b->tried |= 1u << i;
    }
    return false;
}

/* the least breach of a branch with the held joint between two values, by golden sections: of large
   values the last ones are a single number */
static bool confirm_between(lb_ik *ik, const ik_search_problem *problem, int branch, double low,
                            double high, lb_ik_result *result)
{
    ik_branches left, right;
    double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    find_held(ik, problem, a, &left);
    find_held(ik, problem, b, &right);
    double least = 0;
    for (int n = 0;
         n < HELD_SECTIONS && high - low > SAME_VALUE && least <= STEEPEST * sqrt(high - low);
         n++) {
        if (breach(&left, branch) <= breach(&right, branch)) {
            high = b;
            b = a;
            right = left;
            a = high - GOLDEN * (high - low);
            find_held(ik, problem, a, &left);
        } else {
            low = a;
            a = b;
            left = right;
            b = low + GOLDEN * (high - low);
            find_held(ik, problem, b, &right);
        }
        least = scalar_min(breach(&left, branch), breach(&right, branch));
    }
    return confirm_held(ik, problem, a, &left, result) ||
           confirm_held(ik, problem, b, &right, result);
}

/* looks between the last three values, the latest of which has the branches `b`; NULL: it is beyond
   the end */
static bool confirm_around(lb_ik *ik, const ik_search_problem *problem, double value, double step,
                           const ik_branches *b, double last[2][KERNEL_CLOSED_BRANCHES],
                           lb_ik_result *result)
{
    const closed_joint *joint = closed_held_joint(&ik->finder);
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++) {
        const double now = b ? breach(b, i) : INFINITY, middle = last[1][i];
        if (middle <= NARROW && middle <= last[0][i] && middle <= now &&
            confirm_between(ik, problem, i, scalar_max(value - 2 * step, joint->lower),
                            scalar_min(value, joint->upper), result))
            return true;
        last[0][i] = middle;
        last[1][i] = now;
    }
    return false;
}

/* ---- intervals ------------------------------------------------------------------ */

/* looked at, after which what is left stays undecided: a tenth of what further tries cost */
enum { HELD_INTERVALS = 96, HELD_DEPTH = 16 };

/* what the branches at the middle of an interval of the held joint prove for all of it: from there
   the joint moves the target by no more than its turn, and its lever times that */
static lb_reason prove_about(const lb_ik *ik, const ik_search_problem *problem,
                             const ik_branches *b, double half)
{
    const closed_finder *f = &ik->finder;
    const closed_arm *arm = &f->chain.arm;
    const lb_transform target = lb_transform_multiply(problem->model_targets, &f->tool);
    const lb_vec3 from = lb_vec3_sub(f->completion.arm.home.p, arm->point[f->held]);
    const double lever = lb_vec3_length(lb_vec3_cross(arm->axis[f->held], from));
    closed_slack slack = f->slack;
    slack.position += slack.rotation * lb_vec3_length(f->tool.p) + half * lever;
    slack.rotation += half;
    return closed_form_proof(f, &b->found, &f->form, &f->snap, &target, slack);
}

ik_complete_result ik_held_decide(lb_ik *ik, const ik_search_problem *problem)
{
    ik_complete_result result = {.solution = {.outcome = LB_REACHED, .tries = 1}};
    if (!ik->redundant || !ik->finder.held_last || closed_held_joint(&ik->finder)->is_length ||
        !closed_chain_fits(&ik->finder.chain, problem->model_start))
        return result;
    const closed_joint *joint = closed_held_joint(&ik->finder);
    const bool whole = joint->upper - joint->lower >= 2 * LB_PI;
    double middle[HELD_DEPTH] = {0.5 * (joint->lower + joint->upper)};
    double half[HELD_DEPTH] = {whole ? LB_PI : 0.5 * (joint->upper - joint->lower)};
    if (whole)
        middle[0] = 0;
    lb_reason proof = whole ? LB_REASON_REACH : LB_REASON_LIMITS;
    int open = 1;
    for (int n = 0; open > 0; n++) {
        ik_branches b;
        const double at = middle[open - 1], wide = half[open - 1];
        if (n == HELD_INTERVALS || open == HELD_DEPTH)
            return result;
        find_held(ik, problem, at, &b);
        const lb_reason reason = prove_about(ik, problem, &b, wide);
        if (reason != LB_REASON_NONE) {
            proof = reason == LB_REASON_LIMITS ? reason : proof;
            open--;
            continue;
        }
        result.found = confirm_held(ik, problem, at, &b, &result.solution);
        if (result.found)
            return result;
        // the halves, the lower one first
        middle[open - 1] = at + 0.5 * wide;
        middle[open] = at - 0.5 * wide;
        half[open - 1] = half[open] = 0.5 * wide;
        open++;
    }
    result.proof = proof;
    return result;
}

bool ik_held_search(lb_ik *ik, const ik_search *s, lb_ik_result *result)
{
    if (!ik->redundant || s->found.proof != LB_REASON_NONE ||
        !(result->position_error < NEAR_MISS * ik->finder.size) ||
        !(result->rotation_error < NEAR_MISS) ||
        !closed_chain_fits(&ik->finder.chain, s->problem.model_start))
        return false;
    const closed_joint *joint = closed_held_joint(&ik->finder);
    const double middle = ik->trial[joint->q], most = joint->is_length ? ik->finder.size : LB_PI;
    const bool whole = joint->upper - joint->lower <= 2 * most;
    const double low = whole ? joint->lower : scalar_max(joint->lower, middle - most);
    const double high = whole ? joint->upper : scalar_min(joint->upper, middle + most);
    const double step = (high - low) / HELD_VALUES;
    double last[2][KERNEL_CLOSED_BRANCHES];
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
        last[0][i] = last[1][i] = INFINITY;
    for (int k = 0; k <= HELD_VALUES; k++) {
        const double value = low + step * k;
        ik_branches b;
        find_held(ik, &s->problem, value, &b);
        if (confirm_held(ik, &s->problem, value, &b, result) ||
            confirm_around(ik, &s->problem, value, step, &b, last, result))
            return true;
    }
    return confirm_around(ik, &s->problem, low + step * (HELD_VALUES + 1), step, NULL, last,
                          result);
}
