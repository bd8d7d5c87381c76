/*
 * state.c - the working memory of forward kinematics, and its results.
 *
 * The kernel at width 1 computes one frame for each of the model's elements; a link's transform is
 * its element's, rotated by a constant where the joint's axis is not z.
 */
#include "kinematics/state.h"
#include "base/error.h"

#include "base/memory.h"

#include <assert.h>
#include <string.h>

/* ---- creating ------------------------------------------------------------- */

static void lay_out(memory_arena *arena, lb_state *state)
{
    const lb_model *model = state->model;
    size_t links = (size_t)model->link_count, elements = (size_t)model->tree.count;
    state->q = memory_arena_take(arena, (size_t)model->tree.nq, sizeof(double));
    // on cache lines: beginning elsewhere, the same code takes up to a tenth longer
    state->links = memory_arena_take_line(arena, links * sizeof(lb_transform));
    state->masses = memory_arena_take(arena, elements, sizeof(double));
    state->moments = memory_arena_take(arena, elements, sizeof(lb_vec3));
    state->jacobian = memory_arena_take(arena, (size_t)model->tree.nv, 6 * sizeof(double));
    // where every element is a link, the kernel writes the links themselves
    if (!model->direct)
        state->elements = memory_arena_take_line(arena, elements * sizeof(lb_transform));
}

lb_status lb_state_create(const lb_model *model, const lb_allocator *allocator, lb_state **state)
{
    TRY(REQUIRE_TO_MAKE(state, NULL, {model, "model"}));
    lb_allocator memory = memory_allocator(allocator);
    lb_state head = {.allocator = memory, .model = model, .ops = kernel_choose_single(0, false)};
    memory_arena arena = {0};
    memory_arena_take(&arena, 1, sizeof head);
    lay_out(&arena, &head);
    void *block = memory_arena_block(&arena, &memory);
    if (!block)
        return LB_OUT_OF_MEMORY;
    *state = memory_arena_take(&arena, 1, sizeof head);
    **state = head;
    lay_out(&arena, *state);
    if (model->direct)
        (*state)->elements = (*state)->links + 1;
    (*state)->links[0] = model->root;
    lb_configuration_neutral(model, (*state)->q);
    lb_state_update(*state, (*state)->q);
    return LB_OK;
}

void lb_state_release(lb_state *state)
{
    if (state) {
        lb_allocator memory = state->allocator;
        memory_release(&memory, state);
    }
}

const lb_model *lb_state_model(const lb_state *state)
{
    return state->model;
}

const double *lb_state_configuration(const lb_state *state)
{
    return state->q;
}

/* ---- forward kinematics --------------------------------------------------- */

/* vector by vector, as they were stored: a load across two stores waits for both */
static inline void copy(const lb_transform *element, lb_transform *out)
{
    out->x = element->x;
    out->y = element->y;
    out->z = element->z;
    out->p = element->p;
}

/* a link whose axes are its element's, renamed or reversed */
static inline void swap(const lb_transform *element, const model_link *link, lb_transform *out)
{
    const lb_vec3 *axes = &element->x;
    out->x = lb_vec3_scale(axes[link->from[0]], link->sign[0]);
    out->y = lb_vec3_scale(axes[link->from[1]], link->sign[1]);
    out->z = lb_vec3_scale(axes[link->from[2]], link->sign[2]);
    out->p = element->p;
}

void lb_state_update(lb_state *state, const double *q)
{
    const lb_model *model = state->model;
    if (q != state->q)
        memcpy(state->q, q, sizeof(double) * (size_t)model->tree.nq);
    state->ops->forward(&model->tree, &model->root, q, state->elements);
    if (model->direct)
        return;
    for (int i = 1; i < model->link_count; i++) {
        const model_link *link = &model->link_layouts[i];
        const lb_transform *element = &state->elements[link->element];
        if (link->exact)
            copy(element, &state->links[i]);
        else if (link->swapped)
            swap(element, link, &state->links[i]);
        else
            state->links[i] = lb_transform_multiply(element, &link->fix);
    }
}

const lb_transform *lb_state_transforms(const lb_state *state)
{
    return state->links;
}

/* ---- frames --------------------------------------------------------------- */

/* the world or a link */
static bool is_frame(const lb_state *state, int frame)
{
    bool valid = frame >= LB_WORLD && frame < state->model->link_count;
    assert(valid && "index of a link");
    return valid;
}

lb_transform lb_state_transform(const lb_state *state, int a, int b)
{
    if (!is_frame(state, a) || !is_frame(state, b))
        return LB_TRANSFORM_IDENTITY;
    if (a < 0)
        return b < 0 ? LB_TRANSFORM_IDENTITY : state->links[b];
    if (b < 0)
        return lb_transform_inverse(&state->links[a]);
    return lb_transform_between(&state->links[a], &state->links[b]);
}

lb_vec3 lb_state_direction(const lb_state *state, int from, int to, lb_vec3 direction)
{
    if (!is_frame(state, from) || !is_frame(state, to))
        return direction;
    lb_vec3 world = from < 0 ? direction : lb_transform_direction(&state->links[from], direction);
    if (to < 0)
        return world;
    const lb_transform *t = &state->links[to];
    return lb_vec3_make(lb_vec3_dot(t->x, world), lb_vec3_dot(t->y, world),
                        lb_vec3_dot(t->z, world));
}

lb_vec3 lb_state_point(const lb_state *state, int from, int to, lb_vec3 point)
{
    if (!is_frame(state, from) || !is_frame(state, to))
        return point;
    lb_vec3 world = from < 0 ? point : lb_transform_point(&state->links[from], point);
    if (to < 0)
        return world;
    return lb_state_direction(state, LB_WORLD, to, lb_vec3_sub(world, state->links[to].p));
}

void lb_state_traverse(const lb_state *state, lb_visit *visit, void *user)
{
    for (int i = 0; i < state->model->link_count; i++)
        if (!visit(user, i, &state->links[i], &state->model->links[i].data_offset))
            return;
}
