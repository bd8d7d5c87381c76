/*
 * servo.c - following a target that is not known in advance.
 *
 * A frame finds the goal, by one descent from the goal of the frame before, and lets each joint
 * follow its profile towards it for one period. Planning again in the next frame gives the same
 * profile: the instantaneous speed is part of the state, and profiles are exact at any time.
 */
#include "motion/servo.h"

#include "base/text.h"
#include "math/scalar.h"
#include "model/range.h"

#include <string.h>

/* a goal that moves is followed at this share of a joint's speed, so that the joint can catch up */
#define GOAL_SPEED 0.98
/* a goal that moves by more than a joint in so many frames has jumped */
#define JUMP 2
/* radians or metres by which a descent that ends still moves a goal */
#define CREEP 1e-9

const char *lb_servo_state_text(lb_servo_state state)
{
    static const char *const texts[] = {LB_SERVO_STATE_LIST(LIST_TEXT)};
    return (unsigned)state < LB_SERVO_STATE_COUNT ? texts[state] : "unknown";
}

/* ---- the mean ----------------------------------------------------------------- */

/* adds x to a sum whose rounding error is kept (Knuth's two-sum) */
static void add_exactly(double *sum, double *loss, double x)
{
    double total = *sum + x, part = total - *sum;
    *loss += (*sum - (total - part)) + (x - part);
    *sum = total;
}

/* puts the configuration into the ring in the place of the oldest */
static void remember(lb_servo *s)
{
    const int n = s->axis_count;
    const int latest = (s->oldest > 0 ? s->oldest : s->window) - 1;
    const double *before = s->ring + (size_t)latest * 2 * (size_t)n;
    double *row = s->ring + (size_t)s->oldest * 2 * (size_t)n;
    bool same = true;
    for (int i = 0; i < 2 * n; i++) {
        double x = i < n ? s->q[s->axes[i].q] : s->speed[i - n];
        // a joint may have moved within the frame and be at rest again
        same = same && (i < n ? x == before[i] : x == 0);
        add_exactly(&s->sums[i], &s->losses[i], x);
        add_exactly(&s->sums[i], &s->losses[i], -row[i]);
        row[i] = x;
    }
    s->oldest = (s->oldest + 1) % s->window;
    s->still = !same ? 0 : s->still < s->window ? s->still + 1 : s->still;
}

/* the means; a servo at rest gives its configuration without rounding */
static void find_mean(const lb_servo *s, double *q)
{
    memcpy(q, s->q, sizeof *q * (size_t)lb_model_nq(s->model));
    for (int k = 0; k < s->axis_count && s->still < s->window; k++) {
        const servo_axis *axis = &s->axes[k];
        double mean = (s->sums[k] + s->losses[k]) / s->window;
        q[axis->q] = scalar_clamp(mean, axis->lower, axis->upper);
    }
}

static void write_frame(lb_servo *s, double *q, double *v, double *a)
{
    const int n = s->axis_count;
    find_mean(s, q);
    for (int i = 0; v && i < lb_model_nv(s->model); i++)
        v[i] = 0;
    for (int i = 0; a && i < lb_model_nv(s->model); i++)
        a[i] = 0;
    for (int k = 0; k < n; k++) {
        const servo_axis *axis = &s->axes[k];
        bool resting = s->still >= s->window;
        double speed = resting ? 0 : (s->sums[n + k] + s->losses[n + k]) / s->window;
        if (v)
            v[axis->v] = speed;
        if (a)
            a[axis->v] = (speed - s->last_speed[k]) / s->options.period;
        s->last_speed[k] = speed;
    }
}

void servo_rest(lb_servo *s)
{
    const int n = s->axis_count;
    for (int i = 0; i < 2 * n; i++) {
        double x = i < n ? s->q[s->axes[i].q] : 0;
        s->sums[i] = s->losses[i] = 0;
        for (int row = 0; row < s->window; row++) {
            s->ring[(size_t)row * 2 * (size_t)n + (size_t)i] = x;
            add_exactly(&s->sums[i], &s->losses[i], x);
        }
        if (i < n)
            s->speed[i] = s->goal_speed[i] = s->last_speed[i] = 0;
    }
    memcpy(s->goal, s->q, sizeof *s->q * (size_t)lb_model_nq(s->model));
    memcpy(s->reached, s->q, sizeof *s->q * (size_t)lb_model_nq(s->model));
    s->goal_result = (lb_ik_result){.outcome = LB_REACHED};
    s->still = s->window;
    s->mode = SERVO_REST;
    s->why = LB_SERVO_STOPPED;
    s->line.active = s->line.awaited = s->drifts = s->fresh = s->was_fresh = s->descends = false;
}

/* ---- targets ------------------------------------------------------------------ */

static void stop(lb_servo *s, lb_servo_state why)
{
    s->mode = SERVO_REST;
    s->why = why;
    s->line.active = s->line.awaited = s->fresh = false;
}

static void set_target(lb_servo *s, servo_mode mode)
{
    s->fresh = true;
    s->was_fresh = s->was_fresh && s->mode == mode;
    s->mode = mode;
    s->line.active = s->line.awaited = false;
}

void lb_servo_stop(lb_servo *servo)
{
    stop(servo, LB_SERVO_STOPPED);
}

void lb_servo_aim(lb_servo *servo, const lb_transform *target, const double *velocity)
{
    lb_servo *s = servo;
    s->age = 0;
    if (!s->has_task || !range_has_frame(target) || (velocity && !range_has_row(velocity, 6))) {
        stop(s, LB_SERVO_INVALID);
        return;
    }
    // the same target at rest again: what was planned for it goes on
    if (s->mode == SERVO_POSE && !velocity && !s->drifts &&
        memcmp(&s->target, target, sizeof *target) == 0)
        return;
    set_target(s, SERVO_POSE);
    s->target = *target;
    s->drifts = velocity != NULL;
    if (velocity)
        memcpy(s->twist, velocity, sizeof s->twist);
}

void lb_servo_twist(lb_servo *servo, const double *twist)
{
    servo->age = 0;
    if (!servo->has_task || !range_has_row(twist, 6)) {
        stop(servo, LB_SERVO_INVALID);
        return;
    }
    // the same twist goes on
    if (servo->mode == SERVO_TWIST && memcmp(servo->twist, twist, sizeof servo->twist) == 0)
        return;
    set_target(servo, SERVO_TWIST);
    memcpy(servo->twist, twist, sizeof servo->twist);
}

void lb_servo_move(lb_servo *servo, const double *q)
{
    lb_servo *s = servo;
    bool same = s->mode == SERVO_JOINTS;
    s->age = 0;
    s->clamped = false;
    memcpy(s->trial, s->q, sizeof *s->q * (size_t)lb_model_nq(s->model));
    for (int k = 0; k < s->axis_count; k++) {
        const servo_axis *axis = &s->axes[k];
        if (!range_has(q[axis->q])) {
            stop(s, LB_SERVO_INVALID);
            return;
        }
        s->trial[axis->q] = scalar_clamp(q[axis->q], axis->lower, axis->upper);
        s->clamped = s->clamped || fabs(s->trial[axis->q] - q[axis->q]) > SERVO_ROUNDING;
        same = same && s->trial[axis->q] == (s->fresh ? s->next_goal : s->goal)[axis->q];
    }
    if (same)
        return;
    set_target(s, SERVO_JOINTS);
    s->drifts = false;
    memcpy(s->next_goal, s->trial, sizeof *s->trial * (size_t)lb_model_nq(s->model));
}

/* ---- goals -------------------------------------------------------------------- */

/* a pose after a frame with the twist */
static lb_transform drifted(const lb_servo *s, const lb_transform *pose)
{
    const double *t = s->twist, dt = s->options.period;
    return servo_displaced(pose, lb_vec3_make(t[0] * dt, t[1] * dt, t[2] * dt),
                           lb_vec3_make(t[3] * dt, t[4] * dt, t[5] * dt));
}

/* the joints go to the goal, which rests */
static void rest_goal(lb_servo *s)
{
    for (int k = 0; k < s->axis_count; k++) {
        s->aim[k] = s->goal[s->axes[k].q];
        s->goal_speed[k] = 0;
    }
}

/* the joints go where goals that come frame by frame lead: a filter of second order whose memory
   fades over the landing time, which has no lag at a constant speed (Brookner 1998) */
static void filter_goal(lb_servo *s)
{
    const double dt = s->options.period, landing = s->options.landing;
    const double kept = landing / (landing + dt), lost = 1 - kept;
    for (int k = 0; k < s->axis_count; k++) {
        const servo_axis *axis = &s->axes[k];
        double next = s->aim[k] + s->goal_speed[k] * dt, miss = s->goal[axis->q] - next;
        if (fabs(miss) > axis->speed * scalar_max(landing, JUMP * dt)) {
            rest_goal(s);
            return;
        }
        s->aim[k] = scalar_clamp(next + (1 - kept * kept) * miss, axis->lower, axis->upper);
        s->goal_speed[k] += lost * lost * miss / dt;
    }
}

/* the goal goes to the next one in this frame, unless that is a jump */
static void drift_goal(lb_servo *s)
{
    rest_goal(s);
    for (int k = 0; k < s->axis_count; k++) {
        int q = s->axes[k].q;
        s->goal_speed[k] = (s->next_goal[q] - s->goal[q]) / s->options.period;
        if (fabs(s->goal_speed[k]) > JUMP * s->axes[k].speed) {
            rest_goal(s);
            return;
        }
    }
}

/* whether two configurations differ by more than the solver's rounding */
static bool differs(const lb_servo *s, const double *a, const double *b)
{
    for (int k = 0; k < s->axis_count; k++)
        if (fabs(a[s->axes[k].q] - b[s->axes[k].q]) > CREEP)
            return true;
    return false;
}

/* A descent from a place out of reach may end beside the target that has come back, as from an arm
   that is stretched; the last goal that was reached, or given, leads back on the same branch */
static bool solve_from_last_reached(lb_servo *s)
{
    lb_ik_result result;
    if (!servo_solve(s, &s->target, s->reached, s->next_goal, &result))
        return false;
    memcpy(s->goal, s->next_goal, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    s->goal_result = result;
    return true;
}

/* the goal of a pose: a new target that does not stream is approached from where the arm is. A
   descent that is not at its end goes on in the next frame */
static void find_pose_goal(lb_servo *s)
{
    const bool begins = s->fresh && !s->was_fresh;
    if (s->fresh || s->descends) {
        bool reached;
        memcpy(s->trial, begins ? s->q : s->goal, sizeof *s->q * (size_t)lb_model_nq(s->model));
        reached = servo_solve(s, &s->target, s->trial, s->goal, &s->goal_result) ||
                  solve_from_last_reached(s);
        s->descends = !reached && differs(s, s->goal, s->trial);
        if (reached)
            memcpy(s->reached, s->goal, sizeof *s->q * (size_t)lb_model_nq(s->model));
    }
    if (s->drifts) {
        s->target = drifted(s, &s->target);
        servo_solve(s, &s->target, s->goal, s->next_goal, &s->goal_result);
        drift_goal(s);
    } else if (s->fresh && s->was_fresh) {
        filter_goal(s);
    } else {
        rest_goal(s);
    }
}

static void find_joint_goal(lb_servo *s)
{
    if (s->fresh)
        memcpy(s->goal, s->next_goal, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    if (s->fresh && s->was_fresh)
        filter_goal(s);
    else
        rest_goal(s);
    // whoever gives joint values chooses the branch
    memcpy(s->reached, s->goal, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    s->goal_result = s->clamped
                         ? (lb_ik_result){.outcome = LB_UNREACHABLE, .reason = LB_REASON_LIMITS}
                         : (lb_ik_result){.outcome = LB_REACHED};
    s->descends = false;
}

/* ---- moving ------------------------------------------------------------------- */

/* what an axis has to do; the goal's speed is cut to what the joint can follow and stop from. The
   mean lags by half its window: the joint goes ahead of a goal that moves */
static servo_motion axis_motion(lb_servo *s, int k)
{
    const servo_axis *axis = &s->axes[k];
    double *v = &s->goal_speed[k], goal = s->aim[k], most = GOAL_SPEED * axis->speed;
    *v = scalar_clamp(*v, -most, most);
    goal += 0.5 * (s->window - 1) * s->options.period * *v;
    goal = scalar_clamp(goal, axis->lower, axis->upper);
    double room = scalar_max(0, *v > 0 ? axis->upper - goal : goal - axis->lower);
    most = sqrt(2 * axis->acceleration * room);
    *v = scalar_clamp(*v, -most, most);
    return (servo_motion){.distance = goal - s->q[axis->q],
                          .speed = s->speed[k] - *v,
                          .acceleration = axis->acceleration,
                          .up = axis->speed - *v,
                          .down = axis->speed + *v};
}

/* the least time in which all joints meet their goals */
static double plan_axes(lb_servo *s)
{
    double time = 0;
    for (int k = 0; k < s->axis_count; k++) {
        s->motions[k] = axis_motion(s, k);
        time = scalar_max(time, servo_profile_fastest(&s->motions[k]).duration);
    }
    return time;
}

/* all joints take as long as the slowest */
static void approach_goal(lb_servo *s, double time)
{
    const double dt = s->options.period;
    for (int k = 0; k < s->axis_count; k++) {
        const servo_motion *m = &s->motions[k];
        const servo_profile p = servo_profile_in_time(m, time);
        double covered, speed, v = s->goal_speed[k], *q = &s->q[s->axes[k].q];
        servo_profile_at(&p, m, dt, &covered, &speed);
        bool lands = v == 0 && speed == 0 && covered == m->distance;
        servo_move_axis(s, k, lands ? s->aim[k] : *q + covered + v * dt, speed + v);
    }
}

/* the seconds until all joints rest if they brake, in whole frames */
static double braking_time(const lb_servo *s)
{
    double time = 0;
    for (int k = 0; k < s->axis_count; k++)
        time = scalar_max(time, fabs(s->speed[k]) / s->axes[k].acceleration);
    return ceil(time / s->options.period) * s->options.period;
}

static void brake_axes(lb_servo *s)
{
    for (int k = 0; k < s->axis_count; k++)
        servo_brake(s, k);
}

static bool is_still(const lb_servo *s)
{
    for (int k = 0; k < s->axis_count; k++)
        if (s->speed[k] != 0)
            return false;
    return true;
}

static bool goal_moves(const lb_servo *s)
{
    for (int k = 0; k < s->axis_count; k++)
        if (s->goal_speed[k] != 0)
            return true;
    return false;
}

/* looks for a line to the target, from where the joints come to rest: whether there is one that
   takes up to so many times as long as their way to the goal does, `time` */
static bool plan_line(lb_servo *s, double time)
{
    const size_t size = sizeof *s->q * (size_t)lb_model_nq(s->model);
    memcpy(s->next_goal, s->q, size);
    for (int k = 0; k < s->axis_count; k++)
        s->q[s->axes[k].q] = servo_rest_place(s, k);
    const bool found = servo_line_plan(s, s->options.line * time - braking_time(s));
    memcpy(s->q, s->next_goal, size);
    return found;
}

/* decides on a line to a new target at rest, and begins the one that was awaited */
static void choose_line(lb_servo *s, double time)
{
    servo_line *l = &s->line;
    const bool begins = s->fresh && !s->was_fresh && !s->drifts, still = is_still(s);
    if (s->mode == SERVO_POSE && begins && s->options.line > 0 &&
        s->goal_result.outcome == LB_REACHED)
        l->awaited = plan_line(s, time);
    l->active = l->active || (l->awaited && still);
    l->awaited = l->awaited && !still;
}

/* a frame towards a pose or joint values; the seconds until the configuration is at the goal, less
   than 0 if the goal moves */
static double follow_goal(lb_servo *s)
{
    double time = plan_axes(s);
    const bool moves = goal_moves(s);
    choose_line(s, time);
    if (s->line.active) {
        time = s->line.left;
        servo_line_step(s);
    } else if (s->line.awaited) {
        time = s->line.left + braking_time(s);
        brake_axes(s);
        // they come to rest where the line begins, but for rounding
        for (int k = 0; k < s->axis_count; k++)
            if (s->speed[k] == 0)
                s->q[s->axes[k].q] = s->line.curve.values[k];
    } else {
        approach_goal(s, moves || s->descends ? scalar_max(time, s->options.landing) : time);
    }
    if (s->drifts)
        memcpy(s->goal, s->next_goal, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    return moves ? -1 : scalar_max(0, time - s->options.period);
}

/* ---- a frame ------------------------------------------------------------------ */

static void brake_all(lb_servo *s)
{
    brake_axes(s);
    memcpy(s->goal, s->q, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    s->goal_result = (lb_ik_result){.outcome = LB_REACHED};
}

static lb_servo_state state_of(const lb_servo *s, const lb_servo_frame *made)
{
    // the share of a twist of nothing is 1
    const bool blocked = made->resting && made->share < 1;
    return s->mode == SERVO_REST                  ? s->why
           : s->mode == SERVO_TWIST               ? (blocked     ? LB_SERVO_BLOCKED
                                                     : s->partly ? LB_SERVO_PARTLY
                                                                 : LB_SERVO_MOVING)
           : s->line.active                       ? LB_SERVO_LINE
           : !made->resting                       ? LB_SERVO_MOVING
           : s->goal_result.outcome == LB_REACHED ? LB_SERVO_ARRIVED
                                                  : LB_SERVO_UNREACHED;
}

void lb_servo_step(lb_servo *servo, double *q, double *v, double *a, lb_servo_frame *frame)
{
    lb_servo *s = servo;
    lb_servo_frame made = {.share = 1};
    lb_transform before = LB_TRANSFORM_IDENTITY, after;
    double left = -1;
    if (s->mode != SERVO_REST && s->age * s->options.period >= s->options.stale)
        stop(s, LB_SERVO_STALE);
    s->age++;
    switch (s->mode) {
    case SERVO_REST:
        brake_all(s);
        break;
    case SERVO_TWIST:
        find_mean(s, s->trial);
        before = servo_tool(s, s->trial);
        servo_twist_step(s);
        break;
    case SERVO_POSE:
        find_pose_goal(s);
        left = follow_goal(s);
        break;
    case SERVO_JOINTS:
        find_joint_goal(s);
        left = follow_goal(s);
        break;
    }
    s->was_fresh = s->fresh;
    s->fresh = false;
    remember(s);
    write_frame(s, q, v, a);
    if (s->mode == SERVO_TWIST) {
        after = servo_tool(s, q);
        made.share = servo_twist_share(s, &before, &after);
    }
    made.resting = s->still >= s->window;
    made.state = state_of(s, &made);
    made.goal = s->goal_result;
    if (left >= 0)
        made.remaining = left + (s->window - (s->still > 0 ? s->still : 1)) * s->options.period;
    if (frame)
        *frame = made;
}
