/*
 * draw_reach.h - figures of maps of what a tool reaches: slices, and shells cut open.
 *
 * The map's numbers are the caller's, so that it may come from a file as well as from reach_map.h.
 *
 * Link with limber_figures for this header.
 */
#ifndef LIMBER_FIGURES_DRAW_REACH_H
#define LIMBER_FIGURES_DRAW_REACH_H

#include <limber/reach_map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What of a map is drawn. */
typedef enum lb_reach_view {
    LB_REACH_SLICES, /* two: upright through the middle cell, and level at its height */
    LB_REACH_SLICE,  /* one, across an axis */
    LB_REACH_SHELL   /* cells from a value on as a body in space, a quarter of it cut out */
} lb_reach_view;

/* Start from lb_reach_drawing_default(), and give grid and values. */
typedef struct lb_reach_drawing {
    lb_reach_grid grid;
    /*
     * A number >= 0 for each cell, in the order of lb_reach_map_center: its colour. NAN where
     * nothing is reached, which is left white; negative where it is not known, which is grey.
     */
    const double *values;
    const char *quantity; /* what the numbers are, beside the scale of colours; NULL: nothing */
    bool share;           /* they are shares of 1, written in per cent */
    const char *title;    /* above the figure, NULL: none */
    lb_reach_view view;   /* slices */
    int axis;             /* of a slice: 0, 1, 2 are x, y, z */
    double at;            /* metres along it, from the base; the nearest layer of cells is drawn */
    double least;         /* of a shell: the least number that belongs to it, 0 */
    /* radians, of a shell: where it is seen from, as in lb_drawing; NAN: from the front */
    double azimuth, elevation;
} lb_reach_drawing;

lb_reach_drawing lb_reach_drawing_default(void);

/*
 * Draws a map to a file that ends in .svg, .png or .pdf. Slices have axes in metres from the base
 * (of an inverse map from the tool), a cross where that is, and lines where the number is a
 * quarter, half and three quarters of the scale's top. A PNG has two pixels a point. Fails as
 * lb_draw does, and where a slice is outside of the map.
 */
lb_status lb_draw_reach(const lb_reach_drawing *drawing, const char *path, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
