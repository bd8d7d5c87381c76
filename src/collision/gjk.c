/*
 * gjk.c - the algorithm of Gilbert, Johnson and Keerthi (1988, "A fast procedure for computing the
 * distance between complex objects in three-dimensional space").
 *
 * Of D = A - B a simplex is kept and the point v of it that is nearest to the origin; each step
 * adds D's farthest point towards the origin. v is an upper bound of the distance, and the plane
 * through that point at right angles to v a lower one, so the result's error is known: |v| - v.w /
 * |v|.
 */
#include "collision/minkowski.h"

#include <float.h>

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
