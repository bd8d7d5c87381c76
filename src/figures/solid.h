/*
 * solid.h - simple shaded bodies in space, drawn as a book would draw them.
 *
 * Balls, tapered rods and boxes are projected by a camera, ordered
 * from back to front and painted as smooth shapes: each has its exact outline
 * and a gradient, not facets. They are few and large, so that the vector formats
 * stay small.
 *
 * The order is decided pair by pair where two bodies overlap on the page, by
 * comparing how near they are there; bodies that pass through each other have
 * no right order and take the better one on average.
 */
#ifndef FIGURES_SOLID_H
#define FIGURES_SOLID_H

#include "figures/figure.h"

#include <limber/math.h>

/* ---- camera ------------------------------------------------------------- */

/* Looks at `center` along -toward from `distance` away: a mild perspective. */
typedef struct camera {
    lb_vec3 right, up, toward; /* of the page, in the world; toward the viewer */
    lb_vec3 center;
    double distance;
    double scale;        /* points per metre at the centre's depth */
    figure_point middle; /* where the centre is on the page */
} camera;

/* The viewer stands at `azimuth` about z from x, and `elevation` above the horizon. */
camera camera_make(double azimuth, double elevation);
/* Chooses centre, distance and scale so that the balls (center, radius) fill the rectangle. */
void camera_frame(camera *view, const lb_vec3 *centers, const double *radii, int n,
                  figure_rect rect);
/* The radius of the scene that was framed, metres. */
double camera_radius(const camera *view);
/* The point on the page; *depth (may be NULL) grows toward the viewer. */
figure_point camera_project(const camera *view, lb_vec3 point, double *depth);
/* Points per metre at a point in space. */
double camera_scale_at(const camera *view, lb_vec3 point);
/* The unit vector from a point to the viewer's eye. */
lb_vec3 camera_direction(const camera *view, lb_vec3 point);

/* ---- solids ------------------------------------------------------------- */

typedef enum solid_kind {
    SOLID_BALL, /* about a, radius_a */
    SOLID_ROD,  /* from a to b, tapered; its ends are balls or, where flat, discs */
    SOLID_BOX   /* frame, size: full edge lengths */
} solid_kind;

typedef struct solid {
    solid_kind kind;
    lb_vec3 a, b;
    double radius_a, radius_b;
    bool flat_a, flat_b;
    lb_transform frame;
    lb_vec3 size;
    figure_color color;
    figure_color cap; /* of a rod's flat ends; all zero: as `color` */
} solid;

/* Balls that together enclose a solid, at most 8; returns how many. */
enum { solid_max_balls = 8 };
int solid_balls(const solid *body, lb_vec3 centers[solid_max_balls], double radii[solid_max_balls]);

/* The plane that solids are above: its height at x = y = 0, and its rise per metre of x and y. */
typedef struct solid_ground {
    double height, along_x, along_y;
} solid_ground;

/* The point of the plane that is straight above or below another one. */
lb_vec3 solid_on_ground(const solid_ground *ground, lb_vec3 p);

/* The height of its lowest point; of the plane of a slope that it touches from above. */
double solid_lowest(const solid *body, const solid_ground *slope);

/*
 * How near the solid is under a page point: true, and the depth in metres along
 * camera.toward, where the point lies on it.
 */
bool solid_depth(const solid *body, const camera *view, figure_point at, double *depth);

/*
 * The order from back to front: fills order[n] with indices. Returns false when
 * there is no memory.
 */
bool solid_order(const solid *bodies, int n, const camera *view, int *order);

/* Paints one solid; faded 0 in full colour, 1 as paper. */
void solid_paint(figure *page, const solid *body, const camera *view, double faded);

/*
 * The soft shadow of solids on the ground, the light straight above; strength in 0..1.
 */
void solid_shadow(figure *page, const solid *bodies, int n, const camera *view,
                  const solid_ground *ground, double strength);

#endif
