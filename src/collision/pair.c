/*
 * pair.c - two shapes: in closed form where that is simple, by their support mappings elsewhere.
 *
 * Spheres and capsules are points and segments with balls: their cores' nearest points are those of
 * two segments (Ericson 2005, "Real-Time Collision Detection", 5.1.9). A sphere and a box: the
 * sphere's centre brought into the box, or, from inside, to its nearest side.
 */
#include "collision/layout.h"

#include "collision/minkowski.h"

placed place_shape(const convex *shape, const lb_transform *frame)
{
    bool is_segment = shape->core == CORE_SEGMENT;
    lb_vec3 none = {0, 0, 0};
    return (placed){shape, *frame, is_segment ? lb_vec3_scale(frame->z, shape->half.z) : none};
}

static bool is_rod(const placed *p)
{
    return p->shape->core <= CORE_SEGMENT;
}

/* metres: the square of a shorter distance has lost its digits, and so has its direction */
#define RESOLVED 1e-150

/* ---- two rods ------------------------------------------------------------- */

static double clamp_unit(double x)
{
    return x < -1 ? -1 : x > 1 ? 1 : x;
}

/*
 * Parameters in -1 .. 1 of the nearest points of two segments: u and v are their halves, r leads
 * from the middle of one to the other's. The cross product keeps its digits where the segments are
 * nearly parallel; where they are parallel, any point of one that faces the other is as near.
 */
static void nearest_on_rods(lb_vec3 r, lb_vec3 u, lb_vec3 v, double *s, double *t)
{
    lb_vec3 n = lb_vec3_cross(u, v);
    double square = lb_vec3_dot(n, n), uu = lb_vec3_dot(u, u), vv = lb_vec3_dot(v, v);
    *s = square > 0 ? clamp_unit(lb_vec3_dot(lb_vec3_cross(r, v), n) / square) : 0;

    // the nearest of the other for this one, and once more where its end holds
    *t = vv > 0 ? (*s * lb_vec3_dot(u, v) - lb_vec3_dot(r, v)) / vv : 0;
    if (vv > 0 && *t >= -1 && *t <= 1)
        return;
    *t = clamp_unit(*t);
    *s = uu > 0 ? clamp_unit((*t * lb_vec3_dot(u, v) + lb_vec3_dot(r, u)) / uu) : 0;
}

/* a normal where cores cross: at right angles to both */
static lb_vec3 normal_of_crossing(lb_vec3 u, lb_vec3 v)
{
    lb_vec3 n = lb_vec3_cross(u, v), fallback = {0, 0, 1}, zero = {0, 0, 0};
    if (lb_vec3_dot(n, n) > 0)
        return lb_vec3_normalize(n, fallback);
    lb_vec3 along = lb_vec3_normalize(lb_vec3_dot(u, u) > 0 ? u : v, zero);
    return lb_vec3_dot(along, along) > 0 ? lb_vec3_perpendicular(along) : fallback;
}

/* the core's middle, in the frame of results */
static lb_vec3 middle(const placed *p)
{
    return p->frame.p;
}

static core_distance measure_rods(const placed *a, const placed *b)
{
    lb_vec3 u = a->half_axis, v = b->half_axis;
    double s, t;
    lb_vec3 r = lb_vec3_sub(middle(b), middle(a));
    nearest_on_rods(r, u, v, &s, &t);
    lb_vec3 from = lb_vec3_scale(u, s), to = lb_vec3_scale(v, t);
    core_distance d = {.point_a = lb_vec3_add(middle(a), from),
                       .point_b = lb_vec3_add(middle(b), to)};
    // not of the points, which places far from the origin round
    lb_vec3 between = lb_vec3_add(r, lb_vec3_sub(to, from));
    d.distance = lb_vec3_length(between);
    d.normal =
        d.distance > RESOLVED ? lb_vec3_scale(between, 1 / d.distance) : normal_of_crossing(u, v);
    return d;
}

/* ---- a sphere and a box --------------------------------------------------- */

/* from inside, the nearest side: its outward normal, and how far it is */
static double nearest_side(lb_vec3 half, lb_vec3 c, lb_vec3 *normal)
{
    double depth[3] = {half.x - fabs(c.x), half.y - fabs(c.y), half.z - fabs(c.z)};
    if (depth[0] <= depth[1] && depth[0] <= depth[2]) {
        *normal = lb_vec3_make(c.x < 0 ? -1 : 1, 0, 0);
        return depth[0];
    }
    if (depth[1] <= depth[2]) {
        *normal = lb_vec3_make(0, c.y < 0 ? -1 : 1, 0);
        return depth[1];
    }
    *normal = lb_vec3_make(0, 0, c.z < 0 ? -1 : 1);
    return depth[2];
}

static double clamp_to(double x, double half)
{
    return x < -half ? -half : x > half ? half : x;
}

/* the normal leads from the box to the point */
static core_distance measure_box_and_point(const placed *box, const placed *point)
{
    lb_vec3 half = box->shape->half, between = lb_vec3_sub(middle(point), middle(box));
    const lb_transform *frame = &box->frame;
    lb_vec3 c = {lb_vec3_dot(frame->x, between), lb_vec3_dot(frame->y, between),
                 lb_vec3_dot(frame->z, between)};
    lb_vec3 nearest = {clamp_to(c.x, half.x), clamp_to(c.y, half.y), clamp_to(c.z, half.z)};
    lb_vec3 out = lb_vec3_sub(c, nearest), normal;
    core_distance d = {.distance = lb_vec3_length(out), .point_b = middle(point)};
    if (d.distance > RESOLVED) {
        normal = lb_vec3_scale(out, 1 / d.distance);
    } else {
        d.distance = -nearest_side(half, c, &normal);
        nearest = lb_vec3_sub(c, lb_vec3_scale(normal, d.distance));
    }
    d.normal = lb_transform_direction(frame, normal);
    d.point_a = lb_transform_point(frame, nearest);
    return d;
}

static core_distance turned_round(core_distance d)
{
    return (core_distance){d.distance, d.point_b, d.point_a, lb_vec3_scale(d.normal, -1)};
}

/* ---- any two -------------------------------------------------------------- */

/*
 * The bound of a distance as one of its cores'. What is nearer or farther is decided by the
 * distance itself: bounds that end its search early leave room for the errors of what they bound.
 */
static double core_bound(const placed *a, const placed *b, double bound)
{
    double balls = a->shape->radius + b->shape->radius;
    double size = a->shape->bound + b->shape->bound + balls + fabs(bound);
    return bound + balls + BOUND_ROOM * size;
}

/* what gjk_measure() leaves open is decided by the depth: there is one, or they are apart */
static gjk_outcome decide(const minkowski *set, double bound, core_distance *d)
{
    simplex touching;
    core_distance depth;
    gjk_outcome outcome = gjk_measure(set, bound, d, &touching);
    if (outcome != GJK_TOUCHES && outcome != GJK_UNSURE)
        return outcome;
    epa_measure(set, &touching, &depth);
    if (outcome == GJK_UNSURE && !(depth.distance < 0))
        return GJK_APART;
    *d = depth;
    return GJK_TOUCHES;
}

/* by the support mappings; false: farther apart than the bound, and no more is known */
static bool measure_cores(const placed *a, const placed *b, double bound, core_distance *d)
{
    minkowski set = {a->shape, b->shape, lb_transform_between(&a->frame, &b->frame)};
    if (decide(&set, fmax(bound, 0), d) == GJK_FAR)
        return false;
    d->normal = lb_transform_direction(&a->frame, d->normal);
    d->point_a = lb_transform_point(&a->frame, d->point_a);
    d->point_b = lb_transform_point(&a->frame, d->point_b);
    return true;
}

static double less_balls(const placed *a, const placed *b, const core_distance *d)
{
    return d->distance - a->shape->radius - b->shape->radius;
}

/* adds the balls to a result for the cores */
static void finish(const placed *a, const placed *b, const core_distance *d, lb_proximity *nearest)
{
    double ra = a->shape->radius, rb = b->shape->radius;
    nearest->distance = less_balls(a, b, d);
    nearest->normal = d->normal;
    nearest->point_a = lb_vec3_add(d->point_a, lb_vec3_scale(d->normal, ra));
    nearest->point_b = lb_vec3_sub(d->point_b, lb_vec3_scale(d->normal, rb));
}

/* by a closed form; false: there is none for such cores */
static bool measure_closed(const placed *a, const placed *b, core_distance *d)
{
    convex_core core_a = a->shape->core, core_b = b->shape->core;
    if (is_rod(a) && is_rod(b))
        *d = measure_rods(a, b);
    else if (core_a == CORE_BOX && core_b == CORE_POINT)
        *d = measure_box_and_point(a, b);
    else if (core_a == CORE_POINT && core_b == CORE_BOX)
        *d = turned_round(measure_box_and_point(b, a));
    else
        return false;
    return true;
}

bool pair_measure(const placed *a, const placed *b, double bound, lb_proximity *nearest)
{
    core_distance d;
    if (!measure_closed(a, b, &d) && !measure_cores(a, b, core_bound(a, b, bound), &d))
        return false;
    finish(a, b, &d, nearest);
    return nearest->distance <= bound;
}

bool pair_is_apart(const placed *a, const placed *b, double margin)
{
    core_distance d;
    if (measure_closed(a, b, &d))
        return less_balls(a, b, &d) > margin;
    minkowski set = {a->shape, b->shape, lb_transform_between(&a->frame, &b->frame)};
    simplex touching;
    double bound_of_cores = core_bound(a, b, margin);
    gjk_outcome outcome = gjk_measure(&set, bound_of_cores, &d, &touching);
    if (outcome == GJK_UNSURE)
        outcome = decide(&set, bound_of_cores, &d);
    return outcome == GJK_FAR || (outcome == GJK_APART && less_balls(a, b, &d) > margin);
}

double lb_geometry_distance(const lb_geometry *a, const lb_mesh *mesh_a, const lb_geometry *b,
                            const lb_mesh *mesh_b, lb_proximity *nearest)
{
    lb_transform frame_a, frame_b;
    convex shape_a = convex_from_geometry(a, mesh_a, &frame_a);
    convex shape_b = convex_from_geometry(b, mesh_b, &frame_b);
    placed place_a = place_shape(&shape_a, &frame_a), place_b = place_shape(&shape_b, &frame_b);
    pair_measure(&place_a, &place_b, INFINITY, nearest);
    nearest->body_a = nearest->body_b = nearest->shape_a = nearest->shape_b = -1;
    return nearest->distance;
}
