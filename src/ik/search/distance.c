/* distance.c - how far configurations are from the user's start, in whose turns they are returned.
 */
#include "ik/search/search.h"

#include "ik/solver.h"
#include "math/scalar.h"

double ik_distance(const lb_ik *ik, const ik_search_problem *problem, const double *local,
                   double *farthest)
{
    const kernel_problem *p = &ik->reduction.problem;
    const kernel_variable *x = p->variables, *end = x + p->variable_count;
    double sum = 0, most = 0;
    for (const bool *is_length = ik->reduction.is_length; x < end; x++, is_length++) {
        const double *a = problem->start + x->q, *b = local + x->q;
        double d = fabs(a[0] - b[0]);
        if (x->ball) {
            double dot = fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
            d = 2 * lb_acos(dot);
        }
        // what a variable is mobile by has the unit of its length and its joint's weight in it
        double weighed = d / x->mobility;
        sum += weighed * weighed;
        most = scalar_max(*is_length ? d / ik->reduction.unit : d, most);
    }
    *farthest = most;
    return sum;
}

void ik_distance_unwind(const lb_ik *ik, const ik_search_problem *problem, double *local)
{
    ik->single->unwind(&ik->reduction.problem, (const double *[]){problem->start}, &local, 1);
}
