/*
 * closed_along.inl - configurations along what a singular pose leaves open, one in each lane.
 *
 * A joint that is open, or nearly so, is held at a value instead of being solved for; the joints
 * that share its equation come as near to it as they can, and the miss is returned. With d the
 * angle from a value that solves the equation exactly, and `off` the distance from where every
 * value does, that is off |sin d| or less.
 */
#ifndef KERNEL_CLOSED_ALONG_INL
#define KERNEL_CLOSED_ALONG_INL

#include "kernel/closed.inl"

#if !KERNEL_SHARES
/* What a step of the closed form adds to kernel_members. */
typedef struct along_step {
    lane off, miss;
} along_step;

LANE_INLINE closed_angle angle_at(lane angle)
{
    closed_angle t = {.angle = angle};
    lane_sincos(angle, &t.sine, &t.cosine);
    return t;
}

/* the single joint, held at `value` or solved for */
LANE_INLINE closed_root along_single(const kernel_closed *arm, v3 m, v3 anchor, bool held,
                                     lane value, lane sign, along_step *step)
{
    const kernel_single *j = &arm->single;
    v3 d = v3_sub(m, v3_set(j->point));
    lane a = v3_dot(d, v3_set(j->cosine)), b = v3_dot(d, v3_set(j->sine));
    step->off = lane_sqrt(a * a + b * b) * (j->share * arm->size);
    step->miss = lane_set(0);
    if (!held)
        return single_turns(arm, m, anchor, sign, value);
    closed_root r = {.angle = angle_at(value), .margin = lane_set(1), .value = value};
    lane kept = single_kept(arm, d, anchor) - v3_dot(d, v3_set(j->axis)) * j->along;
    step->miss = lane_abs(a * r.angle.cosine + b * r.angle.sine - kept);
    // what a pair that meets keeps is half a square
    if (arm->pair == KERNEL_PAIR_MEET)
        step->miss = step->miss / v3_length(v3_sub(anchor, v3_set(arm->meet.point)));
    r.x = v3_add(v3_set(j->point), rotate_back(j->axis, r.angle, d));
    r.open = mask_from_bits(0);
    return r;
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
    closed_two r = {.margin = lane_set(1), .open = mask_from_bits(0)};
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
    closed_two r = {.margin = lane_set(1), .open = mask_from_bits(0)};
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

/* the pair, its joint that can be open held at `value` or solved for */
LANE_INLINE closed_two along_pair(const kernel_closed *arm, const closed_goal *goal, v3 anchor,
                                  v3 x, bool held, lane value, lane sign, lane *reach,
                                  along_step *step)
{
    const bool last = arm->single.last, meets = arm->pair == KERNEL_PAIR_MEET;
    step->miss = lane_set(0);
    if (meets) {
        v3 p = v3_sub(last ? anchor : x, v3_set(arm->meet.point));
        step->off = v3_length(v3_cross(p, v3_set(last ? arm->meet.c : arm->meet.b)));
        *reach = lane_set(0);
    } else {
        lane px, py, lx, ly;
        planar_point(&arm->planar, x, arm->planar.first, &px, &py);
        planar_point(&arm->planar, anchor, arm->planar.second, &lx, &ly);
        step->off = lane_sqrt(last ? lx * lx + ly * ly : px * px + py * py);
        *reach = px * px + py * py;
    }
    if (!held)
        return solve_pair(arm, goal, anchor, x, sign);
    if (meets)
        return held_meet(&arm->meet, anchor, x, last, value, &step->miss);
    const double side = arm->planar.sign;
    closed_two r =
        held_planar(&arm->planar, anchor, x, last, last ? value * side : value, &step->miss);
    r.c.angle = r.c.angle * side;
    r.c.sine = r.c.sine * side;
    return r;
}

/* the wrist, its first joint held at `value` or solved for */
LANE_INLINE closed_three along_wrist(const kernel_wrist *w, v3 a, v3 m, bool held, lane value,
                                     lane sign, lane *cosine, along_step *step)
{
    const kernel_meet *pair = &w->meet;
    lane ab = v3_dot(a, v3_set(pair->b)), ah = v3_dot(a, v3_set(pair->h));
    lane af = v3_dot(a, v3_set(pair->f));
    step->off = lane_sqrt(ah * ah + af * af);
    step->miss = lane_set(0);
    *cosine = ab;
    if (!held)
        return solve_wrist(w, a, m, sign, value);
    closed_three r = {.b = angle_at(value), .margin = lane_set(1), .open = mask_from_bits(0)};
    lane h = r.b.cosine * ah + r.b.sine * af, f = r.b.cosine * af - r.b.sine * ah;
    lane e = ab * pair->sine + h * pair->cosine, along = ab * pair->cosine - h * pair->sine;
    r.c = angle_from(w->cosine0 * f - w->sine0 * e, w->cosine0 * e + w->sine0 * f);
    step->miss = lane_abs(along - w->along) * (1 / w->radius);
    r.d = last_turn(w, &r, m);
    return r;
}

/* the last two steps, in the order of the arm's kind; fills b->q and its margins */
LANE_INLINE void along_rest(const kernel_closed *arm, const closed_goal *goal,
                            const closed_start *s, const kernel_held *held, const lane *value,
                            const lane *sign, lane *q, lane *margin, lane *reach, lane *cosine,
                            along_step *step)
{
    const bool pair = (held->which & KERNEL_FREE_PAIR) != 0;
    const bool wrist = (held->which & KERNEL_FREE_WRIST) != 0;
    closed_two two;
    closed_three w;
    if (arm->pair == KERNEL_PAIR_LENGTHS) {
        // one place: the other signs have none
        v3 offset = v3_sub(goal->center, v3_set(arm->anchor));
        w = along_wrist(&arm->wrist, goal->last, goal->side, wrist, value[2], sign[2], cosine,
                        &step[2]);
        for (int i = 0; i < 3; i++)
            q[i] = v3_dot(offset, v3_set(arm->inverse[i]));
        q[3] = w.b.angle;
        q[4] = w.c.angle;
        q[5] = w.d;
        margin[0] = sign[0];
        margin[1] = sign[1];
        margin[2] = w.margin;
        *reach = lane_set(0);
        step[1] = (along_step){lane_set(INFINITY), lane_set(0)};
        return;
    }
    if (arm->kind == KERNEL_CLOSED_PARALLEL) {
        w = along_wrist(&arm->wrist, s->last, s->side, wrist, value[2], sign[2], cosine, &step[2]);
        v3 anchor = v3_add(v3_set(arm->anchor), goal->third);
        two = along_pair(arm, goal, anchor, third_place(arm, goal, s, &w), pair, value[1], sign[1],
                         reach, &step[1]);
        q[3] = wrap_turns(w.b.angle - two.b.angle - two.c.angle * arm->planar.sign) * arm->third;
    } else {
        two =
            along_pair(arm, goal, s->anchor, s->single.x, pair, value[1], sign[1], reach, &step[1]);
        v3 last = before_wrist(arm, s, &two, s->last), side = before_wrist(arm, s, &two, s->side);
        w = along_wrist(&arm->wrist, last, side, wrist, value[2], sign[2], cosine, &step[2]);
        q[3] = w.b.angle;
    }
    q[1] = two.b.angle;
    q[2] = two.c.angle;
    q[4] = w.c.angle;
    q[5] = w.d;
    margin[1] = two.margin;
    margin[2] = w.margin;
}

/* the first step, as start_branch */
LANE_INLINE closed_start along_start(const kernel_closed *arm, const closed_goal *goal, bool held,
                                     lane value, lane sign, along_step *step)
{
    step->off = lane_set(INFINITY);
    step->miss = lane_set(0);
    if (arm->pair == KERNEL_PAIR_LENGTHS)
        return (closed_start){.single = {.value = value, .margin = value}};
    if (arm->single.is_length || arm->single.last) {
        // it is never open: what it turns is the arm's own
        return start_branch(arm, goal, sign);
    }
    closed_start s = {.last = goal->last, .side = goal->side, .anchor = v3_set(arm->anchor)};
    s.single = along_single(arm, goal->center, s.anchor, held, value, sign, step);
    s.last = rotate_back(arm->single.axis, s.single.angle, s.last);
    s.side = rotate_back(arm->single.axis, s.single.angle, s.side);
    return s;
}

static void closed_along(const kernel_closed *arm, const kernel_ranges *ranges,
                         const lb_transform *target, const double *start, const kernel_held *held,
                         kernel_members *out)
{
    const frame given = frame_set(target);
    closed_goal goal;
    make_goal(arm, &given, &goal);
    for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
        goal.near[j] = lane_set(start[arm->joint[j]]);
    complete_goal(arm, &goal);
    const double far = lb_vec3_length(arm->wrist.center_tip);
    for (int i = 0; i < KERNEL_CLOSED_BRANCHES; i += LANE_WIDTH) {
        lane value[3], sign[3], q[KERNEL_CLOSED_JOINTS], margin[3], reach, cosine;
        along_step step[3];
        for (int r = 0; r < 3; r++) {
            value[r] = lane_load(held->value[r] + i);
            sign[r] = lane_load(held->sign[r] + i);
        }
        if ((held->which & KERNEL_FREE_WRIST) == 0)
            value[2] = goal.hint[3];
        if ((held->which & KERNEL_FREE_SINGLE) == 0)
            value[0] = goal.hint[0];
        const bool single = (held->which & KERNEL_FREE_SINGLE) != 0;
        closed_start s = along_start(arm, &goal, single, value[0], sign[0], &step[0]);
        q[0] = s.single.value;
        margin[0] = s.single.margin;
        along_rest(arm, &goal, &s, held, value, sign, q, margin, &reach, &cosine, step);
        closed_turns t = turn_joints(ranges, arm->joint, goal.near, q);
        for (int j = 0; j < KERNEL_CLOSED_JOINTS; j++)
            lane_store(out->q[arm->joint[j]] + i, q[j]);
        for (int r = 0; r < 3; r++) {
            lane_store(out->margin[r] + i, margin[r]);
            lane_store(out->off[r] + i, step[r].off);
        }
        lane_store(out->miss[0] + i, step[0].miss + step[1].miss + step[2].miss * far);
        lane_store(out->miss[1] + i, step[2].miss);
        lane_store(out->reach + i, reach);
        lane_store(out->cosine + i, cosine);
        lane_store(out->lacking + i, t.lacking);
        lane_store(out->square + i, t.square);
        lane_store(out->beyond + i, t.beyond);
    }
}
#endif

#endif
