/* geometry.c - shapes checked, and transforms checked and made exact. */
#include "model/geometry.h"

#include "base/text.h"
#include "model/range.h"

#include <float.h>
#include <stdarg.h>

/* names are cut where they would leave no room for the reason */
enum { PLACE_SIZE = 240, REASON_SIZE = 200 };

static lb_status refuse(const geometry_place *at, lb_error *error, lb_status status,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));

static lb_status refuse(const geometry_place *at, lb_error *error, lb_status status,
                        const char *format, ...)
{
    char place[PLACE_SIZE], reason[REASON_SIZE];
    size_t used = text_format(place, sizeof place, "%s '%.180s'", at->kind, at->owner);
    if (at->list)
        text_format(place + used, sizeof place - used, ": %s %d", at->list, at->number);
    va_list arguments;
    va_start(arguments, format);
    text_vformat(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return lb_error_set(error, status, at->line, "%s: %s", place, reason);
}

/* whether a shape uses this number of its size */
static bool reads_size(lb_shape shape, int number)
{
    if (shape == LB_SHAPE_BOX || shape == LB_SHAPE_MESH)
        return true;
    return number == 0 || (number == 2 && shape != LB_SHAPE_SPHERE);
}

static lb_status check_size(const geometry_place *at, const lb_geometry *geometry, lb_error *error)
{
    // a mesh may be mirrored, but not a solid
    const double size[] = {geometry->size.x, geometry->size.y, geometry->size.z};
    for (int i = 0; i < 3; i++) {
        if (!reads_size(geometry->shape, i))
            continue;
        if (!range_has(size[i]) || (size[i] < 0 && geometry->shape != LB_SHAPE_MESH))
            return refuse(at, error, LB_BAD_VALUE, "size %g must be 0 to %g", size[i],
                          LB_LENGTH_MAX);
    }
    return LB_OK;
}

lb_status geometry_check(const geometry_place *at, const lb_geometry *geometry, lb_error *error)
{
    lb_vec3 p = geometry->origin.p;
    if ((int)geometry->shape < LB_SHAPE_BOX || (int)geometry->shape > LB_SHAPE_MESH)
        return refuse(at, error, LB_INVALID_ARGUMENT, "there is no shape %d", (int)geometry->shape);
    if (geometry->shape == LB_SHAPE_MESH && (!geometry->mesh || !*geometry->mesh))
        return refuse(at, error, LB_BAD_MODEL, "it is a mesh without a name; give its file");
    if (!rigid_is(&geometry->origin))
        return refuse(at, error, LB_BAD_VALUE,
                      "its origin is not a rigid transform; its axes must be orthonormal and "
                      "right-handed, its numbers finite");
    if (!range_has_point(p))
        return refuse(at, error, LB_BAD_VALUE, "its origin %g %g %g is farther than %g m", p.x, p.y,
                      p.z, LB_LENGTH_MAX);
    for (int i = 0; i < 4; i++)
        if (!(geometry->color[i] >= 0 && geometry->color[i] <= 1))
            return refuse(at, error, LB_BAD_VALUE, "color %g must be 0 to 1", geometry->color[i]);
    return check_size(at, geometry, error);
}

/* ---- transforms --------------------------------------------------------- */

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
