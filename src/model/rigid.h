/* rigid.h - transforms as given, with the rounding of six decimals, checked and made exact. */
#ifndef MODEL_RIGID_H
#define MODEL_RIGID_H

#include <limber/math.h>

/* Whether axes are orthonormal and right-handed but for rounding, and every number is finite. */
bool rigid_is(const lb_transform *transform);

/* A direction of any length but zero, of length 1; one that is so to rounding is kept. */
lb_vec3 rigid_exact_direction(lb_vec3 direction);

/* Gram-Schmidt, starting with x; one that is orthonormal to rounding is kept. */
lb_transform rigid_exact(lb_transform transform);

/* Errors of a few rounded operations: correcting them improves nothing. */
extern const double rigid_rounding;

#endif
