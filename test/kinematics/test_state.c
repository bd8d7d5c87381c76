/*
 * test_state.c - forward kinematics and what is read from it: frames, points, the traversal.
 *
 * The oracle is test_forward: 4x4 matrices and libm, straight from the definitions.
 */
#include <limber/formats/load.h>
#include <limber/kinematics.h>

#include "model/layout.h"
#include "support_load.h"

enum { TREES = FEWER(400, 50), MOST_JOINTS = 24, CONFIGURATIONS = 100 };

/*
 * Both ways round some ten times a joint, at 1e-16 of the tree's size: a path of 24
 * joints of at most 1.7 m, ways included, stays below this.
 */
#define ROUNDING 1e-12

static lb_state *state_of(const lb_model *model)
{
    return test_state(model);
}

static lb_model *random_tree(lb_random *random)
{
    test_tree wanted = test_tree_default();
    wanted.joints = 1 + test_random_index(random, MOST_JOINTS);
    return test_tree_build(&wanted, random);
}

/* ---- forward kinematics --------------------------------------------------- */

/* all links of a model at random configurations, to a share of how far the farthest is */
static void check_frames(const lb_model *model, lb_random *random)
{
    int links = lb_model_link_count(model);
    owned double *q = calloc((size_t)lb_model_nq(model) + 1, sizeof *q);
    owned lb_transform *expected = calloc((size_t)links, sizeof *expected);
    owned_state *state = state_of(model);
    assert_true(q && expected);
    for (int n = 0; n < CONFIGURATIONS; n++) {
        lb_configuration_random(model, random, q);
        lb_state_update(state, q);
        test_forward(model, q, expected);
        double size = 1;
        for (int i = 0; i < links; i++)
            size = fmax(size, lb_vec3_length(expected[i].p));
        for (int i = 0; i < links; i++)
            assert_transform_near(&lb_state_transforms(state)[i], &expected[i], ROUNDING * size);
    }
}

TEST(random_trees_stand_where_the_definition_says)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        owned_model *model = random_tree(&random);
        check_frames(model, &random);
    }
}

TEST(built_in_models_stand_where_the_definition_says)
{
    test_built_in_models(check_frames);
}

/* every file of the shared data that loads; test_urdf holds which ones must */
TEST(real_robots_stand_where_the_definition_says)
{
    test_real_robots(check_frames);
}

/* the kernel's own instances for one problem, in whatever registers */
TEST(every_instance_gives_the_same_bits)
{
    // of the baseline's registers, wider ones, more of those; some may be the same
    const kernel_ops *instances[3] = {kernel_choose(1), kernel_choose_single(4, false),
                                      kernel_choose_single(8, true)};
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        owned_model *model = random_tree(&random);
        const kernel_tree *tree = &model->tree;
        lb_transform frames[3][LB_JOINT_MAX_NQ * MOST_JOINTS];
        double q[LB_JOINT_MAX_NQ * MOST_JOINTS], jacobian[3][36 * MOST_JOINTS];
        size_t places = sizeof(lb_transform) * (size_t)tree->count;
        size_t speeds = sizeof(double) * 6 * (size_t)tree->nv;
        int carrier = test_random_index(&random, tree->count + 1) - 1;
        lb_vec3 point = test_random_direction(&random);
        lb_configuration_random(model, &random, q);
        for (int i = 0; i < 3; i++) {
            instances[i]->forward(tree, &model->root, q, frames[i]);
            instances[i]->jacobian(tree, carrier, frames[i], &point, jacobian[i]);
            assert_memory_equal(frames[0], frames[i], places);
            assert_memory_equal(jacobian[0], jacobian[i], speeds);
        }
    }
}

/* quaternions of any length are read as the rotation that they point to */
TEST(quaternions_need_no_unit_length)
{
    lb_random random = test_seed(5);
    test_tree wanted = test_tree_default();
    wanted.kinds = TEST_KIND(LB_JOINT_BALL) | TEST_KIND(LB_JOINT_FLOATING);
    wanted.joints = 4;
    owned_model *model = test_tree_build(&wanted, &random);
    owned_state *one = state_of(model);
    lb_transform expected[5];
    double q[4 * LB_JOINT_MAX_NQ];
    lb_configuration_random(model, &random, q);
    for (int j = 0; j < 4; j++) {
        int floating = lb_model_joint(model, j)->kind == LB_JOINT_FLOATING ? 3 : 0;
        for (int k = 0; k < 4; k++)
            q[lb_model_joint_q(model, j) + floating + k] *= 0.01 + j;
    }
    lb_state_update(one, q);
    test_forward(model, q, expected);
    for (int i = 0; i < 5; i++)
        assert_transform_near(&lb_state_transforms(one)[i], &expected[i], ROUNDING);
}

/* depth costs no stack; a turn about z at every joint, by a whole number of turns in all */
TEST(a_chain_of_100000_joints_works)
{
    enum { JOINTS = 100000 };
    owned lb_link *links = calloc(JOINTS + 1, sizeof *links);
    owned lb_joint *joints = calloc(JOINTS, sizeof *joints);
    char(*names)[16] = calloc(JOINTS + 1, sizeof *names);
    owned double *q = calloc(JOINTS, sizeof *q);
    assert_true(links && joints && names && q);
    for (int i = 0; i <= JOINTS; i++) {
        snprintf(names[i], sizeof names[i], "n%d", i);
        links[i] = lb_link_default();
        links[i].name = names[i];
        if (i == 0)
            continue;
        joints[i - 1] = lb_joint_default();
        joints[i - 1].name = names[i];
        joints[i - 1].parent = names[i - 1];
        joints[i - 1].child = names[i];
        joints[i - 1].kind = LB_JOINT_REVOLUTE;
        joints[i - 1].placement = lb_transform_translation(0.001, 0, 0);
        q[i - 1] = 2 * LB_PI / 1000;
    }
    owned_model *model = test_make("chain", links, JOINTS + 1, joints, JOINTS);
    owned_state *chain = state_of(model);
    lb_state_update(chain, q);

    // a hundred times around a polygon of a thousand sides: back where it began
    const lb_transform *tip = &lb_state_transforms(chain)[JOINTS];
    const lb_transform home = LB_TRANSFORM_IDENTITY;
    assert_transform_near(tip, &home, 1e-9);
    free(names);
}

/* ---- the state ------------------------------------------------------------ */

TEST(a_new_state_is_neutral)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        lb_random random = test_seed(seed);
        owned_model *model = random_tree(&random);
        owned_state *one = state_of(model);
        double q[LB_JOINT_MAX_NQ * MOST_JOINTS];
        lb_transform expected[MOST_JOINTS + 1];
        lb_configuration_neutral(model, q);
        test_forward(model, q, expected);
        assert_ptr_equal(lb_state_model(one), model);
        for (int i = 0; i < lb_model_nq(model); i++)
            assert_true(lb_state_configuration(one)[i] == q[i]);
        for (int i = 0; i < lb_model_link_count(model); i++)
            assert_transform_near(&lb_state_transforms(one)[i], &expected[i], ROUNDING);
    }
}

/* the same q gives the same bits, whatever came before; a state may be updated from itself */
TEST(an_update_forgets_the_last_one)
{
    lb_random random = test_seed(9);
    owned_model *model = random_tree(&random);
    owned_state *fresh = state_of(model), *used = state_of(model);
    size_t size = sizeof(lb_transform) * (size_t)lb_model_link_count(model);
    double q[LB_JOINT_MAX_NQ * MOST_JOINTS], other[LB_JOINT_MAX_NQ * MOST_JOINTS];
    for (int n = 0; n < 20; n++) {
        lb_configuration_random(model, &random, other);
        lb_state_update(used, other);
    }
    lb_configuration_random(model, &random, q);
    lb_state_update(fresh, q);
    lb_state_update(used, q);
    lb_state_update(used, lb_state_configuration(used));
    assert_memory_equal(lb_state_transforms(fresh), lb_state_transforms(used), size);
}

TEST(creating_without_memory_leaves_nothing)
{
    lb_random random = test_seed(3);
    owned_model *model = random_tree(&random);
    ALLOCATIONS_FAIL (failing, 1000) {
        owned_state *one = TEST_UNSET;
        failing.status = lb_state_create(model, &failing.allocator, &one);
        assert_int_equal(one != NULL, failing.status == LB_OK);

        // updating and reading allocate no more
        long before = failing.memory.allocations;
        if (one)
            lb_state_update(one, lb_state_configuration(one));
        assert_int_equal(failing.memory.allocations, before);
    }
    lb_state_release(NULL);
}

/* ---- from frame to frame -------------------------------------------------- */

/* T_world_link, LB_WORLD included */
static lb_transform frame_of(const lb_state *state, int link)
{
    return link == LB_WORLD ? LB_TRANSFORM_IDENTITY : lb_state_transforms(state)[link];
}

static void assert_vector_near(lb_vec3 actual, lb_vec3 expected, double tolerance)
{
    assert_near(actual.x, expected.x, tolerance);
    assert_near(actual.y, expected.y, tolerance);
    assert_near(actual.z, expected.z, tolerance);
}

TEST(frames_points_and_directions_agree)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        lb_random random = test_seed(seed);
        owned_model *model = random_tree(&random);
        owned_state *one = state_of(model);
        double q[LB_JOINT_MAX_NQ * MOST_JOINTS];
        lb_configuration_random(model, &random, q);
        lb_state_update(one, q);
        int links = lb_model_link_count(model);
        int a = test_random_index(&random, links + 1) - 1;
        int b = test_random_index(&random, links + 1) - 1;
        lb_transform world_a = frame_of(one, a), world_b = frame_of(one, b);

        // T_world_a * T_a_b = T_world_b
        lb_transform a_b = lb_state_transform(one, a, b);
        lb_transform back = lb_transform_multiply(&world_a, &a_b);
        double size = 1 + lb_vec3_length(world_a.p) + lb_vec3_length(world_b.p);
        assert_transform_near(&back, &world_b, ROUNDING * size);

        // what is seen from b and carried to a is the same in the world
        lb_vec3 p = test_random_direction(&random);
        assert_vector_near(lb_transform_point(&world_a, lb_state_point(one, b, a, p)),
                           lb_transform_point(&world_b, p), ROUNDING * size);
        assert_vector_near(lb_transform_direction(&world_a, lb_state_direction(one, b, a, p)),
                           lb_transform_direction(&world_b, p), ROUNDING);
    }
}

/* ---- the traversal -------------------------------------------------------- */

typedef struct visits {
    const lb_state *state;
    int count, most;
} visits;

static bool visit(void *user, int link, const lb_transform *composite,
                  const lb_transform *data_offset)
{
    visits *seen = user;
    const lb_model *model = lb_state_model(seen->state);
    assert_int_equal(link, seen->count);
    assert_memory_equal(composite, &lb_state_transforms(seen->state)[link], sizeof *composite);
    assert_memory_equal(data_offset, &lb_model_link(model, link)->data_offset, sizeof *data_offset);
    return ++seen->count < seen->most;
}

TEST(the_traversal_sees_every_link_once)
{
    lb_random random = test_seed(4);
    owned_model *model = random_tree(&random);
    owned_state *one = state_of(model);
    int links = lb_model_link_count(model);
    for (int most = 1; most <= links + 1; most++) {
        visits seen = {one, 0, most};
        lb_state_traverse(one, visit, &seen);
        assert_int_equal(seen.count, most < links ? most : links);
    }
}
