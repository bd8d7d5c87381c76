/* finder.c - every solution of one task, by the method that the arm's class has. */
#include "ik/closed/finder.h"

#include "ik/closed/family.h"
#include "ik/closed/proof.h"
#include "math/scalar.h"
#include "model/range.h"

#include <string.h>

/* two solutions closer than this in every joint are one: the root of the rounding error, at which
   the halves of a double root come out, and some room */
#define SAME 3e-7
/* a general arm's solutions come as near to the target as this share of the arm */
#define GENERAL_CONFIRMED 1e-12
/* below this share of a pivot two solutions are so near to each other that angles are open to the
   root of what an arm is known to, 1e-9 */
#define NEARLY_MEETING 1e-3
/* the least value of a determinant, whose greatest harmonic is 1, where its slope vanishes and no
   zeros are expected to be hidden: eight times the most that two which met were seen to be off by,
   of a link a thousand times as long as others, in ten million poses */
#define CLEAR_OF_NOISE 1e-6
/* Angles of a general arm's solutions are open to 1e-12, to which it confirms them, over the least
   share of a pivot that counts as regular, 3e-7, and some room. */
#define GENERAL_ANGLE 1e-5
/* of a target that is rounded by a larger share, the determinant's zeros may not be real where two
   of them meet */
#define GENERAL_RESOLVED 1e-13

bool closed_has_form(const closed_finder *finder)
{
    return finder->arm_class != LB_ARM_GENERAL && finder->arm_class != LB_ARM_REDUNDANT;
}

/* joints open to within this, in radians and as a share of the arm, are free to move: what the
   kernel calls open, and the rounding of what it calls that by */
#define FAMILY_OPEN (4 * CLOSED_IN_LINE)

/* ---- solving --------------------------------------------------------------- */

/* the chain's values in the order of the completed arm, zero for joints that it lacks */
static void complete(const closed_finder *finder, const double *values, double *full)
{
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        full[i] = finder->chain_of[i] < 0 ? 0 : values[finder->chain_of[i]];
}

/* the chain's arm at what the completed arm has; returns the most that a joint which must be
   zero is not */
static double from_completion(const closed_finder *finder, const double *full, double *arm_q)
{
    double most = 0;
    if (finder->held >= 0)
        arm_q[finder->held] = finder->value;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        int place = finder->completion.place[i];
        if (place >= 0)
            arm_q[place] = full[i];
        else
            most = scalar_max(fabs(full[i]), most);
    }
    return most;
}

void closed_from_arm(const closed_chain *chain, const double *arm_q, const double *hint, double *q)
{
    for (int i = 0; i < chain->count; i++)
        q[i] = chain->joints[i].place < 0 ? hint[i] : arm_q[chain->joints[i].place];
}

static bool is_same(const closed_chain *chain, const double *a, const double *b)
{
    for (int i = 0; i < chain->count; i++) {
        double d = a[i] - b[i];
        if (!chain->joints[i].is_length)
            d = lb_wrap_angle(d);
        if (fabs(d) > SAME)
            return false;
    }
    return true;
}

/* the same also in the joints that represent what the task leaves open */
static bool is_same_arm(const closed_chain *chain, const double *a, const double *b)
{
    for (int i = chain->real; i < chain->arm.joints; i++) {
        double d = a[i] - b[i];
        if (fabs(chain->arm.is_length[i] ? d : lb_wrap_angle(d)) > SAME)
            return false;
    }
    return true;
}

/* counts a solution that is another one's double; false: it is none. Those that differ in what the
   task leaves open are one solution, but no branches that meet */
static bool count_double(const closed_finder *finder, const closed_solution *found, closed_set *set)
{
    for (int i = 0; i < set->count; i++) {
        closed_solution *other = &set->solutions[i];
        if (!is_same(&finder->chain, other->choice.q, found->choice.q))
            continue;
        if (is_same_arm(&finder->chain, other->arm_q, found->arm_q))
            other->multiplicity++;
        return true;
    }
    return false;
}

/* bits of the completed arm's joints as bits of the chain's */
static unsigned moving_joints(const closed_finder *finder, unsigned full)
{
    unsigned open = 0;
    for (int i = 0; i < finder->chain.count; i++)
        for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
            if (finder->chain.joints[i].place >= 0 && (full >> k & 1) &&
                finder->completion.place[k] == finder->chain.joints[i].place)
                open |= 1u << i;
    return open;
}

/* the branches can be each other's doubles: near a double root, and where those that differ are not
   the model's */
static bool may_be_double(const closed_finder *finder, double margin)
{
    return margin < CLOSED_MAY_BE_DOUBLE || finder->chain.arm.joints != finder->chain.real;
}

/* branch b in the chain's joints */
static void take_branch(const closed_finder *finder, const kernel_solutions *found, int b,
                        const double *start, closed_solution *s)
{
    double full[KERNEL_CLOSED_JOINTS];
    int worst = (int)found->worst[b];
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        full[i] = found->q[i][b];
    (void)from_completion(finder, full, s->arm_q);
    s->branch = b;
    s->multiplicity = 1;
    s->open = 0;
    s->meets = false;
    s->choice.square = found->square[b];
    s->choice.beyond = found->beyond[b];
    s->choice.worst = worst < 0 ? -1 : finder->chain_of[worst];
    closed_from_arm(&finder->chain, s->arm_q, start, s->choice.q);
    if (!finder->direct)
        closed_choose(&finder->chain, s->choice.q, start, 0, &s->choice);
}

/* the rounding of the numbers that target and arm are given by, as a share of the arm */
static double rounding_of(const closed_finder *finder, const lb_transform *target)
{
    const closed_arm *arm = &finder->chain.arm;
    double far = scalar_max(lb_vec3_length(target->p), lb_vec3_length(arm->home.p));
    for (int i = 0; i < arm->joints; i++)
        far = scalar_max(far, lb_vec3_length(arm->point[i]));
    return range_rounding(far, arm->joints) / finder->size;
}

/* adds members of each family that the target opens, the nearest and those at its ends */
static void add_families(const closed_finder *finder, const kernel_ops *ops,
                         const lb_transform *target, const double *start, closed_set *set)
{
    family_problem problem = {.finder = finder,
                              .ops = ops,
                              .target = target,
                              .position = FAMILY_OPEN * finder->size,
                              .rotation = FAMILY_OPEN,
                              .bound = INFINITY};
    family_member members[FAMILY_MEMBERS];
    complete(finder, start, problem.start);
    const int count = family_find(&problem, true, members);
    for (int i = 0; i < count; i++) {
        closed_solution *s = &set->solutions[set->count];
        bool same = false;
        if (set->count == CLOSED_SOLUTIONS) {
            set->complete = set->certified = false;
            break;
        }
        (void)from_completion(finder, members[i].q, s->arm_q);
        closed_from_arm(&finder->chain, s->arm_q, start, s->choice.q);
        closed_choose(&finder->chain, s->choice.q, start, 0, &s->choice);
        s->branch = members[i].branch;
        s->multiplicity = 1;
        s->meets = false;
        s->open = moving_joints(finder, members[i].moving);
        for (int k = 0; k < set->count && !same; k++)
            same = is_same(&finder->chain, set->solutions[k].choice.q, s->choice.q);
        set->count += !same;
    }
}

/* whether a branch is a member of one of the families that come first: nearly open, and of the
   roots that a wrist follows */
static bool is_of_family(const closed_finder *finder, const closed_set *set, int families, int b,
                         double closest)
{
    const int before = finder->form.kind == KERNEL_CLOSED_PARALLEL ? 1 : 3;
    bool same = false;
    for (int i = 0; i < families && closest <= CLOSED_FAMILY_NEAR; i++)
        same = same ||
               (set->solutions[i].open != 0 && (set->solutions[i].branch & before) == (b & before));
    return same;
}

void closed_branches(const closed_finder *finder, const kernel_ops *ops, const lb_transform *target,
                     const double *start, kernel_solutions *branches)
{
    double full[KERNEL_CLOSED_JOINTS];
    complete(finder, start, full);
    ops->closed_one(&finder->form, &finder->ranges, target, full, branches);
}

static void find_closed(const closed_finder *finder, const kernel_ops *ops,
                        const lb_transform *target, const double *start,
                        const kernel_solutions *branches, closed_set *set)
{
    kernel_solutions found;
    if (branches)
        found = *branches;
    else
        closed_branches(finder, ops, target, start, &found);
    set->count = 0;
    set->expected = true;
    set->proof =
        closed_form_proof(finder, &found, &finder->form, &finder->snap, target, finder->slack);
    // no solution for any pose within the slack: nor for any that is nearer
    set->complete = set->certified =
        set->proof == LB_REASON_REACH || closed_form_is_clear(finder, &found, target);
    set->nearest_miss = 0;
    bool open = false;
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++)
        open = open || found.freedom[b] != 0 || found.closest[b] <= CLOSED_FAMILY_NEAR;
    if (open)
        add_families(finder, ops, target, start, set);
    const int families = set->count;
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
        if (!kernel_closed_solves(&found, b) || found.freedom[b] != 0 ||
            is_of_family(finder, set, families, b, found.closest[b]))
            continue;
        if (set->count == CLOSED_SOLUTIONS) {
            set->complete = set->certified = false;
            break;
        }
        closed_solution *s = &set->solutions[set->count];
        take_branch(finder, &found, b, start, s);
        if (!may_be_double(finder, found.margin[b]) || !count_double(finder, s, set))
            set->count++;
    }
}

bool closed_settle(const closed_finder *finder, closed_solution *s)
{
    const closed_chain *chain = &finder->chain;
    const closed_arm *arm = &chain->arm;
    const unsigned own = (1u << chain->real) - 1, given = ((1u << arm->joints) - 1) & ~own;
    unsigned open = 0;
    if (finder->held >= 0 || (s->open == 0 && s->multiplicity == 1))
        return true;
    for (int i = 0; i < chain->count; i++)
        if (s->open >> i & 1)
            open |= 1u << chain->joints[i].place;
    if (!closed_is_idle(arm, s->arm_q, finder->size, own, given))
        s->multiplicity = 1;
    if (s->open == 0)
        return true;
    unsigned moving = closed_moving(arm, s->arm_q, finder->size, open, given);
    // of arms that are nearly of a class all joints may have to move a little
    if (moving == 0)
        moving = closed_moving(arm, s->arm_q, finder->size, own, given);
    s->open = 0;
    for (int i = 0; i < chain->count; i++)
        if (chain->joints[i].place >= 0)
            s->open |= (moving >> chain->joints[i].place & 1) << i;
    return s->open != 0;
}

double closed_polish(const closed_finder *finder, const lb_transform *target, const double *start,
                     closed_solution *s)
{
    double left = closed_newton(&finder->chain.arm, target, 8, s->arm_q);
    closed_from_arm(&finder->chain, s->arm_q, start, s->choice.q);
    closed_choose(&finder->chain, s->choice.q, start, 0, &s->choice);
    return left;
}

/* ---- general arms ----------------------------------------------------------- */

/* by the third joint and, where two have it alike, by those after it, the first and the second:
   some joint of different solutions differs */
static bool is_before(const general_solution *a, const general_solution *b)
{
    for (int i = 0; i < GENERAL_JOINTS; i++) {
        const int joint = (2 + i) % GENERAL_JOINTS;
        if (fabs(a->q[joint] - b->q[joint]) > SAME)
            return a->q[joint] < b->q[joint];
    }
    return false;
}

/* solutions of either sign are numbered in that order */
static void number_branches(const general_solution *found, int count, int *branches)
{
    for (int i = 0; i < count; i++) {
        int before = 0;
        for (int k = 0; k < count; k++)
            before += found[k].mirrored == found[i].mirrored && is_before(&found[k], &found[i]);
        branches[i] = 2 * before + found[i].mirrored;
    }
}

/* each solution has the number of the closed form's branch that it is nearest to, of those that no
   solution before it has; what are more are numbered on */
static void number_by_places(const general_solution *found, int count,
                             const kernel_solutions *places, int *branches)
{
    unsigned taken = 0;
    int next = KERNEL_CLOSED_BRANCHES;
    for (int i = 0; i < count; i++) {
        double least = INFINITY;
        int best = -1;
        for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
            double sum = 0;
            for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++) {
                double d = lb_wrap_angle(found[i].q[k] - places->q[k][b]);
                sum += d * d;
            }
            if ((taken >> b & 1) == 0 && sum < least) {
                least = sum;
                best = b;
            }
        }
        branches[i] = best < 0 ? next++ : best;
        taken |= best < 0 ? 0 : 1u << best;
    }
}

/* adds a solution of the completed arm on its turns; NULL: joints do not vanish that must */
static closed_solution *add_solution(const closed_finder *finder, const double *full, bool meets,
                                     const double *start, closed_set *set)
{
    closed_solution *s = &set->solutions[set->count];
    double miss = from_completion(finder, full, s->arm_q);
    if (miss > CLOSED_VANISHED) {
        set->nearest_miss = scalar_min(set->nearest_miss, meets ? miss * miss : miss);
        return NULL;
    }
    closed_from_arm(&finder->chain, s->arm_q, start, s->choice.q);
    closed_choose(&finder->chain, s->choice.q, start, 0, &s->choice);
    s->multiplicity = 1;
    s->open = 0;
    s->meets = meets;
    set->count++;
    return s;
}

/* whether a solution near to the start keeps the limits */
static bool has_inside(const closed_set *set)
{
    for (int i = 0; i < set->count; i++)
        if (set->solutions[i].choice.worst < 0)
            return true;
    return false;
}

/*
 * The solutions of an arm that is nearly of a class; false: it does not know them all, or that is
 * not proved where it is asked for. Then `places` is what numbers the branches.
 */
static bool find_nominal(const closed_finder *finder, const kernel_ops *ops,
                         const lb_transform *target, const double *start, closed_set *set,
                         kernel_solutions *places)
{
    double full[KERNEL_CLOSED_JOINTS];
    nominal_set found;
    complete(finder, start, full);
    const bool known =
        closed_nominal_solve(&finder->nominal, &finder->completion.arm, ops, finder->ops,
                             &finder->ranges, target, full, places, &found);
    set->proof = closed_form_proof(finder, places, &finder->nominal.form, &finder->nominal.snap,
                                   target, finder->slack);
    // nothing is left to look for
    if (set->proof == LB_REASON_REACH && !finder->certifies)
        return true;
    if (!known)
        return false;
    for (int i = 0; i < found.count; i++) {
        closed_solution *s = add_solution(finder, found.q[i], false, start, set);
        if (s)
            s->branch = found.branch[i];
    }
    set->expected = true;
    set->certified = closed_nominal_is_clear(finder, target, places, &found);
    if (set->certified || (!finder->certifies && has_inside(set)))
        return true;
    set->count = 0;
    set->nearest_miss = INFINITY;
    return false;
}

/* false: the arm is nearly of a class, and that was enough */
static bool find_all(const closed_finder *finder, const kernel_ops *ops, const lb_transform *target,
                     const double *start, closed_set *set, general_summary *summary)
{
    general_solution found[GENERAL_SOLUTIONS];
    kernel_solutions places;
    int branches[GENERAL_SOLUTIONS];
    if (finder->nominal.known && find_nominal(finder, ops, target, start, set, &places))
        return false;
    int count = general_solve(&finder->general, finder->ops, target, found, summary);
    if (finder->nominal.known)
        number_by_places(found, count, &places, branches);
    else
        number_branches(found, count, branches);
    set->certified = summary->certificate == GENERAL_CERTIFIED && !summary->truncated;
    set->expected = summary->certificate != GENERAL_UNCERTAIN && !summary->truncated;
    set->nearest_miss = summary->nearest_miss;
    for (int i = 0; i < count; i++) {
        closed_solution *s =
            add_solution(finder, found[i].q, found[i].conditioning < NEARLY_MEETING, start, set);
        if (!s)
            continue;
        s->branch = branches[i];
        s->multiplicity = found[i].multiplicity;
        s->open = summary->infinite ? moving_joints(finder, summary->moving) : 0;
    }
    return true;
}

/* the target is farther from the first axis' point than the arm is long */
static bool is_beyond_links(const closed_finder *finder, const lb_transform *target)
{
    const closed_arm *arm = &finder->chain.arm;
    const double away = lb_vec3_length(lb_vec3_sub(target->p, arm->point[0]));
    const double room =
        finder->slack.position + (CLOSED_CONFIRMED + rounding_of(finder, target)) * finder->size;
    bool slides = false;
    for (int i = 0; i < arm->joints; i++)
        slides = slides || arm->is_length[i];
    return !slides && away > closed_arm_size(arm) + room;
}

static void find_general(const closed_finder *finder, const kernel_ops *ops,
                         const lb_transform *target, const double *start, closed_set *set)
{
    set->count = 0;
    set->nearest_miss = INFINITY;
    set->proof = LB_REASON_NONE;
    set->expected = set->certified = false;
    general_summary summary;
    const bool eliminated = find_all(finder, ops, target, start, set, &summary);
    // of a target that is not known as well as that, solutions may not have been confirmed
    const double rounding = rounding_of(finder, target);
    set->expected = set->expected && rounding <= GENERAL_CONFIRMED;
    const bool all = set->certified && set->expected && finder->certain &&
                     rounding <= GENERAL_RESOLVED && set->nearest_miss > GENERAL_ANGLE;
    if (!eliminated) {
        set->complete = set->certified = set->clear = all;
        return;
    }
    // a determinant proves nothing: zeros that noise hides are where it turns back from zero, and
    // of a singular target it may lose all
    const bool beyond = set->count == 0 && is_beyond_links(finder, target);
    set->clear = all && general_clearance(finder->ops, &summary.series) > CLEAR_OF_NOISE;
    set->complete = beyond || (set->clear && set->count > 0);
    set->certified = beyond;
    if (beyond)
        set->proof = LB_REASON_REACH;
}

void closed_find(const closed_finder *finder, const kernel_ops *ops, const lb_transform *target,
                 const double *start, const kernel_solutions *branches, closed_set *set)
{
    lb_transform moved;
    if (finder->held_last) {
        moved = lb_transform_multiply(target, &finder->tool);
        target = &moved;
    }
    if (finder->is_general)
        find_general(finder, ops, target, start, set);
    else
        find_closed(finder, ops, target, start, branches, set);
}
