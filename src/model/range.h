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

static inline bool range_has_row(const double *numbers, int count)
{
    for (int i = 0; i < count; i++)
        if (!range_has(numbers[i]))
            return false;
    return true;
}

/* a rigid transform with its origin in the range */
static inline bool range_has_frame(const lb_transform *t)
{
    return lb_transform_is_rigid(t, 1e-6) && range_has_point(t->p);
}

#endif
