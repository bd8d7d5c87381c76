/*
 * support_arms.h - general arms of six joints: random ones, those that are built in, and some that
 * their makers publish; solving, and what every set of solutions must keep.
 */
#ifndef TEST_SUPPORT_ARMS_H
#define TEST_SUPPORT_ARMS_H

#include <stdlib.h>
#include <string.h>

#include "ik/closed/general.h"
#include "ik/closed/newton.h"
#include "support.h"
#include "support_load.h"

/* solutions are those of rounded targets: equal to the root of rounding where they meet */
#define SAME 1e-5
/* and poses are confirmed to rounding, times a few metres */
#define POSE 1e-11

/* ---- arms ------------------------------------------------------------------ */

static inline lb_vec3 random_vector(lb_random *random)
{
    const double x = lb_random_between(random, -1, 1), y = lb_random_between(random, -1, 1);
    return lb_vec3_make(x, y, lb_random_between(random, -1, 1));
}

static inline closed_arm random_arm(lb_random *random)
{
    closed_arm arm = {.joints = 6};
    for (int i = 0; i < 6; i++) {
        arm.axis[i] = test_random_direction(random);
        arm.point[i] = random_vector(random);
    }
    arm.home = test_random_transform(random);
    return arm;
}

/* geometry changed by `size`, in radians and metres */
static inline void change_arm(closed_arm *arm, double size, lb_random *random)
{
    const lb_vec3 z = {0, 0, 1};
    for (int i = 0; i < 6; i++) {
        arm->axis[i] = lb_vec3_normalize(
            lb_vec3_add(arm->axis[i], lb_vec3_scale(random_vector(random), size)), z);
        arm->point[i] = lb_vec3_add(arm->point[i], lb_vec3_scale(random_vector(random), size));
    }
}

/* the six joints of a built-in arm */
static inline closed_arm built_in_arm(const char *name)
{
    owned_model *model = test_load(name);
    owned_state *state = NULL;
    assert_int_equal(lb_state_create(model, NULL, &state), LB_OK);
    owned double *q = calloc((size_t)lb_model_nq(model), sizeof *q);
    lb_state_update(state, q);
    closed_arm arm = {.home = LB_TRANSFORM_IDENTITY};
    int tip = 0;
    for (int j = 0; j < lb_model_joint_count(model) && arm.joints < 6; j++) {
        const lb_joint *joint = lb_model_joint(model, j);
        if (joint->kind != LB_JOINT_REVOLUTE && joint->kind != LB_JOINT_CONTINUOUS)
            continue;
        tip = lb_model_find_link(model, joint->child);
        const lb_transform *frame = &lb_state_transforms(state)[tip];
        arm.axis[arm.joints] =
            lb_vec3_normalize(lb_transform_direction(frame, joint->axis), lb_vec3_make(0, 0, 1));
        arm.point[arm.joints++] = frame->p;
    }
    arm.home =
        lb_transform_multiply(&lb_state_transforms(state)[tip],
                              &(lb_transform){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0.05, 0.1}});
    return arm;
}

/* a row of Denavit and Hartenberg's: theta at q = 0 and alpha in degrees, d and a in metres */
typedef struct dh_row {
    double theta, d, a, alpha;
} dh_row;

/* Arms without a closed form, or nearly so, from what their makers publish. */
static const struct published {
    const char *name;
    bool modified; /* Craig's rows: a and alpha belong to the joint before */
    dh_row rows[6];
} published[] = {
    // Kinova, JACO2 6 DOF with non-spherical wrist, DH parameters; bends of 60 degrees
    {"jaco2",
     false,
     {{0, 0.2755, 0, 90},
      {0, 0, 0.41, 180},
      {0, -0.0098, 0, 90},
      {0, -0.2501976, 0, 60},
      {0, -0.0857936, 0, 60},
      {0, -0.2115968, 0, 180}}},
    // UFACTORY, xArm 6 user manual
    {"xarm6",
     false,
     {{0, 0.267, 0, -90},
      {-79.34995, 0, 0.28948866, 0},
      {79.34995, 0, 0.0775, -90},
      {0, 0.3425, 0, 90},
      {0, 0, 0.076, -90},
      {0, 0.097, 0, 0}}},
    // Kinova, Gen3 lite user guide
    {"gen3lite",
     false,
     {{0, 0.2433, 0, 90},
      {90, 0.03, 0.28, 180},
      {90, 0.02, 0, 90},
      {90, 0.245, 0, 90},
      {180, 0.057, 0, 90},
      {90, 0.235, 0, 0}}},
    // AgileX, PiPER user manual
    {"piper",
     true,
     {{0, 0.123, 0, 0},
      {-172.22, 0, 0, -90},
      {-102.78, 0, 0.28503, 0},
      {0, 0.25075, -0.02198, 90},
      {0, 0, 0, -90},
      {0, 0.091, 0, 90}}},
    // Yaskawa, MOTOMAN HC10 dimensions
    {"hc10",
     false,
     {{0, 0.275, 0, -90},
      {-90, 0, 0.7, 180},
      {0, 0, 0, -90},
      {0, -0.5, 0, 90},
      {0, -0.162, 0, -90},
      {0, -0.17, 0, 180}}},
    // Doosan Robotics, M1013
    {"m1013",
     true,
     {{0, 0.1345, 0, 0},
      {-90, 0.0345, 0, -90},
      {90, 0, 0.62, 0},
      {0, 0.559, 0, 90},
      {0, 0, 0, -90},
      {0, 0.121, 0, 90}}},
    // FANUC, CRX-5iA dimensions
    {"crx5ia",
     false,
     {{0, 0.185, 0, -90},
      {-90, 0, 0.41, 180},
      {0, 0, 0, -90},
      {0, -0.43, 0, 90},
      {0, 0.13, 0, -90},
      {0, -0.145, 0, 180}}},
    // ABB, GoFa CRB 15000-5 dimensions
    {"gofa5",
     false,
     {{0, 0.265, 0, -90},
      {-90, 0, 0.444, 0},
      {0, 0, 0.11, -90},
      {0, 0.47, 0, 90},
      {0, 0, 0.08, -90},
      {180, 0.101, 0, 0}}},
    // Manseur and Doty 1989: sixteen real solutions
    {"manseur-doty",
     false,
     {{0, 0, 0.3, 90}, {0, 0, 1, 1}, {0, 0.2, 0, 90}, {0, 0, 1.5, 1}, {0, 0, 0, 90}, {0, 0, 0, 1}}},
};

enum { PUBLISHED = sizeof published / sizeof published[0] };

static inline lb_transform screw_x(double angle, double shift)
{
    return lb_transform_from_quat(
        lb_quat_from_axis_angle(lb_vec3_make(1, 0, 0), angle * LB_PI / 180),
        lb_vec3_make(shift, 0, 0));
}
static inline lb_transform screw_z(double angle, double shift)
{
    return lb_transform_from_quat(
        lb_quat_from_axis_angle(lb_vec3_make(0, 0, 1), angle * LB_PI / 180),
        lb_vec3_make(0, 0, shift));
}

static inline closed_arm published_arm(const struct published *p)
{
    closed_arm arm = {.joints = 6};
    lb_transform at = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < 6; i++) {
        const dh_row *row = &p->rows[i];
        const lb_transform x = screw_x(row->alpha, row->a), z = screw_z(row->theta, row->d);
        if (p->modified)
            at = lb_transform_multiply(&at, &x);
        arm.axis[i] = at.z;
        arm.point[i] = at.p;
        at = lb_transform_multiply(&at, &z);
        if (!p->modified)
            at = lb_transform_multiply(&at, &x);
    }
    arm.home = at;
    return arm;
}

/* ---- asking ---------------------------------------------------------------- */

typedef struct results {
    general_solution at[GENERAL_SOLUTIONS];
    general_summary summary;
    int count;
} results;

static inline general_arm prepare(const closed_arm *arm)
{
    general_arm general;
    assert_true(general_prepare(arm, kernel_choose_general(0), &general));
    return general;
}

static inline results solve(const general_arm *general, const lb_transform *target)
{
    results a;
    memset(&a, 0, sizeof a);
    a.count = general_solve(general, kernel_choose_general(0), target, a.at, &a.summary);
    assert_int_equal(a.count, a.summary.count);
    return a;
}

static inline bool same(const double *a, const double *b)
{
    for (int i = 0; i < 6; i++)
        if (fabs(lb_wrap_angle(a[i] - b[i])) > SAME)
            return false;
    return true;
}

static inline bool is_among(const results *a, const double *q)
{
    for (int i = 0; i < a->count; i++)
        if (same(a->at[i].q, q))
            return true;
    return false;
}

/*
 * The joints' values are a closed space and the poses an open one, so that the signs of the
 * Jacobian at all solutions of a pose add to zero: what is certified, and not singular, has as many
 * mirrored solutions as others.
 */
static inline void assert_balanced(const results *a)
{
    int balance = 0;
    if (a->summary.certificate != GENERAL_CERTIFIED)
        return;
    for (int i = 0; i < a->count; i++) {
        if (a->at[i].conditioning < 1e-5)
            return;
        balance += a->at[i].mirrored ? 1 : -1;
    }
    assert_int_equal(balance, 0);
}

/* each solution is one, in (-pi, pi], and there is none twice */
static inline void assert_solutions(const closed_arm *arm, const lb_transform *target,
                                    const results *a)
{
    for (int i = 0; i < a->count; i++) {
        const general_solution *s = &a->at[i];
        const lb_transform tip = closed_forward(arm, s->q);
        assert_true(lb_transform_distance(&tip, target) <= POSE);
        assert_true(lb_transform_angle(&tip, target) <= POSE);
        assert_true(s->error <= 1e-12);
        for (int k = 0; k < 6; k++)
            assert_true(-LB_PI < s->q[k] && s->q[k] <= LB_PI);
        for (int k = 0; k < i; k++)
            assert_memory_not_equal(s->q, a->at[k].q, sizeof s->q);
    }
    assert_true(a->summary.certificate == GENERAL_UNCERTAIN || a->summary.total % 2 == 0);
    assert_balanced(a);
}

static inline void random_configuration(lb_random *random, double *q)
{
    for (int i = 0; i < 6; i++)
        q[i] = lb_random_between(random, -LB_PI, LB_PI);
}

/* what a long run counts */
typedef struct tally {
    long poses, missed, uncertain, determinants;
    int greatest;
} tally;

#endif
