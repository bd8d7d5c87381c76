/*
 * scene.h - poses of a linkage as solids.
 */
#ifndef FIGURES_SCENE_H
#define FIGURES_SCENE_H

#include "figures/drawing.h"
#include "figures/solid.h"

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

#endif
