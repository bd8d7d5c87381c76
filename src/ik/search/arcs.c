/*
 * arcs.c - the nearest of all arcs of an arm of seven joints, where the first descent from the
 * start has not surely found it.
 */
#include "ik/search/exact.h"

#include "base/memory.h"
#include "ik/closed/motion.h"
#include "math/scalar.h"

#include <string.h>

/* of the spacing between values of a span that is singular all along, to a thousandth of a radian:
   the square of the distance is smooth there */
enum { ALONG_HALVINGS = 10 };

/* The arm, and the pose that is being looked at. */
struct ik_arcs {
    slice_arm arm;
    motion motion;
};

bool ik_arcs_create(lb_ik *ik)
{
    slice_arm arm;
    if (!ik->redundant && !ik->swivels)
        return true;
    if (ik->options.protocol != LB_PROTOCOL_NEAREST || !slice_recognise(&ik->finder.chain, &arm))
        return true;
    ik->arcs = memory_take(&ik->allocator, 1, sizeof *ik->arcs);
    if (ik->arcs)
        ik->arcs->arm = arm;
    return ik->arcs != NULL;
}

/* whether the configuration in m->q, as ik->trial, is a solution */
static bool confirm(lb_ik *ik, const ik_search_problem *problem, const motion *m,
                    lb_ik_result *result)
{
    const closed_chain *chain = &ik->finder.chain;
    memcpy(ik->trial, problem->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
    for (int k = 0; k < MOTION_JOINTS; k++)
        ik->trial[chain->joints[k].q] = m->q[k];
    ik_measure(ik, problem, result);
    return ik_is_reached(ik, result);
}

/* ---- singular values -------------------------------------------------------- */

/* takes what a value of the held joint leaves open in place of m->q, where it is nearer */
static bool take_family(lb_ik *ik, const ik_search_problem *problem, double value, motion *m)
{
    const closed_joint *held = closed_held_joint(&ik->finder);
    const double start = problem->model_start[held->q];
    const double turned =
        scalar_clamp(closed_choose_turn(held, value, start, 0), held->lower, held->upper);
    const double own = (turned - start) / held->unit, square = m->least * m->least - own * own;
    lb_ik_result result;
    if (!(square > 0) || !closed_finder_hold(&ik->finder, turned))
        return false;
    const lb_transform target = lb_transform_multiply(problem->model_targets, &ik->finder.tool);
    if (!ik_exact_member(ik, problem, &target, square, &result))
        return false;
    double sum = 0;
    for (int k = 0; k < MOTION_JOINTS; k++) {
        const closed_joint *joint = &ik->finder.chain.joints[k];
        const double d = (ik->trial[joint->q] - m->start[k]) / joint->unit;
        m->q[k] = ik->trial[joint->q];
        sum += d * d;
    }
    m->least = sqrt(sum);
    return true;
}

/* the nearest on a span that is singular all along, from the nearest of some values of it on */
static void approach(lb_ik *ik, const ik_search_problem *problem, const motion_single *single,
                     motion *m)
{
    double value = single->value, half = single->spacing;
    for (int i = 0; i < ALONG_HALVINGS; i++, half *= 0.5)
        if (take_family(ik, problem, value - half, m))
            value -= half;
        else if (take_family(ik, problem, value + half, m))
            value += half;
}

/* the nearest of what cells have ended at, where it is nearer than m->q */
static bool take_families(lb_ik *ik, const ik_search_problem *problem, motion *m)
{
    const motion_single *best = NULL;
    for (int i = 0; i < m->single_count; i++) {
        const motion_single *single = &m->singles[i];
        if (single->bound < m->least &&
            take_family(ik, problem, motion_singular_value(m, single), m))
            best = single;
    }
    if (best && best->spacing > 0)
        approach(ik, problem, best, m);
    return best;
}

ik_complete_result ik_arcs_find(lb_ik *ik, const ik_search_problem *problem, double bound)
{
    ik_complete_result result = {.solution = {.outcome = LB_REACHED, .tries = 1}};
    const closed_chain *chain = &ik->finder.chain;
    motion *m = &ik->arcs->motion;
    double start[MOTION_JOINTS];
    if (!closed_chain_fits(chain, problem->model_start))
        return result;
    for (int k = 0; k < MOTION_JOINTS; k++)
        start[k] = problem->model_start[chain->joints[k].q];
    const bool nearer =
        motion_nearest(m, &ik->arcs->arm, ik->ops, problem->model_targets, start, bound);
    result.found = nearer && confirm(ik, problem, m, &result.solution);
    // families are known where the closed form holds the same joint
    const bool known = closed_held_joint(&ik->finder) == &chain->joints[m->arm->held];
    result.all = !m->cut && result.found == nearer && (known || m->single_count == 0);
    if (nearer && !result.found)
        m->least = bound;
    if (known && take_families(ik, problem, m))
        result.found = confirm(ik, problem, m, &result.solution);
    else if (m->single_count > 0 && result.found)
        (void)confirm(ik, problem, m, &result.solution);
    return result;
}
