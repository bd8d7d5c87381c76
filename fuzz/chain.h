/* chain.h - a model made of a test case's bytes, its numbers as extreme as a model's may be. */
#ifndef FUZZ_CHAIN_H
#define FUZZ_CHAIN_H

#include "fuzz.h"

#include <limber/model.h>

/* NULL where it is refused. */
lb_model *fuzz_chain(fuzz_bytes *bytes);

/*
 * An arm of one to seven joints, one after the other, as degenerate as doubles allow: axes that
 * miss each other by 1e-16 to 1e-6 metres or radians, limits that leave one value or hardly more.
 */
lb_model *fuzz_arm(fuzz_bytes *bytes);

#endif
