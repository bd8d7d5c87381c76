/*
 * spline.c - the cubic spline through rows of numbers: slopes from a tridiagonal system.
 */
#include "motion/spline.h"

/* the slope at knot `at` of the polynomial through five knots from there on, `step` apart in index:
   Newton's divided differences */
static double end_slope(const spline *s, int at, int step, int column)
{
    double x[SPLINE_KNOTS_MIN], f[SPLINE_KNOTS_MIN], slope = 0, factor = 1;
    for (int i = 0; i < SPLINE_KNOTS_MIN; i++) {
        x[i] = s->x[at + i * step];
        f[i] = s->values[(at + i * step) * s->columns + column];
    }
    for (int k = 1; k < SPLINE_KNOTS_MIN; k++) {
        for (int i = SPLINE_KNOTS_MIN - 1; i >= k; i--)
            f[i] = (f[i] - f[i - 1]) / (x[i] - x[i - k]);
        slope += f[k] * factor;
        factor *= x[0] - x[k];
    }
    return slope;
}

/* one column's slopes, by elimination (Thomas) */
static void fit_column(spline *s, int c, double *ratio)
{
    int n = s->knots, w = s->columns;
    double *k = s->slopes + c;
    const double *y = s->values + c, *x = s->x;
    k[0] = end_slope(s, 0, 1, c);
    k[(n - 1) * w] = end_slope(s, n - 1, -1, c);
    ratio[0] = 0;
    for (int i = 1; i < n - 1; i++) {
        double a = 1 / (x[i] - x[i - 1]), b = 1 / (x[i + 1] - x[i]);
        double right =
            3 * ((y[i * w] - y[(i - 1) * w]) * a * a + (y[(i + 1) * w] - y[i * w]) * b * b);
        double pivot = 2 * (a + b) - a * ratio[i - 1];
        ratio[i] = b / pivot;
        k[i * w] = (right - a * k[(i - 1) * w]) / pivot;
    }
    for (int i = n - 2; i > 0; i--)
        k[i * w] -= ratio[i] * k[(i + 1) * w];
}

void spline_fit(spline *s, double *work)
{
    for (int c = 0; c < s->columns; c++)
        fit_column(s, c, work);
}

void spline_at(const spline *s, double x, double *value, double *first, double *second,
               double *third)
{
    // the last knot at or before x, but not the last of all
    int before = sorted_before(s->x, sizeof *s->x, s->knots - 1, x);
    int i = before > 0 ? before : 0, w = s->columns;
    double h = s->x[i + 1] - s->x[i], t = x - s->x[i];
    for (int c = 0; c < w; c++) {
        double y = s->values[i * w + c], k = s->slopes[i * w + c];
        double chord = (s->values[(i + 1) * w + c] - y) / h, end = s->slopes[(i + 1) * w + c];
        // y + k t + b t^2 + a t^3
        double b = (3 * chord - 2 * k - end) / h, a = (k + end - 2 * chord) / (h * h);
        value[c] = y + t * (k + t * (b + t * a));
        if (first)
            first[c] = k + t * (2 * b + t * 3 * a);
        if (second)
            second[c] = 2 * b + 6 * a * t;
        if (third)
            third[c] = 6 * a;
    }
}
