/*
 * test_planar_reach.c - rings of planar arms: they hold what forward kinematics reaches, and agree
 * with the solver.
 */
#include "planar_arm.h"

#include <limber/ik.h>
#include <limber/workspace.h>

static void check_own_poses(const lb_planar_reach *ring, lb_state *at, const lb_task *task,
                            lb_random *random)
{
    for (int i = 0; i < 50; i++) {
        double q[2];
        lb_configuration_random(lb_state_model(at), random, q);
        lb_state_update(at, q);
        lb_vec3 tool = lb_state_point(at, task->tip, LB_WORLD, task->tool.p);
        lb_transform back = lb_transform_inverse(&ring->plane);
        lb_vec3 p = lb_transform_point(&back, tool);
        double r = sqrt(p.x * p.x + p.y * p.y);
        assert_near(p.z, 0, 1e-9);
        assert_true(lb_planar_reach_reaches(ring, p.x, p.y));
        assert_true(r >= ring->inner - 1e-9 && r <= ring->outer + 1e-9);
    }
}

/* a planar arm of two links that stands anyhow in space, its axes parallel or opposed */
static lb_model *random_arm(lb_random *random, lb_transform *tool)
{
    static const char *const names[] = {"base", "upper", "lower", "hand"};
    lb_link links[4];
    lb_joint joints[3];
    lb_vec3 axis = test_random_direction(random);
    for (int i = 0; i < 4; i++) {
        links[i] = lb_link_default();
        links[i].name = names[i];
    }
    for (int i = 0; i < 3; i++) {
        joints[i] = lb_joint_default();
        joints[i].name = names[i + 1];
        joints[i].parent = names[i];
        joints[i].child = names[i + 1];
        joints[i].kind = i == 2 ? LB_JOINT_FIXED : LB_JOINT_REVOLUTE;
        joints[i].axis = i == 1 && test_random_chance(random, 0.5) ? lb_vec3_scale(axis, -1) : axis;
        joints[i].placement.p = test_random_transform(random).p;
        double middle = lb_random_between(random, -4, 4), half = lb_random_between(random, 0.2, 4);
        if (test_random_chance(random, 0.8)) {
            joints[i].lower[0] = middle - half;
            joints[i].upper[0] = middle + half;
        }
    }
    joints[0].placement = test_random_transform(random);
    *tool = test_random_transform(random);
    return test_build(&(lb_model_source){.name = "arm",
                                         .root = test_random_transform(random),
                                         .links = links,
                                         .link_count = 4,
                                         .joints = joints,
                                         .joint_count = 3});
}

TEST(rings_hold_what_forward_kinematics_reaches)
{
    lb_random random = test_seed(2);
    for (int round = 0; round < 200; round++) {
        lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
        owned_model *model = random_arm(&random, &task.tool);
        lb_planar_reach ring, again;
        owned_state *at = test_state(model);
        assert_true(lb_planar_reach_find(at, &task, &ring));
        check_own_poses(&ring, at, &task, &random);

        // measured in any configuration it is the same
        assert_true(lb_planar_reach_find(at, &task, &again));
        assert_transform_near(&again.plane, &ring.plane, 1e-9);
        assert_near(again.second, ring.second, 1e-9);
    }
}

/* the solver, which knows nothing of rings, agrees on random places and limits */
TEST(rings_agree_with_the_solver)
{
    lb_random random = test_seed(3);
    int reached = 0, rounds = 400;
    for (int round = 0; round < rounds; round++) {
        lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
        owned_model *model = random_arm(&random, &task.tool);
        lb_planar_reach ring;
        owned_state *at = test_state(model);
        assert_true(lb_planar_reach_find(at, &task, &ring));
        double far = 1.1 * (ring.first + ring.second);
        double x = lb_random_between(&random, -far, far), y = lb_random_between(&random, -far, far);
        lb_transform goal = LB_TRANSFORM_IDENTITY;
        goal.p = lb_transform_point(&ring.plane, lb_vec3_make(x, y, 0));
        double q[2];
        lb_ik_result result;
        owned_ik *ik = test_solver(model, &task, 1, NULL);
        lb_configuration_neutral(model, q);
        bool found = lb_ik_solve(ik, &goal, q, q, &result) == LB_REACHED;
        // the ring is exact; the solver stops within its tolerance of it
        if (found != lb_planar_reach_reaches(&ring, x, y))
            assert_true(found && result.position_error > 1e-12);
        reached += found;
    }
    assert_true(reached > rounds / 8 && reached < rounds * 7 / 8);
}

/* patches: together what the angles allow, each with the elbow to one side */
TEST(patches_tile_the_angles)
{
    lb_random random = test_seed(4);
    for (int round = 0; round < 300; round++) {
        lb_task task = lb_task_make(3, LB_WORLD, LB_TASK_POSITION);
        owned_model *model = random_arm(&random, &task.tool);
        lb_planar_reach ring;
        lb_planar_reach_patch patches[LB_PLANAR_REACH_PATCHES];
        owned_state *at = test_state(model);
        assert_true(lb_planar_reach_find(at, &task, &ring));
        int count = lb_planar_reach_get_patches(&ring, patches);
        double sum = 0, wanted = fmin(ring.upper[1] - ring.lower[1], 2 * LB_PI);
        assert_true(count >= 1);
        for (int i = 0; i < count; i++) {
            double width = patches[i].to[1] - patches[i].from[1];
            double middle = patches[i].from[1] + 0.5 * width;
            sum += width;
            // one-to-one: the sine of the elbow does not change its sign
            for (int k = 0; k <= 10; k++)
                assert_true(sin(patches[i].from[1] + width * k / 10) * sin(middle) >= -1e-9);
            lb_vec3 p = lb_planar_reach_point(&ring, patches[i].from[0], middle);
            assert_true(lb_planar_reach_reaches(&ring, p.x, p.y));
            p = lb_planar_reach_point(&ring, patches[i].to[0], patches[i].to[1]);
            assert_true(lb_planar_reach_reaches(&ring, p.x, p.y));
        }
        assert_near(sum, wanted, 1e-9);
    }
}

TEST(other_arms_have_no_ring)
{
    const double lengths[] = {3, 1.8, 0.7};
    owned_model *three = planar_arm(lengths, 3, -2, 1.5), *slides = test_single(LB_JOINT_PRISMATIC);
    lb_planar_reach ring;
    lb_task task = lb_task_make(tip_of(three), LB_WORLD, LB_TASK_POSITION);
    lb_state *at = test_state(three);
    assert_false(lb_planar_reach_find(at, &task, &ring));
    // but its last two joints have one, seen from the first link
    task.base = 1;
    assert_true(lb_planar_reach_find(at, &task, &ring));
    assert_near(ring.first, 1.8, 1e-12);
    assert_near(ring.second, 0.7, 1e-12);
    lb_state_release(at);

    task = lb_task_make(tip_of(slides), LB_WORLD, LB_TASK_POSITION);
    at = test_state(slides);
    assert_false(lb_planar_reach_find(at, &task, &ring));
    lb_state_release(at);
}

/* a link that is nothing beside the other has no angle: there is no ring of such an arm */
TEST(rings_of_unequal_links_hold_own_poses)
{
    lb_random random = test_seed(4);
    for (double length = 1; length > 1e-12; length *= 0.1)
        for (int bend = 0; bend < 2; bend++) {
            const double lengths[] = {bend ? length : LB_PI, bend ? LB_PI : length};
            owned_model *model = planar_arm(lengths, 2, 0, 1e-14);
            lb_task task = lb_task_make(tip_of(model), LB_WORLD, LB_TASK_POSITION);
            owned_state *at = test_state(model);
            lb_planar_reach ring;
            bool found = lb_planar_reach_find(at, &task, &ring);
            assert_int_equal(found, length > 5e-6);
            if (found)
                check_own_poses(&ring, at, &task, &random);
        }
}
