/*
 * plane.c - arms whose joints all rotate about one direction, and what they can never do.
 */
#include "ik/plane.h"

#include "kinematics/freedom.h"

/* relative: how much of the normal a free axis takes from a position that counts */
#define PARALLEL 1e-5

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
    freedom f;
    if (!find_freedom(it, t, &f) || f.angular.count != 1)
        return false;
    *plane = (ik_plane){.normal = f.angular.axes[0]};
    lb_vec3 displacement = lb_vec3_sub(target->p, lb_transform_point(frame, t->tool));
    if (t->goal.position && f.linear.count < 3 && !crosses(t, target, plane->normal))
        plane->height = it->unit * fabs(lb_vec3_dot(displacement, plane->normal));
    plane->tilt = find_tilt(t, frame, target, plane->normal);
    return true;
}
