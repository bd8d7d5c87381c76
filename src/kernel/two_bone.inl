/*
 * two_bone.inl - arms of two bones in space in closed form, one arm per lane.
 *
 * The triangle of base, elbow and target with the law of cosines (Parent 2012, Fig. 5.15), without
 * any angle: from cosines to half-angle quaternions, by differences of lengths in which nothing
 * cancels. What few arms have is skipped where no lane has it.
 */
#ifndef KERNEL_TWO_BONE_INL
#define KERNEL_TWO_BONE_INL

#include "kernel/ops.h"
#include "kernel/range.inl"
#include "kernel/small.inl"
#include "simd/trig.inl"
#include "simd/vec.inl"

/* directions this near to parallel span no plane */
#define BONES_PARALLEL 1e-12

/* a direction whose square is outside of these is brought to length 1: that square is multiplied by
   those of lengths, and the product squared */
#define BONES_LEAST_SQUARE 1e-200
#define BONES_MOST_SQUARE 1e100

/* of all places together: 1e70 m from the origin each, whose lengths are multiplied four times */
#define BONES_MOST_PLACES 4e140

/* a product of two squares below this has lost its digits: bones of 1e-145 m have no direction */
#define BONES_LEAST_PRODUCT 1e-290

/* cosine and sine of an angle */
typedef struct bone_turn {
    lane cosine, sine;
} bone_turn;

/* lb_two_bone */
typedef struct bones {
    frame start, middle;
    v3 end, target, bend_axis, pole;
    lane twist, soft, weight;
} bones;

/* whether two vectors are not parallel: `square` is that of the part of one that is not along the
   other, times that of the other, and `all` the product of both squares */
LANE_INLINE lane_mask exceeds(lane square, lane all)
{
    return lane_gt(square,
                   lane_max(BONES_PARALLEL * BONES_PARALLEL * all, lane_set(BONES_LEAST_PRODUCT)));
}

LANE_INLINE lane root_or_zero(lane x)
{
    return lane_sqrt(lane_max(x, lane_set(0)));
}

LANE_INLINE quat quat_identity(void)
{
    return (quat){lane_set(1), lane_set(0), lane_set(0), lane_set(0)};
}

/* ---- what may be given ------------------------------------------------------ */

LANE_INLINE lane sum_of(v3 a)
{
    return a.x + a.y + a.z;
}

LANE_INLINE lane sum_of_axes(const frame *f)
{
    return sum_of(f->x) + sum_of(f->y) + sum_of(f->z);
}

LANE_INLINE lane squares_of_places(const bones *arm)
{
    return v3_dot(arm->start.p, arm->start.p) + v3_dot(arm->middle.p, arm->middle.p) +
           v3_dot(arm->end, arm->end) + v3_dot(arm->target, arm->target);
}

LANE_INLINE lane_mask is_between(lane x, double least, double most)
{
    return mask_and(lane_ge(x, lane_set(least)), lane_le(x, lane_set(most)));
}

LANE_INLINE lane_mask bones_sound(const bones *arm)
{
    // one number that is not finite makes the sum not finite
    lane all = sum_of_axes(&arm->start) + sum_of_axes(&arm->middle) + sum_of(arm->bend_axis) +
               sum_of(arm->pole) + arm->twist;
    lane_mask near = lane_le(squares_of_places(arm), lane_set(BONES_MOST_PLACES));
    lane_mask shares = mask_and(lane_gt(arm->soft, lane_set(0)), is_between(arm->weight, 0, 1));
    return mask_and(mask_and(is_finite(all), near),
                    mask_and(shares, lane_le(arm->soft, lane_set(1))));
}

/* a direction whose square a double does not hold, though it has a direction */
LANE_INLINE lane_mask is_extreme(v3 direction)
{
    lane square = v3_dot(direction, direction);
    lane size =
        lane_max(lane_abs(direction.x), lane_max(lane_abs(direction.y), lane_abs(direction.z)));
    return mask_andnot(lane_gt(size, lane_set(0)),
                       is_between(square, BONES_LEAST_SQUARE, BONES_MOST_SQUARE));
}

/* lb_vec3_normalize of finite vectors; zero becomes the fallback */
LANE_INLINE v3 v3_normalize(v3 a, v3 fallback)
{
    lane largest = lane_max(lane_abs(a.x), lane_max(lane_abs(a.y), lane_abs(a.z)));
    v3 scaled = {a.x / largest, a.y / largest, a.z / largest};
    lane length = v3_length(scaled);
    v3 unit = {scaled.x / length, scaled.y / length, scaled.z / length};
    return v3_select(lane_gt(largest, lane_set(0)), unit, fallback);
}

/* directions count, not their lengths: extreme ones are brought to length 1, zero stays zero */
LANE_RARE void shorten_directions(bones *arm, lane_mask extreme)
{
    v3 none = v3_set((lb_vec3){0, 0, 0});
    arm->pole = v3_select(extreme, v3_normalize(arm->pole, none), arm->pole);
    arm->bend_axis = v3_select(extreme, v3_normalize(arm->bend_axis, none), arm->bend_axis);
}

/* ---- rotations -------------------------------------------------------------- */

LANE_INLINE v3 turned_about(v3 axis, bone_turn t, v3 a)
{
    v3 along = v3_scale(axis, v3_dot(axis, a) * (1 - t.cosine));
    v3 round = v3_scale(v3_cross(axis, a), t.sine);
    return v3_add(v3_add(v3_scale(a, t.cosine), round), along);
}

/*
 * A turn about a unit axis, of any length: the half angle's tangent is s / (c + 1), and (1 - c) /
 * s; cosine and sine are times `size`.
 */
LANE_INLINE quat rotation_about(v3 axis, bone_turn t, lane size)
{
    lane_mask small = lane_ge(t.cosine, lane_set(0));
    lane w = lane_select(small, size + t.cosine, t.sine);
    v3 v = v3_scale(axis, lane_select(small, t.sine, size - t.cosine));
    return (quat){w, v.x, v.y, v.z};
}

/* the shortest rotation from one unit vector to another, of any length */
LANE_INLINE quat swing(v3 a, v3 b)
{
    lane w = 1 + v3_dot(a, b);
    v3 v = v3_cross(a, b);
    // opposite directions: half a turn about any perpendicular axis; w has lost its digits there
    lane_mask opposite = lane_lt(w, lane_set(BONES_PARALLEL));
    if (mask_any(opposite)) {
        v = v3_select(opposite, v3_perpendicular(a), v);
        w = lane_select(opposite, lane_set(0), w);
    }
    return (quat){w, v.x, v.y, v.z};
}

/* what swing(a, b), which is `q`, makes of a vector */
LANE_INLINE v3 swung(v3 a, v3 b, quat q, v3 v)
{
    lane w = 1 + v3_dot(a, b);
    v3 back = v3_scale(v3_add(a, b), v3_dot(v3_add(a, b), v) / w);
    v3 to = v3_add(v3_sub(v, back), v3_scale(b, 2 * v3_dot(a, v)));
    lane_mask opposite = lane_lt(w, lane_set(BONES_PARALLEL));
    return mask_any(opposite) ? v3_select(opposite, quat_rotate(q, v), to) : to;
}

/* a rotation given in a frame's outer axes, seen in its own */
LANE_INLINE quat seen_from(const frame *f, quat q)
{
    v3 v = {q.x, q.y, q.z};
    return (quat){q.w, v3_dot(f->x, v), v3_dot(f->y, v), v3_dot(f->z, v)};
}

/* the part of a rotation that a weight leaves, of those whose weight is not 1 */
LANE_INLINE quat weighted(quat q, lane weight, lane_mask whole)
{
    lane s = lane_select(lane_lt(q.w, lane_set(0)), -weight, weight);
    // its square is at least 1/2
    quat mixed = {(1 - weight) + s * q.w, s * q.x, s * q.y, s * q.z};
    return quat_select(whole, q, quat_normalize(mixed));
}

/* ---- the elbow -------------------------------------------------------------- */

/* The middle joint, and the bones projected along its axis: a triangle with a variable side. */
typedef struct elbow {
    v3 axis;            /* unit */
    bone_turn straight; /* from the current angle to the largest distance */
    lane first, second; /* lengths of the projected bones */
    lane rise;          /* their sum along the axis */
    lane far, full;     /* the largest side, and the distance with the rise */
} elbow;

/* the normal of the plane of two bones */
LANE_INLINE v3 plane_axis(v3 a, v3 b, v3 cross)
{
    lane aa = v3_dot(a, a), bb = v3_dot(b, b);
    v3 across = v3_set((lb_vec3){0, 0, 1});
    lane_mask flat = lane_le(v3_dot(cross, cross), BONES_PARALLEL * BONES_PARALLEL * aa * bb);
    v3 axis = v3_normalize(cross, across);
    if (mask_none(flat))
        return axis;
    // straight bones have no plane: any perpendicular axis bends them
    v3 along = v3_normalize(v3_select(lane_gt(aa, lane_set(0)), a, b), across);
    return v3_select(flat, v3_perpendicular(along), axis);
}

LANE_INLINE v3 elbow_axis(const bones *arm, v3 a, v3 b, v3 cross)
{
    lane given = v3_dot(arm->bend_axis, arm->bend_axis);
    v3 axis = frame_direction(&arm->middle, arm->bend_axis);
    if (!mask_all(lane_eq(given, lane_set(1))))
        axis = v3_scale(axis, 1 / lane_sqrt(given));
    lane_mask none = mask_not(lane_gt(given, lane_set(0)));
    return mask_any(none) ? v3_select(none, plane_axis(a, b, cross), axis) : axis;
}

LANE_INLINE elbow make_elbow(const bones *arm, v3 a, v3 b)
{
    v3 cross = v3_cross(a, b);
    lane aa = v3_dot(a, a), bb = v3_dot(b, b);
    elbow e = {.axis = elbow_axis(arm, a, b, cross)};
    lane a_rise = v3_dot(a, e.axis), b_rise = v3_dot(b, e.axis);
    lane cosine = v3_dot(a, b) - a_rise * b_rise, sine = -v3_dot(e.axis, cross);
    e.first = root_or_zero(aa - a_rise * a_rise);
    e.second = root_or_zero(bb - b_rise * b_rise);
    e.rise = a_rise + b_rise;
    e.far = e.first + e.second;
    e.full = lane_sqrt(e.rise * e.rise + e.far * e.far);
    lane square = cosine * cosine + sine * sine;
    lane_mask bends = exceeds(square, aa * bb);
    lane s = 1 / lane_sqrt(square);
    e.straight.cosine = lane_select(bends, cosine * s, lane_set(1));
    e.straight.sine = lane_keep(bends, sine * s);
    return e;
}

/*
 * The rotation that makes the distance d, or the nearest possible: the half angle t from straight
 * has cos^2 t and sin^2 t proportional to p and q.
 */
LANE_INLINE bone_turn bend_to(const elbow *e, lane d)
{
    lane side = root_or_zero((d - e->rise) * (d + e->rise));
    lane far = e->far, near = lane_abs(e->first - e->second);
    lane p = lane_max((side - near) * (side + near), lane_set(0));
    lane q = lane_max((far - side) * (far + side), lane_set(0));
    lane_mask bends = lane_gt(p + q, lane_set(BONES_LEAST_PRODUCT));
    lane scale = 1 / (p + q);
    bone_turn t = {(p - q) * scale, 2 * lane_sqrt(p * q) * scale};
    const bone_turn s = e->straight;
    return (bone_turn){lane_select(bends, s.cosine * t.cosine - s.sine * t.sine, lane_set(1)),
                       lane_keep(bends, s.sine * t.cosine + s.cosine * t.sine)};
}

/*
 * The distance to reach for a target at distance d: beyond soft * full the remaining distance is
 * covered as 1 - (1 + x / 4)^-4, which starts with slope 1, so without a jump in speed, and never
 * quite arrives. (1 + x / n)^-n is exp(-x) for large n.
 */
LANE_INLINE lane soften(lane d, lane full, lane soft)
{
    lane from = soft * full, room = full - from;
    lane_mask beyond = mask_and(lane_gt(d, from), lane_gt(room, lane_set(0)));
    if (mask_none(beyond))
        return d;
    lane x = 1 + 0.25 * (d - from) / room, x2 = x * x;
    return lane_select(beyond, from + room * (1 - 1 / (x2 * x2)), d);
}

/* ---- the shoulder ----------------------------------------------------------- */

/* the rotation about the unit vector `ahead` that brings `a` into the half plane of the pole */
LANE_INLINE quat turn_to_pole(v3 ahead, v3 a, v3 pole)
{
    // perpendicular to the line to the target
    v3 u = v3_sub(a, v3_scale(ahead, v3_dot(ahead, a)));
    v3 v = v3_sub(pole, v3_scale(ahead, v3_dot(ahead, pole)));
    lane square = v3_dot(u, u) * v3_dot(v, v), all = v3_dot(a, a) * v3_dot(pole, pole);
    lane_mask determined = exceeds(square, all);
    // cosine and sine times the lengths of both
    bone_turn t = {v3_dot(u, v), v3_dot(ahead, v3_cross(u, v))};
    return quat_select(determined, rotation_about(ahead, t, lane_sqrt(square)), quat_identity());
}

/* the rotation of the shoulder that points the end at the target */
LANE_INLINE quat aim(const bones *arm, v3 upper, v3 end, v3 ahead)
{
    quat r = swing(end, ahead);
    lane_mask poled = lane_gt(v3_dot(arm->pole, arm->pole), lane_set(0));
    if (mask_any(poled)) {
        quat to_pole = turn_to_pole(ahead, swung(end, ahead, r, upper), arm->pole);
        r = quat_select(poled, quat_multiply(to_pole, r), r);
    }
    lane_mask untwisted = lane_eq(arm->twist, lane_set(0));
    if (!mask_all(untwisted)) {
        lane sine, cosine;
        lane_sincos(0.5 * arm->twist, &sine, &cosine);
        v3 axis = v3_scale(ahead, sine);
        quat twisted = quat_multiply((quat){cosine, axis.x, axis.y, axis.z}, r);
        r = quat_select(untwisted, r, twisted);
    }
    return quat_normalize(r);
}

/* ---- groups ----------------------------------------------------------------- */

/* the corrections of a lane's arm each; the lanes that reach their targets */
LANE_INLINE lane_mask solve_bones(const bones *arm, quat *start, quat *middle)
{
    v3 a = v3_sub(arm->middle.p, arm->start.p), b = v3_sub(arm->end, arm->middle.p);
    v3 to_target = v3_sub(arm->target, arm->start.p);
    lane d = v3_length(to_target);

    // the elbow sets the distance
    elbow e = make_elbow(arm, a, b);
    bone_turn bend = bend_to(&e, soften(d, e.full, arm->soft));
    *middle = seen_from(&arm->middle, quat_normalize(rotation_about(e.axis, bend, lane_set(1))));
    v3 end = v3_add(a, turned_about(e.axis, bend, b));

    // the shoulder sets the direction, where there is one
    lane reach = v3_length(end);
    lane_mask directed = mask_and(lane_gt(d, lane_set(0)), lane_gt(reach, lane_set(0)));
    quat r = aim(arm, a, v3_scale(end, 1 / reach), v3_scale(to_target, 1 / d));
    *start = quat_select(directed, seen_from(&arm->start, r), quat_identity());

    lane_mask whole = lane_eq(arm->weight, lane_set(1));
    if (!mask_all(whole)) {
        *start = weighted(*start, arm->weight, whole);
        *middle = weighted(*middle, arm->weight, whole);
    }
    // up to the rounding of squares and roots of lengths
    return mask_and(whole, lane_le(lane_abs(reach - d), 1e-12 * (e.full + d)));
}

/* arms from their rows; the axes of the end do not matter */
LANE_INLINE bones bones_load(const double *const *rows)
{
    lane_four last = lane_load_rows(rows, KERNEL_BONES_TARGET - 4);
    lane_four a = lane_load_rows(rows, KERNEL_BONES_TARGET);
    lane_four b = lane_load_rows(rows, KERNEL_BONES_TARGET + 4);
    lane_four c = lane_load_rows(rows, KERNEL_BONES_TARGET + 8);
    return (bones){
        .start = frame_load(rows, KERNEL_BONES_START),
        .middle = frame_load(rows, KERNEL_BONES_MIDDLE),
        .end = {last.b, last.c, last.d},
        .target = {a.a, a.b, a.c},
        .bend_axis = {a.d, b.a, b.b},
        .pole = {b.c, b.d, c.a},
        .twist = c.b,
        .soft = c.c,
        .weight = c.d,
    };
}

LANE_INLINE unsigned bones_group(const double *const *rows, lane_four *start, lane_four *middle)
{
    bones arm = bones_load(rows);
    lane_mask sound = bones_sound(&arm);
    lane_mask extreme = mask_or(is_extreme(arm.pole), is_extreme(arm.bend_axis));
    if (mask_any(extreme))
        shorten_directions(&arm, extreme);
    quat s, m;
    lane_mask reached = mask_and(sound, solve_bones(&arm, &s, &m));
    if (!mask_all(sound)) {
        s = quat_select(sound, s, quat_identity());
        m = quat_select(sound, m, quat_identity());
    }
    *start = (lane_four){s.w, s.x, s.y, s.z};
    *middle = (lane_four){m.w, m.x, m.y, m.z};
    return mask_bits(reached);
}

#if !KERNEL_SHARES
/* returns how many arms reach their targets */
static size_t two_bones(const kernel_two_bones *all)
{
    size_t reached = 0;
    for (size_t i = 0; i < all->count; i += LANE_WIDTH) {
        int count = all->count - i < LANE_WIDTH ? (int)(all->count - i) : LANE_WIDTH;
        const double *rows[LANE_WIDTH];
        double *starts[LANE_WIDTH], *middles[LANE_WIDTH];
        // lanes beyond the last repeat the first
        for (int l = 0; l < LANE_WIDTH; l++) {
            size_t row = i + (size_t)(l < count ? l : 0);
            rows[l] = all->arms + row * KERNEL_BONES_NUMBERS;
            starts[l] = all->start + 4 * row;
            middles[l] = all->middle + 4 * row;
        }
        lane_four start, middle;
        unsigned arrived = bones_group(rows, &start, &middle);
        lane_store_each(starts, count, &start, 1);
        lane_store_each(middles, count, &middle, 1);
        for (int l = 0; l < count; l++) {
            bool here = arrived >> l & 1;
            reached += here;
            if (all->reached)
                all->reached[i + (size_t)l] = here;
        }
    }
    return reached;
}
#endif

#endif
