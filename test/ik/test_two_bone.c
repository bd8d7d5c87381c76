/* test_two_bone.c - arms of two bones: what forward kinematics makes of the results. */
#include "bench/golden.h"
#include "kernel/ops.h"
#include "support.h"

#include <limber/two_bone.h>

/* ---- one arm ---------------------------------------------------------------- */

/* local transforms of an arm: where start is, then each joint in the one before */
typedef struct chain {
    lb_transform start, middle, end;
} chain;

static lb_two_bone place(const chain *c)
{
    lb_two_bone arm = lb_two_bone_default();
    arm.start = c->start;
    arm.middle = lb_transform_multiply(&arm.start, &c->middle);
    arm.end = lb_transform_multiply(&arm.middle, &c->end);
    return arm;
}

/* the arm with the corrections multiplied onto its local rotations */
static lb_two_bone corrected(chain c, lb_quat start, lb_quat middle)
{
    const lb_vec3 none = {0, 0, 0};
    lb_transform at_start = lb_transform_from_quat(start, none);
    lb_transform at_middle = lb_transform_from_quat(middle, none);
    c.start = lb_transform_multiply(&c.start, &at_start);
    c.middle = lb_transform_multiply(&c.middle, &at_middle);
    return place(&c);
}

static chain random_chain(lb_random *random)
{
    return (chain){test_random_transform(random), test_random_transform(random),
                   test_random_transform(random)};
}

static double gap(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_sub(a, b));
}

/* the longest and the shortest distance of start and end, by turning the middle joint all round */
static void find_reach(const chain *c, const lb_two_bone *arm, double *near, double *far)
{
    lb_vec3 axis = lb_vec3_normalize(arm->bend_axis, lb_vec3_make(0, 0, 1));
    *near = INFINITY;
    *far = 0;
    for (int k = 0; k < 2000; k++) {
        lb_quat q = lb_quat_from_axis_angle(axis, 2 * LB_PI * k / 2000);
        lb_two_bone turned = corrected(*c, LB_QUAT_IDENTITY, q);
        double d = gap(turned.start.p, turned.end.p);
        *near = fmin(*near, d);
        *far = fmax(*far, d);
    }
}

TEST(test_arrives)
{
    lb_random random = test_seed(2);
    int reached = 0;
    for (int k = 0; k < 300; k++) {
        chain c = random_chain(&random);
        lb_two_bone arm = place(&c);
        double near, far, d;
        lb_quat start, middle;
        // any axis, across the bones or not
        arm.bend_axis = lb_vec3_scale(test_random_direction(&random), 3);
        arm.pole = k % 2 ? test_random_direction(&random) : lb_vec3_make(0, 0, 0);
        find_reach(&c, &arm, &near, &far);
        d = lb_random_between(&random, 0.1, 1.2 * far);
        arm.target = lb_vec3_add(arm.start.p, lb_vec3_scale(test_random_direction(&random), d));
        bool arrived = lb_two_bone_solve(&arm, &start, &middle);
        lb_two_bone now = corrected(c, start, middle);
        double left = gap(now.end.p, arm.target);
        if (arrived) {
            assert_near(left, 0, 1e-12);
            reached++;
        } else {
            // to what 2000 steps around miss of an extremum: (pi / 2000)^2 / 2 of the lengths
            assert_near(left, d > far ? d - far : near - d, 1e-5);
        }
    }
    assert_true(reached > 100);
}

/* the elbow lies in the pole's half plane; turning by `twist` takes it out by that much */
TEST(test_pole_and_twist)
{
    lb_random random = test_seed(3);
    for (int k = 0; k < 200; k++) {
        chain c = random_chain(&random);
        lb_two_bone arm = place(&c);
        lb_quat start, middle;
        double reach = gap(arm.start.p, arm.middle.p) + gap(arm.middle.p, arm.end.p);
        lb_vec3 ahead = test_random_direction(&random);
        arm.pole = test_random_direction(&random);
        arm.twist = k % 2 ? lb_random_between(&random, -3, 3) : 0;
        arm.target = lb_vec3_add(arm.start.p, lb_vec3_scale(ahead, 0.8 * reach));
        lb_two_bone_solve(&arm, &start, &middle);
        lb_two_bone now = corrected(c, start, middle);
        lb_vec3 elbow = lb_vec3_sub(now.middle.p, now.start.p);
        elbow = lb_vec3_sub(elbow, lb_vec3_scale(ahead, lb_vec3_dot(elbow, ahead)));
        lb_vec3 pole = lb_vec3_sub(arm.pole, lb_vec3_scale(ahead, lb_vec3_dot(arm.pole, ahead)));
        double angle =
            lb_atan2(lb_vec3_dot(ahead, lb_vec3_cross(pole, elbow)), lb_vec3_dot(pole, elbow));
        assert_near(lb_wrap_angle(angle - arm.twist), 0, 1e-9);
    }
}

/* without a pole and with the arm in place already nothing moves */
TEST(test_in_place)
{
    lb_random random = test_seed(4);
    for (int k = 0; k < 100; k++) {
        chain c = random_chain(&random);
        lb_two_bone arm = place(&c);
        lb_quat start, middle;
        arm.target = arm.end.p;
        assert_true(lb_two_bone_solve(&arm, &start, &middle));
        assert_near(start.w, 1, 1e-12);
        assert_near(middle.w, 1, 1e-12);
    }
}

static lb_two_bone leg(chain *c)
{
    *c = (chain){LB_TRANSFORM_IDENTITY, lb_transform_translation(1, 0, 0),
                 lb_transform_translation(0.8, 0, 0)};
    return place(c);
}

/* a straight arm bends the positive way about its axis, to the pole's side */
TEST(test_straight)
{
    chain c;
    lb_quat start, middle;
    lb_two_bone arm = leg(&c);
    arm.target = lb_vec3_make(1, 0, 0);
    arm.bend_axis = lb_vec3_make(0, 0, 2);
    arm.pole = lb_vec3_make(0, -1, 0);
    assert_true(lb_two_bone_solve(&arm, &start, &middle));
    assert_true(middle.z > 0);
    lb_two_bone now = corrected(c, start, middle);
    assert_near(gap(now.end.p, arm.target), 0, 1e-14);
    assert_true(now.middle.p.y < -0.1);
    assert_near(now.middle.p.z, 0, 1e-15);
    // without an axis it bends all the same
    arm.bend_axis = lb_vec3_make(0, 0, 0);
    assert_true(lb_two_bone_solve(&arm, &start, &middle));
    now = corrected(c, start, middle);
    assert_near(gap(now.end.p, arm.target), 0, 1e-14);
    assert_true(now.middle.p.y < -0.1);
    // half a turn
    arm.target = lb_vec3_make(-1.8, 0, 0);
    assert_true(lb_two_bone_solve(&arm, &start, &middle));
    now = corrected(c, start, middle);
    assert_near(gap(now.end.p, arm.target), 0, 1e-7);
}

/* soft reach: exact up to where it starts, monotone, below the full length, without a jump */
TEST(test_soft)
{
    chain c;
    double before = 0;
    for (int k = 1; k <= 400; k++) {
        lb_quat start, middle;
        lb_two_bone arm = leg(&c);
        double d = 0.01 * k;
        arm.soft = 0.9;
        arm.target = lb_vec3_make(0, 0, d);
        bool arrived = lb_two_bone_solve(&arm, &start, &middle);
        lb_two_bone now = corrected(c, start, middle);
        double reach = lb_vec3_length(now.end.p);
        assert_near(gap(now.end.p, lb_vec3_scale(arm.target, reach / d)), 0, 1e-12);
        assert_true(reach < 1.8);
        if (d >= 0.2 && d <= 0.9 * 1.8)
            assert_near(reach, d, 1e-12);
        assert_int_equal(arrived, d > 0.2 - 1e-9 && d <= 0.9 * 1.8);
        if (d > 0.2) {
            assert_true(reach > before);
            assert_true(reach - before <= 0.01 + 1e-12);
        }
        before = reach;
    }
    assert_near(before, 1.8, 0.01);
}

/* a weight leaves that part of the way, and 0 nothing */
TEST(test_weight)
{
    chain c;
    lb_quat start, middle;
    lb_two_bone arm = leg(&c);
    arm.target = lb_vec3_make(0, 0.5, 0.5);
    double before = gap(arm.end.p, arm.target);
    for (int k = 0; k <= 10; k++) {
        arm.weight = 0.1 * k;
        assert_int_equal(lb_two_bone_solve(&arm, &start, &middle), arm.weight == 1);
        assert_near(start.w * start.w + start.x * start.x + start.y * start.y + start.z * start.z,
                    1, 1e-14);
        lb_two_bone now = corrected(c, start, middle);
        double after = gap(now.end.p, arm.target);
        assert_true(k == 0 ? after == before : after < before);
        before = after;
    }
}

/* bones of no length, targets at the shoulder */
TEST(test_degenerate)
{
    chain c;
    lb_quat start, middle;
    lb_two_bone arm = leg(&c);
    arm.target = arm.start.p;
    assert_false(lb_two_bone_solve(&arm, &start, &middle));
    lb_two_bone now = corrected(c, start, middle);
    assert_near(lb_vec3_length(now.end.p), 0.2, 1e-12);
    for (int k = 1; k < 4; k++) {
        const lb_vec3 none = {0, 0, 0};
        arm = leg(&c);
        if (k & 1)
            c.middle.p = none;
        if (k & 2)
            c.end.p = none;
        arm = place(&c);
        arm.target = lb_vec3_make(0, 0, 1);
        lb_two_bone_solve(&arm, &start, &middle);
        now = corrected(c, start, middle);
        assert_true(lb_vec3_is_finite(now.end.p));
        assert_near(gap(now.end.p, arm.target), k == 1 ? 0.2 : k == 2 ? 0 : 1, 1e-12);
    }
}

static double quat_dot(lb_quat a, lb_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a pole and a bend axis count as directions, however long they are */
TEST(test_extreme_directions)
{
    static const double lengths[] = {1e-320, 1e-200, 1e-100, 1e100, 1e155, 1e300};
    lb_random random = test_seed(26);
    for (int i = 0; i < 200; i++) {
        chain c = random_chain(&random);
        lb_two_bone arm = place(&c), extreme;
        arm.target = lb_vec3_add(arm.start.p, lb_vec3_scale(test_random_direction(&random), 0.5));
        arm.pole = test_random_direction(&random);
        arm.bend_axis = test_random_direction(&random);
        lb_quat start, middle, other_start, other_middle;
        bool reached = lb_two_bone_solve(&arm, &start, &middle);
        extreme = arm;
        double length = lengths[i % 6];
        extreme.pole = lb_vec3_scale(arm.pole, length);
        extreme.bend_axis = lb_vec3_scale(arm.bend_axis, length);
        assert_int_equal(lb_two_bone_solve(&extreme, &other_start, &other_middle), reached);
        // 1e-320 has four digits
        double tolerance = length < 1e-300 ? 1e-2 : 1e-9;
        assert_near(fabs(quat_dot(start, other_start)), 1, tolerance);
        assert_near(fabs(quat_dot(middle, other_middle)), 1, tolerance);
    }
}

/* the same rotations of the same arm in any unit, as far as places may be, and with any pole */
TEST(test_extreme_units)
{
    static const double units[] = {0x1p-200, 0x1p200, 0x1p231};
    static const double lengths[] = {1e-60, 1e60, 5e83, 9e99};
    lb_random random = test_seed(28);
    for (int i = 0; i < 240; i++) {
        double unit = units[i % 3], length = lengths[i / 3 % 4];
        chain c = random_chain(&random);
        lb_two_bone arm = place(&c), extreme;
        arm.target = lb_vec3_add(arm.start.p, lb_vec3_scale(test_random_direction(&random), 0.5));
        arm.pole = test_random_direction(&random);
        lb_quat start, middle, other_start, other_middle;
        bool reached = lb_two_bone_solve(&arm, &start, &middle);
        extreme = arm;
        extreme.start.p = lb_vec3_scale(arm.start.p, unit);
        extreme.middle.p = lb_vec3_scale(arm.middle.p, unit);
        extreme.end.p = lb_vec3_scale(arm.end.p, unit);
        extreme.target = lb_vec3_scale(arm.target, unit);
        extreme.pole = lb_vec3_scale(arm.pole, length);
        assert_int_equal(lb_two_bone_solve(&extreme, &other_start, &other_middle), reached);
        assert_near(fabs(quat_dot(start, other_start)), 1, 1e-9);
        assert_near(fabs(quat_dot(middle, other_middle)), 1, 1e-9);
    }
}

/* bones of no length that a double can resolve: rotations stay rotations */
TEST(test_short_bones)
{
    static const double lengths[] = {1e-30, 1e-75, 1e-140, 1e-151, 1e-156, 1e-300, 5e-324};
    lb_random random = test_seed(27);
    for (int i = 0; i < 700; i++) {
        chain c = random_chain(&random);
        lb_two_bone arm = place(&c);
        double length = lengths[i % 7];
        lb_vec3 *moved = i % 2 ? &arm.middle.p : &arm.end.p;
        const lb_vec3 *beside = i % 2 ? &arm.start.p : &arm.middle.p;
        arm.start.p = lb_vec3_scale(arm.start.p, i % 3 ? length : 0);
        arm.middle.p = lb_vec3_scale(arm.middle.p, i % 3 ? length : 0);
        *moved = lb_vec3_add(*beside, lb_vec3_scale(test_random_direction(&random), length));
        arm.target = test_random_direction(&random);
        arm.pole = test_random_direction(&random);
        lb_quat start, middle;
        lb_two_bone_solve(&arm, &start, &middle);
        assert_near(quat_dot(start, start), 1, 1e-12);
        assert_near(quat_dot(middle, middle), 1, 1e-12);
    }
    // both folded onto the target
    lb_two_bone folded = lb_two_bone_default();
    folded.middle.p.y = -2.3e-156;
    lb_quat start, middle;
    lb_two_bone_solve(&folded, &start, &middle);
    assert_near(quat_dot(start, start), 1, 1e-12);
    assert_near(quat_dot(middle, middle), 1, 1e-12);
}

static void assert_arm_refused(const lb_two_bone *arm)
{
    lb_quat start = {2, 2, 2, 2}, middle = start;
    assert_false(lb_two_bone_solve(arm, &start, &middle));
    assert_near(start.w, 1, 0);
    assert_near(middle.w, 1, 0);
    assert_near(middle.x, 0, 0);
}

/* every bad input */
TEST(test_refused)
{
    const double bad[] = {NAN, INFINITY, -INFINITY};
    chain c;
    const lb_two_bone good = leg(&c);
    for (int k = 0; k < 3; k++) {
        lb_two_bone arm = good;
        arm.target.y = bad[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.pole.z = bad[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.bend_axis.x = bad[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.start.y.z = bad[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.middle.p.x = bad[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.end.p.x = bad[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.twist = bad[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.soft = bad[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.weight = bad[k];
        assert_arm_refused(&arm);
    }
    // fourth powers of lengths must be numbers
    const double far[] = {3e70, 1e80, -1e155, 1e300};
    for (int k = 0; k < 4; k++) {
        lb_two_bone arm = good;
        arm.middle.p.y = far[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.target.x = far[k];
        assert_arm_refused(&arm);
    }
    const double out[] = {-0.1, 1.1};
    for (int k = 0; k < 2; k++) {
        lb_two_bone arm = good;
        arm.soft = out[k];
        assert_arm_refused(&arm);
        arm = good;
        arm.weight = out[k];
        assert_arm_refused(&arm);
    }
}

/* ---- many arms ------------------------------------------------------------ */

enum { ARMS = 203 };

/* arms of every kind: with and without pole, axis, twist, weight, soft reach; degenerate, refused
 */
static lb_two_bone any_arm(lb_random *random, int number)
{
    static const double lengths[] = {1, 3, 0, 1e-300, 1e200};
    chain c = random_chain(random);
    if (number % 17 == 3)
        c.middle.p = lb_vec3_make(0, 0, 0);
    if (number % 19 == 4)
        c.end.p = lb_vec3_scale(c.middle.p, 0.5);
    lb_two_bone arm = place(&c);
    arm.target = test_random_direction(random);
    arm.bend_axis = lb_vec3_scale(test_random_direction(random), lengths[number % 5]);
    arm.pole = lb_vec3_scale(test_random_direction(random), lengths[number / 5 % 5]);
    arm.twist = number % 7 == 2 ? lb_random_between(random, -1e6, 1e6) : 0;
    arm.soft = number % 3 == 1 ? 0.7 : 1;
    arm.weight = number % 11 == 5 ? lb_random_unit(random) : 1;
    if (number % 23 == 6)
        arm.target = arm.start.p;
    // behind the shoulder, on the line of the arm
    if (number % 29 == 7)
        arm.target = lb_vec3_sub(lb_vec3_scale(arm.start.p, 2), arm.end.p);
    if (number % 31 == 8)
        arm.twist = INFINITY;
    return arm;
}

/* the same bits at every width, as one by one, and on every machine */
TEST(test_batch)
{
    static lb_two_bone arms[ARMS];
    static struct {
        lb_quat start[ARMS], middle[ARMS];
        bool reached[ARMS];
    } one, many;
    lb_random random = test_seed(27);
    size_t reached = 0;
    for (int i = 0; i < ARMS; i++)
        arms[i] = any_arm(&random, i);
    for (int i = 0; i < ARMS; i++) {
        one.reached[i] = lb_two_bone_solve(&arms[i], &one.start[i], &one.middle[i]);
        reached += one.reached[i];
    }
    assert_true(reached > 20 && reached < ARMS);
    for (int width = 1; width <= KERNEL_MAX_WIDTH; width *= 2) {
        memset(&many, 0, sizeof many);
        const kernel_two_bones rows = {&arms[0].start.x.x, &many.start[0].w, &many.middle[0].w,
                                       many.reached, ARMS};
        assert_int_equal(kernel_choose(width)->two_bones(&rows), reached);
        assert_memory_equal(&many, &one, sizeof one);
    }
    // any part of the arms, and without the third array
    memset(&many, 0, sizeof many);
    for (size_t i = 0, part = 1; i < ARMS; i += part, part++) {
        size_t count = i + part < ARMS ? part : ARMS - i;
        lb_two_bone_batch(arms + i, count, many.start + i, many.middle + i, NULL);
    }
    assert_memory_equal(&many, &one, sizeof one.start + sizeof one.middle);
    assert_int_equal(lb_two_bone_batch(arms, 0, many.start, many.middle, many.reached), 0);

    uint64_t hash = golden_start();
    golden_add(&hash, &one.start[0].w, 4 * (size_t)ARMS);
    golden_add(&hash, &one.middle[0].w, 4 * (size_t)ARMS);
    print_message("hash: 0x%016llx\n", (unsigned long long)hash);
    assert_true(hash == UINT64_C(0xfbbd1597234a9e33));
}
