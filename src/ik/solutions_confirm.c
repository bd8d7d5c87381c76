/* solutions_confirm.c - the solutions of a set by the model's own forward kinematics, and inside
   the limits that they break by rounding. */
#include "ik/solutions.h"

#include <string.h>

/* solutions whose joints differ by less, in radians or metres, are one */
#define SAME_SOLUTION 1e-6

/* families that are followed: those of one target are mostly the same */
enum { FOLLOWED = 8 };

/* the errors of one solution by the model's own forward kinematics */
static void place(lb_solutions_solver *s, const solutions_problem *problem, closed_solution *found)
{
    memcpy(s->row, problem->start, sizeof(double) * (size_t)lb_model_nq(s->model));
    for (int i = 0; i < s->finder.chain.count; i++)
        s->row[s->finder.chain.joints[i].q] = found->choice.q[i];
    ik_verifier_errors(&s->verifier, s->row, problem->target, &found->position, &found->rotation);
}

/* the same after Newton's method */
static bool polish(lb_solutions_solver *s, const solutions_problem *problem, closed_solution *found)
{
    closed_polish(&s->finder, problem->target, problem->from, found);
    place(s, problem, found);
    return found->position <= CLOSED_CONFIRMED && found->rotation <= CLOSED_CONFIRMED;
}

/* up to KERNEL_CLOSED_BRANCHES solutions side by side, as the verifier reads them */
static void fill_columns(lb_solutions_solver *s, const closed_solution *found, int count,
                         const double *start)
{
    for (int i = 0; i < s->verifier.kernel.tree.nq; i++) {
        double *column = s->columns + KERNEL_CLOSED_BRANCHES * i;
        int joint = s->chain_of[i];
        for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++)
            column[k] = joint < 0 ? start[s->verifier.kernel.model_q[i]]
                                  : found[k < count ? k : 0].choice.q[joint];
    }
}

/* confirms the solutions of the set, a lane's worth at once, and drops those that are none */
static void confirm_set(lb_solutions_solver *s, const solutions_problem *problem)
{
    double position[CLOSED_SOLUTIONS], rotation[CLOSED_SOLUTIONS];
    int count = s->set.count, kept = 0;
    for (int i = 0; i < count; i += KERNEL_CLOSED_BRANCHES) {
        fill_columns(s, s->set.solutions + i, count - i, problem->start);
        s->ops->verify_columns(&s->verifier.kernel, s->columns, problem->target, s->scratch,
                               position + i, rotation + i);
    }
    for (int i = 0; i < count; i++) {
        closed_solution *found = &s->set.solutions[i];
        found->position = position[i];
        found->rotation = rotation[i];
        bool fine =
            position[i] <= CLOSED_ROUNDING * (1 + s->finder.size) && rotation[i] <= CLOSED_ROUNDING;
        if (!fine && !polish(s, problem, found))
            continue;
        if (kept < i)
            s->set.solutions[kept] = *found;
        kept++;
    }
    // what is dropped may have been lost by rounding
    s->set.certified &= kept == count;
    s->set.complete &= kept == count;
    s->set.count = kept;
}

/* whether a solution is where another one is, of those that keep the limits: bits */
static bool is_another(const lb_solutions_solver *s, unsigned kept, const closed_solution *inside)
{
    bool same = false;
    for (int i = 0; i < s->set.count && !same; i++) {
        const closed_solution *other = &s->set.solutions[i];
        same = (kept >> i & 1) != 0;
        for (int k = 0; k < s->finder.chain.count && same; k++)
            same = fabs(other->choice.q[k] - inside->choice.q[k]) <= SAME_SOLUTION;
    }
    return same;
}

/* whether rounding may have moved a solution by its root; of others the turn is known */
static bool may_be_double(const lb_solutions_solver *s, const solutions_problem *problem,
                          const closed_solution *found)
{
    static const double start[KERNEL_CLOSED_JOINTS] = {0};
    const closed_finder *f = &s->finder;
    kernel_solutions branches;
    if (f->held >= 0 || !closed_has_form(f))
        return true;
    s->ops->closed_one(&f->form, &f->ranges, problem->target, start, &branches);
    return branches.margin[found->branch] < CLOSED_MAY_BE_DOUBLE;
}

/* takes a solution that hardly breaks its limits inside of them, where it is confirmed there, but
   for what joints that count as idle move the tool; and so the turn that is nearest to the start */
static bool bring_inside(lb_solutions_solver *s, const solutions_problem *problem, unsigned kept,
                         closed_solution *found)
{
    const closed_slack slack = s->finder.slack;
    closed_solution inside = *found;
    // a turn that is nearer may be beyond them by the rounding of a double root
    if (found->choice.worst < 0)
        closed_choose(&s->finder.chain, found->choice.q, problem->from, CLOSED_BESIDE,
                      &inside.choice);
    if (inside.choice.worst < 0 ||
        !closed_bring_inside(&s->finder.chain, problem->target, problem->from, &inside))
        return false;
    if (found->choice.worst < 0 && !may_be_double(s, problem, found))
        return false;
    place(s, problem, &inside);
    // beside a stretched elbow that may lead to its other root
    if (!(inside.position <= slack.position && inside.rotation <= slack.rotation) ||
        is_another(s, kept, &inside))
        return false;
    *found = inside;
    return true;
}

void ik_solutions_confirm(lb_solutions_solver *s, const solutions_problem *problem)
{
    unsigned kept = 0;
    confirm_set(s, problem);
    for (int i = 0; i < s->set.count; i++)
        kept |= (unsigned)(s->set.solutions[i].choice.worst < 0) << i;
    for (int i = 0; i < s->set.count; i++)
        kept |= (unsigned)bring_inside(s, problem, kept, &s->set.solutions[i]) << i;
}

void ik_solutions_follow(lb_solutions_solver *s, const solutions_problem *problem)
{
    bool inside = false;
    for (int i = 0; i < s->set.count; i++)
        inside = inside || s->set.solutions[i].choice.worst < 0;
    for (int i = 0, followed = 0; i < s->set.count && followed < FOLLOWED && !inside; i++) {
        closed_solution at = s->set.solutions[i];
        if (at.open == 0)
            continue;
        followed++;
        if (!closed_follow(&s->finder, problem->target, problem->from, &at))
            continue;
        place(s, problem, &at);
        inside =
            at.position <= CLOSED_ROUNDING * (1 + s->finder.size) && at.rotation <= CLOSED_ROUNDING;
        if (inside)
            s->set.solutions[i] = at;
    }
}
