/* range.h - the range of numbers that is supported: see LB_LENGTH_MAX. */
#ifndef MODEL_RANGE_H
#define MODEL_RANGE_H

#include <limber/model.h>

/* false for NaN and infinity, too */
static inline bool range_has(double number)
{
    return fabs(number) <= LB_LENGTH_MAX;
}

static inline bool range_has_point(lb_vec3 p)
{
    return range_has(p.x) && range_has(p.y) && range_has(p.z);
}

#endif
