/*
 * epa.c - the expanding polytope algorithm (van den Bergen 2001, "Proximity queries and penetration
 * depth computation on 3D game objects").
 *
 * A polytope inside D with the origin in it grows where its surface is nearest to the origin: the
 * farthest point of D along that face's normal becomes a corner, and the faces that see it are
 * replaced. The face's distance is a lower bound of the depth and that of the point's plane an
 * upper one. The number of corners is bounded: on curved shapes whose bounds have not met by then,
 * the upper one is returned: a displacement by that along its normal does separate.
 */
#include "collision/minkowski.h"

#include <float.h>

/* The gap of the bounds, in parts of D's size, at which the depth is known. */
static const double gap = 1e-11;
/* Heights in parts of D's size below which a point lies in a plane or line: rounding, and 1e2. */
static const double flat = 1e2 * DBL_EPSILON;
/* The share of its longest edge's cube below which a tetrahedron's volume may lose its normals. */
static const double thin = 1e-4;

enum { MOST_CORNERS = 256, MOST_FACES = 2 * MOST_CORNERS - 4, MOST_EDGES = 3 * MOST_CORNERS };

typedef struct face {
    int corners[3]; /* counterclockwise seen from outside */
    lb_vec3 normal; /* unit, outward */
    double distance;
} face;

typedef struct polytope {
    vertex corners[MOST_CORNERS];
    face faces[MOST_FACES];
    int corner_count, face_count;
    double size; /* the farthest corner's distance from the first one */
} polytope;

/* ---- the first tetrahedron ---------------------------------------------- */

static lb_vec3 corner(const polytope *p, int i)
{
    return p->corners[i].w;
}

/* adds D's farther point along a line through the first corner; false: there is none off it */
static bool add_along(const minkowski *set, polytope *p, lb_vec3 direction)
{
    double least = flat * p->size;
    lb_vec3 d = direction;
    for (int i = 0; i < 2; i++, d = lb_vec3_scale(d, -1)) {
        vertex v = minkowski_support(set, d);
        double height = lb_vec3_dot(d, lb_vec3_sub(v.w, corner(p, 0)));
        p->size = fmax(p->size, fabs(height));
        if (height > least && height > 0) {
            p->corners[p->corner_count++] = v;
            return true;
        }
    }
    return false;
}

static double square(lb_vec3 v)
{
    return lb_vec3_dot(v, v);
}

/* a triangle's normal by its two shorter sides: two long ones about a short one lose its digits */
static lb_vec3 normal_of(lb_vec3 a, lb_vec3 b, lb_vec3 c)
{
    lb_vec3 ab = lb_vec3_sub(b, a), bc = lb_vec3_sub(c, b), ca = lb_vec3_sub(a, c);
    double x = square(ab), y = square(bc), z = square(ca);
    if (x >= y && x >= z)
        return lb_vec3_cross(bc, ca);
    return y >= z ? lb_vec3_cross(ca, ab) : lb_vec3_cross(ab, bc);
}

static lb_vec3 unit_axis(int i)
{
    return lb_vec3_make(i == 0, i == 1, i == 2);
}

/*
 * Completes one to three corners to four that span space. Where D does not, *normal is at right
 * angles to all of it.
 */
static bool span_space(const minkowski *set, polytope *p, lb_vec3 *normal)
{
    for (int i = 0; i < 3 && p->corner_count == 1; i++)
        add_along(set, p, unit_axis(i));
    *normal = unit_axis(2);
    if (p->corner_count < 2)
        return false;
    if (p->corner_count == 2) {
        lb_vec3 edge = lb_vec3_normalize(lb_vec3_sub(corner(p, 1), corner(p, 0)), unit_axis(2));
        lb_vec3 side = lb_vec3_perpendicular(edge);
        *normal = side;
        if (!add_along(set, p, side) && !add_along(set, p, lb_vec3_cross(edge, side)))
            return false;
    }
    if (p->corner_count == 3) {
        *normal =
            lb_vec3_normalize(normal_of(corner(p, 0), corner(p, 1), corner(p, 2)), unit_axis(2));
        return add_along(set, p, *normal);
    }
    return true;
}

/* ---- faces -------------------------------------------------------------- */

/* false: three corners on a line */
static bool add_face(polytope *p, int a, int b, int c)
{
    lb_vec3 at = corner(p, a), n = normal_of(at, corner(p, b), corner(p, c));
    double length = lb_vec3_length(n);
    if (!(length > 0) || p->face_count == MOST_FACES)
        return false;
    n = lb_vec3_scale(n, 1 / length);
    p->faces[p->face_count++] = (face){{a, b, c}, n, lb_vec3_dot(n, at)};
    return true;
}

static bool add_tetrahedron(polytope *p)
{
    // the order that has the fourth corner behind the first face
    lb_vec3 at = corner(p, 0), n = normal_of(at, corner(p, 1), corner(p, 2));
    bool behind = lb_vec3_dot(n, lb_vec3_sub(corner(p, 3), at)) < 0;
    int b = behind ? 1 : 2, c = behind ? 2 : 1;
    return add_face(p, 0, b, c) && add_face(p, 0, 3, b) && add_face(p, b, 3, c) &&
           add_face(p, c, 3, 0);
}

static int nearest_face(const polytope *p)
{
    int best = 0;
    for (int i = 1; i < p->face_count; i++)
        if (p->faces[i].distance < p->faces[best].distance)
            best = i;
    return best;
}

/* ---- growing ------------------------------------------------------------ */

typedef struct edge {
    int from, to;
} edge;

/* the edges of removed faces that no other removed face has */
typedef struct horizon {
    edge edges[MOST_EDGES];
    int count;
} horizon;

static bool add_edge(horizon *h, int from, int to)
{
    for (int i = 0; i < h->count; i++)
        if (h->edges[i].from == to && h->edges[i].to == from) {
            h->edges[i] = h->edges[--h->count];
            return true;
        }
    if (h->count == MOST_EDGES)
        return false;
    h->edges[h->count++] = (edge){from, to};
    return true;
}

static bool remove_face(polytope *p, int which, horizon *h)
{
    face f = p->faces[which];
    bool fine = true;
    p->faces[which] = p->faces[--p->face_count];
    for (int k = 0; k < 3; k++)
        fine = add_edge(h, f.corners[k], f.corners[(k + 1) % 3]) && fine;
    return fine;
}

static bool sees(const polytope *p, lb_vec3 point, const face *f)
{
    return lb_vec3_dot(f->normal, point) - f->distance > flat * p->size;
}

/* the face that has the edge; -1: none */
static int face_of(const polytope *p, int from, int to)
{
    for (int i = 0; i < p->face_count; i++)
        for (int k = 0; k < 3; k++)
            if (p->faces[i].corners[k] == from && p->faces[i].corners[(k + 1) % 3] == to)
                return i;
    return -1;
}

/* removes the faces that the point sees, beyond one edge after another: so the hole stays whole */
static bool open_up(polytope *p, lb_vec3 point, int first, horizon *h)
{
    bool fine = remove_face(p, first, h);
    for (int i = 0; i < h->count && fine;) {
        int next = face_of(p, h->edges[i].to, h->edges[i].from);
        if (next >= 0 && sees(p, point, &p->faces[next])) {
            fine = remove_face(p, next, h);
            i = 0;
        } else {
            i++;
        }
    }
    return fine;
}

/* makes the point a corner in place of the faces that see it; false: the polytope is spoilt */
static bool grow(polytope *p, vertex point, int first)
{
    horizon h = {.count = 0};
    bool fine = open_up(p, point.w, first, &h);
    int last = p->corner_count++;
    p->corners[last] = point;
    for (int i = 0; i < h.count && fine; i++)
        fine = add_face(p, h.edges[i].from, h.edges[i].to, last);
    return fine && h.count >= 3;
}

/* The least plane's distance that was found, an upper bound of the depth, and its normal. */
typedef struct bound {
    double upper;
    lb_vec3 normal;
} bound;

/* the plane of D at right angles to a direction, where it is nearer than what is known */
static vertex try_plane(const minkowski *set, lb_vec3 normal, bound *known)
{
    vertex next = minkowski_support(set, normal);
    double plane = lb_vec3_dot(normal, next.w);
    if (plane < known->upper)
        *known = (bound){plane, normal};
    return next;
}

/*
 * Planes beside the longest edge of the first tetrahedron: of a needle whose faces have lost their
 * normals in rounding they are as near as it is thick.
 */
static bound bound_beside(const minkowski *set, const polytope *p)
{
    lb_vec3 longest = {0, 0, 0}, edges[3];
    for (int i = 1; i < 4; i++)
        for (int k = 0; k < i; k++) {
            lb_vec3 between = lb_vec3_sub(corner(p, i), corner(p, k));
            longest = square(between) > square(longest) ? between : longest;
        }
    for (int i = 0; i < 3; i++)
        edges[i] = lb_vec3_sub(corner(p, i + 1), corner(p, 0));
    double volume = lb_vec3_dot(lb_vec3_cross(edges[0], edges[1]), edges[2]);
    double length = lb_vec3_length(longest);
    bound known = {.upper = INFINITY};
    if (fabs(volume) > thin * length * length * length)
        return known;
    lb_vec3 along = lb_vec3_normalize(longest, unit_axis(2)), side = lb_vec3_perpendicular(along);
    for (int i = 0; i < 4; i++, side = lb_vec3_cross(along, side))
        try_plane(set, side, &known);
    return known;
}

/* grows until the bounds meet, or there is no room for more corners */
static bound expand(const minkowski *set, polytope *p)
{
    bound known = {.upper = INFINITY};
    for (;;) {
        int first = nearest_face(p);
        lb_vec3 normal = p->faces[first].normal;
        vertex next = try_plane(set, normal, &known);
        bool met = !(lb_vec3_dot(normal, next.w) - p->faces[first].distance > gap * p->size);
        if (met || p->corner_count == MOST_CORNERS || !grow(p, next, first))
            break;
    }
    // only where it is nearer by more than rounding: the points are those of the faces
    bound beside = bound_beside(set, p);
    return beside.upper < known.upper - gap * p->size ? beside : known;
}

/* ---- the result --------------------------------------------------------- */

/*
 * The polytope's point nearest to the origin by its corners. A flat side of D may be several faces
 * of one distance, of which one has the point inside; of sides that are as near, that of the
 * normal.
 */
static simplex nearest_point(const polytope *p, lb_vec3 normal)
{
    simplex best = {.count = 0};
    double least = INFINITY, most = -INFINITY, tie = gap * p->size;
    for (int i = 0; i < p->face_count; i++) {
        const face *f = &p->faces[i];
        if (f->distance > least + tie)
            continue;
        simplex s = {.count = 3};
        for (int k = 0; k < 3; k++)
            s.points[k] = p->corners[f->corners[k]];
        simplex_reduce(&s);
        lb_vec3 w = simplex_point(&s);
        double far = lb_vec3_length(w), plane = lb_vec3_dot(w, normal);
        if (far < least - tie || (far <= least + tie && plane > most) || best.count == 0) {
            least = fmin(least, far);
            most = plane;
            best = s;
        }
    }
    return best;
}

static void finish(const simplex *s, lb_vec3 normal, double depth, core_distance *result)
{
    result->distance = -depth;
    result->normal = normal;
    result->point_a = simplex_point_of_a(s);
    result->point_b = lb_vec3_sub(result->point_a, lb_vec3_scale(normal, depth));
}

void epa_measure(const minkowski *set, const simplex *touching, core_distance *result)
{
    polytope p = {.corner_count = touching->count};
    lb_vec3 normal;
    for (int i = 0; i < touching->count; i++) {
        p.corners[i] = touching->points[i];
        p.size = fmax(p.size, lb_vec3_length(lb_vec3_sub(corner(&p, i), corner(&p, 0))));
    }
    if (!span_space(set, &p, &normal) || !add_tetrahedron(&p)) {
        finish(touching, normal, 0, result);
        return;
    }

    bound depth = expand(set, &p);
    simplex nearest = nearest_point(&p, depth.normal);
    finish(&nearest, depth.normal, fmax(depth.upper, 0), result);
}
