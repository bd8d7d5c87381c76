/*
 * sample.c - a random configuration of a problem.
 *
 * Values of hinges and slides are uniform. A ball is the direction of four uniform numbers, which
 * is not quite uniform over all rotations and needs no trigonometry; a start need not be.
 */
#include "ik/search/seed_table.h"

#include "math/scalar.h"

#include <string.h>

static double random_value(const kernel_variable *x, double half, double near, lb_random *random)
{
    double lower = isinf(x->lower) ? near - half : x->lower;
    double upper = isinf(x->upper) ? near + half : x->upper;
    return lb_random_between(random, scalar_min(lower, upper), scalar_max(lower, upper));
}

void ik_sample(const kernel_problem *problem, lb_random *random, const double *near, double *q)
{
    memcpy(q, near, sizeof(double) * (size_t)problem->tree.nq);
    for (int i = 0; i < problem->variable_count; i++) {
        const kernel_variable *x = &problem->variables[i];
        const kernel_joint *joint = &problem->tree.joints[x->joint];
        // the value of a prismatic joint is in metres, its scale in lengths per metre
        double half = joint->kind == KERNEL_PRISMATIC ? 3 / fabs(joint->scale) : LB_PI;
        for (int k = 0; x->ball && k < 4; k++)
            q[x->q + k] = lb_random_between(random, -1, 1);
        if (!x->ball)
            q[x->q] = random_value(x, half, near[x->q], random);
    }
    // without a step: brings values into their limits, balls to unit length
    kernel_settle(problem, q);
}
