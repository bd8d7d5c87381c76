/*
 * jacobian.h - the Jacobian of a link's origin (Eq. 5.15-5.17), and what its singular values say.
 */
#ifndef CLI_OUTPUT_JACOBIAN_H
#define CLI_OUTPUT_JACOBIAN_H

#include "cli/output/rows.h"

#include <limber/kinematics.h>
#include <stdio.h>

/*
 * Of `link` against `base` (a link or LB_WORLD) in the state's configuration, along the base's
 * axes: rows vx vy vz wx wy wz, a column for each velocity that moves the link. For people with
 * rank, condition and manipulability; rows of "row,joint..."; or one JSON object.
 */
void jacobian_print(const lb_state *state, int base, int link, FILE *stream);
void jacobian_write_rows(const lb_state *state, int base, int link, row *fields);
void jacobian_write_json(const lb_state *state, int base, int link, FILE *stream);

#endif
