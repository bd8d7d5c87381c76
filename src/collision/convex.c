/*
 * convex.c - support mappings of the cores, and shapes from geometries.
 */
#include "collision/convex.h"

/* ---- support ------------------------------------------------------------ */

static double signed_half(double half, double direction)
{
    return direction < 0 ? -half : half;
}

static lb_vec3 cylinder_support(const convex *shape, lb_vec3 d)
{
    // along the axis every point of the rim is as far; the centre will do
    double z = signed_half(shape->half.z, d.z), across = sqrt(d.x * d.x + d.y * d.y);
    if (!(across > 0))
        return lb_vec3_make(0, 0, z);
    double scale = shape->half.x / across;
    return lb_vec3_make(scale * d.x, scale * d.y, z);
}

static lb_vec3 multiply(lb_vec3 a, lb_vec3 b)
{
    return lb_vec3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}

static lb_vec3 hull_support(const convex *shape, lb_vec3 direction)
{
    const lb_vec3 *points = shape->points;
    lb_vec3 d = multiply(direction, shape->scale);
    int best = 0;
    double farthest = -INFINITY;
    for (int i = 0; i < shape->count; i++) {
        double along = points[i].x * d.x + points[i].y * d.y + points[i].z * d.z;
        if (along > farthest) {
            farthest = along;
            best = i;
        }
    }
    return multiply(lb_vec3_sub(points[best], shape->center), shape->scale);
}

lb_vec3 convex_support(const convex *shape, lb_vec3 d)
{
    switch (shape->core) {
    case CORE_SEGMENT:
        return lb_vec3_make(0, 0, signed_half(shape->half.z, d.z));
    case CORE_BOX:
        return lb_vec3_make(signed_half(shape->half.x, d.x), signed_half(shape->half.y, d.y),
                            signed_half(shape->half.z, d.z));
    case CORE_CYLINDER:
        return cylinder_support(shape, d);
    case CORE_HULL:
        return hull_support(shape, d);
    case CORE_POINT:
        break;
    }
    return lb_vec3_make(0, 0, 0);
}

/* ---- geometries --------------------------------------------------------- */

/* the middle of the points' box */
static lb_vec3 middle_of(const lb_mesh *mesh)
{
    lb_vec3 low = mesh->points[0], high = low;
    for (int i = 1; i < mesh->count; i++) {
        lb_vec3 p = mesh->points[i];
        low = lb_vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = lb_vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    return lb_vec3_scale(lb_vec3_add(low, high), 0.5);
}

static convex hull_of(const lb_mesh *mesh, lb_vec3 scale)
{
    convex hull = {.core = CORE_HULL,
                   .points = mesh->points,
                   .count = mesh->count,
                   .center = middle_of(mesh),
                   .scale = scale};
    for (int i = 0; i < mesh->count; i++) {
        lb_vec3 p = multiply(lb_vec3_sub(mesh->points[i], hull.center), scale);
        hull.bound = fmax(hull.bound, lb_vec3_length(p));
    }
    return hull;
}

static convex rod_of(double half, double radius)
{
    return (convex){.core = half > 0 ? CORE_SEGMENT : CORE_POINT,
                    .half = {0, 0, half},
                    .radius = radius,
                    .bound = half};
}

convex convex_from_geometry(const lb_geometry *geometry, const lb_mesh *mesh,
                            lb_transform *frame_core)
{
    lb_vec3 size = geometry->size, half = lb_vec3_scale(size, 0.5);
    *frame_core = geometry->origin;
    switch (geometry->shape) {
    case LB_SHAPE_SPHERE:
        return rod_of(0, size.x);
    case LB_SHAPE_CAPSULE:
        return rod_of(half.z, size.x);
    case LB_SHAPE_CYLINDER:
        return (convex){.core = CORE_CYLINDER,
                        .half = {size.x, 0, half.z},
                        .bound = sqrt(size.x * size.x + half.z * half.z)};
    case LB_SHAPE_BOX:
        return (convex){.core = CORE_BOX, .half = half, .bound = lb_vec3_length(half)};
    case LB_SHAPE_MESH:
        break;
    }
    convex hull = hull_of(mesh, size);
    frame_core->p = lb_transform_point(&geometry->origin, multiply(hull.center, size));
    return hull;
}
