/* judge.c - confirms answers by forward kinematics of the model itself. */
#include "ik/judge.h"

#include "math/memory.h"
#include "math/scalar.h"

/* ---- creating ------------------------------------------------------------- */

/* marks the elements from a link to the root */
static void mark(const lb_model *model, int link, int *number)
{
    if (link < 0)
        return;
    for (int e = model->link_layouts[link].element; e >= 0; e = model->tree.joints[e].parent)
        number[e] = 1;
}

static kernel_joint *lay_out(ik_judge *judge, memory_arena *arena, kernel_turns **turns)
{
    int elements = judge->tree.count;
    *turns = memory_arena_take(arena, kernel_blocks(elements), sizeof **turns);
    judge->frames = memory_arena_take(arena, (size_t)elements, sizeof(lb_transform));
    judge->tips = memory_arena_take(arena, (size_t)judge->task_count, sizeof(int));
    judge->tools = memory_arena_take(arena, (size_t)judge->task_count, sizeof(lb_transform));
    return memory_arena_take(arena, (size_t)elements, sizeof(kernel_joint));
}

/* the element of a link in the judge's numbers */
static int numbered(const lb_model *model, int link, const int *number)
{
    int e = link < 0 ? -1 : model->link_layouts[link].element;
    return e < 0 ? -1 : number[e];
}

/* a link seen from its element, or from the world where it has none */
static lb_transform link_place(const lb_model *model, int link)
{
    if (link < 0)
        return LB_TRANSFORM_IDENTITY;
    const model_link *layout = &model->link_layouts[link];
    return layout->element < 0 ? model->root : layout->fix;
}

bool ik_judge_create(ik_judge *judge, const lb_model *model, const lb_task *tasks, int n,
                     const lb_allocator *allocator)
{
    *judge = (ik_judge){.model = model, .tasks = tasks, .task_count = n};
    int *number = memory_take(allocator, (size_t)model->tree.count, sizeof(int));
    if (!number)
        return false;
    mark(model, tasks[0].base, number);
    for (int i = 0; i < n; i++)
        mark(model, tasks[i].tip, number);
    for (int e = 0; e < model->tree.count; e++)
        judge->tree.count += number[e];

    memory_arena arena = {0};
    kernel_turns *turns;
    lay_out(judge, &arena, &turns);
    judge->memory = arena.overflow ? NULL : memory_take(allocator, arena.used, 1);
    if (judge->memory) {
        arena = (memory_arena){.block = judge->memory};
        kernel_joint *joints = lay_out(judge, &arena, &turns);
        // copied in order, so that parents still come first
        int count = 0;
        for (int e = 0; e < model->tree.count; e++) {
            if (!number[e])
                continue;
            joints[count] = model->tree.joints[e];
            if (joints[count].parent >= 0)
                joints[count].parent = number[joints[count].parent];
            number[e] = count++;
        }
        kernel_turns_of(joints, count, turns);
        judge->tree.joints = joints;
        judge->tree.turns = turns;
        judge->base = numbered(model, tasks[0].base, number);
        judge->stand = link_place(model, tasks[0].base);
        for (int i = 0; i < n; i++) {
            lb_transform tip = link_place(model, tasks[i].tip);
            judge->tips[i] = numbered(model, tasks[i].tip, number);
            judge->tools[i] = lb_transform_multiply(&tip, &tasks[i].tool);
        }
    }
    memory_release(allocator, number);
    return judge->memory != NULL;
}

/* ---- judging -------------------------------------------------------------- */

/* something seen from an element, or from the world where there is none */
static lb_transform place(const ik_judge *judge, int element, const lb_transform *at)
{
    return element < 0 ? *at : lb_transform_multiply(&judge->frames[element], at);
}

void ik_judge_errors(const ik_judge *judge, const double *q, const lb_transform *targets,
                     double *position_error, double *rotation_error)
{
    *position_error = *rotation_error = 0;
    kernel_forward(&judge->tree, &judge->model->root, q, judge->frames);
    lb_transform base = place(judge, judge->base, &judge->stand);
    for (int i = 0; i < judge->task_count; i++) {
        // both in the world: distances and angles are the same there
        lb_transform tool = place(judge, judge->tips[i], &judge->tools[i]);
        lb_transform target = lb_transform_multiply(&base, &targets[i]);
        double position, rotation;
        ik_task_error(&judge->tasks[i], &tool, &target, &position, &rotation);
        // values beyond all bounds lead nowhere: what is no number is infinitely far
        *position_error = isnan(position) ? INFINITY : scalar_max(position, *position_error);
        *rotation_error = isnan(rotation) ? INFINITY : scalar_max(rotation, *rotation_error);
    }
}
