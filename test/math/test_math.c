/* test_math.c - vectors, quaternions and transforms, against each other and by definition. */
#include "kernel/ops.h"
#include "support.h"

enum { ROUNDS = 1000 };

/* What a dozen rounded operations on numbers near one may leave. */
static const double rounding = 1e-14;

#define assert_vec3_near(actual, expected, tolerance)                                              \
    do {                                                                                           \
        lb_vec3 actual_ = (actual), expected_ = (expected);                                        \
        assert_near(actual_.x, expected_.x, tolerance);                                            \
        assert_near(actual_.y, expected_.y, tolerance);                                            \
        assert_near(actual_.z, expected_.z, tolerance);                                            \
    } while (0)

static double quat_dot(lb_quat a, lb_quat b)
{
    return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The same rotation: q and -q are. */
#define assert_same_rotation(a, b, tolerance) assert_near(fabs(quat_dot((a), (b))), 1, tolerance)

static lb_vec3 scaled_direction(lb_random *random, double length)
{
    return lb_vec3_scale(test_random_direction(random), length);
}

/* ---- vectors ------------------------------------------------------------ */

TEST(vectors_are_normalized)
{
    lb_vec3 fallback = {0, 0, 1};
    lb_random random = test_seed(1);
    for (int i = 0; i < ROUNDS; i++) {
        // from the smallest numbers to the largest
        double length = ldexp(1, test_random_index(&random, 2040) - 1020);
        lb_vec3 direction = test_random_direction(&random);
        lb_vec3 unit = lb_vec3_normalize(lb_vec3_scale(direction, length), fallback);
        assert_vec3_near(unit, direction, rounding);
    }
    lb_vec3 tiny = {0, -0x1p-1074, 0};
    assert_vec3_near(lb_vec3_normalize(tiny, fallback), lb_vec3_make(0, -1, 0), 0);
}

TEST(what_has_no_direction_gets_the_fallback)
{
    lb_vec3 fallback = {1, 2, 3};
    const lb_vec3 bad[] = {{0, 0, 0},        {-0.0, 0, 0},      {NAN, 1, 0},
                           {1, INFINITY, 0}, {0, 0, -INFINITY}, {1, 1, NAN}};
    for (int i = 0; i < 6; i++)
        assert_vec3_near(lb_vec3_normalize(bad[i], fallback), fallback, 0);
}

TEST(perpendiculars_are_unit_and_at_right_angles)
{
    lb_random random = test_seed(2);
    for (int i = 0; i < ROUNDS; i++) {
        lb_vec3 a = test_random_direction(&random);
        // near and at the poles too, where others divide by zero
        if (i % 4 == 0)
            a = lb_vec3_make(0, 0, i % 8 ? 1 : -1);
        if (i % 4 == 1)
            a = lb_vec3_normalize(lb_vec3_make(1e-9 * a.x, 1e-9 * a.y, -1), a);
        lb_vec3 b = lb_vec3_perpendicular(a);
        assert_near(lb_vec3_length(b), 1, rounding);
        assert_near(lb_vec3_dot(a, b), 0, rounding);
    }
}

/* ---- quaternions -------------------------------------------------------- */

TEST(quaternions_rotate_as_matrices_do)
{
    lb_random random = test_seed(3);
    for (int i = 0; i < ROUNDS; i++) {
        lb_quat a = test_random_quat(&random), b = test_random_quat(&random);
        lb_vec3 v = scaled_direction(&random, 3);

        // by q v q*, by the matrix, and two turns after one another
        lb_quat pure = {0, v.x, v.y, v.z};
        lb_quat turned = lb_quat_multiply(lb_quat_multiply(a, pure), lb_quat_conjugate(a));
        lb_transform matrix = lb_transform_from_quat(a, lb_vec3_make(0, 0, 0));
        assert_vec3_near(lb_quat_rotate(a, v), lb_vec3_make(turned.x, turned.y, turned.z),
                         rounding);
        assert_vec3_near(lb_quat_rotate(a, v), lb_transform_direction(&matrix, v), rounding);
        assert_vec3_near(lb_quat_rotate(lb_quat_multiply(a, b), v),
                         lb_quat_rotate(a, lb_quat_rotate(b, v)), rounding);
    }
}

TEST(quaternions_are_normalized)
{
    lb_random random = test_seed(4);
    for (int i = 0; i < ROUNDS; i++) {
        double s = ldexp(1, test_random_index(&random, 2040) - 1020);
        lb_quat q = test_random_quat(&random);
        lb_quat unit = lb_quat_normalize((lb_quat){s * q.w, s * q.x, s * q.y, s * q.z});
        assert_near(quat_dot(unit, unit), 1, rounding);
        assert_near(quat_dot(unit, q), 1, rounding);
    }
    const lb_quat bad[] = {{0, 0, 0, 0}, {NAN, 0, 0, 1}, {1, INFINITY, 0, 0}, {1, 0, 0, NAN}};
    for (int i = 0; i < 4; i++)
        assert_near(lb_quat_normalize(bad[i]).w, 1, 0);
}

TEST(axis_and_angle_turn_as_they_say)
{
    lb_random random = test_seed(5);
    for (int i = 0; i < ROUNDS; i++) {
        lb_vec3 axis = test_random_direction(&random);
        double angle = lb_random_between(&random, -7, 7);
        lb_quat q = lb_quat_from_axis_angle(axis, angle);

        // the axis stays; what is at right angles to it goes by angle, right-handed
        lb_vec3 across = lb_vec3_perpendicular(axis);
        lb_vec3 ahead = lb_vec3_cross(axis, across);
        lb_vec3 expected =
            lb_vec3_add(lb_vec3_scale(across, cos(angle)), lb_vec3_scale(ahead, sin(angle)));
        assert_vec3_near(lb_quat_rotate(q, axis), axis, rounding);
        assert_vec3_near(lb_quat_rotate(q, across), expected, rounding);
    }
}

TEST(exp_and_log_are_inverse)
{
    lb_random random = test_seed(6);
    for (int i = 0; i < ROUNDS; i++) {
        // from nothing over the change of formulas to almost half a turn
        double angle = i % 2 ? lb_random_between(&random, 0, LB_PI)
                             : ldexp(LB_PI, -test_random_index(&random, 1000) / 10);
        lb_vec3 v = scaled_direction(&random, angle * (1 - 1e-9));
        lb_quat q = lb_quat_exp(v);
        assert_near(quat_dot(q, q), 1, rounding);
        assert_vec3_near(lb_quat_log(q), v, 4e-16 + rounding * lb_vec3_length(v));

        // -q is the same rotation
        lb_quat negative = {-q.w, -q.x, -q.y, -q.z};
        assert_vec3_near(lb_quat_log(negative), v, 4e-16 + rounding * lb_vec3_length(v));
    }
    assert_near(lb_vec3_length(lb_quat_log(LB_QUAT_IDENTITY)), 0, 0);
    assert_near(lb_quat_exp(lb_vec3_make(0, 0, 0)).w, 1, 0);

    // half a turn itself
    assert_near(lb_vec3_length(lb_quat_log((lb_quat){0, 0, 1, 0})), LB_PI, rounding);
}

TEST(log_has_relative_precision_near_zero)
{
    for (int k = 0; k < 300; k++) {
        double angle = pow(10, -k);
        lb_quat q = {cos(angle / 2), 0, sin(angle / 2), 0};
        assert_near(lb_quat_log(q).y / angle, 1, rounding);
        assert_near(lb_quat_exp(lb_vec3_make(0, 0, angle)).z / sin(angle / 2), 1, rounding);
    }
}

/* a half turn that rounding makes a little less or more is never minus a half turn */
TEST(half_turns_are_positive)
{
    for (int sign = -1; sign <= 1; sign++) {
        double little = sign * 1e-17;
        lb_vec3 rolled = lb_quat_to_rpy((lb_quat){little, 1, 0, 0});
        lb_vec3 yawed = lb_quat_to_rpy((lb_quat){little, 0, 0, 1});
        assert_true(rolled.x == LB_PI);
        assert_true(yawed.z == LB_PI);
    }
}

TEST(roll_pitch_yaw_are_turns_about_fixed_axes)
{
    lb_random random = test_seed(7);
    for (int i = 0; i < ROUNDS; i++) {
        double roll = lb_random_between(&random, -LB_PI, LB_PI);
        double pitch = lb_random_between(&random, -1.55, 1.55);
        double yaw = lb_random_between(&random, -LB_PI, LB_PI);
        lb_vec3 v = test_random_direction(&random);
        lb_vec3 turned = {v.x, v.y * cos(roll) - v.z * sin(roll),
                          v.y * sin(roll) + v.z * cos(roll)};
        turned = lb_vec3_make(turned.x * cos(pitch) + turned.z * sin(pitch), turned.y,
                              turned.z * cos(pitch) - turned.x * sin(pitch));
        turned = lb_vec3_make(turned.x * cos(yaw) - turned.y * sin(yaw),
                              turned.x * sin(yaw) + turned.y * cos(yaw), turned.z);

        lb_quat q = lb_quat_from_rpy(roll, pitch, yaw);
        assert_vec3_near(lb_quat_rotate(q, v), turned, rounding);
        // the nearer to gimbal lock the less of roll and yaw is left in q
        assert_vec3_near(lb_quat_to_rpy(q), lb_vec3_make(roll, pitch, yaw), 1e-12);
    }
}

TEST(roll_pitch_yaw_survive_gimbal_lock)
{
    lb_random random = test_seed(8);
    for (int i = 0; i < ROUNDS; i++) {
        // at it, and nearer to it than rounding shows
        double sign = i % 2 ? 1 : -1;
        double off = i % 3 ? pow(10, -test_random_index(&random, 20)) : 0;
        double pitch = sign * (LB_PI / 2 - off);
        lb_quat q = lb_quat_from_rpy(lb_random_between(&random, -LB_PI, LB_PI), pitch,
                                     lb_random_between(&random, -LB_PI, LB_PI));
        lb_vec3 rpy = lb_quat_to_rpy(q);
        lb_quat back = lb_quat_from_rpy(rpy.x, rpy.y, rpy.z);
        assert_true(fabs(rpy.y) <= LB_PI / 2);
        assert_near(lb_vec3_length(lb_quat_log(lb_quat_multiply(lb_quat_conjugate(q), back))), 0,
                    1e-7);
        if (off == 0)
            assert_near(rpy.x, 0, 0);
    }
}

TEST(slerp_has_constant_speed_on_the_shorter_arc)
{
    lb_random random = test_seed(9);
    for (int i = 0; i < ROUNDS; i++) {
        lb_quat a = test_random_quat(&random), b = test_random_quat(&random);
        lb_quat way = lb_quat_multiply(lb_quat_conjugate(a), b);
        double angle = lb_vec3_length(lb_quat_log(way));
        double t = lb_random_between(&random, -0.2, 1.2);
        lb_quat q = lb_quat_slerp(a, b, t);
        assert_true(angle <= LB_PI);
        assert_near(lb_vec3_length(lb_quat_log(lb_quat_multiply(lb_quat_conjugate(a), q))),
                    fmin(fabs(t) * angle, 2 * LB_PI - fabs(t) * angle), 1e-13);
        assert_same_rotation(lb_quat_slerp(a, b, 0), a, rounding);
        assert_same_rotation(lb_quat_slerp(a, b, 1), b, rounding);
        assert_same_rotation(lb_quat_slerp(a, a, t), a, rounding);
    }
}

TEST(swing_and_twist_compose)
{
    lb_random random = test_seed(10);
    for (int i = 0; i < ROUNDS; i++) {
        lb_vec3 axis = test_random_direction(&random);
        lb_quat q = test_random_quat(&random), swing, twist;
        lb_quat_swing_twist(q, axis, &swing, &twist);
        assert_same_rotation(lb_quat_multiply(swing, twist), q, rounding);

        // the twist keeps the axis, the swing has no part about it
        assert_vec3_near(lb_quat_rotate(twist, axis), axis, rounding);
        assert_near(swing.x * axis.x + swing.y * axis.y + swing.z * axis.z, 0, rounding);
        assert_true(twist.w >= 0 && swing.w >= 0);
    }

    // a swing by half a turn has no twist that could be measured
    lb_quat swing, twist;
    lb_quat_swing_twist((lb_quat){0, 1, 0, 0}, lb_vec3_make(0, 0, 1), &swing, &twist);
    assert_same_rotation(twist, LB_QUAT_IDENTITY, 0);
    assert_same_rotation(swing, ((lb_quat){0, 1, 0, 0}), 0);
}

/* ---- transforms --------------------------------------------------------- */

TEST(transforms_are_a_group)
{
    lb_random random = test_seed(11);
    const lb_transform identity = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < ROUNDS; i++) {
        lb_transform a = test_random_transform(&random), b = test_random_transform(&random);
        lb_transform c = test_random_transform(&random);
        lb_vec3 p = scaled_direction(&random, 2);

        // products act as one after the other, and group as they like
        lb_transform ab = lb_transform_multiply(&a, &b), bc = lb_transform_multiply(&b, &c);
        lb_transform left = lb_transform_multiply(&ab, &c);
        lb_transform right = lb_transform_multiply(&a, &bc);
        lb_vec3 inner = lb_transform_point(&b, p);
        assert_transform_near(&left, &right, rounding);
        assert_vec3_near(lb_transform_point(&ab, p), lb_transform_point(&a, inner), rounding);

        // inverses undo
        lb_transform inverse = lb_transform_inverse(&a);
        lb_transform none = lb_transform_multiply(&a, &inverse);
        lb_transform between = lb_transform_between(&a, &b);
        lb_transform again = lb_transform_multiply(&a, &between);
        assert_transform_near(&none, &identity, rounding);
        assert_transform_near(&again, &b, rounding);
        assert_true(lb_transform_is_rigid(&left, rounding));
    }
}

TEST(matrices_and_quaternions_convert)
{
    lb_random random = test_seed(12);
    for (int i = 0; i < ROUNDS; i++) {
        // all four cases, their borders, and half turns
        lb_quat q = test_random_quat(&random);
        if (i % 5 == 1)
            q.w = 0;
        if (i % 5 == 2)
            q.x = q.y = 0;
        if (i % 5 == 3)
            q.y = q.w = 0;
        if (i % 5 == 4)
            q = (lb_quat){1, i & 8 ? 1 : -1, i & 16 ? 1 : -1, i & 32 ? 1 : 0};
        q = lb_quat_normalize(q);
        lb_transform t = lb_transform_from_quat(q, lb_vec3_make(1, 2, 3));
        lb_quat back = lb_transform_quat(&t);
        assert_true(back.w >= 0);
        assert_same_rotation(back, q, rounding);
        assert_true(lb_transform_is_rigid(&t, rounding));
    }
}

TEST(turns_about_one_axis_leave_exact_zeros)
{
    for (int i = 0; i < 100; i++) {
        double angle = 0.1 * i - 5;
        lb_transform x = lb_transform_from_quat(lb_quat_from_rpy(angle, 0, 0), (lb_vec3){1, 2, 3});
        lb_transform z = lb_transform_from_quat(lb_quat_from_rpy(0, 0, angle), (lb_vec3){1, 2, 3});
        assert_int_equal(kernel_form_of(&x) & KERNEL_ROTATION,
                         angle == 0 ? KERNEL_ROTATION_NONE : KERNEL_ROTATION_X);
        assert_int_equal(kernel_form_of(&z) & KERNEL_ROTATION,
                         angle == 0 ? KERNEL_ROTATION_NONE : KERNEL_ROTATION_GENERAL);
    }

    // not by a bit
    lb_transform almost = LB_TRANSFORM_IDENTITY;
    assert_int_equal(kernel_form_of(&almost) & KERNEL_ROTATION, KERNEL_ROTATION_NONE);
    almost.y.z = 0x1p-1074;
    assert_int_equal(kernel_form_of(&almost) & KERNEL_ROTATION, KERNEL_ROTATION_GENERAL);
    almost.z.y = -0x1p-1074;
    assert_int_equal(kernel_form_of(&almost) & KERNEL_ROTATION, KERNEL_ROTATION_X);
    almost.x.y = 0x1p-1074;
    assert_int_equal(kernel_form_of(&almost) & KERNEL_ROTATION, KERNEL_ROTATION_GENERAL);
}

TEST(distances_and_angles_are_measured)
{
    lb_random random = test_seed(13);
    for (int i = 0; i < ROUNDS; i++) {
        double angle = i % 3 ? lb_random_between(&random, 0, LB_PI) : pow(10, -i % 15);
        if (i % 7 == 0)
            angle = LB_PI - angle;
        lb_transform a = test_random_transform(&random);
        lb_vec3 step = scaled_direction(&random, 5);
        lb_quat turn = lb_quat_from_axis_angle(test_random_direction(&random), angle);
        lb_transform by = lb_transform_from_quat(turn, step);
        lb_transform b = lb_transform_multiply(&a, &by);
        assert_near(lb_transform_distance(&a, &b), 5, rounding);
        assert_near(lb_transform_angle(&a, &b), angle, rounding);
    }
}

TEST(what_is_not_rigid_is_seen)
{
    lb_transform good = lb_transform_translation(1, 2, 3);
    assert_true(lb_transform_is_rigid(&good, 0));

    lb_transform bad[8];
    for (int i = 0; i < 8; i++)
        bad[i] = good;
    bad[0].x.x = 1.001;
    bad[1].y.x = 0.001;
    bad[2].z = lb_vec3_make(0, 0, -1);
    bad[3].z.z = NAN;
    bad[4].p.y = NAN;
    bad[5].p.x = INFINITY;
    bad[6].x = lb_vec3_make(0, 0, 0);
    bad[7].y.y = INFINITY;
    for (int i = 0; i < 8; i++) {
        lb_transform same = bad[i];
        assert_false(lb_transform_is_rigid(&bad[i], 1e-6));
        assert_false(lb_transform_orthonormalize(&same));
        assert_memory_equal(&same, &bad[i], sizeof same);
    }
}

/* rotations that were rounded to four decimals are rotations again, nearest to what was written */
TEST(rounded_rotations_are_orthonormal)
{
    lb_random random = test_seed(12);
    for (int i = 0; i < 1000; i++) {
        lb_vec3 axis = scaled_direction(&random, 1);
        lb_quat turn = lb_quat_from_axis_angle(axis, lb_random_between(&random, -3, 3));
        lb_transform t = lb_transform_from_quat(turn, lb_vec3_make(1, 2, 3)), rounded = t;
        double *numbers = &rounded.x.x;
        for (int k = 0; k < 9; k++)
            numbers[k] = floor(numbers[k] * 1e4 + 0.5) / 1e4;
        lb_transform written = rounded;
        assert_true(lb_transform_orthonormalize(&rounded));
        assert_true(lb_transform_is_rigid(&rounded, 1e-12));
        assert_true(lb_transform_angle(&rounded, &t) < 2e-4);
        // what is left of the rounding is symmetric: no turn is nearer to what was written
        assert_near(lb_vec3_dot(rounded.x, written.y), lb_vec3_dot(rounded.y, written.x), 1e-8);
        assert_near(lb_vec3_dot(rounded.y, written.z), lb_vec3_dot(rounded.z, written.y), 1e-8);
        assert_near(lb_vec3_dot(rounded.z, written.x), lb_vec3_dot(rounded.x, written.z), 1e-8);
        written = rounded;
        assert_true(lb_transform_orthonormalize(&rounded));
        assert_memory_equal(&rounded, &written, sizeof written);
    }
}
