/*
 * general.c - every solution of a general arm of six revolute joints.
 *
 * The determinant of one elimination has a zero in joint 1's (reversed: joint 4's) angle for
 * each solution. Each zero's null vector gives the other angles, Newton's method in all joints
 * the last digits, and forward kinematics confirms. Wherever a zero is not certain, cannot be
 * accounted for, or the number of solutions is odd, further eliminations are made: reversed, and
 * of the larger matrix that special positions of the outer axes leave regular.
 */
#include "ik/closed/general_parts.h"
#include "ik/closed/newton.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <limits.h>

/* forward kinematics must come as near as this, in units of the arm's size and radians */
#define CONFIRMED 1e-12
/* with more noise a determinant's zeros are nowhere near the solutions */
#define USELESS_NOISE 1e-3
/* with more noise its zeros may be too far off for Newton's method */
#define DOUBTFUL_NOISE 1e-9
/* a solution is a zero's when it is as near as this */
#define SAME_ZERO 1e-7
/* a Jacobian that is singular to the root of rounding: two solutions meet */
#define MEETING 3e-7

enum {
    MAX_FOUND = 2 * GENERAL_SOLUTIONS,
    NEWTON_STEPS = 12, /* two or three but where solutions meet */
    USUAL_CUTS = 1,    /* beside singular poses descents find what is missed, in a tenth of the time
                          of another cut, */
    QUICK_LOOKS = 16   /* or of another elimination, or of more looks at zeros */
};

/* what all eliminations found together */
typedef struct findings {
    general_solution at[MAX_FOUND];
    unsigned by[MAX_FOUND]; /* bit i: the i-th elimination found it */
    int count;
    double nearest_miss;  /* the least error of what is singular and was not confirmed */
    kernel_series series; /* of the last elimination: its determinant, */
    bool hidden; /* and whether a zero that noise hides was left out for the shape of its vectors */
    bool truncated;
} findings;

/* the quality of one elimination */
typedef struct verdict {
    double noise;
    bool useless;  /* it would not be noticed if solutions were missing */
    bool doubtful; /* some may be */
} verdict;

/* ---- solutions -------------------------------------------------------------- */

static double angle_between(double a, double b)
{
    return fabs(lb_wrap_angle(a - b));
}

static bool same_solution(const general_solution *a, const general_solution *b)
{
    // what rounding leaves undecided where solutions meet, and some for where they do not
    const double worse = fmin(a->conditioning, b->conditioning);
    const double near = fmin(fmax(1e-12 / fmax(worse, 1e-12), 1e-9), 1e-5);
    for (int i = 0; i < GENERAL_JOINTS; i++)
        if (angle_between(a->q[i], b->q[i]) > near)
            return false;
    return true;
}

/* keeps a confirmed candidate; the same one found again keeps the smaller error. `odd`: the loop's
   order of joints is an odd permutation of the arm's */
static void keep(const kernel_candidate *candidate, const int *joints, bool odd, unsigned by,
                 findings *all)
{
    general_solution s = {.error = candidate->error,
                          .conditioning = candidate->conditioning,
                          .mirrored = (candidate->sign < 0) != odd};
    s.multiplicity = s.conditioning < MEETING ? 2 : 1;
    for (int i = 0; i < GENERAL_JOINTS; i++) {
        const double angle = lb_wrap_angle(candidate->q[i]);
        s.q[joints[i]] = angle == -LB_PI ? LB_PI : angle;
    }
    for (int i = 0; i < all->count; i++) {
        if (same_solution(&all->at[i], &s)) {
            all->by[i] |= by;
            if (s.error < all->at[i].error)
                all->at[i] = s;
            return;
        }
    }
    if (all->count == MAX_FOUND)
        all->truncated = true;
    else {
        all->by[all->count] = by;
        all->at[all->count++] = s;
    }
}

/* whether a solution may be either zero's */
static bool do_touch(const general_zero *a, const general_zero *b)
{
    return angle_between(a->angle, b->angle) < a->width + b->width + 2 * SAME_ZERO;
}

/* whether a solution may be a zero's */
static bool is_near(const general_solution *solution, int joint, const general_zero *zero)
{
    return angle_between(solution->q[joint], zero->angle) < zero->width + SAME_ZERO;
}

/* how many solutions a joint has at `count` zeros from `first` on, round the circle */
static int count_near(const findings *all, int joint, const general_zeros *zeros, int first,
                      int count)
{
    int total = 0;
    for (int i = 0; i < all->count; i++) {
        bool near = false;
        for (int k = 0; k < count && !near; k++)
            near = is_near(&all->at[i], joint, &zeros->at[(first + k) % zeros->count]);
        total += near ? all->at[i].multiplicity : 0;
    }
    return total;
}

/* whether each solution that is known, by whatever elimination, is at a zero of this one */
static bool has_all(const findings *all, int joint, const general_zeros *zeros)
{
    for (int i = 0; i < all->count; i++) {
        bool near = false;
        for (int k = 0; k < zeros->count && !near; k++)
            near = is_near(&all->at[i], joint, &zeros->at[k]);
        if (!near)
            return false;
    }
    return true;
}

/*
 * Compares zeros with the solutions found: those that touch have their solutions in common. All
 * must be excluded, or have as many solutions as they may represent. Marks those that have none;
 * returns whether there are any.
 */
static bool compare(const findings *all, int joint, const general_zeros *zeros, bool *unexplained,
                    verdict *v)
{
    // begin where the one before does not touch
    const int n = zeros->count;
    int begin = 0;
    bool any = false;
    while (begin < n - 1 && do_touch(&zeros->at[(begin + n - 1) % n], &zeros->at[begin]))
        begin++;
    for (int k = 0, count; k < n; k += count) {
        int most = 0;
        bool known = true, none = true;
        for (count = 0; k + count < n; count++) {
            const int i = (begin + k + count) % n;
            const general_zero *zero = &zeros->at[i];
            if (count > 0 && !do_touch(&zeros->at[(i + n - 1) % n], zero))
                break;
            none = none && zero->excluded;
            known = known && (zero->excluded || zero->most > 0);
            most += zero->excluded ? 0 : zero->most;
        }
        const int near = none ? 0 : count_near(all, joint, zeros, (begin + k) % n, count);
        const bool lacking = !none && near == 0;
        for (int i = 0; i < count; i++) {
            const int at = (begin + k + i) % n;
            unexplained[at] = lacking && !zeros->at[at].excluded;
        }
        any = any || lacking;
        v->useless = v->useless || lacking || !known;
        v->doubtful = v->doubtful || !known || near != most;
    }
    return any;
}

/* One way to eliminate: where the loop is cut, which ordering, and the order of the matrix. */
typedef struct attempt {
    const general_arm *general; /* cut before joint `first` of the arm */
    const lb_transform *target;
    int first, which, order;
    int looks;    /* at zeros that are not known well, which are left; below 0: more were wanted */
    unsigned bit; /* of findings.by */
} attempt;

/* Newton's method from the candidates of the zeros that have not been seen; false: there were too
   many */
static bool follow(const attempt *a, const kernel_general_ops *ops, const general_problem *problem,
                   const int *joints, general_zeros *zeros, findings *all)
{
    general_candidates list;
    general_find_candidates(ops, problem, zeros, &list);
    ops->recover(&problem->loop, &problem->elimination, a->order, list.at, list.count);
    ops->refine(&problem->loop, NEWTON_STEPS, list.at, list.count);
    // reversing six joints takes fifteen exchanges, moving the first to the end five
    const bool odd = a->general->orderings[a->which].reversed != (a->first % 2 != 0);
    for (int i = 0; i < list.count; i++) {
        const kernel_candidate *c = &list.at[i];
        if (c->error <= CONFIRMED)
            keep(c, joints, odd, a->bit, all);
        else if (c->conditioning < MEETING)
            all->nearest_miss = fmin(all->nearest_miss, c->error);
    }
    return !list.truncated && !all->truncated;
}

/* makes one elimination and adds what it finds */
static verdict eliminate(attempt *a, const kernel_general_ops *ops, findings *all)
{
    const general_ordering *ordering = &a->general->orderings[a->which];
    general_problem problem;
    general_eliminate(a->general, ops, ordering, a->target, &problem);
    verdict v = {.noise = general_sample(a->general, ops, a->order, &problem)};
    v.useless = !(v.noise < USELESS_NOISE);
    v.doubtful = !(v.noise < DOUBTFUL_NOISE);
    if (v.useless)
        return v;

    // which joint of the arm each of the loop's is
    int joints[GENERAL_JOINTS];
    for (int i = 0; i < GENERAL_JOINTS; i++)
        joints[i] = (a->first + (ordering->reversed ? GENERAL_JOINTS - 1 - i : i)) % GENERAL_JOINTS;

    // a zero without a solution may be one that is not known well enough to be excluded
    general_zeros zeros;
    bool unexplained[GENERAL_MAX_ITEMS];
    general_isolate(a->general, ops, &problem, &a->looks, &zeros);
    for (int look = 0; look < 2; look++) {
        const bool room = follow(a, ops, &problem, joints, &zeros, all);
        v.useless = v.doubtful = !(v.noise < DOUBTFUL_NOISE);
        v.useless = v.useless || !room;
        if (!compare(all, joints[1], &zeros, unexplained, &v) ||
            (all->count > 0 && a->general->effort != GENERAL_THOROUGH) ||
            !general_zoom(a->general, ops, &problem, unexplained, &zeros))
            break;
    }
    v.doubtful = v.doubtful || zeros.lacking || !has_all(all, joints[1], &zeros);
    all->series = problem.series;
    all->hidden = false;
    for (int i = 0; i < zeros.count; i++)
        all->hidden = all->hidden || (zeros.at[i].excluded && zeros.at[i].hidden);
    return v;
}

static int count_total(const findings *all)
{
    int total = 0;
    for (int i = 0; i < all->count; i++)
        total += all->at[i].multiplicity;
    return total;
}

/* the eliminations that found all that is known, as bits; none where nothing is */
static unsigned agreeing(const findings *all)
{
    unsigned every = all->count > 0 ? ~0U : 0;
    for (int i = 0; i < all->count; i++)
        every &= all->by[i];
    return every;
}

/* by the first joint, then the next, so that the order does not depend on the elimination */
static bool comes_before(const general_solution *a, const general_solution *b)
{
    for (int i = 0; i < GENERAL_JOINTS; i++)
        if (a->q[i] != b->q[i])
            return a->q[i] < b->q[i];
    return false;
}

static void sort_solutions(findings *all)
{
    for (int i = 1; i < all->count; i++) {
        const general_solution s = all->at[i];
        int k = i;
        for (; k > 0 && comes_before(&s, &all->at[k - 1]); k--)
            all->at[k] = all->at[k - 1];
        all->at[k] = s;
    }
}

/* the bit of findings.by: four for each cut, of these two for each ordering, one for each order */
static unsigned attempt_bit(int first, int which, int order)
{
    return 1U << (4 * first + 2 * which + (order == 4));
}

/* what all attempts say together, after one more */
static general_certificate certify(const findings *all, const verdict *v, unsigned useful)
{
    if (count_total(all) % 2 != 0)
        return GENERAL_UNCERTAIN;
    if (!v->useless && !v->doubtful)
        return GENERAL_CERTIFIED;
    // both orders of one ordering have the same equations, and are not independent: they become one
    // bit, the even one of attempt_bit's pair; then two bits must be left
    const unsigned agree = agreeing(all) & useful;
    const unsigned orderings = (agree | agree >> 1) & 0x55555555U;
    return (orderings & (orderings - 1)) ? GENERAL_COMPLETE : GENERAL_UNCERTAIN;
}

/* outer axes so near to parallel, as a sine, or to meeting, in units of length: the smaller
   determinant is so small then that its noise is 1e-16 over this */
#define SPECIAL 3e-5

/* whether the target makes the outer axes, the first and the last of the arm, parallel or meet */
static bool is_special(const attempt *a)
{
    const closed_arm *arm = &a->general->arm;
    const lb_transform moved = lb_transform_multiply(a->target, &a->general->tip_home);
    const lb_vec3 last = lb_transform_direction(&moved, arm->axis[GENERAL_JOINTS - 1]);
    const lb_vec3 point = lb_transform_point(&moved, arm->point[GENERAL_JOINTS - 1]);
    const lb_vec3 across = lb_vec3_cross(arm->axis[0], last);
    const double sine = lb_vec3_length(across);
    const double apart = fabs(lb_vec3_dot(across, lb_vec3_sub(point, arm->point[0])));
    return sine < SPECIAL || apart < SPECIAL * sine * a->general->size;
}

/*
 * Attempts of one cut, cheapest first, until one is certain; agreement alone does not end them. Of
 * special positions of the outer axes, which are the same in both orderings, the larger matrix is
 * first.
 */
static void attempt_cut(attempt *a, const kernel_general_ops *ops, findings *all, unsigned *useful,
                        general_summary *summary)
{
    const bool special = is_special(a);
    const int first_order = special ? 4 : 3, most = a->general->effort == GENERAL_THOROUGH ? 4 : 2;
    a->looks = a->general->effort != GENERAL_QUICK ? INT_MAX : special ? 0 : QUICK_LOOKS;
    for (int i = 0; i < most && a->looks >= 0 && summary->certificate != GENERAL_CERTIFIED; i++) {
        a->which = i % 2;
        a->order = i < 2 ? first_order : 7 - first_order;
        a->bit = attempt_bit(a->first, a->which, a->order);
        const verdict v = eliminate(a, ops, all);
        if (!v.useless)
            *useful |= a->bit;
        summary->determinants++;
        summary->noise = fmin(summary->noise, v.noise);
        summary->certificate = a->looks < 0 ? GENERAL_UNCERTAIN : certify(all, &v, *useful);
    }
}

/* ---- continuous families ---------------------------------------------------- */

/* a solution is taken for singular when its Jacobian is, to the root of rounding */
#define SINGULAR 1e-7
/* the joints that move in the family that a solution belongs to, as bits; 0: it is alone */
static unsigned find_family(const general_arm *general, const double *q)
{
    double jacobian[36], left[36], values[6], right[36];
    lb_transform tip;
    closed_jacobian(&general->arm, q, &tip, jacobian);
    if (!dense_svd(6, 6, jacobian, left, values, right) || values[5] > SINGULAR * values[0])
        return 0;
    return closed_moving(&general->arm, q, general->size, (1u << GENERAL_JOINTS) - 1, 0);
}

static void find_families(const general_arm *general, const findings *all, general_summary *summary)
{
    for (int i = 0; i < all->count; i++)
        if (all->at[i].conditioning < SINGULAR)
            summary->moving |= find_family(general, all->at[i].q);
    summary->infinite = summary->moving != 0;
}

int general_solve(const general_arm *arm, const kernel_general_ops *ops,
                  const lb_transform *tip_in_base, general_solution *out, general_summary *summary)
{
    findings all = {.count = 0, .nearest_miss = INFINITY, .series = {.harmonics = 0}};
    unsigned useful = 0;
    attempt a = {.general = arm, .target = tip_in_base, .first = 0};
    const int cuts = arm->effort == GENERAL_THOROUGH ? GENERAL_JOINTS : USUAL_CUTS;
    *summary = (general_summary){.noise = 1};
    attempt_cut(&a, ops, &all, &useful, summary);
    // nobody asks for what moves where solutions may be missing anyway
    if (arm->effort != GENERAL_QUICK || summary->certificate != GENERAL_UNCERTAIN)
        find_families(arm, &all, summary);
    for (int first = 1; first < cuts; first++) {
        if (summary->certificate != GENERAL_UNCERTAIN || summary->infinite)
            break;
        general_arm cut;
        lb_transform target;
        if (!general_cut(arm, first, tip_in_base, &cut, &target)) {
            all.hidden = true;
            break;
        }
        a = (attempt){.general = &cut, .target = &target, .first = first};
        attempt_cut(&a, ops, &all, &useful, summary);
        find_families(arm, &all, summary);
    }
    if (summary->infinite)
        summary->certificate = GENERAL_UNCERTAIN;
    sort_solutions(&all);
    summary->total = count_total(&all);
    // where no determinant of the arm's own cut was useful, the target is special: zeros may be
    // lost
    all.hidden = all.hidden || (all.count == 0 && a.first > 0);
    summary->nearest_miss = all.hidden ? 0 : all.nearest_miss;
    summary->series = all.series;
    summary->truncated = all.truncated || all.count > GENERAL_SOLUTIONS;
    summary->count = all.count < GENERAL_SOLUTIONS ? all.count : GENERAL_SOLUTIONS;
    for (int i = 0; i < summary->count; i++)
        out[i] = all.at[i];
    return summary->count;
}
