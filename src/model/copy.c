/* copy.c - copies the source's links and joints into the model, in the model's order. */
#include "model/build.h"
#include "model/geometry.h"
#include "model/kinds.h"

#include <string.h>

/* ---- numbers made exact ------------------------------------------------- */

static void exact_axes(lb_joint *joint)
{
    int count = kind_of(joint->kind)->axis_count;
    lb_joint standard = lb_joint_default();
    joint->axis = count > 0 ? rigid_exact_direction(joint->axis) : standard.axis;
    if (count < 2) {
        joint->axis2 = standard.axis2;
        return;
    }

    // twice is enough, however near to parallel they were (Parlett, after Kahan)
    lb_vec3 across = rigid_exact_direction(joint->axis2);
    for (int i = 0; i < 2; i++) {
        double along = lb_vec3_dot(joint->axis, across);
        if (fabs(along) > rigid_rounding)
            across = rigid_exact_direction(lb_vec3_sub(across, lb_vec3_scale(joint->axis, along)));
    }
    joint->axis2 = across;
}

static void exact_value(lb_joint *joint)
{
    int at = kind_of(joint->kind)->quat;
    if (at < 0)
        return;
    lb_quat q = {joint->value[at], joint->value[at + 1], joint->value[at + 2],
                 joint->value[at + 3]};
    if (fabs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) <= rigid_rounding)
        return;

    // four zeros mean the identity
    q = lb_quat_normalize(q);
    memcpy(&joint->value[at], (double[]){q.w, q.x, q.y, q.z}, 4 * sizeof(double));
}

/* limits that the kind does not have are infinite */
static void exact_limits(lb_joint *joint)
{
    int count = joint->kind == LB_JOINT_BALL ? 2 : kind_of(joint->kind)->limit_count;
    for (int i = count; i < 3; i++) {
        joint->lower[i] = -INFINITY;
        joint->upper[i] = INFINITY;
    }
    if (joint->kind == LB_JOINT_BALL)
        joint->lower[1] = 0;
}

/* ---- copying ------------------------------------------------------------ */

/* copies a link's shapes, which are consecutive, to *end; returns the first, NULL: there is none */
static const lb_geometry *copy_geometries(lb_geometry **end, const lb_geometry *given, int count,
                                          char **text)
{
    const lb_geometry *first = count > 0 ? *end : NULL;
    for (int k = 0; k < count; k++, ++*end) {
        **end = given[k];
        (*end)->origin = rigid_exact(given[k].origin);
        (*end)->mesh = given[k].mesh ? memory_copy_text(text, given[k].mesh) : NULL;
    }
    return first;
}

static void copy_links(builder *b, char **text)
{
    lb_model *model = b->model;
    lb_geometry *end = model->geometries;
    for (int i = 0; i < model->link_count; i++) {
        lb_link *link = &model->links[i];
        *link = b->source->links[b->link_source[i]];
        link->name = memory_copy_text(text, link->name);
        link->bone = link->bone ? memory_copy_text(text, link->bone) : NULL;
        link->data_offset = rigid_exact(link->data_offset);
        link->visuals = copy_geometries(&end, link->visuals, link->visual_count, text);
        link->collisions = copy_geometries(&end, link->collisions, link->collision_count, text);
    }
}

static void copy_joints(builder *b, char **text)
{
    lb_model *model = b->model;
    for (int j = 0; j < model->joint_count; j++) {
        lb_joint *joint = &model->joints[j];
        int given = builder_joint_source(b, j);
        *joint = b->source->joints[given];
        joint->name = memory_copy_text(text, joint->name);
        joint->parent = model->links[b->link_place[b->parent_link[given]]].name;
        joint->child = model->links[j + 1].name;
        joint->placement = rigid_exact(joint->placement);
        exact_axes(joint);
        exact_value(joint);
        exact_limits(joint);
    }
}

static void copy_tree(builder *b)
{
    for (int i = 0; i < b->model->link_count; i++) {
        model_link *link = &b->model->link_layouts[i];
        int given = b->link_source[i];
        int above = b->joint_above[given];
        int child = b->first_child[given], sibling = b->next_sibling[given];
        link->parent = above < 0 ? -1 : b->link_place[b->parent_link[above]];
        link->first_child = child < 0 ? -1 : b->link_place[child];
        link->next_sibling = sibling < 0 ? -1 : b->link_place[sibling];
    }
}

/* Replaces the tables' names and indices, which were the source's, by the model's. */
static void rename_tables(builder *b)
{
    lb_model *model = b->model;
    for (int i = 0; i < model->link_names.count; i++) {
        name_leaf *leaf = &model->link_names.leaves[i];
        leaf->index = b->link_place[leaf->index];
        leaf->name = model->links[leaf->index].name;
    }
    for (int i = 0; i < model->joint_names.count; i++) {
        name_leaf *leaf = &model->joint_names.leaves[i];
        leaf->index = b->link_place[b->child_link[leaf->index]] - 1;
        leaf->name = model->joints[leaf->index].name;
    }
}

void copy_source(builder *b)
{
    char *text = b->model->text;
    b->model->name = memory_copy_text(&text, b->source->name ? b->source->name : "");
    b->model->root = rigid_exact(b->source->root);
    copy_links(b, &text);
    copy_joints(b, &text);
    loop_copy_all(b, &text);
    copy_tree(b);
    rename_tables(b);
}
