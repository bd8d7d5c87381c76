/*
 * test_nominal.c - calibrated arms: what the closed form of the nearest class and Newton's method
 * give is what the general solver gives, or it is not reported.
 *
 *     test_ik test_nominal [POSES]
 *
 * checks so many poses of each changed arm: 40 unless given.
 */
#include "ik/closed/general.h"
#include "ik/closed/newton.h"
#include "ik/closed/nominal.h"
#include "support_load.h"

#include <limber/kinematics.h>

TEST_ARGUMENT(poses, 1, 40)

/* ---- arms ------------------------------------------------------------------- */

/* the six joints of a built-in arm, with a tool */
static closed_arm built_in_arm(const char *name)
{
    owned_model *model = test_load(name);
    double q[16] = {0};
    closed_arm arm = {.joints = 0};
    int tip = 0;
    owned_state *state = test_state(model);
    lb_state_update(state, q);
    for (int j = 0; j < lb_model_joint_count(model) && arm.joints < 6; j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (joint->kind != LB_JOINT_REVOLUTE && joint->kind != LB_JOINT_CONTINUOUS)
            continue;
        tip = lb_model_find_link(model, joint->child);
        const lb_transform *frame = &lb_state_transforms(state)[tip];
        arm.axis[arm.joints] = lb_transform_direction(frame, joint->axis);
        arm.point[arm.joints++] = frame->p;
    }
    arm.home = lb_state_transforms(state)[tip];
    arm.home.p = lb_vec3_add(arm.home.p, lb_vec3_make(0.02, 0.05, 0.1));
    return arm;
}

static lb_vec3 changed(lb_vec3 v, double by, lb_random *random)
{
    return lb_vec3_add(v, lb_vec3_scale(test_random_direction(random), by));
}

static closed_arm change(const closed_arm *arm, double by, lb_random *random)
{
    closed_arm c = *arm;
    for (int i = 0; i < c.joints; i++) {
        c.axis[i] = lb_vec3_normalize(changed(arm->axis[i], by, random), arm->axis[i]);
        c.point[i] = changed(arm->point[i], by, random);
    }
    return c;
}

/* ---- comparing ---------------------------------------------------------------- */

static double farthest(const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        most = fmax(most, fabs(lb_wrap_angle(a[i] - b[i])));
    return most;
}

static bool is_among(const nominal_set *set, const double *q)
{
    bool found = false;
    for (int i = 0; i < set->count; i++)
        found |= farthest(set->q[i], q) < 1e-6;
    return found;
}

static kernel_ranges free_ranges(void)
{
    kernel_ranges r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        r.lower[i] = -INFINITY;
        r.upper[i] = INFINITY;
        r.weight[i] = 1;
    }
    return r;
}

/* What is compared of many poses. */
typedef struct tally {
    int poses, known;
} tally;

static void check_pose(const closed_arm *arm, const closed_nominal *nominal,
                       const general_arm *general, const double *q, tally *t)
{
    static const double start[KERNEL_CLOSED_JOINTS];
    const kernel_ranges ranges = free_ranges();
    const kernel_general_ops *ops = kernel_choose_general(0);
    lb_transform target = closed_forward(arm, q);
    kernel_solutions places;
    nominal_set set;
    t->poses++;
    if (!closed_nominal_solve(nominal, arm, kernel_choose(0), ops, &ranges, &target, start, &places,
                              &set))
        return;
    t->known++;
    general_solution all[GENERAL_SOLUTIONS];
    general_summary summary;
    int count = general_solve(general, ops, &target, all, &summary);
    assert_true(is_among(&set, q));
    assert_int_equal(set.count, count);
    for (int i = 0; i < count; i++)
        assert_true(is_among(&set, all[i].q));
    for (int i = 0; i < set.count; i++) {
        double error[6];
        lb_transform tip = closed_forward(arm, set.q[i]);
        assert_true(closed_error(&tip, &target, error) < 1e-11);
        assert_true(i == 0 || set.branch[i - 1] < set.branch[i]);
    }
}

TEST(calibrated_arms_have_the_same_solutions)
{
    static const char *const names[] = {"ur5", "kr6", "puma560"};
    lb_random random = test_seed(13);
    for (int n = 0; n < 3; n++) {
        const closed_arm arm = built_in_arm(names[n]);
        for (double by = 1e-8; by < 5e-3; by *= 10) {
            tally t = {0};
            for (int a = 0; a < 5; a++) {
                static general_arm general;
                const closed_arm real = change(&arm, by, &random);
                closed_nominal nominal;
                closed_nominal_make(&real, &nominal);
                assert_true(nominal.known);
                assert_true(general_prepare(&real, kernel_choose_general(0), &general));
                for (int k = 0; k < poses; k++) {
                    double q[KERNEL_CLOSED_JOINTS];
                    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
                        q[i] = lb_random_between(&random, -LB_PI, LB_PI);
                    check_pose(&real, &nominal, &general, q, &t);
                }
            }
            print_message("%s changed by %g: %d of %d known\n", names[n], by, t.known, t.poses);
            // where rounding is all there is nearly all are clear of double roots
            assert_true(by > 2e-6 || t.known > t.poses * 7 / 10);
        }
    }
}

/* arms that are of no class are not taken for one */
TEST(other_arms_are_nearly_nothing)
{
    const closed_arm arm = built_in_arm("crx10ia");
    closed_nominal nominal;
    closed_nominal_make(&arm, &nominal);
    assert_false(nominal.known);
}
