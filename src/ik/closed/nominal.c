/* nominal.c - calibrated arms: general ones that are nearly of a class with a closed form. */
#include "ik/closed/nominal.h"

#include "ik/closed/newton.h"
#include "math/scalar.h"

/*
 * Where the discriminant of a root is m, an angle deviates by d / sqrt(m) where the arm deviates by
 * d, and the discriminants that follow from that angle by c times as much, c about 1: they are
 * shares of the arm's length, or cosines. Three roots follow one another. With all discriminants
 * above m in absolute value the second deviates by c d / sqrt(m) and the third by c d / m, so that
 * all keep their sign where m > sqrt(c d). This is the root of c, with room.
 */
#define CLEAR 3

/* Newton's method ends as near to the target as a general arm's solutions, in the same units */
#define CONFIRMED 1e-12
/* a solution that far from its place, in radians, is another one's; and one as far as the root of
   the discriminant, by which the two solutions at a double root are apart */
#define ASTRAY 0.5
/* a Jacobian that is singular to the root of rounding: two solutions meet */
#define MEETING 3e-7

enum { TRIAL_POSES = 6, NEWTON_STEPS = 8 };

static const kernel_ranges no_ranges = {
    .lower = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY},
    .upper = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
    .weight = {1, 1, 1, 1, 1, 1},
};

/* how far the branches of a pose are from it on the arm itself */
static double measure(const closed_arm *arm, const kernel_solutions *found,
                      const lb_transform *target, double size)
{
    double most = 0;
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
        double q[KERNEL_CLOSED_JOINTS], error[6];
        if (!(found->margin[b] > 0))
            continue;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
            q[i] = found->q[i][b];
        lb_transform tip = closed_forward(arm, q);
        (void)closed_error(&tip, target, error);
        for (int i = 0; i < 6; i++)
            most = scalar_max(fabs(error[i]) / (i < 3 ? size : 1), most);
    }
    return most;
}

void closed_nominal_make(const closed_arm *arm, closed_nominal *nominal)
{
    lb_random random = lb_random_seed(8);
    double size = closed_arm_size(arm);
    nominal->deviation = 0;
    nominal->known = true;
    for (int i = 0; i < arm->joints; i++)
        nominal->known = nominal->known && !arm->is_length[i];
    nominal->known = nominal->known && closed_recognise(arm, CLOSED_NEARLY, &nominal->form);
    if (nominal->known)
        nominal->snap = closed_snap_of(arm, &nominal->form);
    for (int n = 0; n < TRIAL_POSES && nominal->known; n++) {
        double q[KERNEL_CLOSED_JOINTS];
        kernel_solutions found;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
            q[i] = lb_random_between(&random, -LB_PI, LB_PI);
        lb_transform target = closed_forward(arm, q);
        kernel_choose(1)->closed_one(&nominal->form, &no_ranges, &target, q, &found);
        nominal->deviation = scalar_max(measure(arm, &found, &target, size), nominal->deviation);
    }
}

/* the arm and its target as Newton's method takes them, lengths in units of its size */
static kernel_loop make_loop(const closed_arm *arm, const lb_transform *target, double size)
{
    kernel_loop loop;
    lb_transform home = lb_transform_inverse(&arm->home);
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++) {
        loop.axis[i] = arm->axis[i];
        loop.point[i] = lb_vec3_scale(arm->point[i], 1 / size);
    }
    loop.tip = lb_vec3_scale(arm->home.p, 1 / size);
    loop.target = lb_transform_multiply(target, &home);
    loop.target.p = lb_vec3_scale(loop.target.p, 1 / size);
    return loop;
}

/* the branches that certainly have a solution; -1: for some that is not certain */
static int choose_places(const closed_nominal *nominal, const kernel_solutions *places,
                         kernel_candidate *candidates, int *branches)
{
    int count = 0;
    double clear = CLEAR * sqrt(nominal->deviation);
    for (int b = 0; b < KERNEL_CLOSED_BRANCHES; b++) {
        if (!(places->closest[b] > clear) || places->freedom[b] != 0)
            return -1;
        if (places->margin[b] < 0)
            continue;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
            candidates[count].q[i] = places->q[i][b];
        branches[count++] = b;
    }
    return count;
}

/* Newton's method ended at a regular solution, which is that of its place */
static bool is_regular(const kernel_candidate *c, const kernel_solutions *places, int branch)
{
    double far = scalar_min(ASTRAY, sqrt(places->margin[branch]));
    bool near = c->error <= CONFIRMED && c->conditioning > MEETING;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        near = near && fabs(c->q[i] - places->q[i][branch]) < far;
    return near;
}

/* two solutions that are one: the steps from one of the places led astray */
static bool coincide(const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
        most = scalar_max(fabs(lb_wrap_angle(a[i] - b[i])), most);
    return most < 1e-5;
}

bool closed_nominal_solve(const closed_nominal *nominal, const closed_arm *arm,
                          const kernel_ops *ops, const kernel_general_ops *general,
                          const kernel_ranges *ranges, const lb_transform *target,
                          const double *start, kernel_solutions *places, nominal_set *set)
{
    kernel_candidate candidates[KERNEL_CLOSED_BRANCHES];
    ops->closed_one(&nominal->form, ranges, target, start, places);
    set->count = choose_places(nominal, places, candidates, set->branch);
    if (set->count < 0)
        return false;
    const kernel_loop loop = make_loop(arm, target, closed_arm_size(arm));
    general->refine(&loop, NEWTON_STEPS, candidates, set->count);
    for (int k = 0; k < set->count; k++) {
        if (!is_regular(&candidates[k], places, set->branch[k]))
            return false;
        for (int i = 0; i < KERNEL_CLOSED_JOINTS; i++)
            set->q[k][i] = candidates[k].q[i];
        for (int m = 0; m < k; m++)
            if (coincide(set->q[m], set->q[k]))
                return false;
    }
    return true;
}
