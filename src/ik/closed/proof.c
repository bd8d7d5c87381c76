/* proof.c - what the solutions of a target prove where none keeps the limits. */
#include "ik/closed/proof.h"

#include "math/scalar.h"

/* beside a double root, of the wrist for instance, an angle is open to what the tolerance is over
   the root of the discriminant; here to a thousandth of a radian at the usual tolerances */
#define CLEAR_ROOT 1e2

/* a determinant whose greatest harmonic is 1 changes by some ten times what the target does, as a
   share of the arm: here by a hundred times */
#define CLEAR_VALUE 1e2

/* what tolerances are shares of: a slide of a metre is less than a radian on a long arm */
static double share_of(const closed_finder *finder, bool is_length, double x)
{
    return is_length ? x / scalar_max(finder->size, 1) : x;
}

/* by how much joints that must be zero are not; they are taken for slides where one of them is */
static double lacking(const closed_finder *finder, const kernel_solutions *f, int i)
{
    bool slides = false;
    for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
        slides = slides || (finder->ranges.vanishes[k] && finder->ranges.is_length[k]);
    return share_of(finder, slides, f->lacking[i]);
}

/* by how much limits are broken */
static double beyond(const closed_finder *finder, const kernel_solutions *f, int i)
{
    int worst = (int)f->worst[i];
    return share_of(finder, worst >= 0 && finder->ranges.is_length[worst], f->beyond[i]);
}

/* branch i has no solution, by clearly more than `least`; not of NaN */
static bool is_clear_miss(const closed_finder *finder, const kernel_solutions *f, int i,
                          double least)
{
    return -f->margin[i] > least ||
           (f->margin[i] > least && lacking(finder, f, i) > least && f->freedom[i] == 0);
}

bool closed_form_is_clear(const closed_finder *finder, const kernel_solutions *f, double tolerance)
{
    const double least = CLOSED_CLEAR_MISS * tolerance;
    bool clear = true;
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++)
        clear = clear && (kernel_closed_solves(f, i) || is_clear_miss(finder, f, i, least));
    return clear;
}

lb_reason closed_form_proof(const closed_finder *finder, const kernel_solutions *f,
                            double tolerance)
{
    double least = CLOSED_CLEAR_MISS * tolerance;
    lb_reason proof = LB_REASON_REACH;
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++) {
        // not greater: NaN proves nothing
        if (!(f->closest[i] > CLEAR_ROOT * tolerance))
            return LB_REASON_NONE;
        if (is_clear_miss(finder, f, i, least))
            continue;
        // angles are open to what the tolerance is over the root of the discriminant
        double excess = beyond(finder, f, i);
        bool forbidden = kernel_closed_solves(f, i) && f->margin[i] > least && f->freedom[i] == 0 &&
                         excess > least && excess * sqrt(f->closest[i]) > CLEAR_ROOT * tolerance;
        if (!forbidden)
            return LB_REASON_NONE;
        proof = LB_REASON_LIMITS;
    }
    return proof;
}

/* the most that a joint which moves the tool is beyond its limits; others can be anywhere */
static double find_excess(const closed_chain *chain, const double *q)
{
    double most = 0;
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        if (joint->place >= 0)
            most = scalar_max(most, scalar_max(joint->lower - q[i], q[i] - joint->upper));
    }
    return most;
}

lb_reason closed_set_proof(const closed_chain *chain, const closed_set *set, double tolerance)
{
    double least = scalar_max(CLOSED_CLEAR_MISS * tolerance, CLOSED_GENERAL_ANGLE);
    if (!set->certified || !(set->nearest_miss > least) ||
        !(set->clearance > CLEAR_VALUE * tolerance))
        return LB_REASON_NONE;
    for (int i = 0; i < set->count; i++) {
        const closed_solution *s = &set->solutions[i];
        double excess = find_excess(chain, s->choice.q);
        if (!((s->meets ? excess * excess : excess) > least) || s->multiplicity > 1 || s->open != 0)
            return LB_REASON_NONE;
    }
    return set->count > 0 ? LB_REASON_LIMITS : LB_REASON_REACH;
}
