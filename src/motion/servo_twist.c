/*
 * servo_twist.c - moving the tool with a velocity.
 *
 * With J the tool's Jacobian for joint speeds as shares of their limits, y is the smallest change
 * of them with J y = twist, damped by half the twist's length: then no part of it is faster than
 * about the limits. A few refinements make up for what the damping takes where the tool can move,
 * and little of what it takes beside a singular configuration, where the tool slows down (iterated
 * Tikhonov regularisation).
 */
#include "motion/servo.h"

#include "kinematics/state.h"
#include "math/dense.h"
#include "math/scalar.h"

#include <string.h>

enum { ROWS = 6, REFINEMENTS = 4 };
/* the least damping, as a share of the tool's usual speed at full joint speeds: a singular
   configuration is approached over some hundredths of a radian, not from frame to frame */
#define DAMPING 0.05
/* radians or metres from a limit: a joint beside it does not move farther */
#define BESIDE 1e-6

/* the rows of the task's kind of a vector of six */
static int first_row(const lb_servo *s)
{
    return s->task.kind == LB_TASK_ROTATION ? 3 : 0;
}

/* fills s->jacobian with all axes' columns as shares of their speeds, angles in lengths, and the
   twist in the world's axes */
static void find_rows(lb_servo *s, double twist[ROWS])
{
    const lb_vec3 linear = lb_vec3_make(s->twist[0], s->twist[1], s->twist[2]);
    const lb_vec3 angular = lb_vec3_make(s->twist[3], s->twist[4], s->twist[5]);
    const double length = lb_ik_get_options(s->ik)->length;
    const int nv = lb_model_nv(s->model);
    lb_state_update(s->state, s->q);
    const lb_transform base = lb_state_transform(s->state, LB_WORLD, s->task.base);
    const lb_vec3 v = lb_transform_direction(&base, linear),
                  w = lb_transform_direction(&base, angular);
    memcpy(twist, (double[]){v.x, v.y, v.z, length * w.x, length * w.y, length * w.z},
           ROWS * sizeof *twist);
    relative_jacobian(s->state, s->task.base, s->task.tip, s->task.tool.p, s->jacobian + ROWS * nv,
                      s->jacobian);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < s->axis_count; k++)
            s->jacobian[i * nv + s->axes[k].v] *= s->axes[k].speed * (i < 3 ? 1 : length);
}

/* adds J^T (J J^T + damping^2)^-1 (twist - J y) to y, a few times; fills what is left */
static void solve_rows(lb_servo *s, int first, int rows, const double *twist, double *left)
{
    const int nv = lb_model_nv(s->model);
    const double *jacobian = s->jacobian + first * nv;
    double a[ROWS * ROWS], trace = 0, length = 0, z[ROWS];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++) {
            a[i * rows + j] = 0;
            for (int k = 0; k < nv; k++)
                a[i * rows + j] += jacobian[i * nv + k] * jacobian[j * nv + k];
        }
    for (int i = 0; i < rows; i++) {
        trace += a[i * rows + i];
        length += twist[i] * twist[i];
        left[i] = twist[i];
    }
    for (int i = 0; i < rows; i++)
        a[i * rows + i] += scalar_max(0.25 * length, DAMPING * DAMPING * trace / rows);
    for (int k = 0; k < s->axis_count; k++)
        s->goal_speed[k] = 0;
    bool solvable = length > 0 && dense_ldl_factor(rows, a) > 0;
    for (int r = 0; r < REFINEMENTS && solvable; r++) {
        memcpy(z, left, sizeof z);
        dense_ldl_solve(rows, a, z);
        for (int k = 0; k < s->axis_count; k++)
            for (int i = 0; i < rows; i++)
                s->goal_speed[k] += jacobian[i * nv + s->axes[k].v] * z[i];
        for (int i = 0; i < rows; i++) {
            left[i] = twist[i];
            for (int k = 0; k < s->axis_count; k++)
                left[i] -= jacobian[i * nv + s->axes[k].v] * s->goal_speed[k];
        }
    }
}

/* whether a joint beside a limit would move farther; it takes no part then */
static bool drop_blocked(lb_servo *s)
{
    const int nv = lb_model_nv(s->model);
    bool dropped = false;
    for (int k = 0; k < s->axis_count; k++) {
        const servo_axis *axis = &s->axes[k];
        double w = s->goal_speed[k], q = s->q[axis->q];
        if (w == 0 || (w > 0 ? axis->upper - q : q - axis->lower) > BESIDE)
            continue;
        for (int i = 0; i < ROWS; i++)
            s->jacobian[i * nv + axis->v] = 0;
        dropped = true;
    }
    return dropped;
}

/* fills s->goal_speed with the joints' speeds; the share of the twist that they give */
static double find_speeds(lb_servo *s)
{
    double twist[ROWS], left[ROWS], along = 0, length = 0;
    const int first = first_row(s), rows = lb_task_rows(s->task.kind);
    find_rows(s, twist);
    do
        solve_rows(s, first, rows, twist + first, left);
    while (drop_blocked(s));
    for (int i = 0; i < rows; i++) {
        along += twist[first + i] * (twist[first + i] - left[i]);
        length += twist[first + i] * twist[first + i];
    }
    for (int k = 0; k < s->axis_count; k++)
        s->goal_speed[k] *= s->axes[k].speed;
    return length > 0 ? scalar_clamp(along / length, 0, 1) : 1;
}

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
double servo_twist_step(lb_servo *s)
{
    const double dt = s->options.period, given = find_speeds(s), share = twist_share(s);
    double part = 1;
    for (int k = 0; k < s->axis_count; k++) {
        double change = fabs(share * s->goal_speed[k] - s->speed[k]);
        if (change > s->axes[k].acceleration * dt)
            part = scalar_min(part, s->axes[k].acceleration * dt / change);
    }
    for (int k = 0; k < s->axis_count; k++) {
        double w = s->speed[k], *q = &s->q[s->axes[k].q];
        double after = w + part * (share * s->goal_speed[k] - w);
        servo_move_axis(s, k, *q + 0.5 * dt * (w + after), after);
    }
    memcpy(s->goal, s->q, sizeof *s->goal * (size_t)lb_model_nq(s->model));
    s->goal_result = (lb_ik_result){.outcome = LB_REACHED};
    return given * share;
}
