/*
 * test_freedom.c - whether a link moves in one plane, against where random configurations take it.
 */
#include "kinematics/freedom.h"
#include "support.h"

enum { TREES = 2000, CONFIGURATIONS = 32 };

/* relative to some metres: rounding remains below it, and random motion out of a plane above */
#define FLAT 1e-9

/* what moved from the first configuration to another */
typedef struct change {
    lb_vec3 rotation, translation;
} change;

static lb_transform random_tool(lb_state *state, int base, int tip, double *q, lb_random *random)
{
    const lb_model *model = lb_state_model(state);
    lb_configuration_neutral(model, q);
    for (int j = 0; j < lb_model_joint_count(model); j++)
        for (int k = 0; k < lb_joint_kind_nq(lb_model_joint(model, j)->kind); k++)
            if (!lb_model_joint(model, j)->locked)
                q[lb_model_joint_q(model, j) + k] = lb_random_between(random, -2, 2);
    lb_state_update(state, q);
    return lb_state_transform(state, base, tip);
}

static void find_changes(lb_state *state, int base, int tip, lb_random *random, change *changes)
{
    owned double *q = calloc((size_t)lb_model_nq(lb_state_model(state)) + 1, sizeof *q);
    assert_non_null(q);
    lb_transform first = random_tool(state, base, tip, q, random);
    lb_quat back = lb_quat_conjugate(lb_transform_quat(&first));
    for (int i = 0; i < CONFIGURATIONS; i++) {
        lb_transform tool = random_tool(state, base, tip, q, random);
        lb_quat turn = lb_quat_multiply(lb_transform_quat(&tool), back);
        changes[i] = (change){lb_quat_log(turn), lb_vec3_sub(tool.p, first.p)};
    }
}

static bool is_flat(const change *changes, lb_vec3 normal)
{
    for (int i = 0; i < CONFIGURATIONS; i++)
        if (lb_vec3_length(lb_vec3_cross(changes[i].rotation, normal)) > FLAT ||
            fabs(lb_vec3_dot(changes[i].translation, normal)) > FLAT)
            return false;
    return true;
}

/* the only normal that changes in several directions can have: a rotation's axis, a cross product
 */
static bool is_any_flat(const change *changes)
{
    lb_vec3 none = {0, 0, 0}, normal = lb_vec3_perpendicular(
                                  lb_vec3_normalize(changes[0].translation, lb_vec3_make(1, 0, 0)));
    for (int i = 1; i < CONFIGURATIONS; i++) {
        lb_vec3 cross = lb_vec3_cross(changes[0].translation, changes[i].translation);
        if (lb_vec3_length(cross) > 1e-6)
            normal = lb_vec3_normalize(cross, none);
    }
    for (int i = 0; i < CONFIGURATIONS; i++)
        if (lb_vec3_length(changes[i].rotation) > 1e-6)
            normal = lb_vec3_normalize(changes[i].rotation, none);
    return is_flat(changes, normal);
}

/* joints that follow one another could cancel: there are none */
static lb_model *random_model(lb_random *random)
{
    test_tree wanted = test_tree_default();
    wanted.joints = 1 + test_random_index(random, 4);
    wanted.kinds = TEST_KIND(LB_JOINT_FIXED) | TEST_KIND(LB_JOINT_REVOLUTE) |
                   TEST_KIND(LB_JOINT_PRISMATIC) | TEST_KIND(LB_JOINT_PLANAR);
    wanted.mimic = 0;
    wanted.limited = 0;
    return test_tree_build(&wanted, random);
}

TEST(test_plane_is_that_of_the_motion)
{
    int planar = 0, spatial = 0;
    for (uint64_t seed = 0; seed < TREES; seed++) {
        lb_random random = test_seed(seed);
        owned_model *model = random_model(&random);
        owned_state *s = test_state(model);
        int links = lb_model_link_count(model);
        int base = test_random_index(&random, links + 1) - 1, tip = links - 1;
        freedom f = freedom_find(s, base, tip);
        change changes[CONFIGURATIONS];
        lb_vec3 normal;
        if (freedom_is_planar(&f, &normal)) {
            planar++;
            lb_vec3 seen = lb_state_direction(s, LB_WORLD, base, normal);
            assert_near(lb_vec3_length(normal), 1, 1e-12);
            find_changes(s, base, tip, &random, changes);
            assert_true(is_flat(changes, seen));
        } else if (f.joints > 0) {
            spatial++;
            find_changes(s, base, tip, &random, changes);
            assert_false(is_any_flat(changes));
        }
    }
    // both are common among the trees
    assert_true(planar > TREES / 10 && spatial > TREES / 10);
}
