/*
 * factors.h - a link's transform as the product of its arcs: T0 T1 R1 T2 R2 ... (Eq. 5.4-5.5).
 */
#ifndef CLI_OUTPUT_FACTORS_H
#define CLI_OUTPUT_FACTORS_H

#include <limber/kinematics.h>

/*
 * Writes every arc from `base` (LB_WORLD, or a link between the root and `link`) to `link`, in the
 * order of the product: its constant placement T and, unless its joint is fixed, what the joint
 * does in the state's configuration, R. The last row is the product. False after a complaint, as
 * where base does not lie above the link.
 */
bool factors_write(const lb_state *state, int base, int link);

#endif
