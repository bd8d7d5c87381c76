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

#endif
