/*
 * pair.h - the distance of two shapes that have their places.
 */
#ifndef COLLISION_PAIR_H
#define COLLISION_PAIR_H

#include "collision/convex.h"

/*
 * In parts of the shapes' size, how much farther or deeper a distance may be said than it is: cores
 * within 1e-14 of each other touch (gjk.c), depths end with a gap of 1e-11, those of curved shapes
 * within 1e-5 (epa.c). Bounds that exclude a pair leave so much room.
 */
#define BOUND_ROOM 1e-5

/* A shape where it is. */
typedef struct placed {
    const convex *shape;
    lb_transform frame; /* from the frame that results are returned in */
    lb_vec3 half_axis;  /* of a segment, in that frame: from its middle to an end; else zero */
} placed;

placed place_shape(const convex *shape, const lb_transform *frame);

/*
 * Fills distance, points and normal of *nearest; false: the distance is above `bound`, or is not a
 * number, and they may be unset.
 */
bool pair_measure(const placed *a, const placed *b, double bound, lb_proximity *nearest);

/* Whether the distance is more than `margin` >= 0; false where it is not a number. */
bool pair_is_apart(const placed *a, const placed *b, double margin);

#endif
