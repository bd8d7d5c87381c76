/* narrow.c - limits of a solver that move along: no farther from a configuration than speeds allow.
 */
#include "ik/narrow.h"

#include "ik/solver.h"
#include "math/scalar.h"

void ik_narrow(lb_ik *ik, const double *from, double rate)
{
    const ik_reduction *r = &ik->reduction;
    // the reduction's own memory, which is this solver's
    kernel_variable *variables = (kernel_variable *)(uintptr_t)r->problem.variables;
    for (int i = 0; i < r->problem.variable_count; i++) {
        kernel_variable *x = &variables[i];
        if (x->ball)
            continue;
        int q = r->model_q[x->q];
        const model_part *part = model_part_at(ik->model, q);
        double most = ik->model->joints[part->joint].velocity / rate;
        // a start on or beyond a limit may stay there
        double at = scalar_clamp(from[q], part->lower, part->upper);
        x->lower = scalar_max(part->lower, at - most);
        x->upper = scalar_min(part->upper, at + most);
    }
}
