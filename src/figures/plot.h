/*
 * plot.h - curves over a common axis, in one panel or several, with a legend.
 */
#ifndef FIGURES_PLOT_H
#define FIGURES_PLOT_H

#include "figures/figure.h"

/* What distinguishes a curve, with colours and without. */
typedef struct plot_look {
    figure_color color;
    double dashes[4]; /* as of figure_style; zeros: a full line */
    figure_mark mark; /* at some of its points */
} plot_look;

/* A curve through n points; what is not finite, or not positive on a logarithmic axis, is a gap. */
typedef struct plot_curve {
    const char *label;
    const double *x, *y;
    int n;
    plot_look look;
} plot_curve;

/* One panel: its curves, and a horizontal line where there is something to arrive at. */
typedef struct plot_panel {
    const plot_curve *curves;
    const char *y;    /* the axis; NULL: none */
    double line;      /* on the y axis */
    const char *name; /* of the line, written on it; NULL: there is no line */
} plot_panel;

/* Panels beside each other, all with the same number of curves under one legend. */
typedef struct plot {
    const plot_panel *panels;
    int panel_count;       /* >= 1 */
    int count;             /* of each panel's curves */
    const char *title, *x; /* NULL: none */
    bool log_x, log_y;
} plot;

/* Draws it; ranges are those of the data and of the lines. Fails as figure_open and figure_close
 * do. */
lb_status plot_draw(const plot *what, const char *path, lb_error *error);

#endif
