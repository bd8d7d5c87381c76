/*
 * schedule.c - how many tries a search has, in which levels, and how many iterations each may take.
 *
 * Budgets are small at first, because a descent that does not converge soon hardly ever does, and
 * larger after many have failed: tries come in levels, each level doubles the budgets, up to a
 * limit, and its last try goes on from the closest of the others for as long as the error falls.
 */
#include "ik/search/starts.h"

#include "ik/solver.h"

enum {
    LEVEL_TRIES = 17,
    LEVEL_TRIES_UNREACHABLE = 4, /* of the only level when the target is out of reach */
    LEVEL_DOUBLINGS = 4,
};

/* whether its start counts: of so many joints, drawn ones are worth less than a longer descent */
static bool prefers_start(const lb_ik *ik)
{
    return ik->options.protocol == LB_PROTOCOL_NEAREST ||
           ik->reduction.problem.tree.count > SEED_LONGEST;
}

bool ik_schedule_exhausts(const lb_ik *ik, const ik_search *s, int attempt)
{
    return attempt == 0 && s->tries.level_size > 1 && prefers_start(ik) &&
           ik->options.iterations == 0 && ik_iteration_by_kernel(&ik->iteration) &&
           s->found.proof == LB_REASON_NONE;
}

static int try_budget(const lb_ik *ik, const ik_search *s, int attempt)
{
    int budget = ik->method->iterations;
    if (ik->options.protocol == LB_PROTOCOL_GIVEN && ik->options.iterations > 0)
        return ik->options.iterations;
    if (s->tries.level_size == 1 || ik_schedule_ends_level(s, attempt) ||
        ik_schedule_exhausts(ik, s, attempt))
        return IK_LONG_BUDGET * budget;
    int level = ik_schedule_level(s, attempt);
    return budget << (level < LEVEL_DOUBLINGS ? level : LEVEL_DOUBLINGS);
}

/* how many tries there may be, whatever the iterations */
static int max_tries(const lb_ik *ik, const ik_search *s)
{
    if (ik->options.protocol == LB_PROTOCOL_GIVEN)
        return 1;
    if (s->found.proof != LB_REASON_NONE && ik->method->levels > 0)
        return s->tries.level_size;
    if (ik->options.iterations > 0)
        return IK_MAX_TRIES;
    return ik->method->levels > 0 ? ik->method->levels * s->tries.level_size : 1;
}

void ik_schedule_plan(const lb_ik *ik, ik_search *s)
{
    bool given = ik->options.protocol == LB_PROTOCOL_GIVEN;
    if (!given && s->found.proof != LB_REASON_NONE)
        s->tries.level_size = LEVEL_TRIES_UNREACHABLE;
    else
        s->tries.level_size = given ? 1 : LEVEL_TRIES;
    int most = max_tries(ik, s), budget = ik->options.iterations;
    s->tries.allowed = budget > 0 ? 0 : most;
    while (s->tries.allowed < most && budget > 0)
        budget -= try_budget(ik, s, s->tries.allowed++);
    s->tries.budget_shortfall = budget < 0 ? -budget : 0;
}

int ik_schedule_budget(const lb_ik *ik, const ik_search *s, int attempt)
{
    return try_budget(ik, s, attempt) -
           (attempt == s->tries.allowed - 1 ? s->tries.budget_shortfall : 0);
}
