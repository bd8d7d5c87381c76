/*
 * held.c - solutions of an arm of seven joints between its limits, where a search has found none.
 *
 * With one joint held the others have a closed form. By how much each of its branches breaks the
 * limits is a function of the held joint, and where that is zero there is a solution. Limits can
 * leave a way of some thousandths of a radian, or a single value: so its least values are looked
 * for by golden sections, between values at which it is smaller than at those beside them.
 */
#include "ik/search/exact.h"

#include "ik/closed/finder.h"
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
enum { HELD_VALUES = 128 };

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

/* the least breach of a branch with the held joint between two values, by golden sections */
static bool confirm_between(lb_ik *ik, const ik_search_problem *problem, int branch, double low,
                            double high, lb_ik_result *result)
{
    ik_branches left, right;
    double a = high - GOLDEN * (high - low), b = low + GOLDEN * (high - low);
    find_held(ik, problem, a, &left);
    find_held(ik, problem, b, &right);
    double least = 0;
    while (high - low > SAME_VALUE && least <= STEEPEST * sqrt(high - low)) {
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
