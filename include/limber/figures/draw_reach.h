/*
 * draw_reach.h - figures of maps of a tool's reach: slices, and shells cut open.
 *
 * The map's numbers are the caller's, so they may come from a file as well as from reach_map.h.
 *
 * Experimental: may change in 0.2. Link with limber_figures for this header.
 */
#ifndef LIMBER_FIGURES_DRAW_REACH_H
#define LIMBER_FIGURES_DRAW_REACH_H

#include <limber/reach_map.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The part of a map that is drawn. */
typedef enum lb_reach_view {
    LB_REACH_SLICES, /* Two slices: upright through the middle cell, and level at its height. */
    LB_REACH_SLICE,  /* One slice across an axis. */
    LB_REACH_SHELL   /* Cells from a value on as a body in space, with a quarter cut out. */
} lb_reach_view;

/* Start from lb_reach_drawing_default(), and give grid and values. */
typedef struct lb_reach_drawing {
    lb_reach_grid grid; /* The places of the cells. */
    /* A number >= 0 for each cell, in the order of lb_reach_map_center: its colour. NaN: nothing
       is reached, white. Negative: not known, grey. */
    const double *values;
    /* Meaning of the numbers, beside the scale of colours. Absent: not said (the default). */
    const char *quantity;
    bool share; /* Whether the numbers are shares of 1, written in per cent. Default: false. */
    const char *title;  /* Title above the figure. Absent: none (the default). */
    lb_reach_view view; /* The part of the map that is drawn. Default: slices. */
    int axis;           /* Axis of a slice: 0, 1, 2 are x, y, z. Default: 0. */
    /* Place of a slice along its axis, metres from the base; the nearest layer is drawn.
       Default: 0. */
    double at;
    double least; /* Least number that belongs to a shell. Default: 0. */
    /* Viewing direction of a shell, radians, as in lb_drawing. NaN: from the front (the
       default). */
    double azimuth, elevation;
} lb_reach_drawing;

lb_reach_drawing lb_reach_drawing_default(void);

/*
 * Draws a map to a file that ends in .svg, .png or .pdf. Slices have axes in metres from the base
 * (of an inverse map from the tool), a cross at the base, and lines at a quarter, half and three
 * quarters of the scale's top. A PNG has two pixels a point. Fails as lb_draw does, and for a slice
 * outside of the map.
 */
lb_status lb_draw_reach(const lb_reach_drawing *drawing, const char *path, lb_error *error);

#ifdef __cplusplus
}
#endif

#endif
