/*
 * stream.c - retargeting as the source moves: a frame in, a frame out.
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
 *
 * The solver goes on from the frame before, within what speeds and accelerations allow from there.
 */
#include "ik/body/solver.h"
#include "motion/retarget/retarget.h"
#include "motion/spline.h"

#include <limber/kinematics.h>

#include <string.h>

/* seconds over which the speed of a source's point is measured: noise of a millimetre is 0.05 m/s
 */
#define LATELY 0.02
/* what of the offset of a foot that is free is left after this many seconds is a third of it: a
   swing takes three times as long */
#define OFFSET_FADE 0.12
/* the same of a jump of the source: what is lost for a second is elsewhere afterwards */
#define JUMP_FADE 0.5
/* metres, and metres a second, by which a root moves at most: what goes on farther has jumped */
#define JUMP_FAR 0.05
#define JUMP_FAST 12.0
/* metres: a held point is in its place, and is so no longer: two frames may be twice as far from
   each other as from the place, and a tenth of a millimetre is promised */
#define PLANTED 2e-5
#define SLIPPED 5e-5
/* of the share of a point that is held fully, against rounding */
#define NEARLY 1e-12
/* seconds in which what no task decides goes over to the neutral configuration; what a task decides
   a thousand times less than a limb's direction follows within a third of it */
#define SETTLING 0.3
/* seconds: in a shorter frame held points stay near enough to their places for a descent that holds
   them fast; one that gives way to the whole first would come and go beside limits */
#define SHORT_FRAME 4e-3
/* iterations of a descent in a frame: mostly two are needed, and where many are, as after a jump,
   frames that follow go on */
#define FRAME_ITERATIONS 8

/* A point of a foot: in the source it rests, in the target it is held. */
typedef struct stream_point {
    bool seen;        /* there was a frame before */
    bool rests;       /* the source's */
    lb_vec3 lately;   /* where the source's was, */
    lb_vec3 began;    /* and where when it came to rest */
    double low;       /* how high it has been at least since then */
    double idle;      /* seconds until it may rest again */
    double share;     /* of the way to where it is held, in time */
    bool planted;     /* the target's is in its place */
    bool unreachable; /* it is let go, until it is free */
} stream_point;

typedef struct stream_foot {
    stream_point points[LB_RETARGET_HELD];
    lb_quat turn, off_turn; /* axes of the goal before; what the free ones are turned by */
    lb_vec3 place, off;     /* its place; what the free one is moved by, along the ground */
} stream_foot;

/* Where a stream is. */
typedef enum stream_phase { STREAM_NEW, STREAM_PLACED, STREAM_RUNNING } stream_phase;

struct lb_retarget_stream {
    retarget_plan plan;
    retarget_solver solver;
    lb_retarget_options options;
    lb_retarget_map map;
    stream_foot feet[LB_RETARGET_PAIRS]; /* of the plan's feet that stand */
    lb_contact_point points[LB_RETARGET_PAIRS * LB_RETARGET_HELD]; /* of the target, in order */
    int point_count;
    retarget_value *values;
    body_speed *speeds; /* of the values */
    double *velocities; /* of the values */
    int value_count;
    double *start, *q, *before, *try; /* nq */
    stream_phase phase;
    double time;          /* of the frame before */
    lb_vec3 root, jumped; /* where the root's free goal was; what all goals are moved by */
    lb_retarget_frame frame;
};

/* ---- contacts of the source ------------------------------------------------- */

static double decay(double time, double fade)
{
    return fade / (fade + time);
}

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
    p->lately = lb_vec3_sub(at, lb_vec3_scale(moved, decay(time, LATELY)));
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
    p->share = fmax(0, fmin(1, p->share + (held ? by : -by)));
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
                                   flat + (1 - flat) * decay(time, OFFSET_FADE));
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
    goal->place = lb_vec3_add(free, foot->off);
    if (most > 0) {
        lb_vec3 by = lb_vec3_sub(stay(s, pair, foot, goal), goal->place);
        goal->place = lb_vec3_add(goal->place, lb_vec3_scale(by, most));
    }
    // heights are not kept: they follow from the ground and from the source
    foot->off = ground_along(&s->plan.ground, lb_vec3_sub(goal->place, free));
    foot->off = lb_vec3_scale(foot->off, most + (1 - most) * decay(time, OFFSET_FADE));
    foot->turn = goal->turn;
    foot->place = goal->place;
}

/* ---- goals ------------------------------------------------------------------ */

/* what all goals are moved by, so that the root does not jump when the source does */
static void take_jump(lb_retarget_stream *s, double time)
{
    lb_vec3 root = s->solver.goals[0].place, moved = lb_vec3_sub(root, s->root);
    s->jumped = lb_vec3_scale(s->jumped, decay(time, JUMP_FADE));
    if (s->phase == STREAM_RUNNING && lb_vec3_length(moved) > JUMP_FAR + JUMP_FAST * time)
        s->jumped = lb_vec3_sub(s->jumped, moved);
    s->root = root;
}

static bool is_in_range(const lb_retarget_stream *s)
{
    for (int i = 0; i < s->map.count; i++) {
        const retarget_goal *goal = &s->solver.goals[i];
        if (!lb_transform_is_rigid(retarget_source_at(&s->plan, i), 1e-6) ||
            !(lb_vec3_length(goal->place) < LB_LENGTH_MAX / 4))
            return false;
    }
    return true;
}

/* the free goals of a configuration of the source; false: it is none */
static bool see_source(lb_retarget_stream *s, const double *source_q)
{
    int nq = lb_model_nq(lb_state_model(s->plan.state));
    for (int i = 0; i < nq; i++)
        if (!isfinite(source_q[i]))
            return false;
    s->plan.seen.row = -1;
    lb_state_update(s->plan.state, source_q);
    retarget_free_goals(&s->plan, s->map.count, s->solver.goals);
    return is_in_range(s);
}

static void move_goals(lb_retarget_stream *s)
{
    lb_vec3 by = s->jumped;
    by.z += ground_rise(&s->plan.ground, by);
    for (int i = 0; i < s->map.count; i++)
        s->solver.goals[i].place = lb_vec3_add(s->solver.goals[i].place, by);
}

static void hold_feet(lb_retarget_stream *s, double time)
{
    retarget_goal *goals = s->solver.goals;
    for (int f = 0; f < s->plan.foot_count && !s->options.unlocked; f++)
        if (!retarget_is_palm(&s->map.pairs[s->plan.feet[f].pair]))
            hold_foot(s, f, time, &goals[s->plan.feet[f].pair]);
    for (const retarget_toe *t = s->plan.toes; t < s->plan.toes + s->plan.toe_count; t++)
        goals[t->pair].hold[0] = goals[t->foot].hold[1];
}

/* ---- a frame ---------------------------------------------------------------- */

/* a stage's values go no farther from the frame before than they may */
static void bound_stage(lb_retarget_stream *s, retarget_stage stage, double time)
{
    for (int i = 0; i < s->value_count; i++) {
        const retarget_value *v = &s->values[i];
        const lb_joint *joint = lb_model_joint(s->plan.target, v->joint);
        double bounds[2], limits[2] = {joint->lower[v->value], joint->upper[v->value]};
        body_bound_value(limits, &s->speeds[i], s->before[v->q], s->velocities[i], time, bounds);
        lb_body_set_limits(s->solver.bodies[stage], v->joint, v->value, bounds[0], bounds[1]);
    }
}

/* The posture is the frame before, on its way to neutral: what tasks leave open moves no faster than
   that, and where it ends does not depend on the rate. */
static void pull_stage(lb_retarget_stream *s, retarget_stage stage, double time)
{
    body_set_stiffness(s->solver.bodies[stage], RETARGET_POSTURE * (SETTLING + time) / time);
    retarget_set_posture(&s->solver, stage, s->try);
}

static bool is_placed(lb_retarget_stream *s)
{
    retarget_feet feet = retarget_measure_feet(&s->solver, s->solver.goals, s->q);
    return retarget_is_exact(&feet);
}

/* from the frame before to the goals, then with held points in their places */
static void solve_stream(lb_retarget_stream *s, double time)
{
    static const retarget_stage stages[] = {RETARGET_NEAR, RETARGET_EXACT, RETARGET_FOLLOW};
    lb_configuration_interpolate(s->plan.target, s->before, s->solver.neutral,
                                 1 - decay(time, SETTLING), s->try);
    for (size_t i = 0; i < sizeof stages / sizeof *stages && s->phase == STREAM_RUNNING; i++) {
        bound_stage(s, stages[i], time);
        pull_stage(s, stages[i], time);
    }
    bool far = s->phase == STREAM_NEW || time > SHORT_FRAME;
    retarget_descend(&s->solver, far ? RETARGET_NEAR : RETARGET_FOLLOW, s->q, s->q);
    retarget_descend(&s->solver, RETARGET_EXACT, s->q, s->q);
    for (int round = 0; round < RETARGET_PRESSINGS && !is_placed(s); round++) {
        retarget_press_pose(&s->solver, s->q);
        retarget_descend(&s->solver, RETARGET_FOLLOW, s->q, s->q);
        retarget_descend(&s->solver, RETARGET_EXACT, s->q, s->q);
    }
}

/* Where feet can be neither flat nor above the ground otherwise, everything is lifted. */
static void lift_root(lb_retarget_stream *s)
{
    const lb_model *model = s->plan.target;
    int root = s->solver.root, parent = lb_model_parent(model, root + 1);
    retarget_feet feet = retarget_measure_feet(&s->solver, s->solver.goals, s->q);
    if (!(feet.below > 0) || lb_model_joint(model, root)->kind != LB_JOINT_FLOATING)
        return;
    lb_transform axes = lb_transform_multiply(&lb_state_transforms(s->solver.state)[parent],
                                              &lb_model_joint(model, root)->placement);
    lb_vec3 up = lb_vec3_make(0, 0, feet.below / s->plan.ground.normal.z);
    up = lb_quat_rotate(lb_quat_conjugate(lb_transform_quat(&axes)), up);
    double *at = s->q + lb_model_joint_q(model, root);
    at[0] += up.x, at[1] += up.y, at[2] += up.z;
}

/* how fast values were, and whether any could not be faster */
static void measure_values(lb_retarget_stream *s, double time)
{
    for (int i = 0; i < s->value_count; i++) {
        const retarget_value *v = &s->values[i];
        double change = s->q[v->q] - s->before[v->q];
        s->velocities[i] = time > 0 ? change / time : 0;
        s->frame.slowed = s->frame.slowed || fabs(change) >= (1 - 1e-9) * v->speed * time;
    }
}

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

static void settle_feet(lb_retarget_stream *s)
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
            if (s->feet[f].points[k].planted && bit < 32)
                s->frame.held |= 1u << bit;
        }
    }
}

/* a first frame that is given: goals are where the target is, and go over to the source's */
static void begin_at(lb_retarget_stream *s)
{
    const lb_transform *at = lb_state_transforms(s->solver.state);
    retarget_goal *goals = s->solver.goals;
    lb_state_update(s->solver.state, s->q);
    const lb_retarget_pair *root = &s->map.pairs[0];
    s->jumped = lb_vec3_sub(lb_transform_point(&at[root->target], root->target_point), s->root);
    s->jumped.z -= ground_rise(&s->plan.ground, s->jumped);
    move_goals(s);
    for (int f = 0; f < s->plan.foot_count; f++) {
        const lb_retarget_pair *pair = &s->map.pairs[s->plan.feet[f].pair];
        const retarget_goal *goal = &goals[s->plan.feet[f].pair];
        stream_foot *foot = &s->feet[f];
        foot->turn = lb_transform_quat(&at[pair->target]);
        foot->place = lb_transform_point(&at[pair->target], pair->target_point);
        foot->off_turn = lb_quat_multiply(foot->turn, lb_quat_conjugate(goal->turn));
        foot->off = ground_along(&s->plan.ground, lb_vec3_sub(foot->place, goal->place));
    }
}

/* the frame for the source's state, whose free goals are known */
static void make_frame(lb_retarget_stream *s, double time)
{
    s->frame = (lb_retarget_frame){.jumped = lb_vec3_length(s->jumped)};
    s->solver.iterations = 0;
    if (s->phase == STREAM_PLACED) {
        begin_at(s);
        return;
    }
    move_goals(s);
    hold_feet(s, time);
    retarget_touch_goals(&s->plan, s->solver.goals + s->map.count);
    retarget_complete_goals(&s->plan, s->map.count, s->solver.goals);
    if (s->phase == STREAM_NEW)
        retarget_search_first(&s->solver, s->start, s->try, s->q);
    memcpy(s->before, s->q, (size_t)lb_model_nq(s->plan.target) * sizeof *s->q);
    solve_stream(s, time);
    lift_root(s);
    if (s->phase == STREAM_RUNNING)
        measure_values(s, time);
    settle_feet(s);
    s->frame.iterations = s->solver.iterations;
}

lb_status lb_retarget_stream_next(lb_retarget_stream *s, double time, const double *source_q,
                                  double *target_q, lb_retarget_frame *frame)
{
    if (s == NULL || source_q == NULL || target_q == NULL)
        return LB_INVALID_ARGUMENT;
    double since = s->phase == STREAM_RUNNING ? time - s->time : 0;
    if (!isfinite(time) || !(since >= 0) || !isfinite(since))
        return LB_BAD_VALUE;
    // at the same time nothing may move
    if (s->phase != STREAM_RUNNING || since > 0) {
        if (!see_source(s, source_q))
            return LB_BAD_VALUE;
        take_jump(s, since);
        make_frame(s, since);
        s->time = time;
        s->phase = STREAM_RUNNING;
    }
    memcpy(target_q, s->q, (size_t)lb_model_nq(s->plan.target) * sizeof *target_q);
    if (frame != NULL)
        *frame = s->frame;
    return LB_OK;
}

/* ---- making ----------------------------------------------------------------- */

static void clear_stream(lb_retarget_stream *s)
{
    memset(s->feet, 0, sizeof s->feet);
    for (int i = 0; i < LB_RETARGET_PAIRS; i++)
        s->feet[i].off_turn = s->feet[i].turn = LB_QUAT_IDENTITY;
    for (int i = 0; i < s->value_count; i++)
        s->velocities[i] = 0;
    s->jumped = lb_vec3_make(0, 0, 0);
    s->phase = STREAM_NEW;
}

/* what frames have narrowed and stiffened is as at first */
static void free_values(lb_retarget_stream *s)
{
    for (int stage = 0; stage < RETARGET_STAGES; stage++) {
        body_set_stiffness(s->solver.bodies[stage], RETARGET_POSTURE);
        retarget_set_posture(&s->solver, (retarget_stage)stage, s->solver.neutral);
    }
    for (int i = 0; i < s->value_count; i++)
        for (int stage = 0; stage < RETARGET_STAGES; stage++)
            lb_body_set_limits(s->solver.bodies[stage], s->values[i].joint, s->values[i].value,
                               -INFINITY, INFINITY);
}

lb_status lb_retarget_stream_reset(lb_retarget_stream *s, const double *target_q)
{
    if (s == NULL)
        return LB_INVALID_ARGUMENT;
    for (int i = 0; target_q != NULL && i < lb_model_nq(s->plan.target); i++)
        if (!isfinite(target_q[i]))
            return LB_BAD_VALUE;
    clear_stream(s);
    free_values(s);
    if (target_q == NULL)
        return LB_OK;
    lb_configuration_clamp(s->plan.target, target_q, s->q);
    s->phase = STREAM_PLACED;
    return LB_OK;
}

lb_status lb_retarget_stream_set_acceleration(lb_retarget_stream *s, int joint, double acceleration)
{
    if (s == NULL || joint < 0 || joint >= lb_model_joint_count(s->plan.target))
        return LB_INVALID_ARGUMENT;
    if (!(acceleration > 0))
        return LB_BAD_VALUE;
    for (int i = 0; i < s->value_count; i++)
        if (s->values[i].joint == joint)
            s->speeds[i].acceleration = acceleration;
    return LB_OK;
}

const lb_contact_point *lb_retarget_stream_points(const lb_retarget_stream *s, int *n)
{
    *n = s == NULL ? 0 : s->point_count;
    return s == NULL ? NULL : s->points;
}

static void list_points(lb_retarget_stream *s)
{
    for (int f = 0; f < s->plan.foot_count; f++) {
        const lb_retarget_pair *pair = &s->map.pairs[s->plan.feet[f].pair];
        for (int k = 0; k < pair->held_count && !retarget_is_palm(pair); k++)
            s->points[s->point_count++] =
                (lb_contact_point){.link = pair->target, .at = pair->held[k].at};
    }
}

static lb_status take_rows(lb_retarget_stream *s, lb_error *error)
{
    const lb_allocator *memory = &s->plan.memory;
    size_t nq = (size_t)lb_model_nq(s->plan.target);
    s->q = memory_take(memory, nq, sizeof *s->q);
    s->before = memory_take(memory, nq, sizeof *s->before);
    s->try = memory_take(memory, nq, sizeof *s->try);
    s->values = memory_take(memory, nq, sizeof *s->values);
    s->speeds = memory_take(memory, nq, sizeof *s->speeds);
    s->velocities = memory_take(memory, nq, sizeof *s->velocities);
    if (s->options.start != NULL)
        s->start = memory_take(memory, nq, sizeof *s->start);
    if (s->q == NULL || s->before == NULL || s->try == NULL || s->values == NULL ||
        s->speeds == NULL || s->velocities == NULL ||
        (s->options.start != NULL && s->start == NULL))
        return error_out_of_memory(error);
    if (s->start != NULL)
        memcpy(s->start, s->options.start, nq * sizeof *s->start);
    s->value_count = retarget_list_values(&s->plan, s->values);
    for (int i = 0; i < s->value_count; i++) {
        double speed = s->options.any_speed ? INFINITY : s->values[i].speed;
        s->values[i].speed = speed;
        s->speeds[i] = (body_speed){speed, INFINITY};
    }
    return LB_OK;
}

static lb_status make_stream(lb_retarget_stream *s, lb_error *error)
{
    const lb_clip *calibration = s->plan.source;
    double *found = NULL;
    // a pose alone is that at rest
    if (s->options.rest == NULL && lb_clip_count(calibration) == 1)
        s->options.rest = lb_clip_key(calibration, 0);
    lb_status status = retarget_take_rest(calibration, s->options.map, &s->plan.memory,
                                          &s->options.rest, &found, error);
    if (status == LB_OK)
        status = retarget_take_map(&s->options, lb_clip_model(calibration), s->plan.target,
                                   &s->plan.memory, &s->map, error);
    s->plan.map = &s->map;
    s->plan.scale = s->map.scale;
    s->plan.root_scale = s->map.root_scale;
    if (status == LB_OK)
        status = retarget_plan_create(&s->plan, error);
    if (status == LB_OK)
        status = retarget_solver_create(&s->plan, RETARGET_POSTURE, &s->solver, error);
    if (status == LB_OK)
        status = take_rows(s, error);
    for (int stage = RETARGET_NEAR; stage < RETARGET_STAGES && status == LB_OK; stage++)
        body_cap_iterations(s->solver.bodies[stage], FRAME_ITERATIONS);
    memory_release(&s->plan.memory, found);
    s->options.rest = NULL;
    list_points(s);
    clear_stream(s);
    return status;
}

lb_status lb_retarget_stream_create(const lb_clip *calibration, const lb_model *target,
                                    const lb_retarget_options *options,
                                    const lb_allocator *allocator, lb_retarget_stream **stream,
                                    lb_error *error)
{
    lb_retarget_options o = options != NULL ? *options : lb_retarget_options_default();
    lb_status status =
        REQUIRE(error, {calibration, "calibration"}, {target, "target"}, {stream, "stream"});
    if (stream != NULL)
        *stream = NULL;
    if (status == LB_OK)
        status = retarget_check_options(&o, error);
    if (status != LB_OK)
        return status;
    lb_allocator memory = memory_allocator(allocator);
    lb_retarget_stream *s = memory_take(&memory, 1, sizeof *s);
    if (s == NULL)
        return error_out_of_memory(error);
    o.contacts = NULL;
    s->options = o;
    s->plan = (retarget_plan){
        .memory = memory, .source = calibration, .target = target, .options = &s->options};
    s->plan.source_ground = ground_make(0, o.detect.ground_normal);
    status = make_stream(s, error);
    if (status == LB_OK)
        *stream = s;
    else
        lb_retarget_stream_release(s);
    return status;
}

void lb_retarget_stream_release(lb_retarget_stream *s)
{
    if (s == NULL)
        return;
    lb_allocator memory = s->plan.memory;
    memory_release(&memory, s->start);
    memory_release(&memory, s->q);
    memory_release(&memory, s->before);
    memory_release(&memory, s->try);
    memory_release(&memory, s->values);
    memory_release(&memory, s->speeds);
    memory_release(&memory, s->velocities);
    retarget_solver_release(&s->solver);
    retarget_plan_release(&s->plan);
    memory_release(&memory, s);
}
