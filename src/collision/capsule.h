/*
 * capsule.h - the capsule that stands for a mesh.
 */
#ifndef COLLISION_CAPSULE_H
#define COLLISION_CAPSULE_H

#include <limber/collision.h>

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
