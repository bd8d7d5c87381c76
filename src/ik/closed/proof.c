/* proof.c - what the solutions of a target prove where none keeps the limits. */
#include "ik/closed/proof.h"

#include "math/scalar.h"

closed_slack closed_slack_of(const closed_finder *finder, double position, double rotation)
{
    return (closed_slack){position + finder->chain.idle_shift, rotation + finder->chain.idle_turn};
}

/* ---- closed forms ------------------------------------------------------------- */

/* by how much joint i of the arm breaks its limits on its best turn, or is not zero as it must be
 */
static double excess_of(const kernel_ranges *ranges, int i, double q)
{
    if (!ranges->vanishes[i])
        return scalar_max(ranges->lower[i] - q, q - ranges->upper[i]);
    return fabs(ranges->is_length[i] ? q : lb_wrap_angle(q));
}

/* that branch b has no solution inside the limits; LB_REASON_NONE: it may have one */
static lb_reason exclude(const closed_finder *finder, const kernel_solutions *f, int b,
                         const closed_radii *radii)
{
    lb_reason reason = LB_REASON_NONE;
    if (radii->missed)
        return LB_REASON_REACH;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        if (!(excess_of(&finder->ranges, i, f->q[i][b]) > radii->at[i]))
            continue;
        if (finder->ranges.vanishes[i])
            return LB_REASON_REACH;
        reason = LB_REASON_LIMITS;
    }
    return reason;
}

/* every solution near branch b is near to it in all the model's joints */
static bool is_boxed(const closed_finder *finder, const closed_radii *radii)
{
    bool boxed = true;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        double unit = finder->ranges.is_length[i] ? finder->size : 1;
        boxed = boxed && (finder->chain_of[i] < 0 || radii->at[i] <= CLOSED_BOX * unit);
    }
    return boxed;
}

/* discriminants that are clear for a target: those above `above`, or none are */
static double clear_for(const closed_finder *finder, const lb_transform *target, double above)
{
    const bool usual = above < INFINITY && lb_vec3_length(target->p) <= finder->clear_within &&
                       closed_defect(target) <= CLOSED_USUAL_DEFECT;
    return usual ? above : INFINITY;
}

bool closed_form_is_clear(const closed_finder *finder, const kernel_solutions *f,
                          const lb_transform *target)
{
    const double above = clear_for(finder, target, finder->clear_above);
    const closed_slack slack =
        closed_slack_of(finder, CLOSED_COMPLETE * finder->size, CLOSED_COMPLETE);
    closed_radii_set set = {.known = 0};
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
        if (f->closest[b] > above)
            continue;
        if (!set.wide.form)
            set.wide = closed_widen(&finder->form, &finder->snap, target, slack);
        const closed_radii *radii = closed_branch_radii(&set, f, b);
        if (exclude(finder, f, b, radii) != LB_REASON_REACH &&
            !(kernel_closed_solves(f, b) && is_boxed(finder, radii)))
            return false;
    }
    return true;
}

/* the same as exclude of a branch whose discriminants are clear; LB_REASON_NONE: its radii decide
 */
static lb_reason exclude_clear(const closed_finder *finder, const kernel_solutions *f, int b)
{
    if (f->margin[b] < 0)
        return LB_REASON_REACH;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        if (excess_of(&finder->ranges, i, f->q[i][b]) > CLOSED_PROOF_BOX)
            return LB_REASON_LIMITS;
    return LB_REASON_NONE;
}

lb_reason closed_form_proof(const closed_finder *finder, const kernel_solutions *f,
                            const kernel_closed *form, const closed_snap *snap,
                            const lb_transform *target, closed_slack slack)
{
    lb_reason proof = LB_REASON_REACH;
    // a branch that keeps the limits proves nothing: mostly that is all
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++)
        if (kernel_closed_solves(f, b) && f->worst[b] < 0)
            return LB_REASON_NONE;
    const bool own = form == &finder->form && slack.position <= finder->slack.position &&
                     slack.rotation <= finder->slack.rotation;
    const double above = own ? clear_for(finder, target, finder->proof_above) : INFINITY;
    closed_radii_set set = {.known = 0};
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
        lb_reason reason = f->closest[b] > above ? exclude_clear(finder, f, b) : LB_REASON_NONE;
        if (reason == LB_REASON_NONE) {
            if (!set.wide.form)
                set.wide = closed_widen(form, snap, target, slack);
            reason = exclude(finder, f, b, closed_branch_radii(&set, f, b));
        }
        if (reason == LB_REASON_NONE)
            return LB_REASON_NONE;
        proof = reason == LB_REASON_LIMITS ? reason : proof;
    }
    return proof;
}

/* ---- arms that are nearly of a class -------------------------------------------- */

/* the place of branch b among a nominal set's solutions, -1: it has none */
static int find_branch(const nominal_set *found, int b)
{
    for (int k = 0; k < found->count; k++)
        if (found->branch[k] == b)
            return k;
    return -1;
}

/* whether every solution within the radii of a branch's place is this one, q: two of them are no
   farther apart than twice the radii */
static bool is_alone(const closed_finder *finder, const closed_radii *radii, const double *place,
                     const double *q)
{
    double sum = 0;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        if (!(fabs(q[i] - place[i]) <= radii->at[i]))
            return false;
        sum += radii->at[i] * radii->at[i];
    }
    const closed_arm *arm = &finder->completion.arm;
    return 2 * sqrt(sum) < closed_apart(arm, q, closed_arm_size(arm));
}

bool closed_nominal_is_clear(const closed_finder *finder, const lb_transform *target,
                             const kernel_solutions *places, const nominal_set *found)
{
    const closed_nominal *nominal = &finder->nominal;
    const closed_slack slack =
        closed_slack_of(finder, CLOSED_COMPLETE * finder->size, CLOSED_COMPLETE);
    closed_radii_set set = {.wide = closed_widen(&nominal->form, &nominal->snap, target, slack)};
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
        double place[KERNEL_CLOSED_JOINTS];
        const int k = find_branch(found, b);
        const closed_radii *radii = closed_branch_radii(&set, places, b);
        if (radii->missed)
            continue;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
            place[i] = places->q[i][b];
        if (k < 0 || !is_alone(finder, radii, place, found->q[k]))
            return false;
    }
    return true;
}
