/*
 * closed.inl - every configuration of an arm of closed.h that brings its tip to a pose.
 *
 * A batch has one pose in each lane and makes the branches one after another, so that what
 * branches share is computed once, and keeps the one that is wanted. A single pose has a branch in
 * each lane. Both are the same three functions, and each branch has the same bits either way.
 *
 * Angles near a double root are uncertain by the root of the rounding error. That never
 * shows in the pose: what comes later is computed from the sines and cosines of the angles
 * before it, and where one root carries the pose (a wrist nearly in line) it is
 * computed from the small components across the axis instead of from a cosine.
 */
#ifndef KERNEL_CLOSED_INL
#define KERNEL_CLOSED_INL

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

/* ---- branches ------------------------------------------------------------- */

/* What the target determines, and the angles to take where nothing determines them. */
typedef struct closed_goal {
    v3 center;     /* where the wrist's axes must meet */
    v3 last, side; /* where its last axis must point, and a direction across that */
    lane near[KERNEL_CLOSED_JOINTS]; /* the start, in the order of kernel_closed.joint */
    lane hint[KERNEL_CLOSED_JOINTS]; /* the same, for what is solved for */
    closed_link link;                /* of a planar pair, unless the single joint is last */
    v3 third, across; /* three parallel: the third axis's point from the anchor, and across that */
    lane along;       /* and the axis */
} closed_goal;

/* A branch after its first root. */
typedef struct closed_start {
    closed_root single;
    v3 anchor;
    v3 last, side; /* as far as they are turned back */
} closed_start;

/* A branch. */
typedef struct closed_branch {
    lane q[KERNEL_CLOSED_JOINTS]; /* in the order of kernel_closed.joint */
    lane margin, freedom;
    lane closest; /* of the three discriminants, the least in absolute value */
    lane reach, cosine;
} closed_branch;

LANE_INLINE void make_goal(const kernel_closed *arm, const frame *target, closed_goal *goal)
{
    const kernel_wrist *w = &arm->wrist;
    frame t = *target;
    if (arm->reversed) {
        t.x = (v3){target->x.x, target->y.x, target->z.x};
        t.y = (v3){target->x.y, target->y.y, target->z.y};
        t.z = (v3){target->x.z, target->y.z, target->z.z};
        t.p = v3_sub(v3_set(lb_vec3_make(0, 0, 0)), frame_direction(&t, target->p));
    }
    goal->center = v3_add(frame_direction(&t, v3_set(w->center_tip)), t.p);
    goal->last = frame_direction(&t, v3_set(w->d_tip));
    goal->side = frame_direction(&t, v3_set(w->u_tip));
}

/* what follows from the arm and the start, for all branches */
LANE_INLINE void complete_goal(const kernel_closed *arm, closed_goal *goal)
{
    v3 axis = v3_set(arm->wrist.meet.b);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        goal->hint[j] = goal->near[j];
    // of three parallel axes the wrist's first turn is that of all three: so is what it is to be
    if (arm->kind == KERNEL_CLOSED_PARALLEL)
        goal->hint[3] =
            goal->hint[1] + goal->hint[2] * arm->planar.sign + goal->hint[3] * arm->third;
    goal->third = v3_set(arm->offset);
    goal->across = v3_cross(goal->third, axis);
    goal->along = v3_dot(axis, goal->third);
    goal->link = link_of(&arm->planar, v3_add(v3_set(arm->anchor), goal->third));
}

/* the first root of a branch */
LANE_INLINE closed_start start_branch(const kernel_closed *arm, const closed_goal *goal, lane sign)
{
    v3 wrist = v3_set(arm->anchor);
    closed_start s = {.last = goal->last, .side = goal->side};
    v3 m = arm->single.last ? wrist : goal->center;
    s.anchor = arm->single.last ? goal->center : wrist;
    if (arm->single.is_length)
        s.single = single_slides(arm, m, s.anchor, sign);
    else
        s.single = single_turns(arm, m, s.anchor, sign, goal->hint[0]);
    if (!arm->single.last && !arm->single.is_length) {
        s.last = rotate_back(arm->single.axis, s.single.angle, s.last);
        s.side = rotate_back(arm->single.axis, s.single.angle, s.side);
    }
    return s;
}

LANE_INLINE closed_two solve_pair(const kernel_closed *arm, const closed_goal *goal, v3 anchor,
                                  v3 x, lane sign)
{
    // where the single joint is last it is the arm's first joint that can be open
    const bool held = arm->single.last;
    const lane hint = goal->hint[held ? 2 : 1];
    if (arm->pair == KERNEL_PAIR_MEET)
        return solve_meet(&arm->meet, arm->size, anchor, x, sign, held, hint);
    closed_link link = goal->link;
    if (held)
        link = link_of(&arm->planar, anchor);
    closed_two r = solve_planar(&arm->planar, arm->size, &link, x, sign, held,
                                held ? hint * arm->planar.sign : hint);
    if (arm->planar.sign < 0) {
        r.c.angle = -r.c.angle;
        r.c.sine = -r.c.sine;
    }
    return r;
}

/* bits of what is open, as a number */
LANE_INLINE lane open_bits(lane_mask single, lane_mask pair, lane_mask wrist)
{
    lane bits = lane_keep(single, lane_set(KERNEL_FREE_SINGLE));
    bits = bits + lane_keep(pair, lane_set(KERNEL_FREE_PAIR));
    return bits + lane_keep(wrist, lane_set(KERNEL_FREE_WRIST));
}

/* a direction turned back by the joints before the wrist that have not turned it yet */
LANE_INLINE v3 before_wrist(const kernel_closed *arm, const closed_start *s, const closed_two *two,
                            v3 v)
{
    if (arm->single.last) {
        v = rotate_back(arm->axes[0], two->c, v);
        v = rotate_back(arm->axes[1], two->b, v);
        return arm->lengths[2] ? v : rotate_back(arm->axes[2], s->single.angle, v);
    }
    v = rotate_back(arm->axes[1], two->b, v);
    return rotate_back(arm->axes[2], two->c, v);
}

/* the other roots, of an arm with a wrist */
LANE_INLINE closed_two wrist_pair(const kernel_closed *arm, const closed_goal *goal,
                                  const closed_start *s, lane sign, v3 *last, v3 *side)
{
    closed_two two = solve_pair(arm, goal, s->anchor, s->single.x, sign);
    *last = before_wrist(arm, s, &two, s->last);
    *side = before_wrist(arm, s, &two, s->side);
    return two;
}

LANE_INLINE void set_margins(closed_branch *b, lane single, lane pair, lane wrist)
{
    b->margin = lane_min(lane_min(single, pair), wrist);
    b->closest = lane_min(lane_min(lane_abs(single), lane_abs(pair)), lane_abs(wrist));
}

LANE_INLINE closed_branch wrist_branch(const kernel_closed *arm, const closed_goal *goal,
                                       const closed_start *s, const closed_two *two, v3 last,
                                       v3 side, lane sign)
{
    closed_three w = solve_wrist(&arm->wrist, last, side, sign, goal->hint[3]);
    closed_branch b = {
        .q = {s->single.value, two->b.angle, two->c.angle, w.b.angle, w.c.angle, w.d},
        .reach = two->reach,
        .cosine = w.cosine};
    set_margins(&b, s->single.margin, two->margin, w.margin);
    b.freedom = open_bits(s->single.open, two->open, w.open);
    return b;
}

/* where the third of three parallel axes must be: the wrist's first turn is that of all three */
LANE_INLINE v3 third_place(const kernel_closed *arm, const closed_goal *goal, const closed_start *s,
                           const closed_three *w)
{
    v3 across = v3_scale(goal->across, -w->b.sine);
    v3 along = v3_scale(v3_set(arm->wrist.meet.b), goal->along * (1.0 - w->b.cosine));
    v3 third = v3_add(v3_add(v3_scale(goal->third, w->b.cosine), across), along);
    return v3_add(s->single.x, third);
}

/* the same as wrist_branch, of an arm with three parallel axes */
LANE_INLINE closed_branch parallel_branch(const kernel_closed *arm, const closed_goal *goal,
                                          const closed_start *s, const closed_three *w, lane sign)
{
    closed_two two = solve_pair(arm, goal, s->anchor, third_place(arm, goal, s, w), sign);
    lane rest = w->b.angle - two.b.angle - two.c.angle * arm->planar.sign;
    closed_branch b = {.q = {s->single.value, two.b.angle, two.c.angle,
                             wrap_turns(rest) * arm->third, w->c.angle, w->d},
                       .reach = two.reach,
                       .cosine = w->cosine};
    set_margins(&b, s->single.margin, two.margin, w->margin);
    b.freedom = open_bits(s->single.open, two.open, w->open);
    return b;
}

/* three lengths: one place, and the two turns of the wrist */
LANE_INLINE closed_branch lengths_branch(const kernel_closed *arm, const closed_goal *goal,
                                         lane other, lane sign)
{
    v3 offset = v3_sub(goal->center, v3_set(arm->anchor));
    closed_three w = solve_wrist(&arm->wrist, goal->last, goal->side, sign, goal->hint[3]);
    closed_branch b = {.q = {v3_dot(offset, v3_set(arm->inverse[0])),
                             v3_dot(offset, v3_set(arm->inverse[1])),
                             v3_dot(offset, v3_set(arm->inverse[2])), w.b.angle, w.c.angle, w.d},
                       .reach = lane_set(0),
                       .cosine = w.cosine};
    set_margins(&b, other, other, w.margin);
    b.freedom = open_bits(mask_from_bits(0), mask_from_bits(0), w.open);
    return b;
}

/* ---- entry points --------------------------------------------------------- */

/* the sign of a branch's root */
LANE_INLINE lane root_sign(int branch, int root)
{
    return lane_set(branch >> root & 1 ? -1.0 : 1.0);
}

/* the branch in each lane, of one pose */
LANE_INLINE closed_branch one_branch(const kernel_closed *arm, const closed_goal *goal,
                                     const lane sign[3])
{
    if (arm->pair == KERNEL_PAIR_LENGTHS)
        return lengths_branch(arm, goal, lane_min(sign[0], sign[1]), sign[2]);
    closed_start s = start_branch(arm, goal, sign[0]);
    if (arm->kind == KERNEL_CLOSED_PARALLEL) {
        closed_three w = solve_wrist(&arm->wrist, s.last, s.side, sign[2], goal->hint[3]);
        return parallel_branch(arm, goal, &s, &w, sign[1]);
    }
    v3 last, side;
    closed_two two = wrist_pair(arm, goal, &s, sign[1], &last, &side);
    return wrist_branch(arm, goal, &s, &two, last, side, sign[2]);
}

#if !KERNEL_SHARES
/* all branches of one pose, one in each lane */
static void closed_one(const kernel_closed *arm, const kernel_ranges *ranges,
                       const lb_transform *target, const double *start, kernel_solutions *out)
{
    static const double signs[3][KERNEL_CLOSED_BRANCHES] = {
        {1, -1, 1, -1, 1, -1, 1, -1}, {1, 1, -1, -1, 1, 1, -1, -1}, {1, 1, 1, 1, -1, -1, -1, -1}};
    const frame given = frame_set(target);
    closed_goal goal;
    make_goal(arm, &given, &goal);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        goal.near[j] = lane_set(start[arm->joint[j]]);
    complete_goal(arm, &goal);
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i += LANE_WIDTH) {
        const lane sign[3] = {lane_load(signs[0] + i), lane_load(signs[1] + i),
                              lane_load(signs[2] + i)};
        closed_branch b = one_branch(arm, &goal, sign);
        closed_turns t = turn_joints(ranges, arm->joint, goal.near, b.q);
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
            lane_store(out->q[arm->joint[j]] + i, b.q[j]);
        lane_store(out->margin + i, b.margin);
        lane_store(out->freedom + i, b.freedom);
        lane_store(out->closest + i, b.closest);
        lane_store(out->reach + i, b.reach);
        lane_store(out->cosine + i, b.cosine);
        lane_store(out->lacking + i, t.lacking);
        lane_store(out->square + i, t.square);
        lane_store(out->beyond + i, t.beyond);
        lane_store(out->worst + i, t.worst);
    }
}
#endif

#endif
