/*
 * reduce.c - the part of a model that tasks depend on, as a kernel problem.
 *
 * Visits the joints from the base outwards: up the tree to the common ancestor of base and tip,
 * then down. The tree is re-rooted at the base: joints passed upwards are inverted. Fixed joints
 * become part of the placements of the next ones, so only joints that have a value remain.
 */
#include "ik/reduce.h"

#include "base/error.h"
#include "base/memory.h"
#include "ik/task.h"
#include "math/scalar.h"
#include "model/subtree.h"

#include <limits.h>

/* where a model's frame is in the reduced tree: T_base_node = T_base_frame * rest */
typedef struct place {
    bool known;
    int frame; /* -1: the base itself */
    lb_transform rest;
} place;

typedef struct visit {
    const lb_model *model;
    subtree between;       /* elements between the base and the tips */
    place *places;         /* of the model's elements; [0] is the root link, element e is [e + 1] */
    int *numbers;          /* free to use, three for each element */
    lb_transform *carried; /* free to use, one for each joint */
    kernel_joint *joints;
    int joint_count;
} visit;

/* ---- visiting ------------------------------------------------------------- */

static int append(visit *w, kernel_joint joint)
{
    joint.form = kernel_form_of(&joint.place);
    w->joints[w->joint_count] = joint;
    return w->joint_count++;
}

/* down: from an element's parent, which has been placed, to the element */
static void step_down(visit *w, int element)
{
    kernel_joint joint = w->model->tree.joints[element];
    const place *from = &w->places[joint.parent + 1];
    place *to = &w->places[element + 1];
    *to = (place){true, from->frame, lb_transform_multiply(&from->rest, &joint.place)};
    if (joint.kind == KERNEL_FIXED)
        return;
    joint.parent = from->frame;
    joint.place = to->rest;
    *to = (place){true, append(w, joint), LB_TRANSFORM_IDENTITY};
}

/* up: from an element, which has been placed, to its parent */
static void step_up(visit *w, int element)
{
    kernel_joint joint = w->model->tree.joints[element];
    const place from = w->places[element + 1];
    place *to = &w->places[joint.parent + 1];
    lb_transform back = lb_transform_inverse(&joint.place);
    *to = (place){true, from.frame, lb_transform_multiply(&from.rest, &back)};
    if (joint.kind == KERNEL_FIXED)
        return;
    joint.parent = from.frame;
    joint.place = from.rest;
    // a reversed ball rotates about its parent's axes, so these need a frame of their own
    if (joint.kind == KERNEL_BALL) {
        kernel_joint base_frame = {.parent = joint.parent,
                                   .kind = KERNEL_FIXED,
                                   .q = -1,
                                   .v = -1,
                                   .scale = 1,
                                   .place = joint.place};
        joint.parent = append(w, base_frame);
        joint.place = LB_TRANSFORM_IDENTITY;
    }
    joint.scale = -joint.scale;
    joint.offset = -joint.offset;
    *to = (place){true, append(w, joint), back};
}

/* up from the base as far as some tip needs, then down to the tips, parents first */
static void visit_elements(visit *w, int base)
{
    const int *needed = w->between.elements;
    for (int e = base; e >= 0 && needed[e] >= 0; e = w->model->tree.joints[e].parent)
        step_up(w, e);
    for (int e = 0; e < w->model->tree.count; e++)
        if (needed[e] >= 0 && !w->places[e + 1].known)
            step_down(w, e);
}

/* ---- numbering ------------------------------------------------------------ */

/* a locked joint has a value, but no velocity */
static int part_nv(const lb_model *model, const model_part *part)
{
    if (model->joints[part->joint].locked)
        return 0;
    return part->kind == MODEL_BALL ? 3 : 1;
}

/* counts values, velocities and variables of the parts that were visited */
static void count_parts(const visit *w, kernel_problem *p)
{
    p->tree.nq = w->between.nq;
    p->tree.nv = p->variable_count = 0;
    for (int i = 0; i < w->model->part_count; i++) {
        const model_part *part = &w->model->parts[i];
        if (w->between.values[part->q] < 0)
            continue;
        p->tree.nv += part_nv(w->model, part);
        p->variable_count += part_nv(w->model, part) > 0;
    }
}

static bool makes_whole_turns(const lb_model *model, const model_part *part)
{
    bool angle = part->kind == MODEL_ANGLE || part->kind == MODEL_TURN;
    return angle && !model->joint_layouts[part->joint].tied;
}

/* how many units of length a slide goes that is far longer than the links: forty times these; one
   without limits is, too, but for floating joints, whose parts of a body start near */
#define FAR_SLIDE 200

static bool is_far(const lb_model *model, const model_part *part, double unit)
{
    const double range = scalar_max(fabs(part->lower), fabs(part->upper));
    return part->kind == MODEL_LENGTH && range > FAR_SLIDE * unit &&
           model->joints[part->joint].kind != LB_JOINT_FLOATING;
}

/* a variable, at its new indices q and v */
static kernel_variable make_variable(const lb_model *model, const model_part *part, double unit,
                                     int q, int v)
{
    const lb_joint *joint = &model->joints[part->joint];
    return (kernel_variable){
        .ball = part->kind == MODEL_BALL,
        .q = q,
        .v = v,
        .lower = part->lower,
        .upper = part->upper,
        .swing = part->swing,
        .axis = joint->axis,
        .periodic = makes_whole_turns(model, part),
        // one unit of length counts as much as one radian
        .mobility = (part->kind == MODEL_LENGTH ? unit : 1) / sqrt(joint->weight),
        .far = is_far(model, part, unit),
    };
}

/* numbers velocities as values, in the model's order: the maps to the model, and the variables */
static void number_parts(const visit *w, ik_reduction *r, kernel_variable *variables, int *local_v)
{
    const lb_model *model = w->model;
    int v = 0, n = 0;
    subtree_list_values(&w->between, r->model_q);
    for (int i = 0; i < model->part_count; i++) {
        const model_part *part = &model->parts[i];
        int q = w->between.values[part->q], nv = part_nv(model, part);
        if (q < 0)
            continue;
        for (int k = 0; k < nv; k++)
            r->model_v[v + k] = part->v + k;
        local_v[part->q] = nv > 0 ? v : -1;
        if (nv > 0) {
            r->is_length[n] = part->kind == MODEL_LENGTH;
            variables[n++] = make_variable(model, part, r->unit, q, v);
        }
        v += nv;
    }
}

/* ---- reach ---------------------------------------------------------------- */

/* the farthest that a prismatic joint extends */
static double slide_reach(const lb_model *model, const kernel_joint *joint)
{
    const model_part *part = model_part_at(model, joint->q);
    return scalar_max(fabs(joint->scale * part->lower + joint->offset),
                      fabs(joint->scale * part->upper + joint->offset));
}

/* how far a task's tool can be from its first joint; `links` is the part of the rigid links */
static ik_reach find_reach(const visit *w, int frame, const lb_transform *tool, double *links)
{
    double slides = 0;
    *links = lb_vec3_length(tool->p);
    for (int i = frame; i >= 0; i = w->joints[i].parent) {
        const kernel_joint *joint = &w->joints[i];
        if (joint->kind == KERNEL_PRISMATIC)
            slides += slide_reach(w->model, joint);
        if (joint->parent < 0)
            return (ik_reach){joint->place.p, *links + slides};
        *links += lb_vec3_length(joint->place.p);
    }
    return (ik_reach){lb_vec3_make(0, 0, 0), INFINITY};
}

/* ---- assembling ----------------------------------------------------------- */

typedef struct parts {
    kernel_joint *joints;
    kernel_block *blocks;
    kernel_variable *variables;
    kernel_task *tasks;
    int *paths, *model_q, *model_v;
    bool *is_length;
    ik_reach *reaches;
    lb_transform *tools;
} parts;

static parts lay_out(memory_arena *arena, const kernel_problem *p, int n)
{
    size_t joints = (size_t)p->tree.count, tasks = (size_t)n;
    return (parts){
        .joints = memory_arena_take(arena, joints, sizeof(kernel_joint)),
        .blocks = memory_arena_take(arena, kernel_block_count(p->tree.count), sizeof(kernel_block)),
        .variables = memory_arena_take(arena, (size_t)p->variable_count, sizeof(kernel_variable)),
        .tasks = memory_arena_take(arena, tasks, sizeof(kernel_task)),
        .paths = memory_arena_take(arena, joints * tasks, sizeof(int)),
        .model_q = memory_arena_take(arena, (size_t)p->tree.nq, sizeof(int)),
        .model_v = memory_arena_take(arena, (size_t)p->tree.nv, sizeof(int)),
        .is_length = memory_arena_take(arena, (size_t)p->variable_count, sizeof(bool)),
        .reaches = memory_arena_take(arena, tasks, sizeof(ik_reach)),
        .tools = memory_arena_take(arena, tasks, sizeof(lb_transform)),
    };
}

/* the moving joints from the base to a frame, base first */
static int fill_path(const kernel_joint *joints, int frame, int *path)
{
    int count = 0;
    for (int i = frame; i >= 0; i = joints[i].parent)
        count += joints[i].v >= 0;
    int k = count;
    for (int i = frame; i >= 0; i = joints[i].parent)
        if (joints[i].v >= 0)
            path[--k] = i;
    return count;
}

/* `tool` becomes T_frame_tool */
static void fill_task(const visit *w, const lb_task *task, kernel_task *out, lb_transform *tool)
{
    const place *tip = &w->places[model_element(w->model, task->tip) + 1];
    lb_transform carried =
        lb_transform_multiply(&w->model->link_layouts[task->tip].fix, &task->tool);
    *tool = lb_transform_multiply(&tip->rest, &carried);
    *out = (kernel_task){
        .frame = tip->frame,
        .goal = ik_goal(task),
        .weight = task->weight,
    };
}

static lb_status refuse_task(const lb_model *model, const lb_task *task, lb_error *error)
{
    const char *base = task->base < 0 ? "the world" : lb_model_link(model, task->base)->name;
    return REFUSE_ARGUMENT(
        error, "link '%s': no free joint moves it against %s; choose another tip or base",
        lb_model_link(model, task->tip)->name, base);
}

/* no two joints share a variable; `seen` is free to use, for nv counts */
static bool is_unshared(const kernel_tree *tree, int *seen)
{
    for (int v = 0; v < tree->nv; v++)
        seen[v] = 0;
    for (int i = 0; i < tree->count; i++)
        if (tree->joints[i].v >= 0 && seen[tree->joints[i].v]++ > 0)
            return false;
    return true;
}

/* which joint each variable moves; `joint_of` is free to use, for nv numbers */
static void find_joints(const kernel_problem *p, kernel_variable *variables, int *joint_of)
{
    for (int i = 0; i < p->tree.count; i++)
        if (p->tree.joints[i].v >= 0)
            joint_of[p->tree.joints[i].v] = i;
    for (int i = 0; i < p->variable_count; i++)
        variables[i].joint = joint_of[variables[i].v];
}

/* metres to units, everywhere */
static void scale_lengths(kernel_joint *joints, int count, kernel_task *tasks, int task_count,
                          double unit)
{
    double s = 1 / unit;
    for (int i = 0; i < count; i++) {
        joints[i].place.p = lb_vec3_scale(joints[i].place.p, s);
        if (joints[i].kind == KERNEL_PRISMATIC) {
            joints[i].scale *= s;
            joints[i].offset *= s;
        }
    }
    for (int i = 0; i < task_count; i++)
        tasks[i].tool = lb_vec3_scale(tasks[i].tool, s);
}

/* frames of which only axis and origin are read: one-axis joints that no placement starts from */
static void find_axis_only(kernel_joint *joints, int count, const kernel_task *tasks,
                           int task_count)
{
    for (int i = 0; i < count; i++)
        joints[i].axis_only = joints[i].kind != KERNEL_BALL && joints[i].kind != KERNEL_FIXED &&
                              (i + 1) % KERNEL_BLOCK_SIZE != 0;
    for (int i = 1; i < count; i++)
        if (joints[i].parent >= 0 && (joints[i].parent != i - 1 || joints[i].kind == KERNEL_BALL))
            joints[joints[i].parent].axis_only = false;
    for (int i = 0; i < task_count; i++)
        joints[tasks[i].frame].axis_only = false;
}

/* brings the frames into canonical form, and with them tools, shoulders and the base */
static void place_base(const visit *w, const parts *x, int n, bool world, ik_reduction *r)
{
    ik_canonicalize(x->joints, w->joint_count, x->tasks, x->tools, n, &r->base, w->carried,
                    w->numbers);
    r->base = lb_transform_inverse(&r->base);
    for (int i = 0; i < n; i++) {
        kernel_task *task = &x->tasks[i];
        task->tool = x->tools[i].p;
        task->goal.axis = lb_transform_direction(&x->tools[i], task->goal.axis);
        for (int k = 0; k < 2; k++)
            task->goal.locus.normals[k] =
                lb_transform_direction(&x->tools[i], task->goal.locus.normals[k]);
        x->tools[i].p = lb_vec3_make(0, 0, 0);
        x->tools[i] = lb_transform_inverse(&x->tools[i]);
        lb_vec3 shoulder = lb_transform_point(&r->base, x->reaches[i].shoulder);
        x->reaches[i].shoulder = lb_vec3_scale(shoulder, 1 / r->unit);
        x->reaches[i].radius /= r->unit;
    }
    // targets in the world are seen from the root link first
    if (world) {
        lb_transform root = lb_transform_inverse(&w->model->root);
        r->base = lb_transform_multiply(&r->base, &root);
    }
}

/* the Jacobian and similar arrays are indexed by int: rows times joints or velocities */
static bool is_indexable(const kernel_problem *p, const lb_task *tasks, int n)
{
    int64_t rows = 0, columns = p->tree.count > p->tree.nv ? p->tree.count : p->tree.nv;
    for (int i = 0; i < n; i++)
        rows += lb_task_rows(tasks[i].kind);
    return rows * (rows > columns ? rows : columns) <= INT_MAX;
}

/* the unit of length, as a share of the links laid end to end */
#define UNIT_OF_LINKS 0.2

/*
 * metres that count as one radian: the option, or from the length of the first task's arm, of which
 * `links` are rigid
 */
static double choose_unit(const visit *w, const lb_task *first, double length, double *links)
{
    kernel_task task;
    lb_transform tool;
    fill_task(w, first, &task, &tool);
    (void)find_reach(w, task.frame, &tool, links);
    if (length > 0)
        return length;
    // nothing is measured in what is as good as no length
    return *links > 1 / LB_LENGTH_MAX ? UNIT_OF_LINKS * *links : 1;
}

/* one block for all that is kept, and the arrays of the reduction in it */
static bool take_parts(parts *x, int n, const lb_allocator *allocator, ik_reduction *r)
{
    memory_arena arena = {0};
    lay_out(&arena, &r->problem, n);
    r->memory = memory_arena_block(&arena, allocator);
    if (!r->memory)
        return false;
    *x = lay_out(&arena, &r->problem, n);
    r->model_q = x->model_q;
    r->model_v = x->model_v;
    r->is_length = x->is_length;
    r->reaches = x->reaches;
    r->axes = x->tools;
    r->problem.tree.joints = x->joints;
    r->problem.tree.blocks = x->blocks;
    r->problem.variables = x->variables;
    r->problem.tasks = x->tasks;
    return true;
}

/* the joints that were visited, in the new numbers */
static void fill_joints(const visit *w, const int *local_v, kernel_joint *joints)
{
    for (int i = 0; i < w->joint_count; i++) {
        joints[i] = w->joints[i];
        if (joints[i].q >= 0) {
            joints[i].v = local_v[w->joints[i].q];
            joints[i].q = w->between.values[w->joints[i].q];
        }
    }
}

/* the tasks and their paths, in one array; returns the first that no joint moves, -1: none */
static int fill_tasks(const visit *w, const lb_task *tasks, int n, const parts *x,
                      kernel_problem *p)
{
    int *path = x->paths;
    double links;
    p->rows = 0;
    for (int i = 0; i < n; i++) {
        kernel_task *task = &x->tasks[i];
        fill_task(w, &tasks[i], task, &x->tools[i]);
        x->reaches[i] = find_reach(w, task->frame, &x->tools[i], &links);
        task->path = path;
        task->path_count = fill_path(x->joints, task->frame, path);
        task->row = p->rows;
        path += task->path_count;
        p->rows += lb_task_rows(tasks[i].kind);
        if (task->path_count == 0)
            return i;
    }
    return -1;
}

/* counts what was visited, copies it into one block and brings it into its final form */
static lb_status assemble(const visit *w, const lb_task *tasks, int n, double length,
                          const lb_allocator *allocator, int *local_v, ik_reduction *r,
                          lb_error *error)
{
    kernel_problem *p = &r->problem;
    parts x;
    double links;
    r->unit = choose_unit(w, &tasks[0], length, &links);
    p->reach = links / r->unit;
    r->base = LB_TRANSFORM_IDENTITY;
    p->tree.count = w->joint_count;
    p->task_count = n;
    count_parts(w, p);
    if (!is_indexable(p, tasks, n))
        return REFUSE_UNSUPPORTED(error, "%d tasks on %d joints are too many for one solver", n,
                                  p->tree.count);
    TRY(require_memory(error, take_parts(&x, n, allocator, r)));

    number_parts(w, r, x.variables, local_v);
    fill_joints(w, local_v, x.joints);
    p->single_task_unshared = n == 1 && is_unshared(&p->tree, w->numbers);
    int idle = fill_tasks(w, tasks, n, &x, p);
    if (idle >= 0) {
        memory_release(allocator, r->memory);
        r->memory = NULL;
        return refuse_task(w->model, &tasks[idle], error);
    }

    find_joints(p, x.variables, w->numbers);
    place_base(w, &x, n, tasks[0].base == LB_WORLD, r);
    scale_lengths(x.joints, w->joint_count, x.tasks, n, r->unit);
    find_axis_only(x.joints, w->joint_count, x.tasks, n);
    kernel_fill_blocks(x.joints, w->joint_count, x.blocks);
    kernel_prepare(p);
    return LB_OK;
}

kernel_target_map ik_reduction_target_map(const ik_reduction *reduction, int task)
{
    return (kernel_target_map){&reduction->base, &reduction->axes[task], 1 / reduction->unit};
}

lb_status ik_reduce(const lb_model *model, const lb_task *tasks, int n, double length,
                    const lb_allocator *allocator, ik_reduction *reduction, lb_error *error)
{
    for (int i = 1; i < n; i++)
        if (tasks[i].base != tasks[0].base)
            return REFUSE_UNSUPPORTED(error, "the tasks of one solver must share their base link");

    // an inverted ball adds a frame, so two joints for each element are enough
    size_t elements = (size_t)model->tree.count, nq = (size_t)model->tree.nq;
    memory_arena arena = {0};
    visit w = {.model = model};
    int *local_v = NULL, *subtree_numbers = NULL;
    void *block = NULL;
    for (int pass = 0; pass < 2; pass++) {
        arena = (memory_arena){.block = block};
        w.places = memory_arena_take(&arena, elements + 1, sizeof(place));
        w.numbers = memory_arena_take(&arena, 3 * elements, sizeof(int));
        w.carried = memory_arena_take(&arena, 2 * elements, sizeof(lb_transform));
        w.joints = memory_arena_take(&arena, 2 * elements, sizeof(kernel_joint));
        subtree_numbers = memory_arena_take(&arena, subtree_work(model), sizeof(int));
        local_v = memory_arena_take(&arena, nq, sizeof(int));
        if (pass == 0 && !arena.overflow)
            block = memory_take(allocator, arena.used, 1);
        TRY(require_memory(error, block));
    }

    // visiting starts at the base's own frame
    int base = model_element(model, tasks[0].base);
    w.places[base + 1] = (place){true, -1, LB_TRANSFORM_IDENTITY};
    if (tasks[0].base >= 0)
        w.places[base + 1].rest = lb_transform_inverse(&model->link_layouts[tasks[0].base].fix);
    w.between = subtree_start(model, subtree_numbers);
    for (int i = 0; i < n; i++)
        subtree_add_between(&w.between, tasks[0].base, tasks[i].tip);
    subtree_number(&w.between);
    visit_elements(&w, base);
    lb_status status = assemble(&w, tasks, n, length, allocator, local_v, reduction, error);
    memory_release(allocator, block);
    return status;
}

void ik_gather(const ik_reduction *reduction, const double *q, double *local)
{
    for (int i = 0; i < reduction->problem.tree.nq; i++)
        local[i] = q[reduction->model_q[i]];
}

void ik_scatter(const ik_reduction *reduction, const double *local, double *q)
{
    for (int i = 0; i < reduction->problem.tree.nq; i++)
        q[reduction->model_q[i]] = local[i];
}
