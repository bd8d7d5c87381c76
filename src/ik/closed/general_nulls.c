/*
 * general_nulls.c - from the zeros of a determinant to places where Newton's method may start.
 *
 * At a zero M has a null vector, and that of a solution has a shape: quadratic forms vanish for it.
 * Where two solutions share their zero the null vectors are a plane, in which the forms leave those
 * two, or none: a pair of complex solutions, or what elimination itself has added.
 */
#include "ik/closed/general_parts.h"

/* below this a null vector is too inexact to exclude a zero by its shape */
#define SHARED_GAP 1e-3
/* above this, and well above what the zero is off by, one null vector is all there is */
#define ALONE_GAP 1e-6
/* below this a single null vector is an arbitrary one of that plane */
#define PLANE_GAP 1e-8
/* null vectors of solutions have their shape to about the root of rounding; those of a plane, which
   is known better than any vector in it, to what the plane itself is off by, and some room */
#define SHAPELESS 1e-3
#define SHAPELESS_PLANE 1e-6
/* how much faster than the angle null vectors change, times the gap: usually; and at most, for what
   is excluded must not be a solution: M by 5, its null vectors by 3 / gap of what is left of it
   and 1 / the first pivot, the forms by 5 of that */
#define ERROR_OF_SHAPE 30.0
#define MOST_ERROR_OF_SHAPE 300.0
/* below this a plane is too inexact: rounding moves it by a thousandth part of that */
#define SOLID_GAP 1e-6
/* the rounding of a pivot, as a part of the first */
#define ROUNDED_PIVOT 1e-14
/* a zero is known to this at best: twice the rounding of an angle and of its cosine */
#define LEAST_WIDTH 1e-12
/* of the squares of two singular values: with less, rounding has made the smaller one */
#define ROUNDED_SQUARE 1e-12

enum {
    MAX_FORMS = 8,
    AROUND = 2 /* further starts on each side of a zero that is not alone */
};

/* ---- the shape of a solution's null vector ---------------------------------- */

/*
 * Quadratic forms that vanish for the null vector of a solution, as coefficients of s^2, s t
 * and t^2 for s a + t b. A vector is (cos(y/2) m, sin(y/2) m), and m is (1, cos z, sin z) or
 * (cos z/2, sin z/2, cos 3z/2, sin 3z/2).
 */
typedef struct forms {
    double at[MAX_FORMS][3];
    int count;
} forms;

/* sign * (product of numbers i and k), added to a form */
static void add_product(double form[3], double sign, const double *a, const double *b, int i, int k)
{
    form[0] += sign * a[i] * a[k];
    form[1] += sign * (a[i] * b[k] + a[k] * b[i]);
    form[2] += sign * b[i] * b[k];
}

/* the two halves are multiples of each other */
static void add_minors(int n, const double *a, const double *b, forms *out)
{
    for (int j = 0; j < 3; j++) {
        double *form = out->at[out->count++];
        const int k = (j + 1) % 3;
        add_product(form, 1, a, b, j, n + k);
        add_product(form, -1, a, b, k, n + j);
    }
}

/* the conditions on m, for the half that begins at `first` */
static void add_shape(int n, const double *a, const double *b, int first, forms *out)
{
    const double *x = a + first, *y = b + first;
    double *form = out->at[out->count++];
    if (n == 3) {
        add_product(form, 1, x, y, 1, 1);
        add_product(form, 1, x, y, 2, 2);
        add_product(form, -1, x, y, 0, 0);
        return;
    }
    // with u = m0 + i m1 and w = m2 + i m3: w times the conjugate of u is u^2
    add_product(form, 1, x, y, 2, 0);
    add_product(form, 1, x, y, 3, 1);
    add_product(form, -1, x, y, 0, 0);
    add_product(form, 1, x, y, 1, 1);
    form = out->at[out->count++];
    add_product(form, 1, x, y, 3, 0);
    add_product(form, -1, x, y, 2, 1);
    add_product(form, -2, x, y, 0, 1);
}

static forms make_forms(int n, const double *a, const double *b)
{
    forms out = {.count = 0};
    add_minors(n, a, b, &out);
    add_shape(n, a, b, 0, &out);
    add_shape(n, a, b, n, &out);
    return out;
}

/* how far the first vector is from a solution's shape */
static double shapeless(const forms *f)
{
    double worst = 0;
    for (int i = 0; i < f->count; i++)
        worst = fmax(worst, fabs(f->at[i][0]));
    return worst;
}

/*
 * How far all vectors of the plane are from a solution's shape: a bound from below of the root of
 * the sum of squares. With (s, t) = (cos p, sin p) the forms are m + R u, u = (cos 2p, sin 2p); in
 * the principal axes of R the square is what no u changes and
 *     l1 (u1 - v1)^2 + l2 (u2 - v2)^2,  |u| = 1,
 * at least l2 (|v| - 1)^2, and at least l1 (|v1| - 1)^2 where |v1| > 1: then the solutions are
 * complex.
 */
static double plane_shapeless(const forms *f)
{
    double a = 0, b = 0, c = 0, g = 0, h = 0, rest = 0;
    for (int i = 0; i < f->count; i++) {
        const double *q = f->at[i];
        const double mean = 0.5 * (q[0] + q[2]), even = 0.5 * (q[0] - q[2]), odd = 0.5 * q[1];
        a += even * even;
        b += even * odd;
        c += odd * odd;
        g += even * mean;
        h += odd * mean;
        rest += mean * mean;
    }
    // the principal axis (x, y) of the greater square l1, and the other one (-y, x)
    const double half = 0.5 * (a - c), root = sqrt(half * half + b * b);
    const double l1 = 0.5 * (a + c) + root, l2 = 0.5 * (a + c) - root;
    if (!(l1 > 0))
        return sqrt(rest);
    double x = half > 0 ? half + root : b, y = half > 0 ? b : root - half;
    const double length = sqrt(x * x + y * y);
    x = length > 0 ? x / length : 1;
    y = length > 0 ? y / length : 0;
    const double v1 = -(g * x + h * y) / l1, beyond = fmax(fabs(v1) - 1, 0);
    double square = rest - l1 * v1 * v1, bend = l1 * beyond * beyond;
    if (l2 > ROUNDED_SQUARE * l1) {
        const double v2 = -(h * x - g * y) / l2, off = sqrt(v1 * v1 + v2 * v2) - 1;
        square -= l2 * v2 * v2;
        bend = fmax(bend, l2 * off * off);
    }
    return sqrt(fmax(square, 0) + bend);
}

/* solves the form with the greatest coefficients for (s, t); returns the number of solutions */
static int solve_forms(const forms *f, double s[2], double t[2])
{
    const double *best = f->at[0];
    double greatest = -1;
    for (int i = 0; i < f->count; i++) {
        const double size = fabs(f->at[i][0]) + fabs(f->at[i][1]) + fabs(f->at[i][2]);
        if (size > greatest) {
            greatest = size;
            best = f->at[i];
        }
    }
    // a double zero may come out slightly complex
    double square = best[1] * best[1] - 4 * best[0] * best[2];
    if (square < -1e-6 * greatest * greatest || !(greatest > 0))
        return 0;
    const double root = sqrt(fmax(square, 0)), sum = -0.5 * (best[1] + copysign(root, best[1]));
    s[0] = sum;
    t[0] = best[0];
    s[1] = best[2];
    t[1] = sum;
    return 2;
}

/* ---- candidates ------------------------------------------------------------- */

static void add_candidate(general_candidates *out, double x, int n, const kernel_null *null,
                          double s, double t)
{
    kernel_candidate *c = &out->at[out->count++];
    c->x = x;
    for (int i = 0; i < 2 * n; i++)
        c->null[i] = s * null->first[i] + t * null->second[i];
}

/* angles to look for null vectors at, and the zeros that they belong to */
typedef struct starts {
    double angle[GENERAL_MAX_ITEMS];
    int zero[GENERAL_MAX_ITEMS];
    int count;
    bool truncated;
} starts;

static void add_start(starts *s, double angle, int zero)
{
    if (s->count == GENERAL_MAX_ITEMS) {
        s->truncated = true;
        return;
    }
    s->angle[s->count] = angle;
    s->zero[s->count++] = zero;
}

/* each zero that has not been seen, and where it is not known how many there are, what is around;
   returns how many zeros there are */
static int make_starts(const general_zeros *zeros, starts *out)
{
    out->count = 0;
    out->truncated = zeros->truncated;
    for (int i = 0; i < zeros->count; i++)
        if (!zeros->at[i].seen)
            add_start(out, zeros->at[i].angle, i);
    const int own = out->count;
    for (int i = 0; i < own; i++) {
        const general_zero *zero = &zeros->at[out->zero[i]];
        for (int k = -AROUND; k <= AROUND && zero->most == 0; k++)
            if (k != 0)
                add_start(out, zero->angle + zero->width * k / AROUND, out->zero[i]);
    }
    return own;
}

/* whether no null vector near by can be a solution's: within `off` of the matrix the single null
   vector moves by that over the gap, and the plane of two by that over its own */
static bool is_excluded(const kernel_null *null, const forms *f, double off)
{
    const double alone = shapeless(f), plane = plane_shapeless(f);
    return (null->gap > SHARED_GAP && alone > SHAPELESS && alone * null->gap > off) ||
           (null->plane_gap > SOLID_GAP && plane > SHAPELESS_PLANE &&
            plane * null->plane_gap > off);
}

/* the width of a parabola's zeros from the determinant's value: products of its pivots have none of
   the series' noise */
static void sharpen(const kernel_null *null, double scale, general_zero *zero)
{
    if (!(zero->bend > 0))
        return;
    const double pivot = null->gap + ROUNDED_PIVOT;
    const double value = 2 * pivot * pivot * null->scale * scale;
    const double width = zero->sharp_width + sqrt(2 * value / zero->bend);
    zero->width = fmin(zero->width, LEAST_WIDTH + width);
}

void general_find_candidates(const kernel_general_ops *ops, const general_problem *problem,
                             general_zeros *zeros, general_candidates *out)
{
    const int n = problem->resultant.order;
    kernel_null nulls[GENERAL_MAX_ITEMS];
    starts from;
    const int own = make_starts(zeros, &from);
    ops->null_vectors(&problem->resultant, from.angle, from.count, nulls);
    out->count = 0;
    out->truncated = from.truncated;
    for (int i = 0; i < from.count; i++) {
        const kernel_null *null = &nulls[i];
        general_zero *zero = &zeros->at[from.zero[i]];
        const double x = from.angle[i];
        const forms f = make_forms(n, null->first, null->second);
        // those round a zero add candidates, if any
        if (i < own) {
            sharpen(null, problem->scale, zero);
            zero->seen = true;
            zero->excluded = is_excluded(null, &f, MOST_ERROR_OF_SHAPE * zero->width);
        }
        // what is hardly excluded is followed, too: how near it comes to the target is known then
        const double shape = fmin(shapeless(&f), plane_shapeless(&f));
        if (i < own)
            zero->hidden = zero->most != 1 && !(shape > SHAPELESS);
        if (zero->excluded && shape > SHAPELESS)
            continue;
        double s[2], t[2];
        const bool alone = null->gap > fmax(10 * ERROR_OF_SHAPE * zero->width, ALONE_GAP);
        const int pairs = alone ? 0 : solve_forms(&f, s, t);
        for (int k = 0; k < pairs; k++)
            add_candidate(out, x, n, null, s[k], t[k]);
        if (pairs == 0 || null->gap > PLANE_GAP)
            add_candidate(out, x, n, null, 1, 0);
    }
}
