/* rest.h - what counts as no movement of a joint, where a speed limit may be 0. */
#ifndef MOTION_REST_H
#define MOTION_REST_H

/* radians or metres: a change below this is rounding, as that between equal quaternions is */
#define REST_ROUNDING 1e-9

/* A change of a joint, 0 where the joint rests. */
static inline double rest_or_change(double change)
{
    return change > REST_ROUNDING ? change : 0;
}

#endif
