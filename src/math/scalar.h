/* scalar.h - what C has only as library calls, in one instruction each. */
#ifndef MATH_SCALAR_H
#define MATH_SCALAR_H

/* b where either is NaN */
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

/* the nearest integer, halves to even, for |x| <= 2^51: the sum has no fractional bits */
static inline double scalar_round(double x)
{
    const double magic = 6755399441055744.0; /* 1.5 * 2^52 */
    return (x + magic) - magic;
}

#endif
