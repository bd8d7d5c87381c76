/*
 * posture.c - where a pose is solved, motion along the null space towards the desired values.
 *
 * A step is the control term of Eq. 5.28. It keeps the tools in place to first order; steps of the
 * pseudoinverse without control term return them to their targets. What then is not nearer to the
 * desired values, by the sum of a (q - c)^2 over gains a, is tried again at half the length.
 */
#include "ik/posture.h"

#include "ik/methods/methods.h"

#include <string.h>

enum {
    CORRECTIONS = 6, /* Newton's steps, each of which squares the error */
    HALVINGS = 10,
};
/* radians or metres: a step that moves no joint by this is the last */
#define LEAST_STEP 1e-6

bool ik_posture_wanted(const ik_iteration *it)
{
    return it->gains && (it->method->capabilities & LB_METHOD_JACOBIAN) != 0;
}

/* The sum of a (q - c)^2 along a step s, q + t s, is offset + 2 slope t + curvature t^2. */
typedef struct parabola {
    double offset, slope, curvature;
} parabola;

/* along it->posture; exact for joints with one axis, near enough for balls */
static parabola measure(const ik_iteration *it, const double *q)
{
    parabola p = {0};
    for (int i = 0; i < it->problem.variable_count; i++) {
        const kernel_variable *x = &it->problem.variables[i];
        lb_vec3 difference = ik_linear_difference(it, x, q);
        const double d[3] = {difference.x, difference.y, difference.z};
        for (int k = 0; k < (x->ball ? 3 : 1); k++) {
            double a = it->gains[x->v + k], s = it->posture[x->v + k];
            p.offset += a * d[k] * d[k];
            p.slope += a * d[k] * s;
            p.curvature += a * s * s;
        }
    }
    return p;
}

/* scales it->posture, and it->next with it */
static void scale_step(ik_iteration *it, double by)
{
    for (int v = 0; v < it->problem.tree.nv; v++)
        it->posture[v] *= by;
    memcpy(it->next, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    kernel_advance(&it->problem, it->q, it->posture, it->next);
}

/* moves it->next until it solves the tasks; false when a few steps do not */
static bool correct(ik_iteration *it)
{
    double *gains = it->gains, *q = it->q, *next = it->next;
    bool reached = false;
    it->gains = NULL;
    it->q = next;
    it->next = it->other;
    for (int i = 0; i <= CORRECTIONS && !reached; i++) {
        reached = ik_iteration_evaluate(it);
        if (reached || ik_pseudoinverse_step(it) != LB_REASON_NONE)
            break;
        memcpy(it->q, it->next, sizeof(double) * (size_t)it->problem.tree.nq);
    }
    it->gains = gains;
    it->q = q;
    it->next = next;
    return reached;
}

bool ik_posture_step(ik_iteration *it)
{
    int nv = it->problem.tree.nv;
    ik_iteration_evaluate(it);
    if (ik_pseudoinverse_step(it) != LB_REASON_NONE)
        return false;
    memcpy(it->posture, it->step, sizeof(double) * (size_t)nv);
    parabola before = measure(it, it->q);
    if (before.slope < 0 && before.curvature > 0)
        scale_step(it, -before.slope / before.curvature);
    for (int k = 0; k < HALVINGS && ik_linear_largest(it->posture, nv) >= LEAST_STEP; k++) {
        if (correct(it) && measure(it, it->next).offset < before.offset)
            return true;
        scale_step(it, 0.5);
    }
    return false;
}
