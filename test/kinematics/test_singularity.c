/*
 * test_singularity.c - rank, condition and weakest direction of Jacobians.
 *
 * The oracle is the singular value decomposition of the explicit matrix: the
 * Jacobian's columns of the joints that can move the link, side by side.
 */
#include "math/dense.h"

#include <limber/kinematics.h>

#include "support.h"
#include "support_growth.h"

enum { TREES = 300, MOST_COLUMNS = 60 };

static const lb_vec3 origin = {0, 0, 0};

/* ---- planar arms ---------------------------------------------------------- */

/* links of one metre, all turning about z: Denavit-Hartenberg rows with a = 1 */
static lb_state *planar_arm(int joints, const double *q)
{
    lb_dh_row rows[8];
    for (int i = 0; i < joints; i++)
        rows[i] = (lb_dh_row){.kind = LB_JOINT_REVOLUTE, .a = 1, .lower = -4, .upper = 4};
    lb_model *model = NULL;
    assert_int_equal(lb_model_from_dh("planar", rows, joints, false, NULL, &model, NULL), LB_OK);
    lb_state *state = test_state(model);
    lb_state_update(state, q);
    return state;
}

static void release(lb_state *state)
{
    owned_model *model = (lb_model *)(uintptr_t)lb_state_model(state);
    lb_state_release(state);
}

static lb_singularity analyse_tip(const lb_state *state, double length)
{
    lb_singularity found;
    int tip = lb_model_link_count(lb_state_model(state)) - 1;
    assert_int_equal(lb_state_singularity(state, tip, origin, length, 1e-9, &found), LB_OK);
    return found;
}

/* Yoshikawa 1985: two links of lengths a and b have manipulability a b |sin q2| */
TEST(two_links_have_the_published_manipulability)
{
    for (int i = -30; i <= 30; i++) {
        double q[2] = {0.3, 0.1 * i};
        lb_state *arm = planar_arm(2, q);
        lb_singularity found = analyse_tip(arm, 0);
        assert_near(found.manipulability, fabs(sin(q[1])), 1e-14);
        assert_near(found.values[0] * found.values[1], found.manipulability, 1e-14);
        assert_int_equal(found.rank, i == 0 ? 1 : 2);
        assert_true(found.values[2] == 0);
        release(arm);
    }
}

/* stretched out, the tip cannot move along the arm, whichever way that points */
TEST(a_stretched_arm_is_singular_along_itself)
{
    for (int i = 0; i < 12; i++) {
        double q[3] = {0.5 * i, 0, 0};
        lb_state *arm = planar_arm(3, q);
        lb_singularity found = analyse_tip(arm, 0.3);
        assert_int_equal(found.rank, 2);
        assert_true(found.condition > 1e15);
        assert_true(found.manipulability < 1e-15);
        double along = found.weakest[0] * cos(q[0]) + found.weakest[1] * sin(q[0]);
        assert_near(fabs(along), 1, 1e-12);
        release(arm);
    }
}

/* in the plane that it moves in: measured in space it would be singular everywhere */
TEST(a_planar_arm_is_measured_in_its_plane)
{
    for (int i = 0; i < 20; i++) {
        double a = 0.3 * i, b = 0.2 * i - 2, q[3] = {0.4, a, b};
        // sum over pairs of columns of their determinants squared (Cauchy-Binet)
        double first = sin(a) + sin(a + b), second = sin(a + b) + sin(b), third = sin(b);
        double square = first * first + second * second + third * third;
        lb_state *arm = planar_arm(3, q);
        lb_singularity found = analyse_tip(arm, 0);
        assert_int_equal(found.rank, 2);
        assert_near(found.manipulability, sqrt(square), 1e-13);
        assert_near(found.condition, found.values[0] / found.values[1], 1e-12);
        assert_true(found.values[2] == 0);
        assert_near(found.weakest[2], 0, 1e-15);
        release(arm);
    }
    // stretched it cannot move along itself; that it cannot leave the plane is nothing new
    const double q[3] = {0.5, 0, 0};
    lb_state *arm = planar_arm(3, q);
    lb_singularity found = analyse_tip(arm, 0);
    assert_int_equal(found.rank, 1);
    assert_true(found.condition > 1e15);
    assert_near(fabs(found.weakest[0] * cos(q[0]) + found.weakest[1] * sin(q[0])), 1, 1e-12);
    release(arm);
}

/* bent, it is regular: three joints for the plane's three freedoms */
TEST(a_bent_arm_is_regular)
{
    const double q[3] = {0.2, 1.1, -0.7};
    lb_state *arm = planar_arm(3, q);
    lb_singularity found = analyse_tip(arm, 0.3);
    assert_int_equal(found.rank, 3);
    assert_near(found.condition, found.values[0] / found.values[2], 1e-12);
    assert_true(found.condition < 100);
    assert_true(found.values[3] == 0 && found.values[4] == 0 && found.values[5] == 0);

    // nothing ever leaves the plane
    assert_near(found.weakest[2], 0, 1e-15);
    assert_near(found.weakest[3], 0, 1e-15);
    assert_near(found.weakest[4], 0, 1e-15);
    release(arm);
}

/* ---- random trees --------------------------------------------------------- */

/* the columns of v that move `link`, each once; returns how many there are */
static int moving_columns(const lb_model *model, int link, int *columns)
{
    int count = 0;
    for (int i = link; i > 0; i = lb_model_parent(model, i)) {
        int mimicked = lb_model_joint_mimic(model, i - 1, NULL, NULL);
        int mover = mimicked < 0 ? i - 1 : mimicked;
        const lb_joint *joint = lb_model_joint(model, mover);
        for (int k = 0; k < lb_joint_kind_nv(joint->kind) && !joint->locked; k++) {
            int column = lb_model_joint_v(model, mover) + k;
            bool known = false;
            for (int j = 0; j < count; j++)
                known |= columns[j] == column;
            if (!known)
                columns[count++] = column;
        }
    }
    return count;
}

/* the explicit matrix; returns how many columns it has */
static int explicit_matrix(const lb_state *state, int link, lb_vec3 point, double length,
                           double *matrix)
{
    const lb_model *model = lb_state_model(state);
    int nv = lb_model_nv(model), rows = length > 0 ? 6 : 3, columns[MOST_COLUMNS];
    double jacobian[6 * MOST_COLUMNS];
    int count = moving_columns(model, link, columns);
    lb_state_jacobian(state, link, point, LB_AXES_WORLD, jacobian);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < count; j++)
            matrix[i * count + j] = jacobian[i * nv + columns[j]] * (i < 3 ? 1 : length);
    return count;
}

/* a configuration taken at random, but for what is locked */
static void move_at_random(const lb_state *state, lb_random *random, double *q)
{
    const lb_model *model = lb_state_model(state);
    lb_configuration_random(model, random, q);
    for (int j = 0; j < lb_model_joint_count(model); j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        int first = lb_model_joint_q(model, j);
        for (int k = 0; k < lb_joint_kind_nq(joint->kind) && joint->locked && first >= 0; k++)
            q[first + k] = lb_state_configuration(state)[first + k];
    }
}

/* directions that the link has in some configuration: the rank of many of its matrices at once */
static int directions_of(const lb_state *state, int link, lb_vec3 point, double length)
{
    enum { CONFIGURATIONS = 8 };
    int rows = length > 0 ? 6 : 3, rank = 0;
    double stacked[6 * 6 * CONFIGURATIONS] = {0}, left[36], values[6];
    double right[6 * 6 * CONFIGURATIONS], own_left[36], own[6], own_right[6 * MOST_COLUMNS];
    lb_random random = lb_random_seed(9);
    lb_state *other = test_state(lb_state_model(state));
    for (int c = 0; c < CONFIGURATIONS; c++) {
        double q[7 * 10], matrix[6 * MOST_COLUMNS];
        move_at_random(state, &random, q);
        lb_state_update(other, q);
        int count = explicit_matrix(other, link, point, length, matrix);
        int k = count < rows ? count : rows;
        assert_true(dense_svd(rows, count, matrix, own_left, own, own_right));
        for (int i = 0; i < k; i++)
            for (int r = 0; r < rows && own[i] > 1e-7 * own[0]; r++)
                stacked[r * 6 * CONFIGURATIONS + 6 * c + i] = own_left[i * rows + r];
    }
    lb_state_release(other);
    assert_true(dense_svd(rows, 6 * CONFIGURATIONS, stacked, left, values, right));
    while (rank < rows && values[rank] > 1e-5)
        rank++;
    return rank;
}

/* one link of one state against the explicit matrix, by linear rows alone or all six */
static void check_link(const lb_state *state, int link, lb_vec3 point, double length)
{
    int rows = length > 0 ? 6 : 3;
    double matrix[6 * MOST_COLUMNS], left[36], values[6] = {0}, right[6 * MOST_COLUMNS];
    int count = explicit_matrix(state, link, point, length, matrix);
    int directions = directions_of(state, link, point, length);
    int k = count < directions ? count : directions;
    assert_true(dense_svd(rows, count, matrix, left, values, right));

    lb_singularity found;
    assert_int_equal(lb_state_singularity(state, link, point, length, 1e-9, &found), LB_OK);
    double size = values[0] > 0 ? values[0] : 1, product = k > 0;
    int rank = 0;
    for (int i = 0; i < 6; i++)
        assert_near(found.values[i] / size, i < k ? values[i] / size : 0, 1e-13);
    for (int i = 0; i < k; i++) {
        rank += values[i] > 1e-9 * values[0];
        product *= values[i];
    }
    assert_int_equal(found.rank, rank);
    assert_near(found.manipulability, product, 1e-12 * (1 + product));

    // the weakest direction is a unit vector that the joints hardly move: |w J| = s_k
    double square = 0, reach = 0;
    for (int i = 0; i < 6; i++)
        square += found.weakest[i] * found.weakest[i];
    for (int j = 0; j < count; j++) {
        double sum = 0;
        for (int i = 0; i < rows; i++)
            sum += found.weakest[i] * matrix[i * count + j];
        reach += sum * sum;
    }
    assert_near(square, k > 0, 1e-13);
    assert_near(sqrt(reach) / size, k > 0 ? values[k - 1] / size : 0, 1e-13);
}

/* y = (J J^T + shift) x with the three linear rows */
static lb_vec3 apply_square(const double *matrix, int count, double shift, lb_vec3 x)
{
    const double in[3] = {x.x, x.y, x.z};
    double out[3];
    for (int r = 0; r < 3; r++) {
        out[r] = shift * in[r];
        for (int j = 0; j < count; j++)
            for (int c = 0; c < 3; c++)
                out[r] += matrix[r * count + j] * matrix[c * count + j] * in[c];
    }
    return lb_vec3_make(out[0], out[1], out[2]);
}

/*
 * J J^T is the sum of a_i a_i^T; the damped axes d_i, by their definition, are those that
 * J J^T (J J^T + lambda^2 1)^-1 makes of the axes a_i.
 */
static void check_ellipsoid(const lb_state *state, int link, lb_vec3 point)
{
    enum { PROBES = 4 };
    static const double lambda = 0.3;
    double matrix[3 * MOST_COLUMNS];
    int count = explicit_matrix(state, link, point, 0, matrix);
    lb_random random = test_seed((uint64_t)link + 1);
    lb_ellipsoid found, damped;
    assert_int_equal(lb_state_velocity_ellipsoid(state, link, point, 0, &found), LB_OK);
    assert_int_equal(lb_state_velocity_ellipsoid(state, link, point, lambda, &damped), LB_OK);
    double size = 1 + lb_vec3_dot(found.axes[0], found.axes[0]);
    for (int probe = 0; probe < PROBES; probe++) {
        lb_vec3 x = test_random_direction(&random), sum = {0, 0, 0};
        for (int i = 0; i < 3; i++)
            sum = lb_vec3_add(sum, lb_vec3_scale(found.axes[i], lb_vec3_dot(found.axes[i], x)));
        lb_vec3 off = lb_vec3_sub(sum, apply_square(matrix, count, 0, x));
        assert_true(lb_vec3_length(off) < 1e-13 * size);
    }
    for (int i = 0; i < 3; i++) {
        lb_vec3 off = lb_vec3_sub(apply_square(matrix, count, lambda * lambda, damped.axes[i]),
                                  apply_square(matrix, count, 0, found.axes[i]));
        assert_true(lb_vec3_length(off) < 1e-13 * size * (1 + lb_vec3_length(found.axes[0])));
        assert_near(lb_vec3_dot(found.axes[i], found.axes[(i + 1) % 3]), 0, 1e-13 * size);
        assert_true(i == 0 ||
                    lb_vec3_length(found.axes[i]) <= lb_vec3_length(found.axes[i - 1]) + 1e-15);
    }
    lb_transform pose = lb_state_transform(state, LB_WORLD, link);
    lb_vec3 away = lb_vec3_sub(found.center, lb_transform_point(&pose, point));
    assert_true(lb_vec3_length(away) == 0);
}

TEST(random_trees_agree_with_their_matrices)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 1 + test_random_index(&random, 10);
        wanted.branching = 0.1;
        owned_model *model = test_tree_build(&wanted, &random);
        owned_state *arm = test_state(model);
        double q[7 * 10];
        lb_configuration_random(model, &random, q);
        lb_state_update(arm, q);
        for (int link = 0; link < lb_model_link_count(model); link++) {
            lb_vec3 point = lb_vec3_scale(test_random_direction(&random), 0.2);
            check_link(arm, link, point, 0);
            check_link(arm, link, point, 0.3);
            check_ellipsoid(arm, link, point);
        }
    }
}

/* ---- what does not move --------------------------------------------------- */

TEST(a_link_that_nothing_moves_has_no_values)
{
    const double q[3] = {0.2, 1.1, -0.7};
    lb_state *arm = planar_arm(3, q);
    lb_singularity found;
    assert_int_equal(lb_state_singularity(arm, 0, origin, 1, 1e-9, &found), LB_OK);
    assert_int_equal(found.rank, 0);
    assert_true(isinf(found.condition));
    assert_true(found.manipulability == 0);
    for (int i = 0; i < 6; i++)
        assert_true(found.values[i] == 0 && found.weakest[i] == 0);

    // the root, and the world itself
    for (int link = LB_WORLD; link <= 0; link++) {
        lb_ellipsoid rest;
        assert_int_equal(lb_state_velocity_ellipsoid(arm, link, origin, 0, &rest), LB_OK);
        for (int i = 0; i < 3; i++)
            assert_true(lb_vec3_length(rest.axes[i]) == 0);
    }
    release(arm);
}

/* a chain of many joints costs no more memory than the state has */
TEST(a_long_chain_has_six_values)
{
    enum { LINKS = 5000 };
    lb_random random = test_seed(7);
    test_tree wanted = test_tree_default();
    wanted.joints = LINKS;
    wanted.branching = wanted.mimic = wanted.locked = 0;
    wanted.kinds = TEST_KIND(LB_JOINT_REVOLUTE);
    lb_model *model = test_tree_build(&wanted, &random);
    lb_state *chain = test_state(model);
    lb_singularity found = analyse_tip(chain, 1);
    assert_int_equal(found.rank, 6);
    assert_true(found.values[5] > 0 && found.values[0] >= found.values[5]);
    release(chain);
}

/* the analysis of a chain of so many links */
static clock_t analyse_chain(int size)
{
    owned lb_dh_row *rows = calloc((size_t)size, sizeof *rows);
    assert_non_null(rows);
    for (int i = 0; i < size; i++) {
        rows[i] = lb_dh_row_default();
        rows[i].a = 0.01;
        rows[i].alpha = 0.3 * (i % 3);
    }
    lb_model *model = NULL;
    assert_int_equal(lb_model_from_dh("chain", rows, size, true, NULL, &model, NULL), LB_OK);
    lb_state *chain = test_state(model);
    clock_t begun = clock();
    (void)analyse_tip(chain, 1);
    clock_t ticks = clock() - begun;
    release(chain);
    return ticks;
}

/* no joint is compared with all others */
TEST(long_chains_take_no_longer_by_link)
{
    assert_grows_linearly(analyse_chain, 32000);
}

TEST(refuses_what_has_no_meaning)
{
    double q[3] = {0.2, 1.1, -0.7};
    lb_state *arm = planar_arm(3, q);
    lb_singularity found;
    static const double lengths[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++)
        assert_int_equal(lb_state_singularity(arm, 3, origin, lengths[i], 1e-9, &found),
                         LB_INVALID_ARGUMENT);
    assert_int_equal(lb_state_singularity(arm, 3, origin, 1, -1, &found), LB_INVALID_ARGUMENT);
    assert_int_equal(lb_state_singularity(arm, 3, origin, 1, NAN, &found), LB_INVALID_ARGUMENT);

    lb_ellipsoid shape;
    for (int i = 0; i < 3; i++)
        assert_int_equal(lb_state_velocity_ellipsoid(arm, 3, origin, lengths[i], &shape),
                         LB_INVALID_ARGUMENT);
    assert_int_equal(lb_state_velocity_ellipsoid(arm, 99, origin, 0, &shape), LB_INVALID_ARGUMENT);

    q[1] = NAN;
    lb_state_update(arm, q);
    assert_int_equal(lb_state_singularity(arm, 3, origin, 1, 1e-9, &found), LB_BAD_VALUE);
    assert_int_equal(lb_state_velocity_ellipsoid(arm, 3, origin, 0, &shape), LB_BAD_VALUE);
    release(arm);
}
