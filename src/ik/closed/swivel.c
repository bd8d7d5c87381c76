/* swivel.c - arms of seven joints with a spherical shoulder and a spherical wrist. */
#include "ik/closed/swivel.h"

#include "math/scalar.h"

#define TURN (2 * LB_PI)
/* Lengths below this share of the arm give no direction: a hundred times the rounding of the sums
   that they come from. */
#define NO_LENGTH 1e-13
/* arcs shorter than this, in radians, are the rounding of a limit that is just touched */
#define NO_ARC 1e-12

static lb_vec3 part_along(lb_vec3 v, lb_vec3 axis)
{
    return lb_vec3_scale(axis, lb_vec3_dot(v, axis));
}

/* ---- the arm ---------------------------------------------------------------- */

bool swivel_recognise(const closed_chain *chain, swivel_arm *arm)
{
    const closed_arm *a = &chain->arm;
    *arm = (swivel_arm){.chain = chain, .size = closed_arm_size(a)};
    if (a->joints != SWIVEL_JOINTS || chain->real != SWIVEL_JOINTS ||
        chain->count != SWIVEL_JOINTS || a->is_length[3] ||
        !closed_wrist(a, 0, CLOSED_EXACT, &arm->upper, &arm->shoulder) ||
        !closed_wrist(a, 4, CLOSED_EXACT, &arm->lower, &arm->wrist))
        return false;
    // the elbow: the point of its axis that is nearest to the shoulder
    lb_vec3 from = lb_vec3_sub(arm->shoulder, a->point[3]);
    arm->elbow = lb_vec3_add(a->point[3], part_along(from, a->axis[3]));
    lb_vec3 to_wrist = lb_vec3_sub(arm->wrist, a->point[3]);
    lb_vec3 arm_length = lb_vec3_sub(to_wrist, part_along(to_wrist, a->axis[3]));
    arm->behind = lb_vec3_scale(a->axis[0], -1);
    arm->across = lb_vec3_perpendicular(a->axis[0]);
    // the elbow must move the wrist towards the shoulder and away from it
    return lb_vec3_length(arm_length) > 1e-2 * arm->size &&
           lb_vec3_length(lb_vec3_sub(arm->elbow, arm->shoulder)) > 1e-2 * arm->size;
}

/* ---- one target ------------------------------------------------------------- */

/* a frame of which z is given and x is the direction of `x` across it */
static lb_transform frame_of(lb_vec3 x, lb_vec3 z)
{
    lb_transform t = {.z = z, .p = {0, 0, 0}};
    t.x = lb_vec3_normalize(lb_vec3_sub(x, part_along(x, z)), lb_vec3_perpendicular(z));
    t.y = lb_vec3_cross(z, t.x);
    return t;
}

/* Rot(axis, sign * t) v in its parts, turned by `after` */
static void spin(lb_vec3 axis, double sign, lb_vec3 v, const lb_transform *after, lb_vec3 parts[3])
{
    lb_vec3 along = part_along(v, axis);
    parts[0] = lb_transform_direction(after, along);
    parts[1] = lb_transform_direction(after, lb_vec3_sub(v, along));
    parts[2] = lb_transform_direction(after, lb_vec3_scale(lb_vec3_cross(axis, v), sign));
}

/* the same of an axis d and of two directions across it, as `before` turns them */
static void spin_frame(lb_vec3 axis, double sign, lb_vec3 d, const lb_transform *before,
                       const lb_transform *after, kernel_swivel *out)
{
    const lb_vec3 u = lb_vec3_perpendicular(d), w = lb_vec3_cross(d, u);
    spin(axis, sign, lb_transform_direction(before, d), after, out->last);
    spin(axis, sign, lb_transform_direction(before, u), after, out->side);
    spin(axis, sign, lb_transform_direction(before, w), after, out->other);
}

/* The square of the distance from shoulder to wrist, of the elbow joint's value. */
typedef struct elbow_square {
    double mean, cosine, sine;
} elbow_square;

static elbow_square find_square(const swivel_arm *arm)
{
    const closed_arm *a = &arm->chain->arm;
    lb_vec3 k = a->axis[3], out = lb_vec3_sub(arm->wrist, a->point[3]);
    lb_vec3 back = lb_vec3_sub(a->point[3], arm->shoulder), along = part_along(out, k);
    lb_vec3 across = lb_vec3_sub(out, along);
    return (elbow_square){.mean = lb_vec3_dot(out, out) + lb_vec3_dot(back, back) +
                                  2 * lb_vec3_dot(back, along),
                          .cosine = 2 * lb_vec3_dot(back, across),
                          .sine = 2 * lb_vec3_dot(back, lb_vec3_cross(k, across))};
}

/* the values of the elbow joint that bring the wrist to a distance; returns how many */
static int elbow_roots(const swivel_arm *arm, double distance, double *roots)
{
    const elbow_square s = find_square(arm);
    double rest = distance * distance - s.mean;
    double most = sqrt(s.cosine * s.cosine + s.sine * s.sine), inner = most - fabs(rest);
    if (!(inner >= -NO_LENGTH * arm->size * arm->size))
        return 0;
    double root = sqrt(scalar_max(most - rest, 0) * scalar_max(most + rest, 0));
    double first = lb_atan2(s.sine, s.cosine), half = lb_atan2(root, rest);
    roots[0] = lb_wrap_angle(first + half);
    roots[1] = lb_wrap_angle(first - half);
    return root > 0 ? 2 : 1;
}

/* the rotations of upper arm and wrist at one root of the elbow joint */
static void place_root(const swivel_arm *arm, const lb_transform *target, lb_vec3 line,
                       const lb_transform *reference, double elbow, kernel_swivel *upper,
                       kernel_swivel *lower)
{
    const closed_arm *a = &arm->chain->arm;
    lb_quat bend = lb_quat_from_axis_angle(a->axis[3], elbow);
    lb_vec3 reach = lb_quat_rotate(bend, lb_vec3_sub(arm->wrist, a->point[3]));
    lb_vec3 v = lb_vec3_add(reach, lb_vec3_sub(a->point[3], arm->shoulder));
    lb_vec3 z = lb_vec3_normalize(v, line), out = lb_vec3_sub(arm->elbow, arm->shoulder);
    // a stretched arm's elbow is on the line: then its axis says where it bends to
    lb_vec3 off = lb_vec3_sub(out, part_along(out, z));
    if (lb_vec3_length(off) <= 1e-9 * arm->size)
        off = lb_vec3_cross(a->axis[3], z);
    lb_transform from = frame_of(off, z), back = lb_transform_inverse(&from);
    lb_transform turn = lb_transform_multiply(reference, &back);

    const lb_transform none = LB_TRANSFORM_IDENTITY;
    spin_frame(line, 1, a->axis[2], &turn, &none, upper);

    // what upper arm and elbow leave of the target's rotation to the wrist
    lb_transform flex = lb_transform_from_quat(bend, lb_vec3_make(0, 0, 0));
    lb_transform before = lb_transform_multiply(&turn, &flex), home = a->home, goal = *target;
    home.p = goal.p = lb_vec3_make(0, 0, 0);
    lb_transform undo = lb_transform_inverse(&before), unhome = lb_transform_inverse(&home);
    lb_transform whole = lb_transform_multiply(&goal, &unhome);
    spin_frame(line, -1, a->axis[6], &whole, &undo, lower);
}

static bool is_kept(const closed_joint *joint, double q)
{
    double turns = ceil((joint->lower - CLOSED_LIMIT_TOLERANCE - q) / TURN);
    return !isfinite(turns) || q + turns * TURN <= joint->upper + CLOSED_LIMIT_TOLERANCE;
}

/* ---- out of reach ------------------------------------------------------------ */

/* the distances between two squares of distances, which are known to the rounding of the arm's */
static swivel_span find_span(double least, double most, double size)
{
    const double blur = NO_LENGTH * size * size;
    return (swivel_span){.least = sqrt(scalar_max(least - blur, 0)), .most = sqrt(most + blur)};
}

swivel_reach swivel_find_reach(const swivel_arm *arm, double position, double rotation)
{
    const closed_joint *elbow = &arm->chain->joints[3];
    const elbow_square s = find_square(arm);
    const lb_transform home = lb_transform_inverse(&arm->chain->arm.home);
    const double swing = sqrt(s.cosine * s.cosine + s.sine * s.sine);
    const double stretched = lb_atan2(s.sine, s.cosine);
    swivel_reach reach = {.shoulder = arm->shoulder,
                          .wrist = lb_transform_point(&home, arm->wrist),
                          .rounding = NO_LENGTH};
    const double farthest = lb_vec3_length(arm->shoulder) + lb_vec3_length(arm->wrist);
    reach.slack = position + rotation * lb_vec3_length(reach.wrist) +
                  2 * CLOSED_EXACT * (arm->size + farthest);
    reach.whole = reach.inside = find_span(s.mean - swing, s.mean + swing, arm->size);

    // where the limits leave out an end of the swing, one of them is the end
    closed_joint range = *elbow;
    range.lower -= CLOSED_LIMIT_TOLERANCE;
    range.upper += CLOSED_LIMIT_TOLERANCE;
    if (!isfinite(range.lower) || !isfinite(range.upper))
        return reach;
    const double lower = s.mean + swing * lb_cos(range.lower - stretched);
    const double upper = s.mean + swing * lb_cos(range.upper - stretched);
    const swivel_span ends =
        find_span(scalar_min(lower, upper), scalar_max(lower, upper), arm->size);
    if (!is_kept(&range, stretched))
        reach.inside.most = ends.most;
    if (!is_kept(&range, stretched + LB_PI))
        reach.inside.least = ends.least;
    return reach;
}

lb_reason swivel_prove(const swivel_reach *reach, const lb_transform *target)
{
    const lb_vec3 wrist = lb_transform_point(target, reach->wrist);
    const double distance = lb_vec3_length(lb_vec3_sub(wrist, reach->shoulder));
    const double slack = reach->slack + reach->rounding * (distance + lb_vec3_length(target->p));
    if (distance > reach->whole.most + slack || distance < reach->whole.least - slack)
        return LB_REASON_REACH;
    if (distance > reach->inside.most + slack || distance < reach->inside.least - slack)
        return LB_REASON_LIMITS;
    return LB_REASON_NONE;
}

bool swivel_place(const swivel_arm *arm, const lb_transform *target, swivel_pose *pose)
{
    const closed_arm *a = &arm->chain->arm;
    lb_transform tip = lb_transform_inverse(&a->home);
    lb_vec3 wrist = lb_transform_point(&tip, arm->wrist);
    lb_vec3 displacement = lb_vec3_sub(lb_transform_point(target, wrist), arm->shoulder);
    double distance = lb_vec3_length(displacement), roots[2];
    pose->roots = 0;
    if (!(distance > NO_LENGTH * arm->size))
        return false;
    lb_vec3 line = lb_vec3_scale(displacement, 1 / distance);
    lb_vec3 seen = lb_vec3_cross(lb_vec3_sub(line, arm->behind), arm->across);
    lb_transform reference = frame_of(lb_vec3_cross(seen, line), line);
    int count = elbow_roots(arm, distance, roots);
    for (int i = 0; i < count; i++) {
        if (!is_kept(&arm->chain->joints[3], roots[i]))
            continue;
        int at = pose->roots++;
        pose->bit[at] = i;
        pose->elbow[at] = roots[i];
        place_root(arm, target, line, &reference, roots[i], &pose->upper[at], &pose->lower[at]);
    }
    return true;
}

/* axes are in line within this, in radians: beside it an angle moves a thousand times as fast as
   the elbow, so that the arcs of limits that are one value are far too short to be found */
#define IN_LINE 1e-3

/* direction b and the last of three axes are out of line at all angles */
static bool stay_apart(lb_vec3 b, const lb_vec3 last[3])
{
    double middle = lb_vec3_dot(b, last[0]), x = lb_vec3_dot(b, last[1]);
    double y = lb_vec3_dot(b, last[2]), swing = sqrt(x * x + y * y);
    return fabs(middle) + swing < 1 - 0.5 * IN_LINE * IN_LINE;
}

bool swivel_is_regular(const swivel_arm *arm, const swivel_pose *pose)
{
    const lb_vec3 *axes = arm->chain->arm.axis;
    bool regular = true;
    for (int i = 0; i < pose->roots; i++)
        regular = regular && stay_apart(axes[0], pose->upper[i].last) &&
                  stay_apart(axes[4], pose->lower[i].last);
    return regular;
}

/* ---- arcs ------------------------------------------------------------------- */

/* Angles between -pi and pi, from low to high. */
typedef struct swivel_arcs {
    double begin[SWIVEL_ARCS], end[SWIVEL_ARCS];
    int count;
} swivel_arcs;

/* The arcs of the joints before and after the elbow, on either root of theirs. */
typedef struct swivel_halves {
    swivel_arcs upper[2], lower[2];
} swivel_halves;

/* Where limits may be crossed; angles in [-pi, pi]. */
typedef struct breaks {
    double at[SWIVEL_BREAKS];
    int count;
} breaks;

/* direction . (parts[0] + parts[1] cos t + parts[2] sin t) = value */
static void add_roots(lb_vec3 direction, const lb_vec3 parts[3], double value, breaks *out)
{
    double cosine = lb_vec3_dot(direction, parts[1]), sine = lb_vec3_dot(direction, parts[2]);
    double rest = value - lb_vec3_dot(direction, parts[0]);
    double most = sqrt(cosine * cosine + sine * sine);
    if (!(fabs(rest) <= most) || most <= NO_LENGTH)
        return;
    double first = lb_atan2(sine, cosine),
           half = lb_atan2(sqrt((most - rest) * (most + rest)), rest);
    out->at[out->count++] = lb_wrap_angle(first + half);
    out->at[out->count++] = lb_wrap_angle(first - half);
}

/* where joint `i` of three axes that meet has a value */
static void add_crossings(const lb_vec3 *axes, int i, double value, const kernel_swivel *swivel,
                          breaks *out)
{
    lb_vec3 b = axes[0], c = axes[1], d = axes[2];
    if (i == 0) {
        add_roots(closed_turned(b, value, c), swivel->last, lb_vec3_dot(c, d), out);
    } else if (i == 1) {
        add_roots(b, swivel->last, lb_vec3_dot(b, closed_turned(c, value, d)), out);
    } else {
        // R of exp(-d value) c, by its components along d and across
        lb_vec3 turned = closed_turned(d, -value, c), u = lb_vec3_perpendicular(d), parts[3];
        lb_vec3 w = lb_vec3_cross(d, u);
        for (int k = 0; k < 3; k++) {
            parts[k] = lb_vec3_scale(swivel->last[k], lb_vec3_dot(turned, d));
            parts[k] =
                lb_vec3_add(parts[k], lb_vec3_scale(swivel->side[k], lb_vec3_dot(turned, u)));
            parts[k] =
                lb_vec3_add(parts[k], lb_vec3_scale(swivel->other[k], lb_vec3_dot(turned, w)));
        }
        add_roots(b, parts, lb_vec3_dot(b, c), out);
    }
}

/* where three axes that are not at right angles can just turn the last to where it must point */
static void add_reach(const lb_vec3 *axes, const kernel_swivel *swivel, breaks *out)
{
    double bc = lb_vec3_dot(axes[0], axes[1]), cd = lb_vec3_dot(axes[1], axes[2]);
    double across = lb_vec3_length(lb_vec3_cross(axes[0], axes[1])) *
                    lb_vec3_length(lb_vec3_cross(axes[1], axes[2]));
    add_roots(axes[0], swivel->last, bc * cd + across, out);
    add_roots(axes[0], swivel->last, bc * cd - across, out);
}

static void sort_breaks(breaks *b)
{
    for (int i = 1; i < b->count; i++) {
        double x = b->at[i];
        int k = i;
        for (; k > 0 && b->at[k - 1] > x; k--)
            b->at[k] = b->at[k - 1];
        b->at[k] = x;
    }
}

static breaks find_breaks(const lb_vec3 *axes, const closed_joint *joints,
                          const kernel_swivel *swivel)
{
    breaks b = {.count = 0};
    for (int i = 0; i < 3; i++) {
        if (joints[i].upper - joints[i].lower >= TURN)
            continue;
        add_crossings(axes, i, joints[i].lower, swivel, &b);
        add_crossings(axes, i, joints[i].upper, swivel, &b);
    }
    add_reach(axes, swivel, &b);
    sort_breaks(&b);
    return b;
}

/* the arcs of three joints on one of their roots, of what they are between breaks */
static void take_arcs(const closed_joint *joints, const kernel_swivelled *at, const double *ends,
                      int count, swivel_arcs *arcs)
{
    arcs->count = 0;
    for (int i = 0; i < count; i++) {
        bool kept = at->margin[i] >= 0 && ends[i + 1] - ends[i] > NO_ARC;
        for (int j = 0; j < 3; j++)
            kept = kept && is_kept(&joints[j], at->q[j][i]);
        if (!kept)
            continue;
        if (arcs->count > 0 && arcs->end[arcs->count - 1] >= ends[i] - 2 * NO_ARC) {
            arcs->end[arcs->count - 1] = ends[i + 1];
            continue;
        }
        arcs->begin[arcs->count] = ends[i];
        arcs->end[arcs->count++] = ends[i + 1];
    }
}

/* the arcs of three joints on either root: between breaks one angle decides for all */
static void find_three(const kernel_ops *ops, const kernel_wrist *wrist, const lb_vec3 *axes,
                       const closed_joint *joints, const kernel_swivel *swivel, swivel_arcs *arcs)
{
    const breaks b = find_breaks(axes, joints, swivel);
    double ends[SWIVEL_BREAKS + 2], middles[SWIVEL_BREAKS + 1];
    ends[0] = -LB_PI;
    for (int i = 0; i < b.count; i++)
        ends[i + 1] = b.at[i];
    ends[b.count + 1] = LB_PI;
    for (int i = 0; i <= b.count; i++)
        middles[i] = 0.5 * (ends[i] + ends[i + 1]);
    for (int flip = 0; flip < 2; flip++) {
        kernel_swivelled at;
        ops->swivel(wrist, swivel, middles, b.count + 1, flip ? -1 : 1, &at);
        take_arcs(joints, &at, ends, b.count + 1, &arcs[flip]);
    }
}

/* the arcs at which each half keeps the limits, at one root of the elbow joint */
static void find_halves(const swivel_arm *arm, const kernel_ops *ops, const swivel_pose *pose,
                        int root, swivel_halves *halves)
{
    const closed_joint *joints = arm->chain->joints;
    const lb_vec3 *axes = arm->chain->arm.axis;
    find_three(ops, &arm->upper, axes, joints, &pose->upper[root], halves->upper);
    find_three(ops, &arm->lower, axes + 4, joints + 4, &pose->lower[root], halves->lower);
}

/* those at which both do */
static void intersect(const swivel_arcs *upper, const swivel_arcs *lower, swivel_arcs *arcs)
{
    // the one that ends first is passed
    arcs->count = 0;
    for (int i = 0, k = 0; i < upper->count && k < lower->count;) {
        double begin = scalar_max(upper->begin[i], lower->begin[k]);
        double end = scalar_min(upper->end[i], lower->end[k]);
        if (end - begin > NO_ARC) {
            arcs->begin[arcs->count] = begin;
            arcs->end[arcs->count++] = end;
        }
        if (upper->end[i] < lower->end[k])
            i++;
        else
            k++;
    }
}

int swivel_find_arcs(const swivel_arm *arm, const kernel_ops *ops, const swivel_pose *pose,
                     lb_elbow_arc *arcs, int room)
{
    int count = 0;
    for (int root = 0; root < pose->roots; root++) {
        swivel_halves halves;
        find_halves(arm, ops, pose, root, &halves);
        for (int k = 0; k < 4; k++) {
            swivel_arcs found;
            const int branch = (k & 1) | pose->bit[root] << 1 | k >> 1 << 2;
            intersect(&halves.upper[k & 1], &halves.lower[k >> 1], &found);
            for (int i = 0; i < found.count && count < room; i++)
                arcs[count++] = (lb_elbow_arc){branch, found.begin[i], found.end[i]};
        }
    }
    return count;
}
