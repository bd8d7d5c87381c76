/* verifier.c - confirms solutions by forward kinematics of the model itself. */
#include "ik/task.h"

#include "base/memory.h"
#include "model/subtree.h"

/* The arrays of a verifier. */
typedef struct parts {
    kernel_joint *joints;
    kernel_block *blocks;
    int *model_q;
    kernel_check *checks;
} parts;

static parts lay_out(ik_verifier *verifier, memory_arena *arena)
{
    const kernel_verifier *k = &verifier->kernel;
    size_t count = (size_t)k->tree.count, nq = (size_t)k->tree.nq;
    size_t blocks = kernel_block_count(k->tree.count);
    verifier->scratch = memory_arena_take_line(arena, verifier->single->verifier_scratch(k));
    return (parts){
        .joints = memory_arena_take(arena, count, sizeof(kernel_joint)),
        .blocks = memory_arena_take(arena, blocks, sizeof(kernel_block)),
        .model_q = memory_arena_take(arena, nq, sizeof(int)),
        .checks = memory_arena_take(arena, (size_t)k->check_count, sizeof(kernel_check)),
    };
}

/* a constant pose in a link, relative to the link's element or to the world */
static kernel_offset offset_of(const subtree *s, int link, const lb_transform *pose)
{
    lb_transform from = LB_TRANSFORM_IDENTITY;
    if (link >= 0)
        from =
            model_element(s->model, link) < 0 ? s->model->root : s->model->link_layouts[link].fix;
    from = lb_transform_multiply(&from, pose);
    return (kernel_offset){.frame = subtree_element(s, link),
                           .is_identity =
                               kernel_form_of(&from) == (kernel_form)KERNEL_ROTATION_NONE,
                           .pose = from};
}

static void fill(kernel_verifier *k, const subtree *s, const lb_task *tasks, const parts *to)
{
    const lb_transform origin = LB_TRANSFORM_IDENTITY;
    subtree_copy(s, to->joints, to->blocks, to->model_q);
    subtree_keep(s, tasks[0].base, to->joints);
    k->tree.joints = to->joints;
    k->tree.blocks = to->blocks;
    k->model_q = to->model_q;
    k->root = s->model->root;
    k->base = offset_of(s, tasks[0].base, &origin);
    for (int i = 0; i < k->check_count; i++) {
        subtree_keep(s, tasks[i].tip, to->joints);
        to->checks[i].goal = ik_goal(&tasks[i]);
        to->checks[i].tool = offset_of(s, tasks[i].tip, &tasks[i].tool);
    }
    k->checks = to->checks;
}

bool ik_verifier_create(ik_verifier *verifier, const kernel_ops *single, const lb_model *model,
                        const lb_task *tasks, int n, const lb_allocator *allocator)
{
    *verifier = (ik_verifier){.single = single, .kernel.check_count = n};
    int *work = memory_take(allocator, subtree_work(model), sizeof(int));
    if (!work)
        return false;
    subtree s = subtree_start(model, work);
    subtree_add(&s, tasks[0].base);
    for (int i = 0; i < n; i++)
        subtree_add(&s, tasks[i].tip);
    subtree_number(&s);
    verifier->kernel.tree.count = s.count;
    verifier->kernel.tree.nq = s.nq;

    memory_arena arena = {0};
    lay_out(verifier, &arena);
    verifier->memory = memory_arena_block(&arena, allocator);
    if (verifier->memory) {
        parts to = lay_out(verifier, &arena);
        fill(&verifier->kernel, &s, tasks, &to);
    }
    memory_release(allocator, work);
    return verifier->memory != NULL;
}

void ik_verifier_errors(const ik_verifier *verifier, const double *q, const lb_transform *targets,
                        double *position_error, double *rotation_error)
{
    verifier->single->verify(&verifier->kernel, &q, &targets, 1, verifier->scratch, position_error,
                             rotation_error);
}
