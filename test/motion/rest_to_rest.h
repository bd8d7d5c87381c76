/*
 * rest_to_rest.h - the least time of a joint from rest to rest, by its phases.
 */
#ifndef TEST_MOTION_REST_TO_REST_H
#define TEST_MOTION_REST_TO_REST_H

#include <math.h>

/* rest to rest over a distance with limits of speed, acceleration and jerk: seven phases at most */
static inline double rest_to_rest(double distance, double v, double a, double j)
{
    // the speed that is come to, found by halving
    double low = 0, high = v;
    for (int i = 0; i < 200; i++) {
        double peak = 0.5 * (low + high);
        double to = peak >= a * a / j ? peak / a + a / j : 2 * sqrt(peak / j);
        if (peak * to <= distance)
            low = peak;
        else
            high = peak;
    }
    double to = low >= a * a / j ? low / a + a / j : 2 * sqrt(low / j);
    return 2 * to + fmax(0, distance - low * to) / low;
}

#endif
