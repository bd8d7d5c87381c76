/* limits.c - solutions at the limits of joints, and the values that a held joint is tried at. */

#include "ik/closed/finder.h"
#include "math/scalar.h"

/* brings values that break their limits, by more than counts as kept, inside of them, and notes
   which did; the most */
static double clamp_joints(const closed_chain *chain, closed_solution *s, unsigned *held)
{
    double most = 0;
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        double inside = scalar_clamp(s->choice.q[i], joint->lower, joint->upper);
        double out = fabs(s->choice.q[i] - inside);
        if (joint->place < 0 || out <= CLOSED_LIMIT_TOLERANCE)
            continue;
        most = scalar_max(most, out);
        s->choice.q[i] = s->arm_q[joint->place] = inside;
        *held |= 1u << joint->place;
    }
    return most;
}

bool closed_bring_inside(const closed_chain *chain, const lb_transform *target, const double *start,
                         closed_solution *s)
{
    unsigned held = 0;
    if (s->choice.worst >= 0 && !(s->choice.beyond <= CLOSED_BESIDE))
        return false;
    for (int i = 0; i < chain->count; i++)
        if (chain->joints[i].place >= 0)
            s->arm_q[chain->joints[i].place] = s->choice.q[i];
    for (int look = 0; look < 3; look++) {
        const double most = clamp_joints(chain, s, &held);
        if (!(most <= CLOSED_BESIDE) || (look == 0 && most == 0))
            return false;
        if (most == 0)
            break;
        (void)closed_newton_held(&chain->arm, target, 8, held, s->arm_q);
        closed_from_arm(chain, s->arm_q, start, s->choice.q);
        // what moved over a limit may be inside on another turn
        closed_choose(chain, s->choice.q, start, 0, &s->choice);
    }
    return s->choice.worst < 0;
}

/* where the arm is beside its target, of a slide that is the first joint; else where it is */
static double slide_middle(const closed_finder *finder, const lb_transform *target, double first)
{
    const closed_arm *arm = &finder->chain.arm;
    return finder->held > 0 ? first
                            : lb_vec3_dot(arm->axis[0], lb_vec3_sub(target->p, arm->point[1]));
}

double closed_held_value(const closed_finder *finder, const lb_transform *target,
                         const double *start, int k, int count)
{
    const closed_joint *joint = closed_held_joint(finder);
    double part = (double)k / count;
    if (!joint)
        return lb_wrap_angle(2 * LB_PI * part);
    double first = start[joint - finder->chain.joints];
    // more than a turn of an angle is no more than a turn
    if (!joint->is_length && joint->upper - joint->lower >= 2 * LB_PI)
        return lb_wrap_angle(first + 2 * LB_PI * part);
    double lower = joint->lower, upper = joint->upper;
    if (joint->is_length) {
        double middle = slide_middle(finder, target, first);
        lower = scalar_clamp(middle - finder->size, joint->lower, joint->upper);
        upper = scalar_clamp(middle + finder->size, joint->lower, joint->upper);
    }
    double value = scalar_clamp(first, lower, upper) + (upper - lower) * part;
    return value > upper ? value - (upper - lower) : value;
}
