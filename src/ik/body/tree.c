/*
 * tree.c - the part of a model that a body's tasks depend on, as the kernel's tree of columns.
 *
 * Fixed joints become part of the placements after them; what no task depends on is left out.
 * Values keep their places in the model's q.
 */
#include "ik/body/solver.h"

#include <string.h>

/* ---- what is needed --------------------------------------------------------- */

static void add_task(subtree *needed, const lb_body_task *task)
{
    const lb_model *model = needed->model;
    if (task->kind == LB_BODY_JOINT) {
        // a joint is above the link of the next index
        subtree_add(needed, task->joint + 1);
        // of a coupling also the joint that is read
        subtree_add(needed, task->last < 0 ? -1 : task->last + 1);
        return;
    }
    // what is kept apart is added elsewhere (distance.c)
    if (task->kind == LB_BODY_DISTANCE)
        return;
    if (body_is_center(task->kind))
        for (int i = 0; i < model->link_count; i++)
            if (model->links[i].mass > 0)
                subtree_add(needed, i);
    if (!body_is_center(task->kind))
        subtree_add(needed, task->link);
    if (task->kind == LB_BODY_POLE) {
        subtree_add(needed, task->first);
        subtree_add(needed, task->last);
    } else {
        subtree_add(needed, task->base);
    }
}

subtree body_needed(const lb_body *body, int *work)
{
    subtree needed = subtree_start(body->model, work);
    for (int i = 0; i < body->task_count; i++)
        add_task(&needed, &body->tasks[i]);
    return needed;
}

/* ---- joints ----------------------------------------------------------------- */

static void add_joint(lb_body *body, int element)
{
    const lb_model *model = body->model;
    kernel_joint joint = model->tree.joints[element];
    const body_place root = {-1, model->root};
    const body_place *from = joint.parent < 0 ? &root : &body->places[joint.parent];
    lb_transform rest = lb_transform_multiply(&from->rest, &joint.place);
    if (joint.kind == KERNEL_FIXED) {
        body->places[element] = (body_place){from->joint, rest};
        return;
    }
    int index = body->kernel.tree.count++;
    joint.parent = from->joint;
    joint.place = rest;
    joint.form = kernel_form_of(&joint.place);
    body->joints[index] = joint;
    body->places[element] = (body_place){index, LB_TRANSFORM_IDENTITY};
}

/* ---- columns ---------------------------------------------------------------- */

static void add_ball(lb_body *body, int joint, const model_part *part)
{
    const lb_joint *given = &body->model->joints[part->joint];
    kernel_body *k = &body->kernel;
    body->balls[k->ball_count++] = (kernel_body_ball){
        .limits = {.ball = true,
                   .lower = part->lower,
                   .upper = part->upper,
                   .swing = part->swing,
                   .axis = given->kind == LB_JOINT_BALL ? given->axis : lb_vec3_make(0, 0, 1)},
        .joint = joint,
        .column = k->column_count,
        .q = part->q,
    };
    kernel_body_ball *ball = &body->balls[k->ball_count - 1];
    ball->limited = kernel_is_limited(&ball->limits);
}

static void add_columns(lb_body *body, int joint)
{
    const kernel_joint *from = &body->joints[joint];
    const model_part *part = model_part_at(body->model, from->q);
    const lb_joint *given = &body->model->joints[part->joint];
    kernel_body *k = &body->kernel;
    int carrier = from->parent < 0 ? -1 : body->carriers[from->parent];
    body->carriers[joint] = carrier;
    if (given->locked)
        return;
    bool ball = from->kind == KERNEL_BALL, slides = from->kind == KERNEL_PRISMATIC;
    if (ball)
        add_ball(body, joint, part);
    for (int axis = ball ? 0 : 2; axis < 3; axis++) {
        body->columns[k->column_count] = (kernel_body_column){
            .row = -1,
            .joint = joint,
            .parent = carrier,
            .axis = axis,
            .slides = slides,
            .q = from->q,
            .ball = ball ? k->ball_count - 1 : -1,
            .tie = body->owners[from->q],
            .turns = part->kind == MODEL_TURN,
            .scale = from->scale,
            .weight = given->weight * (slides ? 1 / (body->length * body->length) : 1),
        };
        carrier = k->column_count++;
    }
    if (body->owners[from->q] < 0)
        body->owners[from->q] = ball ? carrier - 2 : carrier;
    body->carriers[joint] = carrier;
}

/* ---- masses ----------------------------------------------------------------- */

static void add_masses(lb_body *body)
{
    const lb_model *model = body->model;
    double whole = 0;
    for (int i = 0; i < model->link_count; i++)
        whole += model->links[i].mass;
    for (int i = 0; whole > 0 && i < model->link_count; i++) {
        const lb_link *link = &model->links[i];
        if (link->mass <= 0)
            continue;
        double share = link->mass / whole;
        const lb_transform here = LB_TRANSFORM_IDENTITY;
        kernel_body_point at = body_point(body, i, &here);
        lb_vec3 moment = lb_vec3_scale(lb_transform_point(&at.at, link->center), share);
        if (at.joint < 0) {
            body->kernel.standing = lb_vec3_add(body->kernel.standing, moment);
            body->kernel.standing_share += share;
            continue;
        }
        kernel_body_mass *mass = &body->masses[at.joint];
        mass->share += share;
        mass->center = lb_vec3_add(mass->center, moment);
    }
    for (int i = 0; i < body->kernel.tree.count; i++)
        if (body->masses[i].share > 0)
            body->masses[i].center =
                lb_vec3_scale(body->masses[i].center, 1 / body->masses[i].share);
}

kernel_body_point body_point(const lb_body *body, int link, const lb_transform *tool)
{
    const lb_model *model = body->model;
    kernel_body_point point = {.joint = -1, .column = -1};
    lb_transform at = link < 0 ? *tool : LB_TRANSFORM_IDENTITY;
    if (link >= 0) {
        const model_link *layout = &model->link_layouts[link];
        const body_place root = {-1, model->root};
        const body_place *from = layout->element < 0 ? &root : &body->places[layout->element];
        at = layout->exact ? from->rest : lb_transform_multiply(&from->rest, &layout->fix);
        at = lb_transform_multiply(&at, tool);
        point.joint = from->joint;
        point.column = point.joint < 0 ? -1 : body->carriers[point.joint];
    }
    point.at = at;
    return point;
}

/* ---- all of it -------------------------------------------------------------- */

/* The last joint of what moves the root as a whole: screws about it stay small far from home. */
static int find_reference(const lb_body *body)
{
    int reference = -1, count = body->kernel.tree.count;
    for (int i = 0; i < count && body->joints[i].parent == i - 1; i++) {
        if (body->joints[i].kind == KERNEL_REVOLUTE)
            break;
        reference = i;
    }
    return reference;
}

void body_build_tree(lb_body *body, const subtree *needed)
{
    const lb_model *model = body->model;
    kernel_body *k = &body->kernel;
    for (int e = 0; e < model->tree.count; e++)
        if (needed->elements[e] >= 0)
            add_joint(body, e);
    for (int i = 0; i < model->tree.nq; i++)
        body->owners[i] = -1;
    for (int i = 0; i < k->tree.count; i++)
        add_columns(body, i);
    if (k->center)
        add_masses(body);
    kernel_fill_blocks(body->joints, k->tree.count, body->blocks);
    k->tree.joints = body->joints;
    k->tree.blocks = body->blocks;
    k->tree.nq = model->tree.nq;
    k->tree.nv = model->tree.nv;
    // placements of joints on the root already have the root in them
    k->joint_columns = k->column_count;
    k->root = LB_TRANSFORM_IDENTITY;
    k->reference = find_reference(body);
    k->columns = body->columns;
    k->balls = body->balls;
    k->masses = body->masses;
    k->carriers = body->carriers;
}
