/*
 * cli/solver.h - the options that say how inverse kinematics is done.
 */
#ifndef CLI_SOLVER_H
#define CLI_SOLVER_H

#include <limber/ik.h>

#include "cli/command.h"

/* --method, the tolerances, --iterations, --protocol, --seed and the methods' parameters */
extern const struct poptOption solver_options[];

/* What those options say; complains and answers false when one of them is wrong. */
bool solver_given(lb_ik_options *options);

#endif
