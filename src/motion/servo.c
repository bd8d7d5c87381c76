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

/* metres and radians by which a reached target may be missed, as by default in ik.h */
#define REACHED 1e-6
/* a goal that moves is followed at this share of a joint's speed, so that the joint can catch up */
#define GOAL_SPEED 0.98
/* a goal that moves by more of a joint's frames at its full speed has jumped */
#define JUMP 2
/* radians or metres: rounding of a stopping distance */
#define ROUNDING 1e-12

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
    double *row = s->ring + (size_t)s->oldest * 2 * (size_t)n;
    bool same = true;
    for (int i = 0; i < 2 * n; i++) {
        double x = i < n ? s->q[s->axes[i].q] : s->speed[i - n];
        add_exactly(&s->sums[i], &s->losses[i], x);
        add_exactly(&s->sums[i], &s->losses[i], -row[i]);
        row[i] = x;
        same = same && (i < n || x == 0);
    }
    s->oldest = (s->oldest + 1) % s->window;
    s->still = !same ? 0 : s->still < s->window ? s->still + 1 : s->still;
}

/* the means; a servo at rest gives its configuration without rounding */
static void write_frame(lb_servo *s, double *q, double *v, double *a)
{
    const int n = s->axis_count;
    const bool resting = s->still >= s->window;
    memcpy(q, s->q, sizeof *q * (size_t)lb_model_nq(s->model));
    for (int i = 0; v && i < lb_model_nv(s->model); i++)
        v[i] = 0;
    for (int i = 0; a && i < lb_model_nv(s->model); i++)
        a[i] = 0;
    for (int k = 0; k < n; k++) {
        const servo_axis *axis = &s->axes[k];
        double mean = (s->sums[k] + s->losses[k]) / s->window;
        double speed = resting ? 0 : (s->sums[n + k] + s->losses[n + k]) / s->window;
        if (!resting)
            q[axis->q] = scalar_clamp(mean, axis->lower, axis->upper);
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
    s->goal_result = (lb_ik_result){.outcome = LB_REACHED};
    s->still = s->window;
    s->mode = SERVO_REST;
    s->why = LB_SERVO_STOPPED;
    s->line.active = s->drifts = s->fresh = s->was_fresh = false;
}

/* ---- targets ------------------------------------------------------------------ */

static void stop(lb_servo *s, lb_servo_state why)
{
    s->mode = SERVO_REST;
    s->why = why;
    s->line.active = s->fresh = false;
}

static void set_target(lb_servo *s, servo_mode mode)
{
    s->fresh = true;
    s->was_fresh = s->was_fresh && s->mode == mode;
    s->mode = mode;
    s->line.active = false;
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
    set_target(servo, SERVO_TWIST);
    memcpy(servo->twist, twist, sizeof servo->twist);
}

void lb_servo_move(lb_servo *servo, const double *q)
{
    lb_servo *s = servo;
    bool same = s->mode == SERVO_JOINTS;
    s->age = 0;
    memcpy(s->trial, s->q, sizeof *s->q * (size_t)lb_model_nq(s->model));
    for (int k = 0; k < s->axis_count; k++) {
        const servo_axis *axis = &s->axes[k];
        if (!range_has(q[axis->q])) {
            stop(s, LB_SERVO_INVALID);
            return;
        }
        s->trial[axis->q] = scalar_clamp(q[axis->q], axis->lower, axis->upper);
        same = same && s->trial[axis->q] == (s->fresh ? s->next_goal : s->goal)[axis->q];
    }
    if (same)
        return;
    set_target(s, SERVO_JOINTS);
    s->drifts = false;
    memcpy(s->next_goal, s->trial, sizeof *s->trial * (size_t)lb_model_nq(s->model));
}

/* ---- places ------------------------------------------------------------------- */

lb_transform servo_tool(lb_servo *s, const double *q)
{
    lb_state_update(s->state, q);
    const lb_transform tip = lb_state_transform(s->state, s->task.base, s->task.tip);
    return lb_transform_multiply(&tip, &s->task.tool);
}

lb_transform servo_displaced(const lb_transform *pose, lb_vec3 linear, lb_vec3 angular)
{
    lb_quat turned = lb_quat_multiply(lb_quat_exp(angular), lb_transform_quat(pose));
    return lb_transform_from_quat(lb_quat_normalize(turned), lb_vec3_add(pose->p, linear));
}

/* a pose after a frame with the twist */
static lb_transform drifted(const lb_servo *s, const lb_transform *pose)
{
    const double *t = s->twist, dt = s->options.period;
    return servo_displaced(pose, lb_vec3_make(t[0] * dt, t[1] * dt, t[2] * dt),
                           lb_vec3_make(t[3] * dt, t[4] * dt, t[5] * dt));
}

bool servo_solve(lb_servo *s, const lb_transform *pose, const double *start, double *q,
                 lb_ik_result *result)
{
    lb_ik_result unwanted;
    result = result ? result : &unwanted;
    lb_ik_solve(s->ik, pose, start, q, result);
    // the solver is asked for more than what counts as reached, which rounding may deny
    if (result->position_error <= REACHED && result->rotation_error <= REACHED) {
        result->outcome = LB_REACHED;
        result->reason = LB_REASON_NONE;
    }
    return result->outcome == LB_REACHED;
}

/* ---- goals -------------------------------------------------------------------- */

/* the speeds by which one goal becomes another in a frame; false: it jumps */
static bool measure_goal_speed(lb_servo *s, const double *from, const double *to)
{
    bool jumps = false;
    for (int k = 0; k < s->axis_count; k++) {
        int q = s->axes[k].q;
        s->goal_speed[k] = (to[q] - from[q]) / s->options.period;
        jumps = jumps || fabs(s->goal_speed[k]) > JUMP * s->axes[k].speed;
    }
    return !jumps;
}

static void rest_goal(lb_servo *s)
{
    for (int k = 0; k < s->axis_count; k++)
        s->goal_speed[k] = 0;
}

/* the goal of a pose: a new target that does not stream is approached from where the arm is */
static void find_pose_goal(lb_servo *s)
{
    const bool streams = s->fresh && s->was_fresh;
    bool reached = s->goal_result.outcome == LB_REACHED, follows = false;
    memcpy(s->trial, s->goal, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    if (s->fresh || s->goal_result.outcome == LB_EXHAUSTED)
        reached = servo_solve(s, &s->target, s->fresh && !s->was_fresh ? s->q : s->goal, s->goal,
                              &s->goal_result);
    if (s->drifts) {
        s->target = drifted(s, &s->target);
        bool ahead = servo_solve(s, &s->target, s->goal, s->next_goal, &s->goal_result);
        follows = reached && ahead && measure_goal_speed(s, s->goal, s->next_goal);
    } else if (streams) {
        follows = reached && measure_goal_speed(s, s->trial, s->goal);
    }
    if (!follows)
        rest_goal(s);
}

static void find_joint_goal(lb_servo *s)
{
    rest_goal(s);
    if (!s->fresh)
        return;
    bool follows = s->was_fresh && measure_goal_speed(s, s->goal, s->next_goal);
    if (!follows)
        rest_goal(s);
    memcpy(s->goal, s->next_goal, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    s->goal_result = (lb_ik_result){.outcome = LB_REACHED};
}

/* ---- moving ------------------------------------------------------------------- */

static void brake(lb_servo *s, int k)
{
    const double a = s->axes[k].acceleration, dt = s->options.period, w = s->speed[k];
    double *q = &s->q[s->axes[k].q];
    bool stops = fabs(w) <= a * dt;
    *q += stops ? 0.5 * w * fabs(w) / a : dt * (w - 0.5 * copysign(a, w) * dt);
    *q = scalar_clamp(*q, s->axes[k].lower, s->axes[k].upper);
    s->speed[k] = stops ? 0 : w - copysign(a, w) * dt;
}

/* moves a joint, or brakes it if it could not stop before its limit afterwards */
static void move_axis(lb_servo *s, int k, double q, double speed)
{
    const servo_axis *axis = &s->axes[k];
    double room = speed > 0 ? axis->upper - q : q - axis->lower;
    if (0.5 * speed * speed > axis->acceleration * (room + ROUNDING)) {
        brake(s, k);
        return;
    }
    s->q[axis->q] = scalar_clamp(q, axis->lower, axis->upper);
    s->speed[k] = speed;
}

/* what an axis has to do; the goal's speed is cut to what the joint can follow and stop from. The
   mean lags by half its window: the joint goes ahead of a goal that moves */
static servo_motion axis_motion(lb_servo *s, int k)
{
    const servo_axis *axis = &s->axes[k];
    double *v = &s->goal_speed[k], goal = s->goal[axis->q], most = GOAL_SPEED * axis->speed;
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
        s->profiles[k] = servo_profile_fastest(&s->motions[k]);
        time = scalar_max(time, s->profiles[k].duration);
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
        move_axis(s, k, lands ? s->goal[s->axes[k].q] : *q + covered + v * dt, speed + v);
    }
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

/* a frame towards a pose or joint values; the seconds until the joints rest */
static double follow_goal(lb_servo *s)
{
    double time = plan_axes(s);
    const bool moves = goal_moves(s);
    if (s->mode == SERVO_POSE && s->fresh && !s->was_fresh && !s->drifts && s->options.line > 0 &&
        s->goal_result.outcome == LB_REACHED && is_still(s))
        s->line.active = servo_line_plan(s, s->options.line * time);
    if (s->line.active) {
        time = s->line.left;
        servo_line_step(s);
    } else {
        approach_goal(s, moves ? scalar_max(time, s->options.landing) : time);
    }
    if (s->drifts)
        memcpy(s->goal, s->next_goal, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    time = scalar_max(0, time - s->options.period);
    return moves ? 0 : time + (time > 0 ? s->window - 1 : s->window - s->still) * s->options.period;
}

/* ---- a twist ------------------------------------------------------------------ */

/* the largest speed after a frame from which a joint can still stop within `room` */
static double speed_within(const lb_servo *s, int k, double room, double speed)
{
    double a = s->axes[k].acceleration, half = 0.5 * a * s->options.period;
    room -= 0.5 * speed * s->options.period;
    return sqrt(scalar_max(0, half * half + 2 * a * room)) - half;
}

/* the share of the wanted speeds, in s->goal_speed, that limits allow */
static double twist_share(const lb_servo *s)
{
    double share = 1;
    for (int k = 0; k < s->axis_count; k++) {
        const servo_axis *axis = &s->axes[k];
        double w = s->goal_speed[k], now = s->speed[k], q = s->q[axis->q];
        double most = w > 0 ? speed_within(s, k, axis->upper - q, now)
                            : speed_within(s, k, q - axis->lower, -now);
        most = scalar_clamp(most, 0, axis->speed);
        if (fabs(w) > most)
            share = scalar_min(share, most / fabs(w));
    }
    return share;
}

/* all speeds go straight to the wanted ones, so that from rest the tool moves along its twist */
static double follow_twist(lb_servo *s)
{
    const double dt = s->options.period;
    const lb_transform here = servo_tool(s, s->q), next = drifted(s, &here);
    servo_solve(s, &next, s->q, s->goal, &s->goal_result);
    measure_goal_speed(s, s->q, s->goal);
    double share = twist_share(s), part = 1;
    for (int k = 0; k < s->axis_count; k++) {
        double change = fabs(share * s->goal_speed[k] - s->speed[k]);
        if (change > s->axes[k].acceleration * dt)
            part = scalar_min(part, s->axes[k].acceleration * dt / change);
    }
    for (int k = 0; k < s->axis_count; k++) {
        double w = s->speed[k], *q = &s->q[s->axes[k].q];
        double after = w + part * (share * s->goal_speed[k] - w);
        move_axis(s, k, *q + 0.5 * dt * (w + after), after);
    }
    return share;
}

/* ---- a frame ------------------------------------------------------------------ */

static void brake_all(lb_servo *s)
{
    for (int k = 0; k < s->axis_count; k++)
        brake(s, k);
    memcpy(s->goal, s->q, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    s->goal_result = (lb_ik_result){.outcome = LB_REACHED};
}

static lb_servo_state state_of(const lb_servo *s, bool resting)
{
    return s->mode == SERVO_REST               ? s->why
           : s->line.active                    ? LB_SERVO_LINE
           : s->mode != SERVO_TWIST && resting ? LB_SERVO_ARRIVED
                                               : LB_SERVO_MOVING;
}

void lb_servo_step(lb_servo *servo, double *q, double *v, double *a, lb_servo_frame *frame)
{
    lb_servo *s = servo;
    lb_servo_frame made = {.share = 1};
    if (s->mode != SERVO_REST && s->age * s->options.period >= s->options.stale)
        stop(s, LB_SERVO_STALE);
    s->age++;
    switch (s->mode) {
    case SERVO_REST:
        brake_all(s);
        break;
    case SERVO_TWIST:
        made.share = follow_twist(s);
        break;
    case SERVO_POSE:
        find_pose_goal(s);
        made.remaining = follow_goal(s);
        break;
    case SERVO_JOINTS:
        find_joint_goal(s);
        made.remaining = follow_goal(s);
        break;
    }
    s->was_fresh = s->fresh;
    s->fresh = false;
    remember(s);
    write_frame(s, q, v, a);
    made.resting = s->still >= s->window;
    made.state = state_of(s, made.resting);
    made.goal = s->goal_result;
    if (frame)
        *frame = made;
}
