/*
 * two_bone.c - arms of two bones in closed form.
 *
 * Both are the triangle of base, elbow and target with the law of cosines (Fig. 5.15), put so
 * that nothing cancels: the planar one by half angles,
 *
 *     tan^2(t / 2) = ((a + b)^2 - d^2) / (d^2 - (a - b)^2),
 *
 * whose square roots of negative numbers, taken as zero, are the straight and the
 * folded arm; the one in space without any angle, from cosines to half-angle quaternions.
 */
#include "math/scalar.h"

#include <limber/two_bone.h>

/* ---- in the plane --------------------------------------------------------- */

static double root(double x)
{
    return sqrt(scalar_max(x, 0));
}

double lb_two_link_solve(double first, double second, double x, double y, int bend,
                         double angles[2])
{
    angles[0] = angles[1] = 0;
    if (!isfinite(x) || !isfinite(y) || !(first >= 0 && second >= 0 && isfinite(first + second)))
        return NAN;
    double d = sqrt(x * x + y * y), far = first + second, near = fabs(first - second);
    double ahead = lb_atan2(y, x);
    // without a triangle the arm is straight
    if (first > 0 && second > 0) {
        double sine, cosine;
        angles[1] = 2 * lb_atan2(root((far - d) * (far + d)), root((d - near) * (d + near)));
        angles[1] = bend < 0 ? -angles[1] : angles[1];
        // the end's direction follows from the rounded angle: near a straight or folded arm the
        // square roots magnify rounding, which then changes only the distance, and that hardly
        // depends on the angle there
        lb_sincos(angles[1], &sine, &cosine);
        ahead -= lb_atan2(second * sine, first + second * cosine);
    }
    angles[0] = ahead;
    return d > far ? d - far : d < near ? d - near : 0;
}

/* ---- in space ------------------------------------------------------------- */

/* directions this near to parallel span no plane */
#define PARALLEL 1e-12

/* cosine and sine of an angle */
typedef struct turn {
    double cosine, sine;
} turn;

static lb_vec3 turned_about(lb_vec3 axis, turn t, lb_vec3 a)
{
    lb_vec3 along = lb_vec3_scale(axis, lb_vec3_dot(axis, a) * (1 - t.cosine));
    lb_vec3 round = lb_vec3_scale(lb_vec3_cross(axis, a), t.sine);
    return lb_vec3_add(lb_vec3_add(lb_vec3_scale(a, t.cosine), round), along);
}

/* the quaternions below have any length; their products are normalized once */
static lb_quat unit(lb_quat q)
{
    double s = 1 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return (lb_quat){q.w * s, q.x * s, q.y * s, q.z * s};
}

/* a turn about a unit axis: the half angle's tangent is s / (1 + c), and (1 - c) / s */
static lb_quat turn_about(lb_vec3 axis, turn t)
{
    double w = t.cosine >= 0 ? 1 + t.cosine : t.sine;
    double v = t.cosine >= 0 ? t.sine : 1 - t.cosine;
    return (lb_quat){w, axis.x * v, axis.y * v, axis.z * v};
}

/* the shortest rotation from one unit vector to another */
static lb_quat swing(lb_vec3 a, lb_vec3 b)
{
    double w = 1 + lb_vec3_dot(a, b);
    lb_vec3 v = lb_vec3_cross(a, b);
    // opposite directions: half a turn about any perpendicular axis; w has lost its digits there
    if (w < PARALLEL) {
        v = lb_vec3_perpendicular(a);
        w = 0;
    }
    return (lb_quat){w, v.x, v.y, v.z};
}

/* a rotation given in a frame's outer axes, seen in its own */
static lb_quat seen_from(const lb_transform *t, lb_quat q)
{
    lb_vec3 v = {q.x, q.y, q.z};
    return (lb_quat){q.w, lb_vec3_dot(t->x, v), lb_vec3_dot(t->y, v), lb_vec3_dot(t->z, v)};
}

/* the part of a rotation that a weight leaves */
static lb_quat weighted(lb_quat q, double weight)
{
    double s = q.w < 0 ? -weight : weight;
    lb_quat mixed = {(1 - weight) + s * q.w, s * q.x, s * q.y, s * q.z};
    return weight == 1 ? q : lb_quat_normalize(mixed);
}

/* The middle joint, and the bones projected along its axis: a triangle with a variable side. */
typedef struct elbow {
    lb_vec3 axis;         /* unit */
    turn straight;        /* from the current angle to the largest distance */
    double first, second; /* lengths of the projected bones */
    double rise;          /* their sum along the axis */
} elbow;

static elbow make_elbow(const lb_two_bone *arm, lb_vec3 a, lb_vec3 b)
{
    double aa = lb_vec3_dot(a, a), bb = lb_vec3_dot(b, b);
    lb_vec3 normal = lb_vec3_cross(a, b), across = {0, 0, 1};
    elbow e;
    double given = lb_vec3_dot(arm->bend_axis, arm->bend_axis);
    if (given > 0) {
        e.axis = lb_transform_direction(&arm->middle, arm->bend_axis);
        if (given != 1)
            e.axis = lb_vec3_scale(e.axis, 1 / sqrt(given));
    } else {
        // straight bones have no plane: any perpendicular axis bends them
        bool flat = lb_vec3_dot(normal, normal) <= PARALLEL * PARALLEL * aa * bb;
        lb_vec3 along = lb_vec3_normalize(aa > 0 ? a : b, across);
        e.axis = flat ? lb_vec3_perpendicular(along) : lb_vec3_normalize(normal, across);
    }
    double a_rise = lb_vec3_dot(a, e.axis), b_rise = lb_vec3_dot(b, e.axis);
    double cosine = lb_vec3_dot(a, b) - a_rise * b_rise, sine = -lb_vec3_dot(e.axis, normal);
    e.first = root(aa - a_rise * a_rise);
    e.second = root(bb - b_rise * b_rise);
    e.rise = a_rise + b_rise;
    double square = cosine * cosine + sine * sine;
    bool bends = square > PARALLEL * PARALLEL * aa * bb;
    double s = bends ? 1 / sqrt(square) : 0;
    e.straight = bends ? (turn){cosine * s, sine * s} : (turn){1, 0};
    return e;
}

/*
 * The rotation that makes the distance d, or the nearest possible: the half angle t from straight
 * has cos^2 t and sin^2 t proportional to p and q.
 */
static turn bend_to(const elbow *e, double d)
{
    double side = root((d - e->rise) * (d + e->rise));
    double far = e->first + e->second, near = fabs(e->first - e->second);
    double p = scalar_max((side - near) * (side + near), 0);
    double q = scalar_max((far - side) * (far + side), 0);
    if (!(p + q > 0))
        return (turn){1, 0};
    double scale = 1 / (p + q);
    turn t = {(p - q) * scale, 2 * sqrt(p * q) * scale};
    const turn s = e->straight;
    return (turn){s.cosine * t.cosine - s.sine * t.sine, s.sine * t.cosine + s.cosine * t.sine};
}

/*
 * The distance to reach for a target at distance d: beyond soft * full the remaining distance is
 * covered as 1 - (1 + x / 4)^-4, which starts with slope 1, so without a jump in speed, and never
 * quite arrives. (1 + x / n)^-n is exp(-x) for large n.
 */
static double soften(double d, double full, double soft)
{
    double from = soft * full, room = full - from;
    if (d <= from || !(room > 0))
        return d;
    double x = 1 + 0.25 * (d - from) / room, x2 = x * x;
    return from + room * (1 - 1 / (x2 * x2));
}

/* the rotation about the unit vector `ahead` that brings `a` into the half plane of the pole */
static lb_quat turn_to_pole(lb_vec3 ahead, lb_vec3 a, lb_vec3 pole)
{
    // perpendicular to the line to the target
    lb_vec3 u = lb_vec3_sub(a, lb_vec3_scale(ahead, lb_vec3_dot(ahead, a)));
    lb_vec3 v = lb_vec3_sub(pole, lb_vec3_scale(ahead, lb_vec3_dot(ahead, pole)));
    double square = lb_vec3_dot(u, u) * lb_vec3_dot(v, v);
    double all = lb_vec3_dot(a, a) * lb_vec3_dot(pole, pole);
    if (!(square > PARALLEL * PARALLEL * all))
        return LB_QUAT_IDENTITY;
    double size = sqrt(square);
    turn t = {lb_vec3_dot(u, v), lb_vec3_dot(ahead, lb_vec3_cross(u, v))};
    // cosine and sine times size
    double w = t.cosine >= 0 ? size + t.cosine : t.sine;
    double x = t.cosine >= 0 ? t.sine : size - t.cosine;
    return (lb_quat){w, ahead.x * x, ahead.y * x, ahead.z * x};
}

/* what swing(a, b) makes of a vector */
static lb_vec3 swung(lb_vec3 a, lb_vec3 b, lb_vec3 v)
{
    double w = 1 + lb_vec3_dot(a, b);
    if (w < PARALLEL)
        return lb_quat_rotate(swing(a, b), v);
    lb_vec3 sum = lb_vec3_add(a, b);
    lb_vec3 back = lb_vec3_scale(sum, lb_vec3_dot(sum, v) / w);
    return lb_vec3_add(lb_vec3_sub(v, back), lb_vec3_scale(b, 2 * lb_vec3_dot(a, v)));
}

/* the rotation of the shoulder that points the end at the target; neither is zero */
static lb_quat aim(const lb_two_bone *arm, lb_vec3 upper, lb_vec3 end, lb_vec3 ahead)
{
    lb_quat r = swing(end, ahead);
    if (lb_vec3_dot(arm->pole, arm->pole) > 0)
        r = lb_quat_multiply(turn_to_pole(ahead, swung(end, ahead, upper), arm->pole), r);
    if (arm->twist != 0)
        r = lb_quat_multiply(lb_quat_from_axis_angle(ahead, arm->twist), r);
    return unit(r);
}

lb_two_bone lb_two_bone_default(void)
{
    const lb_transform one = LB_TRANSFORM_IDENTITY;
    return (lb_two_bone){.start = one, .middle = one, .end = one, .soft = 1, .weight = 1};
}

static double sum(lb_vec3 a)
{
    return a.x + a.y + a.z;
}

static double sum_transform(const lb_transform *t)
{
    return sum(t->x) + sum(t->y) + sum(t->z) + sum(t->p);
}

static bool is_sound(const lb_two_bone *arm)
{
    // one number that is not finite makes the sum not finite
    double all = sum_transform(&arm->start) + sum_transform(&arm->middle) + sum(arm->end.p) +
                 sum(arm->target) + sum(arm->bend_axis) + sum(arm->pole) + arm->twist;
    return isfinite(all) && arm->soft > 0 && arm->soft <= 1 && arm->weight >= 0 && arm->weight <= 1;
}

/* a direction whose square a double does not hold, though it has a direction */
static bool is_extreme(lb_vec3 direction)
{
    double square = lb_vec3_dot(direction, direction);
    bool zero = direction.x == 0 && direction.y == 0 && direction.z == 0;
    return !zero && !(square > 1e-200 && square < 1e200);
}

/* directions count, not their lengths: extreme ones are brought to length 1, zero stays zero */
static lb_two_bone with_unit_directions(const lb_two_bone *arm)
{
    const lb_vec3 none = {0, 0, 0};
    lb_two_bone moderate = *arm;
    moderate.pole = lb_vec3_normalize(arm->pole, none);
    moderate.bend_axis = lb_vec3_normalize(arm->bend_axis, none);
    return moderate;
}

bool lb_two_bone_solve(const lb_two_bone *arm, lb_quat *start, lb_quat *middle)
{
    *start = *middle = LB_QUAT_IDENTITY;
    if (!is_sound(arm))
        return false;
    lb_two_bone moderate;
    if (is_extreme(arm->pole) || is_extreme(arm->bend_axis)) {
        moderate = with_unit_directions(arm);
        arm = &moderate;
    }
    lb_vec3 a = lb_vec3_sub(arm->middle.p, arm->start.p);
    lb_vec3 b = lb_vec3_sub(arm->end.p, arm->middle.p);
    lb_vec3 to_target = lb_vec3_sub(arm->target, arm->start.p);
    double d = lb_vec3_length(to_target);

    // the elbow sets the distance
    elbow e = make_elbow(arm, a, b);
    double far = e.first + e.second, full = sqrt(e.rise * e.rise + far * far);
    turn bend = bend_to(&e, soften(d, full, arm->soft));
    *middle = seen_from(&arm->middle, unit(turn_about(e.axis, bend)));
    lb_vec3 end = lb_vec3_add(a, turned_about(e.axis, bend, b));

    // the shoulder sets the direction
    double reach = lb_vec3_length(end);
    if (d > 0 && reach > 0) {
        end = lb_vec3_scale(end, 1 / reach);
        *start = seen_from(&arm->start, aim(arm, a, end, lb_vec3_scale(to_target, 1 / d)));
    }
    *start = weighted(*start, arm->weight);
    *middle = weighted(*middle, arm->weight);
    // up to the rounding of squares and roots of lengths
    return arm->weight == 1 && fabs(reach - d) <= 1e-12 * (full + d);
}
