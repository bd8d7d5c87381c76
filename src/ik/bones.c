/*
 * bones.c - cyclic coordinate descent on bones in the plane.
 *
 * A bone at the origin of its own frame brings the end e nearest to the target t by
 * turning it into the direction of t, for distance is |e - t| and |e| cannot change. So a
 * sweep needs no more than the two points seen from bone after bone, from the last to the
 * first. One pass outwards finds them; from then on each step inwards undoes one bone, so
 * that no memory is needed.
 */
#include "math/scalar.h"

#include <limber/bones.h>

lb_bones_options lb_bones_options_default(void)
{
    return (lb_bones_options){.least_product = 1e-4, .trivial_arc = 1e-5, .nudge = 0.1};
}

/* relative: what a sum of lengths and the angles they are turned by lose, with room to spare */
#define ROUNDING 1e-15
/* of a chain's length: arcs below it are trivial, too. Chains of up to 20 units keep the default of
   1e-5; out of reach a sweep's arc falls with the square of the count, so that longer ones would go
   on for as much longer as they are */
#define TRIVIAL_SHARE 5e-7
/* halvings of a nudge that is too much; the last is a thousandth, at which a chain near its full
   length changes by less than a millionth of it */
enum { NUDGES = 11 };

typedef struct point {
    double x, y;
} point;

static double length(point a)
{
    return sqrt(a.x * a.x + a.y * a.y);
}

static double distance(point a, point b)
{
    return length((point){a.x - b.x, a.y - b.y});
}

/* a point of a bone's frame, seen from its parent's */
static point outward(const lb_bone *bone, double sine, double cosine, point a)
{
    return (point){bone->x + cosine * a.x - sine * a.y, bone->y + sine * a.x + cosine * a.y};
}

/* a point of the parent's frame, seen from the bone's */
static point inward(const lb_bone *bone, double sine, double cosine, point a)
{
    double x = a.x - bone->x, y = a.y - bone->y;
    return (point){cosine * x + sine * y, cosine * y - sine * x};
}

static bool all_finite(const lb_bone *bones, int n, double x, double y, double arrival)
{
    bool finite = isfinite(x) && isfinite(y) && isfinite(arrival);
    for (int i = 0; i < n; i++)
        finite = finite && isfinite(bones[i].x) && isfinite(bones[i].y) && isfinite(bones[i].angle);
    return finite;
}

/* lengths, products and angles below zero mean nothing; nor does NaN */
static bool has_options(const lb_bones_options *o, double arrival)
{
    return o->least_product >= 0 && o->trivial_arc >= 0 && o->nudge >= 0 && arrival >= 0;
}

/* ---- reach ---------------------------------------------------------------- */

/* What the lengths of a chain allow. */
typedef struct extent {
    double sum, longest;
} extent;

static extent measure(const lb_bone *bones, int n)
{
    extent e = {0, 0};
    for (int i = 1; i < n; i++) {
        double each = length((point){bones[i].x, bones[i].y});
        e.sum += each;
        e.longest = scalar_max(e.longest, each);
    }
    return e;
}

/* whether a distance from the first bone lies between all lengths folded and all stretched */
static bool within_reach(extent e, double far)
{
    return far < e.sum && far > 2 * e.longest - e.sum;
}

/* ---- sweeps --------------------------------------------------------------- */

/* without whole turns, in which a sum would lose the rest */
static double add_angles(double a, double b)
{
    return lb_wrap_angle(lb_wrap_angle(a) + lb_wrap_angle(b));
}

/* turns one bone; returns the arc that the end has moved along, both seen from the bone */
static double turn(lb_bone *bone, point *end, point target, double least_product)
{
    double to_end = length(*end), to_target = length(target);
    if (to_end * to_target <= least_product)
        return 0;
    double angle =
        lb_atan2(end->x * target.y - end->y * target.x, end->x * target.x + end->y * target.y);
    bone->angle = add_angles(angle, bone->angle);
    double share = to_end / to_target;
    *end = (point){target.x * share, target.y * share};
    return fabs(angle) * to_end;
}

/*
 * One sweep; `end` and `target` are seen from the last bone before it and in the plane after it.
 * Whether the end has arrived, or has moved by more than a trivial arc.
 */
static lb_progress sweep(lb_bone *bones, int n, double arrival, double least_product,
                         double trivial, point *end, point *target)
{
    bool moved = false;
    for (int i = n - 1; i >= 0; i--) {
        double sine, cosine;
        lb_sincos(bones[i].angle, &sine, &cosine);
        if (i < n - 1 && turn(&bones[i], end, *target, least_product) > trivial)
            moved = true;
        if (distance(*end, *target) <= arrival)
            return LB_SUCCESS;
        *end = outward(&bones[i], sine, cosine, *end);
        *target = outward(&bones[i], sine, cosine, *target);
    }
    return moved ? LB_PROCESSING : LB_FAILURE;
}

/* ---- nudges --------------------------------------------------------------- */

/* The displacement from one bone's origin to the next one's, in the axes of the plane. */
typedef struct segment {
    int bone; /* -1: there is none */
    point along;
    double part; /* of it along the line to the target */
} segment;

/* The segments that lead farthest towards the target, and the one that leads farthest back. */
typedef struct segments {
    segment first, second, back;
} segments;

static segments find_segments(const lb_bone *bones, int n, point towards)
{
    segments s = {{-1, {0, 0}, 0}, {-1, {0, 0}, 0}, {-1, {0, 0}, 0}};
    double angle = 0, sine, cosine;
    for (int i = 0; i + 1 < n; i++) {
        angle = add_angles(angle, bones[i].angle);
        lb_sincos(angle, &sine, &cosine);
        const lb_bone rotation = {0, 0, 0}, *next = &bones[i + 1];
        point along = outward(&rotation, sine, cosine, (point){next->x, next->y});
        segment here = {i, along, along.x * towards.x + along.y * towards.y};
        if (here.part > s.first.part) {
            s.second = s.first;
            s.first = here;
        } else if (here.part > s.second.part) {
            s.second = here;
        } else if (here.part < s.back.part) {
            s.back = here;
        }
    }
    return s;
}

/* A change of a stuck chain: two segments turned in the plane, all others keeping their direction.
 */
typedef struct bend {
    segment a, b; /* b.bone -1: only one is turned */
    double share; /* of b's angle against a's */
} bend;

/*
 * On one line with the target, a chain that ends short of it gets longer when a segment that leads
 * back turns; one that ends beyond it gets shorter when two that lead forward turn against each
 * other, their ends staying together across the line. Short of it with none that leads
 * back, the chain is nearly straight, and the same two make it straighter.
 */
static bend find_bend(const segments *s, bool beyond)
{
    if (!beyond && s->back.bone >= 0)
        return (bend){.a = s->back, .b.bone = -1};
    if (s->second.bone < 0)
        return (bend){.a.bone = -1};
    return (bend){.a = s->second, .b = s->first, .share = -s->second.part / s->first.part};
}

/* where a segment's turn takes what lies behind it */
static point carried(const segment *s, double angle, point end)
{
    double sine, cosine;
    if (s->bone < 0)
        return end;
    lb_sincos(angle, &sine, &cosine);
    const point a = s->along;
    return (point){end.x + (cosine - 1) * a.x - sine * a.y,
                   end.y + sine * a.x + (cosine - 1) * a.y};
}

static void turn_segment(lb_bone *bones, int n, const segment *s, double angle)
{
    if (s->bone < 0)
        return;
    lb_bone *bone = &bones[s->bone];
    bone->angle = add_angles(angle, bone->angle);
    if (s->bone + 2 < n)
        bone[1].angle = add_angles(-angle, bone[1].angle);
}

/*
 * Bends a stuck chain and turns the first bone so that the end points at the target, both seen from
 * the first bone's origin. Half as much and so on if that is too much. False, and no bone
 * touched, when nothing brings the end nearer than `enough`.
 */
static bool nudge(lb_bone *bones, int n, double most, double enough, point end, point target)
{
    // a target on the first bone's origin has no direction: shorten along the chain's own
    double far = length(target), scale = far > 0 ? far : length(end);
    point line = far > 0 ? target : end, towards = {line.x / scale, line.y / scale};
    segments s = find_segments(bones, n, towards);
    bend b = find_bend(&s, length(end) > far);
    for (int k = 0; k < 2 * NUDGES && b.a.bone >= 0; k++) {
        double angle = ldexp(k % 2 ? -most : most, -(k / 2));
        point to = carried(&b.b, b.share * angle, carried(&b.a, angle, end));
        if (!(fabs(length(to) - far) < enough))
            continue;
        turn_segment(bones, n, &b.a, angle);
        turn_segment(bones, n, &b.b, b.share * angle);
        turn(&bones[0], &to, target, 0);
        return true;
    }
    return false;
}

/* ---- steps ---------------------------------------------------------------- */

lb_progress lb_bones_step(lb_bone *bones, int n, double x, double y, double arrival,
                          const lb_bones_options *options)
{
    const lb_bones_options usual = lb_bones_options_default();
    if (!options)
        options = &usual;
    if (!all_finite(bones, n, x, y, arrival) || !has_options(options, arrival))
        return LB_FAILURE;

    // a chain whose squares overflow is as bad as one that is not finite
    extent reach = measure(bones, n);
    point first = {bones[0].x, bones[0].y}, end = {0, 0}, target = {x, y};
    double size = reach.sum + length(first) + length(target);
    if (!isfinite(size * size))
        return LB_FAILURE;

    // end and target seen from the last bone
    for (int i = 0; i < n; i++) {
        double sine, cosine;
        lb_sincos(bones[i].angle, &sine, &cosine);
        target = inward(&bones[i], sine, cosine, target);
    }
    double before = length(target), least = ROUNDING * n * size;
    if (before <= arrival)
        return LB_SUCCESS;

    // nearer by more than rounding, so that no chain goes on for ever
    double trivial = scalar_max(options->trivial_arc, TRIVIAL_SHARE * reach.sum);
    lb_progress progress = sweep(bones, n, arrival, options->least_product, trivial, &end, &target);
    double after = distance(end, target), far = distance(target, first);
    if (progress == LB_SUCCESS || (progress == LB_PROCESSING && after < before - least))
        return progress;
    end = (point){end.x - first.x, end.y - first.y};
    target = (point){x - first.x, y - first.y};
    bool nudged = options->nudge != 0 && within_reach(reach, far) &&
                  nudge(bones, n, options->nudge, after - least, end, target);
    return nudged ? LB_PROCESSING : LB_FAILURE;
}

void lb_bones_end(const lb_bone *bones, int n, double *x, double *y)
{
    point end = {0, 0};
    for (int i = n - 1; i >= 0; i--) {
        double sine, cosine;
        lb_sincos(bones[i].angle, &sine, &cosine);
        end = outward(&bones[i], sine, cosine, end);
    }
    *x = end.x;
    *y = end.y;
}
