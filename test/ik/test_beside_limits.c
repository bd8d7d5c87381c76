/*
 * test_beside_limits.c - solutions of which a root is beside a limit: in the lists, and on the turn
 * that is nearest to the start.
 */
#include "support_solutions.h"

#include <limber/formats/load.h>
#include <limber/solutions.h>

/* one root at a limit, the other one up to 2e-3 beyond it where the elbow is nearly stretched:
   these are two solutions, not one that is listed twice */
TEST(test_roots_beside_limits_are_not_confused)
{
    const sample *s = &samples[1];
    owned_model *model = test_load(s->model);
    lb_task task = task_of(model, s);
    lb_solutions_options options = lb_solutions_options_default();
    options.out_of_limits = true;
    owned_solutions *solver = solver_of(model, &task, &options);
    for (double elbow = 0.079; elbow < 0.087; elbow += 1e-4) {
        const double q[NQ] = {0, lb_model_joint(model, 1)->lower[0], elbow, 0.4, 0.9, 0};
        lb_transform target = target_at(model, &task, q);
        found f;
        solve(solver, &target, q, &f);
        assert_int_equal(find_row(model, &f, q), 0);
        const size_t nq = (size_t)lb_model_nq(model);
        for (int i = 0; i < f.count; i++)
            for (int k = 0; k < i; k++)
                assert_true(row_distance(model, f.q + (size_t)i * nq, f.q + (size_t)k * nq) > 1e-5);
    }
}

/* a start that is a solution at limits, with an elbow that is folded: it is known to the root of
   rounding, which is beyond the limit */
TEST(test_a_folded_start_is_the_nearest_to_itself)
{
    owned_model *ur5 = test_load("ur5");
    lb_joint joints[NQ];
    assert_true(lb_model_joint_count(ur5) <= NQ);
    for (int i = 0; i < lb_model_joint_count(ur5); i++) {
        joints[i] = *lb_model_joint(ur5, i);
        joints[i].lower[0] = -LB_PI;
        joints[i].upper[0] = LB_PI;
    }
    owned_model *model = test_chain(&LB_TRANSFORM_IDENTITY, joints, lb_model_joint_count(ur5));
    lb_task task = task_of(model, &samples[0]);
    owned_solutions *solver = solver_of(model, &task, NULL);
    lb_random random = test_seed(4);
    for (int n = 0; n < 400; n++) {
        double q[NQ];
        lb_configuration_random(model, &random, q);
        for (int k = 0; k < 6 && n % 2 == 0; k++)
            q[k] = 0.5 * LB_PI * floor(q[k] / (0.5 * LB_PI) + 0.5);
        q[1] = -LB_PI;
        q[2] = LB_PI;
        lb_transform target = target_at(model, &task, q);
        found f;
        solve(solver, &target, q, &f);
        for (int k = 0; k < 6 && f.summary.family_count == 0; k++)
            assert_near(f.q[k], q[k], 1e-6);
    }
}
