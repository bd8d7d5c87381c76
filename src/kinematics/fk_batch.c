/* fk_batch.c - batches of forward kinematics: the joints that lead to the links wanted. */
#include "kernel/fk_batch.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/subtree.h"

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

static bool is_finite(const lb_transform *t)
{
    return lb_vec3_is_finite(t->x) && lb_vec3_is_finite(t->y) && lb_vec3_is_finite(t->z) &&
           lb_vec3_is_finite(t->p);
}

static bool is_possible(const lb_model *model, const lb_fk_batch_options *o)
{
    int w = o->width;
    if (o->tip < LB_WORLD || o->tip >= model->link_count || !lb_vec3_is_finite(o->point))
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

/* What is laid out in the memory of a batch. */
typedef struct plan {
    const lb_model *model;
    const lb_fk_batch_options *options;
    subtree tree; /* the elements that lead to the links wanted */
    int outputs;  /* links wanted */
    kernel_joint *joints;
    kernel_block *blocks;
    kernel_output *output;
} plan;

static int wanted_link(const plan *p, int i)
{
    return p->options->links ? p->options->links[i] : i;
}

static void number_joints(plan *p)
{
    for (int i = 0; i < p->outputs; i++)
        subtree_add(&p->tree, wanted_link(p, i));
    subtree_add(&p->tree, p->options->tip);
    subtree_number(&p->tree);
}

static void fill_joints(plan *p)
{
    subtree_copy(&p->tree, p->joints, p->blocks, NULL);
    for (int i = 0; i < p->outputs; i++)
        subtree_keep(&p->tree, wanted_link(p, i), p->joints);
    subtree_keep(&p->tree, p->options->tip, p->joints);
    // the Jacobian reads the axis and origin of every joint from the tip to the root
    for (int i = subtree_element(&p->tree, p->options->tip); i >= 0; i = p->joints[i].parent) {
        p->joints[i].axis_only = p->joints[i].transient && p->joints[i].kind != KERNEL_BALL;
        p->joints[i].transient = false;
    }
}

static kernel_output make_output(const plan *p, int link)
{
    const model_link *layout = &p->model->link_layouts[link];
    kernel_output output = {
        .joint = subtree_element(&p->tree, link),
        .form = layout->exact     ? KERNEL_LINK_EXACT
                : layout->swapped ? KERNEL_LINK_SWAPPED
                                  : KERNEL_LINK_ROTATED,
        .fix = layout->fix,
    };
    for (int i = 0; i < 3; i++) {
        output.from[i] = layout->from[i];
        output.sign[i] = layout->sign[i];
    }
    return output;
}

/* sorts the outputs by joint, by counting; `start` has two numbers more than there are joints */
static void fill_outputs(plan *p, int *start)
{
    for (int j = 0; j < p->tree.count + 2; j++)
        start[j] = 0;
    // outputs of joint j, of which the root's is -1, start at start[j + 1]
    for (int i = 0; i < p->outputs; i++)
        start[subtree_element(&p->tree, wanted_link(p, i)) + 2]++;
    for (int j = 1; j < p->tree.count + 2; j++)
        start[j] += start[j - 1];
    for (int i = 0; i < p->outputs; i++) {
        kernel_output output = make_output(p, wanted_link(p, i));
        output.index = (size_t)i;
        if (p->options->offsets) {
            output.has_offset = true;
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
        .tree = {p->joints, p->blocks, p->tree.count, tree->nq, tree->nv, tree->unshared},
        .root = p->model->root,
        .outputs = p->output,
        .output_count = (size_t)p->outputs,
        .end = {.joint = KERNEL_NO_JOINT},
        .tip = {.joint = KERNEL_NO_JOINT},
        .point = p->options->point,
        .link_axes = p->options->axes == LB_AXES_LINK,
    };
    if (p->options->tip >= 0)
        wanted.tip = make_output(p, p->options->tip);
    return wanted;
}

/* memory for the larger of the two kinds of scratch, aligned */
static void *take_scratch(memory_arena *arena, const lb_fk_batch *batch)
{
    size_t doubles = batch->doubles->scratch(&batch->wanted);
    size_t floats = batch->floats->scratch(&batch->wanted);
    char *scratch = memory_arena_take(arena, (doubles > floats ? doubles : floats) + 64, 1);
    return scratch ? scratch + (64 - (uintptr_t)scratch % 64) % 64 : NULL;
}

static void lay_out(memory_arena *arena, plan *p, lb_fk_batch *batch)
{
    size_t joints = (size_t)p->tree.count, blocks = kernel_block_count(p->tree.count);
    p->joints = memory_arena_take(arena, joints, sizeof *p->joints);
    p->blocks = memory_arena_take(arena, blocks, sizeof *p->blocks);
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
    void *block = memory_arena_block(&arena, memory);
    if (!block)
        return NULL;
    lb_fk_batch *batch = memory_arena_take(&arena, 1, sizeof head);
    lay_out(&arena, p, &head);
    fill_joints(p);
    fill_outputs(p, start);
    *batch = head;
    return batch;
}

lb_status lb_fk_batch_create(const lb_model *model, const lb_fk_batch_options *options,
                             const lb_allocator *allocator, lb_fk_batch **batch)
{
    TRY(REQUIRE_TO_MAKE(batch, NULL, {model, "model"}));
    const lb_fk_batch_options usual = lb_fk_batch_options_default();
    plan p = {.model = model, .options = options ? options : &usual};
    if (!is_possible(model, p.options))
        return LB_INVALID_ARGUMENT;
    p.outputs = p.options->links ? p.options->link_count : model->link_count;

    // the subtree, and the counts that sort the outputs
    lb_allocator memory = memory_allocator(allocator);
    size_t work = subtree_work(model), counts = (size_t)model->tree.count + 2;
    int *numbers = memory_take(&memory, work + counts, sizeof(int));
    if (numbers) {
        p.tree = subtree_start(model, numbers);
        *batch = build(&p, &memory, numbers + work);
    }
    memory_release(&memory, numbers);
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
