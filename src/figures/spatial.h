/*
 * spatial.h - a view of solids on the ground, in one rectangle of a page or in several.
 */
#ifndef FIGURES_SPATIAL_H
#define FIGURES_SPATIAL_H

#include "figures/drawing.h"
#include "figures/solid.h"

/* ---- scene -------------------------------------------------------------- */

/* Poses of a linkage as solids. */

/* Solids in a growing list; start from {0} and free `at` in the end. */
typedef struct scene {
    solid *at;
    int count, room;
    bool out_of_memory; /* sticks: the code that fills the list need not look each time */
} scene;

void scene_add(scene *list, solid body);
/* The height of the lowest point, INFINITY when there is nothing. */
double scene_lowest(const scene *list, const solid_ground *slope);
/* Adds what there is to see of a pose: visuals where the file has shapes, else bones and joints. */
void scene_add_pose(scene *list, const drawing *d, int pose);
/* Adds what stands around. */
void scene_add_obstacles(scene *list, const drawing *d);
/* Where poses reach below a figure's base: what carries it, down to the ground. */
void scene_add_pedestal(scene *list, const drawing *d, double ground);

typedef struct spatial {
    const drawing *drawing;
    camera view;
    solid_ground ground; /* under the lowest solid */
    double step;         /* of the grid on it */
} spatial;

/*
 * Looks from the drawing's place at all solids and the drawing's targets, so that they
 * fill the rectangle; adds the pedestal. To show the same in another rectangle of the same
 * size, move view.middle. False when there is no memory.
 */
bool spatial_frame(spatial *s, const drawing *d, scene *list, figure_rect rect);
/* The same above ground with a normal of any length, {0, 0, 0}: level. */
bool spatial_frame_above(spatial *s, const drawing *d, lb_vec3 ground_normal, scene *list,
                         figure_rect rect);

void spatial_draw_ground(const spatial *s);
/* Solids with their shadow, from back to front; faded 0 in full, 1 as paper. */
void spatial_paint(const spatial *s, const solid *solids, int n, double faded);

#endif
