/*
 * inverse.c - the inverse of a square Jacobian: x = J^-1 V (Eq. 5.18-5.19), by LU.
 *
 * Only linkages with as many joints as their tools have degrees of freedom are square. Additional
 * rows (a tilted plane, a joint held by its limit) are redundant or cannot be satisfied, and (J^T
 * J)^-1 J^T replaces the inverse. Near a singularity it refuses, as there is no useful step.
 */
#include "ik/iteration.h"
#include "ik/search/seed_table.h"
#include "math/dense.h"

#include <string.h>

/*
 * Pivots as a share of the largest entry: below this a joint would rotate by a radian for a
 * ten-thousandth of the reach.
 */
#define NEARLY_SINGULAR 1e-4
/* configurations sampled to find the rank that a linkage has almost everywhere */
#define SAMPLES 5

lb_reason ik_inverse_solve(const ik_iteration *it, ik_linear *linear)
{
    (void)it;
    int n = linear->columns;
    if (n == 0)
        return LB_REASON_NONE;
    if (linear->rows < n)
        return LB_REASON_SINGULAR;
    if (linear->rows > n) {
        int k = ik_linear_decompose(linear);
        if (linear->values[k - 1] < NEARLY_SINGULAR * linear->values[0])
            return LB_REASON_SINGULAR;
        ik_linear_pseudoinverse(linear, linear->velocity, linear->solution);
        return LB_REASON_NONE;
    }
    memcpy(linear->square, linear->matrix, sizeof(double) * (size_t)(n * n));
    if (dense_lu_factor(n, linear->square, linear->pivots) < NEARLY_SINGULAR)
        return LB_REASON_SINGULAR;
    memcpy(linear->solution, linear->velocity, sizeof(double) * (size_t)n);
    dense_lu_solve(n, linear->square, linear->pivots, linear->solution);
    return LB_REASON_NONE;
}

/* ---- applicability ---------------------------------------------------------- */

/* some configuration inside the limits, where none of them holds a joint */
static void sample(ik_iteration *it, int index)
{
    const kernel_problem *p = &it->problem;
    lb_random random = lb_random_seed((uint64_t)index);
    memset(it->next, 0, sizeof(double) * (size_t)p->tree.nq);
    for (int i = 0; i < p->variable_count; i++)
        if (p->variables[i].ball)
            it->next[p->variables[i].q] = 1;
    ik_sample(p, &random, it->next, NULL, it->q);
    ik_iteration_evaluate(it);
    // no error pushes a joint against its limit, so that none is held
    memset(it->error, 0, sizeof(double) * (size_t)p->rows);
}

const char *ik_inverse_check(ik_iteration *it)
{
    int rank = 0, joints = it->problem.tree.nv;
    for (int i = 0; i < SAMPLES; i++) {
        sample(it, i);
        ik_linear_assemble(it);
        int k = ik_linear_decompose(&it->linear), full = 0;
        while (full < k && it->linear.values[full] > 1e-9 * it->linear.values[0])
            full++;
        rank = full > rank ? full : rank;
    }
    if (rank == joints)
        return NULL;
    return "no configuration has a Jacobian with an inverse: there are more joint velocities than "
           "degrees of freedom of the tools, joints move them alike, or a joint has no range; "
           "use 'pseudoinverse'";
}
