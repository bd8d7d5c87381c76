/*
 * order.c - from arcs given by name in any order to one depth-first tree.
 *
 * Nothing recurses and nothing searches linearly: names are found in a table, children are in
 * lists, and the traversal goes to the first child, to the next sibling or back up.
 */
#include "base/error.h"
#include "base/suggest.h"
#include "model/build.h"

int builder_joint_source(const builder *b, int joint)
{
    return b->joint_above[b->link_source[joint + 1]];
}

int builder_line(const builder *b, int joint)
{
    return source_line(b->source, builder_joint_source(b, joint));
}

/* ---- names -------------------------------------------------------------- */

static lb_status enter_names(builder *b)
{
    const lb_model_source *source = b->source;
    for (int i = 0; i < source->link_count; i++)
        if (name_table_add(&b->model->link_names, source->links[i].name, i) >= 0)
            return lb_error_set(b->error, LB_BAD_MODEL, source_link_line(source, i),
                                "two links are named '%s'; give each a name of its own",
                                source->links[i].name);
    for (int i = 0; i < source->joint_count; i++)
        if (name_table_add(&b->model->joint_names, source->joints[i].name, i) >= 0)
            return lb_error_set(b->error, LB_BAD_MODEL, source_line(source, i),
                                "two joints are named '%s'; give each a name of its own",
                                source->joints[i].name);
    return LB_OK;
}

static lb_status refuse_unknown_link(builder *b, int joint, const char *role, const char *name)
{
    suggest nearest = suggest_start(name);
    for (int i = 0; i < b->source->link_count; i++)
        suggest_consider(&nearest, b->source->links[i].name);

    return lb_error_set(b->error, LB_BAD_MODEL, source_line(b->source, joint),
                        "joint '%s': no link is named '%s', its %s%s",
                        b->source->joints[joint].name, name, role, suggest_phrase(&nearest));
}

/* ---- the tree ----------------------------------------------------------- */

static lb_status connect_joint(builder *b, int joint)
{
    const lb_joint *given = &b->source->joints[joint];
    int parent = name_table_find(&b->model->link_names, given->parent);
    int child = name_table_find(&b->model->link_names, given->child);
    if (parent < 0)
        return refuse_unknown_link(b, joint, "parent", given->parent);
    if (child < 0)
        return refuse_unknown_link(b, joint, "child", given->child);

    if (b->joint_above[child] >= 0)
        return lb_error_set(b->error, LB_BAD_MODEL, source_line(b->source, joint),
                            "link '%s' has two parents, by joints '%s' and '%s'; a linkage is a "
                            "tree: close loops by a task instead",
                            given->child, b->source->joints[b->joint_above[child]].name,
                            given->name);
    b->joint_above[child] = joint;
    b->parent_link[joint] = parent;
    b->child_link[joint] = child;
    return LB_OK;
}

static lb_status connect_joints(builder *b)
{
    for (int i = 0; i < b->source->link_count; i++)
        b->joint_above[i] = b->first_child[i] = b->next_sibling[i] = -1;
    for (int i = 0; i < b->source->joint_count; i++)
        TRY(connect_joint(b, i));

    // from the last joint on, each put before the others, so that lists keep the source's order
    for (int i = b->source->joint_count - 1; i >= 0; i--) {
        b->next_sibling[b->child_link[i]] = b->first_child[b->parent_link[i]];
        b->first_child[b->parent_link[i]] = b->child_link[i];
    }
    return LB_OK;
}

/* Names a joint of the cycle that is somewhere above `link`. */
static lb_status refuse_cycle(builder *b, int link)
{
    // as many steps up as there are links lead into the cycle
    for (int i = 0; i < b->source->link_count; i++)
        link = b->parent_link[b->joint_above[link]];

    int joint = b->joint_above[link];
    return lb_error_set(b->error, LB_BAD_MODEL, source_line(b->source, joint),
                        "joint '%s' is part of a cycle: link '%s' would hang from itself",
                        b->source->joints[joint].name, b->source->links[link].name);
}

/* Finds the one link without a joint above it. */
static lb_status find_root(builder *b, int *root)
{
    *root = -1;
    for (int i = 0; i < b->source->link_count; i++) {
        if (b->joint_above[i] >= 0)
            continue;
        if (*root >= 0)
            return lb_error_set(b->error, LB_BAD_MODEL, source_link_line(b->source, i),
                                "several roots: links '%s' and '%s' both hang from no joint; join "
                                "them to one tree",
                                b->source->links[*root].name, b->source->links[i].name);
        *root = i;
    }
    return *root >= 0 ? LB_OK : refuse_cycle(b, 0);
}

/* The next link of the depth-first traversal, -1 at its end. */
static int walk_on(const builder *b, int link)
{
    if (b->first_child[link] >= 0)
        return b->first_child[link];
    while (b->next_sibling[link] < 0) {
        if (b->joint_above[link] < 0)
            return -1;
        link = b->parent_link[b->joint_above[link]];
    }
    return b->next_sibling[link];
}

static lb_status walk(builder *b, int root)
{
    for (int i = 0; i < b->source->link_count; i++)
        b->link_place[i] = -1;
    int count = 0;
    for (int link = root; link >= 0; link = walk_on(b, link)) {
        b->link_source[count] = link;
        b->link_place[link] = count++;
    }

    // links that the traversal from the root did not reach are in a cycle
    for (int i = 0; i < b->source->link_count; i++)
        if (b->link_place[i] < 0)
            return refuse_cycle(b, i);
    return LB_OK;
}

lb_status order_links(builder *b)
{
    int root = -1;
    TRY(enter_names(b));
    TRY(connect_joints(b));
    TRY(find_root(b, &root));
    return walk(b, root);
}
