/*
 * complex.inl - complex numbers, one in each lane.
 */
#ifndef KERNEL_COMPLEX_INL
#define KERNEL_COMPLEX_INL

#include "simd/lane.h"

typedef struct complex_lane {
    lane re, im;
} complex_lane;

LANE_INLINE complex_lane complex_set(double re, double im)
{
    return (complex_lane){lane_set(re), lane_set(im)};
}
LANE_INLINE complex_lane complex_add(complex_lane a, complex_lane b)
{
    return (complex_lane){a.re + b.re, a.im + b.im};
}
LANE_INLINE complex_lane complex_sub(complex_lane a, complex_lane b)
{
    return (complex_lane){a.re - b.re, a.im - b.im};
}
LANE_INLINE complex_lane complex_multiply(complex_lane a, complex_lane b)
{
    return (complex_lane){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
LANE_INLINE complex_lane complex_scale(complex_lane a, lane s)
{
    return (complex_lane){a.re * s, a.im * s};
}
/* the square of the absolute value */
LANE_INLINE lane complex_square(complex_lane a)
{
    return a.re * a.re + a.im * a.im;
}
/* of zero no number */
LANE_INLINE complex_lane complex_invert(complex_lane a)
{
    lane over = 1 / complex_square(a);
    return (complex_lane){a.re * over, -a.im * over};
}
LANE_INLINE complex_lane complex_select(lane_mask mask, complex_lane a, complex_lane b)
{
    return (complex_lane){lane_select(mask, a.re, b.re), lane_select(mask, a.im, b.im)};
}

#endif
