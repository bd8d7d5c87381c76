/*
 * plot.h - curves over a common axis, with a legend.
 */
#ifndef FIGURES_PLOT_H
#define FIGURES_PLOT_H

#include <limber/base.h>

/* A curve through n points; what is not finite, or not positive on a logarithmic axis, is a gap. */
typedef struct plot_curve {
    const char *label;
    const double *x, *y;
    int n;
} plot_curve;

typedef struct plot {
    const plot_curve *curves;
    int count;
    const char *title, *x, *y; /* NULL: none */
    bool log_x, log_y;
    double width, height; /* points; 0: 720 x 480 */
    double density;       /* pixels a point of a PNG; 0: 2 */
} plot;

/* Draws it; ranges are those of the data. Fails as figure_open and figure_close do. */
lb_status plot_draw(const plot *what, const char *path, lb_error *error);

#endif
