/*
 * parts.c - a body cut into parts that are solved one after the other.
 *
 * A pose task says where its link is, so the joints on either side of that link do not depend on
 * each other: such links, and the world, cut the tree. A part is what remains connected: a leg
 * between the pelvis and a foot, or the waist with both arms. The arm solver (ik.h) finds its
 * solutions with its own restarts, and what no pose task cuts is searched together. So the tries
 * of parts add up, where those of the whole body would multiply.
 *
 * A floating root is no part of a search: once the other parts of its tree are solved against one
 * of its pose tasks, the root goes where this task is met.
 *
 * What is assembled is a start alone. Tasks that the arm solver does not know, boxes, cones, levels
 * and the body's own limits are left to the descent that follows.
 */
#include "ik/body/solver.h"
#include "ik/solver.h"

#include "base/error.h"

#include <string.h>

/* ---- tasks ------------------------------------------------------------------ */

/* as the arm solver has it; false: it has no such kind */
static bool part_task(const lb_body_task *task, lb_task *out)
{
    *out = lb_task_make(task->link, task->base, LB_TASK_POSE);
    out->tool = task->tool;
    out->weight = task->weight > 0 ? task->weight : 1;
    switch (task->kind) {
    case LB_BODY_POSE:
    case LB_BODY_CONTACT:
        return true;
    case LB_BODY_ORIENTATION:
        out->kind = LB_TASK_ROTATION;
        return true;
    case LB_BODY_ON_LINE:
        out->free_position = LB_FREE_Z;
        break;
    case LB_BODY_ON_PLANE:
        out->free_position = LB_FREE_X | LB_FREE_Y;
        break;
    case LB_BODY_POSITION:
        break;
    default:
        return false;
    }
    out->kind = LB_TASK_POSITION;
    return true;
}

/* whether a task says in world axes where the whole of its link is */
static bool is_anchor(const lb_body *body, int t)
{
    const lb_body_task *task = &body->tasks[t];
    const kernel_body_task *k = &body->kernel_tasks[t];
    bool pose = task->kind == LB_BODY_POSE || task->kind == LB_BODY_CONTACT;
    return pose && task->weight > 0 && k->tool.joint >= 0 && k->base.joint < 0;
}

/* ---- cutting ---------------------------------------------------------------- */

static void find_anchors(lb_body *body)
{
    for (int j = 0; j < body->kernel.tree.count; j++)
        body->anchors[j] = -1;
    for (int t = 0; t < body->task_count; t++) {
        int joint = body->kernel_tasks[t].tool.joint;
        if (is_anchor(body, t) && body->anchors[joint] < 0)
            body->anchors[joint] = t;
    }
}

/* a part begins at each joint that an anchor or the world carries */
static void cut_tree(lb_body *body)
{
    for (int j = 0; j < body->kernel.tree.count; j++) {
        int parent = body->joints[j].parent;
        if (parent >= 0 && body->anchors[parent] < 0) {
            body->part_of[j] = body->part_of[parent];
            continue;
        }
        body->part_of[j] = body->part_count++;
        body->parts[body->part_of[j]].base = parent < 0 ? -1 : body->anchors[parent];
    }
}

/* the kernel's joint that carries the link of a floating root, -1: there is none */
static int floating_root(const lb_body *body)
{
    const lb_model *model = body->model;
    if (model->joint_count == 0 || model->joints[0].kind != LB_JOINT_FLOATING ||
        model->joints[0].locked)
        return -1;
    // what no task needs is not in the tree
    int element = model->link_layouts[1].element;
    int joint = body->places[element].joint;
    return joint >= 0 && body->joints[joint].q == model->joint_layouts[0].q + 3 ? joint : -1;
}

/* the part with the root is carried by the anchor that is nearest to it */
static void free_root(lb_body *body)
{
    int root = floating_root(body);
    for (int j = 0; root >= 0 && j < body->kernel.tree.count; j++)
        if (body->part_of[j] == body->part_of[root] && body->anchors[j] >= 0) {
            body->parts[body->part_of[root]].base = body->root_task = body->anchors[j];
            return;
        }
}

/* the part that a task belongs to, -1: none */
static int part_of_task(const lb_body *body, int t)
{
    const kernel_body_task *k = &body->kernel_tasks[t];
    lb_task as_task;
    if (k->tool.joint < 0 || t == body->root_task || !part_task(&body->tasks[t], &as_task))
        return -1;
    int part = body->part_of[k->tool.joint], base = k->base.joint;
    bool known = base < 0 || body->anchors[base] >= 0 || body->part_of[base] == part;
    return known ? part : -1;
}

/* ---- solvers ---------------------------------------------------------------- */

/* descents that are let go on for longer hardly ever arrive */
enum { LOCAL_ITERATIONS = 24 };

/* a solver that does not take the tasks leaves the part to the descent that follows */
static lb_status make_solver(lb_body *body, const lb_task *tasks, int count, lb_protocol protocol,
                             lb_ik **ik, lb_error *error)
{
    lb_ik_options options = lb_ik_options_default();
    // half of what is allowed: the rest is for the rounding of frames that are put together
    options.position_tolerance = 0.5 * body->options.position_tolerance;
    options.rotation_tolerance = 0.5 * body->options.rotation_tolerance;
    options.length = body->options.length;
    options.width = body->options.width;
    options.protocol = protocol;
    if (protocol == LB_PROTOCOL_GIVEN) {
        options.iterations = LOCAL_ITERATIONS;
        options.seeds = 0;
    }
    lb_status status =
        ik_tree_create(body->model, tasks, count, &options, &body->allocator, ik, NULL);
    if (status == LB_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    return LB_OK;
}

static lb_status fill_part(lb_body *body, int index, lb_task *tasks, lb_error *error)
{
    body_part *part = &body->parts[index];
    part->first = index > 0 ? part[-1].first + part[-1].count : 0;
    for (int t = 0; t < body->task_count; t++) {
        if (part_of_task(body, t) != index)
            continue;
        lb_task *task = &tasks[part->count];
        part_task(&body->tasks[t], task);
        int base = body->kernel_tasks[t].base.joint;
        // targets against another part's link are known in the world
        if (base < 0 || body->anchors[base] >= 0)
            task->base = part->base < 0 ? LB_WORLD : body->tasks[part->base].link;
        body->part_tasks[part->first + part->count++] = t;
    }
    if (part->count == 0)
        return LB_OK;
    TRY(make_solver(body, tasks, part->count, LB_PROTOCOL_GIVEN, &part->local, error));
    return make_solver(body, tasks, part->count, LB_PROTOCOL_ANY, &part->any, error);
}

lb_status body_make_parts(lb_body *body, lb_error *error)
{
    body->root_task = -1;
    // limbs that loops hold together cannot be solved apart
    if (body->options.restarts == 0 || body->given_count < body->task_count)
        return LB_OK;
    lb_task *tasks = memory_take(&body->allocator, (size_t)body->task_count, sizeof *tasks);
    TRY(require_memory(error, tasks));
    find_anchors(body);
    cut_tree(body);
    free_root(body);
    lb_status status = LB_OK;
    for (int i = 0; status == LB_OK && i < body->part_count; i++)
        status = fill_part(body, i, tasks, error);
    memory_release(&body->allocator, tasks);
    return status;
}

void body_release_parts(lb_body *body)
{
    for (int i = 0; i < body->part_count; i++) {
        ik_tree_release(body->parts[i].local);
        ik_tree_release(body->parts[i].any);
    }
}

bool body_has_parts(const lb_body *body)
{
    for (int i = 0; i < body->part_count; i++)
        if (body->parts[i].local && body->parts[i].any)
            return true;
    return body->root_task >= 0;
}

/* ---- targets ---------------------------------------------------------------- */

/* T_world_target of a task whose base is the world, or fixed in it */
static lb_transform fixed_target(const lb_body *body, const lb_transform *targets, int t)
{
    const kernel_body_task *k = &body->kernel_tasks[t];
    return k->in_world ? targets[t] : lb_transform_multiply(&k->base.at, &targets[t]);
}

/* T_world_joint of an anchor, as its task wants it */
static lb_transform anchor_frame(const lb_body *body, const lb_transform *targets, int task)
{
    lb_transform target = fixed_target(body, targets, task);
    lb_transform back = lb_transform_inverse(&body->kernel_tasks[task].tool.at);
    return lb_transform_multiply(&target, &back);
}

static lb_transform world_target(const lb_body *body, const lb_transform *targets, int t)
{
    const kernel_body_task *k = &body->kernel_tasks[t];
    if (k->base.joint < 0)
        return fixed_target(body, targets, t);
    lb_transform base = anchor_frame(body, targets, body->anchors[k->base.joint]);
    base = lb_transform_multiply(&base, &k->base.at);
    return lb_transform_multiply(&base, &targets[t]);
}

/* T_world_link of the link that an anchor's task moves */
static lb_transform anchor_link(const lb_body *body, const lb_transform *targets, int task)
{
    lb_transform target = fixed_target(body, targets, task);
    lb_transform back = lb_transform_inverse(&body->tasks[task].tool);
    return lb_transform_multiply(&target, &back);
}

/* targets of a part's tasks, in the link that carries it */
static void find_targets(lb_body *body, const body_part *part, const lb_transform *targets)
{
    for (int i = 0; i < part->count; i++) {
        int t = body->part_tasks[part->first + i], base = body->kernel_tasks[t].base.joint;
        lb_transform *target = &body->part_targets[i];
        *target = targets[t];
        if (base >= 0 && body->anchors[base] < 0)
            continue;
        *target = world_target(body, targets, t);
        if (part->base < 0)
            continue;
        lb_transform carrier = anchor_link(body, targets, part->base);
        *target = lb_transform_between(&carrier, target);
    }
}

/* ---- solving ---------------------------------------------------------------- */

static void solve_part(lb_body *body, const body_part *part, const lb_transform *targets, double *q)
{
    if (!part->local || !part->any)
        return;
    find_targets(body, part, targets);
    lb_ik_result result;
    size_t numbers = sizeof *q * (size_t)body->model->tree.nq;
    if (ik_tree_solve(part->local, body->part_targets, q, body->part_q, &result) != LB_REACHED)
        ik_tree_solve(part->any, body->part_targets, q, body->part_q, &result);
    memcpy(q, body->part_q, numbers);
}

/* the root's joint such that its anchor is where it has to be */
static void place_root(lb_body *body, const lb_transform *targets, double *q)
{
    // the first joint is the root's: it moves link 1 against link 0
    const lb_joint *joint = &body->model->joints[0];
    int link = body->tasks[body->root_task].link;
    lb_state_update(body->state, q);
    lb_transform anchor = anchor_link(body, targets, body->root_task);
    lb_transform back = lb_state_transform(body->state, link, 1);
    lb_transform root = lb_transform_multiply(&anchor, &back);
    lb_transform parent = lb_state_transform(body->state, LB_WORLD, 0);
    lb_transform joint_frame = lb_transform_multiply(&parent, &joint->placement);
    root = lb_transform_between(&joint_frame, &root);
    lb_quat turn = lb_transform_quat(&root);
    double *values = q + body->model->joint_layouts[0].q;
    memcpy(values, (double[]){root.p.x, root.p.y, root.p.z, turn.w, turn.x, turn.y, turn.z},
           7 * sizeof *values);
}

void body_assemble(lb_body *body, const lb_transform *targets, double *q)
{
    const lb_transform *goals = targets;
    bool off = false;
    for (int t = 0; t < body->task_count; t++)
        off = off || body->tasks[t].weight <= 0;
    if (off) {
        // a task that is off leaves its link where it is
        lb_state_update(body->state, q);
        for (int t = 0; t < body->task_count; t++)
            body->part_goals[t] = body->tasks[t].weight > 0 ? targets[t] : body_tool(body, t);
        goals = body->part_goals;
    }
    for (int i = 0; i < body->part_count; i++)
        solve_part(body, &body->parts[i], goals, q);
    if (body->root_task >= 0)
        place_root(body, goals, q);
}
