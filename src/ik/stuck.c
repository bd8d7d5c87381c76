/*
 * stuck.c - configurations where a descent stops although they are not the target.
 *
 * A descent stops where the error e is perpendicular to every velocity of the tools: J^T e = 0,
 * with the Jacobian J inside the limits. That holds at local minima, but also in the two-bone lock
 * of Juckett 2009, in a straight chain that points at its target and in the extended arm of
 * Fig. 5.19: there, moves exist that do nothing to first order and help to second. Such moves lie
 * in the null space of J, of which some directions are tried: one that brings the tools nearer is
 * an escape. If there is none, if steps of the default method do not lead on either, and if no
 * neighbour that is tried is nearer, it is a local minimum.
 */
#include "ik/descent.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

/* directions of the null space that are tried; one suffices where it has one dimension */
#define DIRECTIONS 6
/*
 * radians or units by which the joint that moves most is moved: well beyond rounding, and where
 * second-order terms dominate
 */
#define NUDGE 0.15
/* the squared error must fall by this share: more than the remaining first order could give */
#define GAIN 1e-4
/* what a small bend must win where it is said to free the arm, as a share of the squared error */
#define FREE 0.02
/* J^T e is zero when it is this small a share of |J| |e| */
#define STATIONARY 0.02
/* steps and neighbours that must not be nearer to the target than a local minimum */
enum { STEPS = 100, NEIGHBOURS = 16, DESCENTS = 4 };
/* radians or units by which joints are moved before a descent that leaves a saddle */
#define BESIDE 0.03
/* singular values below this share of the greatest belong to the null space */
#define WEAK 1e-5

/* ---- being stuck ---------------------------------------------------------- */

/* |J^T e| as a share of |J| |e| */
static double slope(const ik_iteration *it, const double *jacobian)
{
    int rows = it->problem.rows;
    double gradient2 = 0, size2 = 0;
    for (int v = 0; v < it->problem.tree.nv; v++) {
        const double *column = &jacobian[v * rows];
        double g = dense_dot(rows, column, it->error);
        gradient2 += g * g;
        size2 += dense_dot(rows, column, column);
    }
    return size2 > 0 && it->error2 > 0 ? sqrt(gradient2 / (size2 * it->error2)) : 0;
}

bool ik_stuck_is(ik_iteration *it)
{
    ik_iteration_evaluate(it);
    memcpy(it->linear.restrained, it->jacobian,
           sizeof(double) * (size_t)(it->problem.rows * it->problem.tree.nv));
    kernel_restrain(&it->problem, it->q, it->error, it->linear.restrained);
    return slope(it, it->linear.restrained) <= STATIONARY;
}

/* ---- escapes ------------------------------------------------------------- */

/* a pseudorandom direction without what moves the tools to first order; linear is decomposed */
static void find_direction(ik_iteration *it, int index, int values)
{
    ik_linear *linear = &it->linear;
    int columns = linear->columns;
    lb_random random = lb_random_seed((uint64_t)index);
    double *x = linear->solution;
    for (int c = 0; c < columns; c++)
        x[c] = lb_random_between(&random, -1, 1);
    int strong = 0;
    while (strong < values && linear->values[strong] > WEAK * linear->values[0])
        strong++;
    ik_linear_project(linear, strong, x);
}

/* it->next = it->q moved by it->step, in radians and units of length */
static void take_step(ik_iteration *it)
{
    for (int i = 0; i < it->problem.variable_count; i++)
        if (it->is_length[i])
            it->step[it->problem.variables[i].v] *= it->unit;
    ik_iteration_advance(it, it->step);
}

/* it->next = it->q moved along the direction until the fastest joint has moved by `distance` */
static void move(ik_iteration *it, double distance)
{
    const ik_linear *linear = &it->linear;
    double fastest = 0;
    memset(it->step, 0, sizeof(double) * (size_t)it->problem.tree.nv);
    for (int c = 0; c < linear->columns; c++) {
        it->step[linear->column_of[c]] = linear->solution[c];
        fastest = scalar_max(fastest, fabs(linear->solution[c]));
    }
    double scale = fastest > 0 ? distance / fastest : 0;
    for (int v = 0; v < it->problem.tree.nv; v++)
        it->step[v] *= scale;
    take_step(it);
}

/* the squared error at it->next; frames, error and Jacobian are then those there */
static double probe(ik_iteration *it)
{
    double *q = it->q;
    it->q = it->next;
    ik_iteration_evaluate(it);
    it->q = q;
    return it->error2;
}

bool ik_stuck_escape(ik_iteration *it)
{
    if (!ik_stuck_is(it))
        return false;
    double enough = it->error2 * (1 - GAIN);
    ik_linear_assemble(it);
    int values = ik_linear_decompose(&it->linear);
    bool found = false;
    for (int k = 0; k < 2 * DIRECTIONS && !found; k++) {
        if (k % 2 == 0)
            find_direction(it, k / 2, values);
        move(it, k % 2 ? -NUDGE : NUDGE);
        found = probe(it) < enough;
    }
    ik_iteration_evaluate(it);
    return found;
}

/* ---- reasons ------------------------------------------------------------- */

/*
 * by which share steps that each lower the squared error lower it from it->q, whatever the method's
 * own do; ends where that is enough
 */
static double descend(ik_iteration *it, double enough)
{
    kernel_control control = *it->control;
    double *q = it->next, decrease = 1, left = 1, share = KERNEL_DAMPING_SHARE;
    control.accept_all = false;
    control.damping = control.step_limit = 0;
    memcpy(q, it->q, sizeof(double) * (size_t)it->problem.tree.nq);
    for (int i = 0; i < STEPS && decrease > 0 && 1 - left < enough; i++) {
        decrease = kernel_iterate(&it->problem, &control, it->targets, q, &share, it->scratch);
        left *= 1 - decrease;
    }
    return 1 - left;
}

/* whether a neighbour inside the limits has less than this squared error; near ones and farther */
static bool has_nearer_neighbour(ik_iteration *it, double enough)
{
    lb_random random = lb_random_seed(0);
    int nv = it->problem.tree.nv, count = 2 * nv + NEIGHBOURS;
    bool found = false;
    for (int k = 0; k < 4 * count && !found; k++) {
        double radius = NUDGE, way = k % 2 ? -1 : 1;
        for (int r = k / count; r > 0; r--)
            radius *= 0.1;
        // each joint alone, then all of them
        for (int v = 0; v < nv; v++)
            it->step[v] = k % count < 2 * nv ? way * radius * (v == k % count / 2)
                                             : lb_random_between(&random, -radius, radius);
        take_step(it);
        found = probe(it) < enough;
    }
    return found;
}

/* whether a descent from it->next, an escape, ends below `enough`; it->q is as before */
static bool leads_out(ik_iteration *it, double enough)
{
    size_t size = sizeof(double) * (size_t)it->problem.tree.nq;
    double there = probe(it);
    memcpy(it->best, it->q, size);
    memcpy(it->q, it->next, size);
    bool out = there * (1 - descend(it, 1 - enough / there)) <= enough;
    memcpy(it->q, it->best, size);
    ik_iteration_evaluate(it);
    return out;
}

/* whether a descent from some neighbour leads out, as it does beside a saddle */
static bool is_saddle(ik_iteration *it, double enough)
{
    lb_random random = lb_random_seed(1);
    bool out = false;
    for (int k = 0; k < DESCENTS && !out; k++) {
        for (int v = 0; v < it->problem.tree.nv; v++)
            it->step[v] = lb_random_between(&random, -BESIDE, BESIDE);
        take_step(it);
        out = leads_out(it, enough);
    }
    return out;
}

/* looks for a way on, from here and from beside, and says what the first that is found makes of the
   configuration; if there is none, it is a minimum */
lb_reason ik_stuck_reason(ik_iteration *it)
{
    if (!ik_stuck_is(it))
        return LB_REASON_STEPS;
    const bool limited = slope(it, it->jacobian) > STATIONARY;
    const double lower = it->error2 * (1 - GAIN), free = it->error2 * (1 - FREE);
    lb_reason reason = limited ? LB_REASON_LIMITS : LB_REASON_MINIMUM;
    if (!limited && ik_stuck_escape(it) && leads_out(it, free))
        reason = LB_REASON_SINGULAR;
    else if (descend(it, GAIN) >= GAIN)
        reason = LB_REASON_STEPS;
    else if (has_nearer_neighbour(it, lower))
        reason = leads_out(it, free) ? LB_REASON_SINGULAR : LB_REASON_STEPS;
    else if (is_saddle(it, free))
        reason = LB_REASON_STEPS;
    ik_iteration_evaluate(it);
    return reason;
}
