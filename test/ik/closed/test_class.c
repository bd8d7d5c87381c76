/*
 * test_class.c - closed forms against forward kinematics: random arms of each class, and the
 * configuration that made a pose must always be among those found.
 */
#include "ik/closed/class.h"
#include "ik/closed/general.h"
#include "ik/closed/newton.h"
#include "kernel/ops.h"
#include "math/scalar.h"
#include "support.h"

/* ---- random arms ------------------------------------------------------------ */

static lb_vec3 random_vector(lb_random *random)
{
    double x = lb_random_between(random, -1, 1), y = lb_random_between(random, -1, 1);
    return lb_vec3_make(x, y, lb_random_between(random, -1, 1));
}

static lb_vec3 random_direction(lb_random *random)
{
    lb_vec3 v = random_vector(random);
    return lb_vec3_normalize(v, lb_vec3_make(0, 0, 1));
}

/* axes a multiple of an eighth of a turn from each other, as most arms have them */
static lb_vec3 square_direction(lb_random *random)
{
    const lb_vec3 axes[4] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0.6, 0.8}};
    lb_vec3 v = axes[lb_random_next(random) % 4];
    return lb_random_next(random) & 1 ? v : lb_vec3_scale(v, -1);
}

typedef lb_vec3 (*direction_maker)(lb_random *random);

/* nothing special */
static closed_arm random_arm(lb_random *random, direction_maker direction)
{
    closed_arm arm = {.joints = 6, .home = LB_TRANSFORM_IDENTITY};
    for (int i = 0; i < 6; i++) {
        arm.axis[i] = direction(random);
        arm.point[i] = random_vector(random);
    }
    lb_quat turn = lb_quat_exp(lb_vec3_scale(random_vector(random), 2));
    arm.home = lb_transform_from_quat(turn, random_vector(random));
    return arm;
}

/* an axis through a point */
static void place(closed_arm *arm, int i, lb_vec3 p)
{
    arm->point[i] = p;
}

typedef enum {
    PLANAR_LAST,
    PLANAR_FIRST,
    MEET_LAST,
    MEET_FIRST,
    SLIDER,
    STANFORD,
    GANTRY,
    PARALLEL,
    KINDS
} kind;

static void make_region(closed_arm *arm, kind which, lb_random *random)
{
    lb_vec3 p = random_vector(random);
    if (which == PLANAR_LAST || which == PARALLEL)
        arm->axis[2] = lb_vec3_scale(arm->axis[1], which == PARALLEL ? -1 : 1);
    if (which == PLANAR_FIRST || which == SLIDER)
        arm->axis[1] = lb_vec3_scale(arm->axis[0], -1);
    if (which == MEET_LAST)
        arm->point[1] = arm->point[2] = p;
    if (which == MEET_FIRST || which == STANFORD)
        arm->point[0] = arm->point[1] = p;
    arm->is_length[2] = which == SLIDER || which == STANFORD || which == GANTRY;
    arm->is_length[0] = arm->is_length[1] = which == GANTRY;
}

static closed_arm make_arm(kind which, lb_random *random, direction_maker direction)
{
    closed_arm arm = random_arm(random, direction);
    make_region(&arm, which, random);
    if (which == PARALLEL)
        arm.axis[3] = arm.axis[1];
    lb_vec3 center = random_vector(random);
    for (int i = which == PARALLEL ? 4 : 3; i < 6; i++)
        place(&arm, i, center);
    return arm;
}

/* ---- what must hold --------------------------------------------------------- */

static double turn_distance(double a, double b)
{
    return fabs(lb_wrap_angle(a - b));
}

static double farthest(const closed_arm *arm, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < arm->joints; i++) {
        double d = arm->is_length[i] ? fabs(a[i] - b[i]) : turn_distance(a[i], b[i]);
        most = scalar_max(most, d);
    }
    return most;
}

/* no limits, all joints the model's */
static kernel_ranges all_free(const closed_arm *arm)
{
    kernel_ranges r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        r.lower[i] = -INFINITY;
        r.upper[i] = INFINITY;
        r.weight[i] = 1;
        r.is_length[i] = arm->is_length[i];
    }
    return r;
}

static void find(const closed_arm *arm, const kernel_closed *form, const lb_transform *target,
                 const double *start, kernel_solutions *found)
{
    const kernel_ranges ranges = all_free(arm);
    kernel_choose(0)->closed_one(form, &ranges, target, start, found);
}

static void take_branch(const kernel_solutions *found, int branch, double *q)
{
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        q[i] = found->q[i][branch];
}

/* every branch with a margin reaches the target, to what rounding leaves */
static void check_branches(const closed_arm *arm, const lb_transform *target,
                           const kernel_solutions *found, double *worst)
{
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++) {
        if (!(found->margin[i] >= 0))
            continue;
        double error[6], q[KERNEL_CLOSED_JOINTS];
        take_branch(found, i, q);
        lb_transform tip = closed_forward(arm, q);
        *worst = scalar_max(*worst, closed_error(&tip, target, error));
    }
}

static double nearest_branch(const closed_arm *arm, const double *q, const kernel_solutions *found)
{
    double least = INFINITY;
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++) {
        double branch[KERNEL_CLOSED_JOINTS];
        take_branch(found, i, branch);
        if (found->margin[i] >= -1e-12)
            least = scalar_min(least, farthest(arm, branch, q));
    }
    return least;
}

static void random_q(const closed_arm *arm, lb_random *random, double *q)
{
    for (int i = 0; i < arm->joints; i++)
        q[i] = arm->is_length[i] ? lb_random_between(random, 0.1, 1)
                                 : lb_random_between(random, -LB_PI, LB_PI);
}

static void check_kind(kind which, uint64_t seed, direction_maker direction, bool reversed)
{
    lb_random random = lb_random_seed(seed);
    int solved = 0, missed = 0;
    double worst = 0;
    for (int a = 0; a < 400; a++) {
        closed_arm arm = make_arm(which, &random, direction);
        if (reversed)
            arm = closed_arm_reversed(&arm);
        kernel_closed form;
        if (!closed_recognise(&arm, CLOSED_EXACT, &form)) {
            // random directions are never parallel by chance, square ones are
            assert_true(direction == square_direction || a > 0);
            continue;
        }
        solved++;
        for (int k = 0; k < 20; k++) {
            double q[6];
            kernel_solutions found;
            random_q(&arm, &random, q);
            lb_transform target = closed_forward(&arm, q);
            find(&arm, &form, &target, q, &found);
            check_branches(&arm, &target, &found, &worst);
            missed += nearest_branch(&arm, q, &found) > 1e-5;
        }
    }
    if (missed > 0 || worst > 1e-12)
        print_error("kind %d seed %llu%s: %d of %d missed, worst error %g\n", (int)which,
                    (unsigned long long)seed, reversed ? " reversed" : "", missed, 20 * solved,
                    worst);
    assert_true(solved >= 50);
    assert_int_equal(missed, 0);
    assert_true(worst <= 1e-12);
}

TEST(test_the_q_that_made_a_pose_is_found)
{
    for (kind k = 0; k < KINDS; k++)
        for (int reversed = 0; reversed < 2; reversed++)
            check_kind(k, 71 + (uint64_t)k, random_direction, reversed != 0);
}

TEST(test_axes_at_right_angles)
{
    for (kind k = 0; k < KINDS; k++)
        for (int reversed = 0; reversed < 2; reversed++)
            check_kind(k, 171 + (uint64_t)k, square_direction, reversed != 0);
}

/* ---- calibrated arms ---------------------------------------------------------- */

static lb_vec3 shaken(lb_random *random, lb_vec3 v, double by)
{
    return lb_vec3_add(v, lb_vec3_scale(random_vector(random), by));
}

/* how far the nearest solution is that the class gives or, without one, the general solver */
static double nearest_of_any(const closed_arm *arm, const double *q)
{
    static general_arm general;
    kernel_closed form;
    lb_transform target = closed_forward(arm, q);
    double least = INFINITY;
    if (closed_recognise(arm, CLOSED_EXACT, &form)) {
        kernel_solutions found;
        find(arm, &form, &target, q, &found);
        for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i++) {
            double branch[KERNEL_CLOSED_JOINTS];
            take_branch(&found, i, branch);
            closed_newton(arm, &target, 8, branch);
            if (found.margin[i] >= -1e-12)
                least = scalar_min(least, farthest(arm, branch, q));
        }
        return least;
    }
    general_solution found[GENERAL_SOLUTIONS];
    general_summary summary;
    const kernel_general_ops *ops = kernel_choose_general(0);
    if (!general_prepare(arm, ops, &general))
        return INFINITY;
    int count = general_solve(&general, ops, &target, found, &summary);
    for (int i = 0; i < count; i++)
        least = scalar_min(least, farthest(arm, found[i].q, q));
    return least;
}

/* arms that nearly are of a class, by 1e-12 to 1e-2: none is refused and no solution missed */
TEST(test_calibrated_arms)
{
    lb_random random = lb_random_seed(7);
    double by = 1e-12;
    for (int step = 0; step < 11; step++, by *= 10)
        for (int a = 0; a < 20; a++) {
            closed_arm arm = make_arm(a & 1 ? PARALLEL : PLANAR_LAST, &random, random_direction);
            for (int i = 0; i < 6; i++) {
                lb_vec3 axis = shaken(&random, arm.axis[i], by);
                arm.axis[i] = lb_vec3_normalize(axis, arm.axis[i]);
                arm.point[i] = shaken(&random, arm.point[i], by);
            }
            for (int k = 0; k < 5; k++) {
                double q[6];
                random_q(&arm, &random, q);
                double off = nearest_of_any(&arm, q);
                if (!(off <= 1e-5))
                    fail_msg("arm %d changed by %g: pose %d missed by %g", a, by, k, off);
            }
        }
}

/* ---- the same bits ---------------------------------------------------------- */

/* limits that some solutions break, and some on their first turn alone */
static kernel_ranges random_ranges(const closed_arm *arm, lb_random *random)
{
    kernel_ranges r = all_free(arm);
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        if (arm->is_length[i] || i % 3 == 1)
            continue;
        r.lower[i] = lb_random_between(random, -6, -2);
        r.upper[i] = lb_random_between(random, 2, 6);
    }
    return r;
}

/* the branch that a batch should pick, -1: none */
static int expected_pick(const kernel_closed *form, const kernel_solutions *found, bool nearest)
{
    const int *order = kernel_closed_order(form);
    int best = -1;
    for (int k = 0; k < KERNEL_CLOSED_BRANCHES; k++) {
        int i = order[k];
        bool solves = kernel_closed_solves(found, i) && found->worst[i] < 0;
        if (solves && (best < 0 || (nearest && found->square[i] < found->square[best])))
            best = i;
    }
    return best;
}

/* Poses, and starts. */
typedef struct poses {
    lb_transform targets[8];
    double starts[8][6];
} poses;

static void check_picks(const kernel_ops *ops, const kernel_closed *form,
                        const kernel_ranges *ranges, const poses *p, const kernel_solutions *one,
                        bool nearest)
{
    static const int columns[6] = {0, 1, 2, 3, 4, 5};
    const lb_transform *targets[8];
    const double *starts[8];
    double q[8][6], squares[8], *rows[8];
    kernel_solutions found[8], *sets[8];
    for (int i = 0; i < 8; i++) {
        sets[i] = &found[i];
        targets[i] = &p->targets[i];
        starts[i] = p->starts[i];
        rows[i] = q[i];
    }
    for (int i = 0; i < 8; i += ops->width) {
        bool made = false;
        const kernel_closed_batch batch = {targets + i, starts + i, rows + i, columns,
                                           nearest,     -1,         sets + i, &made};
        unsigned some = ops->closed_pick(form, ranges, &batch, ops->width, squares + i);
        assert_true(made || some == (1u << ops->width) - 1);
        if (!made)
            ops->closed_several(form, ranges, &batch, ops->width, sets + i);
        for (int k = 0; k < ops->width; k++) {
            assert_memory_equal(&one[i + k], &found[i + k], sizeof *found);
            int wanted = expected_pick(form, &one[i + k], nearest);
            assert_int_equal(some >> k & 1, wanted >= 0);
            if (wanted < 0)
                continue;
            double branch[6];
            take_branch(&one[i + k], wanted, branch);
            for (int j = 0; j < 6; j++)
                branch[j] = kernel_inside(ranges, j, branch[j]);
            assert_memory_equal(branch, q[i + k], sizeof branch);
            assert_true(squares[i + k] == one[i + k].square[wanted]);
        }
    }
}

TEST(test_batches_and_widths_agree_bit_for_bit)
{
    lb_random random = lb_random_seed(5);
    for (int trial = 0; trial < 20 * KINDS; trial++) {
        closed_arm arm = make_arm((kind)(trial % KINDS), &random, random_direction);
        kernel_closed form;
        if (!closed_recognise(&arm, CLOSED_EXACT, &form))
            continue;
        const kernel_ranges ranges = random_ranges(&arm, &random);
        poses p;
        kernel_solutions one[8], same;
        for (int i = 0; i < 8; i++) {
            double q[6];
            random_q(&arm, &random, q);
            random_q(&arm, &random, p.starts[i]);
            p.targets[i] = closed_forward(&arm, q);
            if (i % 4 == 3)
                p.targets[i].p.x += 1;
            kernel_choose(1)->closed_one(&form, &ranges, &p.targets[i], p.starts[i], &one[i]);
        }
        for (int width = 1; width <= 8; width *= 2) {
            const kernel_ops *ops = kernel_choose(width);
            memset(&same, 0, sizeof same);
            ops->closed_one(&form, &ranges, &p.targets[2], p.starts[2], &same);
            assert_memory_equal(&one[2], &same, sizeof same);
            check_picks(ops, &form, &ranges, &p, one, true);
            check_picks(ops, &form, &ranges, &p, one, false);
        }
    }
}
