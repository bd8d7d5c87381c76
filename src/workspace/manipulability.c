/*
 * manipulability.c - the product of the singular values of a position's Jacobian.
 *
 * T. Yoshikawa, "Manipulability of robotic mechanisms", IJRR 4 (1985). Rows are the directions of
 * freedom.h: a planar arm is not singular for want of a third dimension.
 */
#include "workspace/probe.h"

#include "kinematics/freedom.h"
#include "kinematics/state.h"
#include "math/dense.h"

size_t manipulability_work(const lb_model *model)
{
    // twice 6 rows, then the rows in the tool's directions and the two sets of singular vectors
    return (6 + 6 + 3 + 3) * (size_t)lb_model_nv(model) + 9;
}

double manipulability_at(const lb_state *state, const lb_task *task, double *work)
{
    int nv = lb_model_nv(lb_state_model(state));
    double *jacobian = work, *rows = work + 12 * nv, *right = rows + 3 * nv, *left = right + 3 * nv;
    double values[3], product = 1;
    relative_jacobian(state, task->base, task->tip, task->tool.p, work + 6 * nv, jacobian);
    freedom f = freedom_find(state, task->base, task->tip);
    int count = f.linear.count;
    for (int r = 0; r < count; r++)
        for (int v = 0; v < nv; v++)
            rows[r * nv + v] =
                lb_vec3_dot(f.linear.axes[r],
                            lb_vec3_make(jacobian[v], jacobian[nv + v], jacobian[2 * nv + v]));

    // fewer joints than directions: the values that there are
    int k = f.velocities < count ? f.velocities : count;
    if (k == 0 || !dense_svd(count, nv, rows, left, values, right))
        return 0;
    for (int i = 0; i < k; i++)
        product *= values[i];
    return product;
}
