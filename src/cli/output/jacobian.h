/*
 * jacobian.h - the Jacobian of a link's origin (Eq. 5.15-5.17), and what its singular values say.
 */
#ifndef CLI_OUTPUT_JACOBIAN_H
#define CLI_OUTPUT_JACOBIAN_H

#include <limber/kinematics.h>

/*
 * Writes that of `link` against `base` (a link or LB_WORLD) in the state's configuration, along the
 * base's axes: rows vx vy vz wx wy wz, a column for each velocity that moves the link; in words
 * with rank, condition and manipulability. False after a complaint.
 */
bool jacobian_write(const lb_state *state, int base, int link);

#endif
