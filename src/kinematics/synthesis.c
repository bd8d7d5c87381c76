/*
 * synthesis.c - dyads of given poses of a plane.
 *
 * In units of the poses' spread, about the coupler's origin in the first pose, a moving point W
 * goes to d_j + r_j W, and a dyad of W and G keeps |d_j + r_j W - G|. Less the first pose that is
 *     (d_j + (r_j - 1) W) . G = |d_j|^2 / 2 + d_j . r_j W,
 * linear in G for a given W: two rows are the bisectors of three poses. Three rows have a G where a
 * determinant is zero, a cubic in W, met here with lines. Four rows, with W, G and their conjugates
 * as unknowns, are bilinear, and all of their roots are tracked.
 */
#include "base/error.h"
#include "kinematics/planar.h"
#include "kinematics/roots.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <limber/synthesis.h>
#include <string.h>

_Static_assert(LB_SYNTHESIS_DYADS == LB_SYNTHESIS_SAMPLES * LB_SYNTHESIS_SAMPLES, "a lattice");

enum { MOST_ROWS = LB_SYNTHESIS_POSES - 1 };

/* Poses, and what is found of them. */
typedef struct guidance {
    int count;
    planar_point d[LB_SYNTHESIS_POSES], r[LB_SYNTHESIS_POSES];
    planar_point origin, turn; /* of the first pose in the ground */
    double size, reach;        /* the spread, and how far points may be in units of it */
    lb_dyad *dyads;
    int capacity, found;
} guidance;

/* ---- poses ------------------------------------------------------------------ */

/* from G to W in a pose */
static planar_point arm(const guidance *g, int j, planar_point w, planar_point fixed)
{
    return point_less(point_sum(g->d[j], point_times(g->r[j], w)), fixed);
}

/* what has no four-bar, or has too many */
static lb_status check_poses(const guidance *g, lb_error *error)
{
    const double least = 1e-18;
    double widest = 0, off = 0;
    planar_point pole = {0, 0}; /* of the two poses that turn most against each other */
    for (int i = 0; i < g->count; i++)
        for (int j = i + 1; j < g->count; j++) {
            planar_point turn = point_less(g->r[i], g->r[j]), moved = point_less(g->d[j], g->d[i]);
            double square = point_square(turn);
            if (square + point_square(moved) <= least)
                return REFUSE_VALUE(error, "poses %d and %d are the same; leave one out", i + 1,
                                    j + 1);
            if (square > widest)
                pole = point_scaled(point_times(moved, point_mirror(turn)), 1 / square);
            widest = scalar_max(widest, square);
        }
    if (widest <= least)
        return REFUSE_VALUE(error,
                            "all poses have one angle; only a parallelogram moves so, give poses "
                            "that turn");
    for (int j = 0; j < g->count; j++)
        off = scalar_max(off, point_square(arm(g, j, pole, pole)));
    pole = point_sum(g->origin, point_scaled(pole, g->size));
    if (off <= least)
        return REFUSE_VALUE(error,
                            "the poses turn about one point, x %.6g y %.6g; a hinge there does it",
                            pole.x, pole.y);
    return LB_OK;
}

static lb_status begin_guidance(guidance *g, const lb_plane_pose *poses, int count, lb_error *error)
{
    if (count < 3 || count > LB_SYNTHESIS_POSES)
        return REFUSE_VALUE(error, "three to five poses are wanted, there are %d", count);
    *g = (guidance){.count = count, .origin = {poses[0].x, poses[0].y}};
    lb_sincos(poses[0].angle, &g->turn.y, &g->turn.x);
    for (int j = 0; j < count; j++) {
        if (!isfinite(poses[j].x) || !isfinite(poses[j].y) || !isfinite(poses[j].angle))
            return REFUSE_VALUE(error, "pose %d: a number is not finite", j + 1);
        lb_sincos(poses[j].angle - poses[0].angle, &g->r[j].y, &g->r[j].x);
        g->d[j] = point_less((planar_point){poses[j].x, poses[j].y}, g->origin);
        g->size = scalar_max(g->size, sqrt(point_square(g->d[j])));
    }
    // poses about the coupler's origin: the refusal below
    g->size = g->size > 0 ? g->size : 1;
    for (int j = 0; j < count; j++)
        g->d[j] = point_scaled(g->d[j], 1 / g->size);
    return check_poses(g, error);
}

/* ---- dyads ------------------------------------------------------------------ */

/* adds a dyad unless it is none, is too far away or is listed */
static void keep_dyad(guidance *g, planar_point w, planar_point fixed)
{
    const double least = 1e-6, exact = 1e-10;
    double length = sqrt(point_square(arm(g, 0, w, fixed))), off = 0;
    for (int j = 1; j < g->count; j++)
        off = scalar_max(off, fabs(sqrt(point_square(arm(g, j, w, fixed))) - length));
    if (!(off <= exact * (1 + length)) || length < least || point_square(w) > g->reach * g->reach ||
        point_square(fixed) > g->reach * g->reach)
        return;
    planar_point moving = point_scaled(point_times(w, point_mirror(g->turn)), g->size);
    planar_point pivot = point_sum(g->origin, point_scaled(fixed, g->size));
    for (int i = 0; i < g->found && i < g->capacity; i++) {
        const lb_dyad *d = &g->dyads[i];
        planar_point apart = point_less(moving, (planar_point){d->moving_x, d->moving_y});
        planar_point away = point_less(pivot, (planar_point){d->fixed_x, d->fixed_y});
        if (sqrt(point_square(apart) + point_square(away)) < least * g->size * (1 + length))
            return;
    }
    if (g->found++ < g->capacity)
        g->dyads[g->found - 1] = (lb_dyad){pivot.x, pivot.y, moving.x, moving.y, length * g->size};
}

/* ---- given moving points: three and four poses ------------------------------ */

typedef struct bisector {
    planar_point normal;
    double offset;
} bisector;

static bisector bisect(const guidance *g, int j, planar_point w)
{
    planar_point turned = point_times(g->r[j], w);
    return (bisector){point_less(point_sum(g->d[j], turned), w),
                      point_square(g->d[j]) / 2 + point_dot(g->d[j], turned)};
}

/* the dyad of a moving point, from the two bisectors that cross best */
static void keep_center(guidance *g, planar_point w)
{
    bisector best = {.offset = 0}, other = best;
    double most = 0;
    for (int i = 1; i < g->count; i++)
        for (int j = i + 1; j < g->count; j++) {
            bisector a = bisect(g, i, w), b = bisect(g, j, w);
            double cross = point_cross(a.normal, b.normal);
            if (fabs(cross) > fabs(most)) {
                most = cross;
                best = a;
                other = b;
            }
        }
    if (most == 0)
        return;
    planar_point fixed = {best.offset * other.normal.y - other.offset * best.normal.y,
                          best.normal.x * other.offset - other.normal.x * best.offset};
    keep_dyad(g, w, point_scaled(fixed, 1 / most));
}

static void keep_lattice(guidance *g, planar_point near, int samples)
{
    for (int i = 0; i < samples; i++)
        for (int k = 0; k < samples; k++) {
            double share = samples > 1 ? 2.0 / (samples - 1) : 0, middle = samples > 1;
            planar_point w = {i * share - middle, k * share - middle};
            keep_center(g, point_sum(near, w));
        }
}

/* where the bisectors of four poses meet in one point: 0; of a place on a line */
static double circle_cubic(const guidance *g, planar_point from, planar_point along, double t)
{
    planar_point w = point_sum(from, point_scaled(along, t));
    bisector a = bisect(g, 1, w), b = bisect(g, 2, w), c = bisect(g, 3, w);
    return a.offset * point_cross(b.normal, c.normal) + b.offset * point_cross(c.normal, a.normal) +
           c.offset * point_cross(a.normal, b.normal);
}

/* all roots of the cubic on a line: between its ends and the places where its slope is zero */
static void keep_line(guidance *g, planar_point from, planar_point along)
{
    double f[4], most = 2 * g->reach;
    for (int i = 0; i < 4; i++)
        f[i] = circle_cubic(g, from, along, i - 1);
    double odd = (f[2] - f[0]) / 2, c2 = (f[2] + f[0]) / 2 - f[1];
    double c3 = (f[3] - f[1] - 4 * c2 - 2 * odd) / 6, c1 = odd - c3;
    double root = sqrt(scalar_max(c2 * c2 - 3 * c1 * c3, 0));
    double sum = -(c2 + (c2 < 0 ? -root : root));
    double one = c3 != 0 ? scalar_clamp(sum / (3 * c3), -most, most) : -most;
    double other = sum != 0 ? scalar_clamp(c1 / sum, -most, most) : one;
    const double cuts[] = {-most, scalar_min(one, other), scalar_max(one, other), most};
    for (int i = 0; i < 3; i++) {
        double low = cuts[i], high = cuts[i + 1];
        bool sign = circle_cubic(g, from, along, low) > 0;
        if (sign == (circle_cubic(g, from, along, high) > 0))
            continue;
        for (int k = 0; k < 60; k++) {
            double middle = (low + high) / 2;
            bool before = (circle_cubic(g, from, along, middle) > 0) == sign;
            low = before ? middle : low;
            high = before ? high : middle;
        }
        keep_center(g, point_sum(from, point_scaled(along, low)));
    }
}

/* ---- five poses -------------------------------------------------------------- */

typedef struct dyad_system {
    kernel_bilinear_form rows[MOST_ROWS];
} dyad_system;

static int track_dyads(const void *equations, int pass, const kernel_care *care, lb_random *random,
                       kernel_path *paths)
{
    root_form forms[2][BILINEAR_UNKNOWNS];
    const dyad_system *s = equations;
    kernel_bilinear from;
    (void)pass;
    for (int i = 0; i < 2 * MOST_ROWS; i++)
        for (int k = 0; k < 3; k++)
            forms[i % 2][i / 2].at[k] = root_draw(random);
    int count = bilinear_start(2, forms[0], forms[1], s->rows, &from, paths);
    kernel_choose_track(0)->bilinear(&from, care, paths, count);
    return count;
}

/* adds a row, the square of a form in (1, W, G), to an equation in the chart, where that is M (1,
 * y)
 */
static void add_square(kernel_bilinear_form equation, const planar_point *form,
                       planar_point chart[3][3], double sign)
{
    planar_point at[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int i = 0; i < 9; i++)
        at[i % 3] = point_sum(at[i % 3], point_times(form[i / 3], chart[i / 3][i % 3]));
    for (int i = 0; i < 9; i++) {
        planar_point product = point_times(at[i / 3], point_mirror(at[i % 3]));
        equation[i / 3][i % 3] = point_sum(equation[i / 3][i % 3], point_scaled(product, sign));
    }
}

/* steps of Newton's method on all rows, half of each */
static void correct_dyad(const guidance *g, planar_point *w, planar_point *fixed)
{
    for (int step = 0; step < 6; step++) {
        double matrix[MOST_ROWS][MOST_ROWS], b[MOST_ROWS];
        int pivots[MOST_ROWS];
        planar_point first = arm(g, 0, *w, *fixed);
        for (int j = 0; j < MOST_ROWS; j++) {
            planar_point a = arm(g, j + 1, *w, *fixed);
            planar_point by_w = point_less(point_times(a, point_mirror(g->r[j + 1])), first);
            const double row[] = {first.x - a.x, first.y - a.y, by_w.x, by_w.y};
            memcpy(matrix[j], row, sizeof row);
            b[j] = (point_square(first) - point_square(a)) / 2;
        }
        if (!(dense_lu_factor(MOST_ROWS, *matrix, pivots) > 1e-14))
            return;
        dense_lu_solve(MOST_ROWS, *matrix, pivots, b);
        *fixed = point_sum(*fixed, (planar_point){b[0], b[1]});
        *w = point_sum(*w, (planar_point){b[2], b[3]});
    }
}

/*
 * Two of the six roots are always at infinity, one where W alone is infinite, one where G is, and
 * others may be far away. In a chart drawn at random all six are near, so none is lost.
 */
static bool keep_roots(guidance *g)
{
    const planar_point first[] = {{0, 0}, {1, 0}, {-1, 0}};
    planar_point chart[3][3];
    lb_random random = lb_random_seed(1);
    dyad_system s = {.rows = {{{{0, 0}}}}};
    for (int i = 0; i < 9; i++)
        chart[i / 3][i % 3] = root_draw(&random);
    for (int j = 0; j < MOST_ROWS; j++) {
        const planar_point form[] = {g->d[j + 1], g->r[j + 1], {-1, 0}};
        add_square(s.rows[j], form, chart, 1);
        add_square(s.rows[j], first, chart, -1);
    }
    const root_system system = {&s, 4, 2, track_dyads};
    root_list list;
    bool all = roots_find(&system, &list) && list.count == 6;
    for (int i = 0; i < list.count; i++) {
        const planar_point y[] = {{1, 0}, list.at[i].at[0], list.at[i].at[1]};
        planar_point at[3] = {{0, 0}, {0, 0}, {0, 0}};
        for (int k = 0; k < 9; k++)
            at[k / 3] = point_sum(at[k / 3], point_times(chart[k / 3][k % 3], y[k % 3]));
        // at[0] is zero at infinity
        double square = point_square(at[0]);
        if (!root_is_real(&system, &list.at[i]) || square < 1e-16)
            continue;
        planar_point share = point_scaled(point_mirror(at[0]), 1 / square);
        planar_point w = point_times(at[1], share), fixed = point_times(at[2], share);
        correct_dyad(g, &w, &fixed);
        keep_dyad(g, w, fixed);
    }
    return all;
}

/* ---- the call ----------------------------------------------------------------- */

lb_synthesis_options lb_synthesis_options_default(void)
{
    return (lb_synthesis_options){.samples = 0};
}

static bool is_wrong(const lb_synthesis_options *o)
{
    return !isfinite(o->near_x) || !isfinite(o->near_y) || !(o->reach >= 0) || o->samples < 0 ||
           o->samples > LB_SYNTHESIS_SAMPLES;
}

lb_status lb_dyads_find(const lb_plane_pose *poses, int count, const lb_synthesis_options *options,
                        lb_dyad *dyads, int capacity, int *found, bool *complete, lb_error *error)
{
    guidance g;
    lb_synthesis_options o = options != NULL ? *options : lb_synthesis_options_default();
    TRY(REQUIRE(error, {poses, "poses"}, {dyads, "dyads"}, {found, "found"}));
    error_begin(error, NULL);
    if (is_wrong(&o))
        return REFUSE_VALUE(error, "synthesis options: a value is out of range");
    TRY(begin_guidance(&g, poses, count, error));
    g.dyads = dyads;
    g.capacity = capacity;
    g.reach = o.reach > 0 ? o.reach / g.size : count == LB_SYNTHESIS_POSES ? 1e6 : 10;
    planar_point near = point_times(g.turn, (planar_point){o.near_x / g.size, o.near_y / g.size});
    int lines = o.samples > 0 ? o.samples : LB_SYNTHESIS_SAMPLES;
    bool all = false;
    if (count == 3)
        keep_lattice(&g, near, o.samples > 0 ? o.samples : 5);
    for (int i = 0; count == 4 && i < lines; i++) {
        planar_point along;
        lb_sincos(LB_PI * i / lines, &along.y, &along.x);
        keep_line(&g, near, along);
    }
    if (count == LB_SYNTHESIS_POSES)
        all = keep_roots(&g);
    *found = g.found;
    if (complete != NULL)
        *complete = all;
    return LB_OK;
}
