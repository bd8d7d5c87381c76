/* vector.c - vector functions that are not inline. */
#include <limber/math.h>

lb_vec3 lb_vec3_normalize(lb_vec3 a, lb_vec3 fallback)
{
    // scaled by its largest part first, so that no square over- or underflows
    double largest = fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
    if (!(largest > 0) || !lb_vec3_is_finite(a))
        return fallback;
    lb_vec3 scaled = lb_vec3_make(a.x / largest, a.y / largest, a.z / largest);

    double length = lb_vec3_length(scaled);
    return lb_vec3_make(scaled.x / length, scaled.y / length, scaled.z / length);
}

/*
 * T. Duff et al., "Building an Orthonormal Basis, Revisited", Journal of
 * Computer Graphics Techniques 6(1), 2017: the first of their two vectors.
 */
lb_vec3 lb_vec3_perpendicular(lb_vec3 a)
{
    double sign = copysign(1, a.z);
    double factor = -1 / (sign + a.z);
    return lb_vec3_make(1 + sign * a.x * a.x * factor, sign * a.x * a.y * factor, -sign * a.x);
}
