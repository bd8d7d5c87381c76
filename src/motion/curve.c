/*
 * curve.c - lines, a circle or a cubic spline through the points of a path.
 *
 * The spline is the interpolating one with continuous second derivatives, over the square roots of
 * the distances as its parameter (E. T. Y. Lee, "Choosing nodes in parametric curve interpolation",
 * 1989), which keeps it from overshooting where distances change. Its ends are free: no curvature
 * there. The second derivatives solve a tridiagonal system; closed splines tie its last unknown to
 * the first, so that one is eliminated last.
 */
#include "motion/path.h"

#include <string.h>

void curve_lines(path_span *spans, int count, const lb_transform *points, int n)
{
    for (int i = 0; i < count; i++) {
        lb_vec3 a = points[i].p, b = points[(i + 1) % n].p;
        spans[i].kind = SPAN_LINE;
        spans[i].c[0] = a;
        spans[i].c[1] = lb_vec3_sub(b, a);
        spans[i].c[2] = b;
    }
}

/* ---- circles ------------------------------------------------------------ */

/* an arc whose radius is a billion times its points' distance is straight but for rounding */
#define STRAIGHT 1e-9
/* square metres: of points so near to each other the centre would be lost where products are too
   small to be numbers; no line between them is off the circle by anything that can be seen */
#define TINY 1e-100

/* the centre relative to the first point, with the others at b and c; n is their normal */
static lb_vec3 circle_center(lb_vec3 b, lb_vec3 c, lb_vec3 n)
{
    lb_vec3 sum =
        lb_vec3_sub(lb_vec3_scale(c, lb_vec3_dot(b, b)), lb_vec3_scale(b, lb_vec3_dot(c, c)));
    return lb_vec3_scale(lb_vec3_cross(sum, n), 1 / (2 * lb_vec3_dot(n, n)));
}

/* the angle in (0, 2 pi] of a point on the circle, from the first axis towards the second */
static double circle_angle(const path_span *span, lb_vec3 point)
{
    lb_vec3 arm = lb_vec3_sub(point, span->c[0]);
    double angle = lb_atan2(lb_vec3_dot(arm, span->c[2]), lb_vec3_dot(arm, span->c[1]));
    return angle > 0 ? angle : angle + 2 * LB_PI;
}

bool curve_circle(path_span *spans, int count, const lb_transform *points)
{
    lb_vec3 b = lb_vec3_sub(points[1].p, points[0].p), c = lb_vec3_sub(points[2].p, points[0].p);
    lb_vec3 n = lb_vec3_cross(b, c);
    double product = lb_vec3_length(b) * lb_vec3_length(c);
    if (lb_vec3_dot(b, b) < TINY && lb_vec3_dot(c, c) < TINY) {
        curve_lines(spans, count, points, 3);
        return true;
    }
    if (!(lb_vec3_length(n) > STRAIGHT * product)) {
        // in order when the second lies between the others
        curve_lines(spans, count, points, 3);
        double along = lb_vec3_dot(b, c);
        return along >= 0 && lb_vec3_dot(b, b) <= lb_vec3_dot(c, c);
    }

    // two axes in the circle's plane, as long as its radius; the points follow anticlockwise
    lb_vec3 center = circle_center(b, c, n);
    path_span arc = {.kind = SPAN_ARC};
    arc.c[0] = lb_vec3_add(points[0].p, center);
    arc.c[1] = lb_vec3_scale(center, -1);
    arc.c[2] = lb_vec3_cross(lb_vec3_scale(n, 1 / lb_vec3_length(n)), arc.c[1]);
    double angles[4] = {0, circle_angle(&arc, points[1].p), circle_angle(&arc, points[2].p),
                        2 * LB_PI};
    for (int i = 0; i < count; i++) {
        memcpy(spans[i].c, arc.c, sizeof arc.c);
        spans[i].kind = SPAN_ARC;
        spans[i].from = angles[i];
        spans[i].sweep = angles[i + 1] - angles[i];
    }
    return true;
}

/* ---- splines ------------------------------------------------------------ */

/*
 * One row for each point: before * M[i - 1] + here * M[i] + after * M[i + 1] = right, for the
 * second derivatives M. After elimination M[i] = right + tie * M[last].
 */
typedef struct row {
    double before, here, after, tie;
    lb_vec3 right;
} row;

size_t curve_spline_work(int count)
{
    return ((size_t)count + 1) * (sizeof(row) / sizeof(double));
}

/* a span's parameter length */
static double knot(lb_vec3 displacement)
{
    return sqrt(lb_vec3_length(displacement));
}

/* the equation of the point between the displacements d0 and d1: slopes agree there */
static row joint_row(lb_vec3 d0, lb_vec3 d1)
{
    double h0 = knot(d0), h1 = knot(d1);
    lb_vec3 jump = lb_vec3_sub(lb_vec3_scale(d1, 1 / h1), lb_vec3_scale(d0, 1 / h0));
    return (row){.before = h0, .here = 2 * (h0 + h1), .after = h1, .right = lb_vec3_scale(jump, 6)};
}

/* row i minus `share` times row k */
static void subtract(row *i, const row *k, double share)
{
    i->right = lb_vec3_sub(i->right, lb_vec3_scale(k->right, share));
    i->tie -= share * k->tie;
}

static void divide(row *i, double pivot)
{
    i->after /= pivot;
    i->tie /= pivot;
    i->right = lb_vec3_scale(i->right, 1 / pivot);
}

/* solves n >= 2 rows in place: right becomes M; diagonally dominant, so no pivoting is needed */
static void solve(row *rows, int n)
{
    row *last = &rows[n - 1];
    rows[0].tie = -rows[0].before;
    rows[n - 2].tie -= rows[n - 2].after;
    rows[n - 2].after = 0;
    for (int i = 0; i < n - 1; i++) {
        double above = i > 0 ? rows[i].before : 0;
        double pivot = rows[i].here - (i > 0 ? above * rows[i - 1].after : 0);
        if (i > 0)
            subtract(&rows[i], &rows[i - 1], above);
        divide(&rows[i], pivot);
    }
    for (int i = n - 3; i >= 0; i--)
        subtract(&rows[i], &rows[i + 1], rows[i].after);

    // the last row refers to the first and the last but one, which now refers to it
    double pivot = last->here + last->after * rows[0].tie + last->before * rows[n - 2].tie;
    last->right = lb_vec3_sub(last->right, lb_vec3_scale(rows[0].right, last->after));
    last->right = lb_vec3_sub(last->right, lb_vec3_scale(rows[n - 2].right, last->before));
    last->right = lb_vec3_scale(last->right, 1 / pivot);
    for (int i = 0; i < n - 1; i++)
        rows[i].right = lb_vec3_add(rows[i].right, lb_vec3_scale(last->right, rows[i].tie));
}

/*
 * the cubic from a point along the displacement d, with the second derivatives m0 and m1 at its
 * ends
 */
static void set_cubic(path_span *span, lb_vec3 d, lb_vec3 m0, lb_vec3 m1)
{
    double square = lb_vec3_length(d); // of the parameter's length
    lb_vec3 bend = lb_vec3_add(lb_vec3_scale(m0, 2), m1);
    span->kind = SPAN_CUBIC;
    span->c[1] = lb_vec3_sub(d, lb_vec3_scale(bend, square / 6));
    span->c[2] = lb_vec3_scale(m0, square / 2);
    span->c[3] = lb_vec3_scale(lb_vec3_sub(m1, m0), square / 6);
}

void curve_spline(path_span *spans, int count, const lb_transform *points, int n, double *work)
{
    row *rows = (row *)work;
    bool closed = count == n;
    curve_lines(spans, count, points, n);
    for (int i = 0; i < n; i++) {
        bool end = !closed && (i == 0 || i == n - 1);
        rows[i] = end ? (row){.here = 1} : joint_row(spans[(i + n - 1) % n].c[1], spans[i].c[1]);
    }
    solve(rows, n);
    for (int i = 0; i < count; i++)
        set_cubic(&spans[i], spans[i].c[1], rows[i].right, rows[(i + 1) % n].right);
}
