/*
 * methods.h - the steps of all methods, and what they refuse; one file each.
 */
#ifndef IK_METHODS_H
#define IK_METHODS_H

#include "ik/method.h"

ik_step ik_analytic_step, ik_inverse_step, ik_pseudoinverse_step, ik_damped_step;
ik_step ik_selective_step, ik_alternative_step, ik_transpose_step;
ik_step ik_ccd_step, ik_ranked_step, ik_fabrik_step;

ik_check ik_analytic_check, ik_inverse_check;

#endif
