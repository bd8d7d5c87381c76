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

/* whether lengths laid out or folded on one line bound the target: nothing forbids it */
static bool within_reach(const lb_bone *bones, int n, point target)
{
    double sum = 0, longest = 0;
    for (int i = 1; i < n; i++) {
        double each = length((point){bones[i].x, bones[i].y});
        sum += each;
        longest = scalar_max(longest, each);
    }
    double far = distance(target, (point){bones[0].x, bones[0].y});
    return far < sum && far > 2 * longest - sum;
}

/* bends all bones, every other one the other way */
static void bend(lb_bone *bones, int n, double angle)
{
    for (int i = 0; i + 1 < n; i++)
        bones[i].angle = lb_wrap_angle(bones[i].angle + (i % 2 ? -angle : angle));
}

/* turns one bone; answers the arc that the end has moved along, both seen from the bone */
static double turn(lb_bone *bone, point *end, point target, double least_product)
{
    double to_end = length(*end), to_target = length(target);
    if (to_end * to_target <= least_product)
        return 0;
    double angle =
        lb_atan2(end->x * target.y - end->y * target.x, end->x * target.x + end->y * target.y);
    bone->angle = lb_wrap_angle(bone->angle + angle);
    double share = to_end / to_target;
    *end = (point){target.x * share, target.y * share};
    return fabs(angle) * to_end;
}

lb_progress lb_bones_step(lb_bone *bones, int n, double x, double y, double arrival,
                          const lb_bones_options *options)
{
    const lb_bones_options usual = lb_bones_options_default();
    double sine, cosine;
    if (!options)
        options = &usual;
    if (!all_finite(bones, n, x, y, arrival))
        return LB_FAILURE;

    // end and target seen from the last bone
    point end = {0, 0}, target = {x, y};
    for (int i = 0; i < n; i++) {
        lb_sincos(bones[i].angle, &sine, &cosine);
        target = inward(&bones[i], sine, cosine, target);
    }
    if (length(target) <= arrival)
        return LB_SUCCESS;

    // back to the first, each turning the end into the target's direction
    bool moved = false;
    for (int i = n - 1; i >= 0; i--) {
        lb_sincos(bones[i].angle, &sine, &cosine);
        if (i < n - 1 &&
            turn(&bones[i], &end, target, options->least_product) > options->trivial_arc)
            moved = true;
        if (distance(end, target) <= arrival)
            return LB_SUCCESS;
        end = outward(&bones[i], sine, cosine, end);
        target = outward(&bones[i], sine, cosine, target);
    }
    if (!moved && options->nudge != 0 && within_reach(bones, n, (point){x, y})) {
        bend(bones, n, options->nudge);
        moved = true;
    }
    return moved ? LB_PROCESSING : LB_FAILURE;
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
