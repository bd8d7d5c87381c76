/* model.c - reading a model, and whether two are one. */
#include "model/layout.h"

#include <assert.h>
#include <string.h>

static bool has_link(const lb_model *model, int link)
{
    bool valid = link >= 0 && link < model->link_count;
    assert(valid && "index of a link");
    return valid;
}

static bool has_joint(const lb_model *model, int joint)
{
    bool valid = joint >= 0 && joint < model->joint_count;
    assert(valid && "index of a joint");
    return valid;
}

const model_part *model_part_at(const lb_model *model, int q)
{
    // parts are in the order of q
    int low = 0, high = model->part_count - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (model->parts[middle].q < q)
            low = middle + 1;
        else
            high = middle;
    }
    return &model->parts[low];
}

/* ---- the whole ---------------------------------------------------------- */

const char *lb_model_name(const lb_model *model)
{
    return model->name;
}

lb_transform lb_model_root(const lb_model *model)
{
    return model->root;
}

int lb_model_link_count(const lb_model *model)
{
    return model->link_count;
}

int lb_model_joint_count(const lb_model *model)
{
    return model->joint_count;
}

int lb_model_loop_count(const lb_model *model)
{
    return model->loop_count;
}

const lb_loop *lb_model_loop(const lb_model *model, int loop)
{
    return loop >= 0 && loop < model->loop_count ? &model->loops[loop] : NULL;
}

int lb_model_nq(const lb_model *model)
{
    return model->tree.nq;
}

int lb_model_nv(const lb_model *model)
{
    return model->tree.nv;
}

/* ---- links and joints --------------------------------------------------- */

const lb_link *lb_model_link(const lb_model *model, int link)
{
    return has_link(model, link) ? &model->links[link] : NULL;
}

const lb_joint *lb_model_joint(const lb_model *model, int joint)
{
    return has_joint(model, joint) ? &model->joints[joint] : NULL;
}

int lb_model_find_link(const lb_model *model, const char *name)
{
    int link = name ? name_table_find(&model->link_names, name) : LB_NO_LINK;
    return link < 0 ? LB_NO_LINK : link;
}

int lb_model_find_joint(const lb_model *model, const char *name)
{
    return name ? name_table_find(&model->joint_names, name) : -1;
}

int lb_model_parent(const lb_model *model, int link)
{
    return has_link(model, link) ? model->link_layouts[link].parent : -1;
}

int lb_model_first_child(const lb_model *model, int link)
{
    return has_link(model, link) ? model->link_layouts[link].first_child : -1;
}

int lb_model_next_sibling(const lb_model *model, int link)
{
    return has_link(model, link) ? model->link_layouts[link].next_sibling : -1;
}

int lb_model_tips(const lb_model *model, int *links)
{
    int count = 0;
    for (int i = 0; i < model->link_count; i++) {
        if (model->link_layouts[i].first_child >= 0)
            continue;
        if (links)
            links[count] = i;
        count++;
    }
    return count;
}

/* ---- values ------------------------------------------------------------- */

int lb_model_joint_q(const lb_model *model, int joint)
{
    return has_joint(model, joint) ? model->joint_layouts[joint].q : -1;
}

int lb_model_joint_v(const lb_model *model, int joint)
{
    return has_joint(model, joint) ? model->joint_layouts[joint].v : -1;
}

int lb_model_joint_mimic(const lb_model *model, int joint, double *multiplier, double *offset)
{
    model_joint none = {.mimicked_joint = -1, .multiplier = 1};
    const model_joint *layout = has_joint(model, joint) ? &model->joint_layouts[joint] : &none;
    if (multiplier)
        *multiplier = layout->multiplier;
    if (offset)
        *offset = layout->offset;
    return layout->mimicked_joint;
}

/* ---- differences -------------------------------------------------------- */

/* both may be absent */
static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_numbers(const double *a, const double *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static bool same_vector(lb_vec3 a, lb_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_transform(const lb_transform *a, const lb_transform *b)
{
    return same_vector(a->x, b->x) && same_vector(a->y, b->y) && same_vector(a->z, b->z) &&
           same_vector(a->p, b->p);
}

static bool same_joint(const lb_joint *a, const lb_joint *b)
{
    return same_text(a->name, b->name) && same_text(a->parent, b->parent) &&
           same_text(a->child, b->child) && a->kind == b->kind &&
           same_transform(&a->placement, &b->placement) && same_vector(a->axis, b->axis) &&
           same_vector(a->axis2, b->axis2) && same_numbers(a->lower, b->lower, 3) &&
           same_numbers(a->upper, b->upper, 3) && same_text(a->mimic, b->mimic) &&
           a->multiplier == b->multiplier && a->offset == b->offset;
}

int model_difference(const lb_model *a, const lb_model *b)
{
    int count = a->joint_count < b->joint_count ? a->joint_count : b->joint_count;
    if (a == b)
        return -1;
    if (!same_text(a->links[0].name, b->links[0].name) || !same_transform(&a->root, &b->root))
        return 0;
    for (int j = 0; j < count; j++)
        if (!same_joint(&a->joints[j], &b->joints[j]))
            return j + 1;
    return a->joint_count != b->joint_count ? count : -1;
}
