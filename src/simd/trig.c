/*
 * trig.c - the scalar trigonometry of math.h: width 1 of trig.inl.
 */
#define LANE_WIDTH 1
#include "simd/trig.inl"

#include <limber/math.h>

void lb_sincos(double x, double *sine, double *cosine)
{
    lane_sincos(x, sine, cosine);
}

double lb_sin(double x)
{
    double sine, cosine;
    lane_sincos(x, &sine, &cosine);
    return sine;
}

double lb_cos(double x)
{
    double sine, cosine;
    lane_sincos(x, &sine, &cosine);
    return cosine;
}

double lb_atan2(double y, double x)
{
    return lane_atan2(y, x);
}

double lb_acos(double x)
{
    return lane_acos(x);
}

/*
 * The same reduction as for the sine, exact at any size, with the quarter turns added back. Angles
 * in range are returned unchanged.
 */
double lb_wrap_angle(double angle)
{
    if (-LB_PI <= angle && angle <= LB_PI)
        return angle;

    // half turns are taken back towards zero
    uint64_t quarter;
    double r = reduce(angle, &quarter);
    double quarters = (double)(quarter & 3);
    if (quarters == 3 || (quarters == 2 && r > 0))
        quarters -= 4;
    double wrapped = quarters * TRIG_HALF_PI + (r + quarters * TRIG_HALF_PI_REST);
    return lane_max(-LB_PI, lane_min(LB_PI, wrapped));
}
