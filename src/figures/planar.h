/*
 * planar.h - linkages in a plane with the signs of a textbook, in any panel.
 *
 * Links are tapered bars, hinges circles with a dot, slides blocks on a rail;
 * the base is on hatched ground and tips hold a small gripper. Where it is wanted,
 * links that have shapes of their own are the outlines of those instead.
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

/*
 * A shape as the plane sees it: the convex hull of points of the world, grown by a radius
 * where there are one or two of them. No points: a mesh, which is not drawn.
 */
enum { PLANAR_OUTLINE_POINTS = 64 };
typedef struct planar_outline {
    int count;
    double radius; /* metres; 0 with more than two points */
    lb_vec3 points[PLANAR_OUTLINE_POINTS];
} planar_outline;

/* The outline of a shape whose origin is seen from a frame at T_world_data. */
planar_outline planar_outline_of(const lb_geometry *shape, const lb_transform *data);

/* The piece of the plane that a picture shows, metres; begin with x0 > x1 and y0 > y1. */
typedef struct planar_bounds {
    double x0, x1, y0, y1;
} planar_bounds;
void planar_include(planar_bounds *b, const lb_transform *plane, lb_vec3 point);
/* All that the shapes of links at T_world_link cover. */
void planar_include_shapes(planar_bounds *b, const lb_model *model, const lb_transform *links,
                           const lb_transform *plane);

void planar_include_outline(planar_bounds *b, const lb_transform *plane, const planar_outline *o);

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
    bool shaped;               /* links with shapes of their own are drawn by them */
    double tint;               /* how far the shapes' colours go towards the pose's */
} planar;

/* Where a point of the world is on the page. */
figure_point planar_at(const planar *p, lb_vec3 point);
void planar_draw_outline(const planar *p, const planar_outline *o, figure_style style);
/* The stand under the root, unless that has a shape of its own; draw it before the poses that share
 * it. */
void planar_draw_base(const planar *p);
void planar_draw_pose(const planar *p);

#endif
