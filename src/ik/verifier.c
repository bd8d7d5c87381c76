/* verifier.c - confirms answers by forward kinematics of the model itself. */
#include "ik/verifier.h"

#include "base/memory.h"

/* ---- creating ------------------------------------------------------------- */

/* The numbers that a model's elements and values have for the judge, -1: none. */
typedef struct numbering {
    int *elements, *values;
    int element_count, value_count;
} numbering;

/* marks the elements from a link to the root */
static void mark(const lb_model *model, int link, int *elements)
{
    if (link < 0)
        return;
    for (int e = model->link_layouts[link].element; e >= 0; e = model->tree.joints[e].parent)
        elements[e] = 0;
}

/* numbers the elements on the ways in order, so that parents still come first, and their values */
static void number(const lb_model *model, const lb_task *tasks, int n, numbering *numbers)
{
    for (int e = 0; e < model->tree.count; e++)
        numbers->elements[e] = -1;
    for (int i = 0; i < model->tree.nq; i++)
        numbers->values[i] = -1;
    mark(model, tasks[0].base, numbers->elements);
    for (int i = 0; i < n; i++)
        mark(model, tasks[i].tip, numbers->elements);
    for (int e = 0; e < model->tree.count; e++) {
        if (numbers->elements[e] < 0)
            continue;
        numbers->elements[e] = numbers->element_count++;
        const kernel_joint *joint = &model->tree.joints[e];
        if (joint->q < 0 || numbers->values[joint->q] >= 0)
            continue;
        numbers->values[joint->q] = numbers->value_count;
        numbers->value_count += joint->kind == KERNEL_BALL ? 4 : 1;
    }
}

/* the element of a link in the judge's numbers */
static int numbered(const lb_model *model, int link, const int *elements)
{
    int e = link < 0 ? -1 : model->link_layouts[link].element;
    return e < 0 ? -1 : elements[e];
}

/* the frame of a link's element is read */
static void keep(const lb_model *model, int link, const int *elements, kernel_joint *joints)
{
    int e = numbered(model, link, elements);
    if (e >= 0)
        joints[e].passing = false;
}

/* a link seen from its element, or from the world where it has none */
static lb_transform link_place(const lb_model *model, int link)
{
    if (link < 0)
        return LB_TRANSFORM_IDENTITY;
    const model_link *layout = &model->link_layouts[link];
    return layout->element < 0 ? model->root : layout->fix;
}

/* The judge's own memory. */
typedef struct parts {
    kernel_joint *joints;
    kernel_turns *turns;
    int *sources;
    kernel_goal *claims;
} parts;

static parts lay_out(ik_verifier *judge, memory_arena *arena)
{
    const kernel_verifier *k = &judge->kernel;
    size_t count = (size_t)k->tree.count, nq = (size_t)k->tree.nq;
    judge->scratch = memory_arena_take_line(arena, judge->alone->verifier_scratch(k));
    return (parts){
        .joints = memory_arena_take(arena, count, sizeof(kernel_joint)),
        .turns = memory_arena_take(arena, kernel_blocks(k->tree.count), sizeof(kernel_turns)),
        .sources = memory_arena_take(arena, nq, sizeof(int)),
        .claims = memory_arena_take(arena, (size_t)k->goal_count, sizeof(kernel_goal)),
    };
}

/* the elements in their new numbers */
static void copy_tree(const lb_model *model, const numbering *numbers, const parts *to)
{
    for (int e = 0; e < model->tree.count; e++) {
        if (numbers->elements[e] < 0)
            continue;
        kernel_joint *joint = &to->joints[numbers->elements[e]];
        *joint = model->tree.joints[e];
        if (joint->parent >= 0)
            joint->parent = numbers->elements[joint->parent];
        if (joint->q < 0)
            continue;
        int first = numbers->values[joint->q];
        for (int k = 0; k < (joint->kind == KERNEL_BALL ? 4 : 1); k++)
            to->sources[first + k] = joint->q + k;
        joint->q = first;
    }
    kernel_turns_of(to->joints, numbers->element_count, to->turns);
}

static void fill(kernel_verifier *judge, const lb_model *model, const lb_task *tasks,
                 const numbering *numbers, const parts *to)
{
    copy_tree(model, numbers, to);
    kernel_find_transient(to->joints, numbers->element_count);
    keep(model, tasks[0].base, numbers->elements, to->joints);
    for (int i = 0; i < judge->goal_count; i++)
        keep(model, tasks[i].tip, numbers->elements, to->joints);
    judge->tree.joints = to->joints;
    judge->tree.turns = to->turns;
    judge->sources = to->sources;
    judge->root = model->root;
    judge->base = numbered(model, tasks[0].base, numbers->elements);
    judge->stand = link_place(model, tasks[0].base);
    judge->bare = kernel_form_of(&judge->stand) == KERNEL_ROTATION_NONE;
    for (int i = 0; i < judge->goal_count; i++) {
        lb_transform tip = link_place(model, tasks[i].tip);
        to->claims[i] = ik_goal(&tasks[i]);
        to->claims[i].tip = numbered(model, tasks[i].tip, numbers->elements);
        to->claims[i].tool = lb_transform_multiply(&tip, &tasks[i].tool);
        to->claims[i].bare = kernel_form_of(&to->claims[i].tool) == KERNEL_ROTATION_NONE;
    }
    judge->claims = to->claims;
}

bool ik_verifier_create(ik_verifier *judge, const kernel_ops *alone, const lb_model *model,
                        const lb_task *tasks, int n, const lb_allocator *allocator)
{
    *judge = (ik_verifier){.alone = alone, .kernel.goal_count = n};
    size_t elements = (size_t)model->tree.count, values = (size_t)model->tree.nq;
    numbering numbers = {.elements = memory_take(allocator, elements + values, sizeof(int))};
    if (!numbers.elements)
        return false;
    numbers.values = numbers.elements + elements;
    number(model, tasks, n, &numbers);
    judge->kernel.tree.count = numbers.element_count;
    judge->kernel.tree.nq = numbers.value_count;

    memory_arena arena = {0};
    lay_out(judge, &arena);
    judge->memory = arena.overflow ? NULL : memory_take(allocator, arena.used, 1);
    if (judge->memory) {
        arena = (memory_arena){.block = judge->memory};
        parts to = lay_out(judge, &arena);
        fill(&judge->kernel, model, tasks, &numbers, &to);
    }
    memory_release(allocator, numbers.elements);
    return judge->memory != NULL;
}

/* ---- judging -------------------------------------------------------------- */

void ik_verifier_errors(const ik_verifier *judge, const double *q, const lb_transform *targets,
                        double *position_error, double *rotation_error)
{
    judge->alone->judge(&judge->kernel, &q, &targets, 1, judge->scratch, position_error,
                        rotation_error);
}
