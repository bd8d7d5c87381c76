/*
 * closed_roots.inl - the three steps of the closed form: a joint alone, two joints, three joints.
 *
 * Angles near a double root are uncertain by the root of the rounding error. That never shows in
 * the pose: what comes later is computed from the sines and cosines of the angles before it, and
 * where one root carries the pose (a wrist nearly in line) it is computed from the small components
 * across the axis instead of from a cosine.
 *
 * A joint that a singular pose leaves open, or nearly so, can be held at a value instead of being
 * solved for; the joints that share its equation come as near to it as they can, and the miss is
 * returned. With d the angle from a value that solves the equation exactly, and `off` the distance
 * from where every value does, that is off |sin d| or less.
 */
#ifndef KERNEL_CLOSED_ROOTS_INL
#define KERNEL_CLOSED_ROOTS_INL

#include "kernel/closed.h"
#include "kernel/closed_turns.inl"
#include "kernel/ops.h"
#include "kernel/small.inl"
#include "simd/lane_rows.h"
#include "simd/trig.inl"
#include "simd/vec.inl"

/* an angle with its sine and cosine */
typedef struct closed_angle {
    lane angle, sine, cosine;
} closed_angle;

/* the angle of (x, y), of any length but zero, which gives the angle zero */
LANE_INLINE closed_angle angle_from(lane y, lane x)
{
    lane square = x * x + y * y;
    lane_mask none = lane_eq(square, lane_set(0));
    lane scale = 1.0 / lane_sqrt(lane_select(none, lane_set(1), square));
    return (closed_angle){lane_atan2(y, x), y * scale, lane_select(none, lane_set(1), x * scale)};
}

/* where `open` the angle is that of `hint` instead */
LANE_INLINE closed_angle angle_or(lane_mask open, closed_angle t, lane hint)
{
    if (mask_none(open))
        return t;
    lane sine, cosine;
    lane_sincos(hint, &sine, &cosine);
    return (closed_angle){lane_select(open, hint, t.angle), lane_select(open, sine, t.sine),
                          lane_select(open, cosine, t.cosine)};
}

/* v turned about the unit vector k by minus the angle */
LANE_INLINE v3 rotate_back(lb_vec3 axis, closed_angle t, v3 v)
{
    v3 k = v3_set(axis);
    v3 across = v3_scale(v3_cross(v, k), t.sine);
    v3 along = v3_scale(k, v3_dot(k, v) * (1.0 - t.cosine));
    return v3_add(v3_add(v3_scale(v, t.cosine), across), along);
}

/* whole turns are taken off */
LANE_INLINE lane wrap_turns(lane angle)
{
    return angle - lane_round(angle * (0.5 / LB_PI)) * (2 * LB_PI);
}

/* ---- the single joint ---------------------------------------------------- */

/* One joint's part of a branch. */
typedef struct closed_root {
    lane value;         /* of the joint */
    closed_angle angle; /* where it turns */
    v3 x;               /* where it brings the point to */
    lane margin;        /* of the discriminant */
    lane_mask open;
} closed_root;

/* The left-hand side of A cos q + B sin q = C. */
typedef struct closed_linear {
    lane a, b, length, most, scale; /* most: the length, but for A and B that are zero */
} closed_linear;

LANE_INLINE closed_linear linear_of(lane a, lane b)
{
    lane square = a * a + b * b;
    lane_mask none = lane_eq(square, lane_set(0));
    lane safe = lane_select(none, lane_set(1), square), length = lane_sqrt(safe);
    return (closed_linear){a, b, length, lane_select(none, lane_set(0), length), 1.0 / safe};
}

/* the half of the two roots that `sign` selects */
LANE_INLINE closed_angle linear_angle(const closed_linear *l, lane c, double share, lane sign,
                                      lane *margin)
{
    lane inner = lane_max(lane_min(c, l->length), -l->length);
    lane root = lane_sqrt((l->length - inner) * (l->length + inner)) * sign;
    *margin = (l->most - lane_abs(c)) * share;
    closed_angle t = {.sine = (l->b * inner + root * l->a) * l->scale,
                      .cosine = (l->a * inner - root * l->b) * l->scale};
    t.angle = lane_atan2(t.sine, t.cosine);
    return t;
}

/* the right-hand side: what the pair keeps the same of the anchor */
LANE_INLINE lane single_kept(const kernel_closed *arm, v3 d, v3 anchor)
{
    const kernel_single *j = &arm->single;
    if (arm->pair == KERNEL_PAIR_PLANAR)
        return v3_dot(v3_sub(anchor, v3_set(j->point)), v3_set(j->normal));
    v3 arm_length = v3_sub(anchor, v3_set(arm->meet.point));
    lane squares = v3_dot(d, d) + lb_vec3_dot(j->normal, j->normal);
    return (squares - v3_dot(arm_length, arm_length)) * 0.5;
}

LANE_INLINE closed_root single_turns(const kernel_closed *arm, v3 m, v3 anchor, lane sign,
                                     lane hint)
{
    const kernel_single *j = &arm->single;
    closed_root r;
    v3 d = v3_sub(m, v3_set(j->point));
    lane a = v3_dot(d, v3_set(j->cosine)), b = v3_dot(d, v3_set(j->sine));
    lane kept = single_kept(arm, d, anchor) - v3_dot(d, v3_set(j->axis)) * j->along;
    const closed_linear left = linear_of(a, b);
    closed_angle t = linear_angle(&left, kept, j->share, sign, &r.margin);

    // a point on the axis: any angle will do where the equation holds, none where it does not
    r.open = mask_and(lane_le(a * a + b * b, lane_set(j->least * j->least)),
                      lane_le(lane_abs(kept), lane_set(j->least)));
    r.margin = lane_select(r.open, lane_set(1), r.margin);
    r.angle = angle_or(r.open, t, hint);
    r.value = r.angle.angle;
    r.x = v3_add(v3_set(j->point), rotate_back(j->axis, r.angle, d));
    return r;
}

/* the same where the joint slides: an equation of the first or second degree */
LANE_INLINE closed_root single_slides(const kernel_closed *arm, v3 m, v3 anchor, lane sign)
{
    const kernel_single *j = &arm->single;
    v3 axis = v3_set(j->axis);
    closed_root r = {.open = mask_from_bits(0)};
    if (arm->pair == KERNEL_PAIR_PLANAR) {
        // one root: the other sign's has none
        r.value = v3_dot(v3_sub(m, anchor), v3_set(j->normal)) * (1 / j->along);
        r.margin = sign;
    } else {
        v3 from = v3_sub(m, v3_set(arm->meet.point));
        v3 reach = v3_sub(anchor, v3_set(arm->meet.point));
        lane along = v3_dot(from, axis);
        v3 across = v3_add_scaled(from, axis, -along);
        lane most = v3_dot(reach, reach), rest = most - v3_dot(across, across);
        r.value = along + lane_sqrt(lane_max(rest, lane_set(0))) * sign;
        r.margin = rest * (1 / (arm->size * arm->size));
    }
    r.angle = (closed_angle){lane_set(0), lane_set(0), lane_set(1)};
    r.x = v3_add_scaled(m, axis, -r.value);
    return r;
}

/* ---- two joints ----------------------------------------------------------- */

typedef struct closed_two {
    closed_angle b, c;
    lane margin;
    lane reach; /* see kernel_solutions */
    lane_mask open;
} closed_two;

/* a point in the plane of a planar pair */
LANE_INLINE void planar_point(const kernel_planar *pair, v3 p, lb_vec3 from, lane *x, lane *y)
{
    v3 d = v3_sub(p, v3_set(from));
    *x = v3_dot(d, v3_set(pair->x));
    *y = v3_dot(d, v3_set(pair->y));
}

/* The second link of a planar pair, from its axis to the anchor, and what follows from both. */
typedef struct closed_link {
    lane x, y, first, second; /* first, second: the squares of their lengths */
    closed_linear left;
} closed_link;

LANE_INLINE closed_link link_of(const kernel_planar *pair, v3 anchor)
{
    closed_link l;
    lane fx = lane_set(pair->link[0]), fy = lane_set(pair->link[1]);
    planar_point(pair, anchor, pair->second, &l.x, &l.y);
    l.first = fx * fx + fy * fy;
    l.second = l.x * l.x + l.y * l.y;
    l.left = linear_of(fx * l.x + fy * l.y, fy * l.x - fx * l.y);
    return l;
}

/* exp_b exp_c anchor = x, of parallel axes: the triangle of the two links. `held`: `hint` is c's,
   which is open where the anchor is on its axis; else b's, where x is on b's */
LANE_INLINE closed_two solve_planar(const kernel_planar *pair, double size, const closed_link *l,
                                    v3 x, lane sign, bool held, lane hint)
{
    lane px, py;
    planar_point(pair, x, pair->first, &px, &py);
    lane fx = lane_set(pair->link[0]), fy = lane_set(pair->link[1]);
    closed_two r = {.reach = px * px + py * py};
    lane squares = r.reach - l->first - l->second;
    r.c = linear_angle(&l->left, squares * 0.5, pair->share, sign, &r.margin);
    const double least = CLOSED_IN_LINE * size;
    lane free = held ? l->second : r.reach;
    r.open = lane_le(free, lane_set(least * least));
    if (held)
        r.c = angle_or(r.open, r.c, hint);

    // both links as one, turned to the point
    lane vx = fx + r.c.cosine * l->x - r.c.sine * l->y,
         vy = fy + r.c.cosine * l->y + r.c.sine * l->x;
    r.b = angle_from(vx * py - vy * px, vx * px + vy * py);
    if (!held)
        r.b = angle_or(r.open, r.b, hint);
    return r;
}

/*
 * R_b R_c d = a: what is known of d about c and of a about b. R_c d has the components
 * cosine * radius and sine * radius along e and f.
 */
LANE_INLINE closed_angle meet_first(const kernel_meet *pair, lane along, lane e, lane f, lane ah,
                                    lane af)
{
    lane h = e * pair->cosine - along * pair->sine;
    return angle_from(h * af - f * ah, h * ah + f * af);
}

/* 1 - cos or 1 + cos of an angle, of its cosine and sine, exact where it is small */
LANE_INLINE lane versine(lane cosine, lane sine)
{
    lane_mask small = lane_gt(cosine, lane_set(0));
    lane fine = sine * sine / (1.0 + lane_select(small, cosine, lane_set(0)));
    return lane_select(small, fine, 1.0 - cosine);
}

/* exp_b exp_c anchor = x, of axes that meet, for points equally far from there; `held` as of
   parallel axes */
LANE_INLINE closed_two solve_meet(const kernel_meet *pair, double size, v3 anchor, v3 x, lane sign,
                                  bool held, lane hint)
{
    v3 from = v3_sub(anchor, v3_set(pair->point)), to = v3_sub(x, v3_set(pair->point));
    lane length = v3_length(from), scale = 1.0 / length;
    v3 d = v3_scale(from, scale), a = v3_scale(to, 1.0 / v3_length(to));
    lane dc = v3_dot(d, v3_set(pair->c)), de = v3_dot(d, v3_set(pair->e));
    lane df = v3_dot(d, v3_set(pair->f)), radius = lane_sqrt(de * de + df * df);
    lane ab = v3_dot(a, v3_set(pair->b)), ah = v3_dot(a, v3_set(pair->h));
    lane af = v3_dot(a, v3_set(pair->f));

    // how far the angle between a and b is from either end of what turning about c gives
    double c = pair->cosine, s = pair->sine;
    lane near_end = versine(dc * c + radius * s, dc * s - radius * c);
    lane far_end = versine(radius * s - dc * c, dc * s + radius * c);
    lane across = ah * ah + af * af, back = ab - 1.0, front = ab + 1.0;
    lane low = (back * back + across) * 0.5 - near_end;
    lane high = (front * front + across) * 0.5 - far_end;
    lane zero = lane_set(0), one = lane_set(1);

    closed_two r = {.margin = lane_min(low, high), .reach = ab};
    lane inner = radius * s;
    lane safe = 1.0 / lane_select(lane_gt(inner, zero), inner, one);
    lane cosine = lane_max(lane_min((ab - dc * c) * safe, one), -one);
    lane sine = lane_sqrt(lane_max(low, zero) * lane_max(high, zero)) * safe * sign;
    r.c = angle_from(sine * de - cosine * df, cosine * de + sine * df);
    lane free = held ? radius : lane_sqrt(across);
    r.open = mask_or(lane_le(free, lane_set(CLOSED_IN_LINE)),
                     lane_le(length, lane_set(CLOSED_IN_LINE * size)));
    if (held)
        r.c = angle_or(r.open, r.c, hint);
    r.b = meet_first(pair, dc, radius * cosine, radius * sine, ah, af);
    if (!held)
        r.b = angle_or(r.open, r.b, hint);
    return r;
}

/* ---- three joints --------------------------------------------------------- */

typedef struct closed_three {
    closed_angle b, c;
    lane d;
    lane margin;
    lane cosine; /* see kernel_solutions */
    lane_mask open;
} closed_three;

/* what the first two leave to the third: m turned back by both, in the frame e, f, c */
LANE_INLINE lane last_turn(const kernel_wrist *w, const closed_three *r, v3 m)
{
    const kernel_meet *pair = &w->meet;
    lane mb = v3_dot(m, v3_set(pair->b)), mh = v3_dot(m, v3_set(pair->h));
    lane mf = v3_dot(m, v3_set(pair->f));
    lane h = r->b.cosine * mh + r->b.sine * mf, f = r->b.cosine * mf - r->b.sine * mh;
    lane e = mb * pair->sine + h * pair->cosine, c = mb * pair->cosine - h * pair->sine;
    v3 rest = {r->c.cosine * e + r->c.sine * f, r->c.cosine * f - r->c.sine * e, c};
    return lane_atan2(v3_dot(rest, v3_set(w->v)), v3_dot(rest, v3_set(w->u)));
}

/* R_b R_c R_d = M, of a = M d and m = M u */
LANE_INLINE closed_three solve_wrist(const kernel_wrist *w, v3 a, v3 m, lane sign, lane hint)
{
    const kernel_meet *pair = &w->meet;
    const lane zero = lane_set(0), one = lane_set(1);
    lane ab = v3_dot(a, v3_set(pair->b)), ah = v3_dot(a, v3_set(pair->h));
    lane af = v3_dot(a, v3_set(pair->f));
    lane across = ah * ah + af * af, back = ab - 1.0, front = ab + 1.0;
    lane low = (back * back + across) * 0.5 - w->near_end;
    lane high = (front * front + across) * 0.5 - w->far_end;

    // the second joint
    closed_three r = {.margin = lane_min(low, high), .cosine = ab};
    lane cosine = lane_max(lane_min((ab - w->along * pair->cosine) * w->scale, one), -one);
    lane sine = lane_sqrt(lane_max(low, zero) * lane_max(high, zero)) * w->scale * sign;
    r.c.sine = sine * w->cosine0 - cosine * w->sine0;
    r.c.cosine = cosine * w->cosine0 + sine * w->sine0;
    r.c.angle = lane_atan2(r.c.sine, r.c.cosine);

    // the first
    lane along = lane_set(w->along);
    r.b = meet_first(pair, along, cosine * w->radius, sine * w->radius, ah, af);
    r.open = lane_le(across, lane_set(CLOSED_IN_LINE * CLOSED_IN_LINE));
    r.b = angle_or(r.open, r.b, hint);
    r.d = last_turn(w, &r, m);
    return r;
}

/* ---- joints that are held ------------------------------------------------------ */

/* What is held, and what each of the three steps says of it; a NULL pointer: nothing is. */
typedef struct closed_hold {
    unsigned which; /* KERNEL_FREE bits */
    lane value[3], off[3], miss[3];
} closed_hold;

LANE_INLINE closed_angle angle_at(lane angle)
{
    closed_angle t = {.angle = angle};
    lane_sincos(angle, &t.sine, &t.cosine);
    return t;
}

/* the single joint at its value */
LANE_INLINE closed_root held_single(const kernel_closed *arm, v3 m, v3 anchor, closed_hold *hold)
{
    const kernel_single *j = &arm->single;
    v3 d = v3_sub(m, v3_set(j->point));
    lane a = v3_dot(d, v3_set(j->cosine)), b = v3_dot(d, v3_set(j->sine));
    closed_root r = {
        .angle = angle_at(hold->value[0]), .margin = lane_set(1), .value = hold->value[0]};
    lane kept = single_kept(arm, d, anchor) - v3_dot(d, v3_set(j->axis)) * j->along;
    hold->miss[0] = lane_abs(a * r.angle.cosine + b * r.angle.sine - kept);
    // what a pair that meets keeps is half a square
    if (arm->pair == KERNEL_PAIR_MEET)
        hold->miss[0] = hold->miss[0] / v3_length(v3_sub(anchor, v3_set(arm->meet.point)));
    r.x = v3_add(v3_set(j->point), rotate_back(j->axis, r.angle, d));
    r.open = mask_from_bits(0);
    return r;
}

/* how far the point is from the single joint's axis, as a length of the arm */
LANE_INLINE lane off_single(const kernel_closed *arm, v3 m)
{
    const kernel_single *j = &arm->single;
    v3 d = v3_sub(m, v3_set(j->point));
    lane a = v3_dot(d, v3_set(j->cosine)), b = v3_dot(d, v3_set(j->sine));
    return lane_sqrt(a * a + b * b) * (j->share * arm->size);
}

/* a planar pair of which one joint is held: the second where the single joint is the last one */
LANE_INLINE closed_two held_planar(const kernel_planar *pair, v3 anchor, v3 x, bool second,
                                   lane value, lane *miss)
{
    lane px, py, lx, ly;
    planar_point(pair, x, pair->first, &px, &py);
    planar_point(pair, anchor, pair->second, &lx, &ly);
    lane fx = lane_set(pair->link[0]), fy = lane_set(pair->link[1]);
    closed_angle t = angle_at(value);
    closed_two r = {.margin = lane_set(1), .reach = px * px + py * py, .open = mask_from_bits(0)};
    if (second) {
        lane vx = fx + t.cosine * lx - t.sine * ly, vy = fy + t.cosine * ly + t.sine * lx;
        r.c = t;
        r.b = angle_from(vx * py - vy * px, vx * px + vy * py);
        *miss = lane_abs(lane_sqrt(vx * vx + vy * vy) - lane_sqrt(px * px + py * py));
    } else {
        lane wx = t.cosine * px + t.sine * py - fx, wy = t.cosine * py - t.sine * px - fy;
        r.b = t;
        r.c = angle_from(lx * wy - ly * wx, lx * wx + ly * wy);
        *miss = lane_abs(lane_sqrt(wx * wx + wy * wy) - lane_sqrt(lx * lx + ly * ly));
    }
    return r;
}

/* the same of axes that meet */
LANE_INLINE closed_two held_meet(const kernel_meet *pair, v3 anchor, v3 x, bool second, lane value,
                                 lane *miss)
{
    v3 d = v3_sub(anchor, v3_set(pair->point)), a = v3_sub(x, v3_set(pair->point));
    lane dc = v3_dot(d, v3_set(pair->c)), de = v3_dot(d, v3_set(pair->e));
    lane df = v3_dot(d, v3_set(pair->f));
    lane ab = v3_dot(a, v3_set(pair->b)), ah = v3_dot(a, v3_set(pair->h));
    lane af = v3_dot(a, v3_set(pair->f));
    closed_angle t = angle_at(value);
    closed_two r = {.margin = lane_set(1), .reach = ab, .open = mask_from_bits(0)};
    if (second) {
        lane e = t.cosine * de - t.sine * df, f = t.cosine * df + t.sine * de;
        r.c = t;
        r.b = meet_first(pair, dc, e, f, ah, af);
        *miss = lane_abs(dc * pair->cosine + e * pair->sine - ab);
    } else {
        lane h = t.cosine * ah + t.sine * af, f = t.cosine * af - t.sine * ah;
        lane e = ab * pair->sine + h * pair->cosine;
        r.b = t;
        r.c = angle_from(de * f - df * e, de * e + df * f);
        *miss = lane_abs(ab * pair->cosine - h * pair->sine - dc);
    }
    return r;
}

/* the pair's joint that can be open, at its value */
LANE_INLINE closed_two held_pair(const kernel_closed *arm, v3 anchor, v3 x, closed_hold *hold)
{
    const bool last = arm->single.last;
    const lane value = hold->value[1];
    if (arm->pair == KERNEL_PAIR_MEET)
        return held_meet(&arm->meet, anchor, x, last, value, &hold->miss[1]);
    const double side = arm->planar.sign;
    closed_two r =
        held_planar(&arm->planar, anchor, x, last, last ? value * side : value, &hold->miss[1]);
    r.c.angle = r.c.angle * side;
    r.c.sine = r.c.sine * side;
    return r;
}

/* how far a point of the pair is from the axis about which it can be open */
LANE_INLINE lane off_pair(const kernel_closed *arm, v3 anchor, v3 x)
{
    const bool last = arm->single.last;
    if (arm->pair == KERNEL_PAIR_MEET) {
        v3 p = v3_sub(last ? anchor : x, v3_set(arm->meet.point));
        return v3_length(v3_cross(p, v3_set(last ? arm->meet.c : arm->meet.b)));
    }
    lane px, py;
    planar_point(&arm->planar, last ? anchor : x, last ? arm->planar.second : arm->planar.first,
                 &px, &py);
    return lane_sqrt(px * px + py * py);
}

/* the wrist, its first joint held or solved for */
LANE_INLINE closed_three solve_three(const kernel_wrist *w, v3 a, v3 m, lane sign, lane hint,
                                     closed_hold *hold)
{
    const kernel_meet *pair = &w->meet;
    if (!hold)
        return solve_wrist(w, a, m, sign, hint);
    lane ab = v3_dot(a, v3_set(pair->b)), ah = v3_dot(a, v3_set(pair->h));
    lane af = v3_dot(a, v3_set(pair->f));
    hold->off[2] = lane_sqrt(ah * ah + af * af);
    if ((hold->which & KERNEL_FREE_WRIST) == 0)
        return solve_wrist(w, a, m, sign, hint);
    closed_three r = {.b = angle_at(hold->value[2]),
                      .margin = lane_set(1),
                      .cosine = ab,
                      .open = mask_from_bits(0)};
    lane h = r.b.cosine * ah + r.b.sine * af, f = r.b.cosine * af - r.b.sine * ah;
    lane e = ab * pair->sine + h * pair->cosine, along = ab * pair->cosine - h * pair->sine;
    r.c = angle_from(w->cosine0 * f - w->sine0 * e, w->cosine0 * e + w->sine0 * f);
    hold->miss[2] = lane_abs(along - w->along) * (1 / w->radius);
    r.d = last_turn(w, &r, m);
    return r;
}

#endif
