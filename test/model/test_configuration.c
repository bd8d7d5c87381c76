/* test_configuration.c - the arithmetic of configurations, on random trees of all kinds. */
#include "support.h"

enum { TREES = 300, MAX_JOINTS = 12, MAX_Q = MAX_JOINTS * LB_JOINT_MAX_NQ };

/* What every property is tried on. */
static lb_model *random_model(uint64_t seed, lb_random *random)
{
    *random = test_seed(seed);
    test_tree wanted = test_tree_default();
    wanted.joints = 1 + test_random_index(random, MAX_JOINTS);
    wanted.mimic = 0.2;
    return test_tree_build(&wanted, random);
}

static lb_joint joint_of(lb_joint_kind kind)
{
    lb_joint joint = lb_joint_default();
    joint.kind = kind;
    return joint;
}

/* All link frames of two configurations are the same. */
static void assert_same_pose(const lb_model *model, const double *a, const double *b,
                             double tolerance)
{
    lb_transform at_a[MAX_JOINTS + 1], at_b[MAX_JOINTS + 1];
    test_forward(model, a, at_a);
    test_forward(model, b, at_b);
    for (int i = 0; i < lb_model_link_count(model); i++)
        assert_transform_near(&at_a[i], &at_b[i], tolerance);
}

/* A velocity that turns by less than half a turn in each part. */
static void random_velocity(const lb_model *model, lb_random *random, double *v)
{
    for (int i = 0; i < lb_model_nv(model); i++)
        v[i] = lb_random_between(random, -1.8, 1.8);
}

/* ---- moving and comparing ----------------------------------------------- */

TEST(difference_undoes_integrate)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_model *model = random_model(seed, &random);
        double a[MAX_Q], b[MAX_Q], v[MAX_Q], way[MAX_Q];
        lb_configuration_random(model, &random, a);
        random_velocity(model, &random, v);

        // every component below 1.8, so that |v| of a ball stays below pi only for some
        for (int j = 0; j < lb_model_joint_count(model); j++) {
            int at = lb_model_joint_v(model, j);
            lb_joint_kind kind = lb_model_joint(model, j)->kind;
            if (at < 0 || (kind != LB_JOINT_BALL && kind != LB_JOINT_FLOATING))
                continue;
            double *turn = &v[at + (kind == LB_JOINT_FLOATING ? 3 : 0)];
            double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
            for (int i = 0; i < 3 && length > 3.1; i++)
                turn[i] *= 3.1 / length;
        }
        lb_configuration_integrate(model, a, v, b);
        lb_configuration_difference(model, a, b, way);
        for (int i = 0; i < lb_model_nv(model); i++)
            assert_near(way[i], v[i], 1e-12);
    }
}

TEST(integrate_undoes_difference)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_model *model = random_model(seed, &random);
        double a[MAX_Q], b[MAX_Q], v[MAX_Q], back[MAX_Q];
        lb_configuration_random(model, &random, a);
        lb_configuration_random(model, &random, b);
        lb_configuration_difference(model, a, b, v);
        lb_configuration_integrate(model, a, v, back);
        assert_same_pose(model, b, back, 1e-12);

        // nothing leads from a to itself, and in place is as good
        lb_configuration_difference(model, a, a, v);
        for (int i = 0; i < lb_model_nv(model); i++)
            assert_near(v[i], 0, 1e-15);
        lb_configuration_difference(model, a, b, v);
        lb_configuration_integrate(model, a, v, a);
        for (int i = 0; i < lb_model_nq(model); i++)
            assert_near(a[i], back[i], 0);
    }
}

TEST(ball_velocities_are_in_child_axes)
{
    lb_random random = test_seed(30);
    lb_joint joint = joint_of(LB_JOINT_BALL);
    owned_model *model = test_single_joint(&joint);
    for (int i = 0; i < 100; i++) {
        // by v about the child's own axes: T(q + v) = T(q) R(v)
        double q[4], moved[4];
        lb_configuration_random(model, &random, q);
        lb_vec3 v = lb_vec3_scale(test_random_direction(&random), 0.7);
        lb_configuration_integrate(model, q, (double[]){v.x, v.y, v.z}, moved);
        lb_transform before[2], after[2];
        test_forward(model, q, before);
        test_forward(model, moved, after);
        lb_vec3 axis = lb_vec3_scale(v, 1 / 0.7);
        lb_transform turn =
            lb_transform_from_quat(lb_quat_from_axis_angle(axis, 0.7), (lb_vec3){0, 0, 0});
        lb_transform expected = lb_transform_multiply(&before[1], &turn);
        assert_transform_near(&after[1], &expected, 1e-14);
    }
}

TEST(interpolation_meets_its_ends)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_model *model = random_model(seed, &random);
        double a[MAX_Q], b[MAX_Q], v[MAX_Q], between[MAX_Q], moved[MAX_Q];
        lb_configuration_random(model, &random, a);
        lb_configuration_random(model, &random, b);
        lb_configuration_interpolate(model, a, b, 0, between);
        assert_same_pose(model, between, a, 1e-13);
        lb_configuration_interpolate(model, a, b, 1, between);
        assert_same_pose(model, between, b, 1e-13);

        // at t it is the t-th part of the difference
        double t = lb_random_unit(&random);
        lb_configuration_difference(model, a, b, v);
        for (int i = 0; i < lb_model_nv(model); i++)
            v[i] *= t;
        lb_configuration_integrate(model, a, v, moved);
        lb_configuration_interpolate(model, a, b, t, between);
        assert_same_pose(model, between, moved, 1e-12);

        // into one of its own ends
        lb_configuration_interpolate(model, a, b, t, b);
        for (int i = 0; i < lb_model_nq(model); i++)
            assert_near(b[i], between[i], 0);
    }
}

TEST(turns_go_the_shorter_way)
{
    lb_joint joint = joint_of(LB_JOINT_CONTINUOUS);
    lb_model *model = test_single_joint(&joint);
    double a = 3, b = -3, v, middle;
    lb_configuration_difference(model, &a, &b, &v);
    assert_near(v, 2 * LB_PI - 6, 1e-14);
    lb_configuration_interpolate(model, &a, &b, 0.5, &middle);
    assert_near(fabs(lb_wrap_angle(middle)), LB_PI, 1e-14);
    lb_model_release(model);

    // a revolute joint has no other way than through zero
    joint = joint_of(LB_JOINT_REVOLUTE);
    model = test_single_joint(&joint);
    lb_configuration_difference(model, &a, &b, &v);
    assert_near(v, -6, 0);
    lb_configuration_interpolate(model, &a, &b, 0.5, &middle);
    assert_near(middle, 0, 0);
    lb_model_release(model);

    // of q and -q the nearer one
    joint = joint_of(LB_JOINT_BALL);
    model = test_single_joint(&joint);
    double p[4] = {1, 0, 0, 0}, minus[4] = {-cos(0.1), 0, -sin(0.1), 0}, way[3];
    lb_configuration_difference(model, p, minus, way);
    assert_near(way[0], 0, 1e-15);
    assert_near(way[1], 0.2, 1e-15);
    assert_near(way[2], 0, 1e-15);
    lb_model_release(model);
}

/* ---- neutral and random ------------------------------------------------- */

TEST(neutral_is_every_joint_at_its_value)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_model *model = random_model(seed, &random);
        double q[MAX_Q];
        lb_configuration_neutral(model, q);
        for (int j = 0; j < lb_model_joint_count(model); j++) {
            const lb_joint *joint = lb_model_joint(model, j);
            double m, b;
            int mimicked = lb_model_joint_mimic(model, j, &m, &b), at = lb_model_joint_q(model, j);
            for (int i = 0; i < lb_joint_kind_nq(joint->kind); i++)
                assert_near(joint->value[i], mimicked < 0 ? q[at + i] : m * q[at] + b, 0);
        }
    }
}

TEST(random_is_within_all_limits)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_model *model = random_model(seed, &random);
        for (int k = 0; k < 10; k++) {
            double q[MAX_Q];
            lb_error error = {0};
            lb_configuration_random(model, &random, q);
            if (lb_configuration_validate(model, q, 1e-12, &error) != LB_OK)
                fail_msg("seed %d: %s", (int)seed, error.message);

            // those of followers too
            for (int j = 0; j < lb_model_joint_count(model); j++) {
                double m, b;
                if (lb_model_joint_mimic(model, j, &m, &b) < 0)
                    continue;
                const lb_joint *joint = lb_model_joint(model, j);
                double value = m * q[lb_model_joint_q(model, j)] + b;
                assert_true(value >= joint->lower[0] - 1e-12 && value <= joint->upper[0] + 1e-12);
            }
        }
    }
}

TEST(random_without_limits_has_the_usual_width)
{
    const struct {
        lb_joint_kind kind;
        double lower, upper, least, most;
    } cases[] = {
        {LB_JOINT_REVOLUTE, -INFINITY, INFINITY, -LB_PI, LB_PI},
        {LB_JOINT_CONTINUOUS, -INFINITY, INFINITY, -LB_PI, LB_PI},
        {LB_JOINT_PRISMATIC, -INFINITY, INFINITY, -1, 1},
        {LB_JOINT_PRISMATIC, 5, INFINITY, 5, 7},
        {LB_JOINT_REVOLUTE, -INFINITY, 1, 1 - 2 * LB_PI, 1},
        {LB_JOINT_REVOLUTE, 0.5, 0.5, 0.5, 0.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        lb_joint joint = joint_of(cases[k].kind);
        joint.lower[0] = cases[k].lower;
        joint.upper[0] = cases[k].upper;
        owned_model *model = test_single_joint(&joint);
        lb_random random = test_seed(k);
        double sum = 0, width = cases[k].most - cases[k].least;
        for (int i = 0; i < 10000; i++) {
            double q;
            lb_configuration_random(model, &random, &q);
            assert_true(q >= cases[k].least && q <= cases[k].most);
            sum += q;
        }

        // the mean of uniform numbers, to five standard deviations
        assert_near(sum / 10000, (cases[k].least + cases[k].most) / 2,
                    5 * width / sqrt(12 * 10000) + 1e-12);
    }
}

TEST(random_balls_are_uniform)
{
    enum { COUNT = 40000 };
    lb_joint joint = joint_of(LB_JOINT_BALL);
    joint.axis = lb_vec3_make(1, 2, -2);
    owned_model *free_ball = test_single_joint(&joint);
    joint.lower[0] = -0.5;
    joint.upper[0] = 1.5;
    joint.upper[1] = 0.8;
    owned_model *bounded = test_single_joint(&joint);
    lb_vec3 axis = lb_model_joint(bounded, 0)->axis;
    lb_random random = test_seed(31);
    double squares[4] = {0}, height = 0, twist_sum = 0;
    for (int i = 0; i < COUNT; i++) {
        // over all rotations each part of q has a mean square of one quarter
        double q[4];
        lb_configuration_random(free_ball, &random, q);
        for (int k = 0; k < 4; k++)
            squares[k] += q[k] * q[k] / COUNT;

        // on a cap the height of the axis is uniform, and so is the twist
        lb_configuration_random(bounded, &random, q);
        lb_quat swing, twist, given = {q[0], q[1], q[2], q[3]};
        lb_quat_swing_twist(given, axis, &swing, &twist);
        lb_vec3 along = {twist.x, twist.y, twist.z};
        height += lb_vec3_dot(axis, lb_quat_rotate(given, axis)) / COUNT;
        twist_sum += 2 * atan2(lb_vec3_dot(along, axis), twist.w) / COUNT;
    }
    // five standard deviations, each below that of a uniform number
    for (int k = 0; k < 4; k++)
        assert_near(squares[k], 0.25, 5 * 0.29 / sqrt(COUNT));
    assert_near(height, (1 + cos(0.8)) / 2, 5 * 0.29 * (1 - cos(0.8)) / sqrt(COUNT));
    assert_near(twist_sum, 0.5, 5 * 0.29 * 2 / sqrt(COUNT));
}

TEST(the_same_seed_gives_the_same_configuration)
{
    lb_random random;
    owned_model *model = random_model(5, &random);
    double a[MAX_Q], b[MAX_Q];
    lb_random first = lb_random_seed(9), second = lb_random_seed(9);
    lb_configuration_random(model, &first, a);
    lb_configuration_random(model, &second, b);
    assert_memory_equal(a, b, (size_t)lb_model_nq(model) * sizeof *a);
}

/* ---- clamping and validating -------------------------------------------- */

TEST(clamping_brings_inside_and_leaves_what_is)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_model *model = random_model(seed, &random);
        double q[MAX_Q], clamped[MAX_Q];
        for (int i = 0; i < lb_model_nq(model); i++)
            q[i] = lb_random_between(&random, -10, 10);
        lb_error error = {0};
        lb_configuration_clamp(model, q, clamped);
        if (lb_configuration_validate(model, clamped, 1e-12, &error) != LB_OK)
            fail_msg("seed %d: %s", (int)seed, error.message);

        // numbers within are not touched, rotations stay the same
        lb_configuration_random(model, &random, q);
        lb_configuration_clamp(model, q, clamped);
        assert_same_pose(model, clamped, q, 1e-12);
        lb_configuration_clamp(model, q, q);
        for (int i = 0; i < lb_model_nq(model); i++)
            assert_near(q[i], clamped[i], 0);
    }
}

TEST(balls_are_clamped_by_swing_and_twist)
{
    lb_joint joint = joint_of(LB_JOINT_BALL);
    joint.lower[0] = -0.5;
    joint.upper[0] = 3.5;
    joint.upper[1] = 1;
    owned_model *model = test_single_joint(&joint);

    // a twist of -3 is one of 3.28, which is inside; -2.7 is nearer to 3.5 than to -0.5
    const double twists[][2] = {{-3, -3}, {-2.7, 3.5}, {-0.6, -0.5}, {3.4, 3.4}, {1, 1}};
    for (int i = 0; i < 5; i++) {
        lb_quat q = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), twists[i][0]);
        double given[4] = {q.w, q.x, q.y, q.z}, clamped[4];
        lb_configuration_clamp(model, given, clamped);
        lb_quat expected = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), twists[i][1]);
        double dot = clamped[0] * expected.w + clamped[3] * expected.z;
        assert_near(fabs(dot), 1, 1e-14);
    }

    // the axis of a swing stays
    lb_vec3 across = {0.6, 0.8, 0};
    lb_quat swing = lb_quat_from_axis_angle(across, 2);
    double given[4] = {swing.w, swing.x, swing.y, swing.z}, clamped[4];
    lb_configuration_clamp(model, given, clamped);
    assert_near(clamped[0], cos(0.5), 1e-14);
    assert_near(clamped[1], 0.6 * sin(0.5), 1e-14);
    assert_near(clamped[2], 0.8 * sin(0.5), 1e-14);
    assert_near(clamped[3], 0, 1e-14);

    // upside down there are many nearest ones: any of them
    lb_configuration_clamp(model, (double[]){0, 1, 0, 0}, clamped);
    assert_int_equal(lb_configuration_validate(model, clamped, 1e-12, NULL), LB_OK);
}

/* a swing by half a turn, to rounding, goes with any twist, so that limits of twists hold */
TEST(half_a_turn_has_every_twist)
{
    lb_joint joint = joint_of(LB_JOINT_BALL);
    lb_random random = test_seed(33);
    for (int i = 0; i < 1000; i++) {
        joint.lower[0] = lb_random_between(&random, -LB_PI, LB_PI);
        joint.upper[0] = lb_random_between(&random, joint.lower[0], LB_PI);
        joint.upper[1] = LB_PI;
        owned_model *model = test_single_joint(&joint);
        double angle = lb_random_between(&random, -LB_PI, LB_PI), clamped[4];
        double rest = i % 2 ? 1e-160 : pow(10, lb_random_between(&random, -16, -3));
        lb_quat q = {rest, cos(angle), sin(angle), 0.7 * rest};
        q = lb_quat_normalize(q);
        lb_configuration_clamp(model, (double[]){q.w, q.x, q.y, q.z}, clamped);
        assert_int_equal(lb_configuration_validate(model, clamped, 1e-14, NULL), LB_OK);
        // what was inside already stays
        if (i % 2) {
            assert_int_equal(lb_configuration_validate(model, &q.w, 1e-14, NULL), LB_OK);
            assert_near(fabs(clamped[1] * q.x + clamped[2] * q.y), 1, 1e-15);
        }
    }
}

TEST(a_twist_limit_on_one_side_holds)
{
    lb_joint joint = joint_of(LB_JOINT_BALL);
    joint.upper[0] = 1;
    owned_model *model = test_single_joint(&joint);

    // from half a turn back up to 1; 2 is nearer to 1, 2.5 to half a turn
    const double twists[][2] = {{-3, -3}, {0.9, 0.9}, {2, 1}, {2.5, LB_PI}};
    for (int i = 0; i < 4; i++) {
        lb_quat q = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), twists[i][0]);
        double clamped[4];
        lb_configuration_clamp(model, (double[]){q.w, q.x, q.y, q.z}, clamped);
        lb_quat expected = lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), twists[i][1]);
        assert_near(fabs(clamped[0] * expected.w + clamped[3] * expected.z), 1, 1e-14);
    }
}

TEST(a_rigid_ball_is_held)
{
    lb_joint joint = joint_of(LB_JOINT_BALL);
    joint.lower[0] = joint.upper[0] = joint.upper[1] = 0;
    owned_model *model = test_single_joint(&joint);
    lb_random random = test_seed(32);
    for (int i = 0; i < 100; i++) {
        lb_quat q = test_random_quat(&random);
        double clamped[4];
        lb_configuration_clamp(model, (double[]){q.w, q.x, q.y, q.z}, clamped);
        assert_near(fabs(clamped[0]), 1, 1e-15);
        lb_configuration_random(model, &random, clamped);
        assert_near(fabs(clamped[0]), 1, 1e-15);
    }
}

TEST(validate_names_joint_value_and_limit)
{
    const struct {
        lb_joint_kind kind;
        double q[LB_JOINT_MAX_NQ];
        const char *message; /* NULL: it is fine */
    } cases[] = {
        {LB_JOINT_REVOLUTE, {0.5}, NULL},
        {LB_JOINT_REVOLUTE, {1 + 1e-7}, NULL},
        {LB_JOINT_REVOLUTE, {1.25}, "joint 'joint': value 1.25 is above its upper limit 1"},
        {LB_JOINT_REVOLUTE, {-3}, "joint 'joint': value -3 is below its lower limit -1"},
        {LB_JOINT_REVOLUTE, {NAN}, "joint 'joint': value is not finite"},
        {LB_JOINT_CONTINUOUS, {100}, NULL},
        {LB_JOINT_CONTINUOUS, {INFINITY}, "joint 'joint': value is not finite"},
        {LB_JOINT_UNIVERSAL, {0, 2}, "joint 'joint': second value 2 is above its upper limit 1"},
        {LB_JOINT_PLANAR, {0, 0, -2}, "joint 'joint': third value -2 is below its lower"},
        {LB_JOINT_FLOATING, {0, 2, 0, 1}, "joint 'joint': second value 2 is above its upper"},
        {LB_JOINT_FLOATING, {0, 0, 0, 1}, NULL},
        {LB_JOINT_FLOATING, {0, 0, 0, -1}, NULL},
        {LB_JOINT_FLOATING, {0, 0, 0, 1.01}, "joint 'joint': quaternion has length 1.01"},
        {LB_JOINT_BALL, {0, 0, 0, 0}, "joint 'joint': quaternion has length 0; it must be 1"},
        {LB_JOINT_BALL, {1, NAN, 0, 0}, "joint 'joint': quaternion has length nan"},
        {LB_JOINT_BALL, {0.8, 0, 0, 0.6}, "joint 'joint': twist 1.287002218 is above its upper"},
        {LB_JOINT_BALL, {0.8, 0, 0, -0.6}, "joint 'joint': twist -1.287002218 is below its low"},
        {LB_JOINT_BALL, {0.8, 0.6, 0, 0}, "joint 'joint': swing 1.287002218 is above its upper"},
        {LB_JOINT_BALL, {1, 0, 0, 0}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lb_joint joint = joint_of(cases[i].kind);
        for (int k = 0; k < 3; k++) {
            joint.lower[k] = -1;
            joint.upper[k] = 1;
        }
        owned_model *model = test_single_joint(&joint);
        lb_error error = {0};
        lb_status status = lb_configuration_validate(model, cases[i].q, 1e-6, &error);
        assert_int_equal(status, cases[i].message ? LB_BAD_VALUE : LB_OK);
        if (cases[i].message && !strstr(error.message, cases[i].message))
            fail_msg("'%s' is not '%s'", error.message, cases[i].message);
        assert_int_equal(lb_configuration_validate(model, cases[i].q, 1e-6, NULL), status);
    }
}

/* ---- the same bits everywhere ------------------------------------------- */

/* FNV-1a over the bits of numbers. */
static uint64_t hash_numbers(uint64_t hash, const double *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        uint64_t bits;
        // minus zero is zero
        double number = numbers[i] + 0.0;
        memcpy(&bits, &number, sizeof bits);
        for (int k = 0; k < 64; k += 8)
            hash = (hash ^ (bits >> k & 0xff)) * 1099511628211u;
    }
    return hash;
}

/* what every compiler, option and machine must come to */
static const uint64_t golden = 0xc4d53f9ebef12dd5;

TEST(configurations_have_golden_bits)
{
    uint64_t hash = 14695981039346656037u;
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random;
        owned_model *model = random_model(seed, &random);
        int nq = lb_model_nq(model), nv = lb_model_nv(model);
        double a[MAX_Q], b[MAX_Q], v[MAX_Q];
        lb_configuration_random(model, &random, a);
        lb_configuration_random(model, &random, b);
        hash = hash_numbers(hash, a, nq);
        lb_configuration_difference(model, a, b, v);
        hash = hash_numbers(hash, v, nv);
        lb_configuration_interpolate(model, a, b, 0.3, a);
        hash = hash_numbers(hash, a, nq);
        lb_configuration_integrate(model, b, v, b);
        lb_configuration_clamp(model, b, b);
        hash = hash_numbers(hash, b, nq);
    }
    if (hash != golden)
        fail_msg("hash 0x%016llx", (unsigned long long)hash);
}
