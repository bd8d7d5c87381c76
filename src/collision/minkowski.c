/*
 * minkowski.c - support of a difference, the nearest point of a simplex, and the distance.
 *
 * The nearest point is found by signed volumes: the origin's barycentric coordinates in the
 * simplex, whose signs say which sides can have it (Montanari, Petrinic, Barbieri 2017, "Improving
 * the GJK algorithm for faster and more reliable distance queries between convex objects"). Sides
 * that are tried are compared by their distance, so that a sign lost in rounding costs no more than
 * that.
 */
#include "collision/minkowski.h"

#include <float.h>

vertex minkowski_support(const minkowski *set, lb_vec3 d)
{
    const lb_transform *t = &set->a_b;
    lb_vec3 a = convex_support(set->a, d);
    lb_vec3 back = {-lb_vec3_dot(t->x, d), -lb_vec3_dot(t->y, d), -lb_vec3_dot(t->z, d)};
    lb_vec3 b = lb_transform_point(t, convex_support(set->b, back));
    return (vertex){lb_vec3_sub(a, b), a};
}

lb_vec3 simplex_point(const simplex *s)
{
    lb_vec3 sum = {0, 0, 0};
    for (int i = 0; i < s->count; i++)
        sum = lb_vec3_add(sum, lb_vec3_scale(s->points[i].w, s->weights[i]));
    return sum;
}

lb_vec3 simplex_point_of_a(const simplex *s)
{
    lb_vec3 sum = {0, 0, 0};
    for (int i = 0; i < s->count; i++)
        sum = lb_vec3_add(sum, lb_vec3_scale(s->points[i].a, s->weights[i]));
    return sum;
}

static void keep_one(simplex *s, int which)
{
    s->points[0] = s->points[which];
    s->weights[0] = 1;
    s->count = 1;
}

static void reduce_segment(simplex *s)
{
    lb_vec3 p = s->points[0].w, edge = lb_vec3_sub(s->points[1].w, p);
    double along = -lb_vec3_dot(p, edge), length = lb_vec3_dot(edge, edge);
    if (!(along > 0)) {
        keep_one(s, 0);
    } else if (along >= length) {
        keep_one(s, 1);
    } else {
        s->weights[1] = along / length;
        s->weights[0] = 1 - s->weights[1];
    }
}

/* the simplex without one of its points */
static simplex side_of(const simplex *s, int without)
{
    simplex side = {.count = s->count - 1};
    for (int i = 0, k = 0; i < s->count; i++)
        if (i != without)
            side.points[k++] = s->points[i];
    return side;
}

/* reduces the sides opposite the points whose bit is set, and keeps the one that comes nearest */
static void reduce_to_side(simplex *s, unsigned sides, void (*reduce)(simplex *))
{
    simplex best = {.count = 0};
    double least = INFINITY;
    for (int k = 0; k < s->count; k++) {
        if ((sides >> k & 1) == 0)
            continue;
        simplex side = side_of(s, k);
        reduce(&side);
        lb_vec3 p = simplex_point(&side);
        double square = lb_vec3_dot(p, p);
        if (square < least || best.count == 0) {
            least = square;
            best = side;
        }
    }
    *s = best;
}

static double *axis_of(lb_vec3 *v, int axis)
{
    return axis == 0 ? &v->x : axis == 1 ? &v->y : &v->z;
}

static int largest_axis(lb_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* the point's coordinates in the plane at right angles to an axis */
static void flatten(lb_vec3 p, int axis, double *u, double *v)
{
    *u = *axis_of(&p, (axis + 1) % 3);
    *v = *axis_of(&p, (axis + 2) % 3);
}

static void reduce_triangle(simplex *s)
{
    lb_vec3 p = s->points[0].w;
    lb_vec3 n = lb_vec3_cross(lb_vec3_sub(s->points[1].w, p), lb_vec3_sub(s->points[2].w, p));
    double square = lb_vec3_dot(n, n);
    if (!(square > 0)) {
        reduce_to_side(s, 7, reduce_segment);
        return;
    }

    // the signed areas that the origin's projection makes with each side, where they are largest
    lb_vec3 foot = lb_vec3_scale(n, lb_vec3_dot(p, n) / square);
    int axis = largest_axis(n);
    double u[3], v[3], area[3], sign = *axis_of(&n, axis) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        flatten(lb_vec3_sub(s->points[i].w, foot), axis, &u[i], &v[i]);
    unsigned outside = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        area[i] = sign * (u[j] * v[k] - u[k] * v[j]);
        outside |= area[i] > 0 ? 0u : 1u << i;
    }
    if (outside != 0) {
        reduce_to_side(s, outside, reduce_segment);
        return;
    }
    double whole = area[0] + area[1] + area[2];
    for (int i = 0; i < 3; i++)
        s->weights[i] = area[i] / whole;
}

static double triple(lb_vec3 a, lb_vec3 b, lb_vec3 c)
{
    return lb_vec3_dot(a, lb_vec3_cross(b, c));
}

static void reduce_tetrahedron(simplex *s)
{
    lb_vec3 p[4], e[3];
    for (int i = 0; i < 4; i++)
        p[i] = s->points[i].w;
    for (int i = 0; i < 3; i++)
        e[i] = lb_vec3_sub(p[i], p[3]);
    lb_vec3 o = lb_vec3_scale(p[3], -1);

    // the signed volumes with the origin in place of each point
    double whole = triple(e[0], e[1], e[2]), sign = whole < 0 ? -1 : 1;
    double volume[4] = {triple(o, e[1], e[2]), triple(e[0], o, e[2]), triple(e[0], e[1], o),
                        triple(p[0], p[1], p[2])};
    unsigned outside = 0;
    for (int i = 0; i < 4; i++)
        outside |= sign * volume[i] > 0 ? 0u : 1u << i;

    // of one that is flat to rounding no sign can be relied on: its four sides are all of it
    double size = lb_vec3_dot(e[0], e[0]) * lb_vec3_dot(e[1], e[1]) * lb_vec3_dot(e[2], e[2]);
    bool flat = !(whole * whole > 1e4 * DBL_EPSILON * DBL_EPSILON * size);
    if (flat || outside != 0) {
        reduce_to_side(s, flat ? 15 : outside, reduce_triangle);
        return;
    }
    double sum = fabs(volume[0]) + fabs(volume[1]) + fabs(volume[2]) + fabs(volume[3]);
    for (int i = 0; i < 4; i++)
        s->weights[i] = fabs(volume[i]) / sum;
}

void simplex_reduce(simplex *s)
{
    switch (s->count) {
    case 2:
        reduce_segment(s);
        break;
    case 3:
        reduce_triangle(s);
        break;
    case 4:
        reduce_tetrahedron(s);
        break;
    default:
        s->weights[0] = 1;
    }
}

/* ---- distance ----------------------------------------------------------- */

/*
 * E. Gilbert, D. Johnson and S. Keerthi, "A fast procedure for computing the distance between
 * complex objects in three-dimensional space", 1988.
 *
 * Of D = A - B a simplex is kept and the point v of it that is nearest to the origin; each step
 * adds D's farthest point towards the origin. v is an upper bound of the distance, and the plane
 * through that point at right angles to v a lower one, so the result's error is known: |v| - v.w /
 * |v|.
 */

/*
 * The relative gap of upper and lower bound at which v is the nearest point: 1e-12 is the square of
 * 1e-6 in the direction, and far above the rounding of the bounds themselves, 1e-16.
 */
static const double gap = 1e-12;

/* polytopes need about ten steps, curved shapes about forty; some more never hurt */
enum { MOST_STEPS = 128 };

static bool has_point(const simplex *s, lb_vec3 w)
{
    for (int i = 0; i < s->count; i++) {
        lb_vec3 p = s->points[i].w;
        if (p.x == w.x && p.y == w.y && p.z == w.z)
            return true;
    }
    return false;
}

static void finish(const simplex *s, lb_vec3 v, core_distance *result)
{
    result->distance = lb_vec3_length(v);
    result->normal = lb_vec3_scale(v, -1 / result->distance);
    result->point_a = simplex_point_of_a(s);
    result->point_b = lb_vec3_sub(result->point_a, v);
}

gjk_outcome gjk_measure(const minkowski *set, double bound, core_distance *result,
                        simplex *touching)
{
    // the origins are in the cores: begin where they lie towards each other
    lb_vec3 towards = set->a_b.p;
    if (!(lb_vec3_dot(towards, towards) > 0))
        towards = lb_vec3_make(1, 0, 0);
    simplex s = {.points = {minkowski_support(set, towards)}, .weights = {1}, .count = 1};
    lb_vec3 v = s.points[0].w;
    double square = lb_vec3_dot(v, v), largest = square, along = square;

    for (int step = 0; step < MOST_STEPS; step++) {
        // rounding of the points, of which v is a sum, is a few parts in 1e16 of their size; of
        // squares as small as the other has digits are lost
        if (square <= fmax(1e3 * DBL_EPSILON * DBL_EPSILON * largest, 1e-290)) {
            *touching = s;
            return GJK_TOUCHES;
        }
        vertex next = minkowski_support(set, lb_vec3_scale(v, -1));
        along = lb_vec3_dot(v, next.w);
        if (along > 0 && along * along > bound * bound * square) {
            result->distance = along / sqrt(square);
            return GJK_FAR;
        }
        if (square - along <= gap * square || has_point(&s, next.w))
            break;

        // one point more, and then only those that count
        simplex grown = s;
        grown.points[grown.count++] = next;
        simplex_reduce(&grown);
        if (grown.count == 4) {
            *touching = grown;
            return GJK_TOUCHES;
        }
        lb_vec3 nearer = simplex_point(&grown);
        double nearer_square = lb_vec3_dot(nearer, nearer);
        if (!(nearer_square < square))
            break;
        s = grown;
        v = nearer;
        square = nearer_square;
        largest = fmax(largest, lb_vec3_dot(next.w, next.w));
    }
    finish(&s, v, result);
    *touching = s;
    // apart only where there is a plane with all of D beyond it
    return along > 0 ? GJK_APART : GJK_UNSURE;
}
