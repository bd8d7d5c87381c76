/*
 * alternative.c - the pseudoinverse of a Jacobian formed with the target in the tip's place.
 *
 * The "alternative Jacobian" of Parent 2012, chapter 5: it pulls the target to the end effector
 * instead of pushing the end effector to the target. The two Jacobians agree where target and tip
 * do.
 */
#include "ik/iteration.h"

lb_reason ik_alternative_step(ik_iteration *it)
{
    kernel_linearize(&it->problem, it->frames, it->targets, true, it->jacobian);
    return ik_linear_step(it, ik_linear_shortest);
}
