/* test_mobility.c - constraints and joints of tasks, against ranks and by hand. */
#include "math/dense.h"
#include "support_load.h"

#include <limber/formats/load.h>

static lb_mobility mobility_of(const char *name, lb_task_kind kind, lb_vec3 free_axis,
                               unsigned free_position)
{
    owned_model *model = test_load(name);
    owned_state *state = test_state(model);
    lb_task task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, kind);
    task.free_axis = free_axis;
    task.free_position = free_position;
    lb_mobility m = lb_task_mobility(state, &task, NULL);
    return m;
}

TEST(test_known_arms)
{
    static const struct {
        const char *model;
        lb_task_kind kind;
        lb_vec3 free_axis;
        unsigned free_position;
        int joints, constraints;
    } rows[] = {
        {"planar2", LB_TASK_POSITION, {0, 0, 0}, 0, 2, 2},
        {"planar2", LB_TASK_POSE, {0, 0, 0}, 0, 2, 3},
        {"planar3", LB_TASK_POSITION, {0, 0, 0}, 0, 3, 2},
        {"planar3", LB_TASK_ROTATION, {0, 0, 0}, 0, 3, 1},
        {"planar3", LB_TASK_POSE, {0, 0, 0}, 0, 3, 3},
        {"planar3", LB_TASK_POSE, {0, 0, 2}, 0, 3, 2},
        {"planar3", LB_TASK_POSE, {1, 0, 0}, 0, 3, 3},
        {"planar3", LB_TASK_POSITION, {0, 0, 0}, LB_FREE_X, 3, 1},
        {"planar3", LB_TASK_POSITION, {0, 0, 0}, LB_FREE_Z, 3, 2},
        {"ur5", LB_TASK_POSE, {0, 0, 0}, 0, 6, 6},
        {"ur5", LB_TASK_POSITION, {0, 0, 0}, LB_FREE_X | LB_FREE_Y, 6, 1},
        {"ur5", LB_TASK_POSE, {0, 0, 1}, 0, 6, 5},
        {"iiwa14", LB_TASK_POSE, {0, 0, 0}, 0, 7, 6},
        {"scara", LB_TASK_POSE, {0, 0, 0}, 0, 4, 4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lb_mobility m =
            mobility_of(rows[i].model, rows[i].kind, rows[i].free_axis, rows[i].free_position);
        assert_int_equal(m.joints, rows[i].joints);
        assert_int_equal(m.velocities, rows[i].joints);
        assert_int_equal(m.constraints, rows[i].constraints);
    }
}

/* no task has a Jacobian of a higher rank than it has constraints and velocities */
TEST(test_bounds_the_rank)
{
    enum { JOINTS = 8, MOST = 6 * JOINTS };
    for (uint64_t seed = 1; seed <= 300; seed++) {
        lb_random random = test_seed(seed);
        test_tree wanted = test_tree_default();
        wanted.joints = 1 + test_random_index(&random, JOINTS);
        owned_model *model = test_tree_build(&wanted, &random);
        double q[7 * JOINTS], tip[6 * MOST], base[6 * MOST], left[36], right[6 * MOST], values[6];
        owned_state *arm = test_state(model);
        lb_configuration_random(model, &random, q);
        lb_state_update(arm, q);
        int links = lb_model_link_count(model), nv = lb_model_nv(model), rank = 0;
        lb_task task = lb_task_make(test_random_index(&random, links),
                                    test_random_index(&random, links + 1) - 1, LB_TASK_POSE);
        lb_vec3 at = lb_state_point(arm, task.tip, task.base, lb_vec3_make(0, 0, 0));
        lb_state_jacobian(arm, task.tip, lb_vec3_make(0, 0, 0), LB_AXES_WORLD, tip);
        lb_state_jacobian(arm, task.base, at, LB_AXES_WORLD, base);
        for (int i = 0; i < 6 * nv; i++)
            tip[i] -= base[i];
        for (int j = 0; j < lb_model_joint_count(model); j++)
            for (int r = 0; r < 6 && lb_model_joint(model, j)->locked; r++)
                for (int k = 0; k < lb_joint_kind_nv(lb_model_joint(model, j)->kind); k++)
                    if (lb_model_joint_mimic(model, j, NULL, NULL) < 0)
                        tip[r * nv + lb_model_joint_v(model, j) + k] = 0;
        int count = nv < 6 ? nv : 6;
        if (nv > 0)
            assert_true(dense_svd(6, nv, tip, left, values, right));
        while (rank < count && values[rank] > 1e-9)
            rank++;
        lb_mobility m = lb_task_mobility(arm, &task, NULL);
        assert_true(rank <= m.constraints && rank <= m.velocities && m.joints <= m.velocities);
        // with two axes free at most the third is left
        task.kind = LB_TASK_POSITION;
        int all = lb_task_mobility(arm, &task, NULL).constraints;
        task.free_position = LB_FREE_X | LB_FREE_Y;
        assert_true(lb_task_mobility(arm, &task, NULL).constraints <= (all > 0));
    }
}
