/*
 * planar.h - linkages in a plane with the signs of a textbook, in any panel.
 *
 * Links are tapered bars, hinges circles with a dot, slides blocks on a rail;
 * the base stands on hatched ground and tips hold a small gripper.
 */
#ifndef FIGURES_PLANAR_H
#define FIGURES_PLANAR_H

#include "figures/figure.h"
#include "figures/skeleton.h"

/*
 * The plane that all joints of a model work in: T_world_plane, seen from where
 * the world's axes run to the right and up, z toward the viewer. `links` are
 * T_world_link at rest. False when there is none.
 */
bool planar_find(const lb_model *model, const skeleton *bones, const lb_transform *links,
                 lb_transform *plane);

/* "x in m" where an axis of the plane is one of the world's, but for rounding; else NULL. */
const char *planar_axis_title(lb_vec3 axis);

/* One pose in one panel, which has equal scales. */
typedef struct planar {
    figure *page;
    figure_panel panel;
    lb_transform plane; /* T_world_plane: its x and y are the panel's */
    const lb_model *model;
    const skeleton *bones;
    const lb_transform *links; /* T_world_link of the pose */
    figure_color color;        /* of its bars */
    double faded;              /* 0: in full, 1: paper */
} planar;

/* Where a point of the world is on the page. */
figure_point planar_at(const planar *p, lb_vec3 point);
/* The stand under the root; draw it before the poses that share it. */
void planar_draw_base(const planar *p);
void planar_draw_pose(const planar *p);

#endif
