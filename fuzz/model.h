/* model.h - what every model that a harness has loaded must stand. */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include <limber/model.h>

/* Writes it as JSON and reads that back, computes its kinematics; releases it. NULL is accepted. */
void fuzz_use_model(lb_model *model);

#endif
