/*
 * general_prepare.c - what the solver for general arms computes of an arm before any target.
 *
 * Joints 0 and 5, between which the target is, are eliminated: the axis of joint 4 seen
 * after joint 0 is the same line whether it is reached through joints 1, 2, 3 or through the
 * target and joint 5. Axes of neighbouring joints often meet or are parallel, and an
 * elimination of those two makes the determinant zero everywhere; the target hardly ever
 * brings axes 0 and 5 into such a position.
 *
 * The functions of a line that the elimination works with (14 features) are products of
 * {1, cos, sin} of each angle, so that their coefficients follow from quarter turns.
 */
#include "ik/closed/general_parts.h"

#include <string.h>

/* determinants of general arms have less, 1e-12 to 1e-9; of arms that are singular everywhere,
   as those whose task leaves joints free, all is noise: about 1 */
#define USEFUL_NOISE 1e-4

/* ---- rotations about axes ------------------------------------------------- */

static lb_vec3 turn_point(lb_vec3 axis, lb_vec3 center, double angle, lb_vec3 p)
{
    return lb_vec3_add(closed_turned(axis, angle, lb_vec3_sub(p, center)), center);
}

/* ---- features ------------------------------------------------------------- */

/* values at 0, pi, pi/2 to the coefficients of 1, cos, sin, along one of three angles */
static void fit_angle(double values[GENERAL_STRIDE], int stride)
{
    for (int first = 0; first < GENERAL_TERMS; first++) {
        if (first / stride % 3 != 0)
            continue;
        double *v = values + first;
        const double mean = 0.5 * (v[0] + v[stride]), cosine = 0.5 * (v[0] - v[stride]);
        v[2 * stride] -= mean;
        v[0] = mean;
        v[stride] = cosine;
    }
}

/* term 9 i + 3 j + k is that of angles 1, 2 and 3 */
static void fit_features(general_ordering *ordering)
{
    static const double turns[3] = {0, LB_PI, LB_PI / 2};
    const kernel_loop *loop = &ordering->loop;
    memset(ordering->features, 0, sizeof ordering->features);
    for (int term = 0; term < GENERAL_TERMS; term++) {
        const double angles[4] = {0, turns[term / 9], turns[term / 3 % 3], turns[term % 3]};
        lb_vec3 p = loop->point[4], l = loop->axis[4];
        for (int i = 3; i >= 1; i--) {
            p = turn_point(loop->axis[i], loop->point[i], angles[i], p);
            l = closed_turned(loop->axis[i], angles[i], l);
        }
        double values[GENERAL_FEATURES];
        general_line_features(p, l, values);
        for (int k = 0; k < GENERAL_FEATURES; k++)
            ordering->features[k][term] = values[k];
    }
    for (int k = 0; k < GENERAL_FEATURES; k++) {
        fit_angle(ordering->features[k], 1);
        fit_angle(ordering->features[k], 3);
        fit_angle(ordering->features[k], 9);
    }
    for (int i = 0; i < 3; i++) {
        ordering->line_point[i] =
            turn_point(loop->axis[5], loop->point[5], -turns[i], loop->point[4]);
        ordering->line_along[i] = closed_turned(loop->axis[5], -turns[i], loop->axis[4]);
    }
}

/* ---- orderings ------------------------------------------------------------ */

/* the point of an axis that is nearest to `from` */
static lb_vec3 nearest_on_axis(lb_vec3 point, lb_vec3 axis, lb_vec3 from)
{
    return lb_vec3_add(point, lb_vec3_scale(axis, lb_vec3_dot(axis, lb_vec3_sub(from, point))));
}

/* each axis' point is the one nearest to the point before, so that far ones cost no digits */
static void gather_points(const closed_arm *arm, lb_vec3 *points)
{
    points[0] = nearest_on_axis(arm->point[0], arm->axis[0], arm->point[1]);
    for (int i = 1; i < GENERAL_JOINTS; i++)
        points[i] = nearest_on_axis(arm->point[i], arm->axis[i], points[i - 1]);
}

static void prepare_ordering(const closed_arm *arm, const lb_vec3 *points, double size,
                             bool reversed, general_ordering *ordering)
{
    // the loop's z axis is its first joint's
    const int first = reversed ? GENERAL_JOINTS - 1 : 0;
    const double sign = reversed ? -1 : 1;
    const lb_vec3 z = lb_vec3_scale(arm->axis[first], sign), x = lb_vec3_perpendicular(z);
    ordering->reversed = reversed;
    ordering->base_loop = (lb_transform){x, lb_vec3_cross(z, x), z, points[first]};

    const lb_transform loop_base = lb_transform_inverse(&ordering->base_loop);
    for (int i = 0; i < GENERAL_JOINTS; i++) {
        const int joint = reversed ? GENERAL_JOINTS - 1 - i : i;
        ordering->loop.axis[i] =
            lb_vec3_scale(lb_transform_direction(&loop_base, arm->axis[joint]), sign);
        ordering->loop.point[i] =
            lb_vec3_scale(lb_transform_point(&loop_base, points[joint]), 1 / size);
    }
    ordering->loop.axis[0] = (lb_vec3){0, 0, 1};
    ordering->loop.tip = reversed
                             ? ordering->loop.point[5]
                             : lb_vec3_scale(lb_transform_point(&loop_base, arm->home.p), 1 / size);
    ordering->across = lb_vec3_perpendicular(ordering->loop.axis[4]);
    fit_features(ordering);
}

/* poses that measure the quality of an ordering: enough that not all of them are special */
enum { TRIAL_POSES = 3 };

/* the noise of an ordering's determinant over some poses */
static double try_ordering(const general_arm *general, const kernel_general_ops *ops,
                           const closed_arm *arm, const general_ordering *ordering)
{
    double worst = 0;
    lb_random random = lb_random_seed(6);
    for (int n = 0; n < TRIAL_POSES; n++) {
        lb_transform target = arm->home;
        for (int i = GENERAL_JOINTS - 1; i >= 0; i--) {
            const lb_quat turn =
                lb_quat_from_axis_angle(arm->axis[i], lb_random_between(&random, -LB_PI, LB_PI));
            const lb_vec3 shift = lb_vec3_sub(arm->point[i], lb_quat_rotate(turn, arm->point[i]));
            const lb_transform joint = lb_transform_from_quat(turn, shift);
            target = lb_transform_multiply(&joint, &target);
        }
        general_problem problem;
        general_eliminate(general, ops, ordering, &target, &problem);
        const double noise = general_sample(general, ops, 3, &problem);
        worst = noise < worst ? worst : noise;
    }
    return worst;
}

static bool is_arm(const closed_arm *arm)
{
    if (arm->joints != GENERAL_JOINTS || !lb_transform_is_rigid(&arm->home, 1e-9))
        return false;
    for (int i = 0; i < GENERAL_JOINTS; i++)
        if (arm->is_length[i] || !lb_vec3_is_finite(arm->axis[i]) ||
            !lb_vec3_is_finite(arm->point[i]))
            return false;
    return true;
}

/* everything but the noise of the orderings; false where there is no length to measure by */
static bool prepare_arm(const closed_arm *arm, general_arm *general)
{
    // unit of length: a third of the length of the arm, so that features are about 1
    lb_vec3 points[GENERAL_JOINTS];
    gather_points(arm, points);
    double length = 0;
    for (int i = 1; i < GENERAL_JOINTS; i++)
        length += lb_vec3_length(lb_vec3_sub(points[i], points[i - 1]));
    if (!(length > 0))
        return false;
    general->arm = *arm;
    general->size = length / 3;
    general->tip_home = lb_transform_inverse(&arm->home);
    for (int i = 0; i < GENERAL_ORDERINGS; i++) {
        prepare_ordering(arm, points, general->size, i == 1, &general->orderings[i]);
        general->orderings[i].noise = 0;
    }
    return true;
}

bool general_cut(const general_arm *general, int first, const lb_transform *tip_in_base,
                 general_arm *cut, lb_transform *cut_target)
{
    // of E0 .. E5 = G follows E_first .. E5 (G^-1 E0 G) .. (G^-1 E_(first - 1) G) = G
    const lb_transform moved = lb_transform_multiply(tip_in_base, &general->tip_home);
    const lb_transform back = lb_transform_inverse(&moved);
    closed_arm arm = general->arm;
    for (int i = 0; i < GENERAL_JOINTS; i++) {
        const int joint = (first + i) % GENERAL_JOINTS;
        arm.axis[i] = general->arm.axis[joint];
        arm.point[i] = general->arm.point[joint];
        if (joint < first) {
            arm.axis[i] = lb_transform_direction(&back, arm.axis[i]);
            arm.point[i] = lb_transform_point(&back, arm.point[i]);
        }
    }
    arm.home = LB_TRANSFORM_IDENTITY;
    arm.home.p = arm.point[GENERAL_JOINTS - 1];
    *cut_target = lb_transform_multiply(&moved, &arm.home);
    memcpy(cut->cosines, general->cosines, sizeof cut->cosines);
    memcpy(cut->sines, general->sines, sizeof cut->sines);
    cut->effort = general->effort;
    return prepare_arm(&arm, cut);
}

bool general_prepare(const closed_arm *arm, const kernel_general_ops *ops, general_arm *general)
{
    general->effort = GENERAL_THOROUGH;
    if (!is_arm(arm) || !prepare_arm(arm, general))
        return false;
    static const int samples[3] = {GENERAL_SAMPLES_3, GENERAL_SAMPLES_4, GENERAL_SAMPLES_NEAR};
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < samples[s]; i++)
            lb_sincos(2 * LB_PI * i / samples[s], &general->sines[s][i], &general->cosines[s][i]);
    for (int i = 0; i < GENERAL_ORDERINGS; i++)
        general->orderings[i].noise = try_ordering(general, ops, arm, &general->orderings[i]);

    // the one with less noise comes first; digits alone do not make a difference
    if (general->orderings[1].noise < 0.1 * general->orderings[0].noise) {
        const general_ordering better = general->orderings[1];
        general->orderings[1] = general->orderings[0];
        general->orderings[0] = better;
    }
    return general->orderings[0].noise < USEFUL_NOISE;
}
