/*
 * analytic.c - arms of two links in one step.
 *
 * The elbow alone sets the distance between shoulder and tool, with two angles, one for each side
 * that it can bend to (two_bone.c); the shoulder then rotates the tool into the target's direction
 * (Fig. 5.14-5.15). An arm in the plane has two revolute joints with parallel axes; an arm in space
 * has a ball and then a revolute joint or a ball.
 *
 * Joints farther out that cannot move the tool, such as the wrist of a hand, stay as they are.
 */
#include "ik/iteration.h"
#include "ik/optimum.h"

#include <limber/two_bone.h>
#include <string.h>

/* smaller sines between axes, and shorter lengths (units), are rounding errors of the placements */
#define PARALLEL 1e-9
/* units, squared: solutions whose remaining errors differ by less are equally good */
#define AS_GOOD 1e-18

/* ---- applicability ---------------------------------------------------------- */

/* the number of joints that can move the tool: the first of the path */
static int find_bones(const ik_iteration *it)
{
    const kernel_task *task = &it->problem.tasks[0];
    int count = task->path_count;
    // a rotation about the tool itself does not move it
    while (count > 0) {
        int i = task->path[count - 1];
        lb_vec3 arm = lb_vec3_sub(it->tools[0].p, it->frames[i].p);
        if (it->joints[i].kind == KERNEL_PRISMATIC || lb_vec3_length(arm) > PARALLEL)
            break;
        count--;
    }
    return count;
}

static bool is_shared(const ik_iteration *it, int joint)
{
    return it->joint_of[it->variable_of[joint]] < 0;
}

static bool can_solve(ik_iteration *it)
{
    const kernel_task *task = &it->problem.tasks[0];
    if (it->problem.task_count != 1 || task->goal.rotation || task->goal.locus.extended ||
        find_bones(it) != 2)
        return false;
    int a = task->path[0], b = task->path[1];
    if (is_shared(it, a) || is_shared(it, b))
        return false;
    kernel_kind first = it->joints[a].kind, second = it->joints[b].kind;
    if (first == KERNEL_BALL)
        return second == KERNEL_BALL || second == KERNEL_REVOLUTE;
    lb_vec3 across = lb_vec3_cross(it->frames[a].z, it->frames[b].z);
    return first == KERNEL_REVOLUTE && second == KERNEL_REVOLUTE &&
           lb_vec3_length(across) < PARALLEL;
}

const char *ik_analytic_check(ik_iteration *it)
{
    memset(it->q, 0, sizeof(double) * (size_t)it->problem.tree.nq);
    for (int i = 0; i < it->problem.tree.count; i++)
        if (it->joints[i].kind == KERNEL_BALL)
            it->q[it->joints[i].q] = 1;
    ik_refresh(it, it->q);
    if (can_solve(it))
        return NULL;
    return "it brings one tool to a position that is free along no axis, with two joints, hinges "
           "with parallel axes or a ball and then a hinge or a ball; use 'lm'";
}

/* ---- solving --------------------------------------------------------------- */

static lb_vec3 without(lb_vec3 a, lb_vec3 normal)
{
    return lb_vec3_sub(a, lb_vec3_scale(normal, lb_vec3_dot(a, normal)));
}

/* the arm as it is, for lb_two_bone_solve; a planar one projected along its axes */
static lb_two_bone describe(const ik_iteration *it, int shoulder, int elbow)
{
    lb_two_bone arm = lb_two_bone_default();
    arm.start = it->frames[shoulder];
    arm.middle = it->frames[elbow];
    arm.end = it->tools[0];
    arm.target = it->targets[0].p;
    arm.pole = it->pole;
    if (it->joints[shoulder].kind == KERNEL_REVOLUTE) {
        lb_vec3 normal = it->frames[shoulder].z;
        arm.start.p = without(arm.start.p, normal);
        arm.middle.p = without(arm.middle.p, normal);
        arm.end.p = without(arm.end.p, normal);
        arm.target = without(arm.target, normal);
    }
    return arm;
}

/* the elbow's rotation that sets the distance, bending to one side of its axis */
static lb_quat bend(const ik_iteration *it, int shoulder, int elbow, int side, lb_quat *aim)
{
    lb_two_bone arm = describe(it, shoulder, elbow);
    lb_quat turn;
    if (it->joints[elbow].kind == KERNEL_REVOLUTE)
        arm.bend_axis = lb_vec3_make(0, 0, it->joints[elbow].scale < 0 ? -side : side);
    lb_two_bone_solve(&arm, aim, &turn);
    *aim = ik_quat_outward(&arm.start, *aim);
    return ik_quat_outward(&arm.middle, turn);
}

/* sets it->next to one of the two solutions; returns its squared distance from q */
static double solve(ik_iteration *it, int shoulder, int elbow, int side)
{
    size_t size = sizeof(double) * (size_t)it->problem.tree.nq;
    lb_quat aim;
    memcpy(it->next, it->q, size);
    ik_refresh(it, it->q);
    lb_quat turn = bend(it, shoulder, elbow, side, &aim);
    ik_rotate_joint(it, elbow, turn, it->next);
    // a ball at the shoulder takes the pole into account; then either kind makes up for what limits
    // left
    if (it->joints[shoulder].kind == KERNEL_BALL)
        ik_rotate_joint(it, shoulder, aim, it->next);
    ik_refresh(it, it->next);
    ik_optimize(it, it->variable_of[shoulder], it->next);
    double distance = 0;
    for (int i = 0; i < it->problem.tree.nq; i++)
        distance += (it->next[i] - it->q[i]) * (it->next[i] - it->q[i]);
    return distance;
}

lb_reason ik_analytic_step(ik_iteration *it)
{
    const kernel_task *task = &it->problem.tasks[0];
    size_t size = sizeof(double) * (size_t)it->problem.tree.nq;
    double least = INFINITY, shortest = INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        if (it->options->analytic.bend * side < 0)
            continue;
        double distance = solve(it, task->path[0], task->path[1], side);
        lb_vec3 left = lb_vec3_sub(it->targets[0].p, it->tools[0].p);
        double miss = lb_vec3_dot(left, left);
        // the nearer to the target; of two equally good ones the nearer to q
        bool as_good = fabs(miss - least) <= AS_GOOD;
        if (as_good ? distance < shortest : miss < least) {
            memcpy(it->other, it->next, size);
            least = miss;
            shortest = distance;
        }
    }
    memcpy(it->next, it->other, size);
    return LB_REASON_NONE;
}
