/*
 * conditioning.c - the condition number of a task's Jacobian, rank-aware.
 *
 * Of the Jacobian of the tool relative to the base, free axes remove motion along them from the
 * linear rows and rotation from the angular ones. Singular values do not depend on the axes that
 * the rows are written in, so the world's are used.
 */
#include "motion/follower.h"

#include "ik/task.h"
#include "kinematics/assembly.h"
#include "kinematics/state.h"
#include "math/dense.h"

#include <string.h>

enum { PROBES = 4 };

/* the share of the way to a random configuration that loops are closed from */
#define OFF_REST 0.1

/* relative: a direction weaker than this in all probes is impossible, not just weak */
#define IMPOSSIBLE 1e-7
/* relative: rounding leaves some 1e-16 of a singular value that is zero, and more with depth */
#define ZERO 1e-13

size_t conditioning_work(const lb_model *model)
{
    return 3 * 6 * (size_t)lb_model_nv(model) + 36 + (size_t)lb_model_nq(model);
}

/* removes the rotation about the free axis from the angular rows */
static void free_axis(const conditioning *c, const lb_state *state, double *j)
{
    int nv = lb_model_nv(c->model);
    lb_vec3 axis = lb_vec3_normalize(c->task.free_axis, lb_vec3_make(0, 0, 0));
    axis = lb_transform_direction(&c->task.tool, axis);
    axis = lb_state_direction(state, c->task.tip, LB_WORLD, axis);
    for (int v = 0; v < nv; v++) {
        double *x = &j[3 * nv + v], *y = &j[4 * nv + v], *z = &j[5 * nv + v];
        double along = lb_vec3_dot(axis, lb_vec3_make(*x, *y, *z));
        *x -= along * axis.x;
        *y -= along * axis.y;
        *z -= along * axis.z;
    }
}

/* removes the motion along the target's free axes from the linear rows */
static void free_position(const conditioning *c, const lb_state *state, const lb_transform *target,
                          double *j)
{
    int nv = lb_model_nv(c->model);
    const kernel_locus locus = ik_goal(&c->task).locus;
    if (!locus.extended)
        return;
    lb_transform base = lb_state_transform(state, LB_WORLD, c->task.base);
    lb_transform goal = lb_transform_multiply(&base, target);
    for (int v = 0; v < nv; v++) {
        double *x = &j[v], *y = &j[nv + v], *z = &j[2 * nv + v];
        lb_vec3 rows = kernel_locus_rows(&locus, &goal, lb_vec3_make(*x, *y, *z));
        *x = rows.x;
        *y = rows.y;
        *z = rows.z;
    }
}

/* singular values of the task's rows; returns how many there are */
static int decompose(const conditioning *c, const lb_state *state, const lb_transform *target,
                     double values[6])
{
    int nv = lb_model_nv(c->model), rows = lb_task_rows(c->task.kind);
    size_t size = 6 * (size_t)nv;
    double *j = c->jacobian;
    relative_jacobian(state, c->task.base, c->task.tip, c->task.tool.p, j + size, j);
    if (c->assembly && !assembly_eliminate(c->assembly, lb_state_configuration(state), 6, j))
        return 0;
    free_axis(c, state, j);
    free_position(c, state, target, j);
    for (int i = 3 * nv; i < 6 * nv; i++)
        j[i] *= c->length;
    double *first = c->task.kind == LB_TASK_ROTATION ? j + 3 * nv : j;
    double *left = c->right + size;
    return dense_svd(rows, nv, first, left, values, c->right) ? (rows < nv ? rows : nv) : 0;
}

void conditioning_start(conditioning *made, const lb_task *task, double length,
                        const lb_transform *target, lb_state *state, lb_assembly *assembly,
                        double *work)
{
    const lb_model *model = lb_state_model(state);
    size_t size = 6 * (size_t)lb_model_nv(model);
    *made = (conditioning){
        .model = model, .task = *task, .length = length, .jacobian = work, .assembly = assembly};
    made->right = work + 2 * size;

    // a random configuration is singular only by accident
    double *q = work + 3 * size + 36;
    lb_random random = lb_random_seed(1);
    for (int i = 0; i < PROBES; i++) {
        double values[6];
        int rank = 0;
        lb_configuration_random(model, &random, q);
        // of loops, somewhat off where they close; what does not close is not measured
        if (assembly) {
            lb_configuration_interpolate(model, lb_assembly_rest(assembly), q, OFF_REST, q);
            if (!assembly_settle(assembly, q))
                continue;
        }
        lb_state_update(state, q);
        int count = decompose(made, state, target, values);
        for (int k = 0; k < count; k++)
            rank += values[k] > IMPOSSIBLE * values[0];
        made->rank = rank > made->rank ? rank : made->rank;
    }
}

double conditioning_at(const conditioning *c, const lb_state *state, const lb_transform *target)
{
    double values[6];
    int count = decompose(c, state, target, values);
    if (c->rank == 0 || count < c->rank)
        return INFINITY;
    double least = values[c->rank - 1];
    return least > ZERO * values[0] ? values[0] / least : INFINITY;
}
