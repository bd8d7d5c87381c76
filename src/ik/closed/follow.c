/*
 * follow.c - a family followed from a member outside the limits until one is inside.
 *
 * Steps along the direction in which the arm can move without the tool, each taken back to the
 * target by Newton's method. Where a joint comes near its limit it is held there: the member that
 * has it there may be the only one inside, as in a corner of the limits.
 */
#include "ik/closed/finder.h"
#include "ik/closed/newton.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

/* of the joint that goes farthest, in radians and shares of the size; so many make half a turn and
   more */
#define FOLLOW_STEP 0.1
enum { FOLLOW_STEPS = 64, HELD_LOOKS = 3 };
/* a joint that is this near its limit may be held there */
#define NEAR_LIMIT 0.25
/* a member misses its target by less, in radians and shares of the size */
#define FOLLOW_MISS 1e-10

/* makes a direction one whose largest part is `most`, in radians and shares of the size */
static void scale_way(const closed_arm *arm, double size, double most, double *way)
{
    double largest = 0;
    for (int i = 0; i < arm->joints; i++)
        largest = scalar_max(largest, fabs(way[i]) / (arm->is_length[i] ? size : 1));
    for (int i = 0; i < arm->joints; i++)
        way[i] *= largest > 0 ? most / largest : 0;
}

/* the direction that moves the tool least */
static bool find_way(const closed_arm *arm, const double *q, double size, double *way)
{
    double jacobian[6 * CLOSED_ARM_JOINTS], left[36], values[6], right[6 * CLOSED_ARM_JOINTS];
    lb_transform tip;
    closed_jacobian(arm, q, &tip, jacobian);
    for (int r = 0; r < 6; r++)
        for (int i = 0; i < arm->joints; i++)
            jacobian[r * arm->joints + i] *=
                (r < 3 ? 1 / size : 1) * (arm->is_length[i] ? size : 1);
    if (!dense_svd(6, arm->joints, jacobian, left, values, right))
        return false;
    for (int i = 0; i < arm->joints; i++)
        way[i] = right[arm->joints * (arm->joints - 1) + i] * (arm->is_length[i] ? size : 1);
    return true;
}

/* the solution that is where the arm is */
static void choose_there(const closed_finder *finder, const double *start, closed_solution *s)
{
    closed_from_arm(&finder->chain, s->arm_q, start, s->choice.q);
    closed_choose(&finder->chain, s->choice.q, start, 0, &s->choice);
}

static bool is_there(const closed_finder *finder, double miss)
{
    return miss <= FOLLOW_MISS * (1 + finder->size);
}

/* whether a member beside s, that has the joint at its limit that breaks it most, is inside */
static bool hold_at_limits(const closed_finder *finder, const lb_transform *target,
                           const double *start, closed_solution *s)
{
    const closed_chain *chain = &finder->chain;
    closed_solution at = *s;
    for (int n = 0; n < HELD_LOOKS && at.choice.beyond < NEAR_LIMIT; n++) {
        const int worst = at.choice.worst, place = chain->joints[worst].place;
        for (int i = 0; i < chain->count; i++)
            if (chain->joints[i].place >= 0)
                at.arm_q[chain->joints[i].place] = at.choice.q[i];
        at.arm_q[place] = scalar_clamp(at.choice.q[worst], chain->joints[worst].lower,
                                       chain->joints[worst].upper);
        if (!is_there(finder, closed_newton_held(&chain->arm, target, 8, 1u << place, at.arm_q)))
            return false;
        choose_there(finder, start, &at);
        if (at.choice.worst < 0 || closed_bring_inside(chain, target, start, &at)) {
            *s = at;
            return true;
        }
        if (at.choice.worst == worst)
            return false;
    }
    return false;
}

bool closed_follow(const closed_finder *finder, const lb_transform *target, const double *start,
                   closed_solution *s)
{
    const closed_arm *arm = &finder->chain.arm;
    double first[CLOSED_ARM_JOINTS];
    if (finder->held >= 0 || arm->joints > 6 || !find_way(arm, s->arm_q, finder->size, first))
        return false;
    for (int side = -1; side <= 1; side += 2) {
        double way[CLOSED_ARM_JOINTS];
        closed_solution at = *s;
        memcpy(way, first, sizeof way);
        for (int n = 0; n < FOLLOW_STEPS; n++) {
            // on from the last step
            scale_way(arm, finder->size, n == 0 ? side * FOLLOW_STEP : FOLLOW_STEP, way);
            for (int i = 0; i < arm->joints; i++) {
                const double before = at.arm_q[i];
                at.arm_q[i] += way[i];
                way[i] = before;
            }
            if (!is_there(finder, closed_newton(arm, target, 8, at.arm_q)))
                break;
            for (int i = 0; i < arm->joints; i++)
                way[i] = at.arm_q[i] - way[i];
            choose_there(finder, start, &at);
            if (at.choice.worst < 0 || hold_at_limits(finder, target, start, &at)) {
                *s = at;
                return true;
            }
        }
    }
    return false;
}
