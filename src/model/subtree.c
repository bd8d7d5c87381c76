/* subtree.c - the elements from the root to some links, copied into a tree of their own. */
#include "model/subtree.h"

static int value_count(const kernel_joint *joint)
{
    return joint->kind == KERNEL_BALL ? 4 : 1;
}

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

void subtree_number(subtree *s)
{
    for (int e = 0; e < s->model->tree.count; e++) {
        const kernel_joint *joint = &s->model->tree.joints[e];
        if (s->elements[e] < 0)
            continue;
        s->elements[e] = s->count++;
        // mimic joints share the values of another
        if (joint->q < 0 || s->values[joint->q] >= 0)
            continue;
        s->values[joint->q] = s->nq;
        s->nq += value_count(joint);
    }
}

int subtree_element(const subtree *s, int link)
{
    int e = model_element(s->model, link);
    return e < 0 ? -1 : s->elements[e];
}

/* numbers a joint's values as the subtree does */
static void renumber(const subtree *s, kernel_joint *joint, int *model_q)
{
    int first = s->values[joint->q];
    for (int k = 0; k < value_count(joint); k++)
        model_q[first + k] = joint->q + k;
    joint->q = first;
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
            renumber(s, joint, model_q);
    }
    kernel_fill_blocks(joints, s->count, blocks);
    kernel_find_transient(joints, s->count);
}

void subtree_keep(const subtree *s, int link, kernel_joint *joints)
{
    int e = subtree_element(s, link);
    if (e >= 0)
        joints[e].transient = false;
}
