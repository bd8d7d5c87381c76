/*
 * refine.c - whether a cell that has every orientation of its grid has those between them, too.
 *
 * No finite set proves a cell dexterous, and one orientation that is missing refutes it. So further
 * orientations are tried, ever twice as many, until one is missing. Two rules of the golden ratio
 * spread them: multiples of irrational shares leave no gaps (Weyl 1916), three shares of one cubic
 * root fill the unit cube evenly (Roberts 2018), and Shoemake's map makes rotations of that (1992).
 */
#include "workspace/map.h"

#include <string.h>

/* the shares of one, two and three numbers: 1 over the powers of the roots of x^2 = x + 1 and
   x^4 = x + 1 */
static const double headings = 0.61803398874989485;
static const double shares[3] = {0.81917251339616443, 0.67104360670378920, 0.54970047790197026};

/* solutions of other orientations that one which is missing is looked for from */
enum { NEIGHBORS = 8 };

static double fraction(double x)
{
    return x - floor(x);
}

/* rotation `n` of a sequence that leaves no gap */
static lb_quat spread_rotation(uint32_t n)
{
    double u[3], s[2], c[2];
    for (int k = 0; k < 3; k++)
        u[k] = fraction(0.5 + n * shares[k]);
    for (int k = 0; k < 2; k++)
        lb_sincos(2 * LB_PI * u[k + 1], &s[k], &c[k]);
    const double a = sqrt(1 - u[0]), b = sqrt(u[0]);
    return (lb_quat){b * c[1], a * s[0], a * c[0], b * s[1]};
}

/* orientation `n`, with the origin at zero; `rest` is the tool's at rest */
static lb_transform orientation(const lb_workspace *w, uint32_t n, const lb_transform *rest)
{
    const lb_vec3 zero = lb_vec3_make(0, 0, 0), up = lb_vec3_make(0, 0, 1);
    if (!w->orientations.planar)
        return lb_transform_from_quat(spread_rotation(n), zero);
    lb_quat turn = lb_quat_from_axis_angle(up, 2 * LB_PI * fraction(n * headings));
    return lb_transform_from_quat(lb_quat_multiply(turn, lb_transform_quat(rest)), zero);
}

/* looks for one that is missing with more effort, and from where others are reached */
static bool find_missing(lb_workspace *w, int missing)
{
    const size_t nq = (size_t)lb_model_nq(w->probe.model);
    const lb_transform *target = &w->targets[missing];
    double *q = w->configurations + (size_t)missing * nq;
    lb_ik_result result;
    bool found = lb_ik_solve(w->patient, target, w->probe.rest, q, &result) == LB_REACHED;
    const int step = w->orientations.count / NEIGHBORS + 1;
    for (int i = 0; i < w->orientations.count && !found; i += step)
        if (w->results[i].outcome == LB_REACHED)
            found = lb_ik_solve(w->patient, target, w->configurations + (size_t)i * nq, q,
                                &result) == LB_REACHED;
    return found;
}

/* whether the cell has `count` orientations of the sequence, from `first` on */
static bool has_all(lb_workspace *w, lb_vec3 center, uint32_t first, int count)
{
    lb_transform rest = probe_rest(&w->probe);
    for (int i = 0; i < count; i++) {
        lb_transform goal = orientation(w, first + (uint32_t)i, &rest);
        goal.p = center;
        w->targets[i] = lb_transform_multiply(&w->grid.frame, &goal);
    }
    const lb_batch batch = {.targets = w->targets, .q = w->configurations, .results = w->results};
    if ((int)lb_batch_solve(w->pose, &batch, 0, (size_t)count) == count)
        return true;
    bool all = true;
    for (int i = 0; i < count && all; i++)
        all = w->results[i].outcome == LB_REACHED || find_missing(w, i);
    return all;
}

int map_refine(lb_workspace *w, size_t index)
{
    const int count = w->orientations.count;
    const lb_vec3 center = map_center(w, index);
    uint32_t next = 1;
    // level k doubles how many have been tried
    for (int level = 0; level < MAP_LEVELS; level++)
        for (int part = 0; part < 1 << level; part++, next += (uint32_t)count)
            if (!has_all(w, center, next, count))
                return level;
    return MAP_LEVELS;
}
