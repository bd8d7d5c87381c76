/*
 * damped.c - damped least squares: x = J^T (J J^T + lambda^2 1)^-1 V.
 *
 * Eq. 5.24; Wampler, "Manipulator inverse kinematic solutions based on vector formulations and
 * damped least-squares methods", IEEE Trans. SMC 16 (1986). This is the textbook's step, of one
 * problem, with a control term and a lambda that is nonzero only near singularities. The same
 * equations are solved in two other places, for speed: kernel/step.inl has many problems at once
 * and limits inside the step, kernel/body_sweep.inl a whole tree without a Jacobian.
 */
#include "ik/iteration.h"

/*
 * lambda^2 = lambda0^2 (1 - (s / lambda0)^2) for a least singular value s below lambda0, else
 * 0: Maciejewski & Klein, "Numerical filtering for the operation of robotic
 * manipulators through kinematically singular configurations", J. Robotic Systems 5 (1988).
 */
static double adapted(ik_linear *linear, double lambda)
{
    int k = ik_linear_decompose(linear);
    double s = k > 0 ? linear->values[k - 1] : 0;
    return s < lambda ? sqrt((lambda - s) * (lambda + s)) : 0;
}

lb_reason ik_damped_solve(const ik_iteration *it, ik_linear *linear)
{
    double lambda = it->control->damping;
    if (lambda == 0)
        lambda = sqrt(KERNEL_DAMPING_SHARE * it->error2);
    if (it->options->damped.adaptive)
        lambda = adapted(linear, lambda);
    ik_linear_damped(linear, lambda, linear->velocity, linear->solution);
    return LB_REASON_NONE;
}
