/*
 * fabrik.c - forward and backward reaching: first desired poses of the links, then possible ones.
 *
 * Aristidou & Lasenby, "FABRIK: a fast, iterative solver for the inverse kinematics problem",
 * Graphical Models 73 (2011). Backward, from the tools, which are put on their targets: each link
 * is attached to the next one and rotated about the joint between them until its inner end is
 * nearest to its current position; where chains branch it gets the mean of the desired poses.
 * Forward, from the base: each joint rotates or slides until the link's outer end is nearest to its
 * desired position.
 *
 * With balls only, that is the paper's sliding of points along lines. To work with revolute joints,
 * both passes match origin and axis of the joints. All matching uses the joints themselves
 * (optimum.c), so axes and limits hold at every moment, and no points are converted to angles.
 */
#include "ik/iteration.h"
#include "ik/optimum.h"
#include "math/scalar.h"

#include <string.h>

/* units squared: the weight of an axis' direction against the position of a joint */
#define AXIS_WEIGHT 1.0

/* ---- ends of links ---------------------------------------------------------- */

/* adds the end of a link, a joint at `from` with `to` as its target; relative to `origin` */
static void add_end(ik_pull *pull, const kernel_joint *joint, const lb_transform *from,
                    const lb_transform *to, lb_vec3 origin)
{
    ik_pull_add_point(pull, 1, lb_vec3_sub(from->p, origin), lb_vec3_sub(to->p, origin));
    if (joint->kind != KERNEL_BALL)
        ik_pull_add_axis(pull, AXIS_WEIGHT, from->z, to->z);
    if (joint->kind == KERNEL_FIXED)
        ik_pull_add_axis(pull, AXIS_WEIGHT, from->x, to->x);
}

/* the paper's step: a point moved towards another until it is `length` away */
static lb_vec3 pulled_toward(lb_vec3 from, lb_vec3 to, double length)
{
    lb_vec3 arm = lb_vec3_sub(from, to);
    double now = lb_vec3_length(arm);
    if (now == 0)
        return lb_vec3_add(to, lb_vec3_make(length, 0, 0));
    return lb_vec3_add(to, lb_vec3_scale(arm, length / now));
}

static lb_transform rotated(const lb_transform *t, lb_vec3 origin, lb_quat r)
{
    lb_vec3 arm = lb_quat_rotate(r, lb_vec3_sub(t->p, origin));
    return (lb_transform){lb_quat_rotate(r, t->x), lb_quat_rotate(r, t->y), lb_quat_rotate(r, t->z),
                          lb_vec3_add(origin, arm)};
}

/* ---- backward --------------------------------------------------------------- */

/* a link with final axes moved until its tool is on the target, if the position counts */
static lb_transform moved_to_target(lb_transform at, const kernel_task *task,
                                    const lb_transform *target)
{
    if (task->goal.position)
        at.p = lb_vec3_sub(target->p, lb_transform_direction(&at, task->tool));
    return at;
}

/* with its tool on the target a link rotates about that to where its inner end is */
static lb_transform pivot_on_target(const ik_iteration *it, int link, const kernel_task *task,
                                    const lb_transform *target)
{
    const lb_transform *now = &it->frames[link];
    lb_transform at = moved_to_target(*now, task, target);
    // of a link between balls only the ends matter
    if (it->joints[link].kind == KERNEL_BALL) {
        at.p = pulled_toward(now->p, target->p, lb_vec3_length(task->tool));
        return at;
    }
    ik_pull pull = {0};
    double gain;
    add_end(&pull, &it->joints[link], &at, now, target->p);
    return rotated(&at, target->p, ik_pull_swing(&pull, INFINITY, &gain));
}

/* the desired pose of a link for a task whose tool it carries */
static lb_transform desired_by_task(const ik_iteration *it, int link, int index)
{
    const kernel_task *task = &it->problem.tasks[index];
    lb_transform at = it->frames[link], nearest = it->targets[index], *target = &nearest;
    // of the points that satisfy the target the one nearest to the tool
    lb_vec3 now = lb_transform_point(&at, task->tool);
    nearest.p = kernel_locus_nearest(&task->goal.locus, target, now);
    if (!task->goal.rotation)
        return pivot_on_target(it, link, task, target);
    if (task->goal.free) {
        // the shortest rotation that aligns the axis
        ik_pull pull = {0};
        double gain;
        ik_pull_add_axis(&pull, 1, lb_transform_direction(&at, task->goal.axis),
                         lb_transform_direction(target, task->goal.axis));
        at = rotated(&at, at.p, ik_pull_swing(&pull, INFINITY, &gain));
    } else {
        at = (lb_transform){target->x, target->y, target->z, at.p};
    }
    return moved_to_target(at, task, target);
}

/* the desired pose of a link for the link attached to it by `joint`, whose desired pose is known */
static lb_transform desired_by_child(const ik_iteration *it, int link, int joint)
{
    const kernel_joint *j = &it->joints[joint];
    const lb_transform *there = &it->desired_poses[joint];
    int x = it->variable_of[joint];
    if (j->kind == KERNEL_BALL && x >= 0 && it->joints[link].kind == KERNEL_BALL) {
        lb_transform end = it->frames[link];
        double length = lb_vec3_length(lb_vec3_sub(it->frames[joint].p, end.p));
        end.p = pulled_toward(end.p, there->p, length);
        return end;
    }
    lb_transform back = lb_transform_between(&it->frames[joint], &it->frames[link]);
    lb_transform at = lb_transform_multiply(there, &back);
    if (x < 0)
        return at;
    ik_pull pull = {0};
    double gain, step;
    add_end(&pull, &it->joints[link], &at, &it->frames[link], there->p);
    if (j->kind == KERNEL_BALL)
        return rotated(&at, there->p, ik_pull_swing(&pull, INFINITY, &gain));
    // seen from the child, the link moves in the opposite direction
    const kernel_variable *variable = &it->problem.variables[x];
    double a = -j->scale * (variable->lower - it->q[variable->q]);
    double b = -j->scale * (variable->upper - it->q[variable->q]);
    if (j->kind == KERNEL_PRISMATIC) {
        step = ik_pull_slide(&pull, there->z, scalar_min(a, b), scalar_max(a, b), &gain);
        at.p = lb_vec3_add(at.p, lb_vec3_scale(there->z, step));
        return at;
    }
    step = ik_pull_turn(&pull, there->z, scalar_min(a, b), scalar_max(a, b), &gain);
    return rotated(&at, there->p, lb_quat_from_axis_angle(there->z, step));
}

/* the mean of several desired poses, given as their sum */
static lb_transform mean(lb_transform sum, int count)
{
    if (count < 2)
        return sum;
    lb_transform m;
    m.p = lb_vec3_scale(sum.p, 1.0 / count);
    m.z = lb_vec3_normalize(sum.z, lb_vec3_make(0, 0, 1));
    m.x = lb_vec3_sub(sum.x, lb_vec3_scale(m.z, lb_vec3_dot(m.z, sum.x)));
    m.x = lb_vec3_normalize(m.x, lb_vec3_perpendicular(m.z));
    m.y = lb_vec3_cross(m.z, m.x);
    return m;
}

static void add_desired(lb_transform *sum, lb_transform pose, int *count)
{
    if (*count > 0) {
        pose.x = lb_vec3_add(sum->x, pose.x);
        pose.y = lb_vec3_add(sum->y, pose.y);
        pose.z = lb_vec3_add(sum->z, pose.z);
        pose.p = lb_vec3_add(sum->p, pose.p);
    }
    *sum = pose;
    ++*count;
}

static void reach_backward(ik_iteration *it)
{
    for (int i = it->problem.tree.count - 1; i >= 0; i--) {
        lb_transform sum = it->frames[i];
        int count = 0;
        for (int t = 0; t < it->problem.task_count; t++)
            if (it->problem.tasks[t].frame == i)
                add_desired(&sum, desired_by_task(it, i, t), &count);
        for (int j = it->first_child[i]; j >= 0; j = it->next_sibling[j])
            add_desired(&sum, desired_by_child(it, i, j), &count);
        it->desired_poses[i] = mean(sum, count);
    }
}

/* ---- forward ---------------------------------------------------------------- */

static lb_vec3 point_inward(const lb_transform *t, lb_vec3 p)
{
    lb_vec3 arm = lb_vec3_sub(p, t->p);
    return lb_vec3_make(lb_vec3_dot(t->x, arm), lb_vec3_dot(t->y, arm), lb_vec3_dot(t->z, arm));
}

/* what the desired poses farther out require of a link that is at `now` and was at `old` */
static ik_pull pull_outward(const ik_iteration *it, int link, const lb_transform *old,
                            const lb_transform *now)
{
    ik_pull pull = {0};
    for (int t = 0; t < it->problem.task_count; t++) {
        const kernel_task *task = &it->problem.tasks[t];
        if (task->frame != link)
            continue;
        lb_transform tool = *now;
        tool.p = lb_transform_point(now, task->tool);
        ik_pull_add_task(&pull, task, now->p, &tool, &it->targets[t]);
    }
    for (int j = it->first_child[link]; j >= 0; j = it->next_sibling[j]) {
        const lb_transform *end = &it->frames[j];
        lb_transform moved = {.p = lb_transform_point(now, point_inward(old, end->p))};
        if (it->joints[j].kind != KERNEL_BALL) {
            lb_transform local = lb_transform_between(old, end);
            moved = lb_transform_multiply(now, &local);
        }
        add_end(&pull, &it->joints[j], &moved, &it->desired_poses[j], now->p);
    }
    return pull;
}

static void reach_forward(ik_iteration *it)
{
    const lb_transform base = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < it->problem.tree.count; i++) {
        const kernel_joint *joint = &it->joints[i];
        const lb_transform *parent = joint->parent < 0 ? &base : &it->frames[joint->parent];
        lb_transform now = kernel_joint_frame(joint, parent, it->next);
        int x = it->variable_of[i];
        // of several joints that follow one number the first one sets it
        if (x >= 0 && it->ticks[1 + x] == 0) {
            ik_pull pull = pull_outward(it, i, &it->frames[i], &now);
            ik_move move = ik_optimum(it, i, &pull, &now, parent, it->next);
            ik_move_apply(it, x, &move, it->next);
            it->ticks[1 + x] = 1;
            now = kernel_joint_frame(joint, parent, it->next);
        }
        it->frames[i] = now;
    }
}

lb_reason ik_fabrik_step(ik_iteration *it)
{
    memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    memset(it->ticks, 0, sizeof(int) * (size_t)(1 + it->problem.variable_count));
    reach_backward(it);
    reach_forward(it);
    return LB_REASON_NONE;
}
