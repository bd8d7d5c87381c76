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

/* forward kinematics must come as near as this, in units of the arm's size and radians */
#define CONFIRMED 1e-12
/* with more noise a determinant's zeros are nowhere near the solutions */
#define USELESS_NOISE 1e-3
/* with more noise its zeros may be too far off for Newton's method */
#define DOUBTFUL_NOISE 1e-9
/* below this a null vector is too inexact to exclude a zero by its shape */
#define SHARED_GAP 1e-3
/* above this, and well above what the zero is off by, one null vector is all there is */
#define ALONE_GAP 1e-6
/* below this a single null vector is an arbitrary one of that plane */
#define PLANE_GAP 1e-8
/* null vectors of solutions have their shape to about the root of rounding */
#define SHAPELESS 1e-3
/* entries of M change so much faster than the angle, at most */
#define ERROR_OF_SHAPE 30.0
/* a solution is a zero's when it is as near as this */
#define SAME_ZERO 1e-7
/* a Jacobian that is singular to the root of rounding: two solutions meet */
#define MEETING 3e-7

enum {
    MAX_FOUND = 2 * GENERAL_SOLUTIONS,
    MAX_CANDIDATES = 3 * GENERAL_MAX_ITEMS,
    MAX_FORMS = 8,
    AROUND = 2,       /* further starts on each side of a zero that is not alone */
    NEWTON_STEPS = 12 /* two or three but where solutions meet */
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

/* null vectors to start from */
typedef struct candidates {
    kernel_candidate at[MAX_CANDIDATES];
    int count;
    bool truncated;
} candidates;

/* the quality of one elimination */
typedef struct verdict {
    double noise;
    bool useless;  /* it would not be noticed if solutions were missing */
    bool doubtful; /* some may be */
} verdict;

/* ---- null vectors ---------------------------------------------------------- */

/*
 * Quadratic forms that vanish for the null vector of a solution, as coefficients of s^2, s t
 * and t^2 for s a + t b. A vector is (cos(y/2) m, sin(y/2) m), and m is (1, cos z, sin z) or
 * (cos z/2, sin z/2, cos 3z/2, sin 3z/2).
 */
typedef struct forms {
    double at[MAX_FORMS][3];
    int count;
} forms;

/* sign * (product of numbers i and k), added to a form */
static void add_product(double form[3], double sign, const double *a, const double *b, int i, int k)
{
    form[0] += sign * a[i] * a[k];
    form[1] += sign * (a[i] * b[k] + a[k] * b[i]);
    form[2] += sign * b[i] * b[k];
}

/* the two halves are multiples of each other */
static void add_minors(int n, const double *a, const double *b, forms *out)
{
    for (int j = 0; j < 3; j++) {
        double *form = out->at[out->count++];
        const int k = (j + 1) % 3;
        add_product(form, 1, a, b, j, n + k);
        add_product(form, -1, a, b, k, n + j);
    }
}

/* the conditions on m, for the half that begins at `first` */
static void add_shape(int n, const double *a, const double *b, int first, forms *out)
{
    const double *x = a + first, *y = b + first;
    double *form = out->at[out->count++];
    if (n == 3) {
        add_product(form, 1, x, y, 1, 1);
        add_product(form, 1, x, y, 2, 2);
        add_product(form, -1, x, y, 0, 0);
        return;
    }
    // with u = m0 + i m1 and w = m2 + i m3: w times the conjugate of u is u^2
    add_product(form, 1, x, y, 2, 0);
    add_product(form, 1, x, y, 3, 1);
    add_product(form, -1, x, y, 0, 0);
    add_product(form, 1, x, y, 1, 1);
    form = out->at[out->count++];
    add_product(form, 1, x, y, 3, 0);
    add_product(form, -1, x, y, 2, 1);
    add_product(form, -2, x, y, 0, 1);
}

static forms make_forms(int n, const double *a, const double *b)
{
    forms out = {.count = 0};
    add_minors(n, a, b, &out);
    add_shape(n, a, b, 0, &out);
    add_shape(n, a, b, n, &out);
    return out;
}

/* how far the first vector is from a solution's shape */
static double shapeless(const forms *f)
{
    double worst = 0;
    for (int i = 0; i < f->count; i++)
        worst = fmax(worst, fabs(f->at[i][0]));
    return worst;
}

/* solves the form with the greatest coefficients for (s, t); returns the number of solutions */
static int solve_forms(const forms *f, double s[2], double t[2])
{
    const double *best = f->at[0];
    double greatest = -1;
    for (int i = 0; i < f->count; i++) {
        const double size = fabs(f->at[i][0]) + fabs(f->at[i][1]) + fabs(f->at[i][2]);
        if (size > greatest) {
            greatest = size;
            best = f->at[i];
        }
    }
    // a double zero may come out slightly complex
    double square = best[1] * best[1] - 4 * best[0] * best[2];
    if (square < -1e-6 * greatest * greatest || !(greatest > 0))
        return 0;
    const double root = sqrt(fmax(square, 0)), sum = -0.5 * (best[1] + copysign(root, best[1]));
    s[0] = sum;
    t[0] = best[0];
    s[1] = best[2];
    t[1] = sum;
    return 2;
}

static void add_candidate(candidates *out, double x, int n, const kernel_null *null, double s,
                          double t)
{
    kernel_candidate *c = &out->at[out->count++];
    c->x = x;
    for (int i = 0; i < 2 * n; i++)
        c->null[i] = s * null->first[i] + t * null->second[i];
}

/* angles to look for null vectors at, and the zeros that they belong to */
typedef struct starts {
    double angle[GENERAL_MAX_ITEMS];
    int zero[GENERAL_MAX_ITEMS];
    int count;
    bool truncated;
} starts;

static void add_start(starts *s, double angle, int zero)
{
    if (s->count == GENERAL_MAX_ITEMS) {
        s->truncated = true;
        return;
    }
    s->angle[s->count] = angle;
    s->zero[s->count++] = zero;
}

/* each zero, and where it is not known how many there are, what is around */
static void make_starts(const general_zeros *zeros, starts *out)
{
    out->count = 0;
    out->truncated = zeros->truncated;
    for (int i = 0; i < zeros->count; i++)
        add_start(out, zeros->at[i].angle, i);
    for (int i = 0; i < zeros->count; i++) {
        const general_zero *zero = &zeros->at[i];
        for (int k = -AROUND; k <= AROUND && zero->most == 0; k++)
            if (k != 0)
                add_start(out, zero->angle + zero->width * k / AROUND, i);
    }
}

/* from null vectors to places to start from; marks the zeros that cannot be solutions */
static void make_candidates(const general_problem *problem, const general_zeros *zeros,
                            const starts *from, const kernel_null *nulls, bool *excluded,
                            candidates *out)
{
    const int n = problem->resultant.order;
    out->count = 0;
    out->truncated = from->truncated;
    for (int i = 0; i < from->count; i++) {
        const kernel_null *null = &nulls[i];
        const int zero = from->zero[i];
        const double x = from->angle[i];
        const forms f = make_forms(n, null->first, null->second);
        // a zero that is off by some width has a null vector that is off by that over the gap
        const double shape = shapeless(&f), off = ERROR_OF_SHAPE * zeros->at[zero].width;
        excluded[zero] = null->gap > SHARED_GAP && shape > SHAPELESS && shape * null->gap > off;
        if (excluded[zero])
            continue;
        double s[2], t[2];
        const bool alone = null->gap > fmax(10 * off, ALONE_GAP);
        const int pairs = alone ? 0 : solve_forms(&f, s, t);
        for (int k = 0; k < pairs; k++)
            add_candidate(out, x, n, null, s[k], t[k]);
        if (pairs == 0 || null->gap > PLANE_GAP)
            add_candidate(out, x, n, null, 1, 0);
    }
}

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

/* how many solutions there are at a zero of a joint */
static int count_near(const findings *all, int joint, const general_zero *zero)
{
    int total = 0;
    for (int i = 0; i < all->count; i++)
        if (angle_between(all->at[i].q[joint], zero->angle) < zero->width + SAME_ZERO)
            total += all->at[i].multiplicity;
    return total;
}

/* One way to eliminate: where the loop is cut, which ordering, and the order of the matrix. */
typedef struct attempt {
    const general_arm *general; /* cut before joint `first` of the arm */
    const lb_transform *target;
    int first, which, order;
    unsigned bit; /* of findings.by */
} attempt;

/* makes one elimination and adds what it finds */
static verdict eliminate(const attempt *a, const kernel_general_ops *ops, findings *all)
{
    const general_ordering *ordering = &a->general->orderings[a->which];
    general_problem problem;
    general_eliminate(a->general, ops, ordering, a->target, &problem);
    verdict v = {.noise = general_sample(a->general, ops, a->order, &problem)};
    v.useless = !(v.noise < USELESS_NOISE);
    v.doubtful = !(v.noise < DOUBTFUL_NOISE);
    if (v.useless)
        return v;

    general_zeros zeros;
    starts from;
    kernel_null nulls[GENERAL_MAX_ITEMS];
    bool excluded[GENERAL_MAX_ITEMS];
    candidates list;
    general_isolate(a->general, ops, &problem, &zeros);
    make_starts(&zeros, &from);
    ops->null_vectors(&problem.resultant, from.angle, from.count, nulls);
    make_candidates(&problem, &zeros, &from, nulls, excluded, &list);
    ops->recover(&problem.loop, &problem.elimination, a->order, list.at, list.count);
    ops->refine(&problem.loop, NEWTON_STEPS, list.at, list.count);

    // which joint of the arm each of the loop's is
    int joints[GENERAL_JOINTS];
    for (int i = 0; i < GENERAL_JOINTS; i++)
        joints[i] = (a->first + (ordering->reversed ? GENERAL_JOINTS - 1 - i : i)) % GENERAL_JOINTS;
    // reversing six joints takes fifteen exchanges, moving the first to the end five
    const bool odd = ordering->reversed != (a->first % 2 != 0);
    for (int i = 0; i < list.count; i++) {
        const kernel_candidate *c = &list.at[i];
        if (c->error <= CONFIRMED)
            keep(c, joints, odd, a->bit, all);
        else if (c->conditioning < MEETING)
            all->nearest_miss = fmin(all->nearest_miss, c->error);
    }

    // every zero must be excluded or be that of as many solutions as it may represent
    v.useless = v.doubtful || list.truncated || all->truncated;
    all->series = problem.series;
    all->hidden = false;
    for (int i = 0; i < zeros.count; i++) {
        all->hidden = all->hidden || (excluded[i] && zeros.at[i].most != 1);
        const int near = count_near(all, joints[1], &zeros.at[i]);
        v.useless = v.useless || (near == 0 && !excluded[i]);
        v.doubtful = v.doubtful || !(excluded[i] || near == zeros.at[i].most);
    }
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

/* what all attempts say together, after one more */
static general_certificate certify(const findings *all, const verdict *v, unsigned useful)
{
    if (count_total(all) % 2 != 0)
        return GENERAL_UNCERTAIN;
    if (!v->useless && !v->doubtful)
        return GENERAL_CERTIFIED;
    // two bits for each cut and ordering: those of one ordering are not independent
    const unsigned agree = agreeing(all) & useful;
    const unsigned orderings = (agree | agree >> 1) & 0x55555555U;
    return (orderings & (orderings - 1)) ? GENERAL_COMPLETE : GENERAL_UNCERTAIN;
}

/* attempts of one cut, cheapest first, until one is certain; agreement alone does not end them */
static void attempt_cut(attempt *a, const kernel_general_ops *ops, findings *all, unsigned *useful,
                        general_summary *summary)
{
    for (int i = 0; i < 4 && summary->certificate != GENERAL_CERTIFIED; i++) {
        a->which = i % 2;
        a->order = i < 2 ? 3 : 4;
        a->bit = 1U << (4 * a->first + 2 * a->which + (i >= 2));
        const verdict v = eliminate(a, ops, all);
        if (!v.useless)
            *useful |= a->bit;
        summary->determinants++;
        summary->noise = fmin(summary->noise, v.noise);
        summary->certificate = certify(all, &v, *useful);
    }
}

/* ---- continuous families ---------------------------------------------------- */

/* a solution is taken for singular when its Jacobian is, to the root of rounding */
#define SINGULAR 1e-7
/* far enough along a family to distinguish it from two solutions that meet, in radians */
#define FAMILY_STEP 0.05

/* the joints that move in the family that a solution belongs to, as bits; 0: it is alone */
static unsigned find_family(const closed_arm *arm, const lb_transform *target, const double *q)
{
    double jacobian[36], left[36], values[6], right[36];
    lb_transform tip;
    closed_jacobian(arm, q, &tip, jacobian);
    if (!dense_svd(6, 6, jacobian, left, values, right) || values[5] > SINGULAR * values[0])
        return 0;

    // along the null vector, and back to the target by the shortest steps
    double moved[CLOSED_ARM_JOINTS] = {0}, longest = 0;
    for (int i = 0; i < GENERAL_JOINTS; i++)
        longest = scalar_max(fabs(right[30 + i]), longest);
    for (int i = 0; i < GENERAL_JOINTS; i++)
        moved[i] = q[i] + FAMILY_STEP * right[30 + i] / longest;
    const double error = closed_newton(arm, target, NEWTON_STEPS, moved);
    unsigned joints = 0;
    longest = 0;
    for (int i = 0; i < GENERAL_JOINTS; i++) {
        const double change = fabs(moved[i] - q[i]);
        longest = scalar_max(change, longest);
        joints |= (unsigned)(change > 1e-3 * FAMILY_STEP) << i;
    }
    return error <= 1e-10 && longest > 0.5 * FAMILY_STEP ? joints : 0;
}

static void find_families(const closed_arm *arm, const lb_transform *target, const findings *all,
                          general_summary *summary)
{
    for (int i = 0; i < all->count; i++)
        if (all->at[i].conditioning < SINGULAR)
            summary->moving |= find_family(arm, target, all->at[i].q);
    summary->infinite = summary->moving != 0;
}

int general_solve(const general_arm *arm, const kernel_general_ops *ops,
                  const lb_transform *tip_in_base, general_solution *out, general_summary *summary)
{
    findings all = {.count = 0, .nearest_miss = INFINITY, .series = {.harmonics = 0}};
    unsigned useful = 0;
    attempt a = {.general = arm, .target = tip_in_base, .first = 0};
    *summary = (general_summary){.noise = 1};
    attempt_cut(&a, ops, &all, &useful, summary);
    find_families(&arm->arm, tip_in_base, &all, summary);
    for (int first = 1; first < GENERAL_JOINTS; first++) {
        if (summary->certificate != GENERAL_UNCERTAIN || summary->infinite)
            break;
        general_arm cut;
        lb_transform target;
        general_cut(arm, first, tip_in_base, &cut, &target);
        a = (attempt){.general = &cut, .target = &target, .first = first};
        attempt_cut(&a, ops, &all, &useful, summary);
        find_families(&arm->arm, tip_in_base, &all, summary);
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
