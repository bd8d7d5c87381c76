/*
 * tree_layout.h - where the nodes of a tree stand; for the files of tree_draw alone.
 */
#ifndef FIGURES_TREE_LAYOUT_H
#define FIGURES_TREE_LAYOUT_H

#include "figures/figure.h"
#include "figures/tree.h"

#include <math.h>

typedef enum tree_form {
    TREE_DOWNWARDS,  /* boxes, the root on top */
    TREE_RIGHTWARDS, /* boxes, the root at the left */
    TREE_LIST        /* a line for each node, indented where branches begin */
} tree_form;

typedef struct tree_place {
    double x, y;                      /* middle of the box, or of the sign in a list */
    double width;                     /* of the box */
    double arc_width;                 /* of the arc's text */
    int depth, first, last, children; /* of the children, -1: none */
} tree_place;

typedef struct tree_layout {
    const tree *what;
    figure *page; /* first a small one, to measure text with */
    tree_form form;
    tree_place *places;
    double *columns;      /* where each begins: of each depth, or of a list */
    int depths;           /* how many levels there are */
    int rows;             /* of a list: in each column */
    double width, height; /* of the tree */
} tree_layout;

/* text as it is, or a formula */
double tree_text_width(const tree_layout *l, const char *text, figure_font font);
void tree_draw_text(const tree_layout *l, figure_point at, const char *text, figure_font font);
void tree_draw_sign(figure *page, figure_point at, tree_sign sign);

/* ---- lists: tree_list.c ------------------------------------------------- */

/* Children are known; sets places, columns, rows and the size. */
void tree_list_place(tree_layout *l);
void tree_list_draw(const tree_layout *l, double left, double top);

#endif
