/*
 * fabrik.c - forward and backward reaching: first where the links would like to be, then how
 * they can.
 *
 * Aristidou & Lasenby, "FABRIK: a fast, iterative solver for the inverse kinematics
 * problem", Graphical Models 73 (2011). Backward, from the tools, which are put on their
 * goals: each link hangs on the one farther out and is turned about the joint between them until
 * its inner end is as near as it gets to where it is now; where ways part it goes to the
 * mean of what they ask. Forward, from the base: each joint turns or slides until the link's
 * outer end is as near as it gets to the place it was given.
 *
 * With balls alone that is the paper's sliding of points along lines. What makes it work for
 * hinges is that their ends are more than points: a hinge wants the link on its other side where
 * its axis lies, so both passes match origin and axis. All matching is done on the joints
 * themselves (optimum.c), so axes, ways and limits hold at every moment, and nothing has to be
 * turned back from points into angles.
 */
#include "ik/iteration.h"
#include "ik/methods/methods.h"
#include "ik/optimum.h"
#include "math/scalar.h"

#include <string.h>

/* what the direction of an axis counts for against the place of a joint, units squared */
#define AXIS_WEIGHT 1.0

/* ---- ends of links ---------------------------------------------------------- */

/* pulls the end of a link, a joint that is at `from`, to where it is at `to`; about `origin` */
static void add_end(ik_pull *pull, const kernel_joint *joint, const lb_transform *from,
                    const lb_transform *to, lb_vec3 origin)
{
    ik_pull_add_point(pull, 1, lb_vec3_sub(from->p, origin), lb_vec3_sub(to->p, origin));
    if (joint->kind != KERNEL_BALL)
        ik_pull_add_axis(pull, AXIS_WEIGHT, from->z, to->z);
    if (joint->kind == KERNEL_FIXED)
        ik_pull_add_axis(pull, AXIS_WEIGHT, from->x, to->x);
}

/* the paper's step: a point drawn towards another until it is `length` away */
static lb_vec3 drawn(lb_vec3 from, lb_vec3 to, double length)
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

/* a link whose axes are right moved until its tool is on the goal, if that counts */
static lb_transform moved_to_goal(lb_transform at, const kernel_task *task,
                                  const lb_transform *goal)
{
    if (task->goal.position)
        at.p = lb_vec3_sub(goal->p, lb_transform_direction(&at, task->tool));
    return at;
}

/* with its tool on the goal a link turns about that to where its inner end is */
static lb_transform pivot_on_goal(const ik_iteration *it, int link, const kernel_task *task,
                                  const lb_transform *goal)
{
    const lb_transform *now = &it->frames[link];
    lb_transform at = moved_to_goal(*now, task, goal);
    // of a link between balls nothing but its ends is ever asked
    if (it->joints[link].kind == KERNEL_BALL) {
        at.p = drawn(now->p, goal->p, lb_vec3_length(task->tool));
        return at;
    }
    ik_pull pull = {0};
    double won;
    add_end(&pull, &it->joints[link], &at, now, goal->p);
    return rotated(&at, goal->p, ik_pull_swing(&pull, INFINITY, &won));
}

/* where a link would like to be for a task whose tool it carries */
static lb_transform wanted_by_task(const ik_iteration *it, int link, int index)
{
    const kernel_task *task = &it->problem.tasks[index];
    lb_transform at = it->frames[link], nearest = it->targets[index], *goal = &nearest;
    // of the points that will do the one nearest to where the tool is
    lb_vec3 now = lb_transform_point(&at, task->tool);
    nearest.p = kernel_locus_nearest(&task->goal.locus, goal, now);
    if (!task->goal.rotation)
        return pivot_on_goal(it, link, task, goal);
    if (task->goal.free) {
        // the shortest turn that brings the axis about
        ik_pull pull = {0};
        double won;
        ik_pull_add_axis(&pull, 1, lb_transform_direction(&at, task->goal.axis),
                         lb_transform_direction(goal, task->goal.axis));
        at = rotated(&at, at.p, ik_pull_swing(&pull, INFINITY, &won));
    } else {
        at = (lb_transform){goal->x, goal->y, goal->z, at.p};
    }
    return moved_to_goal(at, task, goal);
}

/* where a link would like to be for the one that hangs on it by `joint` and has its wish */
static lb_transform wanted_by_child(const ik_iteration *it, int link, int joint)
{
    const kernel_joint *j = &it->joints[joint];
    const lb_transform *there = &it->wanted[joint];
    int x = it->variable_of[joint];
    if (j->kind == KERNEL_BALL && x >= 0 && it->joints[link].kind == KERNEL_BALL) {
        lb_transform end = it->frames[link];
        double length = lb_vec3_length(lb_vec3_sub(it->frames[joint].p, end.p));
        end.p = drawn(end.p, there->p, length);
        return end;
    }
    lb_transform back = lb_transform_between(&it->frames[joint], &it->frames[link]);
    lb_transform at = lb_transform_multiply(there, &back);
    if (x < 0)
        return at;
    ik_pull pull = {0};
    double won, way;
    add_end(&pull, &it->joints[link], &at, &it->frames[link], there->p);
    if (j->kind == KERNEL_BALL)
        return rotated(&at, there->p, ik_pull_swing(&pull, INFINITY, &won));
    // seen from the child, the link moves the other way
    const kernel_variable *variable = &it->problem.variables[x];
    double a = -j->scale * (variable->lower - it->q[variable->q]);
    double b = -j->scale * (variable->upper - it->q[variable->q]);
    if (j->kind == KERNEL_PRISMATIC) {
        way = ik_pull_slide(&pull, there->z, scalar_min(a, b), scalar_max(a, b), &won);
        at.p = lb_vec3_add(at.p, lb_vec3_scale(there->z, way));
        return at;
    }
    way = ik_pull_turn(&pull, there->z, scalar_min(a, b), scalar_max(a, b), &won);
    return rotated(&at, there->p, lb_quat_from_axis_angle(there->z, way));
}

/* the mean of several wishes, given as their sum */
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

static void add_desired(lb_transform *sum, lb_transform wish, int *count)
{
    if (*count > 0) {
        wish.x = lb_vec3_add(sum->x, wish.x);
        wish.y = lb_vec3_add(sum->y, wish.y);
        wish.z = lb_vec3_add(sum->z, wish.z);
        wish.p = lb_vec3_add(sum->p, wish.p);
    }
    *sum = wish;
    ++*count;
}

static void reach_backward(ik_iteration *it)
{
    for (int i = it->problem.tree.count - 1; i >= 0; i--) {
        lb_transform sum = it->frames[i];
        int count = 0;
        for (int t = 0; t < it->problem.task_count; t++)
            if (it->problem.tasks[t].frame == i)
                add_desired(&sum, wanted_by_task(it, i, t), &count);
        for (int j = it->first_child[i]; j >= 0; j = it->next_sibling[j])
            add_desired(&sum, wanted_by_child(it, i, j), &count);
        it->wanted[i] = mean(sum, count);
    }
}

/* ---- forward ---------------------------------------------------------------- */

static lb_vec3 point_inward(const lb_transform *t, lb_vec3 p)
{
    lb_vec3 arm = lb_vec3_sub(p, t->p);
    return lb_vec3_make(lb_vec3_dot(t->x, arm), lb_vec3_dot(t->y, arm), lb_vec3_dot(t->z, arm));
}

/* what the wishes farther out ask of a link that is at `now` and was at `old` */
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
        add_end(&pull, &it->joints[j], &moved, &it->wanted[j], now->p);
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
        // a number that several joints follow is the first one's to choose
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
