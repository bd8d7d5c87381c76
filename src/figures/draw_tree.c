/*
 * draw_tree.c - lb_draw_tree: a model's links and joints as nodes and arcs.
 */
#include "base/error.h"
#include "figures/tree.h"

#include <limber/figures/draw.h>

#include <stdlib.h>

static tree_sign sign_of(lb_joint_kind kind)
{
    switch (kind) {
    case LB_JOINT_REVOLUTE:
    case LB_JOINT_CONTINUOUS:
        return TREE_TURN;
    case LB_JOINT_PRISMATIC:
        return TREE_SLIDE;
    case LB_JOINT_PLANAR:
        return TREE_PLANE;
    case LB_JOINT_UNIVERSAL:
    case LB_JOINT_BALL:
    case LB_JOINT_FLOATING:
        return TREE_BALL;
    case LB_JOINT_FIXED:
    case LB_JOINT_KIND_COUNT:
        break;
    }
    return TREE_PLAIN;
}

lb_status lb_draw_tree(const lb_model *model, const char *title, const char *path, lb_error *error)
{
    TRY(REQUIRE(error, {model, "model"}, {path, "path"}));
    int count = lb_model_link_count(model);
    tree_node *nodes = calloc((size_t)count, sizeof *nodes);
    if (!nodes)
        return lb_error_set(error, LB_OUT_OF_MEMORY, 0, "no memory to draw '%s'",
                            lb_model_name(model));
    for (int i = 0; i < count; i++) {
        nodes[i].parent = lb_model_parent(model, i);
        nodes[i].name = lb_model_link(model, i)->name;
        if (i == 0)
            continue;
        nodes[i].arc = lb_model_joint(model, i - 1)->name;
        nodes[i].sign = sign_of(lb_model_joint(model, i - 1)->kind);
    }
    tree what = {.nodes = nodes, .count = count, .marked = true, .title = title};
    lb_status status = tree_draw(&what, path, error);
    free(nodes);
    return status;
}
