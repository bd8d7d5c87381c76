/*
 * drawing.h - a figure of a linkage in the making; for the files of lb_draw alone.
 */
#ifndef FIGURES_DRAWING_H
#define FIGURES_DRAWING_H

#include "figures/figure.h"
#include "figures/skeleton.h"

#include <limber/figures/draw.h>

/* What every part of a drawing works on. */
typedef struct drawing {
    const lb_model *model;
    const lb_drawing *what;
    const lb_drawing_pose *poses; /* what->poses, or the neutral one where it has none */
    int pose_count;
    double *neutral;      /* nq, for a figure without poses */
    lb_drawing_pose rest; /* its pose */
    skeleton bones;
    bool mounted;              /* the root stands on a base: nothing hangs below it at rest */
    bool in_space;             /* drawn so; else all joints work in one plane and that is drawn */
    double azimuth, elevation; /* of the viewer in space */
    lb_transform plane;        /* T_world_plane of a planar model, z its normal toward the viewer */
    bool shaped;               /* the model brings shapes that can be drawn */
    lb_state *state;
    figure *page;
    figure_rect room; /* what title and legend leave of the page */
} drawing;

/*
 * Checks what is to be drawn and measures the model; no page yet. The drawing must not
 * move afterwards. Release with drawing_stop, also after a failure.
 */
lb_status drawing_start(drawing *d, const lb_model *model, const lb_drawing *what, lb_error *error);
void drawing_stop(drawing *d);

/*
 * The colour a pose is known by: every label has one, the strong before the faint; poses without
 * share the first.
 */
figure_color drawing_color(const drawing *d, int pose);
/* The first pose that has the same label as this one, as strong; itself without a label. */
int drawing_first(const drawing *d, int pose);
/*
 * True for a pose that is drawn in the colours of its own shapes: the only one in
 * full. Others are tinted with theirs.
 */
bool drawing_is_natural(const drawing *d, int pose);
/* How far towards paper a pose is faded: 0 drawn in full. */
double drawing_fade(const drawing *d, int pose);

/* The poses from faint to strong, equals as given: fills order[pose_count]. */
void drawing_order(const drawing *d, int *order);

/*
 * The path of each tip through three poses or more, a dashed line; with fewer
 * nothing. `place` says where a point of the world is on the page.
 */
typedef figure_point drawing_place(const void *view, lb_vec3 point);
void drawing_paths(const drawing *d, drawing_place *place, const void *view);

/* Whether an obstacle is drawn: it is not far larger than the model, as a floor is. */
bool drawing_has_obstacle(const drawing *d, const lb_geometry *obstacle);
/* Its own colour, or that of what has none. */
figure_color drawing_scene_color(const lb_geometry *obstacle);

/* The drawing's distances, in space or in the plane; draw_distances.c. */
void drawing_distances(const drawing *d, drawing_place *place, const void *view);
/* Small text on paper, as links may be as dark as it: from `at`, which is beside its middle. */
void drawing_note(figure *page, figure_point at, const char *text, figure_color color);

/* Its velocity ellipsoids; draw_ellipsoids.c. */
void drawing_ellipsoids(const drawing *d, drawing_place *place, const void *view);
/* Where they end: their centres and ends of axes as drawn, 7 points each; returns how many. */
int drawing_ellipsoid_points(const drawing *d, int ellipsoid, lb_vec3 points[7]);

/* How large goals are, points. */
enum { drawing_target_size = 17 };

/* The two views. */
void drawing_planar(drawing *d);
void drawing_spatial(drawing *d);

/* ---- shades ------------------------------------------------------------- */

/* Colours that stand for a number from 0 to a top, and the bar that says so. */

/* light to dark, so that they differ in grey, too; `share` 0..1 */
figure_color shade_color(double share);

/* The numbers beside a bar of all colours. */
typedef struct shade_scale {
    double top;   /* what the darkest colour stands for, the last of the marks */
    double step;  /* from mark to mark */
    bool percent; /* they are shares of 1 */
} shade_scale;

void shade_bar(figure *page, figure_rect bar, shade_scale scale);

/* Marks for numbers up to `largest`: the top is the first that is no less. */
shade_scale shade_scale_for(double largest);

/* cells next to each other overlap by this, so that no paper shines through */
#define SHADE_OVERLAP 0.5

/* A layer of cells in shades. */
typedef struct shade_map {
    int columns, rows, steps;
    /* of `steps` shades, so that neighbours of nearly the same number are one shape; -1: a cell is
       not drawn, -2: it is grey */
    int (*step)(const void *map, int i, int j);
    figure_point (*point)(const void *map, double i, double j); /* of a place in cells */
    const void *map;
} shade_map;

void shade_cells(figure *page, const shade_map *map);

#endif
