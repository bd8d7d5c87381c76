/* chain.h - a model made of a test case's bytes, its numbers as extreme as a model's may be. */
#ifndef FUZZ_CHAIN_H
#define FUZZ_CHAIN_H

#include "fuzz.h"

#include <limber/collision.h>

/* NULL where it is refused. */
lb_model *fuzz_chain(fuzz_bytes *bytes);

/*
 * An arm of one to seven joints, one after the other, as degenerate as doubles allow: axes that
 * miss each other by 1e-16 to 1e-6 metres or radians, limits that leave one value or hardly more.
 */
lb_model *fuzz_arm(fuzz_bytes *bytes);

/*
 * A body that may move about, with one to three pairs of limbs, left_a and right_a and so on: each
 * the mirror image of the other in a plane at right angles to a world axis, but for some whose kind
 * or axes differ.
 */
lb_model *fuzz_limbs(fuzz_bytes *bytes);

/* Shapes of any sizes for some of a model's links, at most `most`; how many. */
int fuzz_shapes(fuzz_bytes *bytes, const lb_model *model, lb_link_shape *shapes, int most);

/* one of the two */
lb_model *fuzz_model(fuzz_bytes *bytes);

/* a place and a shape that a model may have; a mesh is called "m" */
lb_transform fuzz_place(fuzz_bytes *bytes);
lb_geometry fuzz_geometry(fuzz_bytes *bytes);

/* a configuration within the limits, or one with values that are any number, or none */
void fuzz_configuration(fuzz_bytes *bytes, const lb_model *model, double *q);

#endif
