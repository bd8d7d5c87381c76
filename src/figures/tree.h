/*
 * tree.h - trees of nodes and arcs, as a textbook draws them or as a compact table.
 *
 * A small tree grows downwards, with its labels at nodes and arcs. A larger one grows
 * to the right, each first child in the row of its parent. One that would not fit a
 * page so, a robot of a hundred links, becomes a list in columns.
 */
#ifndef FIGURES_TREE_H
#define FIGURES_TREE_H

#include <limber/base.h>

/* What an arc does, drawn as a small sign on it. */
typedef enum tree_sign {
    TREE_PLAIN, /* nothing: a rigid joint, or one that is not known */
    TREE_TURN,  /* a ring: turns about an axis */
    TREE_SLIDE, /* a square: slides */
    TREE_BALL,  /* a disc: turns about several axes */
    TREE_PLANE  /* a filled square: slides in a plane and turns in it */
} tree_sign;

/* Nodes come depth first: each right after its parent, or after all below its elder sibling. */
typedef struct tree_node {
    int parent;       /* -1: the root, which is the first */
    const char *name; /* in the node */
    const char *arc;  /* at the arc that leads to it; NULL: nothing */
    tree_sign sign;
} tree_node;

typedef struct tree {
    const tree_node *nodes;
    int count;         /* >= 1 */
    bool formulas;     /* names and arcs are formulas as in figure.h, else plain text */
    bool marked;       /* arcs have signs, and a legend that explains them */
    const char *title; /* NULL: none */
} tree;

/* Draws it; the page is as large as the tree. Fails as figure_open and figure_close do. */
lb_status tree_draw(const tree *what, const char *path, lb_error *error);

#endif
