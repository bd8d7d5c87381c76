/*
 * jacobian.h - the Jacobian of a link's origin (Eq. 5.15-5.17), and what its singular values say.
 */
#ifndef CLI_REPORT_JACOBIAN_H
#define CLI_REPORT_JACOBIAN_H

#include <limber/kinematics.h>

/*
 * Writes that of `link` against `base` (a link or LB_WORLD) in the state's configuration, along the
 * base's axes: rows vx vy vz wx wy wz, a column for each velocity that moves the link; in words
 * with rank, condition and manipulability. False after a complaint.
 */
bool jacobian_write(const lb_state *state, int base, int link);

/* ---- factors ---------------------------------------------------------- */

/*
 * Writes every arc from `base` (LB_WORLD, or a link between the root and `link`) to `link`, in the
 * order of the product: its constant placement T and, unless its joint is fixed, what the joint
 * does in the state's configuration, R. The last row is the product. False after a complaint, as
 * where base does not lie above the link.
 */
bool factors_write(const lb_state *state, int base, int link);

#endif
