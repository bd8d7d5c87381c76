/*
 * scalar.h - what C has only as library calls, in one instruction each.
 */
#ifndef MATH_SCALAR_H
#define MATH_SCALAR_H

#include <limber/math.h>

/* b where either is not a number */
static inline double scalar_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double scalar_max(double a, double b)
{
    return a > b ? a : b;
}

static inline double scalar_clamp(double x, double lower, double upper)
{
    return scalar_min(scalar_max(x, lower), upper);
}

/* the nearest whole number, halves to even, for |x| <= 2^51: the sum has no bits behind the point
 */
static inline double scalar_round(double x)
{
    const double magic = 6755399441055744.0; /* 1.5 * 2^52 */
    return (x + magic) - magic;
}

/* an angle by whole turns to where it is nearest to `near`, or to a turn beside that if only that
   is within the limits; the angle itself if none is */
static inline double scalar_unwind(double angle, double near, double lower, double upper)
{
    const double turn = 2 * LB_PI;
    double best = angle - turn * scalar_round((angle - near) * (1 / turn));
    best += best < lower ? turn : 0;
    best -= best > upper ? turn : 0;
    return best >= lower && best <= upper ? best : angle;
}

#endif
