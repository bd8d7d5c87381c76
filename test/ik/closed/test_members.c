/*
 * test_members.c - families of singular poses in closed form: random arms of each class, scaled and
 * seen from either end, in poses that open a joint. Every member reaches the target; the
 * configuration that made the pose is on its family; and no sample of the family inside the limits
 * is nearer to a start than the nearest member.
 *
 *     test_ik test_members [ARMS]      so many of each kind: 60 unless given
 */
#include "ik/closed/family.h"
#include "ik/closed/newton.h"
#include "math/scalar.h"
#include "support.h"

enum { N = KERNEL_CLOSED_JOINTS, SAMPLES_OF_ONE = 720 };

TEST_ARGUMENT(arms, 1, 60)

/* ---- arms and their singular poses ---------------------------------------------- */

typedef enum kind { PARALLEL_LAST, PARALLEL_FIRST, MEET, SLIDES, FOUR_BAR, KINDS } kind;

/* What opens: the wrist's axes come into line, or its center is on an axis before it. */
typedef enum opened { ALIGNED, ON_FIRST_AXIS, ON_SECOND_AXIS, OPENED } opened;

static lb_vec3 random_point(lb_random *random)
{
    const double x = lb_random_between(random, -1, 1), y = lb_random_between(random, -1, 1);
    return lb_vec3_make(x, y, lb_random_between(random, -1, 1));
}

static closed_arm make_arm(kind which, opened open, lb_random *random)
{
    closed_arm arm = {.joints = N};
    for (int i = 0; i < N; i++) {
        arm.axis[i] = test_random_direction(random);
        arm.point[i] = random_point(random);
    }
    arm.home = test_random_transform(random);
    const lb_vec3 center = random_point(random);
    if (which == PARALLEL_LAST || which == FOUR_BAR)
        arm.axis[2] = lb_vec3_scale(arm.axis[1], lb_random_next(random) & 1 ? 1 : -1);
    if (which == PARALLEL_FIRST)
        arm.axis[1] = lb_vec3_scale(arm.axis[0], -1);
    if (which == MEET)
        arm.point[1] = arm.point[2];
    if (which == FOUR_BAR)
        arm.axis[3] = lb_vec3_scale(arm.axis[1], lb_random_next(random) & 1 ? 1 : -1);
    for (int i = 0; i < 3; i++)
        arm.is_length[i] = which == SLIDES;
    for (int i = which == FOUR_BAR ? 4 : 3; i < N; i++)
        arm.point[i] = center;
    // where the fifth joint is zero the last axis is the wrist's first
    if (open == ALIGNED)
        arm.axis[5] =
            lb_vec3_scale(arm.axis[which == FOUR_BAR ? 1 : 3], lb_random_next(random) & 1 ? 1 : -1);
    return arm;
}

static void random_q(const closed_arm *arm, lb_random *random, double *q)
{
    for (int i = 0; i < N; i++)
        q[i] = lb_random_between(random, -LB_PI, LB_PI) * (arm->is_length[i] ? 0.3 : 1);
}

/* moves an axis to where the center of the wrist comes at q */
static void open_axis(closed_arm *arm, int joint, const double *q)
{
    closed_arm behind = {.joints = 0, .home = LB_TRANSFORM_IDENTITY};
    for (int i = joint + 1; i < 3; i++) {
        behind.axis[behind.joints] = arm->axis[i];
        behind.point[behind.joints++] = arm->point[i];
    }
    behind.home.p = arm->point[4];
    arm->point[joint] = closed_forward(&behind, q + joint + 1).p;
}

static void scale_arm(closed_arm *arm, double scale)
{
    for (int i = 0; i < N; i++)
        arm->point[i] = lb_vec3_scale(arm->point[i], scale);
    arm->home.p = lb_vec3_scale(arm->home.p, scale);
}

/* false: the kind has no such pose */
static bool make_singular(kind which, opened open, bool reversed, double scale, lb_random *random,
                          closed_arm *arm, double *q)
{
    if ((open != ALIGNED && (which == SLIDES || which == FOUR_BAR)) ||
        (open == ON_SECOND_AXIS && which != PARALLEL_LAST) ||
        (open == ON_FIRST_AXIS && which == MEET && reversed))
        return false;
    *arm = make_arm(which, open, random);
    random_q(arm, random, q);
    if (open == ALIGNED)
        q[4] = 0;
    else
        open_axis(arm, open == ON_FIRST_AXIS ? 0 : 1, q);
    scale_arm(arm, scale);
    for (int i = 0; i < N; i++)
        q[i] *= arm->is_length[i] ? scale : 1;
    if (!reversed)
        return true;
    *arm = closed_arm_reversed(arm);
    for (int i = 0; i < N / 2; i++) {
        const double other = q[i];
        q[i] = q[N - 1 - i];
        q[N - 1 - i] = other;
    }
    return true;
}

/* a finder of an arm whose joints are all the model's, some turns of them inside random limits that
   q keeps */
static bool make_finder(const closed_arm *arm, const double *q, lb_random *random,
                        closed_finder *finder)
{
    memset(finder, 0, sizeof *finder);
    finder->completion.arm = *arm;
    finder->size = closed_arm_size(arm);
    for (int i = 0; i < N; i++) {
        finder->ranges.lower[i] = q[i] - lb_random_between(random, 0, 4);
        finder->ranges.upper[i] = q[i] + lb_random_between(random, 0, 4);
        finder->ranges.weight[i] = arm->is_length[i] ? 1 / finder->size : 1;
        finder->ranges.is_length[i] = arm->is_length[i];
    }
    return closed_recognise(arm, CLOSED_EXACT, &finder->form);
}

/* ---- what must hold ---------------------------------------------------------------- */

static double error_at(const closed_arm *arm, const double *q, const lb_transform *target)
{
    double error[6];
    const lb_transform tip = closed_forward(arm, q);
    return closed_error(&tip, target, error);
}

/* the nearest branch inside the limits where what is open is where `hint` has it */
static double nearest_branch(const closed_finder *f, const kernel_ops *ops,
                             const lb_transform *target, const double *hint, const double *start)
{
    kernel_solutions found;
    kernel_ranges open = f->ranges;
    double least = INFINITY;
    ops->closed_one(&f->form, &open, target, hint, &found);
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
        double square = 0;
        for (int i = 0; i < N; i++) {
            double nearest = INFINITY;
            for (int n = -3; n <= 3; n++) {
                const double at = found.q[i][b] + (open.is_length[i] ? 0 : 2 * LB_PI * n);
                const double d = (at - start[i]) * open.weight[i];
                if (at >= open.lower[i] && at <= open.upper[i])
                    nearest = scalar_min(nearest, d * d);
            }
            square += nearest;
        }
        if (kernel_closed_solves(&found, b))
            least = scalar_min(least, square);
    }
    return least;
}

/* the nearest of many samples: each joint that can be open is anywhere */
static double nearest_sample(const closed_finder *f, const kernel_ops *ops,
                             const lb_transform *target, const double *start)
{
    double least = INFINITY;
    for (int n = 0; n < SAMPLES_OF_ONE; n++) {
        double hint[N];
        for (int i = 0; i < N; i++)
            hint[i] = start[i] + (f->ranges.is_length[i] ? 0 : 2 * LB_PI * n / SAMPLES_OF_ONE);
        // the sum of three turns goes round once
        if (f->form.kind == KERNEL_CLOSED_PARALLEL)
            hint[f->form.joint[1]] = hint[f->form.joint[2]] = 0;
        least = scalar_min(least, nearest_branch(f, ops, target, hint, start));
    }
    return least;
}

/* members as they are found at a width; the least square */
static double find_members(const closed_finder *f, const kernel_ops *ops,
                           const lb_transform *target, const double *start, family_member *members,
                           int *count)
{
    family_problem p = {.finder = f,
                        .ops = ops,
                        .target = target,
                        .position = 1e-6 * f->size,
                        .rotation = 1e-6,
                        .bound = INFINITY};
    double least = INFINITY;
    memcpy(p.start, start, sizeof p.start);
    memset(members, 0, sizeof *members * FAMILY_MEMBERS);
    *count = family_find(&p, false, members);
    for (int i = 0; i < *count; i++)
        least = members[i].beyond == 0 ? scalar_min(least, members[i].square) : least;
    return least;
}

static void check_members(const closed_finder *f, const lb_transform *target, const double *start,
                          const char *name)
{
    static const int widths[] = {1, 2, 4, 8};
    const closed_arm *arm = &f->completion.arm;
    family_member members[FAMILY_MEMBERS], same[FAMILY_MEMBERS];
    int count, others;
    const kernel_ops *ops = kernel_choose(0);
    const double found = find_members(f, ops, target, start, members, &count);
    const double least = scalar_min(found, nearest_branch(f, ops, target, start, start));
    for (int i = 0; i < count; i++)
        if (error_at(arm, members[i].q, target) > 3e-6 * (1 + f->size))
            fail_msg("%s: a member misses its target by %g", name,
                     error_at(arm, members[i].q, target));
    const double sample = nearest_sample(f, ops, target, start);
    if (sqrt(least) > sqrt(sample) + 1e-6)
        fail_msg("%s: %g away, but a sample of the family is %g away", name, sqrt(least),
                 sqrt(sample));
    for (int w = 0; w < 4; w++) {
        (void)find_members(f, kernel_choose(widths[w]), target, start, same, &others);
        assert_int_equal(others, count);
        for (int i = 0; i < count; i++)
            assert_memory_equal(same[i].q, members[i].q, sizeof same[i].q);
    }
}

static int check_kind(kind which, opened open, bool reversed)
{
    static const char *const kinds[] = {"parallel last", "parallel first", "meeting", "slides",
                                        "four-bar"};
    static const char *const opens[] = {"aligned", "on the first axis", "on the second axis"};
    char name[80];
    lb_random random = test_seed(61 + (uint64_t)which * 8 + (uint64_t)open * 2 + reversed);
    int checked = 0;
    snprintf(name, sizeof name, "%s, %s%s", kinds[which], opens[open],
             reversed ? ", reversed" : "");
    for (int a = 0; a < arms; a++) {
        static const double scales[] = {1, 0.01, 30};
        closed_arm arm;
        closed_finder finder;
        double q[N], start[N];
        if (!make_singular(which, open, reversed, scales[a % 3], &random, &arm, q) ||
            !make_finder(&arm, q, &random, &finder))
            continue;
        checked++;
        const lb_transform target = closed_forward(&arm, q);
        family_member members[FAMILY_MEMBERS];
        int count;
        const double own = find_members(&finder, kernel_choose(0), &target, q, members, &count);
        if (!(own < 1e-10))
            fail_msg("%s, arm %d: q is %g from its family (%d members)", name, a, sqrt(own), count);
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < N; i++)
                start[i] =
                    lb_random_between(&random, finder.ranges.lower[i], finder.ranges.upper[i]);
            check_members(&finder, &target, start, name);
        }
    }
    return checked;
}

TEST(members_are_nearest)
{
    int checked = 0;
    for (int which = 0; which < KINDS; which++)
        for (int open = 0; open < OPENED; open++)
            for (int reversed = 0; reversed < 2; reversed++)
                checked += check_kind((kind)which, (opened)open, reversed != 0);
    assert_true(checked > 8 * arms);
}
