/*
 * servo_watch.h - servos of arms, and a watch that checks every sample against every limit.
 *
 * Nothing here is shared with the servo: limits are read from the settings, and rates are taken
 * from differences of what comes out.
 */
#ifndef TEST_MOTION_SERVO_WATCH_H
#define TEST_MOTION_SERVO_WATCH_H

#include "owned.h"
#include "support_load.h"

#include <limber/limber.h>
#include <math.h>
#include <string.h>

enum { MOST_Q = 16 };

/* limits are kept to this, in radians or metres and seconds */
#define KEPT 1e-9

/* A servo, the limits that it was given, and its last samples. */
typedef struct watch {
    const lb_model *model;
    lb_servo *servo;
    lb_joint_setting settings[MOST_Q];
    lb_servo_options options;
    int count;                                       /* samples since the start */
    double q[4][MOST_Q], v[2][MOST_Q], a[2][MOST_Q]; /* the newest first */
    lb_servo_frame frame;
} watch;

/* every joint that moves, with one speed, acceleration and jerk */
static inline void watch_limit(watch *w, double speed, double acceleration, double jerk)
{
    w->options = lb_servo_options_default();
    for (int j = 0; j < lb_model_joint_count(w->model); j++) {
        if (lb_model_joint(w->model, j)->kind == LB_JOINT_FIXED)
            continue;
        lb_joint_setting *s = &w->settings[w->options.joint_count++];
        *s = lb_joint_setting_make(j);
        s->velocity = speed;
        s->acceleration = acceleration;
        s->jerk = jerk;
    }
}

static inline void watch_begin(watch *w, const lb_task *task, const double *start)
{
    lb_error error;
    w->options.joints = w->settings;
    assert_made(lb_servo_create(w->model, task, &w->options, NULL, &w->servo, &error), error);
    assert_ok(lb_servo_reset(w->servo, start, &error));
    memset(w->v, 0, sizeof w->v);
    memset(w->a, 0, sizeof w->a);
    for (int i = 0; i < 4; i++)
        memcpy(w->q[i], start, sizeof *start * (size_t)lb_model_nq(w->model));
    w->count = 0;
}

/* one joint's newest sample; rates as differences, with the rounding of a position in them */
static inline void watch_check(const watch *w, const lb_joint_setting *s)
{
    const lb_joint *joint = lb_model_joint(w->model, s->joint);
    const int i = lb_model_joint_q(w->model, s->joint), k = lb_model_joint_v(w->model, s->joint);
    const double h = w->options.period, q = w->q[0][i], speed = fmin(s->velocity, joint->velocity);
    const double ulp = 2.3e-16 * fmax(1, fabs(q)), change = q - w->q[1][i];
    const double bend = q - 2 * w->q[1][i] + w->q[2][i];
    const double twist = q - 3 * w->q[1][i] + 3 * w->q[2][i] - w->q[3][i];
    assert_true(q >= joint->lower[0] && q <= joint->upper[0]);
    assert_true(fabs(w->v[0][k]) <= speed + KEPT);
    assert_true(fabs(w->a[0][k]) <= s->acceleration + KEPT);
    assert_true(fabs(change) / h <= speed + KEPT);
    assert_true(fabs(w->v[0][k] - w->v[1][k]) / h <= s->acceleration + KEPT);
    assert_true(fabs(bend) / (h * h) <= s->acceleration + KEPT + 4 * ulp / (h * h));
    assert_true(fabs(w->a[0][k] - w->a[1][k]) / h <= s->jerk * (1 + KEPT) + 1e-15 / (h * h));
    assert_true(fabs(twist) / (h * h * h) <= s->jerk * (1 + KEPT) + 8 * ulp / (h * h * h));
    // q, v and a are one motion
    double mean = 0.5 * (w->v[0][k] + w->v[1][k]);
    assert_true(fabs(change - mean * h) <= 0.5 * s->acceleration * h * h + ulp);
}

static inline void watch_step(watch *w)
{
    memmove(w->q[1], w->q[0], 3 * sizeof w->q[0]);
    memcpy(w->v[1], w->v[0], sizeof w->v[0]);
    memcpy(w->a[1], w->a[0], sizeof w->a[0]);
    lb_servo_step(w->servo, w->q[0], w->v[0], w->a[0], &w->frame);
    w->count++;
    for (int i = 0; i < w->options.joint_count; i++)
        watch_check(w, &w->settings[i]);
}

/* until it rests at its goal, the target or short of it; the frames that it took, up to `most` */
static inline int watch_arrive(watch *w, int most)
{
    int frames = 0;
    do
        watch_step(w);
    while (++frames < most && w->frame.state != LB_SERVO_ARRIVED &&
           w->frame.state != LB_SERVO_UNREACHED);
    return frames;
}

static inline void watch_end(watch *w)
{
    lb_servo_release(w->servo);
    w->servo = NULL;
}
#define owned_watch __attribute__((cleanup(watch_end))) watch

/*
 * The least time of one joint over a distance d, from speed w to rest: its peak is sought by
 * bisection. The distance to a peak and on to rest grows with the peak.
 */
static inline double least_time(double d, double w, double speed, double acceleration)
{
    double low = -speed, high = speed;
    for (int i = 0; i < 100; i++) {
        double p = 0.5 * (low + high), sign = p > w ? 1 : -1;
        double covered =
            sign * (p * p - w * w) / (2 * acceleration) + p * fabs(p) / (2 * acceleration);
        if (covered < d)
            low = p;
        else
            high = p;
    }
    double p = 0.5 * (low + high), sign = p > w ? 1 : -1;
    double covered = sign * (p * p - w * w) / (2 * acceleration) + p * fabs(p) / (2 * acceleration);
    double cruise = fabs(fabs(p) - speed) < 1e-9 ? fabs(d - covered) / speed : 0;
    return (fabs(p - w) + fabs(p)) / acceleration + cruise;
}

/* a chain of turning and sliding joints with limits */
static inline lb_model *random_arm(int count, lb_random *random, lb_task *task)
{
    lb_joint joints[16];
    const lb_transform root = LB_TRANSFORM_IDENTITY;
    for (int i = 0; i < count; i++) {
        bool slides = test_random_chance(random, 0.2);
        lb_vec3 place = lb_vec3_scale(test_random_direction(random), 0.3);
        joints[i] = test_joint(slides ? LB_JOINT_PRISMATIC : LB_JOINT_REVOLUTE, place,
                               test_random_direction(random));
        joints[i].lower[0] = -lb_random_between(random, 0.2, slides ? 0.4 : 3);
        joints[i].upper[0] = lb_random_between(random, 0.2, slides ? 0.4 : 3);
        joints[i].velocity = lb_random_between(random, 0.3, 3);
    }
    lb_model *model = test_chain(&root, joints, count);
    *task = lb_task_make(lb_model_link_count(model) - 1, LB_WORLD, LB_TASK_POSE);
    task->tool = lb_transform_translation(0.1, 0, 0.2);
    return model;
}

static inline lb_model *load(const char *name, lb_task *task)
{
    int tips[LB_DEFAULT_TIPS], count;
    lb_model *model = test_load(name);
    assert_ok(lb_model_default_tips(model, NULL, tips, &count));
    *task = lb_task_make(tips[0], LB_WORLD, LB_TASK_POSE);
    return model;
}

/* a usual posture of each: elbows bent, no joint near its limit */
static inline void bend(const char *name, double *q)
{
    static const double panda[] = {0, -0.5, 0, -2, 0, 1.6, 0.8, 0.02, 0.02};
    static const double ur5[] = {0.3, -1.3, 1.5, -1.7, -1.5, 0.2};
    static const double iiwa[] = {0.2, 0.6, 0.1, -1.3, 0.1, 1.1, 0.2};
    memset(q, 0, MOST_Q * sizeof *q);
    if (strcmp(name, "panda") == 0)
        memcpy(q, panda, sizeof panda);
    else if (strcmp(name, "ur5") == 0)
        memcpy(q, ur5, sizeof ur5);
    else
        memcpy(q, iiwa, sizeof iiwa);
}

static const char *const robots[] = {"panda", "ur5", "iiwa14"};
enum { ROBOTS = 3 };

/* frames in which some joint's acceleration changes its sign at more than half its limit: shaking
 */
static inline int shakes(const watch *w)
{
    for (int i = 0; i < w->options.joint_count; i++) {
        double most = 0.5 * w->settings[i].acceleration;
        if (w->a[0][i] * w->a[1][i] < 0 && fabs(w->a[0][i]) > most && fabs(w->a[1][i]) > most)
            return 1;
    }
    return 0;
}

#endif
