/* smooth.h - a step from 0 to 1 that begins and ends at rest. */
#ifndef MOTION_SMOOTH_H
#define MOTION_SMOOTH_H

#include <math.h>

/* The cubic of u in 0..1; 0 before and 1 after. */
static inline double smooth_step(double u)
{
    u = fmax(0, fmin(1, u));
    return u * u * (3 - 2 * u);
}

#endif
