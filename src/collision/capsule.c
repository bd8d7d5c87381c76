/*
 * capsule.c - a capsule of small volume around points.
 *
 * Of one direction of the axis the narrowest capsule is exact: the points seen along it have a
 * smallest circle (de Berg, Cheong, van Kreveld & Overmars 2008, "Computational Geometry", 4.7),
 * and its ends are as near as the points let their half spheres be. A wider one can be shorter, and
 * so smaller: its radius is searched, its line kept. Directions are tried all over a half sphere,
 * and the best of them refined by steps that halve (compass search).
 */
#include "collision/layout.h"

enum { DIRECTIONS = 96, REFINED = 4, RADII = 40 };

/* radians: less changes a volume by less than a millionth */
#define FINEST 1e-4

/* of a circle's radius: points on it may seem outside by rounding */
#define ON_CIRCLE (1 + 1e-12)

/* Points, and what they are seen along one direction: two coordinates across it and one along. */
typedef struct cloud {
    int count;
    lb_vec3 *points;
    double (*across)[2], *along;
} cloud;

typedef struct circle {
    double x, y, square; /* of its radius */
} circle;

/* Half spheres about the ends of a segment, and what is between them. */
typedef struct capsule {
    lb_vec3 direction, a, b;
    double radius, volume;
} capsule;

/* ---- the smallest circle ---------------------------------------------------- */

static double square_from(const circle *c, const double p[2])
{
    double x = p[0] - c->x, y = p[1] - c->y;
    return x * x + y * y;
}

static bool is_outside(const circle *c, const double p[2])
{
    return square_from(c, p) > c->square * (ON_CIRCLE * ON_CIRCLE);
}

static circle circle_of_two(const double a[2], const double b[2])
{
    circle c = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0};
    c.square = square_from(&c, a);
    return c;
}

/* through three points; where they are on a line, through the two that are farthest apart */
static circle circle_of_three(const double a[2], const double b[2], const double p[2])
{
    double bx = b[0] - a[0], by = b[1] - a[1], px = p[0] - a[0], py = p[1] - a[1];
    double turn = 2 * (bx * py - by * px), bb = bx * bx + by * by, pp = px * px + py * py;
    circle c = {a[0] + (py * bb - by * pp) / turn, a[1] + (bx * pp - px * bb) / turn, 0};
    c.square = square_from(&c, a);
    if (isfinite(c.square))
        return c;
    circle sides[3] = {circle_of_two(a, b), circle_of_two(b, p), circle_of_two(a, p)};
    for (int i = 1; i < 3; i++)
        if (sides[i].square > sides[0].square)
            sides[0] = sides[i];
    return sides[0];
}

/* the smallest circle around the first points with points i and k on it */
static circle circle_through_two(const cloud *s, int i, int k)
{
    circle c = circle_of_two(s->across[i], s->across[k]);
    for (int m = 0; m < k; m++)
        if (is_outside(&c, s->across[m]))
            c = circle_of_three(s->across[i], s->across[k], s->across[m]);
    return c;
}

static circle circle_through_one(const cloud *s, int i)
{
    circle c = circle_of_two(s->across[i], s->across[0]);
    for (int k = 1; k < i; k++)
        if (is_outside(&c, s->across[k]))
            c = circle_through_two(s, i, k);
    return c;
}

static circle smallest_circle(const cloud *s)
{
    circle c = {s->across[0][0], s->across[0][1], 0};
    for (int i = 1; i < s->count; i++)
        if (is_outside(&c, s->across[i]))
            c = circle_through_one(s, i);
    return c;
}

/* ---- one direction ------------------------------------------------------------ */

/* where along a line half spheres of a radius have to be: *low <= *high where they are apart */
static void find_ends(const cloud *s, const circle *c, double square, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < s->count; i++) {
        double cap = sqrt(fmax(square - square_from(c, s->across[i]), 0));
        *low = fmin(*low, s->along[i] + cap);
        *high = fmax(*high, s->along[i] - cap);
    }
    // a sphere holds all of them
    if (*high < *low)
        *low = *high = 0.5 * (*low + *high);
}

static double volume_of(double radius, double length)
{
    return LB_PI * radius * radius * (length + 4.0 / 3 * radius);
}

/* the radius from the smallest circle's on that makes least volume, by golden sections */
static double best_radius(const cloud *s, const circle *c)
{
    const double golden = 0.6180339887498949;
    double least = sqrt(c->square), from = least, to = 2 * least, low, high;
    for (int i = 0; i < RADII; i++) {
        double a = to - golden * (to - from), b = from + golden * (to - from), va, vb;
        find_ends(s, c, a * a, &low, &high);
        va = volume_of(a, high - low);
        find_ends(s, c, b * b, &low, &high);
        vb = volume_of(b, high - low);
        if (va <= vb)
            to = b;
        else
            from = a;
    }
    find_ends(s, c, c->square, &low, &high);
    double narrow = volume_of(least, high - low);
    find_ends(s, c, from * from, &low, &high);
    return volume_of(from, high - low) < narrow ? from : least;
}

/* the capsule along a direction: the narrowest, or the smallest of its line */
static capsule capsule_along(const cloud *s, lb_vec3 direction, bool smallest)
{
    lb_vec3 x = lb_vec3_perpendicular(direction), y = lb_vec3_cross(direction, x);
    for (int i = 0; i < s->count; i++) {
        s->across[i][0] = lb_vec3_dot(x, s->points[i]);
        s->across[i][1] = lb_vec3_dot(y, s->points[i]);
        s->along[i] = lb_vec3_dot(direction, s->points[i]);
    }
    circle c = smallest_circle(s);
    double radius = smallest ? best_radius(s, &c) : sqrt(c.square), low, high;
    find_ends(s, &c, radius * radius, &low, &high);
    lb_vec3 line = lb_vec3_add(lb_vec3_scale(x, c.x), lb_vec3_scale(y, c.y));
    return (capsule){.direction = direction,
                     .a = lb_vec3_add(line, lb_vec3_scale(direction, low)),
                     .b = lb_vec3_add(line, lb_vec3_scale(direction, high)),
                     .radius = radius,
                     .volume = volume_of(radius, high - low)};
}

/* ---- all directions ------------------------------------------------------------- */

/* a point of an even spiral from the pole of a half sphere to its rim */
static lb_vec3 direction_at(int i)
{
    const double turn = 2.399963229728653;
    double z = 1 - (i + 0.5) / DIRECTIONS, across = sqrt(1 - z * z), sine, cosine;
    lb_sincos(turn * i, &sine, &cosine);
    return lb_vec3_make(across * cosine, across * sine, z);
}

/* turns the axis by steps that halve for as long as that makes it smaller */
static capsule refine(const cloud *s, capsule best)
{
    double step = 0.2;
    while (step > FINEST) {
        lb_vec3 x = lb_vec3_perpendicular(best.direction), y = lb_vec3_cross(best.direction, x);
        const lb_vec3 sides[4] = {x, y, lb_vec3_scale(x, -1), lb_vec3_scale(y, -1)};
        bool better = false;
        for (int i = 0; i < 4 && !better; i++) {
            lb_vec3 turned = lb_vec3_add(best.direction, lb_vec3_scale(sides[i], step));
            capsule tried = capsule_along(s, lb_vec3_normalize(turned, best.direction), false);
            better = tried.volume < best.volume * (1 - 1e-9);
            if (better)
                best = tried;
        }
        if (!better)
            step *= 0.5;
    }
    return best;
}

static void keep_best(capsule *best, int *count, capsule tried)
{
    int at = *count < REFINED ? (*count)++ : REFINED;
    for (; at > 0 && tried.volume < best[at - 1].volume; at--)
        if (at < REFINED)
            best[at] = best[at - 1];
    if (at < REFINED)
        best[at] = tried;
}

static capsule find_capsule(const cloud *s)
{
    capsule best[REFINED], least = {.volume = INFINITY};
    int count = 0;
    for (int i = 0; i < DIRECTIONS; i++)
        keep_best(best, &count, capsule_along(s, direction_at(i), false));
    for (int i = 0; i < count; i++) {
        capsule fine = refine(s, best[i]);
        fine = capsule_along(s, fine.direction, true);
        if (fine.volume < least.volume)
            least = fine;
    }
    return least;
}

/* ---- meshes ------------------------------------------------------------------------ */

/* the points as they are scaled, in an order that has nothing to do with the file's: only so are
   smallest circles soon found */
static void load_cloud(const lb_mesh *mesh, lb_vec3 scale, cloud *s)
{
    lb_random random = lb_random_seed(1);
    for (int i = 0; i < mesh->count; i++) {
        lb_vec3 p = mesh->points[i];
        int k = (int)lb_random_between(&random, 0, i + 1);
        k = k > i ? i : k;
        if (k < i)
            s->points[i] = s->points[k];
        s->points[k] = lb_vec3_make(p.x * scale.x, p.y * scale.y, p.z * scale.z);
    }
}

/* the largest distance of a point from the segment */
static double farthest_from(const cloud *s, const capsule *c)
{
    lb_vec3 span = lb_vec3_sub(c->b, c->a);
    double square = lb_vec3_dot(span, span), farthest = 0;
    for (int i = 0; i < s->count; i++) {
        lb_vec3 from = lb_vec3_sub(s->points[i], c->a);
        double share = square > 0 ? lb_vec3_dot(from, span) / square : 0;
        share = fmin(fmax(share, 0), 1);
        lb_vec3 off = lb_vec3_sub(from, lb_vec3_scale(span, share));
        farthest = fmax(farthest, lb_vec3_dot(off, off));
    }
    return sqrt(farthest);
}

lb_geometry capsule_around(const lb_geometry *given, const lb_mesh *mesh, double *work)
{
    size_t n = (size_t)mesh->count;
    cloud s = {.count = mesh->count,
               .points = (lb_vec3 *)work,
               .across = (double(*)[2])(work + 3 * n),
               .along = work + 5 * n};
    load_cloud(mesh, given->size, &s);
    capsule c = find_capsule(&s);
    lb_geometry made = *given;
    made.shape = LB_SHAPE_CAPSULE;
    made.mesh = NULL;
    made.size = lb_vec3_make(farthest_from(&s, &c), 0, lb_vec3_length(lb_vec3_sub(c.b, c.a)));
    lb_transform at = {.z = c.direction, .p = lb_vec3_scale(lb_vec3_add(c.a, c.b), 0.5)};
    at.x = lb_vec3_perpendicular(at.z);
    at.y = lb_vec3_cross(at.z, at.x);
    made.origin = lb_transform_multiply(&given->origin, &at);
    return made;
}
