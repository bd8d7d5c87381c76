/*
 * spline.h - the cubic spline through rows of numbers, with its derivatives.
 *
 * Two derivatives are continuous; its slopes at both ends are those of the polynomial of degree
 * four through the five knots there.
 */
#ifndef MOTION_SPLINE_H
#define MOTION_SPLINE_H

#include <math.h>
#include <stddef.h>

enum { SPLINE_KNOTS_MIN = 5 };

typedef struct spline {
    int knots, columns;
    double *x;      /* increasing */
    double *values; /* knots x columns */
    double *slopes; /* knots x columns */
} spline;

/* Sets the slopes; `work` has as many numbers as there are knots. At least SPLINE_KNOTS_MIN. */
void spline_fit(spline *s, double *work);
/* Fills values and three derivatives, `columns` numbers each, at x within the knots; any of the
   derivatives may be NULL. */
void spline_at(const spline *s, double x, double *value, double *first, double *second,
               double *third);

/* ---- smooth ------------------------------------------------------------- */

/* A step from 0 to 1 that begins and ends at rest. */

/* The cubic of u in 0..1; 0 before and 1 after. */
static inline double smooth_step(double u)
{
    u = fmax(0, fmin(1, u));
    return u * u * (3 - 2 * u);
}

/* ---- sorted numbers ----------------------------------------------------- */

/* The last of sorted numbers, `stride` bytes apart, that is not above x; -1: all are. */
static inline int sorted_before(const double *first, size_t stride, int count, double x)
{
    int from = 0, to = count;
    while (from < to) {
        int middle = from + (to - from) / 2;
        const char *at = (const char *)first + (size_t)middle * stride;
        if (*(const double *)(const void *)at <= x)
            from = middle + 1;
        else
            to = middle;
    }
    return from - 1;
}

#endif
