/*
 * plane.c - arms whose joints all turn about one direction, and what such an arm can never do.
 *
 * That the axes are parallel is seen in any configuration: turning about one of them
 * leaves all as they are.
 */
#include "ik/plane.h"

/* sine of the angle up to which directions count as parallel: files round to five decimals */
#define PARALLEL 1e-5

static bool is_parallel(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_length(lb_vec3_cross(a, b)) < PARALLEL;
}

/* the direction that all turning joints of a way turn about; false for balls and where none turns
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

/* how far the goal's axes, or the one that counts, lean otherwise than the frame's */
static double find_tilt(const kernel_task *task, const lb_transform *frame,
                        const lb_transform *goal, lb_vec3 normal)
{
    if (!task->goal.rotation)
        return 0;
    if (task->goal.free)
        return fabs(angle_between(lb_transform_direction(frame, task->goal.axis), normal) -
                    angle_between(lb_transform_direction(goal, task->goal.axis), normal));
    lb_vec3 own = {lb_vec3_dot(frame->x, normal), lb_vec3_dot(frame->y, normal),
                   lb_vec3_dot(frame->z, normal)};
    return angle_between(lb_transform_direction(goal, own), normal);
}

/* whether a goal leaves the tool a line that leads through the plane, or another plane */
static bool crosses(const kernel_task *task, const lb_transform *goal, lb_vec3 normal)
{
    // what of the normal does not count for the goal leads along its locus
    lb_vec3 rows = kernel_locus_rows(&task->goal.locus, goal, normal);
    lb_vec3 counts = kernel_locus_displacement(&task->goal.locus, goal, rows);
    return lb_vec3_length(lb_vec3_sub(normal, counts)) > PARALLEL;
}

bool ik_plane_find(const ik_iteration *it, int task, ik_plane *plane)
{
    const kernel_task *t = &it->problem.tasks[task];
    const lb_transform *frame = &it->frames[t->frame], *goal = &it->targets[task];
    *plane = (ik_plane){.height = 0};
    if (!find_normal(it, t, &plane->normal))
        return false;
    lb_vec3 way = lb_vec3_sub(goal->p, lb_transform_point(frame, t->tool));
    if (t->goal.position && !has_lift(it, t, plane->normal) && !crosses(t, goal, plane->normal))
        plane->height = it->unit * fabs(lb_vec3_dot(way, plane->normal));
    plane->tilt = find_tilt(t, frame, goal, plane->normal);
    return true;
}
