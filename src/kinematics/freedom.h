/*
 * freedom.h - the directions in which joints can move a link at all, in any configuration.
 */
#ifndef KINEMATICS_FREEDOM_H
#define KINEMATICS_FREEDOM_H

#include <limber/kinematics.h>

/* A space of vectors, and an orthonormal basis of it. */
typedef struct span {
    int count;
    lb_vec3 axes[3];
} span;

/* Adds a direction of any length, at most 1, unless the span has it. */
void span_add(span *s, lb_vec3 direction);

/*
 * Linear and angular directions, in world axes unless said otherwise. Joints that all rotate about
 * one direction move a link in a plane perpendicular to it, and along it only when one slides that
 * way; joints that only slide do so in the space of their axes. Everything else counts as able to
 * do all: what it cannot in one configuration it can in another.
 */
typedef struct freedom {
    span linear, angular;
    int joints;     /* between the links that are not locked; those that mimic one another once */
    int velocities; /* of these */
} freedom;

/* Of `tip` against `base`, both links or LB_WORLD, by the joints between them. */
freedom freedom_find(const lb_state *state, int base, int tip);

/*
 * For joints that no state holds: once the axes of all revolute joints are in `angular` and those
 * of all prismatic ones in `linear`, completes `linear` by where rotations lead.
 */
void freedom_complete(freedom *f);

/*
 * Whether the motion stays in one plane: translations perpendicular to `normal` (unit) and
 * rotations about it. Of translations along one line any perpendicular is a normal; false when
 * nothing moves.
 */
bool freedom_is_planar(const freedom *f, lb_vec3 *normal);

#endif
