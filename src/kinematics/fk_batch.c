/*
 * fk_batch.c - what a batch's kernel works on: the joints that lead to the links wanted.
 */
#include "base/memory.h"
#include "base/require.h"
#include "kinematics/state.h"

#include <assert.h>
#include <limber/fk_batch.h>

struct lb_fk_batch {
    lb_allocator allocator;
    kernel_fk_batch wanted;
    const kernel_fk_batch_ops *doubles, *floats;
    void *scratch;
};

lb_fk_batch_options lb_fk_batch_options_default(void)
{
    return (lb_fk_batch_options){.tip = LB_WORLD, .axes = LB_AXES_WORLD};
}

/* ---- options -------------------------------------------------------------- */

static bool is_finite_vector(lb_vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

static bool is_finite(const lb_transform *t)
{
    return is_finite_vector(t->x) && is_finite_vector(t->y) && is_finite_vector(t->z) &&
           is_finite_vector(t->p);
}

static bool is_possible(const lb_model *model, const lb_fk_batch_options *o)
{
    int w = o->width;
    if (o->tip < LB_WORLD || o->tip >= model->link_count || !is_finite_vector(o->point))
        return false;
    if ((w != 0 && w != 1 && w != 2 && w != 4 && w != 8) || (o->links && o->link_count < 0))
        return false;
    for (int i = 0; i < (o->links ? o->link_count : 0); i++)
        if (o->links[i] < 0 || o->links[i] >= model->link_count)
            return false;
    int count = o->links ? o->link_count : model->link_count;
    for (int i = 0; o->offsets && i < count; i++)
        if (!is_finite(&o->offsets[i]))
            return false;
    return true;
}

/* ---- planning ------------------------------------------------------------- */

/* What is laid out in a batch's memory. */
typedef struct plan {
    const lb_model *model;
    const lb_fk_batch_options *options;
    int outputs; /* links wanted */
    int joints;  /* that lead to them */
    int *number; /* of an element: its joint, -1: it is not needed */
    kernel_joint *joint;
    kernel_turns *turns;
    kernel_output *output;
} plan;

static int wanted_link(const plan *p, int i)
{
    return p->options->links ? p->options->links[i] : i;
}

static int link_element(const plan *p, int link)
{
    return p->model->link_layouts[link].element;
}

/* marks the elements from a link to the root, up to one that is marked */
static void mark(plan *p, int link)
{
    for (int e = link_element(p, link); e >= 0 && p->number[e] < 0;
         e = p->model->tree.joints[e].parent)
        p->number[e] = 0;
}

/* gives the elements that are needed their numbers, in order */
static void number_joints(plan *p)
{
    for (int e = 0; e < p->model->tree.count; e++)
        p->number[e] = -1;
    for (int i = 0; i < p->outputs; i++)
        mark(p, wanted_link(p, i));
    if (p->options->tip >= 0)
        mark(p, p->options->tip);
    for (int e = 0; e < p->model->tree.count; e++)
        if (p->number[e] >= 0)
            p->number[e] = p->joints++;
}

static void keep(plan *p, int link)
{
    int e = link_element(p, link);
    if (e >= 0)
        p->joint[p->number[e]].passing = false;
}

static void fill_joints(plan *p)
{
    for (int e = 0; e < p->model->tree.count; e++) {
        if (p->number[e] < 0)
            continue;
        kernel_joint *joint = &p->joint[p->number[e]];
        *joint = p->model->tree.joints[e];
        joint->parent = joint->parent < 0 ? -1 : p->number[joint->parent];
    }
    // kept is what others begin from, and what is wanted
    kernel_find_transient(p->joint, p->joints);
    for (int i = 0; i < p->outputs; i++)
        keep(p, wanted_link(p, i));
    if (p->options->tip >= 0)
        keep(p, p->options->tip);
    // and what the Jacobian is made of
    int tip = p->options->tip;
    for (int i = tip < 0 || link_element(p, tip) < 0 ? -1 : p->number[link_element(p, tip)]; i >= 0;
         i = p->joint[i].parent) {
        p->joint[i].lean = p->joint[i].passing && p->joint[i].kind != KERNEL_BALL;
        p->joint[i].passing = false;
    }
    kernel_turns_of(p->joint, p->joints, p->turns);
}

static kernel_output make_output(const plan *p, int link)
{
    const model_link *layout = &p->model->link_layouts[link];
    kernel_output output = {
        .joint = layout->element < 0 ? -1 : p->number[layout->element],
        .way = layout->exact     ? KERNEL_LINK_EXACT
               : layout->swapped ? KERNEL_LINK_SWAPPED
                                 : KERNEL_LINK_TURNED,
        .fix = layout->fix,
    };
    for (int i = 0; i < 3; i++) {
        output.from[i] = layout->from[i];
        output.sign[i] = layout->sign[i];
    }
    return output;
}

/* by joints, by counting: `start` has room for one number more than there are joints */
static void fill_outputs(plan *p, int *start)
{
    for (int j = 0; j <= p->joints; j++)
        start[j] = 0;
    // the root's outputs come first
    for (int i = 0; i < p->outputs; i++) {
        int e = link_element(p, wanted_link(p, i));
        int after = e < 0 ? 0 : p->number[e] + 1;
        if (after < p->joints)
            start[after + 1]++;
    }
    for (int j = 1; j <= p->joints; j++)
        start[j] += start[j - 1];
    for (int i = 0; i < p->outputs; i++) {
        kernel_output output = make_output(p, wanted_link(p, i));
        output.place = (size_t)i;
        if (p->options->offsets) {
            output.moved = true;
            output.offset = p->options->offsets[i];
        }
        p->output[start[output.joint + 1]++] = output;
    }
    p->output[p->outputs].joint = KERNEL_NO_JOINT;
}

/* ---- creating ------------------------------------------------------------- */

static kernel_fk_batch make_wanted(const plan *p)
{
    const kernel_tree *tree = &p->model->tree;
    kernel_fk_batch wanted = {
        .tree = {p->joint, p->turns, p->joints, tree->nq, tree->nv, tree->alone},
        .root = p->model->root,
        .outputs = p->output,
        .output_count = (size_t)p->outputs,
        .end = {.joint = KERNEL_NO_JOINT},
        .tip = {.joint = p->options->tip < 0 ? KERNEL_NO_JOINT : 0},
        .point = p->options->point,
        .turned = p->options->axes == LB_AXES_LINK,
    };
    return wanted;
}

/* room for the larger of the two kinds of scratch, aligned */
static void *take_scratch(memory_arena *arena, const lb_fk_batch *batch)
{
    size_t doubles = batch->doubles->scratch(&batch->wanted);
    size_t floats = batch->floats->scratch(&batch->wanted);
    char *scratch = memory_arena_take(arena, (doubles > floats ? doubles : floats) + 64, 1);
    return scratch ? scratch + (64 - (uintptr_t)scratch % 64) % 64 : NULL;
}

static void lay_out(memory_arena *arena, plan *p, lb_fk_batch *batch)
{
    size_t joints = (size_t)p->joints;
    p->joint = memory_arena_take(arena, joints, sizeof *p->joint);
    p->turns = memory_arena_take(arena, kernel_blocks(p->joints), sizeof *p->turns);
    p->output = memory_arena_take(arena, (size_t)p->outputs + 1, sizeof *p->output);
    batch->wanted = make_wanted(p);
    batch->scratch = take_scratch(arena, batch);
}

static lb_fk_batch *build(plan *p, const lb_allocator *memory, int *start)
{
    int width = p->options->width;
    lb_fk_batch head = {.allocator = *memory,
                        .doubles = kernel_choose_fk_batch(width, false),
                        .floats = kernel_choose_fk_batch(width, true)};
    number_joints(p);
    memory_arena arena = {0};
    memory_arena_take(&arena, 1, sizeof head);
    lay_out(&arena, p, &head);
    void *block = arena.overflow ? NULL : memory_take(memory, arena.used, 1);
    if (!block)
        return NULL;
    arena = (memory_arena){.block = block};
    lb_fk_batch *batch = memory_arena_take(&arena, 1, sizeof head);
    lay_out(&arena, p, &head);
    fill_joints(p);
    fill_outputs(p, start);
    // now that elements have their numbers
    if (p->options->tip >= 0)
        head.wanted.tip = make_output(p, p->options->tip);
    *batch = head;
    return batch;
}

lb_status lb_fk_batch_create(const lb_model *model, const lb_fk_batch_options *options,
                             const lb_allocator *allocator, lb_fk_batch **batch)
{
    lb_status status = REQUIRE(NULL, {batch, "batch"});
    if (status != LB_OK)
        return status;
    *batch = NULL;
    status = REQUIRE(NULL, {model, "model"});
    if (status != LB_OK)
        return status;
    const lb_fk_batch_options usual = lb_fk_batch_options_default();
    plan p = {.model = model, .options = options ? options : &usual};
    if (!is_possible(model, p.options))
        return LB_INVALID_ARGUMENT;
    p.outputs = p.options->links ? p.options->link_count : model->link_count;

    // numbers of elements, and room to count outputs
    lb_allocator memory = memory_allocator(allocator);
    size_t elements = (size_t)model->tree.count;
    p.number = memory_take(&memory, 2 * elements + 2, sizeof(int));
    if (p.number)
        *batch = build(&p, &memory, p.number + elements);
    memory_release(&memory, p.number);
    return *batch ? LB_OK : LB_OUT_OF_MEMORY;
}

void lb_fk_batch_release(lb_fk_batch *batch)
{
    if (batch) {
        lb_allocator memory = batch->allocator;
        memory_release(&memory, batch);
    }
}

/* ---- running -------------------------------------------------------------- */

/* a stride in numbers, from one in elements of so many numbers */
static size_t stride_or(size_t stride, size_t usual, size_t numbers)
{
    return (stride > 0 ? stride : usual) * numbers;
}

void lb_fk_batch_forward(lb_fk_batch *batch, const lb_fk_batch_rows *rows, size_t begin, size_t end)
{
    const kernel_fk_batch *wanted = &batch->wanted;
    assert(!rows->jacobians || wanted->tip.joint != KERNEL_NO_JOINT);
    kernel_rows numbers = {
        .q = rows->q,
        .q_stride = stride_or(rows->q_stride, (size_t)wanted->tree.nq, 1),
        .links = rows->transforms,
        .links_stride = stride_or(rows->transform_stride, wanted->output_count, 12),
        .jacobians = wanted->tip.joint != KERNEL_NO_JOINT ? rows->jacobians : NULL,
        .jacobians_stride = stride_or(rows->jacobian_stride, 6 * (size_t)wanted->tree.nv, 1),
        .layout = KERNEL_COLUMNS_OF_3,
    };
    batch->doubles->forward(wanted, &numbers, begin, end, batch->scratch);
}

void lb_fk_batch_forward_float(lb_fk_batch *batch, const lb_fk_batch_floats *rows, size_t begin,
                               size_t end)
{
    const kernel_fk_batch *wanted = &batch->wanted;
    bool square = rows->matrix == LB_MATRIX_4X4;
    kernel_rows numbers = {
        .q = rows->q,
        .q_stride = stride_or(rows->q_stride, (size_t)wanted->tree.nq, 1),
        .links = rows->matrices,
        .links_stride =
            stride_or(rows->matrix_stride, wanted->output_count * (square ? 16 : 12), 1),
        .layout = square ? KERNEL_COLUMNS_OF_4 : KERNEL_ROWS_OF_4,
    };
    batch->floats->forward(wanted, &numbers, begin, end, batch->scratch);
}
