/*
 * family.c - the nearest of infinitely many solutions, where a singular target leaves joints free.
 *
 * A family is a curve: the null vector of the Jacobian is its direction, and Newton's method leads
 * back to it. The distance from the start is minimised by steps along that direction to where the
 * start's projection is, or to the first limit. Where two joints turn about one line, as in a wrist
 * whose first and last axes are in line, the curve is straight and the first step is exact.
 */
#include "ik/search/family.h"

#include "ik/closed/newton.h"
#include "ik/iteration.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

/* singular values below this share of the greatest are those of a family: the root of rounding, and
   some room for targets whose numbers are rounded */
#define SINGULAR 1e-6
/* a step that gains less, in squared radians, ends the descent along the family */
#define LEAST_GAIN 1e-9

enum {
    ROUNDS = 30,        /* straight families need two */
    HALVINGS = 10,      /* of a step along one that is bent */
    NEWTON_STEPS = 8,   /* back to it */
    DESCENT_STEPS = 200 /* as many as a descent has that is far away; near ones take five */
};

/* A member of a family, in the order of the chain's joints. */
typedef struct member {
    double q[CLOSED_ARM_JOINTS];
    double square; /* of the distance from the start */
    double excess; /* the most by which a joint breaks its limits */
} member;

bool ik_family_applies(const lb_ik *ik)
{
    return ik->exact && ik->finder.direct && ik->finder.chain.count == KERNEL_CLOSED_JOINTS &&
           ik->finder.chain.real == KERNEL_CLOSED_JOINTS &&
           ik->finder.chain.arm.joints == KERNEL_CLOSED_JOINTS;
}

static void rate(const closed_chain *chain, const double *start, member *m)
{
    m->square = m->excess = 0;
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        const double d = (m->q[i] - start[joint->q]) / joint->unit;
        m->square += d * d;
        m->excess =
            scalar_max(m->excess, scalar_max(joint->lower - m->q[i], m->q[i] - joint->upper));
    }
    m->excess = m->excess > CLOSED_LIMIT_TOLERANCE ? m->excess : 0;
}

/* ik->trial as a member */
static member read_trial(const lb_ik *ik, const ik_search *s)
{
    const closed_chain *chain = &ik->finder.chain;
    member m;
    for (int i = 0; i < chain->count; i++)
        m.q[i] = ik->trial[chain->joints[i].q];
    rate(chain, s->model_start, &m);
    return m;
}

double ik_family_square(const lb_ik *ik, const ik_search *s)
{
    const member m = read_trial(ik, s);
    return m.excess > 0 ? INFINITY : m.square;
}

/* nearer, or at least less outside the limits */
static bool is_better(const member *a, const member *b)
{
    if (a->excess != b->excess)
        return a->excess < b->excess;
    return a->square < b->square - LEAST_GAIN;
}

/* the directions in which a member is free to move, in units of distance; returns how many */
static int find_directions(const closed_chain *chain, const member *m, double size,
                           double directions[KERNEL_CLOSED_JOINTS][KERNEL_CLOSED_JOINTS])
{
    enum { N = KERNEL_CLOSED_JOINTS };
    double q[N], jacobian[N * N], left[N * N], values[N], right[N * N];
    lb_transform tip;
    for (int i = 0; i < N; i++)
        q[chain->joints[i].place] = m->q[i];
    closed_jacobian(&chain->arm, q, &tip, jacobian);
    for (int i = 0; i < N; i++)
        for (int r = 0; r < N; r++)
            jacobian[r * N + chain->joints[i].place] *= chain->joints[i].unit / (r < 3 ? size : 1);
    if (!dense_svd(N, N, jacobian, left, values, right))
        return 0;
    int count = 0;
    while (count < N && values[N - 1 - count] <= SINGULAR * values[0]) {
        for (int i = 0; i < N; i++)
            directions[count][i] = right[(N - 1 - count) * N + chain->joints[i].place];
        count++;
    }
    return count;
}

/* how far to go along a direction: to where the start is nearest, inside the limits if a straight
   line keeps them anywhere */
static double step_along(const closed_chain *chain, const double *start, const member *m,
                         const double *direction)
{
    double wanted = 0, low = -INFINITY, high = INFINITY;
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        const double rate = direction[i] * joint->unit;
        wanted += direction[i] * (start[joint->q] - m->q[i]) / joint->unit;
        // joints that hardly move are no bounds: what Newton's method changes is more
        if (fabs(direction[i]) < 1e-9)
            continue;
        const double a = (joint->lower - m->q[i]) / rate, b = (joint->upper - m->q[i]) / rate;
        low = scalar_max(low, scalar_min(a, b));
        high = scalar_min(high, scalar_max(a, b));
    }
    return low <= high ? scalar_clamp(wanted, low, high) : 0;
}

/* the member that a step leads to, with the step halved while it is no better; false: none is */
static bool try_step(const lb_ik *ik, const ik_search *s, const double *direction, double step,
                     member *m)
{
    const closed_chain *chain = &ik->finder.chain;
    for (int n = 0; n < HALVINGS && fabs(step) > 0; n++, step *= 0.5) {
        double q[KERNEL_CLOSED_JOINTS];
        member next;
        for (int i = 0; i < chain->count; i++)
            q[chain->joints[i].place] = m->q[i] + step * direction[i] * chain->joints[i].unit;
        const double left = closed_newton(&chain->arm, s->model_targets, NEWTON_STEPS, q);
        for (int i = 0; i < chain->count; i++)
            next.q[i] = q[chain->joints[i].place];
        rate(chain, s->model_start, &next);
        if (left <= CLOSED_CONFIRMED && is_better(&next, m)) {
            *m = next;
            return true;
        }
    }
    return false;
}

double ik_family_nearest(lb_ik *ik, const ik_search *s)
{
    const closed_chain *chain = &ik->finder.chain;
    double directions[KERNEL_CLOSED_JOINTS][KERNEL_CLOSED_JOINTS];
    member m = read_trial(ik, s);
    bool better = true;
    for (int n = 0; n < ROUNDS && better; n++) {
        const int count = find_directions(chain, &m, ik->finder.size, directions);
        better = false;
        for (int k = 0; k < count; k++) {
            const double step = step_along(chain, s->model_start, &m, directions[k]);
            better = try_step(ik, s, directions[k], step, &m) || better;
        }
    }
    for (int i = 0; i < chain->count; i++) {
        const closed_joint *joint = &chain->joints[i];
        ik->trial[joint->q] =
            m.excess > 0 ? m.q[i] : scalar_clamp(m.q[i], joint->lower, joint->upper);
    }
    return m.excess > 0 ? INFINITY : m.square;
}

bool ik_family_descend(lb_ik *ik, ik_search *s)
{
    const ik_iteration *it = &ik->iteration;
    double share = KERNEL_DAMPING_SHARE, position, rotation;
    memcpy(s->escape_start, s->start, sizeof(double) * (size_t)it->problem.tree.nq);
    for (int i = 0; i < DESCENT_STEPS; i++) {
        memcpy(ik->trial, s->model_start, sizeof(double) * (size_t)ik->model->tree.nq);
        ik_scatter(&ik->reduction, s->escape_start, ik->trial);
        ik_verifier_errors(&ik->verifier, ik->trial, s->model_targets, &position, &rotation);
        if (position <= ik->options.position_tolerance &&
            rotation <= ik->options.rotation_tolerance)
            return true;
        (void)ik->single->iterate(&it->problem, &ik->control, s->targets, s->escape_start, &share,
                                  it->scratch);
    }
    return false;
}

/* ---- seeds --------------------------------------------------------------------- */

/* places that are looked at along each family: a bent one has several that are nearer than all
   beside them */
enum { HINTS = 24 };

/* Of each branch the nearest member inside the limits, and then the nearest on any turn. */
typedef struct all_seeds {
    double q[IK_FAMILY_SEEDS][CLOSED_ARM_JOINTS];
    double square[IK_FAMILY_SEEDS]; /* INFINITY: there is none */
} all_seeds;

static void add_seed(all_seeds *seeds, int i, const double *q, double square)
{
    if (!(square < seeds->square[i]))
        return;
    memcpy(seeds->q[i], q, sizeof seeds->q[i]);
    seeds->square[i] = square;
}

/* the turns that are nearest to the start, whatever the limits; the square of the distance */
static double unwind(const closed_chain *chain, const double *start, double *q)
{
    double square = 0;
    for (int i = 0; i < chain->count; i++) {
        double d = q[i] - start[i];
        d = chain->joints[i].is_length ? d : lb_wrap_angle(d);
        q[i] = start[i] + d;
        square += d * d / (chain->joints[i].unit * chain->joints[i].unit);
    }
    return square;
}

/* members of all families: what nothing determines is where the start has it, turned by a share of
   a circle */
static void sample_families(const lb_ik *ik, const ik_search *s, all_seeds *seeds)
{
    const closed_chain *chain = &ik->finder.chain;
    const kernel_closed *form = &ik->finder.form;
    double start[CLOSED_ARM_JOINTS];
    kernel_solutions found;
    for (int i = 0; i < 2 * KERNEL_CLOSED_BRANCHES; i++)
        seeds->square[i] = INFINITY;
    for (int i = 0; i < chain->count; i++)
        start[i] = s->model_start[chain->joints[i].q];
    for (int n = 0; n < HINTS; n++) {
        double full[KERNEL_CLOSED_JOINTS], q[CLOSED_ARM_JOINTS] = {0};
        closed_complete(&ik->finder, start, full);
        // a single joint, a pair and a wrist have one such joint each: their first
        for (int k = 0; k < 4; k += k ? 2 : 1)
            if (!ik->finder.ranges.is_length[form->joint[k]])
                full[form->joint[k]] += 2 * LB_PI * n / HINTS;
        ik->ops->closed_one(form, &ik->finder.ranges, s->model_targets, full, &found);
        for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
            closed_choice choice;
            // what is not open has one member
            if ((found.freedom[b] == 0 && n > 0) || !kernel_closed_solves(&found, b))
                continue;
            for (int k = 0; k < KERNEL_CLOSED_JOINTS; k++)
                q[ik->finder.chain_of[k]] = found.q[k][b];
            closed_choose(chain, q, start, &choice);
            if (choice.worst < 0)
                add_seed(seeds, b, choice.q, choice.square);
            const double square = unwind(chain, start, q);
            add_seed(seeds, b + KERNEL_CLOSED_BRANCHES, q, square);
        }
    }
}

/* whether an earlier seed is the same: the two roots of a wrist in line, or a member that is inside
   the limits on its nearest turns */
static bool is_repeated(const all_seeds *seeds, int i)
{
    bool same = false;
    for (int k = 0; k < i && !same; k++)
        same = fabs(seeds->square[k] - seeds->square[i]) <= 1e-9 * seeds->square[i];
    return same;
}

void ik_family_find_seeds(const lb_ik *ik, const ik_search *s, ik_family_seeds *seeds)
{
    all_seeds all;
    sample_families(ik, s, &all);
    seeds->count = 0;
    for (int i = 0; i < IK_FAMILY_SEEDS; i++)
        if (all.square[i] < INFINITY && !is_repeated(&all, i))
            memcpy(seeds->q[seeds->count++], all.q[i], sizeof all.q[i]);
}
