/*
 * test_jacobian.c - Jacobians of points and of the centre of mass.
 *
 * The oracle is a central difference: of a function f along the i-th velocity,
 *
 *     (f(q (+) h e_i) - f(q (+) -h e_i)) / 2h,
 *
 * where (+) is lb_configuration_integrate and f is computed by the 4x4 matrices of
 * test_forward. With h = 1e-5 its own error is some h^2 / 6 = 2e-11 of the size from
 * cutting the series off, and 1e-16 / h = 1e-11 from rounding.
 */
#include <limber/kinematics.h>

#include "support_load.h"

enum { MOST_JOINTS = 12, MOST = LB_JOINT_MAX_NQ * MOST_JOINTS };

TEST_ARGUMENT(tree_count, 1, 500)

#define STEP 1e-5
/* of the largest number in the Jacobian, and of the distances that it is made of */
#define TOLERANCE 1e-8

/* ---- differences ---------------------------------------------------------- */

/* links at q (+) step * e_i */
static void frames_beside(const lb_model *model, const double *q, int i, double step,
                          lb_transform *links)
{
    double v[MOST] = {0}, moved[MOST];
    v[i] = step;
    lb_configuration_integrate(model, q, v, moved);
    test_forward(model, moved, links);
}

/* (b - a) / 2h */
static lb_vec3 slope(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_scale(lb_vec3_sub(b, a), 1 / (2 * STEP));
}

/* angular velocity from R' R^T = [w]: half the sum of axis x axis' */
static lb_vec3 turning(const lb_transform *at, const lb_transform *before,
                       const lb_transform *after)
{
    lb_vec3 w = lb_vec3_cross(at->x, slope(before->x, after->x));
    w = lb_vec3_add(w, lb_vec3_cross(at->y, slope(before->y, after->y)));
    w = lb_vec3_add(w, lb_vec3_cross(at->z, slope(before->z, after->z)));
    return lb_vec3_scale(w, 0.5);
}

/* a vector as seen along the axes of t, or the world's */
static lb_vec3 along(const lb_transform *t, lb_axes axes, lb_vec3 a)
{
    if (axes == LB_AXES_WORLD)
        return a;
    return lb_vec3_make(lb_vec3_dot(t->x, a), lb_vec3_dot(t->y, a), lb_vec3_dot(t->z, a));
}

/* column i of a point's Jacobian, by differences */
static void difference_column(const lb_model *model, const double *q, int link, lb_vec3 point,
                              lb_axes axes, int i, double column[6])
{
    lb_transform at[MOST_JOINTS + 1], before[MOST_JOINTS + 1], after[MOST_JOINTS + 1];
    test_forward(model, q, at);
    frames_beside(model, q, i, -STEP, before);
    frames_beside(model, q, i, STEP, after);
    lb_vec3 linear =
        slope(lb_transform_point(&before[link], point), lb_transform_point(&after[link], point));
    lb_vec3 angular = turning(&at[link], &before[link], &after[link]);
    linear = along(&at[link], axes, linear);
    angular = along(&at[link], axes, angular);
    const double numbers[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    memcpy(column, numbers, sizeof numbers);
}

/* ---- points --------------------------------------------------------------- */

/* one point of one link: every number of its Jacobian, relative to the largest */
static void check_point(const lb_state *state, int link, lb_vec3 point, lb_axes axes)
{
    const lb_model *model = lb_state_model(state);
    int nv = lb_model_nv(model);
    double jacobian[6 * MOST], column[6], size = 1;
    lb_state_jacobian(state, link, point, axes, jacobian);
    for (int i = 0; i < 6 * nv; i++)
        size = fmax(size, fabs(jacobian[i]));
    for (int i = 0; i < nv; i++) {
        difference_column(model, lb_state_configuration(state), link, point, axes, i, column);
        for (int row = 0; row < 6; row++)
            assert_near(jacobian[row * nv + i], column[row], TOLERANCE * size);
    }
}

/* random trees of the given kinds, at random configurations, points and axes */
static void check_kinds(unsigned kinds, uint64_t seed)
{
    lb_random random = test_seed(seed);
    test_tree wanted = test_tree_default();
    wanted.joints = 1 + test_random_index(&random, MOST_JOINTS);
    wanted.kinds = kinds;
    wanted.mimic = 0.3;
    owned_model *model = test_tree_build(&wanted, &random);
    double q[MOST];
    owned_state *state = test_state(model);
    lb_configuration_random(model, &random, q);
    lb_state_update(state, q);
    for (int link = 0; link < lb_model_link_count(model); link++) {
        lb_axes axes = test_random_chance(&random, 0.5) ? LB_AXES_WORLD : LB_AXES_LINK;
        check_point(state, link, test_random_direction(&random), axes);
    }
}

TEST(each_kind_is_the_slope_of_its_motion)
{
    for (int kind = 0; kind < LB_JOINT_KIND_COUNT; kind++)
        for (uint64_t seed = 1; seed <= (uint64_t)tree_count / 10; seed++)
            check_kinds(TEST_KIND(kind), seed);
}

TEST(random_trees_are_the_slope_of_their_motion)
{
    for (uint64_t seed = 1; seed <= (uint64_t)tree_count; seed++)
        check_kinds(TEST_ALL_KINDS, 1000 + seed);
}

/* J v is the velocity for any v at once, not only for one joint at a time */
TEST(it_is_linear_in_the_velocity)
{
    lb_random random = test_seed(21);
    test_tree wanted = test_tree_default();
    wanted.joints = MOST_JOINTS;
    wanted.branching = 0;
    owned_model *model = test_tree_build(&wanted, &random);
    owned_state *one = test_state(model);
    int nv = lb_model_nv(model), tip = MOST_JOINTS;
    double q[MOST], moved[MOST], v[MOST], jacobian[6 * MOST];
    lb_transform before[MOST_JOINTS + 1], after[MOST_JOINTS + 1];
    for (int n = 0; n < 100; n++) {
        lb_configuration_random(model, &random, q);
        for (int i = 0; i < nv; i++)
            v[i] = lb_random_between(&random, -STEP, STEP);
        lb_configuration_integrate(model, q, v, moved);
        test_forward(model, moved, after);
        for (int i = 0; i < nv; i++)
            v[i] = -v[i];
        lb_configuration_integrate(model, q, v, moved);
        test_forward(model, moved, before);
        lb_vec3 expected = slope(before[tip].p, after[tip].p), velocity = {0, 0, 0};
        lb_state_update(one, q);
        lb_state_jacobian(one, tip, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, jacobian);
        for (int i = 0; i < nv; i++)
            velocity = lb_vec3_add(
                velocity,
                lb_vec3_scale(lb_vec3_make(jacobian[i], jacobian[nv + i], jacobian[2 * nv + i]),
                              -v[i] / STEP));
        assert_near(velocity.x, expected.x, 1e-7);
        assert_near(velocity.y, expected.y, 1e-7);
        assert_near(velocity.z, expected.z, 1e-7);
    }
}

TEST(stacked_jacobians_are_those_of_each_link)
{
    lb_random random = test_seed(22);
    test_tree wanted = test_tree_default();
    wanted.joints = MOST_JOINTS;
    owned_model *model = test_tree_build(&wanted, &random);
    owned_state *one = test_state(model);
    int links[3] = {MOST_JOINTS, 2, 7};
    lb_vec3 points[3];
    for (int i = 0; i < 3; i++)
        points[i] = test_random_direction(&random);
    size_t size = 6 * (size_t)lb_model_nv(model);
    owned double *all = calloc(3 * size, sizeof *all), *each = calloc(size, sizeof *each);
    assert_true(all && each);
    for (int with_points = 0; with_points < 2; with_points++) {
        for (int axes = 0; axes < 2; axes++) {
            lb_state_jacobians(one, links, with_points ? points : NULL, 3, (lb_axes)axes, all);
            for (int i = 0; i < 3; i++) {
                lb_vec3 point = with_points ? points[i] : lb_vec3_make(0, 0, 0);
                lb_state_jacobian(one, links[i], point, (lb_axes)axes, each);
                assert_memory_equal(each, all + (size_t)i * size, size * sizeof *each);
            }
        }
    }
}

/* Craig, "Introduction to Robotics", 5.7: the planar arm of three links, by hand */
TEST(a_planar_arm_has_the_textbook_jacobian)
{
    const lb_dh_row rows[3] = {{LB_JOINT_REVOLUTE, 0, 0, 15, 0, -4, 4},
                               {LB_JOINT_REVOLUTE, 0, 0, 10, 0, -4, 4},
                               {LB_JOINT_REVOLUTE, 0, 0, 5, 0, -4, 4}};
    owned_model *model = NULL;
    owned_state *arm = NULL;
    assert_int_equal(lb_model_from_dh("arm", rows, 3, false, NULL, &model, NULL), LB_OK);
    arm = test_state(model);
    const double q[3] = {LB_PI / 8, LB_PI / 4, LB_PI / 4};
    double a = q[0], b = a + q[1], c = b + q[2], jacobian[18];
    double x[3] = {15 * cos(a) + 10 * cos(b) + 5 * cos(c), 10 * cos(b) + 5 * cos(c), 5 * cos(c)};
    double y[3] = {15 * sin(a) + 10 * sin(b) + 5 * sin(c), 10 * sin(b) + 5 * sin(c), 5 * sin(c)};
    lb_state_update(arm, q);
    lb_state_jacobian(arm, lb_model_link_count(model) - 1, lb_vec3_make(0, 0, 0), LB_AXES_WORLD,
                      jacobian);
    for (int i = 0; i < 3; i++) {
        assert_near(jacobian[i], -y[i], 1e-13);
        assert_near(jacobian[3 + i], x[i], 1e-13);
        assert_near(jacobian[6 + i], 0, 0);
        assert_near(jacobian[9 + i], 0, 0);
        assert_near(jacobian[12 + i], 0, 0);
        assert_near(jacobian[15 + i], 1, 1e-15);
    }
}

/* ---- the centre of mass --------------------------------------------------- */

/* the figure has ball joints and masses in all its limbs */
static lb_model *load_human(void)
{
    return test_load("human");
}

/* the weighted mean of all links' centres, by the oracle's frames */
static double mean_center(const lb_model *model, const lb_transform *links, lb_vec3 *center)
{
    double total = 0;
    lb_vec3 sum = {0, 0, 0};
    for (int i = 0; i < lb_model_link_count(model); i++) {
        const lb_link *link = lb_model_link(model, i);
        total += link->mass;
        sum = lb_vec3_add(sum,
                          lb_vec3_scale(lb_transform_point(&links[i], link->center), link->mass));
    }
    *center = lb_vec3_scale(sum, 1 / total);
    return total;
}

static void check_center(const lb_state *state)
{
    const lb_model *model = lb_state_model(state);
    int nv = lb_model_nv(model), links = lb_model_link_count(model);
    const double *q = lb_state_configuration(state);
    owned double *jacobian = calloc(3 * (size_t)nv, sizeof *jacobian);
    owned double *v = calloc((size_t)nv, sizeof *v);
    owned double *moved = calloc((size_t)lb_model_nq(model), sizeof *moved);
    owned lb_transform *frames = calloc((size_t)links, sizeof *frames);
    assert_true(jacobian && v && moved && frames);
    lb_vec3 center, expected, side[2];

    double mass = lb_state_center_of_mass(state, &center, jacobian);
    test_forward(model, q, frames);
    assert_near(mass, mean_center(model, frames, &expected), 1e-12 * mass);
    assert_near(lb_vec3_length(lb_vec3_sub(center, expected)), 0, 1e-13);
    for (int i = 0; i < nv; i++) {
        for (int k = 0; k < 2; k++) {
            v[i] = k ? STEP : -STEP;
            lb_configuration_integrate(model, q, v, moved);
            test_forward(model, moved, frames);
            mean_center(model, frames, &side[k]);
        }
        v[i] = 0;
        expected = slope(side[0], side[1]);
        assert_near(jacobian[i], expected.x, TOLERANCE);
        assert_near(jacobian[nv + i], expected.y, TOLERANCE);
        assert_near(jacobian[2 * nv + i], expected.z, TOLERANCE);
    }

    // the Jacobian may be left out
    assert_near(lb_state_center_of_mass(state, &expected, NULL), mass, 0);
    assert_memory_equal(&expected, &center, sizeof center);
}

TEST(the_center_of_mass_moves_as_its_jacobian_says)
{
    lb_random random = test_seed(31);
    owned_model *model = load_human();
    owned double *q = calloc((size_t)lb_model_nq(model), sizeof *q);
    assert_non_null(q);
    owned_state *human = test_state(model);
    for (int n = 0; n < 20; n++) {
        lb_configuration_random(model, &random, q);
        lb_state_update(human, q);
        check_center(human);
    }
}

TEST(without_masses_there_is_no_center)
{
    lb_random random = test_seed(32);
    test_tree wanted = test_tree_default();
    owned_model *model = test_tree_build(&wanted, &random);
    owned_state *one = test_state(model);
    double jacobian[3 * MOST];
    lb_vec3 center = {1, 2, 3};
    memset(jacobian, 0xff, sizeof jacobian);
    assert_true(lb_state_center_of_mass(one, &center, jacobian) == 0);
    assert_true(center.x == 0 && center.y == 0 && center.z == 0);
    for (int i = 0; i < 3 * lb_model_nv(model); i++)
        assert_true(jacobian[i] == 0);
}

/* the world is a link that nothing moves */
TEST(the_world_stands_still)
{
    owned_model *model = test_load("ur5");
    owned_state *s = test_state(model);
    double jacobian[6 * 6];
    const lb_vec3 point = {1, 2, 3};
    for (int axes = LB_AXES_WORLD; axes <= LB_AXES_LINK; axes++) {
        memset(jacobian, 1, sizeof jacobian);
        lb_state_jacobian(s, LB_WORLD, point, (lb_axes)axes, jacobian);
        for (int i = 0; i < 36; i++)
            assert_true(jacobian[i] == 0);
    }
    lb_singularity found;
    assert_int_equal(lb_state_singularity(s, LB_WORLD, point, 1, 1e-9, &found), LB_OK);
    assert_int_equal(found.rank, 0);
    assert_true(isinf(found.condition));
}
