/*
 * epa.h - how deep two cores overlap.
 */
#ifndef COLLISION_EPA_H
#define COLLISION_EPA_H

#include "collision/minkowski.h"

/*
 * The depth of cores that overlap or touch, from a simplex of D that has the origin. A D that is
 * flat, a segment or a point has depth zero and a normal at right angles to it.
 */
void epa_measure(const minkowski *set, const simplex *touching, core_distance *result);

#endif
