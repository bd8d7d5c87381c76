/* complete.c - the complete set of solutions of an arm that has no closed form. */
#include "ik/search/exact.h"

#include "ik/closed/newton.h"
#include "ik/iteration.h"
#include "math/scalar.h"

#include <string.h>

/* what is found of all solutions; false: the arm has another class */
static bool list(const lb_ik *ik, const lb_transform *target, const double *q, closed_set *set)
{
    const closed_chain *chain = &ik->finder.chain;
    double start[CLOSED_ARM_JOINTS];
    if (!ik->complete || !closed_chain_fits(chain, q))
        return false;
    for (int i = 0; i < chain->count; i++)
        start[i] = q[chain->joints[i].q];
    closed_find(&ik->finder, ik->ops, target, start, NULL, set);
    return true;
}

bool ik_complete_list(const lb_ik *ik, const lb_transform *target, const double *q, closed_set *set)
{
    return list(ik, target, q, set) && set->expected;
}

/* Solutions on their turns inside the limits, and on the nearest ones, a little outside. */
typedef struct turned_set {
    closed_choice choices[2 * CLOSED_SOLUTIONS];
    bool tried[2 * CLOSED_SOLUTIONS];
    int count;
} turned_set;

static void turn_both(const closed_chain *chain, const closed_set *set, const double *model_start,
                      turned_set *all)
{
    double start[CLOSED_ARM_JOINTS];
    for (int i = 0; i < chain->count; i++)
        start[i] = model_start[chain->joints[i].q];
    all->count = 2 * set->count;
    for (int i = 0; i < set->count; i++) {
        closed_choice *both = &all->choices[2 * i];
        both[0] = set->solutions[i].choice;
        closed_choose(chain, both[0].q, start, CLOSED_BESIDE, &both[1]);
        all->tried[2 * i] = false;
        all->tried[2 * i + 1] = both[0].square == both[1].square;
    }
}

/* the nearest that has not been tried and may be inside the limits, -1: none */
static int nearest_untried(const turned_set *all)
{
    int best = -1;
    for (int i = 0; i < all->count; i++) {
        const closed_choice *c = &all->choices[i];
        if (!all->tried[i] && c->beyond <= CLOSED_BESIDE &&
            (best < 0 || c->square < all->choices[best].square))
            best = i;
    }
    return best;
}

/* a solution as the model's configuration, in ik->trial; whether it is confirmed */
static bool confirm(lb_ik *ik, const ik_search_problem *problem, const closed_choice *choice,
                    ik_complete_result *result)
{
    const closed_chain *chain = &ik->finder.chain;
    memcpy(ik->trial, problem->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        ik->trial[joint->q] = scalar_clamp(choice->q[i], joint->lower, joint->upper);
    }
    ik_measure(ik, problem, &result->solution);
    return ik_is_reached(ik, &result->solution);
}

/* beyond limits by this, radians or metres, no solution is brought inside by what tolerances leave
   open beside singular configurations */
#define CLEARLY_OUTSIDE 1e-2

/* whether a set is clearly all there is, and all of it is far from the limits */
static bool is_outside(const closed_set *set)
{
    bool outside = set->clear;
    for (int i = 0; i < set->count; i++) {
        const closed_solution *s = &set->solutions[i];
        outside =
            outside && s->choice.beyond > CLEARLY_OUTSIDE && s->multiplicity == 1 && s->open == 0;
    }
    return outside;
}

ik_complete_result ik_complete_find(lb_ik *ik, const ik_search_problem *problem,
                                    general_effort effort)
{
    ik_complete_result result = {.solution = {.outcome = LB_REACHED, .tries = 1}};
    closed_set set;
    turned_set both;
    bool inside = false;
    ik->finder.general.effort = effort;
    if (!list(ik, problem->model_targets, problem->model_start, &set))
        return result;
    turn_both(&ik->finder.chain, &set, problem->model_start, &both);
    for (int i = nearest_untried(&both); i >= 0 && !result.found; i = nearest_untried(&both)) {
        result.found = confirm(ik, problem, &both.choices[i], &result);
        inside = inside || both.choices[i].worst < 0;
        both.tried[i] = true;
    }
    result.all = set.expected;
    result.outside = is_outside(&set);
    if (!result.found && !inside)
        result.proof = set.proof;
    return result;
}

/* ---- from near by ------------------------------------------------------------ */

/* an error at the start, in radians and arm's lengths, above which no solution is near enough to be
   the nearest for sure */
#define NEAR_ERROR 0.02
/* An error changes by less than so much in a radian of the distance, where weights are 1: each of
   six joints turns the tool by its angle, and moves it by less than the arm's length times that; 2
   sqrt(6). Joints of less weight turn farther in it. */
#define ERROR_IN_A_RADIAN 5.0
/* Newton's method has to end as near as this: then the solution is known to a millionth of a radian
 */
#define NEAR_SOLVED 1e-9
/* iterations from so near: each squares the error */
enum { NEAR_ITERATIONS = 4 };
/* where solutions meet it does not; the result is asked for so many times */
enum { BESIDE_LOOKS = 5 };

/* the errors of ik->trial: position as a share of the arm, and rotation */
static double measure(lb_ik *ik, const ik_search_problem *problem, ik_complete_result *result)
{
    ik_measure(ik, problem, &result->solution);
    return result->solution.position_error / ik->finder.size + result->solution.rotation_error;
}

/* Whether the solution in ik->trial is nearer to the start than every other one: the start is
   nearer to it than half of what separates solutions. */
static bool is_nearest(const lb_ik *ik, const ik_search_problem *problem)
{
    const closed_chain *chain = &ik->finder.chain;
    double square = 0, q[CLOSED_ARM_JOINTS];
    for (int i = 0; i < chain->count; i++) {
        int k = chain->joints[i].q;
        square +=
            (ik->trial[k] - problem->model_start[k]) * (ik->trial[k] - problem->model_start[k]);
        q[chain->joints[i].place] = ik->trial[k];
    }
    return 2 * sqrt(square) < closed_apart(&chain->arm, q, ik->finder.size);
}

/* ik->trial is the start, the search's tries begin there; whether its error is less than this */
static bool begin_near(lb_ik *ik, ik_search *s, double most, ik_complete_result *result)
{
    memcpy(ik->trial, s->problem.model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    memcpy(s->tries.escape_start, s->problem.start,
           sizeof(double) * (size_t)ik->iteration.problem.tree.nq);
    return measure(ik, &s->problem, result) < most;
}

/* some steps on from there; ik->trial is where they lead, on the nearest turns; its error */
static double step_near(lb_ik *ik, ik_search *s, ik_complete_result *result)
{
    const ik_iteration *it = &ik->iteration;
    double share = KERNEL_DAMPING_SHARE;
    for (int i = 0; i < NEAR_ITERATIONS; i++)
        (void)ik->single->iterate(&it->problem, &ik->control, s->problem.targets,
                                  s->tries.escape_start, &share, it->scratch);
    ik_distance_unwind(ik, &s->problem, s->tries.escape_start);
    ik_scatter(&ik->reduction, s->tries.escape_start, ik->trial);
    return measure(ik, &s->problem, result);
}

ik_complete_result ik_complete_beside(lb_ik *ik, ik_search *s, double distance)
{
    ik_complete_result result = {.solution = {.outcome = LB_REACHED, .tries = 1}};
    if (!begin_near(ik, s, ERROR_IN_A_RADIAN * distance, &result))
        return result;
    for (int k = 0; k < BESIDE_LOOKS && !result.found; k++) {
        (void)step_near(ik, s, &result);
        result.found = ik_is_reached(ik, &result.solution);
    }
    return result;
}

ik_complete_result ik_complete_near(lb_ik *ik, ik_search *s)
{
    ik_complete_result result = {.all = true, .solution = {.outcome = LB_REACHED, .tries = 1}};
    // the arm's own joints alone, each of them a turn
    if (!ik->complete || ik->finder.chain.real != 6 || ik->finder.chain.count != 6 ||
        !begin_near(ik, s, NEAR_ERROR, &result))
        return result;
    result.found = step_near(ik, s, &result) < NEAR_SOLVED && ik_is_reached(ik, &result.solution) &&
                   is_nearest(ik, &s->problem);
    return result;
}
