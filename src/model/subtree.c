/* subtree.c - the elements that some links depend on, copied into a tree of their own. */
#include "model/subtree.h"

size_t subtree_work(const lb_model *model)
{
    return (size_t)model->tree.count + (size_t)model->tree.nq;
}

subtree subtree_start(const lb_model *model, int *work)
{
    subtree s = {.model = model, .elements = work, .values = work + model->tree.count};
    for (int i = 0; i < model->tree.count + model->tree.nq; i++)
        work[i] = -1;
    return s;
}

void subtree_add(subtree *s, int link)
{
    const kernel_joint *joints = s->model->tree.joints;
    for (int e = model_element(s->model, link); e >= 0 && s->elements[e] < 0; e = joints[e].parent)
        s->elements[e] = 0;
}

void subtree_add_between(subtree *s, int from, int to)
{
    int a = model_element(s->model, from), b = model_element(s->model, to);
    // parents have lower indices, so the higher one is below the common ancestor
    while (a != b) {
        int *lower = a > b ? &a : &b;
        s->elements[*lower] = 0;
        *lower = s->model->tree.joints[*lower].parent;
    }
}

void subtree_number(subtree *s)
{
    for (int e = 0; e < s->model->tree.count; e++) {
        const kernel_joint *joint = &s->model->tree.joints[e];
        if (s->elements[e] < 0)
            continue;
        s->elements[e] = s->count++;
        // mimic joints share the values of another
        int values = joint->q < 0 ? 0 : joint->kind == KERNEL_BALL ? 4 : 1;
        for (int k = 0; k < values; k++)
            s->values[joint->q + k] = 0;
    }
    for (int i = 0; i < s->model->tree.nq; i++)
        if (s->values[i] >= 0)
            s->values[i] = s->nq++;
}

int subtree_element(const subtree *s, int link)
{
    int e = model_element(s->model, link);
    return e < 0 ? -1 : s->elements[e];
}

void subtree_list_values(const subtree *s, int *model_q)
{
    for (int i = 0; i < s->model->tree.nq; i++)
        if (s->values[i] >= 0)
            model_q[s->values[i]] = i;
}

void subtree_copy(const subtree *s, kernel_joint *joints, kernel_block *blocks, int *model_q)
{
    for (int e = 0; e < s->model->tree.count; e++) {
        if (s->elements[e] < 0)
            continue;
        kernel_joint *joint = &joints[s->elements[e]];
        *joint = s->model->tree.joints[e];
        if (joint->parent >= 0)
            joint->parent = s->elements[joint->parent];
        if (joint->q >= 0 && model_q)
            joint->q = s->values[joint->q];
    }
    if (model_q)
        subtree_list_values(s, model_q);
    kernel_fill_blocks(joints, s->count, blocks);
    kernel_find_transient(joints, s->count);
}

void subtree_keep(const subtree *s, int link, kernel_joint *joints)
{
    int e = subtree_element(s, link);
    if (e >= 0)
        joints[e].transient = false;
}
