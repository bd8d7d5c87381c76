/*
 * plane.c - places that no configuration of an arm reaches, because of its axes or its lengths.
 *
 * Axes of a file are parallel to some digits only. A joint whose axis is inclined by a sine d
 * against the normal raises the tool by at most 2 d times its arm, in whatever configuration of the
 * others, and tilts it by at most 2 d; the inclination of a joint is at most the sum of those
 * between neighbours down to the base, none of which depends on the configuration. The sum of it
 * all is the slack, and what is within the slack is not proved.
 */
#include "ik/plane.h"

#include "kinematics/freedom.h"
#include "math/scalar.h"

/* relative: a free axis that has more of the normal than this crosses the plane somewhere */
#define PARALLEL 1e-12
/* rounding of frames and lengths, as a share of the arm's length: of hundreds of joints */
#define ROUNDING 1e-12
/* radians: rounding of an arc tangent of products of unit vectors */
#define ANGLE_ROUNDING 1e-9

/* what a task's joints do, in the problem's axes; false with balls, which rotate about all */
static bool find_freedom(const ik_iteration *it, const kernel_task *task, freedom *f)
{
    *f = (freedom){.joints = task->path_count};
    for (int i = 0; i < task->path_count; i++) {
        int j = task->path[i];
        if (it->joints[j].kind == KERNEL_BALL)
            return false;
        bool turns = it->joints[j].kind == KERNEL_REVOLUTE;
        span_add(turns ? &f->angular : &f->linear, it->frames[j].z);
    }
    freedom_complete(f);
    return true;
}

/* the angle between two unit vectors */
static double angle_between(lb_vec3 a, lb_vec3 b)
{
    return lb_atan2(lb_vec3_length(lb_vec3_cross(a, b)), lb_vec3_dot(a, b));
}

/* ---- arms ----------------------------------------------------------------- */

/* where joint i of a path is, and after the last the tool */
static lb_vec3 place_of(const ik_iteration *it, const kernel_task *t, int i)
{
    return i < t->path_count ? it->frames[t->path[i]].p
                             : lb_transform_point(&it->frames[t->frame], t->tool);
}

/* how far a slide raises the tool at most: 0 to INFINITY */
static double slide_raises(const ik_iteration *it, int joint, double inclination)
{
    const kernel_variable *x = &it->problem.variables[it->variable_of[joint]];
    double range = (x->upper - x->lower) * fabs(it->joints[joint].scale);
    return inclination > 0 ? inclination * range : 0;
}

/* slack and tilting of an arm whose axes are parallel to five digits */
static void find_slack(const ik_iteration *it, const kernel_task *t, double length, ik_plane *plane)
{
    double inclination = 0;
    lb_vec3 last = plane->normal;
    for (int i = 0; i < t->path_count; i++) {
        const int j = t->path[i];
        const lb_vec3 axis = it->frames[j].z;
        if (it->joints[j].kind == KERNEL_PRISMATIC) {
            double along = fabs(lb_vec3_dot(axis, plane->normal));
            plane->slack += plane->level ? slide_raises(it, j, along + inclination) : 0;
            continue;
        }
        inclination += lb_vec3_length(lb_vec3_cross(axis, last));
        last = axis;
        plane->slack += 2 * inclination * length;
        plane->tilting += 2 * inclination;
    }
    plane->slack += ROUNDING * length;
    plane->tilting += ANGLE_ROUNDING;
}

static lb_vec3 in_plane(const ik_plane *plane, lb_vec3 v)
{
    if (!plane->planar)
        return v;
    return lb_vec3_sub(v, lb_vec3_scale(plane->normal, lb_vec3_dot(v, plane->normal)));
}

/* by how much the longest link is longer than all others together */
static void find_inner(const ik_iteration *it, const kernel_task *t, ik_plane *plane)
{
    double sum = 0, longest = 0;
    plane->rigid = t->goal.position && it->joints[t->path[0]].parent < 0;
    for (int i = 0; i < t->path_count; i++) {
        plane->rigid &= it->joints[t->path[i]].kind != KERNEL_PRISMATIC;
        lb_vec3 link = lb_vec3_sub(place_of(it, t, i + 1), place_of(it, t, i));
        double length = lb_vec3_length(in_plane(plane, link));
        sum += length;
        longest = scalar_max(longest, length);
    }
    plane->shoulder = place_of(it, t, 0);
    plane->inner = longest - (sum - longest);
    plane->rigid &= plane->inner > 0;
}

ik_plane ik_plane_of(const ik_iteration *it, int task)
{
    const kernel_task *t = &it->problem.tasks[task];
    const lb_transform *frame = &it->frames[t->frame];
    ik_plane plane = {.planar = false};
    double length = 0;
    freedom f;
    if (t->path_count == 0)
        return plane;
    for (int i = 0; i < t->path_count; i++)
        length += lb_vec3_length(lb_vec3_sub(place_of(it, t, i + 1), place_of(it, t, i)));
    plane.planar = find_freedom(it, t, &f) && f.angular.count == 1;
    if (plane.planar) {
        plane.normal = f.angular.axes[0];
        plane.level = t->goal.position && f.linear.count < 3;
        plane.height = lb_vec3_dot(place_of(it, t, t->path_count), plane.normal);
        plane.own =
            lb_vec3_make(lb_vec3_dot(frame->x, plane.normal), lb_vec3_dot(frame->y, plane.normal),
                         lb_vec3_dot(frame->z, plane.normal));
    }
    find_inner(it, t, &plane);
    find_slack(it, t, length, &plane);
    return plane;
}

/* ---- targets -------------------------------------------------------------- */

/* by how much the target's axes, or the one that counts, are inclined against the tool's */
static double find_tilt(const kernel_task *task, const ik_plane *plane, const lb_transform *target)
{
    if (!task->goal.rotation)
        return 0;
    if (task->goal.free)
        return fabs(angle_between(task->goal.axis, plane->own) -
                    angle_between(lb_transform_direction(target, task->goal.axis), plane->normal));
    return angle_between(lb_transform_direction(target, plane->own), plane->normal);
}

/* whether a target is satisfied along a line through the plane, or in another plane */
static bool crosses(const kernel_task *task, const lb_transform *target, lb_vec3 normal)
{
    // the part of the normal that does not count is along the locus
    lb_vec3 rows = kernel_locus_rows(&task->goal.locus, target, normal);
    lb_vec3 counts = kernel_locus_displacement(&task->goal.locus, target, rows);
    return lb_vec3_length(lb_vec3_sub(normal, counts)) > PARALLEL;
}

/* by how much a target is too near to the shoulder; where any of several places will do, 0 */
static double find_near(const kernel_task *task, const ik_plane *plane, const lb_transform *target)
{
    lb_vec3 d = lb_vec3_sub(target->p, plane->shoulder);
    if (!plane->rigid || task->goal.locus.extended)
        return 0;
    return scalar_max(plane->inner - lb_vec3_length(in_plane(plane, d)), 0);
}

ik_plane_miss ik_plane_measure(const ik_iteration *it, int task, const ik_plane *plane,
                               const lb_transform *target, double rounding)
{
    const kernel_task *t = &it->problem.tasks[task];
    const kernel_control *control = it->control;
    double least = control->position_tolerance + plane->slack + rounding, near = 0, height = 0;
    ik_plane_miss miss = {.normal = plane->normal,
                          .tilt = plane->planar ? find_tilt(t, plane, target) : 0};
    if (plane->level && !crosses(t, target, plane->normal))
        height = lb_vec3_dot(target->p, plane->normal) - plane->height;
    if (height < -least)
        miss.normal = lb_vec3_scale(plane->normal, -1);
    height = fabs(height);
    near = find_near(t, plane, target);
    miss.height = it->unit * height;
    miss.near = it->unit * near;
    miss.proved = height > least || near > least ||
                  miss.tilt > it->options->rotation_tolerance + plane->tilting;
    return miss;
}
