/*
 * planar_reach.c - what an arm of two links reaches in its plane, exactly.
 *
 * At elbow angle a the distance of the tool from the shoulder is r = sqrt(l1^2 + l2^2 + 2 l1 l2 cos
 * a) (cosine rule), whatever the first angle is. Without limits that is the ring |l1 - l2| <= r <=
 * l1 + l2; with limits each of the two bends covers a part of it.
 */
#include "ik/task.h"
#include "model/layout.h"

#include <limber/two_bone.h>
#include <limber/workspace.h>

/* relative or radians: rounding of exactly parallel axes and whole turns */
#define ROUNDING 1e-9
/* a link's share of the arm below which rounding of places turns it by more than that */
#define LEAST_LINK 1e-6

/* ---- recognition -------------------------------------------------------- */

typedef struct hinge {
    int joint;
    lb_vec3 place, axis; /* base axes */
} hinge;

/* a joint that rotates about one axis, by itself and freely */
static bool is_hinge(const lb_joint *joint)
{
    bool turns = joint->kind == LB_JOINT_REVOLUTE || joint->kind == LB_JOINT_CONTINUOUS;
    return turns && !joint->mimic && !joint->locked;
}

static bool is_rigid(const lb_joint *joint)
{
    return joint->kind == LB_JOINT_FIXED || (joint->locked && !joint->mimic);
}

/* the two joints between base and tip; false unless exactly these move it */
static bool find_hinges(const lb_state *state, const lb_task *task, hinge hinges[2])
{
    const lb_model *model = lb_state_model(state);
    int found = 0, link = task->tip;
    for (; link > 0 && link != task->base; link = lb_model_parent(model, link)) {
        const lb_joint *joint = lb_model_joint(model, link - 1);
        if (is_rigid(joint))
            continue;
        if (!is_hinge(joint) || found == 2)
            return false;
        lb_transform frame = lb_state_transform(state, task->base, link);
        hinges[1 - found++] =
            (hinge){link - 1, frame.p, lb_transform_direction(&frame, joint->axis)};
    }
    return found == 2 && (link == task->base || task->base < 0) &&
           loop_refuse(model, task->base, task->tip, "a ring", NULL) == LB_OK;
}

/* a vector without its part along a unit axis */
static lb_vec3 across(lb_vec3 v, lb_vec3 axis)
{
    return lb_vec3_sub(v, lb_vec3_scale(axis, lb_vec3_dot(v, axis)));
}

/* the angle from one direction to another about an axis */
static double angle_about(lb_vec3 axis, lb_vec3 from, lb_vec3 to)
{
    return lb_atan2(lb_vec3_dot(axis, lb_vec3_cross(from, to)), lb_vec3_dot(from, to));
}

/* a joint's limits as those of an angle that is `rest` where the joint is at 0 */
static void take_limits(const lb_joint *joint, double sense, double rest, double *lower,
                        double *upper)
{
    *lower = rest + (sense > 0 ? joint->lower[0] : -joint->upper[0]);
    *upper = rest + (sense > 0 ? joint->upper[0] : -joint->lower[0]);
    if (joint->kind == LB_JOINT_CONTINUOUS) {
        *lower = -INFINITY;
        *upper = INFINITY;
    }
}

static double radius_at(const lb_planar_reach *ring, double elbow)
{
    return lb_vec3_length(lb_planar_reach_point(ring, 0, elbow));
}

/* the ends of the elbow's range, and its most bent and most stretched angles */
static void set_radii(lb_planar_reach *ring)
{
    double lower = ring->lower[1], upper = ring->upper[1];
    ring->inner = fabs(ring->first - ring->second);
    ring->outer = ring->first + ring->second;
    if (!(upper - lower < 2 * LB_PI))
        return;
    double a = radius_at(ring, lower), b = radius_at(ring, upper);
    // whole turns stretch it, half ones fold it
    double turn = 2 * LB_PI * ceil(lower / (2 * LB_PI));
    double half = 2 * LB_PI * ceil((lower - LB_PI) / (2 * LB_PI)) + LB_PI;
    if (half > upper)
        ring->inner = fmin(a, b);
    if (turn > upper)
        ring->outer = fmax(a, b);
}

bool lb_planar_reach_find(const lb_state *state, const lb_task *task, lb_planar_reach *ring)
{
    const lb_model *model = lb_state_model(state);
    const double *q = lb_state_configuration(state);
    hinge h[2];
    if (!task_has_links(model, task) || !find_hinges(state, task, h))
        return false;
    lb_vec3 axis = h[0].axis;
    if (lb_vec3_length(lb_vec3_cross(axis, h[1].axis)) > ROUNDING)
        return false;

    // the links, seen along the axes
    lb_vec3 tool = lb_state_point(state, task->tip, task->base, task->tool.p);
    lb_vec3 upper = across(lb_vec3_sub(h[1].place, h[0].place), axis);
    lb_vec3 lower = across(lb_vec3_sub(tool, h[1].place), axis);
    *ring = (lb_planar_reach){.first = lb_vec3_length(upper), .second = lb_vec3_length(lower)};
    double least = LEAST_LINK * (ring->first + ring->second);
    if (!(ring->first > least) || !(ring->second > least))
        return false;

    // the plane's x axis is where the first link points with its joint at zero
    double q0 = q[lb_model_joint_q(model, h[0].joint)], q1 = q[lb_model_joint_q(model, h[1].joint)];
    lb_quat back = lb_quat_from_axis_angle(axis, -q0);
    ring->plane.x = lb_quat_rotate(back, lb_vec3_scale(upper, 1 / ring->first));
    ring->plane.z = axis;
    ring->plane.y = lb_vec3_cross(axis, ring->plane.x);
    double height = lb_vec3_dot(axis, lb_vec3_sub(tool, h[0].place));
    ring->plane.p = lb_vec3_add(h[0].place, lb_vec3_scale(axis, height));

    double sense = lb_vec3_dot(axis, h[1].axis) > 0 ? 1 : -1;
    double bent = angle_about(axis, upper, lower) - sense * q1;
    take_limits(lb_model_joint(model, h[0].joint), 1, 0, &ring->lower[0], &ring->upper[0]);
    take_limits(lb_model_joint(model, h[1].joint), sense, bent, &ring->lower[1], &ring->upper[1]);
    set_radii(ring);
    return true;
}

/* ---- queries -------------------------------------------------------------- */

lb_vec3 lb_planar_reach_point(const lb_planar_reach *ring, double first_angle, double second_angle)
{
    double s0, c0, s1, c1;
    lb_sincos(first_angle, &s0, &c0);
    lb_sincos(first_angle + second_angle, &s1, &c1);
    return lb_vec3_make(ring->first * c0 + ring->second * c1, ring->first * s0 + ring->second * s1,
                        0);
}

/* whether whole turns bring an angle into the limits */
static bool within(double angle, double lower, double upper)
{
    double turns = ceil((lower - ROUNDING - angle) / (2 * LB_PI));
    return !(lower > -INFINITY) || angle + 2 * LB_PI * turns <= upper + ROUNDING;
}

bool lb_planar_reach_reaches(const lb_planar_reach *ring, double x, double y)
{
    double scale = ring->first + ring->second;
    for (int bend = -1; bend <= 1; bend += 2) {
        double a[2];
        if (!(fabs(lb_two_link_solve(ring->first, ring->second, x, y, bend, a)) <=
              ROUNDING * scale))
            return false;
        // folded back onto the shoulder, the arm may have any direction
        bool folded = x * x + y * y <= ROUNDING * ROUNDING * scale * scale;
        if (within(a[1], ring->lower[1], ring->upper[1]) &&
            (folded || within(a[0], ring->lower[0], ring->upper[0])))
            return true;
    }
    return false;
}

int lb_planar_reach_get_patches(const lb_planar_reach *ring, lb_planar_reach_patch *patches)
{
    double from = ring->lower[0], to = ring->upper[0];
    if (!(to - from < 2 * LB_PI)) {
        from = -LB_PI;
        to = LB_PI;
    }

    double lower = ring->lower[1], upper = ring->upper[1];
    if (!(upper - lower < 2 * LB_PI)) {
        lower = -LB_PI;
        upper = LB_PI;
    }

    // cut where the elbow passes straight or folded
    int count = 0;
    double begin = lower;
    while (begin < upper && count < LB_PLANAR_REACH_PATCHES) {
        double cut = LB_PI * (floor(begin / LB_PI + ROUNDING) + 1);
        double end = fmin(cut, upper);
        patches[count++] = (lb_planar_reach_patch){{from, begin}, {to, end}};
        begin = end;
    }
    return count;
}
