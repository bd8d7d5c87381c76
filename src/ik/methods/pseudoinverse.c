/*
 * pseudoinverse.c - the shortest of all steps that satisfy J x = V: x = J^+ V.
 *
 * J^+ = J^T (J J^T)^-1 for more joints than rows, (J^T J)^-1 J^T for fewer, by LU (Eq. 5.20-5.23).
 * ik_linear_step adds the control term (J^+ J - 1) z of Eq. 5.28. Near a singularity the steps get
 * long; the step limit shortens them.
 */
#include "ik/iteration.h"

lb_reason ik_pseudoinverse_step(ik_iteration *it)
{
    return ik_linear_step(it, ik_linear_shortest);
}
