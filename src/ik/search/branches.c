/* branches.c - the branches of an arm with a closed form, as configurations of the model. */
#include "ik/search/exact.h"

#include "ik/closed/family.h"
#include "math/scalar.h"

#include <string.h>

/* of the tolerances, by which members of families may miss the target; the rest is for rounding and
   for misses that add up */
#define FAMILY_SHARE 0.8

void ik_branches_take(ik_branches *b)
{
    b->solve = b->tried = 0;
    b->doubt = b->measured = false;
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
        b->solve |= (unsigned)kernel_closed_solves(&b->found, i) << i;
}

void ik_branches_find(lb_ik *ik, const lb_transform *target, const double *start, ik_branches *b)
{
    double full[KERNEL_CLOSED_JOINTS];
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        full[i] = ik->finder.columns[i] < 0 ? 0 : start[ik->finder.columns[i]];
    ik->ops->closed_one(&ik->finder.form, &ik->ranges, target, full, &b->found);
    ik_branches_take(b);
}

int ik_branches_next(const lb_ik *ik, const ik_branches *b, bool nearest)
{
    const int *order = kernel_closed_order(&ik->finder.form);
    double least = INFINITY;
    int best = -1;
    for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++) {
        int i = order[k];
        bool inside = (b->solve >> i & 1) != 0 && b->found.worst[i] < 0;
        double rank = nearest ? b->found.square[i] : !inside;
        if ((b->tried >> i & 1) == 0 && (inside || kernel_closed_nearly(&b->found, i)) &&
            rank < least) {
            best = i;
            least = rank;
        }
    }
    return best;
}

bool ik_branches_turn(const lb_ik *ik, const double *start, ik_branches *b, int branch)
{
    const kernel_ranges *r = &ik->ranges;
    kernel_solutions *f = &b->found;
    bool turned = false;
    f->square[branch] = f->beyond[branch] = 0;
    f->worst[branch] = -1;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        double *q = &f->q[i][branch];
        if (r->vanishes[i])
            continue;
        double out = scalar_max(*q - r->upper[i], r->lower[i] - *q);
        double other = *q + (*q > r->upper[i] ? -2 : 2) * LB_PI;
        if (out > CLOSED_LIMIT_TOLERANCE && !r->is_length[i] && other >= r->lower[i] &&
            other <= r->upper[i]) {
            *q = other;
            turned = true;
        } else if (out > CLOSED_LIMIT_TOLERANCE && out > f->beyond[branch]) {
            f->beyond[branch] = out;
            f->worst[branch] = i;
        }
        double d = *q - (ik->finder.columns[i] < 0 ? 0 : start[ik->finder.columns[i]]);
        f->square[branch] += d * d * r->weight[i] * r->weight[i];
    }
    return turned;
}

double ik_branches_value(const lb_ik *ik, const ik_branches *b, int i, int branch)
{
    return kernel_inside(&ik->finder.ranges, i, b->found.q[i][branch]);
}

void ik_branches_place(lb_ik *ik, const ik_search_problem *problem, const ik_branches *b,
                       int branch)
{
    double q[KERNEL_CLOSED_JOINTS];
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        q[i] = b->found.q[i][branch];
    ik_exact_place(ik, problem, q);
}

void ik_exact_place(lb_ik *ik, const ik_search_problem *problem, const double *q)
{
    memcpy(ik->trial, problem->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        if (ik->finder.columns[i] >= 0)
            ik->trial[ik->finder.columns[i]] = kernel_inside(&ik->finder.ranges, i, q[i]);
}

void ik_measure(lb_ik *ik, const ik_search_problem *problem, lb_ik_result *result)
{
    ik_verifier_errors(&ik->verifier, ik->trial, problem->model_targets, &result->position_error,
                       &result->rotation_error);
}

bool ik_is_reached(const lb_ik *ik, const lb_ik_result *result)
{
    return result->position_error <= ik->options.position_tolerance &&
           result->rotation_error <= ik->options.rotation_tolerance;
}

/* ---- families ------------------------------------------------------------------- */

/* the member that is nearest inside the limits, and nearer than so much; -1: none is */
static int nearest_member(const family_member *members, int count, double square)
{
    int best = -1;
    for (int i = 0; i < count; i++)
        if (members[i].beyond == 0 &&
            members[i].square < (best < 0 ? square : members[best].square))
            best = i;
    return best;
}

bool ik_exact_member(lb_ik *ik, const ik_search_problem *problem, const lb_transform *target,
                     double square, lb_ik_result *result)
{
    const int held = ik->redundant ? closed_held_joint(&ik->finder)->q : -1;
    family_member members[FAMILY_MEMBERS];
    family_problem p = {.finder = &ik->finder,
                        .ops = ik->ops,
                        .target = target,
                        .position = FAMILY_SHARE * ik->options.position_tolerance,
                        .rotation = FAMILY_SHARE * ik->options.rotation_tolerance,
                        .bound = square};
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        p.start[i] = ik->finder.columns[i] < 0 ? 0 : problem->model_start[ik->finder.columns[i]];
    const int count = square > 0 ? family_find(&p, false, members) : 0;
    for (int i = nearest_member(members, count, square); i >= 0;
         i = nearest_member(members, count, square)) {
        ik_exact_place(ik, problem, members[i].q);
        if (held >= 0)
            ik->trial[held] = ik->finder.value;
        *result = (lb_ik_result){.outcome = LB_REACHED, .tries = 1};
        ik_measure(ik, problem, result);
        if (ik_is_reached(ik, result))
            return true;
        members[i].square = INFINITY;
    }
    return false;
}
