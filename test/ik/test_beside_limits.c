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
        // right angles as files have them, with ten digits
        const lb_vec3 axis = {1, 0, 0};
        const lb_transform noise = lb_transform_from_quat(
            lb_quat_from_axis_angle(axis, 2e-9 * (i % 3)), lb_vec3_make(0, 0, 0));
        joints[i].placement = lb_transform_multiply(&joints[i].placement, &noise);
    }
    owned_model *model = test_chain(&LB_TRANSFORM_IDENTITY, joints, lb_model_joint_count(ur5));
    lb_task task = task_of(model, &samples[0]);
    owned_solutions *solver = solver_of(model, &task, NULL);
    for (double pan = -1; pan < 1; pan += 0.02) {
        const double q[NQ] = {pan, -LB_PI, LB_PI, 1 - pan, -1.2, -0.5 * LB_PI};
        lb_transform target = target_at(model, &task, q);
        found f;
        solve(solver, &target, q, &f);
        for (int k = 0; k < 6; k++)
            assert_near(f.q[k], q[k], 1e-6);
    }
}
