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
 * Linear and angular directions in world axes. Joints that all turn about
 * one direction move a link in a plane across it, and along it only when one slides that way;
 * joints that only slide do so in the space of their axes. Everything else counts as able to do
 * all: what it cannot in one configuration it can in another.
 */
typedef struct freedom {
    span linear, angular;
    int joints;     /* between the links that are not locked; those that mimic one another once */
    int velocities; /* of these */
} freedom;

/* Of `tip` against `base`, both links or LB_WORLD, by the joints between them. */
freedom freedom_find(const lb_state *state, int base, int tip);

#endif
