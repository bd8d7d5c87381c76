/*
 * stream_feet.c - contacts of a stream: when the source's feet rest, and where the target's are
 * then.
 *
 * Nothing of a later frame is known, so contacts are decided by what has been: a point of the
 * source rests when it is low and slow, and rests no longer when it is high or fast, has risen from
 * where it rested, or has drifted away.
 *
 * A foot that comes to rest stays where it is by then. The place of its goal is the free one moved
 * by an offset: as far as the foot is held (s, which goes from 0 to 1 and back in time), the offset
 * takes up what the source's foot moves, and as far as it is not, the offset fades. So the goal's
 * velocity is (1 - s) times that of the free place and what fades, and nothing jumps. The same
 * holds for the axes, as far as heel and toe both are held; about one of them the foot turns.
 */
#include "motion/retarget/stream.h"
#include "motion/spline.h"

#include <limber/kinematics.h>

/* seconds over which a point's speed is measured: noise of a millimetre is 0.05 m/s */
#define LATELY 0.02
/* seconds after which a third of a free foot's offset is left; a swing takes three times as long */
#define OFFSET_FADE 0.12
/* times as fast as it comes to be held a foot is let go: it falls behind its source meanwhile */
#define RELEASE 2
/* metres: a held point is in its place, and is so no longer: two frames may be twice as far from
   each other as from the place, and a tenth of a millimetre is promised */
#define PLANTED 2e-5
#define SLIPPED 5e-5
/* of the share of a point that is held fully, against rounding */
#define NEARLY 1e-12

/* ---- contacts of the source ------------------------------------------------- */

/* whether a point that rests goes on to do so */
static bool goes_on_resting(const stream_point *p, const lb_contact_options *o,
                            const ground_plane *ground, lb_vec3 at, double height, double speed)
{
    double drift = lb_vec3_length(ground_along(ground, lb_vec3_sub(at, p->began)));
    return height <= o->leave_height && speed <= o->leave_speed && drift <= o->drift &&
           !(o->stray > 0 && height > p->low + o->stray);
}

static void follow_source(const lb_retarget_stream *s, const foot_plan *foot, int k, double time,
                          stream_point *p)
{
    const lb_contact_options *o = &s->options.detect;
    const ground_plane *ground = &s->plan.source_ground;
    const lb_contact_point *point = &lb_contacts_points(s->plan.contacts)[foot->points[k]];
    lb_vec3 at = lb_transform_point(&lb_state_transforms(s->plan.state)[point->link], point->at);
    double height = ground_distance(ground, at) - point->height;
    lb_vec3 moved = p->seen ? lb_vec3_sub(at, p->lately) : lb_vec3_make(0, 0, 0);
    double speed = lb_vec3_length(moved) / (LATELY + time);
    bool rested = p->rests;
    p->lately = lb_vec3_sub(at, lb_vec3_scale(moved, stream_decay(time, LATELY)));
    p->seen = true;
    p->idle = fmax(0, p->idle - time);
    if (rested) {
        p->rests = goes_on_resting(p, o, ground, at, height, speed);
        p->low = fmin(p->low, height);
        p->idle = p->rests ? 0 : o->gap;
    } else if (p->idle == 0 && height <= o->enter_height && speed <= o->enter_speed) {
        p->rests = true;
        p->began = at;
        p->low = height;
    }
}

/* ---- where feet are to be --------------------------------------------------- */

/* of the way to where a point is held; at once in a first frame */
static void move_share(const lb_retarget_stream *s, double time, stream_point *p)
{
    double by = s->phase == STREAM_NEW ? 1 : time / s->options.blend;
    bool held = p->rests && !p->unreachable;
    p->share = fmax(0, fmin(1, p->share + (held ? by : -RELEASE * by)));
    p->unreachable = p->unreachable && p->share > 0;
    p->planted = p->planted && held;
}

/* the axes of a foot: as far as it is flat, those it has */
static lb_quat turn_foot(const lb_retarget_stream *s, const lb_retarget_pair *pair,
                         stream_foot *foot, lb_quat free, double flat, double time)
{
    lb_quat kept = lb_quat_multiply(foot->turn, lb_quat_conjugate(free));
    foot->off_turn = lb_quat_slerp(foot->off_turn, kept, flat);
    foot->off_turn = lb_quat_slerp(LB_QUAT_IDENTITY, foot->off_turn,
                                   flat + (1 - flat) * stream_decay(time, OFFSET_FADE));
    lb_quat turn = lb_quat_normalize(lb_quat_multiply(foot->off_turn, free));
    return flat > 0 ? lb_quat_slerp(turn, retarget_lay_flat(&s->plan.ground, pair, turn), flat)
                    : turn;
}

/* where a foot would be whose held points stay, the more held the more of them; on the ground */
static lb_vec3 stay(const lb_retarget_stream *s, const lb_retarget_pair *pair,
                    const stream_foot *foot, const retarget_goal *goal)
{
    lb_vec3 sum = {0, 0, 0};
    double weights = 0;
    for (int k = 0; k < pair->held_count; k++) {
        lb_vec3 arm = lb_vec3_sub(pair->held[k].at, pair->target_point);
        lb_vec3 now = lb_quat_rotate(goal->turn, arm);
        lb_vec3 at = lb_vec3_add(foot->place, lb_quat_rotate(foot->turn, arm));
        at.z = s->plan.ground.height + ground_rise(&s->plan.ground, at);
        double weight = goal->hold[k] / (1 - goal->hold[k] + NEARLY);
        sum = lb_vec3_add(sum, lb_vec3_scale(lb_vec3_sub(at, now), weight));
        weights += weight;
    }
    return lb_vec3_scale(sum, 1 / weights);
}

static void hold_foot(lb_retarget_stream *s, int index, double time, retarget_goal *goal)
{
    const foot_plan *plan = &s->plan.feet[index];
    const lb_retarget_pair *pair = &s->map.pairs[plan->pair];
    stream_foot *foot = &s->feet[index];
    double flat = pair->held_count > 1, most = 0;
    for (int k = 0; k < pair->held_count; k++) {
        follow_source(s, plan, k, time, &foot->points[k]);
        move_share(s, time, &foot->points[k]);
        goal->hold[k] = smooth_step(foot->points[k].share);
        flat *= goal->hold[k];
        most = fmax(most, goal->hold[k]);
    }
    if (s->phase == STREAM_NEW)
        foot->turn = goal->turn, foot->place = goal->place;
    lb_vec3 free = goal->place;
    goal->turn = turn_foot(s, pair, foot, goal->turn, flat, time);
    if (plan->sole.count > 0)
        goal->turn = retarget_roll_back(&s->plan.ground, pair, most, goal->turn);
    goal->place = lb_vec3_add(free, foot->off);
    if (most > 0) {
        lb_vec3 by = lb_vec3_sub(stay(s, pair, foot, goal), goal->place);
        goal->place = lb_vec3_add(goal->place, lb_vec3_scale(by, most));
    }
    // heights are not kept: they follow from the ground and from the source
    foot->off = ground_along(&s->plan.ground, lb_vec3_sub(goal->place, free));
    foot->off = lb_vec3_scale(foot->off, most + (1 - most) * stream_decay(time, OFFSET_FADE));
    foot->turn = goal->turn;
    foot->place = goal->place;
}

void stream_hold_feet(lb_retarget_stream *s, double time)
{
    retarget_goal *goals = s->solver.goals;
    for (int f = 0; f < s->plan.foot_count && !s->options.unlocked; f++)
        if (!retarget_is_palm(&s->map.pairs[s->plan.feet[f].pair]))
            hold_foot(s, f, time, &goals[s->plan.feet[f].pair]);
    for (const retarget_toe *t = s->plan.toes; t < s->plan.toes + s->plan.toe_count; t++)
        goals[t->pair].hold[0] = goals[t->foot].hold[1];
}

/* ---- what became of them ------------------------------------------------- */

static bool is_any_planted(const stream_foot *foot)
{
    bool any = false;
    for (int k = 0; k < LB_RETARGET_HELD; k++)
        any = any || foot->points[k].planted;
    return any;
}

/* what became of a point that is held: it is in its place, or the leg does not reach that */
static void settle_point(lb_retarget_stream *s, stream_foot *foot, int k, lb_vec3 off)
{
    stream_point *p = &foot->points[k];
    double far = lb_vec3_length(off);
    if (p->planted && far > SLIPPED) {
        p->planted = false;
        p->unreachable = true;
        s->frame.released++;
    } else if (!p->planted && far <= PLANTED) {
        p->planted = true;
    } else if (!p->planted && !is_any_planted(foot)) {
        // it lands where it is
        foot->place = lb_vec3_add(foot->place, ground_along(&s->plan.ground, off));
    }
}

void stream_settle_feet(lb_retarget_stream *s)
{
    const lb_transform *at = lb_state_transforms(s->solver.state);
    int bit = 0;
    lb_state_update(s->solver.state, s->q);
    for (int f = 0; f < s->plan.foot_count; f++) {
        const lb_retarget_pair *pair = &s->map.pairs[s->plan.feet[f].pair];
        const retarget_goal *goal = &s->solver.goals[s->plan.feet[f].pair];
        for (int k = 0; k < pair->held_count && !retarget_is_palm(pair); k++, bit++) {
            lb_vec3 point = lb_transform_point(&at[pair->target], pair->held[k].at);
            double below = -ground_distance(&s->plan.ground, point);
            s->frame.penetration = fmax(s->frame.penetration, below);
            if (goal->hold[k] > RETARGET_NEARLY_HELD)
                settle_point(s, &s->feet[f], k, lb_vec3_sub(point, goal->held[k]));
            if (s->feet[f].points[k].planted && bit < 31)
                s->frame.held |= 1 << bit;
        }
    }
}
