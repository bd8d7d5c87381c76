/*
 * plane.c - arms whose joints all rotate about one direction, and what they can never do.
 *
 * Whether axes are parallel does not depend on the configuration: a rotation about one of them
 * leaves all as they are.
 */
#include "ik/plane.h"

/* sine of the angle up to which axes count as parallel: files round to five decimals */
#define PARALLEL 1e-5

static bool is_parallel(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_cross(a, b)) < PARALLEL;
}

/*
 * the direction that all revolute joints of a task rotate about; false with balls and without any
 */
static bool find_normal(const ik_iteration *it, const kernel_task *task, lb_vec3 *normal)
{
    int turning = 0;
    for (int i = 0; i < task->path_count; i++) {
        int j = task->path[i];
        lb_vec3 axis = it->frames[j].z;
        if (it->joints[j].kind == KERNEL_BALL)
            return false;
        if (it->joints[j].kind != KERNEL_REVOLUTE)
            continue;
        if (turning++ == 0)
            *normal = axis;
        else if (!is_parallel(axis, *normal))
            return false;
    }
    return turning > 0;
}

/* whether a joint slides out of the plane */
static bool has_lift(const ik_iteration *it, const kernel_task *task, lb_vec3 normal)
{
    for (int i = 0; i < task->path_count; i++) {
        int j = task->path[i];
        if (it->joints[j].kind == KERNEL_PRISMATIC &&
            fabs(lb_vec3_dot(it->frames[j].z, normal)) > PARALLEL)
            return true;
    }
    return false;
}

/* the angle between two unit vectors */
static double angle_between(lb_vec3 a, lb_vec3 b)
{
    return lb_atan2(lb_vec3_length(lb_vec3_cross(a, b)), lb_vec3_dot(a, b));
}

/* by how much the target's axes, or the one that counts, are inclined against the frame's */
static double find_tilt(const kernel_task *task, const lb_transform *frame,
                        const lb_transform *target, lb_vec3 normal)
{
    if (!task->goal.rotation)
        return 0;
    if (task->goal.free)
        return fabs(angle_between(lb_transform_direction(frame, task->goal.axis), normal) -
                    angle_between(lb_transform_direction(target, task->goal.axis), normal));
    lb_vec3 own = {lb_vec3_dot(frame->x, normal), lb_vec3_dot(frame->y, normal),
                   lb_vec3_dot(frame->z, normal)};
    return angle_between(lb_transform_direction(target, own), normal);
}

/* whether a target is satisfied along a line through the plane, or in another plane */
static bool crosses(const kernel_task *task, const lb_transform *target, lb_vec3 normal)
{
    // the part of the normal that does not count is along the locus
    lb_vec3 rows = kernel_locus_rows(&task->goal.locus, target, normal);
    lb_vec3 counts = kernel_locus_displacement(&task->goal.locus, target, rows);
    return lb_vec3_length(lb_vec3_sub(normal, counts)) > PARALLEL;
}

bool ik_plane_find(const ik_iteration *it, int task, ik_plane *plane)
{
    const kernel_task *t = &it->problem.tasks[task];
    const lb_transform *frame = &it->frames[t->frame], *target = &it->targets[task];
    *plane = (ik_plane){.height = 0};
    if (!find_normal(it, t, &plane->normal))
        return false;
    lb_vec3 displacement = lb_vec3_sub(target->p, lb_transform_point(frame, t->tool));
    if (t->goal.position && !has_lift(it, t, plane->normal) && !crosses(t, target, plane->normal))
        plane->height = it->unit * fabs(lb_vec3_dot(displacement, plane->normal));
    plane->tilt = find_tilt(t, frame, target, plane->normal);
    return true;
}
