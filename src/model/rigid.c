/* rigid.c - transforms checked and made exact. */
#include "model/geometry.h"

#include <float.h>

/*
 * How far dot products of axes may deviate. Axes typed with six decimals have components that are
 * off by 5e-7 and products that are off by 2 sqrt(3) times that.
 */
static const double rigid_tolerance = 2e-6;

const double rigid_rounding = 8 * DBL_EPSILON;

bool rigid_is(const lb_transform *transform)
{
    return lb_transform_is_rigid(transform, rigid_tolerance);
}

lb_vec3 rigid_exact_direction(lb_vec3 a)
{
    if (fabs(lb_vec3_dot(a, a) - 1) <= rigid_rounding)
        return a;
    return lb_vec3_normalize(a, a);
}

lb_transform rigid_exact(lb_transform t)
{
    if (lb_transform_is_rigid(&t, rigid_rounding))
        return t;
    t.x = rigid_exact_direction(t.x);
    t.y = rigid_exact_direction(lb_vec3_sub(t.y, lb_vec3_scale(t.x, lb_vec3_dot(t.x, t.y))));
    t.z = lb_vec3_cross(t.x, t.y);
    return t;
}
