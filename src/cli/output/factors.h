/*
 * factors.h - a link's transform as the product of its arcs: T0 T1 R1 T2 R2 ... (Eq. 5.4-5.5).
 */
#ifndef CLI_OUTPUT_FACTORS_H
#define CLI_OUTPUT_FACTORS_H

#include "cli/output/rows.h"

#include <limber/kinematics.h>
#include <stdio.h>

/*
 * Every arc from `base` (LB_WORLD, or a link between the root and `link`) to `link`, in the order
 * of the product: its constant placement T and, unless its joint is fixed, what the joint does
 * in the state's configuration, R. The last row is the product. Prints an error and
 * returns false when base does not lie above the link.
 */
bool factors_check(const lb_model *model, int base, int link);

/* Matrices for people, side by side; rows of "factor,joint,m11..m34"; or one JSON object. */
void factors_print(const lb_state *state, int base, int link, FILE *stream);
void factors_write_rows(const lb_state *state, int base, int link, row *fields);
void factors_write_json(const lb_state *state, int base, int link, FILE *stream);

#endif
