/*
 * span.c - the spans of a path: their length, and the position after a share of it.
 *
 * Lines and arcs have constant speed. A cubic's length is the integral of its speed, by five-point
 * Gauss-Legendre quadrature on each part of it; parts are halved where that is not exact, as in
 * sharp bends. The parameter of a given length is found by Newton's method between bounds.
 */
#include "motion/path.h"

#include <string.h>

enum { POINTS = 5, NEWTON_STEPS = 16 };

/* nodes and weights on [-1, 1]: Abramowitz & Stegun, table 25.4 */
static const double nodes[POINTS] = {-0.906179845938664, -0.538469310105683, 0, 0.538469310105683,
                                     0.906179845938664};
static const double weights[POINTS] = {0.236926885056189, 0.478628670499366, 0.568888888888889,
                                       0.478628670499366, 0.236926885056189};

/* ---- by parameter ------------------------------------------------------- */

static lb_vec3 place_at(const path_span *span, double u)
{
    const lb_vec3 *c = span->c;
    if (span->kind == SPAN_ARC) {
        double sine, cosine;
        lb_sincos(span->from + u * span->sweep, &sine, &cosine);
        return lb_vec3_add(c[0],
                           lb_vec3_add(lb_vec3_scale(c[1], cosine), lb_vec3_scale(c[2], sine)));
    }
    if (span->kind == SPAN_LINE)
        return u < 0.5 ? lb_vec3_add(c[0], lb_vec3_scale(c[1], u))
                       : lb_vec3_sub(c[2], lb_vec3_scale(c[1], 1 - u));
    lb_vec3 sum = lb_vec3_add(c[2], lb_vec3_scale(c[3], u));
    sum = lb_vec3_add(c[1], lb_vec3_scale(sum, u));
    return lb_vec3_add(c[0], lb_vec3_scale(sum, u));
}

/* metres per unit of u of a cubic */
static double speed_at(const path_span *span, double u)
{
    lb_vec3 sum = lb_vec3_add(lb_vec3_scale(span->c[2], 2), lb_vec3_scale(span->c[3], 3 * u));
    return lb_vec3_length(lb_vec3_add(span->c[1], lb_vec3_scale(sum, u)));
}

/* the length of a cubic between two parameters within one part */
static double length_between(const path_span *span, double a, double b)
{
    double middle = 0.5 * (a + b), half = 0.5 * (b - a), sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += weights[i] * speed_at(span, middle + half * nodes[i]);
    return half * sum;
}

/* ---- measuring ---------------------------------------------------------- */

/* a part is exact enough when halving it changes its length by less of the whole */
#define EXACT 1e-9

static double part_begin(const path_span *span, int part)
{
    return part > 0 ? span->ends[part - 1] : 0;
}

/* what halving a part would change */
static double part_error(const path_span *span, int part)
{
    double a = part_begin(span, part), b = span->ends[part], middle = 0.5 * (a + b);
    double halves = length_between(span, a, middle) + length_between(span, middle, b);
    return fabs(length_between(span, a, b) - halves);
}

/* halves a part; the errors of those after it move up */
static void split(path_span *span, int part, double *errors)
{
    for (int i = span->parts; i > part; i--) {
        span->ends[i] = span->ends[i - 1];
        errors[i] = errors[i - 1];
    }
    span->ends[part] = 0.5 * (part_begin(span, part) + span->ends[part]);
    span->parts++;
    errors[part] = part_error(span, part);
    errors[part + 1] = part_error(span, part + 1);
}

/* splits the worst part until all are exact, or the table is full */
static void divide(path_span *span)
{
    double errors[SPAN_PARTS];
    double whole = length_between(span, 0, 1);
    span->parts = 1;
    span->ends[0] = 1;
    errors[0] = part_error(span, 0);
    while (span->parts < SPAN_PARTS) {
        int worst = 0;
        for (int i = 1; i < span->parts; i++)
            if (errors[i] > errors[worst])
                worst = i;
        if (!(errors[worst] > EXACT * whole))
            break;
        split(span, worst, errors);
    }
}

void span_measure(path_span *span)
{
    if (span->kind == SPAN_LINE)
        span->length = lb_vec3_length(span->c[1]);
    if (span->kind == SPAN_ARC)
        span->length = lb_vec3_length(span->c[1]) * span->sweep;
    if (span->kind != SPAN_CUBIC)
        return;
    divide(span);
    double sum = 0;
    for (int i = 0; i < span->parts; i++) {
        sum += length_between(span, part_begin(span, i), span->ends[i]);
        span->lengths[i] = sum;
    }
    span->length = sum;
}

/* ---- by length ---------------------------------------------------------- */

/* the parameter of a cubic after `wanted` metres */
static double parameter_after(const path_span *span, double wanted)
{
    int part = 0;
    while (part < span->parts - 1 && span->lengths[part] < wanted)
        part++;
    double begin = part_begin(span, part), low = begin, high = span->ends[part];
    double before = part > 0 ? span->lengths[part - 1] : 0;
    double whole = span->lengths[part] - before;
    double u = whole > 0 ? low + (high - low) * (wanted - before) / whole : low;

    // a step out of the bounds, as near a cusp, is replaced by bisection
    for (int i = 0; i < NEWTON_STEPS; i++) {
        double excess = before + length_between(span, begin, u) - wanted;
        // far below the accuracy of the quadrature
        if (fabs(excess) <= 1e-12 * span->length)
            break;
        if (excess > 0)
            high = u;
        else
            low = u;
        double next = u - excess / speed_at(span, u);
        u = next > low && next < high ? next : 0.5 * (low + high);
    }
    return u;
}

lb_vec3 span_place(const path_span *span, double share)
{
    // lines and arcs have constant speed, and a cubic's ends are those of its parameter
    if (span->kind == SPAN_CUBIC && share > 0 && share < 1)
        share = parameter_after(span, share * span->length);
    return place_at(span, share);
}

/* ---- curves through points ----------------------------------------------- */

/*
 * Lines, a circle or a cubic spline through the points of a path.
 *
 * The spline is the interpolating one with continuous second derivatives, over the square roots of
 * the distances as its parameter (E. T. Y. Lee, "Choosing nodes in parametric curve interpolation",
 * 1989), which keeps it from overshooting where distances change. Its ends are free: no curvature
 * there. The second derivatives solve a tridiagonal system; closed splines tie its last unknown to
 * the first, so that one is eliminated last.
 */

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

static void divide_row(row *i, double pivot)
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
        divide_row(&rows[i], pivot);
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
