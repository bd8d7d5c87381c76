/*
 * test_referee.c - what is said of all solutions never contradicts a configuration that is one.
 *
 *     test_ik test_referee [POSES]     of each kind of arm
 *
 * The arms, the poses and the referee are those of bench/own_poses.h.
 */
#include "bench/own_poses.h"
#include "support_load.h"

#include <limber/formats/load.h>

TEST_ARGUMENT(wanted_poses, 1, 1600)

enum { POSES_OF_AN_ARM = 16 };

static void check_arm(own_kind kind, uint64_t seed, own_counts *counts)
{
    lb_random random = lb_random_seed(seed);
    own_arm arm;
    if (own_arm_make(&random, kind, &arm))
        for (int i = 0; i < POSES_OF_AN_ARM; i++) {
            double q[OWN_JOINTS];
            own_arm_draw(&random, &arm, q);
            const own_fault fault = own_arm_judge(&random, &arm, q, counts);
            if (fault != OWN_FINE)
                fail_msg("seed %llu, pose %d, %s: %s", (unsigned long long)seed, i,
                         own_kind_text(kind), own_fault_text(fault));
        }
    own_arm_release(&arm);
}

TEST(nothing_that_is_said_contradicts_a_solution)
{
    for (int kind = 0; kind < OWN_KINDS; kind++) {
        own_counts counts = {0};
        for (uint64_t seed = 1; counts.poses < wanted_poses; seed++)
            check_arm((own_kind)kind, OWN_KINDS * seed + (uint64_t)kind, &counts);
        // and enough is said: of the classes nearly half of these poses, most of which are singular
        assert_true(kind > OWN_SHOULDER || counts.certified * 10 > counts.listed * 4);
    }
}

/* the arms that are built in, at corners of their limits and singular places as well */
TEST(nothing_contradicts_a_solution_of_built_in_arms)
{
    for (int m = 0; m < lb_embedded_count(); m++) {
        lb_random random = lb_random_seed((uint64_t)m + 1);
        lb_model *model = test_load(lb_embedded_at(m)->name);
        int tips[LB_DEFAULT_TIPS], tip_count = 0;
        own_counts counts = {0};
        own_arm arm = {.model = model};
        assert_int_equal(lb_model_default_tips(model, NULL, tips, &tip_count), LB_OK);
        const lb_task task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
        const bool fits = own_arm_of(model, &task, &arm);
        for (int i = 0; i < 2 * wanted_poses && fits; i++) {
            double q[OWN_JOINTS];
            own_arm_draw(&random, &arm, q);
            const own_fault fault = own_arm_judge(&random, &arm, q, &counts);
            if (fault != OWN_FINE)
                fail_msg("%s, pose %d: %s", lb_embedded_at(m)->name, i, own_fault_text(fault));
        }
        own_arm_release(&arm);
    }
}

/* a placement that is missed by 1e-11, as in files of CAD */
static lb_transform missed(lb_random *random, lb_vec3 place)
{
    double by[6];
    for (int i = 0; i < 6; i++)
        by[i] = 4e-11 * lb_random_between(random, -1, 1);
    return lb_transform_from_quat(lb_quat_from_rpy(by[0], by[1], by[2]),
                                  lb_vec3_add(place, lb_vec3_make(by[3], by[4], by[5])));
}

/* One joint is held at its value where two solutions meet, another keeps its limit but for 1e-10 on
   one of its turns: moved to the limit it would miss, with a link so long. */
TEST(a_value_just_outside_of_a_limit_stays_where_it_is)
{
    const double held = -2.5294875112811286;
    const double q[6] = {LB_PI - 9e-11, 0, LB_PI, held, -0.5 * LB_PI, 0};
    const lb_vec3 y = {0, 1, 0}, z = {0, 0, 1}, axes[6] = {z, y, y, y, z, y};
    const lb_vec3 places[6] = {{0, 0, 0},     {0, 0, 0.46},  {-21.7, 0, 0},
                               {-0.26, 0, 0}, {0, 0, -0.25}, {0, -0.5, 0}};
    own_counts counts = {0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        lb_random random = lb_random_seed(seed);
        lb_joint joints[6];
        for (int i = 0; i < 6; i++) {
            joints[i] = test_joint(LB_JOINT_REVOLUTE, places[i], axes[i]);
            joints[i].placement = missed(&random, places[i]);
            joints[i].lower[0] = i == 3 ? held : -LB_PI;
            joints[i].upper[0] = i == 3 ? held : LB_PI;
        }
        own_arm arm = {.model = test_chain(&LB_TRANSFORM_IDENTITY, joints, 6)};
        const lb_task task = lb_task_make(6, LB_WORLD, LB_TASK_POSE);
        assert_true(own_arm_of(arm.model, &task, &arm));
        for (int start = 0; start < 20; start++) {
            const own_fault fault = own_arm_judge(&random, &arm, q, &counts);
            if (fault != OWN_FINE)
                fail_msg("seed %d: %s", (int)seed, own_fault_text(fault));
        }
        own_arm_release(&arm);
    }
    assert_true(counts.certified > 0);
}

/* out of reach by far: that is proved of every arm that has a closed form */
TEST(what_is_plainly_out_of_reach_is_proved_so)
{
    for (int kind = OWN_PARALLEL; kind <= OWN_SHOULDER; kind++) {
        int proved = 0, asked = 0;
        for (uint64_t seed = 1; asked < 300; seed++) {
            lb_random random = lb_random_seed(seed);
            own_arm arm;
            lb_solutions_summary summary;
            double q[OWN_JOINTS];
            if (own_arm_make(&random, (own_kind)kind, &arm) && arm.solver &&
                lb_solutions_class(arm.solver) != LB_ARM_GENERAL) {
                own_arm_draw(&random, &arm, q);
                lb_transform pose = test_task_tool(arm.model, &arm.task, q);
                pose.p = lb_vec3_add(pose.p, lb_vec3_make(2 * arm.size + 1, 0, 2 * arm.size + 1));
                lb_solutions(arm.solver, &pose, NULL, 0, NULL, NULL, &summary);
                proved += summary.outcome == LB_UNREACHABLE && summary.reason == LB_REASON_REACH;
                asked++;
            }
            own_arm_release(&arm);
        }
        assert_true(proved * 100 >= asked * 97);
    }
}
