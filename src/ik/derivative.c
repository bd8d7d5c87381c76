/*
 * derivative.c - how a solution moves with its targets.
 *
 * While tasks stay solved, J v = B V in the rows that count: what the joints do to the tools is
 * what the targets' velocities V ask for (the implicit function theorem). Of all such v the least
 * is J^+ B V, with the columns of J scaled by the mobilities, as in a step of linear.h.
 */
#include "ik/iteration.h"
#include "ik/search/search.h"
#include "ik/solver.h"
#include "math/scalar.h"

#include <string.h>

/* the Jacobian at it->q by its singular values, limits or not; its rank */
static int decompose(ik_iteration *it)
{
    ik_linear *linear = &it->linear;
    const kernel_problem *p = &it->problem;
    linear->rows = p->rows;
    linear->columns = p->tree.nv;
    for (int i = 0; i < p->variable_count; i++) {
        const kernel_variable *x = &p->variables[i];
        for (int v = x->v; v < x->v + (x->ball ? 3 : 1); v++)
            for (int r = 0; r < p->rows; r++)
                linear->matrix[r * linear->columns + v] =
                    it->jacobian[v * p->rows + r] * x->mobility;
    }
    ik_linear_decompose(linear);
    return ik_linear_rank(linear);
}

/* a task's rows of B V for a velocity of its target, linear and angular, in the problem's axes */
static void set_velocity(ik_iteration *it, const kernel_task *task, const lb_transform *target,
                         const lb_transform *tool, lb_vec3 linear, lb_vec3 angular)
{
    const kernel_goal *goal = &task->goal;
    lb_vec3 rows[2];
    int count = 0;
    memset(it->linear.velocity, 0, sizeof(double) * (size_t)it->problem.rows);
    if (goal->position) {
        // a line or plane turns about the target's origin, and takes the tool along
        lb_vec3 arm = lb_vec3_sub(tool->p, target->p);
        if (goal->locus.extended)
            linear = lb_vec3_add(linear, lb_vec3_cross(angular, arm));
        rows[count++] = kernel_locus_rows(&goal->locus, target, linear);
    }
    // of a free axis J has no part along it, and so J^+ leaves it out
    if (goal->rotation)
        rows[count++] = angular;
    for (int i = 0; i < count; i++) {
        rows[i] = lb_vec3_scale(rows[i], task->weight);
        memcpy(it->linear.velocity + task->row + 3 * i, &rows[i], sizeof rows[i]);
    }
}

/* it->step: J^+ times the velocity, or J^T (J J^T + lambda^2)^-1 times it, by singular values */
static void solve_velocity(ik_iteration *it, int rank, double lambda)
{
    ik_linear *linear = &it->linear;
    memset(it->step, 0, sizeof(double) * (size_t)linear->columns);
    for (int i = 0; i < rank; i++) {
        const double *u = &linear->left[i * linear->rows], *v = &linear->right[i * linear->columns];
        double part = 0, value = linear->values[i];
        for (int r = 0; r < linear->rows; r++)
            part += u[r] * linear->velocity[r];
        for (int c = 0; c < linear->columns; c++)
            it->step[c] += v[c] * (part * value / (value * value + lambda * lambda));
    }
}

/* one column of the result: of one of the six velocities of one target */
static void write_column(lb_ik *ik, int task, int direction, int rank, double lambda,
                         double *derivative)
{
    ik_iteration *it = &ik->iteration;
    const ik_reduction *r = &ik->reduction;
    const lb_vec3 none = {0, 0, 0},
                  unit = {direction % 3 == 0, direction % 3 == 1, direction % 3 == 2};
    lb_vec3 axis = lb_transform_direction(&r->base, unit);
    bool turns = direction >= 3;
    set_velocity(it, &it->problem.tasks[task], &it->targets[task], &it->tools[task],
                 turns ? none : lb_vec3_scale(axis, 1 / r->unit), turns ? axis : none);
    solve_velocity(it, rank, lambda);
    int columns = 6 * ik->task_count, column = 6 * task + direction;
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        for (int v = x->v; v < x->v + (x->ball ? 3 : 1); v++)
            derivative[r->model_v[v] * columns + column] = it->step[v] * x->mobility;
    }
}

int lb_ik_derivative(lb_ik *ik, const lb_transform *targets, const double *q, double damping,
                     double *derivative)
{
    const int columns = 6 * ik->task_count;
    ik_iteration *it = &ik->iteration;
    const ik_search *search = &ik->searches[0];
    bool valid = !ik->linkage && damping >= 0 && isfinite(damping) &&
                 ik_search_begin(ik, &ik->searches[0], targets, q);
    for (int i = 0; i < ik->model->tree.nv * columns; i++)
        derivative[i] = valid ? 0 : NAN;
    if (!valid)
        return -1;
    memcpy(it->q, search->problem.start, sizeof(double) * (size_t)it->problem.tree.nq);
    it->targets = search->problem.targets;
    ik_iteration_evaluate(it);
    ik_place_tools(it);
    int rank = decompose(it);
    for (int i = 0; i < columns; i++)
        write_column(ik, i / 6, i % 6, rank, damping / ik->reduction.unit, derivative);
    return rank;
}
