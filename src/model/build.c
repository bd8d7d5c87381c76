/*
 * build.c - lb_model_build: measure, allocate once, fill.
 *
 * A build makes two allocations: the model, which is one block, and a scratch block that is
 * released at the end. Either may fail without side effects.
 */
#include "model/build.h"
#include "base/error.h"
#include "model/kinds.h"

#include <string.h>

/* ---- measuring ---------------------------------------------------------- */

/* The size of a model, from a checked source. */
typedef struct counts {
    size_t links, joints, loops, elements, parts, geometries, text;
} counts;

static void count_geometries(counts *n, const lb_geometry *geometries, int count)
{
    n->geometries += (size_t)count;
    for (int k = 0; k < count; k++)
        n->text += geometries[k].mesh ? strlen(geometries[k].mesh) + 1 : 0;
}

static counts count_source(const lb_model_source *source)
{
    counts n = {.links = (size_t)source->link_count, .joints = (size_t)source->joint_count};
    n.text = source->name ? strlen(source->name) + 1 : 1;
    for (int i = 0; i < source->link_count; i++) {
        const lb_link *link = &source->links[i];
        n.text += strlen(link->name) + 1 + (link->bone ? strlen(link->bone) + 1 : 0);
        count_geometries(&n, link->visuals, link->visual_count);
        count_geometries(&n, link->collisions, link->collision_count);
    }
    for (int i = 0; i < source->joint_count; i++) {
        const lb_joint *joint = &source->joints[i];
        size_t steps = (size_t)kind_of(joint->kind)->step_count;
        n.text += strlen(joint->name) + 1;
        n.elements += steps;
        n.parts += joint->mimic || joint->kind == LB_JOINT_FIXED ? 0 : steps;
    }
    n.loops = (size_t)source->loop_count;
    for (int i = 0; i < source->loop_count; i++)
        n.text += loop_text_size(&source->loops[i]);
    return n;
}

/* ---- laying out --------------------------------------------------------- */

/* the arrays of a model, after the model itself */
static void lay_out_model(lb_model *model, const counts *n, memory_arena *arena)
{
    memory_arena_take(arena, 1, sizeof *model);
    model->links = memory_arena_take(arena, n->links, sizeof *model->links);
    model->joints = memory_arena_take(arena, n->joints, sizeof *model->joints);
    model->loops = memory_arena_take(arena, n->loops, sizeof *model->loops);
    name_table_lay_out(&model->link_names, n->links, arena);
    name_table_lay_out(&model->joint_names, n->joints, arena);
    model->link_layouts = memory_arena_take(arena, n->links, sizeof *model->link_layouts);
    model->joint_layouts = memory_arena_take(arena, n->joints, sizeof *model->joint_layouts);
    model->loop_layouts = memory_arena_take(arena, n->loops, sizeof *model->loop_layouts);
    model->parts = memory_arena_take(arena, n->parts, sizeof *model->parts);
    // a quaternion has four numbers
    model->range.lower = memory_arena_take(arena, 4 * n->parts, sizeof(double));
    model->range.upper = memory_arena_take(arena, 4 * n->parts, sizeof(double));
    model->elements = memory_arena_take(arena, n->elements, sizeof *model->elements);
    model->blocks =
        memory_arena_take(arena, kernel_block_count((int)n->elements), sizeof *model->blocks);
    model->geometries = memory_arena_take(arena, n->geometries, sizeof *model->geometries);
    model->text = memory_arena_text(arena, n->text);
}

static void lay_out_scratch(builder *b, const counts *n, memory_arena *arena)
{
    b->parent_link = memory_arena_take(arena, n->joints, sizeof(int));
    b->child_link = memory_arena_take(arena, n->joints, sizeof(int));
    b->joint_above = memory_arena_take(arena, n->links, sizeof(int));
    b->first_child = memory_arena_take(arena, n->links, sizeof(int));
    b->next_sibling = memory_arena_take(arena, n->links, sizeof(int));
    b->link_source = memory_arena_take(arena, n->links, sizeof(int));
    b->link_place = memory_arena_take(arena, n->links, sizeof(int));
    b->path = memory_arena_take(arena, n->joints, sizeof(int));
    name_table_lay_out(&b->loop_names, n->loops, arena);
}

/* The block of a measured arena, NULL when there is none. */
static void *take_block(const lb_allocator *allocator, const memory_arena *measured)
{
    return measured->overflow ? NULL : memory_take(allocator, measured->used, 1);
}

static lb_model *take_model(const lb_allocator *allocator, const counts *n)
{
    lb_model measured;
    memory_arena arena = {0};
    lay_out_model(&measured, n, &arena);

    lb_model *model = take_block(allocator, &arena);
    if (!model)
        return NULL;
    arena = (memory_arena){.block = (unsigned char *)model};
    lay_out_model(model, n, &arena);
    model->allocator = *allocator;
    model->link_count = (int)n->links;
    model->joint_count = (int)n->joints;
    model->loop_count = (int)n->loops;
    return model;
}

static void *take_scratch(builder *b, const lb_allocator *allocator, const counts *n)
{
    memory_arena arena = {0};
    lay_out_scratch(b, n, &arena);

    void *block = take_block(allocator, &arena);
    if (!block)
        return NULL;
    arena = (memory_arena){.block = block};
    lay_out_scratch(b, n, &arena);
    return block;
}

/* ---- building ----------------------------------------------------------- */

static lb_status fill(builder *b)
{
    TRY(order_links(b));
    copy_source(b);
    TRY(mimic_resolve(b));
    TRY(loop_resolve(b));
    compile_model(b->model);
    return LB_OK;
}

lb_status lb_model_build(const lb_model_source *source, const lb_allocator *given, lb_model **model,
                         lb_error *error)
{
    if (!model)
        return REFUSE_ARGUMENT(error, "no place for the model is given");
    *model = NULL;
    if (!source)
        return REFUSE_ARGUMENT(error, "no source is given");
    TRY(check_source(source, error));

    // both blocks
    lb_allocator allocator = memory_allocator(given);
    counts n = count_source(source);
    builder b = {.source = source, .error = error};
    b.model = take_model(&allocator, &n);
    void *scratch = b.model ? take_scratch(&b, &allocator, &n) : NULL;
    // the caller gets the whole model or none
    lb_status status = scratch ? fill(&b)
                               : lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory for %d links",
                                              source->link_count);
    memory_release(&allocator, scratch);
    if (status == LB_OK)
        *model = b.model;
    else
        memory_release(&allocator, b.model);
    return status;
}

void lb_model_release(lb_model *model)
{
    if (!model)
        return;

    // the allocator is in the block that it releases
    lb_allocator allocator = model->allocator;
    memory_release(&allocator, model);
}
