/*
 * solver.h - the options that say how inverse kinematics is done.
 */
#ifndef CLI_OPTIONS_SOLVER_H
#define CLI_OPTIONS_SOLVER_H

#include <limber/ik.h>

#include "cli/command.h"

/* the tolerances, --iterations, --protocol, --seed, --width and the methods' parameters */
extern const struct poptOption tuning_options[];
/* --method and those */
extern const struct poptOption solver_options[];

/* what --method chooses from */
extern const choice_list method_choices;

/* What they say; the arrays are what `options` points to. Release with solver_release. */
typedef struct solver_choice {
    lb_ik_options options;
    double *gains, *desired; /* NULL: not given */
} solver_choice;

/*
 * What those options say, and where --width is not given the environment variable
 * LIMBER_WIDTH; prints an error and returns false when one of them is wrong.
 */
bool solver_given(const lb_model *model, solver_choice *choice);
/* The same for those without --method: changes what is given, and leaves the rest as it is. */
bool tuning_given(const lb_model *model, solver_choice *choice);
/* Accepts one of all zeros. */
void solver_release(solver_choice *choice);

/* ---- the methods' parameters: parameters.c ------------------------------ */

extern const struct poptOption parameter_options[];
bool parameters_given(const lb_model *model, solver_choice *choice);
/* Prints an error and returns false when one of a table is given that has no effect on the method.
 */
bool parameters_apply(const struct poptOption *table, const lb_method *method);

#endif
