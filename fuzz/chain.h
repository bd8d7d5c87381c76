/* chain.h - a model made of a test case's bytes, its numbers as extreme as a model's may be. */
#ifndef FUZZ_CHAIN_H
#define FUZZ_CHAIN_H

#include "fuzz.h"

#include <limber/model.h>

/* NULL where it is refused. */
lb_model *fuzz_chain(fuzz_bytes *bytes);

#endif
