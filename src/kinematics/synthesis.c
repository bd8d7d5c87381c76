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

/* whether all poses turn about one point */
static bool turn_about_point(const guidance *g, double rounding, planar_point *pole)
{
    const planar_point one = {1, 0};
    int most = 0;
    for (int j = 1; j < g->count; j++)
        if (g->r[j].x < g->r[most].x)
            most = j;
    planar_point turn = point_less(one, g->r[most]);
    *pole = point_scaled(point_times(g->d[most], point_mirror(turn)), 1 / point_square(turn));
    for (int j = 1; j < g->count; j++) {
        planar_point moved = point_times(point_less(one, g->r[j]), *pole);
        if (point_square(point_less(moved, g->d[j])) > rounding * rounding)
            return false;
    }
    return true;
}

/* what has no four-bar, or has too many */
static lb_status check_poses(const guidance *g, lb_error *error)
{
    const double rounding = 1e-9;
    bool turns = false;
    planar_point pole;
    for (int i = 0; i < g->count; i++)
        for (int j = i + 1; j < g->count; j++) {
            double turn = point_square(point_less(g->r[i], g->r[j]));
            turns = turns || turn > rounding * rounding;
            if (turn + point_square(point_less(g->d[i], g->d[j])) <= rounding * rounding)
                return lb_error_set(error, LB_BAD_VALUE, 0,
                                    "poses %d and %d are the same; leave one out", i + 1, j + 1);
        }
    if (!turns)
        return lb_error_set(error, LB_BAD_VALUE, 0,
                            "all poses have one angle; only a parallelogram moves so, give poses "
                            "that turn");
    if (turn_about_point(g, rounding, &pole)) {
        pole = point_sum(g->origin, point_scaled(pole, g->size));
        return lb_error_set(error, LB_BAD_VALUE, 0,
                            "the poses turn about one point, x %.6g y %.6g; a hinge there does it",
                            pole.x, pole.y);
    }
    return LB_OK;
}

static lb_status begin_guidance(guidance *g, const lb_plane_pose *poses, int count, lb_error *error)
{
    if (count < 3 || count > LB_SYNTHESIS_POSES)
        return lb_error_set(error, LB_BAD_VALUE, 0, "three to five poses are wanted, there are %d",
                            count);
    *g = (guidance){.count = count, .origin = {poses[0].x, poses[0].y}};
    lb_sincos(poses[0].angle, &g->turn.y, &g->turn.x);
    for (int j = 0; j < count; j++) {
        if (!isfinite(poses[j].x) || !isfinite(poses[j].y) || !isfinite(poses[j].angle))
            return lb_error_set(error, LB_BAD_VALUE, 0, "pose %d: a number is not finite", j + 1);
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

static planar_point arm(const guidance *g, int j, planar_point w, planar_point fixed)
{
    return point_less(point_sum(g->d[j], point_times(g->r[j], w)), fixed);
}

/*
 * A step of Newton's method on all rows, in G and in as many directions of W as are left; false:
 * they are singular.
 */
static bool correct_dyad(const guidance *g, planar_point along, planar_point *w,
                         planar_point *fixed)
{
    int n = g->count - 1, pivots[MOST_ROWS];
    double matrix[MOST_ROWS * MOST_ROWS], b[MOST_ROWS];
    planar_point first = arm(g, 0, *w, *fixed), across = {-along.y, along.x};
    for (int j = 0; j < n; j++) {
        planar_point a = arm(g, j + 1, *w, *fixed);
        planar_point by_w =
            point_less(point_times(a, point_mirror(g->r[j + 1])), first); /* half the slope */
        double row[] = {first.x - a.x, first.y - a.y, point_dot(by_w, along),
                        point_dot(by_w, across)};
        for (int k = 0; k < n; k++)
            matrix[j * n + k] = row[k];
        b[j] = (point_square(first) - point_square(a)) / 2;
    }
    if (!(dense_lu_factor(n, matrix, pivots) > 1e-14))
        return false;
    dense_lu_solve(n, matrix, pivots, b);
    *fixed = point_sum(*fixed, (planar_point){b[0], b[1]});
    *w = n > 2 ? point_sum(*w, point_scaled(along, b[2])) : *w;
    *w = n > 3 ? point_sum(*w, point_scaled(across, b[3])) : *w;
    return true;
}

/* adds a dyad after correction, unless it is none, is too far away or is listed */
static void keep_dyad(guidance *g, planar_point along, planar_point w, planar_point fixed)
{
    const double least = 1e-6, exact = 1e-10;
    for (int i = 0; i < 6 && correct_dyad(g, along, &w, &fixed); i++)
        ;
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
static void keep_center(guidance *g, planar_point along, planar_point w)
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
    keep_dyad(g, along, w, point_scaled(fixed, 1 / most));
}

static void keep_lattice(guidance *g, planar_point near, int samples)
{
    for (int i = 0; i < samples; i++)
        for (int k = 0; k < samples; k++) {
            double share = samples > 1 ? 2.0 / (samples - 1) : 0, middle = samples > 1;
            planar_point w = {i * share - middle, k * share - middle};
            keep_center(g, (planar_point){1, 0}, point_sum(near, w));
        }
}

/* where the bisectors of four poses meet in one point: 0 */
static double circle_cubic(const guidance *g, planar_point w)
{
    bisector a = bisect(g, 1, w), b = bisect(g, 2, w), c = bisect(g, 3, w);
    return a.offset * point_cross(b.normal, c.normal) + b.offset * point_cross(c.normal, a.normal) +
           c.offset * point_cross(a.normal, b.normal);
}

/* a root of the cubic on a line between two places where its signs differ */
static void keep_between(guidance *g, planar_point from, planar_point along, double low,
                         double high)
{
    bool sign = circle_cubic(g, point_sum(from, point_scaled(along, low))) > 0;
    if (sign == (circle_cubic(g, point_sum(from, point_scaled(along, high))) > 0))
        return;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if ((circle_cubic(g, point_sum(from, point_scaled(along, middle))) > 0) == sign)
            low = middle;
        else
            high = middle;
    }
    keep_center(g, along, point_sum(from, point_scaled(along, low)));
}

/* all roots of the cubic on a line: between its ends and the places where its slope is zero */
static void keep_line(guidance *g, planar_point from, planar_point along)
{
    double f[4], cuts[4] = {-2 * g->reach, 0, 0, 2 * g->reach};
    for (int i = 0; i < 4; i++)
        f[i] = circle_cubic(g, point_sum(from, point_scaled(along, i - 1)));
    double odd = (f[2] - f[0]) / 2, c2 = (f[2] + f[0]) / 2 - f[1];
    double c3 = (f[3] - f[1] - 4 * c2 - 2 * odd) / 6, c1 = odd - c3;
    double root = sqrt(scalar_max(c2 * c2 - 3 * c1 * c3, 0));
    double sum = -(c2 + (c2 < 0 ? -root : root));
    cuts[1] = c3 != 0 ? scalar_clamp(sum / (3 * c3), cuts[0], cuts[3]) : cuts[0];
    cuts[2] = sum != 0 ? scalar_clamp(c1 / sum, cuts[0], cuts[3]) : cuts[1];
    bool ordered = cuts[1] <= cuts[2];
    keep_between(g, from, along, cuts[0], cuts[ordered ? 1 : 2]);
    keep_between(g, from, along, cuts[ordered ? 1 : 2], cuts[ordered ? 2 : 1]);
    keep_between(g, from, along, cuts[ordered ? 2 : 1], cuts[3]);
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

/* a form in (1, W, G), its coefficient in the chart, where that is M (1, y) */
static planar_point form_at_chart(const planar_point *form, planar_point chart[3][3], int column)
{
    planar_point sum = {0, 0};
    for (int i = 0; i < 3; i++)
        sum = point_sum(sum, point_times(form[i], chart[i][column]));
    return sum;
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
    dyad_system s;
    for (int i = 0; i < 9; i++)
        chart[i / 3][i % 3] = root_draw(&random);
    for (int j = 0; j < MOST_ROWS; j++) {
        const planar_point a[] = {g->d[j + 1], g->r[j + 1], {-1, 0}};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                planar_point here = point_times(form_at_chart(a, chart, i),
                                                point_mirror(form_at_chart(a, chart, k)));
                planar_point there = point_times(form_at_chart(first, chart, i),
                                                 point_mirror(form_at_chart(first, chart, k)));
                s.rows[j][i][k] = point_less(here, there);
            }
    }
    const root_system system = {&s, 4, 2, track_dyads};
    root_list list;
    bool all = roots_find(&system, &list) && list.count == 6;
    for (int i = 0; i < list.count; i++) {
        const planar_point *y = list.at[i].at;
        planar_point at[3];
        for (int k = 0; k < 3; k++)
            at[k] = point_sum(chart[k][0], point_sum(point_times(chart[k][1], y[0]),
                                                     point_times(chart[k][2], y[1])));
        // at[0] is zero at infinity
        if (!root_is_real(&system, &list.at[i]) || point_square(at[0]) < 1e-16)
            continue;
        planar_point share = point_scaled(point_mirror(at[0]), 1 / point_square(at[0]));
        keep_dyad(g, (planar_point){1, 0}, point_times(at[1], share), point_times(at[2], share));
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
        return lb_error_set(error, LB_BAD_VALUE, 0, "synthesis options: a value is out of range");
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
