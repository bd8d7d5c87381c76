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

/* whether limits leave a value; one that is not infinite is in the range; false for NaN */
static inline bool range_has_limits(double lower, double upper)
{
    bool low = range_has(lower) || lower == -INFINITY, high = range_has(upper) || upper == INFINITY;
    return low && high && lower <= upper;
}

/* a limit beyond the range limits nothing, or leaves nothing */
static inline double range_limit(double limit)
{
    return range_has(limit) ? limit : copysign(INFINITY, limit);
}

/*
 * Metres by which the place of a tool may be off for the rounding of places up to `far` from the
 * origin: the transform of each joint rounds it once, by half a unit in the last place (2^-53), and
 * a dozen such roundings bring the target, the base and the tool into the arm's frame and units.
 * Measured are at most half as many. Rounding of the arm's own lengths comes on top.
 */
static inline double range_rounding(double far, int joints)
{
    return 0x1p-53 * (joints + 12) * far;
}

/* a rigid transform with its origin in the range */
static inline bool range_has_frame(const lb_transform *t)
{
    return lb_transform_is_rigid(t, 1e-6) && range_has_point(t->p);
}

#endif
