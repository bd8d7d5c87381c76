/*
 * solid.c - the camera, and where a ray from the eye meets a solid.
 */
#include "figures/solid.h"

/* the eye's distance in radii of the scene: far enough not to distort */
static const double eye_radii = 7;

/* ---- camera ------------------------------------------------------------- */

camera camera_make(double azimuth, double elevation)
{
    double sa, ca, se, ce;
    lb_sincos(azimuth, &sa, &ca);
    lb_sincos(elevation, &se, &ce);
    camera view = {.right = {-sa, ca, 0}, .toward = {ce * ca, ce * sa, se}, .distance = 1};
    view.up = lb_vec3_cross(view.toward, view.right);
    view.scale = 1;
    return view;
}

/* the middle of the box about the balls, and the radius of the ball about that */
static double enclose(const lb_vec3 *centers, const double *radii, int n, lb_vec3 *middle)
{
    lb_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < n; i++) {
        lb_vec3 c = centers[i];
        double r = radii[i];
        low = lb_vec3_make(fmin(low.x, c.x - r), fmin(low.y, c.y - r), fmin(low.z, c.z - r));
        high = lb_vec3_make(fmax(high.x, c.x + r), fmax(high.y, c.y + r), fmax(high.z, c.z + r));
    }
    *middle = lb_vec3_scale(lb_vec3_add(low, high), 0.5);
    double radius = 0;
    for (int i = 0; i < n; i++)
        radius = fmax(radius, lb_vec3_length(lb_vec3_sub(centers[i], *middle)) + radii[i]);
    return radius;
}

/*
 * The least radius and width of a scene: a millimetre; and far from the origin what
 * rounding leaves of differences, by a factor of some thousands.
 */
static double least_size(lb_vec3 middle)
{
    double farthest = fmax(fmax(fabs(middle.x), fabs(middle.y)), fabs(middle.z));
    return fmax(1e-3, 1e-12 * farthest);
}

void camera_frame(camera *view, const lb_vec3 *centers, const double *radii, int n,
                  figure_rect rect)
{
    double radius = enclose(centers, radii, n, &view->center);
    double least = least_size(view->center);
    radius = fmax(radius, least);
    view->distance = eye_radii * radius;
    view->scale = 1;
    view->middle = (figure_point){0, 0};

    // what the scene takes on the page at scale 1
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (int i = 0; i < n; i++) {
        figure_point p = camera_project(view, centers[i], NULL);
        double r = radii[i] * camera_scale_at(view, centers[i]);
        x0 = fmin(x0, p.x - r);
        x1 = fmax(x1, p.x + r);
        y0 = fmin(y0, p.y - r);
        y1 = fmax(y1, p.y + r);
    }
    double width = fmax(x1 - x0, least), height = fmax(y1 - y0, least);
    view->scale = fmin(rect.width / width, rect.height / height);
    view->middle.x = rect.x + 0.5 * rect.width - view->scale * 0.5 * (x0 + x1);
    view->middle.y = rect.y + 0.5 * rect.height - view->scale * 0.5 * (y0 + y1);
}

double camera_radius(const camera *view)
{
    return view->distance / eye_radii;
}

double camera_scale_at(const camera *view, lb_vec3 point)
{
    double depth = lb_vec3_dot(lb_vec3_sub(point, view->center), view->toward);
    // nothing is drawn behind the eye; the bound keeps a stray point finite
    return view->scale * view->distance / fmax(view->distance - depth, 0.1 * view->distance);
}

figure_point camera_project(const camera *view, lb_vec3 point, double *depth)
{
    lb_vec3 d = lb_vec3_sub(point, view->center);
    double scale = camera_scale_at(view, point);
    if (depth)
        *depth = lb_vec3_dot(d, view->toward);
    return (figure_point){view->middle.x + scale * lb_vec3_dot(d, view->right),
                          view->middle.y - scale * lb_vec3_dot(d, view->up)};
}

static lb_vec3 eye_of(const camera *view)
{
    return lb_vec3_add(view->center, lb_vec3_scale(view->toward, view->distance));
}

lb_vec3 camera_direction(const camera *view, lb_vec3 point)
{
    return lb_vec3_normalize(lb_vec3_sub(eye_of(view), point), view->toward);
}

/* ---- rays --------------------------------------------------------------- */

typedef struct ray {
    lb_vec3 origin, direction; /* unit */
} ray;

static ray ray_through(const camera *view, figure_point at)
{
    double x = (at.x - view->middle.x) / view->scale, y = (view->middle.y - at.y) / view->scale;
    lb_vec3 on_page = lb_vec3_add(
        view->center, lb_vec3_add(lb_vec3_scale(view->right, x), lb_vec3_scale(view->up, y)));
    ray r = {.origin = eye_of(view)};
    r.direction = lb_vec3_normalize(lb_vec3_sub(on_page, r.origin), view->toward);
    return r;
}

static lb_vec3 ray_at(const ray *r, double t)
{
    return lb_vec3_add(r->origin, lb_vec3_scale(r->direction, t));
}

static bool meet_ball(const ray *r, lb_vec3 center, double radius, double *t)
{
    lb_vec3 d = lb_vec3_sub(center, r->origin);
    double along = lb_vec3_dot(d, r->direction);
    double short_of = radius * radius - (lb_vec3_dot(d, d) - along * along);
    if (short_of < 0)
        return false;
    *t = along - sqrt(short_of);
    return true;
}

/* narrows [*t0, *t1] to where p + t d lies within [low, high] */
static bool within_slab(double p, double d, double low, double high, double *t0, double *t1)
{
    if (d == 0)
        return p >= low && p <= high;
    double ta = (low - p) / d, tb = (high - p) / d;
    *t0 = fmax(*t0, fmin(ta, tb));
    *t1 = fmin(*t1, fmax(ta, tb));
    return *t0 <= *t1;
}

/* where along a rod's axis, 0 at a and 1 at b, it is nearest to the ray */
static double nearest_share(const ray *r, const solid *body)
{
    lb_vec3 axis = lb_vec3_sub(body->b, body->a), from = lb_vec3_sub(body->a, r->origin);
    double aa = lb_vec3_dot(axis, axis), ad = lb_vec3_dot(axis, r->direction);
    double across = aa - ad * ad;

    // a ray along the axis meets the end toward it first
    if (across <= 1e-12 * aa)
        return ad < 0;
    double s = (ad * lb_vec3_dot(from, r->direction) - lb_vec3_dot(from, axis)) / across;
    return fmin(fmax(s, 0), 1);
}

/* the cylinder of one radius between the rod's ends */
static bool meet_wall(const ray *r, const solid *body, double radius, double *t)
{
    lb_vec3 span = lb_vec3_sub(body->b, body->a);
    lb_vec3 axis = lb_vec3_normalize(span, lb_vec3_make(0, 0, 1));
    lb_vec3 from = lb_vec3_sub(r->origin, body->a);

    // between the ends
    double height = lb_vec3_dot(from, axis), climb = lb_vec3_dot(r->direction, axis);
    double t0 = -INFINITY, t1 = INFINITY;
    if (!within_slab(height, climb, 0, lb_vec3_length(span), &t0, &t1))
        return false;

    // within the wall: a quadratic in t of what lies across the axis
    lb_vec3 p = lb_vec3_sub(from, lb_vec3_scale(axis, height));
    lb_vec3 d = lb_vec3_sub(r->direction, lb_vec3_scale(axis, climb));
    double a = lb_vec3_dot(d, d), b = lb_vec3_dot(p, d);
    double c = lb_vec3_dot(p, p) - radius * radius;
    if (a > 0) {
        double root = b * b - a * c;
        if (root < 0)
            return false;
        t0 = fmax(t0, (-b - sqrt(root)) / a);
        t1 = fmin(t1, (-b + sqrt(root)) / a);
    } else if (c > 0) {
        return false;
    }
    *t = t0;
    return t0 <= t1;
}

/*
 * A rod is met with the radius it has where the ray passes its axis: exact for
 * one of even thickness, near enough to order tapered ones. Of wall and ends
 * the first counts.
 */
static bool meet_rod(const ray *r, const solid *body, double *t)
{
    double share = nearest_share(r, body), at;
    double radius = body->radius_a + share * (body->radius_b - body->radius_a);
    *t = INFINITY;
    if (meet_wall(r, body, radius, &at))
        *t = at;
    if (!body->flat_a && meet_ball(r, body->a, body->radius_a, &at))
        *t = fmin(*t, at);
    if (!body->flat_b && meet_ball(r, body->b, body->radius_b, &at))
        *t = fmin(*t, at);
    return *t < INFINITY;
}

static bool meet_box(const ray *r, const solid *body, double *t)
{
    lb_vec3 from = lb_vec3_sub(r->origin, body->frame.p), d = r->direction;
    double t0 = -INFINITY, t1 = INFINITY;
    const lb_vec3 axes[] = {body->frame.x, body->frame.y, body->frame.z};
    const double edges[] = {body->size.x, body->size.y, body->size.z};
    for (int i = 0; i < 3; i++)
        if (!within_slab(lb_vec3_dot(from, axes[i]), lb_vec3_dot(d, axes[i]), -0.5 * edges[i],
                         0.5 * edges[i], &t0, &t1))
            return false;
    *t = t0;
    return true;
}

bool solid_depth(const solid *body, const camera *view, figure_point at, double *depth)
{
    ray r = ray_through(view, at);
    double t = 0;
    bool met = false;
    switch (body->kind) {
    case SOLID_BALL:
        met = meet_ball(&r, body->a, body->radius_a, &t);
        break;
    case SOLID_ROD:
        met = meet_rod(&r, body, &t);
        break;
    case SOLID_BOX:
        met = meet_box(&r, body, &t);
        break;
    }
    if (met)
        *depth = lb_vec3_dot(lb_vec3_sub(ray_at(&r, t), view->center), view->toward);
    return met;
}

/* ---- extent ------------------------------------------------------------- */

/* balls bulge past flat ends: the room kept for them is a little large */
int solid_balls(const solid *body, lb_vec3 centers[solid_max_balls], double radii[solid_max_balls])
{
    if (body->kind == SOLID_BOX) {
        for (int i = 0; i < 8; i++) {
            lb_vec3 corner = {(i & 1 ? 0.5 : -0.5) * body->size.x,
                              (i & 2 ? 0.5 : -0.5) * body->size.y,
                              (i & 4 ? 0.5 : -0.5) * body->size.z};
            centers[i] = lb_transform_point(&body->frame, corner);
            radii[i] = 0;
        }
        return 8;
    }
    centers[0] = body->a;
    radii[0] = body->radius_a;
    if (body->kind == SOLID_BALL)
        return 1;
    centers[1] = body->b;
    radii[1] = body->radius_b;
    return 2;
}

lb_vec3 solid_on_ground(const solid_ground *ground, lb_vec3 p)
{
    p.z = ground->height + (ground->along_x * p.x + ground->along_y * p.y);
    return p;
}

double solid_lowest(const solid *body, const solid_ground *slope)
{
    double steep = sqrt(1 + slope->along_x * slope->along_x + slope->along_y * slope->along_y);
    lb_vec3 centers[solid_max_balls];
    double radii[solid_max_balls], low = INFINITY;
    int n = solid_balls(body, centers, radii);
    lb_vec3 axis = lb_vec3_normalize(lb_vec3_sub(body->b, body->a), lb_vec3_make(0, 0, 1));
    for (int i = 0; i < n; i++) {
        // a disc reaches down by as much as its axis leans from the normal
        bool flat = body->kind == SOLID_ROD && (i == 0 ? body->flat_a : body->flat_b);
        double upright = (axis.z - slope->along_x * axis.x - slope->along_y * axis.y) / steep;
        double lean = flat ? sqrt(fmax(0, 1 - upright * upright)) : 1;
        double rise = slope->along_x * centers[i].x + slope->along_y * centers[i].y;
        low = fmin(low, centers[i].z - rise - steep * lean * radii[i]);
    }
    return low;
}
