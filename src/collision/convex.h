/*
 * convex.h - a convex shape as what distances need of it: a core and a ball.
 *
 * The shape is the Minkowski sum of its core and a ball: a sphere is a point and a ball, a capsule
 * a segment and a ball; boxes, cylinders and hulls are cores alone. Distances of shapes are those
 * of cores less the balls' radii, outside and inside alike. The core is centred at its frame's
 * origin and given by its support mapping: the farthest point in a direction.
 */
#ifndef COLLISION_CONVEX_H
#define COLLISION_CONVEX_H

#include <limber/collision.h>

typedef enum convex_core {
    CORE_POINT,
    CORE_SEGMENT, /* along z */
    CORE_BOX,
    CORE_CYLINDER, /* about z */
    CORE_HULL
} convex_core;

typedef struct convex {
    convex_core core;
    lb_vec3 half;  /* box: half edges; z: half length of a segment or cylinder; x: its radius */
    double radius; /* of the ball */
    double bound;  /* of a ball about the origin that has the core in it */
    const lb_vec3 *points; /* hull: (points[i] - center) * scale, by coordinates */
    lb_vec3 center, scale;
    int count;
} convex;

/* The core's farthest point in a direction of any length, in the core's frame. */
lb_vec3 convex_support(const convex *shape, lb_vec3 direction);

/*
 * The shape of a geometry, and T_frame_core, where the core's frame is in the one that the origin
 * is seen from. `mesh` is NULL where the geometry is none; its points are not copied.
 */
convex convex_from_geometry(const lb_geometry *geometry, const lb_mesh *mesh,
                            lb_transform *frame_core);

/* ---- the capsule that stands for a mesh -------------------------------- */

/* The numbers that a fit to `count` points works with. */
static inline size_t capsule_work(int count)
{
    return 6 * (size_t)count;
}

/*
 * The smallest capsule found around the points of a mesh as `given` scales and places it: a
 * geometry of that place. Every point is in it, to the last bit of its radius.
 */
lb_geometry capsule_around(const lb_geometry *given, const lb_mesh *mesh, double *work);

#endif
