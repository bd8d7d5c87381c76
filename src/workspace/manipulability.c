/*
 * manipulability.c - how freely a tool moves: the product of the singular values of a position's
 * Jacobian, and how far joints are from their limits.
 *
 * T. Yoshikawa, "Manipulability of robotic mechanisms", IJRR 4 (1985). Rows are the directions of
 * freedom.h: a planar arm is not singular for want of a third dimension.
 */
#include "workspace/reach_contents.h"

#include "kinematics/assembly.h"
#include "kinematics/freedom.h"
#include "kinematics/state.h"
#include "math/dense.h"

size_t manipulability_work(const lb_model *model)
{
    // twice 6 rows, then the rows in the tool's directions and the two sets of singular vectors
    return (6 + 6 + 3 + 3) * (size_t)lb_model_nv(model) + 9;
}

/* how many velocities move the position, `most` at most */
static int count_movers(int nv, const double *jacobian, int most)
{
    int count = 0;
    for (int v = 0; v < nv && count < most; v++)
        count += jacobian[v] != 0 || jacobian[nv + v] != 0 || jacobian[2 * nv + v] != 0;
    return count;
}

double manipulability_at(const lb_state *state, const lb_task *task, lb_assembly *assembly,
                         double *work)
{
    int nv = lb_model_nv(lb_state_model(state));
    double *jacobian = work, *rows = work + 12 * nv, *right = rows + 3 * nv, *left = right + 3 * nv;
    double values[3], product = 1;
    relative_jacobian(state, task->base, task->tip, task->tool.p, work + 6 * nv, jacobian);
    if (assembly && !assembly_eliminate(assembly, lb_state_configuration(state), 3, jacobian))
        return 0;
    freedom f = freedom_find(state, task->base, task->tip);
    int count = f.linear.count;
    for (int r = 0; r < count; r++)
        for (int v = 0; v < nv; v++)
            rows[r * nv + v] =
                lb_vec3_dot(f.linear.axes[r],
                            lb_vec3_make(jacobian[v], jacobian[nv + v], jacobian[2 * nv + v]));

    // fewer joints than directions: the values that there are
    int k = f.velocities < count ? f.velocities : count;
    if (assembly)
        k = count_movers(nv, jacobian, k);
    if (k == 0 || !dense_svd(count, nv, rows, left, values, right))
        return 0;
    for (int i = 0; i < k; i++)
        product *= values[i];
    return product;
}

/* ---- margin ---------------------------------------------------------------- */

/* half the range of a joint that counts; 0: it does not */
static double half_range(const lb_model *model, int i)
{
    const lb_joint *joint = lb_model_joint(model, i);
    bool single = lb_joint_kind_nq(joint->kind) == 1 && joint->mimic == NULL &&
                  lb_model_joint_q(model, i) >= 0;
    double half = (joint->upper[0] - joint->lower[0]) / 2;
    return single && !joint->locked && isfinite(half) && half > 0 ? half : 0;
}

double margin_at(const lb_model *model, const double *q)
{
    double least = 1;
    for (int i = 0; i < lb_model_joint_count(model); i++) {
        const lb_joint *joint = lb_model_joint(model, i);
        double half = half_range(model, i);
        if (half == 0)
            continue;
        double value = q[lb_model_joint_q(model, i)];
        least = fmin(least, fmin(value - joint->lower[0], joint->upper[0] - value) / half);
    }
    return least > 0 ? least : 0;
}

void margin_middle(const lb_model *model, double *q)
{
    lb_configuration_neutral(model, q);
    for (int i = 0; i < lb_model_joint_count(model); i++)
        if (half_range(model, i) > 0)
            q[lb_model_joint_q(model, i)] =
                lb_model_joint(model, i)->lower[0] + half_range(model, i);
}
