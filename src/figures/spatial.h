/*
 * spatial.h - a view of solids on the ground, in one rectangle of a page or in several.
 */
#ifndef FIGURES_SPATIAL_H
#define FIGURES_SPATIAL_H

#include "figures/scene.h"

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
/* Solids with their shadow, from back to front; faded 0 in full, 1 as paper. False: no memory. */
bool spatial_paint(const spatial *s, const solid *solids, int n, double faded);

#endif
